"""Terrain faces of a window in plan bins, with what ground needs to know of each: walkable, crossed, barred."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sandbox.compiling import kernel
from sandbox.ground.floors import FaceFloors
from sandbox.ground.model import Bytes, Floats, Ints, Permit, Window
from sandbox.ground.survey import FaceBoxes, faces_in
from sandbox.terrain.model import Terrain

MARGIN_MM = 60.0
"""Faces and lips are known so far beyond a window."""
BIN_MM = 8.0
FLOOR_BIN_MM = 4.0
"""Bins of the faces that may be floor alone: what is asked of them is mostly asked at a point."""

BinArrays = tuple[Ints, Ints, float, float, float, int, int]
"""start, item, x0, y0, bin size, nx, ny."""

UP_FLOOR = 1
CROSS = 2
BARRED = 4


@dataclass(frozen=True, eq=False)
class Faces:
    """The faces near a window, numbered anew from 0."""

    corners: Floats
    """(m, 3, 3) float64 mm."""
    box: Floats
    """(m, 4) plan box x0, y0, x1, y1."""
    low: Floats
    """(m,) lowest z."""
    high: Floats
    """(m,) highest z."""
    flags: Bytes
    """(m,) uint8: UP_FLOOR (may be floor), CROSS (part of an obstacle), BARRED."""
    part: Ints
    """(m,) terrain part."""
    ids: Ints
    """(m,) face number in the terrain."""
    x0: float
    y0: float
    nx: int
    ny: int
    start: Ints
    """(nx * ny + 1,) faces of bin b are item[start[b]:start[b + 1]]."""
    item: Ints

    @property
    def arrays(self) -> tuple[Floats, Floats, Floats, Floats, Bytes, Ints]:
        """What kernels take: corners (m, 3, 3), box (m, 4), low (m,), high (m,), flags (m,), part (m,)."""
        return (self.corners, self.box, self.low, self.high, self.flags, self.part)

    floor_bins: BinArrays
    """The faces that may be floor, in bins of their own."""

    @property
    def bins(self) -> BinArrays:
        """What kernels take: start, item, x0, y0, bin size, nx, ny."""
        return (self.start, self.item, self.x0, self.y0, BIN_MM, self.nx, self.ny)


def index_faces(
    terrain: Terrain,
    window: Window,
    permits: Sequence[Permit],
    floors: FaceFloors,
    boxes: FaceBoxes,
) -> Faces:
    """Put the faces of a window widened by MARGIN_MM into plan bins; permits: one per terrain part."""
    corners, ids = faces_in(boxes, window, MARGIN_MM)
    part = terrain.face_part[ids]
    permit = np.array([int(p) for p in permits] or [0], np.int32)[part]
    flags = np.zeros(ids.shape[0], np.uint8)
    flags[floors.walk[ids] != 0] |= UP_FLOOR
    flags[(permit & Permit.CROSS) != 0] |= CROSS
    flags[(permit & Permit.BARRED) != 0] |= BARRED
    # bins of all windows agree, and with them the order in which faces are met
    x0 = float(np.floor((window.x0 - MARGIN_MM) / BIN_MM) * BIN_MM)
    y0 = float(np.floor((window.y0 - MARGIN_MM) / BIN_MM) * BIN_MM)
    nx = max(1, int(np.ceil((window.x1 + MARGIN_MM - x0) / BIN_MM)))
    ny = max(1, int(np.ceil((window.y1 + MARGIN_MM - y0) / BIN_MM)))
    box_low, box_high = boxes.low[ids], boxes.high[ids]
    start, item = bin_boxes(box_low, box_high, x0, y0, BIN_MM, nx, ny)
    floor = np.flatnonzero(flags & UP_FLOOR).astype(np.int32)
    fine = round(BIN_MM / FLOOR_BIN_MM)
    floor_start, of_floor = bin_boxes(
        box_low[floor], box_high[floor], x0, y0, FLOOR_BIN_MM, fine * nx, fine * ny
    )
    return Faces(
        corners=corners,
        box=np.ascontiguousarray(np.concatenate([box_low, box_high], axis=1)),
        low=np.ascontiguousarray(corners[:, :, 2].min(axis=1)) if ids.size else np.zeros(0),
        high=np.ascontiguousarray(corners[:, :, 2].max(axis=1)) if ids.size else np.zeros(0),
        flags=flags,
        part=part.astype(np.int32),
        ids=ids,
        x0=x0,
        y0=y0,
        nx=nx,
        ny=ny,
        start=start,
        item=item,
        floor_bins=(floor_start, floor[of_floor], x0, y0, FLOOR_BIN_MM, fine * nx, fine * ny),
    )


@kernel
def bin_boxes(low, high, x0, y0, size, nx, ny):  # type: ignore[no-untyped-def]
    """Plan bins of (n, 2) boxes: start (nx * ny + 1,) int32 and item int32; boxes outside go to the border bins."""
    n = low.shape[0]
    count = np.zeros(nx * ny + 1, np.int64)
    for fill in range(2):
        if fill == 1:
            total = 0
            for b in range(nx * ny + 1):
                k = count[b]
                count[b] = total
                total += k
            start = count.astype(np.int32)
            item = np.empty(total, np.int32)
        for f in range(n):
            i0 = min(nx - 1, max(0, int((low[f, 0] - x0) / size)))
            i1 = min(nx - 1, max(0, int((high[f, 0] - x0) / size)))
            j0 = min(ny - 1, max(0, int((low[f, 1] - y0) / size)))
            j1 = min(ny - 1, max(0, int((high[f, 1] - y0) / size)))
            for j in range(j0, j1 + 1):
                for i in range(i0, i1 + 1):
                    b = j * nx + i
                    if fill == 1:
                        item[count[b]] = f
                    count[b] += 1
    return start, item
