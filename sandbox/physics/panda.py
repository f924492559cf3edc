"""The collision world on panda3d.bullet, the second engine: it comes with Panda3D on every platform.

What was found by measuring, and is worked around here. Margins must be 0, and a hull's before its points
are added. `sweep_test_closest` is exact where it finds something, but now and then it overlooks a slope, or
what the body touches at its start, so that places on the way are looked at again. `contact_test` takes what
is up to 2 % of the body's size away as touching, and the contact points that it gives dangle once it
returns, so that contact is measured by `prisms`. Numbers are 32-bit floats: 0.0001 mm on a board.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from panda3d.bullet import (
    BulletConvexHullShape,
    BulletCylinderShape,
    BulletRigidBodyNode,
    BulletShape,
    BulletTriangleMesh,
    BulletTriangleMeshShape,
    BulletWorld,
    Z_up,
)
from panda3d.core import (
    BitMask32,
    Geom,
    GeomTriangles,
    GeomVertexData,
    GeomVertexFormat,
    LPoint3,
    LVector3,
    NodePath,
    TransformState,
)

from sandbox.physics.faces import FaceIndex
from sandbox.physics.model import Contact, Cylinder, Hull, Lowered, Point, RayHits, Rest, Sweep
from sandbox.physics.shapes import BodyMm, body_mm, faces_within, hull_corners, leaving, meshes, prism
from sandbox.physics.sweeping import CLEAR_MM, DEEP_MM
from sandbox.terrain.model import Terrain
from sandbox.units import MM_PER_INCH, inches

Floats = NDArray[np.float64]

GRAVITY = 9810.0
STEP_S = 1 / 480
LONGEST_DROP_S = 6.0
STAYS_INCHES = 0.1
STAYS_TILT = 20.0
FINE_MM = 0.004
"""how well depths and distances are resolved."""
DROP_MARGIN_MM = 0.1
"""what lies on a table without any margin is pushed about by its own contacts."""
MOST_LOOKS = 16
"""places that are looked at again after a sweep that found nothing."""
EVERYTHING = BitMask32.all_on()


class PandaWorld:
    """A terrain as concave meshes in one Bullet world of Panda3D."""

    def __init__(self, terrain: Terrain, window: tuple[float, float, float, float] | None = None) -> None:
        """window: plan rectangle x0, y0, x1, y1 in inches beyond which triangles may be left out."""
        faces = faces_within(terrain, window)
        self._index = FaceIndex(terrain, faces)
        self._world = BulletWorld()
        self._world.set_gravity(LVector3(0, 0, -GRAVITY))
        self._nodes: list[BulletRigidBodyNode] = []
        self._shapes: dict[BodyMm, BulletShape] = {}
        for vertices, triangles in meshes(terrain, faces):
            node = BulletRigidBodyNode("terrain")
            node.add_shape(_mesh_shape(vertices, triangles))
            node.set_friction(0.6)
            self._world.attach(node)
            self._nodes.append(node)

    def rays(self, starts: Floats, ends: Floats) -> RayHits:
        """First hits of (n, 3) float64 segments in inches, any n; back faces count too."""
        starts = np.ascontiguousarray(starts, dtype=np.float64).reshape(-1, 3)
        ends = np.ascontiguousarray(ends, dtype=np.float64).reshape(-1, 3)
        if starts.shape != ends.shape:
            raise ValueError(f"{len(starts)} starts and {len(ends)} ends of rays")
        n = len(starts)
        hit = np.zeros(n, dtype=np.bool_)
        fraction = np.ones(n)
        normal = np.zeros((n, 3))
        from_mm, to_mm = (starts * MM_PER_INCH).tolist(), (ends * MM_PER_INCH).tolist()
        for k in range(n):
            answer = self._world.ray_test_closest(LPoint3(*from_mm[k]), LPoint3(*to_mm[k]), EVERYTHING)
            if answer.has_hit():
                hit[k] = True
                fraction[k] = answer.get_hit_fraction()
                normal[k] = answer.get_hit_normal()
        way = ends - starts
        point = starts + way * fraction[:, None]
        point[~hit] = ends[~hit]
        normal[np.einsum("ij,ij->i", normal, way) > 0] *= -1
        part = np.full(n, -1, dtype=np.int32)
        part[hit] = self._index.parts_at(point[hit] * MM_PER_INCH)
        return RayHits(hit, point, normal, fraction, part)

    def sweep(self, body: Cylinder, start: Point, end: Point, forgiven: float = 0.0) -> Sweep:
        """Move `body` along a straight line.

        forgiven: depth, inches, up to which it goes on: where nothing is deeper it gets all the way. The depth told is
        what must be taken off the body all round for it to pass, up to 1 mm.
        """
        held = body_mm(body)
        first, last = _middle(held, start), _middle(held, end)
        if self._index.inside((float(first[0]), float(first[1]), float(first[2]))):
            where = (start[0], start[1], start[2] + body.height / 2)
            part = self._index.clearance(held, first, 2 * held.smallest)[2]
            return Sweep(False, 0.0, inches(held.smallest), where, part)
        smaller = held.shrunk(CLEAR_MM)
        met = self._first(smaller, first, last)
        if met is None:
            return Sweep(True, 1.0, 0.0, None, -1)
        depth = _bisect(lambda by: self._first(held.shrunk(by), first, last) is not None, CLEAR_MM, DEEP_MM)
        fraction, point = met
        if depth <= forgiven * MM_PER_INCH:
            fraction = 1.0
        part = int(self._index.parts_at(np.array([point]))[0])
        return Sweep(False, fraction, inches(depth), _to_inches(point), part)

    def contact(self, body: Cylinder, at: Point, margin: float = 0.1) -> Contact:
        """Penetration of `body` at a place, or its distance (negative) up to `margin` inches.

        Wholly inside a solid the depth is at least half of the body's smallest dimension.
        """
        held = body_mm(body)
        place = _middle(held, at)
        distance, point, part = self._index.clearance(held, place, margin * MM_PER_INCH)
        if self._index.inside((float(place[0]), float(place[1]), float(place[2]))):
            distance = min(distance, -held.smallest)
        if point is None:
            return Contact(inches(-distance), None, None, part)
        return Contact(inches(-distance), _to_inches(point), leaving(held, place, point), part)

    def lower(self, body: Cylinder, at: Point, bottom: float) -> Lowered:
        """Let a thin `body` straight down from a place until its underside is at height `bottom`, inches."""
        held = body_mm(body)
        return self._index.lowered(held, _middle(held, at), bottom * MM_PER_INCH, CLEAR_MM)

    def drop(self, body: Cylinder | Hull, at: Point) -> Rest:
        """Let `body` go at a place under gravity and wait until it rests (at most six seconds)."""
        node = BulletRigidBodyNode("body")
        if isinstance(body, Hull):
            start, down = TransformState.make_pos(LPoint3(*(x * MM_PER_INCH for x in at))), 0.0
            node.add_shape(_hull(hull_corners(body), DROP_MARGIN_MM))
        else:
            held = body_mm(body)
            start, down = _transform(held, _middle(held, at)), held.height / 2
            node.add_shape(self._shape(held))
        node.set_mass(1.0)
        node.set_friction(0.6)
        node.set_linear_damping(0.05)
        node.set_angular_damping(0.1)
        node.set_deactivation_enabled(False)
        path = NodePath(node)
        path.set_transform(start)
        self._world.attach(node)
        still = 0
        for _ in range(int(LONGEST_DROP_S / STEP_S)):
            self._world.do_physics(STEP_S, 1, STEP_S)
            quiet = node.get_linear_velocity().length() < 2.0 and node.get_angular_velocity().length() < 0.05
            still = still + 1 if quiet else 0
            if still >= 48:
                break
        self._world.remove(node)
        middle, axis = path.get_pos(), path.get_quat().xform(LVector3(0, 0, 1))
        tilt = math.degrees(math.acos(min(1.0, max(-1.0, axis.z))))
        rest = _to_inches(np.array(middle) - np.array(axis) * down)
        stays = math.dist(rest, at) <= STAYS_INCHES and tilt <= STAYS_TILT
        return Rest(rest, tilt, stays)

    def close(self) -> None:
        """Let the engine's nodes go; the world is of no use afterwards."""
        for node in self._nodes:
            self._world.remove(node)
        self._nodes.clear()
        self._shapes.clear()

    def _shape(self, held: BodyMm) -> BulletShape:
        key = BodyMm(held.half_long, held.half_short, held.height, 0.0)
        if key not in self._shapes:
            if len(self._shapes) > 256:
                self._shapes.clear()
            if held.is_round:
                shape = BulletCylinderShape(held.half_long, held.height, Z_up)
                shape.set_margin(0.0)
            else:
                shape = _hull(prism(held.half_long, held.half_short, held.height))
            self._shapes[key] = shape
        return self._shapes[key]

    def _first(self, held: BodyMm, first: Floats, last: Floats) -> tuple[float, Floats] | None:
        """Fraction of the way and point (mm) of the first touch along a line; None: the way is free."""
        distance, point, _ = self._index.clearance(held, first, 0.1)
        if distance < 0 and point is not None:
            return 0.0, point
        if np.linalg.norm(last - first) < 1e-6:
            return None
        answer = self._world.sweep_test_closest(
            self._shape(held), _transform(held, first), _transform(held, last), EVERYTHING, 0.0
        )
        if answer.has_hit():
            return float(answer.get_hit_fraction()), np.array(answer.get_hit_pos(), dtype=np.float64)
        return self._missed(held, first, last)

    def _missed(self, held: BodyMm, first: Floats, last: Floats) -> tuple[float, Floats] | None:
        """What a sweep that found nothing has overlooked: places on the way where the body is in a surface."""
        way = last - first
        length = float(np.linalg.norm(way))
        looks = min(MOST_LOOKS, max(1, int(length / held.smallest)))
        for look in range(1, looks + 1):
            share = look / looks
            distance, point, _ = self._index.clearance(held, first + way * share, 0.1)
            if distance < -FINE_MM and point is not None:
                free = (look - 1) / looks
                reached = _bisect(
                    lambda at: self._index.clearance(held, first + way * at, 0.1)[0] >= 0,
                    free,
                    share,
                    FINE_MM / length,
                )
                return reached, point
        return None


