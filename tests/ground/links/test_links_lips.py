"""Lips: where floor ends, on boxes small enough to work out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from yards import GROUND, SOLID, TURNS, box, prism, terrain

from sandbox.ground.bins import column_at, make_bins
from sandbox.ground.lips import Lips, find_lips
from sandbox.ground.model import Numbers, Permit


def lips_of(shapes, turn=0.0, permits=None) -> Lips:
    made = terrain(shapes, turn=turn)
    return find_lips(made, permits or [SOLID] * len(shapes), Numbers())


def lengths(lips: Lips, part: int) -> float:
    mine = lips.part == part
    return float(np.linalg.norm(lips.b[mine] - lips.a[mine], axis=1).sum())


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize(("height", "ends"), [(12.7, 0.0), (12.74, 400.0), (76.2, 400.0)])
def test_a_platform_ends_in_lips_only_above_a_free_step(turn, height, ends):
    lips = lips_of([GROUND, box(-50, -50, 0, 50, 50, height)], turn)
    assert lengths(lips, 1) == pytest.approx(ends, abs=0.05)
    assert lips.drop[lips.part == 1] == pytest.approx(height)


def test_the_edge_of_the_board_is_a_lip_over_nothing():
    lips = lips_of([GROUND])
    assert lengths(lips, 0) == pytest.approx(2000.0)
    assert np.isinf(lips.drop).all()


@pytest.mark.parametrize("turn", TURNS)
def test_outward_normals_point_off_the_floor(turn):
    lips = lips_of([GROUND, box(-50, -50, 0, 50, 50, 50)], turn)
    mine = lips.part == 1
    middle = (lips.a[mine] + lips.b[mine])[:, :2] / 2.0 - 300.0
    assert np.einsum("ij,ij->i", middle, lips.out[mine]) == pytest.approx(50.0)


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("joint", [0.0, 0.2])
def test_butted_tiles_have_no_lip_between_them(turn, joint):
    shapes = [GROUND, box(-100, -50, 0, 0, 50, 60), box(joint, -50, 0, 100, 50, 60)]
    lips = lips_of(shapes, turn)
    inner = (lips.part > 0) & (np.abs(turn_back(lips, turn)[:, 0]) < 1.0)
    assert not inner.any()


def turn_back(lips: Lips, turn: float) -> np.ndarray:
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    middle = (lips.a + lips.b)[:, :2] / 2.0 - 300.0
    return middle @ np.array([[c, -s], [s, c]])


def test_a_gap_parts_lips():
    lips = lips_of([GROUND, box(-100, -50, 0, 0, 50, 60), box(5, -50, 0, 100, 50, 60)])
    assert lengths(lips, 1) == pytest.approx(400.0, abs=0.05)


@pytest.mark.parametrize("turn", TURNS)
def test_a_wall_on_the_edge_cuts_the_lip_exactly(turn):
    shapes = [GROUND, box(-50, -50, 0, 50, 50, 60), box(30, -20.3, 60, 60, 17.1, 120)]
    lips = lips_of(shapes, turn)
    east = (lips.part == 1) & (turn_back(lips, turn)[:, 0] > 49.0)
    length = np.linalg.norm(lips.b[east] - lips.a[east], axis=1).sum()
    assert length == pytest.approx(100.0 - 37.4, abs=0.03)


def test_stairs_and_chamfers_below_the_step_make_no_lip():
    treads = [box(-50 + 10 * i, -40, 0, 50, 40, 10 * (i + 1)) for i in range(5)]
    lips = lips_of([GROUND, *treads])
    fronts = (np.abs(lips.out[:, 0] + 1.0) < 1e-9) & (lips.part > 0)
    assert not fronts.any()


def test_a_steep_chamfer_down_to_a_step_is_a_riser():
    # 60 degrees down over 10 mm of height, then a tread
    shape = prism([(-50, 0), (60, 0), (60, 20), (5.77, 20), (0, 30), (-50, 30)], -40, 40)
    lips = lips_of([GROUND, shape])
    east = (lips.part == 1) & (lips.out[:, 0] > 0.9)
    assert lips.a[east, 2] == pytest.approx(20.0)


def test_a_ramp_has_lips_along_its_sides_above_the_step():
    lips = lips_of([GROUND, prism([(0, 0), (100, 0), (100, 50)], -30, 30)])
    sides = (lips.part == 1) & (np.abs(lips.out[:, 1]) > 0.9)
    lowest = np.minimum(lips.a[sides, 2], lips.b[sides, 2]).min()
    assert lowest == pytest.approx(12.7, abs=0.05)


@pytest.mark.parametrize("rail", [12.0, 13.0, 25.0])
def test_a_railing_flush_with_the_edge_keeps_the_lip(rail):
    lips = lips_of([GROUND, box(-50, -50, 0, 50, 50, 60), box(48, -50, 60, 50, 50, 60 + rail)])
    deck = (lips.part == 1) & (lips.out[:, 0] > 0.9)
    if rail < 12.7:  # no higher than a step: the rail's own top is the edge
        assert not deck.any()
    else:
        assert lips.rail[deck] == pytest.approx(rail)


def test_what_may_not_be_walked_on_has_no_lips():
    permits = [SOLID, Permit.CLIMB]
    lips = lips_of([GROUND, box(-50, -50, 0, 50, 50, 60)], permits=permits)
    assert not (lips.part == 1).any()


def test_columns_tell_open_spaces_apart():
    made = terrain([GROUND, box(-50, -50, 40, 50, 50, 60), box(-10, -10, 60, 10, 10, 80)])
    bins = make_bins(made, [SOLID] * 3)
    column = column_at(bins, 300.0, 300.0)
    assert column.z.tolist() == [-np.inf, 0.0, 80.0]
    assert column.top.tolist() == [-10.0, 40.0, np.inf]
