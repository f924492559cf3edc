"""Random sweeps past random blocks, half of them within a millimetre of contact: both engines against an oracle.

The oracle knows no engine: the exact distance of the body to the block's triangles, minimised along the way.
"""

from __future__ import annotations

import math

import numpy as np
import trimesh
from blocks import Blocks
from hypothesis import given
from hypothesis import strategies as st

from sandbox.physics.faces import FaceIndex
from sandbox.physics.model import Cylinder
from sandbox.physics.shapes import BodyMm
from sandbox.physics.world import engines, open_world

GOLDEN = (math.sqrt(5) - 1) / 2
HALF = 120.0
"""half of the length of a sweep, mm."""

BASES = st.sampled_from([(12.5, 12.5), (14.25, 14.25), (16.0, 16.0), (25.0, 25.0), (30.0, 17.5)])
SIZES = st.tuples(*[st.sampled_from([1.0, 3.0, 12.0, 40.0, 90.0])] * 3)
ANGLES = st.floats(0, 360)


def gap_along(index: FaceIndex, held: BodyMm, first: np.ndarray, last: np.ndarray) -> float:
    """Least signed distance on the way from first to last (mm): to a convex block it has one minimum."""

    def at(share: float) -> float:
        return index.clearance(held, first + (last - first) * share, 400.0)[0]

    low, high = 0.0, 1.0
    s, t = high - GOLDEN, GOLDEN
    fs, ft = at(s), at(t)
    for _ in range(26):
        if fs < ft:
            high, t, ft = t, s, fs
            s = high - GOLDEN * (high - low)
            fs = at(s)
        else:
            low, s, fs = s, t, ft
            t = low + GOLDEN * (high - low)
            ft = at(t)
    return min(fs, ft)


@given(
    base=BASES,
    size=SIZES,
    tilt=st.tuples(ANGLES, ANGLES, ANGLES),
    heading=ANGLES,
    climb=st.sampled_from([0.0, 0.0, 30.0, 90.0]),
    facing=ANGLES,
    wanted=st.one_of(st.floats(-1.0, 1.0), st.floats(1.0, 30.0)),
)
def test_both_engines_see_what_there_is(
    base: tuple[float, float],
    size: tuple[float, float, float],
    tilt: tuple[float, float, float],
    heading: float,
    climb: float,
    facing: float,
    wanted: float,
) -> None:
    block = trimesh.creation.box(extents=size)
    block.apply_transform(trimesh.transformations.euler_matrix(*np.radians(tilt)))
    block.apply_translation((500, 300, 100))
    terrain = Blocks().add("block", block.vertices, block.faces).terrain()
    index = FaceIndex(terrain, np.arange(12, dtype=np.int32))
    held = BodyMm(*base, 35.56, 0.0 if base[0] == base[1] else facing)

    plan, rise = math.radians(heading), math.radians(climb)
    along = np.array([math.cos(plan) * math.cos(rise), math.sin(plan) * math.cos(rise), math.sin(rise)])
    aside = np.array([-math.sin(plan), math.cos(plan), 0.0])
    middle = np.array([500.0, 300.0, 100.0])

    # moved aside until the gap is what is wanted; from far off it changes one for one
    offset = 200.0
    gap = 0.0
    for _ in range(12):
        place = middle + aside * offset
        gap = gap_along(index, held, place - along * HALF, place + along * HALF)
        if abs(gap - wanted) < 0.02:
            break
        offset -= gap - wanted
    if abs(gap) < 0.03:
        return  # too close to call with 32-bit floats
    first, last = (place + way * HALF for way in (-along, along))
    down = np.array([0, 0, held.height / 2])
    start, end = (tuple(((point - down) / 25.4).tolist()) for point in (first, last))
    body = Cylinder(base[0] / 25.4, base[1] / 25.4, held.height / 25.4, held.facing)
    for engine in engines():
        world = open_world(terrain, engine)
        sweep = world.sweep(body, start, end)
        world.close()
        assert sweep.clear is (gap > 0), f"{engine}: gap {gap}, {sweep}"
        if gap < 0:
            assert sweep.depth * 25.4 >= min(-gap, 1.0) - 0.04, f"{engine}: gap {gap}, {sweep}"
            assert sweep.part == 0
            assert sweep.point is not None


def test_the_oracle_itself() -> None:
    wall = Blocks().box("wall", (0, -100, -100), (10, 100, 100)).terrain()
    index = FaceIndex(wall, np.arange(12, dtype=np.int32))
    held = BodyMm(16, 16, 30, 0)
    for gap in (-3.0, -0.2, 0.2, 5.0):
        distance, point, part = index.clearance(held, np.array([-16 - gap, 0, 0]), 20.0)
        assert abs(distance - gap) < 1e-4
        assert part == 0
        assert point is not None
    # beyond an upper corner: along the diagonal of 3 and 4
    distance, point, _ = index.clearance(held, np.array([-19.0, 0, 119.0]), 20.0)
    assert abs(distance - 5) < 1e-4
    np.testing.assert_allclose(point, [0, 0, 100], atol=0.01)
    # an oval turned by 90 degrees shows its long side
    distance, _, _ = index.clearance(BodyMm(30, 17.5, 30, 90), np.array([-20.0, 0, 0]), 20.0)
    assert abs(distance - 2.5) < 1e-4
