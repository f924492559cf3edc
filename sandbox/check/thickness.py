"""Thickness of walls: lines along three axes through the whole build, and how far they run inside it.

A line meets a wall slantwise; where it enters and leaves by two parallel faces, its length times the cosine of its slant
is the wall's thickness, exactly.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from sandbox.ground.kernels.columns import crossings

Floats = NDArray[np.float64]

PITCH_MM = 2.0
MOST_LINES = 400_000
_PARALLEL = -0.998
_LEAST_SLANT = 0.5
_FEWEST = 4
_JOINED_MM = 4.6
_ON_BED_MM = 0.05
"""what lies this near to the bed lies on it."""
NOISE_MM = 0.03
"""thinner than this are faces laid on each other, no walls."""


@dataclass(frozen=True)
class Thin:
    """A thin wall."""

    thickness: float
    """mm, at its thinnest."""
    at: tuple[float, float, float]
    lines: int
    """lines that went through it."""


def thin_walls(corners: Floats, closed: NDArray[np.bool_], least: float) -> list[Thin]:
    """Walls thinner than `least` mm of closed shells, (m, 3, 3) corners with the outside counter-clockwise."""
    corners = corners[closed]
    bed = float(corners[:, :, 2].min()) if len(corners) else 0.0
    if not len(corners):
        return []
    points, sizes = [], []
    for axis in range(3):
        order = [(axis + 1) % 3, (axis + 2) % 3, axis]  # keeps the frame right-handed
        at, size = _along(np.ascontiguousarray(corners[:, :, order]), least)
        if axis == 2:  # what thins out on the printer's bed prints
            raised = at[:, 2] - size / 2 > bed + _ON_BED_MM
            at, size = at[raised], size[raised]
        back = np.argsort(order)
        points.append(at[:, back])
        sizes.append(size)
    at, size = np.concatenate(points), np.concatenate(sizes)
    if not len(at):
        return []
    pairs = cKDTree(at).query_pairs(_JOINED_MM, output_type="ndarray")
    graph = coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(len(at),) * 2)
    _, label = connected_components(graph, directed=False)
    answer = []
    for number in np.unique(label):
        rows = np.flatnonzero(label == number)
        if len(rows) < _FEWEST:
            continue
        least_row = rows[np.argmin(size[rows])]
        middle = rows[np.argmin(np.linalg.norm(at[rows] - at[rows].mean(axis=0), axis=1))]
        place = at[middle]
        answer.append(
            Thin(float(size[least_row]), (float(place[0]), float(place[1]), float(place[2])), len(rows))
        )
    return answer


def _along(corners: Floats, least: float) -> tuple[Floats, Floats]:
    """Thin stretches of vertical lines: (k, 3) their middles and (k,) their true thickness."""
    low, high = corners[:, :, :2].min(axis=(0, 1)), corners[:, :, :2].max(axis=(0, 1))
    span = np.maximum(high - low, 0.01)
    pitch = max(PITCH_MM, float(np.sqrt(span.prod() / MOST_LINES)))
    # off round numbers, where models have their edges
    x0, y0 = low[0] + 0.31371 * pitch, low[1] + 0.41803 * pitch
    nx, ny = int(span[0] / pitch) + 1, int(span[1] / pitch) + 1
    start, z, face, up = crossings(corners, float(x0), float(y0), pitch, nx, ny)
    if not len(z):
        return np.zeros((0, 3)), np.zeros(0)
    line = np.repeat(np.arange(nx * ny), np.diff(start))
    # Downwards: an upward face is entered, a downward one left; inside is where more were entered.
    depth = np.cumsum(up.astype(np.int64))
    before = np.append(0, depth[:-1])
    base = np.append(0, depth)[start[:-1]][line]
    entering = (up > 0) & (before - base == 0)
    leaving = (up < 0) & (depth - base == 0)
    tops, bottoms = np.flatnonzero(entering), np.flatnonzero(leaving)
    if len(tops) != len(bottoms) or (line[tops] != line[bottoms]).any():
        keep = np.isin(line[tops], np.intersect1d(line[tops], line[bottoms]))
        tops = tops[keep]
        pair = np.searchsorted(bottoms, tops)
        good = pair < len(bottoms)
        tops, bottoms = tops[good], bottoms[pair[good]]
        good = line[tops] == line[bottoms]
        tops, bottoms = tops[good], bottoms[good]
    if not len(tops):
        return np.zeros((0, 3)), np.zeros(0)
    # solids laid on each other print as one
    apart = np.append(True, (line[tops[1:]] != line[tops[:-1]]) | (z[bottoms[:-1]] - z[tops[1:]] > 0.01))
    last = np.append(np.flatnonzero(apart)[1:] - 1, len(tops) - 1)
    tops, bottoms = tops[apart], bottoms[last]
    length = z[tops] - z[bottoms]
    near = (length > NOISE_MM) & (length < least / _LEAST_SLANT)
    tops, bottoms, length = tops[near], bottoms[near], length[near]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-300)
    one, other = normal[face[tops]], normal[face[bottoms]]
    flat = (one * other).sum(axis=1) <= _PARALLEL
    slant = np.abs(one[:, 2])
    thick = length * slant
    thin = flat & (slant >= _LEAST_SLANT) & (thick < least) & (thick > NOISE_MM)
    tops, bottoms, thick = tops[thin], bottoms[thin], thick[thin]
    place = line[tops]
    middle = np.stack([x0 + place % nx * pitch, y0 + place // nx * pitch, (z[tops] + z[bottoms]) / 2], axis=1)
    return middle, thick
