"""Why there is no way: the way that breaks fewest limits, and the limits that it breaks, in order."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import numpy as np

from sandbox.ground.kernels.search_relaxed import BARRED_CODE, Heap, Refusable, RefusableLinks, SoFar, relax
from sandbox.ground.model import Bytes, Floats, Hindrance, Ints, Limit, Links, Places, Question
from sandbox.ground.search import prepare
from sandbox.ground.search_model import Breach, RefusedWay

FAR_TIMES = 3.0
"""ways are looked for up to this many times the allowance."""
_RISE_MM = 15.0
_SEARCH_MM = 60.0

_MEASURES = {Limit.OVERHANG: "overhang", Limit.GAP: "gap"}


def relaxed_search(
    places: Places,
    links: Links,
    question: Question,
    target: tuple[float, float, float],
    *,
    allowed: Mapping[Limit, float] | None = None,
    times: float = FAR_TIMES,
) -> RefusedWay | None:
    """The way from the start to a target, mm, that breaks fewest limits, then by least excess, then the cheapest.

    Refused places and links, and what the question bars, stay passable. allowed: the limit's own number for each
    `Limit`, in the units of `measured`; the excess is what was measured beyond it (unknown ones count as none).
    Steps go to the eight neighbours, so the cost may be 8 % over. None: no way within `times` the allowance.
    """
    n = len(places.pos)
    origin = _nearest(places, question.start)
    goal = _nearest(places, target)
    if n == 0 or origin < 0 or goal < 0:
        return None
    numbers = np.full(256, np.nan)
    for limit, value in (allowed or {}).items():
        numbers[int(limit)] = value
    refusable = _refusable(places, question, numbers)
    table, rows = _links(links, question, numbers, n)
    most = times * float(sum(question.moves))
    for by_breaks in (True, False):
        found = _relaxed(refusable, table, origin, goal, most, by_breaks)
        if np.isfinite(found.cost[goal]):
            break
    else:
        return None
    chain = [goal]
    while chain[-1] != origin:
        chain.append(int(found.parent[chain[-1]]))
    chain.reverse()
    points = [np.asarray(question.start)]
    breaches: list[Breach] = []
    run = int(refusable.code[origin])
    if run:
        breaches.append(_place_breach(places, origin, run, numbers))
    for p, q in itertools.pairwise(chain):
        k = int(found.via[q])
        if k >= 0:
            row = int(rows[k])
            points += [links.start_pos[row], links.end_pos[row]]
            if table.broken[k]:
                breaches.append(_link_breach(links, row, numbers))
            run = 0
        now = int(refusable.code[q])
        if now and now != run:
            breaches.append(_place_breach(places, q, now, numbers))
        elif not now and not run and k < 0 and q not in places.neighbour[p]:
            breaches.append(_step_breach(places, p, q, numbers))
        run = now
        points.append(places.pos[q])
    points[-1] = np.asarray(target)
    return RefusedWay(
        cost=float(found.cost[goal]), points=np.array(points, np.float64), breaches=tuple(breaches)
    )


def _refusable(places: Places, question: Question, numbers: Floats) -> Refusable:
    """What bars each place, by how much, and what it costs all the same."""
    ground, _, least = prepare(places, question)
    code: Bytes = places.limit.astype(np.uint8).copy()
    code[(code == 0) & ((places.flags & 1) == 0)] = Limit.NO_ROOM
    code[(code == 0) & np.isinf(ground.weight)] = BARRED_CODE
    over = np.abs(places.measured - numbers[code])
    over[~np.isfinite(over) | (code == 0)] = 0.0
    return Refusable(
        nx=places.nx,
        ny=places.ny,
        start=places.start,
        column=places.cell,
        pos=places.pos,
        neighbour=places.neighbour,
        code=code,
        over=over,
        rate=np.where(np.isfinite(ground.weight), ground.weight, least),
        zone=places.zone,
        zone_price=ground.zone_price,
        rise=_RISE_MM,
    )


def _relaxed(
    refusable: Refusable, links: RefusableLinks, origin: int, goal: int, most: float, by_breaks: bool
) -> SoFar:
    """Make room, search, and make more room for as long as it is wanted."""
    n = len(refusable.pos)
    found = SoFar(
        cost=np.full(n, np.inf),
        broken=np.zeros(n, np.int32),
        excess=np.zeros(n),
        worst=np.zeros(n),
        key=np.full(n, np.inf),
        run=np.zeros(n, np.uint8),
        done=np.zeros(n, np.uint8),
        parent=np.full(n, -1, np.int32),
        via=np.full(n, -1, np.int32),
    )
    found.cost[origin] = found.key[origin] = 0.0
    found.run[origin] = refusable.code[origin]
    found.worst[origin] = refusable.over[origin]
    heap = Heap(np.empty(4 * n + 1024), np.empty(4 * n + 1024, np.int32))
    heap.key[0], heap.node[0] = 0.0, origin
    size = 1
    while (size := relax(refusable, links, found, heap, size, goal, most, by_breaks)) >= 0:
        heap = Heap(*(np.concatenate([one, np.empty_like(one)]) for one in heap))
    return found


def _links(links: Links, question: Question, numbers: Floats, n: int) -> tuple[RefusableLinks, Ints]:
    """Links with both ends on places, sorted by start, and their rows in `Links`."""
    rows = np.flatnonzero((links.start >= 0) & (links.end >= 0)).astype(np.int32)
    rows = rows[np.argsort(links.start[rows], kind="stable")]
    first: Ints = np.zeros(1, np.int32)
    if len(rows):
        first = np.zeros(n + 1, np.int32)
        np.cumsum(np.bincount(links.start[rows], minlength=n), out=first[1:])
    price = question.link_price[rows].astype(np.float64)
    broken: Bytes = ((links.limit[rows] != 0) | np.isinf(price)).astype(np.uint8)
    price = np.where(np.isfinite(price), price, links.plan[rows] + links.up[rows])
    over = np.zeros(len(rows))
    for k, row in enumerate(rows):
        if broken[k]:
            excess = _measured(links, int(row)) - numbers[int(links.limit[row])]
            over[k] = abs(excess) if np.isfinite(excess) else 0.0
    return RefusableLinks(first, links.end[rows].astype(np.int32), price, broken, over), rows


def _measured(links: Links, row: int) -> float:
    """What stands against a link's limit, mm."""
    name = _MEASURES.get(Limit(int(links.limit[row])), "up")
    return float(getattr(links, name)[row])


