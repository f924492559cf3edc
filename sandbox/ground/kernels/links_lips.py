"""Kernels that find lips: the mesh edges where floor ends and nothing within a free step goes on."""

from __future__ import annotations

import numpy as np
from numba import njit

from sandbox.ground.kernels.links_bins import MOST_CROSSINGS, UP, WALKABLE, column, space_at

OFF = 0.02
"""How far beside an edge its two sides are looked at, mm."""
OVER = 0.03
"""How far over an edge, mm."""
JOINT = 0.3
"""Floor that goes on after less than this is butted against the edge, mm."""
EXACT = 0.01
"""Ends of lips are found to this, mm."""
MARCH = 0.25
RAIL_THICK = 12.7
"""A solid at a lip up to this thick may be a railing; a thicker one is a wall, mm."""
RAIL_STANDS = 25.4
"""A railing's lowest bar is at most this high over the floor, mm."""


@njit(cache=True, nogil=True)
def floor_ends(vertices, faces, marks):
    """Edges of walkable faces that have no walkable face on their other side in plan.

    Returns edges (k, 2) int32 vertices, counter-clockwise seen from above (the floor is on their left), and face (k,).
    """
    m = faces.shape[0]
    n = vertices.shape[0]
    start = np.zeros(n + 2, np.int32)
    for f in range(m):
        if marks[f] & WALKABLE:
            for e in range(3):
                start[faces[f, e] + 2] += 1
    for v in range(2, n + 2):
        start[v] += start[v - 1]
    around = np.empty(start[n + 1], np.int32)
    for f in range(m):
        if marks[f] & WALKABLE:
            for e in range(3):
                v = faces[f, e]
                around[start[v + 1]] = f
                start[v + 1] += 1
    total = 0
    for f in range(m):
        if marks[f] & WALKABLE:
            total += 3
    edges = np.empty((total, 2), np.int32)
    owner = np.empty(total, np.int32)
    k = 0
    for f in range(m):
        if not marks[f] & WALKABLE:
            continue
        a, b, c = faces[f, 0], faces[f, 1], faces[f, 2]
        area = (vertices[b, 0] - vertices[a, 0]) * (vertices[c, 1] - vertices[a, 1]) - (
            vertices[b, 1] - vertices[a, 1]
        ) * (vertices[c, 0] - vertices[a, 0])
        for e in range(3):
            i = faces[f, e]
            j = faces[f, (e + 1) % 3]
            if area < 0.0:
                i, j = j, i
            ends = True
            for s in range(start[i], start[i + 1]):
                g = around[s]
                if g == f:
                    continue
                third = -1
                has_j = False
                for d in range(3):
                    if faces[g, d] == j:
                        has_j = True
                    elif faces[g, d] != i:
                        third = faces[g, d]
                if not has_j or third < 0:
                    continue
                side = (vertices[j, 0] - vertices[i, 0]) * (vertices[third, 1] - vertices[i, 1]) - (
                    vertices[j, 1] - vertices[i, 1]
                ) * (vertices[third, 0] - vertices[i, 0])
                if side < 0.0:
                    ends = False
                    break
            if ends:
                edges[k, 0] = i
                edges[k, 1] = j
                owner[k] = f
                k += 1
    return edges[:k].copy(), owner[:k].copy()


@njit(cache=True, nogil=True)
def _drop_beyond(
    px, py, pz, ox, oy, first, step_down, step_up, march, grid, start, items, corners, marks, z, face, top
):
    """Drop beyond a lip, going outward from `first` mm: to the next floor below, inf where there is none, -1 where
    floor goes on within a step (down steep faces no higher than the step, which are risers)."""
    at = pz
    d = first
    found = -1.0
    while d <= march:
        n = column(px + d * ox, py + d * oy, grid, start, items, corners, marks, z, face, top)
        k = space_at(at + OVER, n, z, top)
        if k < 0:
            # the ground rises again: a groove, or the foot of a wall
            for q in range(n):
                if z[q] > at + OVER:
                    k = q
                    break
            if k < 0 or z[k] - pz > step_up:
                return found
        f = face[k]
        if f < 0:
            return np.inf
        lower = pz - z[k]
        if found < 0.0:
            if lower <= step_down:
                if marks[f] & UP:
                    return -1.0
            else:
                found = lower
                march = max(march, d + 25.4)
        if found >= 0.0:
            found = max(found, lower)
            if marks[f] & UP:
                return found
        at = z[k]
        d += MARCH if found < 0.0 else 4.0 * MARCH
    return found


