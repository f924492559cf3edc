"""Small plan geometry for kernels: distances to segments and to triangles clipped to a height range.

Distances are measured in a *scaled* plan: an affine map (m00, m01, m10, m11) turns the base's outline into a circle, so
that ovals are judged like round bases; for round bases it is the identity.
"""

from __future__ import annotations

import numpy as np

from sandbox.compiling import bare, pasted


@pasted
def nearest_on_segment(ax, ay, bx, by, px, py):
    """Parameter (0 to 1) of the point of a-b that is nearest to p."""
    dx = bx - ax
    dy = by - ay
    length2 = dx * dx + dy * dy
    if length2 < 1e-18:
        return 0.0
    t = ((px - ax) * dx + (py - ay) * dy) / length2
    return min(1.0, max(0.0, t))


@bare
def clip_to_slab(corners, f, low, high, scratch):
    """Clip triangle f to low <= z <= high; writes the polygon (k, 3) to scratch (18, 3) and returns k.

    Cut by one height after the other (Sutherland and Hodgman, 1974).
    """
    out = scratch
    k = 0
    lowest = min(corners[f, 0, 2], corners[f, 1, 2], corners[f, 2, 2])
    highest = max(corners[f, 0, 2], corners[f, 1, 2], corners[f, 2, 2])
    if lowest >= low and highest <= high:
        for i in range(3):
            for c in range(3):
                out[i, c] = corners[f, i, c]
        return 3
    for i in range(3):
        j = (i + 1) % 3
        za = corners[f, i, 2] - low
        zb = corners[f, j, 2] - low
        if za >= 0.0:
            for c in range(3):
                scratch[9 + k, c] = corners[f, i, c]
            k += 1
        if (za > 0.0 and zb < 0.0) or (za < 0.0 and zb > 0.0):
            t = za / (za - zb)
            for c in range(3):
                scratch[9 + k, c] = corners[f, i, c] + t * (corners[f, j, c] - corners[f, i, c])
            k += 1
    n = 0
    for i in range(k):
        j = (i + 1) % k
        za = high - scratch[9 + i, 2]
        zb = high - scratch[9 + j, 2]
        if za >= 0.0:
            for c in range(3):
                out[n, c] = scratch[9 + i, c]
            n += 1
        if (za > 0.0 and zb < 0.0) or (za < 0.0 and zb > 0.0):
            t = za / (za - zb)
            for c in range(3):
                out[n, c] = scratch[9 + i, c] + t * (scratch[9 + j, c] - scratch[9 + i, c])
            n += 1
    return n


@bare
def polygon_distance(poly, n, px, py, m00, m01, m10, m11):
    """Scaled plan distance from p to a convex plan polygon: (distance, x, y, z of the nearest point)."""
    best = np.inf
    fx = fy = fz = 0.0
    left = 0
    right = 0
    for i in range(n):
        j = (i + 1) % n
        ax = poly[i, 0] - px
        ay = poly[i, 1] - py
        bx = poly[j, 0] - px
        by = poly[j, 1] - py
        cross = ax * by - ay * bx
        if cross > 1e-9:
            left += 1
        elif cross < -1e-9:
            right += 1
        sax = m00 * ax + m01 * ay
        say = m10 * ax + m11 * ay
        sbx = m00 * bx + m01 * by
        sby = m10 * bx + m11 * by
        t = nearest_on_segment(sax, say, sbx, sby, 0.0, 0.0)
        x = sax + t * (sbx - sax)
        y = say + t * (sby - say)
        d = np.sqrt(x * x + y * y)
        if d < best:
            best = d
            fx = px + ax + t * (bx - ax)
            fy = py + ay + t * (by - ay)
            fz = poly[i, 2] + t * (poly[j, 2] - poly[i, 2])
    if n >= 3 and (left == 0) != (right == 0):
        # A point inside has all edges on one side; that needs a plan area, which upright faces do not have.
        area = 0.0
        for i in range(1, n - 1):
            area += (poly[i, 0] - poly[0, 0]) * (poly[i + 1, 1] - poly[0, 1]) - (poly[i, 1] - poly[0, 1]) * (
                poly[i + 1, 0] - poly[0, 0]
            )
        if abs(area) > 1e-6 and left + right == n:
            return 0.0, px, py, fz
    return best, fx, fy, fz