def _link_breach(links: Links, row: int, numbers: Floats) -> Breach:
    limit = Limit(int(links.limit[row]))
    where = tuple(float(x) for x in links.start_pos[row])
    found = Hindrance(
        limit if limit else Limit.BARRED,
        _measured(links, row),
        float(numbers[int(limit)]),
        where,  # type: ignore[arg-type]
        int(links.part[row]),
    )
    return Breach(found, -1, row, barred=limit == Limit.NONE)


def _place_breach(places: Places, p: int, code: int, numbers: Floats) -> Breach:
    barred = code == BARRED_CODE
    limit = Limit.BARRED if barred else Limit(code)
    where = tuple(float(x) for x in places.pos[p])
    part = int(places.culprit[p]) if places.culprit[p] >= 0 else int(places.part[p])
    measured = float(places.measured[p])
    found = Hindrance(limit, measured, float(numbers[int(limit)]), where, part)  # type: ignore[arg-type]
    return Breach(found, p, -1, barred)


def _step_breach(places: Places, p: int, q: int, numbers: Floats) -> Breach:
    """A step between two places that are not linked: too high, or no room between them."""
    rise = float(abs(places.pos[q, 2] - places.pos[p, 2]))
    kind = Limit.STEP if rise > 1.0 else Limit.NO_ROOM
    where = tuple(float(x) for x in places.pos[q])
    found = Hindrance(kind, rise, float(numbers[kind]), where, int(places.part[q]))  # type: ignore[arg-type]
    return Breach(found, q, -1, barred=False)


def _nearest(places: Places, point: tuple[float, float, float]) -> int:
    """The place, refused or not, nearest to a point among the columns around it; -1 where none is near in height."""
    ci = round((point[0] - places.x0) / places.pitch)
    cj = round((point[1] - places.y0) / places.pitch)
    best, score = -1, np.inf
    for j in range(max(0, cj - 1), min(places.ny, cj + 2)):
        for i in range(max(0, ci - 1), min(places.nx, ci + 2)):
            c = j * places.nx + i
            for p in range(int(places.start[c]), int(places.start[c + 1])):
                rise = abs(float(places.pos[p, 2]) - point[2])
                if rise > _SEARCH_MM:
                    continue
                s = 10.0 * rise + float(np.hypot(*(places.pos[p, :2] - np.array(point[:2]))))
                if s < score:
                    best, score = p, s
    return best
