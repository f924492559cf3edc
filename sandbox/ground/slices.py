"""Work on many rows in slices, one thread each; kernels let go of the interpreter while they run."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

LEAST_ROWS = 256
"""Fewer rows than this are not worth a thread of their own."""


def in_slices(
    work: Callable[[slice], NDArray[np.float64]], rows: int, least: int = LEAST_ROWS
) -> NDArray[np.float64]:
    """Call `work` on slices of so many rows and put the tables it returns together, in order.

    Tables: (k, columns) float64, k as `work` likes. least: fewer rows are not worth a thread of their own.
    """
    parts = max(1, min(os.cpu_count() or 1, rows // least))
    bounds = np.linspace(0, rows, parts + 1).astype(int)
    if parts == 1:
        return work(slice(0, rows))
    with ThreadPoolExecutor(parts) as pool:
        done = list(pool.map(work, [slice(a, b) for a, b in pairwise(bounds)]))
    return np.concatenate(done)
