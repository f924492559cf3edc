"""Railings at lips: solid ones that the lip is cut from, and open ones, whose bars stand or hang beside it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sandbox.ground.bins import Bins
from sandbox.ground.kernels.links_bins import make_buffers
from sandbox.ground.kernels.links_lips import bars_at
from sandbox.ground.lips import Lips
from sandbox.ground.model import Floats, Ints, Numbers
from sandbox.units import SNAP_MM

_HALF_SNAP = 0.5 * SNAP_MM
_PIECE_MM = 5.0
"""a lip is looked at this often for where a railing begins and ends."""


@dataclass(frozen=True, eq=False)
class RailRuns:
    """Stretches of lips that have a railing all along or none."""

    ends: Floats
    """(n, 2, 3) mm, in the order of the lips and along each."""
    lip: Ints
    """(n,) row of the lip."""
    railed: NDArray[np.bool_]
    """(n,) whether a railing that counts stands there."""


def rail_at(bins: Bins, numbers: Numbers, point: Floats, out: Floats) -> float:
    """Height over the floor of an open railing at a point of a lip, mm; 0 where there is none.

    point: (3,) on the lip, mm. out: (2,) unit plan normal, away from the floor.
    """
    return float(
        bars_at(
            point[0],
            point[1],
            point[2],
            out[0],
            out[1],
            numbers.rail_height_mm - _HALF_SNAP,
            numbers.rail_max_mm + _HALF_SNAP,
            numbers.rail_reach_mm,
            bins.arrays,
            make_buffers(),
        )
    )


def rail_of(lips: Lips, row: int, point: Floats, bins: Bins, numbers: Numbers, kerb: float = 0.0) -> float:
    """Height of the railing at a point of one of the lips over the floor, a kerb's own included, mm; 0: none that counts.

    point: (3,) mm; kerb: how much higher the lip is than the floor, mm.
    """
    rail = float(lips.rail[row])
    if rail == 0.0:
        rail = rail_at(bins, numbers, point, lips.out[row])
    if kerb + rail >= numbers.rail_height_mm - _HALF_SNAP:
        rail += max(kerb, 0.0)
    return 0.0 if rail < numbers.rail_height_mm - _HALF_SNAP else float(rail)


def rail_runs(lips: Lips, bins: Bins, numbers: Numbers) -> RailRuns:
    """Where lips have railings, to 5 mm along them."""
    ends: list[tuple[Floats, Floats]] = []
    rows: list[int] = []
    railed: list[bool] = []
    for row in range(len(lips)):
        a, b = lips.a[row], lips.b[row]
        pieces = max(1, int(np.ceil(np.linalg.norm(b - a) / _PIECE_MM)))
        cuts = a + np.linspace(0.0, 1.0, pieces + 1)[:, None] * (b - a)
        middles = (cuts[1:] + cuts[:-1]) / 2
        held = np.array([rail_of(lips, row, at, bins, numbers) > 0.0 for at in middles])
        begin = np.flatnonzero(np.diff(held, prepend=~held[0]))
        for first, after in zip(begin, [*begin[1:], pieces], strict=True):
            ends.append((cuts[first], cuts[after]))
            rows.append(row)
            railed.append(bool(held[first]))
    return RailRuns(np.array(ends).reshape(-1, 2, 3), np.array(rows, np.int32), np.array(railed, np.bool_))
