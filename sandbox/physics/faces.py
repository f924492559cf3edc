"""Which part a point belongs to, and what lies inside a solid: the two things the engines do not tell.

Bullet answers without a triangle's number, and its concave meshes are hollow. A plan grid of the terrain's
triangles settles both. Millimetres throughout.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sandbox.compiling import kernel
from sandbox.physics.lowering import rest
from sandbox.physics.model import Lowered
from sandbox.physics.prisms import nearest
from sandbox.physics.shapes import BodyMm
from sandbox.terrain.model import Terrain
from sandbox.units import MM_PER_INCH

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

CELL_MM = 12.7
REACH_MM = 0.5
"""how far from a face a point may lie and still be said to be on it."""


class Grid(NamedTuple):
    """Triangles and the plan cells that they touch."""

    triangles: Floats
    """(n, 3, 3) corners."""
    solid: NDArray[np.bool_]
    """(n,) whether each belongs to a closed shell."""
    origin: Floats
    """(2,) corner of cell 0."""
    nx: int
    ny: int
    start: Ints
    """(nx * ny + 1,) first slot of each cell in `items`."""
    items: Ints
    """(slots,) triangle of each slot."""


class FaceIndex:
    """A plan grid over some faces of a terrain."""

    def __init__(self, terrain: Terrain, faces: Ints) -> None:
        """faces: (n,) int32 indices of the faces to know."""
        triangles = np.ascontiguousarray(terrain.vertices[terrain.faces[faces]], dtype=np.float64)
        self._part = np.ascontiguousarray(terrain.face_part[faces], dtype=np.int32)
        closed = terrain.shell_closed[terrain.face_shell[faces]]
        origin, nx, ny = np.zeros(2), 1, 1
        if len(faces):
            flat = triangles[:, :, :2].reshape(-1, 2)
            origin = flat.min(axis=0) - REACH_MM
            span = flat.max(axis=0) + REACH_MM - origin
            nx, ny = int(span[0] // CELL_MM) + 1, int(span[1] // CELL_MM) + 1
        solid = np.ascontiguousarray(closed, dtype=np.bool_)
        self._grid = Grid(triangles, solid, origin, nx, ny, *_fill(triangles, origin, nx, ny))

    def parts_at(self, points: Floats) -> Ints:
        """(n,) int32 terrain part of the face nearest to each of (n, 3) points, -1 beyond 0.5 mm."""
        points = np.ascontiguousarray(points, dtype=np.float64).reshape(-1, 3)
        nearest = _nearest(points, self._grid)
        return np.where(nearest >= 0, self._part[nearest] if len(self._part) else -1, -1).astype(np.int32)

    def inside(self, point: tuple[float, float, float]) -> bool:
        """Whether a point lies in a solid (winding number above 0, counted straight up)."""
        winding = _winding(np.array(point, dtype=np.float64), self._grid)
        return bool(winding > 0)

    def clearance(self, held: BodyMm, place: Floats, margin: float) -> tuple[float, Floats | None, int]:
        """Signed distance of a body with its middle at `place` to the nearest face, mm: where, and its part.

        place: (3,) mm; where: (3,) mm. Below zero: depth of the deepest point. With nothing within `margin`: margin, None and -1.
        """
        reach = held.half_long + margin
        numbers = _meeting(place, reach, held.height / 2 + margin, self._grid)
        angle = np.radians(held.facing)
        turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1.0]])
        near = np.ascontiguousarray((self._grid.triangles[numbers] - place) @ turn)
        distance, point, number = nearest(near, held.half_long, held.half_short, held.height / 2, margin)
        if number < 0:
            return margin, None, -1
        return float(distance), place + turn @ point, int(self._part[numbers[number]])

    def lowered(self, held: BodyMm, place: Floats, bottom: float, slack: float) -> Lowered:
        """Let a thin body down until its underside is at height `bottom`, mm, or on something.

        place: (3,) mm, its middle; slack: mm that it may be in something where it begins.
        """
        blocked, where, face = rest(held, place, bottom, slack, CELL_MM, self._grid)
        blocked = blocked or self.inside((float(place[0]), float(place[1]), float(place[2])))
        part = int(self._part[face]) if face >= 0 else -1
        if blocked or face < 0:
            return Lowered(blocked, None, part)
        x, y, z = (float(value) / MM_PER_INCH for value in where)
        return Lowered(False, (x, y, z), part)


@kernel  # type: ignore[untyped-decorator]
def _meeting(place: Floats, reach: float, half: float, grid: Grid) -> Ints:
    """Numbers of the triangles whose boxes meet a box about `place`."""
    i0 = max(math.floor((place[0] - reach - grid.origin[0]) / CELL_MM), 0)
    i1 = min(math.floor((place[0] + reach - grid.origin[0]) / CELL_MM), grid.nx - 1)
    j0 = max(math.floor((place[1] - reach - grid.origin[1]) / CELL_MM), 0)
    j1 = min(math.floor((place[1] + reach - grid.origin[1]) / CELL_MM), grid.ny - 1)
    found = [np.int32(0) for _ in range(0)]
    for j in range(j0, j1 + 1):
        for i in range(i0, i1 + 1):
            for slot in range(grid.start[j * grid.nx + i], grid.start[j * grid.nx + i + 1]):
                t = grid.triangles[grid.items[slot]]
                meets = min(t[0, 2], t[1, 2], t[2, 2]) <= place[2] + half
                meets = meets and max(t[0, 2], t[1, 2], t[2, 2]) >= place[2] - half
                for axis in range(2):
                    meets = meets and min(t[0, axis], t[1, axis], t[2, axis]) <= place[axis] + reach
                    meets = meets and max(t[0, axis], t[1, axis], t[2, axis]) >= place[axis] - reach
                if meets:
                    found.append(grid.items[slot])
    return np.unique(np.array(found, dtype=np.int32))


@kernel  # type: ignore[untyped-decorator]
def _fill(triangles: Floats, origin: Floats, nx: int, ny: int) -> tuple[Ints, Ints]:
    """Cells to triangles, as a (cells + 1,) start array and an item array."""
    n = len(triangles)
    box = np.empty((n, 4), dtype=np.int64)
    start = np.zeros(nx * ny + 1, dtype=np.int32)
    for f in range(n):
        for axis in range(2):
            low = min(triangles[f, 0, axis], triangles[f, 1, axis], triangles[f, 2, axis]) - REACH_MM
            high = max(triangles[f, 0, axis], triangles[f, 1, axis], triangles[f, 2, axis]) + REACH_MM
            most = (nx if axis == 0 else ny) - 1
            box[f, axis] = min(max(int((low - origin[axis]) / CELL_MM), 0), most)
            box[f, axis + 2] = min(max(int((high - origin[axis]) / CELL_MM), 0), most)
        for i in range(box[f, 0], box[f, 2] + 1):
            for j in range(box[f, 1], box[f, 3] + 1):
                start[j * nx + i + 1] += 1
    for c in range(nx * ny):
        start[c + 1] += start[c]
    fill = start[:-1].copy()
    items = np.empty(start[-1], dtype=np.int32)
    for f in range(n):
        for i in range(box[f, 0], box[f, 2] + 1):
            for j in range(box[f, 1], box[f, 3] + 1):
                items[fill[j * nx + i]] = f
                fill[j * nx + i] += 1
    return start, items


@kernel  # type: ignore[untyped-decorator]
def _square_distance(p: Floats, t: Floats) -> float:
    """Squared distance of a point to a triangle (Ericson, Real-Time Collision Detection, 5.1.5)."""
    ab, ac, ap = t[1] - t[0], t[2] - t[0], p - t[0]
    d1, d2 = np.dot(ab, ap), np.dot(ac, ap)
    if d1 <= 0 and d2 <= 0:
        return float(np.dot(ap, ap))
    bp = p - t[1]
    d3, d4 = np.dot(ab, bp), np.dot(ac, bp)
    if d3 >= 0 and d4 <= d3:
        return float(np.dot(bp, bp))
    vc = d1 * d4 - d3 * d2
    if vc <= 0 and d1 >= 0 and d3 <= 0:
        q = ap - ab * (d1 / (d1 - d3) if d1 > d3 else 0.0)
        return float(np.dot(q, q))
    cp = p - t[2]
    d5, d6 = np.dot(ab, cp), np.dot(ac, cp)
    if d6 >= 0 and d5 <= d6:
        return float(np.dot(cp, cp))
    vb = d5 * d2 - d1 * d6
    if vb <= 0 and d2 >= 0 and d6 <= 0:
        q = ap - ac * (d2 / (d2 - d6) if d2 > d6 else 0.0)
        return float(np.dot(q, q))
    va = d3 * d6 - d5 * d4
    if va <= 0 and d4 - d3 >= 0 and d5 - d6 >= 0:
        span = (d4 - d3) + (d5 - d6)
        q = bp - (t[2] - t[1]) * ((d4 - d3) / span if span > 0 else 0.0)
        return float(np.dot(q, q))
    total = va + vb + vc
    if total <= 0:
        return float(np.dot(ap, ap))
    q = ap - ab * (vb / total) - ac * (vc / total)
    return float(np.dot(q, q))


@kernel  # type: ignore[untyped-decorator]
def _nearest(points: Floats, grid: Grid) -> Ints:
    """Number of the face nearest to each point, -1 where none is within half a millimetre."""
    answer = np.full(len(points), -1, dtype=np.int32)
    for k in range(len(points)):
        i = math.floor((points[k, 0] - grid.origin[0]) / CELL_MM)
        j = math.floor((points[k, 1] - grid.origin[1]) / CELL_MM)
        if i < 0 or j < 0 or i >= grid.nx or j >= grid.ny:
            continue
        best = REACH_MM**2
        for slot in range(grid.start[j * grid.nx + i], grid.start[j * grid.nx + i + 1]):
            f = grid.items[slot]
            t = grid.triangles[f]
            high = max(t[0, 2], t[1, 2], t[2, 2])
            low = min(t[0, 2], t[1, 2], t[2, 2])
            if points[k, 2] > high + REACH_MM or points[k, 2] < low - REACH_MM:
                continue
            distance = _square_distance(points[k], t)
            if distance < best:
                best = distance
                answer[k] = f
    return answer


@kernel  # type: ignore[untyped-decorator]
def _winding(point: Floats, grid: Grid) -> int:
    """Winding number of the solids about a point, from what is crossed straight above it.

    The line is moved by a hair (0.1 micrometre) so that it meets no vertex or edge of a tidy model.
    """
    x, y = point[0] + 1.0473e-4, point[1] + 0.7219e-4
    i, j = math.floor((x - grid.origin[0]) / CELL_MM), math.floor((y - grid.origin[1]) / CELL_MM)
    if i < 0 or j < 0 or i >= grid.nx or j >= grid.ny:
        return 0
    winding = 0
    for slot in range(grid.start[j * grid.nx + i], grid.start[j * grid.nx + i + 1]):
        f = grid.items[slot]
        if not grid.solid[f]:
            continue
        t = grid.triangles[f]
        area = (t[1, 0] - t[0, 0]) * (t[2, 1] - t[0, 1]) - (t[2, 0] - t[0, 0]) * (t[1, 1] - t[0, 1])
        if area == 0.0:
            continue
        u = ((t[2, 0] - t[1, 0]) * (y - t[1, 1]) - (t[2, 1] - t[1, 1]) * (x - t[1, 0])) / area
        v = ((t[0, 0] - t[2, 0]) * (y - t[2, 1]) - (t[0, 1] - t[2, 1]) * (x - t[2, 0])) / area
        w = 1.0 - u - v
        if u < 0 or v < 0 or w < 0:
            continue
        if u * t[0, 2] + v * t[1, 2] + w * t[2, 2] > point[2]:
            winding += 1 if area > 0 else -1
    return winding
