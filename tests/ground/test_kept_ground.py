"""What was built for one question is kept for the next, and changes none of its answers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sandbox
from sandbox.ground.ground import Ground
from sandbox.ground.kernels import links_rows as rows_of
from sandbox.ground.link_store import LinkStore
from sandbox.ground.model import Body, Floats, Places
from sandbox.ground.region import Region

SCENE = """
name: Rows of blocks
board: {size: [40, 14]}
terrain:
%s
fighters:
%s
"""
STARTS = [3.0, 7.3, 9.1, 12.6, 16.2, 21.7, 26.4, 30.9, 36.5]
BODY = Body(16.0, 16.0, 35.56)


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    """Climbable blocks all along a long board, and fighters of one base between them, far apart in reach."""
    rng = np.random.default_rng(5)
    blocks = [
        f"  - {{box: [1.6, 1.6, {rng.uniform(0.7, 1.4):.2f}], at: [{x + 0.8:.2f}, {y:.2f}], "
        f"turn: {rng.uniform(0, 90):.0f}, kind: structure}}"
        for x in np.arange(1.0, 38.0, 2.9)
        for y in (2.5, 11.5)
    ]
    models = [
        f"  - {{id: f{n}, side: red, base: 32, at: [{x}, {7.0 + 0.1 * n:.1f}, 0], profile: {{M: 4}}}}"
        for n, x in enumerate(STARTS)
    ]
    path = tmp_path / "rows.yaml"
    path.write_text(SCENE % ("\n".join(blocks), "\n".join(models)))
    return path


def within(ground: Ground, region: Region) -> Places:
    return ground.places(BODY, region)


def test_places_do_not_hang_on_what_was_judged_before(scene: Path) -> None:
    field = sandbox.load(scene)
    shared = field.ground.plain
    for n, x in enumerate(np.arange(60.0, 950.0, 47.3)):
        region = Region.disc(x, (112.0, 190.0, 250.0)[n % 3], (134.0, 75.0)[n % 2])
        fresh = Ground(shared.terrain, shared.permits, shared.numbers, shared.areas)
        kept, alone = (within(ground, region) for ground in (shared, fresh))
        mine, theirs = (region.holds(places.pos) for places in (kept, alone))
        assert mine.sum() == theirs.sum(), region
        for name in ("pos", "flags", "lift", "touch", "zone", "limit", "rest", "stand_limit", "part"):
            a, b = getattr(kept, name)[mine], getattr(alone, name)[theirs]
            # to the last digit: ties are broken by it
            assert np.array_equal(a, b, equal_nan=a.dtype.kind == "f"), (region, name)


def test_spots_do_not_hang_on_who_asked_before(scene: Path) -> None:
    shared = sandbox.load(scene)
    for n in range(len(STARTS)):
        kept = shared.moves(f"f{n}", "move").spots
        fresh = sandbox.load(scene).moves(f"f{n}", "move").spots
        assert len(kept) == len(fresh), n
        assert np.abs(kept["cost"] - fresh["cost"]).max() < 1e-9, n


def _led_to(lines: Floats, far: Floats) -> Floats:
    """Two ways along each line, and one more along those that are looked at with care."""
    rows = np.zeros((3 * len(lines), rows_of.WIDTH))
    rows[:, [rows_of.START, rows_of.END]] = -1.0
    rows[:, rows_of.LIP] = np.repeat(lines[:, 7], 3)
    rows[:, rows_of.PLAN] = np.repeat(lines[:, 0], 3) + np.tile([0.0, 1.0, 2.0], len(lines))
    careful = np.repeat(lines[:, 8], 3) > 0.0
    return rows[careful | (np.tile([0, 1, 2], len(lines)) < 2)]


def test_ways_over_lips_come_in_the_order_of_their_lines(scene: Path) -> None:
    """The first way of several is taken here and there: which one that is must not hang on what was asked before."""
    region = Region.disc(200.0, 180.0, 180.0)
    places = within(sandbox.load(scene).ground.plain, region)
    lines = np.zeros((6, 9))
    lines[:, 0], lines[:, 1], lines[:, 7] = np.arange(180.0, 210.0, 5.0), 180.0, np.arange(6)
    lines[::2, 8] = 1.0
    kept = LinkStore()
    earlier = lines[[4, 1, 3]]
    earlier[1, 8] = 1.0  # of the question before, another lip and another care
    earlier[:, 7] = (90, 91, 92)
    assert len(kept.rows(places, region, earlier, _led_to)) == 8
    assert np.array_equal(kept.rows(places, region, lines, _led_to), _led_to(lines, np.zeros(6)))


LEAP = """
name: Two decks
board: {size: [40, 12]}
terrain:
  - {box: [10, 4, 2], at: [8, 6]}
  - {box: [10, 4, 1], at: [25, 6]}
fighters:
  - {id: kal, side: red, base: 32, at: [10, 6, 2], profile: {M: 8, I: 3}}
"""


def test_a_leap_that_landed_out_of_reach_is_found_by_who_stands_nearer(tmp_path: Path) -> None:
    """Seven inches, from a lip three inches off: with eight to go nobody gets across, from beside the lip they do."""
    (tmp_path / "decks.yaml").write_text(LEAP)
    field = sandbox.load(tmp_path / "decks.yaml")
    assert field.moves("kal").spots["x"].max() < 20.0
    nearer = field.with_fighter_at("kal", (12.3, 6.0, 2.0))
    move = nearer.moves("kal").to(20.7, 6.0, 1.0)
    alone = sandbox.load(tmp_path / "decks.yaml").with_fighter_at("kal", (12.3, 6.0, 2.0))
    fresh = alone.moves("kal").to(20.7, 6.0, 1.0)
    assert fresh.cost == pytest.approx(8.4, abs=0.05)
    assert move.cost == fresh.cost
    assert [leg.kind for leg in move.legs] == [leg.kind for leg in fresh.legs]


@pytest.mark.parametrize("radius", [4.0, 16.0])
def test_lips_and_void_discs_do_not_hang_on_the_windows_asked_before(scene: Path, radius: float) -> None:
    shared = sandbox.load(scene).ground.plain
    for x in np.arange(100.0, 900.0, 130.0):
        window = Region.disc(x, 170.0, 120.0)
        fresh = Ground(shared.terrain, shared.permits, shared.numbers, shared.areas)
        kept, alone = (ground.patch(ground.holding(window)) for ground in (shared, fresh))
        assert len(kept.lips) > 20
        for name in ("a", "b", "out", "drop", "rail", "part", "face"):
            assert np.array_equal(getattr(kept.lips, name), getattr(alone.lips, name)), (x, name)
        discs = [
            ground._void_discs(patch, radius).discs for ground, patch in ((shared, kept), (fresh, alone))
        ]
        # of lips at the rim not all neighbours are there
        near = [one[window.holds(one, 40.0)] for one in discs]
        assert len(near[0]) > 20
        assert np.array_equal(*near), x


def test_nobody_stands_beside_an_obstacle_on_a_level_with_its_top(tmp_path: Path) -> None:
    (tmp_path / "crate.yaml").write_text(
        "board: {size: [12, 12]}\nterrain:\n  - {box: [2.6, 2, 2], at: [6, 6]}\n"
    )
    field = sandbox.load(tmp_path / "crate.yaml")
    for x in (7.33, 7.4, 7.45):
        beside = field.stand(x, 6.0, 2.0)
        assert beside.z == pytest.approx(0.0), x
        assert not beside.stands, x
