"""Closing of floor by a disc, exactly: the discs of that size that fit beside a lip without touching floor.

Floor closed by a disc of radius r is everything that no *void disc* covers: a disc of radius r with no floor of that
level in it. Each one that touches a lip is held by its centre, so the distance from a point to the closed floor's
border is the distance to the nearest centre less r.
"""

from __future__ import annotations

import numpy as np

from sandbox.compiling import bare, bare_kernel, kernel, pasted
from sandbox.ground.kernels.columns import height_over
from sandbox.ground.kernels.plan import nearest_on_segment

_TOLERANCE = (
    0.0125  # mm; half of the 0.05 mm snap on each side of a width, so that equality lets the mover pass
)


_FIT = 1e-3  # mm; discs of exactly the room there is fit


@pasted
def bin_span(lo, hi, origin, size, count):
    """First and last bin that a range touches, clamped to the border bins."""
    a = min(count - 1, max(0, int(np.floor((lo - origin) / size))))
    b = min(count - 1, max(0, int(np.floor((hi - origin) / size))))
    return a, b


@bare
def lip_distance(x, y, z, lip_a, lip_b, start, item, bx0, by0, bsize, bnx, bny, reach, up, down):
    """Plan distance from a point to the nearest lip of its level, at most `reach`."""
    best = reach
    i0, i1 = bin_span(x - reach, x + reach, bx0, bsize, bnx)
    j0, j1 = bin_span(y - reach, y + reach, by0, bsize, bny)
    for j in range(j0, j1 + 1):
        for i in range(i0, i1 + 1):
            b = j * bnx + i
            for k in range(start[b], start[b + 1]):
                s = item[k]
                t = nearest_on_segment(lip_a[s, 0], lip_a[s, 1], lip_b[s, 0], lip_b[s, 1], x, y)
                qx = lip_a[s, 0] + t * (lip_b[s, 0] - lip_a[s, 0]) - x
                qy = lip_a[s, 1] + t * (lip_b[s, 1] - lip_a[s, 1]) - y
                d = np.sqrt(qx * qx + qy * qy)
                if d < best:
                    qz = lip_a[s, 2] + t * (lip_b[s, 2] - lip_a[s, 2])
                    if z - down <= qz <= z + up:
                        best = d
    return best


@bare
def over_floor(x, y, z, corners, flags, start, item, fx0, fy0, fsize, fnx, fny, up, down):
    """Whether walkable surface of that level lies at a plan point."""
    i0, i1 = bin_span(x, x, fx0, fsize, fnx)
    j0, j1 = bin_span(y, y, fy0, fsize, fny)
    b = j0 * fnx + i0
    for k in range(start[b], start[b + 1]):
        f = item[k]
        if flags[f] & 1 == 0:
            continue
        if not z - down <= height_over(corners, f, x, y) <= z + up:
            continue
        return True
    return False


@kernel
def floor_above(voids, face_arrays, face_bins, up):
    """(n, 1) height of the next walkable surface over the centre of each void disc, above its lip's level; inf none."""
    corners, flags = face_arrays
    start, item, x0, y0, size, nx, ny = face_bins
    out = np.full((voids.shape[0], 1), np.inf)
    for v in range(voids.shape[0]):
        x = voids[v, 0]
        y = voids[v, 1]
        i, _ = bin_span(x, x, x0, size, nx)
        j, _ = bin_span(y, y, y0, size, ny)
        b = j * nx + i
        for k in range(start[b], start[b + 1]):
            f = item[k]
            if flags[f] & 1 == 0:
                continue
            h = height_over(corners, f, x, y)
            if voids[v, 2] + up < h < out[v, 0]:
                out[v, 0] = h
    return out


@pasted
def is_void_for(voids, v, z, far, up, down):
    """Whether a void disc ends the floor of height z that is `far` from it: its lip is joined to that floor, floor
    below the lip is no void for whoever stands on it, and floor that goes on over the disc has none."""
    return (
        z - down - far <= voids[v, 2] <= z + up + far
        and z - voids[v, 5] > down
        and not z - down <= voids[v, 6] <= z + up
    )


