"""The search itself: labels spread outwards from the start, each with the last point where its way bends.

Places are taken in the order of their clock; a place takes the cheapest anchor, among those of its settled neighbours and
the neighbours themselves, that sees it in a straight line.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from sandbox.compiling import bare, bare_kernel, pasted
from sandbox.ground.kernels.search_field import BEND, F8, HOST, I4, I8, SEED, U1, Field, wide
from sandbox.ground.kernels.search_labels import (
    AT,
    BITS,
    CHANCE,
    CLOCK,
    COST,
    ENTERED,
    LINK,
    NEXT,
    PARENT,
    Labels,
    Ways,
    X,
    Y,
    Z,
    choose,
    dominated,
    line,
)
from sandbox.ground.kernels.search_march import CLOCK_SLACK, march, wait_out

# columns and marks of the rows that are touched at every step
KEY, BY, SEEN, MARK = 0, 1, 2, 3
DONE, USUAL, HOSTS, PLAIN, SURE, EVEN, WAITS = 1, 2, 4, 8, 16, 32, 64
KEY_UNITS = 65536.0
"""keys of the queue per mm."""
NEVER = 2**31 - 1
# where a search stands: entries used and first free one of the queue, bucket, anchors, the anchor not yet told of
USED, FREE, BUCKET, ANCHORS, FRESH = 0, 1, 2, 3, 4
_FARTHEST_MM = 30000.0

PER_MM = 5.0
"""buckets of the queue per mm: order within a fifth of a millimetre does not matter, places are farther apart."""


class Rows(NamedTuple):
    """What is known of each node, read at every step."""

    hot: I4
    """(nodes, 4) columns KEY, BY, SEEN, MARK."""
    failed: I4
    """(nodes,) the anchor that was found not to see the node."""
    held: F8
    """(nodes, 2) cost and clock of a proposal that was found free."""
    even: U1
    """(labels,) uint8 1 where one price held all along from the anchor; (1,) with one label per node."""


class Queue(NamedTuple):
    """Nodes in the order of their keys: buckets of chained entries."""

    head: I4
    """(buckets,) first entry of each, -1 none."""
    node: I4
    """(entries,)."""
    after: I4
    """(entries,) the next one, -1 none."""
    meta: I8
    """(8,) where the search stands: USED, FREE, BUCKET, ANCHORS, FRESH."""


@bare
def _seen(r: Labels, hot: I4, even: U1, a: int, q: int) -> bool:
    """Whether place q, -1 none, touches nothing and has a label straight from anchor a at one price."""
    if q < 0 or hot[q, MARK] & PLAIN == 0:
        return False
    if hot[q, SEEN] == a:
        return True
    if r.labels > 1:
        for s in range(q * r.labels, q * r.labels + r.count[q]):
            if r.anchor[s] == a and even[s]:
                return True
    return False


@bare
def _sees(f: Field, r: Labels, hot: I4, even: U1, a: int, v: int) -> tuple[bool, float]:
    """Whether both neighbours around the line back to anchor a see it at one price, so that v between them does too.

    What bars a body is wider than a cell, as everything is grown by the base, so nothing can hide between the two. A
    neighbour that touches something does not count: what it touches may lie ahead of it, where the body is lifted.
    """
    dx = r.number[a, X] - f.point[v, 0]
    dy = r.number[a, Y] - f.point[v, 1]
    diagonal = (1 if dy > 0 else 7) if dx > 0 else 3 if dy > 0 else 5
    if not _seen(r, hot, even, a, f.neighbour[v, diagonal]):
        return False, 0.0
    straight = (0 if dx > 0 else 4) if abs(dx) >= abs(dy) else 2 if dy > 0 else 6
    if not _seen(r, hot, even, a, f.neighbour[v, straight]):
        return False, 0.0
    return True, math.sqrt(dx * dx + dy * dy) * f.weight[v]


@bare
def _push(v: int, key: float, queue: Queue) -> None:
    head, node, after, meta = queue
    b = max(int(key * PER_MM), meta[BUCKET])
    if b >= head.shape[0]:
        return
    e = meta[FREE]
    if e >= 0:
        meta[FREE] = after[e]
    else:
        e = meta[USED]
        meta[USED] = e + 1
    node[e] = v
    after[e] = head[b]
    head[b] = e


@pasted
def _pop(queue: Queue) -> int:
    """Take the first node out of the bucket that the search stands at; -1 none."""
    head, node, after, meta = queue
    entry = head[meta[BUCKET]]
    v = -1
    if entry >= 0:
        v = wide(node[entry])
        head[meta[BUCKET]] = after[entry]
        after[entry] = meta[FREE]
        meta[FREE] = entry
    return v


@bare
def _offer(r: Labels, v: int, a: int, estimate: float, hot: I4, failed: I4, queue: Queue) -> None:
    """Propose anchor a to node v."""
    if estimate > _FARTHEST_MM:
        return
    key = int(estimate * KEY_UNITS)
    if failed[v] == a:
        return
    late = key >= hot[v, KEY]
    if late and (r.labels == 1 or hot[v, MARK] & WAITS):
        return
    if dominated(r, v, r.number[a, CHANCE], wide(r.index[a, BITS])):
        return
    if r.labels > 1 and hot[v, BY] >= 0 and hot[v, BY] != a:
        # of two proposals the later one may be better in something: it waits until the earlier one has its label
        hot[v, MARK] |= WAITS
    if late:
        return
    hot[v, KEY] = key
    hot[v, BY] = a
    hot[v, MARK] &= ~SURE
    _push(v, estimate, queue)


@bare
def _offer_links(
    r: Labels, ways: Ways, n: int, w: int, a: int, least: float, hot: I4, failed: I4, queue: Queue
) -> None:
    """Propose anchor a to every link that begins in the cell of place w; n: places."""
    for k in range(wide(ways.first[w]), wide(ways.first[w + 1])):
        gap = math.sqrt((ways.begin[k, 0] - r.number[a, X]) ** 2 + (ways.begin[k, 1] - r.number[a, Y]) ** 2)
        _offer(r, n + k, a, r.number[a, CLOCK] + least * gap, hot, failed, queue)


@bare_kernel
def begin(
    f: Field, ways: Ways, r: Labels, origin: F8, origin_place: int, least: float, rows: Rows, queue: Queue
) -> None:
    """Set every node's row, and the start as the first anchor.

    origin (3,): the start, in the cell of origin_place; -1: it hangs, and leaves by the links that begin at it.
    """
    hot, meta = rows.hot, queue.meta
    n = f.point.shape[0]
    for v in range(hot.shape[0]):
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
    for c in range(8):
        r.number[0, c] = 0.0
    r.number[0, X] = origin[0]
    r.number[0, Y] = origin[1]
    r.number[0, Z] = origin[2]
    r.number[0, CHANCE] = 1.0
    r.index[0, AT] = origin_place
    r.index[0, PARENT] = -1
    r.index[0, LINK] = -1
    r.index[0, BITS] = 0
    r.index[0, NEXT] = -1
    meta[USED] = 0
    meta[FREE] = -1
    meta[BUCKET] = 0
    meta[ANCHORS] = 1
    meta[FRESH] = 0 if origin_place >= 0 else -1
    if origin_place < 0:
        for k in range(ways.price.shape[0]):
            gap = (ways.begin[k, 0] - origin[0]) ** 2 + (ways.begin[k, 1] - origin[1]) ** 2
            if gap + (ways.begin[k, 2] - origin[2]) ** 2 < 0.01 and meta[USED] < queue.node.shape[0]:
                _hold(n + k, 0, 0.0, 0.0, False, rows)
                _push(n + k, 0.0, queue)


@pasted
def _tell_around(f: Field, ways: Ways, r: Labels, fresh: int, least: float, rows: Rows, queue: Queue) -> None:
    """Tell the surroundings of an anchor in the open, the start or a link's end, that they may come from it."""
    hot, failed = rows.hot, rows.failed
    n = f.point.shape[0]
    p = wide(r.index[fresh, AT])
    r.index[fresh, NEXT] = r.seed[p]
    r.seed[p] = fresh
    f.state[p] |= SEED
    for e in range(-1, 8):
        w = p if e < 0 else wide(f.neighbour[p, e])
        if w < 0 or f.weight[w] == np.inf:
            continue
        gap = math.sqrt((f.point[w, 0] - r.number[fresh, X]) ** 2 + (f.point[w, 1] - r.number[fresh, Y]) ** 2)
        estimate = r.number[fresh, CLOCK] + gap * least
        _offer(r, w, fresh, estimate, hot, failed, queue)
        if hot[w, MARK] & HOSTS:
            _offer_links(r, ways, n, w, fresh, least, hot, failed, queue)


