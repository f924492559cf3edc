"""What is put on a finished picture of a board: tints on its floors, ways, dashes, words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from sandbox.view import ink, legend, palette
from sandbox.view.camera import Camera
from sandbox.view.ink import Label
from sandbox.view.offscreen import Shot
from sandbox.view.palette import Colour

Floats = NDArray[np.float64]

SLACK = 0.12
"""inches that something may stand before a floor and it still counts as seen."""


class Canvas:
    """A picture with the camera it was taken by."""

    def __init__(self, shot: Shot, eye: Camera, size: tuple[int, int]) -> None:
        """size: of the picture, pixels."""
        self.shot = shot
        self.eye = eye
        self.size = size
        self.image = Image.fromarray(shot.picture)
        self.factor = legend.scale((size[0] + 320, size[1]))
        self._clear: list[Floats] = []

    def pixels(self, points: Floats) -> Floats:
        """(n, 2) pixel columns and rows of (n, 3) places in inches."""
        return np.asarray(self.eye.project(points, self.size)[:, :2])

    def tint(
        self, polygons: Sequence[Floats], height: float, colour: Colour, *, strong: bool = False
    ) -> None:
        """Colour what is seen of some polygons, each (n, 3) in inches, on the floor at a height (inches)."""
        mask = Image.new("L", self.size, 0)
        pen = ImageDraw.Draw(mask)
        for corners in polygons:
            pen.polygon([(float(x), float(y)) for x, y in self.pixels(corners)], fill=255)
        inside = np.asarray(mask) > 0
        rows, columns = np.nonzero(inside)
        if not len(rows):
            return
        seen = self._seen(rows, columns, height)
        rows, columns = rows[seen], columns[seen]
        pixels = np.array(self.image)
        share = 0.85 if strong else 0.34
        pixels[rows, columns] = (
            pixels[rows, columns] * (1 - share) + np.array(colour, dtype=np.float64) * share
        ).astype(np.uint8)
        self.image = Image.fromarray(pixels)

    def _seen(self, rows: NDArray[np.intp], columns: NDArray[np.intp], height: float) -> NDArray[np.bool_]:
        """Which pixels show the plane at a height and nothing before it."""
        if self.shot.distance is None:
            return np.ones(len(rows), dtype=np.bool_)
        scale = self.size[1] / 2 / np.tan(np.radians(self.eye.view_angle) / 2)
        right, up, forward = self.eye.axes
        across = (columns + 0.5 - self.size[0] / 2) / scale
        upward = (self.size[1] / 2 - rows - 0.5) / scale
        fall = right[2] * across + up[2] * upward + forward[2]
        depth = (height - self.eye.eye[2]) / np.where(np.abs(fall) < 1e-9, -1e-9, fall)
        return self.shot.visible(np.column_stack([columns + 0.5, rows + 0.5, depth]), SLACK) & (
            self._beyond(rows, columns, depth)
        )

    def _beyond(self, rows: NDArray[np.intp], columns: NDArray[np.intp], depth: Floats) -> NDArray[np.bool_]:
        """Whether the plane is what is seen, not a floor far below it."""
        distance = self.shot.distance
        assert distance is not None
        high, wide = distance.shape
        row = np.clip(((rows + 0.5) * high / self.size[1]).astype(int), 0, high - 1)
        column = np.clip(((columns + 0.5) * wide / self.size[0]).astype(int), 0, wide - 1)
        return np.asarray(distance[row, column] < depth + 0.5)

    def way(self, path: Floats, colour: Colour, aside: float) -> None:
        """A way (n, 3), inches, as a line with a pale rim; aside: pixels that it is moved by, so that none hides another."""
        line = self.pixels(path) + np.array([aside, aside]) * self.factor
        self._clear.append(line)
        points = [(float(x), float(y)) for x, y in line]
        pen = ImageDraw.Draw(self.image, "RGBA")
        width = max(2, round(3 * self.factor))
        pen.line(points, fill=(255, 255, 255, 210), width=width + 3, joint="curve")
        pen.line(points, fill=(*colour, 255), width=width, joint="curve")

    def bar(self, ends: Floats, colour: Colour, *, open_: bool) -> None:
        """A short thick line between two places, (2, 3) inches; open_: only its ends."""
        a, b = self.pixels(ends)
        pen = ImageDraw.Draw(self.image, "RGBA")
        width = max(3, round(5 * self.factor))
        parts = [(0.0, 0.16), (0.84, 1.0)] if open_ else [(0.0, 1.0)]
        for first, last in parts:
            line = [tuple(map(float, a + (b - a) * share)) for share in (first, last)]
            pen.line(line, fill=(255, 255, 255, 220), width=width + 3)
            pen.line(line, fill=(*colour, 255), width=width)

    def dashes(self, ends: Floats, colour: Colour) -> None:
        """A dashed line between two places, (2, 3) inches."""
        a, b = self.pixels(ends)
        length = float(np.hypot(*(b - a)))
        pen = ImageDraw.Draw(self.image, "RGBA")
        step = 9.0 * self.factor
        for k in range(int(length / step) + 1):
            if k % 2:
                continue
            first, last = (a + (b - a) * min(1.0, (k + part) * step / max(length, 1e-9)) for part in (0, 1))
            line = [(float(first[0]), float(first[1])), (float(last[0]), float(last[1]))]
            pen.line(line, fill=(255, 255, 255, 230), width=round(4 * self.factor))
            pen.line(line, fill=(*colour, 255), width=round(2 * self.factor))

    def label(
        self,
        at: Floats,
        lines: tuple[str, ...],
        *,
        size: float = 15.0,
        gap: float = 14.0,
        edge: Colour = palette.INK,
        ink: Colour = palette.INK,
        must: bool = True,
    ) -> Label:
        """Words beside a place, (3,) inches; size, gap: of a picture of the usual size, pixels."""
        x, y = self.pixels(at[None])[0]
        scale = self.factor
        return Label((float(x), float(y)), lines, edge, ink, size=size * scale, gap=gap * scale, must=must)

    def bare(self, at: Floats, text: str) -> Label:
        """Letters without a box on a place, (3,) inches."""
        x, y = self.pixels(at[None])[0]
        return Label(
            (float(x), float(y)),
            (text,),
            ink=palette.FAINT_INK,
            paper=palette.PAPER,
            size=13 * self.factor,
            gap=0,
            bare=True,
            must=False,
        )

    def words(self, labels: list[Label]) -> None:
        """Put labels where there is room for them."""
        inside = [
            label
            for label in labels
            if -20 < label.at[0] < self.size[0] + 20 and -20 < label.at[1] < self.size[1] + 20
        ]
        rim = 6.0
        clear = np.concatenate(self._clear)[::4] if self._clear else None
        ink.draw(self.image, ink.place(inside, (rim, rim, self.size[0] - rim, self.size[1] - rim), clear))
