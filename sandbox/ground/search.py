"""Cheapest ways of one base over its places and links: exact, in straight lines of any direction.

The figures behind the method are in docs/search.md.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from sandbox.ground.kernels.search_arrive import arrive
from sandbox.ground.kernels.search_field import (
    HOST,
    Field,
    beyond_borders,
    hosts,
    keep_out,
    near_borders,
    onto_borders,
    onto_corners,
    survey_prices,
)
from sandbox.ground.kernels.search_labels import BITS, CHANCE, Labels, Ways
from sandbox.ground.kernels.search_spread import ANCHORS, PER_MM, Queue, Rows, begin, spread
from sandbox.ground.model import Body, Bytes, Floats, Ints, Links, Places, Question
from sandbox.ground.search_model import Arrival, Arrivals, Stretch

__all__ = ["Reach", "search"]

CHORD_MM = 0.15
"""Sag of the chord between two places of one cell diagonal that touch the same corner, for the smallest base, mm."""
LEEWAY_MM = 0.05
"""how far a segment may come nearer to what it touches than the base allows: the measuring snap."""
HOPELESS = 1e-7
"""what a chance of 0 is held as in the search, where 0 means that there is no way."""
HUNG_MM = 0.1
"""a start that is on no place (mid-climb) takes the links that begin within this of it."""
_HOST_RISE_MM = 13.0


@dataclass(frozen=True, eq=False)
class Reach:
    """Everything that one question's search found. Lengths mm."""

    places: Places
    links: Links
    question: Question
    ground: Field = field(repr=False)
    ways: Ways = field(repr=False)
    labels: Labels = field(repr=False)
    total: float
    """most that the clock may show, mm."""
    least: float
    """lowest price per mm anywhere."""

    @property
    def cost(self) -> Floats:
        """(n,) lowest cost of each place, mm; inf where it is not reached."""
        return _least(self._slots(self.labels.cost))

    @property
    def clock(self) -> Floats:
        """(n,) earliest clock of each place, mm; inf where it is not reached."""
        return _least(self._slots(self.labels.clock))

    @property
    def chance(self) -> Floats:
        """(n,) best chance of each place within the budget; 0 where it is not reached."""
        return -_least(-self._chances())

    @property
    def chance_cost(self) -> Floats:
        """(n,) lowest cost at the best chance, mm; inf where it is not reached."""
        chance = self._chances()
        best = chance >= chance.max(axis=1, keepdims=True) - 1e-9
        return _least(np.where(best, self._slots(self.labels.cost), np.inf))

    def _slots(self, values: Floats) -> Floats:
        n = len(self.places.pos)
        k = self.labels.labels
        slots = values[: n * k].reshape(n, k)
        used = np.arange(k)[None, :] < self.labels.count[:n, None]
        return np.where(used, slots, np.inf)

    def _chances(self) -> Floats:
        n = len(self.places.pos)
        k = self.labels.labels
        anchor = self.labels.anchor[: n * k].reshape(n, k)
        chance: Floats = np.where(anchor >= 0, self.labels.number[anchor, CHANCE], 0.0)
        return chance

    def many(self, points: Floats, *, cheapest: bool = False) -> Arrivals:
        """Best arrivals at exact points (p, 3), mm: the best chance within the budget, then the lowest cost.

        cheapest: the lowest cost first, whatever its chance. Points are on the floor nearest to their z.
        """
        target = np.ascontiguousarray(points, np.float64).reshape(-1, 3)
        place = np.empty(len(target), np.int32)
        hosts(self.ground, target, _HOST_RISE_MM, place)
        answer = np.empty((len(target), 3))
        anchor = np.empty(len(target), np.int32)
        arrive(
            self.ground,
            self.labels,
            self.total,
            self.least,
            cheapest,
            target,
            place,
            answer,
            anchor,
            np.empty(256, np.int32),
            np.empty(256),
        )
        return Arrivals(
            point=target,
            cost=answer[:, 0].copy(),
            clock=answer[:, 1].copy(),
            chance=np.where(answer[:, 2] <= HOPELESS, 0.0, answer[:, 2]),
            place=place,
            anchor=anchor,
        )

    def at(self, point: tuple[float, float, float], *, cheapest: bool = False) -> Arrival | None:
        """Best arrival at one exact point, mm; None where it is not reached. The same code as `many`."""
        found = self.many(np.array([point], np.float64), cheapest=cheapest)
        anchor = int(found.anchor[0])
        if anchor == -1:
            return None
        clock = float(found.clock[0])
        ends = self.ground.ends
        return Arrival(
            point=(float(point[0]), float(point[1]), float(point[2])),
            cost=float(found.cost[0]),
            clock=clock,
            chance=float(found.chance[0]),
            move=min(len(ends) - 1, int(np.searchsorted(ends + LEEWAY_MM / 2, clock))),
            place=int(found.place[0]),
            anchor=anchor,
            used=int(self.labels.index[self.labels.anchor[-2 - anchor] if anchor < 0 else anchor, BITS]),
        )

    def way(self, arrival: Arrival) -> tuple[Stretch, ...]:
        """The way behind an arrival, told in stretches from the start on."""
        from sandbox.ground.search_way import tell  # noqa: PLC0415  (stretches need the reach's type)

        return tell(self, arrival)


