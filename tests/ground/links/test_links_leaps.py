"""Leaps: lip to lip along the movement."""

from __future__ import annotations

import numpy as np
import pytest
from yards import GROUND, TURNS, box, good, yard

from sandbox.ground.model import LinkKind


def two_decks(gap: float, other: float = 60.0) -> list:
    return [GROUND, box(-120, -60, 0, 0, 60, 60), box(gap, -60, 0, gap + 120, 60, other)]


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize(
    ("base", "gap", "leapt"),
    [(32.0, 31.0, False), (32.0, 33.0, True), (25.0, 24.6, False), (25.0, 25.4, True)],
)
def test_only_gaps_wider_than_the_base_are_leapt(turn, base, gap, leapt):
    links = yard(two_decks(gap), base, turn=turn).links(climbs=False, jumps=False)
    rows = good(links, LinkKind.LEAP)
    assert (len(rows) > 0) == leapt
    if leapt:
        assert links.gap[rows].min() == pytest.approx(gap, abs=0.01)


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("gap", [76.2, 77.47])
def test_a_gap_is_measured_lip_to_lip_along_the_movement(turn, gap):
    found = yard(two_decks(gap), turn=turn)
    links = found.links(climbs=False, jumps=False)
    rows = good(links, LinkKind.LEAP)
    start, end = found.local(links.start_pos[rows]), found.local(links.end_pos[rows])
    way = end[:, :2] - start[:, :2]
    middle = np.abs(start[:, 1]) < 40
    straight = middle & (np.abs(way[:, 1]) < 0.01)
    assert straight.sum() > 20
    assert links.gap[rows[straight]] == pytest.approx(gap, abs=0.01)
    assert links.plan[rows[straight]] == pytest.approx(gap, abs=0.01)
    length = np.hypot(way[:, 0], way[:, 1])
    middle &= np.abs(end[:, 1]) < 40
    assert links.gap[rows[middle]] == pytest.approx(length[middle], abs=0.05)


@pytest.mark.parametrize("longest", [76.0, 76.4])
def test_the_longest_leap_is_kept(longest):
    links = yard(two_decks(76.2)).links(climbs=False, jumps=False, leaps=((300.0, 300.0, 400.0), longest))
    assert (len(good(links, LinkKind.LEAP)) > 0) == (longest > 76.2)


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize(
    ("other", "there", "back"), [(60, True, True), (72.7, True, True), (73.0, False, True)]
)
def test_leaps_go_up_by_a_free_step_at_most(turn, other, there, back):
    found = yard(two_decks(50.0, other), turn=turn)
    links = found.links(climbs=False, jumps=False)
    rows = good(links, LinkKind.LEAP)
    forth = found.local(links.end_pos[rows])[:, 0] > found.local(links.start_pos[rows])[:, 0]
    assert forth.any() == there
    assert (~forth).any() == back
    if other > 60:
        assert links.down[rows[~forth]] == pytest.approx(other - 60)


@pytest.mark.parametrize("turn", TURNS)
def test_a_wall_in_the_gap_stops_a_leap(turn):
    links = yard([*two_decks(60.0), box(25, -80, 0, 30, 80, 120)], turn=turn).links(climbs=False, jumps=False)
    rows = good(links, LinkKind.LEAP)
    assert not (links.gap[rows] > 55).any()
