"""Kernels that link places to the places next to them, and mark those that ways bend around."""

from __future__ import annotations

import numpy as np

from sandbox.compiling import kernel
from sandbox.ground.kernels.place import BEND, EDGE, OVER, PASS


@kernel
def link_places(start, cell, pos, flags, level, gradient, touch, nx, ny, radius, metric, up, down):
    """Neighbours of every place: (n, 8) int32, E NE N NW W SW S SE, -1 none.

    level: (n,) floor of each place; over the top of an obstacle, what the obstacle stands on.
    """
    m00, m01, m10, m11 = metric
    n = cell.shape[0]
    out = np.full((n, 8), -1, np.int32)
    dxs = np.array([1, 1, 0, -1, -1, -1, 0, 1])
    dys = np.array([0, 1, 1, 1, 0, -1, -1, -1])
    for s in range(n):
        if flags[s] & PASS == 0:
            continue
        i = cell[s] % nx
        j = cell[s] // nx
        for d in range(8):
            ii = i + dxs[d]
            jj = j + dys[d]
            if ii < 0 or jj < 0 or ii >= nx or jj >= ny:
                continue
            c = jj * nx + ii
            best = np.inf
            for t in range(start[c], start[c + 1]):
                if flags[t] & PASS == 0:
                    continue
                mx = 0.5 * (pos[t, 0] - pos[s, 0])
                my = 0.5 * (pos[t, 1] - pos[s, 1])
                rise = (level[t] - gradient[t, 0] * mx - gradient[t, 1] * my) - (
                    level[s] + gradient[s, 0] * mx + gradient[s, 1] * my
                )
                if rise > up + 0.025 or rise < -down - 0.025:
                    continue
                if abs(rise) >= abs(best):
                    continue
                if flags[s] & EDGE and flags[t] & EDGE:
                    hx = pos[s, 0] + mx
                    hy = pos[s, 1] + my
                    # Around a corner the straight line between two places sags below the arc: look at the arc.
                    apart = np.hypot(2.0 * mx, 2.0 * my)
                    beside = flags[s] & OVER == 0 and flags[t] & OVER == 0
                    known = 3 if beside else 2
                    for k in range(known):
                        for q in range(known):
                            moved = np.hypot(touch[t, q, 0] - touch[s, k, 0], touch[t, q, 1] - touch[s, k, 1])
                            if not moved < 0.97 * apart:
                                continue
                            wx = hx - 0.5 * (touch[s, k, 0] + touch[t, q, 0])
                            wy = hy - 0.5 * (touch[s, k, 1] + touch[t, q, 1])
                            away = np.hypot(m00 * wx + m01 * wy, m10 * wx + m11 * wy)
                            if 1e-9 < away < radius:
                                hx += wx * (radius / away - 1.0)
                                hy += wy * (radius / away - 1.0)
                    free = True
                    for k in range(known):
                        for q in range(2):
                            who = s if q == 0 else t
                            if np.isnan(touch[who, k, 0]):
                                continue
                            wx = touch[who, k, 0] - hx
                            wy = touch[who, k, 1] - hy
                            if np.hypot(m00 * wx + m01 * wy, m10 * wx + m11 * wy) < radius - 0.05:
                                free = False
                    if not free:
                        continue
                best = rise
                out[s, d] = t
    return out


@kernel
def mark_bends(start, cell, pos, flags, touch, neighbour, nx, ny):
    """Set BEND on edge places where the border they touch is round or a corner, seen from the free side; and on places
    beside a border that they do not touch: a step farther on the body would be lifted into something."""
    n = flags.shape[0]
    dxs = np.array([1, 1, 0, -1, -1, -1, 0, 1])
    dys = np.array([0, 1, 1, 1, 0, -1, -1, -1])
    for s in range(n):
        if flags[s] & PASS == 0:
            continue
        if flags[s] & EDGE == 0:
            for d in range(8):
                i = cell[s] % nx + dxs[d]
                j = cell[s] // nx + dys[d]
                if neighbour[s, d] >= 0 or i < 0 or j < 0 or i >= nx or j >= ny:
                    continue
                if start[j * nx + i] < start[j * nx + i + 1]:
                    flags[s] |= BEND
            continue
        for d in range(8):
            t = neighbour[s, d]
            if t < 0 or flags[t] & EDGE == 0:
                continue
            apart = np.hypot(pos[t, 0] - pos[s, 0], pos[t, 1] - pos[s, 1])
            for a in range(3):
                if np.isnan(touch[s, a, 0]):
                    continue
                for b in range(3):
                    if np.isnan(touch[t, b, 0]):
                        continue
                    moved = np.hypot(touch[t, b, 0] - touch[s, a, 0], touch[t, b, 1] - touch[s, a, 1])
                    if moved < 0.97 * apart - 1e-6:
                        flags[s] |= BEND
