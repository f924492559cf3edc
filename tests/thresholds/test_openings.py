"""Openings that a base fits through or not: doorways, corridors, posts, rails, headroom."""

from __future__ import annotations

import numpy as np
import pytest

from sandbox.ground.model import Body

from .contents import HEIGHT, NEAR, WIDE, Setting, Shape, box, lay_out, settings

SIDES = [(-NEAR, False), (0.0, True), (NEAR, True)]
"""What is off the threshold, and whether it lets the base through: equality does."""


def wall_with_door(width: float, thick: float) -> list[Shape]:
    t = thick / 2.0
    return [box(-t, -WIDE, 0, t, -width / 2.0, 60), box(-t, width / 2.0, 0, t, WIDE, 60)]


@settings("doorway")
@pytest.mark.parametrize("thick", [1.2, 5.0, 10.0])
@pytest.mark.parametrize(("off", "passes"), SIDES)
def test_doorway(setting: Setting, thick: float, off: float, passes: bool) -> None:
    board = lay_out(setting, wall_with_door(setting.base + off, thick))
    assert board.passes((-45, 0), (45, 0)) is passes


@settings("doorway-corner")
@pytest.mark.parametrize(("off", "passes"), SIDES)
def test_doorway_beside_a_wall_across(setting: Setting, off: float, passes: bool) -> None:
    # one jamb is a wall that runs on along the way
    b = setting.base
    shapes = [box(-5, b / 2 + off, 0, 5, WIDE, 60), box(-WIDE, -WIDE, 0, WIDE, -b / 2, 60)]
    assert lay_out(setting, shapes).passes((-45, 5), (45, 5)) is passes


@settings("jambs-apart")
@pytest.mark.parametrize(("off", "passes"), SIDES)
def test_opening_between_two_corners(setting: Setting, off: float, passes: bool) -> None:
    # two quarters of the board, corner to corner: the opening is slanting
    w = (setting.base + off) / np.sqrt(2.0)
    shapes = [box(-WIDE, w / 2, 0, -w / 2, WIDE, 60), box(w / 2, -WIDE, 0, WIDE, -w / 2, 60)]
    board = lay_out(setting, shapes)
    assert board.passes((-50, -50), (50, 50)) is passes


@settings("corridor")
@pytest.mark.parametrize(("off", "passes"), SIDES)
def test_corridor_with_a_right_angle(setting: Setting, off: float, passes: bool) -> None:
    w = (setting.base + off) / 2.0
    # both arms open into a room each, so that the ends are there whatever the width
    shapes = [
        box(-50, w, 0, -w, 50, 60),
        box(-50, -WIDE, 0, WIDE, -w, 60),
        box(w, -w, 0, WIDE, 50, 60),
        box(-WIDE, 50, 0, -w, WIDE, 60),
    ]
    board = lay_out(setting, shapes, half=110.0)
    assert board.passes((-50 - 30, 10), (w + 30, 50 + 30)) is passes


@settings("post")
@pytest.mark.parametrize("side", [5.0, 1.0])
@pytest.mark.parametrize(("off", "passes"), SIDES)
def test_post_in_a_corridor(setting: Setting, side: float, off: float, passes: bool) -> None:
    clear = setting.base + off
    edge = clear + side / 2.0
    h = side / 2.0
    shapes = [
        box(-10, edge, 0, 10, WIDE, 60),
        box(-10, -WIDE, 0, 10, -edge, 60),
        box(-h, -h, 0, h, h, 60),
    ]
    assert lay_out(setting, shapes, half=75.0).passes((-50, 0), (50, 0)) is passes


@settings("thin-posts")
@pytest.mark.parametrize(("off", "passes"), SIDES)
def test_row_of_posts(setting: Setting, off: float, passes: bool) -> None:
    apart = setting.base + 5.0 + off
    shapes = [box(-2.5, k * apart - 2.5, 0, 2.5, k * apart + 2.5, 60) for k in range(-6, 7)]
    assert lay_out(setting, shapes).passes((-50, 0), (50, 0)) is passes


@settings("rail")
@pytest.mark.parametrize("thick", [1.0, 0.3])
def test_rail_is_in_the_way(setting: Setting, thick: float) -> None:
    board = lay_out(setting, [box(0, -WIDE, 0, thick, WIDE, 20)])
    assert not board.passes((-45, 0), (45, 0))


THIN = {
    "rail": (WIDE, 0.5, 20.0),
    "wall": (40.0, 0.6, 60.0),
    "wall-end": (0.6, 40.0, 60.0),
    "post": (2.5, 2.5, 60.0),
}
"""Half lengths along and across, and the height: a rail of 1 mm, a wall of 1.2 mm, its end, a post of 5 mm."""


