"""Law 2, Solids: raw triangles become shells that are solid or sheets.

Weld; drop repeated faces; cap small holes; split into shells; turn solids outward and cavities inward. Nothing is
cut or joined where pieces interpenetrate: winding numbers add up.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sandbox.terrain.boxes import holding
from sandbox.terrain.caps import find_caps
from sandbox.terrain.edges import components, edge_table, link, mates_of, orient
from sandbox.terrain.formats.raw import Floats, Indices
from sandbox.terrain.kernels.crossing import crossings, plan_grid
from sandbox.terrain.kernels.winding import winding
from sandbox.terrain.weld import Welded, weld

Bools = NDArray[np.bool_]

THIN_MM = 0.001
"""A closed shell thinner than this on average is a sheet drawn on both sides."""
_BURIED = 64
_FEW = 2_000_000
"""points times faces up to which solid angles are added up; beyond, what lies above is looked up in a grid."""
_PER_CELL = 4.0
_FLAT_MM = 1e-6
"""Triangles lower than this have no direction; they are dropped once the shells are known."""


@dataclass(frozen=True, eq=False)
class Solids:
    """Shells of one model, ready to be measured and placed."""

    vertices: Floats
    """(n, 3) float64 mm; each shell has its own."""
    faces: Indices
    """(m, 3) int64, counter-clockwise seen from outside for closed shells; grouped by shell."""
    node: Indices
    """(m,) node of each face."""
    shell: Indices
    """(m,) shell of each face; shells stand in the order of their first face in the file."""
    closed: Bools
    """(s,) solid (or cavity), or else a sheet."""
    cavity: Bools
    """(s,) closed and looking inward."""
    notes: tuple[str, ...]
    warnings: tuple[str, ...]


@dataclass(eq=False)
class _Pool:
    """Faces that are being made into shells."""

    vertices: Floats
    faces: Indices
    source: Indices
    """(m,) input face each comes from; a cap takes the number of a face of its rim."""
    shell: Indices
    closed: Bools


def repair(vertices: Floats, faces: Indices, node: Indices) -> Solids:
    """Shells of (n, 3) mm vertices and (m, 3) faces with the (m,) node of each; nodes share no vertex."""
    notes: list[str] = []
    warnings: list[str] = []
    vertex_node = np.zeros(len(vertices), dtype=np.int64)
    vertex_node[faces.ravel()] = np.repeat(node, 3)
    several = bool(len(node)) and int(node.min()) != int(node.max())
    welded = weld(vertices, faces, vertex_node if several else None)
    pool, holes, widest = _shells(welded)
    if several and not pool.closed.all():
        pool, more, width = _across_nodes(pool, node)
        holes, widest = holes + more, max(widest, width)
    if holes:
        notes.append(f"{holes} {_s(holes, 'hole')} up to {widest:.1f} mm across {_were(holes)} capped")
    cavity, turned = _face_outward(pool)
    if turned:
        notes.append(f"{turned} {_s(turned, 'shell')} {_were(turned)} inside out and {_were(turned)} turned")
    sheets = int((~pool.closed).sum())
    if sheets:
        open_area = _shell_areas(pool)[~pool.closed].sum() / max(_shell_areas(pool).sum(), 1e-300)
        text = f"{sheets} of {len(pool.closed)} {_s(len(pool.closed), 'shell')} not closed: taken as sheets"
        (warnings if open_area > 0.5 else notes).append(text)
    return _finished(pool, node, cavity, notes, warnings)


def _s(count: int, word: str) -> str:
    return word if count == 1 else word + "s"


def _were(count: int) -> str:
    return "was" if count == 1 else "were"


def _shells(welded: Welded) -> tuple[_Pool, int, float]:
    """Shells of welded faces; how many holes were capped, and the widest of them in mm."""
    vertices, faces, twin = welded.vertices, welded.faces, welded.twin
    plain = twin < 0
    regions: list[Indices] = []
    if not plain.all():
        joined, regions = _twin_regions(faces, twin)
        plain[joined] = True
    body = np.flatnonzero(plain)
    caps = find_caps(vertices, faces[body])
    source = welded.source[body]
    if caps.holes:
        source = np.concatenate((source, _rim_source(faces[body], source, caps.faces)))
    pool = _split(vertices, np.concatenate((faces[body], caps.faces)), source)
    pool = _without_buried(pool)
    between = _Closed(pool).hold([vertices[faces[region]] for region in regions])
    sheets = [region for region, inside in zip(regions, between, strict=True) if not inside]
    if sheets:
        left = np.concatenate(sheets)
        pool = _joined(pool, _apart(vertices, faces[left], welded.source[left], sheets))
    return pool, caps.holes, caps.widest_mm


def _rim_source(faces: Indices, source: Indices, caps: Indices) -> Indices:
    """(k,) for each cap the source of a face that shares a corner with it."""
    owner = np.zeros(int(faces.max()) + 1, dtype=np.int64)
    owner[faces.ravel()] = np.repeat(source, 3)
    return owner[caps[:, 0]]


def _split(vertices: Floats, faces: Indices, source: Indices) -> _Pool:
    if len(faces) == 0:
        nothing = np.zeros(0, dtype=np.int64)
        return _Pool(vertices, faces, source, nothing, np.zeros(0, dtype=bool))
    mate = link(vertices, faces)
    shell = mates_of(faces, mate)
    faces, orientable = orient(faces, mate, shell)
    closed = orientable.copy()
    closed[shell[np.flatnonzero(mate < 0) // 3]] = False
    pool = _Pool(vertices, faces, source, shell, closed)
    if closed.any():
        volume, area = _volumes(pool), _shell_areas(pool)
        closed &= np.abs(volume) > THIN_MM * area / 2
    return pool


def _apart(vertices: Floats, faces: Indices, source: Indices, groups: list[Indices]) -> _Pool:
    """`_split` of groups of faces that are not to be joined to each other; the groups follow one another."""
    group = np.repeat(np.arange(len(groups)), [len(members) for members in groups])
    corner = np.repeat(group, 3) * len(vertices) + faces.ravel()
    held, own = np.unique(corner, return_inverse=True)
    return _split(vertices[held % len(vertices)], own.reshape(-1, 3), source)


def _joined(one: _Pool, other: _Pool) -> _Pool:
    """Two pools as one; they share no vertex afterwards."""
    return _Pool(
        np.concatenate((one.vertices, other.vertices)),
        np.concatenate((one.faces, other.faces + len(one.vertices))),
        np.concatenate((one.source, other.source)),
        np.concatenate((one.shell, other.shell + len(one.closed))),
        np.concatenate((one.closed, other.closed)),
    )


def _twin_regions(faces: Indices, twin: Indices) -> tuple[Indices, list[Indices]]:
    """What becomes of pairs of opposite faces, one face of each pair standing for both.

    First those that close an edge of the rest, which they join. Then the other regions, each of faces that hang
    together: the rest is as closed without them, so they go where they lie between solids and else are sheets.
    """
    other = np.flatnonzero(twin < 0)
    chosen = np.flatnonzero((twin >= 0) & (np.arange(len(faces)) < twin))
    table = edge_table(faces[np.concatenate((other, chosen))])
    is_twin = table.order // 3 >= len(other)
    pairs = np.add.reduceat(is_twin.astype(np.int64), table.start[:-1])
    rest = table.count - pairs
    edge = np.repeat(np.arange(len(pairs)), table.count)
    member = table.order[is_twin] // 3 - len(other)
    edge = edge[is_twin]
    # regions grow over edges where only pairs meet
    inner = rest[edge] == 0
    first = np.zeros(len(pairs), dtype=np.int64)
    first[edge[inner]] = member[inner]
    region = components(len(chosen), member[inner], first[edge[inner]])
    count = int(region.max()) + 1
    gap = np.zeros(count, dtype=bool)
    gap[region[member[rest[edge] == 1]]] = True
    inside = np.flatnonzero(~gap[region])
    inside = inside[np.argsort(region[inside], kind="stable")]
    cuts = np.flatnonzero(np.diff(region[inside])) + 1
    return chosen[gap[region]], [chosen[part] for part in np.split(inside, cuts)] if len(inside) else []


def _without_buried(pool: _Pool) -> _Pool:
    """The pool without small open shells that hang on a solid and lie inside it: faces between two solids.

    Solids that touch over faces cut differently leave such sheets, which the pairs of opposite faces do not show.
    """
    small = ~pool.closed & (np.bincount(pool.shell, minlength=len(pool.closed)) <= _BURIED)
    if not small.any() or not pool.closed.any():
        return pool
    held = np.zeros(len(pool.vertices), dtype=bool)
    held[pool.faces[pool.closed[pool.shell]]] = True
    hanging = np.zeros(len(pool.closed), dtype=bool)
    touching = held[pool.faces].sum(axis=1) >= 2
    hanging[pool.shell[touching]] = True
    gone = np.zeros(len(pool.closed), dtype=bool)
    solids = _Closed(pool)
    tried = np.flatnonzero(small & hanging)
    gone[tried] = solids.hold([solids.triangles(int(number)) for number in tried])
    if not gone.any():
        return pool
    keep = ~gone[pool.shell]
    number = np.cumsum(~gone) - 1
    return _Pool(
        pool.vertices, pool.faces[keep], pool.source[keep], number[pool.shell[keep]], pool.closed[~gone]
    )


def _across_nodes(pool: _Pool, node: Indices) -> tuple[_Pool, int, float]:
    """Open shells of several nodes welded to each other: groups that cut one surface into its materials."""
    still_open = ~pool.closed[pool.shell]
    if len(np.unique(node[pool.source[still_open]])) < 2:
        return pool, 0, 0.0
    welded = weld(pool.vertices, pool.faces[still_open])
    source = pool.source[still_open]
    again, holes, widest = _shells(Welded(welded.vertices, welded.faces, source[welded.source], welded.twin))
    if not again.closed.any():
        return pool, 0, 0.0
    kept = np.flatnonzero(pool.closed)
    number = np.cumsum(pool.closed) - 1
    solid = _Pool(
        pool.vertices,
        pool.faces[~still_open],
        pool.source[~still_open],
        number[pool.shell[~still_open]],
        np.ones(len(kept), dtype=bool),
    )
    return _joined(solid, again), holes, widest


def _volumes(pool: _Pool) -> Floats:
    """(s,) signed volume of each shell, mm^3; positive when its faces look outward."""
    low, high = pool.vertices.min(axis=0), pool.vertices.max(axis=0)
    corners = pool.vertices[pool.faces] - (low + high) / 2
    part = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
    return np.bincount(pool.shell, weights=part, minlength=len(pool.closed)).astype(np.float64)


def _shell_areas(pool: _Pool) -> Floats:
    corners = pool.vertices[pool.faces]
    twice = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    return np.bincount(pool.shell, weights=twice / 2, minlength=len(pool.closed)).astype(np.float64)


class _Closed:
    """The closed shells of a pool, to be asked what lies in them."""

    def __init__(self, pool: _Pool) -> None:
        self._pool = pool
        self._grids: dict[int, tuple[Indices, Indices, float, float, float, int, int]] = {}
        self.numbers = np.flatnonzero(pool.closed)
        self._order = np.argsort(pool.shell, kind="stable")
        self._starts = np.searchsorted(pool.shell[self._order], np.arange(len(pool.closed) + 1))
        self.low = np.full((len(pool.closed), 3), np.inf)
        self.high = -self.low
        if len(pool.faces):
            a, b, c = (pool.vertices[pool.faces[self._order, k]] for k in range(3))
            filled = np.flatnonzero(np.diff(self._starts))
            self.low[filled] = np.minimum.reduceat(np.minimum(np.minimum(a, b), c), self._starts[filled])
            self.high[filled] = np.maximum.reduceat(np.maximum(np.maximum(a, b), c), self._starts[filled])

    def triangles(self, number: int) -> Floats:
        """(k, 3, 3) triangles of one shell."""
        rows = self._order[self._starts[number] : self._starts[number + 1]]
        return self._pool.vertices[self._pool.faces[rows]]

    def hold(self, groups: list[Floats]) -> Bools:
        """(g,) for groups of (k, 3, 3) triangles whether they lie between solids: solid on both sides of all of them.

        The triangles are none of a closed shell's own.
        """
        out = np.zeros(len(groups), dtype=bool)
        if not groups or not len(self.numbers):
            return out
        probes = [group[:: max(1, len(group) // _BURIED)].mean(axis=1) for group in groups]
        points = np.concatenate(probes)
        starts, holders = holding(points, points, self.low[self.numbers], self.high[self.numbers])
        asked = np.repeat(np.arange(len(points)), np.diff(starts))
        by_holder = np.argsort(holders, kind="stable")
        cuts = np.flatnonzero(np.diff(holders[by_holder])) + 1
        inside = np.zeros(len(points), dtype=bool)
        for run in np.split(by_holder, cuts) if len(holders) else []:
            rows = asked[run][~inside[asked[run]]]
            inside[rows] = self.inside(int(self.numbers[holders[run[0]]]), points[rows])
        group = np.repeat(np.arange(len(groups)), [len(some) for some in probes])
        out[:] = True
        out[group[~inside]] = False
        return out

    def inside(self, number: int, points: Floats) -> Bools:
        """(p,) whether (p, 3) points lie in a closed shell."""
        shell = self.triangles(number)
        if len(points) * len(shell) < _FEW:
            return np.array([abs(winding(shell, *point)) > 0.5 for point in points], dtype=bool)
        if number not in self._grids:
            x0, y0, _ = self.low[number]
            wide, deep, _ = self.high[number] - self.low[number]
            cell = max(
                float(np.sqrt(max(wide * deep, 1e-12) * _PER_CELL / len(shell))), max(wide, deep) / 2000, 1e-6
            )
            nx, ny = int(wide / cell) + 1, int(deep / cell) + 1
            self._grids[number] = (*plan_grid(shell, x0, y0, cell, nx, ny), x0, y0, cell, nx, ny)
        found: Bools = crossings(np.ascontiguousarray(points), shell, *self._grids[number]) != 0
        return found


def _face_outward(pool: _Pool) -> tuple[Bools, int]:
    """Turn the pool's closed shells: solids outward, cavities inward; (s,) cavities, and how many were inside out.

    A shell has the role of the smallest shell around it, or the opposite one where it runs the other way round than
    that one did: a cavity in a solid, a solid in a cavity.
    """
    volume = _volumes(pool) * pool.closed
    cavity = np.zeros(len(pool.closed), dtype=bool)
    negative = volume < 0
    if not negative.any():
        return cavity, 0
    solids = _Closed(pool)
    low, high = solids.low[solids.numbers], solids.high[solids.numbers]
    starts, holders = holding(low, high, low, high)
    inner, outer = np.repeat(solids.numbers, np.diff(starts)), solids.numbers[holders]
    size = np.abs(volume)
    asked = negative.copy()
    asked[inner[negative[outer]]] = True
    fits = asked[inner] & (size[outer] > size[inner])
    inner, outer = inner[fits], outer[fits]
    order = np.lexsort((size[outer], inner, -size[inner]))  # what is around something comes before it
    inner, outer = inner[order], outer[order]
    for run in np.split(np.arange(len(inner)), np.flatnonzero(np.diff(inner)) + 1) if len(inner) else []:
        number = int(inner[run[0]])
        own = solids.triangles(number)
        probes = own[:: max(1, len(own) // 6), 0]
        for holder in outer[run]:
            if solids.inside(int(holder), probes).all():
                cavity[number] = cavity[holder] != (negative[number] != negative[holder])
                break
    turn = pool.closed & (negative != cavity)
    wrong = turn[pool.shell]
    pool.faces = np.where(wrong[:, None], pool.faces[:, ::-1], pool.faces)
    return cavity, int((turn & ~cavity).sum())


def _finished(pool: _Pool, node: Indices, cavity: Bools, notes: list[str], warnings: list[str]) -> Solids:
    """The pool in the file's order, without directionless faces, each shell with its own vertices."""
    first = np.full(len(pool.closed), np.iinfo(np.int64).max)
    np.minimum.at(first, pool.shell, pool.source)
    by_file = np.argsort(first, kind="stable")
    rank = np.empty(len(by_file), dtype=np.int64)
    rank[by_file] = np.arange(len(by_file))
    shell = rank[pool.shell]
    order = np.lexsort((pool.source, shell))
    corners = pool.vertices[pool.faces[order]]
    side = np.stack(
        [corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 1], corners[:, 0] - corners[:, 2]], axis=1
    )
    longest = np.linalg.norm(side, axis=2).max(axis=1)
    height = np.linalg.norm(np.cross(side[:, 0], side[:, 1]), axis=1) / np.maximum(longest, 1e-300)
    order = order[height > _FLAT_MM]
    shell, faces = shell[order], pool.faces[order]
    present, shell = np.unique(shell, return_inverse=True)
    key, faces = np.unique(np.repeat(shell, 3) * len(pool.vertices) + faces.ravel(), return_inverse=True)
    vertices = pool.vertices[key % len(pool.vertices)]
    return Solids(
        vertices,
        faces.reshape(-1, 3).astype(np.int64),
        node[pool.source[order]],
        shell.ravel().astype(np.int64),
        pool.closed[by_file][present],
        cavity[by_file][present],
        tuple(notes),
        tuple(warnings),
    )
