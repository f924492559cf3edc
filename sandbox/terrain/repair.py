"""Law 2, Solids: raw triangles become shells that are solid or sheets.

Weld; drop repeated faces; cap small holes; split into shells; turn solids outward and cavities inward. Nothing is
cut or joined where pieces interpenetrate: winding numbers add up.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sandbox.terrain.caps import find_caps
from sandbox.terrain.edges import components, edge_table, link, mates_of, orient
from sandbox.terrain.formats.raw import Floats, Indices
from sandbox.terrain.kernels.winding import winding
from sandbox.terrain.weld import Welded, weld

Bools = NDArray[np.bool_]

THIN_MM = 0.001
"""A closed shell thinner than this on average is a sheet drawn on both sides."""
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
    doubtful: list[Indices] = []
    sheets: list[Indices] = []
    if not plain.all():
        joined, sheets, doubtful = _twin_regions(faces, twin)
        plain[joined] = True
    body = np.flatnonzero(plain)
    caps = find_caps(vertices, faces[body])
    source = welded.source[body]
    if caps.holes:
        source = np.concatenate((source, _rim_source(faces[body], source, caps.faces)))
    pool = _split(vertices, np.concatenate((faces[body], caps.faces)), source)
    for region in doubtful:
        if not _between_solids(pool, vertices, faces[region]):
            sheets.append(region)
    for region in sheets:
        flat = _split(vertices, faces[region], welded.source[region])
        pool = _joined(pool, flat)
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


def _joined(one: _Pool, other: _Pool) -> _Pool:
    """Two pools as one; they share no vertex afterwards."""
    return _Pool(
        np.concatenate((one.vertices, other.vertices)),
        np.concatenate((one.faces, other.faces + len(one.vertices))),
        np.concatenate((one.source, other.source)),
        np.concatenate((one.shell, other.shell + len(one.closed))),
        np.concatenate((one.closed, other.closed)),
    )


def _twin_regions(faces: Indices, twin: Indices) -> tuple[Indices, list[Indices], list[Indices]]:
    """What becomes of pairs of opposite faces, one face of each pair standing for both.

    Joined: single faces that close an edge of the rest. Sheets: regions with a free edge, or with nothing around.
    Doubtful: regions whose rim closes without them; they go where they lie between solids.
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
    gap, free, rim = (np.zeros(count, dtype=bool) for _ in range(3))
    gap[region[member[rest[edge] == 1]]] = True
    free[region[member[(rest[edge] == 0) & (pairs[edge] == 1)]]] = True
    rim[region[member[rest[edge] >= 2]]] = True
    joined = chosen[gap[region]]
    members = [chosen[region == number] for number in range(count)]
    sheets = [members[number] for number in np.flatnonzero(~gap & (free | ~rim))]
    doubtful = [members[number] for number in np.flatnonzero(~gap & ~free & rim)]
    return joined, sheets, doubtful


def _between_solids(pool: _Pool, vertices: Floats, region: Indices) -> bool:
    """Whether faces of (k, 3) lie inside what remains closed without them: solid on both sides."""
    corners = vertices[region]
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    point = corners[int(np.argmax(area))].mean(axis=0)
    low, high = _boxes(pool)
    near = pool.closed & (low <= point).all(axis=1) & (high >= point).all(axis=1)
    inside = 0.0
    for number in np.flatnonzero(near):
        inside += abs(winding(pool.vertices[pool.faces[pool.shell == number]], *point))
    return bool(inside > 0.5)


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


def _boxes(pool: _Pool) -> tuple[Floats, Floats]:
    """(s, 3) lowest and highest corner of each shell."""
    low = np.full((len(pool.closed), 3), np.inf)
    high = -low
    order = np.argsort(pool.shell, kind="stable")
    corners = pool.vertices[pool.faces[order]]
    starts = np.flatnonzero(np.diff(pool.shell[order], prepend=-1))
    if len(starts):
        low[pool.shell[order[starts]]] = np.minimum.reduceat(corners.min(axis=1), starts)
        high[pool.shell[order[starts]]] = np.maximum.reduceat(corners.max(axis=1), starts)
    return low, high


def _face_outward(pool: _Pool) -> tuple[Bools, int]:
    """Turn the pool's closed shells: solids outward, cavities inward; (s,) cavities, and how many were inside out.

    A shell is a cavity where it lies in another and runs the other way round than that one did.
    """
    volume = _volumes(pool) * pool.closed
    cavity = np.zeros(len(pool.closed), dtype=bool)
    negative = volume < 0
    if not negative.any():
        return cavity, 0
    low, high = _boxes(pool)
    order = np.argsort(pool.shell, kind="stable")
    starts = np.searchsorted(pool.shell[order], np.arange(len(pool.closed) + 1))
    solid = np.flatnonzero(pool.closed)
    for number in solid:
        around = solid[(low[solid] <= low[number]).all(axis=1) & (high[solid] >= high[number]).all(axis=1)]
        around = around[(around != number) & (np.abs(volume[around]) > abs(volume[number]))]
        if not (negative[number] or negative[around].any()):
            continue
        members = order[starts[number] : starts[number + 1]]
        probes = pool.vertices[pool.faces[members[:: max(1, len(members) // 6)], 0]]
        for holder in around[np.argsort(np.abs(volume[around]))]:
            shell = pool.vertices[pool.faces[order[starts[holder] : starts[holder + 1]]]]
            if all(abs(winding(shell, *probe)) > 0.5 for probe in probes):
                cavity[number] = negative[number] != negative[holder]
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
