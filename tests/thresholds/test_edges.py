"""What lips decide: overhangs climbed, railings, the distance of a base's edge, gaps to leap."""

from __future__ import annotations

import numpy as np
import pytest

from sandbox.ground.falls import nearest_lip
from sandbox.ground.model import Limit, LinkKind, Links, Permit

from .contents import DECK, NEAR, WIDE, Board, Setting, box, lay_out, settings


def links_of(board: Board, **which: object) -> Links:
    """Climbs between the places of a board, and what else is named."""
    wanted: dict[str, object] = {"ladders": False, "jumps": False, **which}
    return board.ground.links(board.places, board.window, **wanted)  # type: ignore[arg-type]


def climbs_up(board: Board, top: float) -> tuple[np.ndarray, Links]:
    """Climbs from the table to a height: which rows, and the table of links."""
    links = links_of(board)
    rows = (links.kind == LinkKind.CLIMB) & (np.abs(links.up - top) < 0.1) & (links.down < 0.1)
    assert rows.any(), "no climb is even tried"
    return rows, links


@settings("overhang")
@pytest.mark.parametrize(("off", "climbed"), [(-NEAR, True), (0.0, True), (NEAR, False)])
def test_overhang(setting: Setting, off: float, climbed: bool) -> None:
    out = 25.4 + off
    shapes = [box(-WIDE, -WIDE, 0, -out, WIDE, 66), box(-WIDE, -WIDE, 66, 0, WIDE, 70)]
    board = lay_out(setting, shapes, half=60.0)
    rows, links = climbs_up(board, 70.0)
    assert ((links.limit[rows] == Limit.NONE) == climbed).all()
    assert links.overhang[rows] == pytest.approx(out, abs=0.05)
    if not climbed:
        assert (links.limit[rows] == Limit.OVERHANG).all()


@settings("lip-under-a-deck")
@pytest.mark.parametrize(("off", "climbed"), [(-NEAR, True), (0.0, True), (NEAR, False)])
def test_underside_an_inch_above_what_holds(setting: Setting, off: float, climbed: bool) -> None:
    # a wall that ends below the deck: surface within the limit in the inch below the underside, or not
    low = 60.0
    shapes = [
        box(-WIDE, -WIDE, 0, -10, WIDE, low - 25.4 - off),
        box(-WIDE, -WIDE, low, 0, WIDE, low + 4),
    ]
    board = lay_out(setting, shapes, half=60.0)
    rows, links = climbs_up(board, low + 4)
    assert ((links.limit[rows] == Limit.NONE) == climbed).all()


def railing(board: Board) -> float:
    """Height of the railing that a base near the lip at x = 0 is told of."""
    patch = board.ground.patch(board.window)
    at = (*board.at(-clear_of(board), 5.0), DECK)
    found = nearest_lip(patch.lips, board.ground.bins, board.body, at, board.ground.numbers, 12.7)
    assert found is not None
    return found.rail


def clear_of(board: Board) -> float:
    """Where a base is clear of any railing and within half an inch of the lip."""
    return board.setting.base / 2.0 + 8.0


@settings("rail-height")
@pytest.mark.parametrize(("off", "counts"), [(-NEAR, False), (0.0, True), (NEAR, True)])
def test_railing_height(setting: Setting, off: float, counts: bool) -> None:
    shapes = [box(-WIDE, -WIDE, 0, 0, WIDE, DECK), box(-2.0, -WIDE, DECK, -1.0, WIDE, DECK + 12.7 + off)]
    board = lay_out(setting, shapes)
    assert (railing(board) > 0) is counts


@settings("rail-reach")
@pytest.mark.parametrize(("off", "counts"), [(-NEAR, True), (NEAR, False)])
def test_railing_stands_near_the_lip(setting: Setting, off: float, counts: bool) -> None:
    near = -2.54 - off
    shapes = [box(-WIDE, -WIDE, 0, 0, WIDE, DECK), box(near - 1.0, -WIDE, DECK, near, WIDE, DECK + 25)]
    board = lay_out(setting, shapes)
    assert (railing(board) > 0) is counts


