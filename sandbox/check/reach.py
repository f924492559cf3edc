"""Which floors a base gets to from the table, at what price, and which it does not come back from.

The ground room says where a base can be and what links floors; the moves room says what a link costs and what has to be
rolled for it. Here the floors become the nodes of a small graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from sandbox.check.levels import Level, Levels
from sandbox.check.model import Base, FloorReach, Reach
from sandbox.check.subject import Subject, Under
from sandbox.ground.model import Limit, LinkKind, Links, Place, Places, Question
from sandbox.ground.search import search
from sandbox.moves.prices import Pricing
from sandbox.moves.roles import Roles, weights
from sandbox.units import inches, mm

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SURE = 1.0 - 1e-9
LONGEST = 4.0
"""inches; leaps farther than this are not looked for."""
_APART_MM = 38.0
"""ways up closer to each other than this are one way."""
_LEVEL_MM = 2.0
_NOWHERE = (-25_400.0, -25_400.0, -25_400.0)
"""where a search begins that starts in many places at once."""
_ALL_MM = 100_000.0
"""more than any way on a build takes."""


@dataclass(frozen=True)
class Overhang:
    """The least overhang on the way up to a floor."""

    value: float
    foot: tuple[float, float, float]
    """where the climb begins."""
    at: tuple[float, float, float]
    """where it ends."""
    climbable: bool


@dataclass(frozen=True, eq=False)
class Reached:
    """What one base does on a build under one pack."""

    base: Base
    under: Under
    rows: tuple[FloorReach | None, ...]
    """one per level; None where the level holds nobody."""
    climbs: tuple[tuple[int, float, tuple[float, float, float]], ...]
    """(level, height mm, place) of floors whose only ways up are climbs: the lowest of them."""
    overhangs: tuple[tuple[int, Overhang], ...]
    by_climb: tuple[bool, ...]
    """one per level: it is reached without other checks than those that a pack asks of every climb."""


@dataclass(frozen=True, eq=False)
class Net:
    """Places of a body and the links between them, shared by packs with one ground."""

    places: Places
    links: Links
    component: Ints
    """(n,) walking component of each place that may be passed, -1 for others."""
    count: int
    level: Ints
    """(n,) level that each place lies on, -1 none."""
    start_level: Ints
    """(k,) level that each link begins on, -1 none: by its exact point, because refused links end on no place."""
    end_level: Ints
    """(k,) level that it ends on."""


def net_of(subject: Subject, under: Under, base: Base, levels: Levels) -> Net:
    """Places of one base around a build, and all ways but leaps."""
    body = subject.body(base, under.pack)
    ground = under.ground
    places = ground.places(body, subject.window)
    links = ground.links(places, subject.window)
    passing = (places.flags & Place.PASS) != 0
    there = places.neighbour
    ok = passing[:, None] & (there >= 0) & passing[np.maximum(there, 0)]
    a = np.repeat(np.arange(len(passing)), there.shape[1])[ok.ravel()]
    graph = coo_array((np.ones(len(a)), (a, there.ravel()[ok.ravel()])), shape=(len(passing),) * 2)
    count, label = connected_components(graph, directed=False)
    component = np.where(passing, label, -1).astype(np.int64)
    return Net(
        places,
        links,
        component,
        int(count),
        _levels_of(places, levels),
        _levels_at(links.start_pos, levels, body.half_long_mm + 2.0),
        _levels_at(links.end_pos, levels, body.half_long_mm + 2.0),
    )


def with_leaps(net: Net, subject: Subject, under: Under, levels: Levels) -> Net:
    """The same with leaps, which take about as long to find as all other ways together."""
    window = subject.window
    middle = ((window.x0 + window.x1) / 2, (window.y0 + window.y1) / 2)
    reach = float(np.hypot(window.x1 - window.x0, window.y1 - window.y0))
    longest = mm(min(2 * under.move, LONGEST))
    leaps = under.ground.links(
        net.places, window, climbs=False, ladders=False, jumps=False, leaps=((*middle, reach), longest)
    )
    return replace(
        net,
        links=_joined(net.links, leaps),
        start_level=np.concatenate([net.start_level, _levels_at(leaps.start_pos, levels, 30.0)]),
        end_level=np.concatenate([net.end_level, _levels_at(leaps.end_pos, levels, 30.0)]),
    )


def _joined(one: Links, other: Links) -> Links:
    """Two tables of links as one, without the ways' own points."""
    columns = {
        field.name: np.concatenate([getattr(one, field.name), getattr(other, field.name)])
        for field in fields(Links)
        if not field.name.startswith("path")
    }
    return Links(**columns)


def _levels_of(places: Places, levels: Levels) -> Ints:
    """The level that each place lies on; -1 where none."""
    answer = np.full(len(places.pos), -1, np.int64)
    for level in levels.all:
        near = np.flatnonzero(np.abs(places.pos[:, 2] - level.z) <= _LEVEL_MM)
        if not near.size:
            continue
        shape = level.shape
        shapely.prepare(shape)
        inside = shapely.intersects_xy(shape, places.pos[near, 0], places.pos[near, 1])
        answer[near[inside]] = level.number
    return answer


