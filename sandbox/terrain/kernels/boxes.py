"""Which of many boxes hold which others, and which meet: by sweeping along one axis, so that it stays near linear.

Lengths are in mm.
"""
# mypy: disallow-untyped-decorators=False, disallow-any-unimported=False

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sandbox.compiling import inner, kernel

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


@inner
def _longer(pairs: Indices) -> Indices:
    out = np.empty((2 * len(pairs), 2), dtype=np.int64)
    out[: len(pairs)] = pairs
    return out


@kernel
def holders(
    low: Floats,
    high: Floats,
    order: Indices,
    box_low: Floats,
    box_high: Floats,
    box_order: Indices,
    axis: int,
) -> Indices:
    """(k, 2) pairs (query, box): the box holds the query's box, borders included.

    low, high (q, 3) and box_low, box_high (b, 3); order and box_order sort both by their low side along `axis`.
    """
    pairs = np.empty((256, 2), dtype=np.int64)
    made = 0
    active = np.empty(len(box_order), dtype=np.int64)
    count = come = 0
    for number in order:
        start = low[number, axis]
        while come < len(box_order) and box_low[box_order[come], axis] <= start:
            active[count] = box_order[come]
            count += 1
            come += 1
        left = 0
        for k in range(count):
            box = active[k]
            if box_high[box, axis] < start:
                continue  # behind the sweep for good
            active[left] = box
            left += 1
            inside = True
            for i in range(3):
                if box_low[box, i] > low[number, i] or box_high[box, i] < high[number, i]:
                    inside = False
                    break
            if inside:
                if made == len(pairs):
                    pairs = _longer(pairs)
                pairs[made, 0], pairs[made, 1] = number, box
                made += 1
        count = left
    return pairs[:made]


@kernel
def meeting(low: Floats, high: Floats, order: Indices, axis: int, reach: float) -> Indices:
    """(k, 2) pairs of (n, 3) boxes that come nearer to each other than `reach` along every axis, each pair once.

    A negative reach asks for an overlap. order sorts the boxes by their low side along `axis`.
    """
    pairs = np.empty((256, 2), dtype=np.int64)
    made = 0
    for n in range(len(order)):
        a = order[n]
        for m in range(n + 1, len(order)):
            b = order[m]
            if low[b, axis] >= high[a, axis] + reach:
                break
            near = True
            for i in range(3):
                if low[b, i] >= high[a, i] + reach or low[a, i] >= high[b, i] + reach:
                    near = False
                    break
            if near:
                if made == len(pairs):
                    pairs = _longer(pairs)
                pairs[made, 0], pairs[made, 1] = a, b
                made += 1
    return pairs[:made]
