"""How much floor a base needs: ledges, beams, gaps, joints, gratings and slots."""

from __future__ import annotations

import numpy as np
import pytest

from sandbox.ground.model import Body

from .contents import DECK, HEIGHT, NEAR, WIDE, Board, Setting, box, lay_out, settings

AT_LEAST = [(-NEAR, False), (0.0, True), (NEAR, True)]
AT_MOST = [(-NEAR, True), (0.0, True), (NEAR, False)]


def stands_anywhere(board: Board, z: float = DECK, within: float = 40.0) -> bool:
    """Whether places say that the base stands on floor of a height near the middle."""
    return len(board.standing((-within, within), (-within, within), (z - 1.0, z + 1.0))) > 0


def ledge(setting: Setting, depth: float, **more: object) -> Board:
    """A ledge along x, its lip at y = 0, before a wall."""
    shapes = [box(-WIDE, 0, 0, WIDE, WIDE, DECK), box(-WIDE, depth, DECK, WIDE, WIDE, 2 * DECK)]
    return lay_out(setting, shapes, **more)  # type: ignore[arg-type]


@settings("ledge")
@pytest.mark.parametrize(("off", "stands"), AT_LEAST)
def test_ledge_before_a_wall(setting: Setting, off: float, stands: bool) -> None:
    depth = setting.base + off
    board = ledge(setting, depth)
    verdict = board.stand(0, depth / 2.0, DECK)
    assert verdict.stands is stands
    assert stands_anywhere(board) is stands
    assert board.passes((-50, depth / 2.0, DECK), (50, depth / 2.0, DECK))


@settings("ledge-pass")
@pytest.mark.parametrize(("off", "passes"), AT_LEAST)
def test_ledge_to_pass_by(setting: Setting, off: float, passes: bool) -> None:
    # a wall stands back far from the lip, but for a stretch in the middle
    depth = setting.base / 2.0 + off
    shapes = [
        box(-WIDE, 0, 0, WIDE, WIDE, DECK),
        box(-60, depth, DECK, 60, WIDE, 2 * DECK),
    ]
    board = lay_out(setting, shapes, half=120.0)
    assert board.passes((-95, 30, DECK), (95, 30, DECK)) is passes


@settings("beam-stand")
@pytest.mark.parametrize(("off", "stands"), AT_LEAST)
def test_beam_to_stand_on(setting: Setting, off: float, stands: bool) -> None:
    h = (setting.base + off) / 2.0
    board = lay_out(setting, [box(-WIDE, -h, 0, WIDE, h, DECK)])
    assert board.stand(0, 0, DECK).stands is stands
    assert stands_anywhere(board) is stands
    assert board.passes((-50, 0, DECK), (50, 0, DECK))


@settings("beam-pass")
@pytest.mark.parametrize(("off", "passes"), AT_LEAST)
def test_beam_to_pass_over(setting: Setting, off: float, passes: bool) -> None:
    # two decks, too far apart to bridge, and a beam between them
    h = (setting.base / 2.0 + off) / 2.0
    g = 1.5 * setting.base
    shapes = [
        box(-WIDE, -WIDE, 0, -g, WIDE, DECK),
        box(g, -WIDE, 0, WIDE, WIDE, DECK),
        box(-g, -h, 0, g, h, DECK),
    ]
    board = lay_out(setting, shapes, half=g + 35.0)
    assert board.passes((-g - 20, 0, DECK), (g + 20, 0, DECK)) is passes


@settings("square-platform")
@pytest.mark.parametrize(("off", "stands"), AT_LEAST)
def test_square_platform_to_stand_on(setting: Setting, off: float, stands: bool) -> None:
    h = (setting.base + off) / 2.0
    board = lay_out(setting, [box(-h, -h, 0, h, h, DECK)])
    assert board.stand(0, 0, DECK).stands is stands
    assert stands_anywhere(board) is stands


@settings("gap")
@pytest.mark.parametrize(("off", "passes"), AT_MOST)
def test_gap_crossed_in_passing(setting: Setting, off: float, passes: bool) -> None:
    h = (setting.base + off) / 2.0
    shapes = [box(-WIDE, -WIDE, 0, -h, WIDE, DECK), box(h, -WIDE, 0, WIDE, WIDE, DECK)]
    board = lay_out(setting, shapes)
    assert board.passes((-50, 0, DECK), (50, 0, DECK)) is passes
    assert not board.stand(-h, 0, DECK).stands


