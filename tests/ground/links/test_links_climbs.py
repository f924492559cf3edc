"""Climbs, jumps down and narrow tops, as bare geometry."""

from __future__ import annotations

import numpy as np
import pytest
from yards import GROUND, SOLID, TURNS, box, good, prism, yard

from sandbox.ground.model import Body, Limit, LinkKind, Numbers, Permit, Place

BLOCK = box(-60, -60, 0, 60, 60, 76.2)


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("base", [25.0, 32.0, 50.0])
def test_a_block_is_climbed_from_touching_it_to_the_centre_over_its_lip(turn, base):
    links = yard([GROUND, BLOCK], base, turn=turn).links()
    ups = good(links, LinkKind.CLIMB)
    ups = ups[links.up[ups] > 0]
    assert len(ups) > 100
    assert links.up[ups] == pytest.approx(76.2)
    assert links.plan[ups].min() == pytest.approx(base / 2.0, abs=0.01)
    assert np.median(links.plan[ups]) == pytest.approx(base / 2.0, abs=0.01)
    assert links.overhang[ups] == pytest.approx(0.0)
    assert set(links.part[ups]) == {1}


@pytest.mark.parametrize("turn", TURNS)
def test_every_way_goes_both_up_and_down_between_places_to_pass(turn):
    found = yard([GROUND, BLOCK], turn=turn)
    links = found.links(leaps=None)
    ups = good(links, LinkKind.CLIMB)[links.up[good(links, LinkKind.CLIMB)] > 0]
    downs = good(links, LinkKind.CLIMB)[links.down[good(links, LinkKind.CLIMB)] > 0]
    forth = {(links.start[k], links.end[k]) for k in ups}
    back = {(links.end[k], links.start[k]) for k in downs}
    assert forth == back
    ends = np.concatenate([links.start, links.end])
    assert (found.places.flags[ends] & Place.PASS).all()
    near = np.hypot(*(found.places.pos[links.end, :2] - links.end_pos[:, :2]).T)
    assert near.max() < 1.25 * found.places.pitch
    for k in range(len(links.kind)):
        path = links.path[links.path_start[k] : links.path_start[k + 1]]
        assert path[0] == pytest.approx(links.start_pos[k])
        assert path[-1] == pytest.approx(links.end_pos[k])


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize(("height", "climbed"), [(12.7, False), (13.0, True)])
def test_a_free_step_is_no_climb(turn, height, climbed):
    links = yard([GROUND, box(-60, -60, 0, 60, 60, height)], turn=turn).links(leaps=None)
    assert (len(links.kind) > 0) == climbed


def deck_edge(found, links, rows, y=40.0, x=70.0):
    """Rows that begin at the deck's outer edge, away from its corners."""
    local = found.local(links.start_pos[rows])
    return rows[(local[:, 0] > x) & (np.abs(local[:, 1]) < y)]


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize(("out", "climbed"), [(25.2, True), (25.4, True), (25.6, False), (26.7, False)])
def test_a_deck_is_climbed_where_it_overhangs_an_inch_at_most(turn, out, climbed):
    shapes = [GROUND, box(-60, -60, 0, 40, 60, 66), box(-60, -60, 66, 40 + out, 60, 70)]
    found = yard(shapes, turn=turn)
    links = found.links(leaps=None)
    rows = deck_edge(found, links, np.flatnonzero((links.kind == LinkKind.CLIMB) & (links.up > 0)))
    assert len(rows)
    if climbed:
        assert (links.limit[rows] == Limit.NONE).all()
    else:
        assert (links.limit[rows] == Limit.OVERHANG).all()
    assert links.overhang[rows] == pytest.approx(out, abs=0.01)


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("underside", [38.1, 20.0])
def test_nothing_is_climbed_to_a_deck_with_nothing_under_its_edge(turn, underside):
    shapes = [GROUND, box(-60, -60, underside, 60, 60, underside + 10)]
    links = yard(shapes, turn=turn).links(leaps=None)
    climbs = links.kind == LinkKind.CLIMB
    assert climbs.any()
    assert (links.limit[climbs] == Limit.UNDERSIDE).all()
    jumps = good(links, LinkKind.JUMP_DOWN)
    assert links.down[jumps] == pytest.approx(underside + 10)


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize(("recess", "climbed"), [(25.0, True), (26.0, False)])
def test_a_deep_window_an_inch_high_is_climbed_past_and_a_higher_one_is_not(turn, recess, climbed):
    shapes = [
        GROUND,
        box(-60, -60, 0, 60, 60, 30),
        box(-60, -60, 30, 0, 60, 30 + recess),
        box(-60, -60, 30 + recess, 60, 60, 90),
    ]
    found = yard(shapes, turn=turn, numbers=Numbers(), height=40.0)
    links = found.links(leaps=None)
    top = np.flatnonzero((links.kind == LinkKind.CLIMB) & (np.abs(links.up - 90) < 0.01))
    rows = deck_edge(found, links, top, x=62.0)
    assert len(rows)
    assert ((links.limit[rows] == Limit.NONE) == climbed).all()


