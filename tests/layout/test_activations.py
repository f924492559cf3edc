"""Activations end standing: what is lost before stairs, ladders and ductways."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sandbox.ground.search_model import Stretch, StretchKind
from sandbox.layout.activations import Piece, clock, pieces
from sandbox.layout.check import check_layout

from .drawn import ROOM, SQUARE, text, write

A = 254.0


def floor(cost: float, step: float = 4.0) -> list[Piece]:
    """Plain floor, in pieces."""
    count = round(cost / step)
    return [Piece(cost / count, True, False)] * count


def stairs(cost: float, step: float = 4.0) -> list[Piece]:
    """Treads that nobody stops on, and floor at their end."""
    count = round(cost / step)
    return [*[Piece(cost / count, False, True)] * (count - 1), Piece(cost / count, True, True)]


@pytest.mark.parametrize(
    ("way", "spent"),
    [
        (floor(600.0), 600.0),
        (floor(100.0) + stairs(100.0) + floor(20.0), 220.0),  # up within one activation
        (floor(200.0) + stairs(100.0) + floor(20.0), A + 120.0),  # waits at the foot
        (floor(154.0) + stairs(100.0), A),  # just fits
        (stairs(200.0) + stairs(200.0), A + 200.0),  # waits on the landing between
        (stairs(260.0), float("inf")),
        ([*floor(100.0), Piece(A, True, True)], 2 * A),  # a ductway takes a whole activation
        ([*floor(200.0), Piece(127.0, True, True), *floor(10.0)], A + 137.0),
    ],
)
def test_what_is_lost_by_waiting(way: list[Piece], spent: float) -> None:
    assert clock(way, A) == pytest.approx(spent, abs=1e-6)


def test_ways_are_taken_to_pieces_where_one_can_stand() -> None:
    line = np.array([[0.0, 0.0, 0.0], [60.0, 0.0, 0.0], [60.0, 40.0, 0.0]])
    walk = Stretch(StretchKind.WALK, line, line[:, 2], 200.0, 100.0, 0.0, 200.0)
    link = Stretch(StretchKind.LINK, line[-1:], line[-1:, 2], 50.0, 0.0, 200.0, 250.0)
    way = list(pieces([walk, link], lambda points: points[:, 0] < 42.0))
    assert sum(piece.cost for piece in way) == pytest.approx(250.0)
    assert way[0].cost == pytest.approx(10.0)  # difficult ground: twice its length
    assert [piece.stands for piece in way[:9]] == [True] * 8 + [False]
    assert not any(piece.whole for piece in way[:8])
    assert way[-1] == Piece(50.0, False, True)


def test_stairs_at_the_end_of_an_activation_cost_the_rest_of_it(tmp_path: Path) -> None:
    """Ten inches lead to the middle of a flight: whoever climbs it waits at its foot."""
    low = ROOM.replace("|. . . . . .|", "|. > > > . .|", 1)
    high = ROOM.replace("|. . . . . .|", "|.       . .|", 1)
    marks = {
        "low": "......\n......\n......\n......\nR.....\n......",
        "high": "....B.\n......\n......\n......\n......\n......",
    }
    zones = 'zones: {"R": red, "B": blue}'
    content = text({"low": low, "high": high}, more=zones, marks=marks)
    report = check_layout(write(tmp_path, content), [(32.0, 32.0)])
    there = next(d for d in report.distances if (d.start, d.target, d.doors) == ("red", "blue", "open"))
    assert there.inches is not None and there.moves is not None
    # up to the foot, and up the flight, which is 5.7 inches long: more than what is left of ten
    assert 10.0 < there.inches < 10.0 + 2 * SQUARE
    assert there.moves > there.inches / 5.0 + 0.2
