"""The plan of an open board: its pieces seen from above, each with its name and its height."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
import shapely

from sandbox.export.drawing import Drawn, Pen, Shape, Text
from sandbox.export.meshes import PLAIN, Body
from sandbox.export.plan import FAINT, INK, TINTS
from sandbox.scene.model import Scene
from sandbox.units import mm

EXACT = 20_000
"""triangles up to which a piece's outline is exact; of a larger one it is the convex outline."""
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
    for body in sorted(bodies, key=lambda one: float(one.vertices[:, 2].max())):
        low, high = body.vertices.min(axis=0), body.vertices.max(axis=0)
        for ring in outlines(body):
            drawn.append(Shape(ring, Pen(body.colour if body.colour != PLAIN else (214, 218, 223), INK, 0.2)))
        at = ((low[0] + high[0]) / 2, (low[1] + high[1]) / 2)
        names += [
            Text(at, body.name, 2.8, "middle", INK, bold=True),
            Text((at[0], at[1] - 3.4 * scale), f"top at {high[2]:.0f} mm", 2.4, "middle", FAINT),
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
