"""The collision world, on both engines: rays, sweeps, contact, drops."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
import trimesh
from blocks import Blocks, door

from sandbox.errors import UserError
from sandbox.physics.model import CollisionWorld, Cylinder, Hull
from sandbox.physics.world import engines, open_world

Build = Callable[[Blocks], CollisionWorld]
MM = 1 / 25.4
ROUND = Cylinder(16 * MM, 16 * MM, 1.4)
TURNS = (0.0, 7.0, 33.3, 61.0, 118.7)


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize(("width", "clear"), [(31.9, False), (32.1, True), (30.0, False), (33.0, True)])
def test_a_door_lets_through_what_fits(build: Build, turn: float, width: float, clear: bool) -> None:
    blocks = door(width, turn)
    world = build(blocks)
    sweep = world.sweep(ROUND, blocks.at(0, -120, 0.25), blocks.at(0, 120, 0.25))
    assert sweep.clear is clear
    if clear:
        assert (sweep.fraction, sweep.depth, sweep.point, sweep.part) == (1.0, 0.0, None, -1)
    else:
        half = width / 2
        touch = -5 - math.sqrt(16**2 - half**2)
        # a graze is told once it is 0.01 mm deep, which is up to a quarter of a millimetre further on
        assert sweep.fraction == pytest.approx((touch + 120) / 240, abs=0.25 / 240)
        # both jambs are touched at once; which of them is named is the engine's affair
        assert sweep.part in (1, 2)
        assert sweep.depth / MM == pytest.approx(min(16 - half, 1.0), abs=0.02)


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize(
    ("heading", "width", "clear"), [(90, 35.1, True), (90, 34.9, False), (0, 59.9, False)]
)
def test_an_oval_goes_through_lengthways(
    build: Build, turn: float, heading: float, width: float, clear: bool
) -> None:
    blocks = door(width, turn)
    oval = Cylinder(30 * MM, 17.5 * MM, 1.4, heading + turn)
    sweep = build(blocks).sweep(oval, blocks.at(0, -120, 0.25), blocks.at(0, 120, 0.25))
    assert sweep.clear is clear


def test_headroom_is_the_height(build: Build) -> None:
    for gap, clear in ((35.56 + 0.2, False), (35.56 + 0.3, True)):
        blocks = Blocks(20).floor().box("slab", (-50, -50, gap), (50, 50, gap + 5))
        sweep = build(blocks).sweep(ROUND, blocks.at(-120, 0, 0.25), blocks.at(120, 0, 0.25))
        assert sweep.clear is clear
        if not clear:
            assert sweep.part == 1
            assert sweep.depth / MM == pytest.approx(0.05, abs=0.02)


def test_thin_things_are_in_the_way(build: Build) -> None:
    blocks = Blocks(12).floor().box("post", (-0.5, -0.5, 0), (0.5, 0.5, 50))
    world = build(blocks)
    assert not world.sweep(ROUND, blocks.at(-120, 16.4, 0.25), blocks.at(120, 16.4, 0.25)).clear
    assert world.sweep(ROUND, blocks.at(-120, 16.55, 0.25), blocks.at(120, 16.55, 0.25)).clear


def test_a_grazed_post_tells_how_deep(build: Build) -> None:
    blocks = Blocks(41.3, (300, 200)).floor().box("post", (-5, -5, 0), (5, 5, 50))
    sweep = build(blocks).sweep(ROUND, blocks.at(-120, 20.7, 0.25), blocks.at(120, 20.7, 0.25))
    assert sweep.depth / MM == pytest.approx(0.3, abs=0.02)
    assert sweep.part == 1


def test_a_sheet_without_thickness_stops_a_body(build: Build) -> None:
    corners = np.array([[0, -50, 0], [0, 50, 0], [0, 50, 60], [0, -50, 60]], dtype=float)
    blocks = Blocks(5).floor().add("sheet", corners, np.array([[0, 1, 2], [0, 2, 3]]), closed=False)
    for start, end in ((-120, 120), (120, -120)):
        sweep = build(blocks).sweep(ROUND, blocks.at(start, 0, 0.25), blocks.at(end, 0, 0.25))
        assert not sweep.clear
        assert sweep.fraction == pytest.approx((120 - 16) / 240, abs=0.001)


def test_a_body_lowered_onto_a_block_stops_at_its_top(build: Build) -> None:
    blocks = Blocks(17).floor().box("block", (0, -30, 0), (60, 30, 25.4))
    # 6 mm of the base are over the block
    sweep = build(blocks).sweep(ROUND, blocks.at(-10, 0, 60), blocks.at(-10, 0, 0.25))
    assert not sweep.clear
    assert 60 - sweep.fraction * 59.75 == pytest.approx(25.4, abs=0.02)


def test_wholly_inside_a_solid_is_deep(build: Build) -> None:
    blocks = Blocks(9).floor().box("rock", (-100, -100, 0), (100, 100, 200))
    world = build(blocks)
    contact = world.contact(ROUND, blocks.at(0, 0, 80))
    assert contact.depth >= 16 * MM
    sweep = world.sweep(ROUND, blocks.at(0, 0, 80), blocks.at(10, 0, 80))
    assert not sweep.clear
    assert sweep.fraction == 0.0


def test_standing_still_is_a_sweep_too(build: Build) -> None:
    blocks = door(40, 10)
    world = build(blocks)
    assert world.sweep(ROUND, blocks.at(0, 0, 0.25), blocks.at(0, 0, 0.25)).clear
    assert not world.sweep(ROUND, blocks.at(6, 0, 0.25), blocks.at(6, 0, 0.25)).clear


@pytest.mark.parametrize("gap", [-0.8, -0.05, 0.05, 0.6, 2.0])
def test_contact_measures_the_gap(build: Build, gap: float) -> None:
    blocks = Blocks(28.9, (250, 90)).box("wall", (0, -100, -50), (10, 100, 60))
    contact = build(blocks).contact(ROUND, blocks.at(-16 - gap, 0, 0.25))
    assert contact.depth / MM == pytest.approx(-gap, abs=0.02)
    assert contact.part == 0


def test_contact_beyond_the_margin_says_so(build: Build) -> None:
    blocks = Blocks().box("wall", (0, -100, -50), (10, 100, 60))
    contact = build(blocks).contact(ROUND, blocks.at(-26, 0, 0.25), margin=0.1)
    assert (contact.depth, contact.point, contact.part) == (-0.1, None, -1)


def test_rays_name_the_part_and_turn_the_normal(build: Build) -> None:
    blocks = Blocks(0, (100, 100)).floor().box("block", (10, -20, 0), (30, 20, 25.4))
    starts = np.array(
        [blocks.at(-50, 0, 10), blocks.at(20, 0, 80), blocks.at(20, 0, 10), blocks.at(-50, 0, 40)]
    )
    ends = np.array([blocks.at(90, 0, 10), blocks.at(20, 0, -5), blocks.at(60, 0, 10), blocks.at(90, 0, 40)])
    hits = build(blocks).rays(starts, ends)
    assert hits.hit.tolist() == [True, True, True, False]
    assert hits.part.tolist() == [1, 1, 1, -1]
    np.testing.assert_allclose(hits.point[0], blocks.at(10, 0, 10), atol=0.001)
    np.testing.assert_allclose(hits.point[3], ends[3])
    # the third starts inside the block and sees its wall from behind
    np.testing.assert_allclose(hits.normal, [[-1, 0, 0], [0, 0, 1], [-1, 0, 0], [0, 0, 0]], atol=1e-5)
    np.testing.assert_allclose(hits.fraction, [60 / 140, 54.6 / 85, 0.25, 1.0], atol=1e-5)


@pytest.mark.parametrize("count", [0, 1, 16_383, 16_384, 20_000])
def test_any_number_of_rays(build: Build, count: int) -> None:
    blocks = Blocks().floor()
    starts = np.tile([[0.1, 0.2, 1.0]], (count, 1))
    hits = build(blocks).rays(starts, starts - [0, 0, 2])
    assert hits.hit.shape == (count,)
    assert hits.hit.all()
    np.testing.assert_allclose(hits.point[:, 2], 0, atol=1e-5)


def test_a_big_mesh_is_whole(build: Build) -> None:
    sphere = trimesh.creation.icosphere(subdivisions=6, radius=200)
    assert len(sphere.faces) > 60_000
    world = build(Blocks().add("ball", sphere.vertices, sphere.faces))
    angle = np.linspace(0, 2 * np.pi, 400, endpoint=False)
    ends = np.column_stack([np.cos(angle), np.sin(angle), np.zeros(400)])
    hits = world.rays(ends * 10, ends)
    assert hits.hit.all()
    np.testing.assert_allclose(np.linalg.norm(hits.point, axis=1) / MM, 200, atol=0.1)


def test_a_body_at_an_edge_topples_where_its_centre_is_outside(build: Build) -> None:
    blocks = Blocks(0, (0, 0)).floor().box("block", (-100, -60, 0), (0, 60, 76))
    world = build(blocks)
    stays = world.drop(ROUND, blocks.at(-1.5, 0, 76.2))
    falls = world.drop(ROUND, blocks.at(1.5, 0, 76.2))
    assert stays.stays
    assert stays.position[2] / MM == pytest.approx(76, abs=0.3)
    assert not falls.stays
    assert falls.position[2] / MM < 60


@pytest.mark.parametrize(("beyond", "stands"), [(-1.5, True), (1.5, False)])
def test_a_hull_stays_where_its_weight_is_over_its_foot(build: Build, beyond: float, stands: bool) -> None:
    """A wedge on a foot 10 mm wide, its weight near the foot's edge."""
    world = build(Blocks(0, (0, 0)).floor())
    x = 5.0 + beyond
    corners = [(a, b, 0.0) for a in (-5.0, 5.0) for b in (-8.0, 8.0)]
    corners += [(a, b, 40.0) for a in (-20.0, 60.0) for b in (-8.0, 8.0)]
    hull = Hull((np.array(corners) - (x, 0.0, 20.0)) * MM)
    rest = world.drop(hull, (x * MM, 0.0, 20.0 * MM))
    assert (rest.tilt < 2.0) is stands
    assert rest.stays is stands
    with pytest.raises(ValueError, match="four"):
        world.drop(Hull(np.zeros((3, 3))), (0.0, 0.0, 1.0))


def test_a_window_leaves_out_what_is_far(build: Build) -> None:
    terrain = (
        Blocks().floor().box("near", (0, 0, 0), (20, 20, 20)).box("far", (300, 0, 0), (320, 20, 20)).terrain()
    )
    for engine in engines():
        world = open_world(terrain, engine, window=(-2, -2, 2, 2))
        hits = world.rays(
            np.array([[0.4, 0.4, 3], [12.2, 0.4, 3]]), np.array([[0.4, 0.4, 0.5], [12.2, 0.4, 0.5]])
        )
        assert hits.hit.tolist() == [True, False]
        world.close()


def test_unknown_engines_and_odd_bodies_are_refused() -> None:
    terrain = Blocks().floor().terrain()
    with pytest.raises(UserError, match="pybullet, panda3d"):
        open_world(terrain, "havok")
    world = open_world(terrain)
    with pytest.raises(ValueError, match="positive"):
        world.contact(Cylinder(0.5, math.nan, 1.4), (0, 0, 1))
    world.close()
