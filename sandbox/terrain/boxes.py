"""Boxes that hold or meet others, whichever way they are spread. Lengths are in mm."""

from __future__ import annotations

import numpy as np

from sandbox.terrain.formats.raw import Floats, Indices
from sandbox.terrain.kernels.boxes import holders, meeting


def best_axis(low: Floats, high: Floats) -> int:
    """The axis along which the fewest of (n, 3) boxes overlap: the one to sweep along."""
    pairs = []
    for axis in range(3):
        begin = np.sort(low[:, axis])
        after = np.searchsorted(begin, high[:, axis], side="right") - np.searchsorted(
            begin, low[:, axis], side="right"
        )
        pairs.append(int(after.sum()))
    return int(np.argmin(pairs))


def holding(low: Floats, high: Floats, box_low: Floats, box_high: Floats) -> tuple[Indices, Indices]:
    """For each of (q, 3) boxes (points: low = high) those of (b, 3) boxes that hold it.

    (q + 1,) where the holders of each begin, and the holders.
    """
    axis = best_axis(box_low, box_high) if len(box_low) else 0
    order, box_order = np.argsort(low[:, axis]), np.argsort(box_low[:, axis])
    pairs = holders(low, high, order, box_low, box_high, box_order, axis)
    pairs = pairs[np.argsort(pairs[:, 0], kind="stable")]
    starts: Indices = np.searchsorted(pairs[:, 0], np.arange(len(low) + 1))
    return starts, pairs[:, 1]


def overlapping(low: Floats, high: Floats, by: float) -> Indices:
    """(k, 2) pairs of (n, 3) boxes that overlap by more than `by` along every axis, each pair once."""
    if len(low) == 0:
        return np.zeros((0, 2), dtype=np.int64)
    # in one layout, for which the kernel is compiled once
    low, high = np.ascontiguousarray(low), np.ascontiguousarray(high)
    axis = best_axis(low, high)
    found: Indices = meeting(low, high, np.argsort(low[:, axis]), axis, -by)
    return found
