"""Triangles of a terrain in plan cells, made once per terrain and asked by everything that looks for links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sandbox.ground.floors import FaceFloors
from sandbox.ground.kernels.links_bins import (
    UP,
    WALKABLE,
    column,
    face_boxes,
    face_marks,
    fill_bins,
    make_buffers,
)
from sandbox.ground.model import Bytes, Floats, Ints, Permit, Window
from sandbox.terrain.model import Terrain

CELL_MM = 2.54
COARSE_MM = 10.0
MOST_CELLS = 4_000_000


BinArrays = tuple[Floats, Ints, Ints, Floats, NDArray[np.float32], Bytes]


@dataclass(frozen=True, eq=False)
class Bins:
    """Triangles by plan cell, and what each face is to a foot."""

    corners: Floats
    """(m, 3, 3) float64 corners of every terrain face, mm."""
    grid: Floats
    """(5,) float64: x0, y0, cell size, number of cells in x and in y."""
    start: Ints
    """(cells + 1,) int32."""
    items: Ints
    """(k,) int32 faces of each cell."""
    box: NDArray[np.float32]
    """(m, 6) float32 box of every face: x0, y0, x1, y1, z0, z1, rounded outward."""
    marks: Bytes
    """(m,) uint8 bits: 1 faces up with a walkable tilt, 2 may be walked on as well, 4 part of a closed shell."""
    part: Ints
    """(m,) int32 terrain part of every face."""

    @property
    def arrays(self) -> BinArrays:
        """What kernels take: grid, start, items, corners, box, marks."""
        return (self.grid, self.start, self.items, self.corners, self.box, self.marks)


@dataclass(frozen=True, eq=False)
class Column:
    """Open spaces on one vertical line, upwards."""

    z: Floats
    """(n,) floor of each open space; -inf below everything."""
    top: Floats
    """(n,) where it ends above; inf under open sky."""
    face: Ints
    """(n,) int32 terrain face underfoot, -1 none."""


def make_bins(
    terrain: Terrain,
    permits: Sequence[Permit],
    walk_slope: float = 45.0,
    window: Window | None = None,
    floors: FaceFloors | None = None,
) -> Bins:
    """Sort a terrain's triangles into plan cells over a window (mm; none: the whole terrain).

    permits: one per terrain part. walk_slope: degrees, inclusive. floors: of the terrain, where the caller has them;
    they decide instead of the faces' own tilt.
    """
    corners = np.ascontiguousarray(terrain.vertices[terrain.faces], np.float64).reshape(-1, 3, 3)
    if window is not None:
        x0, y0, x1, y1 = window.x0, window.y0, window.x1, window.y1
    elif len(corners):
        x0, y0 = corners[:, :, :2].min(axis=(0, 1))
        x1, y1 = corners[:, :, :2].max(axis=(0, 1))
    else:
        x0 = y0 = x1 = y1 = 0.0
    size = max(CELL_MM, float(np.sqrt(max((x1 - x0) * (y1 - y0), 1.0) / MOST_CELLS)))
    # cells stand off round numbers, where models like to have their edges
    x0 -= 0.31371 * size
    y0 -= 0.61803 * size
    nx = int(np.floor((x1 - x0) / size)) + 1
    ny = int(np.floor((y1 - y0) / size)) + 1
    start, items = fill_bins(corners, x0, y0, size, nx, ny)
    walk = np.array([bool(p & Permit.WALK) for p in permits] or [False])
    marks = face_marks(
        terrain.vertices,
        terrain.faces,
        terrain.face_shell,
        terrain.shell_closed,
        walk[terrain.face_part],
        np.cos(np.radians(walk_slope)) - 1e-6,
    )
    if floors is not None:
        cavity = (marks & (UP | WALKABLE)) == UP
        marks |= np.where(floors.tilt != 0, UP, 0).astype(np.uint8)
        may = (floors.walk != 0) & ~(cavity & walk[terrain.face_part])
        marks = np.where(may, marks | WALKABLE, marks & ~np.uint8(WALKABLE)).astype(np.uint8)
    return Bins(
        corners,
        np.array([x0, y0, size, nx, ny], np.float64),
        start,
        items,
        face_boxes(corners),
        marks,
        terrain.face_part,
    )


def column_at(bins: Bins, x: float, y: float) -> Column:
    """Open spaces of the vertical line over a plan point, mm."""
    buffers = make_buffers()
    z, face, top = buffers
    n = column(x, y, -np.inf, bins.arrays, buffers)
    return Column(z[:n].copy(), top[:n].copy(), face[:n].copy())


def coarse_cells(bins: Bins) -> tuple[Floats, Ints, Ints]:
    """The same faces in larger cells, for what gathers all faces near a body.

    grid (5,) float64: x0, y0, cell size, number of cells in x and in y, mm; start (cells + 1,) int32;
    items (k,) int32 faces of each cell.
    """
    factor = max(2, int(np.ceil(COARSE_MM / bins.grid[2])))
    size = bins.grid[2] * factor
    nx = int(np.ceil(bins.grid[3] / factor))
    ny = int(np.ceil(bins.grid[4] / factor))
    start, items = fill_bins(bins.corners, bins.grid[0], bins.grid[1], size, nx, ny)
    return np.array([bins.grid[0], bins.grid[1], size, nx, ny], np.float64), start, items
