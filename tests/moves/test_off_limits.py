"""No part of a base gets onto impassable areas or pitfalls, to a fifth of a millimetre."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import shapely

import sandbox

R = 16.0 / 25.4
NEAR = 0.2 / 25.4


def field(folder: Path, turn: float, base: object = 32, facing: float = 0.0) -> sandbox.Battlefield:
    """An impassable strip 2 x 5 inches, its southern end across y = 7, turned about (7, 7)."""
    a = np.radians(turn)
    corners = np.array([[-1, 0], [1, 0], [1, 5], [-1, 5]]) @ np.array(
        [[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]
    )
    polygon = (corners + 7).round(9).tolist()
    start = (
        np.array([-3.0, -2.0]) @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) + 7
    ).tolist()
    path = folder / "strip.yaml"
    path.write_text(
        f"board: {{size: [14, 14]}}\nareas: [{{kind: impassable, polygon: {polygon}}}]\n"
        f"fighters: [{{id: k, base: {base}, facing: {facing}, at: {start}, profile: {{M: 9}}}}]\n"
    )
    return sandbox.load(path)


def at(turn: float, x: float, y: float) -> tuple[float, float]:
    a = np.radians(turn)
    return (float(7 + np.cos(a) * x - np.sin(a) * y), float(7 + np.sin(a) * x + np.cos(a) * y))


@pytest.mark.parametrize("turn", [0.0, 28.0, 53.0])
@pytest.mark.parametrize(("over", "legal"), [(-NEAR, True), (NEAR, False), (0.02, False), (0.1, False)])
def test_an_end_beside_an_impassable_area(turn: float, over: float, legal: bool, tmp_path: Path) -> None:
    there = field(tmp_path, turn)
    for x in (-0.6, 0.013, 0.41):
        move = there.moves("k", "move").to(*at(turn, x, -R + over))
        assert move.legal is legal, (x, move.rulings)
        assert there.stand(*at(turn, x, -R + over), 0).stands is legal
        if not legal:
            assert move.rulings[0].rule == "impassable"
            assert move.rulings[0].measured == pytest.approx(over, abs=0.003)


def test_nobody_stands_in_the_middle_of_it(tmp_path: Path) -> None:
    found = field(tmp_path, 0.0).stand(7, 9, 0)
    assert not found.stands
    assert found.rulings[0].rule == "impassable"


@pytest.mark.parametrize("turn", [0.0, 28.0])
def test_the_way_round_keeps_the_whole_base_off(turn: float, tmp_path: Path) -> None:
    # round the southern end: the arc of the base about both corners
    move = field(tmp_path, turn).moves("k", "move").to(*at(turn, 3, 2))
    start, end, left, right = (np.array(p) for p in ((-3.0, -2.0), (3.0, 2.0), (-1.0, 0.0), (1.0, 0.0)))
    assert move.legal
    assert move.cost is not None
    exact = _around(start, end, left, right)
    assert exact - 0.02 <= move.cost <= exact + 0.05


def _around(start: np.ndarray, end: np.ndarray, left: np.ndarray, right: np.ndarray) -> float:
    """Shortest way below two discs of the base's radius about the corners, by a fine polyline of their hull."""
    discs = [shapely.Point(c).buffer(R, quad_segs=400) for c in (left, right)]
    hull = shapely.convex_hull(shapely.union_all([shapely.Point(start), shapely.Point(end), *discs]))
    ring = np.array(hull.exterior.coords)
    i = int(np.argmin(np.hypot(*(ring - start).T)))
    ring = np.roll(ring[:-1], -i, axis=0)
    k = int(np.argmin(np.hypot(*(ring - end).T)))
    ways = (ring[: k + 1], np.vstack([ring[k:], ring[:1]]))
    lengths = [float(np.hypot(*np.diff(w, axis=0).T).sum()) for w in ways]
    below = [float(w[:, 1].min()) for w in ways]
    return lengths[int(np.argmin(below))]


@pytest.mark.parametrize("facing", [0.0, 90.0])
@pytest.mark.parametrize(("over", "stands"), [(-NEAR, True), (NEAR, False)])
def test_an_oval_beside_it(facing: float, over: float, stands: bool, tmp_path: Path) -> None:
    there = field(tmp_path, 0.0, "[60, 35]", facing)
    half = (17.5 if facing == 0.0 else 30.0) / 25.4
    move = there.moves("k", "move").to(7, 7 - half + over, 0, facing=facing)
    assert move.legal is stands, move.rulings