def _levels_at(points: Floats, levels: Levels, within: float) -> Ints:
    """(k,) the level that exact points lie on, or nearest beside in plan; -1 none."""
    answer = np.full(len(points), -1, np.int64)
    away = np.full(len(points), np.inf)
    for level in levels.all:
        near = np.flatnonzero(np.abs(points[:, 2] - level.z) <= _LEVEL_MM)
        if not near.size:
            continue
        distance = shapely.distance(level.shape, shapely.points(points[near, :2]))
        closer = (distance < away[near]) & (distance <= within)
        answer[near[closer]] = level.number
        away[near[closer]] = distance[closer]
    return answer


def reached(subject: Subject, under: Under, base: Base, levels: Levels, net: Net) -> Reached:
    """What one base reaches under one pack."""
    pricing = Pricing(under.pack, under.rules, inches(base.short))
    links, places = net.links, net.places
    priced = pricing.links(links, places, under.field.roles)
    good = (links.limit == Limit.NONE) & np.isfinite(priced.price) & (priced.chance > 0.0)
    good &= (links.start >= 0) & (links.end >= 0)
    good &= (net.component[np.maximum(links.start, 0)] >= 0) & (net.component[np.maximum(links.end, 0)] >= 0)
    table = _table(net, levels)
    sure = good & (priced.chance >= SURE)
    plain = sure | (good & np.isin(links.kind, (LinkKind.CLIMB, LinkKind.LADDER)))
    from_table = _spread(net, table, sure)
    climbing = _spread(net, table, plain)
    tested = _spread(net, table, good)
    home = _spread(net, table, good, backwards=True)
    roles = under.field.roles
    zones = pricing.zones(subject.terrain, roles)
    cost = _cost(net, table, good, priced.price, _underfoot(places, roles, pricing), zones)
    chance = _chance(net, table, good, priced.chance)
    standing = (places.flags & Place.STAND) != 0
    cell = places.pitch**2 / 100.0
    rows: list[FloorReach | None] = []
    climbs: list[tuple[int, float, tuple[float, float, float]]] = []
    overhangs: list[tuple[int, Overhang]] = []
    by_climb: list[bool] = []
    for level in levels.all:
        own = np.flatnonzero((net.level == level.number) & standing & (net.component >= 0))
        by_climb.append(bool(climbing[np.unique(net.component[own])].any()))
        into = np.flatnonzero(net.end_level == level.number)
        if not own.size:
            rows.append(
                FloorReach(base.name, under.pack.id, Reach.TOO_SMALL, 0.0, None, 0.0, 0, 0, None, None, True)
                if level.width >= 15.0
                else None
            )
            continue
        parts = np.unique(net.component[own])
        walk = bool(from_table[parts].any())
        got = bool(tested[parts].any())
        up = into[good[into] & (links.up[into] > links.down[into])]
        out = np.flatnonzero((net.start_level == level.number) & good)
        out = out[links.down[out] > links.up[out]]
        best = own[np.isfinite(cost[own])]
        rows.append(
            FloorReach(
                base=base.name,
                pack=under.pack.id,
                reach=Reach.WALKED if walk else Reach.TESTED if got else Reach.NEVER,
                area=float(own.size) * cell,
                cost=inches(float(cost[best].min())) if best.size else None,
                chance=1.0 if walk else float(chance[parts].max()),
                ways_up=_ways(links, up) + _walks(net, level, parts),
                ways_down=_ways(links, out) + _walks(net, level, parts),
                up_price=inches(float(priced.price[up].min())) if up.size else None,
                down_price=inches(float(priced.price[out].min())) if out.size else None,
                escapes=bool(home[parts].any()),
                links_up=_ways(links, up),
            )
        )
        _higher(net, links, level, into, up, walk, climbs, overhangs)
    return Reached(base, under, tuple(rows), tuple(climbs), tuple(overhangs), tuple(by_climb))


def _higher(
    net: Net,
    links: Links,
    level: Level,
    into: Ints,
    up: Ints,
    walk: bool,
    climbs: list[tuple[int, float, tuple[float, float, float]]],
    overhangs: list[tuple[int, Overhang]],
) -> None:
    """Climbs and overhangs on the ways up to a level."""
    kind = links.kind
    if level.z < 0.01:
        return
    walked = len(up) == 0 and walk
    climbed = up[kind[up] == LinkKind.CLIMB]
    if climbed.size and climbed.size == up.size and not walked:
        low = climbed[np.argmin(links.up[climbed])]
        climbs.append((level.number, float(links.up[low]), _at(links.end_pos[low])))
    rising = into[(kind[into] == LinkKind.CLIMB) & (links.up[into] > links.down[into])]
    fine = rising[links.limit[rising] == Limit.NONE]
    for row in fine[np.argsort(-links.overhang[fine])][:6]:
        if links.overhang[row] > 1.0:
            overhangs.append(
                (
                    level.number,
                    Overhang(
                        float(links.overhang[row]), _at(links.start_pos[row]), _at(links.end_pos[row]), True
                    ),
                )
            )
    stopped = rising[links.limit[rising] == Limit.OVERHANG]
    for row in stopped[np.argsort(links.overhang[stopped])][:6]:
        overhangs.append(
            (
                level.number,
                Overhang(
                    float(links.overhang[row]), _at(links.start_pos[row]), _at(links.end_pos[row]), False
                ),
            )
        )


