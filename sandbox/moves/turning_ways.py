"""Ovals that turn on their way: from one heading to the next wherever a base fits through all headings between.

The ground is looked at once for each heading. A rough search over all of them, from cell to cell and from heading to
heading, tells which headings a way needs; the exact search then goes through these in their order, each from every place
where the base can turn out of the one before.

Lengths are in inches, angles in degrees.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra

from sandbox.ground.extra import joined, links_along
from sandbox.ground.model import LinkKind, Place, Places
from sandbox.ground.region import Region
from sandbox.ground.search import Reach, search
from sandbox.moves import turning
from sandbox.moves.answers import Leg, Move, Point
from sandbox.moves.hazards import Choice
from sandbox.moves.setup import Setup
from sandbox.moves.ways import Found
from sandbox.rules.ticks import at_most
from sandbox.units import inches, mm

if TYPE_CHECKING:
    from sandbox.moves.legal import Asked

_NOWHERE = (-1e6, -1e6, 0.0)
"""mm: a start that no place holds, left only by the turns that begin there."""
_TURN_MM = 2.0
"""what a turn by one heading counts in the rough search, so that it turns no more than it needs to."""
_TRIES = 3
"""rows of headings that are tried, and ways through each where an exact look finds no room to turn after all."""

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class _Layer:
    """One heading of a way, searched from where the base turned into it."""

    asked: Asked
    setup: Setup
    choice: Choice
    reach: Reach
    before: Ints
    """(links,) the place of the layer before that a link of this one turns out of; -1 a link of the ground."""


def on_the_way(asked: Asked, at: Point, wanted: float | None) -> Move | None:
    """A legal move of an oval that turns on its way; None where none was found. wanted: its heading at the end."""
    own = asked.body.facing
    headings = [float((own + k * 180.0 / turning.HEADINGS) % 360.0) for k in range(turning.HEADINGS)]
    region = Region(
        (mm(asked.start[0]), mm(asked.start[1])), (mm(at[0]), mm(at[1])), mm(asked.allowance + 0.5)
    )
    tables = [asked.ground.places(turning.facing(asked.body, h), region) for h in headings]
    for row in _sequences(asked, tables, headings, at, wanted):
        found = _through(asked, [(headings[k], tables[k]) for k in row], _between(row, tables), at)
        if found is not None:
            end = found.facing if wanted is None else wanted
            if end is None or turning.can_turn(asked, found.to, found.facing or 0.0, end):
                return replace(found, facing=end)
    return None


def _sequences(
    asked: Asked, tables: Sequence[Places], headings: Sequence[float], at: Point, wanted: float | None
) -> list[list[int]]:
    """Rows of headings that lead to a place, the shortest first, each begun by the mover's own."""
    first = np.cumsum([0, *(len(t.pos) for t in tables)])
    rows, ends, far = [], [], []
    for k, table in enumerate(tables):
        passing = (table.flags & Place.PASS) != 0
        there = table.neighbour[:, :4]
        linked = passing[:, None] & (there >= 0) & passing[np.maximum(there, 0)]
        a, b = np.nonzero(linked)[0], there[linked]
        rows.append(a + first[k])
        ends.append(b + first[k])
        far.append(np.hypot(*(table.pos[a, :2] - table.pos[b, :2]).T))
        after = (k + 1) % len(tables)
        here, beyond = _same_places(table, tables[after], asked.ground.numbers.free_step_up_mm)
        rows.append(here + first[k])
        ends.append(beyond + first[after])
        far.append(np.full(len(here), _TURN_MM))
    size = int(first[-1])
    graph = coo_array((np.concatenate(far), (np.concatenate(rows), np.concatenate(ends))), shape=(size, size))
    start = _place_at(tables[0], asked.start)
    if start < 0:
        return []
    cost, before = dijkstra(
        graph.tocsr(),
        directed=False,
        indices=start,
        return_predecessors=True,
        limit=mm(asked.allowance) * 1.1 + 2 * len(tables) * _TURN_MM,
    )
    goals = []
    for k, table in enumerate(tables):
        if wanted is not None and abs(turning.turns(headings[k], wanted)) > 180.0 / turning.HEADINGS:
            continue
        place = _place_at(table, at)
        if place >= 0 and np.isfinite(cost[first[k] + place]):
            goals.append((float(cost[first[k] + place]), int(first[k] + place)))
    found: list[list[int]] = []
    for _, goal in sorted(goals):
        row: list[int] = []
        walked, node = False, goal
        while node >= 0 and node != -9999:
            k = int(np.searchsorted(first, node, side="right")) - 1
            if not row or row[-1] != k:
                if row and not walked:
                    row.pop()
                row.append(k)
                walked = False
            else:
                walked = True
            node = int(before[node])
        row.reverse()
        if row and row[0] != 0:
            row.insert(0, 0)
        if row not in found:
            found.append(row)
    return found[:_TRIES]


