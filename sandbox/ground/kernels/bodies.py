"""Room for a body at one point: the joined floor that carries it, and the plan distance to what it may not enter.

Distances are scaled so that the base is a circle (see `plan`). Tuples stand for the arrays of one window:
faces = (corners, box, low, high, flags, part, tops of the parts), bins = (start, item, x0, y0, size, nx, ny), floors = bins of the faces that may be floor,
columns = (sample_start, z, x0, y0, pitch, nx, ny, kept), treads = (faces,) float64 (see `_tread_of`),
steps = (up, down, tan of walk_slope), metric = (m00, m01, m10, m11),
scratch = ((18, 3) float64, (MOST_NEAR, 6) float64, (faces,) int32).
"""

from __future__ import annotations

import numpy as np

from sandbox.compiling import bare, bare_kernel, inner, pasted
from sandbox.ground.kernels.plan import clip_to_slab, polygon_distance
from sandbox.ground.kernels.voids import bin_span

UNDER_MM = 0.25
"""The body is judged from this height above the floor that carries it."""
_HEAD_MM = 0.025
MOST_NEAR = 96
THIN_TREAD = 1e7
"""Added to the height of a tread that is a thin top, mm."""

OPEN_MODE, OVER_MODE, CLEAR_MODE = 0, 1, 2
FLOOR_FLAG = 1
CROSS_FLAG = 2
BARRED_FLAG = 4
THIN_FLAG = 8


@bare
def gather(x, y, half, low_z, high_z, joined, bottom, faces, bins, treads, stamp, mark, buffer):
    """Faces whose boxes meet a square and a height range.

    Leaves out floor that ends no higher than `joined`, and risers like it that are known to lead to floor above the body's
    `bottom`: what `room` would not count. Writes their ids to buffer; returns how many, and whether an obstacle is among them.
    """
    _, box, low, high, flags, _, _ = faces
    start, item, bx0, by0, size, nx, ny = bins
    i0, i1 = bin_span(x - half, x + half, bx0, size, nx)
    j0, j1 = bin_span(y - half, y + half, by0, size, ny)
    n = 0
    crossing = False
    for j in range(j0, j1 + 1):
        for i in range(i0, i1 + 1):
            b = j * nx + i
            for k in range(start[b], start[b + 1]):
                f = item[k]
                if high[f] < low_z or low[f] > high_z or stamp[f] == mark:
                    continue
                stamp[f] = mark
                if (
                    box[f, 0] > x + half
                    or box[f, 2] < x - half
                    or box[f, 1] > y + half
                    or box[f, 3] < y - half
                ):
                    continue
                if (
                    high[f] <= joined
                    and flags[f] & (CROSS_FLAG | BARRED_FLAG) == 0
                    and (flags[f] & FLOOR_FLAG != 0 or _leads_up(treads[f], bottom, joined))
                ):
                    continue
                if n < buffer.shape[0]:
                    buffer[n] = f
                    n += 1
                    if flags[f] & CROSS_FLAG != 0:
                        crossing = True
    return n, crossing


@bare_kernel
def joined_floor(x, y, z, radius, columns, metric, steps, heights):
    """Heights of the floor inside a base's outline that joins the floor under its centre.

    In each column of the outline the floor nearest to z counts, where it differs by at most a free step plus the
    distance times the slope. Writes (dx, dy, dz) rows to heights (k, 3) when it has room; returns the highest joined
    height, the number of rows, and the number of columns in the outline without any.
    """
    sample_start, zs, x0, y0, pitch, nx, ny, kept = columns
    m00, m01, m10, m11 = metric
    up, down, tan = steps
    reach = radius / min(np.hypot(m00, m10), np.hypot(m01, m11)) if m01 != 0.0 or m00 != 1.0 else radius
    reach = max(reach, radius)
    i0 = max(0, int(np.ceil((x - reach - x0) / pitch)))
    i1 = min(nx - 1, int(np.floor((x + reach - x0) / pitch)))
    j0 = max(0, int(np.ceil((y - reach - y0) / pitch)))
    j1 = min(ny - 1, int(np.floor((y + reach - y0) / pitch)))
    highest = z
    n = 0
    bare = 0
    for j in range(j0, j1 + 1):
        dy = y0 + j * pitch - y
        for i in range(i0, i1 + 1):
            dx = x0 + i * pitch - x
            sx = m00 * dx + m01 * dy
            sy = m10 * dx + m11 * dy
            if sx * sx + sy * sy > radius * radius:
                continue
            d = np.sqrt(dx * dx + dy * dy)
            c = j * nx + i
            best = np.inf
            for k in range(sample_start[c], sample_start[c + 1]):
                level = kept[k]
                if level == 0:
                    continue
                dz = zs[k] - z
                if dz > up + d * tan or dz < -down - d * tan:
                    continue
                if level == 2 and dz > up:
                    continue  # a thin top higher than a free step is no floor
                if abs(dz) < abs(best):
                    best = dz
            if best == np.inf:
                bare += 1
                continue
            if n < heights.shape[0]:
                heights[n, 0] = dx
                heights[n, 1] = dy
                heights[n, 2] = best
                n += 1
            highest = max(highest, z + best)
    return highest, n, bare


