"""Cheapest ways of a point on a plane with patches where each step costs more: certified bounds from both sides.

A way is a chain of straight hops between obstacle corners and points on patch edges; each hop lies wholly in one patch or
wholly outside. Patch edges are cut into pieces. The least distance between two pieces, times the price of the ground
between them, bounds a hop from below; hops between middles of pieces are ways that exist and bound it from above. Pieces
that a better way might still use are halved until both bounds meet.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
import shapely
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

_EPS = 1e-7
_OUTSIDE = -1
_MOST = 500
"""more pieces than this are not looked at: the bounds stay as far apart as they are."""


@dataclass(frozen=True)
class Bounds:
    """What a way costs at least and at most; inf where there is none."""

    low: float
    high: float


@dataclass(frozen=True)
class _Nodes:
    """Pieces of patch edges, and points as pieces of no length."""

    a: np.ndarray
    """(n, 2)"""
    b: np.ndarray
    """(n, 2)"""
    patch: np.ndarray
    """(n,) patch on whose edge, or in which a point lies; -1 outside."""
    edge: np.ndarray
    """(n,) number of the edge, unique over all patches; -1 for points."""


def cheapest(
    start: tuple[float, float],
    end: tuple[float, float],
    patches: list[shapely.Polygon],
    inner: list[shapely.Polygon],
    outer: list[shapely.Polygon],
    price: float = 2.0,
    gap: float = 0.4,
) -> Bounds:
    """Bounds of the cheapest way between two points.

    patches: convex, apart from each other and from obstacles. inner, outer: convex obstacles that lie within the true
    ones and around them. gap: bounds that are this near to each other are good enough.
    """
    halves = [_halfplanes(p) for p in patches]
    edges = _edges(patches)
    quarters = np.linspace(0.0, 1.0, 5)
    cuts = np.column_stack([quarters[:-1], quarters[1:]])
    pieces = np.array([(e, *cut) for e in range(len(edges)) for cut in cuts]).reshape(-1, 3)
    low, high = 0.0, np.inf
    while len(pieces) < _MOST:
        ways = _nodes(start, end, patches, edges, pieces, outer)
        high = min(high, _upper(ways, halves, outer, price))
        nodes = _nodes(start, end, patches, edges, pieces, inner)
        forward, backward = (_lower(nodes, halves, inner, price, origin) for origin in (0, 1))
        # what was left out before costs more than this
        low = min(float(forward[0][1]), high - 0.5 * gap)
        if high - low <= gap or not np.isfinite(low):
            break
        # nobody comes to a piece along its edge and leaves it along that edge
        (came, came_along), (left, left_along) = forward, backward
        through = np.min([came + left, came + left_along, came_along + left], axis=0)
        through = through[len(nodes.a) - len(pieces) :]
        pieces = pieces[through < high - 0.5 * gap]
        half = pieces[:, 1:].mean(axis=1)
        first, last = pieces.copy(), pieces.copy()
        first[:, 2], last[:, 1] = half, half
        pieces = np.concatenate([first, last])
    return Bounds(low, high)


def _edges(patches: list[shapely.Polygon]) -> list[tuple[int, np.ndarray, np.ndarray]]:
    """All edges: patch, from, to; counter-clockwise."""
    found = []
    for k, patch in enumerate(patches):
        ring = shapely.get_coordinates(shapely.geometry.polygon.orient(patch, 1.0).exterior)
        found += [(k, a, b) for a, b in itertools.pairwise(ring)]
    return found


def _halfplanes(shape: shapely.Polygon) -> tuple[np.ndarray, np.ndarray]:
    """A convex polygon as inner normals (k, 2) and offsets: inside where n.p > c."""
    ring = shapely.get_coordinates(shapely.geometry.polygon.orient(shape, 1.0).exterior)
    along = np.diff(ring, axis=0)
    normal = np.column_stack([-along[:, 1], along[:, 0]]) / np.linalg.norm(along, axis=1)[:, None]
    return normal, (normal * ring[:-1]).sum(axis=1)


def _nodes(
    start: tuple[float, float],
    end: tuple[float, float],
    patches: list[shapely.Polygon],
    edges: list[tuple[int, np.ndarray, np.ndarray]],
    pieces: np.ndarray,
    obstacles: list[shapely.Polygon],
) -> _Nodes:
    """Start, end, corners of obstacles, then pieces (m, 3): edge, and shares of it where they begin and end."""
    corners = [shapely.get_coordinates(o.exterior)[:-1] for o in obstacles]
    points = np.concatenate([[start, end], *corners])
    within = np.full(len(points), _OUTSIDE)
    for k, patch in enumerate(patches):
        within[shapely.contains(patch, shapely.points(points))] = k
    edge = pieces[:, 0].astype(int)
    patch_of = np.array([k for k, _, _ in edges], int)[edge]
    p, q = np.array([a for _, a, _ in edges])[edge], np.array([b for _, _, b in edges])[edge]
    return _Nodes(
        a=np.concatenate([points, p + pieces[:, 1:2] * (q - p)]),
        b=np.concatenate([points, p + pieces[:, 2:3] * (q - p)]),
        patch=np.concatenate([within, patch_of]),
        edge=np.concatenate([np.full(len(points), -1), edge]),
    )


def _through(p: np.ndarray, q: np.ndarray, shape: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """Share (n,) of segments (n, 2) to (n, 2) that lies inside a convex shape's interior."""
    normal, offset = shape
    first, last = np.zeros(len(p)), np.ones(len(p))
    for n, c in zip(normal, offset, strict=True):
        at, to = p @ n - c - _EPS, q @ n - c - _EPS
        with np.errstate(divide="ignore", invalid="ignore"):
            t = at / (at - to)
        first = np.where((at < 0) & (to >= 0), np.maximum(first, t), first)
        last = np.where((at >= 0) & (to < 0), np.minimum(last, t), last)
        last = np.where((at < 0) & (to < 0), -1.0, last)
    return np.maximum(last - first, 0.0)


