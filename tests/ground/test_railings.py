"""Where lips have railings is told the same as who stands beside one finds it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sandbox
from sandbox.ground.falls import near_lips
from sandbox.ground.ground import Ground
from sandbox.ground.lips import Lips
from sandbox.ground.model import Body, Window
from sandbox.ground.railings import RailRuns, rail_runs

SCENE = Path(sandbox.__file__).parents[1] / "scenes" / "gantry.yaml"


@pytest.fixture(scope="module")
def gantry() -> tuple[Ground, Lips, RailRuns]:
    field = sandbox.load(SCENE)
    ground = field.ground.plain
    lips = ground.patch(Window(0.0, 0.0, *field.terrain.size_mm)).lips
    return ground, lips, rail_runs(lips, ground.bins, ground.numbers)


def test_runs_cover_each_lip_from_end_to_end(gantry: tuple[Ground, Lips, RailRuns]) -> None:
    _, lips, runs = gantry
    for row in range(len(lips)):
        mine = runs.ends[runs.lip == row]
        np.testing.assert_allclose(mine[0, 0], lips.a[row])
        np.testing.assert_allclose(mine[-1, 1], lips.b[row])
        np.testing.assert_allclose(mine[1:, 0], mine[:-1, 1])


def test_bars_between_posts_are_a_railing(gantry: tuple[Ground, Lips, RailRuns]) -> None:
    _, lips, runs = gantry
    length = np.linalg.norm(runs.ends[:, 1] - runs.ends[:, 0], axis=1)
    # the long sides of the eastern deck, 3" up
    middle = runs.ends.mean(axis=1) / 25.4
    side = (np.abs(middle[:, 2] - 3.0) < 0.02) & (middle[:, 0] > 15.5) & (np.abs(lips.out[runs.lip, 1]) > 0.9)
    assert length[side].sum() > 150.0
    assert length[side & runs.railed].sum() > 0.95 * length[side].sum()


def test_who_stands_beside_a_lip_finds_the_same(gantry: tuple[Ground, Lips, RailRuns]) -> None:
    ground, lips, runs = gantry
    body = Body(12.5, 12.5, 30.0)
    long = np.flatnonzero(np.linalg.norm(runs.ends[:, 1] - runs.ends[:, 0], axis=1) > 12.0)
    seen = {True: 0, False: 0}
    for k in long[:: max(1, len(long) // 60)]:
        at = runs.ends[k].mean(axis=0)
        inward = at[:2] - lips.out[runs.lip[k]] * 12.6
        near = near_lips(lips, ground.bins, body, (inward[0], inward[1], at[2]), ground.numbers, within=2.0)
        here = [one for one in near if np.hypot(one.point[0] - at[0], one.point[1] - at[1]) < 0.5]
        for one in here:
            assert (one.rail > 0.0) is bool(runs.railed[k]), (at / 25.4, one)
            seen[one.rail > 0.0] += 1
    assert min(seen.values()) > 3
