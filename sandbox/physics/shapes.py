"""Shapes that both engines are given: outlines of bodies, and a terrain cut into meshes that Bullet takes.

Everything here is in millimetres.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull

from sandbox.physics.model import Cylinder, Hull
from sandbox.terrain.model import Terrain
from sandbox.units import MM_PER_INCH

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

OUTLINE_CORNERS = 96
"""corners of an oval's outline: with half of the sagitta outside, a 90 mm oval is right to 0.013 mm."""
MOST_FACES = 10_000
"""triangles per mesh body; pybullet takes about 60,000 vertices in one call, smaller costs nothing."""


@dataclass(frozen=True)
class BodyMm:
    """A body in millimetres, as the engines hold it."""

    half_long: float
    half_short: float
    height: float
    facing: float
    """degrees counter-clockwise from east."""

    @property
    def is_round(self) -> bool:
        """Whether its outline is a circle."""
        return self.half_long == self.half_short

    @property
    def reach(self) -> float:
        """From its middle to the farthest of its outline, mm."""
        return self.half_long

    @property
    def smallest(self) -> float:
        """Half of its smallest dimension, mm."""
        return min(self.half_short, self.height / 2)

    def shrunk(self, by: float) -> BodyMm:
        """The body with `by` mm taken off all round; its middle stays where it is."""
        return BodyMm(self.half_long - by, self.half_short - by, self.height - 2 * by, self.facing)


def body_mm(body: Cylinder) -> BodyMm:
    """A body of the interface, in millimetres.

    Raises ValueError where a dimension is not a positive, finite number.
    """
    sizes = (body.half_long, body.half_short, body.height)
    if not all(np.isfinite(size) and size > 0 for size in sizes):
        raise ValueError(f"a body needs positive dimensions, not {sizes}")
    long, short, height = (size * MM_PER_INCH for size in sizes)
    return BodyMm(long, short, height, 0.0 if body.half_long == body.half_short else body.facing)


def outline(half_long: float, half_short: float, corners: int = OUTLINE_CORNERS) -> Floats:
    """(corners, 2) float64 outline of an oval, long axis along x; half of a chord's error on either side."""
    angle = np.arange(corners) * (2 * np.pi / corners)
    fit = np.sqrt(1 / np.cos(np.pi / corners))
    ring: Floats = np.column_stack([half_long * np.cos(angle), half_short * np.sin(angle)]) * fit
    return ring


def prism(half_long: float, half_short: float, height: float, corners: int = OUTLINE_CORNERS) -> Floats:
    """(2 * corners, 3) float64 corners of an upright oval prism about the origin."""
    ring = outline(half_long, half_short, corners)
    low = np.column_stack([ring, np.full(corners, -height / 2)])
    high = np.column_stack([ring, np.full(corners, height / 2)])
    return np.vstack([low, high])


MOST_CORNERS = 200
"""Hulls with more are thinned: engines simplify large ones by themselves, and not at the bottom alone."""


def hull_corners(hull: Hull) -> Floats:
    """(n, 3) float64 mm corners of a hull, its lowest points among them.

    Raises ValueError where the points bound nothing, being fewer than four.
    """
    points = np.asarray(hull.points, dtype=np.float64) * MM_PER_INCH
    if len(points) < 4 or not np.isfinite(points).all():
        raise ValueError(f"a hull needs at least four finite points, not {len(points)}")
    corners: Floats = points[ConvexHull(points, qhull_options="QJ").vertices]
    if len(corners) <= MOST_CORNERS:
        return corners
    low = corners[:, 2] <= corners[:, 2].min() + 0.1
    half = MOST_CORNERS // 2
    thinned = [part[:: -(-len(part) // half)] for part in (corners[low], corners[~low]) if len(part)]
    return np.concatenate(thinned)


def leaving(held: BodyMm, place: Floats, point: Floats) -> tuple[float, float, float]:
    """Unit direction in which a body with its middle at `place` (3,) leaves what it touches at `point` (3,), mm."""
    angle = np.radians(held.facing)
    x, y, z = point - place
    along, across = x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)
    wide = np.hypot(along / held.half_long, across / held.half_short)
    # how far outside the point lies, by height and in plan (exact on the outline, near enough elsewhere)
    rise, plan = abs(z) - held.height / 2, (wide - 1) * held.half_short
    way = np.zeros(3)
    if rise > 0 or rise >= plan:
        way[2] = -np.sign(z) * (max(rise, 0) if plan > 0 else 1)
    if plan > 0 or plan > rise:
        slope = np.array([along / held.half_long**2, across / held.half_short**2])
        slope /= np.linalg.norm(slope)
        turned = [
            slope[0] * np.cos(angle) - slope[1] * np.sin(angle),
            slope[0] * np.sin(angle) + slope[1] * np.cos(angle),
        ]
        way[:2] = -np.array(turned) * (plan if rise > 0 else 1)
    x, y, z = way / np.linalg.norm(way)
    return (float(x), float(y), float(z))


def faces_within(terrain: Terrain, window: tuple[float, float, float, float] | None) -> Ints:
    """Indices (n,) int32 of the faces whose plan box meets `window` (x0, y0, x1, y1, inches); None: all."""
    if window is None or len(terrain.faces) == 0:
        return np.arange(len(terrain.faces), dtype=np.int32)
    x0, y0, x1, y1 = (side * MM_PER_INCH for side in window)
    corners = terrain.vertices[terrain.faces][:, :, :2]
    low, high = corners.min(axis=1), corners.max(axis=1)
    meets = (low[:, 0] <= x1) & (high[:, 0] >= x0) & (low[:, 1] <= y1) & (high[:, 1] >= y0)
    return np.nonzero(meets)[0].astype(np.int32)


def meshes(terrain: Terrain, faces: Ints) -> Iterator[tuple[Floats, Ints]]:
    """Cut faces into neighbourhoods of `MOST_FACES`: vertices (n, 3) float64 mm, triangles (m, 3) int32."""
    pending = [faces] if len(faces) else []
    centres = terrain.vertices[terrain.faces[faces]].mean(axis=1)
    where = np.zeros(len(terrain.faces), dtype=np.int64)
    where[faces] = np.arange(len(faces))
    while pending:
        group = pending.pop()
        if len(group) > MOST_FACES:
            middle = centres[where[group]]
            axis = int(np.argmax(np.ptp(middle[:, :2], axis=0)))
            order = np.argsort(middle[:, axis], kind="stable")
            half = len(order) // 2
            pending += [group[order[half:]], group[order[:half]]]
            continue
        used, triangles = np.unique(terrain.faces[group], return_inverse=True)
        yield terrain.vertices[used], triangles.reshape(-1, 3).astype(np.int32)
