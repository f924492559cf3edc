"""Open space sealed inside a single piece (law 2): floor in there is no floor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sandbox.ground.kernels.columns import crossings, open_spaces
from sandbox.ground.kernels.sealed import flood
from sandbox.ground.model import Floats, Window
from sandbox.ground.survey_grid import column_point, grid_over
from sandbox.terrain.model import BOARD_PIECE, CEILING_PIECE, Terrain

_NEAR_MM = 0.3
_ROW = 1_000_003
"""more columns than a row can have."""


@dataclass(frozen=True, eq=False)
class Sealed:
    """Sealed open spaces on the columns of the common grid, sorted by column; mm."""

    column: NDArray[np.int64]
    """(k,) key of the column, see `key_of`."""
    low: Floats
    """(k,) where the space begins."""
    high: Floats
    """(k,) where it ends."""
    pitch: float

    def holds(self, i: NDArray[np.integer[Any]], j: NDArray[np.integer[Any]], z: Floats) -> NDArray[np.bool_]:
        """(n,) whether heights z on columns i, j of the common grid are in a sealed space."""
        inside = np.zeros(len(z), bool)
        if not self.column.size:
            return inside
        key = key_of(i, j)
        first = np.searchsorted(self.column, key)
        last = np.searchsorted(self.column, key, side="right")
        for k in range(int((last - first).max(initial=0))):
            row = np.minimum(first + k, len(self.column) - 1)
            inside |= (first + k < last) & (z >= self.low[row] - _NEAR_MM) & (z < self.high[row])
        return inside

    def beyond(self, other: Sealed) -> Floats:
        """Plan points (n, 2), mm, of the columns with a space that another does not seal in the same way."""
        mine, theirs = (
            np.column_stack([one.column.astype(np.float64), one.low, one.high]).view("f8, f8, f8").ravel()
            for one in (self, other)
        )
        key = self.column[~np.isin(mine, theirs)]
        i = np.round(key / _ROW).astype(np.int64)
        return np.stack(column_point(i, key - i * _ROW, self.pitch), axis=1)


def key_of(i: NDArray[np.integer[Any]], j: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """One number, (n,) int64, for each column of the common grid; i, j: (n,) its numbers in x and y."""
    return np.asarray(i, np.int64) * _ROW + np.asarray(j, np.int64)


def find_sealed(terrain: Terrain, pitch: float) -> Sealed:
    """Flood every piece from outside, on columns `pitch` mm apart; the table closes pieces that stand on it."""
    parts = terrain.parts
    names = sorted({p.piece for p in parts} - {BOARD_PIECE, CEILING_PIECE})
    table = 0.0 if any(p.piece == BOARD_PIECE for p in parts) else -np.inf
    corners = terrain.vertices[terrain.faces]
    closed = terrain.shell_closed[terrain.face_shell]
    number = {name: k for k, name in enumerate(names)}
    piece = np.array([number.get(p.piece, -1) for p in parts] or [-1], np.int32)[terrain.face_part]
    order = np.argsort(piece, kind="stable")
    bounds = np.searchsorted(piece[order], np.arange(len(names) + 1))
    keys, lows, highs = [], [], []
    for k in range(len(names)):
        faces = order[bounds[k] : bounds[k + 1]]
        own = np.ascontiguousarray(corners[faces])
        # whatever encloses a space has an underside over it
        if len(own) < 8:
            continue
        low, high = own[:, :, :2].min(axis=(0, 1)), own[:, :, :2].max(axis=(0, 1))
        grid = grid_over(Window(low[0] - pitch, low[1] - pitch, high[0] + pitch, high[1] + pitch), pitch)
        start, z, face, up = crossings(own, grid.x0, grid.y0, pitch, grid.nx, grid.ny)
        space_start, space_low, space_high, _ = open_spaces(start, z, face, up, closed[faces])
        wet = flood(space_start, space_low, space_high, grid.nx, grid.ny, table)
        dry = np.flatnonzero((wet == 0) & (space_high - space_low > _NEAR_MM))
        if not dry.size:
            continue
        column = np.searchsorted(space_start, dry, side="right") - 1
        keys.append(key_of(grid.i0 + column % grid.nx, grid.j0 + column // grid.nx))
        lows.append(space_low[dry])
        highs.append(space_high[dry])
    if not keys:
        return Sealed(np.zeros(0, np.int64), np.zeros(0), np.zeros(0), pitch)
    key, low_z, high_z = np.concatenate(keys), np.concatenate(lows), np.concatenate(highs)
    by = np.argsort(key, kind="stable")
    return Sealed(key[by], low_z[by], high_z[by], pitch)
