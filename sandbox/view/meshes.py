"""numpy arrays to Panda3D geometry, in one copy each through memoryviews; a few plain shapes as arrays.

Lengths are in inches.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from panda3d import core

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]

SOLID = np.dtype([("pos", np.float32, 3), ("normal", np.float32, 3), ("colour", np.uint8, 4)])
FACET = np.dtype([("pos", np.float32, 3), ("colour", np.uint8, 4)])
SHEET = np.dtype([("pos", np.float32, 3), ("value", np.float32, 3)])


@dataclass(frozen=True, eq=False)
class Shape:
    """Triangles with their own corners: nothing is shared, so that every face keeps its own normal."""

    corners: Floats
    """(n, 3, 3) float64."""
    normals: Floats
    """(n, 3, 3) float64, unit, one for each corner."""

    def moved(self, matrix: Floats, offset: Floats) -> Shape:
        """The shape under a (3, 3) matrix and a (3,) offset."""
        normals = self.normals @ np.linalg.inv(matrix)
        lengths = np.linalg.norm(normals, axis=-1, keepdims=True)
        return Shape(self.corners @ matrix.T + offset, normals / np.maximum(lengths, 1e-12))


def joined(shapes: list[Shape]) -> Shape:
    """Several shapes as one."""
    return Shape(np.concatenate([s.corners for s in shapes]), np.concatenate([s.normals for s in shapes]))


def face_normals(corners: Floats) -> Floats:
    """(n, 3) unit normals of (n, 3, 3) triangles; +z for those without area."""
    cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(cross, axis=1, keepdims=True)
    up = np.array([0.0, 0.0, 1.0])
    return np.where(length > 1e-12, cross / np.maximum(length, 1e-12), up)


def flat(corners: Floats) -> Shape:
    """Triangles (n, 3, 3), each shaded by its own normal."""
    return Shape(corners, np.repeat(face_normals(corners)[:, None, :], 3, axis=1))


def turned(profile: Floats, sides: int = 40) -> Shape:
    """Surface of revolution about z of a (k, 2) profile of radius and height, upwards, seen from outside."""
    angle = np.linspace(0.0, 2 * np.pi, sides + 1)
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    points = np.empty((len(profile), sides + 1, 3))
    points[..., :2] = profile[:, None, :1] * ring[None]
    points[..., 2] = profile[:, 1, None]
    run = np.diff(profile, axis=0)
    slope = np.stack([run[:, 1], -run[:, 0]], axis=1)
    slope /= np.maximum(np.linalg.norm(slope, axis=1, keepdims=True), 1e-12)
    normals = np.empty((len(profile) - 1, sides + 1, 3))
    normals[..., :2] = slope[:, None, :1] * ring[None]
    normals[..., 2] = slope[:, 1, None]
    a, b, c, d = points[:-1, :-1], points[:-1, 1:], points[1:, 1:], points[1:, :-1]
    left, right = normals[:, :-1], normals[:, 1:]
    corners = np.concatenate([np.stack([a, b, c], axis=2), np.stack([a, c, d], axis=2)], axis=1)
    shades = np.concatenate([np.stack([left, right, right], 2), np.stack([left, right, left], 2)], axis=1)
    return Shape(corners.reshape(-1, 3, 3), shades.reshape(-1, 3, 3))


def tube(path: Floats, radius: float, sides: int = 10) -> Shape:
    """A round tube along a (k, 3) polyline with round joints and ends."""
    path = np.asarray(path, dtype=np.float64)
    keep = np.ones(len(path), dtype=np.bool_)
    keep[1:] = np.linalg.norm(np.diff(path, axis=0), axis=1) > 1e-6
    path = path[keep]
    shapes = [_ball(sides).moved(np.eye(3) * radius, point) for point in path]
    for start, end in pairwise(path):
        shapes.append(rod(start, end, radius, radius, sides))
    return joined(shapes)


def rod(start: Floats, end: Floats, first: float, last: float, sides: int = 10) -> Shape:
    """A round rod from `start` (3,) to `end` (3,), its radius from `first` to `last`, without its ends."""
    axis = np.asarray(end, dtype=np.float64) - start
    length = float(np.linalg.norm(axis))
    body = turned(np.array([[first, 0.0], [last, length]]), sides)
    return body.moved(_frame(axis / max(length, 1e-12)), np.asarray(start, dtype=np.float64))


def arrow_head(tip: Floats, direction: Floats, length: float, radius: float, sides: int = 16) -> Shape:
    """A cone with its tip at `tip` (3,), pointing along `direction` (3,), of any length."""
    axis = np.asarray(direction, dtype=np.float64)
    axis = axis / max(float(np.linalg.norm(axis)), 1e-12)
    cone = turned(np.array([[0.0, 0.0], [radius, 0.0], [0.0, length]]), sides)
    return cone.moved(_frame(axis), np.asarray(tip, dtype=np.float64) - axis * length)


def outline(half_long: float, half_short: float, facing: float, count: int = 64) -> Floats:
    """(count, 2) points of an oval about the origin, counter-clockwise, long axis along `facing` degrees."""
    angle = np.linspace(0.0, 2 * np.pi, count, endpoint=False)
    heading = np.radians(facing)
    long, short = half_long * np.cos(angle), half_short * np.sin(angle)
    cos, sin = np.cos(heading), np.sin(heading)
    return np.stack([long * cos - short * sin, long * sin + short * cos], axis=1)


def _ball(sides: int) -> Shape:
    angle = np.linspace(-np.pi / 2, np.pi / 2, max(4, sides // 2) + 1)
    ball = turned(np.stack([np.cos(angle), np.sin(angle)], axis=1), sides)
    return Shape(ball.corners, ball.corners / np.linalg.norm(ball.corners, axis=-1, keepdims=True))


def _frame(axis: Floats) -> Floats:
    """(3, 3) rotation that takes +z to the unit vector `axis`."""
    side = np.array([1.0, 0.0, 0.0]) if abs(axis[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
    first = np.cross(side, axis)
    first /= np.linalg.norm(first)
    return np.stack([first, np.cross(axis, first), axis], axis=1)


def rows(points: Floats, normals: Floats, colours: NDArray[np.uint8]) -> NDArray[Any]:
    """(n k,) vertex rows of n shapes of k corners: points and normals (n, k, 3), colours (n, 4) one for each shape."""
    answer = np.empty(points.shape[0] * points.shape[1], dtype=SOLID)
    answer["pos"] = points.reshape(-1, 3)
    answer["normal"] = normals.reshape(-1, 3)
    answer["colour"] = np.repeat(colours, points.shape[1], axis=0)
    return answer


def triangles(vertex_rows: NDArray[Any]) -> Any:
    """GeomNode of (n,) vertex rows of dtype SOLID, three for each triangle."""
    return _node("solid", _vertices("solid", vertex_rows, _solid_format()), core.GeomTriangles, None)


def shared(vertex_rows: NDArray[Any]) -> Any:
    """GeomVertexData of (n,) vertex rows of dtype FACET, for as many `facets` as there are."""
    return _vertices("facets", vertex_rows, _facet_format())


def facets(vertices: Any, faces: NDArray[np.uint32]) -> Any:
    """GeomNode of `shared` vertices and (m, 3) faces between them; their normals are left to the shader."""
    return _node("facets", vertices, core.GeomTriangles, np.ascontiguousarray(faces))


def segments(vertex_rows: NDArray[Any]) -> Any:
    """GeomNode of (n,) vertex rows of dtype SOLID, two for each line."""
    return _node("lines", _vertices("lines", vertex_rows, _solid_format()), core.GeomLines, None)


def solid(shape: Shape, colours: NDArray[np.uint8] | tuple[int, ...]) -> Any:
    """GeomNode of a shape; colours (n, 4) uint8 for each triangle, or one RGB or RGBA colour for all."""
    if isinstance(colours, tuple):
        one = np.array((*colours, 255)[:4], dtype=np.uint8)
        colours = np.broadcast_to(one, (len(shape.corners), 4))
    return triangles(rows(shape.corners, shape.normals, colours))


def sheet(points: Singles, values: Singles, faces: NDArray[np.uint32]) -> Any:
    """GeomNode of a value surface: points (n, 3), values (n, 3) handed to its shader, faces (m, 3)."""
    rows = np.empty(len(points), dtype=SHEET)
    rows["pos"] = points
    rows["value"] = values
    vertices = _vertices("sheet", rows, _sheet_format())
    return _node("sheet", vertices, core.GeomTriangles, np.ascontiguousarray(faces))


def _solid_format() -> Any:
    columns = core.GeomVertexArrayFormat()
    columns.add_column("vertex", 3, core.Geom.NT_float32, core.Geom.C_point)
    columns.add_column("normal", 3, core.Geom.NT_float32, core.Geom.C_normal)
    columns.add_column("color", 4, core.Geom.NT_uint8, core.Geom.C_color)
    return columns


def _facet_format() -> Any:
    columns = core.GeomVertexArrayFormat()
    columns.add_column("vertex", 3, core.Geom.NT_float32, core.Geom.C_point)
    columns.add_column("color", 4, core.Geom.NT_uint8, core.Geom.C_color)
    return columns


def _sheet_format() -> Any:
    columns = core.GeomVertexArrayFormat()
    columns.add_column("vertex", 3, core.Geom.NT_float32, core.Geom.C_point)
    columns.add_column("texcoord", 3, core.Geom.NT_float32, core.Geom.C_texcoord)
    return columns


def _vertices(name: str, rows: NDArray[Any], columns: Any) -> Any:
    layout = core.GeomVertexFormat()
    layout.add_array(columns)
    data = core.GeomVertexData(name, core.GeomVertexFormat.register_format(layout), core.Geom.UH_static)
    data.unclean_set_num_rows(len(rows))
    if len(rows):
        array = data.modify_array(0)
        if array.array_format.stride != rows.dtype.itemsize:
            raise AssertionError("vertex layout differs from the array's")
        memoryview(array).cast("B")[:] = rows.view(np.uint8).reshape(-1).data
    return data


def _node(name: str, data: Any, primitive: Any, index: NDArray[np.uint32] | None) -> Any:
    kind = primitive(core.Geom.UH_static)
    kind.set_index_type(core.Geom.NT_uint32)
    if index is None:
        kind.add_next_vertices(data.get_num_rows())
    else:
        indices = kind.modify_vertices()
        indices.unclean_set_num_rows(index.size)
        memoryview(indices).cast("B")[:] = index.reshape(-1).view(np.uint8).data
    geom = core.Geom(data)
    geom.add_primitive(kind)
    node = core.GeomNode(name)
    node.add_geom(geom)
    return node