def _same_places(one: Places, other: Places, step: float) -> tuple[Ints, Ints]:
    """Places of two headings in one cell of one floor where the base passes with both."""
    a = np.flatnonzero((one.flags & Place.PASS) != 0)
    best = np.full(len(a), -1, np.int64)
    gap = np.full(len(a), step)
    # the tables may begin at different columns of the common grid
    i = one.cell[a] % one.nx + round((one.x0 - other.x0) / one.pitch)
    j = one.cell[a] // one.nx + round((one.y0 - other.y0) / one.pitch)
    inside = (i >= 0) & (j >= 0) & (i < other.nx) & (j < other.ny)
    cell = np.where(inside, j * other.nx + i, 0)
    count = np.where(inside, other.start[cell + 1] - other.start[cell], 0)
    for rank in range(int(count.max(initial=0))):
        here = np.flatnonzero(count > rank)
        there = other.start[cell[here]] + rank
        rise = np.abs(other.pos[there, 2] - one.pos[a[here], 2])
        better = ((other.flags[there] & Place.PASS) != 0) & (rise <= gap[here])
        best[here[better]], gap[here[better]] = there[better], rise[better]
    return a[best >= 0], best[best >= 0]


def _place_at(table: Places, at: Point) -> int:
    """The place to pass whose cell holds a point, inches; -1 where there is none."""
    x, y, z = (mm(v) for v in at)
    i, j = round((x - table.x0) / table.pitch), round((y - table.y0) / table.pitch)
    if not (0 <= i < table.nx and 0 <= j < table.ny):
        return -1
    here = np.arange(table.start[j * table.nx + i], table.start[j * table.nx + i + 1])
    here = here[(table.flags[here] & Place.PASS) != 0]
    return int(here[np.argmin(np.abs(table.pos[here, 2] - z))]) if len(here) else -1


