"""The plan of an open board: its pieces seen from above, each with its name and its height. Lengths are in inches."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
import shapely

from sandbox.export.drawing import Drawn, Pen, Shape, Text
from sandbox.export.meshes import PLAIN, Body
from sandbox.export.plan import FAINT, INK, TINTS
from sandbox.scene.model import Scene
from sandbox.units import mm

EXACT = 20_000
"""triangles up to which a piece's outline is exact; of a larger one it is the convex outline."""
NAME_MM, TOLD_MM, LINE_MM = 2.8, 2.4, 3.4
"""sizes of a piece's name and of what is told of it, and how far the one is below the other, mm on the page."""
FOOT_MM = 304.8
"""the grid of an open board: a foot."""


def board_size(scene: Scene, bodies: Sequence[Body]) -> tuple[float, float]:
    """Width and depth of the board, mm; where the scene states none, as far as its pieces reach."""
    if scene.board.size is not None:
        return mm(scene.board.size[0]), mm(scene.board.size[1])
    corners = np.concatenate([body.vertices for body in bodies])
    return float(corners[:, 0].max()), float(corners[:, 1].max())


def open_plan(scene: Scene, bodies: Sequence[Body], scale: float) -> list[Drawn]:
    """The pieces of a scene from above, the lower ones first, mm. scale: one to so many, for what is written."""
    width, depth = board_size(scene, bodies)
    board = ((0.0, 0.0), (width, 0.0), (width, depth), (0.0, depth))
    drawn: list[Drawn] = [Shape(board, Pen((246, 247, 248), INK, 0.25))]
    for k in range(1, math.ceil(max(width, depth) / FOOT_MM)):
        for line in (((k * FOOT_MM, 0.0), (k * FOOT_MM, depth)), ((0.0, k * FOOT_MM), (width, k * FOOT_MM))):
            if line[0][0] < width and line[0][1] < depth:
                drawn.append(Shape(line, Pen(line=(205, 210, 216), width=0.12), closed=False))
    for zone in scene.zones:
        points = tuple((mm(x), mm(y)) for x, y in zone.polygon)
        drawn.append(Shape(points, Pen(TINTS.get(zone.id.split(" ")[0], (226, 236, 226)), FAINT, 0.1)))
    names: list[Drawn] = []
    lying: list[tuple[Body, shapely.Geometry]] = []
    for body in sorted(bodies, key=lambda one: float(one.vertices[:, 2].max())):
        rings = outlines(body)
        for ring in rings:
            drawn.append(Shape(ring, Pen(body.colour if body.colour != PLAIN else (214, 218, 223), INK, 0.2)))
        lying.append((body, shapely.union_all([shapely.Polygon(ring).buffer(0) for ring in rings])))
    for body, at in _named(
        [(body, area) for body, area in lying if not area.is_empty], (width, depth), scale
    ):
        told = f"top at {body.vertices[:, 2].max():.0f} mm"
        names += [
            Text(at, body.name, NAME_MM, "middle", INK, bold=True),
            Text((at[0], at[1] - LINE_MM * scale), told, TOLD_MM, "middle", FAINT),
        ]
    for point in scene.points:
        x, y = mm(point.at[0]), mm(point.at[1])
        ring = tuple(
            (x + 1.6 * scale * math.cos(a), y + 1.6 * scale * math.sin(a)) for a in np.linspace(0, 6.2, 24)
        )
        names += [
            Shape(ring, Pen((255, 255, 255), INK, 0.25)),
            Text((x, y - 4.4 * scale), point.id, 2.8, "middle", INK, bold=True),
        ]
    return [*drawn, *names]


def _named(
    lying: Sequence[tuple[Body, shapely.Geometry]], board: tuple[float, float], scale: float
) -> Iterator[tuple[Body, tuple[float, float]]]:
    """Where the name of each piece stands: in it where it fits, else beside it, and on no other name.

    lying: pieces with what they cover, mm. The place is the middle of the name's base line.
    """
    floor = shapely.box(0.0, 0.0, *board)
    taken = shapely.Polygon()
    wide = {id(body): scale * max(len(body.name) * NAME_MM * 0.58, 16 * TOLD_MM * 0.46) for body, _ in lying}
    up, down = NAME_MM * scale, (LINE_MM + 0.3 * TOLD_MM) * scale

    def box(body: Body, x: float, y: float) -> shapely.Polygon:
        half = wide[id(body)] / 2
        return shapely.box(x - half, y - down, x + half, y + up)

    fits = [(body, area, box(body, *area.centroid.coords[0])) for body, area in lying]
    fits.sort(key=lambda one: not one[1].contains(one[2]))
    for body, area, inside in fits:
        x0, y0, x1, y1 = area.bounds
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        half, gap = wide[id(body)] / 2, 1.2 * scale
        places = [area.centroid.coords[0]] if area.contains(inside) else []
        places += [
            (x, y0 - gap - up),
            (x, y1 + gap + down),
            (x1 + gap + half, y),
            (x0 - gap - half, y),
            (x1 + half, y0 - up),
            (x0 - half, y1 + down),
        ]
        others = [other for one, other in lying if one is not body]
        free = [
            at
            for k, at in enumerate(places)
            if (mine := box(body, *at)).within(floor)
            and not mine.intersects(taken)
            and ((k == 0 and mine.within(area)) or not any(mine.intersects(other) for other in others))
        ]
        at = free[0] if free else area.centroid.coords[0]
        taken = taken.union(box(body, *at))
        yield body, (float(at[0]), float(at[1]))


def outlines(body: Body) -> list[tuple[tuple[float, float], ...]]:
    """What a piece covers, seen from above; holes are covered too."""
    if len(body.faces) > EXACT:
        parts = [shapely.convex_hull(shapely.multipoints(body.vertices[:, :2]))]
    else:
        flat = shapely.polygons(body.vertices[body.faces][:, :, :2])
        flat = flat[shapely.is_valid(flat) & (shapely.area(flat) > 1e-6)]
        parts = list(shapely.get_parts(shapely.union_all(flat, grid_size=0.001)))
    return [
        tuple((float(x), float(y)) for x, y in part.exterior.coords[:-1])
        for part in parts
        if isinstance(part, shapely.Polygon) and part.area > 0.5
    ]


def open_parts(scene: Scene, bodies: Sequence[Body]) -> list[tuple[str, str, int]]:
    """What a scene is built from: model or shape, its size as it stands unturned, how many."""
    count: Counter[tuple[str, str]] = Counter()
    for piece, body in zip(scene.terrain, bodies, strict=True):
        angle = math.radians(-piece.turn)
        cos, sin = math.cos(angle), math.sin(angle)
        x, y = body.vertices[:, 0], body.vertices[:, 1]
        size = (np.ptp(cos * x - sin * y), np.ptp(sin * x + cos * y), np.ptp(body.vertices[:, 2]))
        what = piece.model_name.replace("\\", "/").rsplit("/", 1)[-1] if piece.model else piece.shape.value
        told = f"{size[0]:.1f} x {size[1]:.1f}, {size[2]:.1f} high"
        count[what, told] += 1
    return [(what, size, number) for (what, size), number in sorted(count.items())]
