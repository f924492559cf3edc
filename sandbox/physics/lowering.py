"""How far a thin plate of a base's outline can be let down: to the highest point of what lies under the outline.

A plate that moves straight down meets no side of anything, so that its rest is a matter of plan: the highest point
of each triangle's share under the outline. That share is convex and the height on it is linear, so that its
extremes lie at a corner of the triangle, where an edge crosses the outline, or where the outline itself is highest
on the triangle's plane. Millimetres throughout.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sandbox.compiling import kernel
from sandbox.physics.shapes import BodyMm

if TYPE_CHECKING:
    from sandbox.physics.faces import Grid

Floats = NDArray[np.float64]

INSIDE_MM = 0.02
"""how far inside its triangle a highest place is told."""
FLAT = 1e-9
"""plan area, in outlines squared, below which a triangle stands upright."""


@kernel  # type: ignore[untyped-decorator]
def _take(u: float, v: float, z: float, found: Floats) -> None:
    """Widen `found`, lowest height, highest height and where the highest is, by one place."""
    found[0] = min(found[0], z)
    if z > found[1]:
        found[1], found[2], found[3] = z, u, v


@kernel  # type: ignore[untyped-decorator]
def _on_circle(t: Floats, found: Floats) -> None:
    """Take the lowest and highest places of the unit circle that lie on a triangle's plane inside the triangle."""
    au, av = t[1, 0] - t[0, 0], t[1, 1] - t[0, 1]
    bu, bv = t[2, 0] - t[0, 0], t[2, 1] - t[0, 1]
    area = au * bv - av * bu
    if abs(area) < FLAT:
        return
    az, bz = t[1, 2] - t[0, 2], t[2, 2] - t[0, 2]
    slope_u, slope_v = (az * bv - bz * av) / area, (bz * au - az * bu) / area
    steep = math.hypot(slope_u, slope_v)
    if steep == 0.0:
        # a level triangle that covers the whole circle has no edge and no corner in it
        slope_u, steep = 1.0, 1.0
    for sign in (-1.0, 1.0):
        u, v = sign * slope_u / steep, sign * slope_v / steep
        du, dv = u - t[0, 0], v - t[0, 1]
        second, third = (du * bv - dv * bu) / area, (au * dv - av * du) / area
        if second >= 0.0 and third >= 0.0 and second + third <= 1.0:
            _take(u, v, t[0, 2] + second * az + third * bz, found)


@kernel  # type: ignore[untyped-decorator]
def _share(t: Floats, found: Floats) -> None:
    """Lowest and highest place of a triangle inside the unit circle about the origin of its plan.

    t: (3, 3) corners; found: (4,) lowest height, highest height and where that is, +-inf where nothing is inside.
    """
    found[0], found[1] = np.inf, -np.inf
    for k in range(3):
        u, v, z = t[k, 0], t[k, 1], t[k, 2]
        square = u * u + v * v - 1.0
        if square <= 0.0:
            _take(u, v, z, found)
        n = (k + 1) % 3
        du, dv = t[n, 0] - u, t[n, 1] - v
        a, b = du * du + dv * dv, u * du + v * dv
        under = b * b - a * square
        if a == 0.0 or under <= 0.0:
            continue
        root = math.sqrt(under)
        for sign in (-1.0, 1.0):
            s = (sign * root - b) / a
            if 0.0 <= s <= 1.0:
                _take(u + s * du, v + s * dv, z + s * (t[n, 2] - z), found)
    _on_circle(t, found)


@kernel  # type: ignore[untyped-decorator]
def _rest(
    place: Floats, outline: Floats, heights: Floats, cell: float, grid: Any
) -> tuple[bool, Floats, int]:
    """Whether the plate is in something where it begins; the (3,) place it rests on and its face, -1 none.

    place: (2,) plan middle; outline: (4,) half axes, cosine and sine of its heading; heights: (3,) of the plate's
    top and underside where it begins, and of the underside where it ends; cell: the grid's.
    """
    along, across, cosine, sine = outline
    reach_x, reach_y = math.hypot(along * cosine, across * sine), math.hypot(along * sine, across * cosine)
    i0 = max(math.floor((place[0] - reach_x - grid.origin[0]) / cell), 0)
    i1 = min(math.floor((place[0] + reach_x - grid.origin[0]) / cell), grid.nx - 1)
    j0 = max(math.floor((place[1] - reach_y - grid.origin[1]) / cell), 0)
    j1 = min(math.floor((place[1] + reach_y - grid.origin[1]) / cell), grid.ny - 1)
    best, face = heights[2], -1
    where = np.zeros(3)
    local, found = np.empty((3, 3)), np.empty(4)
    for j in range(j0, j1 + 1):
        for i in range(i0, i1 + 1):
            for slot in range(grid.start[j * grid.nx + i], grid.start[j * grid.nx + i + 1]):
                t = grid.triangles[grid.items[slot]]
                if max(t[0, 2], t[1, 2], t[2, 2]) <= best or min(t[0, 2], t[1, 2], t[2, 2]) > heights[0]:
                    continue
                for k in range(3):
                    x, y = t[k, 0] - place[0], t[k, 1] - place[1]
                    local[k, 0], local[k, 1] = (
                        (x * cosine + y * sine) / along,
                        (y * cosine - x * sine) / across,
                    )
                    local[k, 2] = t[k, 2]
                _share(local, found)
                if found[1] <= best or found[0] > heights[0]:
                    continue
                if found[1] > heights[1]:
                    return True, where, grid.items[slot]
                best, face = found[1], grid.items[slot]
                u, v = found[2] * along, found[3] * across
                where[0], where[1] = place[0] + u * cosine - v * sine, place[1] + u * sine + v * cosine
                where[2] = best
                # a hair inside the triangle, so that a ray finds it
                away = (t[0] + t[1] + t[2]) / 3 - where
                size = math.sqrt(np.dot(away, away))
                where[:2] += away[:2] * (min(INSIDE_MM, size) / max(size, INSIDE_MM))
    return False, where, face


def rest(
    held: BodyMm, place: Floats, end: float, slack: float, cell: float, grid: Grid
) -> tuple[bool, Floats, int]:
    """Let a plate down from a place until its underside is at `end` or on something.

    place: (3,) its middle; slack: what it may be in something where it begins; cell: width of the grid's cells.
    Returns whether it is in something from the beginning, the (3,) highest place that it rests on and the number of
    that face, -1 with nothing above `end`.
    """
    angle = math.radians(held.facing)
    outline = np.array([held.half_long, held.half_short, math.cos(angle), math.sin(angle)])
    half = held.height / 2
    heights = np.array([place[2] + half - slack, place[2] - half + slack, end])
    blocked, where, face = _rest(place[:2], outline, heights, cell, grid)
    return bool(blocked), where, int(face)
