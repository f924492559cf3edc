"""Difficult ground, slopes and obstacles: what a way costs where prices change."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import search_boards as boards
import shapely
from scipy.optimize import minimize

from sandbox.ground.model import Place
from sandbox.ground.search import search
from sandbox.ground.search_model import StretchKind

INCH = 25.4


def _difficult(places: boards.Places, polygon: shapely.Polygon) -> tuple[np.ndarray, np.ndarray]:
    """Weights and borders of a difficult polygon."""
    inside = shapely.covers(polygon, shapely.points(places.pos[:, :2]))
    ring = shapely.get_coordinates(polygon.exterior)
    return np.where(inside, 2.0, 1.0), np.hstack([ring[:-1], ring[1:]])


@pytest.mark.parametrize("turn", [0.0, 7.0, 45.0, 71.0])
@pytest.mark.parametrize("offset", [0.0, 0.254, 0.61])
def test_strip_crossed_straight(turn: float, offset: float) -> None:
    """A difficult strip 1.5" wide, crossed straight, costs 3."."""
    board = boards.flat((260.0, 260.0), [], 16.0)
    strip = shapely.box(130 + offset - 0.75 * INCH, -200.0, 130 + offset + 0.75 * INCH, 460.0)
    strip = shapely.affinity.rotate(strip, turn, origin=(130.0, 130.0))
    weight, borders = _difficult(board.places, strip)
    ahead = np.array([np.cos(np.radians(turn)), np.sin(np.radians(turn))])
    start = (130.0, 130.0) - 60.0 * ahead
    goal = (130.0, 130.0) + 55.0 * ahead
    question = boards.question(board.places, (*start, 0.0), 240.0, weight=weight, borders=borders)
    arrival = search(board.places, boards.links(), question).at((*goal, 0.0))
    assert arrival is not None
    assert arrival.cost == pytest.approx(115.0 + 1.5 * INCH, abs=0.05)


def test_strip_without_borders_is_right_to_a_cell() -> None:
    board = boards.flat((200.0, 120.0), [], 16.0)
    weight, _ = _difficult(board.places, shapely.box(80.3, -10.0, 80.3 + 1.5 * INCH, 130.0))
    question = boards.question(board.places, (50.0, 60.0, 0.0), 240.0, weight=weight)
    arrival = search(board.places, boards.links(), question).at((150.0, 60.0, 0.0))
    assert arrival is not None
    assert arrival.cost == pytest.approx(100.0 + 1.5 * INCH, abs=boards.PITCH)


@pytest.mark.parametrize(
    "goal", [(150.0, 60.0), (170.0, 110.0), (150.0, 175.0), (135.0, 190.0), (95.0, 180.0)]
)
def test_ways_refract_at_borders(goal: tuple[float, float]) -> None:
    """Into a difficult half-plane: the best crossing point is found by minimising along the border."""
    board = boards.flat((200.0, 220.0), [], 16.0)
    weight, borders = _difficult(board.places, shapely.box(90.0, -50.0, 400.0, 400.0))
    start = (50.0, 60.0)
    question = boards.question(board.places, (*start, 0.0), 400.0, weight=weight, borders=borders)
    arrival = search(board.places, boards.links(), question).at((*goal, 0.0))
    best = minimize(
        lambda y: np.hypot(40.0, y - start[1]) + 2.0 * np.hypot(goal[0] - 90.0, goal[1] - y),
        x0=[100.0],
        method="Nelder-Mead",
        options={"xatol": 1e-9, "fatol": 1e-10},
    ).fun
    assert arrival is not None
    assert best - 0.1 <= arrival.cost <= best + 0.25


def test_difficult_patch_is_walked_around_when_that_is_cheaper() -> None:
    board = boards.flat((220.0, 220.0), [], 16.0)
    patch = shapely.box(80.2, 90.1, 140.7, 180.3)
    weight, borders = _difficult(board.places, patch)
    question = boards.question(board.places, (60.0, 100.0, 0.0), 400.0, weight=weight, borders=borders)
    found = search(board.places, boards.links(), question)
    arrival = found.at((160.0, 100.0, 0.0))
    corners = [(60.0, 100.0), (80.2, 90.1), (140.7, 90.1), (160.0, 100.0)]
    around = shapely.LineString(corners).length
    assert arrival is not None
    assert around - 0.1 <= arrival.cost <= around + 0.3
    (walk,) = found.way(arrival)
    assert walk.cost == pytest.approx(arrival.cost, abs=1e-6)


def test_slopes_cost_their_true_length() -> None:
    board = boards.flat((200.0, 120.0), [], 16.0)
    places = board.places
    tilt = np.tan(np.radians(30.0))
    on = (places.pos[:, 0] >= 80.0) & (places.pos[:, 0] <= 120.0)
    gradient = np.zeros((len(on), 2), np.float32)
    gradient[on, 0] = tilt
    pos = places.pos.copy()
    pos[:, 2] = np.clip(pos[:, 0] - 80.0, 0.0, 40.0) * tilt
    places = replace(places, gradient=gradient, pos=pos, lift=pos[:, 2].copy())
    question = boards.question(places, (50.0, 60.0, 0.0), 240.0)
    found = search(places, boards.links(), question)
    arrival = found.at((150.0, 60.0, 40.0 * tilt))
    assert arrival is not None
    assert arrival.cost == pytest.approx(60.0 + 40.0 / np.cos(np.radians(30.0)), abs=0.2)
    walk = found.way(arrival)[-1]
    assert walk.points[-1, 2] == pytest.approx(40.0 * tilt)
    along = found.at((100.0, 100.0, 20.0 * tilt))
    assert along is not None
    assert along.cost > np.hypot(50.0, 40.0)
    free = replace(question, slope_costs=False)
    arrival = search(places, boards.links(), free).at((150.0, 60.0, 40.0 * tilt))
    assert arrival is not None
    assert arrival.cost == pytest.approx(100.0, abs=1e-6)


def _with_obstacle(x0: float, x1: float, y1: float = 400.0) -> boards.Places:
    """A board with an obstacle's zone (number 2) between two lines."""
    places = boards.flat((220.0, 120.0), [], 16.0).places
    over = (places.pos[:, 0] >= x0) & (places.pos[:, 0] <= x1) & (places.pos[:, 1] <= y1)
    flags = places.flags.copy()
    flags[over] |= np.uint8(Place.OVER)
    lift = np.where(over, 25.0, 0.0)
    return replace(places, flags=flags, zone=np.where(over, 2, -1).astype(np.int32), lift=lift)


