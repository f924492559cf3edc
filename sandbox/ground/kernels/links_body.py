"""Kernels that move a body along a plan line: which triangles are near, and which stretches of the line they forbid.

Local frame of a line: U along it, V to its left, both in the plan scaled so that the base is a circle of radius r (its
shorter half axis); U is divided by the scale again where true millimetres along the line are meant.
"""

from __future__ import annotations

import numpy as np

from sandbox.compiling import bare, pasted

LOW, HIGH, BEGIN, FINISH, UPPER = 9, 10, 11, 12, 13
"""Columns of a gathered triangle behind its corners, see `gather`."""
COLUMNS = 14
TOUCH = 0.0125
"""Overlaps of a body with a face up to this are contact, mm."""


@bare
def line_frame(dx, dy, metric):
    """Rows of the map from plan offsets to (U, V) for a line in direction (dx, dy), and U per true mm along it.

    metric: (4,) the plan map that turns the base into a circle.
    """
    mx = metric[0] * dx + metric[1] * dy
    my = metric[2] * dx + metric[3] * dy
    scale = np.sqrt(mx * mx + my * my)
    ex = mx / scale
    ey = my / scale
    return (
        ex * metric[0] + ey * metric[2],
        ex * metric[1] + ey * metric[3],
        -ey * metric[0] + ex * metric[2],
        -ey * metric[1] + ex * metric[3],
        scale,
    )


@bare
def _clip(poly, n, z, keep_above, out):
    """Clip a polygon (n, 3) in (U, V, z) by a height; returns the number of corners left."""
    m = 0
    for i in range(n):
        j = (i + 1) % n
        di = poly[i, 2] - z if keep_above else z - poly[i, 2]
        dj = poly[j, 2] - z if keep_above else z - poly[j, 2]
        if di >= 0.0:
            out[m, 0], out[m, 1], out[m, 2] = poly[i, 0], poly[i, 1], poly[i, 2]
            m += 1
        if (di > 0.0 and dj < 0.0) or (di < 0.0 and dj > 0.0):
            t = di / (di - dj)
            out[m, 0] = poly[i, 0] + t * (poly[j, 0] - poly[i, 0])
            out[m, 1] = poly[i, 1] + t * (poly[j, 1] - poly[i, 1])
            out[m, 2] = z
            m += 1
    return m


@bare
def forbidden(tri, k, z_low, z_high, r, one, two):
    """Interval of U in which a disc of radius r on the line overlaps the part of a triangle between two heights;
    empty (inf, -inf) where it never does. one, two: (8, 3) float64 buffers."""
    lo = np.inf
    hi = -np.inf
    low = tri[k, LOW]
    high = tri[k, HIGH]
    if high <= z_low or low >= z_high:
        return lo, hi
    for e in range(3):
        one[e, 0], one[e, 1], one[e, 2] = tri[k, 3 * e], tri[k, 3 * e + 1], tri[k, 3 * e + 2]
    n = 3
    poly = one
    spare = two
    if low < z_low:
        n = _clip(one, n, z_low, True, two)
        poly = two
        spare = one
    if high > z_high:
        n = _clip(poly, n, z_high, False, spare)
        poly = spare
    for i in range(n):
        u, v = poly[i, 0], poly[i, 1]
        if abs(v) < r:
            w = np.sqrt(r * r - v * v)
            lo = min(lo, u - w)
            hi = max(hi, u + w)
        j = (i + 1) % n
        du = poly[j, 0] - u
        dv = poly[j, 1] - v
        if abs(dv) > 1e-12:
            for side in range(2):
                edge = r if side == 0 else -r
                t = (edge - v) / dv
                if 0.0 < t < 1.0:
                    lo = min(lo, u + t * du)
                    hi = max(hi, u + t * du)
            length = np.sqrt(du * du + dv * dv)
            nu = dv / length
            nv = -du / length
            for side in range(2):
                sign = 1.0 if side == 0 else -1.0
                t = (-sign * r * nv - v) / dv
                if 0.0 < t < 1.0:
                    s = u + t * du + sign * r * nu
                    lo = min(lo, s)
                    hi = max(hi, s)
    return lo, hi


