"""A model's own triangles as its file has them, welded: what is open, doubled, inside out or crosses itself."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from sandbox.scene.model import Unit, UpAxis
from sandbox.terrain.formats.raw import RawModel
from sandbox.terrain.kernels.touch import cluster
from sandbox.terrain.kernels.winding import winding
from sandbox.terrain.place import upright

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

WELD_MM = 1e-3
"""corners closer than this are one."""
HOLE_MM = 0.5
"""rims shorter than this are no hole that anybody sees."""
TOUCH_MM = 0.05
MOST_PAIRS = 6_000_000
"""more pairs of neighbouring triangles are not looked through for crossings."""
_DEEP_MM = 0.02


@dataclass(frozen=True, eq=False)
class Mesh:
    """Welded triangles of one file."""

    vertices: Floats
    """(n, 3) mm, z up, the model's own coordinates."""
    faces: Ints
    """(m, 3) without repeats and without triangles that have no area."""
    shell: Ints
    """(m,) shell of each face: faces that hang together by edges."""
    repeated: Ints
    """(k,) corners' triangle of each repeat, as rows of `dropped`."""
    dropped: Floats
    """(k, 3, 3) the repeats."""
    paired: int
    """pairs of opposite faces: walls between two solids that were never united."""

    @property
    def corners(self) -> Floats:
        """(m, 3, 3)."""
        return np.asarray(self.vertices[self.faces])

    @property
    def shells(self) -> int:
        """How many shells."""
        return int(self.shell.max()) + 1 if len(self.shell) else 0


def read_mesh(raw: RawModel, units: Unit | None, up: UpAxis | None, scale: float) -> Mesh:
    """The triangles of a file."""
    points, corners, before = [], [], 0
    for node in raw.nodes:
        points.append(node.vertices)
        corners.append(node.faces + before)
        before += len(node.vertices)
    vertices = upright(np.concatenate(points), units or raw.unit, up or raw.up, scale)
    faces = np.concatenate(corners)
    _, first, index = np.unique(
        np.round(vertices / WELD_MM).astype(np.int64), axis=0, return_index=True, return_inverse=True
    )
    vertices, faces = vertices[first], index.reshape(-1)[faces]
    whole = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])
    faces = faces[whole]
    rolled = np.argmin(faces, axis=1)
    turned = np.stack([faces[np.arange(len(faces)), (rolled + k) % 3] for k in range(3)], axis=1)
    _, kept = np.unique(turned, axis=0, return_index=True)
    same = np.ones(len(faces), bool)
    same[kept] = False
    dropped = vertices[faces[same]]
    faces = faces[np.sort(kept)]
    _, counts = np.unique(np.sort(faces, axis=1), axis=0, return_counts=True)
    return Mesh(vertices, faces, _shells(faces), np.flatnonzero(same), dropped, int((counts > 1).sum()))