@settings("lip-height")
@pytest.mark.parametrize(("off", "lip"), [(-NEAR, False), (0.0, False), (NEAR, True)])
def test_drop_that_makes_a_lip(setting: Setting, off: float, lip: bool) -> None:
    board = lay_out(setting, [box(-WIDE, -WIDE, 0, 0, WIDE, 12.7 + off)])
    lips = board.ground.patch(board.window).lips
    assert ((lips.part == 1) & (np.abs(board.local(lips.a)[:, 0]) < 0.01)).any() == lip


@settings("edge-distance")
@pytest.mark.parametrize(("off", "near"), [(-NEAR, True), (0.0, True), (NEAR, False)])
def test_edge_of_the_base_half_an_inch_from_a_lip(setting: Setting, off: float, near: bool) -> None:
    board = lay_out(setting, [box(-WIDE, -WIDE, 0, 0, WIDE, DECK)])
    x = -setting.base / 2.0 - 12.7 - off
    patch = board.ground.patch(board.window)
    at = (*board.at(x, 5.0), DECK)
    found = nearest_lip(patch.lips, board.ground.bins, board.body, at, board.ground.numbers, 12.7)
    assert (found is not None) is near
    if found is not None:
        assert found.distance == pytest.approx(12.7 + off, abs=0.02)


@settings("fall-gap")
@pytest.mark.parametrize(("off", "lip"), [(-NEAR, False), (NEAR, True)])
def test_gap_that_a_base_falls_into(setting: Setting, off: float, lip: bool) -> None:
    gap = setting.base + off
    shapes = [box(-WIDE, -WIDE, 0, 0, WIDE, DECK), box(gap, -WIDE, 0, WIDE, WIDE, DECK)]
    board = lay_out(setting, shapes)
    patch = board.ground.patch(board.window)
    at = (*board.at(-setting.base / 2.0 - 3.0, 5.0), DECK)
    found = nearest_lip(patch.lips, board.ground.bins, board.body, at, board.ground.numbers, 12.7)
    assert (found is not None) is lip


@settings("leap")
@pytest.mark.parametrize(("off", "leapt"), [(-NEAR, False), (0.0, False), (NEAR, True)])
def test_gap_that_needs_a_leap(setting: Setting, off: float, leapt: bool) -> None:
    gap = setting.base + off
    shapes = [box(-WIDE, -WIDE, 0, 0, WIDE, DECK), box(gap, -WIDE, 0, WIDE, WIDE, DECK)]
    board = lay_out(setting, shapes, half=65.0)
    links = links_of(board, climbs=False, leaps=((*board.at(0.0, 0.0), 150.0), 120.0))
    rows = (links.kind == LinkKind.LEAP) & (links.limit == Limit.NONE)
    assert rows.any() == leapt
    if leapt:
        assert links.gap[rows].min() == pytest.approx(gap, abs=0.02)


@settings("jump-room")
@pytest.mark.parametrize(("off", "fits"), [(-NEAR, False), (0.0, True), (NEAR, True)])
def test_room_to_jump_down(setting: Setting, off: float, fits: bool) -> None:
    free = setting.base + off
    # a deck, a trench and a wall beyond it
    shapes = [box(-WIDE, -WIDE, 0, 0, WIDE, DECK), box(free, -WIDE, 0, WIDE, WIDE, 2 * DECK)]
    board = lay_out(setting, shapes, half=65.0)
    links = links_of(board, climbs=False, jumps=True)
    rows = (links.kind == LinkKind.JUMP_DOWN) & (links.limit == Limit.NONE)
    assert rows.any() == fits


@settings("ladder-foot")
@pytest.mark.parametrize(("off", "used"), [(-NEAR, True), (0.0, True), (NEAR, False)])
def test_ladder_begins_half_an_inch_above_its_foot(setting: Setting, off: float, used: bool) -> None:
    shapes = [box(-WIDE, -WIDE, 0, 0, WIDE, DECK), box(0, -12, 12.7 + off, 3, 12, DECK + 3)]
    solid = Permit.WALK | Permit.STAND | Permit.CLIMB
    board = lay_out(setting, shapes, permits=[solid, solid | Permit.LADDER])
    links = links_of(board, climbs=False, ladders=True)
    assert ((links.kind == LinkKind.LADDER) & (links.limit == Limit.NONE)).any() == used