@settings("gap-step")
@pytest.mark.parametrize(("off", "passes"), AT_MOST)
def test_gap_between_decks_a_step_apart(setting: Setting, off: float, passes: bool) -> None:
    h = (setting.base + off) / 2.0
    shapes = [box(-WIDE, -WIDE, 0, -h, WIDE, DECK), box(h, -WIDE, 0, WIDE, WIDE, DECK + 6.0)]
    assert lay_out(setting, shapes).passes((-50, 0, DECK), (50, 0, DECK + 6.0)) is passes


@settings("gap-corners")
@pytest.mark.parametrize("gap", [1.0, 12.0, 24.0])
def test_corner_to_corner_nothing_is_bridged(setting: Setting, gap: float) -> None:
    # however near two corners are, a disc of any size still comes in from the sides
    w = gap / np.sqrt(8.0)
    shapes = [box(-WIDE, -WIDE, 0, -w, -w, DECK), box(w, w, 0, WIDE, WIDE, DECK)]
    assert not lay_out(setting, shapes).passes((-40, -40, DECK), (40, 40, DECK))


@settings("joint")
@pytest.mark.parametrize("joint", [0.0, 0.05, 0.1, 0.2, 0.3])
def test_butted_tiles_are_floor(setting: Setting, joint: float) -> None:
    shapes = [box(-WIDE, -WIDE, 0, 0, WIDE, DECK), box(joint, -WIDE, 0, WIDE, WIDE, DECK)]
    board = lay_out(setting, shapes)
    assert board.passes((-50, 0, DECK), (50, 0, DECK))
    for x in (-setting.base / 2.0, -5.3, -0.05, joint / 2.0, joint + 0.05, 7.7, setting.base / 2.0 + joint):
        verdict = board.stand(x, 3.0, DECK)
        assert verdict.stands, x
        assert verdict.support > 0.9
    # with every place of the table's height left out, no cell beside the joint is lost
    places = board.places
    high = places.pos[:, 2] > DECK - 1.0
    strip = high & (np.abs(board.local(places.pos)[:, 0]) < 20.0)
    assert strip.sum() > 500
    assert (places.flags[strip] & 2).all()


@settings("cross-joint")
@pytest.mark.parametrize("joint", [0.0, 0.3])
@pytest.mark.parametrize("step", [0.0, 0.4])
def test_four_tiles_meet(setting: Setting, joint: float, step: float) -> None:
    j = joint / 2.0
    shapes = [
        box(-WIDE, -WIDE, 0, -j, -j, DECK),
        box(j, -WIDE, 0, WIDE, -j, DECK + step),
        box(-WIDE, j, 0, -j, WIDE, DECK + step),
        box(j, j, 0, WIDE, WIDE, DECK),
    ]
    board = lay_out(setting, shapes)
    assert board.stand(1.0, 1.0, DECK).stands
    assert board.passes((-45, -45, DECK), (45, 45, DECK))
    assert board.passes((-45, 45, DECK + step), (45, -45, DECK + step))


@settings("slot")
@pytest.mark.parametrize(("off", "stands"), AT_MOST)
def test_slot_as_wide_as_a_quarter_of_the_base(setting: Setting, off: float, stands: bool) -> None:
    h = (setting.base / 4.0 + off) / 2.0
    shapes = [box(-WIDE, -WIDE, 0, -h, WIDE, DECK), box(h, -WIDE, 0, WIDE, WIDE, DECK)]
    board = lay_out(setting, shapes)
    assert board.stand(-h - 1.0, 0, DECK).stands is stands
    assert (len(board.standing((-8, 8), (-30, 30), (DECK - 1, DECK + 1))) > 0) is stands
    assert board.passes((-50, 0, DECK), (50, 0, DECK))


@settings("wide-slot")
def test_slot_a_little_narrower_than_the_base_is_passed_and_not_stood_over(setting: Setting) -> None:
    h = (setting.base - NEAR) / 2.0
    reach = h + setting.base / 2.0
    shapes = [box(-WIDE, -WIDE, 0, -h, WIDE, DECK), box(h, -WIDE, 0, WIDE, WIDE, DECK)]
    board = lay_out(setting, shapes, half=reach + 30.0)
    assert board.passes((-reach - 5, 0, DECK), (reach + 5, 0, DECK))
    found = board.standing((-reach - 20, reach + 20), (-30, 30), (DECK - 1, DECK + 1))
    assert len(found)
    assert np.abs(found[:, 0]).min() == pytest.approx(reach, abs=NEAR)


