"""Moving away from enemies that a move starts too near to: the distance never shrinks (law of geometry, 17)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sandbox.ground.model import Floats
from sandbox.ground.search import Reach, search
from sandbox.moves.answers import Ruling
from sandbox.moves.distance import gaps
from sandbox.moves.hazards import Choice
from sandbox.moves.others import Kept, Others
from sandbox.moves.setup import Setup
from sandbox.moves.ways import Found
from sandbox.units import MM_PER_INCH

if TYPE_CHECKING:
    from sandbox.moves.legal import Asked

_STEP = 0.05
"""inches between two places of a way that are measured."""
_SLACK = 0.02
"""inches that a distance may shrink by: what is written down is right to this."""
_CELL_SLACK = 0.004
"""inches that it may shrink by from one cell to the next."""


def nearer_again(asked: Asked, way: Found) -> Ruling | None:
    """The ruling against a way that comes nearer to an enemy whom it starts too near to; None where it does not."""
    points = [s.points for s in way.reach.way(way.arrival)]
    if way.tail is not None:
        points.append(np.array([way.tail]) * MM_PER_INCH)
    if not points:
        return None
    path = _dense(np.concatenate(points) / MM_PER_INCH)
    for one in asked.others.close:
        apart = _apart(asked.others, one, path)
        best = np.maximum.accumulate(np.minimum(apart, one.keep))
        worst = int(np.argmax(best - apart))
        if best[worst] - apart[worst] > _SLACK:
            at = (float(path[worst, 0]), float(path[worst, 1]), float(path[worst, 2]))
            return asked.judge.ruling(
                "enemy-shrinks", "keep_distance", float(apart[worst]), one.keep, at, name=one.placed.id
            )
    return None


def _apart(others: Others, one: Kept, points: Floats) -> Floats:
    """Distance from one model at points (n, 3) inches, `keep` where it is not below that."""
    apart = np.full(len(points), one.keep)
    close = np.flatnonzero(gaps(points, others.base, one.placed.base) < one.keep)
    if close.size:
        measured = others.measuring.near(points[close], others.base, one.placed.base, one.keep)
        apart[close] = np.minimum(measured, one.keep)
    return apart


def _dense(path: Floats) -> Floats:
    """A way with points at most 0.05" apart, (n, 3)."""
    size = np.linalg.norm(np.diff(path, axis=0), axis=1)
    along = np.concatenate([[0.0], np.cumsum(size)])
    if along[-1] <= 0.0:
        return path[:1]
    at = np.linspace(0.0, along[-1], int(along[-1] / _STEP) + 2)
    return np.column_stack([np.interp(at, along, path[:, i]) for i in range(3)])


def leaving(others: Others, setup: Setup) -> tuple[tuple[Choice, Reach], ...]:
    """The searches again, kept to places near those enemies that can be got to without the distance shrinking."""
    barred = np.zeros(len(setup.places.pos), dtype=np.bool_)
    for one in others.close:
        barred |= _behind(others, one, setup)
    found = []
    for choice, _ in setup.reaches:
        question = setup.question(choice)
        if question is not None:
            question.weight[barred] = np.inf
            found.append((choice, search(setup.places, setup.links, question)))
    return tuple(found)


def _behind(others: Others, one: Kept, setup: Setup) -> NDArray[np.bool_]:
    """(n,) places within the kept distance that no way leads to along which the distance only grows."""
    places = setup.places
    pos = places.pos / MM_PER_INCH
    near = np.flatnonzero(gaps(pos, others.base, one.placed.base) < one.keep)
    behind = np.zeros(len(pos), dtype=np.bool_)
    if near.size == 0:
        return behind
    apart = np.full(len(pos), np.inf)
    apart[near] = others.measuring.near(pos[near], others.base, one.placed.base, one.keep)
    inside = np.isfinite(apart) & (apart < one.keep)
    reached = np.zeros(len(pos), dtype=np.bool_)
    start = np.linalg.norm(pos - np.array(setup.start), axis=1)
    reached[start < 2 * places.pitch / MM_PER_INCH] = True
    front = np.flatnonzero(reached)
    while front.size:
        beside = places.neighbour[front]
        i, j = np.nonzero(beside >= 0)
        to = beside[i, j]
        grows = apart[to] >= apart[front[i]] - _CELL_SLACK
        front = np.unique(to[grows & inside[to] & ~reached[to]])
        reached[front] = True
    return np.asarray(inside & ~reached, dtype=np.bool_)