@kernel
def find_voids(
    lip_a, lip_b, lip_out, lip_drop, which, lip_bins, face_arrays, face_bins, radius, spacing, up, down
):
    """Void discs of a radius beside some lips.

    which: (k,) the lips that are asked about, all others being there as well. lip_bins: (start, item, x0, y0, size, nx,
    ny); face_arrays: (corners, flags); face_bins like lip_bins. Returns (n, 6) float64: centre x, y, level z, contact x, y,
    and the height of the floor below the lip (-inf none), and (k,) how many there are up to each lip's last.
    """
    n = np.int64(0)
    out = np.empty((1024, 6), np.float64)
    ends = np.zeros(which.shape[0], np.int64)
    for q in range(which.shape[0]):
        s = which[q]
        ox = lip_out[s, 0]
        oy = lip_out[s, 1]
        dx = lip_b[s, 0] - lip_a[s, 0]
        dy = lip_b[s, 1] - lip_a[s, 1]
        length = np.sqrt(dx * dx + dy * dy)
        pieces = max(1, int(np.ceil(length / spacing)))
        before = -1.0
        last = -1.0
        for k in range(pieces + 1):
            t = k / pieces
            room = _clearance(lip_a, lip_b, s, t, ox, oy, lip_bins, face_arrays, face_bins, radius, up, down)
            if n + 4 >= out.shape[0]:
                more = np.empty((2 * out.shape[0], 6), np.float64)
                more[:n] = out[:n]
                out = more
            fits = room >= radius - _FIT
            if k > 0 and fits != (last >= radius - _FIT):
                # Where the disc begins to fit is a corner of the closed floor: find it exactly.
                good = t if fits else (k - 1) / pieces
                bad = (k - 1) / pieces if fits else t
                for _ in range(7):
                    half = 0.5 * (good + bad)
                    if (
                        _clearance(
                            lip_a, lip_b, s, half, ox, oy, lip_bins, face_arrays, face_bins, radius, up, down
                        )
                        >= radius - _FIT
                    ):
                        good = half
                    else:
                        bad = half
                n = _put(out, n, lip_a, lip_b, s, good, ox, oy, radius, lip_drop)
            # A disc may fit at one point between two tries only: where room is greatest.
            if k > 1 and last < radius - _FIT and last > radius - spacing and last >= before and last >= room:
                low = (k - 2) / pieces
                high = t
                for _ in range(14):
                    a = low + (high - low) / 3.0
                    b = high - (high - low) / 3.0
                    at_a = _clearance(
                        lip_a, lip_b, s, a, ox, oy, lip_bins, face_arrays, face_bins, radius, up, down
                    )
                    at_b = _clearance(
                        lip_a, lip_b, s, b, ox, oy, lip_bins, face_arrays, face_bins, radius, up, down
                    )
                    if at_a < at_b:
                        low = a
                    else:
                        high = b
                    if max(at_a, at_b) >= radius - _FIT:
                        n = _put(out, n, lip_a, lip_b, s, a if at_a >= at_b else b, ox, oy, radius, lip_drop)
                        break
            if fits:
                n = _put(out, n, lip_a, lip_b, s, t, ox, oy, radius, lip_drop)
            before = last
            last = room
        ends[q] = n
    return out[:n].copy(), ends


@bare
def _put(out, n, lip_a, lip_b, s, t, ox, oy, radius, drop):
    x = lip_a[s, 0] + t * (lip_b[s, 0] - lip_a[s, 0])
    y = lip_a[s, 1] + t * (lip_b[s, 1] - lip_a[s, 1])
    z = lip_a[s, 2] + t * (lip_b[s, 2] - lip_a[s, 2])
    out[n, 0] = x + ox * radius
    out[n, 1] = y + oy * radius
    out[n, 2] = z
    out[n, 3] = x
    out[n, 4] = y
    out[n, 5] = z - drop[s]
    return n + 1


