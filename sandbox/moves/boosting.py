"""A jump booster: once an activation, some inches of one step, leap, jump, crossing or stretch of difficult ground are
left out.

It is tried in searches of its own, in each of which the same sort of thing is boosted; a way of theirs counts where it
uses the booster once.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sandbox.ground.model import Floats, LinkKind, Question
from sandbox.ground.search import Reach, search
from sandbox.ground.search_model import Arrival, StretchKind
from sandbox.moves.answers import Leg, Point
from sandbox.moves.hazards import Choice
from sandbox.moves.prices import Pricing
from sandbox.moves.setup import Chain, Setup
from sandbox.moves.touching import along
from sandbox.moves.ways import Found
from sandbox.rules.ticks import at_most
from sandbox.rules.words import Procedure
from sandbox.units import MM_PER_INCH, inches, mm

if TYPE_CHECKING:
    from sandbox.moves.legal import Asked

_STEP = 0.02
"""inches between two places of a way that are looked at for difficult ground."""
_LESS = 1e-6
_LEVEL_MM = 5.0
"""levels that differ by less are one."""
Use = tuple[bool, int]
"""what the booster is used on: a link, by its row, or else an obstacle, by its zone."""
_GROUPS = 8
"""most groups of links that are tried, those with most links first."""


def inches_of(asked: Asked) -> float:
    """How much the mover's booster leaves out, inches; 0: it has none."""
    found = asked.mover.rules.procedure(Procedure.BOOSTER)
    return 0.0 if found is None else found[1].inches or 0.0


