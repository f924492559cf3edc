"""The plan region that a question can touch: what lies on a way from one point to another no longer than a length."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sandbox.ground.model import Floats


@dataclass(frozen=True)
class Region:
    """An ellipse with a way's two ends as its foci; a disc where they are one point. Lengths in mm."""

    start: tuple[float, float]
    end: tuple[float, float]
    length: float
    """longest way from start to end."""

    @classmethod
    def disc(cls, x: float, y: float, radius: float) -> Region:
        """All within a radius of a point."""
        return cls((x, y), (x, y), 2.0 * radius)

    def holds(self, points: Floats, margin: float | Floats = 0.0) -> NDArray[np.bool_]:
        """Which points (n, 2 or more columns) lie in it or, at a margin (mm, below 0: inside its rim), near it, (n,)."""
        to = np.hypot(points[:, 0] - self.start[0], points[:, 1] - self.start[1])
        on = np.hypot(points[:, 0] - self.end[0], points[:, 1] - self.end[1])
        inside: NDArray[np.bool_] = to + on <= self.length + 2.0 * margin
        return inside

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Its plan box: x0, y0, x1, y1."""
        (ax, ay), (bx, by) = self.start, self.end
        long = 0.5 * self.length
        apart = float(np.hypot(bx - ax, by - ay))
        short2 = max(long**2 - 0.25 * apart**2, 0.0)
        c, s = ((bx - ax) / apart, (by - ay) / apart) if apart > 1e-9 else (1.0, 0.0)
        half_x, half_y = np.sqrt(long**2 * c**2 + short2 * s**2), np.sqrt(long**2 * s**2 + short2 * c**2)
        x, y = 0.5 * (ax + bx), 0.5 * (ay + by)
        return (float(x - half_x), float(y - half_y), float(x + half_x), float(y + half_y))
