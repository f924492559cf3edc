"""What makes shape readable: crease lines, and how much sky and sun every place of the board sees.

Both are worked out from the triangles alone. Inches throughout.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from sandbox.compiling import kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

CREASE_DEGREES = 30.0
SUN = np.array([-0.46, -0.34, 0.82]) / np.linalg.norm([-0.46, -0.34, 0.82])
"""unit vector towards the key light: from the south-west, high."""


def creases(vertices: Floats, faces: Ints, normals: Floats, degrees: float = CREASE_DEGREES) -> Ints:
    """(n, 2) vertex pairs of edges where faces meet at more than `degrees`, and of edges of one face only.

    `vertices` (v, 3) welded or not (equal positions count as one vertex), `faces` (f, 3), `normals` (f, 3) unit.
    """
    rounded = np.round(vertices * 4000.0).astype(np.int64)
    _, first, same = np.unique(_hash(rounded), return_index=True, return_inverse=True)
    welded = same[faces]
    ends = np.concatenate([welded[:, [0, 1]], welded[:, [1, 2]], welded[:, [2, 0]]])
    owner = np.tile(np.arange(len(faces)), 3)
    ends.sort(axis=1)
    proper = ends[:, 0] != ends[:, 1]
    ends, owner = ends[proper], owner[proper]
    key = ends[:, 0] * np.int64(len(first)) + ends[:, 1]
    order = np.argsort(key, kind="stable")
    key, ends, owner = key[order], ends[order], owner[order]
    if not len(key):
        return np.empty((0, 2), dtype=np.int32)
    start = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]]))
    count = np.diff(np.concatenate([start, [len(key)]]))
    head = normals[owner[start]]
    # An edge of three and more faces counts as sharp where any of them leaves the plane of the first.
    flattest = np.minimum.reduceat(
        np.abs(np.einsum("ij,ij->i", np.repeat(head, count, axis=0), normals[owner])), start
    )
    sharp = (count == 1) | (flattest < np.cos(np.radians(degrees)))
    return np.asarray(first[ends[start[sharp]]], dtype=np.int32)


def _hash(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """One integer for each row of three; rows within +-2^20 keep apart."""
    return ((rows[:, 0] + 2**20) << 42) + ((rows[:, 1] + 2**20) << 21) + (rows[:, 2] + 2**20)


@dataclass(frozen=True, eq=False)
class Sky:
    """How much of the sky, and of the sun, reaches each cell of a box of cells."""

    low: Floats
    """(3,) the box's low corner, inches."""
    cell: float
    """edge of a cell, inches."""
    light: NDArray[np.uint8]
    """(nz, ny, nx, 2) uint8: share of the sky and of the sun, 0 to 255."""

    @property
    def size(self) -> Floats:
        """(3,) edges of the box, inches."""
        depth, rows, columns, _ = self.light.shape
        return np.array([columns, rows, depth], dtype=np.float64) * self.cell

    def at(self, points: Floats) -> Floats:
        """(n, 2) shares 0 to 1 at (n, 3) points, taken from the nearest cell; full light outside the box."""
        index = np.floor((points - self.low) / self.cell).astype(np.int64)
        depth, rows, columns, _ = self.light.shape
        inside = np.all((index >= 0) & (index < np.array([columns, rows, depth])), axis=1)
        index = np.where(inside[:, None], index, 0)
        answer = self.light[index[:, 2], index[:, 1], index[:, 0]] / 255.0
        return np.where(inside[:, None], answer, 1.0)