@pasted
def _settle(r: Labels, v: int, a: int, spent: float, now: float, same: bool, best: bool, rows: Rows) -> int:
    """Keep a label of node v from anchor a; when all slots are taken the last one gives way, so the best chance stays.

    best: no later label can be better. Returns its slot.
    """
    hot = rows.hot
    slot: int = v * r.labels + min(wide(r.count[v]), r.labels - 1)
    if r.count[v] < r.labels:
        r.count[v] += 1
    r.cost[slot] = spent
    r.clock[slot] = now
    r.anchor[slot] = a
    r.own[slot] = -1
    hot[v, SEEN] = a if same else -1
    if r.labels > 1:
        rows.even[slot] = 1 if same else 0
    if r.labels == 1 or best:
        hot[v, MARK] |= DONE
    else:
        rows.failed[v] = -1
    return slot


@pasted
def _proposed(
    f: Field, r: Labels, v: int, x: float, y: float, host: int, total: float, least: float, rows: Rows, queue: Queue,
    found: I4, bound: F8,
) -> tuple[int, float, float, bool]:  # fmt: skip
    """The anchor that node v, at (x, y), is settled from now, with cost, clock and whether one price held.

    -1: none is, because nothing sees it yet or because its proposal turned out later and waits for its turn.
    """
    hot, meta = rows.hot, queue.meta
    a = wide(hot[v, BY])
    if hot[v, MARK] & SURE:
        return a, rows.held[v, 0], rows.held[v, 1], hot[v, MARK] & EVEN != 0
    key = hot[v, KEY] / KEY_UNITS
    ok = False
    spent = np.inf
    now = np.inf
    same = False
    if hot[v, MARK] & PLAIN:
        ok, run = _sees(f, r, hot, rows.even, a, v)
        if ok:
            spent = r.number[a, COST] + run
            now = r.number[a, CLOCK] + run
            same = True
    if not ok:
        ok, spent, now, same = line(f, r, a, x, y, host)
    if ok and now <= key + 1e-3:
        return a, spent, now, same
    if not ok:
        rows.failed[v] = a
    a, spent, now, same = choose(f, r, v, x, y, host, v >= f.point.shape[0], least, found, bound)
    hot[v, MARK] |= WAITS
    hot[v, KEY] = NEVER
    hot[v, BY] = -1
    if a == -1 or now > total + CLOCK_SLACK:
        return -1, spent, now, same
    if a < 0:
        a = _bend(f, r, -2 - a, meta)
    if int(now * PER_MM) > meta[BUCKET]:
        _hold(v, a, spent, now, same, rows)
        _push(v, now, queue)
        return -1, spent, now, same
    return a, spent, now, same