@inner
def lifted(x, y, z, under, radius, faces, floors, metric, steps):
    """Underside of the body, raised to level treads that its outline reaches between two columns."""
    corners, box, low, high, flags, _, _ = faces
    start, item, bx0, by0, size, nx, ny = floors
    m00, m01, m10, m11 = metric
    up, _, tan = steps
    reach = radius / (m00 * m11 - m01 * m10)
    top = z + up + reach * tan
    i0, i1 = bin_span(x - reach, x + reach, bx0, size, nx)
    j0, j1 = bin_span(y - reach, y + reach, by0, size, ny)
    poly = np.empty((3, 3), np.float64)
    for j in range(j0, j1 + 1):
        for i in range(i0, i1 + 1):
            b = j * nx + i
            for k in range(start[b], start[b + 1]):
                f = item[k]
                if high[f] <= under + 0.02 or high[f] > top or high[f] - low[f] > 0.1:
                    continue
                if flags[f] & FLOOR_FLAG == 0 or flags[f] & (CROSS_FLAG | BARRED_FLAG) != 0:
                    continue
                wide = max(box[f, 0] - x, x - box[f, 2], 0.0)
                deep = max(box[f, 1] - y, y - box[f, 3], 0.0)
                away2 = wide * wide + deep * deep
                if away2 >= reach * reach:
                    continue
                if flags[f] & THIN_FLAG != 0 and high[f] > z + up:
                    continue
                for c in range(3):
                    for a in range(3):
                        poly[c, a] = corners[f, c, a]
                d, fx, fy, _ = polygon_distance(poly, 3, x, y, m00, m01, m10, m11)
                if d < radius - 0.0125 and high[f] <= z + up + np.hypot(fx - x, fy - y) * tan:
                    under = high[f]
    return under


@bare
def highest_over(x, y, z, a, b, c, radius, faces, floors, metric, steps, poly):
    """How far floor that the outline reaches, and that joins the floor z under the centre, stands above a plane
    c + a dx + b dy (heights over z); 0 where none does."""
    corners, box, low, high, flags, _, _ = faces
    start, item, bx0, by0, size, nx, ny = floors
    m00, m01, m10, m11 = metric
    up, _, tan = steps
    reach = radius / (m00 * m11 - m01 * m10)
    worst = 0.0
    i0, i1 = bin_span(x - reach, x + reach, bx0, size, nx)
    j0, j1 = bin_span(y - reach, y + reach, by0, size, ny)
    for j in range(j0, j1 + 1):
        for i in range(i0, i1 + 1):
            q = j * nx + i
            for k in range(start[q], start[q + 1]):
                f = item[k]
                if high[f] <= z + 0.5 or low[f] > z + up + reach * tan:
                    continue
                if flags[f] & FLOOR_FLAG == 0 or flags[f] & (CROSS_FLAG | BARRED_FLAG | THIN_FLAG) != 0:
                    continue
                wide = max(box[f, 0] - x, x - box[f, 2], 0.0)
                deep = max(box[f, 1] - y, y - box[f, 3], 0.0)
                if wide * wide + deep * deep >= reach * reach:
                    continue
                for e in range(3):
                    for g in range(3):
                        poly[e, g] = corners[f, e, g]
                d, fx, fy, fz = polygon_distance(poly, 3, x, y, m00, m01, m10, m11)
                if d >= radius - 0.0125 or fz > z + up + np.hypot(fx - x, fy - y) * tan:
                    continue
                if d == 0.0:
                    fz = _plane_height(corners, f, x, y)
                worst = max(worst, fz - z - c - a * (fx - x) - b * (fy - y))
    return worst


