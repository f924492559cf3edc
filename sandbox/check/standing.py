"""Does it stand by itself? Its hull, with the weight where the solid has it, is let go on a table in the collision world."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from sandbox.physics import CollisionWorld, Hull
from sandbox.units import MM_PER_INCH, inches

Floats = NDArray[np.float64]

CONTACT_MM = 0.1
"""what lies this near to the lowest point rests on the table."""
FALLEN_DEGREES = 10.0


@dataclass(frozen=True)
class Stood:
    """How something stands."""

    contact: float
    """area that lies on the table, mm2."""
    margin: float
    """from its centre of weight to the edge of what it stands on, mm; negative: beyond it."""
    tilt: float
    """degrees that it had turned when it came to rest."""


def stand(corners: Floats, world: CollisionWorld, at: tuple[float, float]) -> Stood:
    """Let (m, 3, 3) closed triangles (mm) go at a place (inches) of a world that is an empty table."""
    volume = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum()
    if volume < 0.0:  # inside out
        corners = corners[:, ::-1]
    low = float(corners[:, :, 2].min())
    down = (corners[:, :, 2] <= low + CONTACT_MM).all(axis=1)
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    under = down & (normal[:, 2] < 0)
    contact = abs(float(normal[under, 2].sum() / 2))
    points = corners.reshape(-1, 3)
    resting = points[points[:, 2] <= low + CONTACT_MM][:, :2]
    hull = shapely.convex_hull(shapely.MultiPoint(resting))
    centre = weight_centre(corners)
    here = shapely.Point(centre[0], centre[1])
    inside = shapely.contains(hull, here)
    edge = float(shapely.distance(shapely.boundary(hull) if hull.geom_type == "Polygon" else hull, here))
    hung = Hull((points - centre) / MM_PER_INCH)
    tilt = world.drop(hung, (*at, inches(float(centre[2]) - low))).tilt if len(points) >= 4 else 0.0
    return Stood(contact, edge if inside else -edge, tilt)


def weight_centre(corners: Floats) -> Floats:
    """Centre of mass of closed triangles (m, 3, 3); of their hull's points where they bound nothing."""
    volume = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
    total = volume.sum()
    if abs(total) < 1e-6:
        return np.asarray(corners.reshape(-1, 3).mean(axis=0))
    return np.asarray((volume[:, None] * corners.sum(axis=1) / 4).sum(axis=0) / total)
