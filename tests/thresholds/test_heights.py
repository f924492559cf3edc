"""Heights and slopes: free steps, stairs, ramps, uneven floor."""

from __future__ import annotations

import numpy as np
import pytest

from sandbox.ground.model import Limit, Numbers

from .contents import DECK, NEAR, WIDE, Setting, Shape, box, lay_out, pushed, settings

STEP = 12.7
AT_MOST = [(-NEAR, True), (0.0, True), (NEAR, False)]


@settings("step")
@pytest.mark.parametrize("low", [0.0, DECK])
@pytest.mark.parametrize(("off", "passes"), AT_MOST)
def test_free_step(setting: Setting, low: float, off: float, passes: bool) -> None:
    high = low + STEP + off
    shapes = [box(0, -WIDE, 0, WIDE, WIDE, high)]
    if low:
        shapes.append(box(-WIDE, -WIDE, 0, 0, WIDE, low))
    assert lay_out(setting, shapes).passes((-45, 0, low), (45, 0, high)) is passes


@settings("step-up-down")
@pytest.mark.parametrize(("up", "down"), [(STEP, 25.4), (25.4, STEP)])
def test_free_step_up_and_down_may_differ(setting: Setting, up: float, down: float) -> None:
    numbers = Numbers(free_step_up_mm=up, free_step_down_mm=down)
    board = lay_out(setting, [box(0, -WIDE, 0, WIDE, WIDE, 20.0)], numbers=numbers)
    assert board.leads((-45, 0, 0), (45, 0, 20)) is (up > 20)
    assert board.leads((45, 0, 20), (-45, 0, 0)) is (down > 20)


@settings("narrow-step")
@pytest.mark.parametrize(("off", "passes"), AT_MOST)
def test_step_on_to_a_narrow_tread(setting: Setting, off: float, passes: bool) -> None:
    # two steps; the tread between them is narrower than the base
    high = 10.0 + STEP + off
    shapes = [box(0, -WIDE, 0, WIDE, WIDE, 10.0), box(12, -WIDE, 0, WIDE, WIDE, high)]
    assert lay_out(setting, shapes).passes((-45, 0, 0), (55, 0, high)) is passes


@settings("small-ledges")
def test_wall_of_small_ledges_is_no_stair(setting: Setting) -> None:
    shapes = [box(3.0 * k, -WIDE, 0, WIDE, WIDE, 12.0 * (k + 1)) for k in range(6)]
    assert not lay_out(setting, shapes).passes((-45, 0, 0), (60, 0, 72))


@pytest.mark.parametrize(("base", "tread"), [(25.0, 8.3), (32.0, 10.0)])
@settings("stairs", bases=[0.0], rounds=4)
def test_stairs_are_passed_and_not_stood_on(setting: Setting, base: float, tread: float) -> None:
    setting = Setting(base, setting.turn, setting.off)
    steps = 8
    top = steps * tread
    shapes = [box((k - steps / 2) * tread, -WIDE, 0, WIDE, WIDE, (k + 1) * tread) for k in range(steps)]
    board = lay_out(setting, shapes, half=95.0)
    run = steps * tread / 2.0
    assert board.passes((-run - 30, 0, 0), (run + 30, 0, top))
    assert len(board.standing((-run, run), (-40, 40), (0.5 * tread, top - 0.5 * tread))) == 0
    for k in range(steps - 1):
        x = (k - steps / 2 + 0.5) * tread
        verdict = board.stand(x, 0, (k + 1) * tread)
        assert verdict.passes
        assert not verdict.stands


@settings("stair-width")
@pytest.mark.parametrize(("off", "passes"), [(-NEAR, False), (0.0, True), (NEAR, True)])
def test_stairs_between_walls(setting: Setting, off: float, passes: bool) -> None:
    h = (setting.base + off) / 2.0
    shapes = [box(10 * k - 30, -h, 0, WIDE, h, 10.0 * (k + 1)) for k in range(6)]
    shapes += [box(-30, h, 0, 40, WIDE, 130), box(-30, -WIDE, 0, 40, -h, 130)]
    shapes += [box(40, h, 0, WIDE, WIDE, 60), box(40, -WIDE, 0, WIDE, -h, 60)]
    assert lay_out(setting, shapes, half=100.0).passes((-70, 0, 0), (80, 0, 60)) is passes


