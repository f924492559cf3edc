"""One question as ground understands it: places, links, prices and bars for one mover, action and budget."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sandbox.ground.ground import Ground
from sandbox.ground.model import Body, Floats, LinkKind, Links, Numbers, Place, Places, Question, Window
from sandbox.ground.search import Reach, search
from sandbox.moves.answers import Point
from sandbox.moves.groundwork import Groundwork
from sandbox.moves.others import Others
from sandbox.moves.prices import LinkPrices, Pricing
from sandbox.moves.roles import Roles, weights
from sandbox.units import mm

_BARRED_AREA = 3
_RAILS_MM = 50.8
"""how far from a ladder's end the place beyond its rails is looked for."""
_DANGEROUS = 2
LABELS = 4
_MARGIN = 3.0
"""inches around what is in reach that links may need."""
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Chain:
    """The Moves of an action, inches."""

    moves: tuple[float, ...]

    @property
    def total(self) -> float:
        """All of them."""
        return sum(self.moves)

    def times(self, factor: int) -> Chain:
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
    dangerous: Bools
    """(n,) dangerous ground underfoot."""
    discs: Floats
    zone_price: Floats
    borders: Floats
    link_price: Floats
    """(k,) mm, +inf where refused by the pack or by others."""
    labels: int

    def question(self, *, safe: bool, barred: frozenset[int] = frozenset()) -> Question:
        """The search's question. safe: no dangerous ground; barred: links not to be taken."""
        weight = np.where(self.dangerous & safe, np.inf, self.weight)
        price = self.link_price
        if barred:
            price = price.copy()
            price[list(barred)] = np.inf
        return Question(
            start=(mm(self.start[0]), mm(self.start[1]), mm(self.start[2])),
            moves=tuple(mm(m) for m in self.chain.moves),
            weight=weight,
            stop=(self.places.flags & Place.STAND) != 0,
            discs=self.discs,
            zone_price=self.zone_price,
            link_price=price,
            link_chance=self.prices.chance,
            link_whole=self.prices.whole,
            labels=self.labels,
            borders=self.borders,
        )

    @cached_property
    def safe(self) -> Reach:
        """Ways that keep off dangerous ground."""
        return search(self.places, self.links, self.question(safe=True))

    @cached_property
    def bold(self) -> Reach | None:
        """Ways that may cross dangerous ground; None where there is none about."""
        if not (self.dangerous & np.isfinite(self.weight)).any():
            return None
        return search(self.places, self.links, self.question(safe=False))

    def without(self, barred: frozenset[int], refused: tuple[Point, ...] = ()) -> Reach:
        """The search again, some links left out, and the places next to where a body was refused (inches)."""
        question = self.question(safe=True, barred=barred)
        for x, y, z in refused:
            away = np.hypot(self.places.pos[:, 0] - mm(x), self.places.pos[:, 1] - mm(y))
            near = (away < self.places.pitch) & (np.abs(self.places.pos[:, 2] - mm(z)) < mm(0.5))
            question.weight[near] = np.inf
        return search(self.places, self.links, question)


def window_of(ground: Ground, start: Point, budget: float) -> Window:
    """The window that a budget (inches) needs around a start."""
    return ground.around(mm(start[0]), mm(start[1]), mm(budget + _MARGIN))


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
) -> Setup:
    """Make the question for one mover and chain; longest: its longest leap, inches, which fits inside one Move."""
    window = window_of(ground, start, chain.total)
    places = _level(ground.places(body, window), ground.numbers)
    places = _beside_obstacle(places, start)
    links = _off_rails(work.links(ground, body, window, start, chain.total, longest), places)
    by_part, by_area = weights(found, pricing.movement)
    weight, dangerous = _underfoot(places, found, by_part, by_area)
    discs = others.bar(places, weight)
    prices = pricing.links(links, places, found)
    link_price = prices.price.copy()
    others.bar_links(links, link_price)
    return Setup(
        start=start,
        chain=chain,
        places=places,
        links=links,
        prices=prices,
        weight=weight,
        dangerous=dangerous,
        discs=discs,
        zone_price=pricing.zones(ground.terrain, found),
        borders=_borders(found, by_area),
        link_price=link_price,
        labels=labels,
    )


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


def _underfoot(places: Places, found: Roles, by_part: Floats, by_area: Floats) -> tuple[Floats, Bools]:
    """Price per mm of every place, and where it is dangerous: the harsher of part and area, never both."""
    n = len(places.pos)
    weight, worst = np.ones(n), np.zeros(n, dtype=np.uint8)
    on = places.part >= 0
    weight[on], worst[on] = by_part[places.part[on]], found.ground[places.part[on]]
    in_area = places.area >= 0
    if in_area.any():
        area = places.area[in_area]
        weight[in_area] = np.maximum(weight[in_area], by_area[area])
        worst[in_area] = np.maximum(worst[in_area], found.area_ground[area])
    _keep_off_barred(places, found, weight)
    return weight, worst == _DANGEROUS


def _keep_off_barred(places: Places, found: Roles, weight: Floats) -> None:
    """No part of a base may be on impassable areas: bars every place where the base reaches one."""
    barred = np.flatnonzero(found.area_ground == _BARRED_AREA)
    if barred.size == 0:
        return
    import shapely  # noqa: PLC0415 - only where a scene has such areas

    points = shapely.points(places.pos[:, 0], places.pos[:, 1])
    for index in barred:
        area = found.areas[index]
        level = (places.pos[:, 2] >= area.low_mm - 0.05) & (places.pos[:, 2] <= area.high_mm + 0.05)
        shape = shapely.Polygon(area.polygon_mm)
        near = np.flatnonzero(level)
        weight[near[shapely.distance(shape, points[near]) < places.body.half_short_mm - 0.05]] = np.inf


def _borders(found: Roles, by_area: Floats) -> Floats:
    """Edges of the areas that change the price, (b, 4) mm."""
    edges = [
        (*a, *b)
        for area, price in zip(found.areas, by_area, strict=True)
        if price != 1.0 and np.isfinite(price)
        for a, b in zip(area.polygon_mm, (*area.polygon_mm[1:], area.polygon_mm[0]), strict=True)
    ]
    return np.array(edges, dtype=np.float64).reshape(-1, 4)