def _mesh_shape(vertices: Floats, triangles: NDArray[np.int32]) -> BulletTriangleMeshShape:
    """A concave mesh; (n, 3) float64 mm, (m, 3) int32."""
    data = GeomVertexData("terrain", GeomVertexFormat.get_v3(), Geom.UH_static)
    data.unclean_set_num_rows(len(vertices))
    corners = np.ascontiguousarray(vertices, dtype=np.float32).ravel()
    memoryview(data.modify_array(0)).cast("B").cast("f")[:] = memoryview(corners.data)
    primitive = GeomTriangles(Geom.UH_static)
    primitive.set_index_type(Geom.NT_uint32)
    array = primitive.modify_vertices()
    array.unclean_set_num_rows(triangles.size)
    memoryview(array).cast("B").cast("I")[:] = memoryview(triangles.astype(np.uint32).ravel().data)
    geom = Geom(data)
    geom.add_primitive(primitive)
    mesh = BulletTriangleMesh()
    mesh.add_geom(geom)
    shape = BulletTriangleMeshShape(mesh, dynamic=False)
    shape.set_margin(0.0)
    return shape


def _hull(corners: Floats, margin: float = 0.0) -> BulletConvexHullShape:
    """A convex hull of (n, 3) corners, grown by a margin; mm."""
    shape = BulletConvexHullShape()
    shape.set_margin(margin)
    for x, y, z in corners.tolist():
        shape.add_point(LPoint3(x, y, z))
    return shape


def _transform(held: BodyMm, place: Floats) -> TransformState:
    return TransformState.make_pos_hpr(LPoint3(*place.tolist()), LVector3(held.facing, 0, 0))


def _bisect(holds: Callable[[float], bool], low: float, high: float, fine: float = FINE_MM) -> float:
    """Where `holds` turns from true to false between two values; `high` where it still holds there."""
    if holds(high):
        return high
    while high - low > fine:
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return (low + high) / 2


def _middle(held: BodyMm, at: Point) -> Floats:
    """Middle of a body (mm) whose underside is at a place in inches."""
    return np.array([at[0] * MM_PER_INCH, at[1] * MM_PER_INCH, at[2] * MM_PER_INCH + held.height / 2])


def _to_inches(point: Floats) -> Point:
    x, y, z = (float(value) / MM_PER_INCH for value in point)
    return (x, y, z)
