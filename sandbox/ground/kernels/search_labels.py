"""Labels and anchors of the search, and which anchor serves a point best.

A label (one of `labels` of a place) holds what it cost, its clock and its anchor. An anchor is an exact point where ways
bend: the start, a corner, a border, a link's end. Places are taken in the order of their clock; a place takes the
cheapest anchor, among those of its settled neighbours and the neighbours themselves, that sees it in a straight line.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from sandbox.compiling import bare
from sandbox.ground.kernels.search_field import BORDER, DISC, EDGE, F8, I4, SEED, U1, Field, wide
from sandbox.ground.kernels.search_march import march

# columns of an anchor's numbers
X, Y, Z, COST, CLOCK, CHANCE, ENTERED = 0, 1, 2, 3, 4, 5, 6
# columns of an anchor's indices
AT, PARENT, LINK, BITS, NEXT = 0, 1, 2, 3, 4

CHANCE_SLACK = 1e-9
TURN_MM = 0.02
"""a turn at a place that is no corner must save this much."""


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
    count: U1  # type: ignore[assignment]
    cost: F8
    clock: F8
    anchor: I4
    own: I4
    """anchor at the place itself, where ways may bend there, -1 none."""
    number: F8
    """(a, 8) anchors: x, y, z, cost, clock, chance, clock on entering the obstacle around it."""
    index: I4  # type: ignore[assignment]
    """(a, 5) anchors: place, parent anchor, link that led to it (-1 a bend), bits used up, next seed."""
    seed: I4
    """(n,) first anchor seeded at a place, -1 none."""


@bare
def dominated(r: Labels, v: int, chance: float, bits: int) -> bool:
    """Whether a settled label of node v is as good in everything but its clock, which is earlier anyway."""
    if r.labels == 1:
        return bool(r.count[v] > 0)
    for s in range(v * r.labels, v * r.labels + r.count[v]):
        a = r.anchor[s]
        if r.number[a, CHANCE] >= chance - CHANCE_SLACK and r.index[a, BITS] & ~bits == 0:
            return True
    return False


@bare
def _add(r: Labels, a: int, found: I4, m: int) -> int:
    for k in range(m):
        if found[k] == a:
            return m
    if m < found.shape[0]:
        found[m] = a
        m += 1
    return m


@bare
def candidates(f: Field, r: Labels, host: int, itself: bool, found: I4) -> int:
    """Anchors of the settled labels around a place (and of the place itself), bends and seeds, without repeats."""
    m = 0
    for e in range(-1, 8):
        q = host if e < 0 else wide(f.neighbour[host, e])
        if q < 0:
            continue
        if f.state[q] & SEED:
            a = wide(r.seed[q])
            while a >= 0:
                m = _add(r, a, found, m)
                a = wide(r.index[a, NEXT])
        if e < 0 and not itself:
            continue
        for s in range(q * r.labels, q * r.labels + r.count[q]):
            m = _add(r, wide(r.anchor[s]), found, m)
            if r.own[s] >= 0:
                m = _add(r, wide(r.own[s]), found, m)
    return m


@bare
def line(f: Field, r: Labels, a: int, x: float, y: float, host: int) -> tuple[bool, float, float, bool]:
    """Cost and clock at the exact point (x, y) in the cell of `host` straight from anchor a, and if one price held."""
    ok, spent, clock, _, uniform, _ = march(
        f,
        r.number[a, X],
        r.number[a, Y],
        wide(r.index[a, AT]),
        x,
        y,
        host,
        r.number[a, CLOCK],
        r.number[a, ENTERED],
        f.silent,
    )
    return ok, r.number[a, COST] + spent, clock, uniform


@bare
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
        a = wide(found[k])
        if v >= 0 and dominated(r, v, r.number[a, CHANCE], wide(r.index[a, BITS])):
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
        ok, c, t, same = line(f, r, wide(found[at]), x, y, host)
        if ok and t < clock:
            best, cost, clock, uniform = wide(found[at]), c, t, same
    # an edge's end may lie between two places: then a way turns a little at any place of the edge, and at any place at
    # all where nothing sees the point, as where a border ends because the body is lifted over it
    anywhere = best == -1
    for e in range(-1 if itself else 0, 8):
        q = host if e < 0 else wide(f.neighbour[host, e])
        if q < 0 or not (anywhere or f.state[q] & (EDGE | DISC | BORDER)):
            continue
        gap = least * math.sqrt((x - f.point[q, 0]) ** 2 + (y - f.point[q, 1]) ** 2)
        for s in range(q * r.labels, q * r.labels + r.count[q]):
            a = wide(r.anchor[s])
            if r.own[s] >= 0 or r.clock[s] + gap >= clock - TURN_MM or f.zone[q] >= 0:
                continue
            if v >= 0 and dominated(r, v, r.number[a, CHANCE], wide(r.index[a, BITS])):
                continue
            ok, c, t, same = turn(f, r, s, q, x, y, host)
            if ok and t < clock - TURN_MM:
                best, cost, clock, uniform = -2 - s, c, t, same
    return best, cost, clock, uniform


@bare
def turn(
    f: Field, r: Labels, s: int, q: int, x: float, y: float, host: int
) -> tuple[bool, float, float, bool]:
    """Cost and clock at the exact point (x, y) in the cell of `host` straight from place q with its label s."""
    ok, spent, clock, _, uniform, _ = march(
        f, f.point[q, 0], f.point[q, 1], q, x, y, host, r.clock[s], r.clock[s], f.silent
    )
    return ok, r.cost[s] + spent, clock, uniform
