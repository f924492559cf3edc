"""Kernels that find open space sealed inside a single piece: what no way leads into is flooded from outside and left dry."""

from __future__ import annotations

import numpy as np

from sandbox.compiling import kernel

LEAST_MM = 0.3
"""Two open spaces of neighbouring columns that share less height than this are not open to each other."""


@kernel
def flood(space_start, low, high, nx, ny, table):
    """Which open spaces air reaches from the grid's border and the sky, (k,) uint8; `table`: nothing comes through that
    height from below (-inf: there is no table)."""
    n = low.shape[0]
    wet = np.zeros(n, np.uint8)
    stack = np.empty(n, np.int32)
    column = np.empty(n, np.int32)
    count = 0
    for c in range(nx * ny):
        i = c % nx
        j = c // nx
        border = i == 0 or j == 0 or i == nx - 1 or j == ny - 1
        for s in range(space_start[c], space_start[c + 1]):
            column[s] = c
            low[s] = max(low[s], table)
            if high[s] == np.inf or border or (low[s] == -np.inf):
                wet[s] = 1
                stack[count] = s
                count += 1
    while count > 0:
        count -= 1
        s = stack[count]
        c = column[s]
        i = c % nx
        j = c // nx
        for d in range(4):
            ii = i + (1 if d == 0 else -1 if d == 1 else 0)
            jj = j + (1 if d == 2 else -1 if d == 3 else 0)
            if ii < 0 or jj < 0 or ii >= nx or jj >= ny:
                continue
            q = jj * nx + ii
            for t in range(space_start[q], space_start[q + 1]):
                if wet[t] == 0 and min(high[s], high[t]) - max(low[s], low[t]) >= LEAST_MM:
                    wet[t] = 1
                    stack[count] = t
                    count += 1
    return wet
