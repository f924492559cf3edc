"""Where a picture is taken from: cameras as plain numbers, how they frame things, and where a point falls in them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sandbox.errors import UserError

Floats = NDArray[np.float64]

NEAR_SHARE = 0.02
PRESETS = "whole, reach, way, top, level:Z (inches)"


@dataclass(frozen=True)
class Camera:
    """An eye that looks at a point."""

    target: tuple[float, float, float]
    """what it looks at, inches."""
    distance: float
    """from the eye to the target, inches."""
    azimuth: float = -68.0
    """where the eye stands as seen from the target, degrees counter-clockwise from east (-90: due south)."""
    elevation: float = 46.0
    """degrees above the horizon; 90 looks straight down, north up where the azimuth is -90."""
    view_angle: float = 26.0
    """full angle of view across the height of the picture, degrees."""
    cut: float | None = None
    """everything above this height is cut away, inches."""

    @cached_property
    def axes(self) -> Floats:
        """(3, 3) rows: right, up, and away from the eye, unit vectors in the board's frame."""
        azimuth, elevation = np.radians(self.azimuth), np.radians(self.elevation)
        out = np.array(
            [np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation)]
        )
        right = np.array([-np.sin(azimuth), np.cos(azimuth), 0.0])
        return np.asarray(np.stack([right, np.cross(out, right), -out]))

    @cached_property
    def eye(self) -> Floats:
        """(3,) position of the eye, inches."""
        return np.asarray(np.asarray(self.target) - self.axes[2] * self.distance)

    def project(self, points: Floats, size: tuple[int, int]) -> Floats:
        """(n, 3): pixel column, pixel row (from the top) and distance along the line of sight of (n, 3) points."""
        seen = (np.atleast_2d(np.asarray(points, dtype=np.float64)) - self.eye) @ self.axes.T
        depth = np.maximum(seen[:, 2], 1e-6)
        scale = size[1] / 2 / np.tan(np.radians(self.view_angle) / 2)
        return np.stack(
            [size[0] / 2 + seen[:, 0] / depth * scale, size[1] / 2 - seen[:, 1] / depth * scale, seen[:, 2]],
            axis=1,
        )

    def pixel(self, size: tuple[int, int]) -> float:
        """Inches that one pixel covers at the target."""
        return float(2 * self.distance * np.tan(np.radians(self.view_angle) / 2) / size[1])

    def framing(self, points: Floats, size: tuple[int, int], margin: float = 0.05) -> Camera:
        """The same direction of view, moved so that all (n, 3) points fall inside the picture, as large as can be."""
        points = np.asarray(points, dtype=np.float64)
        seen = points @ self.axes.T
        up = np.tan(np.radians(self.view_angle) / 2) * (1 - 2 * margin)
        across = up * size[0] / size[1]
        centre = np.empty(2)
        depth = np.empty(2)
        # Each side's planes through the eye bound it; the two that touch on either side fix centre and distance.
        for axis, slope in ((0, across), (1, up)):
            low = (seen[:, axis] - slope * seen[:, 2]).max()
            high = (seen[:, axis] + slope * seen[:, 2]).min()
            centre[axis] = (low + high) / 2
            depth[axis] = (high - low) / (2 * slope)
        eye_depth = float(depth.min())
        target_depth = float(np.median(seen[:, 2]))
        middle = np.array([centre[0], centre[1], target_depth]) @ self.axes
        return replace(
            self,
            target=(float(middle[0]), float(middle[1]), float(middle[2])),
            distance=max(target_depth - eye_depth, 1.0),
        )


@dataclass(frozen=True)
class View:
    """A preset: which things to frame, from which side, cut where."""

    what: str
    """board, reach or way."""
    camera: Camera


def preset(name: str | None, *, has_reach: bool, has_way: bool) -> View:
    """What a preset's name asks for; None: the way where there is one, else the reach, else the whole board.

    Raises UserError for a name that is none of PRESETS.
    """
    start = Camera((0.0, 0.0, 0.0), 10.0)
    close = "reach" if has_reach else "way" if has_way else "board"
    if name == "reach":
        return View(close, start)
    if name == "whole":
        return View("board", start)
    if name is None or name == "way":
        return View("way" if has_way else close, start)
    if name == "top":
        return View(close, replace(start, azimuth=-90.0, elevation=90.0, view_angle=8.0))
    found = re.fullmatch(r"level:\s*(-?\d+(?:\.\d+)?)", name)
    if found:
        return View(close, replace(start, cut=float(found.group(1)), elevation=62.0))
    raise UserError(f"camera '{name}' is not known; allowed: {PRESETS}")
