"""The way that was really gone: all of a move, or a part of it where something ended it before."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sandbox.moves.answers import Leg, Move
from sandbox.moves.odds_tree import After
from sandbox.moves.odds_tree import Event as What
from sandbox.play.events import Event

Floats = NDArray[np.float64]

NEAR = 0.6
"""inches: a fall begins this near to the way that was gone."""
_DIGITS = 3


def over(move: Move, happened: Sequence[Event], ends: Sequence[After], *, reached: bool) -> list[list[float]]:
    """Where the base's centre of who moves was, in order, inches; reached: it got to the end.

    Otherwise the way ends where it fell from, where it stopped, or nearest to where it is now.
    """
    paths = [_path(leg) for leg in move.legs]
    if not reached:
        own = [one for one in happened if one["who"] == move.fighter]
        fell = next((one["start"] for one in own if one["what"] == What.FALL.value and "start" in one), None)
        stopped = next((one["at"] for one in own if one["what"] == What.STOPS.value and "at" in one), None)
        after = next((one.at for one in ends if one.who == move.fighter and one.at is not None), None)
        paths = _as_far_as(paths, np.asarray(fell or stopped or after or move.legs[0].start))
    found: list[list[float]] = []
    for point in np.concatenate(paths) if paths else ():
        here = [round(float(v), _DIGITS) + 0.0 for v in point]
        if not found or found[-1] != here:
            found.append(here)
    return found


def _path(leg: Leg) -> Floats:
    return np.asarray(leg.path if len(leg.path) >= 2 else (leg.start, leg.end), dtype=np.float64)


def _as_far_as(paths: list[Floats], end: Floats) -> list[Floats]:
    """The paths up to the place nearest to where it stopped."""
    best: tuple[float, int, int, float] = (np.inf, 0, 0, 0.0)
    for number, path in enumerate(paths):
        for row in range(len(path) - 1):
            run = path[row + 1] - path[row]
            length = float(run @ run)
            share = float(np.clip((end - path[row]) @ run / max(length, 1e-12), 0.0, 1.0))
            far = float(np.linalg.norm(path[row] + run * share - end))
            if far < best[0] - 1e-9:
                best = (far, number, row, share)
    far, number, row, share = best
    if not np.isfinite(far):
        return []
    path = paths[number]
    last = path[row] + (path[row + 1] - path[row]) * share
    part = np.concatenate([path[: row + 1], [last]])
    if far < NEAR:
        part = np.concatenate([part, [end]])
    return [*paths[:number], part]
