"""Finding the best way to a place among all searches of a question, for one place or for many at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sandbox.ground.model import Floats, Place
from sandbox.ground.search import Reach
from sandbox.moves import away
from sandbox.moves.answers import Point
from sandbox.moves.hazards import Choice
from sandbox.moves.setup import Setup
from sandbox.moves.ways import SAME_COST, Found, better, point_of
from sandbox.rules.ticks import at_most, ticks
from sandbox.units import MM_PER_INCH, SNAP_MM, inches, mm

if TYPE_CHECKING:
    from sandbox.moves.legal import Asked

_BESIDE = 2.5
"""grid cells around a place beside an obstacle that its way may come from."""

Reaches = Iterable[tuple[Choice, Reach]]


class Finder:
    """Looks for ways of one question."""

    def __init__(self, asked: Asked) -> None:
        """asked: the question."""
        self.asked = asked

    def arrive(self, setup: Setup, at: Point) -> Found | None:
        """The best way to a place within a setup's chain; None where there is none."""
        self.asked.nearer = None
        best = self._best(setup.reaches, setup, at)
        if best is None or not self.asked.others.close:
            return best
        self.asked.nearer = away.nearer_again(self.asked, best)
        if self.asked.nearer is None:
            return best
        key = id(setup)
        if key not in self.asked.leaving:
            self.asked.leaving[key] = away.leaving(self.asked.others, setup)
        again = self._best(self.asked.leaving[key], setup, at)
        if again is None or away.nearer_again(self.asked, again) is not None:
            return None
        self.asked.nearer = None
        return again

    def _best(self, reaches: Reaches, setup: Setup, at: Point) -> Found | None:
        point = (mm(at[0]), mm(at[1]), mm(at[2]))
        cheapest = self.asked.engages or setup is not self.asked.near
        best: Found | None = None
        for choice, reach in reaches:
            arrival = reach.at(point, cheapest=cheapest)
            if arrival is None:
                continue
            cost = inches(arrival.cost) + choice.extra
            if not at_most(cost, setup.chain.total):
                continue
            found = Found(reach, arrival, cost, arrival.chance * choice.chance, choice)
            if reach.places.flags[arrival.place] & Place.OVER:
                found = self._beside(found, at, cheapest=cheapest)
            if best is None or better(found, best, cheapest=cheapest):
                best = found
        booster = self.asked.booster(setup)
        for found in [] if booster is None else booster.ways(at, cheapest=cheapest):
            if best is None or better(found, best, cheapest=cheapest):
                best = found
        return best

    def _beside(self, found: Found, at: Point, *, cheapest: bool) -> Found:
        """The way to a place beside an obstacle.

        The search knows to a grid cell where a base overlaps an obstacle; a place just beside it, in such a cell, is
        reached from the free cells around it by a last straight step.
        """
        ground, body = self.asked.ground, self.asked.body
        places, reach = found.reach.places, found.reach
        if not ground.stand(body, mm(at[0]), mm(at[1]), mm(at[2])).stands:
            return found
        point = np.array([mm(v) for v in at])
        gone = np.hypot(places.pos[:, 0] - point[0], places.pos[:, 1] - point[1])
        near = np.flatnonzero(
            (gone < _BESIDE * places.pitch)
            & (np.abs(places.pos[:, 2] - point[2]) <= ground.numbers.free_step_up_mm)
            & ((places.flags & (Place.PASS | Place.OVER)) == Place.PASS)
        )
        if near.size == 0:
            return found
        ways = reach.many(places.pos[near], cheapest=cheapest)
        cost = ways.cost + gone[near]
        order = np.lexsort((-ways.chance, cost) if cheapest else (cost, -ways.chance))
        best = int(order[0])
        arrival = reach.at(point_of(places.pos[near[best]]), cheapest=cheapest)
        if arrival is None:
            return found
        beside = replace(
            found,
            arrival=arrival,
            cost=inches(float(cost[best])) + found.choice.extra,
            chance=arrival.chance * found.choice.chance,
            tail=at,
        )
        return beside if better(beside, found, cheapest=cheapest) else found

    def many(self, points: Floats) -> tuple[Floats, Floats]:
        """Cost (inches, inf where there is no way) and chance of the best ways to points (n, 3) in inches."""
        asked = self.asked
        if asked.others.close or asked.boost:
            ways = [self.arrive(asked.near, point_of(point)) for point in points]
            cost = np.array([np.inf if way is None else way.cost for way in ways])
            chance = np.array([0.0 if way is None else way.chance for way in ways])
        else:
            cost, chance = self._many(points)
        cost[~(np.round(cost * (MM_PER_INCH / SNAP_MM)) <= ticks(asked.allowance))] = np.inf
        if asked.rolled is not None:
            chance = chance * np.array([asked.distance_chance(float(c)) for c in cost])
        return cost, chance * asked.first_chance

    def _many(self, points: Floats) -> tuple[Floats, Floats]:
        target = points * mm(1.0)
        cost, chance = np.full(len(points), np.inf), np.zeros(len(points))
        beside = np.zeros(len(points), bool)
        for choice, reach in self.asked.near.reaches:
            ways = reach.many(target, cheapest=self.asked.engages)
            beside |= (ways.place >= 0) & ((reach.places.flags[ways.place] & Place.OVER) != 0)
            other = ways.cost / MM_PER_INCH + choice.extra
            odds = ways.chance * choice.chance
            with np.errstate(invalid="ignore"):
                cheaper, same = other < cost - SAME_COST, np.abs(other - cost) <= SAME_COST
            likelier, alike = odds > chance + 1e-9, np.abs(odds - chance) <= 1e-9
            take = cheaper | (same & likelier) if self.asked.engages else likelier | (alike & cheaper)
            take &= np.isfinite(other) & (
                np.round(other * (MM_PER_INCH / SNAP_MM)) <= ticks(self.asked.chain.total)
            )
            cost, chance = np.where(take, other, cost), np.where(take, odds, chance)
        for k in np.flatnonzero(beside):
            way = self.arrive(self.asked.near, point_of(points[k]))
            if way is not None:
                cost[k], chance[k] = way.cost, way.chance
        return cost, chance
