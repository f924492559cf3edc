"""Places beyond the allowance: who asks for many gets the answers of who asks for one."""

from __future__ import annotations

from pathlib import Path

import pytest

import sandbox
from sandbox.moves.answers import Move, Point

SCENE = """
name: Far off
board: {size: [22, 16]}
terrain:
  - {id: wall, box: [0.3, 9, 3], at: [9, 5], kind: wall}
  - {id: deck, box: [5, 4, 2], at: [15, 11]}
  - {id: stairs, stairs: [3, 2, 2, 6], at: [15, 7.5], turn: 90, kind: stairs}
  - {id: pen, box: [4, 0.3, 3], at: [18, 4], kind: impassable}
  - {id: hut, box: [3, 3, 4], at: [4, 13], kind: impassable}
areas:
  - {kind: difficult, polygon: [[10, 2], [14, 2], [14, 5], [10, 5]]}
fighters:
  - {id: kal, side: red, at: [6, 5, 0], profile: {M: 4, I: 4}}
"""
PLACES: tuple[Point, ...] = (
    (11.5, 5.0, 0.0),
    (6.0, 10.5, 0.0),
    (12.0, 3.5, 0.0),
    (14.0, 11.0, 2.0),
    (10.5, 11.0, 0.0),
    (16.5, 5.5, 0.0),
    (15.6, 11.5, 2.0),
    (21.0, 15.0, 0.0),
)


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    (tmp_path / "far.yaml").write_text(SCENE)
    return tmp_path / "far.yaml"


def told(move: Move) -> tuple[object, ...]:
    """What a refused move says, its cost to a thousandth of an inch."""
    return (
        move.legal,
        None if move.cost is None else round(move.cost, 3),
        [(ruling.rule, ruling.text) for ruling in move.rulings],
        [leg.kind for leg in move.legs],
    )


def test_a_place_is_refused_alike_whoever_asks_first_and_how_often(scene: Path) -> None:
    many = sandbox.load(scene).moves("kal")
    together = [told(many.to(*at)) for at in PLACES]
    alone = [told(sandbox.load(scene).moves("kal").to(*at)) for at in PLACES]
    assert together == alone
    assert not any(answer[0] for answer in together)
    assert sum(answer[1] is not None for answer in together) >= 3
