"""Ladders: parts that are climbed at the ladder price, from the floor at their foot to the floor at their top (law 10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from sandbox.ground.bins import Bins, column_at
from sandbox.ground.kernels import links_rows as rows_of
from sandbox.ground.model import Body, Floats, Ints, LinkKind, Numbers, Permit, Place, Places
from sandbox.ground.shared import metric_of
from sandbox.terrain.model import Terrain

_HALF_SNAP_MM = 0.025
_OVER_MM = 1.0
"""how far over the floor it is looked whether a railing stands there."""
_ASIDE_MM = 12.7
"""The foot is looked for this far around the point in front of the ladder."""
_BEYOND_MM = 25.4
"""The floor at the top is looked for this far beyond where the base would just be clear of the ladder."""

_TRIED = 12
"""places at the top on each side that are tried for one that nothing parts from the ladder."""


@dataclass(frozen=True)
class Upright:
    """A ladder's axis and its flat."""

    part: int
    centre: Floats
    """(2,) plan middle, mm."""
    across: Floats
    """(2,) unit plan normal of its flat."""
    half_deep: float
    """half its size along `across`, mm."""
    low: float
    high: float


def ladders_of(terrain: Terrain, permits: Sequence[Permit]) -> list[Upright]:
    """The terrain's ladders; permits: one per part."""
    found = []
    for part, permit in enumerate(permits):
        if not permit & Permit.LADDER:
            continue
        points = terrain.vertices[np.unique(terrain.faces[terrain.face_part == part])]
        if len(points) < 3:
            continue
        box = np.array(shapely.MultiPoint(points[:, :2]).minimum_rotated_rectangle.exterior.coords)
        sides = np.diff(box[:3], axis=0)
        sizes = np.hypot(sides[:, 0], sides[:, 1])
        thin = int(np.argmin(sizes))
        if sizes[thin] < 1e-9:
            across = np.array([-sides[1 - thin][1], sides[1 - thin][0]]) / sizes[1 - thin]
        else:
            across = sides[thin] / sizes[thin]
        found.append(
            Upright(
                part,
                box[:4].mean(axis=0),
                across,
                0.5 * float(sizes[thin]),
                float(points[:, 2].min()),
                float(points[:, 2].max()),
            )
        )
    return found


def climb_ladders(
    terrain: Terrain, bins: Bins, places: Places, permits: Sequence[Permit], numbers: Numbers
) -> Floats:
    """Rows (n, WIDTH) of ways up and down ladders (see kernels/links_rows)."""
    rows = []
    rung = np.array([bool(p & Permit.LADDER) for p in permits] + [False])[places.part]
    for ladder in ladders_of(terrain, permits):
        for side in (1.0, -1.0):
            rows += _ways(bins, places, numbers, ladder, side * ladder.across, rung)
    return np.array(rows).reshape(-1, rows_of.WIDTH)


def _ways(
    bins: Bins,
    places: Places,
    numbers: Numbers,
    ladder: Upright,
    front: Floats,
    rung: NDArray[np.bool_],
) -> list[Floats]:
    """Ways up and down in front of one side of a ladder; rung: (places,) on a ladder itself, no floor to get off on."""
    body = places.body
    reach = ladder.half_deep + _extent(body, front)
    before = ladder.centre + reach * front
    near = _places_near(places, before, _ASIDE_MM)
    near = near[~rung[near]]
    pos = places.pos[near]
    near = near[np.abs(pos[:, 2] - ladder.low) <= numbers.ladder_foot_mm + _HALF_SNAP_MM]
    if not near.size:
        return []
    away = np.hypot(*(places.pos[near, :2] - before).T)
    foot = int(near[np.argmin(away)])
    start = places.pos[foot].copy()
    if away.min() <= 1.2 * places.pitch and _is_clear(places, foot, before):
        start[:2] = before
    # the opening in front of the ladder, as far up as it goes
    column = column_at(bins, *(ladder.centre + (ladder.half_deep + 2.0) * front))
    space = np.flatnonzero((column.z <= start[2] + 1.0) & (column.top > start[2] + 1.0))
    ceiling = column.top[space[0]] if space.size else start[2]

    around = _places_near(places, ladder.centre, reach + _BEYOND_MM)
    height = places.pos[around, 2]
    fits = (
        (np.abs(height - ladder.high) <= numbers.ladder_top_mm + _HALF_SNAP_MM)
        & (height - start[2] > numbers.free_step_up_mm + _HALF_SNAP_MM)
        & (height < ceiling)
        & (places.flags[around] & Place.GAP == 0)
        & ~rung[around]
    )
    around = around[fits]
    offset = places.pos[around, :2] - ladder.centre
    far = np.hypot(offset[:, 0], offset[:, 1])
    ahead = offset @ front
    aside = offset @ np.array([-front[1], front[0]])
    over = (places.flags[around] & Place.OVER) != 0
    sector = np.where(np.abs(ahead) >= np.abs(aside), np.where(ahead < 0, 0, 1), np.where(aside < 0, 2, 3))
    rows = []
    for wanted in range(4):
        # on floor rather than on the rail or the box that stands before it
        mine = np.flatnonzero(sector == wanted)
        mine = mine[np.lexsort((far[mine], over[mine]))]
        # the nearest may be a sliver beside the hole that leads nowhere: the nearest to stand on as well
        stood = mine[places.flags[around[mine]] & Place.STAND != 0]
        for top in dict.fromkeys(
            top for order in (mine, stood) for top in _first_open(bins, ladder, places, around[order])
        ):
            across = _across(bins, ladder.centre, places.pos[top], numbers)
            rows += _rows(ladder.part, foot, top, start, places.pos[top], across)
    return rows