def _least(slots: Floats) -> Floats:
    """(n,) the least value of each row."""
    return np.asarray(np.min(slots, axis=1), np.float64)


def prepare(places: Places, question: Question) -> tuple[Field, int, float]:
    """The question's ground for the kernels, how many places may bend, and the lowest price per mm."""
    n = len(places.pos)
    body = places.body
    point = np.array(places.pos, np.float64, order="C")
    weight = np.array(question.weight, np.float64)
    state = np.zeros(n, np.uint8)
    plain = np.zeros(n, np.uint8)
    onto_corners(
        places.x0,
        places.y0,
        places.pitch,
        places.nx,
        places.cell,
        places.neighbour,
        places.pos,
        places.flags,
        places.touch,
        body.half_short_mm if body.is_round else 0.0,
        point,
        state,
    )
    weight[(places.flags & 1) == 0] = np.inf
    discs = np.ascontiguousarray(question.discs, np.float64).reshape(-1, 5)
    outline = _outline(body)
    if len(discs):
        keep_out(
            places.x0,
            places.y0,
            places.pitch,
            places.nx,
            places.ny,
            places.start,
            places.cell,
            places.neighbour,
            places.touch,
            outline,
            discs,
            weight,
            point,
            state,
        )
    borders = np.ascontiguousarray(question.borders, np.float64).reshape(-1, 4)
    border, other = _mark_borders(places, borders, weight, point, state)
    bends, least = survey_prices(
        point,
        places.neighbour,
        weight,
        places.gradient,
        places.zone,
        question.slope_costs,
        state,
        plain,
    )
    ground = Field(
        x0=places.x0,
        y0=places.y0,
        pitch=places.pitch,
        nx=places.nx,
        ny=places.ny,
        start=places.start,
        column=places.cell,
        point=point,
        neighbour=places.neighbour,
        weight=weight,
        gradient=places.gradient,
        zone=places.zone,
        zone_price=np.ascontiguousarray(question.zone_price, np.float64),
        touch=places.touch,
        state=state,
        plain=plain,
        discs=discs,
        borders=borders,
        border=border,
        other=other,
        outline=outline,
        ends=np.cumsum(np.array(question.moves, np.float64)),
        silent=np.empty((0, 3)),
    )
    return ground, bends, least if np.isfinite(least) else 1.0


def _outline(body: Body) -> Floats:
    """(5,) cosine and sine of its heading, one over its half axes, and the square that a chord's sag leaves of 1."""
    turn = np.radians(0.0 if body.is_round else body.facing)
    return np.array(
        [
            np.cos(turn),
            np.sin(turn),
            1.0 / body.half_long_mm,
            1.0 / body.half_short_mm,
            max(0.0, 1.0 - CHORD_MM / body.half_short_mm) ** 2,
        ]
    )


def _mark_borders(
    places: Places, borders: Floats, weight: Floats, point: Floats, state: Bytes
) -> tuple[Ints, Floats]:
    """By place, the borders of prices (m, 4) through its cell, (n, 2), and the price beyond them, (n,).

    Marks the state of such places, and moves the points of those that a border touches onto it.
    """
    rows = len(places.pos) if len(borders) else 1
    border = np.full((rows, 2), -1, np.int32)
    other = np.zeros(rows)
    if not len(borders):
        return border, other
    grid = (places.x0, places.y0, places.pitch, places.nx, places.ny, places.start, places.cell)
    near_borders(*grid, borders, point, state, border)
    beyond_borders(places.neighbour, weight, state, other)
    onto_borders(*grid, borders, weight, other, border, point, state)
    return border, other


def _ways(places: Places, links: Links, question: Question, ground: Field) -> Ways:
    """The allowed links sorted by their host place; marks hosts in the ground's state."""
    n = len(places.pos)
    host = links.start.astype(np.int32).copy()
    allowed = (links.limit == 0) & np.isfinite(question.link_price)
    allowed &= (links.end >= 0) & (links.end < n)
    # what may not be entered may not be landed on either
    allowed[allowed] &= np.isfinite(ground.weight[links.end[allowed]])
    lost = np.flatnonzero(allowed & (host < 0))
    if len(lost):
        near = np.empty(len(lost), np.int32)
        hosts(ground, np.ascontiguousarray(links.start_pos[lost]), _HOST_RISE_MM, near)
        here = np.linalg.norm(links.start_pos[lost] - np.array(question.start), axis=1) < HUNG_MM
        host[lost] = np.where((near < 0) & here & (n > 0), 0, near)
    rows = np.flatnonzero(allowed & (host >= 0)).astype(np.int32)
    rows = rows[np.argsort(host[rows], kind="stable")]
    first = np.zeros(1, np.int32)
    if len(rows):
        first = np.zeros(n + 1, np.int32)
        np.cumsum(np.bincount(host[rows], minlength=n), out=first[1:])
        ground.state[host[rows]] |= HOST
    spends = question.link_bits
    bits: Bytes = (
        np.zeros(len(rows), np.uint8) if spends is None else np.ascontiguousarray(spends[rows], np.uint8)
    )
    return Ways(
        first=first,
        host=np.ascontiguousarray(host[rows]),
        begin=np.ascontiguousarray(links.start_pos[rows], np.float64).reshape(-1, 3),
        end=np.ascontiguousarray(links.end[rows], np.int32),
        finish=np.ascontiguousarray(links.end_pos[rows], np.float64).reshape(-1, 3),
        price=np.ascontiguousarray(question.link_price[rows], np.float64),
        # what the dice leave no chance is allowed all the same, and the last that is chosen
        chance=np.maximum(question.link_chance[rows].astype(np.float64), HOPELESS),
        whole=np.ascontiguousarray(question.link_whole[rows], np.uint8),
        bits=bits,
        row=rows,
    )


