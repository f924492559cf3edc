"""The common grid of columns: those of any two windows of the same pitch agree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sandbox.ground.model import Floats, Window

PITCH_MM = 2.54
# Columns stand off round numbers, so that they rarely meet the edges of models that were drawn on a grid.
_OFFSET_X = 0.31371
_OFFSET_Y = 0.61803


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
    i0 = int(np.floor(window.x0 / pitch - _OFFSET_X))
    j0 = int(np.floor(window.y0 / pitch - _OFFSET_Y))
    return Grid(
        x0=(i0 + _OFFSET_X) * pitch,
        y0=(j0 + _OFFSET_Y) * pitch,
        nx=int(np.ceil(window.x1 / pitch - _OFFSET_X)) - i0 + 1,
        ny=int(np.ceil(window.y1 / pitch - _OFFSET_Y)) - j0 + 1,
        i0=i0,
        j0=j0,
    )


def nearest_column(x: float, y: float, pitch: float) -> tuple[int, int]:
    """Numbers on the common grid of the column nearest to a plan point."""
    return round(x / pitch - _OFFSET_X), round(y / pitch - _OFFSET_Y)


def column_point(i: NDArray[Any], j: NDArray[Any], pitch: float) -> tuple[Floats, Floats]:
    """Plan points of columns by their numbers on the common grid, or of points between: x, y, mm."""
    return (i + _OFFSET_X) * pitch, (j + _OFFSET_Y) * pitch
