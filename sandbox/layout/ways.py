"""All ways of one base over a whole board: real ground and real prices, with doors and ductways as links.

A door that is shut bars a strip of places in its opening; who may operate it gets a link through that strip, which
costs one action, counted as one Move that nothing else is done in. A ductway is a link that takes a whole activation.
The chain is one of activations. Each ends standing, so no link is broken off: one that does not fit is waited for, and
a way found is gone over once more for stairs and lips that nobody stops on.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from sandbox.ground.extra import links_along
from sandbox.ground.model import Body, LinkKind, Links, Place, Places, Question, Window
from sandbox.ground.search import Reach, search
from sandbox.layout.activations import clock, pieces
from sandbox.layout.board import Board
from sandbox.moves.distance import Base
from sandbox.moves.others import Others
from sandbox.moves.prices import Pricing
from sandbox.moves.refusal import judge
from sandbox.moves.setup import Chain, Setup, set_up
from sandbox.rules import Refusal
from sandbox.scene.layouts import Door, State
from sandbox.units import MM_PER_INCH, mm

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]
Point = tuple[float, float, float]

LONGEST = 60
"""activations that a way may take."""
BESIDE_MM = 3.0
"""how near a place to stand has to be: a cell of ground."""
STRIP_MM = 3.9
"""half the width of the strip that a shut door bars: more than a grid cell, so that no way slips through."""
NOWHERE = (-1000.0, -1000.0, -1000.0)
"""inches; where a search begins that starts in many places at once."""


class Doors(StrEnum):
    """How doors that can be opened are treated."""

    OPEN = "open"
    """all stand open."""
    DRAWN = "drawn"
    """as they are drawn; closed ones are operated on the way."""
    SHUT = "shut"
    """all are closed, and nobody opens one."""


@dataclass(frozen=True, eq=False)
class Reached:
    """What a search from one or many places found."""

    ways: Ways
    reach: Reach

    @cached_property
    def cost(self) -> Floats:
        """(places,) lowest cost, inches; inf where a place is not reached."""
        return self.reach.cost / MM_PER_INCH

    @cached_property
    def reached(self) -> Bools:
        """(places,) whether there is a way."""
        return np.isfinite(self.reach.cost)


@dataclass(frozen=True)
class Route:
    """The best way to one of several places."""

    place: int
    cost: float
    """inches of movement; what a door or a ductway costs counted as movement."""
    moves: float
    """Moves that it takes, with what is lost by waiting: a door operated is one, a ductway two."""
    chance: float
    path: tuple[Point, ...] = field(repr=False, default=())
    """the centre's way, inches."""