def _edges(faces: Ints) -> tuple[Ints, Ints]:
    """Undirected edges (3m, 2) and the face of each."""
    edges = np.sort(faces[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    return edges, np.repeat(np.arange(len(faces)), 3)


def _shells(faces: Ints) -> Ints:
    edges, owner = _edges(faces)
    order = np.lexsort(edges.T)
    edges, owner = edges[order], owner[order]
    same = (edges[1:] == edges[:-1]).all(axis=1)
    # where more than two faces meet, solids touch along an edge
    alone = same & ~np.append(False, same[:-1]) & ~np.append(same[1:], False)
    pair = np.flatnonzero(alone)
    graph = coo_array((np.ones(len(pair)), (owner[pair], owner[pair + 1])), shape=(len(faces),) * 2)
    _, label = connected_components(graph, directed=False)
    return np.asarray(label, np.int64)


def rims(mesh: Mesh) -> list[tuple[float, Floats]]:
    """Open rims: (length mm, a point (3,) on it) of each, longest first."""
    edges, _ = _edges(mesh.faces)
    unique, counts = np.unique(edges, axis=0, return_counts=True)
    loose = unique[counts == 1]
    if not len(loose):
        return []
    length = np.linalg.norm(mesh.vertices[loose[:, 0]] - mesh.vertices[loose[:, 1]], axis=1)
    graph = coo_array((np.ones(len(loose)), (loose[:, 0], loose[:, 1])), shape=(len(mesh.vertices),) * 2)
    _, label = connected_components(graph, directed=False)
    group = label[loose[:, 0]]
    answer = []
    for number in np.unique(group):
        rows = np.flatnonzero(group == number)
        total = float(length[rows].sum())
        if total >= HOLE_MM:
            longest = loose[rows[np.argmax(length[rows])]]
            answer.append((total, np.asarray(mesh.vertices[longest].mean(axis=0))))
    return sorted(answer, key=lambda one: -one[0])


def closed_shells(mesh: Mesh) -> Bools:
    """(s,) shells on whose every edge an even number of their own faces meet."""
    edges, owner = _edges(mesh.faces)
    rows = np.column_stack([mesh.shell[owner], edges])
    _, index, counts = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
    odd = counts[index.reshape(-1)] % 2 == 1
    closed = np.ones(mesh.shells, bool)
    closed[mesh.shell[owner[odd]]] = False
    return closed


def inside_out(mesh: Mesh) -> list[tuple[float, Floats]]:
    """Closed shells that are turned inside out: (volume mm3, a corner (3,)) of each. Cavities are not."""
    closed = closed_shells(mesh)
    corners = mesh.corners
    middle = mesh.vertices.mean(axis=0)
    relative = corners - middle
    part = np.einsum("ij,ij->i", relative[:, 0], np.cross(relative[:, 1], relative[:, 2])) / 6
    volume = np.bincount(mesh.shell, weights=part, minlength=mesh.shells)
    answer = []
    for number in np.flatnonzero(closed & (volume < -1e-3)):
        own = corners[mesh.shell == number]
        low, high = own.min(axis=(0, 1)), own.max(axis=(0, 1))
        point = own[0].mean(axis=0)
        held = False
        for other in np.flatnonzero(closed & (volume > -volume[number])):
            around = corners[mesh.shell == other]
            if (around.min(axis=(0, 1)) <= low).all() and (around.max(axis=(0, 1)) >= high).all():
                held = held or winding(around, *point) > 0.5
        if not held:
            answer.append((float(-volume[number]), np.asarray(own[0, 0])))
    return answer


def clusters(mesh: Mesh) -> Ints:
    """(m,) cluster of each face: shells that touch or hold each other."""
    order = np.argsort(mesh.shell, kind="stable")
    starts = np.searchsorted(mesh.shell[order], np.arange(mesh.shells + 1))
    triangles = mesh.corners[order]
    low = np.minimum.reduceat(triangles[:, :, 0].min(axis=1), starts[:-1])
    first = cluster(
        triangles,
        starts,
        np.argsort(low),
        0,
        np.zeros(mesh.shells, np.int64),
        closed_shells(mesh),
        TOUCH_MM,
    )
    _, label = np.unique(first, return_inverse=True)
    return np.asarray(label.reshape(-1)[mesh.shell], np.int64)


def crossings(mesh: Mesh) -> tuple[Floats, Floats] | None:
    """Where triangles cross each other: (k, 3) within one shell, and (k, 3) between shells. None: too many to look at."""
    corners = mesh.corners
    low, high = corners.min(axis=1) + _DEEP_MM / 2, corners.max(axis=1) - _DEEP_MM / 2
    low, high = np.minimum(low, high), np.maximum(low, high)
    axes = np.argsort(-np.ptp(mesh.vertices, axis=0))
    a, b, c = axes
    tree = shapely.STRtree(shapely.box(low[:, a], low[:, b], high[:, a], high[:, b]))
    inner: list[Floats] = []
    outer: list[Floats] = []
    seen = 0
    step = 4000
    for first in range(0, len(corners), step):
        rows = np.arange(first, min(first + step, len(corners)))
        boxes = shapely.box(low[rows, a], low[rows, b], high[rows, a], high[rows, b])
        one, other = tree.query(boxes)
        one = rows[one]
        keep = (other > one) & (low[one, c] <= high[other, c]) & (high[one, c] >= low[other, c])
        one, other = one[keep], other[keep]
        shared = (mesh.faces[one][:, :, None] == mesh.faces[other][:, None, :]).any(axis=(1, 2))
        one, other = one[~shared], other[~shared]
        seen += len(one)
        if seen > MOST_PAIRS:
            return None
        at = _crossing(corners[one], corners[other])
        hit = np.isfinite(at[:, 0])
        same = mesh.shell[one[hit]] == mesh.shell[other[hit]]
        inner.append(at[hit][same])
        outer.append(at[hit][~same])
    return np.concatenate(inner or [np.zeros((0, 3))]), np.concatenate(outer or [np.zeros((0, 3))])


def _crossing(one: Floats, other: Floats) -> Floats:
    """(k, 3) a point where an edge of one triangle goes clearly through the other; nan where none does."""
    answer = np.full((len(one), 3), np.nan)
    for a, b in ((one, other), (other, one)):
        u, v = b[:, 1] - b[:, 0], b[:, 2] - b[:, 0]
        normal = np.cross(u, v)
        size = np.linalg.norm(normal, axis=1, keepdims=True)
        normal = normal / np.maximum(size, 1e-300)
        away = np.einsum("kij,kj->ki", a - b[:, None, 0], normal)
        for i in range(3):
            j = (i + 1) % 3
            through = (away[:, i] * away[:, j] < 0) & (
                np.minimum(np.abs(away[:, i]), np.abs(away[:, j])) > _DEEP_MM
            )
            if not through.any():
                continue
            t = away[through, i] / (away[through, i] - away[through, j])
            point = a[through, i] + t[:, None] * (a[through, j] - a[through, i])
            w = point - b[through, 0]
            uu = np.einsum("ij,ij->i", u[through], u[through])
            vv = np.einsum("ij,ij->i", v[through], v[through])
            uv = np.einsum("ij,ij->i", u[through], v[through])
            wu = np.einsum("ij,ij->i", w, u[through])
            wv = np.einsum("ij,ij->i", w, v[through])
            det = np.maximum(uu * vv - uv * uv, 1e-300)
            s, r = (wu * vv - wv * uv) / det, (wv * uu - wu * uv) / det
            # clearly inside, so that faces that merely meet along an edge do not count
            margin = 1e-3
            inside = (s > margin) & (r > margin) & (s + r < 1 - margin)
            rows = np.flatnonzero(through)[inside]
            answer[rows] = point[inside]
    return answer
