"""Straight movement that a rule prescribes: directly towards another model or away from it, until something stops it.

Lengths are in inches, angles in degrees.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from sandbox.errors import UserError
from sandbox.ground.ground import Ground, Standing
from sandbox.ground.model import Body, Limit
from sandbox.moves.answers import Json, Point
from sandbox.moves.distance import plan_gap
from sandbox.moves.placed import Placed
from sandbox.moves.standing import on_board
from sandbox.units import inches, mm

if TYPE_CHECKING:
    from sandbox.moves.battlefield import Battlefield

_STRIDE = 0.05
"""inches between two places that are looked at."""
_EXACT = 0.002
"""inches: how exactly the place is found where it is stopped."""
_OPEN = {Limit.LIP, Limit.NO_FLOOR, Limit.NARROW, Limit.GAP}
"""what says that floor ends, and not that something is in the way."""


class Stop(StrEnum):
    """What ends a straight movement."""

    DISTANCE = "distance"
    """it went as far as it should."""
    SOLID = "solid"
    """a solid feature, or ground that is barred or too high a step."""
    LIP = "lip"
    """no floor to go on over."""
    MODEL = "model"
    """contact with another model."""
    BOARD = "board"
    """the edge of the battlefield."""


@dataclass(frozen=True)
class Straight:
    """A straight movement along the line of two centres."""

    at: Point
    """where the model ends."""
    gone: float
    """inches."""
    stop: Stop
    rule: str = "directly"
    source: str = ""

    def to_json(self) -> Json:
        """Keys at, gone, stop, rule, source."""
        return {
            "at": [round(v, 4) + 0.0 for v in self.at],
            "gone": round(self.gone, 4),
            "stop": self.stop.value,
            "rule": self.rule,
            "source": self.source,
        }


def straight(field: Battlefield, one: Placed, other: Placed, distance: float, *, away: bool) -> Straight:
    """See `Battlefield.directly`. UserError where there is no line between the two centres."""
    way = np.array(other.at[:2]) - np.array(one.at[:2])
    size = float(np.hypot(*way))
    if one.id == other.id or size < 1e-6:
        raise UserError(f"{one.id} and {other.id} have no line between their centres")
    path = Line(field, one, (-way if away else way) / size)
    gone, stop = path.far(distance)
    rule = "directly"
    known = rule in field.pack.rule_ids
    source = field.pack.rule(rule).source if known else ""
    return Straight(path.at(gone), gone, stop, rule, source)


def line(field: Battlefield, one: Placed, way: tuple[float, float]) -> Line:
    """The straight line from where a model is in a direction in plan (of length 1)."""
    return Line(field, one, np.array(way))


class Line:
    """A straight line from a model, walked in small strides."""

    def __init__(self, field: Battlefield, one: Placed, way: np.ndarray) -> None:
        """way: unit direction in plan, (2,)."""
        self.field, self.one, self.way = field, one, way
        self.ground: Ground = field.ground.ground(one.rules)
        self.body: Body = field.body_of(one)
        m = one.rules.movement
        self.step = max(m.free_step_up, m.free_step_down)
        self.others = tuple(o for o in field.fighters if o.id != one.id and self._in_the_way(o))
        self.heights = {0.0: one.at[2]}
        self.met: str | None = None
        """the model that stopped it."""
        self.part = -1
        """the terrain part that stopped it, -1: unknown."""

    def _in_the_way(self, other: Placed) -> bool:
        if self.one.is_enemy(other):
            return True
        return not self.one.rules.movement.pass_friends

    def at(self, gone: float) -> Point:
        """The place so far along the line that was walked."""
        known = max(d for d in self.heights if d <= gone + 1e-9)
        x, y = np.array(self.one.at[:2]) + gone * self.way
        return (float(x), float(y), self.heights[known])

    def far(self, distance: float) -> tuple[float, Stop]:
        """How far the model gets, and what stops it."""
        gone = 0.0
        while gone < distance - 1e-9:
            there = min(gone + _STRIDE, distance)
            stop = self._stopped(gone, there)
            if stop is not None:
                return self._exactly(gone, there, stop), stop
            gone = there
        return distance, Stop.DISTANCE

    def _exactly(self, free: float, blocked: float, stop: Stop) -> float:
        """The last place, to a hair, before what stops the model."""
        while blocked - free > _EXACT:
            middle = (free + blocked) / 2
            if self._stopped(free, middle) is None:
                free = middle
            else:
                blocked = middle
        return free

    def _stopped(self, last: float, gone: float) -> Stop | None:
        """What keeps the model from a place, coming from the one before it; None where it can be there."""
        x, y, z = self.at(last)
        x, y = (float(v) for v in np.array(self.one.at[:2]) + gone * self.way)
        if not on_board(self.field, (x, y)):
            return Stop.BOARD
        found = self.ground.stand(self.body, mm(x), mm(y), mm(z))
        height = inches(found.z) if np.isfinite(found.z) else -np.inf
        most = self.step + (gone - last) + inches(0.05)
        if abs(height - z) > most:
            self.part = found.part
            return Stop.SOLID if height > z else Stop.LIP
        if not found.passes or any(h.limit is Limit.OBSTACLE for h in found.hindrances):
            self.part = next((h.part for h in found.hindrances if h.part >= 0), found.part)
            return Stop.LIP if _ends(found) else Stop.SOLID
        base = self.one.base.moved((x, y, height))
        for other in self.others:
            beside = height < other.at[2] + other.height and height + self.one.height > other.at[2]
            beside = (
                beside and np.hypot(x - other.at[0], y - other.at[1]) < base.half_long + other.base.half_long
            )
            if beside and plan_gap(base, other.base) < -_EXACT and self._nearer(other, gone, last):
                self.met = other.id
                return Stop.MODEL
        self.heights[gone] = height
        return None

    def _nearer(self, other: Placed, gone: float, last: float) -> bool:
        """Whether it comes closer to another model; who overlaps somebody already may move off."""
        now, before = (np.array(self.one.at[:2]) + d * self.way for d in (gone, last))
        centre = np.array(other.at[:2])
        return bool(np.hypot(*(now - centre)) < np.hypot(*(before - centre)))


def _ends(found: Standing) -> bool:
    return bool(found.hindrances) and all(h.limit in _OPEN for h in found.hindrances)
