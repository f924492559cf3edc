"""How often a closed shell goes round points, by what lies straight above them in a plan grid: for large shells."""
# mypy: disallow-untyped-decorators=False, disallow-any-unimported=False

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from sandbox.compiling import kernel

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


@kernel
def plan_grid(
    triangles: Floats, x0: float, y0: float, cell: float, nx: int, ny: int
) -> tuple[Indices, Indices]:
    """Plan cells to (n, 3, 3) triangles: a (nx ny + 1,) start array and the triangles of each cell."""
    start = np.zeros(nx * ny + 1, dtype=np.int64)
    items = np.empty(0, dtype=np.int64)
    for fill in range(2):
        if fill:
            for c in range(nx * ny):
                start[c + 1] += start[c]
            items = np.empty(start[-1], dtype=np.int64)
            at = start[:-1].copy()
        for f in range(len(triangles)):
            t = triangles[f]
            i0 = max(int((min(t[0, 0], t[1, 0], t[2, 0]) - x0) / cell), 0)
            i1 = min(int((max(t[0, 0], t[1, 0], t[2, 0]) - x0) / cell), nx - 1)
            j0 = max(int((min(t[0, 1], t[1, 1], t[2, 1]) - y0) / cell), 0)
            j1 = min(int((max(t[0, 1], t[1, 1], t[2, 1]) - y0) / cell), ny - 1)
            for j in range(j0, j1 + 1):
                for i in range(i0, i1 + 1):
                    if fill:
                        items[at[j * nx + i]] = f
                        at[j * nx + i] += 1
                    else:
                        start[j * nx + i + 1] += 1
    return start, items


@kernel
def crossings(
    points: Floats,
    triangles: Floats,
    start: Indices,
    items: Indices,
    x0: float,
    y0: float,
    cell: float,
    nx: int,
    ny: int,
) -> Indices:
    """(p,) winding number of closed triangles about each of (p, 3) points, counted straight up.

    The line is moved by a ten-thousandth of a millimetre, so that it meets no edge of a tidy model.
    """
    out = np.zeros(len(points), dtype=np.int64)
    for k in range(len(points)):
        x, y, z = points[k, 0] + 1.0473e-4, points[k, 1] + 0.7219e-4, points[k, 2]
        i, j = math.floor((x - x0) / cell), math.floor((y - y0) / cell)
        if i < 0 or j < 0 or i >= nx or j >= ny:
            continue
        for slot in range(start[j * nx + i], start[j * nx + i + 1]):
            t = triangles[items[slot]]
            d1 = (t[1, 0] - t[0, 0]) * (y - t[0, 1]) - (t[1, 1] - t[0, 1]) * (x - t[0, 0])
            d2 = (t[2, 0] - t[1, 0]) * (y - t[1, 1]) - (t[2, 1] - t[1, 1]) * (x - t[1, 0])
            d3 = (t[0, 0] - t[2, 0]) * (y - t[2, 1]) - (t[0, 1] - t[2, 1]) * (x - t[2, 0])
            if (d1 > 0 and d2 > 0 and d3 > 0) or (d1 < 0 and d2 < 0 and d3 < 0):
                total = d1 + d2 + d3
                if (d2 * t[0, 2] + d3 * t[1, 2] + d1 * t[2, 2]) / total > z:
                    out[k] += 1 if total > 0 else -1
    return out
