"""Plan rectangles: a union of many, with holes in it, cut into few."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Rect:
    """A rectangle in plan, mm."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def corners(self) -> tuple[tuple[float, float], ...]:
        """Its four corners, counter-clockwise."""
        return ((self.x0, self.y0), (self.x1, self.y0), (self.x1, self.y1), (self.x0, self.y1))

    @property
    def middle(self) -> tuple[float, float]:
        """Its middle."""
        return ((self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2)


def rectangles(whole: Sequence[Rect], holes: Sequence[Rect]) -> list[Rect]:
    """The union of `whole` less `holes` as rectangles that do not overlap, the largest first found from the south."""
    if not whole:
        return []
    every = [*whole, *holes]
    xs = _lines([v for rect in every for v in (rect.x0, rect.x1)])
    ys = _lines([v for rect in every for v in (rect.y0, rect.y1)])
    there = np.zeros((len(ys) - 1, len(xs) - 1), dtype=np.bool_)
    for rects, value in ((whole, True), (holes, False)):
        for rect in rects:
            c0, c1 = (int(np.argmin(np.abs(xs - v))) for v in (rect.x0, rect.x1))
            r0, r1 = (int(np.argmin(np.abs(ys - v))) for v in (rect.y0, rect.y1))
            there[r0:r1, c0:c1] = value
    found = []
    while there.any():
        row, column = map(int, np.argwhere(there)[0])
        best: tuple[float, int, int] = (0.0, 0, 0)
        wide = there.shape[1]
        for r in range(row, there.shape[0]):
            if not there[r, column]:
                break
            gone = np.flatnonzero(~there[r, column:wide])
            wide = column + int(gone[0]) if gone.size else wide
            area = float((xs[wide] - xs[column]) * (ys[r + 1] - ys[row]))
            if area > best[0] + 1e-6:
                best = (area, r + 1, wide)
        _, high, right = best
        there[row:high, column:right] = False
        found.append(Rect(float(xs[column]), float(ys[row]), float(xs[right]), float(ys[high])))
    return found


def _lines(values: Sequence[float]) -> np.ndarray:
    """Sorted values, those within a thousandth of a millimetre taken for one."""
    ordered = np.unique(np.round(np.asarray(values), 3))
    exact = np.sort(np.asarray(values))
    return np.asarray(exact[np.searchsorted(exact, ordered - 0.0006)])
