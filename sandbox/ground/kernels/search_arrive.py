"""Exact points: how each is reached best, from the labels around it."""

from __future__ import annotations

import math

import numpy as np

from sandbox.compiling import bare_kernel, pasted
from sandbox.ground.kernels.search_field import BORDER, DISC, EDGE, F8, I4, Field, wide
from sandbox.ground.kernels.search_labels import (
    CHANCE,
    CHANCE_SLACK,
    CLOCK,
    TURN_MM,
    Labels,
    X,
    Y,
    candidates,
    line,
    turn,
)
from sandbox.ground.kernels.search_march import CLOCK_SLACK


@pasted
def _most_promising(r: Labels, m: int, found: I4, bound: F8, total: float, cheapest: bool) -> int:
    """Which of m candidates to try next: the best chance, then the lowest bound, or that at once; -1 none is left."""
    at = -1
    for k in range(m):
        if bound[k] > total + CLOCK_SLACK:
            continue
        if at < 0:
            at = k
            continue
        c = r.number[found[k], CHANCE]
        d = r.number[found[at], CHANCE]
        if (not cheapest and c > d + CHANCE_SLACK) or (
            (cheapest or c >= d - CHANCE_SLACK) and bound[k] < bound[at]
        ):
            at = k
    return at


@pasted
def _from_anchors(
    f: Field, r: Labels, total: float, least: float, cheapest: bool, x: float, y: float, h: int, p: int, answer: F8,
    by: I4, found: I4, bound: F8,
) -> None:  # fmt: skip
    """Write the best arrival at point p, (x, y) in the cell of place h, straight from the anchors around it."""
    m = candidates(f, r, h, True, found)
    for k in range(m):
        a = wide(found[k])
        gap = math.sqrt((x - r.number[a, X]) ** 2 + (y - r.number[a, Y]) ** 2)
        bound[k] = r.number[a, CLOCK] + least * gap
    while True:
        at = _most_promising(r, m, found, bound, total, cheapest)
        if at < 0:
            break
        a = wide(found[at])
        low = bound[at]
        bound[at] = np.inf
        chance = r.number[a, CHANCE]
        if by[p] >= 0:
            if not cheapest and chance < answer[p, 2] - CHANCE_SLACK:
                break
            if low >= answer[p, 1]:
                continue
        ok, cost, clock, _ = line(f, r, a, x, y, h)
        if ok and clock <= total + CLOCK_SLACK and (by[p] < 0 or cost < answer[p, 0]):
            by[p] = a
            answer[p, 0] = cost
            answer[p, 1] = clock
            answer[p, 2] = chance


@pasted
def _by_turning(
    f: Field, r: Labels, total: float, least: float, cheapest: bool, x: float, y: float, h: int, p: int, answer: F8,
    by: I4,
) -> None:  # fmt: skip
    """Write a better arrival at point p, as above, that turns a little at a place where no anchor is."""
    for e in range(-1, 8):
        q = h if e < 0 else wide(f.neighbour[h, e])
        if q < 0 or not f.state[q] & (EDGE | DISC | BORDER) or f.zone[q] >= 0:
            continue
        gap = least * math.sqrt((x - f.point[q, 0]) ** 2 + (y - f.point[q, 1]) ** 2)
        for s in range(q * r.labels, q * r.labels + r.count[q]):
            chance = r.number[r.anchor[s], CHANCE]
            better = chance > answer[p, 2] + CHANCE_SLACK and not cheapest
            if r.own[s] >= 0 or (
                not better
                and (
                    (not cheapest and chance < answer[p, 2] - CHANCE_SLACK)
                    or r.cost[s] + gap >= answer[p, 0] - TURN_MM
                )
            ):
                continue
            ok, cost, clock, _ = turn(f, r, s, q, x, y, h)
            if ok and clock <= total + CLOCK_SLACK and (better or cost < answer[p, 0] - TURN_MM):
                by[p] = -2 - s
                answer[p, 0] = cost
                answer[p, 1] = clock
                answer[p, 2] = chance


@bare_kernel
def arrive(
    f: Field, r: Labels, total: float, least: float, cheapest: bool, target: F8, host: I4, answer: F8, by: I4, found: I4,
    bound: F8,
) -> None:  # fmt: skip
    """Best arrival at exact points: the best chance within the budget, then the lowest cost; or the cheapest at once.

    target (p, 3), host (p,) the place whose cell holds it or -1; answer (p, 3) takes cost, clock and chance, by (p,)
    the anchor; -1 and inf where there is no way. found and bound (256,): room to work in.
    """
    for p in range(target.shape[0]):
        by[p] = -1
        answer[p, 0] = np.inf
        answer[p, 1] = np.inf
        answer[p, 2] = 0.0
        h = wide(host[p])
        if h < 0:
            continue
        x = target[p, 0]
        y = target[p, 1]
        _from_anchors(f, r, total, least, cheapest, x, y, h, p, answer, by, found, bound)
        _by_turning(f, r, total, least, cheapest, x, y, h, p, answer, by)
