"""Ovals keep their heading on their way and turn where there is room."""

from __future__ import annotations

from pathlib import Path

import pytest

import sandbox

CORRIDOR = """
name: Corridor
board: {{size: [24, 24]}}
terrain:
  - {{id: north, box: [10, 4, 3], at: [14, {north}], kind: structure}}
  - {{id: south, box: [10, 4, 3], at: [14, {south}], kind: structure}}
fighters:
  - {{id: rider, side: red, base: [60, 35], at: [4, 12, 0], facing: {facing}, profile: {{M: 9}}}}
"""


def corridor(folder: Path, width_mm: float, facing: float) -> sandbox.Battlefield:
    """A passage of a width along the x axis, from x 9 to 19, and a rider before it."""
    half = width_mm / 25.4 / 2
    path = folder / "corridor.yaml"
    path.write_text(CORRIDOR.format(north=12 + half + 2, south=12 - half - 2, facing=facing))
    return sandbox.load(path)


def test_a_rider_along_the_passage_keeps_its_heading(tmp_path: Path) -> None:
    move = corridor(tmp_path, 35.3, 0.0).moves("rider", "move").to(12, 12, 0)
    assert move.legal
    assert move.facing == 0.0
    assert move.cost == pytest.approx(8.0, abs=0.02)


def test_a_rider_across_the_passage_turns_before_it(tmp_path: Path) -> None:
    move = corridor(tmp_path, 40.0, 90.0).moves("rider", "move").to(12, 12, 0)
    assert move.legal
    assert move.facing is not None
    assert abs((move.facing + 90.0) % 180.0 - 90.0) <= 22.5  # near enough along the passage to fit
    assert move.cost == pytest.approx(8.0, abs=0.02)


@pytest.mark.parametrize("facing", [0.0, 90.0])
def test_nobody_turns_within_a_passage_narrower_than_the_base_is_long(tmp_path: Path, facing: float) -> None:
    field = corridor(tmp_path, 40.0, facing)
    along = field.moves("rider", "move").to(12, 12, 0, facing=0)
    across = field.moves("rider", "move").to(12, 12, 0, facing=90)
    assert along.legal
    assert not across.legal
    assert across.rulings


def test_a_passage_narrower_than_the_base_is_closed_to_every_heading(tmp_path: Path) -> None:
    assert not corridor(tmp_path, 34.7, 0.0).moves("rider", "move").to(12, 12, 0).legal


def test_a_rider_turns_at_its_end_where_there_is_room(tmp_path: Path) -> None:
    move = corridor(tmp_path, 40.0, 0.0).moves("rider", "move").to(6, 16, 0, facing=45)
    assert move.legal
    assert move.facing == 45.0
