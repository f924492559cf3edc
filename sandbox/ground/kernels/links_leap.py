"""Kernels of leaps: straight lines over a gap, from a lip to a lip that faces it.

Tuples as in links_climb; lips = (a (n, 3), b, out (n, 2), rail (n,)), lip_cells = (grid, start, items).
"""

from __future__ import annotations

import numpy as np

from sandbox.compiling import bare, kernel, pasted
from sandbox.ground.kernels.links_body import first_block, first_free, gather, line_frame, near_place
from sandbox.ground.kernels.links_climb import STEP_DOWN, STEP_UP, UNDER, mount, rail_over
from sandbox.ground.kernels.links_over import make_work
from sandbox.ground.kernels.links_rows import WIDTH, put, put_back, room_for

LEAP = 2.0
BRIDGED = np.int64(9)  # to pass, over a bridged gap
MOST_HITS = 16


@bare
def _try_lip(f, px, py, dx, dy, longest, low, high, lips, hits, count):
    """Where a plan ray meets lip f from outside, put among `count` hits, nearest first; how many there are then."""
    a, b, out = lips[0], lips[1], lips[2]
    if out[f, 0] * dx + out[f, 1] * dy > -0.05:
        return count
    ax, ay = a[f, 0] - px, a[f, 1] - py
    ex, ey = b[f, 0] - a[f, 0], b[f, 1] - a[f, 1]
    det = dx * ey - dy * ex
    if abs(det) < 1e-12:
        return count
    t = (ax * ey - ay * ex) / det
    w = (ax * dy - ay * dx) / det
    if w < -1e-9 or w > 1.0 + 1e-9 or t < 0.5 or t > longest:
        return count
    z = a[f, 2] + w * (b[f, 2] - a[f, 2])
    if z < low or z > high or count == MOST_HITS:
        return count
    for h in range(count):
        if abs(hits[h, 0] - t) < 1e-6 and abs(a[int(hits[h, 1]), 2] - z) < 1.0:
            return count
    h = count - 1
    while h >= 0 and hits[h, 0] > t:
        hits[h + 1, 0] = hits[h, 0]
        hits[h + 1, 1] = hits[h, 1]
        h -= 1
    hits[h + 1, 0] = t
    hits[h + 1, 1] = f
    return count + 1


@bare
def cast_lips(px, py, dx, dy, longest, low, high, lips, cells, hits):
    """Lips that a plan ray meets from outside, nearest first, their heights from low to high.

    hits: (MOST_HITS, 2) buffer: distance and lip. Returns how many. The cells on the ray are visited one by one, after
    J. Amanatides and A. Woo, A Fast Voxel Traversal Algorithm for Ray Tracing (1987).
    """
    grid, start, items = cells
    size = grid[2]
    nx = int(grid[3])
    ny = int(grid[4])
    fx = (px - grid[0]) / size
    fy = (py - grid[1]) / size
    i = int(np.floor(fx))
    j = int(np.floor(fy))
    sx = 1 if dx > 0.0 else -1
    sy = 1 if dy > 0.0 else -1
    # distances along the ray from one cell border to the next, and to the first
    step_x = size / abs(dx) if abs(dx) > 1e-12 else np.inf
    step_y = size / abs(dy) if abs(dy) > 1e-12 else np.inf
    to_x = ((i + 1 - fx) if sx > 0 else (fx - i)) * step_x if step_x < np.inf else np.inf
    to_y = ((j + 1 - fy) if sy > 0 else (fy - j)) * step_y if step_y < np.inf else np.inf
    count = np.int64(0)
    gone = 0.0
    while gone <= longest and count < MOST_HITS:
        if 0 <= i < nx and 0 <= j < ny:
            c = j * nx + i
            for k in range(start[c], start[c + 1]):
                count = _try_lip(items[k], px, py, dx, dy, longest, low, high, lips, hits, count)
        if to_x <= to_y:
            gone = to_x
            to_x += step_x
            i += sx
        else:
            gone = to_y
            to_y += step_y
            j += sy
    return count


@bare
def _bridged(px, py, dx, dy, t, z, limits, places):
    """Whether a line over a gap is crossed in passing all along."""
    for q in range(3):
        s = (0.25 + 0.25 * q) * t
        p = near_place(
            px + s * dx, py + s * dy, z, limits[STEP_DOWN], limits[STEP_UP], 1.5 * places[0][2], BRIDGED, places[0], places[1],
            places[2], places[3],
        )  # fmt: skip
        if p < 0:
            return False
    return True


@pasted
def _faced(px, py, dx, dy, t, lip, lips):
    """The point of a lip that a line meets after t mm."""
    a, b = lips[0], lips[1]
    qx, qy = px + t * dx, py + t * dy
    ex = b[lip, 0] - a[lip, 0]
    ey = b[lip, 1] - a[lip, 1]
    w = ((qx - a[lip, 0]) * ex + (qy - a[lip, 1]) * ey) / max(ex * ex + ey * ey, 1e-12)
    return qx, qy, a[lip, 2] + w * (b[lip, 2] - a[lip, 2])


