"""Moving the eye: orbit, pan, zoom to the mouse, view from above, glide to a frame. Plain numbers, no graphics."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sandbox.view.camera import Camera

Floats = NDArray[np.float64]
Pixel = tuple[float, float]

PER_PIXEL = 0.3
"""degrees that the eye turns for each pixel."""
NOTCH = 0.86
"""what one notch of the wheel does to the distance."""
NEAREST, FARTHEST = 1.5, 300.0
"""inches."""
LOWEST, STEEPEST = 3.0, 90.0
"""degrees above the horizon."""
GLIDE = 0.28
"""seconds that the eye takes to a new frame."""


class Orbit:
    """The eye of the window."""

    def __init__(self, camera: Camera, size: tuple[int, int]) -> None:
        """size: of the picture in pixels."""
        self.camera = camera
        self.size = size
        self._from: Camera | None = None
        self._to: Camera | None = None
        self._share = 1.0

    @property
    def moving(self) -> bool:
        """Whether it glides."""
        return self._to is not None

    def step(self, seconds: float) -> bool:
        """Glide on; whether the eye moved."""
        if self._from is None or self._to is None:
            return False
        self._share = min(1.0, self._share + seconds / GLIDE)
        t = self._share * self._share * (3 - 2 * self._share)
        a, b = self._from, self._to
        turn = (b.azimuth - a.azimuth + 180) % 360 - 180
        target = np.asarray(a.target) * (1 - t) + np.asarray(b.target) * t
        self.camera = replace(
            b,
            target=_triple(target),
            distance=a.distance * (1 - t) + b.distance * t,
            azimuth=a.azimuth + turn * t,
            elevation=a.elevation * (1 - t) + b.elevation * t,
            view_angle=a.view_angle * (1 - t) + b.view_angle * t,
            cut=b.cut,
        )
        if self._share >= 1.0:
            self._from = self._to = None
        return True

    def glide(self, to: Camera) -> None:
        """Go to another view, smoothly; the level cut stays as it is."""
        self._from, self._to, self._share = self.camera, replace(to, cut=self.camera.cut), 0.0

    def jump(self, to: Camera) -> None:
        """Be there at once."""
        self._from = self._to = None
        self.camera = to

    def cut(self, height: float | None) -> None:
        """Set the level cut, inches."""
        self.camera = replace(self.camera, cut=height)
        if self._to is not None:
            self._to = replace(self._to, cut=height)

    def turn(self, right: float, up: float) -> None:
        """Go around the target by pixels of mouse movement."""
        self._from = self._to = None
        camera = self.camera
        elevation = float(np.clip(camera.elevation + up * PER_PIXEL, LOWEST, STEEPEST))
        self.camera = replace(camera, azimuth=camera.azimuth - right * PER_PIXEL, elevation=elevation)

    def pan(self, right: float, up: float) -> None:
        """Shift the board under the eye by pixels: what was under the mouse stays under it."""
        self._from = self._to = None
        camera = self.camera
        pixel = camera.pixel(self.size)
        axes = camera.axes
        steep = max(np.sin(np.radians(camera.elevation)), 0.25)
        along = np.array([axes[1][0], axes[1][1], 0.0])
        length = np.linalg.norm(along)
        along = along / length if length > 1e-6 else np.array([0.0, 1.0, 0.0])
        shift = -axes[0] * right * pixel - along * up * pixel / steep
        self.camera = replace(camera, target=_triple(np.asarray(camera.target) + shift))

    def zoom(self, notches: float, at: Floats | None) -> None:
        """Come nearer towards a point (3,), inches, which keeps its place in the picture; None: towards the target.

        notches: of the wheel, each changes the distance by the factor NOTCH; positive: nearer.
        """
        self._from = self._to = None
        camera = self.camera
        distance = float(np.clip(camera.distance * NOTCH**notches, NEAREST, FARTHEST))
        factor = distance / camera.distance
        target = np.asarray(camera.target)
        if at is not None:
            target = at + (target - at) * factor
        self.camera = replace(camera, target=_triple(target), distance=distance)

    def above(self) -> Camera:
        """The same place seen straight from above, north up."""
        return replace(self.camera, azimuth=-90.0, elevation=90.0)

    def ray(self, pixel: Pixel) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
        """Start and direction of the line of sight through a pixel (column, row from the top)."""
        camera = self.camera
        right, up, away = camera.axes
        slope = np.tan(np.radians(camera.view_angle) / 2)
        across = (pixel[0] / self.size[0] * 2 - 1) * slope * self.size[0] / self.size[1]
        high = (1 - pixel[1] / self.size[1] * 2) * slope
        direction = away + right * across + up * high
        return _triple(camera.eye), _triple(direction / np.linalg.norm(direction))

    def on_plane(self, pixel: Pixel, z: float) -> Floats | None:
        """Where the line of sight through a pixel meets the height z, (3,) inches; None where it does not."""
        start, direction = (np.asarray(value) for value in self.ray(pixel))
        if abs(direction[2]) < 1e-6:
            return None
        share = (z - start[2]) / direction[2]
        return None if share <= 0 else np.asarray(start + direction * share)


def _triple(values: Floats) -> tuple[float, float, float]:
    return float(values[0]), float(values[1]), float(values[2])
