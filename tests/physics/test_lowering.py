"""A plate let straight down, told from the triangles, against the engines' own sweeps; and who vouches for the floor."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import trimesh
from blocks import Blocks

from sandbox.physics.model import CollisionWorld, Contact, Cylinder, RayHits, Sweep
from sandbox.physics.proof import Refusal, prove_walk

Build = Callable[[Blocks], CollisionWorld]
MM = 1 / 25.4
TOP, BOTTOM = 60.0, -5.0


def _litter(seed: int) -> Blocks:
    """Blocks, tilted slabs, thin rails and posts on a table, at random."""
    dice = np.random.default_rng(seed)
    blocks = Blocks(float(dice.uniform(0, 90)), (200.0, 150.0)).floor()
    for number in range(24):
        size = dice.uniform((1, 1, 2), (50, 50, 40))
        if number % 4 == 0:
            size[number % 2] = 1.0
        box = trimesh.creation.box(extents=size)
        axis = dice.normal(size=3)
        turn = trimesh.transformations.rotation_matrix(dice.uniform(0, 0.6), axis)
        box.apply_transform(turn)
        at = (*dice.uniform(-90, 90, 2), dice.uniform(0, 30))
        blocks.add(f"thing {number}", box.vertices + np.array(at), box.faces)
    return blocks


@pytest.mark.parametrize("seed", range(4))
def test_a_plate_comes_to_rest_where_a_sweep_ends(build: Build, seed: int) -> None:
    world = build(_litter(seed))
    dice = np.random.default_rng(100 + seed)
    rested = 0
    for _ in range(40):
        x, y = (np.array([200.0, 150.0]) + dice.uniform(-90, 90, 2)) * MM
        long, short = sorted(dice.uniform(3, 30, 2) * MM, reverse=True)
        plate = Cylinder(long, short, 0.1, float(dice.uniform(0, 180)))
        top = float(dice.uniform(5, TOP)) * MM
        low = world.lower(plate, (x, y, top), BOTTOM * MM)
        swept = world.sweep(plate, (x, y, top), (x, y, BOTTOM * MM))
        assert low.blocked is (swept.fraction == 0.0), f"{low}, {swept}"
        if low.blocked:
            continue
        assert low.point is not None
        rested += 1
        # a sweep goes on until it is 0.01 mm deep, which down along a steep side takes longer
        end = top - swept.fraction * (top - BOTTOM * MM)
        assert end <= low.point[2] + 0.01 * MM
        # just below it is in something, a hair above it in nothing (an engine's oval is a hair off, more on steep sides)
        assert world.contact(plate, (x, y, low.point[2] + 0.02 * MM)).depth <= 0.0
        assert world.contact(plate, (x, y, low.point[2] - 0.1 * MM)).depth > 0.0
    assert rested > 12


def test_over_a_hole_it_meets_nothing(build: Build) -> None:
    blocks = Blocks(20).box("left", (-100, -50, 0), (-17, 50, 10)).box("right", (17, -50, 0), (100, 50, 10))
    world = build(blocks)
    for half, falls in ((16.9, True), (17.1, False)):
        low = world.lower(Cylinder(half * MM, half * MM, 0.1), blocks.at(0, 0, 20), -1.0)
        assert (low.point is None) is falls
        assert not low.blocked
        if low.point is not None:
            assert low.part in (0, 1)
            assert low.point[2] / MM == pytest.approx(10.0, abs=0.001)


class _Hollow:
    """A world that has what is in the way of a body, but that neither rays nor distances find a floor in."""

    def __init__(self, world: CollisionWorld) -> None:
        self.world = world
        self.lower = world.lower
        self.drop = world.drop
        self.close = world.close

    def rays(self, starts: np.ndarray, ends: np.ndarray) -> RayHits:
        found = self.world.rays(starts, ends)
        none = np.zeros(len(found.hit), dtype=np.bool_)
        return RayHits(none, ends, np.zeros_like(ends), np.ones(len(none)), found.part)

    def sweep(self, *way: object, **how: object) -> Sweep:
        return self.world.sweep(*way, **how)  # type: ignore[arg-type]

    def contact(self, body: Cylinder, at: tuple[float, float, float], margin: float = 0.1) -> Contact:
        return Contact(-margin, None, None, -1)


def test_the_world_vouches_for_every_floor(build: Build) -> None:
    blocks = Blocks(8).floor().box("step", (0, -100, 0), (100, 100, 10))
    world = build(blocks)
    body = Cylinder(16 * MM, 16 * MM, 1.3)
    way = [blocks.at(-60, 0, 0), blocks.at(60, 0, 10)]
    assert prove_walk(world, body, way).confirmed
    proof = prove_walk(_Hollow(world), body, way)
    assert not proof.confirmed
    assert proof.refusal is Refusal.NO_FLOOR
