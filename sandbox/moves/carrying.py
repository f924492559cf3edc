"""Carrying: a move with a thing, or with a fighter who cannot walk, set down in contact at the end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sandbox.ground.model import Body
from sandbox.moves.answers import Point, Ruling
from sandbox.moves.distance import Base, plan_gap
from sandbox.moves.legal import Asked
from sandbox.moves.passages import apart
from sandbox.moves.placed import CONTACT, overlapping
from sandbox.rules.statements import RuleName
from sandbox.rules.ticks import at_most
from sandbox.units import inches, mm

ITEM_HALF = inches(10.0)
"""half the width of a thing to carry, inches: things have no size in a scene, this is a usual marker's."""
ITEM_HEIGHT = 0.5
_AROUND = 24
"""directions in which a thing may be set down."""


@dataclass(frozen=True)
class Load:
    """What is carried."""

    id: str
    at: Point
    heavy: bool
    base: Base | None = None
    """a fighter's base; None for a thing."""
    height: float = ITEM_HEIGHT


class Carry(Asked):
    """A move with something that is taken along from within reach, and set down at the end in contact."""

    @property
    def load(self) -> Load:
        """What is carried."""
        assert isinstance(self.aim, Load)
        return self.aim

    @property
    def taken(self) -> tuple[str, ...]:
        """The fighter that is carried is in nobody's way."""
        return (self.load.id,)

    def at_all(self) -> tuple[Ruling, ...]:
        """Too heavy for this action, or too far away to be taken up."""
        load, row = self.load, self.action.row
        heavy = row.cost.value == "double"
        if load.heavy and not heavy:
            return (self.judge.ruling("carry-heavy", self.rule, name=load.id),)
        reach = row.reach or 0.0
        here = self.mover.base.moved(self.start)
        if load.base is None:
            gap = max(0.0, apart(here, load.at) - ITEM_HALF)
        else:
            gap = float(np.hypot(max(0.0, plan_gap(here, load.base)), load.at[2] - self.start[2]))
        if not at_most(gap, reach + CONTACT):
            return (self.judge.ruling("carry-far", self.rule, gap, reach, load.at, name=load.id),)
        return ()

    def against(self, at: Point) -> tuple[Ruling, ...]:
        """Why the move may not end at a place: nowhere beside it to set the thing down is one more reason."""
        told = super().against(at)
        if told or self.set_down(at) is not None:
            return told
        return (self.judge.ruling("carry-down", RuleName.TARGET, None, None, at, name=self.load.id),)

    def set_down(self, at: Point) -> Point | None:
        """Where the thing goes: in contact with the carrier, on floor that holds it, on top of nothing else."""
        load, own = self.load, self.mover.base.moved(at)
        half = load.base or Base(at, ITEM_HALF, ITEM_HALF)
        body = Body(mm(half.half_long), mm(half.half_short), mm(load.height), half.facing)
        for angle in np.linspace(0.0, 2 * np.pi, _AROUND, endpoint=False):
            way = (float(np.cos(angle)), float(np.sin(angle)))
            gone = _touching(own, half, way)
            x, y = at[0] + way[0] * gone, at[1] + way[1] * gone
            found = self.ground.stand(body, mm(x), mm(y), mm(at[2]))
            z = inches(found.z)
            if not found.stands or abs(z - at[2]) > self.movement.free_step_up + CONTACT:
                continue
            here = half.moved((x, y, z))
            if not self._covered(here, load.height):
                return (x, y, z)
        return None

    def _covered(self, here: Base, height: float) -> bool:
        for one in self.field.fighters:
            if one.id in (self.load.id, self.mover.id):
                continue
            if overlapping(here, one.base, height, one.height) > CONTACT:
                return True
        for item in self.field.scene.items:
            if item.id != self.load.id:
                other = Base((*item.at, here.at[2]), ITEM_HALF, ITEM_HALF)
                if plan_gap(here, other) < -CONTACT and abs((item.z or here.at[2]) - here.at[2]) < height:
                    return True
        return False


def _touching(own: Base, other: Base, way: tuple[float, float]) -> float:
    """How far apart the centres of two bases are that touch in a direction, inches."""
    low, high = 0.0, own.half_long + other.half_long
    if own.is_round and other.is_round:
        return high
    for _ in range(40):
        middle = (low + high) / 2
        at = (own.at[0] + way[0] * middle, own.at[1] + way[1] * middle, own.at[2])
        if plan_gap(own, other.moved(at)) < 0.0:
            low = middle
        else:
            high = middle
    return high
