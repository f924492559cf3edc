"""Falls, resting places, and lips near a base."""

from __future__ import annotations

import numpy as np
import pytest
from yards import GROUND, TURNS, box, yard

from sandbox.ground.falls import fall, nearest_lip
from sandbox.ground.model import Numbers

NUMBERS = Numbers()


def falls(found, x, y, z):
    return fall(found.ground.bins, found.lips, found.places, NUMBERS, found.at(x, y, z))


def lip_near(found, x, y, z, within=25.4):
    return nearest_lip(found.lips, found.ground.bins, found.places.body, found.at(x, y, z), NUMBERS, within)


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("edge", [12.446, 12.954])
def test_the_edge_of_a_base_is_measured_to_the_lip(turn, edge):
    found = yard([GROUND, box(-60, -60, 0, 60, 60, 76.2)], turn=turn)
    lip = lip_near(found, 60 - 16 - edge, 3.3, 76.2)
    assert lip is not None
    assert lip.distance == pytest.approx(edge, abs=0.01)
    assert lip.drop == pytest.approx(76.2)
    assert lip_near(found, 60 - 16 - edge, 3.3, 76.2, within=edge - 0.1) is None
    assert lip_near(found, 0.0, 0.0, 0.0) is None


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize(("rail", "counts"), [(12.0, False), (13.0, True)])
def test_a_railing_at_the_lip_is_seen_from_half_an_inch(turn, rail, counts):
    found = yard([GROUND, box(-60, -60, 0, 60, 60, 76.2), box(57, -60, 76, 59, 60, 76.2 + rail)], turn=turn)
    lip = lip_near(found, 60 - 22, 0.0, 76.2)
    assert lip is not None
    assert lip.rail == pytest.approx(rail if counts else 0.0)


@pytest.mark.parametrize("turn", TURNS)
def test_a_gap_too_narrow_to_fall_into_is_no_lip(turn):
    for gap, there in ((30.0, False), (34.0, True)):
        shapes = [GROUND, box(-120, -60, 0, 0, 60, 60), box(gap, -60, 0, 150, 60, 60)]
        assert (lip_near(yard(shapes, turn=turn), -20.0, 0.0, 60.0) is not None) == there


@pytest.mark.parametrize("turn", TURNS)
def test_a_fall_goes_straight_down_beside_the_lip(turn):
    found = yard([GROUND, box(-60, -60, 0, 60, 60, 76.2)], turn=turn)
    path = falls(found, 50, 5, 76.2)
    assert path.height == pytest.approx(76.2)
    assert path.landing == pytest.approx(found.at(76, 5, 0), abs=0.05)
    assert path.shift == 0.0
    assert path.next_lip is None


@pytest.mark.parametrize("turn", TURNS)
def test_a_fall_onto_a_ledge_tells_the_next_lip(turn):
    shapes = [GROUND, box(-60, -60, 0, 60, 60, 152.4), box(60, -60, 0, 60 + 32 + 10.16, 60, 76.2)]
    found = yard(shapes, turn=turn)
    path = falls(found, 50, 0, 152.4)
    assert path.height == pytest.approx(76.2)
    assert path.next_lip is not None
    assert path.next_lip.distance == pytest.approx(10.16, abs=0.05)
    assert path.next_lip.drop == pytest.approx(76.2)


@pytest.mark.parametrize("turn", TURNS)
def test_what_is_too_small_to_rest_on_is_slipped_off(turn):
    shapes = [GROUND, box(-60, -60, 0, 60, 60, 100), box(60, -8, 0, 68, 8, 40)]
    found = yard(shapes, turn=turn)
    path = falls(found, 50, 0, 100)
    assert path.contact is not None
    assert path.contact[2] == pytest.approx(40)
    assert path.landing is not None
    assert path.landing[2] == pytest.approx(0)
    assert path.height == pytest.approx(100)
    assert 0.0 < path.shift <= 12.0


def test_a_shaft_without_floor_has_nowhere_to_rest():
    walls = [
        box(-60, -60, 0, 0, 60, 100),
        box(40, -60, 0, 100, 60, 200),
        box(0, -60, 0, 40, -17, 200),
        box(0, 17, 0, 40, 60, 200),
    ]
    spike = box(10, -10, 0, 30, 10, 30)
    path = falls(yard([GROUND, *walls, spike]), -10, 0, 100)
    assert path.landing is None


def test_over_the_boards_edge_there_is_nothing():
    found = yard([box(-100, -100, -10, 100, 100, 0)])
    path = falls(found, 95, 0, 0)
    assert np.isinf(path.height)
    assert path.landing is None