@pasted
def _keep_near(f, px, py, frame, r, u0, u1, corners, tri, n):
    """Write face f, in the line's frame, as triangle n of tri, see `gather`; returns whether it comes near the line."""
    a, b, c, d, scale = frame
    v_low = np.inf
    v_high = -np.inf
    u_low = np.inf
    u_high = -np.inf
    for e in range(3):
        x = corners[f, e, 0] - px
        y = corners[f, e, 1] - py
        v = c * x + d * y
        u = a * x + b * y
        u_low = min(u_low, u)
        u_high = max(u_high, u)
        tri[n, 3 * e] = u
        tri[n, 3 * e + 1] = v
        tri[n, 3 * e + 2] = corners[f, e, 2]
        v_low = min(v_low, v)
        v_high = max(v_high, v)
    if v_low >= r or v_high <= -r or u_high < u0 * scale - r or u_low > u1 * scale + r:
        return False
    # no part of it comes nearer to the line than this, so nothing more is forbidden
    nearest = max(v_low, -v_high, 0.0)
    more = np.sqrt(r * r - nearest * nearest) + 1e-9
    tri[n, BEGIN] = u_low - more
    tri[n, FINISH] = u_high + more
    tri[n, UPPER] = np.nan
    return True


@bare
def gather(px, py, frame, body, u0, u1, z_low, z_high, mark, bins, coarse, work):
    """Triangles near a line from true u0 to u1 mm, in the line's frame.

    body, bins, coarse and work as in links_climb; mark: a number not used before. Writes work's tri (n, COLUMNS) float64 (U, V, z
    of three corners, lowest and highest z, first and last U that it may forbid, nan for the caller's use) and ids (n,) int32;
    returns their number (at most the buffers' length).
    """
    r, reach = body[0], body[1]
    corners, box = bins[3], bins[4]
    grid, start, items = coarse
    tri, ids, stamp = work[3], work[4], work[5]
    a, b, c, d, scale = frame
    # plan direction of the line: the frame's U row need not be it for ovals, so undo the map
    det = a * d - b * c
    lx = d / det * scale
    ly = -c / det * scale
    x_low = px + min(u0 * lx, u1 * lx) - reach
    x_high = px + max(u0 * lx, u1 * lx) + reach
    y_low = py + min(u0 * ly, u1 * ly) - reach
    y_high = py + max(u0 * ly, u1 * ly) + reach
    nx = int(grid[3])
    ny = int(grid[4])
    i0 = max(int(np.floor((x_low - grid[0]) / grid[2])), 0)
    i1 = min(int(np.floor((x_high - grid[0]) / grid[2])), nx - 1)
    j0 = max(int(np.floor((y_low - grid[1]) / grid[2])), 0)
    j1 = min(int(np.floor((y_high - grid[1]) / grid[2])), ny - 1)
    half = 0.5 * grid[2]
    cell_reach = half * (abs(c) + abs(d)) + r
    n = 0
    for j in range(j0, j1 + 1):
        for i in range(i0, i1 + 1):
            qx = grid[0] + i * grid[2] + half - px
            qy = grid[1] + j * grid[2] + half - py
            if abs(c * qx + d * qy) > cell_reach:
                continue
            cell = j * nx + i
            for k in range(start[cell], start[cell + 1]):
                f = items[k]
                if stamp[f] == mark:
                    continue
                stamp[f] = mark
                if box[f, 0] > x_high or box[f, 2] < x_low or box[f, 1] > y_high or box[f, 3] < y_low:
                    continue
                if box[f, 4] > z_high or box[f, 5] < z_low:
                    continue
                # the box as the line sees it: most triangles lie beside the line
                mx = 0.5 * (box[f, 0] + box[f, 2]) - px
                my = 0.5 * (box[f, 1] + box[f, 3]) - py
                wide = 0.5 * (box[f, 2] - box[f, 0])
                deep = 0.5 * (box[f, 3] - box[f, 1])
                if abs(c * mx + d * my) >= r + abs(c) * wide + abs(d) * deep:
                    continue
                low = min(corners[f, 0, 2], corners[f, 1, 2], corners[f, 2, 2])
                high = max(corners[f, 0, 2], corners[f, 1, 2], corners[f, 2, 2])
                if low > z_high or high < z_low or n >= tri.shape[0]:
                    continue
                if _keep_near(f, px, py, frame, r, u0, u1, corners, tri, n):
                    tri[n, LOW] = low
                    tri[n, HIGH] = high
                    ids[n] = f
                    n += 1
    return n


