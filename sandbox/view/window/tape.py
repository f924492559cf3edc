"""The tape measure: straight distance between two places in space, and whether something solid is between them."""

from __future__ import annotations

import numpy as np

from sandbox.physics.model import CollisionWorld
from sandbox.view.window.talk import Point, Tape

LIFT = 0.04
"""a line along a floor is looked at this high above it, inches."""
NEAR = 0.08
"""what a line meets this near to its end is the thing measured to, inches."""


def measure(world: CollisionWorld, start: Point, end: Point) -> Tape:
    """The tape laid from one place to another, inches."""
    a, b = np.asarray(start, dtype=np.float64), np.asarray(end, dtype=np.float64)
    apart = b - a
    straight = float(np.linalg.norm(apart))
    lift = np.array([0.0, 0.0, LIFT])
    clear = True
    if straight > 2 * NEAR:
        hit = world.rays((a + lift)[None], (b + lift)[None])
        clear = not (bool(hit.hit[0]) and float(hit.fraction[0]) * straight < straight - NEAR)
    return Tape(start, end, straight, float(np.hypot(apart[0], apart[1])), float(apart[2]), clear)
