"""How far a body moves, and how deep it gets, from closest points alone: conservative advancement.

The signed distance between two convex shapes, one of them moved along a line, is a convex function of the way
(below zero it is minus the penetration depth). So the tangent at a place bounds it from below everywhere: the
body may move on to the first place where any tangent falls to what is not yet allowed, and misses nothing on
the way (after Mirtich's conservative advancement, with directions). Triangles beyond the search margin cannot
come nearer faster than the body moves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MARGIN_MM = 2.5
"""how far around the body triangles are looked for at a stop: each one that is found costs time."""
MOST_MARGIN_MM = 20.0
"""where nothing was near, twice as far is looked at the next stop, up to this."""
FINE_MM = 0.004
"""how well depths are resolved."""
CLEAR_MM = 0.01
"""penetration up to which a body only touches: what a float mesh and closest points leave open."""
DEEP_MM = 1.0
"""penetration at which a sweep ends: four times what is ever forgiven."""
MOST_STOPS = 2000


@dataclass(frozen=True, eq=False)
class Near:
    """The closest points between a body and every triangle within a margin, mm."""

    distance: Floats
    """(n,) signed; below zero: penetration depth."""
    normal: Floats
    """(n, 3) unit, from the terrain to the body."""
    point: Floats
    """(n, 3) on the terrain."""


@dataclass(frozen=True)
class Met:
    """What a shape that is held still is in."""

    depth: float
    """deepest penetration, mm, never below 0."""
    point: tuple[float, float, float] | None
    """where it is deepest, mm; None with nothing near."""


def deepest(near: Near) -> Met:
    """The deepest of the closest points."""
    if len(near.distance) == 0:
        return Met(0.0, None)
    number = int(np.argmin(near.distance))
    x, y, z = near.point[number]
    return Met(max(0.0, -float(near.distance[number])), (float(x), float(y), float(z)))


@dataclass(frozen=True)
class March:
    """What moving along a line met."""

    reached: float
    """way to the first touch deeper than `CLEAR_MM`, mm; the whole length where there is none."""
    depth: float
    """deepest penetration met, mm, never below 0; at least `DEEP_MM` where the sweep ended early."""
    point: tuple[float, float, float] | None
    """where it was deepest, mm."""


def march(near: Callable[[Floats, float], Near], start: Floats, end: Floats) -> March:
    """Move along start -> end (both (3,), mm), asking `near(place, margin)` at each stop."""
    way = np.asarray(end, dtype=np.float64) - start
    length = float(np.linalg.norm(way))
    direction = way / length if length > 0 else np.zeros(3)
    at, depth, reached = 0.0, 0.0, None
    point: tuple[float, float, float] | None = None
    probed = False
    wide = MARGIN_MM
    for _ in range(MOST_STOPS):
        margin = min(wide, length - at + 1.0)
        found = near(start + direction * at, margin)
        wide = MARGIN_MM if len(found.distance) else min(2.0 * wide, MOST_MARGIN_MM)
        if len(found.distance):
            deepest = int(np.argmin(found.distance))
            if -found.distance[deepest] > max(depth, CLEAR_MM):
                x, y, z = found.point[deepest]
                point = (float(x), float(y), float(z))
                reached = at if reached is None else reached
            depth = max(depth, -float(found.distance[deepest]))
            rate = float(found.normal[deepest] @ direction)
            if depth > CLEAR_MM and not probed and rate < -0.05 and at < length:
                # pushing into something: one look ahead saves creeping into it
                probed = True
                ahead = near(start + direction * min(length, at + DEEP_MM / -rate), 0.0)
                if len(ahead.distance):
                    depth = max(depth, -float(ahead.distance.min()))
        if depth >= DEEP_MM or at >= length:
            break
        # Coarser as it gets deeper, so that pushing into a wall does not take a thousand steps.
        allowed = -(max(depth, CLEAR_MM) + max(FINE_MM, depth / 4))
        rates = found.normal @ direction
        closing = rates < -1e-9
        step = margin - allowed
        if closing.any():
            step = min(step, float(((found.distance[closing] - allowed) / -rates[closing]).min()))
        at = min(length, at + max(step, FINE_MM / 2))
    return March(length if reached is None else reached, depth, point)
