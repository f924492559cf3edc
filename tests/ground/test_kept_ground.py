"""What was built for one question is kept for the next, and changes none of its answers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sandbox
from sandbox.ground.ground import Ground
from sandbox.ground.model import Body, Places
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
        kept, alone = (
            places.pos[region.holds(places.pos)] for places in (within(shared, region), within(fresh, region))
        )
        assert kept.shape == alone.shape, region
        assert np.abs(kept - alone).max() < 1e-9, region


def test_spots_do_not_hang_on_who_asked_before(scene: Path) -> None:
    shared = sandbox.load(scene)
    for n in range(len(STARTS)):
        kept = shared.moves(f"f{n}", "move").spots
        fresh = sandbox.load(scene).moves(f"f{n}", "move").spots
        assert len(kept) == len(fresh), n
        assert np.abs(kept["cost"] - fresh["cost"]).max() < 1e-9, n
