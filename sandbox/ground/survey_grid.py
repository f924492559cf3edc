"""The common grid of columns: those of any two windows of the same pitch agree. Lengths are in mm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sandbox.ground.model import Floats, Window

# Columns are 2.54 mm apart and stand off round numbers, so that they rarely meet the edges of models that were drawn on a
# grid. In 65,536ths, so that sums and products of these are exact: the same column is at the same place to the last bit
# whichever window it is counted from, and close calls fall the same way.
_FINE = 65536
PITCH_MM = 166461 / _FINE
_OFFSET_X = 20559 / _FINE
_OFFSET_Y = 40503 / _FINE
BLOCK = 8
"""Windows begin and end at every so many columns: what is worked out for blocks of columns (`flat_levels`) is the same in
all of them."""


@dataclass(frozen=True)
class Grid:
    """A rectangle of columns; mm."""

    x0: float
    y0: float
    nx: int
    ny: int
    i0: int
    """number of its first column in x on the common grid."""
    j0: int


def grid_over(window: Window, pitch: float) -> Grid:
    """The columns that cover a window."""
    i0 = int(np.floor(window.x0 / pitch - _OFFSET_X)) // BLOCK * BLOCK
    j0 = int(np.floor(window.y0 / pitch - _OFFSET_Y)) // BLOCK * BLOCK
    nx = int(np.ceil(window.x1 / pitch - _OFFSET_X)) - i0 + 1
    ny = int(np.ceil(window.y1 / pitch - _OFFSET_Y)) - j0 + 1
    return Grid(
        x0=(i0 + _OFFSET_X) * pitch,
        y0=(j0 + _OFFSET_Y) * pitch,
        nx=-(-nx // BLOCK) * BLOCK,
        ny=-(-ny // BLOCK) * BLOCK,
        i0=i0,
        j0=j0,
    )


def nearest_column(x: float, y: float, pitch: float) -> tuple[int, int]:
    """Numbers on the common grid of the column nearest to a plan point."""
    return round(x / pitch - _OFFSET_X), round(y / pitch - _OFFSET_Y)


def column_point(i: NDArray[Any], j: NDArray[Any], pitch: float) -> tuple[Floats, Floats]:
    """Plan points of columns by their numbers on the common grid, or of points between: x, y, mm.

    i, j: of one shape, or of shapes that broadcast; x has the shape of i, y that of j. pitch: mm.
    """
    return (i + _OFFSET_X) * pitch, (j + _OFFSET_Y) * pitch