@pasted
def _clear_over(line, ends, z_low, z_over, z_down, frame, mark, body, bins, coarse, work):
    """Whether the body is clear on its way over a gap, and down to z_down at the far end (inf: it does not go down).

    line: (x, y) of the take-off; ends: (true distances along it, where the body begins and ends).
    """
    r, z_top = body[0], z_over + body[2]
    n = gather(line[0], line[1], frame, body, ends[0], ends[1], z_low, z_top, mark, bins, coarse, work)
    tri, one, two = work[3], work[6], work[7]
    u_on = ends[1] * frame[4]
    if first_block(ends[0] * frame[4], u_on, z_over + UNDER, z_top, r, tri, n, one, two) >= 0:
        return False
    return (
        z_down == np.inf or first_free(u_on, u_on + 50.0, z_down, z_top, r, tri, n, one, two) <= u_on + 0.05
    )


@pasted
def _edge_of(x, y, dx, dy, inward, place, places):
    """Where a leap begins or ends: on the lip, or at the place further in that may be passed; dx, dy: outward."""
    if inward > 0.0:
        return places[2][place, 0], places[2][place, 1]
    return x - inward * dx, y - inward * dy


@pasted
def _put_leap(rows, count, off, on, start, end, z_off, z_on, z_over, rise, drop, gap, rail, lip, points):
    """Write the row of a leap."""
    points[0, 0], points[0, 1], points[0, 2] = start[0], start[1], z_off
    points[1, 0], points[1, 1], points[1, 2] = start[0], start[1], z_over
    points[2, 0], points[2, 1], points[2, 2] = end[0], end[1], z_over
    points[3, 0], points[3, 1], points[3, 2] = end[0], end[1], z_on
    plan = np.sqrt((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2)
    put(rows, count, LEAP, off, on, plan, rise, drop, gap, rail, 0.0, 0.0, -1.0, lip, points, 4)


@kernel
def leap_lips(tried, angles, longest, deepest, limits, body, bins, coarse, places, lips, cells, far):
    """Leaps from points of lips.

    tried: (k, 9) float64 as for cross_lips; angles: (a,) radians from a lip's outward normal; longest: widest gap, mm;
    deepest: how far below the take-off a landing may lie, mm. far: (k,) gets how far in plan from its point what was
    looked at lies, mm. Returns rows (n, WIDTH), see links_rows.
    """
    work = make_work(bins[3].shape[0])
    rows = np.empty((256, WIDTH), np.float64)
    points = np.empty((8, 3), np.float64)
    hits = np.empty((MOST_HITS + 1, 2), np.float64)
    count = np.int64(0)
    mark = np.int64(0)
    most = body[1] + 13.0
    for c in range(tried.shape[0]):
        px, py, pz, ox, oy = tried[c, 0], tried[c, 1], tried[c, 2], tried[c, 3], tried[c, 4]
        far[c] = most
        for g in range(angles.shape[0]):
            cos, sin = np.cos(angles[g]), np.sin(angles[g])
            dx = cos * ox - sin * oy
            dy = sin * ox + cos * oy
            found = cast_lips(px, py, dx, dy, longest, pz - deepest, pz + limits[STEP_UP], lips, cells, hits)
            if found == 0:
                far[c] = longest + most
                continue
            inward, off, z_off, _ = mount(px, py, pz, dx, dy, most, limits, bins, places, work)
            if off < 0:
                continue
            rail = rail_over(tried[c, 6], px, py, pz, ox, oy, limits, bins, work)
            frame = line_frame(dx, dy, body[3])
            stopped = False
            for h in range(found):
                t = hits[h, 0]
                lip = int(hits[h, 1])
                qx, qy, qz = _faced(px, py, dx, dy, t, lip, lips)
                level = pz - qz <= limits[STEP_DOWN]
                if level and _bridged(px, py, dx, dy, t, max(pz, qz), limits, places):
                    stopped = True
                    break
                onward, on, z_on, _ = mount(qx, qy, qz, -dx, -dy, most, limits, bins, places, work)
                if on < 0:
                    continue
                rail_on = rail_over(lips[3][lip], qx, qy, qz, -dx, -dy, limits, bins, work)
                z_over = max(pz + rail, qz + rail_on, places[4][off])
                z_down = max(places[4][on], z_on) + UNDER
                if level:
                    z_over = max(z_over, places[4][on])
                    z_down = np.inf
                mark += 1
                ends = (-inward, t + onward)
                if not _clear_over(
                    (px, py), ends, qz - 5.0, z_over, z_down, frame, mark, body, bins, coarse, work
                ):
                    stopped = True
                    break
                start = _edge_of(px, py, dx, dy, inward, off, places)
                end = _edge_of(qx, qy, -dx, -dy, onward, on, places)
                rows = room_for(rows, count)
                _put_leap(
                    rows, count, off, on, start, end, z_off, z_on, z_over, max(qz - pz, 0.0), max(pz - qz, 0.0), t,
                    max(rail, rail_on), tried[c, 7], points,
                )  # fmt: skip
                count += 1
                if level:
                    if pz - qz <= limits[STEP_UP]:
                        put_back(rows, count, count - 1, LEAP, max(pz - qz, 0.0), max(qz - pz, 0.0))
                        count += 1
                    stopped = True
                    break
            # a lip farther off than all that were met may be one that was not known
            far[c] = max(far[c], most + (hits[h, 0] if stopped else longest))
    return rows[:count].copy()