@pasted
def _propose_again(
    f: Field, r: Labels, v: int, x: float, y: float, host: int, total: float, least: float, rows: Rows, queue: Queue,
    found: I4, bound: F8,
) -> None:  # fmt: skip
    """A node that waits has a label now: a neighbour settled before may hold a better chance at a later clock."""
    rows.hot[v, MARK] &= ~WAITS
    a, spent, now, same = choose(f, r, v, x, y, host, v >= f.point.shape[0], least, found, bound)
    if a != -1 and now <= total + CLOCK_SLACK:
        if a < 0:
            a = _bend(f, r, -2 - a, queue.meta)
        _hold(v, a, spent, now, same, rows)
        rows.hot[v, MARK] |= WAITS
        _push(v, now, queue)


@bare_kernel
def spread(
    f: Field, ways: Ways, r: Labels, total: float, least: float, goal: int, spare: int, rows: Rows, queue: Queue,
    found: I4, bound: F8,
) -> bool:  # fmt: skip
    """Spread labels until `total` on the clock, or until the place `goal` (-1 none) has one.

    least: the lowest price per mm; found and bound (256,): room to work in. Returns False where the anchors (4) or
    the queue (spare) need more room: make it and call again.
    """
    n = f.point.shape[0]
    chain = f.ends.shape[0] > 1
    hot, meta = rows.hot, queue.meta
    while meta[BUCKET] < queue.head.shape[0]:
        if meta[ANCHORS] + 4 > r.number.shape[0] or meta[USED] + spare > queue.node.shape[0]:
            return False
        fresh = meta[FRESH]
        if fresh >= 0:
            meta[FRESH] = -1
            _tell_around(f, ways, r, fresh, least, rows, queue)
        v = _pop(queue)
        if v < 0:
            meta[BUCKET] += 1
            continue
        if hot[v, KEY] == NEVER or int(hot[v, KEY] / KEY_UNITS * PER_MM) > meta[BUCKET]:
            continue
        if v < n:
            host = v
            x = f.point[v, 0]
            y = f.point[v, 1]
        else:
            host = wide(ways.host[v - n])
            x = ways.begin[v - n, 0]
            y = ways.begin[v - n, 1]
        a, spent, now, same = _proposed(f, r, v, x, y, host, total, least, rows, queue, found, bound)
        if a < 0:
            continue
        hot[v, KEY] = NEVER
        hot[v, BY] = -1
        hot[v, MARK] &= ~SURE
        if now > total + CLOCK_SLACK:
            continue
        chance = r.number[a, CHANCE]
        bits = wide(r.index[a, BITS])
        if dominated(r, v, chance, bits):
            continue
        slot = _settle(r, v, a, spent, now, same, chance >= 1.0 and bits == 0, rows)
        if v < n:
            mine = -1
            if f.state[v] & BEND:
                mine = _bend(f, r, slot, meta)
                if f.zone[v] >= 0 and chain:
                    r.number[mine, ENTERED] = _entered(f, r, a, x, y, v)
            _tell(f, ways, r, v, a, mine, now, same, least, hot, rows.failed, queue)
        else:
            _take(f, ways, r, v - n, a, spent, now, total, meta)
        if v == goal:
            break
        if hot[v, MARK] & (DONE | WAITS) == WAITS:
            _propose_again(f, r, v, x, y, host, total, least, rows, queue, found, bound)
    return True


