"""Which parts stand free: not fused to a larger part (law 13)."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array

from sandbox.kinds import Kind
from sandbox.terrain.boxes import overlapping
from sandbox.terrain.edges import edge_table
from sandbox.terrain.formats.raw import Floats
from sandbox.terrain.kernels.touch import penetrates
from sandbox.terrain.model import BOARD_PIECE, CEILING_PIECE, Part
from sandbox.units import SNAP_MM

Ints = NDArray[np.int32]

WITHIN_MM = SNAP_MM
"""Parts of one piece that go into each other by more are fused."""
_WELD_MM = 1e-4
_BEND = float(np.cos(np.radians(30.0)))
BETWEEN_MM = 0.02 * 25.4
"""Pieces are placed by hand: only a deeper overlap of two pieces fuses them."""


def free_standing(
    vertices: Floats,
    faces: Ints,
    shell: Ints,
    face_part: Ints,
    closed: NDArray[np.bool_],
    parts: tuple[Part, ...],
) -> NDArray[np.bool_]:
    """(p,) whether each part is fused to no larger one. Board and ceiling fuse with nothing and are not free.

    Fused is to share a shell's surface, or to go into the other by more than touching; larger is the larger box.
    """
    count = len(parts)
    fixed = np.array([part.piece in (BOARD_PIECE, CEILING_PIECE) for part in parts], dtype=bool)
    free = ~fixed
    bulk = np.array(
        [
            max(part.high_mm - part.low_mm, 0.1)
            * max(part.bounds_mm[2] - part.bounds_mm[0], 0.1)
            * max(part.bounds_mm[3] - part.bounds_mm[1], 0.1)
            for part in parts
        ]
    )
    for a, b in _sharing(faces, shell, face_part, count):
        free[a if bulk[a] <= bulk[b] else b] = False
    order = np.argsort(face_part, kind="stable")
    starts = np.searchsorted(face_part[order], np.arange(count + 1))
    box = np.array([(*p.bounds_mm[:2], p.low_mm, *p.bounds_mm[2:], p.high_mm) for p in parts]).reshape(
        count, 6
    )
    names: dict[tuple[str, str, Kind], int] = {}
    family = np.array([names.setdefault((part.piece, part.name, part.kind), len(names)) for part in parts])
    pairs = overlapping(box[:, :3], box[:, 3:], SNAP_MM)
    turned = bulk[pairs[:, 0]] > bulk[pairs[:, 1]]
    pairs[turned] = pairs[turned][:, ::-1]
    small, large = pairs[:, 0], pairs[:, 1]
    asked = free[small] & ~fixed[large] & (family[small] != family[large]) & (bulk[small] < bulk[large])

    def own(part: int) -> NDArray[np.intp]:
        return order[starts[part] : starts[part + 1]]

    @cache
    def sharp(part: int) -> NDArray[np.bool_]:
        # a large part is asked about with every small one beside it
        return sharp_edges(vertices[faces[own(part)]])

    for one, other in pairs[asked].tolist():
        if not free[one]:
            continue
        rows = own(other)
        by_shell = np.argsort(shell[rows], kind="stable")
        rows = rows[by_shell]
        runs = np.flatnonzero(np.diff(shell[rows], prepend=-1, append=-1))
        shut = closed[shell[rows[runs[:-1]]]]
        deep = WITHIN_MM if parts[one].piece == parts[other].piece else BETWEEN_MM
        small_faces, large_faces = vertices[faces[own(one)]], vertices[faces[rows]]
        if penetrates(small_faces, sharp(one), large_faces, sharp(other)[by_shell], runs, shut, deep):
            free[one] = False
    return free


def sharp_edges(triangles: Floats) -> NDArray[np.bool_]:
    """(n, 3) which edges of triangles (n, 3, 3) end a face: it bends there by more than 30 degrees, or nothing goes on.

    Edge k runs from corner k to the next one.
    """
    points = np.round(triangles.reshape(-1, 3) / _WELD_MM).astype(np.int64)
    _, corner = np.unique(points, axis=0, return_inverse=True)
    corner = corner.reshape(-1, 3)
    ends = np.sort(np.stack([corner, np.roll(corner, -1, axis=1)], axis=2), axis=2).reshape(-1, 2)
    _, edge, count = np.unique(ends, axis=0, return_inverse=True, return_counts=True)
    edge = edge.reshape(-1)
    normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-12)
    order = np.argsort(edge, kind="stable")
    first = np.cumsum(count) - count
    one, other = order[first], order[first + count - 1]
    # sheets may be listed either way round
    level = np.abs((normal[one // 3] * normal[other // 3]).sum(axis=1)) > _BEND
    return np.asarray((~(level & (count == 2)))[edge].reshape(-1, 3), np.bool_)


def _sharing(faces: Ints, shell: Ints, face_part: Ints, count: int) -> list[tuple[int, int]]:
    """Pairs of parts that share edges of one shell."""
    if len(faces) == 0:
        return []
    owner = np.full(int(shell.max()) + 1, -1, dtype=np.int64)
    owner[shell] = face_part
    mixed = np.zeros(len(owner), dtype=bool)
    mixed[shell[owner[shell] != face_part]] = True
    rows = np.flatnonzero(mixed[shell])
    if len(rows) == 0:
        return []
    table = edge_table(faces[rows].astype(np.int64))
    half = table.order // 3
    meet = np.flatnonzero(np.diff(np.repeat(np.arange(len(table.count)), table.count)) == 0)
    a, b = face_part[rows[half[meet]]], face_part[rows[half[meet + 1]]]
    different = a != b
    pairs = (
        coo_array((np.ones(int(different.sum())), (a[different], b[different])), shape=(count, count))
        .tocsr()
        .tocoo()
    )
    return [(int(p), int(q)) for p, q in zip(pairs.row, pairs.col, strict=True)]
