"""One question as ground understands it: places, links, prices and bars for one mover, action and budget."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sandbox.ground.extra import joined
from sandbox.ground.ground import Ground
from sandbox.ground.model import (
    Body,
    Floats,
    LinkKind,
    Links,
    Numbers,
    Place,
    Places,
    Question,
    Window,
)
from sandbox.ground.region import Region
from sandbox.ground.search import Reach, search
from sandbox.moves import off_limits, underfoot
from sandbox.moves.answers import Point
from sandbox.moves.falling_over import bar_shallow_jumps
from sandbox.moves.groundwork import Groundwork
from sandbox.moves.hazards import Choice, choices, crossed_as_difficult, hazards, rough
from sandbox.moves.others import Others
from sandbox.moves.prices import LinkPrices, Pricing, more_for_rails, short_drops
from sandbox.moves.roles import Roles
from sandbox.rules.words import Ground as GroundKind
from sandbox.terrain.plan import plan_of
from sandbox.units import inches, mm

_RAILS_MM = 50.8
"""how far from a ladder's end the place beyond its rails is looked for."""
LABELS = 4
_MARGIN = 0.25
"""inches around what is in reach that are looked at."""
_ROUNDS = 12
"""most links, one after the other, that a way may take besides ladders."""
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Chain:
    """The Moves of an action, inches."""

    moves: tuple[float, ...]

    @property
    def total(self) -> float:
        """All of them."""
        return sum(self.moves)

    def times(self, factor: float) -> Chain:
        """One Move so much longer than the chain, for looking beyond it."""
        return Chain((factor * self.total,))


@dataclass(frozen=True, eq=False)
class Setup:
    """Everything that a search needs, and the searches."""

    start: Point
    """inches."""
    chain: Chain
    places: Places
    links: Links
    prices: LinkPrices
    weight: Floats
    """(n,) price per mm, +inf where barred by areas or by others."""
    worst: NDArray[np.uint8]
    """(n,) how harsh the ground underfoot is: 0 open, 1 difficult, 2 dangerous."""
    rough: Bools
    """(n,) scrambled over."""
    choices: tuple[Choice, ...]
    """what ways may touch; the first keeps off all of it, the last accepts all of it."""
    discs: Floats
    zone_price: Floats
    borders: Floats
    link_price: Floats
    """(k,) mm, +inf where refused by the pack or by others."""
    labels: int

    def question(self, choice: Choice, barred: frozenset[int] = frozenset()) -> Question | None:
        """The search's question; None where what it accepts takes the whole budget. barred: links not to be taken."""
        weight, price, zone_price = self.weight, self.link_price, self.zone_price
        if choice.refuses:
            off = np.any([one.where for one in choice.refuses], axis=0)
            weight = np.where(off, np.inf, weight)
        if not choice.wet:
            zone_price = np.full_like(zone_price, np.inf)
            price = np.where(self.links.rail > 0.0, np.inf, price)
        if barred:
            price = price.copy()
            price[list(barred)] = np.inf
        moves = list(self.chain.moves)
        moves[-1] -= choice.extra
        if sum(moves) <= 0.0:
            return None
        return Question(
            start=(mm(self.start[0]), mm(self.start[1]), mm(self.start[2])),
            moves=tuple(mm(max(m, 0.0)) for m in moves),
            weight=weight,
            stop=(self.places.flags & Place.STAND) != 0,
            discs=self.discs,
            zone_price=zone_price,
            link_price=price,
            link_chance=self.prices.chance,
            link_whole=self.prices.whole,
            labels=self.labels,
            borders=self.borders,
        )

    @cached_property
    def reaches(self) -> tuple[tuple[Choice, Reach], ...]:
        """The searches, one for each choice that leaves something to move with."""
        found = []
        for choice in self.choices:
            question = self.question(choice)
            if question is not None:
                found.append((choice, search(self.places, self.links, question)))
        return tuple(found)

    @cached_property
    def cost(self) -> Floats:
        """(n,) lowest cost of each place whatever is touched, mm; inf where it is not reached."""
        costs = [reach.cost + mm(choice.extra) for choice, reach in self.reaches]
        if not costs:
            return np.full(len(self.places.pos), np.inf)
        return np.asarray(np.min(costs, axis=0), dtype=np.float64)

    def within_reach(self) -> tuple[Bools, Floats]:
        """(n,) places reached, and those where a refused link from them would end; what is left there, mm."""
        left = mm(self.chain.total) - self.cost
        links = self.links
        both = (links.start >= 0) & (links.end >= 0)
        refused = np.flatnonzero(both & ~np.isfinite(np.where(links.limit == 0, self.link_price, np.inf)))
        np.maximum.at(left, links.end[refused], left[links.start[refused]])
        return left >= 0.0, left

    def without(
        self, choice: Choice, barred: frozenset[int], refused: tuple[Point, ...] = ()
    ) -> Reach | None:
        """A choice's search again, some links left out, and the places next to where a body was refused (inches)."""
        question = self.question(choice, barred)
        if question is None:
            return None
        weight = question.weight.copy()
        for x, y, z in refused:
            away = np.hypot(self.places.pos[:, 0] - mm(x), self.places.pos[:, 1] - mm(y))
            near = (away < self.places.pitch) & (np.abs(self.places.pos[:, 2] - mm(z)) < mm(0.5))
            weight[near] = np.inf
        return search(self.places, self.links, replace(question, weight=weight))


