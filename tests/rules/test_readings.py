"""Rulings that hang on a reading name the setting that would change them, and how."""

from __future__ import annotations

from pathlib import Path

import pytest
from cases.board import MM, Board
from falling.boards import N17, N23, R32, load

from sandbox.moves.narrate import tell
from sandbox.rules import load_pack
from sandbox.rules.readings import allowing, in_words


@pytest.mark.parametrize(
    ("rule", "measured", "value"),
    [
        ("overhang", 1.05, 2.0),
        ("overhang", 2.5, None),
        ("keep_distance", 0.9, 0),
        ("free_step_up", 0.8, 1.0),
        ("free_step_up", 1.2, None),
        ("stand_slope", 20.0, 45),
        ("obstacle_stand", None, True),
        ("dangerous_vehicle_check", None, None),
        ("allowance", 7.0, None),
    ],
)
def test_the_reading_that_would_allow_it(rule: str, measured: float | None, value: object) -> None:
    found = allowing(load_pack(N23).rule(rule), measured)
    assert (None if found is None else found.value) == value


def test_readings_in_words() -> None:
    found = allowing(load_pack(N23).rule("overhang"), 1.5)
    assert found is not None
    assert in_words(found) == "2: Deep decks can be climbed around."
    switch = allowing(load_pack(N23).rule("pass_friends"), None)
    assert switch is not None
    assert in_words(switch).startswith("no: ")


def _deck(board: Board, out: float) -> Board:
    """A block with a deck on it that sticks out so many inches on all sides; its lip is at x = 1."""
    board.box((4, 4, 2.8), (3 + out, 0), kind="structure")
    board.box((4 + 2 * out, 4 + 2 * out, 0.2), (3 + out, 0, 2.8))
    return board.fighter("kal", (0, 0), M=9)


@pytest.mark.parametrize("out", [1.05, 2.1])
def test_a_ruling_names_the_setting_that_would_change_it(tmp_path: Path, out: float) -> None:
    board = _deck(Board(tmp_path, angle=17.0), out)
    to = board.turned(1 + R32 + 0.05, 0)
    refused = load(board, N23).moves("kal", "double-move").to(*to, 3)
    ruling = next(r for r in refused.rulings if r.rule == "overhang")
    if out > 2.0:
        assert ruling.setting is None
        assert "reading" not in ruling.to_json()
        return
    assert ruling.setting == "overhang"
    assert ruling.to_json()["reading"].startswith("2: ")
    assert any("Another reading of overhang would allow it, 2: Deep decks" in line for line in tell(refused))
    # and it does
    assert load(board, N23, overhang=2.0).moves("kal", "double-move").to(*to, 3).legal


def test_so_does_one_about_a_distance_and_one_about_a_switch(tmp_path: Path) -> None:
    board = Board(tmp_path, angle=17.0).fighter("kal", (0, 0)).fighter("rax", (4, 0), side="blue")
    near = board.turned(4 - 2 * R32 - 0.5, 0)
    ruling = load(board, N23).moves("kal", "move").to(*near).rulings[0]
    assert (ruling.setting, ruling.reading) == ("keep_distance", "0: Only bases keep enemies apart.")
    assert load(board, N23, keep_distance=0).moves("kal", "move").to(*near).legal
    crate = Board(tmp_path, angle=17.0).box((1.5, 1.5, 1), (2, 0)).fighter("kal", (0, 0), base=25)
    top = load(crate, N23).moves("kal", "move").to(*crate.turned(2, 0), 1)
    assert top.rulings[0].setting == "obstacle_stand"
    assert 25 * MM < 1.5
    assert load(crate, N17).pack.rule("obstacle_stand").value is False
