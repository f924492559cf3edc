"""Flat boards for the search: places on a grid among obstacles grown by a base, exact at their edges, built by shapely."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import shapely

from sandbox.ground.model import Body, Limit, Links, Place, Places, Question

PITCH = 1.27
STEPS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))


@dataclass(frozen=True)
class Board:
    """A flat board: places, and the obstacles' polygons before they are grown."""

    places: Places
    obstacles: list[shapely.Polygon]
    radius: float


def flat(
    size: tuple[float, float],
    obstacles: list[shapely.Polygon],
    radius: float,
    pitch: float = PITCH,
    origin: tuple[float, float] = (0.0, 0.0),
    refused: bool = False,
) -> Board:
    """Places of a round base on a level board among convex obstacles, mm.

    refused: ground without room for the base is there too, with its limit and without links.
    """
    nx = int(np.floor(size[0] / pitch)) + 1
    ny = int(np.floor(size[1] / pitch)) + 1
    x0, y0 = origin
    gx, gy = np.meshgrid(x0 + pitch * np.arange(nx), y0 + pitch * np.arange(ny))
    pos = np.stack([gx.ravel(), gy.ravel()], axis=1)
    total = len(pos)
    columns = pos.copy()
    nearest = np.full((total, 2), np.inf)
    touch = np.full((total, 2, 2), np.nan)
    corner = np.zeros(total, bool)
    for polygon in obstacles:
        _fold(polygon, pos, radius, pitch, nearest, touch, corner)
    gap = nearest[:, 0] - radius
    # cells that the grown outline cuts: the point that just touches
    away = pos - touch[:, 0]
    length = np.linalg.norm(away, axis=1)
    cut = np.isfinite(gap) & (np.abs(gap) <= pitch) & (length > 1e-9)
    on = touch[:, 0] + away * (radius / np.where(cut, length, 1.0))[:, None]
    inside = cut & (np.abs(on - columns) <= 0.5 * pitch).all(axis=1)
    second = np.linalg.norm(on - touch[:, 1], axis=1)
    inside &= ~(second < radius - 1e-9)
    free = gap >= 0.0
    open_ = free | inside
    tight = np.isfinite(gap) & (nearest[:, 0] > 0.0) & ~open_
    keep = open_ | (tight if refused else False)
    pos = np.where(inside[:, None], on, pos)
    edge = open_ & (gap < pitch)
    number = np.full(total, -1, np.int64)
    number[keep] = np.arange(keep.sum())
    cell = np.flatnonzero(keep)
    pos, edge, touch = pos[cell], edge[cell], touch[cell]
    bend = (inside & corner)[cell]
    start = np.zeros(total + 1, np.int32)
    start[1:] = np.cumsum(keep)
    neighbour = np.full((len(cell), 8), -1, np.int32)
    grid = number.reshape(ny, nx)
    i, j = cell % nx, cell // nx
    for e, (di, dj) in enumerate(STEPS):
        ok = (i + di >= 0) & (i + di < nx) & (j + dj >= 0) & (j + dj < ny)
        neighbour[ok, e] = grid[j[ok] + dj, i[ok] + di]
    no_room = ~open_[cell]
    neighbour[no_room] = -1
    neighbour[no_room[neighbour] & (neighbour >= 0)] = -1
    # along a corner's arc two places are linked although the straight line between them sags into it
    sag = max(0.05, 2.0 * pitch**2 / (8.0 * radius) * 1.6)
    for p in np.flatnonzero(edge):
        for e in range(8):
            q = neighbour[p, e]
            if q < 0:
                continue
            near = np.concatenate([touch[p], touch[q]])
            near = near[np.isfinite(near[:, 0])]
            d = pos[q] - pos[p]
            t = np.clip(((near - pos[p]) @ d) / max(1e-12, d @ d), 0.0, 1.0)
            if (np.linalg.norm(pos[p] + t[:, None] * d - near, axis=1) < radius - sag).any():
                neighbour[p, e] = -1
                neighbour[q, (e + 4) % 8] = -1
    n = len(cell)
    flags = np.full(n, Place.PASS | Place.STAND, np.uint8)
    flags[no_room] = 0
    flags[edge] |= np.uint8(Place.EDGE)
    flags[bend] |= np.uint8(Place.BEND)
    places = Places(
        body=Body(radius, radius, 35.0),
        x0=x0,
        y0=y0,
        pitch=pitch,
        nx=nx,
        ny=ny,
        start=start,
        cell=cell.astype(np.int32),
        pos=np.ascontiguousarray(np.column_stack([pos, np.zeros(n)])),
        lift=np.zeros(n),
        flags=flags,
        part=np.zeros(n, np.int32),
        area=np.full(n, -1, np.int32),
        gradient=np.zeros((n, 2), np.float32),
        neighbour=neighbour,
        touch=np.ascontiguousarray(touch),
        zone=np.full(n, -1, np.int32),
        limit=np.where(no_room, Limit.NO_ROOM, 0).astype(np.uint8),
        measured=np.where(no_room, nearest[cell, 0], np.nan),
        rest=np.ascontiguousarray(np.column_stack([pos, np.zeros(n)])),
        culprit=np.full(n, -1, np.int32),
        stand_limit=np.zeros(n, np.uint8),
        stand_measured=np.full(n, np.nan),
    )
    return Board(places, obstacles, radius)


