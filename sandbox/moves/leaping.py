"""Leaps and jumps that the geometry of lips alone does not give: upward, over agreed ground, to freely chosen landings."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sandbox.ground.extra import Given, given_links
from sandbox.ground.model import Floats, LinkKind, Links, Permit, Place, Places
from sandbox.moves.prices import OVER_DIFFICULT
from sandbox.physics.model import CollisionWorld
from sandbox.rules.words import Ground, JumpLanding
from sandbox.units import MM_PER_INCH, inches, mm

if TYPE_CHECKING:
    from sandbox.moves.legal import Asked

Bools = NDArray[np.bool_]

_APART_MM = 8.0
"""take-offs along a lip, and landings, that are looked at are so far apart."""
_LANDINGS_MM = 6.0
_HEIGHTS = (0.1, 0.5, 0.9)
"""heights of a body, as shares of it, at which its way through the air is looked along."""
_LIFT_MM = 1.0
_ANGLES = 16
"""directions in which difficult ground is leapt over."""
_MOST_OVER = 6.0
"""inches; no strip of difficult ground wider than this is leapt over."""


def links_of(asked: Asked, places: Places, links: Links) -> Links:
    """All of them for one question."""
    rows = _upward(asked, links) + _over_difficult(asked, places) + _free_landings(asked, places, links)
    return given_links(rows)


# -- upward --------------------------------------------------------------------------------------------------------


def _upward(asked: Asked, links: Links) -> list[Given]:
    """Leaps down over gaps the other way round, where leaps go up as far as the movement does."""
    movement = asked.movement
    step = mm(movement.free_step_up) + 0.05
    if movement.leap_up != "movement":
        return []
    down = (links.limit == 0) & (links.down > step) & (links.up <= 0.0) & (links.rail <= 0.0)
    down &= (links.start >= 0) & (links.end >= 0)
    down &= links.kind == LinkKind.LEAP
    return [
        Given(
            LinkKind.LEAP,
            int(links.end[row]),
            int(links.start[row]),
            _way(links, int(row))[::-1],
            float(links.plan[row]),
            up=float(links.down[row]),
            gap=float(links.gap[row]),
        )
        for row in np.flatnonzero(down)
    ]


def _way(links: Links, row: int) -> tuple[tuple[float, float, float], ...]:
    first, last = int(links.path_start[row]), int(links.path_start[row + 1])
    if last - first < 2:
        return (_point(links.start_pos[row]), _point(links.end_pos[row]))
    return tuple(_point(p) for p in links.path[first:last])


# -- over difficult ground -----------------------------------------------------------------------------------------


def _over_difficult(asked: Asked, places: Places) -> list[Given]:
    """Straight leaps over strips of difficult ground, from one side to the other on the same level."""
    movement = asked.movement
    if not movement.leap_over_difficult or Ground.DIFFICULT in asked.mover.rules.ignores:
        return []
    harsh = _difficult(asked, places)
    if not harsh.any():
        return []
    passes = (places.flags & Place.PASS) != 0
    dry = passes & ~harsh
    beside = np.maximum(places.neighbour, 0)
    edge = dry & ((places.neighbour >= 0) & harsh[beside]).any(axis=1)
    reach = mm(min(_MOST_OVER, max(asked.chain.moves)))
    rows: list[Given] = []
    for start in _spread(places.pos, np.flatnonzero(edge), _APART_MM):
        for angle in np.linspace(0.0, 2 * np.pi, _ANGLES, endpoint=False):
            end = _beyond(places, harsh, dry, int(start), float(angle), reach)
            if end >= 0:
                a, b = places.pos[start], places.pos[end]
                plan = float(np.hypot(*(b - a)[:2]))
                rows.append(
                    Given(
                        LinkKind.LEAP,
                        int(start),
                        end,
                        (_point(a), _point(b)),
                        plan,
                        gap=plan,
                        part=OVER_DIFFICULT,
                    )
                )
    return rows


def _difficult(asked: Asked, places: Places) -> Bools:
    found = asked.roles
    worst = np.zeros(len(places.pos), dtype=np.uint8)
    on = places.part >= 0
    worst[on] = found.ground[places.part[on]]
    crossed = np.array([bool(p & Permit.CROSS) for p in found.permits] + [False])
    worst[crossed[places.part]] = 0
    area = places.area >= 0
    worst[area] = np.maximum(worst[area], found.area_ground[places.area[area]])
    return np.asarray((worst == 1) | (worst == 2))


def _beyond(places: Places, harsh: Bools, dry: Bools, start: int, angle: float, reach: float) -> int:
    """The first dry place straight beyond difficult ground, -1 where something else comes first."""
    x, y, z = places.pos[start]
    met = False
    for k in range(1, int(reach / places.pitch) + 1):
        px, py = x + k * places.pitch * math.cos(angle), y + k * places.pitch * math.sin(angle)
        i, j = round((px - places.x0) / places.pitch), round((py - places.y0) / places.pitch)
        if not (0 <= i < places.nx and 0 <= j < places.ny):
            return -1
        column = j * places.nx + i
        here = np.arange(places.start[column], places.start[column + 1])
        here = here[np.abs(places.pos[here, 2] - z) <= 13.0]
        if here.size == 0:
            return -1
        place = int(here[int(np.argmin(np.abs(places.pos[here, 2] - z)))])
        if harsh[place]:
            met = True
        elif met and dry[place]:
            return place
        elif not dry[place] or k > 2:
            return -1
    return -1


# -- landings of one's own choice ----------------------------------------------------------------------------------


def _free_landings(asked: Asked, places: Places, links: Links) -> list[Given]:
    """Jumps down to any place within the pack's reach, over what lies deep enough below."""
    movement = asked.movement
    if movement.jump_landing is not JumpLanding.FREE:
        return []
    jumps = np.flatnonzero((links.kind == LinkKind.JUMP_DOWN) & (links.start >= 0) & (links.up <= 0.0))
    if jumps.size == 0:
        return []
    longest = movement.jump_reach
    if movement.leap_max != "movement":
        longest = max(longest, float(movement.leap_max))
    starts = _spread(links.start_pos, jumps, _APART_MM)
    lands = _spread(
        places.pos, np.flatnonzero((places.flags & (Place.PASS | Place.STAND)) == 3), _LANDINGS_MM
    )
    step = mm(movement.free_step_down) + 0.05
    over = 0.0 if movement.jump_over == "none" else mm(float(movement.jump_over))
    first, second = [], []
    for row in starts:
        a = links.start_pos[row]
        gone = np.hypot(*(places.pos[lands, :2] - a[:2]).T)
        low = places.pos[lands, 2] < a[2] - step
        for place in lands[(gone <= mm(longest)) & low]:
            first.append(row)
            second.append(place)
    if not first:
        return []
    begin, end = links.start_pos[first], places.pos[second]
    clear = _clear_jump(asked.field.world, begin, end, places.lift[second], asked, over)
    return [
        Given(
            LinkKind.JUMP_DOWN,
            int(links.start[first[k]]),
            int(second[k]),
            (_point(begin[k]), (float(end[k, 0]), float(end[k, 1]), float(begin[k, 2])), _point(end[k])),
            float(np.hypot(*(end[k] - begin[k])[:2])),
            down=float(begin[k, 2] - end[k, 2]),
        )
        for k in np.flatnonzero(clear)
    ]