def _apart(nodes: _Nodes, i: np.ndarray, j: np.ndarray) -> np.ndarray:
    """Least distances between pieces."""

    def off(p: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        d = b - a
        square = (d * d).sum(axis=1)
        t = np.clip(((p - a) * d).sum(axis=1) / np.maximum(square, 1e-30), 0.0, 1.0)
        return np.asarray(np.linalg.norm(a + t[:, None] * d - p, axis=1))

    a, b, c, d = nodes.a[i], nodes.b[i], nodes.a[j], nodes.b[j]
    found: np.ndarray = np.min([off(a, c, d), off(b, c, d), off(c, a, b), off(d, a, b)], axis=0)
    return found


def _parted(nodes: _Nodes, i: np.ndarray, j: np.ndarray, shape: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """Whether a convex shape lies across all lines between two pieces: it meets both sides of what they span."""
    a, b, c, d = nodes.a[i], nodes.b[i], nodes.a[j], nodes.b[j]

    def side(p: np.ndarray, q: np.ndarray, r: np.ndarray) -> np.ndarray:
        return (q[:, 0] - p[:, 0]) * (r[:, 1] - p[:, 1]) - (q[:, 1] - p[:, 1]) * (r[:, 0] - p[:, 0])

    # the pairing of ends whose lines do not cross
    crossed = (side(a, c, b) * side(a, c, d) < 0) & (side(b, d, a) * side(b, d, c) < 0)
    c, d = np.where(crossed[:, None], d, c), np.where(crossed[:, None], c, d)
    return (_through(a, c, shape) > 1e-9) & (_through(b, d, shape) > 1e-9)


def _pairs(nodes: _Nodes, halves: list[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, ...]:
    """Pairs that may be one hop by the ground they lie on: i, j, price factor is inside, along one edge."""
    n = len(nodes.a)
    i, j = np.triu_indices(n, 1)
    inside = (nodes.patch[i] == nodes.patch[j]) & (nodes.patch[i] != _OUTSIDE)
    along = (nodes.edge[i] == nodes.edge[j]) & (nodes.edge[i] >= 0)
    keep = inside.copy()
    # a hop outside leaves an edge on its outer side, and no point inside a patch is left any other way
    rest = np.flatnonzero(~inside)
    fine = np.ones(len(rest), bool)
    first = 0
    for k, (normal, offset) in enumerate(halves):
        for m, c in zip(normal, offset, strict=True):
            inner = (nodes.a @ m >= c - _EPS) & (nodes.b @ m >= c - _EPS)
            on = nodes.edge == first
            first += 1
            fine &= ~(on[i[rest]] & inner[j[rest]]) & ~(on[j[rest]] & inner[i[rest]])
        caught = (nodes.patch == k) & (nodes.edge < 0)
        fine &= ~caught[i[rest]] & ~caught[j[rest]]
    keep[rest] = fine
    return i[keep], j[keep], inside[keep] & ~along[keep], along[keep]


def _lower(
    nodes: _Nodes,
    halves: list[tuple[np.ndarray, np.ndarray]],
    obstacles: list[shapely.Polygon],
    price: float,
    origin: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Least that a way from start (0) or end (1) to each node can cost: over other ground, and along its edge."""
    i, j, inside, along = _pairs(nodes, halves)
    free = np.ones(len(i), bool)
    for obstacle in obstacles:
        free &= ~_parted(nodes, i, j, _halfplanes(obstacle))
    for k, shape in enumerate(halves):
        own = inside & (nodes.patch[i] == k)
        free &= own | along | ~_parted(nodes, i, j, shape)
    i, j, inside, along = i[free], j[free], inside[free], along[free]
    cost = _apart(nodes, i, j) * np.where(inside, price, 1.0) + 1e-12
    # two states: n + k is node k reached along its edge, from where the way does not go on along that edge
    n = len(nodes.a)
    rows = [i, j, i[~along] + n, j[~along] + n]
    cols = [np.where(along, j + n, j), np.where(along, i + n, i), j[~along], i[~along]]
    costs = [cost, cost, cost[~along], cost[~along]]
    graph = csr_matrix((np.concatenate(costs), (np.concatenate(rows), np.concatenate(cols))), (2 * n, 2 * n))
    far = dijkstra(graph, indices=origin)
    return far[:n], far[n:]


def _upper(
    nodes: _Nodes, halves: list[tuple[np.ndarray, np.ndarray]], obstacles: list[shapely.Polygon], price: float
) -> float:
    """What the cheapest way over middles of pieces costs."""
    at = 0.5 * (nodes.a + nodes.b)
    i, j = np.triu_indices(len(at), 1)
    p, q = at[i], at[j]
    free = np.ones(len(i), bool)
    for obstacle in obstacles:
        free &= _through(p, q, _halfplanes(obstacle)) * np.linalg.norm(q - p, axis=1) < 1e-6
    i, j, p, q = i[free], j[free], p[free], q[free]
    slow = sum((_through(p, q, shape) for shape in halves), np.zeros(len(i)))
    cost = np.linalg.norm(q - p, axis=1) * (1.0 + (price - 1.0) * slow) + 1e-12
    graph = csr_matrix(
        (np.tile(cost, 2), (np.concatenate([i, j]), np.concatenate([j, i]))), (len(at), len(at))
    )
    return float(dijkstra(graph, indices=0)[1])