def _fold(
    polygon: shapely.Polygon,
    pos: np.ndarray,
    radius: float,
    pitch: float,
    nearest: np.ndarray,
    touch: np.ndarray,
    corner: np.ndarray,
) -> None:
    """Fold one polygon's nearest points into the two nearest of every column."""
    x0, y0, x1, y1 = polygon.bounds
    far = radius + 2.5 * pitch
    rows = np.flatnonzero(
        (pos[:, 0] > x0 - far) & (pos[:, 0] < x1 + far) & (pos[:, 1] > y0 - far) & (pos[:, 1] < y1 + far)
    )
    points = shapely.points(pos[rows])
    inner = shapely.contains(polygon, points)
    ring = polygon.exterior
    along = shapely.line_interpolate_point(ring, shapely.line_locate_point(ring, points))
    at = shapely.get_coordinates(along)
    d = np.linalg.norm(pos[rows] - at, axis=1)
    d[inner] *= -1.0
    vertices = shapely.get_coordinates(ring)
    vertex = (np.linalg.norm(at[:, None, :] - vertices[None], axis=2) < 1e-6).any(axis=1)
    near = d < far
    rows, d, at, vertex = rows[near], d[near], at[near], vertex[near]
    better = d < nearest[rows, 0]
    shift = rows[better]
    nearest[shift, 1] = nearest[shift, 0]
    touch[shift, 1] = touch[shift, 0]
    nearest[shift, 0] = d[better]
    touch[shift, 0] = at[better]
    corner[shift] = vertex[better]
    also = ~better & (d < nearest[rows, 1])
    nearest[rows[also], 1] = d[also]
    touch[rows[also], 1] = at[also]


def question(places: Places, start: tuple[float, float, float], budget: float, **changes: object) -> Question:
    """A plain question: open ground, one Move, no links."""
    n = len(places.pos)
    asked = Question(
        start=start,
        moves=(budget,),
        weight=np.ones(n),
        stop=np.ones(n, bool),
        discs=np.zeros((0, 5)),
        zone_price=np.full(4, 25.4),
        link_price=np.zeros(0),
        link_chance=np.zeros(0),
        link_whole=np.zeros(0, bool),
        labels=1,
    )
    return replace(asked, **changes)  # type: ignore[arg-type]


def links(*rows: dict[str, object]) -> Links:
    """A table of links from rows with start, end, start_pos, end_pos (and what else differs from a plain climb)."""
    k = len(rows)

    def column(name: str, default: float, kind: type) -> np.ndarray:
        return np.array([row.get(name, default) for row in rows], kind).reshape(k)

    def points(name: str) -> np.ndarray:
        return np.array([row[name] for row in rows], float).reshape(k, 3)

    return Links(
        kind=column("kind", 0, np.uint8),
        start=column("start", -1, np.int32),
        end=column("end", -1, np.int32),
        start_pos=points("start_pos"),
        end_pos=points("end_pos"),
        plan=column("plan", 0.0, float),
        up=column("up", 0.0, float),
        down=column("down", 0.0, float),
        gap=column("gap", 0.0, float),
        rail=column("rail", 0.0, float),
        overhang=column("overhang", 0.0, float),
        limit=column("limit", 0, np.uint8),
        part=column("part", -1, np.int32),
    )


def random_obstacles(
    rng: np.random.Generator,
    within: tuple[float, float],
    count: int,
    clear: tuple[float, float],
    radius: float,
) -> list[shapely.Polygon]:
    """Turned boxes and hulls at random, none within a base of `clear`."""
    out: list[shapely.Polygon] = []
    while len(out) < count:
        centre = rng.uniform(*within, 2)
        if rng.random() < 0.5:
            w, h = rng.uniform(8, 70, 2)
            shape = shapely.box(-w / 2, -h / 2, w / 2, h / 2)
        else:
            shape = shapely.MultiPoint(rng.normal(0, 20, (7, 2))).convex_hull
        shape = shapely.affinity.rotate(shape, rng.uniform(0, 360), origin=(0, 0))
        shape = shapely.affinity.translate(shape, *centre)
        if shape.distance(shapely.Point(clear)) > radius + 3.0:
            out.append(shape)
    return out
