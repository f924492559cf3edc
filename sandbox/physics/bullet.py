"""The collision world on pybullet, the default engine: one DIRECT client, millimetres inside.

What was found by measuring, and is relied on here: closest points between a cylinder and a concave mesh are
exact but for the mesh's margin of 0.001 mm; rayTestBatch takes at most 16,383 rays; a ray that starts on a
surface misses it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import pybullet
from numpy.typing import NDArray

from sandbox.errors import UserError
from sandbox.physics.faces import FaceIndex
from sandbox.physics.model import Contact, Cylinder, Hull, Lowered, Point, RayHits, Rest, Sweep
from sandbox.physics.shapes import BodyMm, body_mm, faces_within, hull_corners, meshes, prism
from sandbox.physics.sweeping import CLEAR_MM, DEEP_MM, Met, Near, deepest, march
from sandbox.terrain.model import Terrain
from sandbox.units import MM_PER_INCH, inches

Floats = NDArray[np.float64]

MOST_RAYS = 16_383
THREADED_FROM = 4_096
"""rays in a call from which Bullet's own threads pay."""
MESH_MARGIN_MM = 0.001
GRAVITY = 9810.0
NO_WAY_MM = 1e-4
"""a way that is shorter is none."""
LEVEL_MM = 0.2
"""rise up to which a way is taken as level when its whole volume is asked; less than a body is held above the ground."""
STEP_S = 1 / 480
LONGEST_DROP_S = 6.0
STAYS_INCHES = 0.1
STAYS_TILT = 20.0


@dataclass(frozen=True)
class _Box:
    """An upright box in millimetres: what a round body sweeps between two places."""

    half_long: float
    half_short: float
    height: float
    facing: float
    """degrees counter-clockwise from east of its long sides."""

    @property
    def reach(self) -> float:
        """From its middle to a corner, in plan."""
        return math.hypot(self.half_long, self.half_short)


