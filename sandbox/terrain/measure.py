"""Parts of a model and their sizes: clusters of touching shells, and the widest circle in a plan outline (law 13)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import distance_transform_edt

from sandbox.terrain.boxes import best_axis
from sandbox.terrain.edges import edge_table
from sandbox.terrain.formats.raw import Floats, Indices
from sandbox.terrain.kernels.outline import shadow, widest_circle
from sandbox.terrain.kernels.touch import cluster

Bools = NDArray[np.bool_]

TOUCH_MM = 0.05
"""Shells nearer than this touch."""
EXACT_MM = 120.0
"""Widths up to this are measured exactly; wider parts are far above any size limit and get a pixel's accuracy."""
_PIXELS = 300
_EFFORT = 10_000_000
"""segments looked at for one width before the best circle found must do"""
_LEVEL = 1e-9
"""Triangles whose plan area is below this share of their area stand upright."""


@dataclass(frozen=True, eq=False)
class Sizes:
    """Sizes of parts, mm."""

    low: Floats
    """(p, 3) lowest corner of each part's box."""
    high: Floats
    """(p, 3)"""
    width: Floats
    """(p,) diameter of the widest circle in the plan outline."""


def gather_parts(
    vertices: Floats,
    faces: Indices,
    node: Indices,
    kind: Indices,
    mark: Indices,
    shell: Indices,
    closed: Bools,
) -> Indices:
    """(m,) part of each face: a cluster of touching shells of one node and kind, or the faces of one mark.

    Parts are numbered in the order of their first face. A shell that runs through several nodes, or is marked in
    places, has a part in each.
    """
    if len(faces) == 0:
        return np.zeros(0, dtype=np.int64)
    marked = mark >= 0
    family = np.where(marked, mark, (node * (kind.max() + 1) + kind) + mark.max() + 1)
    pair = shell * (family.max() + 1) + family
    _, first, run = np.unique(pair, return_index=True, return_inverse=True)
    run = run.ravel()
    triangles = vertices[faces]
    order = np.lexsort((_nearness(triangles), run))
    starts = np.searchsorted(run[order], np.arange(len(first) + 1))
    whole = np.bincount(run, minlength=len(first)) == np.bincount(shell)[shell[first]]
    triangles = triangles[order]
    low = np.minimum.reduceat(triangles.min(axis=1), starts[:-1])
    axis = best_axis(low, np.maximum.reduceat(triangles.max(axis=1), starts[:-1]))
    by_low = np.argsort(low[:, axis])
    solid = closed[shell[first]] & whole
    cluster_of = cluster(triangles, starts, by_low, axis, family[first], solid, TOUCH_MM)
    # the faces of one mark are one part, whether they touch or not
    by_mark = marked[first]
    if by_mark.any():
        _, head = np.unique(family[first[by_mark]], return_inverse=True)
        cluster_of[by_mark] = len(first) + head.ravel()
    _, at, part = np.unique(cluster_of[run], return_index=True, return_inverse=True)
    rank = np.empty(len(at), dtype=np.int64)
    rank[np.argsort(at)] = np.arange(len(at))
    return rank[part.ravel()]


def _nearness(triangles: Floats) -> Indices:
    """(m,) numbers that keep neighbours together: bits of the three coordinates interleaved (Morton order)."""
    middle = triangles.mean(axis=1)
    low = middle.min(axis=0)
    span = max(float((middle.max(axis=0) - low).max()), 1e-9)
    cell = ((middle - low) / span * 1023).astype(np.int64)
    code = np.zeros(len(triangles), dtype=np.int64)
    for axis in range(3):
        bits = cell[:, axis]
        for shift, mask in ((16, 0x030000FF), (8, 0x0300F00F), (4, 0x030C30C3), (2, 0x09249249)):
            bits = (bits | (bits << shift)) & mask
        code |= bits << axis
    return code


def measure_parts(vertices: Floats, faces: Indices, part: Indices, closed_face: Bools) -> Sizes:
    """Boxes and widths of parts; `closed_face` (m,) says which faces belong to solids (their undersides add nothing)."""
    count = int(part.max()) + 1
    order = np.argsort(part, kind="stable")
    starts = np.searchsorted(part[order], np.arange(count + 1))
    corners = vertices[faces[order]]
    low = np.minimum.reduceat(
        np.minimum(np.minimum(corners[:, 0], corners[:, 1]), corners[:, 2]), starts[:-1]
    )
    high = np.maximum.reduceat(
        np.maximum(np.maximum(corners[:, 0], corners[:, 1]), corners[:, 2]), starts[:-1]
    )
    plan = corners[:, :, :2].copy()
    u, v = plan[:, 1] - plan[:, 0], plan[:, 2] - plan[:, 0]
    twice = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    full = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    shown = (np.abs(twice) > _LEVEL * full) & ((twice > 0) | ~closed_face[order])
    turned = twice < 0
    plan[turned] = plan[turned][:, ::-1]
    flat = faces[order].copy()
    flat[turned] = flat[turned][:, ::-1]
    rim = _rims(flat, shown, part[order])
    width = np.zeros(count)
    for number in range(count):
        rows = slice(starts[number], starts[number + 1])
        pick = shown[rows]
        if pick.any():
            width[number] = _width(plan[rows][pick], rim[rows][pick])
    return Sizes(low, high, width)


def _rims(faces: Indices, shown: Bools, part: Indices) -> Bools:
    """(m, 3) edges that may be outline: those without a shown neighbour on the other side in plan."""
    rim = np.ones((len(faces), 3), dtype=bool)
    rows = np.flatnonzero(shown)
    table = edge_table(faces[rows])
    two = table.start[:-1][table.count == 2]
    one, other = table.order[two], table.order[two + 1]
    flat = faces[rows].ravel()
    apart = (flat[one] != flat[other]) & (part[rows[one // 3]] == part[rows[other // 3]])
    for half in (one[apart], other[apart]):
        rim[rows[half // 3], half % 3] = False
    return rim


def _width(plan: Floats, rim: Bools) -> float:
    """Diameter of the widest circle, mm: exact up to EXACT_MM, to a pixel above."""
    low, high = plan.min(axis=(0, 1)), plan.max(axis=(0, 1))
    narrow = float((high - low).min())
    if narrow > EXACT_MM or len(plan) > 3000:
        pitch = max(narrow / _PIXELS, 0.1)
        nx, ny = (int(size / pitch) + 3 for size in high - low)
        cells = shadow(plan, low[0] - pitch, low[1] - pitch, pitch, nx, ny)
        rough = 2 * float(distance_transform_edt(cells).max()) * pitch
        if rough > EXACT_MM + 4 * pitch or len(plan) > 20_000:
            return rough - pitch
    return float(widest_circle(np.ascontiguousarray(plan), np.ascontiguousarray(rim), _EFFORT))