def test_an_obstacle_is_paid_once() -> None:
    places = _with_obstacle(80.0, 120.0)
    question = boards.question(places, (50.0, 60.0, 0.0), 240.0, zone_price=np.array([0.0, 0.0, 30.0]))
    found = search(places, boards.links(), question)
    arrival = found.at((150.0, 70.0, 0.0))
    assert arrival is not None
    assert arrival.cost == pytest.approx(np.hypot(100.0, 10.0) + 30.0, abs=1e-6)
    kinds = [(s.kind, s.zone) for s in found.way(arrival)]
    assert kinds == [(StretchKind.WALK, -1), (StretchKind.CROSS, 2), (StretchKind.WALK, -1)]
    cross = found.way(arrival)[1]
    assert cross.cost == pytest.approx(cross.length + 30.0)
    assert sum(s.cost for s in found.way(arrival)) == pytest.approx(arrival.cost)
    assert (cross.lift[1:-1] == 25.0).all()


def test_an_obstacle_is_gone_around_when_that_is_cheaper() -> None:
    places = _with_obstacle(90.0, 110.0, 70.0)
    question = boards.question(places, (60.0, 60.0, 0.0), 240.0, zone_price=np.array([0.0, 0.0, 30.0]))
    arrival = search(places, boards.links(), question).at((140.0, 60.0, 0.0))
    around = shapely.LineString([(60, 60), (90, 70), (110, 70), (140, 60)]).length
    assert arrival is not None
    assert around - 0.5 <= arrival.cost <= around + boards.PITCH
    barred = boards.question(places, (60.0, 60.0, 0.0), 240.0, zone_price=np.array([0.0, 0.0, np.inf]))
    assert search(places, boards.links(), barred).at((100.0, 60.0, 0.0)) is None


def test_a_crossing_waits_for_the_next_move() -> None:
    places = _with_obstacle(80.0, 120.0)
    price = np.array([0.0, 0.0, 30.0])
    question = boards.question(places, (50.0, 60.0, 0.0), 0.0, moves=(60.0, 100.0), zone_price=price)
    found = search(places, boards.links(), question)
    arrival = found.at((130.0, 60.0, 0.0))
    # 30 to the obstacle, then 70 over it, which must lie in the second Move
    assert arrival is not None
    assert arrival.cost == pytest.approx(80.0 + 30.0, abs=1e-6)
    assert arrival.clock == pytest.approx(60.0 + 70.0 + 10.0, abs=2.6)
    assert arrival.move == 1
    walk, cross, last = found.way(arrival)
    assert walk.ends < 60.0
    assert cross.begins == pytest.approx(60.0)
    assert last.ends == pytest.approx(arrival.clock, abs=1e-6)
    short = replace(question, moves=(60.0, 65.0))
    assert search(places, boards.links(), short).at((130.0, 60.0, 0.0)) is None
