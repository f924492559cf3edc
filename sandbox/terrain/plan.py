"""What parts of a terrain cover, seen from above."""

from __future__ import annotations

import shapely

from sandbox.terrain.model import Terrain

_LEAST_MM2 = 1e-6
"""faces that cover less stand upright."""


def plan_of(terrain: Terrain, part: int) -> shapely.Geometry:
    """What a part covers in plan, mm."""
    flat = shapely.polygons(terrain.vertices[terrain.faces[terrain.face_part == part]][:, :, :2])
    return shapely.union_all(flat[shapely.area(flat) > _LEAST_MM2])
