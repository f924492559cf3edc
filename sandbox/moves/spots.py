"""Spots: the places where a move may end, dense enough to draw and to choose from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sandbox.ground.model import Floats, Place, Places
from sandbox.moves.answers import SPOT
from sandbox.units import MM_PER_INCH

if TYPE_CHECKING:
    from sandbox.moves.legal import Asked

_CELL = 0.2
"""inches: one spot inside, and one at a border, for each square of this size and floor."""
_FLOOR = 0.25
"""inches: floors farther apart in height than this have spots of their own."""

Bools = NDArray[np.bool_]


def spots(asked: Asked) -> NDArray[Any]:
    """Places to stand that are within the allowance, (n,) of dtype SPOT; each agrees exactly with `to`."""
    setup = asked.near
    places = setup.places
    cost = setup.cost
    ends = (places.flags & Place.STAND) != 0
    ends &= np.isfinite(cost) & np.isfinite(places.rest[:, 0])
    candidates = np.flatnonzero(ends)
    if candidates.size == 0:
        return np.zeros(0, SPOT)
    points = places.rest[candidates] / MM_PER_INCH
    free = asked.others.free(points)
    candidates, points = candidates[free], points[free]
    chosen = thinned(places, candidates, points)
    points = points[chosen]
    paid, chance = asked.many(points)
    return as_spots(points, paid, chance)


def as_spots(points: Floats, cost: Floats, chance: Floats) -> NDArray[Any]:
    """The structured array, (k,) of dtype SPOT, of those of n points that have a way.

    points: (n, 3) inches. cost: (n,) inches, inf where there is no way. chance: (n,).
    """
    there = np.isfinite(cost)
    answer = np.zeros(int(there.sum()), SPOT)
    answer["x"], answer["y"], answer["z"] = points[there].T
    answer["cost"], answer["success"] = cost[there], chance[there]
    return answer


def thinned(places: Places, candidates: NDArray[np.intp], points: Floats) -> NDArray[np.intp]:
    """One place inside and one at the border for each square and floor: (k,) indices into candidates.

    candidates: (n,) numbers of places. points: (n, 3) where they are, inches.
    """
    border = _at_border(places, candidates)
    square = np.floor(points[:, :2] / _CELL).astype(np.int64)
    floor = np.round(points[:, 2] / _FLOOR).astype(np.int64)
    middle = (square + 0.5) * _CELL
    off = np.hypot(*(points[:, :2] - middle).T)
    order = np.lexsort((off, border, floor, square[:, 1], square[:, 0]))
    key = np.column_stack([square[order], floor[order], border[order]])
    first = np.ones(len(order), dtype=np.bool_)
    first[1:] = (key[1:] != key[:-1]).any(axis=1)
    return np.sort(order[first])


def _at_border(places: Places, candidates: NDArray[np.intp]) -> Bools:
    """Which candidates have a side without another candidate."""
    inside = np.zeros(len(places.pos) + 1, dtype=np.bool_)
    inside[candidates] = True
    beside = places.neighbour[candidates][:, ::2]
    return np.asarray(~inside[beside].all(axis=1))