class BulletWorld:
    """A terrain as concave meshes in one pybullet client; use it from the thread that made it."""

    def __init__(self, terrain: Terrain, window: tuple[float, float, float, float] | None = None) -> None:
        """window: plan rectangle x0, y0, x1, y1 in inches beyond which triangles may be left out."""
        faces = faces_within(terrain, window)
        self._index = FaceIndex(terrain, faces)
        self._client = pybullet.connect(pybullet.DIRECT)
        if self._client < 0:
            raise UserError("the physics engine pybullet does not start a world")
        self._shapes: dict[tuple[type, float, float, float], int] = {}
        self._bodies: list[int] = []
        lows: list[Floats] = []
        highs: list[Floats] = []
        pybullet.setGravity(0, 0, -GRAVITY, physicsClientId=self._client)
        pybullet.setPhysicsEngineParameter(
            fixedTimeStep=STEP_S,
            numSolverIterations=60,
            deterministicOverlappingPairs=1,
            physicsClientId=self._client,
        )
        for vertices, triangles in meshes(terrain, faces):
            shape = pybullet.createCollisionShape(
                pybullet.GEOM_MESH,
                vertices=vertices.tolist(),
                indices=triangles.ravel().tolist(),
                flags=pybullet.GEOM_FORCE_CONCAVE_TRIMESH,
                physicsClientId=self._client,
            )
            if shape < 0:
                raise UserError(f"the physics engine does not take a mesh of {len(triangles)} triangles")
            body = pybullet.createMultiBody(0, shape, physicsClientId=self._client)
            pybullet.changeDynamics(
                body, -1, lateralFriction=0.6, rollingFriction=0.5, physicsClientId=self._client
            )
            self._bodies.append(body)
            lows.append(vertices.min(axis=0))
            highs.append(vertices.max(axis=0))
        self._low = np.array(lows).reshape(-1, 3)
        self._high = np.array(highs).reshape(-1, 3)

    def rays(self, starts: Floats, ends: Floats) -> RayHits:
        """First hits of (n, 3) float64 segments in inches, any n; back faces count too."""
        starts = np.ascontiguousarray(starts, dtype=np.float64).reshape(-1, 3)
        ends = np.ascontiguousarray(ends, dtype=np.float64).reshape(-1, 3)
        if starts.shape != ends.shape:
            raise ValueError(f"{len(starts)} starts and {len(ends)} ends of rays")
        n = len(starts)
        fraction = np.ones(n)
        normal = np.zeros((n, 3))
        hit = np.zeros(n, dtype=np.bool_)
        for first in range(0, n, MOST_RAYS):
            some = slice(first, min(first + MOST_RAYS, n))
            answers = pybullet.rayTestBatch(
                starts[some] * MM_PER_INCH,
                ends[some] * MM_PER_INCH,
                numThreads=0 if n >= THREADED_FROM else 1,
                physicsClientId=self._client,
            )
            if len(answers) != some.stop - some.start:
                raise RuntimeError(f"{len(answers)} answers to {some.stop - some.start} rays")
            hit[some] = [answer[0] >= 0 for answer in answers]
            fraction[some] = [answer[2] for answer in answers]
            normal[some] = [answer[4] for answer in answers]
        fraction[~hit] = 1.0
        normal[~hit] = 0.0
        way = ends - starts
        point = starts + way * fraction[:, None]
        point[~hit] = ends[~hit]
        normal[np.einsum("ij,ij->i", normal, way) > 0] *= -1
        part = np.full(n, -1, dtype=np.int32)
        part[hit] = self._index.parts_at(point[hit] * MM_PER_INCH)
        return RayHits(hit, point, normal, fraction, part)

    def sweep(self, body: Cylinder, start: Point, end: Point, forgiven: float = 0.0) -> Sweep:
        """Move `body` along a straight line; see `sandbox.physics.sweeping` for how.

        forgiven: depth, inches, up to which it goes on: where nothing is deeper it gets all the way. The way is followed until the body is 1 mm deep in something, which then is the depth that is told.
        """
        held = body_mm(body)
        first, last = _middle(held, start), _middle(held, end)
        length = float(np.linalg.norm(last - first))
        if self._index.inside((float(first[0]), float(first[1]), float(first[2]))):
            where = (start[0], start[1], start[2] + body.height / 2)
            return Sweep(False, 0.0, inches(held.smallest), where, self._part_near(held, first))
        most = max(CLEAR_MM, forgiven * MM_PER_INCH)
        met = self._deepest(held, first, last)
        if met is not None and met.depth <= most:
            return self._swept(1.0, met.depth, met.point)
        done = march(lambda place, margin: self._near(held, place, margin), first, last)
        forgiving = length == 0 or done.depth <= most
        return self._swept(1.0 if forgiving else done.reached / length, done.depth, done.point)

    def _swept(self, fraction: float, depth: float, point: Point | None) -> Sweep:
        """The answer to a sweep: how far it got, how deep it was and where; mm."""
        if depth <= CLEAR_MM or point is None:
            return Sweep(True, 1.0, 0.0, None, -1)
        part = int(self._index.parts_at(np.array([point]))[0])
        return Sweep(False, fraction, inches(depth), _to_inches(point), part)

    def contact(self, body: Cylinder, at: Point, margin: float = 0.1) -> Contact:
        """Penetration of `body` at a place, or its distance (negative) up to `margin` inches.

        Wholly inside a solid the depth is at least half of the body's smallest dimension.
        """
        held = body_mm(body)
        place = _middle(held, at)
        near = self._near(held, place, margin * MM_PER_INCH)
        inside = self._index.inside((float(place[0]), float(place[1]), float(place[2])))
        if len(near.distance) == 0:
            depth = inches(held.smallest) if inside else -margin
            return Contact(depth, None, None, self._part_near(held, place) if inside else -1)
        best = int(np.argmin(near.distance))
        depth_mm = -float(near.distance[best])
        x, y, z = (float(value) for value in near.normal[best])
        point = near.point[best]
        if inside:
            depth_mm = max(depth_mm, held.smallest)
        part = int(self._index.parts_at(point[None])[0])
        return Contact(inches(depth_mm), _to_inches(point), (x, y, z), part)

    def lower(self, body: Cylinder, at: Point, bottom: float) -> Lowered:
        """Let a thin `body` straight down from a place until its underside is at height `bottom`, inches."""
        held = body_mm(body)
        return self._index.lowered(held, _middle(held, at), bottom * MM_PER_INCH, CLEAR_MM)

    def drop(self, body: Cylinder | Hull, at: Point) -> Rest:
        """Let `body` go at a place under gravity and wait until it rests (at most six seconds)."""
        client = self._client
        if isinstance(body, Hull):
            start, down, facing = np.array(at) * MM_PER_INCH, 0.0, 0.0
            shape = pybullet.createCollisionShape(
                pybullet.GEOM_MESH, vertices=hull_corners(body).tolist(), physicsClientId=client
            )
        else:
            held = body_mm(body)
            start, down, facing = _middle(held, at), held.height / 2, held.facing
            shape = self._shape(held)
        turn = pybullet.getQuaternionFromEuler([0, 0, math.radians(facing)])
        thing = pybullet.createMultiBody(
            1.0, shape, basePosition=start.tolist(), baseOrientation=turn, physicsClientId=client
        )
        pybullet.changeDynamics(
            thing,
            -1,
            lateralFriction=0.6,
            rollingFriction=0.0 if isinstance(body, Hull) else 0.5,
            spinningFriction=0.05,
            restitution=0.0,
            linearDamping=0.05,
            angularDamping=0.1,
            physicsClientId=client,
        )
        still = 0
        for _ in range(int(LONGEST_DROP_S / STEP_S)):
            pybullet.stepSimulation(physicsClientId=client)
            speed, spin = pybullet.getBaseVelocity(thing, physicsClientId=client)
            still = still + 1 if math.hypot(*speed) < 2.0 and math.hypot(*spin) < 0.05 else 0
            if still >= 48:
                break
        middle, turned = pybullet.getBasePositionAndOrientation(thing, physicsClientId=client)
        pybullet.removeBody(thing, physicsClientId=client)
        axis = np.array(pybullet.getMatrixFromQuaternion(turned)).reshape(3, 3)[:, 2]
        tilt = math.degrees(math.acos(min(1.0, max(-1.0, float(axis[2])))))
        rest = _to_inches(np.array(middle) - axis * down)
        stays = math.dist(rest, at) <= STAYS_INCHES and tilt <= STAYS_TILT
        return Rest(rest, tilt, stays)

    def close(self) -> None:
        """Free the client; the world is of no use afterwards."""
        if self._client >= 0:
            pybullet.disconnect(physicsClientId=self._client)
            self._client = -1

    def __del__(self) -> None:
        """Worlds that nobody closes free their client too: it holds tens of megabytes."""
        # half made, or the interpreter is going down and modules, contextlib too, are gone
        try:  # noqa: SIM105
            self.close()
        except Exception:
            pass

    def _shape(self, held: BodyMm | _Box) -> int:
        key = (type(held), held.half_long, held.half_short, held.height)
        if key not in self._shapes:
            if isinstance(held, _Box):
                halves = [held.half_long, held.half_short, held.height / 2]
                shape = pybullet.createCollisionShape(
                    pybullet.GEOM_BOX, halfExtents=halves, physicsClientId=self._client
                )
            elif held.is_round:
                shape = pybullet.createCollisionShape(
                    pybullet.GEOM_CYLINDER,
                    radius=held.half_long,
                    height=held.height,
                    physicsClientId=self._client,
                )
            else:
                shape = pybullet.createCollisionShape(
                    pybullet.GEOM_MESH, vertices=prism(*key[1:]).tolist(), physicsClientId=self._client
                )
            self._shapes[key] = shape
        return self._shapes[key]

    def _deepest(self, held: BodyMm, first: Floats, last: Floats) -> Met | None:
        """How deep the whole volume that the body sweeps is in anything, never less than the body; None: cannot tell.

        What an upright body sweeps straight up is a taller body; what a round one sweeps on the level is itself at
        both ends and a box between them. Pieces of doubling lengths, laid over each other, make up any length, so
        that few shapes serve all ways. It ends where a piece is deeper than `DEEP_MM`.
        """
        way = last - first
        plan, rise = float(np.hypot(way[0], way[1])), abs(float(way[2]))
        low = min(float(first[2]), float(last[2])) - held.height / 2
        pieces: list[tuple[BodyMm | _Box, Floats]] = []
        if plan <= NO_WAY_MM:
            piece = _doubling(rise)
            tall = replace(held, height=held.height + piece)
            lows = (low, low + rise - piece) if piece > 0 else (low,)
            pieces += [(tall, np.array([*first[:2], z + tall.height / 2])) for z in lows]
        elif rise <= LEVEL_MM and held.is_round:
            # a little taller where it is not quite level, so that it holds both heights
            tall = replace(held, height=held.height + (LEVEL_MM if rise > NO_WAY_MM else 0.0))
            start, end = (np.array([*place[:2], low + tall.height / 2]) for place in (first, last))
            piece = _doubling(plan)
            half = np.array([way[0], way[1], 0.0]) / plan * (piece / 2)
            box = _Box(piece / 2, held.half_short, tall.height, math.degrees(math.atan2(way[1], way[0])))
            pieces += [(tall, start), (tall, end), (box, start + half), (box, end - half)]
        else:
            return None
        met = Met(0.0, None)
        for shape, place in pieces:
            met = max(met, deepest(self._near(shape, place, 0.0)), key=lambda one: one.depth)
            if met.depth > DEEP_MM:
                return None
        return met

    def _near(self, held: BodyMm | _Box, place: Floats, margin: float) -> Near:
        """Closest points of a shape with its middle at `place` to each triangle within `margin`, in mm."""
        reach = np.array([held.reach, held.reach, held.height / 2]) + margin + 0.01
        close = ((self._low <= place + reach) & (self._high >= place - reach)).all(axis=1)
        half = math.radians(held.facing) / 2
        turn = [0.0, 0.0, math.sin(half), math.cos(half)]
        rows: list[tuple[float, Point, Point]] = []
        for number in np.nonzero(close)[0]:
            answers = pybullet.getClosestPoints(
                bodyA=-1,
                bodyB=self._bodies[number],
                distance=margin,
                collisionShapeA=self._shape(held),
                collisionShapePositionA=place.tolist(),
                collisionShapeOrientationA=turn,
                physicsClientId=self._client,
            )
            rows += [(answer[8], answer[7], answer[6]) for answer in answers]
        if not rows:
            return Near(np.empty(0), np.empty((0, 3)), np.empty((0, 3)))
        distance = np.array([row[0] for row in rows]) + MESH_MARGIN_MM
        return Near(distance, np.array([row[1] for row in rows]), np.array([row[2] for row in rows]))

    def _part_near(self, held: BodyMm, place: Floats) -> int:
        """Part of the nearest surface within the body's own size, -1 none."""
        near = self._near(held, place, 2 * held.smallest)
        if len(near.distance) == 0:
            return -1
        return int(self._index.parts_at(near.point[int(np.argmin(near.distance))][None])[0])


def _doubling(length: float) -> float:
    """Longest power of two that is no longer than `length`, mm; 0 where that is no way."""
    return 0.0 if length <= NO_WAY_MM else 2.0 ** math.floor(math.log2(length))


def _middle(held: BodyMm, at: Point) -> Floats:
    """Middle of a body (mm) whose underside is at a place in inches."""
    return np.array([at[0] * MM_PER_INCH, at[1] * MM_PER_INCH, at[2] * MM_PER_INCH + held.height / 2])


def _to_inches(point: Iterable[float]) -> Point:
    x, y, z = (float(value) / MM_PER_INCH for value in point)
    return (x, y, z)
