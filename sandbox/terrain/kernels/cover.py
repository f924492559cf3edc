"""The triangulation of a closed loop of points that has the least area."""
# mypy: disallow-untyped-decorators=False, disallow-any-unimported=False

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from sandbox.compiling import bare, bare_kernel, kernel

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


@bare
def _area(points: Floats, a: int, b: int, c: int) -> float:
    ux, uy, uz = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1], points[b, 2] - points[a, 2]
    vx, vy, vz = points[c, 0] - points[a, 0], points[c, 1] - points[a, 1], points[c, 2] - points[a, 2]
    x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    return 0.5 * math.sqrt(x * x + y * y + z * z)


@bare_kernel
def span(points: Floats) -> float:
    """Greatest distance between two of (n, 3) points."""
    best = 0.0
    for i in range(len(points)):
        for j in range(i):
            x, y, z = points[i, 0] - points[j, 0], points[i, 1] - points[j, 1], points[i, 2] - points[j, 2]
            best = max(best, x * x + y * y + z * z)
    return math.sqrt(best)


@kernel
def least_area_cover(points: Floats) -> tuple[Indices, float]:
    """(n - 2, 3) corners of (n, 3) loop points, running the way the loop runs, and their area.

    Dynamic programming over sub-polygons (Barequet and Sharir, 1995), n cubed: for loops of at most some hundred.
    """
    n = len(points)
    cost = np.zeros((n, n))
    split = np.zeros((n, n), dtype=np.int64)
    for length in range(2, n):
        for i in range(n - length):
            k = i + length
            best = np.inf
            for m in range(i + 1, k):
                c = cost[i, m] + cost[m, k] + _area(points, i, m, k)
                if c < best:
                    best = c
                    split[i, k] = m
            cost[i, k] = best
    out = np.empty((n - 2, 3), dtype=np.int64)
    stack = np.empty((2 * n, 2), dtype=np.int64)
    stack[0, 0], stack[0, 1] = 0, n - 1
    depth, made = 1, 0
    while depth > 0:
        depth -= 1
        i, k = stack[depth, 0], stack[depth, 1]
        if k - i < 2:
            continue
        m = split[i, k]
        out[made, 0], out[made, 1], out[made, 2] = i, m, k
        made += 1
        stack[depth, 0], stack[depth, 1] = i, m
        stack[depth + 1, 0], stack[depth + 1, 1] = m, k
        depth += 2
    return out, cost[0, n - 1]