@dataclass(frozen=True, eq=False)
class Ways:
    """All ways of one base on one board."""

    board: Board
    body: Body
    setup: Setup
    chain: tuple[float, ...]
    """lengths of the activations, inches."""

    @property
    def places(self) -> Places:
        """Where the base may be."""
        return self.setup.places

    @property
    def base_mm(self) -> float:
        """The base's shorter diameter, mm."""
        return 2 * self.body.half_short_mm

    @cached_property
    def points(self) -> Floats:
        """(places, 3) inches."""
        return self.places.pos / MM_PER_INCH

    @cached_property
    def passes(self) -> Bools:
        """(places,) where the base may pass when every door is open."""
        return np.asarray(((self.places.flags & Place.PASS) != 0) & np.isfinite(self.setup.weight))

    @cached_property
    def stands(self) -> Bools:
        """(places,) where it may stand."""
        return np.asarray(self.passes & ((self.places.flags & Place.STAND) != 0))

    @cached_property
    def nodes(self) -> Ints:
        """(places, 3) square of each place."""
        return self.board.nodes_of(self.points)

    @cached_property
    def _tree(self) -> tuple[cKDTree, Ints]:
        ids = np.flatnonzero(self.passes)
        return cKDTree(self.places.pos[ids]), ids

    # -- doors and ductways --------------------------------------------------------------------------------------

    @cached_property
    def strips(self) -> tuple[Ints, ...]:
        """For each door the ids (n,) of places in its opening that it bars when it is shut."""
        return tuple(self._strip(door) for door in self.board.doors)

    def _strip(self, door: Door) -> Ints:
        if door.is_hatch:
            return np.zeros(0, np.int64)
        rect, z = door.leaf.rect, door.leaf.at[2]
        pos = self.places.pos
        x0, y0, x1, y1 = rect.x0, rect.y0, rect.x1, rect.y1
        if x1 - x0 < y1 - y0:
            middle = (x0 + x1) / 2
            x0, x1 = middle - STRIP_MM, middle + STRIP_MM
        else:
            middle = (y0 + y1) / 2
            y0, y1 = middle - STRIP_MM, middle + STRIP_MM
        inside = (pos[:, 0] > x0) & (pos[:, 0] < x1) & (pos[:, 1] > y0) & (pos[:, 1] < y1)
        inside &= np.abs(pos[:, 2] - z) < 20.0
        return np.flatnonzero(inside & ((self.places.flags & Place.PASS) != 0))

    def fits(self, door: Door) -> bool:
        """Whether the base gets through a door's opening."""
        return door.opening >= self.base_mm - 0.05

    @cached_property
    def operating(self) -> tuple[Links, Ints, Floats]:
        """Links through closed doors: the links, the door of each (links,), and the price of each (links,) in mm."""
        rows: list[tuple[int, int, Floats, Floats]] = []
        doors: list[int] = []
        action = self.board.pack.for_fighter().action("operate-door")
        if isinstance(action, Refusal):
            return _links([]), np.zeros(0, np.int64), np.zeros(0)
        tree, ids = self._tree
        for number, door in enumerate(self.board.doors):
            if not len(self.strips[number]):
                continue
            rect = door.leaf.rect
            upright = rect.x1 - rect.x0 < rect.y1 - rect.y0
            spare = max((door.opening - self.base_mm) / 2, 0.0)
            for aside in {0.0, -0.9 * spare, 0.9 * spare}:
                x, y = rect.middle
                ends = []
                for out in (-STRIP_MM - 1.5, STRIP_MM + 1.5):
                    at = (
                        (x + out, y + aside, door.leaf.at[2])
                        if upright
                        else (x + aside, y + out, door.leaf.at[2])
                    )
                    away, index = tree.query(at)
                    if away < 4.0:
                        ends.append(int(ids[index]))
                if len(ends) == 2 and ends[0] != ends[1]:
                    for a, b in (ends, ends[::-1]):
                        rows.append((a, b, self.places.pos[a], self.places.pos[b]))
                        doors.append(number)
        table = _links(rows)
        return table, np.array(doors, np.int64), mm(self.board.move) + table.plan

    @cached_property
    def ducts(self) -> tuple[Links, Ints, Floats]:
        """Links through ductways that the pack allows: the links, the ductway of each (links,), prices (links,) in mm."""
        board = self.board
        rows: list[tuple[int, int, Floats, Floats]] = []
        which: list[int] = []
        action = board.pack.for_fighter().action("crawl-through")
        if isinstance(action, Refusal):
            return _links([]), np.zeros(0, np.int64), np.zeros(0)
        for number, duct in enumerate(board.scene.ductways):
            mouths = [self.near_mouth(mouth) for mouth in (duct.start, duct.end)]
            length = float(np.linalg.norm(np.subtract(duct.start, duct.end)))
            if length > board.pack.movement.ductway_length + 1e-3 or not all(len(m) for m in mouths):
                continue
            for a in mouths[0]:
                for b in mouths[1]:
                    for i, j in ((a, b), (b, a)):
                        rows.append((int(i), int(j), self.places.pos[i], self.places.pos[j]))
                        which.append(number)
        return _links(rows), np.array(which, np.int64), np.full(len(rows), mm(2 * board.move))

    def near_mouth(self, mouth: Point) -> Ints:
        """Ids (n,) of places to stand in reach of a ductway's mouth (inches) on its side: the nearest, some at the rim."""
        reach = self.board.pack.movement.ductway_reach
        away = np.hypot(*(self.points[:, :2] - np.array(mouth[:2])).T) - self.base_mm / 2 / MM_PER_INCH
        near = self.stands & (away <= reach + 1e-3) & (np.abs(self.points[:, 2] - mouth[2]) < 0.3)
        ids = np.flatnonzero(near)
        if not ids.size:
            return ids
        clear = self._see(ids, mouth)
        ids = ids[clear]
        if not ids.size:
            return ids
        angle = np.arctan2(*(self.points[ids, :2] - np.array(mouth[:2])).T[::-1])
        sector = np.floor((angle + np.pi) / (2 * np.pi) * 12)
        rim = [int(ids[sector == s][np.argmax(away[ids[sector == s]])]) for s in np.unique(sector)]
        return np.unique(np.array([int(ids[np.argmin(away[ids])]), *rim], np.int64))

    def _see(self, ids: Ints, mouth: Point) -> Bools:
        """Which places are on the mouth's side of the wall: nothing solid between."""
        lift = np.array([0.0, 0.0, 0.3])
        starts = self.points[ids] + lift
        ends = np.repeat(np.array([mouth]) + lift, len(ids), axis=0)
        way = starts - ends
        size = np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-9)
        return np.asarray(~self.board.field.world.rays(starts, ends + way / size * 0.05).hit)

    # -- searching -----------------------------------------------------------------------------------------------

    def search(
        self,
        sources: Collection[int] | Ints,
        *,
        doors: Doors = Doors.OPEN,
        shut: Collection[int] = (),
        ducts: bool = True,
        barred: Bools | None = None,
        links: bool = True,
    ) -> Reached:
        """From any of some places, all at once. shut: doors that are closed to everybody whatever `doors` says.

        barred: (places,) where the base may not be. links: False leaves out all but walking, ladders and ductways.
        """
        setup = self.setup
        weight = setup.weight.copy()
        closed = self._closed(doors)
        for number in {*closed, *shut}:
            weight[self.strips[number]] = np.inf
        if barred is not None:
            weight[barred] = np.inf
        table, door_of, door_price = self.operating
        price = door_price.copy()
        usable = closed - set(shut) if doors is Doors.DRAWN else set()
        price[~np.isin(door_of, sorted(usable))] = np.inf
        parts = [
            (
                setup.links,
                self.link_price(closed | set(shut), links),
                setup.prices.chance,
                np.ones(len(setup.link_price), np.bool_),
            )
        ]
        parts.append((table, price, np.ones(len(price)), np.ones(len(price), np.bool_)))
        duct, _, duct_price = self.ducts
        parts.append(
            (
                duct,
                duct_price if ducts else np.full(len(duct_price), np.inf),
                np.ones(len(duct_price)),
                np.ones(len(duct_price), np.bool_),
            )
        )
        start = [mm(v) for v in NOWHERE]
        ids = np.asarray(sorted(sources), np.int64)
        begin = _links([(-1, int(i), np.array(start), self.places.pos[i]) for i in ids])
        parts.append((begin, np.zeros(len(ids)), np.ones(len(ids)), np.zeros(len(ids), np.bool_)))
        if barred is not None:
            parts = [(t, _off(t, p, barred), c, w) for t, p, c, w in parts]
        question = Question(
            start=(start[0], start[1], start[2]),
            moves=tuple(mm(m) for m in self.chain),
            weight=weight,
            stop=(self.places.flags & Place.STAND) != 0,
            discs=np.zeros((0, 5)),
            zone_price=setup.zone_price,
            link_price=np.concatenate([p for _, p, _, _ in parts]),
            link_chance=np.concatenate([c for _, _, c, _ in parts]),
            link_whole=np.concatenate([w for _, _, _, w in parts]),
            labels=2,
            borders=setup.borders,
        )
        return Reached(self, search(self.places, joined([t for t, _, _, _ in parts]), question))

    def _closed(self, doors: Doors) -> set[int]:
        """Doors that are closed under a treatment; locked ones are terrain, and are none of them."""
        every = self.board.doors
        if doors is Doors.OPEN:
            return set()
        if doors is Doors.DRAWN:
            return {k for k, door in enumerate(every) if door.state is State.CLOSED}
        return {k for k, door in enumerate(every) if door.state is not State.LOCKED}

    def link_price(self, closed: Collection[int], all_links: bool) -> Floats:
        """Prices (links,) of the ground's links, mm; infinite where shut doors and hatches are in the way."""
        price = self.setup.link_price.copy()
        price[price > mm(2 * self.board.move) + 0.05] = np.inf
        links = self.setup.links
        if not all_links:
            price[links.kind != LinkKind.LADDER] = np.inf
        for number in closed:
            door = self.board.doors[number]
            rect, z = door.leaf.rect, door.leaf.at[2]
            top = z + door.leaf.sizes[2]
            a, b = links.start_pos, links.end_pos
            if door.is_hatch:
                low = np.where((a[:, 2] < b[:, 2])[:, None], a, b)
                over = (np.minimum(a[:, 2], b[:, 2]) < z) & (np.maximum(a[:, 2], b[:, 2]) > z)
                reach = self.body.half_short_mm + 10.0
                over &= (low[:, 0] > rect.x0 - reach) & (low[:, 0] < rect.x1 + reach)
                over &= (low[:, 1] > rect.y0 - reach) & (low[:, 1] < rect.y1 + reach)
                price[over] = np.inf
            else:
                upright = rect.x1 - rect.x0 < rect.y1 - rect.y0
                axis = 0 if upright else 1
                line = rect.middle[axis]
                through = (a[:, axis] - line) * (b[:, axis] - line) < 0
                beside = (a[:, 1 - axis] + b[:, 1 - axis]) / 2
                low_side, high_side = (rect.y0, rect.y1) if upright else (rect.x0, rect.x1)
                through &= (beside > low_side) & (beside < high_side)
                through &= (a[:, 2] < top) & (b[:, 2] > z - 1.0)
                price[through] = np.inf
        return price

    def route(
        self, found: Reached, targets: Ints, *, cheapest: bool = True, path: bool = False
    ) -> Route | None:
        """The best way to any of some places, ids (n,); None where there is none. cheapest: else the safest."""
        targets = targets[found.reached[targets]] if len(targets) else targets
        if not len(targets):
            return None
        if cheapest:
            targets = targets[np.argsort(found.reach.clock[targets])[:4]]
        else:
            chance, cost = found.reach.chance[targets], found.reach.chance_cost[targets]
            targets = targets[np.lexsort((cost, -np.round(chance, 9)))[:4]]
        best: Route | None = None
        for place in targets:
            at = self.places.pos[place]
            arrival = found.reach.at((float(at[0]), float(at[1]), float(at[2])), cheapest=cheapest)
            if arrival is None:
                continue
            activation = mm(2 * self.board.move)
            rested = clock(pieces(found.reach.way(arrival), self._standing_at), activation)
            one = Route(
                int(place),
                arrival.cost / MM_PER_INCH,
                (rested if np.isfinite(rested) else arrival.clock) / MM_PER_INCH / self.board.move,
                arrival.chance,
            )
            key = (one.moves, -one.chance) if cheapest else (-round(one.chance, 9), one.moves)
            if best is None or key < (
                (best.moves, -best.chance) if cheapest else (-round(best.chance, 9), best.moves)
            ):
                best = replace(one, path=self._path(found, arrival)) if path else one
        return best

    @cached_property
    def _stood(self) -> cKDTree:
        return cKDTree(self.places.pos[self.stands])

    def _standing_at(self, points: Floats) -> Bools:
        """Whether the base can stand at (k, 3) places, mm, or beside them."""
        if not self._stood.n:
            return np.zeros(len(points), np.bool_)
        away, _ = self._stood.query(points, distance_upper_bound=BESIDE_MM)
        # where a search begins that starts in many places at once, somebody stands
        return np.asarray(np.isfinite(away) | (points[:, 2] < mm(NOWHERE[2]) / 2))

    def _path(self, found: Reached, arrival: object) -> tuple[Point, ...]:
        stretches = found.reach.way(arrival)  # type: ignore[arg-type]
        points = [p for stretch in stretches for p in stretch.points if p[2] > mm(NOWHERE[2]) / 2]
        return tuple((float(p[0]), float(p[1]), float(p[2])) for p in np.array(points) / MM_PER_INCH)


