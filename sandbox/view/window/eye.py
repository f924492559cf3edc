"""What the mouse points at, by a ray in the collision world, and how a body tumbles; asked in a thread of its own."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from panda3d import bullet, core

from sandbox.moves.answers import Point
from sandbox.physics.model import CollisionWorld
from sandbox.physics.world import Opening
from sandbox.terrain.model import Terrain
from sandbox.units import MM_PER_INCH
from sandbox.view.window.talk import FallPath, Picked

Floats = NDArray[np.float64]

FAR = 400.0
"""length of a ray, inches."""
FRAME = 1 / 60
SETTLE = 0.6
"""part of a fall after which it is led to where the rules put the model."""
LONGEST = 2.2
"""seconds that a fall is shown at most."""
AROUND = 8.0
"""inches around a fall in which terrain is met."""


class Eye:
    """Rays through the mouse and falls, on the terrain that the referee holds."""

    def __init__(self, terrain: Callable[[], Terrain | None]) -> None:
        """terrain: gives the present one."""
        self._terrain = terrain
        self._opening: Opening | None = None
        """of this thread's own collision world."""
        self._digest = ""

    def _present(self) -> CollisionWorld | None:
        terrain = self._terrain()
        if terrain is None:
            return None
        if self._opening is None or terrain.digest != self._digest:
            if self._opening is not None:
                self._opening.close()
            self._opening, self._digest = Opening(terrain), terrain.digest
        return self._opening.world

    def ready(self) -> bool:
        """Open the collision world before it is needed."""
        return self._present() is not None

    def pick(self, start: Point, direction: Point, cut: float | None) -> Picked:
        """The first thing on a ray (inches), with all above `cut` taken away."""
        world, terrain = self._present(), self._terrain()
        if world is None or terrain is None:
            return Picked(None)
        a, d = np.asarray(start, dtype=np.float64), np.asarray(direction, dtype=np.float64)
        if cut is not None and a[2] > cut:
            if d[2] >= -1e-9:
                return Picked(None)
            a = a + d * ((a[2] - cut) / -d[2])
        for _ in range(6):
            hit = world.rays(a[None], (a + d * FAR)[None])
            if not hit.hit[0]:
                return Picked(None)
            x, y, z = (float(value) for value in hit.point[0])
            part = int(hit.part[0])
            piece = terrain.parts[part].piece if part >= 0 else ""
            if (cut is None or z <= cut + 1e-6) and piece != "ceiling":
                nx, ny, nz = (float(value) for value in hit.normal[0])
                return Picked((x, y, z), piece, (nx, ny, nz))
            a = hit.point[0] + d * 0.01
        return Picked(None)

    def fall(self, start: Point, end: Point, base: tuple[float, float], height: float) -> FallPath:
        """A body (base in mm, height in inches) that tips over at `start` and comes to rest at `end`, lying.

        A rigid-body simulation as far as it goes; its last part is led to where the rules put the model.
        """
        terrain = self._terrain()
        poses = [] if terrain is None else _tumble(terrain, start, end, base, height)
        rest = np.array([*end, *_lying(start, end)])
        if not poses:
            poses = [np.array([*start, 1.0, 0.0, 0.0, 0.0])]
        path = np.array(poses)
        first = int(len(path) * SETTLE)
        count = max(len(path) - first, 20)
        led = np.concatenate([path[first:], np.repeat(path[-1:], count - (len(path) - first), axis=0)])
        share = (np.linspace(0, 1, count) ** 2 * (3 - 2 * np.linspace(0, 1, count)))[:, None]
        sign = np.where((led[:, 3:] * rest[3:]).sum(axis=1, keepdims=True) < 0, -1.0, 1.0)
        led[:, :3] = led[:, :3] * (1 - share) + rest[:3] * share
        led[:, 3:] = led[:, 3:] * sign * (1 - share) + rest[3:] * share
        path = np.concatenate([path[:first], led])
        path[:, 3:] /= np.linalg.norm(path[:, 3:], axis=1, keepdims=True)
        return FallPath(path, len(path) * FRAME)


