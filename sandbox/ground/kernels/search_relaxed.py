"""The relaxed search: what is refused stays passable, and the way that breaks fewest limits is found."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from sandbox.compiling import bare, bare_kernel, pasted
from sandbox.ground.kernels.search_field import F8, I4, U1

BARRED_CODE = 200
"""run code of places that the question bars, beside the codes of `Limit`."""
NO_LINE_CODE = 201
"""run code of a step between two places that are not linked."""

_BREAK = 1e9
_EXCESS = 1e4
_MOST_EXCESS = 5e4


class Refusable(NamedTuple):
    """Places as the relaxed search takes them, and what bars each; lengths in mm."""

    nx: int
    ny: int
    start: I4
    """(nx * ny + 1,) int32 rows of each column."""
    column: I4
    """(n,) int32."""
    pos: F8
    """(n, 3)."""
    neighbour: I4
    """(n, 8) int32, -1 where no place is linked."""
    code: U1
    """(n,) uint8 what bars the place, 0 nothing."""
    over: F8
    """(n,) by how much."""
    rate: F8
    """(n,) finite price per mm."""
    zone: I4
    """(n,) obstacle zone, -1 none."""
    zone_price: F8
    """(zones,)."""
    rise: float
    """step that still joins two places that are not linked."""


class RefusableLinks(NamedTuple):
    """Links between places, sorted by start."""

    first: I4
    """(n + 1,) int32 rows of place p are first[p] .. first[p + 1]; (1,) where there are no links."""
    end: I4
    """(k,) int32 place at the end."""
    price: F8
    """(k,) mm."""
    broken: U1
    """(k,) uint8 1 where refused."""
    over: F8
    """(k,) by how much, mm."""


class SoFar(NamedTuple):
    """The best known way to each place."""

    cost: F8
    """(n,) mm; inf where there is none."""
    broken: I4
    """(n,) breaches."""
    excess: F8
    """(n,) their excess added up, mm."""
    worst: F8
    """(n,) the worst in the run of barred places that the way is in, mm."""
    key: F8
    """(n,) what ways are compared by."""
    run: U1
    """(n,) uint8 what bars that run, 0 none."""
    done: U1
    """(n,) uint8."""
    parent: I4
    """(n,) int32 the place before, -1 none."""
    via: I4
    """(n,) int32 the link taken from there, -1 a step."""


class Heap(NamedTuple):
    """Places to go on from, the least key first."""

    key: F8
    """(room,)."""
    node: I4
    """(room,) int32."""


@bare
def _up(heap_key: F8, heap_node: I4, size: int, key: float, node: int) -> int:
    k = size
    while k > 0:
        parent = (k - 1) // 2
        if heap_key[parent] <= key:
            break
        heap_key[k] = heap_key[parent]
        heap_node[k] = heap_node[parent]
        k = parent
    heap_key[k] = key
    heap_node[k] = node
    return size + 1


@bare
def _down(heap_key: F8, heap_node: I4, size: int) -> int:
    size -= 1
    key = heap_key[size]
    node = heap_node[size]
    k = 0
    while True:
        child = 2 * k + 1
        if child >= size:
            break
        if child + 1 < size and heap_key[child + 1] < heap_key[child]:
            child += 1
        if heap_key[child] >= key:
            break
        heap_key[k] = heap_key[child]
        heap_node[k] = heap_node[child]
        k = child
    heap_key[k] = key
    heap_node[k] = node
    return size


@pasted
def _beside(g: Refusable, p: int, e: int) -> int:
    """The place nearest in height, within a step, in the column beside place p in direction e; -1 none."""
    di = 1 if e in (0, 1, 7) else (-1 if e in (3, 4, 5) else 0)
    dj = 1 if e in (1, 2, 3) else (-1 if e in (5, 6, 7) else 0)
    i = g.column[p] % g.nx + di
    j = g.column[p] // g.nx + dj
    q = -1
    if not (0 <= i < g.nx and 0 <= j < g.ny):
        return q
    c = j * g.nx + i
    near = g.rise
    for r in range(g.start[c], g.start[c + 1]):
        gap = abs(g.pos[r, 2] - g.pos[p, 2])
        if gap <= near:
            near = gap
            q = r
    return q


@pasted
def _step(g: Refusable, p: int, q: int, linked: bool) -> tuple[float, int, float]:
    """Price of a step from place p to place q beside it, what bars it (0 nothing), and by how much."""
    step = math.sqrt((g.pos[q, 0] - g.pos[p, 0]) ** 2 + (g.pos[q, 1] - g.pos[p, 1]) ** 2)
    price = step * 0.5 * (g.rate[p] + g.rate[q])
    now = g.code[q]
    if now == 0 and not linked and g.code[p] == 0:
        now = NO_LINE_CODE
    too_much = g.over[q] if g.code[q] else (abs(g.pos[q, 2] - g.pos[p, 2]) if now else 0.0)
    if g.zone[q] >= 0 and g.zone[q] != g.zone[p] and g.zone_price[g.zone[q]] < np.inf:
        price += g.zone_price[g.zone[q]]
    return price, now, too_much


@pasted
def _breaches(
    links: RefusableLinks, so_far: SoFar, p: int, k: int, now: int, too_much: float
) -> tuple[int, float, float]:
    """Breaches and excess on the way over place p, and the run's worst excess, once a step (k -1) or link k is taken to
    a place that `now` bars by `too_much`.

    Along a run of places that are barred alike only what goes beyond the worst so far is added.
    """
    count = so_far.broken[p]
    excess = so_far.excess[p]
    deep = 0.0
    if k >= 0:
        if links.broken[k]:
            count += 1
            excess += links.over[k]
        if now:
            count += 1
            excess += too_much
            deep = too_much
    elif now != 0 and now != so_far.run[p]:
        count += 1
        excess += too_much
        deep = too_much
    elif now:
        deep = max(so_far.worst[p], too_much)
        excess += deep - so_far.worst[p]
    return count, min(excess, _MOST_EXCESS), deep


@bare_kernel
def relax(
    g: Refusable,
    links: RefusableLinks,
    so_far: SoFar,
    heap: Heap,
    size: int,
    target: int,
    limit: float,
    by_breaks: bool,
) -> int:
    """The cheapest way (Dijkstra, 1959) over all places, refused ones too: fewest breaches, then least excess, then cost.

    size: nodes in the heap, at first the start alone; limit: most cost, mm; by_breaks: False puts the cost first.
    Returns -1 where there is no more to do, else how many nodes are in the heap, which needs more room: make it and
    call again.
    """
    gx = g.pos[target, 0]
    gy = g.pos[target, 1]
    # links may be cheaper than their plan length: with them the distance ahead is no lower bound
    any_links = links.first.shape[0] > 1
    while size > 0:
        p = heap.node[0]
        ways = links.first[p + 1] - links.first[p] if any_links else 0
        if size + 8 + ways > heap.key.shape[0]:
            return size
        size = _down(heap.key, heap.node, size)
        if so_far.done[p]:
            continue
        so_far.done[p] = 1
        if p == target:
            return -1
        for e in range(8 + ways):
            k = -1
            if e < 8:
                q = g.neighbour[p, e]
                linked = q >= 0
                if not linked:
                    q = _beside(g, p, e)
                if q < 0:
                    continue
                price, now, too_much = _step(g, p, q, linked)
            else:
                k = links.first[p] + e - 8
                q = links.end[k]
                if q < 0:
                    continue
                price, now, too_much = links.price[k], g.code[q], g.over[q]
            spent = so_far.cost[p] + price
            if so_far.done[q] or spent > limit:
                continue
            count, excess, deep = _breaches(links, so_far, p, k, now, too_much)
            key = count * _BREAK + excess * _EXCESS + spent if by_breaks else spent + count * 0.001
            if key >= so_far.key[q] - 1e-9:
                continue
            so_far.key[q] = key
            so_far.cost[q] = spent
            so_far.broken[q] = count
            so_far.excess[q] = excess
            so_far.worst[q] = deep
            so_far.run[q] = now if now != NO_LINE_CODE else 0
            so_far.parent[q] = p
            so_far.via[q] = k
            ahead = 0.0 if any_links else math.sqrt((g.pos[q, 0] - gx) ** 2 + (g.pos[q, 1] - gy) ** 2)
            size = _up(heap.key, heap.node, size, key + ahead, q)
    return -1
