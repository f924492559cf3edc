"""Golden games: a scripted game as text, each order with its dice and everything that was told of it.

A game is played anew from its orders; `python tests/play/golden.py` writes the logs again (look at what changed).
"""

from __future__ import annotations

import itertools
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

from ruamel.yaml import YAML

from sandbox.errors import UserError
from sandbox.play import Game, Scripted, Table, parse, told
from sandbox.rules.ledger import read_ledger

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
GAMES = {name: ROOT / "scenes" / "games" / f"{name}.yaml" for name in ("ash-road", "sump-town", "mire")}
_LINE = re.compile(r"> (?P<order>.*?)(?:  \[(?P<dice>[\d ]*)\])?")


@dataclass
class Played:
    """One golden game, played."""

    game: Game
    lines: list[str] = field(default_factory=list)
    """the log as text."""
    orders: int = 0
    """orders that were carried out."""
    asked: int = 0
    """lines with orders, those that were refused too."""


def log_of(name: str) -> Path:
    return HERE / "golden" / f"{name}.txt"


def play(name: str, most: int | None = None) -> Played:
    """Play the orders of a game's log anew; most: so many of them, None: all."""
    played = Played(Game(Table.load(GAMES[name])))
    for line in log_of(name).read_text(encoding="utf-8").splitlines():
        if most is not None and line.startswith("> ") and played.asked >= most:
            break
        if line.startswith(("#", "> ")) or not line.strip():
            played.lines.append(line)
        if line.startswith("> "):
            _order(played, line)
    return played


def _order(played: Played, line: str) -> None:
    played.asked += 1
    match = _LINE.fullmatch(line)
    assert match is not None, line
    order, dice = match["order"], [int(v) for v in (match["dice"] or "").split()]
    game = played.game
    if order in ("undo", "redo"):
        events = game.undo() if order == "undo" else game.redo()
    else:
        scripted = Scripted(dice)
        try:
            events = game.order(parse(game.table, game.state, order), scripted)
        except UserError as error:
            played.lines.append(f"! {error}")
            return
        if scripted.left:
            played.lines.append(f"! nobody asked for {scripted.left}")
        played.orders += events[0]["what"] != "refused"
    names = game.table.names
    played.lines += [("- " if one["what"] == "refused" else "  ") + told(one, names) for one in events]


def written(name: str) -> tuple[int, set[str]]:
    """Of a log as it is written: how many orders were carried out, and the rules that are named in it."""
    orders, cited = 0, set[str]()
    lines = log_of(name).read_text(encoding="utf-8").splitlines()
    for line, after in itertools.pairwise([*lines, ""]):
        if line.startswith("> ") and line not in ("> undo", "> redo"):
            orders += not after.startswith(("- ", "! "))
        elif line.startswith(("  ", "- ")) and line.endswith(")"):
            cited |= set(line[line.rindex("(") + 1 : -1].split(", "))
    return orders, cited


def met(name: str) -> tuple[int, int, list[str]]:
    """Ledger entries of the game's pack whose rule the game met, all of them, and the rules that it did not meet."""
    pack = str(YAML(typ="safe").load(GAMES[name])["rules"])
    cited = written(name)[1]
    entries = [e for e in read_ledger() if e.pack == pack]
    missed = [e.line.rule for e in entries if e.line.rule not in cited]
    return len(entries) - len(missed), len(entries), missed


def main() -> None:
    """Write the logs of all games (or of those named) again."""
    for name in sys.argv[1:] or GAMES:
        played = play(name)
        log_of(name).write_text("\n".join(played.lines) + "\n", encoding="utf-8")
        count, of, missed = met(name)
        print(f"{name}: {played.orders} orders, {count} of {of} ledger entries ({count / of:.0%})")
        print("  not met:", " ".join(sorted(set(missed))))


if __name__ == "__main__":
    main()
