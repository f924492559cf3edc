"""Kernels for vertical lines through triangles: which surfaces a column meets, and which of them are outside solids.

Edges are decided by a half-open rule with the edge's ends in a fixed order, so that a column on an edge shared by two
triangles crosses exactly one of them.
"""

from __future__ import annotations

import numpy as np

from sandbox.compiling import bare, kernel, pasted

UP = 1
DOWN = -1


@pasted
def edge_side(ax, ay, bx, by, px, py):
    """Which side of edge a-b the point lies on: +1 left, -1 right; a point on the line counts as left of the edge
    taken from its lower-left end, whatever the order of the ends."""
    flip = ax > bx or (ax == bx and ay > by)
    if flip:
        ax, ay, bx, by = bx, by, ax, ay
    side = 1 if (bx - ax) * (py - ay) - (by - ay) * (px - ax) >= 0.0 else -1
    return -side if flip else side


@pasted
def height_at(x0, y0, z0, x1, y1, z1, x2, y2, z2, px, py):
    """Height of the triangle's plane over a plan point."""
    ux = x1 - x0
    uy = y1 - y0
    vx = x2 - x0
    vy = y2 - y0
    det = ux * vy - uy * vx
    s = ((px - x0) * vy - (py - y0) * vx) / det
    t = (ux * (py - y0) - uy * (px - x0)) / det
    return z0 + s * (z1 - z0) + t * (z2 - z0)


@pasted
def covers(x0, y0, x1, y1, x2, y2, px, py):
    """0 where the plan triangle does not cover the point, else +1 (counter-clockwise: faces up) or -1."""
    a = edge_side(x0, y0, x1, y1, px, py)
    if edge_side(x1, y1, x2, y2, px, py) != a:
        return 0
    if edge_side(x2, y2, x0, y0, px, py) != a:
        return 0
    return a


@pasted
def height_over(corners, f, px, py):
    """Height of triangle f of corners (m, 3, 3) over a plan point, nan where it does not cover it.

    Reads single numbers: a view of the triangle would be counted, at the price of all the rest.
    """
    if (
        covers(
            corners[f, 0, 0], corners[f, 0, 1], corners[f, 1, 0], corners[f, 1, 1], corners[f, 2, 0],
            corners[f, 2, 1], px, py,
        )
        == 0
    ):  # fmt: skip
        return np.nan
    return height_at(
        corners[f, 0, 0], corners[f, 0, 1], corners[f, 0, 2], corners[f, 1, 0], corners[f, 1, 1], corners[f, 1, 2],
        corners[f, 2, 0], corners[f, 2, 1], corners[f, 2, 2], px, py,
    )  # fmt: skip


@bare
def _column_range(lo, hi, origin, pitch, count):
    first = int(np.ceil((lo - origin) / pitch))
    last = int(np.floor((hi - origin) / pitch))
    first = max(first, 0)
    last = min(last, count - 1)
    return first, last


@kernel
def crossings(corners, x0, y0, pitch, nx, ny):
    """Every crossing of every column with every triangle.

    corners: (m, 3, 3) float64 mm. Returns start (nx * ny + 1,) int32, z (k,) float64, face (k,) int32 and up (k,)
    int8 (+1 counter-clockwise in plan, -1 clockwise), the crossings of a column sorted downwards.
    """
    m = corners.shape[0]
    count = np.zeros(nx * ny + 1, np.int64)
    for fill in range(2):
        if fill == 1:
            total = 0
            for c in range(nx * ny + 1):
                k = count[c]
                count[c] = total
                total += k
            start = count.copy()
            z = np.empty(total, np.float64)
            face = np.empty(total, np.int32)
            up = np.empty(total, np.int8)
        for f in range(m):
            ax, ay, az = corners[f, 0, 0], corners[f, 0, 1], corners[f, 0, 2]
            bx, by, bz = corners[f, 1, 0], corners[f, 1, 1], corners[f, 1, 2]
            cx, cy, cz = corners[f, 2, 0], corners[f, 2, 1], corners[f, 2, 2]
            det = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
            if abs(det) < 1e-12:
                continue
            i0, i1 = _column_range(min(ax, bx, cx), max(ax, bx, cx), x0, pitch, nx)
            j0, j1 = _column_range(min(ay, by, cy), max(ay, by, cy), y0, pitch, ny)
            for j in range(j0, j1 + 1):
                py = y0 + j * pitch
                for i in range(i0, i1 + 1):
                    px = x0 + i * pitch
                    s = covers(ax, ay, bx, by, cx, cy, px, py)
                    if s == 0:
                        continue
                    c = j * nx + i
                    if fill == 1:
                        k = count[c]
                        z[k] = height_at(ax, ay, az, bx, by, bz, cx, cy, cz, px, py)
                        face[k] = f
                        up[k] = s
                    count[c] += 1
    for c in range(nx * ny):
        lo, hi = start[c], start[c + 1]
        for a in range(lo + 1, hi):
            zz, ff, uu = z[a], face[a], up[a]
            b = a - 1
            # On a tie the underside comes first: leaving one solid before entering the next.
            while b >= lo and (z[b] < zz or (z[b] == zz and up[b] > uu)):
                z[b + 1] = z[b]
                face[b + 1] = face[b]
                up[b + 1] = up[b]
                b -= 1
            z[b + 1] = zz
            face[b + 1] = ff
            up[b + 1] = uu
    return start, z, face, up


@kernel
def open_spaces(start, z, face, up, face_closed):
    """Open intervals of every column from its crossings, which are sorted downwards (see `crossings`).

    face_closed: (m,) bool. Returns space_start (columns + 1,) int32, low (k,), high (k,) and the face at the low end (k,),
    sorted downwards within a column; -inf, inf and -1 at the ends.
    """
    columns = start.shape[0] - 1
    low = np.empty(z.shape[0] + columns, np.float64)
    high = np.empty(z.shape[0] + columns, np.float64)
    under = np.full(z.shape[0] + columns, -1, np.int32)
    space_start = np.zeros(columns + 1, np.int32)
    n = 0
    for c in range(columns):
        depth = 0
        top = np.inf
        for k in range(start[c], start[c + 1]):
            if face_closed[face[k]]:
                if up[k] == UP:
                    if depth == 0:
                        low[n] = z[k]
                        high[n] = top
                        under[n] = face[k]
                        n += 1
                    depth += 1
                else:
                    depth -= 1
                    if depth == 0:
                        top = z[k]
            elif depth == 0:
                low[n] = z[k]
                high[n] = top
                under[n] = face[k]
                n += 1
                top = z[k]
        if depth <= 0:
            low[n] = -np.inf
            high[n] = top
            n += 1
        space_start[c + 1] = n
    return space_start, low[:n].copy(), high[:n].copy(), under[:n].copy()


@kernel
def surfaces(start, z, face, up, face_closed, least_room):
    """Upward surfaces outside every solid, from sorted crossings.

    face_closed: (m,) bool. least_room: surfaces with less than this above them are no surfaces, mm. Returns
    sample_start (columns + 1,) int32, z, above (next surface above, inf), face, sorted upwards within a column.
    """
    space_start, low, high, under = open_spaces(start, z, face, up, face_closed)
    sample_start = np.zeros_like(space_start)
    kept = np.empty(low.shape[0], np.int64)
    n = 0
    for c in range(start.shape[0] - 1):
        for k in range(space_start[c + 1] - 1, space_start[c] - 1, -1):
            if under[k] >= 0 and high[k] - low[k] > least_room:
                kept[n] = k
                n += 1
        sample_start[c + 1] = n
    kept = kept[:n]
    return sample_start, low[kept], high[kept], under[kept]
