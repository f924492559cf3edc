"""Costs on open ground against an exact visibility graph: straight lines in any direction, arcs around corners."""

from __future__ import annotations

import numpy as np
import pytest
import search_boards as boards
import shapely
from oracles.visibility import distances

from sandbox.ground.search import search
from sandbox.ground.search_model import StretchKind

INCH = 25.4
BELOW_MM = 0.02 * INCH
ABOVE_MM = 0.05 * INCH


def _allowed(high: np.ndarray) -> np.ndarray:
    return np.maximum(0.01 * high, ABOVE_MM)


def _board(
    seed: int, radius: float, discs: int = 0, pitch: float = boards.PITCH
) -> tuple[boards.Board, tuple[float, float], np.ndarray]:
    """A random board on which nothing in the way reaches the edge."""
    rng = np.random.default_rng(seed)
    start = (float(rng.uniform(90, 190)), float(rng.uniform(90, 190)))
    obstacles = boards.random_obstacles(rng, (80.0, 200.0), int(rng.integers(3, 9)), start, radius)
    rings = []
    while len(rings) < discs:
        x, y, r = rng.uniform(60, 220), rng.uniform(60, 220), rng.uniform(radius + 12.5, radius + 30)
        if np.hypot(x - start[0], y - start[1]) > r + 3.0:
            rings.append((x, y, r, -10.0, 10.0))
    origin = (float(rng.uniform(0, boards.PITCH)), float(rng.uniform(0, boards.PITCH)))
    return (
        boards.flat((280.0, 280.0), obstacles, radius, pitch, origin),
        start,
        np.array(rings).reshape(-1, 5),
    )


def _check(seed: int, radius: float, discs: int = 0, pitch: float = boards.PITCH) -> bool:
    board, start, rings = _board(seed, radius, discs, pitch)
    budget = 200.0
    found = search(
        board.places, boards.links(), boards.question(board.places, (*start, 0.0), budget, discs=rings)
    )
    rng = np.random.default_rng(seed + 1000)
    targets = rng.uniform(5.0, 275.0, (80, 2))
    where = shapely.points(targets)
    free = shapely.distance(where, shapely.union_all(board.obstacles)) > radius + 0.01
    for x, y, r, _, _ in rings:
        free &= np.hypot(targets[:, 0] - x, targets[:, 1] - y) > r + 0.01
    targets = targets[free]
    truth = distances(board.obstacles, radius, start, targets, discs=[(x, y, r) for x, y, r, _, _ in rings])
    got = found.many(np.column_stack([targets, np.zeros(len(targets))]))
    reached = np.isfinite(got.cost)
    sure = truth.high < budget - 0.01 * budget
    assert (reached | ~sure).all(), targets[~reached & sure]
    assert (got.cost[reached] >= truth.low[reached] - BELOW_MM).all()
    both = reached & np.isfinite(truth.high)
    excess = got.cost[both] - truth.high[both]
    assert (excess <= _allowed(truth.high[both])).all(), excess.max()
    # a start that is shut in has no way anywhere, and that is right too
    return bool(both.any() or np.isinf(truth.low).all())


@pytest.mark.parametrize("seed", range(12))
def test_random_boards(seed: int) -> None:
    assert _check(seed, [12.5, 16.0, 20.0, 25.0][seed % 4])


@pytest.mark.parametrize("seed", range(30, 36))
def test_wider_cells_are_as_right(seed: int) -> None:
    assert _check(seed, [12.5, 16.0, 25.0][seed % 3], seed % 3, 2.54)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(100, 300))
def test_random_boards_in_full(seed: int) -> None:
    assert _check(seed, [12.5, 14.25, 16.0, 20.0, 25.0][seed % 5], seed % 4)


@pytest.mark.parametrize("seed", range(20, 26))
def test_boards_with_other_bases(seed: int) -> None:
    assert _check(seed, 16.0, 4)


@pytest.mark.parametrize("angle", range(0, 360, 23))
def test_open_ground_has_no_grid(angle: int) -> None:
    board = boards.flat((220.0, 220.0), [], 16.0)
    start = (110.3, 109.1, 0.0)
    found = search(board.places, boards.links(), boards.question(board.places, start, 100.0))
    turn = np.radians(angle)
    for length in (0.0, 0.4, 7.77, 99.99):
        at = found.at((start[0] + length * np.cos(turn), start[1] + length * np.sin(turn), 0.0))
        assert at is not None
        assert at.cost == pytest.approx(length, abs=1e-6)
    assert found.at((start[0] + 100.1 * np.cos(turn), start[1] + 100.1 * np.sin(turn), 0.0)) is None


def test_places_agree_with_exact_points() -> None:
    board, start, _ = _board(3, 16.0)
    found = search(board.places, boards.links(), boards.question(board.places, (*start, 0.0), 120.0))
    reached = np.isfinite(found.cost)
    exact = found.many(found.ground.point[reached])
    assert (exact.cost <= found.cost[reached] + 1e-6).all()
    assert (exact.cost >= found.cost[reached] - 0.5).all()


def test_at_and_many_are_the_same() -> None:
    board, start, _ = _board(5, 16.0)
    found = search(board.places, boards.links(), boards.question(board.places, (*start, 0.0), 120.0))
    points = np.column_stack([np.random.default_rng(0).uniform(20, 220, (50, 2)), np.zeros(50)])
    many = found.many(points)
    for k, point in enumerate(points):
        one = found.at(tuple(point))
        assert (one is None) == bool(np.isinf(many.cost[k]))
        if one is not None:
            assert one.cost == many.cost[k]


def test_way_is_the_cost_told_point_by_point() -> None:
    wall = shapely.box(100.0, 20.0, 110.0, 150.0)
    board = boards.flat((220.0, 220.0), [wall], 16.0)
    found = search(board.places, boards.links(), boards.question(board.places, (60.0, 80.0, 0.0), 250.0))
    arrival = found.at((150.2, 81.3, 0.0))
    assert arrival is not None
    (walk,) = found.way(arrival)
    assert walk.kind is StretchKind.WALK
    steps = np.linalg.norm(np.diff(walk.points, axis=0), axis=1)
    # told round corners by the arc, where the search counts chords from place to place: 0.0001 of a chord's length
    # per mm of it, at most 0.02 mm each
    chords = int((steps < 3.0 * board.places.pitch).sum())
    assert arrival.cost - 1e-6 <= steps.sum() <= arrival.cost + 0.02 * chords
    assert walk.cost == pytest.approx(arrival.cost, abs=1e-6)
    assert tuple(walk.points[-1]) == (150.2, 81.3, 0.0)
    lines = shapely.LineString(walk.points[:, :2])
    # the referee refuses from 0.25 mm on
    assert lines.distance(wall) >= 16.0 - 0.2


def test_a_start_nowhere_reaches_nothing() -> None:
    board = boards.flat((100.0, 100.0), [shapely.box(40.0, 40.0, 60.0, 60.0)], 16.0)
    found = search(board.places, boards.links(), boards.question(board.places, (50.0, 50.0, 0.0), 100.0))
    assert np.isinf(found.cost).all()
    assert found.at((10.0, 10.0, 0.0)) is None
