"""Kernels that find lips: the mesh edges where floor ends and nothing within a free step goes on."""

from __future__ import annotations

import numpy as np

from sandbox.compiling import bare, bare_kernel, inner, kernel, pasted
from sandbox.ground.kernels.links_bins import UP, WALKABLE, column, make_buffers, space_at

OFF = 0.02
"""How far beside an edge its two sides are looked at, mm."""
OVER = 0.03
"""How far over an edge, mm."""
JOINT = 0.3
"""Floor that goes on after less than this is butted against the edge, mm."""
EXACT = 0.02
"""Ends of lips are found to this, mm."""
MARCH = 0.5
"""Outward stride over steep faces, mm."""
RAIL_THICK = 12.7
"""A solid at a lip up to this thick may be a railing; a thicker one is a wall, mm."""
RAIL_STANDS = 25.4
"""A railing's lowest bar is at most this high over the floor, mm."""


@kernel
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


# Arguments that travel together: `bins` and `buffers` as in `column`; `rules` is (step up, step down, march, rail_max), all
# mm, the comparisons' snap already in them; `edge` is (ax, ay, az, dx, dy, dz, ox, oy, length): where an edge of floor
# begins, where it leads, its outward normal in plan and its length in plan, mm.


@inner
def grown(rows, n):
    """A table twice as long that begins with the first n rows. Slices would compile error texts into the kernel."""
    longer = np.empty((2 * n + 64, rows.shape[1]), np.float64)
    for i in range(min(n, rows.shape[0])):
        for j in range(rows.shape[1]):
            longer[i, j] = rows[i, j]
    return longer


@bare
def top_of_solid(height, n, z):
    """Top of the solid that holds a height: the floor of the next open space, inf where there is none."""
    for q in range(n):
        if z[q] > height:
            return z[q]
    return np.inf


@bare
def is_step(height, n, z, face, marks):
    """Whether the top of the solid that holds a height is walked on: a kerb, and no railing, where it is low."""
    for q in range(n):
        if z[q] > height:
            return face[q] >= 0 and marks[face[q]] & WALKABLE != 0
    return False


@pasted
def _look_out(px, py, pz, ox, oy, d, rules, bins, buffers):
    """Number of open spaces over the point `d` mm outward of a point of an edge; what is far below is left out."""
    return column(px + d * ox, py + d * oy, pz - rules[1] - 0.5, bins, buffers)


@bare
def _goes_on(px, py, pz, ox, oy, first, rules, bins, buffers):
    """Whether, going outward from `first` mm, floor goes on within a step; steep faces no higher than a step are
    risers on the way."""
    step_up, step_down, march = rules[0], rules[1], rules[2]
    marks = bins[5]
    z, face, top = buffers
    at = pz
    d = first
    while d <= first + march:
        n = _look_out(px, py, pz, ox, oy, d, rules, bins, buffers)
        k = space_at(at + OVER, n, z, top)
        if k < 0:
            # the ground rises again: a groove, or the foot of a wall
            for q in range(n):
                if z[q] > at + OVER:
                    k = q
                    break
            if k < 0 or z[k] - pz > step_up:
                return True
        if face[k] < 0 or pz - z[k] > step_down:
            if d == OFF:
                # a joint between tiles: floor goes on a hair further out
                n = _look_out(px, py, pz, ox, oy, JOINT, rules, bins, buffers)
                k = space_at(pz + OVER, n, z, top)
                return k >= 0 and face[k] >= 0 and pz - z[k] <= step_down and marks[face[k]] & UP != 0
            return False
        if marks[face[k]] & UP:
            return True
        at = z[k]
        d += MARCH
    return True


@pasted
def _stands_low(pz, n, rules, bins, buffers):
    """How high the solid at the height of an edge stands over it; -1 where it is higher than a railing, or a kerb."""
    rail = top_of_solid(pz + OVER, n, buffers[0]) - pz
    if rail > rules[3] or (rail <= rules[0] and is_step(pz + OVER, n, buffers[0], buffers[1], bins[5])):
        return -1.0
    return rail