@bare
def _clearance(lip_a, lip_b, s, t, ox, oy, lip_bins, face_arrays, face_bins, radius, up, down):
    """Distance to the nearest lip from the centre of the disc that touches lip s at parameter t; -1 over floor."""
    start, item, bx0, by0, bsize, bnx, bny = lip_bins
    corners, flags = face_arrays
    fstart, fitem, fx0, fy0, fsize, fnx, fny = face_bins
    x = lip_a[s, 0] + t * (lip_b[s, 0] - lip_a[s, 0]) + ox * radius
    y = lip_a[s, 1] + t * (lip_b[s, 1] - lip_a[s, 1]) + oy * radius
    z = lip_a[s, 2] + t * (lip_b[s, 2] - lip_a[s, 2])
    d = lip_distance(x, y, z, lip_a, lip_b, start, item, bx0, by0, bsize, bnx, bny, radius + 1.0, up, down)
    if d >= radius - 0.3 and over_floor(
        x, y, z, corners, flags, fstart, fitem, fx0, fy0, fsize, fnx, fny, up, down
    ):
        return -1.0
    return d


@bare_kernel
def void_distance(x, y, z, voids, start, item, bx0, by0, bsize, bnx, bny, radius, reach, up, down):
    """Distance from a point to the border of closed floor (negative: in a void), at most `reach`, and the nearest
    void disc (-1 none)."""
    best = reach
    which = -1
    half = reach + radius
    best2 = half * half
    i0, i1 = bin_span(x - half, x + half, bx0, bsize, bnx)
    j0, j1 = bin_span(y - half, y + half, by0, bsize, bny)
    for j in range(j0, j1 + 1):
        for i in range(i0, i1 + 1):
            b = j * bnx + i
            for k in range(start[b], start[b + 1]):
                v = item[k]
                dx = voids[v, 0] - x
                dy = voids[v, 1] - y
                d2 = dx * dx + dy * dy
                if d2 < best2:
                    d = np.sqrt(d2) - radius
                    if is_void_for(voids, v, z, max(d, 0.0), up, down):
                        best = d
                        best2 = d2
                        which = v
    return best, which


@bare
def in_opened(x, y, z, voids, start, item, bx0, by0, bsize, bnx, bny, radius, up, down, disc):
    """Whether the point lies in closed floor opened by a disc of radius `disc`: some such disc that holds the point
    lies in the floor. The disc is looked for by moving away from what it touches."""
    cx = x
    cy = y
    for _ in range(6):
        d, v = void_distance(
            cx, cy, z, voids, start, item, bx0, by0, bsize, bnx, bny, radius, disc + 0.5, up, down
        )
        if v < 0 or d >= disc - _TOLERANCE:
            return True
        ux = cx - voids[v, 0]
        uy = cy - voids[v, 1]
        length = np.sqrt(ux * ux + uy * uy)
        if length < 1e-9:
            return False
        cx += ux / length * (disc - d)
        cy += uy / length * (disc - d)
        if (cx - x) ** 2 + (cy - y) ** 2 > (disc + 2 * _TOLERANCE) ** 2:
            return False
    return False


@bare
def floor_width(x, y, z, voids, start, item, bx0, by0, bsize, bnx, bny, radius, up, down, most):
    """Diameter of the widest disc in the floor that is found by moving away from what is nearest, at most `most`."""
    cx = x
    cy = y
    best = 0.0
    for _ in range(12):
        d, v = void_distance(
            cx, cy, z, voids, start, item, bx0, by0, bsize, bnx, bny, radius, 0.5 * most + 0.5, up, down
        )
        if v < 0 or d >= 0.5 * most:
            return most
        best = max(best, 2.0 * d)
        ux = cx - voids[v, 0]
        uy = cy - voids[v, 1]
        length = max(np.sqrt(ux * ux + uy * uy), 1e-9)
        step = 0.25 * (0.5 * most - d)
        cx += ux / length * step
        cy += uy / length * step
    return best
