"""Survey of a window: every upward surface outside all solids, sampled on a fixed grid of columns.

Lengths are in mm.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from sandbox.ground.floors import FaceFloors, face_floors
from sandbox.ground.kernels.columns import crossings, surfaces
from sandbox.ground.model import Area, Floats, Ints, Numbers, Permit, Survey, Window
from sandbox.ground.sealed import Sealed
from sandbox.ground.survey_grid import PITCH_MM, grid_over
from sandbox.terrain.model import Terrain

LEAST_ROOM_MM = 0.25
"""A surface with less than this above it is covered, not floor."""


def survey(
    terrain: Terrain,
    window: Window,
    permits: Sequence[Permit],
    areas: Sequence[Area] = (),
    numbers: Numbers | None = None,
    pitch: float = PITCH_MM,
    floors: FaceFloors | None = None,
    sealed: Sealed | None = None,
    boxes: FaceBoxes | None = None,
) -> Survey:
    """Sample all upward surfaces of a window.

    permits: one per terrain part; areas: agreed ground, harshest first. floors, boxes: of the whole terrain, where the caller
    has them; sealed: what is left out, none by default. The columns of any two windows of the same
    pitch lie on one common grid, so that samples agree where windows overlap.
    """
    numbers = numbers or Numbers()
    grid = grid_over(window, pitch)
    x0, y0, nx, ny = grid.x0, grid.y0, grid.nx, grid.ny

    corners, face_ids = faces_in(boxes or face_boxes(terrain), window, pitch)
    start, z, face, up = crossings(corners, x0, y0, pitch, nx, ny)
    closed = terrain.shell_closed[terrain.face_shell[face_ids]]
    sample_start, z, above, face = surfaces(start, z, face, up, closed, LEAST_ROOM_MM)

    face = face_ids[face].astype(np.int32)
    if sealed is not None and sealed.column.size:
        column = np.repeat(np.arange(nx * ny, dtype=np.int32), np.diff(sample_start))
        keep = ~sealed.holds(grid.i0 + column % nx, grid.j0 + column // nx, z)
        z, above, face = z[keep], above[keep], face[keep]
        sample_start = np.zeros(nx * ny + 1, np.int32)
        np.cumsum(np.bincount(column[keep], minlength=nx * ny), out=sample_start[1:])
    floors = floors or face_floors(terrain, permits, numbers)
    answer = Survey(
        x0=x0,
        y0=y0,
        pitch=pitch,
        nx=nx,
        ny=ny,
        sample_start=sample_start,
        z=z,
        above=above,
        normal=floors.normal[face],
        face=face,
        area=np.full(z.shape[0], -1, np.int32),
        floor=floors.walk[face],
    )
    _mark_areas(answer, areas)
    return answer


@dataclass(frozen=True, eq=False)
class FaceBoxes:
    """Corners and plan boxes of all faces of a terrain, worked out once."""

    corners: Floats
    """(m, 3, 3) float64 mm."""
    low: Floats
    """(m, 2) least x, y."""
    high: Floats
    """(m, 2) greatest x, y."""


def face_boxes(terrain: Terrain) -> FaceBoxes:
    """The boxes of a terrain's faces."""
    corners = np.ascontiguousarray(terrain.vertices[terrain.faces], np.float64).reshape(-1, 3, 3)
    a, b, c = (corners[:, k, :2] for k in range(3))
    return FaceBoxes(corners, np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c))


def faces_in(boxes: FaceBoxes, window: Window, margin: float) -> tuple[Floats, Ints]:
    """Corners (k, 3, 3) and ids (k,) of the faces whose plan box meets a window widened by `margin`, mm."""
    low, high = boxes.low, boxes.high
    keep = (
        (high[:, 0] >= window.x0 - margin)
        & (low[:, 0] <= window.x1 + margin)
        & (high[:, 1] >= window.y0 - margin)
        & (low[:, 1] <= window.y1 + margin)
    )
    ids = np.flatnonzero(keep).astype(np.int32)
    return np.ascontiguousarray(boxes.corners[ids]), ids


def column_of_samples(found: Survey) -> Ints:
    """Column number of every sample, (n,) int32."""
    return np.repeat(np.arange(found.nx * found.ny, dtype=np.int32), np.diff(found.sample_start))


def _mark_areas(found: Survey, areas: Sequence[Area]) -> None:
    """Write the harshest area over each sample into `found.area`."""
    if not areas:
        return
    column = column_of_samples(found)
    x = found.x0 + (column % found.nx).astype(np.float64) * found.pitch
    y = found.y0 + (column // found.nx).astype(np.float64) * found.pitch
    found.area[:] = areas_at(areas, x, y, found.z)


def areas_at(areas: Sequence[Area], x: Floats, y: Floats, z: Floats) -> Ints:
    """(n,) int32 the harshest area over points, mm; -1 none. Areas come harshest first; borders belong."""
    found: Ints = np.full(z.shape[0], -1, np.int32)
    for index in range(len(areas) - 1, -1, -1):
        area = areas[index]
        shape = shapely.Polygon(area.polygon_mm)
        shapely.prepare(shape)
        inside = (z >= area.low_mm - 0.05) & (z <= area.high_mm + 0.05)
        inside[inside] = shapely.intersects_xy(shape, x[inside], y[inside])
        found[inside] = index
    return found