@pasted
def _joins_whole(f, away2, bottom, level, tan, faces, floors, treads, poly):
    """Whether a whole face is joined floor, or leads up to it, and needs no second look.

    away2: squared distance to its box; level: a free step above the floor under the centre.
    """
    high, flags = faces[3], faces[4]
    if flags[f] & FLOOR_FLAG != 0:
        return high[f] <= level + 0.025 or (
            flags[f] & THIN_FLAG == 0 and high[f] <= level + np.sqrt(away2) * tan + 0.025
        )
    if high[f] > level + np.sqrt(away2) * tan + 0.025:
        return False
    if np.isnan(treads[f]):
        treads[f] = _tread_of(f, faces, floors, poly)
    return _leads_up(treads[f], bottom, level + 0.025)


@pasted
def _beyond_joined(f, d, fx, fy, fz, x, y, bottom, top, level, tan, faces, floors, metric, poly):
    """Distance to what of a face is no joined floor and no riser that leads up to it, and its nearest point.

    d, fx, fy, fz: the same for all that the body meets of it; returns inf where nothing is left.
    """
    corners, _, _, high, flags, _, _ = faces
    m00, m01, m10, m11 = metric
    flat = np.sqrt((fx - x) ** 2 + (fy - y) ** 2)
    joins = level + flat * tan + 0.025
    if fz > joins:
        return d, fx, fy, fz
    if flags[f] & FLOOR_FLAG != 0:
        if fz <= level + 0.025 or flags[f] & THIN_FLAG == 0:
            d = np.inf
        return d, fx, fy, fz
    # What stands above everything that could be joined is in the way, whatever is below it.
    upper = np.inf
    k = clip_to_slab(corners, f, joins, top, poly) if high[f] > joins and top > joins else 0
    if k > 0:
        upper, _, _, _ = polygon_distance(poly, k, x, y, m00, m01, m10, m11)
    riser = -np.inf
    if upper > d + 0.005:
        riser = _riser_top(fx, fy, bottom, joins, level + 0.025, faces, floors, poly)
    if riser > bottom:
        k = clip_to_slab(corners, f, riser + 0.05, top, poly)
        if k == 0:
            return np.inf, fx, fy, fz
        d, fx, fy, fz = polygon_distance(poly, k, x, y, m00, m01, m10, m11)
    return d, fx, fy, fz


@pasted
def _keep(near, count, d, fx, fy, fz, part, crossing):
    """Put a face among the nearest, in the place of the farthest where there is no more room; how many there are."""
    at = count
    if count == MOST_NEAR:
        at = 0
        for w in range(1, MOST_NEAR):
            if near[w, 0] > near[at, 0]:
                at = w
        if d >= near[at, 0]:
            return count
    near[at, 0] = d
    near[at, 1] = fx
    near[at, 2] = fy
    near[at, 3] = fz
    near[at, 4] = part
    near[at, 5] = 1.0 if crossing else 0.0
    return min(count + 1, MOST_NEAR)


@pasted
def _two_nearest(near, count, x, y, answer):
    """Write the nearest of some faces to a room's answer, and the nearest in another direction."""
    answer[0] = np.inf
    answer[4] = -1.0
    answer[5] = np.inf
    answer[12] = 0.0
    answer[13] = 0.0
    first = -1
    for c in range(count):
        if near[c, 0] < answer[0]:
            answer[0] = near[c, 0]
            first = c
    if first < 0:
        return
    answer[1] = near[first, 1]
    answer[2] = near[first, 2]
    answer[3] = near[first, 3]
    answer[4] = near[first, 4]
    answer[12] = near[first, 5]
    ux = answer[1] - x
    uy = answer[2] - y
    u = np.sqrt(ux * ux + uy * uy)
    for c in range(count):
        if near[c, 0] < answer[5]:
            vx = near[c, 1] - x
            vy = near[c, 2] - y
            v = np.sqrt(vx * vx + vy * vy)
            if ux * vx + uy * vy < 0.95 * u * v:
                answer[5] = near[c, 0]
                answer[6] = near[c, 1]
                answer[7] = near[c, 2]
                answer[13] = near[c, 5]


