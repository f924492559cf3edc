"""Obstacles that stand on one another: what the lowest of them stands on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sandbox.ground.model import Floats
from sandbox.terrain.model import Terrain

_TOUCH_MM = 1.0
"""How far over the top of another an obstacle may begin and still stand on it."""


def standing_low(terrain: Terrain, crossed: NDArray[np.bool_]) -> Floats:
    """(parts,) height that each part stands over, mm: its own lowest, and of crossed parts (parts,) that stand on or in
    others of them the lowest of these."""
    low = np.array([p.low_mm for p in terrain.parts] or [0.0])
    high = np.array([p.high_mm for p in terrain.parts] or [0.0])
    box = np.array([p.bounds_mm for p in terrain.parts] or [(0.0, 0.0, 0.0, 0.0)])
    mine = np.flatnonzero(crossed)
    for k in mine[np.argsort(low[mine], kind="stable")]:
        under = (
            (low[mine] < low[k])
            & (high[mine] >= low[k] - _TOUCH_MM)
            & (box[mine, 0] < box[k, 2])
            & (box[mine, 2] > box[k, 0])
            & (box[mine, 1] < box[k, 3])
            & (box[mine, 3] > box[k, 1])
        )
        if under.any():
            low[k] = low[mine[under]].min()
    return low