def ways_of(board: Board, base: tuple[float, float]) -> Ways:
    """All ways of a base (longer and shorter axis, mm) of a usual fighter."""
    field = board.field
    rules = board.pack.for_fighter()
    body = field.body(base[0] if base[0] == base[1] else base, None, 0.0)
    pricing = Pricing(board.pack, rules, body.half_short_mm * 2 / MM_PER_INCH)
    chain = (2 * board.move,) * LONGEST
    width, depth = field.terrain.size_mm
    middle = (width / 2 / MM_PER_INCH, depth / 2 / MM_PER_INCH, 0.0)
    nobody = Others(
        Base(middle, body.half_long_mm / MM_PER_INCH, body.half_short_mm / MM_PER_INCH),
        body.height_mm / MM_PER_INCH,
        (),
        field.measuring,
        judge(
            board.pack,
            field.terrain,
            None,
            body.height_mm / MM_PER_INCH,
            2 * body.half_short_mm / MM_PER_INCH,
        ),
        False,
    )
    setup = set_up(
        field.ground,
        field.ground.ground(rules),
        field.ground.roles(rules),
        body,
        middle,
        Chain(chain),
        pricing,
        nobody,
        longest=board.move,
        window=Window(0.0, 0.0, width, depth),
    )
    return Ways(board, body, setup, chain)


