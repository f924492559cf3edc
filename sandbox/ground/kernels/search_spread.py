"""The search itself: labels spread outwards from the start, each with the last point where its way bends.

A label (one of `labels` of a place) holds what it cost, its clock and its anchor. An anchor is an exact point where ways
bend: the start, a corner, a border, a link's end. Places are taken in the order of their clock; a place takes the
cheapest anchor, among those of its settled neighbours and the neighbours themselves, that sees it in a straight line.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from sandbox.ground.kernels.search_field import BEND, BORDER, DISC, EDGE, F8, HOST, I4, SEED, U1, Field
from sandbox.ground.kernels.search_march import CLOCK_SLACK, march, wait_out

# columns of an anchor's numbers
X, Y, Z, COST, CLOCK, CHANCE, ENTERED = 0, 1, 2, 3, 4, 5, 6
# columns of an anchor's indices
AT, PARENT, LINK, BITS, NEXT = 0, 1, 2, 3, 4

# columns and marks of the rows that are touched at every step
KEY, BY, SEEN, MARK = 0, 1, 2, 3
DONE, USUAL, HOSTS, PLAIN, SURE, EVEN = 1, 2, 4, 8, 16, 32
KEY_PER_MM = 65536.0
NEVER = 2**31 - 1
_FARTHEST_MM = 30000.0

_CHANCE_SLACK = 1e-9
_TURN_MM = 0.02
"""a turn at a place that is no corner must save this much."""
_PER_MM = 5.0
"""buckets of the queue per mm: order within a fifth of a millimetre does not matter, places are farther apart."""


class Ways(NamedTuple):
    """The links that the question allows, sorted by the place where they begin."""

    first: I4
    """(n + 1,) int32 rows of place p are first[p] .. first[p + 1]; (1,) where there are no links."""
    host: I4
    """(k,) int32 place at the start."""
    begin: F8
    """(k, 3)."""
    end: I4
    """(k,) int32 place at the end."""
    finish: F8
    """(k, 3)."""
    price: F8
    """(k,)."""
    chance: F8
    """(k,)."""
    whole: U1
    """(k,) uint8."""
    bits: U1
    """(k,) uint8 what taking the link uses up."""
    row: I4
    """(k,) int32 row in `Links`."""


class Labels(NamedTuple):
    """What a search leaves: slots of node v are v * labels .. v * labels + count[v]; nodes n.. are link starts."""

    labels: int
    count: U1
    cost: F8
    clock: F8
    anchor: I4
    own: I4
    """anchor at the place itself, where ways may bend there, -1 none."""
    number: F8
    """(a, 8) anchors: x, y, z, cost, clock, chance, clock on entering the obstacle around it."""
    index: I4
    """(a, 5) anchors: place, parent anchor, link that led to it (-1 a bend), bits used up, next seed."""
    seed: I4
    """(n,) first anchor seeded at a place, -1 none."""


@njit(cache=True, nogil=True, _nrt=False)
def dominated(r: Labels, v: int, chance: float, bits: int) -> bool:
    """Whether a settled label of node v is as good in everything but its clock, which is earlier anyway."""
    if r.labels == 1:
        return r.count[v] > 0
    for s in range(v * r.labels, v * r.labels + r.count[v]):
        a = r.anchor[s]
        if r.number[a, CHANCE] >= chance - _CHANCE_SLACK and r.index[a, BITS] & ~bits == 0:
            return True
    return False


@njit(cache=True, nogil=True, _nrt=False)
def _add(r: Labels, a: int, found: I4, m: int) -> int:
    for k in range(m):
        if found[k] == a:
            return m
    if m < found.shape[0]:
        found[m] = a
        m += 1
    return m


@njit(cache=True, nogil=True, _nrt=False)
def candidates(f: Field, r: Labels, host: int, itself: bool, found: I4) -> int:
    """Anchors of the settled labels around a place (and of the place itself), bends and seeds, without repeats."""
    m = 0
    for e in range(-1, 8):
        q = host if e < 0 else f.neighbour[host, e]
        if q < 0:
            continue
        if f.state[q] & SEED:
            a = r.seed[q]
            while a >= 0:
                m = _add(r, a, found, m)
                a = r.index[a, NEXT]
        if e < 0 and not itself:
            continue
        for s in range(q * r.labels, q * r.labels + r.count[q]):
            m = _add(r, r.anchor[s], found, m)
            if r.own[s] >= 0:
                m = _add(r, r.own[s], found, m)
    return m


@njit(cache=True, nogil=True, _nrt=False)
def line(f: Field, r: Labels, a: int, x: float, y: float, host: int) -> tuple[bool, float, float, bool]:
    """Cost and clock at the exact point (x, y) in the cell of `host` straight from anchor a, and if one price held."""
    ok, spent, clock, _, uniform, _ = march(
        f,
        r.number[a, X],
        r.number[a, Y],
        r.index[a, AT],
        x,
        y,
        host,
        r.number[a, CLOCK],
        r.number[a, ENTERED],
        f.silent,
    )
    return ok, r.number[a, COST] + spent, clock, uniform


@njit(cache=True, nogil=True, _nrt=False)
def choose(
    f: Field,
    r: Labels,
    v: int,
    x: float,
    y: float,
    host: int,
    itself: bool,
    least: float,
    found: I4,
    bound: F8,
) -> tuple[int, float, float, bool]:
    """The cheapest candidate with a free straight line to the point and not dominated at node v (-1: no such test).

    Returns its anchor (-1 none; -2 - s: turn at the place of label s), cost, clock and whether one price held.
    """
    m = candidates(f, r, host, itself, found)
    for k in range(m):
        a = found[k]
        if v >= 0 and dominated(r, v, r.number[a, CHANCE], r.index[a, BITS]):
            bound[k] = np.inf
        else:
            gap = math.sqrt((x - r.number[a, X]) ** 2 + (y - r.number[a, Y]) ** 2)
            bound[k] = r.number[a, CLOCK] + least * gap
    best = -1
    cost = np.inf
    clock = np.inf
    uniform = False
    while True:
        at = -1
        low = clock
        for k in range(m):
            if bound[k] < low:
                low = bound[k]
                at = k
        if at < 0:
            break
        bound[at] = np.inf
        ok, c, t, same = line(f, r, found[at], x, y, host)
        if ok and t < clock:
            best, cost, clock, uniform = found[at], c, t, same
    # an edge's end may lie between two places: then a way turns a little at any place of the edge
    for e in range(-1 if itself else 0, 8):
        q = host if e < 0 else f.neighbour[host, e]
        if q < 0 or not f.state[q] & (EDGE | DISC | BORDER):
            continue
        gap = least * math.sqrt((x - f.point[q, 0]) ** 2 + (y - f.point[q, 1]) ** 2)
        for s in range(q * r.labels, q * r.labels + r.count[q]):
            a = r.anchor[s]
            if r.own[s] >= 0 or r.clock[s] + gap >= clock - _TURN_MM or f.zone[q] >= 0:
                continue
            if v >= 0 and dominated(r, v, r.number[a, CHANCE], r.index[a, BITS]):
                continue
            ok, c, t, same = turn(f, r, s, q, x, y, host)
            if ok and t < clock - _TURN_MM:
                best, cost, clock, uniform = -2 - s, c, t, same
    return best, cost, clock, uniform


@njit(cache=True, nogil=True, _nrt=False)
def turn(
    f: Field, r: Labels, s: int, q: int, x: float, y: float, host: int
) -> tuple[bool, float, float, bool]:
    """Cost and clock at the exact point (x, y) in the cell of `host` straight from place q with its label s."""
    ok, spent, clock, _, uniform, _ = march(
        f, f.point[q, 0], f.point[q, 1], q, x, y, host, r.clock[s], r.clock[s], f.silent
    )
    return ok, r.cost[s] + spent, clock, uniform


@njit(cache=True, nogil=True, _nrt=False)
def _sees(f: Field, r: Labels, hot: I4, a: int, v: int) -> tuple[bool, float]:
    """Whether both neighbours around the line back to anchor a see it at one price, so that v between them does too.

    What bars a body is wider than a cell, as everything is grown by the base, so nothing can hide between the two.
    """
    dx = r.number[a, X] - f.point[v, 0]
    dy = r.number[a, Y] - f.point[v, 1]
    diagonal = (1 if dy > 0 else 7) if dx > 0 else 3 if dy > 0 else 5
    if hot[f.neighbour[v, diagonal], SEEN] != a:
        return False, 0.0
    straight = (0 if dx > 0 else 4) if abs(dx) >= abs(dy) else 2 if dy > 0 else 6
    if hot[f.neighbour[v, straight], SEEN] != a:
        return False, 0.0
    return True, math.sqrt(dx * dx + dy * dy) * f.weight[v]


@njit(cache=True, nogil=True, _nrt=False)
def _push(v: int, key: float, head: I4, node: I4, after: I4, meta: I4) -> None:
    b = max(int(key * _PER_MM), meta[2])
    if b >= head.shape[0]:
        return
    if meta[1] >= 0:
        e = meta[1]
        meta[1] = after[e]
    else:
        e = meta[0]
        meta[0] += 1
    node[e] = v
    after[e] = head[b]
    head[b] = e


@njit(cache=True, nogil=True)
def _longer(old: I4, used: int) -> I4:
    """The array itself while it has room for 64 more, else a copy twice as long."""
    if used + 64 <= old.shape[0]:
        return old
    new = np.empty(2 * old.shape[0], np.int32)
    new[:used] = old[:used]
    return new


@njit(cache=True, nogil=True, _nrt=False)
def _offer(
    r: Labels, v: int, a: int, estimate: float, hot: I4, failed: I4, head: I4, node: I4, after: I4, meta: I4
) -> None:
    """Propose anchor a to node v."""
    if estimate > _FARTHEST_MM:
        return
    key = int(estimate * KEY_PER_MM)
    if key >= hot[v, KEY] or failed[v] == a:
        return
    if dominated(r, v, r.number[a, CHANCE], r.index[a, BITS]):
        return
    hot[v, KEY] = key
    hot[v, BY] = a
    hot[v, MARK] &= ~SURE
    _push(v, estimate, head, node, after, meta)


@njit(cache=True, nogil=True)
def _offer_links(
    f: Field,
    r: Labels,
    ways: Ways,
    w: int,
    a: int,
    least: float,
    hot: I4,
    failed: I4,
    head: I4,
    node: I4,
    after: I4,
    meta: I4,
) -> tuple[I4, I4]:
    """Propose anchor a to every link that begins in the cell of place w; the queue's arrays, grown."""
    n = f.point.shape[0]
    for k in range(ways.first[w], ways.first[w + 1]):
        node = _longer(node, meta[0])
        after = _longer(after, meta[0])
        gap = math.sqrt((ways.begin[k, 0] - r.number[a, X]) ** 2 + (ways.begin[k, 1] - r.number[a, Y]) ** 2)
        _offer(r, n + k, a, r.number[a, CLOCK] + least * gap, hot, failed, head, node, after, meta)
    return node, after