@pytest.mark.parametrize("turn", TURNS)
def test_ledges_too_narrow_to_pass_are_climbed_past(turn):
    shapes = [GROUND, box(-60, -60, 0, 60, 60, 100), box(60, -60, 0, 67, 60, 50)]
    found = yard(shapes, turn=turn)
    links = found.links(leaps=None)
    rows = good(links, LinkKind.CLIMB)
    rows = deck_edge(found, links, rows[np.abs(links.up[rows] - 100) < 0.01], x=75.0)
    assert len(rows)
    assert links.plan[rows] == pytest.approx(16.0 + 7.0, abs=0.02)


@pytest.mark.parametrize("turn", TURNS)
def test_a_wall_that_may_not_be_climbed_refuses(turn):
    permits = [SOLID, SOLID & ~Permit.CLIMB]
    links = yard([GROUND, BLOCK], turn=turn, permits=permits).links(leaps=None)
    climbs = links.kind == LinkKind.CLIMB
    assert climbs.any()
    assert (links.limit[climbs] == Limit.NOT_CLIMBABLE).all()


@pytest.mark.parametrize("turn", TURNS)
def test_a_thin_wall_is_gone_over_in_one_way(turn):
    found = yard([GROUND, box(-60, 0, 0, 60, 12.7, 76.2)], turn=turn)
    links = found.links(leaps=None)
    for kind in (LinkKind.CLIMB, LinkKind.JUMP_DOWN):
        rows = good(links, kind)
        straight = rows[np.abs(found.local(links.start_pos[rows])[:, 0]) < 40]
        assert len(straight)
        assert links.up[straight] == pytest.approx(76.2)
        assert links.down[straight] == pytest.approx(76.2)
        assert links.plan[straight] == pytest.approx(12.7 + 32.0, abs=0.02)
    rows = links.limit == Limit.NONE
    tops = found.places.pos[np.concatenate([links.start[rows], links.end[rows]]), 2]
    assert tops == pytest.approx(0.0)


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize(("free", "fits"), [(31.9, False), (32.1, True)])
def test_a_jump_down_needs_room_for_the_base(turn, free, fits):
    shapes = [GROUND, box(-100, -60, 0, 0, 60, 60), box(free, -60, 0, 90, 60, 120)]
    found = yard(shapes, turn=turn)
    links = found.links(leaps=None)
    rows = good(links, LinkKind.JUMP_DOWN)
    local = found.local(links.end_pos[rows])
    into = (local[:, 0] > 0) & (local[:, 0] < free) & (np.abs(local[:, 1]) < 40)
    assert into.any() == fits


