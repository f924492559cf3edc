"""Kernels that tell floor from what only looks like it: thin tops, risers, bridged joints and gaps."""

from __future__ import annotations

import numpy as np

from sandbox.compiling import bare_kernel, inner, kernel
from sandbox.ground.kernels.voids import in_opened, void_distance

_AROUND = np.array([(np.cos(d * np.pi / 8.0), np.sin(d * np.pi / 8.0)) for d in range(16)])
"""Directions in which floor around a column is looked for."""


@bare_kernel
def thin_samples(column, z, kind, x0, y0, pitch, nx, voids, up, down):
    """Mark (2) the floor samples on tops narrower than 3 mm."""
    discs, start, item, vx0, vy0, size, vnx, vny, radius = voids
    if discs.shape[0] == 0:
        return
    for s in range(z.shape[0]):
        if kind[s] != 1:
            continue
        x = x0 + (column[s] % nx) * pitch
        y = y0 + (column[s] // nx) * pitch
        if not in_opened(x, y, z[s], discs, start, item, vx0, vy0, size, vnx, vny, radius, up, down, 1.5):
            kind[s] = 2


@kernel
def mark_risers(sample_start, z, kind, walk, normal, pitch, nx, ny, up):
    """Turn samples of steep faces no higher than the free step into risers: followed up and down their slope, floor is
    met at both ends and the two differ by no more than `up`."""
    n_columns = nx * ny
    steps = int(np.ceil(up / pitch)) + 2
    for c in range(n_columns):
        for s in range(sample_start[c], sample_start[c + 1]):
            if kind[s] != 0 or walk[s] == 0:
                continue
            gx = -normal[s, 0]
            gy = -normal[s, 1]
            length = np.sqrt(gx * gx + gy * gy)
            if length < 1e-6:
                continue
            gx /= length
            gy /= length
            ends = np.full(2, np.nan)
            for side in range(2):
                sign = 1.0 if side == 0 else -1.0
                last = z[s]
                for k in range(1, steps + 1):
                    i = c % nx + int(np.round(sign * gx * k))
                    j = c // nx + int(np.round(sign * gy * k))
                    if i < 0 or j < 0 or i >= nx or j >= ny:
                        break
                    d = j * nx + i
                    best = np.inf
                    level = np.nan
                    floor = False
                    for q in range(sample_start[d], sample_start[d + 1]):
                        if abs(z[q] - last) < best and abs(z[q] - z[s]) <= up:
                            best = abs(z[q] - last)
                            level = z[q]
                            floor = kind[q] == 1
                    if best == np.inf:
                        break
                    if floor:
                        ends[side] = level
                        break
                    last = level
            if abs(ends[0] - ends[1]) <= up:
                kind[s] = 5


@kernel
def mark_thin(faces, voids, up, down):
    """Flags of the faces, with THIN_FLAG on floor where the top is narrower than 3 mm."""
    corners, _, _, _, flags, _ = faces
    discs, start, item, x0, y0, size, nx, ny, radius = voids
    out = flags.copy()
    if discs.shape[0] == 0:
        return out
    for f in range(flags.shape[0]):
        if flags[f] & 1 == 0:
            continue
        x = (corners[f, 0, 0] + corners[f, 1, 0] + corners[f, 2, 0]) / 3.0
        y = (corners[f, 0, 1] + corners[f, 1, 1] + corners[f, 2, 1]) / 3.0
        z = (corners[f, 0, 2] + corners[f, 1, 2] + corners[f, 2, 2]) / 3.0
        if not in_opened(x, y, z, discs, start, item, x0, y0, size, nx, ny, radius, up, down, 1.5):
            out[f] |= 8
    return out


@inner
def _between_floor(c, level, sample_start, z, kind, pitch, nx, ny, reach, up, down):
    """Whether floor of a level lies around a column, on more than one side, within reach: what is bridged is."""
    steps = int(reach / pitch) + 1
    hits = np.zeros(16, np.bool_)
    for d in range(16):
        ex = _AROUND[d, 0]
        ey = _AROUND[d, 1]
        for k in range(1, steps + 1):
            i = c % nx + int(np.round(ex * k))
            j = c // nx + int(np.round(ey * k))
            if i < 0 or j < 0 or i >= nx or j >= ny:
                hits[d] = True  # not surveyed: taken as floor
                break
            q = j * nx + i
            for s in range(sample_start[q], sample_start[q + 1]):
                if kind[s] != 0 and level - down <= z[s] <= level + up:
                    hits[d] = True
                    break
            if hits[d]:
                break
    run = 0
    longest = 0
    for d in range(32):  # twice round, so that a run of misses over the start is seen whole
        run = 0 if hits[d % 16] else run + 1
        longest = max(longest, run)
    return longest < 8


@kernel
def bridge_candidates(
    lip_a, lip_b, lip_out, sample_start, z, above, kind, x0, y0, pitch, nx, ny, reach, up, down, voids
):
    """Columns beside lips with no floor of that level, under open air, that no void disc covers:
    (column, z, 1 where floor lies around it, so that it may be stood on)."""
    discs, vstart, vitem, vx0, vy0, size, vnx, vny, radius = voids
    decided = np.full((nx * ny, 4), np.nan, np.float32)
    out_c = np.empty(1024, np.int32)
    out_z = np.empty(1024, np.float64)
    out_held = np.empty(1024, np.uint8)
    n = 0
    for s in range(lip_a.shape[0]):
        ax, ay, bx, by = lip_a[s, 0], lip_a[s, 1], lip_b[s, 0], lip_b[s, 1]
        ox, oy = lip_out[s, 0], lip_out[s, 1]
        i0 = max(0, int(np.ceil((min(ax, bx) - reach - x0) / pitch)))
        i1 = min(nx - 1, int(np.floor((max(ax, bx) + reach - x0) / pitch)))
        j0 = max(0, int(np.ceil((min(ay, by) - reach - y0) / pitch)))
        j1 = min(ny - 1, int(np.floor((max(ay, by) + reach - y0) / pitch)))
        length2 = (bx - ax) ** 2 + (by - ay) ** 2
        for j in range(j0, j1 + 1):
            y = y0 + j * pitch
            for i in range(i0, i1 + 1):
                x = x0 + i * pitch
                # gaps are beyond a lip; a column just inside it may still belong to a cell that the border runs through
                if (x - ax) * ox + (y - ay) * oy < -pitch:
                    continue
                t = 0.0
                if length2 > 1e-12:
                    t = min(1.0, max(0.0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length2))
                dx = ax + t * (bx - ax) - x
                dy = ay + t * (by - ay) - y
                if dx * dx + dy * dy > reach * reach:
                    continue
                level = lip_a[s, 2] + t * (lip_b[s, 2] - lip_a[s, 2])
                c = j * nx + i
                known = False
                for m in range(4):
                    if abs(decided[c, m] - level) < 1.0:
                        known = True
                        break
                    if np.isnan(decided[c, m]):
                        decided[c, m] = level
                        break
                if known:
                    continue
                first = sample_start[c]
                last = sample_start[c + 1]
                floor_here = False
                air = first == last
                for k in range(first, last):
                    if kind[k] != 0 and level - down <= z[k] <= level + up:
                        floor_here = True
                    if z[k] < level < above[k]:
                        air = True
                if floor_here or not air:
                    continue
                d, _ = void_distance(
                    x, y, level, discs, vstart, vitem, vx0, vy0, size, vnx, vny, radius, 2.0, up, down
                )
                if d < -0.5 * pitch:
                    continue
                held = _between_floor(
                    c, level, sample_start, z, kind, pitch, nx, ny, 2.0 * radius + pitch, up, down
                )
                # beside a lip the border itself still runs through the cell
                if not held and dx * dx + dy * dy > pitch * pitch:
                    continue
                if n == out_c.shape[0]:
                    out_c = np.concatenate((out_c, np.empty(n, np.int32)))
                    out_z = np.concatenate((out_z, np.empty(n, np.float64)))
                    out_held = np.concatenate((out_held, np.empty(n, np.uint8)))
                out_c[n] = c
                out_z[n] = level
                out_held[n] = held
                n += 1
    return out_c[:n].copy(), out_z[:n].copy(), out_held[:n].copy()
