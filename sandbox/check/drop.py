"""Does it stand by itself? Its hull, with the weight where the solid has it, is let go on a plane in the physics engine."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pybullet
import shapely
from numpy.typing import NDArray

from sandbox.check.plan import widest

Floats = NDArray[np.float64]

CONTACT_MM = 0.1
"""what lies this near to the lowest point rests on the table."""
_SECONDS = 3.0
_STEP = 1.0 / 240.0
_GRAVITY = 9810.0
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


def stand(corners: Floats) -> Stood:
    """Let (m, 3, 3) closed triangles go on a plane."""
    volume = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum()
    if volume < 0.0:  # inside out
        corners = corners[:, ::-1]
    low = float(corners[:, :, 2].min())
    down = (corners[:, :, 2] <= low + CONTACT_MM).all(axis=1)
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    under = down & (normal[:, 2] < 0)
    contact = max(float(-normal[under, 2].sum() / 2), 0.0)
    points = corners.reshape(-1, 3)
    resting = points[points[:, 2] <= low + CONTACT_MM][:, :2]
    hull = shapely.convex_hull(shapely.MultiPoint(resting))
    centre = weight_centre(corners)
    here = shapely.Point(centre[0], centre[1])
    inside = shapely.contains(hull, here)
    edge = float(shapely.distance(shapely.boundary(hull) if hull.geom_type == "Polygon" else hull, here))
    return Stood(contact, edge if inside else -edge, _let_go(points, centre, low))


def weight_centre(corners: Floats) -> Floats:
    """Centre of mass of closed triangles (m, 3, 3); of their hull's points where they bound nothing."""
    volume = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
    total = volume.sum()
    if abs(total) < 1e-6:
        return np.asarray(corners.reshape(-1, 3).mean(axis=0))
    return np.asarray((volume[:, None] * corners.sum(axis=1) / 4).sum(axis=0) / total)


def _let_go(points: Floats, centre: Floats, low: float) -> float:
    """Tilt in degrees after some seconds on a plane."""
    from scipy.spatial import ConvexHull, QhullError  # noqa: PLC0415

    try:
        hull = points[ConvexHull(points, qhull_options="QJ").vertices]
    except QhullError:
        return 0.0
    if len(hull) > 200:  # pybullet simplifies large hulls by itself, and not at the bottom
        lowest = hull[hull[:, 2] <= low + CONTACT_MM]
        rest = hull[hull[:, 2] > low + CONTACT_MM]
        keep = rest[:: max(1, len(rest) // 100)]
        hull = np.concatenate([lowest[:: max(1, len(lowest) // 100)], keep])
    client = pybullet.connect(pybullet.DIRECT)
    try:
        pybullet.setGravity(0, 0, -_GRAVITY, physicsClientId=client)
        plane = pybullet.createCollisionShape(pybullet.GEOM_PLANE, physicsClientId=client)
        table = pybullet.createMultiBody(0, plane, physicsClientId=client)
        shape = pybullet.createCollisionShape(
            pybullet.GEOM_MESH, vertices=(hull - centre).tolist(), physicsClientId=client
        )
        body = pybullet.createMultiBody(
            1.0, shape, basePosition=[0, 0, float(centre[2] - low)], physicsClientId=client
        )
        for one in (table, body):
            pybullet.changeDynamics(
                one,
                -1,
                lateralFriction=0.8,
                restitution=0.0,
                collisionMargin=0.0,
                linearDamping=0.05,
                angularDamping=0.05,
                physicsClientId=client,
            )
        for _ in range(int(_SECONDS / _STEP)):
            pybullet.stepSimulation(physicsClientId=client)
        _, turned = pybullet.getBasePositionAndOrientation(body, physicsClientId=client)
        matrix = np.array(pybullet.getMatrixFromQuaternion(turned)).reshape(3, 3)
        return float(np.degrees(np.arccos(np.clip(matrix[2, 2], -1.0, 1.0))))
    finally:
        pybullet.disconnect(client)


__all__ = ["Stood", "stand", "weight_centre", "widest"]
