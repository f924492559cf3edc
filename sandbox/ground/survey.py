"""Survey of a window: every upward surface outside all solids, sampled on a fixed grid of columns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely

from sandbox.ground.kernels.columns import crossings, surfaces
from sandbox.ground.model import Area, Ints, Numbers, Permit, Survey, Window
from sandbox.terrain.model import Terrain

PITCH_MM = 2.54
# Columns stand off round numbers, so that they rarely meet the edges of models that were drawn on a grid.
_OFFSET_X = 0.31371
_OFFSET_Y = 0.61803
LEAST_ROOM_MM = 0.25
"""A surface with less than this above it is covered, not floor."""


def survey(
    terrain: Terrain,
    window: Window,
    permits: Sequence[Permit],
    areas: Sequence[Area] = (),
    numbers: Numbers | None = None,
    pitch: float = PITCH_MM,
) -> Survey:
    """Sample all upward surfaces of a window.

    permits: one per terrain part; areas: agreed ground, harshest first. The columns of any two windows of the same
    pitch lie on one common grid, so that samples agree where windows overlap.
    """
    numbers = numbers or Numbers()
    i0 = int(np.floor(window.x0 / pitch - _OFFSET_X))
    j0 = int(np.floor(window.y0 / pitch - _OFFSET_Y))
    nx = int(np.ceil(window.x1 / pitch - _OFFSET_X)) - i0 + 1
    ny = int(np.ceil(window.y1 / pitch - _OFFSET_Y)) - j0 + 1
    x0 = (i0 + _OFFSET_X) * pitch
    y0 = (j0 + _OFFSET_Y) * pitch

    corners, face_ids = faces_in(terrain, window, pitch)
    start, z, face, up = crossings(corners, x0, y0, pitch, nx, ny)
    closed = terrain.shell_closed[terrain.face_shell[face_ids]]
    sample_start, z, above, face = surfaces(start, z, face, up, closed, LEAST_ROOM_MM)

    edge1 = corners[:, 1] - corners[:, 0]
    edge2 = corners[:, 2] - corners[:, 0]
    normals = np.cross(edge1, edge2)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    normals *= np.where(normals[:, 2:3] < 0.0, -1.0, 1.0)
    normal = normals[face].astype(np.float32)
    face = face_ids[face].astype(np.int32)

    walk = np.array([bool(p & Permit.WALK) for p in permits] or [False])
    steepest = np.cos(np.radians(numbers.walk_slope)) - 1e-6
    floor = (normal[:, 2] >= steepest) & walk[terrain.face_part[face]]
    answer = Survey(
        x0=x0,
        y0=y0,
        pitch=pitch,
        nx=nx,
        ny=ny,
        sample_start=sample_start,
        z=z,
        above=above,
        normal=normal,
        face=face,
        area=np.full(z.shape[0], -1, np.int32),
        floor=floor.astype(np.uint8),
    )
    _mark_areas(answer, areas)
    return answer


def faces_in(terrain: Terrain, window: Window, margin: float) -> tuple[np.ndarray, Ints]:
    """Corners (k, 3, 3) and ids (k,) of the faces whose plan box meets a window widened by `margin`, mm."""
    corners = terrain.vertices[terrain.faces]
    low = corners[:, :, :2].min(axis=1)
    high = corners[:, :, :2].max(axis=1)
    keep = (
        (high[:, 0] >= window.x0 - margin)
        & (low[:, 0] <= window.x1 + margin)
        & (high[:, 1] >= window.y0 - margin)
        & (low[:, 1] <= window.y1 + margin)
    )
    ids = np.flatnonzero(keep).astype(np.int32)
    return np.ascontiguousarray(corners[ids]), ids


def column_of_samples(found: Survey) -> Ints:
    """Column number of every sample, (n,) int32."""
    return np.repeat(np.arange(found.nx * found.ny, dtype=np.int32), np.diff(found.sample_start))


def _mark_areas(found: Survey, areas: Sequence[Area]) -> None:
    """Write the harshest area over each sample into `found.area` (areas come harshest first; borders belong)."""
    if not areas:
        return
    column = column_of_samples(found)
    x = found.x0 + (column % found.nx) * found.pitch
    y = found.y0 + (column // found.nx) * found.pitch
    for index in range(len(areas) - 1, -1, -1):
        area = areas[index]
        shape = shapely.Polygon(area.polygon_mm)
        shapely.prepare(shape)
        inside = (found.z >= area.low_mm - 0.05) & (found.z <= area.high_mm + 0.05)
        inside[inside] = shapely.intersects_xy(shape, x[inside], y[inside])
        found.area[inside] = index
