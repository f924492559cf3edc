"""Void discs beside the lips of a terrain, found where they are asked for and kept, for one radius."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sandbox.ground.faces import BIN_MM, MARGIN_MM, BinArrays, bin_boxes
from sandbox.ground.kernels.voids import find_voids, floor_above
from sandbox.ground.lips import Lips
from sandbox.ground.model import Floats, Ints, Numbers, Window
from sandbox.ground.slices import in_slices

if TYPE_CHECKING:
    from sandbox.ground.shared import Scene

SPACING_MM = 1.6
"""Void discs stand this close along a lip; between two the border of the closed floor is 0.02 mm out."""


@dataclass(frozen=True, eq=False)
class Voids:
    """Void discs of one radius, in plan bins (see kernels/voids)."""

    discs: Floats
    """(n, 7): centre x, y, level z, contact x, y, height of the floor below and of that above; mm."""
    radius: float
    bins: BinArrays

    @property
    def packed(self) -> tuple[Floats, Ints, Ints, float, float, float, int, int, float]:
        """What kernels take: discs (n, 7), the bins' start, item, x0, y0, size, nx, ny, the radius; mm."""
        return (self.discs, *self.bins, self.radius)


class VoidStore:
    """Void discs of one radius beside the lips of one terrain."""

    def __init__(self, radius: float, numbers: Numbers) -> None:
        """radius: mm."""
        self._radius = radius
        # a hair more than what places ask with, so that no disc lies over floor that counts as its level
        self._steps = numbers.free_step_up_mm + 0.1, numbers.free_step_down_mm + 0.1
        self._discs = np.zeros((0, 7))
        self._lip = np.zeros(0, np.int64)
        """number of each disc's lip."""
        self._done = np.zeros(0, bool)
        """by number of a lip: whether all of its discs are there."""

    def within(self, scene: Scene) -> Voids:
        """The discs of all lips of a scene, in the order of the lips."""
        number = scene.lips.number.astype(np.int64)
        more = int(number.max(initial=-1)) + 1 - len(self._done)
        self._done = np.concatenate([self._done, np.zeros(max(more, 0), bool)])
        new = np.flatnonzero(~self._done[number])
        discs, lip = self._beside(scene, new)
        # a lip near the rim has neighbours that are not there, which its discs may touch
        whole = np.zeros(len(self._done), bool)
        whole[number[new]] = _well_inside(scene.lips, new, scene.window, MARGIN_MM - 2.0 * self._radius - 2.0)
        rank = np.full(len(self._done), -1, np.int64)
        rank[number] = np.arange(len(number))
        known = rank[self._lip] >= 0
        found = np.concatenate([self._discs[known], discs])
        order = np.argsort(rank[np.concatenate([self._lip[known], lip])], kind="stable")
        last = whole[lip]
        self._discs = np.concatenate([self._discs, discs[last]])
        self._lip = np.concatenate([self._lip, lip[last]])
        self._done |= whole
        found = np.ascontiguousarray(found[order])
        faces = scene.faces
        at = np.ascontiguousarray(found[:, :2])
        start, item = bin_boxes(at, at, faces.x0, faces.y0, BIN_MM, faces.nx, faces.ny)
        return Voids(found, self._radius, (start, item, faces.x0, faces.y0, BIN_MM, faces.nx, faces.ny))

    def _beside(self, scene: Scene, which: NDArray[np.int64]) -> tuple[Floats, NDArray[np.int64]]:
        """Discs (n, 7) beside some lips of a scene, and the number of the lip of each."""
        lips, (up, down) = scene.lips, self._steps
        surfaces = (scene.faces.corners, scene.faces.flags), scene.faces.floor_bins
        spacing = min(SPACING_MM, self._radius / 4.0)

        def beside(part: slice) -> Floats:
            some = which[part]
            discs, ends = find_voids(
                lips.a, lips.b, lips.out, lips.drop, some, scene.lip_bins, *surfaces, self._radius, spacing, up, down
            )  # fmt: skip
            own = np.repeat(lips.number[some], np.diff(ends, prepend=0))
            return np.column_stack([discs, floor_above(discs, *surfaces, up), own])

        found = in_slices(beside, len(which))
        return np.ascontiguousarray(found[:, :-1]), found[:, -1].astype(np.int64)


def _well_inside(lips: Lips, which: NDArray[np.int64], window: Window, margin: float) -> NDArray[np.bool_]:
    """Which lips lie wholly in a window widened by `margin` mm."""
    ends = np.stack([lips.a[which, :2], lips.b[which, :2]])
    low, high = (window.x0 - margin, window.y0 - margin), (window.x1 + margin, window.y1 + margin)
    return np.asarray((ends >= low).all(axis=(0, 2)) & (ends <= high).all(axis=(0, 2)))
