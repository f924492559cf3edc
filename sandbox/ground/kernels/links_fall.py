"""Kernels of falls: what a base comes down on, and whether it can come down at all."""

from __future__ import annotations

import numpy as np

from sandbox.compiling import kernel
from sandbox.ground.kernels.links_bins import column, make_buffers, space_at

RIM = 0.05
"""The outline is looked at this far inside, so that touching is not overlapping, mm."""
SPACING = 1.0


@kernel
def contact(x, y, z, half_long, half_short, facing, bins):
    """Highest surface under any part of a base whose underside is at z.

    facing: radians; bins: see `column`. Returns its height (-inf: none), its plan point and its face; nan where something solid is inside
    the outline at that height.
    """
    buffers = make_buffers()
    zs, face, top = buffers
    best = -np.inf
    bx, by, bf = x, y, -1
    c, s = np.cos(facing), np.sin(facing)
    rings = int(np.ceil(half_long / SPACING))
    for ring in range(rings, -1, -1):
        share = ring / rings
        a = max(half_long * share - RIM, 0.0)
        b = max(half_short * share - RIM, 0.0)
        looks = max(int(2.0 * np.pi * a / SPACING), 1)
        for k in range(looks):
            t = 2.0 * np.pi * k / looks
            u, v = a * np.cos(t), b * np.sin(t)
            px = x + c * u - s * v
            py = y + s * u + c * v
            n = column(px, py, -np.inf, bins, buffers)
            q = space_at(z, n, zs, top)
            if q < 0:
                return np.nan, px, py, -1
            if zs[q] > best:
                best = zs[q]
                bx, by, bf = px, py, face[q]
    return best, bx, by, bf