def _clear_jump(
    world: CollisionWorld, begin: Floats, end: Floats, lift: Floats, asked: Asked, over: float
) -> Bools:
    """(n,) whether a body gets straight out at the height it starts at, and straight down.

    over: what is jumped over lies at least so far below, mm; 0: nothing is jumped over but air.
    """
    height = asked.mover.height
    radius = asked.mover.base.half_short
    a, b = begin / MM_PER_INCH, end / MM_PER_INCH
    way = b[:, :2] - a[:, :2]
    size = np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-9)
    unit = way / size
    side = np.column_stack([-unit[:, 1], unit[:, 0]])
    starts, ends = [], []
    for share in _HEIGHTS:
        z = a[:, 2] + inches(_LIFT_MM) + share * (height - inches(_LIFT_MM))
        for off in (-radius, 0.0, radius):
            starts.append(np.column_stack([a[:, :2] + off * side, z]))
            ends.append(np.column_stack([b[:, :2] + off * side + radius * unit, z]))
    for angle in np.linspace(0.0, 2 * np.pi, 8, endpoint=False):
        rim = 0.98 * radius * np.array([math.cos(angle), math.sin(angle)])
        top = np.column_stack([b[:, :2] + rim, a[:, 2] + height])
        starts.append(top)
        ends.append(np.column_stack([top[:, :2], lift / MM_PER_INCH + 2 * inches(_LIFT_MM)]))
    if over > 0.0:
        # what lies under the way may not reach higher than the depth that is jumped over
        for share in np.linspace(0.2, 0.8, 4):
            at = a[:, :2] + share * way + radius * unit
            starts.append(np.column_stack([at, a[:, 2] + inches(_LIFT_MM)]))
            ends.append(np.column_stack([at, a[:, 2] - inches(over) + inches(_LIFT_MM)]))
    n = len(begin)
    hits = world.rays(np.concatenate(starts), np.concatenate(ends))
    blocked = hits.hit.reshape(-1, n)
    under = blocked[-4:] if over > 0.0 else blocked[:0]
    clear = ~blocked[: len(starts) - len(under)].any(axis=0)
    if over > 0.0:
        # the floor that it leaves does not count
        gone = np.linspace(0.2, 0.8, 4)[:, None] * size[:, 0][None, :]
        clear &= ~(under & (gone > radius)).any(axis=0)
    return np.asarray(clear, dtype=np.bool_)


def _spread(points: Floats, rows: NDArray[np.intp], apart: float) -> NDArray[np.intp]:
    """Of some rows of points, one for each cell so wide (and each 2 mm of height)."""
    if rows.size == 0:
        return rows
    key = np.column_stack([np.floor(points[rows, :2] / apart), np.floor(points[rows, 2] / 2.0)])
    _, first = np.unique(key, axis=0, return_index=True)
    return rows[np.sort(first)]


def _point(values: Floats) -> tuple[float, float, float]:
    return (float(values[0]), float(values[1]), float(values[2]))
