"""For a refused move: which reading would allow it, and the nearest legal thing to do instead. Both are tried out.

Lengths are in inches, angles in degrees.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from sandbox.errors import UserError
from sandbox.files.sentences import translated
from sandbox.moves.answers import Json, LegalMoves, LegKind, Move, Point
from sandbox.moves.words import action_words, chance, length
from sandbox.rules.readings import in_words
from sandbox.rules.values import value_text
from sandbox.teach.words import say

if TYPE_CHECKING:
    from sandbox.moves.battlefield import Battlefield
    from sandbox.rules.entries import Alternative

Place = tuple[float, float, float | None]

MOST_READINGS = 6
"""readings that are tried out for one move."""
_LEVEL = 4.0
"""heights count this much more than plan distances where a place to stop on a way is looked for."""
_NEAR = 0.25
"""inches: heights that differ by less are one level."""
_PLAIN = ("double-move", "move")
"""actions that need no target, the one that gets farther first."""
_SURE = 0.9995
_BY_LEG: dict[LegKind, tuple[str, ...]] = {
    LegKind.CLIMB: ("mount_free", "climb_cost"),
    LegKind.LADDER: ("ladder_cost", "mount_free"),
    LegKind.CROSS: ("cross_cost",),
    LegKind.LEAP: ("leap_max",),
}
"""open settings that price each kind of leg."""
_BY_NOTE = {"difficult": "difficult_cost", "difficult-once": "difficult_once", "obstacle": "cross_cost"}


class Kind(StrEnum):
    """Ways of doing something else."""

    NEAREST = "nearest"
    """the nearest place that the same action reaches."""
    LEVEL = "level"
    """the nearest of those at the height that was asked for."""
    ACTION = "action"
    """another action gets there."""
    STOPS = "stops"
    """declared all the same, it ends here."""
    TWO_MOVES = "two-moves"
    """in two activations."""


@dataclass(frozen=True)
class Instead:
    """Something that can be done instead."""

    kind: Kind
    text: str
    move: Move | None
    """the move that does it; None where nothing is moved."""
    action: str
    at: Point
    """where it ends, inches."""
    away: float
    """from the place that was asked for, inches."""

    def to_json(self) -> Json:
        """Keys kind, text, action, at, away, cost, success."""
        move = self.move
        return {
            "kind": self.kind.value,
            "text": self.text,
            "action": self.action,
            "at": [round(v, 4) + 0.0 for v in self.at],
            "away": round(self.away, 4),
            "cost": None if move is None or move.cost is None else round(move.cost, 4),
            "success": None if move is None or move.success is None else round(move.success, 4),
        }


@dataclass(frozen=True)
class Reading:
    """Another reading of an open setting."""

    setting: str
    value: Any
    reading: str
    """the value, and what it changes, in words."""
    allows: bool
    """tried out: with it alone the move is legal."""
    move: Move
    text: str

    def to_json(self) -> Json:
        """Keys setting, value, reading, allows, cost, text."""
        return {
            "setting": self.setting,
            "value": self.value,
            "reading": self.reading,
            "allows": self.allows,
            "cost": None if self.move.cost is None else round(self.move.cost, 4),
            "text": self.text,
        }


def readings(
    field: Battlefield, move: Move, to: Place, target: str | None, facing: float | None
) -> tuple[Reading, ...]:
    """Readings of open settings that would allow a refused move, and those its rulings name though they do not.

    Each is tried out on the same battlefield; at most `MOST_READINGS`.
    """
    named = [ruling.setting for ruling in move.rulings if ruling.setting is not None]
    likely = list(named)
    for leg in move.legs:
        likely += _BY_LEG.get(leg.kind, ())
        likely += [_BY_NOTE[note] for note in leg.notes if note in _BY_NOTE]
    tried: list[Reading] = []
    for setting in dict.fromkeys(likely):
        for option in field.pack.rule(setting).setting:
            if len(tried) == MOST_READINGS:
                break
            try:
                other = field.under(field.pack.with_settings({setting: option.value}))
                found = other.moves(move.fighter, move.action, target=target).to(*to, facing=facing)
            except UserError:
                continue
            tried.append(_reading(setting, option, found))
    allowed = [one for one in tried if one.allows]
    known = {one.setting for one in allowed}
    others = [one for one in tried if one.setting in named and one.setting not in known]
    return (*allowed, *others)


def _reading(setting: str, option: Alternative[Any], found: Move) -> Reading:
    risky = found.success is not None and found.success < _SURE
    name = "this-rule" if not found.legal else "allows-chance" if risky else "allows"
    text = say(
        "readings", name, changes=translated(option.changes), setting=setting, value=value_text(option.value),
        fighter=found.fighter, cost=length(found.cost or 0.0), chance=chance(found.success or 0.0),
    )  # fmt: skip
    return Reading(setting, option.value, in_words(option), found.legal, found, text)


def instead(
    field: Battlefield, moves: LegalMoves, move: Move, to: Place, facing: float | None
) -> tuple[Instead, ...]:
    """What can be done instead of a refused move: another action, two moves, the nearest places, how far it gets."""
    found = [*_actions(field, moves, to, facing), *(_nearest(moves, move) or _walked(field, move))]
    short = stops_short(field, move)
    if short is not None:
        if not any(one.kind is Kind.ACTION for one in found):
            on = _two_moves(field, moves, move, to, facing, short.at)
            found = [on, *found] if on is not None else found
        found.append(short)
    return tuple(found)


def _actions(field: Battlefield, moves: LegalMoves, to: Place, facing: float | None) -> list[Instead]:
    """Other actions that get there, without a target."""
    found = []
    for action in field.status(moves.fighter).may:
        if action == moves.action:
            continue
        try:
            other = field.moves(moves.fighter, action)
            move = other.to(*to, facing=facing) if not other.rulings else None
        except UserError:
            continue
        if move is None or not move.legal or move.cost is None:
            continue
        text = say(
            "instead", "action", action=action_words(action), fighter=move.fighter, cost=length(move.cost),
            allowance=length(move.allowance), chance=_chance(move),
        )  # fmt: skip
        found.append(Instead(Kind.ACTION, text, move, action, move.to, 0.0))
    return found


def _nearest(moves: LegalMoves, move: Move) -> list[Instead]:
    """The nearest place in reach, and the nearest at the height that was asked for where that is another one."""
    spots = moves.spots
    if not len(spots):
        return []
    plan = np.hypot(spots["x"] - move.to[0], spots["y"] - move.to[1])
    rise = np.abs(spots["z"] - move.to[2])
    found = []
    level = np.flatnonzero(rise < _NEAR)
    best = int(np.argmin(np.hypot(plan, rise)))
    picks = [(Kind.NEAREST, best)]
    if len(level) and rise[best] >= _NEAR:
        picks.append((Kind.LEVEL, int(level[np.argmin(plan[level])])))
    for kind, index in picks:
        at = (float(spots["x"][index]), float(spots["y"][index]), float(spots["z"][index]))
        there = moves.to(*at)
        if not there.legal:
            continue
        away = math.dist(at, move.to)
        text = say(
            "instead", kind.value, action=action_words(moves.action), place=place_words(at), away=length(away),
            cost=length(there.cost or 0.0), chance=_chance(there),
        )  # fmt: skip
        found.append(Instead(kind, text, there, moves.action, at, away))
    return found


def _walked(field: Battlefield, move: Move) -> list[Instead]:
    """Where nothing of the action itself is in reach, a charge for one: the nearest place of a plain move."""
    may = field.status(move.fighter).may
    plain = next((action for action in _PLAIN if action in may and action != move.action), None)
    return [] if plain is None else _nearest(field.moves(move.fighter, plain), move)


def stops_short(field: Battlefield, move: Move) -> Instead | None:
    """Where the declared move ends that is only too long."""
    if move.cost is None or any(ruling.rule != "allowance" for ruling in move.rulings):
        return None
    at = field.stops(move)
    if at is None:
        return None
    stays = math.dist(at, field.fighter(move.fighter).at) < 0.05
    text = say("instead", "stops-where" if stays else "stops", fighter=move.fighter, place=place_words(at))
    return Instead(Kind.STOPS, text, None, move.action, at, math.dist(at, move.to))


def _two_moves(
    field: Battlefield, moves: LegalMoves, move: Move, to: Place, facing: float | None, stop: Point
) -> Instead | None:
    """The same action twice, in two activations: first as near as it gets, then on from there."""
    tries = [stop]
    spots = moves.spots
    if len(spots) and move.legs:
        # the foot of what is to be climbed, or the lip, is where the second move begins best
        for leg in move.legs:
            away = np.hypot(spots["x"] - leg.start[0], spots["y"] - leg.start[1])
            away = away + _LEVEL * np.abs(spots["z"] - leg.start[2])
            best = int(np.argmin(away))
            tries.append((float(spots["x"][best]), float(spots["y"][best]), float(spots["z"][best])))
        away = np.hypot(spots["x"] - move.to[0], spots["y"] - move.to[1])
        best = int(np.argmin(np.hypot(away, _LEVEL * (spots["z"] - move.to[2]))))
        tries.append((float(spots["x"][best]), float(spots["y"][best]), float(spots["z"][best])))
    for at in dict.fromkeys(tries):
        first = moves.to(*at)
        if not first.legal or math.dist(at, field.fighter(move.fighter).at) < 0.05:
            continue
        there = field.with_fighter_at(move.fighter, at)
        if there.problems.get(move.fighter):
            continue
        second = there.moves(move.fighter, moves.action).to(*to, facing=facing)
        if second.legal and second.cost is not None:
            text = say(
                "instead", "two-moves", place=place_words(at), first=length(first.cost or 0.0),
                second=length(second.cost), chance=_chance(second),
            )  # fmt: skip
            return Instead(Kind.TWO_MOVES, text, second, moves.action, at, 0.0)
    return None


def place_words(at: Point) -> str:
    """``12.00, 9.68, 3.00``."""
    return ", ".join(f"{value + 0.0:.2f}" for value in at)


def _chance(move: Move) -> str:
    if move.success is None or move.success >= _SURE:
        return ""
    return say("instead", "chance", chance=chance(move.success))
