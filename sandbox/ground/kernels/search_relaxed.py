"""The relaxed search: what is refused stays passable, and the way that breaks fewest limits is found."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from sandbox.ground.kernels.search_field import F8, I4, U1

BARRED_CODE = 200
"""run code of places that the question bars, beside the codes of `Limit`."""
NO_LINE_CODE = 201
"""run code of a step between two places that are not linked."""

_BREAK = 1e9
_EXCESS = 1e4
_MOST_EXCESS = 5e4


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def relax(
    nx: int,
    ny: int,
    start: I4,
    column: I4,
    pos: F8,
    neighbour: I4,
    code: U1,
    over: F8,
    rate: F8,
    zone: I4,
    zone_price: F8,
    link_first: I4,
    link_end: I4,
    link_price: F8,
    link_broken: U1,
    link_over: F8,
    origin: int,
    target: int,
    limit: float,
    rise: float,
    by_breaks: bool,
    parent: I4,
    via: I4,
) -> tuple[float, float]:
    """Dijkstra over all places, refused ones too: fewest breaches, then least excess, then cost.

    code (n,): 0 open, else what bars the place; over (n,): by how much; rate (n,) finite price per mm; links sorted by
    start, link_broken 1 where refused; limit: most cost, mm; rise: step that still joins two places, mm. by_breaks:
    False puts the cost first. parent and via (n,) take the place before each and the link taken (-1 a step).
    Returns breaches and cost at the target; inf where there is no way.
    """
    n = pos.shape[0]
    cost = np.full(n, np.inf)
    broken = np.zeros(n, np.int32)
    excess = np.zeros(n)
    worst = np.zeros(n)
    best = np.full(n, np.inf)
    run = np.zeros(n, np.uint8)
    done = np.zeros(n, np.uint8)
    cap = 4 * n + 1024
    heap_key = np.empty(cap)
    heap_node = np.empty(cap, np.int32)
    parent[:] = -1
    via[:] = -1
    cost[origin] = 0.0
    best[origin] = 0.0
    run[origin] = code[origin]
    worst[origin] = over[origin]
    gx = pos[target, 0]
    gy = pos[target, 1]
    size = _up(heap_key, heap_node, 0, 0.0, origin)
    while size > 0:
        p = heap_node[0]
        size = _down(heap_key, heap_node, size)
        if done[p]:
            continue
        done[p] = 1
        if p == target:
            return float(broken[p]), cost[p]
        i = column[p] % nx
        j = column[p] // nx
        links = link_first[p + 1] - link_first[p] if link_first.shape[0] > 1 else 0
        for e in range(8 + links):
            k = -1
            if e < 8:
                q = neighbour[p, e]
                linked = q >= 0
                if q < 0:
                    di = 1 if e in (0, 1, 7) else (-1 if e in (3, 4, 5) else 0)
                    dj = 1 if e in (1, 2, 3) else (-1 if e in (5, 6, 7) else 0)
                    if not (0 <= i + di < nx and 0 <= j + dj < ny):
                        continue
                    c = (j + dj) * nx + i + di
                    near = rise
                    for r in range(start[c], start[c + 1]):
                        gap = abs(pos[r, 2] - pos[p, 2])
                        if gap <= near:
                            near = gap
                            q = r
                    if q < 0:
                        continue
                step = math.sqrt((pos[q, 0] - pos[p, 0]) ** 2 + (pos[q, 1] - pos[p, 1]) ** 2)
                price = step * 0.5 * (rate[p] + rate[q])
                now = code[q]
                if now == 0 and not linked and code[p] == 0:
                    now = NO_LINE_CODE
                too_much = over[q] if code[q] else (abs(pos[q, 2] - pos[p, 2]) if now else 0.0)
                if zone[q] >= 0 and zone[q] != zone[p] and zone_price[zone[q]] < np.inf:
                    price += zone_price[zone[q]]
                fresh = now != 0 and now != run[p]
            else:
                k = link_first[p] + e - 8
                q = link_end[k]
                if q < 0:
                    continue
                price = link_price[k]
                now = code[q]
                fresh = False
                too_much = over[q]
            if done[q]:
                continue
            spent = cost[p] + price
            if spent > limit:
                continue
            count = broken[p]
            sum_over = excess[p]
            deep = 0.0
            if k >= 0:
                if link_broken[k]:
                    count += 1
                    sum_over += link_over[k]
                if now:
                    count += 1
                    sum_over += too_much
                    deep = too_much
            elif fresh:
                count += 1
                sum_over += too_much
                deep = too_much
            elif now:
                deep = max(worst[p], too_much)
                sum_over += deep - worst[p]
            sum_over = min(sum_over, _MOST_EXCESS)
            key = count * _BREAK + sum_over * _EXCESS + spent if by_breaks else spent + count * 0.001
            if key >= best[q] - 1e-9:
                continue
            best[q] = key
            cost[q] = spent
            broken[q] = count
            excess[q] = sum_over
            worst[q] = deep
            run[q] = now if now != NO_LINE_CODE else 0
            parent[q] = p
            via[q] = k
            if size + 2 > heap_key.shape[0]:
                longer = np.empty(2 * heap_key.shape[0])
                longer[:size] = heap_key[:size]
                heap_key = longer
                nodes = np.empty(2 * heap_node.shape[0], np.int32)
                nodes[:size] = heap_node[:size]
                heap_node = nodes
            ahead = math.sqrt((pos[q, 0] - gx) ** 2 + (pos[q, 1] - gy) ** 2)
            size = _up(heap_key, heap_node, size, key + (0.0 if links_jump(link_first) else ahead), q)
    return np.inf, np.inf


@njit(cache=True, nogil=True, inline="always")
def links_jump(link_first: I4) -> bool:
    """Whether there are links: they may be cheaper than their plan length, and the distance ahead no lower bound."""
    return len(link_first) > 1