@settings("thin")
@pytest.mark.parametrize("what", sorted(THIN))
@pytest.mark.parametrize(("off", "stands"), SIDES)
def test_thin_things_keep_the_base_off(setting: Setting, what: str, off: float, stands: bool) -> None:
    along, across, high = THIN[what]
    board = lay_out(setting, [box(-along, -across, 0, along, across, high)])
    verdict = board.stand(0.0, across + setting.base / 2.0 + off, 0.0)
    assert verdict.stands is stands
    assert verdict.passes is stands


@settings("oval-thin", bases=[60.0])
@pytest.mark.parametrize("facing", [0.0, 30.0, 71.0, 90.0])
@pytest.mark.parametrize("what", sorted(THIN))
@pytest.mark.parametrize(("off", "stands"), [(-NEAR, False), (NEAR, True)])
def test_thin_things_keep_an_oval_off(
    setting: Setting, facing: float, what: str, off: float, stands: bool
) -> None:
    along, across, high = THIN[what]
    body = Body(OVAL.half_long_mm, OVAL.half_short_mm, HEIGHT, facing)
    board = lay_out(setting, [box(-along, -across, 0, along, across, high)], body=body, half=80.0)
    # how far the oval reaches down within the thing's length
    reach = reach_across(facing, 2.0 * along) / 2.0
    assert board.stand(0.0, across + reach + off, 0.0).stands is stands


@settings("floating-rail")
@pytest.mark.parametrize(("low", "high"), [(15.0, 16.0), (30.0, 31.0), (35.56 - NEAR, 37.0)])
def test_bar_across_the_body(setting: Setting, low: float, high: float) -> None:
    board = lay_out(setting, [box(0, -WIDE, low, 1.0, WIDE, high)])
    assert not board.passes((-45, 0), (45, 0))


@settings("low-rail")
@pytest.mark.parametrize("thick", [1.0, 5.0])
@pytest.mark.parametrize(("off", "passes"), [(-NEAR, True), (0.0, True), (NEAR, False)])
def test_rail_as_high_as_a_free_step(setting: Setting, thick: float, off: float, passes: bool) -> None:
    board = lay_out(setting, [box(0, -WIDE, 0, thick, WIDE, 12.7 + off)])
    assert board.passes((-45, 0), (45, 0)) is passes


@settings("headroom")
@pytest.mark.parametrize("deep", [60.0, 1.0])
@pytest.mark.parametrize(("off", "passes"), SIDES)
def test_headroom_under_a_slab(setting: Setting, deep: float, off: float, passes: bool) -> None:
    low = HEIGHT + off
    board = lay_out(setting, [box(-deep / 2, -WIDE, low, deep / 2, WIDE, low + 4)], half=85.0)
    assert board.passes((-65, 0), (65, 0)) is passes
    if passes or deep > setting.base:
        assert board.stand(0, 0, 0).stands is passes


@settings("headroom-kerb")
@pytest.mark.parametrize(("off", "passes"), SIDES)
def test_headroom_over_a_kerb(setting: Setting, off: float, passes: bool) -> None:
    # the body is lifted on to the kerb, and nowhere else under the slab is as low
    low = HEIGHT + 10.0 + off
    shapes = [box(-40, -WIDE, low, 40, WIDE, low + 4), box(-6, -WIDE, 0, 6, WIDE, 10)]
    assert lay_out(setting, shapes, half=90.0).passes((-75, 0), (75, 0)) is passes


OVAL = Body(30.0, 17.5, HEIGHT)
FACINGS = (0.0, 12.0, 30.0, 45.0, 71.0, 90.0)


def reach_across(facing: float, within: float) -> float:
    """How wide an opening in a wall of that thickness along y must be for the oval at a fixed facing, mm.

    The base passes where the walls' difference does not meet the oval doubled: the greatest y of that ellipse at
    |x| up to the thickness.
    """
    a = np.radians(facing)
    c, s = np.cos(a), np.sin(a)
    p, q = 2.0 * OVAL.half_long_mm, 2.0 * OVAL.half_short_mm
    xx, yy = (p * c) ** 2 + (q * s) ** 2, (p * s) ** 2 + (q * c) ** 2
    xy = (p * p - q * q) * c * s
    top = xy / np.sqrt(yy)
    if abs(top) <= within:
        return float(np.sqrt(yy))
    x = np.sign(top) * within
    return float((xy * x + np.sqrt((p * q) ** 2 * (xx - x * x))) / xx)


@settings("oval-doorway", bases=[60.0])
@pytest.mark.parametrize("facing", FACINGS)
@pytest.mark.parametrize("thick", [1.2, 10.0, 80.0])
@pytest.mark.parametrize(("off", "passes"), [(-NEAR, False), (NEAR, True)])
def test_oval_in_a_doorway(setting: Setting, facing: float, thick: float, off: float, passes: bool) -> None:
    body = Body(OVAL.half_long_mm, OVAL.half_short_mm, HEIGHT, facing)
    shapes = wall_with_door(reach_across(facing, thick) + off, thick)
    board = lay_out(setting, shapes, body=body, half=110.0)
    assert board.passes((-90, 0), (90, 0)) is passes