def _first_open(bins: Bins, ladder: Upright, places: Places, tops: Ints) -> list[int]:
    """The first of some places that nothing parts from a ladder, if there is one among the first few."""
    for top in tops[:_TRIED].tolist():
        if _open_between(bins, ladder.centre, places.pos[top], places.body):
            return [top]
    return []


def _is_clear(places: Places, place: int, point: Floats) -> bool:
    """Whether the base at a point in or beside the cell of a place keeps clear of what it touches there."""
    a, b, c, d = metric_of(places.body)
    x, y = (places.touch[place] - point).T
    away = np.hypot(a * x + b * y, c * x + d * y)
    return not bool((away < places.body.half_short_mm - _HALF_SNAP_MM).any())


def _extent(body: Body, direction: Floats) -> float:
    """How far the base reaches from its centre in a plan direction, mm."""
    angle = np.arctan2(direction[1], direction[0]) - np.radians(body.facing)
    return float(np.hypot(body.half_long_mm * np.cos(angle), body.half_short_mm * np.sin(angle)))


def _places_near(places: Places, point: Floats, reach: float) -> Ints:
    """Places to pass within a plan distance of a point."""
    i0 = max(int((point[0] - reach - places.x0) // places.pitch), 0)
    i1 = min(int((point[0] + reach - places.x0) // places.pitch) + 1, places.nx - 1)
    j0 = max(int((point[1] - reach - places.y0) // places.pitch), 0)
    j1 = min(int((point[1] + reach - places.y0) // places.pitch) + 1, places.ny - 1)
    found = [
        np.arange(places.start[j * places.nx + i0], places.start[j * places.nx + i1 + 1])
        for j in range(j0, j1 + 1)
        if i1 >= i0
    ]
    if not found:
        return np.zeros(0, np.int32)
    ids = np.concatenate(found)
    near = np.hypot(*(places.pos[ids, :2] - point).T) <= reach
    found_ids: Ints = ids[near & (places.flags[ids] & Place.PASS != 0)].astype(np.int32)
    return found_ids


def _open_between(bins: Bins, centre: Floats, top: Floats, body: Body) -> bool:
    """Whether nothing as high as the body's shoulders parts a ladder from the floor it leads to."""
    height = top[2] + 0.8 * body.height_mm
    length = float(np.hypot(*(top[:2] - centre)))
    for t in np.linspace(0.0, 1.0, max(int(length), 2))[1:]:
        column = column_at(bins, *(centre + t * (top[:2] - centre)))
        if not ((column.z <= height) & (column.top > height)).any():
            return False
    return True


def _across(bins: Bins, centre: Floats, top: Floats, numbers: Numbers) -> float:
    """Height (mm over the floor at the top) of a railing that stands across the way from a ladder to it; 0 none.

    Where the railing leaves an opening in front of the ladder, the way goes through that.
    """
    length = float(np.hypot(*(top[:2] - centre)))
    highest = 0.0
    for t in np.linspace(0.0, 1.0, max(int(2 * length), 2))[1:]:
        column = column_at(bins, *(centre + t * (top[:2] - centre)))
        if ((column.z <= top[2] + _OVER_MM) & (column.top > top[2] + _OVER_MM)).any():
            continue
        # solid just over the floor: up to where it is open again
        above = column.z[column.z > top[2] + _OVER_MM]
        high = float(above.min()) - top[2] if above.size else np.inf
        if numbers.free_step_up_mm < high <= numbers.rail_max_mm + _HALF_SNAP_MM:
            highest = max(highest, high)
    return highest


def _rows(part: int, foot: int, top: int, start: Floats, end: Floats, across: float) -> list[Floats]:
    """The way up and the way down; across: height of a railing that is gone over at the top, mm."""
    rise = float(end[2] - start[2])
    plan = float(np.hypot(*(end[:2] - start[:2])))
    over = end[2] + across
    points = np.array([start, [start[0], start[1], over], [end[0], end[1], over], end])
    if not across:
        points = points[[0, 1, 3]]
    up = np.zeros(rows_of.WIDTH)
    up[rows_of.KIND] = LinkKind.LADDER
    up[rows_of.START], up[rows_of.END] = foot, top
    up[rows_of.FROM : rows_of.FROM + 3], up[rows_of.TO : rows_of.TO + 3] = start, end
    up[rows_of.PLAN], up[rows_of.RISE] = plan, rise
    up[rows_of.RAIL] = across
    up[rows_of.PART], up[rows_of.LIP], up[rows_of.POINTS] = part, -1, len(points)
    up[rows_of.PATH : rows_of.PATH + points.size] = points.ravel()
    down = up.copy()
    down[rows_of.START], down[rows_of.END] = top, foot
    down[rows_of.FROM : rows_of.FROM + 3], down[rows_of.TO : rows_of.TO + 3] = end, start
    down[rows_of.RISE], down[rows_of.FALL] = 0.0, rise
    down[rows_of.PATH : rows_of.PATH + points.size] = points[::-1].ravel()
    return [up, down]