@pasted
def _rail_outside(px, py, pz, ox, oy, n, rules, bins, buffers):
    """Height of the railing just outside an edge, and how far out it ends, mm; height -1 where it is no railing.

    n: open spaces just outside.
    """
    z, _, top = buffers
    first = OFF
    rail = _stands_low(pz, n, rules, bins, buffers)
    k = -1
    while k < 0 and rail >= 0.0:
        first += MARCH
        if first > RAIL_THICK:
            rail = -1.0
            break
        n = _look_out(px, py, pz, ox, oy, first, rules, bins, buffers)
        k = space_at(pz + OVER, n, z, top)
        if k < 0:
            rail = max(rail, top_of_solid(pz + OVER, n, z) - pz)
            if rail > rules[3]:
                rail = -1.0
    return rail, first


@pasted
def _rail_inside(px, py, pz, ox, oy, rules, bins, buffers):
    """Height of what stands on the floor at its edge, if it is low and thin like a railing, mm; 0 nothing, -1 more."""
    z, _, top = buffers
    n = _look_out(px, py, pz, ox, oy, -OFF, rules, bins, buffers)
    if space_at(pz + OVER, n, z, top) >= 0:
        return 0.0
    rail = _stands_low(pz, n, rules, bins, buffers)
    d = OFF
    k = -1
    while k < 0 and rail >= 0.0:
        d += MARCH
        if d > RAIL_THICK:
            rail = -1.0
            break
        n = _look_out(px, py, pz, ox, oy, -d, rules, bins, buffers)
        k = space_at(pz + OVER + d, n, z, top)
    return rail


@bare
def lip_at(px, py, pz, ox, oy, rules, bins, buffers):
    """What a point of a floor's edge is, outward (ox, oy): -1 no lip, 0 a lip, more: a lip under a railing that stands
    on it, of that height over the floor; and how far out the drop begins, mm."""
    z, face, top = buffers
    n = _look_out(px, py, pz, ox, oy, OFF, rules, bins, buffers)
    k = space_at(pz + OVER, n, z, top)
    first = OFF
    rail = 0.0
    if k >= 0:
        if face[k] >= 0 and pz - z[k] <= rules[1] and bins[5][face[k]] & UP:
            return -1.0, first
    else:
        rail, first = _rail_outside(px, py, pz, ox, oy, n, rules, bins, buffers)
        if rail < 0.0:
            return -1.0, first
    high = _rail_inside(px, py, pz, ox, oy, rules, bins, buffers)
    if high < 0.0 or _goes_on(px, py, pz, ox, oy, first, rules, bins, buffers):
        return -1.0, first
    return max(rail, high), first


@bare
def drop_at(px, py, pz, ox, oy, first, rules, bins, buffers):
    """Height from a lip down to the next floor below, looked for outward from `first` mm; inf where nothing is below,
    the deepest steep face met where no floor is met within an inch beyond the march."""
    marks = bins[5]
    z, face, top = buffers
    at = pz
    d = first
    lowest = 0.0
    stride = MARCH
    while d <= first + rules[2] + 25.4:
        n = column(px + d * ox, py + d * oy, -np.inf, bins, buffers)
        k = space_at(at + OVER, n, z, top)
        if k < 0:
            return lowest
        if face[k] < 0:
            return np.inf
        lowest = max(lowest, pz - z[k])
        if marks[face[k]] & UP and pz - z[k] > rules[1]:
            return pz - z[k]
        at = z[k]
        d += stride
        stride *= 1.25
    return lowest


@bare_kernel
def bars_at(px, py, pz, ox, oy, low, most, reach, bins, buffers):
    """Height over the floor of what stands or hangs like a railing within `reach` of a point of a lip, 0 none."""
    z, _, top = buffers
    best = 0.0
    for s in range(-4, 5):
        d = reach * s / 4.0
        n = column(px + d * ox, py + d * oy, pz - 0.5, bins, buffers)
        under = pz
        for q in range(n):
            if q > 0:
                under = top[q - 1]
            h = z[q] - pz
            if h >= low and h <= most and under - pz <= RAIL_STANDS and h > best:
                best = h
    return best


@bare
def _same(a, b):
    return (a < 0.0) == (b < 0.0) and abs(a - b) <= 1.0


