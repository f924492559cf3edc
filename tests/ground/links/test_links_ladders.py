"""Ladders, from the floor at their foot to the floor at their top."""

from __future__ import annotations

import numpy as np
import pytest
from yards import GROUND, SOLID, TURNS, Shape, box, good, yard

from sandbox.ground.model import LinkKind, Permit

LADDER = SOLID | Permit.LADDER


def holed_deck(low: float, high: float, hole: float) -> list[Shape]:
    h = hole / 2.0
    return [
        box(-80, -80, low, 80, -h, high),
        box(-80, h, low, 80, 80, high),
        box(-80, -h, low, -h, h, high),
        box(h, -h, low, 80, h, high),
    ]


@pytest.mark.parametrize("turn", TURNS)
def test_a_ladder_leads_through_a_hole_smaller_than_the_base(turn):
    shapes = [GROUND, *holed_deck(70, 76.2, 25.0), box(-12.4, -12, 0, -9.4, 12, 80)]
    found = yard(shapes, turn=turn, permits=[SOLID] * 5 + [LADDER])
    links = found.links(climbs=False, jumps=False, leaps=None)
    rows = good(links, LinkKind.LADDER)
    ups = rows[links.up[rows] > 0]
    assert len(ups)
    assert len(rows) == 2 * len(ups)
    assert links.up[ups] == pytest.approx(76.2)
    start = found.local(links.start_pos[ups])
    assert start[:, 0] == pytest.approx(-9.4 + 16.0, abs=0.01)
    assert set(links.part[rows]) == {5}


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize(("bottom", "used"), [(12.5, True), (12.9, False)])
def test_the_foot_is_within_half_an_inch_of_the_ladders_bottom(turn, bottom, used):
    shapes = [GROUND, box(-120, -60, 0, 0, 60, 80), box(0, -12, bottom, 3, 12, 80)]
    links = yard(shapes, turn=turn, permits=[SOLID, SOLID, LADDER]).links(
        climbs=False, jumps=False, leaps=None
    )
    assert (len(good(links, LinkKind.LADDER)) > 0) == used


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize(("top", "used"), [(54.8, True), (54.4, False), (105.2, True), (105.6, False)])
def test_the_floor_is_within_an_inch_of_the_ladders_top(turn, top, used):
    shapes = [GROUND, box(-120, -60, 0, 0, 60, 80), box(0.5, -12, 0, 3, 12, top)]
    links = yard(shapes, turn=turn, permits=[SOLID, SOLID, LADDER]).links(
        climbs=False, jumps=False, leaps=None
    )
    rows = good(links, LinkKind.LADDER)
    assert (len(rows) > 0) == used
    assert np.maximum(links.up[rows], links.down[rows]) == pytest.approx(80.0)


def test_a_wall_behind_a_ladder_is_not_passed():
    shapes = [
        GROUND,
        box(-120, -60, 0, -10, 60, 80),
        box(-10, -100, 0, 0, 100, 160),
        box(0, -12, 0, 3, 12, 80),
    ]
    links = yard(shapes, permits=[SOLID, SOLID, SOLID, LADDER]).links(climbs=False, jumps=False, leaps=None)
    assert not len(good(links, LinkKind.LADDER))
