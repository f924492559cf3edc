"""Where falls end, as ground finds it, in inches."""

from __future__ import annotations

import numpy as np

from sandbox.ground.ground import Ground
from sandbox.ground.model import Body
from sandbox.moves.answers import Point
from sandbox.moves.fails import Landing
from sandbox.units import inches, mm


def fall_from(ground: Ground, body: Body, start: Point, towards: Point | None) -> Landing:
    """The fall of a body that loses its footing at `start`; towards: the way it was going, None: any."""
    x, y, z = (mm(v) for v in start)
    out = np.zeros(2)
    if towards is not None:
        out = np.array([mm(towards[0]) - x, mm(towards[1]) - y])
        out = out / max(float(np.linalg.norm(out)), 1e-9)
    for step in np.arange(0.0, 3.0 * body.half_long_mm, 1.0):
        at = (x + out[0] * step, y + out[1] * step)
        column = ground.column(*at)
        below = column.z[(column.face >= 0) & (column.z < z - ground.numbers.free_step_down_mm)]
        here = column.z[(column.face >= 0) & (np.abs(column.z - z) <= ground.numbers.free_step_down_mm)]
        if here.size == 0 and below.size:
            low = float(below.max())
            return Landing(inches(z - low), (inches(at[0]), inches(at[1]), inches(low)))
    return Landing(0.0, start)
