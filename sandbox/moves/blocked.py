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
    from sandbox.moves.legal import Asked


def rulings(asked: Asked, at: Point) -> list[Ruling]:
    """What the way breaks that breaks fewest limits, then by least excess; the first one forbids the move."""
    setup = asked.far
    question = setup.question(setup.choices[-1])
    if question is None:
        return []
    found = relaxed_search(
        setup.places,
        setup.links,
        question,
        (mm(at[0]), mm(at[1]), mm(at[2])),
        allowed=_allowed(asked),
        times=1.0,
    )
    if found is None:
        return []
    told: dict[tuple[str, str], Ruling] = {}
    for breach in found.breaches:
        ruling = _ruling(asked, breach)
        told.setdefault((ruling.rule, ruling.text), ruling)
    return list(told.values())


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


def _ruling(asked: Asked, breach: Breach) -> Ruling:
    """One limit that the way breaks."""
    where = breach.hindrance.where
    at = (inches(where[0]), inches(where[1]), inches(where[2]))
    if breach.barred and breach.link < 0:
        other = asked.others.passing(at)
        return other or asked.judge.ruling("barred", RuleName.IMPASSABLE, None, None, at)
    if breach.link >= 0:
        rule = asked.far.prices.refused.get(breach.link)
        links = asked.far.links
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
