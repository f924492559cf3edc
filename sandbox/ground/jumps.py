"""Leaps over gaps, found per question within reach (law 11). Jumps down come with the climbs over the same lips."""

from __future__ import annotations

import numpy as np

from sandbox.ground.climbs import Field
from sandbox.ground.kernels.links_bins import fill_bins
from sandbox.ground.kernels.links_leap import leap_lips
from sandbox.ground.lips import Lips
from sandbox.ground.model import Floats, Ints
from sandbox.ground.slices import in_slices

ANGLES_DEG = (0.0, 20.0, -20.0, 40.0, -40.0, 60.0, -60.0)
"""Leaps are tried straight out from a lip and slanted to both sides."""
_CELL_MM = 20.0


def lip_cells(lips: Lips) -> tuple[Floats, Ints, Ints]:
    """Lips in plan cells.

    grid (5,) float64: x0, y0, cell size, number of cells in x and in y, mm; start (cells + 1,) int32;
    items (k,) int32 lips of each cell.
    """
    if not len(lips):
        return np.array([0.0, 0.0, _CELL_MM, 1, 1]), np.zeros(2, np.int32), np.zeros(0, np.int32)
    ends = np.stack([lips.a, lips.b, lips.b], axis=1)
    low = ends[:, :, :2].min(axis=(0, 1)) - 0.31371
    high = ends[:, :, :2].max(axis=(0, 1))
    nx = int((high[0] - low[0]) // _CELL_MM) + 1
    ny = int((high[1] - low[1]) // _CELL_MM) + 1
    start, items = fill_bins(np.ascontiguousarray(ends), low[0], low[1], _CELL_MM, nx, ny)
    return np.array([low[0], low[1], _CELL_MM, nx, ny], np.float64), start, items


def leaps_from(
    field: Field, lips: Lips, lines: Floats, longest: float, far: Floats | None = None, deepest: float = 400.0
) -> Floats:
    """Rows (n, WIDTH) of leaps from points of lips (see kernels/links_rows).

    lines: as made by `lines_over`. longest: widest gap, mm. far: (lines,) gets how far in plan from its point each line
    hangs on what is there, mm. deepest: how far below the take-off a landing may be, mm.
    """
    looked = np.empty(len(lines)) if far is None else far
    cells = lip_cells(lips)

    def tried(part: slice) -> Floats:
        rows: Floats = leap_lips(
            np.ascontiguousarray(lines[part]),
            np.radians(ANGLES_DEG),
            longest,
            deepest,
            field.limits,
            field.body,
            field.bins,
            field.coarse,
            field.places,
            (lips.a, lips.b, lips.out, lips.rail),
            cells,
            looked[part],
        )
        return rows

    return in_slices(tried, len(lines))