def set_up(
    work: Groundwork,
    ground: Ground,
    found: Roles,
    body: Body,
    start: Point,
    chain: Chain,
    pricing: Pricing,
    others: Others,
    *,
    longest: float,
    labels: int = LABELS,
    window: Window | None = None,
    goal: Point | None = None,
    more: Callable[[Places], Callable[[Links], Links]] | None = None,
) -> Setup:
    """Make the question for one mover and chain.

    longest: its longest leap, inches, which fits inside one Move. window: where it is looked at, all of it; none: what
    the chain reaches. goal: only ways there matter. more: links that the ground itself does not have.
    """
    inside = Region.disc(mm(start[0]), mm(start[1]), mm(chain.total + _MARGIN))
    if goal is not None:
        # a goal beyond the budget still has a region of its own
        length = max(chain.total, math.dist(start[:2], goal[:2])) + 2 * _MARGIN
        inside = Region(inside.start, (mm(goal[0]), mm(goal[1])), mm(length))
    places = ground.places(body, window or inside)
    finder = work.finder(ground, places, window or ground.holding(inside), inside, longest)
    places = _beside_obstacle(_level(places, ground.numbers), start)
    weight, worst, borders = underfoot.prices(places, ground.terrain, found, pricing.movement)
    uneven = rough(places, found, pricing)
    if GroundKind.DIFFICULT not in pricing.rules.ignores:
        weight[uneven] = np.maximum(weight[uneven], pricing.movement.difficult_cost)
    sizes = [(inches(p.height_mm), inches(p.width_mm)) for p in ground.terrain.parts]
    thick = crossed_as_difficult(found, pricing, sizes)
    crossing = np.append(thick, False)[places.part] & ((places.flags & Place.OVER) != 0)
    weight[crossing] = np.maximum(weight[crossing], pricing.movement.difficult_cost)
    begin = np.array([mm(v) for v in start])
    met = hazards(places, worst, uneven, pricing, begin, mm(chain.total + 1.0))
    box = (places.x0, places.y0, places.x0 + places.nx * places.pitch, places.y0 + places.ny * places.pitch)
    discs = np.concatenate([others.bar(places, weight), off_limits.discs(found, body, box)])

    shapes = [plan_of(ground.terrain, int(part)) for part in np.flatnonzero(thick)]
    given = None if more is None else more(places)

    def linked() -> dict[str, Any]:
        links = _off_rails(finder.links(), places)
        if given is not None:
            links = joined(links, given(links))
        links = short_drops(links, pricing.movement)
        prices = pricing.links(links, places, found)
        link_price = prices.price.copy()
        if thick.any():
            more_for_rails(links, link_price, shapes, pricing.movement.difficult_cost - 1.0)
        others.bar_links(links, link_price)
        bar_shallow_jumps(others, links, link_price, pricing.movement.jump_over)
        return {"links": links, "prices": prices, "link_price": link_price}

    made = Setup(
        start=start,
        chain=chain,
        places=places,
        weight=weight,
        worst=worst,
        rough=uneven,
        choices=tuple(choices(met)),
        discs=discs,
        zone_price=pricing.zones(ground.terrain, found),
        borders=np.concatenate([borders, underfoot.outlines(shapes)]),
        labels=labels,
        **linked(),
    )
    price = max(pricing.movement.climb_cost, 0.5)
    for _ in range(_ROUNDS):
        reached, left = made.within_reach()
        if not finder.grow(reached, left / price, back=pricing.movement.leap_up == "movement"):
            break
        made = replace(made, **linked())
    return made


