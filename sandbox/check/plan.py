"""Exact plan views of solids: cross-sections, what stands in a height band, and upward surfaces, as shapely polygons.

No grid is involved: polygons have the mesh's own edges. All lengths mm.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from math import ceil, floor
from typing import Any, TypeAlias

import numpy as np
import shapely
from numpy.typing import NDArray

from sandbox.terrain.model import Terrain

Floats = NDArray[np.float64]
Shape: TypeAlias = Any
"""a shapely geometry."""
Box: TypeAlias = tuple[int, int, int, int]
"""least and greatest x and y, mm: x0, y0, x1, y1."""

_SHEET_MM = 0.005
"""sheets are given this half thickness, so that they stop a base."""
_UPRIGHT = 0.02
"""sheets that lean less are lines from above."""
_AREA_MM2 = 1e-6
_NUDGE_MM = 1.7e-5
"""Cuts stand off round heights, where models have their faces."""
_GRID_MM = 1e-4
ROUND = 24
"""segments of a quarter circle: 0.02 mm of sagging at 50 mm."""
HEADINGS = 24
"""of ovals in half a turn."""
FINEST = 0.004
"""radians: headings finer than this change nothing that is told."""
_WIDE_MM = 150.0
_ROUGH_MM = 0.1
_SLACK_MM = 0.15
_ASIDE = (0.84, 0.54)
"""Of places that are as good the foremost this way is told, along which few models have edges."""
EMPTY: Shape = shapely.Polygon()


class Plan:
    """The plan views of one terrain (its board and ceiling left out)."""

    def __init__(self, terrain: Terrain, skip: NDArray[np.bool_]) -> None:
        """skip: (m,) faces to leave out."""
        faces = terrain.faces[~skip]
        self.faces = faces
        self.number = np.flatnonzero(~skip)
        self.vertices = terrain.vertices
        self.corners = terrain.vertices[faces]
        self.shell = terrain.face_shell[~skip]
        self.closed = terrain.shell_closed[self.shell]
        self.part = terrain.face_part[~skip]
        self.low = self.corners[:, :, 2].min(axis=1)
        self.high = self.corners[:, :, 2].max(axis=1)
        normal = np.cross(self.corners[:, 1] - self.corners[:, 0], self.corners[:, 2] - self.corners[:, 0])
        self.area = np.linalg.norm(normal, axis=1) / 2
        self.normal = normal / np.maximum(2 * self.area, 1e-300)[:, None]
        self.least, self.most = self.corners[:, :, :2].min(axis=1), self.corners[:, :, :2].max(axis=1)
        steep = np.abs(self.normal[:, 2])
        self._down = (self.normal[:, 2] < -1e-9) | (~self.closed & (steep > 1e-9))
        self._sheets = ~self.closed & (steep <= _UPRIGHT)
        self._order = np.argsort(self.shell, kind="stable")
        self._first = np.searchsorted(self.shell[self._order], np.arange(len(terrain.shell_closed) + 1))
        self._shells = self._boxes(len(terrain.shell_closed))
        self._section = lru_cache(maxsize=256)(self._cut)
        self._band = lru_cache(maxsize=256)(self._between)

    @cached_property
    def _bounds(self) -> tuple[Floats, Floats]:
        """Lowest and highest x and y of all faces."""
        return self.least.min(axis=0), self.most.max(axis=0)

    @cached_property
    def top(self) -> float:
        """Height of the highest point; 0 where there is nothing."""
        return float(self.high.max()) if len(self.high) else 0.0

    def section(self, z: float, *, sheets: bool = True, near: Shape | None = None) -> Shape:
        """What is solid at a height. sheets: open shells too, as thin as they are; they cost most of the time.

        near: it is right in the box around this shape, and may lack anything elsewhere, which is much faster.
        """
        return self._section(round(z, 3), sheets, self._box(near))

    def band(self, low: float, high: float, near: Shape | None = None) -> Shape:
        """The plan outline of everything solid between two heights; near: as for a section."""
        return self._band(round(low, 3), round(high, 3), self._box(near))

    def _box(self, near: Shape | None) -> Box | None:
        """Whole millimetres around a shape; None where that is everything."""
        if near is None or not len(self.faces):
            return None
        if near.is_empty:
            return (0, 0, 0, 0)
        x0, y0, x1, y1 = near.bounds
        low, high = self._bounds
        if x0 <= low[0] and y0 <= low[1] and x1 >= high[0] and y1 >= high[1]:
            return None
        return (floor(x0) - 1, floor(y0) - 1, ceil(x1) + 1, ceil(y1) + 1)

    def _boxes(self, shells: int) -> Floats:
        """(s, 4) plan box of each shell."""
        boxes = np.tile([np.inf, np.inf, -np.inf, -np.inf], (shells, 1))
        there = np.flatnonzero(np.diff(self._first))
        if there.size:
            starts = self._first[:-1][there]
            boxes[there, :2] = np.minimum.reduceat(self.least[self._order], starts)
            boxes[there, 2:] = np.maximum.reduceat(self.most[self._order], starts)
        return boxes

    def _faces_near(self, box: Box | None) -> NDArray[np.intp]:
        """Faces of whole closed shells that come near a box, and of open ones those that do."""
        if box is None:
            return np.arange(len(self.faces))
        own = self._shells
        near = (own[:, 0] <= box[2]) & (own[:, 1] <= box[3]) & (own[:, 2] >= box[0]) & (own[:, 3] >= box[1])
        first, last = self._first[:-1][near], self._first[1:][near]
        counts = last - first
        steps = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
        rows = self._order[np.repeat(first, counts) + steps]
        return np.asarray(rows[self.closed[rows] | self._touches(rows, box)], np.intp)

    def _touches(self, rows: NDArray[np.intp], box: Box) -> NDArray[np.bool_]:
        least, most = self.least[rows], self.most[rows]
        return np.asarray(
            (least[:, 0] <= box[2])
            & (least[:, 1] <= box[3])
            & (most[:, 0] >= box[0])
            & (most[:, 1] >= box[1])
        )

    def _cut(self, z: float, sheets: bool, box: Box | None) -> Shape:
        z += _NUDGE_MM
        hit = self._faces_near(box)
        hit = hit[(self.low[hit] < z) & (self.high[hit] > z) & (self.closed[hit] | sheets)]
        if not hit.size:
            return EMPTY
        start, end = self._segments(hit, z)
        shells = self.shell[hit]
        closed = self.closed[hit]
        pieces: list[Shape] = []
        if (~closed).any():
            lines = shapely.linestrings(np.stack([start[~closed], end[~closed]], axis=1))
            pieces.append(shapely.buffer(union(lines), _SHEET_MM, quad_segs=1))
        order = np.argsort(shells[closed], kind="stable")
        start, end, shells = start[closed][order], end[closed][order], shells[closed][order]
        bounds = np.flatnonzero(np.diff(shells, prepend=-1))
        for first, last in zip(bounds, [*bounds, len(shells)][1:], strict=True):
            pieces.append(_filled(start[first:last], end[first:last]))
        return tidy(union(pieces))

    def _segments(self, hit: NDArray[np.intp], z: float) -> tuple[Floats, Floats]:
        """Where triangles meet a height: starts and ends, the solid on the left of each; (k, 2)."""
        ids = self.faces[hit]
        up = self.vertices[ids][:, :, 2] > z
        # The corner that is alone on its side; the two edges from it are crossed.
        lone = np.where(up.sum(axis=1) == 1, np.argmax(up, axis=1), np.argmin(up, axis=1))
        alone_up = up[np.arange(len(hit)), lone]
        a = ids[np.arange(len(hit)), lone]
        b = ids[np.arange(len(hit)), (lone + 1) % 3]
        c = ids[np.arange(len(hit)), (lone + 2) % 3]
        one, other = self._crossed(a, b, z), self._crossed(a, c, z)
        # Outward faces: looking along the way from `one` to `other` with the lone corner above, the solid is left.
        start = np.where(alone_up[:, None], one, other)
        end = np.where(alone_up[:, None], other, one)
        return start, end

    def _crossed(self, a: NDArray[np.int32], b: NDArray[np.int32], z: float) -> Floats:
        low, high = np.minimum(a, b), np.maximum(a, b)  # the same arithmetic from both sides of an edge
        p, q = self.vertices[low], self.vertices[high]
        t = (z - p[:, 2]) / (q[:, 2] - p[:, 2])
        point: Floats = p[:, :2] + t[:, None] * (q[:, :2] - p[:, :2])
        return point

    def _between(self, low: float, high: float, box: Box | None) -> Shape:
        """Solid at the lower height, and what begins above it: its faces that look down."""
        pieces = [self._section(low, True, box)]
        chosen = self._down & (self.low < high) & (self.high > low)
        rows = np.flatnonzero(chosen)
        if box is not None:
            rows = rows[self._touches(rows, box)]
        whole = (self.low[rows] >= low) & (self.high[rows] <= high)
        if whole.any():
            pieces.append(_union(shapely.polygons(self.corners[rows[whole]][:, :, :2])))
        cut = [clipped(tri, low, high) for tri in self.corners[rows[~whole]]]
        rings = [shapely.Polygon(ring) for ring in cut if len(ring) >= 3]
        if rings:
            pieces.append(_union(np.array(rings)))
        pieces.append(self._upright(low, high, box))
        return tidy(union(pieces))

    def _upright(self, low: float, high: float, box: Box | None) -> Shape:
        """Sheets between two heights that look neither up nor down, as thin as they are."""
        rows = np.flatnonzero(self._sheets & (self.low < high) & (self.high > low))
        if box is not None:
            rows = rows[self._touches(rows, box)]
        if not rows.size:
            return EMPTY
        whole = (self.low[rows] >= low) & (self.high[rows] <= high)
        rings = [self.corners[rows[whole]][:, :, :2]]
        for tri in self.corners[rows[~whole]]:
            ring = np.array(clipped(tri, low, high))
            rings += [ring[None, [k, 0, k + 1]] for k in range(1, len(ring) - 1)]
        return shapely.buffer(
            union(shapely.linestrings(_seen_edgewise(np.concatenate(rings)))), _SHEET_MM, quad_segs=1
        )

    def upward(self, chosen: NDArray[np.bool_]) -> Shape:
        """The plan outline of chosen faces, (k,) bool."""
        return _union(shapely.polygons(self.corners[chosen][:, :, :2])) if chosen.any() else EMPTY


def union(shapes: Sequence[Shape] | NDArray[np.object_]) -> Shape:
    """The union of shapes (n,), on a grid of a ten-thousandth of a millimetre where rounding gets in the way."""
    try:
        return shapely.union_all(shapes)
    except shapely.GEOSException:
        return shapely.union_all(_gridded(np.asarray(shapes, dtype=object)), grid_size=_GRID_MM)


def minus(one: Shape, other: Shape) -> Shape:
    """What of a shape is not in another."""
    try:
        return shapely.difference(one, other)
    except shapely.GEOSException:
        return shapely.difference(_gridded(one), _gridded(other), grid_size=_GRID_MM)


def both(one: Shape, other: Shape) -> Shape:
    """What two shapes share."""
    try:
        return shapely.intersection(one, other)
    except shapely.GEOSException:
        return shapely.intersection(_gridded(one), _gridded(other), grid_size=_GRID_MM)


def _gridded(shape: Any) -> Any:
    return shapely.set_precision(shapely.make_valid(shape), _GRID_MM)


def _union(shapes: NDArray[np.object_]) -> Shape:
    good = shapes[shapely.area(shapes) > _AREA_MM2]
    if not len(good):
        return EMPTY
    return tidy(union(shapely.make_valid(good)))


def _filled(start: Floats, end: Floats) -> Shape:
    """The area that directed segments of one closed shell bound, solid on their left."""
    lines = shapely.linestrings(np.stack([start, end], axis=1))
    faces = shapely.get_parts(shapely.polygonize(lines))
    if not len(faces):  # segments that do not meet exactly: a shell that crosses itself
        faces = shapely.get_parts(shapely.polygonize([union(lines)]))
    inside = [face for face in faces if winding(shapely.point_on_surface(face), start, end) != 0]
    return union(inside) if inside else EMPTY


def _seen_edgewise(triangles: Floats) -> Floats:
    """(k, 2, 2) the longest side in plan of upright triangles (m, 3, 2), which is all that is seen of them, each once."""
    sides = triangles[:, [[0, 1], [1, 2], [2, 0]]]
    length = np.linalg.norm(sides[:, :, 1] - sides[:, :, 0], axis=2)
    longest = sides[np.arange(len(sides)), np.argmax(length, axis=1)]
    longest = np.round(longest[length.max(axis=1) > _SHEET_MM], 4)
    swapped = (longest[:, 0, 0] > longest[:, 1, 0]) | (
        (longest[:, 0, 0] == longest[:, 1, 0]) & (longest[:, 0, 1] > longest[:, 1, 1])
    )
    longest[swapped] = longest[swapped][:, ::-1]
    return np.unique(longest, axis=0)


def winding(point: Shape, start: Floats, end: Floats) -> int:
    """How often directed segments run around a point; start, end: (n, 2)."""
    x, y = shapely.get_x(point), shapely.get_y(point)
    up = (start[:, 1] <= y) & (end[:, 1] > y)
    down = (start[:, 1] > y) & (end[:, 1] <= y)
    crossed = up | down
    s, e, sign = start[crossed], end[crossed], np.where(up[crossed], 1, -1)
    at = s[:, 0] + (y - s[:, 1]) / (e[:, 1] - s[:, 1]) * (e[:, 0] - s[:, 0])
    return int(sign[at > x].sum())


def clipped(triangle: Floats, low: float, high: float) -> list[tuple[float, float]]:
    """Plan corners of a triangle (3, 3) between two heights."""
    ring = [tuple(map(float, p)) for p in triangle]
    for height, keep in ((low, 1.0), (high, -1.0)):
        out: list[tuple[float, ...]] = []
        for k, p in enumerate(ring):
            q = ring[(k + 1) % len(ring)]
            dp, dq = keep * (p[2] - height), keep * (q[2] - height)
            if dp >= 0:
                out.append(p)
            if (dp > 0 > dq) or (dp < 0 < dq):
                t = dp / (dp - dq)
                out.append(tuple(a + t * (b - a) for a, b in zip(p, q, strict=True)))
        ring = out
        if len(ring) < 3:
            return []
    return [(p[0], p[1]) for p in ring]


def tidy(shape: Shape) -> Shape:
    """Only the areas of a shape, without slivers."""
    shape = shape if shape.is_valid else shapely.make_valid(shape)
    kept = [part for part in pieces_of(shape) if part.area > _AREA_MM2]
    return union(kept) if len(kept) > 1 else kept[0] if kept else EMPTY


def pieces_of(shape: Shape) -> list[Shape]:
    """The polygons of a shape."""
    return [part for part in shapely.get_parts(shape, return_index=False) for part in _polygons(part)]


def _polygons(part: Shape) -> list[Shape]:
    if part.geom_type == "Polygon":
        return [] if part.is_empty else [part]
    if part.geom_type in ("MultiPolygon", "GeometryCollection"):
        return [inner for one in part.geoms for inner in _polygons(one)]
    return []


def grown(shape: Shape, by: float) -> Shape:
    """A shape with everything closer than `by` (negative: only what is farther inside)."""
    return shape if shape.is_empty or by == 0.0 else shapely.buffer(shape, by, quad_segs=ROUND)


def opened(shape: Shape, radius: float) -> Shape:
    """What discs of a radius cover inside a shape."""
    return grown(grown(shape, -radius), radius)


def closed_by(shape: Shape, radius: float) -> Shape:
    """A shape with what no disc of a radius gets into filled."""
    return grown(grown(shape, radius), -radius)


def widest_oval(
    shape: Shape, long: float, short: float, enough: float = np.inf
) -> tuple[float, tuple[float, float]]:
    """Shorter diameter and centre of the largest oval of a form that fits in a shape, turned as it likes (to 0.03 mm).

    long, short: its axes, of which only the ratio matters here. enough: no heading is tried once one holds this much.
    24 headings per half turn, and finer ones about the best.
    """
    step = np.pi / HEADINGS
    headings = [n * step for n in range(HEADINGS)]
    best, at, heading = 0.0, (0.0, 0.0), 0.0
    while step > FINEST:
        for angle in headings:
            width, place = _oval_at(shape, short / long, angle)
            if width > best:
                best, at, heading = width, place, angle
            if best >= enough:
                return best, at
        step /= 2.0
        headings = [heading - step, heading + step]
    return best, at


def _oval_at(shape: Shape, ratio: float, angle: float) -> tuple[float, tuple[float, float]]:
    """The same in one heading, radians: stretched along it, the oval is a circle."""
    cos, sin = float(np.cos(angle)), float(np.sin(angle))
    turn = np.array([[ratio * cos, -sin], [ratio * sin, cos]])
    width, (u, v) = widest(shapely.transform(shape, lambda points: points @ turn))
    return width, (cos * u / ratio - sin * v, sin * u / ratio + cos * v)


def widest(shape: Shape) -> tuple[float, tuple[float, float]]:
    """Diameter and centre of the largest circle inside a shape (to 0.01 mm, to 0.2 mm beyond 150 mm).

    Where it may be moved, as in a strip, its centre is the middle of where that may be.
    """
    best, at = 0.0, (0.0, 0.0)
    home: Shape = EMPTY
    for part in pieces_of(shape):
        if part.area < np.pi / 4 * best * best:
            continue
        line = _inscribed(part)
        if 2 * line.length > best:
            best, at, home = 2 * line.length, (line.coords[0][0], line.coords[0][1]), part
    if best <= 0.0:
        return best, at
    slack = _SLACK_MM if best <= _WIDE_MM else 3.0 * _ROUGH_MM
    where = pieces_of(shapely.buffer(home, slack - best / 2, quad_segs=4))
    if not where:
        return best, at
    spots = [one.centroid if one.covers(one.centroid) else one.representative_point() for one in where]
    spot = min(spots, key=lambda one: round(_ASIDE[0] * one.x + _ASIDE[1] * one.y, 1))
    return best, (float(spot.x), float(spot.y))


def _inscribed(part: Shape) -> Shape:
    """Line from the middle of the largest circle inside a polygon to its edge; of what is wider than any base, roughly."""
    if part.area > _WIDE_MM * _WIDE_MM:
        line = shapely.maximum_inscribed_circle(part, tolerance=_ROUGH_MM)
        if 2 * line.length > _WIDE_MM:
            return line
    return shapely.maximum_inscribed_circle(part, tolerance=0.005)
