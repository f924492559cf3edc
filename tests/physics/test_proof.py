"""Proof of single legs, on both engines and at odd rotations."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from blocks import Blocks, door

from sandbox.physics.model import CollisionWorld, Cylinder
from sandbox.physics.proof import Refusal, prove_climb, prove_landing, prove_sweep, prove_walk

Build = Callable[[Blocks], CollisionWorld]
MM = 1 / 25.4
ROUND = Cylinder(16 * MM, 16 * MM, 1.4)
TURNS = (0.0, 23.7, 71.0)


def flight(turn: float, rise: float, steps: int = 7, tread: float = 15.0) -> Blocks:
    """Stairs towards +x from x = 0, and a deck behind them."""
    blocks = Blocks(turn, (300, 300)).floor()
    for step in range(steps):
        blocks.box(f"step-{step}", (step * tread, -25, 0), (steps * tread, 25, (step + 1) * rise))
    return blocks.box("deck", (steps * tread, -60, 0), (steps * tread + 120, 60, steps * rise))


@pytest.mark.parametrize("turn", TURNS)
def test_a_walk_on_the_table(build: Build, turn: float) -> None:
    blocks = Blocks(turn, (300, 300)).floor()
    proof = prove_walk(
        build(blocks), ROUND, [blocks.at(-100, 0, 0), blocks.at(20, 10, 0), blocks.at(60, 80, 0)]
    )
    assert proof.confirmed
    assert proof.depth == 0
    assert len(proof.rays) == 6
    np.testing.assert_allclose(proof.rays[0, 0, :2], blocks.at(-100, 0, 0)[:2], atol=1e-6)


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize(("width", "confirmed"), [(32.1, True), (31.6, True), (31.3, False), (25.0, False)])
def test_a_walk_through_a_door_forgives_a_quarter_of_a_millimetre(
    build: Build, turn: float, width: float, confirmed: bool
) -> None:
    blocks = door(width, turn)
    proof = prove_walk(build(blocks), ROUND, [blocks.at(0, -80, 0), blocks.at(0, 80, 0)])
    assert proof.confirmed is confirmed
    if not confirmed:
        assert proof.refusal is Refusal.BLOCKED
        assert proof.part in (1, 2)


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize(("rise", "confirmed"), [(8.3, True), (12.6, True), (13.4, False)])
def test_stairs_are_walked_up_and_down(build: Build, turn: float, rise: float, confirmed: bool) -> None:
    blocks = flight(turn, rise)
    world = build(blocks)
    way = [blocks.at(-60, 0, 0), blocks.at(170, 0, 7 * rise)]
    assert prove_walk(world, ROUND, way).confirmed is confirmed
    assert prove_walk(world, ROUND, way[::-1]).confirmed is confirmed


def test_stairs_under_a_ceiling_that_is_too_low(build: Build) -> None:
    blocks = flight(11, 10).box("ceiling", (40, -60, 30 + 35.56), (100, 60, 80))
    way = [blocks.at(-60, 0, 0), blocks.at(170, 0, 70)]
    proof = prove_walk(build(blocks), ROUND, way)
    assert proof.refusal is Refusal.BLOCKED
    assert proof.part == 9


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("rise", [12.0, 50.0, 60.0])
def test_slopes_are_walked_up_and_down(build: Build, turn: float, rise: float) -> None:
    # a ramp 60 mm long: 11, 40 and 45 degrees
    blocks = Blocks(turn, (300, 300)).floor()
    corners = [(0, -40, 0), (60, -40, 0), (60, -40, rise), (0, 40, 0), (60, 40, 0), (60, 40, rise)]
    faces = [(0, 1, 2), (3, 5, 4), (0, 3, 4), (0, 4, 1), (1, 4, 5), (1, 5, 2), (2, 5, 3), (2, 3, 0)]
    blocks.add("ramp", np.array(corners, dtype=float), np.array(faces))
    blocks.box("deck", (60, -60, 0), (180, 60, rise))
    way = [blocks.at(-60, 0, 0), blocks.at(120, 0, rise)]
    world = build(blocks)
    assert prove_walk(world, ROUND, way).confirmed
    assert prove_walk(world, ROUND, way[::-1]).confirmed


@pytest.mark.parametrize(("gap", "confirmed"), [(25.0, True), (31.5, True), (36.0, False)])
def test_a_gap_is_spanned_by_the_base(build: Build, gap: float, confirmed: bool) -> None:
    blocks = (
        Blocks(19, (300, 300))
        .box("west", (-150, -60, 0), (0, 60, 60))
        .box("east", (gap, -60, 0), (150, 60, 60))
    )
    proof = prove_walk(build(blocks), ROUND, [blocks.at(-60, 0, 60), blocks.at(100, 0, 60)])
    assert proof.confirmed is confirmed
    if not confirmed:
        assert proof.refusal is Refusal.NO_FLOOR


def test_a_walk_over_the_edge_is_refused(build: Build) -> None:
    blocks = Blocks(0, (300, 300)).floor().box("block", (-150, -60, 0), (0, 60, 76))
    proof = prove_walk(build(blocks), ROUND, [blocks.at(-60, 0, 76), blocks.at(60, 0, 76)])
    assert not proof.confirmed
    assert proof.refusal in (Refusal.NO_FLOOR, Refusal.STEP)


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize(("out", "confirmed"), [(0.0, True), (25.0, True), (27.0, False)])
def test_a_climb_needs_a_face_within_the_overhang(
    build: Build, turn: float, out: float, confirmed: bool
) -> None:
    # a deck that sticks out over the wall under it; the climber's front is at the deck's edge
    blocks = Blocks(turn, (300, 300)).floor().box("wall", (0, -60, 0), (60, 60, 76.2))
    blocks.box("deck", (-out, -60, 72), (60, 60, 76.2))
    foot = -out - 16.3
    way = [blocks.at(foot, 0, 0), blocks.at(foot, 0, 76.2), blocks.at(-out + 17, 0, 76.2)]
    world = build(blocks)
    for points in (way, way[::-1]):
        proof = prove_climb(world, ROUND, points)
        assert proof.confirmed is confirmed
        assert len(proof.rays) == 12
    if not confirmed:
        assert proof.refusal is Refusal.NO_FACE


def test_a_climb_under_something_is_blocked(build: Build) -> None:
    blocks = Blocks(31, (300, 300)).floor().box("wall", (0, -60, 0), (60, 60, 76.2))
    blocks.box("pipe", (-20, -60, 50), (-10, 60, 60))
    way = [blocks.at(-16.3, 0, 0), blocks.at(-16.3, 0, 76.2), blocks.at(20, 0, 76.2)]
    proof = prove_climb(build(blocks), ROUND, way)
    assert proof.refusal is Refusal.BLOCKED
    assert proof.part == 2


@pytest.mark.parametrize("stand", [True, False])
def test_a_landing_wants_floor(build: Build, stand: bool) -> None:
    blocks = Blocks(8, (300, 300)).floor().box("block", (-100, -60, 0), (0, 60, 76))
    world = build(blocks)
    assert prove_landing(world, ROUND, blocks.at(-17, 0, 76), stand=stand).confirmed
    assert prove_landing(world, ROUND, blocks.at(-10, 0, 76), stand=stand).confirmed is not stand
    assert prove_landing(world, ROUND, blocks.at(5, 0, 76), stand=stand).refusal is Refusal.NO_FLOOR
    assert prove_landing(world, ROUND, blocks.at(10, 0, 0), stand=stand).refusal is Refusal.BLOCKED
    assert (
        len(prove_landing(world, ROUND, blocks.at(-17, 0, 76)).rays) == 5 + 8
    )  # its middle and beside it, its rim


def test_a_leap_is_stopped_by_what_hangs_in_the_way(build: Build) -> None:
    blocks = (
        Blocks(40, (300, 300))
        .box("west", (-150, -60, 0), (0, 60, 60))
        .box("east", (60, -60, 0), (150, 60, 60))
    )
    way = [blocks.at(0, 0, 60), blocks.at(80, 0, 60)]
    assert prove_sweep(build(blocks), ROUND, way).confirmed
    blocks.box("cable", (30, -60, 90), (31, 60, 91))
    proof = prove_sweep(build(blocks), ROUND, way)
    assert (proof.refusal, proof.part) == (Refusal.BLOCKED, 2)
