"""Why there is no way: the first limit that the least bad way breaks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import search_boards as boards
import shapely

from sandbox.ground.model import Limit
from sandbox.ground.search import search
from sandbox.ground.search_relaxed import relaxed_search

ALLOWED = {Limit.NO_ROOM: 16.0, Limit.GAP: 50.0}
START = (50.0, 60.0, 0.0)
GOAL = (150.0, 60.0, 0.0)


def _doors(*gaps: tuple[float, float]) -> boards.Board:
    """A wall at x = 98..102 with doorways between the given heights."""
    edges = [-80.0, *(y for gap in gaps for y in gap), 300.0]
    walls = [shapely.box(98.0, a, 102.0, b) for a, b in zip(edges[::2], edges[1::2], strict=True)]
    return boards.flat((200.0, 200.0), walls, 16.0, refused=True)


def test_a_narrow_door_is_named_with_what_was_measured() -> None:
    board = _doors((80.0, 110.0))
    asked = boards.question(board.places, START, 240.0)
    assert search(board.places, boards.links(), asked).at(GOAL) is None
    way = relaxed_search(board.places, boards.links(), asked, GOAL, allowed=ALLOWED)
    assert way is not None
    (breach,) = way.breaches
    assert breach.hindrance.limit is Limit.NO_ROOM
    assert breach.hindrance.allowed == 16.0
    assert 13.0 < breach.hindrance.measured < 16.0
    assert breach.hindrance.where[0] < 100.0
    assert 80.0 < breach.hindrance.where[1] < 110.0
    assert 104.0 < way.cost < 1.09 * 125.0


def test_of_two_doors_the_one_with_less_excess() -> None:
    board = _doors((45.0, 70.0), (130.0, 161.0))
    asked = boards.question(board.places, START, 240.0)
    way = relaxed_search(board.places, boards.links(), asked, GOAL, allowed=ALLOWED)
    assert way is not None
    assert way.breaches[0].hindrance.where[1] > 120.0


def test_a_free_way_breaks_nothing() -> None:
    board = _doors((80.0, 120.0))
    asked = boards.question(board.places, START, 60.0)
    assert search(board.places, boards.links(), asked).at(GOAL) is None
    way = relaxed_search(board.places, boards.links(), asked, GOAL, allowed=ALLOWED)
    assert way is not None
    assert way.breaches == ()
    assert way.cost > 100.0
    assert relaxed_search(board.places, boards.links(), replace(asked, moves=(20.0,)), GOAL) is None


def test_what_the_question_bars_is_named_as_barred() -> None:
    board = _doors((80.0, 120.0))
    disc = np.array([[100.0, 100.0, 60.0, -5.0, 5.0]])
    start = (20.0, 20.0, 0.0)
    asked = boards.question(board.places, start, 240.0, discs=disc)
    assert search(board.places, boards.links(), asked).at((180.0, 20.0, 0.0)) is None
    way = relaxed_search(board.places, boards.links(), asked, (180.0, 20.0, 0.0), allowed=ALLOWED)
    assert way is not None
    assert [b.barred for b in way.breaches] == [True]
    assert way.breaches[0].hindrance.limit is Limit.BARRED


@pytest.mark.parametrize("limit", [0, int(Limit.GAP)])
def test_a_refused_link_is_named(limit: int) -> None:
    board = _doors()
    places = board.places
    ends = [(80.0, 60.0, 0.0), (120.0, 60.0, 0.0)]
    where = [int(np.argmin(np.linalg.norm(places.pos - p, axis=1))) for p in ends]
    row = {
        "start": where[0],
        "end": where[1],
        "start_pos": ends[0],
        "end_pos": ends[1],
        "plan": 40.0,
        "gap": 55.0,
        "limit": limit,
    }
    asked = boards.question(
        places,
        START,
        240.0,
        link_price=np.array([np.inf]),
        link_chance=np.ones(1),
        link_whole=np.zeros(1, bool),
    )
    way = relaxed_search(places, boards.links(row), asked, GOAL, allowed=ALLOWED)
    assert way is not None
    (breach,) = way.breaches
    assert breach.link == 0
    assert breach.barred == (limit == 0)
    if limit:
        assert breach.hindrance.limit is Limit.GAP
        assert breach.hindrance.measured == 55.0
        assert breach.hindrance.allowed == 50.0
