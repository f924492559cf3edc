"""Where no way leads: the least forbidden way, and what it breaks, as rulings."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sandbox.ground.model import Floats, Hindrance, Limit
from sandbox.ground.search_model import Breach, RefusedWay
from sandbox.ground.search_relaxed import relaxed_search
from sandbox.moves.answers import Point, Ruling
from sandbox.moves.refusal import plain
from sandbox.rules.statements import RuleName
from sandbox.units import MM_PER_INCH, inches, mm

if TYPE_CHECKING:
    from sandbox.moves.hazards import Choice
    from sandbox.moves.legal import Asked
    from sandbox.moves.setup import Setup


_OVER = 0.1
"""inches over a step."""
_DIRECTIONS = 6
"""directions in which it is looked how wide a place is, in a half turn."""
_LOOKS = 6
"""times that room is looked for, ever more closely."""


def rulings(asked: Asked, at: Point) -> list[Ruling]:
    """What the way breaks that breaks fewest limits, then by least excess; the first one forbids the move."""
    return _broken(asked, asked.beyond(at), at, asked.beyond(at).choices[-1])[0]


def nearer(asked: Asked, at: Point, excess: float) -> list[Ruling]:
    """What a way within the allowance breaks by less than `excess` inches, where a legal one is that much too long.

    Only limits that are measured in inches can be weighed against the allowance; nothing where there is no such way.
    """
    told, breaches, way = _broken(asked, asked.near, at, asked.near.choices[0])
    if not told or len({ruling.rule for ruling in told}) != 1:
        return []
    worst = max(told, key=_excess)
    if not _excess(worst) < excess:
        return []
    # a body that gets through a solid leaves no way that anybody would think of; half of it fits, and they would
    narrow = [b for b in breaches if b.link < 0 and not b.barred]
    if any(not _nearly(asked, breach) for breach in narrow) or (narrow and _through_solids(asked, way)):
        return []
    return [worst]


def _through_solids(asked: Asked, way: Floats) -> bool:
    """Whether the middle of the body goes through something on a way (m, 3), mm: a thin wall lies between two cells."""
    points = way / MM_PER_INCH + (0.0, 0.0, 0.5 * asked.mover.height)
    low = way / MM_PER_INCH + (0.0, 0.0, inches(asked.ground.numbers.free_step_up_mm) + _OVER)
    rays = [line for line in (points, low) if len(line) > 1]
    if not rays:
        return False
    start, end = (np.concatenate([line[cut] for line in rays]) for cut in (slice(None, -1), slice(1, None)))
    return bool(asked.field.world.rays(start, end).hit.any())


def _excess(ruling: Ruling) -> float:
    """By how many inches a limit is broken; inf where it was not measured."""
    if ruling.measured is None or ruling.limit is None:
        return math.inf
    return abs(ruling.measured - ruling.limit)


def _nearly(asked: Asked, breach: Breach) -> bool:
    """Whether what is too narrow or too low holds at least half of the body."""
    found = breach.hindrance
    if found.limit is Limit.HEADROOM:
        return found.measured >= 0.5 * asked.body.height_mm
    if found.limit in (Limit.NO_ROOM, Limit.NARROW):
        return found.measured >= 0.5 * asked.body.half_short_mm
    return False


def cost(asked: Asked, at: Point) -> float | None:
    """What the least forbidden way to a place would cost, inches; None where there is not even that."""
    setup = asked.beyond(at)
    found = _relaxed(asked, setup, at, setup.choices[-1])
    return None if found is None else inches(found.cost)


def _relaxed(asked: Asked, setup: Setup, at: Point, choice: Choice) -> RefusedWay | None:
    question = setup.question(choice)
    if question is None:
        return None
    return relaxed_search(
        setup.places,
        setup.links,
        question,
        (mm(at[0]), mm(at[1]), mm(at[2])),
        allowed=_allowed(asked),
        times=1.0,
    )


def _broken(
    asked: Asked, setup: Setup, at: Point, choice: Choice
) -> tuple[list[Ruling], tuple[Breach, ...], Floats]:
    found = _relaxed(asked, setup, at, choice)
    if found is None:
        return [], (), np.zeros((0, 3))
    breaches = tuple(_measured(asked, setup, breach, found.points) for breach in found.breaches)
    told: dict[str, Ruling] = {}
    for breach in breaches:
        ruling = _ruling(asked, setup, breach)
        known = told.get(ruling.rule)
        if known is None or math.inf > _excess(ruling) > _excess(known):
            told[ruling.rule] = ruling
    return list(told.values()), breaches, found.points


def _measured(asked: Asked, setup: Setup, breach: Breach, way: Floats) -> Breach:
    """Where a way (m, 3) has least room from a breach on, and the most room there is there across the narrowest
    direction: ground only notes that there is too little where it looked."""
    found = breach.hindrance
    if breach.link >= 0 or breach.barred or found.limit is not Limit.NO_ROOM or not len(way):
        return breach
    first = int(np.argmin(np.hypot(*(way[:, :2] - np.array(found.where[:2])).T)))
    gone = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(way[first:, :2], axis=0).T))])
    stride = 2.0 * setup.places.pitch
    tightest: Hindrance | None = None
    for along in np.arange(0.0, min(gone[-1], 2.0 * asked.body.half_long_mm) + 1e-9, stride):
        at = tuple(float(np.interp(along, gone, way[first:, k])) for k in range(3))
        if asked.ground.stand(asked.body, *at).passes:
            if along > 0.0:
                break
            continue
        room = _widest(asked, setup, at)
        if room is not None and (tightest is None or room.measured < tightest.measured):
            tightest = room
    return breach if tightest is None else replace(breach, hindrance=tightest)


def _widest(asked: Asked, setup: Setup, at: tuple[float, ...]) -> Hindrance | None:
    """The most room across the narrowest direction at a place (mm); None where there is enough in every direction."""
    least: Hindrance | None = None
    for angle in np.arange(_DIRECTIONS) * np.pi / _DIRECTIONS:
        most = _across(asked, setup, at, (float(np.cos(angle)), float(np.sin(angle))))
        if most is not None and (least is None or most.measured < least.measured):
            least = most
    return least


def _across(asked: Asked, setup: Setup, at: tuple[float, ...], way: tuple[float, float]) -> Hindrance | None:
    """The most room on a line through a place (mm), as far as a base reaches; None where there is enough."""
    stride = 2.0 * setup.places.pitch
    count = int(asked.body.half_short_mm / stride)
    best, off = None, 0.0
    shifts = list(np.arange(-count, count + 1) * stride)
    for _ in range(_LOOKS):
        for shift in shifts:
            there = (at[0] + shift * way[0], at[1] + shift * way[1], at[2])
            standing = asked.ground.stand(asked.body, *there)
            if standing.passes:
                return None
            one = next((h for h in standing.hindrances if h.limit is Limit.NO_ROOM), None)
            if one is not None and (best is None or one.measured > best.measured):
                best, off = replace(one, where=there), float(shift)
        stride /= 2.0
        shifts = [off - stride, off + stride]
    return best


def _allowed(asked: Asked) -> dict[Limit, float]:
    """Each limit's own number, in the units that ground measures in."""
    n = asked.ground.numbers
    body = asked.body
    return {
        Limit.OVERHANG: n.overhang_mm,
        Limit.UNDERSIDE: n.underside_mm,
        Limit.HEADROOM: body.height_mm,
        Limit.NO_ROOM: body.half_short_mm,
        Limit.NARROW: body.half_short_mm,
        Limit.GAP: 2 * body.half_short_mm if n.span_mm is None else n.span_mm,
        Limit.STEP: n.free_step_up_mm,
        Limit.SLOPE: n.walk_slope,
    }


