"""Where no way leads: the least forbidden way, and what it breaks, as rulings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sandbox.ground.model import Limit
from sandbox.ground.search_model import Breach
from sandbox.ground.search_relaxed import relaxed_search
from sandbox.moves.answers import Point, Ruling
from sandbox.moves.refusal import plain
from sandbox.rules.statements import RuleName
from sandbox.units import inches, mm

if TYPE_CHECKING:
    from sandbox.moves.hazards import Choice
    from sandbox.moves.legal import Asked
    from sandbox.moves.setup import Setup


def rulings(asked: Asked, at: Point) -> list[Ruling]:
    """What the way breaks that breaks fewest limits, then by least excess; the first one forbids the move."""
    return _broken(asked, asked.beyond(at), at, asked.beyond(at).choices[-1])[0]


def nearer(asked: Asked, at: Point, excess: float) -> list[Ruling]:
    """What a way within the allowance breaks by less than `excess` inches, where a legal one is that much too long.

    Only limits that are measured in inches can be weighed against the allowance; nothing where there is no such way.
    """
    told, breaches = _broken(asked, asked.near, at, asked.near.choices[0])
    if len(told) != 1 or any(breach.link < 0 for breach in breaches):
        return []
    measured, limit = told[0].measured, told[0].limit
    if measured is None or limit is None or not abs(measured - limit) < excess:
        return []
    return told


def _broken(asked: Asked, setup: Setup, at: Point, choice: Choice) -> tuple[list[Ruling], tuple[Breach, ...]]:
    question = setup.question(choice)
    if question is None:
        return [], ()
    found = relaxed_search(
        setup.places,
        setup.links,
        question,
        (mm(at[0]), mm(at[1]), mm(at[2])),
        allowed=_allowed(asked),
        times=1.0,
    )
    if found is None:
        return [], ()
    told: dict[tuple[str, str], Ruling] = {}
    for breach in found.breaches:
        ruling = _ruling(asked, setup, breach)
        told.setdefault((ruling.rule, ruling.text), ruling)
    return list(told.values()), found.breaches


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