@bare
def _tell(
    f: Field, ways: Ways, r: Labels, v: int, a: int, mine: int, now: float, same: bool, least: float, hot: I4, failed: I4,
    queue: Queue,
) -> None:  # fmt: skip
    """Propose the anchor of a settled place, and the place itself where ways may bend there, all around."""
    n = f.point.shape[0]
    x = f.point[v, 0]
    y = f.point[v, 1]
    ax = r.number[a, X]
    ay = r.number[a, Y]
    base = r.number[a, CLOCK]
    usual = hot[v, MARK] & USUAL != 0
    back = math.sqrt((x - ax) ** 2 + (y - ay) ** 2)
    for e in range(-1, 8):
        w = v if e < 0 else wide(f.neighbour[v, e])
        if w < 0:
            continue
        mark = hot[w, MARK]
        if mark & HOSTS and f.weight[w] < np.inf:
            _offer_links(r, ways, n, w, a, least, hot, failed, queue)
            if mine >= 0:
                _offer_links(r, ways, n, w, mine, least, hot, failed, queue)
        if e < 0 or mark & DONE or (hot[w, BY] == a and mine < 0 and same):
            continue
        px = f.point[w, 0]
        py = f.point[w, 1]
        gap = math.sqrt((px - ax) ** 2 + (py - ay) ** 2)
        extra = 0.0
        if usual and mark & USUAL and same:
            estimate = base + least * gap
        else:
            price = f.weight[w]
            if f.zone[w] != f.zone[v] and f.zone[w] >= 0:
                extra = f.zone_price[f.zone[w]]
            if same and price == f.weight[v]:
                estimate = base + price * gap + extra
            else:
                estimate = max(now + price * (gap - back) + extra, base + least * gap)
        _offer(r, w, a, estimate, hot, failed, queue)
        if mine >= 0:
            gap = math.sqrt((px - x) ** 2 + (py - y) ** 2)
            _offer(r, w, mine, now + least * gap + extra, hot, failed, queue)


