"""What a jump down may carry over: only what lies deep enough below the lip, models too."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sandbox.ground.model import Floats, LinkKind, Links
from sandbox.moves.distance import plan_gaps
from sandbox.moves.others import Others
from sandbox.units import MM_PER_INCH, SNAP_MM, inches

Bools = NDArray[np.bool_]

_SAMPLES = 7
"""places along a jump that are looked down from."""
_OUT = 0.25
"""inches from where a jump begins to where it is first looked: the floor that it leaves does not count."""
_CELL = 0.1
"""inches: places that are looked down from are told apart to this."""
_TICK = inches(SNAP_MM)
_HALF = 1 << 20
"""cells are numbered from the middle of so many."""


def bar_shallow_jumps(others: Others, links: Links, price: Floats, over: float | str) -> None:
    """Refuse jumps down that go over something less than `over` inches below their lip: sets their price to +inf.

    price: (k,) of each link, changed in place. over: a pack's `jump_over`; a word where it says nothing about
    what is jumped over.
    """
    if isinstance(over, str):
        return
    # what is climbed first, a wall too narrow to stand on, is jumped from and not over
    rows = np.flatnonzero((links.kind == LinkKind.JUMP_DOWN) & (links.up <= 0.0) & np.isfinite(price))
    a, b = links.start_pos[rows] / MM_PER_INCH, links.end_pos[rows] / MM_PER_INCH
    price[rows[shallow_jumps(others, a, b, over)]] = np.inf


def shallow_jumps(others: Others, a: Floats, b: Floats, over: float) -> Bools:
    """(n,) whether jumps from a to b, (n, 3) inches, go over something less than `over` inches below where they begin."""
    radius = others.base.half_short
    found: Bools = np.zeros(len(a), dtype=np.bool_)
    way = b[:, :2] - a[:, :2]
    size = np.hypot(way[:, 0], way[:, 1])
    rows = np.flatnonzero(size - radius > _OUT + _TICK)
    if rows.size == 0:
        return found
    a, way, size = a[rows], way[rows], size[rows]
    unit = way / size[:, None]
    side = np.column_stack([-unit[:, 1], unit[:, 0]])
    share = np.linspace(0.0, 1.0, _SAMPLES)
    # from just out of the lip to where the base that has landed begins
    out = _OUT + share[None, :] * (size - radius - _OUT)[:, None]
    middle = a[:, None, :2] + out[:, :, None] * unit[:, None, :]
    wide = np.where(out >= radius, 0.5 * radius, 0.0)
    low = np.zeros(len(rows), dtype=np.bool_)
    for sign in (-1.0, 0.0, 1.0):
        points = middle + sign * wide[:, :, None] * side[:, None, :]
        low |= _shallow(others, points, a[:, 2], over)
    low |= _over_models(others, middle, a[:, 2], over)
    found[rows] = low
    return found


def _shallow(others: Others, points: Floats, z: Floats, over: float) -> Bools:
    """Jumps (n,) that go over terrain too near below; points: (n, k, 2), z: heights of their lips."""
    count = points.shape[1]
    cells = np.column_stack([points.reshape(-1, 2), np.repeat(z, count)])
    # jumps from one lip go over the same places: each is looked at once, whatever the question
    wanted = np.round(cells / (_CELL, _CELL, _TICK)).astype(np.int64)
    keys = ((wanted[:, 0] + _HALF) << 42) + ((wanted[:, 1] + _HALF) << 21) + (wanted[:, 2] + _HALF)
    seen, first, which = np.unique(keys, return_index=True, return_inverse=True)
    known, answers = others.measuring.looked.get(over, (np.zeros(0, np.int64), np.zeros(0, np.bool_)))
    new = ~np.isin(seen, known, assume_unique=True)
    if new.any():
        below = wanted[first[new]] * (_CELL, _CELL, _TICK)
        up, down = np.array([0.0, 0.0, _TICK]), np.array([0.0, 0.0, over - 2 * _TICK])
        hits = others.measuring.world.rays(below + up, below - down)
        known, answers = np.concatenate([known, seen[new]]), np.concatenate([answers, hits.hit])
        order = np.argsort(known)
        known, answers = known[order], answers[order]
        others.measuring.looked[over] = (known, answers)
    hit = answers[np.searchsorted(known, seen)]
    return np.asarray(hit[which.ravel()].reshape(-1, count).any(axis=1), dtype=np.bool_)


def _over_models(others: Others, points: Floats, z: Floats, over: float) -> Bools:
    """Jumps (n,) that go over a model whose head is too near below."""
    found: Bools = np.zeros(len(z), dtype=np.bool_)
    for one in others.kept:
        other = one.placed
        head = other.at[2] + other.height
        near = (head > z - over + _TICK) & (other.at[2] < z - _TICK)
        if near.any():
            flat = points[near].reshape(-1, 2)
            touched = plan_gaps(flat, others.base, other.base).reshape(-1, points.shape[1]) < -_TICK
            found[near] |= touched.any(axis=1)
    return found