@bare
def first_free(u, u_most, z_low, z_high, r, tri, n, one, two):
    """First U from `u` outward where the disc is clear of everything between two heights; inf beyond u_most."""
    inner = r - TOUCH
    moved = True
    while moved:
        moved = False
        for k in range(n):
            if u <= tri[k, BEGIN] or u >= tri[k, FINISH] or tri[k, HIGH] <= z_low or tri[k, LOW] >= z_high:
                continue
            lo, hi = forbidden(tri, k, z_low, z_high, inner, one, two)
            if lo < u < hi:
                u = hi + 1e-6
                moved = True
                if u > u_most:
                    return np.inf
    return u


@bare
def first_block(u0, u1, z_low, z_high, r, tri, n, one, two):
    """Triangle (index into tri) that the disc meets between u0 and u1, -1 none."""
    inner = r - TOUCH
    for k in range(n):
        if u1 <= tri[k, BEGIN] or u0 >= tri[k, FINISH] or tri[k, HIGH] <= z_low or tri[k, LOW] >= z_high:
            continue
        lo, hi = forbidden(tri, k, z_low, z_high, inner, one, two)
        if lo < u1 and hi > u0 and lo < hi:
            return k
    return -1


@bare
def any_place(x, y, highest, reach, want, grid, start, pos, flags):
    """Whether a place with all flags `want` lies in a plan square around a point, no higher than `highest`."""
    pitch = grid[2]
    nx = int(grid[3])
    ny = int(grid[4])
    i0 = max(int(np.floor((x - reach - grid[0]) / pitch)), 0)
    i1 = min(int(np.ceil((x + reach - grid[0]) / pitch)), nx - 1)
    j0 = max(int(np.floor((y - reach - grid[1]) / pitch)), 0)
    j1 = min(int(np.ceil((y + reach - grid[1]) / pitch)), ny - 1)
    for j in range(j0, j1 + 1):
        for i in range(i0, i1 + 1):
            c = j * nx + i
            for p in range(start[c], start[c + 1]):
                if flags[p] & want == want and pos[p, 2] <= highest:
                    return True
    return False


@bare
def near_place(x, y, z, down, up, reach, want, grid, start, pos, flags):
    """Nearest place with all flags `want` to a plan point, its height from z - down to z + up, within reach mm; -1 none.

    grid: (5,) float64 x0, y0, pitch, nx, ny of the places' columns.
    """
    pitch = grid[2]
    nx = int(grid[3])
    ny = int(grid[4])
    i = int(np.floor((x - grid[0]) / pitch + 0.5))
    j = int(np.floor((y - grid[1]) / pitch + 0.5))
    ring = int(np.ceil(reach / pitch + 0.75))
    best = -1
    least = reach * reach
    for jj in range(max(j - ring, 0), min(j + ring, ny - 1) + 1):
        for ii in range(max(i - ring, 0), min(i + ring, nx - 1) + 1):
            c = jj * nx + ii
            for p in range(start[c], start[c + 1]):
                if flags[p] & want != want:
                    continue
                dz = pos[p, 2] - z
                if dz < -down or dz > up:
                    continue
                dx = pos[p, 0] - x
                dy = pos[p, 1] - y
                # heights part floors, distance decides on one floor
                d = dx * dx + dy * dy + 0.01 * dz * dz
                if d <= least:
                    least = d
                    best = p
    return best
