"""Edges of triangles: which faces meet along each, and how the faces hang together. Pure topology but for one angle.

A half-edge is numbered 3 f + k: it runs from corner k of face f to the next corner.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from sandbox.terrain.formats.raw import Floats, Indices
from sandbox.terrain.weld import edge_keys

Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class EdgeTable:
    """Half-edges gathered by the undirected edge that they run along."""

    order: Indices
    """(3 m,) half-edges, those of one edge next to each other."""
    start: Indices
    """(e + 1,) edge j has the half-edges order[start[j] : start[j + 1]]."""

    @property
    def count(self) -> Indices:
        """(e,) faces that meet along each edge."""
        return np.diff(self.start)

    def half_edges(self, edges: Bools) -> Indices:
        """Half-edges of the chosen edges, (e,) bool."""
        return self.order[np.repeat(edges, self.count)]


def edge_table(faces: Indices) -> EdgeTable:
    """The edges of (m, 3) faces."""
    keys = edge_keys(faces)
    order = np.argsort(keys)
    ordered = keys[order]
    start = (
        np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
        if len(keys)
        else np.zeros(0, dtype=np.int64)
    )
    return EdgeTable(order, np.append(start, len(keys)))


def components(count: int, a: Indices, b: Indices) -> Indices:
    """(count,) label of each of `count` things, linked pairwise by a and b; labels rise with the first member."""
    graph = coo_array((np.ones(len(a), dtype=np.bool_), (a, b)), shape=(count, count))
    _, label = connected_components(graph, directed=False)
    _, first, inverse = np.unique(label, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[inverse.ravel()]


def mates_of(faces: Indices, mate: Indices) -> Indices:
    """(m,) component of each face over linked half-edges."""
    linked = np.flatnonzero(mate >= 0)
    linked = linked[linked < mate[linked]]
    return components(len(faces), linked // 3, mate[linked] // 3)


def link(vertices: Floats, faces: Indices) -> Indices:
    """(3 * m,) the half-edge that each half-edge is joined to, -1 at an open edge; vertices (n, 3), faces (m, 3).

    Where two faces meet they are joined. Where more meet, patches with an open edge come off first, as sheets; then
    faces that bound the same solid wedge are joined, and what finds no partner comes off as a sheet too. So a fin or
    a partition leaves the solid that it stands on closed, and solids that share an edge come apart.
    """
    mate = np.full(3 * len(faces), -1, dtype=np.int64)
    table = edge_table(faces)
    _join_pairs(table, mate)
    if not (table.count > 2).any():
        return mate
    patch = mates_of(faces, mate)
    contested = np.zeros(patch.max() + 1, dtype=bool)
    contested[patch[table.half_edges(table.count > 2) // 3]] = True
    rest = np.flatnonzero(contested[patch])
    while len(rest):
        local_faces = faces[rest]
        local = np.full(3 * len(rest), -1, dtype=np.int64)
        table = edge_table(local_faces)
        _join_pairs(table, local)
        patch = mates_of(local_faces, local)
        many = table.half_edges(table.count > 2)
        touches = np.zeros(patch.max() + 1, dtype=bool)
        touches[patch[many // 3]] = True
        loose = np.zeros(patch.max() + 1, dtype=bool)
        loose[patch[table.half_edges(table.count == 1) // 3]] = True
        off = loose & touches
        whole = local
        if not off.any() and len(many):
            whole = local.copy()
            _join_wedges(vertices, local_faces, table, whole)
            off[patch[many[whole[many] < 0] // 3]] = True
        going = off[patch] if off.any() else np.ones(len(rest), dtype=bool)
        kept = local if off.any() else whole
        _store(mate, rest, kept, going)
        rest = rest[~going]
    return mate


def _store(mate: Indices, rest: Indices, local: Indices, going: Bools) -> None:
    """Write the links of local faces `going` into `mate`."""
    half = np.flatnonzero(np.repeat(going, 3))
    other = local[half]
    world = 3 * rest[half // 3] + half % 3
    mate[world] = np.where(other >= 0, 3 * rest[other // 3] + other % 3, -1)


def _join_pairs(table: EdgeTable, mate: Indices) -> None:
    at = table.start[:-1][table.count == 2]
    one, other = table.order[at], table.order[at + 1]
    mate[one], mate[other] = other, one


def _join_wedges(vertices: Floats, faces: Indices, table: EdgeTable, mate: Indices) -> None:
    """Join half-edges around edges where more than two faces meet, by the solid wedges between the faces."""
    flat = faces.ravel()
    for edge in np.flatnonzero(table.count > 2):
        half = np.sort(table.order[table.start[edge] : table.start[edge + 1]])
        begin = flat[half]
        end = flat[half - half % 3 + (half + 1 - half // 3 * 3) % 3]
        apex = vertices[flat[half - half % 3 + (half + 2 - half // 3 * 3) % 3]]
        low, high = min(begin[0], end[0]), max(begin[0], end[0])
        along = vertices[high] - vertices[low]
        along = along / max(float(np.linalg.norm(along)), 1e-300)
        helper = np.eye(3)[int(np.argmin(np.abs(along)))]
        first = np.cross(along, helper)
        first /= np.linalg.norm(first)
        second = np.cross(along, first)
        arm = apex - vertices[low]
        angle = np.round(np.arctan2(arm @ second, arm @ first), 6)
        # along the edge: the solid lies towards smaller angles; against it: towards larger ones
        forward = begin == low
        ring = [int(k) for k in np.lexsort((~forward, angle))]
        for strict in (True, False):
            ring = _match(ring, forward, half, mate, strict)


def _match(ring: list[int], forward: Bools, half: Indices, mate: Indices, strict: bool) -> list[int]:
    """Join neighbours of a ring of faces until none fit; what is left. strict: only a wedge that is solid."""
    again = True
    while again and len(ring) > 1:
        again = False
        for k in range(len(ring)):
            one, other = ring[k - 1], ring[k]
            if strict and (forward[one] or not forward[other]):
                continue
            mate[half[one]], mate[half[other]] = half[other], half[one]
            ring = [entry for entry in ring if entry not in (one, other)]
            again = True
            break
    return ring


def orient(faces: Indices, mate: Indices, shell: Indices) -> tuple[Indices, Bools]:
    """Faces turned so that neighbours in a shell agree, most of each shell as it was; and (s,) whether they can."""
    count = int(shell.max()) + 1 if len(shell) else 0
    orientable = np.ones(count, dtype=bool)
    flat = faces.ravel()
    one = np.flatnonzero(mate >= 0)
    one = one[one < mate[one]]
    other = mate[one]
    clash = flat[one] == flat[other]
    if not clash.any():
        return faces, orientable
    affected = np.zeros(count, dtype=bool)
    affected[shell[one[clash] // 3]] = True
    inside = affected[shell[one // 3]]
    one, other, clash = one[inside] // 3, other[inside] // 3, clash[inside]
    m = len(faces)
    # every face twice, as it is and turned: links keep the side or change it
    side = components(
        2 * m,
        np.concatenate((one, one + m)),
        np.concatenate((np.where(clash, other + m, other), np.where(clash, other, other + m))),
    )
    torn = affected[shell] & (side[:m] == side[m:])
    orientable[shell[torn]] = False
    turned = np.zeros(m, dtype=bool)
    fine = np.flatnonzero(affected[shell] & orientable[shell])
    _, first = np.unique(shell[fine], return_index=True)
    anchor = np.zeros(count, dtype=np.int64)
    anchor[shell[fine[first]]] = side[fine[first]]
    turned[fine] = side[fine] != anchor[shell[fine]]
    mostly = np.bincount(shell[fine], weights=np.where(turned[fine], 1.0, -1.0), minlength=count) > 0
    turned[fine] ^= mostly[shell[fine]]
    out = faces.copy()
    out[turned] = out[turned][:, ::-1]
    return out, orientable
