"""Leaps that the geometry of lips alone does not give: upward, over agreed ground."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sandbox.ground.extra import Given, given_links, joined
from sandbox.ground.model import Floats, LinkKind, Links, Permit, Place, Places
from sandbox.moves import chutes, ducts, pits
from sandbox.moves.landings import Landings, spread
from sandbox.moves.prices import OVER_DIFFICULT
from sandbox.rules.words import Ground
from sandbox.units import mm

if TYPE_CHECKING:
    from sandbox.moves.legal import Asked

Bools = NDArray[np.bool_]

_APART_MM = 8.0
"""take-offs beside difficult ground that are looked at are so far apart."""
_ANGLES = 16
"""directions in which difficult ground is leapt over."""
_MOST_OVER = 6.0
"""inches; no strip of difficult ground wider than this is leapt over."""


def given(asked: Asked, places: Places) -> Callable[[Links], Links]:
    """Ways that the ground itself does not have, for links as they are found: ductways within a move, leaps upward and
    over difficult ground, jumps down to chosen landings or beside somebody."""
    fixed = joined(
        ducts.links_of(asked, places),
        given_links([*_over_difficult(asked, places), *pits.links_of(asked, places)]),
    )
    landings = Landings(asked, places)

    def more(links: Links) -> Links:
        special = joined(given_links(_upward(asked, links)), chutes.links_of(asked, places, links))
        return joined(joined(fixed, special), landings.links(links))

    return more


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
    for start in spread(places.pos, np.flatnonzero(edge), _APART_MM):
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


def _point(values: Floats) -> tuple[float, float, float]:
    return (float(values[0]), float(values[1]), float(values[2]))