def _between(row: Sequence[int], tables: Sequence[Places]) -> list[list[Places]]:
    """For each turn from one heading of a row to the next, the places of all headings passed through, both included."""
    count = len(tables)
    found = []
    for one, other in pairwise(row):
        steps = (other - one + count // 2) % count - count // 2
        turn = 1 if steps > 0 else -1
        found.append([tables[(one + turn * k) % count] for k in range(abs(steps) + 1)])
    return found


def _through(
    asked: Asked, row: Sequence[tuple[float, Places]], turns: Sequence[list[Places]], at: Point
) -> Move | None:
    """The best move through headings in their order, proven; None where the exact search finds none."""
    barred: list[set[tuple[int, int]]] = [set() for _ in turns]
    for _ in range(_TRIES):
        layers = _search(asked, row, turns, barred)
        if layers is None:
            return None
        told = _told(layers, at)
        if told is None:
            return None
        found, points = told
        tight = [
            n
            for n, (point, (one, other)) in enumerate(zip(points, pairwise(row), strict=True))
            if not turning.can_turn(asked, point, one[0], other[0])
        ]
        if not tight:
            return _move(asked, layers, found, at)
        for n in tight:
            barred[n].add((round(mm(points[n][0])), round(mm(points[n][1]))))
    return None


def _search(
    asked: Asked,
    row: Sequence[tuple[float, Places]],
    turns: Sequence[list[Places]],
    barred: Sequence[set[tuple[int, int]]],
) -> list[_Layer] | None:
    layers: list[_Layer] = []
    for n, (heading, _) in enumerate(row):
        turned = asked if heading == asked.body.facing else asked.turned(heading)
        setup = turned.near
        asked_for = [(c, q) for c in setup.choices if (q := setup.question(c)) is not None]
        if not asked_for:
            return None
        choice, question = asked_for[0]
        before: Ints = np.full(len(setup.links.kind), -1, np.int64)
        links = setup.links
        if layers:
            last = layers[-1].reach
            places = _turning(last, turns[n - 1], barred[n - 1], asked.ground.numbers.free_step_up_mm)
            target, source = _ends(last.places, setup.places, places, asked.ground.numbers.free_step_up_mm)
            if not len(source):
                return None
            pos = last.places.pos[source]
            ways = np.stack([np.tile(_NOWHERE, (len(pos), 1)), pos], axis=1)
            seeds = links_along(
                LinkKind.CROSS, np.full(len(pos), -1, np.int32), target.astype(np.int32), ways
            )
            links = joined(links, seeds)
            before = np.concatenate([before, source])
            question = replace(
                question,
                start=_NOWHERE,
                link_price=np.concatenate([question.link_price, last.clock[source]]),
                link_chance=np.concatenate([question.link_chance, last.chance[source]]),
                link_whole=np.concatenate([question.link_whole, np.zeros(len(source), bool)]),
            )
        layers.append(_Layer(turned, setup, choice, search(setup.places, links, question), before))
    return layers


def _turning(reach: Reach, tables: list[Places], barred: set[tuple[int, int]], step: float) -> Ints:
    """Places of a search that were reached and where all headings of a turn pass."""
    places = np.flatnonzero(np.isfinite(reach.clock))
    if barred:
        at = np.round(reach.places.pos[places, :2]).astype(int)
        near = np.array([any(np.hypot(x - u, y - v) < 4.0 for u, v in barred) for x, y in at], bool)
        places = places[~near]
    for table in tables:
        here, _ = _same_places(reach.places, table, step)
        places = places[np.isin(places, here)]
    return places


def _ends(one: Places, other: Places, places: Ints, step: float) -> tuple[Ints, Ints]:
    """Those of some places that are in both tables: their numbers in the other, and in the first."""
    here, there = _same_places(one, other, step)
    mine = np.isin(here, places)
    return there[mine], here[mine]


def _told(layers: Sequence[_Layer], at: Point) -> tuple[list[Found], list[Point]] | None:
    """The ways through all layers, and where the base turns between them."""
    ways: list[Found] = []
    points: list[Point] = []
    point = (mm(at[0]), mm(at[1]), mm(at[2]))
    for layer in reversed(layers):
        arrival = layer.reach.at(point)
        if arrival is None:
            return None
        ways.append(Found(layer.reach, arrival, inches(arrival.cost), arrival.chance, layer.choice))
        turned = [s.link for s in layer.reach.way(arrival) if s.link >= 0 and layer.before[s.link] >= 0]
        if layer is layers[0]:
            break
        pos = layers[layers.index(layer) - 1].reach.places.pos[layer.before[turned[0]]]
        point = (float(pos[0]), float(pos[1]), float(pos[2]))
        points.append((inches(point[0]), inches(point[1]), inches(point[2])))
    ways.reverse()
    points.reverse()
    return ways, points


def _move(asked: Asked, layers: Sequence[_Layer], ways: Sequence[Found], at: Point) -> Move | None:
    """The move that the ways make, proven leg by leg with the heading of each."""
    legs: list[Leg] = []
    for layer, way in zip(layers, ways, strict=True):
        stretches = way.reach.way(way.arrival)
        own = [s for s in stretches if s.link < 0 or layer.before[s.link] < 0]
        told, refusals = layer.asked.proof.confirm(layer.asked.maker(way).legs(own))
        if refusals:
            for refusal in refusals:
                layer.asked.proof.count(asked.field.scene, asked.mover.id, refusal)
            return None
        legs += [replace(leg, facing=layer.asked.body.facing) for leg in told]
    last = layers[-1].asked
    cost = sum(leg.cost for leg in legs)
    if last.against(at) or not at_most(cost, asked.allowance):
        return None
    return last.legal(at, replace(ways[-1], cost=cost), tuple(legs))