@bare
def _quiet(cell, edge, owner, step_down, start, items, corners):
    """Whether no face of a cell but those under the edge's own floor comes near the edge, so that what one point of
    the edge in this cell is, all are."""
    ax, ay, az, dx, dy, dz, ox, oy, _ = edge
    # plane of the owner: height over it is (p - a) . n
    ux, uy, uz = dx, dy, dz
    vx, vy, vz = 0.0, 0.0, 0.0
    for c in range(3):
        wx = corners[owner, c, 0] - ax
        wy = corners[owner, c, 1] - ay
        if wx * ox + wy * oy < vx * ox + vy * oy:
            vx, vy, vz = wx, wy, corners[owner, c, 2] - az
    nx = uy * vz - uz * vy
    ny = uz * vx - ux * vz
    nz = ux * vy - uy * vx
    size = np.sqrt(nx * nx + ny * ny + nz * nz)
    if size < 1e-12:
        return False
    if nz < 0.0:
        size = -size
    nx, ny, nz = nx / size, ny / size, nz / size
    low = az + min(0.0, dz) - step_down - 0.1
    high = az + max(0.0, dz) + 1.0
    for q in range(start[cell], start[cell + 1]):
        f = items[q]
        if f == owner:
            continue
        w_low = np.inf
        w_high = -np.inf
        z_low = np.inf
        z_high = -np.inf
        over = -np.inf
        for c in range(3):
            px = corners[f, c, 0] - ax
            py = corners[f, c, 1] - ay
            pz = corners[f, c, 2]
            w = px * ox + py * oy
            w_low = min(w_low, w)
            w_high = max(w_high, w)
            z_low = min(z_low, pz)
            z_high = max(z_high, pz)
            over = max(over, px * nx + py * ny + (pz - az) * nz)
        if z_low > high or z_high < low or w_low > JOINT + 0.05 or w_high < -0.05:
            continue
        if w_high > 1e-5 or over > 1e-4:
            return False
    return True


@bare
def _cell(x, y, grid):
    i = int(np.floor((x - grid[0]) / grid[2]))
    j = int(np.floor((y - grid[1]) / grid[2]))
    if i < 0 or j < 0 or i >= int(grid[3]) or j >= int(grid[4]):
        return -1
    return j * int(grid[3]) + i


@pasted
def _quiet_at(t, edge, owner, rules, bins, seen, calm):
    """Whether the cells on both sides of a point of an edge are quiet; seen and calm (2,) keep what was found last."""
    ax, ay, _, dx, dy, _, ox, oy, _ = edge
    quiet = True
    for side in range(2):
        off = -OFF if side == 0 else JOINT
        c = _cell(ax + t * dx + off * ox, ay + t * dy + off * oy, bins[0])
        if c != seen[side]:
            seen[side] = c
            calm[side] = c >= 0 and _quiet(c, edge, owner, rules[1], bins[1], bins[2], bins[3])
        quiet = quiet and calm[side]
    return quiet


@pasted
def _lip_along(t, edge, rules, bins, buffers):
    """What the point at share t of an edge is, see `lip_at`."""
    ax, ay, az, dx, dy, dz, ox, oy, _ = edge
    return lip_at(ax + t * dx, ay + t * dy, az + t * dz, ox, oy, rules, bins, buffers)


@pasted
def _drop_along(t, edge, first, rules, bins, buffers):
    """How deep it is below the point at share t of an edge, see `drop_at`."""
    ax, ay, az, dx, dy, dz, ox, oy, _ = edge
    return drop_at(ax + t * dx, ay + t * dy, az + t * dz, ox, oy, first, rules, bins, buffers)


@pasted
def _change(lo, hi, last, edge, rules, bins, buffers):
    """Share of an edge, between two, where it ceases to be what it was at the first of them."""
    while (hi - lo) * edge[8] > EXACT:
        mid = 0.5 * (lo + hi)
        now, _ = _lip_along(mid, edge, rules, bins, buffers)
        if _same(last, now):
            lo = mid
        else:
            hi = mid
    return 0.5 * (lo + hi)


