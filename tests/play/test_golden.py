"""One whole game for each pack, kept as text: replayed order by order and compared to the letter."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from play.golden import GAMES, Played, log_of, met, play
from sandbox.play import Game, same


@cache
def played(name: str) -> Played:
    return play(name)


@pytest.mark.parametrize("name", GAMES)
def test_the_game_is_played_as_it_is_written(name: str) -> None:
    written = log_of(name).read_text(encoding="utf-8")
    assert "\n".join(played(name).lines) + "\n" == written, (
        "look at it: python tests/play/golden.py writes it anew"
    )
    assert not any(line.startswith("!") for line in played(name).lines)


@pytest.mark.parametrize("name", GAMES)
def test_it_is_long_and_meets_most_of_the_ledger(name: str) -> None:
    assert played(name).orders >= 30
    count, of, missed = met(played(name))
    assert count >= 0.7 * of, sorted(set(missed))
    assert {GAMES[name].stem for name in GAMES} == {path.stem for path in log_of(name).parent.glob("*.txt")}


@pytest.mark.parametrize("name", GAMES)
def test_it_is_kept_and_leads_to_the_same_state_again(name: str, tmp_path: Path) -> None:
    game = played(name).game
    path = tmp_path / f"{name}.game"
    game.save(path)
    again = Game.resume(game.table, path)
    assert same(again.state, game.state)
    assert [e.rolled for e in again.past] == [e.rolled for e in game.past]
    assert same(again.replayed(), game.state)