@bare
def room(
    x, y, z, under, height, radius, margin, enough, buffer, n, treads, faces, floors, metric, steps, mode, scratch,
    answer,
):  # fmt: skip
    """Plan distance from a centre to what the body may not enter.

    z: floor under the centre; under: underside of the body; mode: OPEN_MODE notes what obstacles are overlapped,
    OVER_MODE takes the body as lifted over them, CLEAR_MODE counts them as walls. enough: something nearer than this ends the search, the answer then says no more than "too near".
    Writes to answer (14,): 0 distance, 1-2 nearest point, 3 its z, 4 its part, 5 second distance (in
    another direction), 6-7 its point, 8 top of the overlapped obstacles (-inf none), 9 part of the highest of them,
    10 its distance, 11 how many faces are that near at all (written to scratch), 12-13 whether the first and the second are
    an obstacle's. Distances of at least radius + margin are inf.
    """
    corners, box, low, high, flags, part, tops = faces
    m00, m01, m10, m11 = metric
    up, down, tan = steps
    poly, near, close = scratch
    count = 0
    kept = 0
    answer[8], answer[9], answer[10], answer[11] = -np.inf, -1.0, np.inf, 0.0
    level = z + up
    limit = radius + margin
    far2 = limit * limit
    if m01 != 0.0 or m00 != 1.0 or m11 != 1.0:
        far2 /= (m00 * m11 - m01 * m10) ** 2
    top = under + height - _HEAD_MM
    for b in range(n):
        f = buffer[b]
        bottom = under + UNDER_MM
        crossing = flags[f] & CROSS_FLAG != 0
        if flags[f] & BARRED_FLAG != 0:
            bottom = z - down
        elif crossing:
            if mode == OVER_MODE:
                continue
            bottom = z + UNDER_MM
        if high[f] < bottom or low[f] > top:
            continue
        wide = max(box[f, 0] - x, x - box[f, 2], 0.0)
        deep = max(box[f, 1] - y, y - box[f, 3], 0.0)
        away2 = wide * wide + deep * deep
        if away2 >= far2:
            continue
        plain = mode != OVER_MODE and not crossing and flags[f] & BARRED_FLAG == 0
        if plain and _joins_whole(f, away2, bottom, level, tan, faces, floors, treads, poly):
            continue
        k = clip_to_slab(corners, f, bottom, top, poly)
        if k == 0:
            continue
        d, fx, fy, fz = polygon_distance(poly, k, x, y, m00, m01, m10, m11)
        if d >= limit:
            continue
        close[kept] = f
        kept += 1
        answer[11] = kept
        if crossing and mode == OPEN_MODE:
            if d < radius - 0.0125:
                # The obstacle's own top counts, not this face's.
                if tops[part[f]] > answer[8]:
                    answer[8] = tops[part[f]]
                    answer[9] = part[f]
                answer[10] = min(answer[10], d)
            continue
        if plain:
            d, fx, fy, fz = _beyond_joined(
                f, d, fx, fy, fz, x, y, bottom, top, level, tan, faces, floors, metric, poly
            )
            if d >= limit:
                continue
        if d < enough:
            answer[0] = d
            answer[1] = fx
            answer[2] = fy
            answer[3] = fz
            answer[4] = part[f]
            answer[5] = np.inf
            return
        count = _keep(near, count, d, fx, fy, fz, part[f], crossing)
    _two_nearest(near, count, x, y, answer)


@bare
def surely_blocked(x, y, z, under, height, near, buffer, n, faces, metric, steps, poly, where):
    """Whether something stands in the body nearer than `near`, above all that could be joined floor.

    A quick look before `room`: returns the face, -1 none, and writes the point to where (3,).
    """
    corners, box, _, high, flags, _, _ = faces
    m00, m01, m10, m11 = metric
    up, _, tan = steps
    top = under + height - _HEAD_MM
    scale = m00 * m11 - m01 * m10
    reach = near / scale
    bottom = max(under + UNDER_MM, z + up + reach * tan + 0.03)
    if bottom >= top:
        return -1
    for b in range(n):
        f = buffer[b]
        if high[f] <= bottom or flags[f] & CROSS_FLAG != 0:
            continue
        wide = max(box[f, 0] - x, x - box[f, 2], 0.0)
        deep = max(box[f, 1] - y, y - box[f, 3], 0.0)
        if wide * wide + deep * deep >= reach * reach:
            continue
        k = clip_to_slab(corners, f, bottom, top, poly)
        if k == 0:
            continue
        d, fx, fy, fz = polygon_distance(poly, k, x, y, m00, m01, m10, m11)
        if d < near:
            where[0] = fx
            where[1] = fy
            where[2] = fz
            return f
    return -1