@bare
def _take(
    f: Field, ways: Ways, r: Labels, k: int, a: int, spent: float, now: float, total: float, meta: I8
) -> None:
    """Take link k from its start, reached from anchor a: its end is a fresh anchor, unless it would use up again what
    is used up."""
    if wide(r.index[a, BITS]) & wide(ways.bits[k]):
        return
    start = wait_out(now, ways.price[k], f.ends) if ways.whole[k] and f.ends.shape[0] > 1 else now
    done = start + ways.price[k]
    if done > total + CLOCK_SLACK:
        return
    m = meta[ANCHORS]
    e = wide(ways.end[k])
    r.number[m, X] = ways.finish[k, 0]
    r.number[m, Y] = ways.finish[k, 1]
    r.number[m, Z] = ways.finish[k, 2]
    r.number[m, COST] = spent + ways.price[k]
    r.number[m, CLOCK] = done
    r.number[m, CHANCE] = r.number[a, CHANCE] * ways.chance[k]
    r.number[m, ENTERED] = done
    r.index[m, AT] = e
    r.index[m, PARENT] = a
    r.index[m, LINK] = k
    r.index[m, BITS] = r.index[a, BITS] | ways.bits[k]
    r.index[m, NEXT] = -1
    # of no use where the end has long been reached as well in everything
    long_since = r.clock[e * r.labels] + 2.0 * f.pitch * f.weight[e] < done
    if not (long_since and dominated(r, e, r.number[m, CHANCE], wide(r.index[m, BITS]))):
        meta[FRESH] = m
        meta[ANCHORS] = m + 1


@bare
def _bend(f: Field, r: Labels, s: int, meta: I8) -> int:
    """A new anchor: the way of label s may turn at its place."""
    a = meta[ANCHORS]
    meta[ANCHORS] = a + 1
    q = s // r.labels
    was = wide(r.anchor[s])
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
    return int(a)


@bare
def _hold(v: int, a: int, spent: float, now: float, same: bool, rows: Rows) -> None:
    """Keep a proposal that was found free until its turn."""
    hot = rows.hot
    hot[v, KEY] = int(now * KEY_UNITS)
    hot[v, BY] = a
    hot[v, MARK] = (hot[v, MARK] & ~EVEN) | SURE | (EVEN if same else 0)
    rows.held[v, 0] = spent
    rows.held[v, 1] = now


@bare
def _entered(f: Field, r: Labels, a: int, x: float, y: float, v: int) -> float:
    """Clock when the obstacle around place v was entered on the line from anchor a."""
    at = wide(r.index[a, AT])
    _, _, _, entered, _, _ = march(
        f, r.number[a, X], r.number[a, Y], at, x, y, v, r.number[a, CLOCK], r.number[a, ENTERED], f.silent
    )
    return float(entered)