@njit(cache=True, nogil=True)
def lip_at(
    px, py, pz, ox, oy, step_up, step_down, march, rail_low, rail_max, rail_reach, grid, start, items, corners, marks,
    z, face, top,
):  # fmt: skip
    """Drop and railing at a point of a floor's edge, outward (ox, oy): drop -1 where it is no lip, inf where nothing
    is below; the railing's height above the floor there, 0 none."""
    n = column(px - OFF * ox, py - OFF * oy, grid, start, items, corners, marks, z, face, top)
    k = space_at(pz + OVER, n, z, top)
    rail = 0.0
    if k < 0:
        # something stands on the edge: a railing, if it is low and thin
        high = _top_of_solid(pz + OVER, n, z)
        if high - pz <= step_up or high - pz > rail_max:
            return -1.0, 0.0
        rail = high - pz
        d = OFF
        clear = False
        while d < RAIL_THICK:
            d += 4.0 * MARCH
            n = column(px - d * ox, py - d * oy, grid, start, items, corners, marks, z, face, top)
            if space_at(pz + OVER + d, n, z, top) >= 0:
                clear = True
                break
        if not clear:
            return -1.0, 0.0
    n = column(px + OFF * ox, py + OFF * oy, grid, start, items, corners, marks, z, face, top)
    k = space_at(pz + OVER, n, z, top)
    first = OFF
    if k < 0:
        high = _top_of_solid(pz + OVER, n, z)
        if high - pz <= step_up or high - pz > rail_max:
            return -1.0, 0.0
        rail = max(rail, high - pz)
        clear = False
        while first < RAIL_THICK:
            first += 2.0 * MARCH
            n = column(px + first * ox, py + first * oy, grid, start, items, corners, marks, z, face, top)
            if space_at(pz + OVER, n, z, top) >= 0:
                clear = True
                break
            high = _top_of_solid(pz + OVER, n, z)
            rail = max(rail, high - pz)
            if rail > rail_max:
                return -1.0, 0.0
        if not clear:
            return -1.0, 0.0
    drop = _drop_beyond(
        px,
        py,
        pz,
        ox,
        oy,
        first,
        step_down,
        step_up,
        first + march,
        grid,
        start,
        items,
        corners,
        marks,
        z,
        face,
        top,
    )
    if drop >= 0.0 and first == OFF and np.isfinite(drop):
        # a joint between tiles: floor goes on a hair further out
        beyond = _drop_beyond(
            px,
            py,
            pz,
            ox,
            oy,
            JOINT,
            step_down,
            step_up,
            JOINT,
            grid,
            start,
            items,
            corners,
            marks,
            z,
            face,
            top,
        )
        if beyond < 0.0:
            drop = -1.0
    elif drop >= 0.0 and first == OFF:
        n = column(px + JOINT * ox, py + JOINT * oy, grid, start, items, corners, marks, z, face, top)
        k = space_at(pz + OVER, n, z, top)
        if k >= 0 and face[k] >= 0 and marks[face[k]] & UP and pz - z[k] <= step_down:
            drop = -1.0
    if drop >= 0.0 and rail == 0.0:
        rail = _bars(
            px,
            py,
            pz,
            ox,
            oy,
            rail_low,
            rail_max,
            rail_reach,
            grid,
            start,
            items,
            corners,
            marks,
            z,
            face,
            top,
        )
    return drop, rail


@njit(cache=True, nogil=True)
def _top_of_solid(height, n, z):
    """Top of the solid that holds a height: the floor of the next open space, inf where there is none."""
    for q in range(n):
        if z[q] > height:
            return z[q]
    return np.inf


@njit(cache=True, nogil=True)
def _bars(px, py, pz, ox, oy, low, most, reach, grid, start, items, corners, marks, z, face, top):
    """Height of what stands or hangs like a railing within `reach` of a lip, 0 none."""
    best = 0.0
    for s in range(-4, 5):
        d = reach * s / 4.0
        n = column(px + d * ox, py + d * oy, grid, start, items, corners, marks, z, face, top)
        under = pz
        for q in range(n):
            if q > 0:
                under = top[q - 1]
            h = z[q] - pz
            if h >= low and h <= most and under - pz <= RAIL_STANDS and h > best:
                best = h
    return best


