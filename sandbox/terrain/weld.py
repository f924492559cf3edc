"""Welding: equal corners become one vertex, faces that collapse or repeat go. The first step of law 2."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from sandbox.terrain.formats.raw import Floats, Indices

WELD_MM = 0.01
"""Corners on open edges within this distance are one: the rounding of text files and of float32, far below 0.05 mm."""

_MIX = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(0x165667B19E3779F9))


@dataclass(frozen=True, eq=False)
class Welded:
    """Distinct faces over distinct vertices."""

    vertices: Floats
    """(n, 3) float64 mm."""
    faces: Indices
    """(m, 3) int64."""
    source: Indices
    """(m,) the face of the input that each was; the first of equals."""
    twin: Indices
    """(m,) the face that is the same the other way round, -1 none; twins stand in pairs."""


def first_of_equals(rows: Floats) -> Indices:
    """(n,) for each row of (n, 3) float64 the index of a representative that is exactly equal to it."""
    bits = (rows + 0.0).view(np.uint64)  # + 0.0 makes -0.0 and 0.0 alike
    with np.errstate(over="ignore"):
        mixed = np.zeros(len(rows), dtype=np.uint64)
        for column, factor in enumerate(_MIX):
            mixed = (mixed ^ bits[:, column]) * factor
            mixed ^= mixed >> np.uint64(29)
    _, first, inverse = np.unique(mixed, return_index=True, return_inverse=True)
    chosen = first[inverse.ravel()]
    if not np.array_equal(rows[chosen], rows):  # two places with one hash: practically never
        _, first, inverse = np.unique(rows, axis=0, return_index=True, return_inverse=True)
        chosen = first[inverse.ravel()]
    return np.asarray(chosen, dtype=np.int64)


def weld(vertices: Floats, faces: Indices, group: Indices | None = None) -> Welded:
    """Weld (n, 3) mm vertices and (m, 3) faces; vertices of different `group` (n,) stay apart.

    Exactly equal corners first; then those on open edges that lie within WELD_MM of each other. Of faces repeated
    with the same orientation one stays.
    """
    faces = first_of_equals(vertices)[faces] if group is None else _grouped(vertices, group)[faces]
    faces, source = _whole(faces, np.arange(len(faces)))
    near = _near_open(vertices, faces, group)
    if near is not None:
        faces, source = _whole(near[faces], source)
    used = np.zeros(len(vertices), dtype=bool)
    used[faces] = True
    faces = (np.cumsum(used) - 1)[faces]
    keep, twin = _repeated(faces, int(used.sum()))
    return Welded(vertices[used], faces[keep], source[keep], twin)


def _grouped(vertices: Floats, group: Indices) -> Indices:
    chosen = np.empty(len(vertices), dtype=np.int64)
    order = np.argsort(group, kind="stable")
    bounds = np.flatnonzero(np.diff(group[order], prepend=-1, append=-1))
    for start, end in pairwise(bounds):
        members = order[start:end]
        chosen[members] = members[first_of_equals(vertices[members])]
    return chosen


def _whole(faces: Indices, source: Indices) -> tuple[Indices, Indices]:
    whole = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])
    return (faces, source) if whole.all() else (faces[whole], source[whole])


def edge_keys(faces: Indices) -> Indices:
    """(3 m,) a number per undirected edge; half-edge 3 f + k runs from corner k of face f to the next."""
    start, end = faces.ravel(), np.roll(faces, -1, axis=1).ravel()
    keys: Indices = (np.minimum(start, end) << 32) | np.maximum(start, end)
    return keys


def _near_open(vertices: Floats, faces: Indices, group: Indices | None) -> Indices | None:
    """(n,) vertex that each vertex becomes, or None where no corner of an open edge lies near another."""
    keys = edge_keys(faces)
    order = np.argsort(keys)
    ordered = keys[order]
    fresh = np.append(True, ordered[1:] != ordered[:-1])
    single = fresh & np.append(fresh[1:], True)
    if not single.any():
        return None
    lone = ordered[single]
    corners = np.unique(np.concatenate((lone >> 32, lone & 0xFFFFFFFF)))
    pairs = cKDTree(vertices[corners]).query_pairs(WELD_MM, output_type="ndarray")
    if group is not None and len(pairs):
        pairs = pairs[group[corners[pairs[:, 0]]] == group[corners[pairs[:, 1]]]]
    if len(pairs) == 0:
        return None
    graph = coo_array(
        (np.ones(len(pairs), dtype=bool), (pairs[:, 0], pairs[:, 1])), shape=(len(corners),) * 2
    )
    _, label = connected_components(graph, directed=False)
    _, first = np.unique(label, return_index=True)
    becomes = np.arange(len(vertices))
    becomes[corners] = corners[first[label]]
    return becomes


def _repeated(faces: Indices, count: int) -> tuple[NDArray[np.intp], Indices]:
    """Faces to keep, in order, and for each the position among them of its opposite twin, -1 none."""
    low, high = faces.min(axis=1), faces.max(axis=1)
    middle = faces.sum(axis=1) - low - high
    # even permutations of (low, middle, high) are one orientation, odd ones the other
    first = np.argmin(faces, axis=1)
    odd = faces[np.arange(len(faces)), (first + 1) % 3] != middle
    if count < 1 << 21:
        order = np.argsort((low << 42) | (middle << 21) | high, kind="stable")
    else:
        order = np.lexsort((high, middle, low))
    a, b = order[:-1], order[1:]
    same = (low[a] == low[b]) & (middle[a] == middle[b]) & (high[a] == high[b])
    twin = np.full(len(faces), -1, dtype=np.int64)
    drop = np.zeros(len(faces), dtype=bool)
    if same.any():
        run = np.concatenate(([0], np.cumsum(~same)))
        _, sizes = np.unique(run, return_counts=True)
        starts = np.concatenate(([0], np.cumsum(sizes)))
        for number in np.flatnonzero(sizes > 1):
            members = order[starts[number] : starts[number + 1]]
            kept = [members[odd[members] == side] for side in (False, True)]
            for side in kept:
                drop[side[1:]] = True
            if len(kept[0]) and len(kept[1]):
                twin[kept[0][0]], twin[kept[1][0]] = kept[1][0], kept[0][0]
    keep = np.flatnonzero(~drop)
    place = np.full(len(faces) + 1, -1, dtype=np.int64)
    place[keep] = np.arange(len(keep))
    return keep, place[twin[keep]]
