"""Spots: the places where a move may end, dense enough to draw and to choose from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sandbox.ground.model import Floats, Place, Places
from sandbox.moves.answers import SPOT
from sandbox.moves.setup import Setup
from sandbox.units import MM_PER_INCH, mm

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
    cost = setup.safe.cost if setup.bold is None else np.minimum(setup.safe.cost, setup.bold.cost)
    ends = (places.flags & Place.STAND) != 0
    ends &= np.isfinite(cost) & np.isfinite(places.rest[:, 0])
    candidates = np.flatnonzero(ends)
    if candidates.size == 0:
        return np.zeros(0, SPOT)
    points = places.rest[candidates] / MM_PER_INCH
    free = asked.others.free(points)
    candidates, points = candidates[free], points[free]
    chosen = _thinned(places, candidates, points)
    points = points[chosen]
    paid, chance = asked.many(points)
    return as_spots(points, paid, chance)


def as_spots(points: Floats, cost: Floats, chance: Floats) -> NDArray[Any]:
    """The structured array of those that have a way."""
    there = np.isfinite(cost)
    answer = np.zeros(int(there.sum()), SPOT)
    answer["x"], answer["y"], answer["z"] = points[there].T
    answer["cost"], answer["success"] = cost[there], chance[there]
    return answer


def _thinned(places: Places, candidates: NDArray[np.intp], points: Floats) -> NDArray[np.intp]:
    """One place inside and one at the border for each square and floor: indices into candidates."""
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


def underfoot(setup: Setup, points: Floats) -> tuple[str, ...]:
    """What a walked path (m, 3), inches, goes over: ``difficult``, ``dangerous``."""
    places = setup.places
    if not (setup.dangerous.any() or (setup.weight[np.isfinite(setup.weight)] > 1.0).any()):
        return ()
    size = np.hypot(*np.diff(points[:, :2], axis=0).T)
    along = np.concatenate([[0.0], np.cumsum(size)])
    count = max(2, int(along[-1] / 0.05) + 1)
    at = np.linspace(0.0, along[-1], count)
    x, y, z = (mm(1.0) * np.interp(at, along, points[:, i]) for i in range(3))
    i = np.clip(np.round((x - places.x0) / places.pitch).astype(int), 0, places.nx - 1)
    j = np.clip(np.round((y - places.y0) / places.pitch).astype(int), 0, places.ny - 1)
    found: set[str] = set()
    for column, height in zip(j * places.nx + i, z, strict=True):
        here = np.arange(places.start[column], places.start[column + 1])
        if here.size == 0:
            continue
        place = here[int(np.argmin(np.abs(places.pos[here, 2] - height)))]
        if setup.dangerous[place]:
            found.add("dangerous")
        elif np.isfinite(setup.weight[place]) and setup.weight[place] > 1.0:
            found.add("difficult")
    return tuple(sorted(found))