@bare
def _tread_of(f, faces, floors, poly):
    """Height of the floor at the upper end of steep face f, -inf where floor does not run along the whole of that end.

    A thin top is told by adding THIN_TREAD. One number for both, so that threads may share what they found.
    """
    corners, _, _, high, _, _, _ = faces
    lowest = np.inf
    thin = False
    for a in range(3):
        for c in range(a, 3):
            # its highest corners, and the middles of edges between them
            if corners[f, a, 2] < high[f] - 0.05 or corners[f, c, 2] < high[f] - 0.05:
                continue
            x = 0.5 * (corners[f, a, 0] + corners[f, c, 0])
            y = 0.5 * (corners[f, a, 1] + corners[f, c, 1])
            h, t = floor_touching(x, y, high[f] - 0.1, high[f] + 0.1, faces, floors, poly)
            if h == -np.inf:
                return -np.inf
            lowest = min(lowest, h)
            thin = thin or t > 0.0
    return lowest + THIN_TREAD if thin else lowest


@pasted
def _leads_up(tread, bottom, step_top):
    """Whether a steep face's tread (see `_tread_of`) lies above a body's bottom; a thin top only up to `step_top`."""
    if tread > 0.5 * THIN_TREAD:
        return bottom <= tread - THIN_TREAD <= step_top
    return tread >= bottom


@bare
def floor_touching(x, y, low_z, high_z, faces, floors, poly):
    """Highest floor, obstacles' tops left out, that touches a plan point (within 0.1 mm) in a height range: (height or -inf, 1.0 for a thin
    top)."""
    corners, box, low, high, flags, _, _ = faces
    start, item, bx0, by0, size, nx, ny = floors
    slack = 0.1
    best = -np.inf
    thin = 0.0
    i0, i1 = bin_span(x - slack, x + slack, bx0, size, nx)
    j0, j1 = bin_span(y - slack, y + slack, by0, size, ny)
    for j in range(j0, j1 + 1):
        for i in range(i0, i1 + 1):
            b = j * nx + i
            for k in range(start[b], start[b + 1]):
                f = item[k]
                if flags[f] & FLOOR_FLAG == 0 or flags[f] & CROSS_FLAG != 0:
                    continue
                if low[f] > high_z or high[f] < low_z:
                    continue
                if (
                    box[f, 0] > x + slack
                    or box[f, 2] < x - slack
                    or box[f, 1] > y + slack
                    or box[f, 3] < y - slack
                ):
                    continue
                for c in range(3):
                    for a in range(3):
                        poly[c, a] = corners[f, c, a]
                d, _, _, h = polygon_distance(poly, 3, x, y, 1.0, 0.0, 0.0, 1.0)
                if d > slack:
                    continue
                if d == 0.0:
                    h = _plane_height(corners, f, x, y)
                if low_z <= h <= high_z and h > best:
                    best = h
                    thin = 1.0 if flags[f] & THIN_FLAG != 0 else 0.0
    return best, thin


@bare
def _riser_top(fx, fy, bottom, joins, step_top, faces, floors, poly):
    """Height of a joined floor that a steep face leads up to at a plan point, -inf none."""
    h, thin = floor_touching(fx, fy, bottom, joins, faces, floors, poly)
    if h > step_top and thin > 0.0:
        return -np.inf
    return h


@pasted
def _plane_height(corners, f, px, py):
    ux = corners[f, 1, 0] - corners[f, 0, 0]
    uy = corners[f, 1, 1] - corners[f, 0, 1]
    vx = corners[f, 2, 0] - corners[f, 0, 0]
    vy = corners[f, 2, 1] - corners[f, 0, 1]
    det = ux * vy - uy * vx
    if abs(det) < 1e-12:
        return corners[f, 0, 2]
    s = ((px - corners[f, 0, 0]) * vy - (py - corners[f, 0, 1]) * vx) / det
    t = (ux * (py - corners[f, 0, 1]) - uy * (px - corners[f, 0, 0])) / det
    return (
        corners[f, 0, 2]
        + s * (corners[f, 1, 2] - corners[f, 0, 2])
        + t * (corners[f, 2, 2] - corners[f, 0, 2])
    )
