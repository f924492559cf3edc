"""Length of a way around one corner, against the exact arc of the base."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from oracles.visibility import distances

from sandbox.ground.kernels import links_rows
from sandbox.ground.links import as_links
from sandbox.ground.model import Place, Question
from sandbox.ground.search import search

from .contents import DECK, WIDE, Board, Setting, box, lay_out, settings

BELOW_MM = 0.02 * 25.4
ABOVE_MM = 0.05 * 25.4


def cost(board: Board, start: tuple[float, float, float], end: tuple[float, float, float]) -> float:
    """Cheapest way between two points, mm."""
    places = board.places
    n = len(places.pos)
    asked = Question(
        start=(*board.at(*start[:2]), start[2]),
        moves=(400.0,),
        weight=np.ones(n),
        stop=(places.flags & Place.STAND) != 0,
        discs=np.zeros((0, 5)),
        zone_price=np.full(len(board.ground.terrain.parts), np.inf),
        link_price=np.zeros(0),
        link_chance=np.zeros(0),
        link_whole=np.zeros(0, bool),
        labels=1,
    )
    reach = search(places, as_links(np.zeros((0, links_rows.WIDTH))), asked)
    found = reach.at((*board.at(*end[:2]), end[2]))
    assert found is not None, "no way found"
    return found.cost


def around(radius: float, start: tuple[float, float], end: tuple[float, float]) -> float:
    """Shortest way around a disc at the origin that passes on the side of (-1, 1): tangent, arc, tangent."""
    s, e = np.hypot(*start), np.hypot(*end)
    between = np.arctan2(end[1], end[0]) % (2 * np.pi) - np.arctan2(start[1], start[0]) % (2 * np.pi)
    arc = abs(between) - np.arccos(min(1.0, radius / s)) - np.arccos(min(1.0, radius / e))
    if arc <= 0.0:
        return float(np.hypot(end[0] - start[0], end[1] - start[1]))
    return float(np.sqrt(max(0.0, s * s - radius**2)) + np.sqrt(max(0.0, e * e - radius**2)) + radius * arc)


def agrees(found: float, exact: float) -> bool:
    return exact - BELOW_MM <= found <= exact + max(0.01 * exact, ABOVE_MM)


WAYS = [
    ((40.0, 0.0), (0.0, -40.0)),
    ((30.0, 12.0), (20.0, -35.0)),
    ((45.0, 1.0), (1.0, -15.0)),
    ((5.0, 0.2), (0.2, -5.0)),
    ((40.0, 30.0), (0.05, -45.0)),
]
"""Start and end: along the wall, and how far off touching it."""


@settings("corner")
@pytest.mark.parametrize(("start", "end"), WAYS)
def test_around_a_corner(setting: Setting, start: tuple[float, float], end: tuple[float, float]) -> None:
    # the block fills the quarter x > 0, y < 0
    r = setting.base / 2.0
    board = lay_out(setting, [box(0, -WIDE, 0, WIDE, 0, 60)], half=95.0)
    a, b = (start[0], r + start[1]), (-r - end[0], end[1])
    assert agrees(cost(board, (*a, 0), (*b, 0)), around(r, a, b))


@settings("wall-end")
@pytest.mark.parametrize("thick", [1.2, 10.0])
def test_around_the_end_of_a_wall(setting: Setting, thick: float) -> None:
    r = setting.base / 2.0
    board = lay_out(setting, [box(0, -thick, 0, WIDE, 0, 60)], half=95.0)
    a, b = (35.0, r + 3.0), (35.0, -thick - r - 3.0)
    exact = 2.0 * (around(r, a, (-r, 0.0))) + thick
    assert agrees(cost(board, (*a, 0), (*b, 0)), exact)


@settings("door-length")
@pytest.mark.parametrize("spare", [0.2, 2.0])
def test_slanting_through_a_doorway(setting: Setting, spare: float) -> None:
    r = setting.base / 2.0
    h = r + spare / 2.0
    thick = 10.0
    shapes = [box(0, h, 0, thick, WIDE, 60), box(0, -WIDE, 0, thick, -h, 60)]
    board = lay_out(setting, shapes, half=95.0)
    a, b = (-50.0, 30.0), (thick + 50.0, -30.0)
    found = cost(board, (*a, 0), (*b, 0))
    walls = [shapely.box(0, h, thick, WIDE), shapely.box(0, -WIDE, thick, -h)]
    exact = distances(walls, r, a, np.array([b]))
    assert exact.low[0] - BELOW_MM <= found
    assert found <= exact.high[0] + max(0.01 * exact.high[0], ABOVE_MM)


@settings("lip-corner")
def test_around_the_corner_of_a_drop(setting: Setting) -> None:
    # a quarter without floor: the base hangs over its lips
    shapes = [box(-WIDE, -WIDE, 0, 0, WIDE, DECK), box(0, 0, 0, WIDE, WIDE, DECK)]
    board = lay_out(setting, shapes, half=95.0)
    found = cost(board, (50.0, 5.0, DECK), (-5.0, -50.0, DECK))
    # closed by a disc of the span, the corner of what is not there is round
    r = setting.base / 2.0
    assert agrees(found, around(r, (50.0 - r, 5.0 + r), (-5.0 - r, -50.0 + r)))


@settings("open-floor")
def test_open_floor_is_measured_straight(setting: Setting) -> None:
    board = lay_out(setting, [], half=95.0)
    for a, b in (((-60.0, -33.0), (55.0, 61.0)), ((0.0, 0.0), (0.3, 0.1)), ((-70.0, 1.0), (70.0, 9.0))):
        assert cost(board, (*a, 0), (*b, 0)) == pytest.approx(np.hypot(b[0] - a[0], b[1] - a[1]), abs=1e-3)
