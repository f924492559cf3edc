"""Ovals keep their heading on their way and turn where there is room."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import sandbox

CORRIDOR = """
name: Corridor
board: {{size: [12, 6]}}
terrain:
  - {{id: north, box: [6, 2, 3], at: [8, {north}], kind: structure}}
  - {{id: south, box: [6, 2, 3], at: [8, {south}], kind: structure}}
fighters:
  - {{id: rider, side: red, base: [60, 35], at: [2, 3, 0], facing: {facing}, profile: {{M: 7}}}}
"""


def corridor(folder: Path, width_mm: float, facing: float) -> sandbox.Battlefield:
    """A passage of a width along the x axis, from x 5 to 11, and a rider before it."""
    half = width_mm / 25.4 / 2
    path = folder / "corridor.yaml"
    path.write_text(CORRIDOR.format(north=3 + half + 1, south=3 - half - 1, facing=facing))
    return sandbox.load(path)


def test_a_rider_along_the_passage_keeps_its_heading(tmp_path: Path) -> None:
    move = corridor(tmp_path, 35.3, 0.0).moves("rider", "move").to(8, 3, 0)
    assert move.legal
    assert move.facing == 0.0
    assert move.cost == pytest.approx(6.0, abs=0.02)


def test_a_rider_across_the_passage_turns_before_it(tmp_path: Path) -> None:
    move = corridor(tmp_path, 40.0, 90.0).moves("rider", "move").to(8, 3, 0)
    assert move.legal
    assert move.facing is not None
    assert abs((move.facing + 90.0) % 180.0 - 90.0) <= 22.5  # near enough along the passage to fit
    assert move.cost == pytest.approx(6.0, abs=0.02)


@pytest.mark.parametrize("facing", [0.0, 90.0])
def test_nobody_turns_within_a_passage_narrower_than_the_base_is_long(tmp_path: Path, facing: float) -> None:
    field = corridor(tmp_path, 40.0, facing)
    along = field.moves("rider", "move").to(8, 3, 0, facing=0)
    across = field.moves("rider", "move").to(8, 3, 0, facing=90)
    assert along.legal
    assert not across.legal
    assert across.rulings


def test_a_passage_narrower_than_the_base_is_closed_to_every_heading(tmp_path: Path) -> None:
    assert not corridor(tmp_path, 34.7, 0.0).moves("rider", "move").to(8, 3, 0).legal


def test_a_rider_turns_at_its_end_where_there_is_room(tmp_path: Path) -> None:
    move = corridor(tmp_path, 40.0, 0.0).moves("rider", "move").to(2.2, 4.4, 0, facing=45)
    assert move.legal
    assert move.facing == 45.0


BEND = """
name: Bend
board: {{size: [12, 12]}}
terrain:
  - {{id: inner, box: [6, 6, 3], at: [4, {inner}], kind: structure}}
  - {{id: outer, box: [{long}, 2, 3], at: [{middle}, {outer}], kind: structure}}
  - {{id: right, box: [2, 10, 3], at: [{right}, {low}], kind: structure}}
fighters:
  - {{id: rider, side: red, base: [60, 35], at: [4, 9, 0], facing: 0, profile: {{M: 10}}}}
"""


def bend(folder: Path, width_mm: float) -> sandbox.Battlefield:
    """A lane of a width along y = 9 that turns a right angle southwards at x 7."""
    wide = width_mm / 25.4
    places = {
        "inner": 9 - wide / 2 - 3,
        "long": 6 + wide,
        "middle": 4 + wide / 2,
        "outer": 9 + wide / 2 + 1,
        "right": 7 + wide + 1,
        "low": 9 + wide / 2 - 5,
    }
    path = folder / "bend.yaml"
    path.write_text(BEND.format(**places))
    return sandbox.load(path)


@pytest.mark.parametrize(("width", "legal"), [(45.0, True), (36.0, False)])
def test_a_rider_turns_on_its_way_round_a_corner(tmp_path: Path, width: float, legal: bool) -> None:
    # no single heading fits into both lanes: the base is 60 mm long
    field = bend(tmp_path, width)
    x = 7 + width / 25.4 / 2
    move = field.moves("rider", "move").to(x, 3.5, 0)
    assert move.legal is legal
    if legal:
        assert move.legs[0].facing == 0.0
        assert move.legs[-1].facing == move.facing
        assert move.facing is not None
        assert abs((move.facing + 90.0) % 180.0 - 90.0) > 50.0
        # longer than the straight line, shorter than down the middles of both lanes
        assert math.dist((4, 9), (x, 3.5)) < (move.cost or 0.0) < 5.5 + x - 4
