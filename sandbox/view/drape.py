"""Floors under points, for laying lines and marks on the ground that is drawn. For drawing only: no answer comes from here."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from shapely import geometry, make_valid
from shapely.geometry.base import BaseGeometry
from shapely.ops import triangulate

Floats = NDArray[np.float64]

STEP = 0.08
"""points are laid on the ground this close to each other, inches."""
NEAR = 0.6
"""a floor farther than this above or below a line is not its floor, inches."""


class Ground:
    """The faces of a mesh that face up, with the heights above any point of the plan."""

    def __init__(self, corners: Floats, normals: Floats) -> None:
        """corners (n, 3, 3) inches, normals (n, 3) unit; open meshes may face either way, so both count."""
        upward = np.abs(normals[:, 2]) > 0.3
        self.corners = corners[upward]
        self._low = self.corners[:, :, :2].min(axis=1) if len(self.corners) else np.empty((0, 2))
        self._high = self.corners[:, :, :2].max(axis=1) if len(self.corners) else np.empty((0, 2))

    def heights(self, points: Floats) -> list[Floats]:
        """Heights of all faces over each of (n, 2) points, in no order."""
        points = np.asarray(points, dtype=np.float64).reshape(-1, 2)
        if not len(points) or not len(self.corners):
            return [np.empty(0) for _ in points]
        close = np.all(self._low <= points.max(axis=0), axis=1) & np.all(
            self._high >= points.min(axis=0), axis=1
        )
        corners, low, high = self.corners[close], self._low[close], self._high[close]
        answer = []
        for point in points:
            hit = np.all(low <= point, axis=1) & np.all(high >= point, axis=1)
            answer.append(_over(corners[hit], point))
        return answer

    def floor(self, x: float, y: float, z: float | None) -> float:
        """The floor nearest to z, the highest where z is None; 0 where there is none."""
        found = self.heights(np.array([[x, y]]))[0]
        if not len(found):
            return 0.0 if z is None else z
        return float(found.max() if z is None else found[np.argmin(np.abs(found - z))])

    def drape(self, path: Floats) -> Floats:
        """The (k, 3) line laid on the floors under it; where there is none near it keeps its own height."""
        parts = [path[:1]]
        for start, end in pairwise(path):
            count = max(1, int(np.ceil(np.hypot(*(end - start)[:2]) / STEP)))
            parts.append(start + (end - start) * np.linspace(0, 1, count + 1)[1:, None])
        line = np.concatenate(parts)
        # The ends are given exactly; a wall's top beside them must not draw them up.
        height = line[0, 2]
        for k, found in enumerate(self.heights(line[1:-1, :2]), start=1):
            near = found[(np.abs(found - line[k, 2]) < NEAR) & (found < height + NEAR)]
            if len(near):
                # The highest within a step: what lies below it is inside something.
                height = float(near.max())
                line[k, 2] = height
            else:
                height = line[k, 2]
        return _thinned(line)

    def patch(self, polygon: tuple[tuple[float, float], ...], z: tuple[float, float] | None) -> Floats:
        """(n, 3, 3) triangles of the floors inside a plan polygon and a height range."""
        shape = make_valid(geometry.Polygon(polygon))
        low, high = np.asarray(shape.bounds[:2]), np.asarray(shape.bounds[2:])
        hit = np.all(self._low <= high, axis=1) & np.all(self._high >= low, axis=1)
        chosen = self.corners[hit]
        if z is not None:
            chosen = chosen[
                (chosen[:, :, 2].max(axis=1) >= z[0] - 0.01) & (chosen[:, :, 2].min(axis=1) <= z[1] + 0.01)
            ]
        answer: list[Floats] = []
        for corners in chosen:
            answer += _clipped(corners, shape)
        return np.array(answer).reshape(-1, 3, 3)


def _over(corners: Floats, point: Floats) -> Floats:
    """Heights at `point` of the (n, 3, 3) triangles that hold it in plan."""
    a, b, c = (corners[:, k, :2] for k in range(3))
    first, second, third = b - a, c - a, point - a
    area = first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]
    safe = np.where(np.abs(area) < 1e-12, 1.0, area)
    u = (third[:, 0] * second[:, 1] - third[:, 1] * second[:, 0]) / safe
    v = (first[:, 0] * third[:, 1] - first[:, 1] * third[:, 0]) / safe
    good = (np.abs(area) >= 1e-12) & (u >= -1e-9) & (v >= -1e-9) & (u + v <= 1 + 1e-9)
    z = corners[:, :, 2]
    return np.asarray((z[:, 0] + u * (z[:, 1] - z[:, 0]) + v * (z[:, 2] - z[:, 0]))[good])


def _thinned(line: Floats) -> Floats:
    """The polyline without points that lie on the straight between their neighbours."""
    if len(line) < 3:
        return line
    before, after = np.diff(line[:-1], axis=0), np.diff(line[1:], axis=0)
    bend = np.linalg.norm(np.cross(before, after), axis=1)
    keep = bend > 1e-4 * np.linalg.norm(before, axis=1) * np.linalg.norm(after, axis=1) + 1e-12
    return np.asarray(line[np.concatenate([[True], keep, [True]])])


def _clipped(corners: Floats, shape: BaseGeometry) -> list[Floats]:
    triangle = geometry.Polygon(corners[:, :2])
    if triangle.area < 1e-9:
        return []
    if shape.contains(triangle):
        return [corners]
    shared = triangle.intersection(shape)
    if shared.is_empty or shared.area < 1e-9:
        return []
    lift = np.linalg.solve(np.column_stack([corners[:, :2], np.ones(3)]), corners[:, 2])
    answer = []
    for piece in triangulate(shared):
        if not shared.contains(piece.representative_point()):
            continue
        plan = np.asarray(piece.exterior.coords)[:3]
        answer.append(np.column_stack([plan, plan @ lift[:2] + lift[2]]))
    return answer