def search(places: Places, links: Links, question: Question, *, goal: int = -1) -> Reach:
    """Cheapest ways from the question's exact start to every place within the chain's budget.

    A start that is on no place (mid-climb) leaves by the links that begin there. Other bases' places need not be
    barred by weight: the discs bar them.
    goal: stop as soon as this place is reached; -1: go on to the end of the budget.
    """
    ground, bends, least = prepare(places, question)
    ways = _ways(places, links, question, ground)
    origin = np.array(question.start, np.float64)
    at: Ints = np.empty(1, np.int32)
    hosts(ground, origin[None, :], _HOST_RISE_MM, at)
    place = int(at[0])
    total = float(sum(question.moves))
    slots = max(1, int(question.labels))
    if len(places.pos) == 0:
        labels = _nothing(0, slots)
    else:
        if not (ways.chance < 1.0).any() and not ways.bits.any():
            slots = 1  # without a check the first label of a place is the best in everything
        room = min(bends * min(slots, 2), 200_000) + len(ways.row)
        labels = _spread(ground, ways, (origin, place), slots, total, least, room, goal)
    return Reach(places, links, question, ground, ways, labels, total, least)


def _spread(
    ground: Field,
    ways: Ways,
    origin: tuple[Floats, int],
    slots: int,
    total: float,
    least: float,
    room: int,
    goal: int,
) -> Labels:
    """Make room, spread, and make more room for as long as it is wanted."""
    n = len(ground.point)
    nodes = n + len(ways.row)
    cost = np.full(nodes * slots, np.inf)
    found = Labels(
        labels=slots,
        count=np.zeros(nodes, np.uint8),
        cost=cost,
        clock=np.full(nodes * slots, np.inf) if len(ground.ends) > 1 else cost,
        anchor=np.full(nodes * slots, -1, np.int32),
        own=np.full(nodes * slots, -1, np.int32),
        number=np.empty((room + 16, 8)),
        index=np.empty((room + 16, 5), np.int32),
        seed=np.full(n, -1, np.int32),
    )
    rows = Rows(
        hot=np.empty((nodes, 4), np.int32),
        failed=np.full(nodes, -1, np.int32),
        held=np.empty((nodes, 2)),
        even=np.zeros(nodes * slots if slots > 1 else 1, np.uint8),
    )
    # what one step may add: a place and its eight neighbours, each with its links, for two anchors
    spare = 64 + 18 * (1 + int(np.diff(ways.first).max(initial=0)))
    entries = 4096 + 2 * spare + len(ways.row)
    queue = Queue(
        head=np.full(int(total * PER_MM) + 2, -1, np.int32),
        node=np.empty(entries, np.int32),
        after=np.empty(entries, np.int32),
        meta=np.zeros(8, np.int64),
    )
    begin(ground, ways, found, origin[0], origin[1], least, rows, queue)
    room_a, room_b = np.empty(256, np.int32), np.empty(256)
    while not spread(ground, ways, found, total, least, goal, spare, rows, queue, room_a, room_b):
        if queue.meta[ANCHORS] + 4 > len(found.number):
            found = found._replace(
                number=np.concatenate([found.number, np.empty_like(found.number)]),
                index=np.concatenate([found.index, np.empty_like(found.index)]),
            )
        else:
            queue = queue._replace(
                node=np.concatenate([queue.node, np.empty_like(queue.node)]),
                after=np.concatenate([queue.after, np.empty_like(queue.after)]),
            )
    used = int(queue.meta[ANCHORS])
    return found._replace(number=found.number[:used].copy(), index=found.index[:used].copy())


def _nothing(n: int, slots: int) -> Labels:
    """The labels of a start that is nowhere."""
    none: Ints = np.full(n * slots, -1, np.int32)
    far: Floats = np.full(n * slots, np.inf)
    return Labels(
        labels=slots,
        count=np.zeros(n, np.uint8),
        cost=far,
        clock=far,
        anchor=none,
        own=none,
        number=np.zeros((1, 8)),
        index=np.full((1, 5), -1, np.int32),
        seed=np.full(n, -1, np.int32),
    )