def _at(point: Floats) -> tuple[float, float, float]:
    return (float(point[0]), float(point[1]), float(point[2]))


def _table(net: Net, levels: Levels) -> Ints:
    """Components that touch the open table: the largest on level 0, and all at the window's edge."""
    on = np.flatnonzero((net.level == 0) & (net.component >= 0))
    if not on.size:
        return np.zeros(0, np.int64)
    numbers, counts = np.unique(net.component[on], return_counts=True)
    return np.asarray([numbers[np.argmax(counts)]], np.int64)


def _spread(net: Net, start: Ints, good: NDArray[np.bool_], *, backwards: bool = False) -> NDArray[np.bool_]:
    """(components,) those that links lead to from some (backwards: from which they lead there)."""
    a = net.component[net.links.start[good]]
    b = net.component[net.links.end[good]]
    if backwards:
        a, b = b, a
    found = np.zeros(net.count, np.bool_)
    found[start] = True
    while True:
        more = b[found[a]]
        if found[more].all():
            return found
        found[more] = True


def _chance(net: Net, start: Ints, good: NDArray[np.bool_], chance: Floats) -> Floats:
    """(components,) best chance to get to each."""
    a, b = net.component[net.links.start[good]], net.component[net.links.end[good]]
    p = chance[good]
    best = np.zeros(net.count)
    best[start] = 1.0
    for _ in range(12):
        before = best.copy()
        np.maximum.at(best, b, before[a] * p)
        if np.allclose(before, best):
            break
    return best


def _cost(
    net: Net, start: Ints, good: NDArray[np.bool_], price: Floats, weight: Floats, zones: Floats
) -> Floats:
    """(n,) cheapest way from the table to each place, mm of movement: ground's own search, from all of the table.

    weight: (n,) price of a mm at each place; zones: (parts,) price of crossing each obstacle.
    """
    places = net.places
    table = np.flatnonzero(np.isin(net.component, start) & (net.level == 0))
    if not table.size:
        return np.full(len(places.pos), np.inf)
    rows = np.flatnonzero(good)
    links = _with_begin(net.links, rows, table, places.pos[table])
    count = len(rows) + len(table)
    question = Question(
        start=_NOWHERE,
        moves=(_ALL_MM,),
        weight=np.where(net.component >= 0, weight, np.inf),
        stop=(places.flags & Place.STAND) != 0,
        discs=np.zeros((0, 5)),
        zone_price=zones,
        link_price=np.concatenate([price[rows], np.zeros(len(table))]),
        link_chance=np.ones(count),
        link_whole=np.zeros(count, np.bool_),
        labels=1,
    )
    return np.asarray(search(places, links, question).cost, np.float64)


def _with_begin(links: Links, rows: Ints, starts: Ints, points: Floats) -> Links:
    """Some links, and one from nowhere to each of the places where ways may begin."""
    k = len(starts)
    begin: dict[str, NDArray[Any]] = {
        "kind": np.full(k, LinkKind.DUCTWAY),
        "start": np.full(k, -1),
        "end": starts,
        "start_pos": np.tile(np.array(_NOWHERE), (k, 1)),
        "end_pos": points,
        "part": np.full(k, -1),
    }
    columns = {}
    for field in fields(Links):
        if not field.name.startswith("path"):
            own = getattr(links, field.name)[rows]
            columns[field.name] = np.concatenate([own, begin.get(field.name, np.zeros(k))]).astype(own.dtype)
    return Links(path_start=np.zeros(len(rows) + k + 1, np.int32), path=np.zeros((0, 3)), **columns)


def _underfoot(places: Places, found: Roles, pricing: Pricing) -> Floats:
    """(n,) price of a mm of path at each place: the dearer of its part and its agreed area."""
    by_part, by_area = weights(found, pricing.movement)
    weight = np.append(by_part, 1.0)[places.part]
    return np.asarray(np.maximum(weight, np.append(by_area, 1.0)[places.area]), np.float64)


def _ways(links: Links, rows: Ints) -> int:
    """How many ways these links are: those near each other and of one kind are one."""
    kept: list[tuple[int, Floats]] = []
    for row in rows:
        at = links.start_pos[row] if links.up[row] > links.down[row] else links.end_pos[row]
        if all(k != links.kind[row] or np.hypot(*(at - other)[:2]) > _APART_MM for k, other in kept):
            kept.append((int(links.kind[row]), at))
        if len(kept) >= 20:
            break
    return len(kept)


def _walks(net: Net, level: Level, parts: Sequence[int] | Ints) -> int:
    """How many other floors are walked to from a level."""
    same = np.isin(net.component, parts) & (net.level >= 0) & (net.level != level.number)
    others = np.unique(net.level[same])
    return int(min(len(others), 1)) if others.size else 0


__all__ = ["Net", "Overhang", "Reached", "net_of", "reached"]
