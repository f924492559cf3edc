"""One whole game for each pack, kept as text: replayed order by order and compared to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from play.golden import GAMES, log_of, met, play, written
from sandbox.play import Game, same

EVERYDAY = 5
"""orders of each game that the everyday run plays; `--full` plays them to their end."""


@pytest.mark.parametrize("name", GAMES)
def test_the_game_is_played_as_it_is_written(name: str, full: bool) -> None:
    kept = log_of(name).read_text(encoding="utf-8").splitlines()
    played = play(name, None if full else EVERYDAY).lines
    how = "look at what changed; python tests/play/golden.py writes it anew"
    assert played == (kept if full else kept[: len(played)]), how
    assert full or len(played) > EVERYDAY


@pytest.mark.parametrize("name", GAMES)
def test_it_is_long_and_meets_most_of_the_ledger(name: str) -> None:
    orders, _ = written(name)
    assert orders >= 30
    count, of, missed = met(name)
    assert count >= 0.7 * of, sorted(set(missed))
    assert not any(line.startswith("!") for line in log_of(name).read_text(encoding="utf-8").splitlines())
    assert set(GAMES) == {path.stem for path in log_of(name).parent.glob("*.txt")}


@pytest.mark.full
@pytest.mark.parametrize("name", GAMES)
def test_it_is_kept_and_leads_to_the_same_state_again(name: str, tmp_path: Path) -> None:
    game = play(name).game
    path = tmp_path / f"{name}.game"
    game.save(path)
    again = Game.resume(game.table, path)
    assert same(again.state, game.state)
    assert [e.rolled for e in again.past] == [e.rolled for e in game.past]
    assert same(again.replayed(), game.state)