def _off(links: Links, price: Floats, barred: Bools) -> Floats:
    """Prices without links that begin or end where nobody may be."""
    ends = barred[np.maximum(links.end, 0)] | ((links.start >= 0) & barred[np.maximum(links.start, 0)])
    return np.where(ends, np.inf, price)


def _links(rows: Sequence[tuple[int, int, Floats, Floats]]) -> Links:
    """A table of plain links between places."""
    ways = np.array([(row[2], row[3]) for row in rows], np.float64).reshape(-1, 2, 3)
    start, end = (np.array([row[k] for row in rows], np.int32) for k in (0, 1))
    return links_along(LinkKind.DUCTWAY, start, end, ways)


def joined(tables: Sequence[Links]) -> Links:
    """Several tables of links as one."""
    columns = {
        name: np.concatenate([getattr(table, name) for table in tables])
        for name in (
            "kind", "start", "end", "start_pos", "end_pos", "plan", "up", "down", "gap", "rail", "overhang",
            "limit", "part", "path",
        )
    }  # fmt: skip
    counts = np.concatenate([_counts(table) for table in tables])
    path_start = np.zeros(len(counts) + 1, np.int32)
    np.cumsum(counts, out=path_start[1:])
    return Links(path_start=path_start, **columns)


def _counts(table: Links) -> Ints:
    if len(table.path_start) == len(table.kind) + 1:
        return np.asarray(np.diff(table.path_start), np.int64)
    return np.zeros(len(table.kind), np.int64)
