"""Exact shortest paths of a round base on a flat board, independent of the search: visibility graphs over grown obstacles.

Obstacles grown by the base's radius have round corners. A polygon inscribed in every arc lies inside the true shape and
gives a lower bound; one circumscribed about it lies outside and gives an upper bound: the truth is bracketed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra


@dataclass(frozen=True)
class Bracket:
    """Bounds of the shortest distances to each target, mm; inf where that board has no way."""

    low: np.ndarray
    high: np.ndarray


def grown(polygon: shapely.Polygon, radius: float, step: float, outside: bool) -> shapely.Polygon:
    """A convex polygon grown by a disc, with its arcs cut into chords (inside) or tangents (outside) of `step` radians."""
    hull = shapely.normalize(shapely.convex_hull(polygon))
    ring = shapely.get_coordinates(shapely.geometry.polygon.orient(hull, 1.0).exterior)[:-1]
    points = []
    for before, at, after in zip(np.roll(ring, 1, axis=0), ring, np.roll(ring, -1, axis=0), strict=True):
        first = np.arctan2(at[1] - before[1], at[0] - before[0]) - np.pi / 2
        last = np.arctan2(after[1] - at[1], after[0] - at[0]) - np.pi / 2
        turn = (last - first) % (2 * np.pi)
        pieces = max(1, int(np.ceil(turn / step)))
        angles = first + turn * np.arange(pieces + 1) / pieces
        if outside:
            middle = (angles[1:] + angles[:-1]) / 2
            far = radius / np.cos(turn / pieces / 2)
            points.append(at + far * np.column_stack([np.cos(middle), np.sin(middle)]))
            points.append(at + radius * np.column_stack([np.cos(angles[[0, -1]]), np.sin(angles[[0, -1]])]))
        else:
            points.append(at + radius * np.column_stack([np.cos(angles), np.sin(angles)]))
    return shapely.convex_hull(shapely.MultiPoint(np.concatenate(points)))


def disc(x: float, y: float, radius: float, step: float, outside: bool) -> shapely.Polygon:
    """A polygon inscribed in a circle or circumscribed about it."""
    count = int(np.ceil(2 * np.pi / step))
    angle = 2 * np.pi * np.arange(count) / count
    far = radius / np.cos(np.pi / count) if outside else radius
    return shapely.Polygon(np.column_stack([x + far * np.cos(angle), y + far * np.sin(angle)]))


def distances(
    obstacles: list[shapely.Polygon],
    radius: float,
    start: tuple[float, float],
    targets: np.ndarray,
    *,
    discs: list[tuple[float, float, float]] | None = None,
    board: shapely.Polygon | None = None,
    step: float = 0.16,
    slack: float = 0.0,
) -> Bracket:
    """Bracketed shortest distances of a base's centre from start to targets (p, 2) among convex obstacles, mm.

    discs: x, y, radius for the centre (not grown). board: where the centre may be; None: anywhere. slack: how much
    nearer (low) or farther (high) than touching the base may have to keep, for openings about as wide as it is.
    """
    answers = []
    for outside in (False, True):
        off = slack if outside else -slack
        shapes = [grown(o, radius + off, step, outside) for o in obstacles]
        shapes += [disc(x, y, r + off, step, outside) for x, y, r in discs or []]
        answers.append(_shortest(shapes, np.array(start, float), np.asarray(targets, float), board))
    return Bracket(low=answers[0], high=answers[1])


def _shortest(
    shapes: list[shapely.Polygon], start: np.ndarray, targets: np.ndarray, board: shapely.Polygon | None
) -> np.ndarray:
    """Shortest distances around solid polygons, start and targets outside them."""
    # corners that all but coincide would hide each other's turn
    solid = shapely.remove_repeated_points(shapely.union_all(shapes), 1e-6) if shapes else shapely.Polygon()
    rings = [
        shapely.geometry.polygon.orient(part, 1.0)
        for part in shapely.get_parts(solid)
        if isinstance(part, shapely.Polygon) and not part.is_empty
    ]
    vertices, before, after = [], [], []
    for part in rings:
        for ring in (part.exterior, *part.interiors):
            at = shapely.get_coordinates(ring)[:-1]
            prev, nxt = np.roll(at, 1, axis=0), np.roll(at, -1, axis=0)
            a, b = at - prev, nxt - at
            sides = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
            convex = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0] > 1e-9 * sides
            vertices.append(at[convex])
            before.append(prev[convex])
            after.append(nxt[convex])
    none = np.zeros((0, 2))
    nodes = (
        np.concatenate([start[None], *vertices, targets])
        if vertices
        else np.concatenate([start[None], targets])
    )
    prev = np.concatenate(before) if before else none
    nxt = np.concatenate(after) if after else none
    corners = len(prev)
    if board is not None:
        outside = ~shapely.covers(board, shapely.points(nodes[1 : 1 + corners]))
    else:
        outside = np.zeros(corners, bool)
    walls = _walls(rings)
    core = solid.buffer(-1e-6, join_style="mitre")
    shapely.prepare(core)
    rows, cols, lengths = [], [], []
    ends = np.arange(1, len(nodes))
    for k in range(1 + corners):
        if k > 0 and outside[k - 1]:
            continue
        to = ends[ends != k]
        to = to[(to > corners) | (to > k)]
        if k > 0:
            to = to[_tangent(nodes[k], prev[k - 1], nxt[k - 1], nodes[to])]
        turn = to[(to <= corners)]
        good = np.ones(len(to), bool)
        if len(turn):
            inner = to <= corners
            good[inner] = ~outside[to[inner] - 1]
            keep = np.flatnonzero(inner & good)
            c = to[keep] - 1
            good[keep] = _tangents(nodes[to[keep]], prev[c], nxt[c], nodes[k])
        to = to[good]
        to = to[~_blocked(nodes[k], nodes[to], walls)]
        # what slips through exactly at a corner crosses no side, but runs inside
        ends_here = nodes[to]
        segments = shapely.linestrings(
            np.stack([np.broadcast_to(nodes[k], ends_here.shape), ends_here], axis=1)
        )
        to = to[~shapely.intersects(core, segments)]
        rows.append(np.full(len(to), k))
        cols.append(to)
        lengths.append(np.linalg.norm(nodes[to] - nodes[k], axis=1))
    r, c, d = np.concatenate(rows), np.concatenate(cols), np.concatenate(lengths)
    # targets are ends only: a way may not turn at one, nor pass through one that lies inside an obstacle
    back = c <= corners
    graph = csr_matrix(
        (np.concatenate([d, d[back]]), (np.concatenate([r, c[back]]), np.concatenate([c, r[back]]))),
        (len(nodes), len(nodes)),
    )
    far = dijkstra(graph, indices=0)[1 + corners :]
    lost = shapely.contains(solid, shapely.points(targets))
    return np.where(lost, np.inf, far)


def _tangent(at: np.ndarray, prev: np.ndarray, nxt: np.ndarray, to: np.ndarray) -> np.ndarray:
    """Whether lines from a corner to points pass the corner by rather than into it."""
    d = to - at
    a, b = at - prev, nxt - at
    s1 = a[0] * d[:, 1] - a[1] * d[:, 0]
    s2 = b[0] * d[:, 1] - b[1] * d[:, 0]
    return (s1 * s2) <= 1e-9 * (1.0 + np.abs(s1) + np.abs(s2))


def _tangents(at: np.ndarray, prev: np.ndarray, nxt: np.ndarray, origin: np.ndarray) -> np.ndarray:
    d = origin - at
    a, b = at - prev, nxt - at
    s1 = a[:, 0] * d[:, 1] - a[:, 1] * d[:, 0]
    s2 = b[:, 0] * d[:, 1] - b[:, 1] * d[:, 0]
    return (s1 * s2) <= 1e-9 * (1.0 + np.abs(s1) + np.abs(s2))


def _walls(rings: list[shapely.Polygon]) -> np.ndarray:
    """(w, 4) sides of all rings."""
    out = [np.zeros((0, 4))]
    for part in rings:
        for ring in (part.exterior, *part.interiors):
            at = shapely.get_coordinates(ring)
            out.append(np.hstack([at[:-1], at[1:]]))
    return np.concatenate(out)


def _blocked(origin: np.ndarray, to: np.ndarray, walls: np.ndarray) -> np.ndarray:
    """Whether segments from origin cross a wall properly (touching is free)."""
    out = np.zeros(len(to), bool)
    if not len(walls) or not len(to):
        return out
    p, q = walls[:, :2], walls[:, 2:]
    s = q - p
    size = 1e-9
    for first in range(0, len(to), 256):
        d = to[first : first + 256] - origin
        # orientation of wall ends about the segment, and of segment ends about the wall
        o1 = d[:, None, 0] * (p[None, :, 1] - origin[1]) - d[:, None, 1] * (p[None, :, 0] - origin[0])
        o2 = d[:, None, 0] * (q[None, :, 1] - origin[1]) - d[:, None, 1] * (q[None, :, 0] - origin[0])
        length = np.linalg.norm(d, axis=1)[:, None] + 1.0
        o3 = s[:, 0] * (origin[1] - p[:, 1]) - s[:, 1] * (origin[0] - p[:, 0])
        o4 = o3[None] + s[None, :, 0] * d[:, None, 1] - s[None, :, 1] * d[:, None, 0]
        wall = np.linalg.norm(s, axis=1) + 1.0
        cross = (
            (np.minimum(o1, o2) < -size * length)
            & (np.maximum(o1, o2) > size * length)
            & (np.minimum(o3[None], o4) < -size * wall)
            & (np.maximum(o3[None], o4) > size * wall)
        )
        out[first : first + 256] = cross.any(axis=1)
    return out