@pytest.mark.parametrize("turn", TURNS)
def test_a_jump_down_lands_up_to_an_inch_beyond_the_lip(turn):
    for ledge, lands in ((25.2, True), (25.8, False)):
        # a ledge under the lip that may not be passed
        shapes = [GROUND, box(-100, -60, 0, 0, 60, 90), box(0, -60, 0, ledge, 60, 40)]
        found = yard(shapes, turn=turn, permits=[SOLID, SOLID, Permit.CLIMB])
        links = found.links(leaps=None)
        rows = good(links, LinkKind.JUMP_DOWN)
        local = found.local(links.end_pos[rows])
        beyond = (local[:, 0] > 10) & (np.abs(local[:, 1]) < 40) & (links.down[rows] > 80)
        assert beyond.any() == lands


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("rail", [13.0, 25.0])
def test_a_railing_is_gone_over(turn, rail):
    shapes = [GROUND, BLOCK, box(57, -60, 76.2, 60, 60, 76.2 + rail)]
    found = yard(shapes, turn=turn)
    links = found.links(leaps=None)
    for kind in (LinkKind.CLIMB, LinkKind.JUMP_DOWN):
        rows = good(links, kind)
        high = found.local(np.where(links.up[rows, None] > 0, links.end_pos[rows], links.start_pos[rows]))
        east = rows[(high[:, 0] > 35) & (np.abs(high[:, 1]) < 30) & (links.rail[rows] > 0)]
        assert len(east)
        assert links.rail[east] == pytest.approx(rail)
        assert links.up[east] + links.down[east] == pytest.approx(76.2)


@pytest.mark.parametrize("turn", TURNS)
def test_a_battered_wall_is_climbed_to_its_foot(turn):
    # leans back by 20 mm over its height: steeper than may be walked
    shape = prism([(-60, 0), (60, 0), (40, 76.2), (-60, 76.2)], -60, 60)
    found = yard([GROUND, shape], turn=turn)
    links = found.links(leaps=None)
    rows = good(links, LinkKind.CLIMB)
    rows = deck_edge(found, links, rows[links.up[rows] > 0], x=70.0)
    assert len(rows)
    assert links.plan[rows] == pytest.approx(36.0, abs=0.3)


def test_a_roof_close_over_the_top_leaves_no_way_up():
    shapes = [GROUND, BLOCK, box(-60, -60, 76.2 + 30, 60, 60, 120)]
    links = yard(shapes).links(leaps=None)
    ends = good(links, LinkKind.CLIMB)
    assert not (np.abs(links.up[ends] - 76.2) < 0.01).any()


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize(("slot", "fits"), [(31.9, False), (32.1, True)])
def test_a_slot_between_buttresses_is_climbed_where_the_base_fits(turn, slot, fits):
    side = 7.3  # off every even spacing of lines
    shapes = [
        GROUND,
        BLOCK,
        box(60, -70, 0, 120, side, 60),
        box(60, side + slot, 0, 120, 70, 60),
    ]
    found = yard(shapes, turn=turn, permits=[SOLID, SOLID, Permit.CLIMB, Permit.CLIMB])
    links = found.links(leaps=None)
    for kind in (LinkKind.CLIMB, LinkKind.JUMP_DOWN):
        rows = good(links, kind)
        low = found.local(np.where(links.up[rows, None] > 0, links.start_pos[rows], links.end_pos[rows]))
        inside = (low[:, 0] > 70) & (low[:, 1] > side) & (low[:, 1] < side + slot)
        assert inside.any() == fits


@pytest.mark.parametrize("turn", TURNS)
def test_a_top_without_headroom_keeps_its_ruling(turn):
    links = yard([GROUND, BLOCK, box(-60, -60, 100, 60, 60, 120)], turn=turn).links(leaps=None)
    rows = np.flatnonzero((np.abs(links.up - 76.2) < 0.01) & (links.kind == LinkKind.CLIMB))
    assert Limit.HEADROOM in links.limit[rows]
    assert not (links.limit[rows] == Limit.NONE).any()


def test_an_oval_climbs_as_deep_as_it_lies():
    for facing, half in ((0.0, 30.0), (90.0, 17.5)):
        found = yard([GROUND, BLOCK], turn=0.0, body=Body(30.0, 17.5, 35.56, facing))
        links = found.links(leaps=None)
        rows = deck_edge(found, links, good(links, LinkKind.CLIMB), x=70.0)
        assert len(rows)
        assert np.median(links.plan[rows]) == pytest.approx(half, abs=0.02)