def sky(corners: Floats, low: Floats, high: Floats, *, cut: float = np.inf, cells: int = 200) -> Sky:
    """Light arriving in a box of about `cells` cells across, from (n, 3, 3) triangles inside it; what lies
    above `cut` stops nothing.

    Light is carried down through the cells, layer by layer, along some twenty directions; cells with surface in them
    stop it. Soft by the size of a cell, which is what a shade for reading shape wants.
    """
    span = np.maximum(high - low, 0.1)
    cell = float(max(span[0], span[1], span[2] * 1.5) / cells)
    margin = 2
    low = low - margin * cell
    shape = np.ceil(span / cell).astype(np.int64) + 2 * margin + 1
    blocked = np.zeros((int(shape[2]), int(shape[1]), int(shape[0])), dtype=np.uint8)
    _occupy(np.ascontiguousarray(corners), low, cell, float(cut), blocked)
    free = 1.0 - blocked.astype(np.float32)
    total = np.zeros(free.shape, dtype=np.float32)
    weight = 0.0
    for elevation, count, share in ((30.0, 9, 0.5), (50.0, 7, 0.75), (70.0, 5, 0.9)):
        for index in range(count):
            azimuth = 2 * np.pi * (index + elevation / 100.0) / count
            run = 1.0 / np.tan(np.radians(elevation))
            total += share * _carried(free, run * np.cos(azimuth), run * np.sin(azimuth))
            weight += share
    total += _carried(free, 0.0, 0.0)
    weight += 1.0
    sun = _carried(free, SUN[0] / SUN[2], SUN[1] / SUN[2])
    # So few directions leave faint edges of their own; half a cell of blur takes them out.
    light = np.stack([ndimage.gaussian_filter(total / weight, 0.6, mode="nearest"), sun], axis=-1)
    return Sky(low, cell, np.round(np.clip(light, 0.0, 1.0) * 255.0).astype(np.uint8))


@kernel
def _occupy(
    corners: Floats, low: Floats, cell: float, cut: float, blocked: NDArray[np.uint8]
) -> None:  # pragma: no cover - compiled
    """Mark the cells of `blocked` (nz, ny, nx) that hold surface below `cut`, sampling triangles at half a cell."""
    depth, rows, columns = blocked.shape
    for k in range(corners.shape[0]):
        a, b, c = corners[k, 0], corners[k, 1], corners[k, 2]
        long = 0.0
        for axis in range(3):
            long = max(long, abs(b[axis] - a[axis]), abs(c[axis] - a[axis]), abs(c[axis] - b[axis]))
        steps = int(np.ceil(long / (0.5 * cell))) + 1
        for i in range(steps + 1):
            u = i / steps
            for j in range(steps + 1 - i):
                v = j / steps
                z = a[2] + u * (b[2] - a[2]) + v * (c[2] - a[2])
                if z > cut:
                    continue
                x = int(np.floor((a[0] + u * (b[0] - a[0]) + v * (c[0] - a[0]) - low[0]) / cell))
                y = int(np.floor((a[1] + u * (b[1] - a[1]) + v * (c[1] - a[1]) - low[1]) / cell))
                layer = int(np.floor((z - low[2]) / cell))
                if 0 <= x < columns and 0 <= y < rows and 0 <= layer < depth:
                    blocked[layer, y, x] = 1


def _carried(free: NDArray[np.float32], east: float, north: float) -> NDArray[np.float32]:
    """Light reaching each cell from a direction that moves (east, north) cells for each cell of height."""
    arriving = np.ones_like(free)
    x, y = int(np.floor(east)), int(np.floor(north))
    part_x, part_y = east - x, north - y
    for layer in range(free.shape[0] - 2, -1, -1):
        above = arriving[layer + 1] * free[layer + 1]
        arriving[layer] = (
            (1 - part_x) * (1 - part_y) * _shifted(above, x, y)
            + part_x * (1 - part_y) * _shifted(above, x + 1, y)
            + (1 - part_x) * part_y * _shifted(above, x, y + 1)
            + part_x * part_y * _shifted(above, x + 1, y + 1)
        )
    return arriving


def _shifted(layer: NDArray[np.float32], x: int, y: int) -> NDArray[np.float32]:
    """The layer looked up at (+x, +y) cells; full light from beyond the box."""
    answer = np.ones_like(layer)
    rows, columns = layer.shape
    answer[max(0, -y) : rows - max(0, y), max(0, -x) : columns - max(0, x)] = layer[
        max(0, y) : rows + min(0, y), max(0, x) : columns + min(0, x)
    ]
    return answer
