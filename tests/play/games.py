"""Small boards for games: a scene as text, its table, and orders as lines."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sandbox.play import Event, Game, Scripted, Table, parse

DECK = """
name: Deck
rules: %s
board: {size: [24, 24]}
terrain:
  - {id: deck, box: [8, 8, 3], at: [8, 12]}
  - {id: crate, box: [1, 1, 1], at: [16, 12]}
items:
  - {id: chest, at: [14, 18]}
  - {id: casket, at: [18, 18], heavy: true}
fighters:
  - {id: kal, side: red, at: [11, 12, 3], profile: {M: 5, I: 4}}
  - {id: juno, side: red, at: [14, 14], profile: {M: 5, I: 3}}
  - {id: rax, side: blue, at: [20, 12], profile: {M: 5, I: 4}}
"""


def table(folder: Path, text: str = DECK, rules: str = "necromunda-2023") -> Table:
    file = folder / "board.yaml"
    file.write_text(text % rules if "%s" in text else text, encoding="utf-8")
    return Table.load(file)


def play(game: Game, line: str, *dice: int) -> list[Event]:
    """Give one order as a line, with the results that its dice show; all of them have to be asked for."""
    scripted = Scripted(dice)
    told = game.order(parse(game.table, game.state, line), scripted)
    assert scripted.left == (), f"{line}: nobody asked for {scripted.left}"
    return told


def whats(events: Sequence[Event]) -> list[str]:
    return [one["what"] for one in events]


def rules(events: Sequence[Event]) -> set[str]:
    return {rule for one in events for rule in (one["rule"], *one.get("rules", ()))}
