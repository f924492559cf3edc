"""Getting away from enemies: disengaging, retreating, fleeing."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sandbox.ground.model import Floats
from sandbox.moves import fails, spots
from sandbox.moves.answers import SPOT, Check, OnFail, Point, Reason, Ruling
from sandbox.moves.distance import gaps
from sandbox.moves.hazards import DANGEROUS, Choice
from sandbox.moves.legal import Asked
from sandbox.moves.placed import CONTACT, Placed
from sandbox.moves.setup import Chain, Setup
from sandbox.moves.sight import sees
from sandbox.moves.words import sentence
from sandbox.rules.statements import RuleName
from sandbox.units import inches

_SPACING = 0.2
"""inches between two places on a ring."""
_ON_RING = inches(0.2)
"""how exact a distance that has to be met is asked for."""


class Disengage(Asked):
    """Set up exactly the kept distance from one enemy it is engaged with, and at least that from all others."""

    @property
    def keep(self) -> float:
        """The distance, inches."""
        return self.movement.keep_distance

    @cached_property
    def engaged(self) -> tuple[Placed, ...]:
        """The enemies that it is engaged with."""
        return tuple(self.field.fighter(one) for one in self.mover.engaged_with)

    @property
    def enemies(self) -> tuple[Placed, ...]:
        """All enemies that a distance is kept from."""
        return tuple(one.placed for one in self.others.kept if one.enemy)

    @cached_property
    def free_anywhere(self) -> bool:
        """Whether some place is at least the distance from all enemies; else it stays engaged with somebody."""
        points = self._ring()
        if not len(points):
            return False
        cost, _ = self.many(points)
        points = points[np.isfinite(cost)]
        return bool(len(points)) and bool(self._clear(points).any())

    def _ring(self) -> Floats:
        """Places exactly at the distance from one of the enemies it is engaged with, (n, 3)."""
        base = self.mover.base
        found = []
        for one in self.engaged:
            reach = base.half_long + one.base.half_long + self.keep
            count = max(24, int(2 * np.pi * reach / _SPACING))
            for angle in np.linspace(0.0, 2 * np.pi, count, endpoint=False):
                x, y = self._at_distance(one, float(angle), reach)
                for z in self.floors(x, y, None):
                    at = (x, y, z)
                    if abs(self._gap(at, one) - self.keep) <= _ON_RING and not super().against(at):
                        found.append(at)
        return np.array(found).reshape(-1, 3)

    def _at_distance(self, one: Placed, angle: float, reach: float) -> tuple[float, float]:
        """The place in a direction whose base is exactly at the distance."""
        way = np.array([np.cos(angle), np.sin(angle)])
        low, high = 0.0, reach + self.mover.base.half_long
        for _ in range(40):
            middle = (low + high) / 2
            x, y = np.array(one.at[:2]) + way * middle
            if self._gap((float(x), float(y), one.at[2]), one) < self.keep:
                low = middle
            else:
                high = middle
        x, y = np.array(one.at[:2]) + way * high
        return float(x), float(y)

    def _gap(self, at: Point, one: Placed) -> float:
        return float(gaps(np.array([at]), self.mover.base, one.base)[0])

    def _clear(self, points: Floats) -> NDArray[np.bool_]:
        answer = np.ones(len(points), dtype=np.bool_)
        for one in self.enemies:
            apart = self.field.measuring.near(points, self.mover.base, one.base, self.keep)
            answer &= ~(apart < self.keep - _ON_RING)
        return answer

    def against(self, at: Point) -> tuple[Ruling, ...]:
        """Not at the distance from one of them, or too near to another while a better place is open."""
        told = super().against(at)
        if told:
            return told
        apart = {one.id: self._gap(at, one) for one in self.engaged}
        nearest = min(apart.values(), key=lambda gap: abs(gap - self.keep), default=float("inf"))
        if abs(nearest - self.keep) > CONTACT:
            return (self.judge.ruling("disengage-exactly", self.rule, nearest, self.keep, at),)
        if self.free_anywhere:
            for one in self.enemies:
                gap = float(
                    self.field.measuring.near(np.array([at]), self.mover.base, one.base, self.keep)[0]
                )
                if gap < self.keep - CONTACT:
                    return (
                        self.judge.ruling(
                            "enemy-distance", "keep_distance", gap, self.keep, one.at, name=one.id
                        ),
                    )
        return ()

    def spots(self) -> NDArray[Any]:
        """The places on the rings, (n,) of dtype SPOT."""
        points = self._ring()
        if not len(points):
            return np.zeros(0, SPOT)
        if self.free_anywhere:
            points = points[self._clear(points)]
        return spots.as_spots(points, *self.many(points))


class Retreat(Disengage):
    """A check, then a rolled distance away; it may end at any place that keeps the distance."""

    @property
    def first_checks(self) -> tuple[Check, ...]:
        """The check that the action asks for."""
        check = self.action.row.check
        if check is None:
            return ()
        test = self.pricing.test(check, Reason.RETREAT, 0, self.rule)
        return () if test is None else (fails.check(test, OnFail(sentence("fails", "retreat"))),)

    def against(self, at: Point) -> tuple[Ruling, ...]:
        """What any move has against a place."""
        return Asked.against(self, at)

    def spots(self) -> NDArray[Any]:
        """What any move has, (n,) of dtype SPOT."""
        return Asked.spots(self)


class Flee(Asked):
    """A rolled distance away from the nearest enemy in sight, around hazards and other enemies."""

    @cached_property
    def threat(self) -> Placed | None:
        """The nearest enemy that it sees; where it sees none, the nearest of all."""
        foes = [one for one in self.field.fighters if self.mover.is_enemy(one)]
        seen = [one for one in foes if sees(self.field, self.mover, one)]

        def apart(one: Placed) -> float:
            return float(gaps(np.array([self.start]), self.mover.base, one.base)[0])

        return min(seen or foes, key=apart, default=None)

    def at_all(self) -> tuple[Ruling, ...]:
        """Nobody to flee from."""
        return () if self.threat else (self.judge.ruling("flee-nobody", RuleName.TARGET),)

    def _set_up(self, chain: Chain, labels: int, goal: Point | None = None) -> Setup:
        """Hazards are avoided: no checks are taken on, and dangerous ground is kept off whatever it does."""
        made = super()._set_up(chain, labels, goal)
        price = np.where(made.prices.chance < 1.0, np.inf, made.link_price)
        calm = tuple(c for c in made.choices if c.chance >= 1.0) or (Choice((), made.choices[-1].accepts),)
        weight = np.where(made.worst == DANGEROUS, np.inf, made.weight)
        return replace(made, link_price=price, choices=calm, weight=weight)

    def farther(self, points: Floats) -> NDArray[np.bool_]:
        """Which places (n, 3) are farther from the threat than the start."""
        if self.threat is None:
            return np.ones(len(points), dtype=np.bool_)
        base, other = self.mover.base, self.threat.base
        begin = float(gaps(np.array([self.start]), base, other)[0])
        return np.asarray(gaps(points, base, other) > begin + CONTACT)

    def against(self, at: Point) -> tuple[Ruling, ...]:
        """Nearer to the one that it flees from."""
        told = super().against(at)
        if told or self.threat is None or self.farther(np.array([at]))[0]:
            return told
        base, other = self.mover.base, self.threat.base
        gap = float(gaps(np.array([at]), base, other)[0])
        begin = float(gaps(np.array([self.start]), base, other)[0])
        return (self.judge.ruling("flee-nearer", self.rule, gap, begin, at, name=self.threat.id),)

    def spots(self) -> NDArray[Any]:
        """Places that are farther away, (n,) of dtype SPOT."""
        found = super().spots()
        points = np.column_stack([found["x"], found["y"], found["z"]])
        return found[self.farther(points)] if len(found) else found