@njit(cache=True, nogil=True)
def _marks(f: Field, nodes: int, least: float) -> I4:
    """(nodes, 4) the rows that are touched at every step, side by side: KEY, BY, SEEN, MARK."""
    n = f.point.shape[0]
    hot = np.empty((nodes, 4), np.int32)
    for v in range(nodes):
        hot[v, KEY] = NEVER
        hot[v, BY] = -1
        hot[v, SEEN] = -1
        mark = 0
        if v < n:
            if f.weight[v] == np.inf:
                mark |= DONE
            elif f.weight[v] == least and f.zone[v] < 0:
                mark |= USUAL
            if f.state[v] & HOST:
                mark |= HOSTS
            if f.plain[v]:
                mark |= PLAIN
        hot[v, MARK] = mark
    return hot


@njit(cache=True, nogil=True)
def spread(
    f: Field,
    ways: Ways,
    origin: F8,
    origin_place: int,
    labels: int,
    total: float,
    least: float,
    room: int,
    goal: int,
) -> Labels:
    """Spread labels from the exact start until `total` on the clock, or until the place `goal` has one.

    origin (3,): the start, in the cell of origin_place (-1: it hangs, and leaves by links that begin at it); labels:
    slots per node; least: the lowest price per mm; room: anchors expected; goal: -1 none.
    """
    n = f.point.shape[0]
    links = ways.price.shape[0]
    nodes = n + links
    count = np.zeros(nodes, np.uint8)
    cost = np.full(nodes * labels, np.inf)
    chain = f.ends.shape[0] > 1
    clock = np.full(nodes * labels, np.inf) if chain else cost
    anchor = np.full(nodes * labels, -1, np.int32)
    own = np.full(nodes * labels, -1, np.int32)
    seed = np.full(n, -1, np.int32)
    number = np.empty((room + 16, 8))
    index = np.empty((room + 16, 5), np.int32)
    hot = _marks(f, nodes, least)
    failed = np.full(nodes, -1, np.int32)
    held = np.empty((nodes, 2))
    found = np.empty(256, np.int32)
    bound = np.empty(256)
    head = np.full(int(total * _PER_MM) + 2, -1, np.int32)
    node = np.empty(4096, np.int32)
    after = np.empty(4096, np.int32)
    meta = np.zeros(3, np.int32)
    meta[1] = -1

    number[0, X] = origin[0]
    number[0, Y] = origin[1]
    number[0, Z] = origin[2]
    number[0, COST] = 0.0
    number[0, CLOCK] = 0.0
    number[0, CHANCE] = 1.0
    number[0, ENTERED] = 0.0
    index[0, AT] = origin_place
    index[0, PARENT] = -1
    index[0, LINK] = -1
    index[0, BITS] = 0
    index[0, NEXT] = -1
    anchors = 1
    r = Labels(labels, count, cost, clock, anchor, own, number, index, seed)
    # the anchor whose surroundings are still to be told of it: the start, then ends of links
    fresh = 0 if origin_place >= 0 else -1
    if origin_place < 0:
        for k in range(links):
            gap = (ways.begin[k, 0] - origin[0]) ** 2 + (ways.begin[k, 1] - origin[1]) ** 2
            if gap + (ways.begin[k, 2] - origin[2]) ** 2 < 0.01:
                hot[n + k, KEY] = 0
                hot[n + k, BY] = 0
                hot[n + k, MARK] |= SURE
                held[n + k, 0] = 0.0
                held[n + k, 1] = 0.0
                node = _longer(node, meta[0])
                after = _longer(after, meta[0])
                _push(n + k, 0.0, head, node, after, meta)
    b = 0
    while b < head.shape[0]:
        node = _longer(node, meta[0])
        after = _longer(after, meta[0])
        if fresh >= 0:
            p = index[fresh, AT]
            index[fresh, NEXT] = seed[p]
            seed[p] = fresh
            f.state[p] |= SEED
            for e in range(-1, 8):
                w = p if e < 0 else f.neighbour[p, e]
                if w < 0 or f.weight[w] == np.inf:
                    continue
                gap = math.sqrt(
                    (f.point[w, 0] - number[fresh, X]) ** 2 + (f.point[w, 1] - number[fresh, Y]) ** 2
                )
                _offer(r, w, fresh, number[fresh, CLOCK] + gap * least, hot, failed, head, node, after, meta)
                if hot[w, MARK] & HOSTS:
                    node, after = _offer_links(
                        f, r, ways, w, fresh, least, hot, failed, head, node, after, meta
                    )
            fresh = -1
        entry = head[b]
        if entry < 0:
            b += 1
            meta[2] = b
            continue
        v = node[entry]
        head[b] = after[entry]
        after[entry] = meta[1]
        meta[1] = entry
        key = hot[v, KEY] / KEY_PER_MM
        if hot[v, KEY] == NEVER or int(key * _PER_MM) > b:
            continue
        is_place = v < n
        host = v if is_place else ways.host[v - n]
        x = f.point[v, 0] if is_place else ways.begin[v - n, 0]
        y = f.point[v, 1] if is_place else ways.begin[v - n, 1]
        a = hot[v, BY]
        if hot[v, MARK] & SURE:
            spent = held[v, 0]
            now = held[v, 1]
            same = hot[v, MARK] & EVEN != 0
        else:
            ok = False
            spent = np.inf
            now = np.inf
            same = False
            if hot[v, MARK] & PLAIN:
                ok, run = _sees(f, r, hot, a, v)
                if ok:
                    spent = number[a, COST] + run
                    now = number[a, CLOCK] + run
                    same = True
            if not ok:
                ok, spent, now, same = line(f, r, a, x, y, host)
            if not ok or now > key + 1e-3:
                if not ok:
                    failed[v] = a
                a, spent, now, same = choose(f, r, v, x, y, host, not is_place, least, found, bound)
                hot[v, KEY] = NEVER
                hot[v, BY] = -1
                if a == -1 or now > total + CLOCK_SLACK:
                    continue
                if a < 0:
                    number, index = _more(number, index, anchors)
                    r = Labels(labels, count, cost, clock, anchor, own, number, index, seed)
                    a = _bend(f, r, -2 - a, anchors)
                    anchors += 1
                if int(now * _PER_MM) > b:
                    _hold(v, a, spent, now, same, hot, held)
                    _push(v, now, head, node, after, meta)
                    continue
        hot[v, KEY] = NEVER
        hot[v, BY] = -1
        hot[v, MARK] &= ~SURE
        if now > total + CLOCK_SLACK:
            continue
        chance = number[a, CHANCE]
        bits = index[a, BITS]
        if dominated(r, v, chance, bits):
            continue
        # settled: the label is kept; when all slots are taken the last one gives way, so the best chance stays
        slot = v * labels + min(int(count[v]), labels - 1)
        if count[v] < labels:
            count[v] += 1
        cost[slot] = spent
        clock[slot] = now
        anchor[slot] = a
        own[slot] = -1
        hot[v, SEEN] = a if same else -1
        if labels == 1 or (chance >= 1.0 and bits == 0):
            hot[v, MARK] |= DONE
        else:
            failed[v] = -1

        number, index = _more(number, index, anchors)
        r = Labels(labels, count, cost, clock, anchor, own, number, index, seed)

        if not is_place:
            k = v - n
            start = wait_out(now, ways.price[k], f.ends) if ways.whole[k] and chain else now
            done = start + ways.price[k]
            if done <= total + CLOCK_SLACK:
                number[anchors, X] = ways.finish[k, 0]
                number[anchors, Y] = ways.finish[k, 1]
                number[anchors, Z] = ways.finish[k, 2]
                number[anchors, COST] = spent + ways.price[k]
                number[anchors, CLOCK] = done
                number[anchors, CHANCE] = chance * ways.chance[k]
                number[anchors, ENTERED] = done
                index[anchors, AT] = ways.end[k]
                index[anchors, PARENT] = a
                index[anchors, LINK] = k
                index[anchors, BITS] = bits | ways.bits[k]
                index[anchors, NEXT] = -1
                e = ways.end[k]
                # of no use where the end has long been reached as well in everything
                if not (
                    dominated(r, e, number[anchors, CHANCE], index[anchors, BITS])
                    and clock[e * labels] + 2.0 * f.pitch * f.weight[e] < done
                ):
                    fresh = anchors
                    anchors += 1
        else:
            mine = -1
            if f.state[v] & BEND:
                mine = _bend(f, r, slot, anchors)
                if f.zone[v] >= 0 and chain:
                    number[mine, ENTERED] = _entered(f, r, a, x, y, v)
                anchors += 1
            ax = number[a, X]
            ay = number[a, Y]
            base = number[a, CLOCK]
            usual = hot[v, MARK] & USUAL != 0
            back = -1.0
            for e in range(8):
                w = f.neighbour[v, e]
                if w < 0:
                    continue
                mark = hot[w, MARK]
                if mark & HOSTS and f.weight[w] < np.inf:
                    node, after = _offer_links(f, r, ways, w, a, least, hot, failed, head, node, after, meta)
                    if mine >= 0:
                        node, after = _offer_links(
                            f, r, ways, w, mine, least, hot, failed, head, node, after, meta
                        )
                if mark & DONE or (hot[w, BY] == a and mine < 0 and same):
                    continue
                px = f.point[w, 0]
                py = f.point[w, 1]
                gap = math.sqrt((px - ax) ** 2 + (py - ay) ** 2)
                extra = 0.0
                price = least
                if usual and mark & USUAL and same:
                    estimate = base + least * gap
                else:
                    price = f.weight[w]
                    if f.zone[w] != f.zone[v] and f.zone[w] >= 0:
                        extra = f.zone_price[f.zone[w]]
                    if same and price == f.weight[v]:
                        estimate = base + price * gap + extra
                    else:
                        if back < 0.0:
                            back = math.sqrt((x - ax) ** 2 + (y - ay) ** 2)
                        estimate = max(now + price * (gap - back) + extra, base + least * gap)
                _offer(r, w, a, estimate, hot, failed, head, node, after, meta)
                if mine >= 0:
                    gap = math.sqrt((px - x) ** 2 + (py - y) ** 2)
                    _offer(r, w, mine, now + least * gap + extra, hot, failed, head, node, after, meta)
            if hot[v, MARK] & HOSTS:
                node, after = _offer_links(f, r, ways, v, a, least, hot, failed, head, node, after, meta)
                if mine >= 0:
                    node, after = _offer_links(
                        f, r, ways, v, mine, least, hot, failed, head, node, after, meta
                    )
        if v == goal:
            break
        if hot[v, MARK] & DONE == 0:
            # a neighbour settled before may hold a better chance at a later clock
            a, spent, now, same = choose(f, r, v, x, y, host, not is_place, least, found, bound)
            if a != -1 and now <= total + CLOCK_SLACK:
                if a < 0:
                    number, index = _more(number, index, anchors)
                    r = Labels(labels, count, cost, clock, anchor, own, number, index, seed)
                    a = _bend(f, r, -2 - a, anchors)
                    anchors += 1
                _hold(v, a, spent, now, same, hot, held)
                node = _longer(node, meta[0])
                after = _longer(after, meta[0])
                _push(v, now, head, node, after, meta)
    return Labels(
        labels, count, cost, clock, anchor, own, number[:anchors].copy(), index[:anchors].copy(), seed
    )


