"""Kernels for how even floor is: its plane under a base, levels that are flat all around, floor close to a centre."""

from __future__ import annotations

import numpy as np

from sandbox.compiling import bare, kernel
from sandbox.ground.kernels.bodies import FLOOR_FLAG
from sandbox.ground.kernels.columns import height_over
from sandbox.ground.kernels.voids import bin_span
from sandbox.ground.survey_grid import BLOCK


@bare
def plane_of(heights, n, radius):
    """Least-squares plane through (dx, dy, dz) rows inside a radius: (slope x, slope y, height at the middle, greatest
    deviation)."""
    sx = sy = sz = sxx = sxy = syy = sxz = syz = 0.0
    k = 0
    r2 = radius * radius
    for i in range(n):
        x, y, z = heights[i, 0], heights[i, 1], heights[i, 2]
        if x * x + y * y > r2:
            continue
        k += 1
        sx += x
        sy += y
        sz += z
        sxx += x * x
        sxy += x * y
        syy += y * y
        sxz += x * z
        syz += y * z
    if k < 3:
        return 0.0, 0.0, 0.0, 0.0
    sxx -= sx * sx / k
    sxy -= sx * sy / k
    syy -= sy * sy / k
    sxz -= sx * sz / k
    syz -= sy * sz / k
    det = sxx * syy - sxy * sxy
    if det < 1e-9:
        return 0.0, 0.0, 0.0, 0.0
    a = (sxz * syy - syz * sxy) / det
    b = (syz * sxx - sxz * sxy) / det
    c = (sz - a * sx - b * sy) / k
    worst = 0.0
    for i in range(n):
        x, y, z = heights[i, 0], heights[i, 1], heights[i, 2]
        if x * x + y * y > r2:
            continue
        worst = max(worst, abs(z - a * x - b * y - c))
    return a, b, c, worst


RECENT = 12
MOST_LEVELS = 6
LEVEL_BIN = BLOCK


@kernel
def flat_levels(columns):
    """Heights of floor per block of LEVEL_BIN x LEVEL_BIN columns: (blocks, MOST_LEVELS) with nan for unused, and the
    number per block (-1: more than that, or not level)."""
    sample_start, zs, _, _, _, nx, ny, kept = columns
    bx = (nx + LEVEL_BIN - 1) // LEVEL_BIN
    by = (ny + LEVEL_BIN - 1) // LEVEL_BIN
    level = np.full((bx * by, MOST_LEVELS), np.nan)
    used = np.zeros(bx * by, np.int8)
    for j in range(ny):
        for i in range(nx):
            b = (j // LEVEL_BIN) * bx + i // LEVEL_BIN
            if used[b] < 0:
                continue
            c = j * nx + i
            for k in range(sample_start[c], sample_start[c + 1]):
                if kept[k] == 0:
                    continue
                known = False
                for m in range(used[b]):
                    if abs(level[b, m] - zs[k]) <= 0.02:
                        known = True
                        break
                if known:
                    continue
                if used[b] == MOST_LEVELS:
                    used[b] = -1
                    break
                level[b, used[b]] = zs[k]
                used[b] += 1
    return level, used, (sample_start.shape[0], nx, ny, bx, by)


@bare
def is_flat(x, y, z, reach, levels, up, down, tan):
    """Whether all floor within reach that could join z is level with it."""
    level, used, shape, x0, y0, pitch = levels
    _, nx, ny, bx, by = shape
    size = LEVEL_BIN * pitch
    i0 = min(bx - 1, max(0, int(np.floor((x - reach - x0) / size))))
    i1 = min(bx - 1, max(0, int(np.floor((x + reach - x0) / size))))
    j0 = min(by - 1, max(0, int(np.floor((y - reach - y0) / size))))
    j1 = min(by - 1, max(0, int(np.floor((y + reach - y0) / size))))
    for j in range(j0, j1 + 1):
        for i in range(i0, i1 + 1):
            b = j * bx + i
            if used[b] < 0:
                return False
            for m in range(used[b]):
                d = level[b, m] - z
                if abs(d) > 0.03 and -down - reach * tan - size <= d <= up + reach * tan + size:
                    return False
    return True


CLOSE_LOOKS = 48


@bare
def close_floor(x, y, z, radius, metric, steps, faces, floors, heights):
    """Like `joined_floor`, from the faces themselves at CLOSE_LOOKS points across the base; returns the rows."""
    corners, _, low, high, flags, _, _ = faces
    start, item, bx0, by0, size, bnx, bny = floors
    m00, m01, m10, m11 = metric
    up, down, tan = steps
    reach = radius / (m00 * m11 - m01 * m10)
    gap = 2.0 * reach / CLOSE_LOOKS
    n = 0
    for j in range(CLOSE_LOOKS):
        dy = -reach + (j + 0.5) * gap
        for i in range(CLOSE_LOOKS):
            dx = -reach + (i + 0.5) * gap
            if (m00 * dx + m01 * dy) ** 2 + (m10 * dx + m11 * dy) ** 2 > radius * radius:
                continue
            far = np.sqrt(dx * dx + dy * dy) * tan
            px = x + dx
            py = y + dy
            b0, _ = bin_span(px, px, bx0, size, bnx)
            b1, _ = bin_span(py, py, by0, size, bny)
            b = b1 * bnx + b0
            best = np.inf
            for k in range(start[b], start[b + 1]):
                f = item[k]
                if flags[f] & FLOOR_FLAG == 0 or high[f] < z - down - far or low[f] > z + up + far:
                    continue
                h = height_over(corners, f, px, py)
                # of two floors one above the other the upper one carries the base
                if z - down - far <= h <= z + up + far and (best == np.inf or h - z > best):
                    best = h - z
            if best < np.inf:
                heights[n, 0] = dx
                heights[n, 1] = dy
                heights[n, 2] = best
                n += 1
    return n
