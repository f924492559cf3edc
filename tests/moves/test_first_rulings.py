"""The first ruling is the real reason: the way that breaks least decides, and it is measured."""

from __future__ import annotations

from pathlib import Path

import pytest

import sandbox
from sandbox.moves.answers import Move

DOOR = """
board: {{size: [24, 24]}}
terrain:
  - {{id: w1, box: [0.4, {long}, {high}], at: [12, {south}]}}
  - {{id: w2, box: [0.4, {long}, {high}], at: [12, {north}]}}
fighters: [{{id: k, base: 32, at: [10, 12]}}]
"""


def ask(folder: Path, scene: str, to: tuple[float, ...], action: str = "move") -> Move:
    path = folder / "scene.yaml"
    path.write_text(scene)
    return sandbox.load(path).moves("k", action).to(*to)


@pytest.mark.parametrize(("high", "width"), [(3, 30.0), (6, 28.0), (8, 31.5)])
def test_a_door_too_narrow_is_named_and_measured(high: float, width: float, tmp_path: Path) -> None:
    long = 12 - width / 50.8
    scene = DOOR.format(long=long, high=high, south=long / 2, north=24 - long / 2)
    first = ask(tmp_path, scene, (14, 12)).rulings[0]
    assert first.rule == "room"
    # what the base is too wide to either side, in the middle of the door
    assert first.measured == pytest.approx((32 - width) / 50.8, abs=0.2 / 25.4)


def test_a_wall_is_no_door(tmp_path: Path) -> None:
    for thick in (0.4, 0.04):
        wall = f"board: {{size: [24, 24]}}\nterrain: [{{id: w, box: [{thick}, 24, 3], at: [12, 12]}}]\n"
        move = ask(tmp_path, wall + "fighters: [{id: k, base: 32, at: [10, 12]}]\n", (14, 12))
        assert move.rulings[0].rule == "allowance"


def test_an_enemy_on_the_way_is_named_before_the_long_way_round(tmp_path: Path) -> None:
    scene = (
        "board: {size: [24, 24]}\nterrain: [{id: g, box: [12, 2.5, 3], at: [12, 12]}]\nfighters:\n"
        "  - {id: k, side: red, at: [8, 12, 3]}\n  - {id: e, side: blue, at: [12, 12, 3]}\n"
    )
    move = ask(tmp_path, scene, (14.5, 12, 3), "double-move")
    assert move.rulings[0].rule == "keep_distance"


def test_a_place_that_is_refused_has_a_price_all_the_same(tmp_path: Path) -> None:
    scene = (
        "board: {size: [24, 24]}\nfighters:\n"
        "  - {id: k, side: red, at: [8, 12]}\n  - {id: e, side: blue, at: [14, 12]}\n"
    )
    move = ask(tmp_path, scene, (11.76, 12), "double-move")
    assert not move.legal
    assert move.rulings[0].rule == "keep_distance"
    assert move.cost == pytest.approx(3.76, abs=0.1)


def test_what_is_lost_by_waiting_for_the_next_move_is_told(tmp_path: Path) -> None:
    # an inch to the lip, then a gap of 4.5 that fits into the second Move, and no inch left to be on the deck
    scene = (
        "board: {size: [30, 14]}\nterrain:\n"
        "  - {id: a, box: [8, 10, 3], at: [5, 7]}\n  - {id: b, box: [8, 10, 3], at: [17.5, 7]}\n"
        "fighters: [{id: k, at: [8, 7, 3], profile: {M: 5}}]\n"
    )
    move = ask(tmp_path, scene, (14.2, 7, 3), "double-move")
    assert not move.legal
    first = move.rulings[0]
    assert first.rule == "allowance"
    assert first.limit == 10.0
    assert first.measured is not None
    assert first.measured == pytest.approx(5 + 4.5 + 0.7, abs=0.15)