def _level(places: Places, numbers: Numbers) -> Places:
    """Crossings that end on the floor they began on: over an obstacle at a lip nobody gets down to the floor below."""
    over = (places.flags & Place.OVER) != 0
    if not over.any():
        return places
    beside = places.neighbour
    there = np.maximum(beside, 0)
    rise = np.abs(places.pos[there, 2] - places.pos[:, 2, None])
    step = max(numbers.free_step_up_mm, numbers.free_step_down_mm) + places.pitch
    steep = (beside >= 0) & (over[there] != over[:, None]) & (rise > step)
    return replace(places, neighbour=np.where(steep, -1, beside).astype(np.int32)) if steep.any() else places


def _beside_obstacle(places: Places, start: Point) -> Places:
    """A model that stands beside an obstacle has not entered it yet, whatever the grid cell it stands in says."""
    at = np.array([mm(v) for v in start])
    away = np.hypot(places.pos[:, 0] - at[0], places.pos[:, 1] - at[1])
    here = (places.zone >= 0) & (away < places.pitch) & (np.abs(places.pos[:, 2] - at[2]) < 1.0)
    return replace(places, zone=np.where(here, -1, places.zone).astype(np.int32)) if here.any() else places


def _off_rails(links: Links, places: Places) -> Links:
    """Ladders that lead between rails narrower than the base: they end where the base is beyond the rails."""
    upper = np.where(links.up >= links.down, links.end, links.start)
    on_rails = (places.flags[np.maximum(upper, 0)] & Place.OVER) != 0
    rows = np.flatnonzero((links.kind == LinkKind.LADDER) & (upper >= 0) & on_rails)
    if rows.size == 0:
        return links
    ends = {name: getattr(links, name).copy() for name in ("start", "end", "start_pos", "end_pos", "plan")}
    clear = (places.flags & Place.PASS != 0) & (places.flags & (Place.OVER | Place.GAP) == 0)
    for row in rows:
        rising = links.up[row] >= links.down[row]
        top, foot = ("end", "start") if rising else ("start", "end")
        at, low = ends[f"{top}_pos"][row], ends[f"{foot}_pos"][row]
        away = np.hypot(places.pos[:, 0] - at[0], places.pos[:, 1] - at[1])
        level = clear & (np.abs(places.pos[:, 2] - at[2]) < 0.5) & (away < _RAILS_MM)
        if not level.any():
            continue
        near = np.flatnonzero(level)
        # straight on from the ladder as far as possible
        ahead = (places.pos[near, :2] - low[:2]) @ ((at - low)[:2] / max(np.hypot(*(at - low)[:2]), 1e-9))
        place = int(near[np.argmin(away[near] - 0.5 * ahead)])
        ends[top][row] = place
        ends[f"{top}_pos"][row] = places.pos[place]
        ends["plan"][row] = np.hypot(*(places.pos[place] - low)[:2])
    path = links.path.copy()
    for row in rows:
        first, last = links.path_start[row], links.path_start[row + 1]
        if last - first < 2:
            continue
        path[first], path[last - 1] = ends["start_pos"][row], ends["end_pos"][row]
    return replace(links, path=path, **ends)
