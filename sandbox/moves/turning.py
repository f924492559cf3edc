"""Ovals turn: before they set off and where they end, wherever there is room to (law of geometry, 1).

A base keeps its heading on its way. Where that does not fit, the other headings are looked at, those first that pass
where the first one was stopped; and where none of these does, turning on the way (see `turning_ways`).

Lengths are in inches, angles in degrees.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sandbox.ground.model import Body
from sandbox.moves import off_limits, turning_ways
from sandbox.moves.answers import Move, Point
from sandbox.rules.statements import RuleName
from sandbox.units import mm

if TYPE_CHECKING:
    from sandbox.moves.legal import Asked

HEADINGS = 24
"""headings in a half turn."""
_STEP = 180.0 / HEADINGS
_TRIED = 6
"""most other headings that are worked out for one place."""
_ROUND = 1.1
"""a way this much longer than the straight line goes round something."""
_STRIDE = 0.25
"""inches between two looks along a refused way."""


def turns(heading: float, other: float) -> float:
    """The smallest turn that brings an oval from one heading to another, degrees, -90 to 90: both ends are alike."""
    return (other - heading + 90.0) % 180.0 - 90.0


def can_turn(asked: Asked, at: Point, heading: float, other: float) -> bool:
    """Whether the body may turn at a place, in plan inches, through all headings between two."""
    turn = turns(heading, other)
    steps = max(1, int(np.ceil(abs(turn) / _STEP)))
    return all(passes(asked, at, heading + turn * k / steps) for k in range(1, steps + 1))


def passes(asked: Asked, at: Point, heading: float) -> bool:
    """Whether the body may be at a place with a heading while it moves."""
    body = facing(asked.body, heading)
    if off_limits.ruling(asked.roles, body, at, asked.judge) is not None:
        return False
    return asked.ground.stand(body, mm(at[0]), mm(at[1]), mm(at[2])).passes


def facing(body: Body, heading: float) -> Body:
    """The body with another heading, from 0 up to 360 degrees."""
    return replace(body, facing=float(heading % 360.0))


def to(asked: Asked, x: float, y: float, z: float | None, wanted: float | None) -> Move:
    """The way of an oval to one place, see `LegalMoves.to`; wanted: heading at its end, None: any, rather its own."""
    own = asked.body.facing
    kept = asked.straight_to(x, y, z)
    if kept.legal:
        if wanted is None or can_turn(asked, kept.to, own, wanted):
            return kept if wanted is None else replace(kept, facing=wanted)
    elif not _for_room(asked, kept):
        return kept if wanted is None else replace(kept, facing=wanted)
    best: Move | None = None
    for heading in _headings(asked, kept, wanted):
        if not can_turn(asked, asked.start, own, heading):
            continue
        move = asked.turned(heading).straight_to(x, y, z)
        if not move.legal:
            continue
        end = heading if wanted is None else wanted
        if end != heading and not can_turn(asked, move.to, heading, end):
            continue
        move = replace(move, facing=end)
        if best is None or (move.success or 0.0, -(move.cost or 0.0)) > (
            best.success or 0.0,
            -(best.cost or 0.0),
        ):
            best = move
    best = best or turning_ways.on_the_way(asked, kept.to, wanted)
    if best is not None:
        return best
    if not kept.legal:
        return kept if wanted is None else replace(kept, facing=wanted)
    # it gets there, but not round to the heading asked for
    ruling = asked.judge.ruling("no-turn", RuleName.ROOM, None, None, kept.to)
    return replace(kept, legal=False, success=None, facing=wanted, rulings=(ruling,))


def _for_room(asked: Asked, move: Move) -> bool:
    """Whether a move was refused for want of room, which another heading may have: it is barred, or its way is too long
    and a way round."""
    if not move.rulings or move.rulings[0].rule != RuleName.ALLOWANCE:
        return bool(move.rulings)
    straight = math.dist(asked.start, move.to)
    return straight <= asked.allowance and (move.cost or 0.0) > _ROUND * straight


def _headings(asked: Asked, kept: Move, wanted: float | None) -> list[float]:
    """Other headings in the order in which they are worth a try, at most `_TRIED`."""
    own = asked.body.facing
    headings = [float((own + k * _STEP) % 360.0) for k in range(1, HEADINGS)]
    way = _along(kept)
    free = [sum(passes(asked, at, heading) for at in way) for heading in headings]
    order = sorted(range(len(headings)), key=lambda k: (-free[k], abs(turns(own, headings[k]))))
    chosen = [headings[k] for k in order[:_TRIED]]
    if wanted is not None and abs(turns(own, wanted)) > 1e-9:
        chosen = [wanted, *(h for h in chosen if abs(turns(h, wanted)) > 1e-9)]
    return chosen[:_TRIED]


def _along(move: Move) -> list[Point]:
    """Places on the way of a refused move, or those that its rulings measured, and its end."""
    found: list[Point] = [ruling.where for ruling in move.rulings if ruling.where is not None]
    for leg in move.legs:
        path = np.array(leg.path or (leg.start, leg.end))
        along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(path[:, :2], axis=0).T))])
        for s in np.arange(0.0, along[-1] + _STRIDE, _STRIDE):
            x, y, z = (float(np.interp(s, along, path[:, k])) for k in range(3))
            found.append((x, y, z))
    return [*found, move.to]
