"""Small holes closed: boundary loops up to 10 mm across get a cover (law 2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sandbox.terrain.edges import components, edge_table, mates_of
from sandbox.terrain.formats.raw import Floats, Indices
from sandbox.terrain.kernels.cover import least_area_cover, span
from sandbox.units import SNAP_MM

CAP_MM = 10.0
"""A hole is capped where no two points of its rim are farther apart."""
_LONGEST = 400
_RIM_SHARE = 0.6
"""A piece of surface whose covers would be more than this share of it is a leaf or a plate: its rim is no hole."""


@dataclass(frozen=True, eq=False)
class Caps:
    """Covers of small holes."""

    faces: Indices
    """(k, 3) over the vertices that were given."""
    holes: int
    widest_mm: float


def find_caps(vertices: Floats, faces: Indices) -> Caps:
    """Covers for the boundary loops of (m, 3) faces that are up to CAP_MM across."""
    none = Caps(np.zeros((0, 3), dtype=np.int64), 0, 0.0)
    table = edge_table(faces)
    half = np.sort(table.half_edges(table.count == 1))
    if len(half) == 0:
        return none
    flat = faces.ravel()
    begin, end = flat[half], flat[3 * (half // 3) + (half + 1) % 3]
    points, local = np.unique(np.stack((begin, end)), return_inverse=True)
    local = local.reshape(2, -1)
    rim = components(len(points), local[0], local[1])
    low = np.full((rim.max() + 1, 3), np.inf)
    high = -low
    np.minimum.at(low, rim, vertices[points])
    np.maximum.at(high, rim, vertices[points])
    small = np.flatnonzero((high - low).max(axis=1) <= CAP_MM + SNAP_MM)
    if len(small) == 0:
        return none
    wanted = np.zeros(len(low), dtype=bool)
    wanted[small] = True
    chosen = np.flatnonzero(wanted[rim[local[0]]])
    chosen = chosen[np.argsort(rim[local[0, chosen]], kind="stable")]
    cuts = np.flatnonzero(np.diff(rim[local[0, chosen]])) + 1
    found: list[tuple[int, Indices, float, float]] = []
    for edges in np.split(chosen, cuts):
        for loop, at in _loops(begin[edges].tolist(), end[edges].tolist(), edges.tolist()):
            rim_points = vertices[loop]
            if len(loop) > _LONGEST or (width := span(rim_points)) > CAP_MM + SNAP_MM:
                continue
            cover, covered = least_area_cover(rim_points)
            found.append((int(half[at] // 3), loop[cover][:, ::-1], width, covered))
    return _fitting(vertices, faces, table.half_edges(table.count == 2), rim, found)


def _fitting(
    vertices: Floats,
    faces: Indices,
    paired: Indices,
    rim: Indices,
    found: list[tuple[int, Indices, float, float]],
) -> Caps:
    """The covers that close holes, without those over the rim of a small plate."""
    if not found:
        return Caps(np.zeros((0, 3), dtype=np.int64), 0, 0.0)
    mate = np.full(3 * len(faces), -1, dtype=np.int64)
    mate[paired[::2]], mate[paired[1::2]] = paired[1::2], paired[::2]
    patch = mates_of(faces, mate)
    area = np.bincount(patch, weights=_areas(vertices, faces))
    of_patch: dict[int, list[tuple[Indices, float, float]]] = {}
    for face, cover, width, covered in found:
        of_patch.setdefault(int(patch[face]), []).append((cover, width, covered))
    covers: list[Indices] = []
    widest = 0.0
    for number, entries in of_patch.items():
        entries.sort(key=lambda entry: entry[2])
        if sum(entry[2] for entry in entries) > _RIM_SHARE * area[number]:
            entries.pop()
        covers.extend(cover for cover, _, _ in entries)
        widest = max([widest, *(width for _, width, _ in entries)])
    if not covers:
        return Caps(np.zeros((0, 3), dtype=np.int64), 0, 0.0)
    return Caps(np.concatenate(covers), len(covers), widest)


def _areas(vertices: Floats, faces: Indices) -> Floats:
    a, b, c = vertices[faces[:, 0]], vertices[faces[:, 1]], vertices[faces[:, 2]]
    areas: Floats = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)
    return areas


def _loops(begin: list[int], end: list[int], edges: list[int]) -> list[tuple[Indices, int]]:
    """Simple closed loops of some boundary edges, each with one of its edges, the way the edges run.

    begin, end: the vertices of each of `edges`.
    """
    after = dict(zip(begin, end, strict=True))
    if len(after) == len(begin) and after.keys() == set(end):
        # every vertex is entered once and left once
        number = dict(zip(begin, edges, strict=True))
        loops: list[tuple[Indices, int]] = []
        while after:
            first, place = after.popitem()
            ring = [first]
            while place != first:
                ring.append(place)
                place = after.pop(place)
            if len(ring) >= 3:
                loops.append((np.array(ring, dtype=np.int64), number[first]))
        return loops
    return _tangled_loops(begin, end, edges)


def _tangled_loops(begin: list[int], end: list[int], edges: list[int]) -> list[tuple[Indices, int]]:
    """As `_loops`, where loops meet or edges clash: walks along unused edges; a vertex met again closes a loop."""
    leaving: dict[int, list[tuple[int, int]]] = {}
    for k, (a, b) in enumerate(zip(begin, end, strict=True)):
        leaving.setdefault(a, []).append((edges[k], b))
    for k, (a, b) in enumerate(zip(begin, end, strict=True)):
        leaving.setdefault(b, []).append((edges[k], a))
    used: set[int] = set()
    loops: list[tuple[Indices, int]] = []
    for start, first in zip(begin, edges, strict=True):
        if first in used:
            continue
        walk = [start]
        via: list[int] = []
        where = {walk[0]: 0}
        while walk:
            step = next((entry for entry in leaving[walk[-1]] if entry[0] not in used), None)
            if step is None:
                where.pop(walk.pop())
                if via:
                    via.pop()
                continue
            used.add(step[0])
            if step[1] in where:
                at = where[step[1]]
                ring = np.array(walk[at:], dtype=np.int64)
                if len(ring) >= 3:
                    loops.append((ring, step[0]))
                for gone in walk[at + 1 :]:
                    where.pop(gone)
                del walk[at + 1 :], via[at:]
            else:
                where[step[1]] = len(walk)
                walk.append(step[1])
                via.append(step[0])
    return loops
