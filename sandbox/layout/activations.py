"""Where activations end on a way: standing. Who would have to stop on stairs stops before them and loses the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sandbox.ground.search_model import Stretch, StretchKind

Floats = NDArray[np.float64]
STEP_MM = 5.0
"""walked stretches are looked at so often."""
_NOTHING_MM = 1e-6


@dataclass(frozen=True)
class Piece:
    """A piece of a way."""

    cost: float
    """movement, mm."""
    stands: bool
    """the base can stand where it ends."""
    whole: bool
    """nobody stops within it: a link, an obstacle, or floor without a place to stand."""


def pieces(stretches: Iterable[Stretch], stands: Callable[[Floats], NDArray[np.bool_]]) -> Iterator[Piece]:
    """A way in pieces. stands: whether the base can stand at (k, 3) places, mm."""
    before = True
    for stretch in stretches:
        if stretch.kind is not StretchKind.WALK:
            before = bool(stands(stretch.points[-1:])[0])
            yield Piece(stretch.cost, before, True)
            continue
        points, share = _sampled(stretch.points)
        there = stands(points)
        for cost, ok in zip(share * stretch.cost, there, strict=True):
            yield Piece(float(cost), bool(ok), not (before and ok))
            before = bool(ok)


def _sampled(points: Floats) -> tuple[Floats, Floats]:
    """(k, 3) places along a walked line, its start left out, and the share of its length that leads to each."""
    length = np.linalg.norm(np.diff(points, axis=0), axis=1)
    along = np.concatenate([[0.0], np.cumsum(length)])
    count = max(1, int(np.ceil(along[-1] / STEP_MM)))
    at = np.linspace(0.0, along[-1], count + 1)
    places = np.column_stack([np.interp(at, along, points[:, axis]) for axis in range(3)])
    return places[1:], np.full(count, 1.0 / count)


def clock(way: Iterable[Piece], activation: float) -> float:
    """Movement spent and lost on a way, mm, where every activation of a length ends standing; inf where one cannot."""
    spent = 0.0
    since = 0.0  # movement since the last place to stand
    for piece in way:
        end = (np.floor((spent + _NOTHING_MM) / activation) + 1.0) * activation
        if piece.whole and spent + piece.cost > end + _NOTHING_MM:
            if since + piece.cost > activation + _NOTHING_MM:
                return float("inf")
            spent = end + since  # back to where it stood, and on from there in the next activation
        spent += piece.cost
        since = 0.0 if piece.stands else since + piece.cost
    return float(spent)
