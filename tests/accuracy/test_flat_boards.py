"""Costs among things that are in the way against an exact visibility graph, on 200 random boards."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import shapely
from oracles.visibility import Bracket, distances

from .scenes import BELOW_MM, INCH, NEAR_MM, Asked, Sketch, above, cost_mm

BASES = (25.0, 28.5, 32.0, 40.0, 50.0)
SIDE = 16.0 * INCH
FAR = 3.0
"""ways are looked for up to this many times the allowance."""
SEEDS = range(200)
DAILY = range(0, 200, 29)


@dataclass(frozen=True)
class Flat:
    """A level board: what is in the way, and the way's beginning, mm."""

    asked: Asked
    radius: float
    start: tuple[float, float]
    polygons: list[shapely.Polygon]
    discs: list[tuple[float, float, float]]

    def clear(self, points: np.ndarray) -> np.ndarray:
        """How far from touching a base at plan points (n, 2) is, mm; the board's edge counts."""
        where = shapely.points(points)
        edge = np.minimum(points.min(axis=1), (SIDE - points).min(axis=1))
        away = np.min([edge, *(shapely.distance(p, where) for p in self.polygons)], axis=0)
        for x, y, r in self.discs:
            away = np.minimum(away, np.hypot(points[:, 0] - x, points[:, 1] - y) - r)
        return away - self.radius

    def truth(self, points: np.ndarray, slack: float) -> Bracket:
        """Exact distances to plan points, bracketed."""
        return distances(
            self.polygons,
            self.radius,
            self.start,
            points,
            discs=[(x, y, r + self.radius) for x, y, r in self.discs],
            board=shapely.box(0.0, 0.0, SIDE, SIDE),
            slack=slack,
        )


def flat(seed: int, folder: Path) -> Flat:
    """A random board. Half of what stands on it stands a base's width from something else, to a millimetre."""
    rng = np.random.default_rng(seed)
    base = BASES[seed % len(BASES)]
    sketch = Sketch((SIDE, SIDE))
    polygons: list[shapely.Polygon] = []
    discs: list[tuple[float, float, float]] = []
    for _ in range(int(rng.integers(4, 9))):
        x, y = rng.uniform(0.12 * SIDE, 0.88 * SIDE, 2)
        if rng.random() < 0.2:
            discs.append(sketch.cylinder(rng.uniform(8.0, 35.0), 60.0, (x, y), "impassable"))
            continue
        turn = float(rng.uniform(0.0, 180.0))
        dx, dy = (float(rng.choice([1.0, 1.2, 5.0, rng.uniform(10.0, 80.0)])) for _ in range(2))
        dx = max(dx, 30.0)
        polygons.append(sketch.box((dx, dy, 60.0), (x, y), turn, "impassable"))
        if rng.random() < 0.5:
            # another one beside it, with an opening about as wide as the base between the two
            off = float(rng.choice([-1.0, 1.0]) * rng.uniform(NEAR_MM, 1.0))
            beyond = float(rng.uniform(1.0, 60.0))
            far = (dy + beyond) / 2.0 + base + off
            a = np.radians(turn)
            at = (x - far * np.sin(a), y + far * np.cos(a))
            polygons.append(sketch.box((dx, beyond, 60.0), at, turn, "impassable"))
    where = shapely.union_all([*polygons, *(shapely.Point(x, y).buffer(r) for x, y, r in discs)])
    while True:
        start = tuple(float(v) for v in rng.uniform(0.3 * SIDE, 0.7 * SIDE, 2))
        if shapely.distance(where, shapely.Point(start)) > base / 2.0 + 0.5:
            break
    sketch.fighter(start, base, 7.0)
    return Flat(sketch.load(folder), base / 2.0, (start[0], start[1]), polygons, discs)


def targets(board: Flat, rng: np.random.Generator, count: int) -> np.ndarray:
    """Places to ask for, half of them within a millimetre of touching something; all clear by what must be right."""
    points = rng.uniform(board.radius, SIDE - board.radius, (60 * count, 2))
    clear = board.clear(points)
    edge = points[(clear >= NEAR_MM) & (clear < 1.0)][: count // 2]
    return np.concatenate([edge, points[clear >= 1.0][: count - len(edge)]])


def check(costs: np.ndarray, points: np.ndarray, board: Flat) -> None:
    """Costs (n,), inf where no way was found, lie in the bracket widened by what is allowed."""
    exact, loose = board.truth(points, 0.0), board.truth(points, NEAR_MM / 2.0)
    # where an opening is wide enough to a fifth of a millimetre, either is right
    with np.errstate(invalid="ignore"):
        close_call = ~(loose.high - loose.low < 1.0)
    low = np.where(close_call, loose.low, exact.low)
    high = np.where(close_call, loose.high, exact.high)
    most = board.asked.allowance * FAR
    sure = above(high) < most
    found = np.isfinite(costs)
    told = [
        f"to {p / INCH}: {c / INCH:.4f}, between {a / INCH:.4f} and {b / INCH:.4f}"
        for p, c, a, b in zip(points, costs, low, high, strict=True)
    ]
    bad = (sure & ~found) | (found & ((costs < low - BELOW_MM) | (costs > above(high))))
    assert not bad.any(), [told[k] for k in np.flatnonzero(bad)]


@pytest.mark.parametrize(
    "seed", [pytest.param(k, marks=() if k in DAILY else pytest.mark.full) for k in SEEDS]
)
def test_costs_among_things_in_the_way(seed: int, tmp_path: Path) -> None:
    board = flat(seed, tmp_path)
    rng = np.random.default_rng(10_000 + seed)
    points = targets(board, rng, 24)
    moves = [board.asked.to(*p) for p in points]
    costs = np.array([cost_mm(m) for m in moves])
    check(costs, points, board)
    for move, point in zip(moves, points, strict=True):
        assert move.legal == (cost_mm(move) <= board.asked.allowance + 0.05), (point, move.rulings)
    spots = board.asked.spots()
    some = spots[rng.permutation(len(spots))[:60]]
    check(some[:, 3], some[:, :2], board)
    assert (board.clear(spots[:, :2]) > -NEAR_MM).all()
