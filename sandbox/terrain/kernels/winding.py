"""Winding numbers: how often closed, oriented faces go round a point. Lengths are in mm."""
# mypy: disallow-untyped-decorators=False, disallow-any-unimported=False

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from sandbox.compiling import bare_kernel

Floats = NDArray[np.float64]


@bare_kernel
def winding(triangles: Floats, x: float, y: float, z: float) -> float:
    """Winding number of (n, 3, 3) triangles about a point: 1 inside an outward solid, 0 outside.

    Sum of signed solid angles (van Oosterom and Strackee, 1983) over 4 pi.
    """
    total = 0.0
    for t in range(len(triangles)):
        ax, ay, az = triangles[t, 0, 0] - x, triangles[t, 0, 1] - y, triangles[t, 0, 2] - z
        bx, by, bz = triangles[t, 1, 0] - x, triangles[t, 1, 1] - y, triangles[t, 1, 2] - z
        cx, cy, cz = triangles[t, 2, 0] - x, triangles[t, 2, 1] - y, triangles[t, 2, 2] - z
        a = math.sqrt(ax * ax + ay * ay + az * az)
        b = math.sqrt(bx * bx + by * by + bz * bz)
        c = math.sqrt(cx * cx + cy * cy + cz * cz)
        det = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
        den = (
            a * b * c
            + (ax * bx + ay * by + az * bz) * c
            + (bx * cx + by * cy + bz * cz) * a
            + (cx * ax + cy * ay + cz * az) * b
        )
        if det != 0.0 or den != 0.0:
            total += 2.0 * math.atan2(det, den)
    return total / (4.0 * math.pi)