def ramp(degrees: float, rise: float) -> list[Shape]:
    """A ramp up to a deck at x = 0, both through the whole window."""
    run = rise / np.tan(np.radians(degrees))
    return [pushed([(-run, 0), (0, 0), (0, rise)], -WIDE, WIDE), box(0, -WIDE, 0, WIDE, WIDE, rise)]


@settings("walk-slope")
@pytest.mark.parametrize(("degrees", "passes"), [(44.8, True), (45.0, True), (45.2, False)])
def test_steepest_slope_walked(setting: Setting, degrees: float, passes: bool) -> None:
    board = lay_out(setting, ramp(degrees, 30.0), half=85.0)
    assert board.passes((-70, 0, 0), (60, 0, 30)) is passes


@settings("low-slope")
@pytest.mark.parametrize(("off", "passes"), AT_MOST)
def test_steep_face_as_high_as_a_free_step(setting: Setting, off: float, passes: bool) -> None:
    board = lay_out(setting, ramp(60.0, STEP + off))
    assert board.passes((-55, 0, 0), (50, 0, STEP + off)) is passes


@settings("stand-slope")
@pytest.mark.parametrize(("degrees", "stands"), [(14.8, True), (15.0, True), (15.2, False)])
def test_steepest_slope_stood_on(setting: Setting, degrees: float, stands: bool) -> None:
    run = 60.0 / np.tan(np.radians(degrees))
    shape = pushed([(-run / 2, 0), (run / 2, 0), (run / 2, 60)], -WIDE, WIDE)
    board = lay_out(setting, [shape], half=60.0)
    verdict = board.stand(0, 0, 30)
    assert verdict.passes
    assert verdict.stands is stands
    if not stands:
        assert verdict.hindrances[0].limit is Limit.TILT
        assert verdict.hindrances[0].measured == pytest.approx(degrees, abs=0.1)
    assert (len(board.standing((-20, 20), (-20, 20), (20, 40))) > 0) is stands


def rib_height(base: float, width: float) -> float:
    """How high a rib through the middle of a base may be: the floor's mean is its least-squares plane there."""
    radius = base / 2.0
    h = width / 2.0
    share = 2.0 * (h * np.sqrt(radius**2 - h**2) + radius**2 * np.arcsin(h / radius)) / (np.pi * radius**2)
    return float(3.81 / max(1.0 - share, share))


@settings("uneven")
@pytest.mark.parametrize("width", [0.25, 0.5])
@pytest.mark.parametrize(("off", "stands"), [(-NEAR, True), (NEAR, False)])
def test_rib_under_a_base(setting: Setting, width: float, off: float, stands: bool) -> None:
    wide = width * setting.base
    board = lay_out(setting, [box(-wide / 2, -WIDE, 0, wide / 2, WIDE, rib_height(setting.base, wide) + off)])
    verdict = board.stand(0, 0, 5)
    assert verdict.passes
    assert verdict.stands is stands
    if not stands:
        assert verdict.hindrances[0].limit is Limit.UNEVEN


@settings("uneven-thin")
@pytest.mark.parametrize("thick", [1.0, 3.5])
def test_low_rail_under_a_base(setting: Setting, thick: float) -> None:
    shapes = [box(-thick / 2, -WIDE, 0, thick / 2, WIDE, 8.0)]
    board = lay_out(setting, shapes)
    for x in (0.0, 1.7, 3.3, 6.1):
        assert not board.stand(x + thick / 2.0, 0, 0 if x else 8.0).stands, x
    assert len(board.standing((-9, 9), (-30, 30), (-1, 9))) == 0


@settings("corner-under")
@pytest.mark.parametrize("high", [8.0, 12.0])
@pytest.mark.parametrize(("off", "stands"), [(-NEAR, False), (NEAR, True)])
def test_corner_of_a_low_block_under_a_base(setting: Setting, high: float, off: float, stands: bool) -> None:
    # however small the piece of it that is under the base, it is no plane with the floor
    board = lay_out(setting, [box(0, 0, 0, WIDE, WIDE, high)])
    away = (setting.base / 2.0 + off) / np.sqrt(2.0)
    assert board.stand(-away, -away, 0.0).stands is stands