@dataclass(eq=False)
class Booster:
    """The boosted searches of one setup."""

    setup: Setup
    """of a longer chain, so that what only the booster pays for is looked at."""
    chain: Chain
    """the Moves that there are."""
    pricing: Pricing
    """the mover's own."""
    most: float
    """inches left out."""
    _searched: dict[tuple[int, Use], Reach] = field(default_factory=dict, repr=False)

    @cached_property
    def prices(self) -> tuple[Floats, NDArray[np.float64]]:
        """Price (mm) and chance of every link if the booster is used on it, (k,) each."""
        links, movement = self.setup.links, self.pricing.movement
        price, chance = self.setup.link_price.copy(), self.setup.prices.chance.copy()
        for row in np.flatnonzero(np.isfinite(price)):
            gap, up, down = (inches(float(c[row])) for c in (links.gap, links.up, links.down))
            kind = int(links.kind[row])
            if kind == LinkKind.CLIMB and down <= 0.0 and at_most(up, self.most + movement.free_step_up):
                price[row] = min(price[row], links.plan[row])
            elif kind == LinkKind.LEAP:
                price[row] = max(0.0, price[row] - mm(min(self.most, max(gap, up))))
            elif kind != LinkKind.JUMP_DOWN:
                continue
            tests = self.on(int(row)).link_tests(links, int(row))
            chance[row] = math.prod(test.chance for test in tests)
        return price, chance

    def _question(self, choice: Choice) -> Question | None:
        """The search's question within the chain that there is."""
        question = self.setup.question(choice)
        moves = [*self.chain.moves[:-1], self.chain.moves[-1] - choice.extra]
        if question is None or sum(moves) <= 0.0:
            return None
        return replace(question, moves=tuple(mm(max(m, 0.0)) for m in moves))

    def on(self, row: int) -> Pricing:
        """The mover's prices with the booster used on one link."""
        return replace(self.pricing, boosted=frozenset({row}), boost=self.most)

    @cached_property
    def groups(self) -> tuple[NDArray[np.bool_], ...]:
        """Links that are boosted together, (k,) each: those that lead from one level to another; the first: none.

        A way that would use it on several of them is looked for again with each of those alone.
        """
        price, chance = self.prices
        links = self.setup.links
        better = (price < self.setup.link_price - _LESS) | (chance > self.setup.prices.chance + _LESS)
        rows = np.flatnonzero(better & (links.limit == 0))
        key = np.column_stack(
            [links.kind[rows], *(np.round(p[rows, 2] / _LEVEL_MM) for p in (links.start_pos, links.end_pos))]
        )
        found = [np.zeros(len(price), dtype=np.bool_)]
        if rows.size:
            _, number, count = np.unique(key, axis=0, return_inverse=True, return_counts=True)
            for group in np.argsort(-count, kind="stable")[:_GROUPS]:
                mask = np.zeros(len(price), dtype=np.bool_)
                mask[rows[number.reshape(-1) == group]] = True
                found.append(mask)
        return tuple(found)

    @cached_property
    def reaches(self) -> tuple[tuple[Choice, Reach], ...]:
        """Searches in which one group of links is boosted, and one in which all obstacles are."""
        price, chance = self.prices
        zones = np.maximum(0.0, self.setup.zone_price - mm(self.most))
        zones[~np.isfinite(self.setup.zone_price)] = np.inf
        found = []
        for number, group in enumerate(self.groups):
            for choice, _ in self.setup.reaches:
                question = self._question(choice)
                if question is None:
                    continue
                question = replace(
                    question,
                    link_price=np.where(group & np.isfinite(question.link_price), price, question.link_price),
                    link_chance=np.where(group, chance, question.link_chance),
                    zone_price=question.zone_price if number else np.minimum(zones, question.zone_price),
                )
                found.append((choice, search(self.setup.places, self.setup.links, question)))
        return tuple(found)

    @cached_property
    def smooth(self) -> tuple[tuple[Choice, Reach], ...]:
        """Searches in which difficult ground costs nothing extra."""
        weight = np.where(np.isfinite(self.setup.weight), np.minimum(self.setup.weight, 1.0), np.inf)
        if not ((weight < self.setup.weight) & np.isfinite(self.setup.weight)).any():
            return ()
        found = []
        for choice, _ in self.setup.reaches:
            question = self._question(choice)
            if question is not None:
                question = replace(question, weight=np.where(np.isfinite(question.weight), weight, np.inf))
                found.append((choice, search(self.setup.places, self.setup.links, question)))
        return tuple(found)

    def ways(self, at: Point, *, cheapest: bool) -> list[Found]:
        """The ways to a place that use the booster once."""
        point = (mm(at[0]), mm(at[1]), mm(at[2]))
        ways = []
        for choice, reach in self.reaches:
            arrival = reach.at(point, cheapest=cheapest)
            if arrival is None:
                continue
            used = self._used(choice, reach, arrival)
            if len(used) == 1:
                ways.append(self._found(choice, reach, arrival, used[0]))
            # where it would be used more than once, it is tried on each of those alone
            for one in used if len(used) > 1 else ():
                alone = self._alone(choice, one)
                again = alone.at(point, cheapest=cheapest)
                if again is not None and self._used(choice, alone, again) == [one]:
                    ways.append(self._found(choice, alone, again, one))
        for choice, reach in self.smooth:
            arrival = reach.at(point, cheapest=cheapest)
            way = None if arrival is None else self._smoothed(choice, reach, arrival)
            if way is not None:
                ways.append(way)
        return [way for way in ways if at_most(way.cost, self.chain.total)]

    def _used(self, choice: Choice, reach: Reach, arrival: Arrival) -> list[Use]:
        """What a way uses the booster on, in order."""
        usual, asked = self._question(choice), reach.question
        if usual is None:
            return []
        used: list[Use] = []
        for stretch in reach.way(arrival):
            row = stretch.link
            if row >= 0:
                cheaper = asked.link_price[row] < usual.link_price[row] - _LESS
                if cheaper or asked.link_chance[row] > usual.link_chance[row] + _LESS:
                    used.append((True, row))
            elif (
                stretch.kind is StretchKind.CROSS
                and asked.zone_price[stretch.zone] < usual.zone_price[stretch.zone] - _LESS
            ):
                used.append((False, stretch.zone))
        return used

    def _alone(self, choice: Choice, use: Use) -> Reach:
        """The search in which the booster is used on one link or one obstacle."""
        key = (id(choice), use)
        if key not in self._searched:
            question = self._question(choice)
            assert question is not None  # a way by this choice was found
            price, chance = question.link_price.copy(), question.link_chance.copy()
            zones = question.zone_price.copy()
            is_link, which = use
            if is_link:
                price[which], chance[which] = self.prices[0][which], self.prices[1][which]
            else:
                zones[which] = max(0.0, zones[which] - mm(self.most))
            question = replace(question, link_price=price, link_chance=chance, zone_price=zones)
            self._searched[key] = search(self.setup.places, self.setup.links, question)
        return self._searched[key]

    def _found(self, choice: Choice, reach: Reach, arrival: Arrival, use: Use) -> Found:
        is_link, which = use
        pricing = self.on(which) if is_link else self.pricing
        cost = inches(arrival.cost) + choice.extra
        return Found(reach, arrival, cost, arrival.chance * choice.chance, choice, pricing=pricing)

    def _smoothed(self, choice: Choice, reach: Reach, arrival: Arrival) -> Found | None:
        dear = np.where(np.isfinite(self.setup.weight), self.setup.weight, 1.0) - 1.0
        extra, saved = 0.0, 0.0
        for stretch in reach.way(arrival):
            if stretch.link >= 0:
                continue
            place, path = along(self.setup, stretch.points / MM_PER_INCH, _STEP)
            # over an obstacle the way goes up and down with the ground under it, which is no distance
            flat = path[:, :2] if stretch.kind is StretchKind.CROSS else path
            size = np.linalg.norm(np.diff(flat, axis=0), axis=1)
            more = np.where(place >= 0, dear[place], 0.0)[1:] * size
            extra += float(more.sum())
            on = np.concatenate([[False], more > 0.0, [False]])
            for a, b in itertools.pairwise(np.flatnonzero(np.diff(on.astype(np.int8)))):
                gone = np.cumsum(size[a:b])
                saved = max(saved, float(more[a:b][gone <= self.most].sum()))
        if saved <= 0.0:
            return None
        cost = inches(arrival.cost) + extra - saved + choice.extra
        return Found(reach, arrival, cost, arrival.chance * choice.chance, choice, booster=extra - saved)


def told(legs: tuple[Leg, ...], left: float) -> tuple[Leg, ...]:
    """The legs of a way over difficult ground that a booster was used on; left: what is still paid for it, inches."""
    at = next((i for i, leg in enumerate(legs) if "difficult" in leg.notes), 0)
    paid = replace(legs[at], cost=legs[at].cost + left, notes=(*legs[at].notes, "booster"))
    return (*legs[:at], paid, *legs[at + 1 :])
