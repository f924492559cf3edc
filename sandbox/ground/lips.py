"""Lips: the exact edges where floor ends and drops by more than a free step, independent of any grid and any base."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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
    number: Ints
    """(k,) int32 what a `LipStore` knows them by, whatever window they were asked for in."""

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


def find_lips(terrain: Terrain, permits: Sequence[Permit], numbers: Numbers) -> Lips:
    """All lips of a terrain, see `LipStore`; permits: one per terrain part."""
    return LipStore(terrain, numbers, make_bins(terrain, permits, numbers.walk_slope)).within(None)


class LipStore:
    """Lips of a terrain, cut where they are asked for, and kept.

    An edge of a walkable face is a lip where it is not buried in another solid (a thin, low one on it is a railing) and
    where going outward no floor is met within a free step, up or down; steep faces no higher than the step are risers.
    """

    def __init__(self, terrain: Terrain, numbers: Numbers, bins: Bins) -> None:
        """bins: the terrain's triangles in cells."""
        self._terrain, self._rules, self._bins = terrain, step_rules(numbers), bins
        self._edges = floor_edges(terrain, bins)
        self._cut = np.zeros(len(self._edges.owner), bool)
        self._pieces = np.zeros((0, 11))
        """as `cut_lips` returns them, the last column being the edge, in the order of the edges that were asked for."""

    def within(self, window: Window | None) -> Lips:
        """Lips of the edges that reach into a window (none: all), in the order of the edges."""
        edges = self._edges
        keep = np.ones(len(edges.owner), bool)
        if window is not None:
            keep = np.all(edges.high >= (window.x0, window.y0), axis=1)
            keep &= np.all(edges.low <= (window.x1, window.y1), axis=1)
        self._add(np.flatnonzero(keep & ~self._cut))
        edge = self._pieces[:, 10].astype(np.int64)
        number = np.flatnonzero(keep[edge])
        number = number[np.argsort(edge[number], kind="stable")]
        pieces = self._pieces[number]
        face = edges.owner[edge[number]]
        return Lips(
            a=np.ascontiguousarray(pieces[:, 0:3]),
            b=np.ascontiguousarray(pieces[:, 3:6]),
            out=np.ascontiguousarray(pieces[:, 6:8]),
            drop=np.ascontiguousarray(pieces[:, 8]),
            rail=np.ascontiguousarray(pieces[:, 9]),
            part=self._terrain.face_part[face].astype(np.int32),
            face=face.astype(np.int32),
            number=number.astype(np.int32),
        )

    def _add(self, new: NDArray[np.int64]) -> None:
        ends, owner, bins = self._edges.ends[new], self._edges.owner[new], self._bins

        def cut(part: slice) -> Floats:
            pieces: Floats = cut_lips(
                self._terrain.vertices,
                ends[part],
                owner[part],
                PITCH_MM,
                self._rules,
                bins.arrays,
            )
            pieces[:, 10] += part.start
            return pieces

        if not new.size:
            return
        pieces = in_slices(cut, len(new))
        pieces[:, 10] = new[pieces[:, 10].astype(np.int64)]
        self._pieces = np.concatenate([self._pieces, pieces])
        self._cut[new] = True


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