@njit(cache=True, nogil=True)
def _more(number: F8, index: I4, used: int) -> tuple[F8, I4]:
    """The anchors' arrays themselves while they have room, else copies twice as long."""
    if used + 4 <= number.shape[0]:
        return number, index
    more = np.empty((2 * number.shape[0], 8))
    more[:used] = number[:used]
    also = np.empty((2 * index.shape[0], 5), np.int32)
    also[:used] = index[:used]
    return more, also


@njit(cache=True, nogil=True, _nrt=False)
def _bend(f: Field, r: Labels, s: int, a: int) -> int:
    """Write anchor a: the way of label s may turn at its place."""
    q = s // r.labels
    was = r.anchor[s]
    r.number[a, X] = f.point[q, 0]
    r.number[a, Y] = f.point[q, 1]
    r.number[a, Z] = f.point[q, 2]
    r.number[a, COST] = r.cost[s]
    r.number[a, CLOCK] = r.clock[s]
    r.number[a, CHANCE] = r.number[was, CHANCE]
    r.number[a, ENTERED] = r.clock[s]
    r.index[a, AT] = q
    r.index[a, PARENT] = was
    r.index[a, LINK] = -1
    r.index[a, BITS] = r.index[was, BITS]
    r.index[a, NEXT] = -1
    r.own[s] = a
    return a


