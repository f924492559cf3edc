"""How far an upright round or oval body is from a triangle, by minimising a convex function: no engine in it.

The signed distance of a point to a convex body is a convex function of the point, so its least value over
a triangle is found by nested golden-section searches, exact to a thousandth of a millimetre, whatever the
triangle looks like. Slow, and therefore for one place at a time. Millimetres; the body stands about the
origin with its long axis along x.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from sandbox.compiling import kernel

Floats = NDArray[np.float64]

GOLDEN = (math.sqrt(5.0) - 1) / 2
ROUNDS = 46


@kernel  # type: ignore[untyped-decorator]
def _ellipse(x: float, y: float, a: float, b: float) -> float:
    """Signed distance of a plan point to an ellipse (after Eberly, Distance from a Point to an Ellipse)."""
    x, y = abs(x), abs(y)
    if a == b:
        return math.hypot(x, y) - a
    side = 1.0 if (x / a) ** 2 + (y / b) ** 2 > 1 else -1.0
    if y < 1e-12:
        limit = (a * a - b * b) / a
        if x < limit:
            u = a * x / (a * a - b * b)
            return side * math.hypot(a * u - x, b * math.sqrt(max(0.0, 1 - u * u)))
        return side * abs(x - a)
    low = -1.0 + y / b
    high = -1.0 + math.hypot(a * x / (b * b), y / b)
    t = low
    for _ in range(60):
        t = (low + high) / 2
        value = (a * x / (b * b * t + a * a)) ** 2 + (b * y / (b * b * (t + 1))) ** 2 - 1
        if value > 0:
            low = t
        else:
            high = t
    px, py = a * a * x / (b * b * t + a * a), y / (t + 1)
    return side * math.hypot(px - x, py - y)


@kernel  # type: ignore[untyped-decorator]
def _signed(p: Floats, a: float, b: float, half: float) -> float:
    """Signed distance of a point to the body."""
    plan = _ellipse(p[0], p[1], a, b)
    rise = abs(p[2]) - half
    if plan > 0 and rise > 0:
        return math.hypot(plan, rise)
    return float(max(plan, rise))


@kernel  # type: ignore[untyped-decorator]
def _along(p: Floats, q: Floats, a: float, b: float, half: float) -> tuple[float, float]:
    """Least signed distance on a segment, and where (0 to 1)."""
    low, high = 0.0, 1.0
    s, t = high - GOLDEN, GOLDEN
    fs, ft = _signed(p + (q - p) * s, a, b, half), _signed(p + (q - p) * t, a, b, half)
    for _ in range(ROUNDS):
        if fs < ft:
            high, t, ft = t, s, fs
            s = high - GOLDEN * (high - low)
            fs = _signed(p + (q - p) * s, a, b, half)
        else:
            low, s, fs = s, t, ft
            t = low + GOLDEN * (high - low)
            ft = _signed(p + (q - p) * t, a, b, half)
    where, best = (low + high) / 2, min(fs, ft)
    for end in (0.0, 1.0):
        value = _signed(p + (q - p) * end, a, b, half)
        if value < best:
            where, best = end, value
    return best, where


@kernel  # type: ignore[untyped-decorator]
def nearest(triangles: Floats, a: float, b: float, half: float, margin: float) -> tuple[float, Floats, int]:
    """Least signed distance (mm) of the body's outline to (n, 3, 3) triangles, where, and on which.

    a, b: half axes; half: half of the height. Below zero: how deep the deepest point is. Triangles whose
    boxes are farther off than `margin` are passed over; with none left the distance is `margin` and the
    number -1.
    """
    best, number = margin, -1
    point = np.zeros(3)
    for f in range(len(triangles)):
        t = triangles[f]
        apart = 0.0
        for axis in range(3):
            extent = half if axis == 2 else (a if axis == 0 else b)
            low, high = min(t[0, axis], t[1, axis], t[2, axis]), max(t[0, axis], t[1, axis], t[2, axis])
            apart = max(apart, low - extent, -extent - high)
        if apart >= best and apart > 0:
            continue
        low, high = 0.0, 1.0
        s, u = high - GOLDEN, GOLDEN
        fs, ws = _along(t[0] + (t[1] - t[0]) * s, t[0] + (t[2] - t[0]) * s, a, b, half)
        fu, wu = _along(t[0] + (t[1] - t[0]) * u, t[0] + (t[2] - t[0]) * u, a, b, half)
        for _ in range(ROUNDS):
            if fs < fu:
                high, u, fu, wu = u, s, fs, ws
                s = high - GOLDEN * (high - low)
                fs, ws = _along(t[0] + (t[1] - t[0]) * s, t[0] + (t[2] - t[0]) * s, a, b, half)
            else:
                low, s, fs, ws = s, u, fu, wu
                u = low + GOLDEN * (high - low)
                fu, wu = _along(t[0] + (t[1] - t[0]) * u, t[0] + (t[2] - t[0]) * u, a, b, half)
        value, at, across = (fs, s, ws) if fs < fu else (fu, u, wu)
        edge, along = _along(t[1], t[2], a, b, half)
        if edge < value:
            value, at, across = edge, 1.0, along
        if value < best:
            best, number = value, f
            point[:] = t[0] + ((t[1] - t[0]) * (1 - across) + (t[2] - t[0]) * across) * at
    return best, point, number