@pasted
def _cut_edge(out, count, number, edge, owner, pitch, rules, bins, buffers, seen, calm):
    """Append the lips of one edge; returns the table and how many there are."""
    length = edge[8]
    samples = max(int(np.ceil(length / pitch)), 1)
    inset = min(0.005 / length, 0.1)
    last_t = 0.0
    last = -1.0
    last_first = OFF
    from_t = -1.0
    was_quiet = False
    seen[0] = seen[1] = -2
    for s in range(1 if samples == 1 else samples + 1):
        t = 0.5 if samples == 1 else inset + (1.0 - 2.0 * inset) * s / samples
        if samples > 2:
            quiet = _quiet_at(t, edge, owner, rules, bins, seen, calm)
            if quiet and was_quiet:
                last_t = t
                continue
            was_quiet = quiet
        now, first = _lip_along(t, edge, rules, bins, buffers)
        if s == 0:
            from_t = 0.0 if now >= 0.0 else -1.0
        elif not _same(last, now):
            cut = _change(last_t, t, last, edge, rules, bins, buffers)
            if from_t >= 0.0:
                out, count = _add(
                    out, count, number, edge, from_t, cut, last, last_first, rules, bins, buffers
                )
            from_t = cut if now >= 0.0 else -1.0
        last, last_first, last_t = now, first, t
    if from_t >= 0.0:
        out, count = _add(out, count, number, edge, from_t, 1.0, last, last_first, rules, bins, buffers)
    return out, count


@kernel
def cut_lips(vertices, edges, owner, pitch, rules, bins):
    """Lips among edges of floor.

    edges: (k, 2) int32, floor on the left; owner: (k,) its face. Returns pieces (n, 11) float64: a xyz, b xyz, out xy, drop, rail, edge.
    """
    buffers = make_buffers()
    out = np.empty((1024, 11), np.float64)
    seen = np.empty(2, np.int64)
    calm = np.empty(2, np.bool_)
    count = np.int64(0)
    for k in range(edges.shape[0]):
        ax, ay, az = vertices[edges[k, 0], 0], vertices[edges[k, 0], 1], vertices[edges[k, 0], 2]
        dx = vertices[edges[k, 1], 0] - ax
        dy = vertices[edges[k, 1], 1] - ay
        dz = vertices[edges[k, 1], 2] - az
        length = np.sqrt(dx * dx + dy * dy)
        if length < 1e-3:
            continue
        edge = (ax, ay, az, dx, dy, dz, dy / length, -dx / length, length)
        out, count = _cut_edge(out, count, k, edge, owner[k], pitch, rules, bins, buffers, seen, calm)
    return out[:count].copy()


@inner
def _add(out, count, number, edge, t0, t1, rail, first, rules, bins, buffers):
    """Append a stretch of lip, parted where the drop leaps by more than a millimetre."""
    ax, ay, az, dx, dy, dz, ox, oy, length = edge
    looks = min(max(int(length * (t1 - t0) / 5.0), 1), 400)
    u0 = t0
    last = -1.0
    last_u = t0
    for s in range(looks + 1):
        u = t0 + (t1 - t0) * (s + 0.5) / looks
        end = s == looks
        drop = last
        if not end:
            drop = _drop_along(u, edge, first, rules, bins, buffers)
            if s == 0:
                last = drop
        cut = t1
        # ramps' sides drop evenly: only a leap in the drop parts a lip
        leap = np.isinf(drop) != np.isinf(last)
        if not leap and np.isfinite(drop):
            leap = abs(drop - last) > 1.0 + 1.5 * (u - last_u) * length
        if leap:
            lo, hi = last_u, u
            while (hi - lo) * length > 0.1:
                mid = 0.5 * (lo + hi)
                d = _drop_along(mid, edge, first, rules, bins, buffers)
                if d == drop or abs(d - drop) < abs(d - last):
                    hi = mid
                else:
                    lo = mid
            cut = 0.5 * (lo + hi)
        if leap or end:
            if count == out.shape[0]:
                out = grown(out, count)
            out[count, 0] = ax + u0 * dx
            out[count, 1] = ay + u0 * dy
            out[count, 2] = az + u0 * dz
            out[count, 3] = ax + cut * dx
            out[count, 4] = ay + cut * dy
            out[count, 5] = az + cut * dz
            out[count, 6] = ox
            out[count, 7] = oy
            out[count, 8] = last
            out[count, 9] = rail
            out[count, 10] = number
            count += 1
            u0 = cut
        last = drop
        last_u = u
    return out, count