@njit(cache=True, nogil=True, _nrt=False)
def _hold(v: int, a: int, spent: float, now: float, same: bool, hot: I4, held: F8) -> None:
    """Keep a proposal that was found free until its turn."""
    hot[v, KEY] = int(now * KEY_PER_MM)
    hot[v, BY] = a
    hot[v, MARK] = (hot[v, MARK] & ~EVEN) | SURE | (EVEN if same else 0)
    held[v, 0] = spent
    held[v, 1] = now


@njit(cache=True, nogil=True, _nrt=False)
def _entered(f: Field, r: Labels, a: int, x: float, y: float, v: int) -> float:
    """Clock when the obstacle around place v was entered on the line from anchor a."""
    at = r.index[a, AT]
    _, _, _, entered, _, _ = march(
        f, r.number[a, X], r.number[a, Y], at, x, y, v, r.number[a, CLOCK], r.number[a, ENTERED], f.silent
    )
    return entered


@njit(cache=True, nogil=True, _nrt=False)
def arrive(
    f: Field,
    r: Labels,
    total: float,
    least: float,
    cheapest: bool,
    target: F8,
    host: I4,
    answer: F8,
    by: I4,
    found: I4,
    bound: F8,
) -> None:
    """Best arrival at exact points: the best chance within the budget, then the lowest cost; or the cheapest at once.

    target (p, 3), host (p,) the place whose cell holds it or -1; answer (p, 3) takes cost, clock and chance, by (p,)
    the anchor; -1 and inf where there is no way. found and bound (256,): room to work in.
    """
    for p in range(target.shape[0]):
        by[p] = -1
        answer[p, 0] = np.inf
        answer[p, 1] = np.inf
        answer[p, 2] = 0.0
        h = host[p]
        if h < 0:
            continue
        x = target[p, 0]
        y = target[p, 1]
        m = candidates(f, r, h, True, found)
        for k in range(m):
            a = found[k]
            gap = math.sqrt((x - r.number[a, X]) ** 2 + (y - r.number[a, Y]) ** 2)
            bound[k] = r.number[a, CLOCK] + least * gap
        while True:
            at = -1
            for k in range(m):
                if bound[k] > total + CLOCK_SLACK:
                    continue
                if at < 0:
                    at = k
                    continue
                c = r.number[found[k], CHANCE]
                d = r.number[found[at], CHANCE]
                if (not cheapest and c > d + _CHANCE_SLACK) or (
                    (cheapest or c >= d - _CHANCE_SLACK) and bound[k] < bound[at]
                ):
                    at = k
            if at < 0:
                break
            a = found[at]
            low = bound[at]
            bound[at] = np.inf
            chance = r.number[a, CHANCE]
            if by[p] >= 0:
                if not cheapest and chance < answer[p, 2] - _CHANCE_SLACK:
                    break
                if low >= answer[p, 1]:
                    continue
            ok, cost, clock, _ = line(f, r, a, x, y, h)
            if ok and clock <= total + CLOCK_SLACK and (by[p] < 0 or cost < answer[p, 0]):
                by[p] = a
                answer[p, 0] = cost
                answer[p, 1] = clock
                answer[p, 2] = chance
        for e in range(-1, 8):
            q = h if e < 0 else f.neighbour[h, e]
            if q < 0 or not f.state[q] & (EDGE | DISC | BORDER) or f.zone[q] >= 0:
                continue
            gap = least * math.sqrt((x - f.point[q, 0]) ** 2 + (y - f.point[q, 1]) ** 2)
            for s in range(q * r.labels, q * r.labels + r.count[q]):
                chance = r.number[r.anchor[s], CHANCE]
                better = chance > answer[p, 2] + _CHANCE_SLACK and not cheapest
                if r.own[s] >= 0 or (
                    not better
                    and (
                        (not cheapest and chance < answer[p, 2] - _CHANCE_SLACK)
                        or r.cost[s] + gap >= answer[p, 0] - _TURN_MM
                    )
                ):
                    continue
                ok, cost, clock, _ = turn(f, r, s, q, x, y, h)
                if ok and clock <= total + CLOCK_SLACK and (better or cost < answer[p, 0] - _TURN_MM):
                    by[p] = -2 - s
                    answer[p, 0] = cost
                    answer[p, 1] = clock
                    answer[p, 2] = chance
