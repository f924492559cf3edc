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


def bar_shallow_jumps(others: Others, links: Links, price: Floats, over: float | str) -> None:
    """Refuse jumps down that go over something less than `over` inches below their lip: sets their price to +inf.

    over: a pack's `jump_over`; a word where it says nothing about what is jumped over.
    """
    if isinstance(over, str):
        return
    radius = others.base.half_short
    a, b = links.start_pos / MM_PER_INCH, links.end_pos / MM_PER_INCH
    way = b[:, :2] - a[:, :2]
    size = np.hypot(*way.T) if len(way) else np.zeros(0)
    # what is climbed first, a wall too narrow to stand on, is jumped from and not over
    jumps = (links.kind == LinkKind.JUMP_DOWN) & (links.up <= 0.0)
    jumps &= np.isfinite(price) & (size - radius > _OUT + _TICK)
    rows = np.flatnonzero(jumps)
    if rows.size == 0:
        return
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
    price[rows[low]] = np.inf


def _shallow(others: Others, points: Floats, z: Floats, over: float) -> Bools:
    """Jumps (n,) that go over terrain too near below; points: (n, k, 2), z: heights of their lips."""
    count = points.shape[1]
    cells = np.column_stack([points.reshape(-1, 2), np.repeat(z, count)])
    # jumps from one lip go over the same places: each is looked at once
    seen, which = np.unique(np.round(cells / (_CELL, _CELL, _TICK)), axis=0, return_inverse=True)
    key = ("jumped over", over, seen.tobytes())
    if key not in others.measuring.known:
        below = seen * (_CELL, _CELL, _TICK)
        up, down = np.array([0.0, 0.0, _TICK]), np.array([0.0, 0.0, over - 2 * _TICK])
        hits = others.measuring.world.rays(below + up, below - down)
        others.measuring.known[key] = np.asarray(hits.hit, dtype=np.float64)
    hit = others.measuring.known[key] > 0.0
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
