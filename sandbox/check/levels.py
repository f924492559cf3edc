"""Levels: the flat floors of a build as exact plan polygons, and what stands over them.

A level is upward surface of one height, give or take what a base bridges; stairs are as many levels as they have treads.
Slopes are found apart.

Lengths are in mm.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from sandbox.check.plan import (
    EMPTY,
    Floats,
    Plan,
    Shape,
    closed_by,
    grown,
    minus,
    pieces_of,
    tidy,
    union,
    widest,
)

FLAT_DEGREES = 4.0
SAME_MM = 0.06
"""surfaces that differ by less are one."""
TEXTURE_MM = 1.6
"""bumps and grooves up to this are the texture of one floor."""
TOUCH_MM = 0.4
COVER_MM = 0.26
"""A surface with less than this above it is covered."""
SLACK_MM = 0.03
"""how much less than its height a body is when it is looked for what it runs into."""
SMALL_MM2 = 6.0
MOST_SQUARES = 2_500
LEAST_SQUARE_MM = 2.0
MOST_SHEETS = 5_000
"""faces of open shells that are looked into."""
MOST_TILTED = 40_000
"""faces of sculpted ground that are united."""


@dataclass(frozen=True, eq=False)
class Level:
    """One flat floor."""

    number: int
    """0 is the table."""
    z: float
    """mm above the table."""
    shape: Shape
    """its surface, without what stands on it; joints, gratings and small holes filled."""
    width: float
    """diameter of the largest circle on it, mm."""
    centre: tuple[float, float]

    @property
    def area(self) -> float:
        """Square millimetres."""
        return float(self.shape.area)


@dataclass(frozen=True, eq=False)
class Slope:
    """One tilted surface of a single tilt."""

    z: float
    """height at its middle, mm."""
    shape: Shape
    tilt: float
    """degrees."""
    width: float
    """diameter of the largest circle on it in plan, mm."""
    centre: tuple[float, float]
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Levels:
    """All floors of a build."""

    all: tuple[Level, ...]
    """the table first, then upwards."""
    slopes: tuple[Slope, ...]


def find_levels(
    plan: Plan,
    table: Shape | None,
    fill: float,
    steepest: float = 45.0,
    hollow: Callable[[float, float, float], bool] | None = None,
) -> Levels:
    """The floors of a build; table: the board's outline, None where there is nothing to stand on.

    fill: discs of this radius do not fall into joints, mm. steepest: what may be walked, degrees. hollow: whether a place
    is inside of what should be solid; floors there are none.
    """
    flat = plan.normal[:, 2] >= np.cos(np.radians(FLAT_DEGREES))
    flat |= ~plan.closed & (np.abs(plan.normal[:, 2]) >= np.cos(np.radians(FLAT_DEGREES)))
    pieces = _surfaces(plan, flat)
    found: list[tuple[float, Shape]] = []
    if table is not None:
        ground = tidy(minus(table, plan.section(COVER_MM, sheets=False)))
        if hollow is not None:
            ground = tidy(minus(ground, _inside_sheets(plan, hollow)))
        found += [(0.0, part) for part in sorted(pieces_of(ground), key=lambda one: -one.area)]
    found += _gathered(plan, pieces, fill)
    levels: list[Level] = []
    for z, shape in sorted(found, key=lambda one: one[0]):
        width, centre = widest(shape)
        if width > 0.0 and not (hollow is not None and levels and hollow(*centre, z)):
            levels.append(Level(len(levels), z, shape, width, centre))
    return Levels(tuple(levels), _slopes(plan, steepest))


def _inside_sheets(plan: Plan, hollow: Callable[[float, float, float], bool]) -> Shape:
    """Table that open shells stand around as if they were solid, in squares; empty where that takes too long to find."""
    corners = plan.corners[~plan.closed]
    if not 0 < len(corners) <= MOST_SHEETS:
        return EMPTY
    low, high = corners[:, :, :2].min(axis=(0, 1)), corners[:, :, :2].max(axis=(0, 1))
    side = max(float(np.sqrt(np.prod(high - low) / MOST_SQUARES)), LEAST_SQUARE_MM)
    x, y = (np.arange(a + side / 2, b, side) for a, b in zip(low, high, strict=True))
    inside = [(u, v) for u in x for v in y if hollow(float(u), float(v), 0.0)]
    if not inside:
        return EMPTY
    u, v = np.array(inside).T
    half = side / 2 + SAME_MM
    return union(shapely.box(u - half, v - half, u + half, v + half))


def _surfaces(plan: Plan, chosen: NDArray[np.bool_]) -> list[tuple[float, Shape]]:
    """Connected exposed surfaces of one height each: (z, polygon)."""
    rows = np.flatnonzero(chosen)
    if not rows.size:
        return []
    z = plan.corners[rows, :, 2].mean(axis=1)
    order = np.argsort(z, kind="stable")
    rows, z = rows[order], z[order]
    cuts = np.flatnonzero(np.append(True, np.diff(z) > SAME_MM))
    answer = []
    for first, last in zip(cuts, [*cuts[1:], len(rows)], strict=True):
        mask = np.zeros(len(chosen), np.bool_)
        mask[rows[first:last]] = True
        high = float(z[last - 1])
        shape = plan.upward(mask)
        if shape.area < 0.5:
            continue
        for piece in pieces_of(shape):
            bare = tidy(minus(piece, plan.section(high + COVER_MM, sheets=False, near=piece)))
            answer += [(high, part) for part in pieces_of(bare) if part.area > 0.2]
    return answer


def _gathered(plan: Plan, pieces: list[tuple[float, Shape]], fill: float) -> list[tuple[float, Shape]]:
    """Surfaces that one base bridges as one: bumps, grooves, joints. Large surfaces gather what touches them."""
    left = sorted(pieces, key=lambda one: -one[1].area)
    heights = np.array([z for z, _ in left])
    shapes = np.array([shape for _, shape in left], dtype=object)
    taken = np.zeros(len(left), np.bool_)
    tree = shapely.STRtree(shapes) if left else None
    answer = []
    for k in range(len(left)):
        if taken[k] or tree is None:
            continue
        taken[k] = True
        own = shapes[k]
        if own.area < SMALL_MM2:
            continue
        z = heights[k]
        group = [own]
        front = [own]
        while front:
            close = np.unique(
                np.concatenate([tree.query(one, predicate="dwithin", distance=2 * fill) for one in front])
            )
            near = [n for n in close if not taken[n] and abs(heights[n] - z) <= TEXTURE_MM]
            taken[near] = True
            front = [shapes[n] for n in near]
            group += front
        shape = tidy(union(group))
        filled = closed_by(shape, fill)
        above = plan.section(z + TEXTURE_MM + COVER_MM, sheets=False, near=filled)
        filled = tidy(minus(filled, above)) if not above.is_empty else filled
        answer += [(float(z), part) for part in pieces_of(filled) if part.area >= SMALL_MM2]
    return answer


def _slopes(plan: Plan, steepest: float) -> tuple[Slope, ...]:
    """Tilted surfaces to walk on, gathered where neighbours tilt alike."""
    steep = np.degrees(np.arccos(np.clip(plan.normal[:, 2], -1.0, 1.0)))
    rows = np.flatnonzero((steep > FLAT_DEGREES) & (steep <= steepest + 0.05) & plan.closed)
    if not rows.size or rows.size > 60_000:
        return ()
    group = alike(plan, rows, np.cos(np.radians(3.0)))
    areas = np.bincount(group, weights=plan.area[rows])
    answer = []
    for label in np.flatnonzero(areas >= 150.0):
        members = rows[group == label]
        mask = np.zeros(len(plan.faces), np.bool_)
        mask[members] = True
        low, high = float(plan.low[members].min()), float(plan.high[members].max())
        shape = plan.upward(mask)
        if shape.is_empty:
            continue
        middle = (low + high) / 2
        shape = tidy(minus(shape, plan.section(high + COVER_MM, sheets=False, near=shape)))
        width, centre = widest(shape)
        if width < 12.0:
            continue
        tilt = float(np.average(steep[members], weights=plan.area[members]))
        answer.append(Slope(middle, shape, tilt, width, centre, low, high))
    return tuple(answer)


def alike(plan: Plan, rows: NDArray[np.intp], least: float) -> NDArray[np.int32]:
    """(k,) group of each of the rows: faces that share a corner and whose normals' product is at least `least`."""
    faces = plan.faces[rows]
    _, corner = np.unique(np.round(plan.vertices[faces.ravel()], 3), axis=0, return_inverse=True)
    corner = corner.reshape(-1, 3)
    edges = np.sort(corner[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    owner = np.repeat(np.arange(len(rows)), 3)
    order = np.lexsort(edges.T)
    edges, owner = edges[order], owner[order]
    same = (edges[1:] == edges[:-1]).all(axis=1)
    a, b = owner[:-1][same], owner[1:][same]
    close = (plan.normal[rows[a]] * plan.normal[rows[b]]).sum(axis=1) >= least
    graph = coo_array((np.ones(int(close.sum())), (a[close], b[close])), shape=(len(rows),) * 2)
    _, label = connected_components(graph, directed=False)
    return np.asarray(label, np.int32)


def outline_of(size_mm: tuple[float, float]) -> Shape:
    """The board's outline."""
    return shapely.box(0.0, 0.0, size_mm[0], size_mm[1])


def joined_to(level: Level, levels: tuple[Level, ...], step: float) -> Shape:
    """The level with the floors within a free step that touch it."""
    near = [level.shape]
    for other in levels:
        if other is level or abs(other.z - level.z) > step + 0.025:
            continue
        if shapely.dwithin(other.shape, level.shape, TOUCH_MM):
            near.append(other.shape)
    if len(near) == 1:
        return level.shape
    return closed_by(tidy(union(near)), TOUCH_MM)


def rolling(plan: Plan, z: float, step: float, steepest: float, near: Shape) -> Shape:
    """Tilted floor within a free step of a height, inside the box around a shape: sculpted ground, feet of ramps.

    steepest: what may be walked, degrees. Empty where it is made of too many faces to unite.
    """
    tilted = (plan.normal[:, 2] < np.cos(np.radians(FLAT_DEGREES))) & plan.closed
    tilted &= plan.normal[:, 2] >= np.cos(np.radians(steepest + 0.05))
    tilted &= (plan.low <= z + step) & (plan.high >= z - step)
    x0, y0, x1, y1 = near.bounds
    low, high = plan.corners[:, :, :2].min(axis=1), plan.corners[:, :, :2].max(axis=1)
    tilted &= (low <= (x1, y1)).all(axis=1) & (high >= (x0, y0)).all(axis=1)
    return plan.upward(tilted) if 0 < int(tilted.sum()) <= MOST_TILTED else EMPTY


def blocked(
    plan: Plan, z: float, step: float, height: float, ceiling: float = np.inf, near: Shape | None = None
) -> Shape:
    """What a body on a floor of height z runs into: everything from a free step above it up to its height.

    near: all of it in the box around this shape; what is elsewhere may be left out.
    """
    if z + height > ceiling + 0.025:
        return EMPTY
    return plan.band(z + step + SLACK_MM, z + height - SLACK_MM, near)


def room_to_stand(plan: Plan, level: Level, height: float) -> Shape:
    """The level without what a standing body would be in."""
    if level.z >= plan.top:
        return level.shape
    body = plan.band(level.z + TEXTURE_MM + COVER_MM, level.z + height - SLACK_MM, level.shape)
    return level.shape if body.is_empty else tidy(minus(level.shape, body))


def rim(level: Level) -> Floats:
    """(k, 2, 2) segments of the level's outline, holes included."""
    parts = []
    for ring in shapely.get_parts(shapely.boundary(level.shape)):
        points = shapely.get_coordinates(ring)
        parts.append(np.stack([points[:-1], points[1:]], axis=1))
    return np.concatenate(parts) if parts else np.zeros((0, 2, 2))


__all__ = [
    "Level",
    "Levels",
    "Slope",
    "blocked",
    "find_levels",
    "grown",
    "joined_to",
    "outline_of",
    "rim",
    "rolling",
    "room_to_stand",
]
