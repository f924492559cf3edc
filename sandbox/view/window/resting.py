"""Where a piece comes to rest when it is let down straight."""

from __future__ import annotations

import numpy as np

from sandbox.scene import Scene
from sandbox.terrain.model import Terrain
from sandbox.units import MM_PER_INCH
from sandbox.view.drape import Ground
from sandbox.view.meshes import face_normals

MOST = 400
"""points of a piece's underside that are looked under."""


def height(scene: Scene, terrain: Terrain, name: str) -> float:
    """The height for `at` at which the piece's underside first touches what lies below it, inches; the table is 0.

    What lies higher than half of the piece is not below it.
    """
    own = next(piece for piece in scene.terrain if piece.id == name)
    mine = np.array([part.piece == name for part in terrain.parts], dtype=np.bool_)[terrain.face_part]
    corners = terrain.vertices[terrain.faces] / MM_PER_INCH
    points = np.unique(np.round(corners[mine].reshape(-1, 3), 4), axis=0)
    low, high = float(points[:, 2].min()), float(points[:, 2].max())
    # The underside: corners near the bottom, and a grid between them, for pieces larger than what they stand on.
    bottom = points[points[:, 2] < low + 0.05]
    x0, y0 = bottom[:, :2].min(axis=0)
    x1, y1 = bottom[:, :2].max(axis=0)
    grid = np.stack(np.meshgrid(np.linspace(x0, x1, 12), np.linspace(y0, y1, 12)), axis=-1).reshape(-1, 2)
    inside = _inside(grid, bottom[:, :2])
    plan = np.concatenate([bottom[:: max(1, len(bottom) // MOST), :2], grid[inside]])
    others = corners[~mine]
    ground = Ground(others, face_normals(others))
    limit = low + (high - low) / 2
    floor = 0.0
    for found in ground.heights(plan):
        below = found[found <= limit]
        if len(below):
            floor = max(floor, float(below.max()))
    return round(own.at[2] + floor - low, 4)


def _inside(
    grid: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    outline: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Which points lie in the hull of an outline."""
    from shapely import MultiPoint, contains_xy  # noqa: PLC0415 - only where it is wanted

    hull = MultiPoint(outline).convex_hull
    return np.asarray(contains_xy(hull, grid[:, 0], grid[:, 1]), dtype=np.bool_)