@njit(cache=True, nogil=True)
def _same(drop_a, rail_a, drop_b, rail_b):
    if (drop_a < 0.0) != (drop_b < 0.0):
        return False
    if drop_a < 0.0:
        return True
    if np.isinf(drop_a) != np.isinf(drop_b):
        return False
    if np.isfinite(drop_a) and abs(drop_a - drop_b) > 1.0:
        return False
    return abs(rail_a - rail_b) <= 1.0


@njit(cache=True, nogil=True)
def cut_lips(
    vertices, edges, pitch, step_up, step_down, march, rail_low, rail_max, rail_reach, grid, start, items, corners, marks
):  # fmt: skip
    """Lips among edges of floor.

    edges: (k, 2) int32, floor on the left. Returns pieces (n, 11) float64: a xyz, b xyz, out xy, drop, rail, edge.
    """
    z = np.empty(MOST_CROSSINGS + 2, np.float64)
    face = np.empty(MOST_CROSSINGS + 2, np.int32)
    top = np.empty(MOST_CROSSINGS + 2, np.float64)
    out = np.empty((1024, 11), np.float64)
    count = 0
    for k in range(edges.shape[0]):
        ax, ay, az = vertices[edges[k, 0], 0], vertices[edges[k, 0], 1], vertices[edges[k, 0], 2]
        dx = vertices[edges[k, 1], 0] - ax
        dy = vertices[edges[k, 1], 1] - ay
        dz = vertices[edges[k, 1], 2] - az
        length = np.sqrt(dx * dx + dy * dy)
        if length < 1e-3:
            continue
        ox = dy / length
        oy = -dx / length
        samples = max(int(np.ceil(length / pitch)), 1)
        inset = min(0.005 / length, 0.1)
        last_t = 0.0
        last_drop = -1.0
        last_rail = 0.0
        from_t = -1.0
        for s in range(samples + 1):
            if samples == 1 and s == 0:
                t = 0.5
            elif samples == 1:
                break
            else:
                t = inset + (1.0 - 2.0 * inset) * s / samples
            drop, rail = lip_at(
                ax + t * dx, ay + t * dy, az + t * dz, ox, oy, step_up, step_down, march, rail_low, rail_max,
                rail_reach, grid, start, items, corners, marks, z, face, top,
            )  # fmt: skip
            first = s == 0
            if first:
                last_drop, last_rail, last_t = drop, rail, t
                from_t = 0.0 if drop >= 0.0 else -1.0
                continue
            if not _same(last_drop, last_rail, drop, rail):
                lo, hi = last_t, t
                while (hi - lo) * length > EXACT:
                    mid = 0.5 * (lo + hi)
                    d, r = lip_at(
                        ax + mid * dx, ay + mid * dy, az + mid * dz, ox, oy, step_up, step_down, march, rail_low,
                        rail_max, rail_reach, grid, start, items, corners, marks, z, face, top,
                    )  # fmt: skip
                    if _same(last_drop, last_rail, d, r):
                        lo = mid
                    else:
                        hi = mid
                cut = 0.5 * (lo + hi)
                if from_t >= 0.0:
                    out = _add(
                        out, count, ax, ay, az, dx, dy, dz, from_t, cut, ox, oy, last_drop, last_rail, k
                    )
                    count += 1
                from_t = cut if drop >= 0.0 else -1.0
            last_drop, last_rail, last_t = drop, rail, t
        if from_t >= 0.0:
            out = _add(out, count, ax, ay, az, dx, dy, dz, from_t, 1.0, ox, oy, last_drop, last_rail, k)
            count += 1
    return out[:count].copy()


@njit(cache=True, nogil=True)
def _add(out, count, ax, ay, az, dx, dy, dz, t0, t1, ox, oy, drop, rail, edge):
    if count == out.shape[0]:
        more = np.empty((2 * count, out.shape[1]), np.float64)
        more[:count] = out
        out = more
    out[count, 0] = ax + t0 * dx
    out[count, 1] = ay + t0 * dy
    out[count, 2] = az + t0 * dz
    out[count, 3] = ax + t1 * dx
    out[count, 4] = ay + t1 * dy
    out[count, 5] = az + t1 * dz
    out[count, 6] = ox
    out[count, 7] = oy
    out[count, 8] = drop
    out[count, 9] = rail
    out[count, 10] = edge
    return out
