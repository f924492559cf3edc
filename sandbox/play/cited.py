"""Which rules a move rests on: what its legs touch, and the skills, gear and tags that changed it there."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from sandbox.moves.answers import CheckKind, Leg, LegKind, Move, Reason
from sandbox.moves.battlefield import Battlefield
from sandbox.moves.odds import CHECKS
from sandbox.moves.placed import Placed, touching
from sandbox.rules import ActionRules
from sandbox.rules.words import MidClimb
from sandbox.units import mm

_LEGS: dict[LegKind, tuple[str, ...]] = {
    LegKind.WALK: ("allowance",),
    LegKind.CLIMB: ("climb_cost",),
    LegKind.LADDER: ("ladder_cost", "ladder_check"),
    LegKind.LEAP: ("landing", "gap_free", "leap_max"),
    LegKind.JUMP_DOWN: ("landing", "jump_height_cost", "jump_reach", "jump_over"),
    LegKind.CROSS: ("cross_cost", "obstacle_height", "obstacle_width"),
    LegKind.DUCTWAY: ("ductway_reach", "ductway_length", "ductway_mouths"),
    LegKind.SQUEEZE: ("narrow", "squeeze_ratio"),
    LegKind.SCRAMBLE: ("rough_ground",),
}
_NOTES: dict[str, tuple[str, ...]] = {
    "difficult": ("difficult_cost", "kind.difficult"),
    "difficult-once": ("difficult_once", "kind.difficult"),
    "dangerous": ("kind.dangerous",),
    "obstacle": ("cross_cost", "obstacle_height", "obstacle_width"),
    "rail": ("railing",),
    "booster": ("gear.jump-booster",),
    "over-difficult": ("leap_over_difficult",),
}
_LOOKS = 7
"""places of a walk whose ground is looked at."""
_JUMPED = 2.0
"""inches: from this height on a jump down has a modifier of its own, where the pack has one."""


def cited(field: Battlefield, one: Placed, move: Move) -> tuple[str, ...]:
    """Rule ids that a move of a model rests on, beside its action, each once, in order."""
    found: list[str] = [f"kind.{kind}" for kind in _underfoot(field, move)]
    for leg in move.legs:
        found += _LEGS.get(leg.kind, ())
        for note in leg.notes:
            found += _NOTES.get(note, ())
        found += [CHECKS[check.reason] for check in leg.checks if check.reason in CHECKS]
        found += _steps(leg, one)
    if any(c.kind is CheckKind.DISTANCE and c.reason is not Reason.SCATTER for c in move.checks):
        found.append("charge" if move.action in ("charge", "engage") else "allowance")
    if move.facing is not None:
        found.append("facing")
    climbs = any(leg.kind in (LegKind.CLIMB, LegKind.LADDER) for leg in move.legs)
    moves = one.rules.action(move.action)
    chained = (
        isinstance(moves, ActionRules) and len(moves.moves) > 1 and (move.cost or 0.0) > moves.moves[0].most
    )
    if isinstance(moves, ActionRules) and moves.row.rounding is not None:
        found.append(moves.row.rounding)
    if climbs and (chained or one.rules.movement.mid_climb is MidClimb.NEVER):
        found.append("mid_climb")
    step = one.rules.movement.free_step_up
    beside = (o for o in field.fighters if one.is_enemy(o) and touching(one.base, o.base, step))
    if move.action == "move" and not one.engaged_with and any(beside):
        found.append("leave_melee")
    found += _changes(one, move, found)
    return tuple(rule for rule in dict.fromkeys(found) if rule in field.pack.rule_ids)


def _underfoot(field: Battlefield, move: Move) -> Iterable[str]:
    """What the legs lead over, by what it counts as."""
    body = field.body(10.0, 0.5, 0.0)
    places = [move.legs[0].start, *(leg.end for leg in move.legs)] if move.legs else []
    for leg in move.legs:
        if leg.kind is LegKind.WALK:
            path = np.array(leg.path or (leg.start, leg.end))
            along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))])
            for share in np.linspace(0.0, along[-1], _LOOKS):
                places.append(tuple(float(np.interp(share, along, path[:, i])) for i in range(3)))  # type: ignore[arg-type]
    for x, y, z in places:
        part = field.ground.plain.stand(body, mm(x), mm(y), mm(z)).part
        if part >= 0:
            yield field.roles.kinds[part].value


def _steps(leg: Leg, one: Placed) -> Iterable[str]:
    """Free steps of a walk, and what a leap or a jump down is judged by."""
    step = one.rules.movement
    if leg.kind is LegKind.WALK and len(leg.path) > 1:
        rise = leg.end[2] - leg.start[2]
        if rise > 0.04:
            yield "free_step_up"
        elif rise < -0.04:
            yield "free_step_down"
    if leg.kind is LegKind.LEAP:
        if leg.end[2] < leg.start[2] - step.leap_level:
            yield "leap_lower"
        if leg.end[2] > leg.start[2] + 0.04:
            yield "leap_up"
    if leg.kind is LegKind.JUMP_DOWN and leg.down > _JUMPED:
        yield "jump_modifier"


def _changes(one: Placed, move: Move, rules: Iterable[str]) -> Iterable[str]:
    """Skills, gear and tags that bear on the action, on its distance, or on one of the rules."""
    touched = set(rules)
    action = one.rules.action(move.action)
    for used in one.rules.used:
        for change in used.entry.changes:
            word = change.change
            own = word.startswith(f"action.{move.action}.") or word.startswith("profile.M")
            if own or word in touched:
                yield used.id
        if used.entry.ignores and {"difficult_cost", "difficult_once", "kind.difficult"} & touched:
            yield used.id
        for granted in used.entry.procedures:
            if move.action in granted.actions or used.id.endswith(f".{move.action}"):
                yield used.id
    if isinstance(action, ActionRules):
        yield from (used.id for used in one.rules.used if used.id.partition(".")[2] in action.row.needs)
    for status in one.rules.statuses:
        yield f"status.{status}"