@settings("grating")
@pytest.mark.parametrize("bar", [1.5, 2.5, 4.0])
@pytest.mark.parametrize(("off", "stands"), [(-NEAR, True), (NEAR, False)])
def test_grating(setting: Setting, bar: float, off: float, stands: bool) -> None:
    slot = setting.base / 4.0 + off
    count = int(90.0 / (bar + slot))
    shapes = [
        box(k * (bar + slot) - bar / 2, -WIDE, DECK - 3, k * (bar + slot) + bar / 2, WIDE, DECK)
        for k in range(-count, count + 1)
    ]
    board = lay_out(setting, shapes)
    assert board.stand(0.3 * bar, 0, DECK).stands is stands
    assert stands_anywhere(board, within=30.0) is stands
    assert board.passes((-40, 0, DECK), (40, 3, DECK))
    assert board.passes((-3, -40, DECK), (3, 40, DECK))


@settings("small-hole")
@pytest.mark.parametrize(("off", "stands"), AT_MOST)
def test_square_hole_in_floor(setting: Setting, off: float, stands: bool) -> None:
    # a disc of a quarter of the base fits into the hole or not
    h = (setting.base / 4.0 + off) / 2.0
    shapes = [
        box(-WIDE, -WIDE, 0, -h, WIDE, DECK),
        box(h, -WIDE, 0, WIDE, WIDE, DECK),
        box(-h, -WIDE, 0, h, -h, DECK),
        box(-h, h, 0, h, WIDE, DECK),
    ]
    board = lay_out(setting, shapes)
    assert board.stand(-h - 1.0, 0, DECK).stands is stands


@settings("edge")
@pytest.mark.parametrize(("off", "stands"), AT_LEAST)
def test_base_at_a_lip(setting: Setting, off: float, stands: bool) -> None:
    board = lay_out(setting, [box(-WIDE, -WIDE, 0, 0, WIDE, DECK)])
    x = -setting.base / 2.0 - off
    assert board.stand(x, 7.7, DECK).stands is stands
    assert board.stand(x, 7.7, DECK).passes
    found = board.standing((-40, 5), (-30, 30), (DECK - 1, DECK + 1))
    assert found[:, 0].max() == pytest.approx(-setting.base / 2.0, abs=0.06)


@settings("edge-corner")
@pytest.mark.parametrize(("off", "stands"), AT_LEAST)
def test_base_at_the_corner_of_a_hole(setting: Setting, off: float, stands: bool) -> None:
    # floor all around a quarter that is not there; closing the floor by a disc of a quarter of the base rounds the
    # corner of what is not there
    shapes = [box(-WIDE, -WIDE, 0, 0, WIDE, DECK), box(0, -WIDE, 0, WIDE, 0, DECK)]
    board = lay_out(setting, shapes)
    rounded = setting.base / 8.0 * (np.sqrt(2.0) - 1.0)
    away = (setting.base / 2.0 + off - rounded) / np.sqrt(2.0)
    assert board.stand(-away, -away, DECK).stands is stands


@settings("edge-board")
@pytest.mark.parametrize(("off", "stands"), AT_LEAST)
def test_base_at_the_edge_of_the_board(setting: Setting, off: float, stands: bool) -> None:
    board = lay_out(setting, [])
    x = WIDE + 50 - setting.base / 2.0 - off
    verdict = board.stand(x, 0, 0)
    assert verdict.stands is stands


OVAL = Body(30.0, 17.5, HEIGHT)


@settings("oval-ledge", bases=[60.0])
@pytest.mark.parametrize("facing", [0.0, 12.0, 30.0, 45.0, 71.0, 90.0])
@pytest.mark.parametrize(("off", "stands"), [(-NEAR, False), (NEAR, True)])
def test_oval_on_a_ledge(setting: Setting, facing: float, off: float, stands: bool) -> None:
    a = np.radians(facing)
    depth = 2.0 * float(np.hypot(30.0 * np.sin(a), 17.5 * np.cos(a))) + off
    board = ledge(setting, depth, body=Body(30.0, 17.5, HEIGHT, facing), half=90.0)
    assert board.stand(0, depth / 2.0, DECK).stands is stands
    assert stands_anywhere(board) is stands


@settings("oval-edge", bases=[60.0])
@pytest.mark.parametrize("facing", [0.0, 12.0, 30.0, 45.0, 71.0, 90.0])
@pytest.mark.parametrize(("off", "stands"), [(-NEAR, False), (NEAR, True)])
def test_oval_at_a_lip(setting: Setting, facing: float, off: float, stands: bool) -> None:
    a = np.radians(facing)
    reach = float(np.hypot(30.0 * np.cos(a), 17.5 * np.sin(a)))
    board = lay_out(
        setting, [box(-WIDE, -WIDE, 0, 0, WIDE, DECK)], body=Body(30.0, 17.5, HEIGHT, facing), half=90.0
    )
    assert board.stand(-reach - off, 3.3, DECK).stands is stands