def _lying(start: Point, end: Point) -> Floats:
    """Quaternion of a body that fell over away from `start`."""
    away = np.array([end[0] - start[0], end[1] - start[1]])
    length = np.linalg.norm(away)
    axis = np.array([-away[1], away[0], 0.0]) / length if length > 1e-6 else np.array([0.0, 1.0, 0.0])
    half = np.pi / 4
    return np.concatenate([[np.cos(half)], axis * np.sin(half)])


def _tumble(
    terrain: Terrain, start: Point, end: Point, base: tuple[float, float], height: float
) -> list[Floats]:
    """Poses sixty times a second: base's centre in inches and a quaternion."""
    world = bullet.BulletWorld()
    world.set_gravity(core.Vec3(0, 0, -9810 / MM_PER_INCH * 0.6))
    low = np.minimum(start, end)[:2] - AROUND
    high = np.maximum(start, end)[:2] + AROUND
    corners = terrain.vertices[terrain.faces] / MM_PER_INCH
    near = ((corners[:, :, :2].max(axis=1) > low) & (corners[:, :, :2].min(axis=1) < high)).all(axis=1)
    mesh = bullet.BulletTriangleMesh()
    for a, b, c in corners[near][:40_000]:
        mesh.add_triangle(core.Point3(*a), core.Point3(*b), core.Point3(*c))
    fixed = bullet.BulletRigidBodyNode("terrain")
    shape = bullet.BulletTriangleMeshShape(mesh, dynamic=False)
    shape.set_margin(0.01)
    fixed.add_shape(shape)
    fixed.set_friction(0.7)
    world.attach(fixed)
    radius = min(base) / 2 / MM_PER_INCH
    body = bullet.BulletRigidBodyNode("model")
    # A pawn: a flat base with a slim figure on it.
    foot = bullet.BulletCylinderShape(radius, 0.13, bullet.ZUp)
    trunk = bullet.BulletCylinderShape(radius * 0.5, height, bullet.ZUp)
    body.add_shape(foot, core.TransformState.make_pos(core.Point3(0, 0, 0.07 - height / 3)))
    body.add_shape(trunk, core.TransformState.make_pos(core.Point3(0, 0, height / 2 - height / 3)))
    body.set_mass(1.0)
    body.set_friction(0.6)
    body.set_angular_damping(0.2)
    away = np.array([end[0] - start[0], end[1] - start[1]])
    length = float(np.linalg.norm(away))
    away = away / length if length > 1e-6 else np.array([1.0, 0.0])
    path = core.NodePath(body)
    path.set_pos(start[0], start[1], start[2] + height / 3 + 0.02)
    fall = max(start[2] - end[2], 0.5)
    # Fast enough to be over the landing when it arrives.
    duration = float(np.sqrt(2 * fall / (9810 / MM_PER_INCH * 0.6)))
    speed = float(np.clip(length / max(duration + 0.1, 0.1), 1.0, 40.0))
    body.set_linear_velocity(core.Vec3(away[0] * speed, away[1] * speed, 2.0))
    body.set_angular_velocity(core.Vec3(-away[1] * 3.0, away[0] * 3.0, 0))
    world.attach(body)
    poses: list[Floats] = []
    still = 0
    while len(poses) * FRAME < LONGEST and still < 10:
        world.do_physics(FRAME, 8, FRAME / 8)
        turn = path.get_quat()
        foot_at = path.get_pos() + turn.xform(core.Vec3(0, 0, -height / 3))
        poses.append(np.array([*foot_at, turn.get_r(), turn.get_i(), turn.get_j(), turn.get_k()]))
        still = still + 1 if body.get_linear_velocity().length() < 0.5 else 0
    world.remove(body)
    world.remove(fixed)
    return poses
