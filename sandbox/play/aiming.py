"""Where an order is meant to lead: the place that was named, or the contact that a charge means."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from sandbox.errors import UserError
from sandbox.kinds import DOORS, Kind
from sandbox.moves import charge, driving
from sandbox.moves.answers import LegalMoves
from sandbox.moves.legal import Asked
from sandbox.moves.placed import Placed
from sandbox.play.orders import Order
from sandbox.play.state import State
from sandbox.rules import ActionRules, Refusal
from sandbox.rules.statements import RuleName
from sandbox.rules.words import Target

Goal = tuple[float, float, float | None]
_DIRECTIONS = 24
"""places around a target that are looked at where none is in reach."""


def targeted(state: State, one: Placed, action: ActionRules | Refusal, order: Order) -> Order:
    """The order with the door that it means where it names none: the nearest."""
    wanted = action.row.target if isinstance(action, ActionRules) else None
    if wanted is not Target.DOOR or "target" in order:
        return order
    doors = {name: p["at"] for name, p in state["pieces"].items() if Kind(p["kind"]) in DOORS}
    if not doors:
        return order
    return {**order, "target": min(doors, key=lambda name: math.dist(doors[name], one.at))}


def goal(one: Placed, moves: LegalMoves, order: Order) -> Goal:
    """Where an action is to end, x, y and perhaps z, inches.

    Who charges means contact: where no place is named, or one that engages nobody, the contact nearest to it, else the
    surest and then the shortest. UserError where what was named is no place.
    """
    to = order.get("to")
    if to is not None and len(to) not in (2, 3):
        raise UserError("a place has two or three numbers, x,y or x,y,z")
    named: Goal | None = None
    if to is not None:
        named = (float(to[0]), float(to[1]), float(to[2]) if len(to) == 3 else None)
    asked = moves.answerer
    if moves.rulings or not isinstance(asked, Asked) or not asked.engages:
        return one.at if named is None else named
    if named is not None and _engages(asked, named):
        return named
    spots = moves.spots
    if not len(spots):
        return named or _nearest(asked, one)
    if named is None:
        best = spots[np.lexsort((spots["cost"], -spots["success"].round(3)))[0]]
    else:
        best = spots[np.argmin(np.hypot(spots["x"] - named[0], spots["y"] - named[1]))]
    return float(best["x"]), float(best["y"]), float(best["z"])


def _engages(asked: Asked, to: Goal) -> bool:
    """Whether a base at a place engages the target of a charge, on any floor there."""
    x, y = charge.into_contact(asked, to[:2], to[2])
    floors = asked.floors(x, y, to[2])
    return any(all(r.rule != RuleName.CHARGE for r in asked.against((x, y, z))) for z in floors)


def _nearest(asked: Asked, one: Placed) -> Goal:
    """The place in contact with a target out of reach that is nearest to a straight line to it."""
    assert asked.target is not None
    first: Goal | None = None
    for x, y in _around(one, asked.target):
        first = first or (x, y, None)
        for z in asked.floors(x, y, None):
            if not asked.against((x, y, z)):
                return (x, y, z)
    return first or one.at


def _around(one: Placed, target: Placed) -> Iterator[tuple[float, float]]:
    """Centres that touch a target, from the side of who charges on."""
    straight = math.degrees(math.atan2(one.at[1] - target.at[1], one.at[0] - target.at[0]))
    turns = sorted((360.0 / _DIRECTIONS * k for k in range(_DIRECTIONS)), key=lambda t: min(t, 360.0 - t))
    for turn in turns:
        yield driving.beside(one.base, target.base, straight + turn, 0.0)