def _ruling(asked: Asked, setup: Setup, breach: Breach) -> Ruling:
    """One limit that the way breaks."""
    where = breach.hindrance.where
    at = (inches(where[0]), inches(where[1]), inches(where[2]))
    if breach.barred and breach.link < 0:
        other = asked.others.passing(at)
        return other or asked.judge.ruling("barred", RuleName.IMPASSABLE, None, None, at)
    if breach.link >= 0:
        rule = setup.prices.refused.get(breach.link)
        links = setup.links
        if rule is not None:
            gap, rise = (
                inches(float(links.gap[breach.link])),
                inches(float(links.up[breach.link] - links.down[breach.link])),
            )
            measured = gap if rule == "leap_max" else rise
            limit = getattr(asked.mover.rules.movement, rule)
            return asked.judge.ruling(rule, rule, measured, limit if isinstance(limit, float) else None, at)
        if breach.barred:
            for end in (links.end_pos[breach.link], links.start_pos[breach.link]):
                other = asked.others.passing((inches(end[0]), inches(end[1]), inches(end[2])))
                if other is not None:
                    return other
            return asked.judge.ruling("not-climbable", RuleName.NOT_CLIMBABLE, None, None, at)
    return asked.judge.hindrance(plain(asked.ground, asked.body, at, breach.hindrance))
