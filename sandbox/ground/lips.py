"""Lips: the exact edges where floor ends and drops by more than a free step, independent of any grid and any base."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sandbox.ground.bins import Bins, make_bins
from sandbox.ground.kernels.links_lips import cut_lips, floor_ends
from sandbox.ground.model import Floats, Ints, Numbers, Permit, Window
from sandbox.ground.slices import in_slices
from sandbox.terrain.model import Terrain
from sandbox.units import SNAP_MM

PITCH_MM = 2.0
"""Edges are looked at this often; where lips begin and end between two looks is then found to 0.01 mm."""


@dataclass(frozen=True, eq=False)
class Lips:
    """Lips as 3D segments. Seen from above the floor lies on the left of a to b."""

    a: Floats
    """(k, 3) float64 one end, mm."""
    b: Floats
    """(k, 3) float64 the other end, mm."""
    out: Floats
    """(k, 2) float64 unit plan normal, away from the floor."""
    drop: Floats
    """(k,) height from the lip down to the next floor, mm; inf where there is none."""
    rail: Floats
    """(k,) height above the floor of a railing at the lip, mm; 0 none."""
    part: Ints
    """(k,) int32 terrain part of the floor."""
    face: Ints
    """(k,) int32 terrain face of the floor."""

    def __len__(self) -> int:
        """Number of segments."""
        return len(self.drop)


@dataclass(frozen=True, eq=False)
class FloorEdges:
    """Edges of walkable faces beyond which no walkable face of the same shell goes on: where lips may be."""

    ends: Ints
    """(k, 2) int32 vertices, the floor on the left of first to second."""
    owner: Ints
    """(k,) int32 terrain face."""
    low: Floats
    """(k, 2) least x, y, mm."""
    high: Floats
    """(k, 2) greatest x, y, mm."""


def floor_edges(terrain: Terrain, bins: Bins) -> FloorEdges:
    """All edges where floor may end; bins: the terrain's triangles in cells."""
    ends, owner = floor_ends(terrain.vertices, terrain.faces, bins.marks)
    a, b = terrain.vertices[ends[:, 0], :2], terrain.vertices[ends[:, 1], :2]
    return FloorEdges(ends, owner, np.minimum(a, b), np.maximum(a, b))


def find_lips(
    terrain: Terrain,
    permits: Sequence[Permit],
    numbers: Numbers,
    window: Window | None = None,
    *,
    bins: Bins | None = None,
    edges: FloorEdges | None = None,
) -> Lips:
    """Lips of a terrain, or of the edges that reach into a window.

    An edge of a walkable face is a lip where it is not buried in another solid (a thin, low one on it is a railing) and
    where going outward no floor is met within a free step, up or down; steep faces no higher than the step are risers.
    permits: one per terrain part. bins: the terrain's triangles in cells, where the caller has them already (they must
    reach 40 mm beyond the window). edges: of the terrain, where the caller has them.
    """
    if bins is None:
        wide = None
        if window is not None:
            wide = Window(window.x0 - 40.0, window.y0 - 40.0, window.x1 + 40.0, window.y1 + 40.0)
        bins = make_bins(terrain, permits, numbers.walk_slope, wide)
    found = edges or floor_edges(terrain, bins)
    ends, owner = found.ends, found.owner
    if window is not None:
        keep = (
            (found.high[:, 0] >= window.x0)
            & (found.high[:, 1] >= window.y0)
            & (found.low[:, 0] <= window.x1)
            & (found.low[:, 1] <= window.y1)
        )
        ends, owner = ends[keep], owner[keep]
    rules = step_rules(numbers)

    def cut(part: slice) -> Floats:
        pieces: Floats = cut_lips(
            terrain.vertices,
            ends[part],
            owner[part],
            PITCH_MM,
            rules,
            bins.grid,
            bins.start,
            bins.items,
            bins.corners,
            bins.box,
            bins.marks,
        )
        pieces[:, 10] += part.start
        return pieces

    pieces = in_slices(cut, len(ends))
    face = owner[pieces[:, 10].astype(np.int64)]
    return Lips(
        a=np.ascontiguousarray(pieces[:, 0:3]),
        b=np.ascontiguousarray(pieces[:, 3:6]),
        out=np.ascontiguousarray(pieces[:, 6:8]),
        drop=np.ascontiguousarray(pieces[:, 8]),
        rail=np.ascontiguousarray(pieces[:, 9]),
        part=terrain.face_part[face].astype(np.int32),
        face=face.astype(np.int32),
    )


def step_rules(numbers: Numbers) -> Floats:
    """What the kernels of lips compare with: step up, step down, farthest riser, highest railing, (4,) mm."""
    slope = np.tan(np.radians(numbers.walk_slope))
    return np.array(
        [
            numbers.free_step_up_mm + 0.5 * SNAP_MM,
            numbers.free_step_down_mm + 0.5 * SNAP_MM,
            min(numbers.free_step_down_mm / max(float(slope), 0.1), 40.0) + 0.5,
            numbers.rail_max_mm + 0.5 * SNAP_MM,
        ]
    )
