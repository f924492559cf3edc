"""Boards for virtual tabletops: a Universal VTT file (.dd2vtt) for each level, with its walls, doors and picture.

The format (0.3) is that of Dungeondraft and Arkenforge: JSON with lengths in grid squares from the north-west corner,
y downwards. A grid square is an inch, as everything is measured in inches; the picture is a PNG in the file.
"""

from __future__ import annotations

import base64
import json
import math
from pathlib import Path
from typing import Any

import shapely

from sandbox.errors import UserError
from sandbox.export.drawing import pixels
from sandbox.export.plan import outline, plan_of, size_of, what_of
from sandbox.export.sections import tile_walls
from sandbox.files import write_atomic
from sandbox.kinds import Kind
from sandbox.layout.board import layout_scene
from sandbox.scene.layouts import Loaded, State
from sandbox.scene.model import Shape
from sandbox.units import MM_PER_INCH, mm

FORMAT = 0.3
LEAST_HIGH = 0.75
"""what stands at least so much of a room's height blocks sight."""
JOINED_MM = 0.05
MOST_PIXELS = 10_000
"""along a picture's longer side; tabletops take no larger ones, and few graphics cards do."""

Point = dict[str, float]


def write_virtual(scene: Path, folder: Path, per_inch: int = 70) -> list[Path]:
    """Write a file for each level of a layout into a folder. per_inch: pixels. UserError where there is no layout."""
    read = layout_scene(scene)
    if read.layout is None:
        raise UserError("the scene has no `layout:`; maps are made of boards that are laid out", file=scene)
    size = max(size_of(read.layout.layout)) / MM_PER_INCH
    if size * per_inch > MOST_PIXELS:
        raise UserError(
            f"--pixels: {per_inch} for each of {size:.1f} in make a picture of {size * per_inch:,.0f} pixels, and tabletops "
            f"take at most {MOST_PIXELS:,}; --pixels {MOST_PIXELS / size:.0f} fits",
            file=scene,
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror}", file=folder) from None
    written = []
    for number, level in enumerate(read.layout.layout.levels):
        path = folder / f"{number + 1}-{level.name}.dd2vtt"
        text = json.dumps(virtual(read.layout, number, per_inch), ensure_ascii=False)
        write_atomic(path, text.encode("utf-8"))
        written.append(path)
    return written


def virtual(loaded: Loaded, level: int, per_inch: int) -> dict[str, Any]:
    """The map of a level."""
    width, depth = size_of(loaded.layout)

    def at(x: float, y: float) -> Point:
        return {"x": round(x / MM_PER_INCH, 4), "y": round((depth - y) / MM_PER_INCH, 4)}

    picture = pixels(plan_of(loaded, level, names=None), (width, depth), per_inch / MM_PER_INCH)
    return {
        "format": FORMAT,
        "resolution": {
            "map_origin": {"x": 0, "y": 0},
            "map_size": {"x": round(width / MM_PER_INCH, 4), "y": round(depth / MM_PER_INCH, 4)},
            "pixels_per_grid": per_inch,
        },
        "line_of_sight": [[at(x, y) for x, y in ring] for ring in walls(loaded, level)],
        "objects_line_of_sight": [],
        "portals": [_portal(ends, state, at) for ends, state in doors(loaded, level)],
        "environment": {"baked_lighting": False, "ambient_light": "ffffffff"},
        "lights": [],
        "image": base64.b64encode(picture).decode("ascii"),
    }


def walls(loaded: Loaded, level: int) -> list[list[tuple[float, float]]]:
    """Closed lines around everything that reaches nearly up to the ceiling, mm; openings of doors are left out."""
    name = loaded.layout.levels[level].name
    height = loaded.layout.levels[level].height * MM_PER_INCH
    leaves = {door.name for door in loaded.built.doors}
    boxes = [
        shapely.Polygon(outline(piece))
        for piece in loaded.built.terrain
        if piece.shape is Shape.BOX
        and piece.id.split(" ")[0] == name
        and piece.kind in (Kind.WALL, Kind.IMPASSABLE)
        and piece.id not in leaves
        and not piece.id.endswith(" lintel")
        and what_of(piece) not in ("floor", "ladder")
        and mm(piece.sizes[2]) >= LEAST_HIGH * height
    ]
    boxes += tile_walls(loaded, level)
    whole = shapely.union_all([box.buffer(JOINED_MM, join_style="mitre") for box in boxes])
    whole = whole.buffer(-JOINED_MM, join_style="mitre").simplify(0.01)
    rings = shapely.get_rings(shapely.get_parts(whole))
    return [[(float(x), float(y)) for x, y in shapely.get_coordinates(ring)] for ring in rings]


def doors(loaded: Loaded, level: int) -> list[tuple[tuple[tuple[float, float], tuple[float, float]], State]]:
    """The ends of each door's opening, mm; hatches lie in the floor and are none."""
    found = []
    for door in loaded.built.doors:
        if door.level != level or door.leaf.sizes[2] < 10.0:
            continue
        rect = door.leaf.rect
        x, y = rect.middle
        half = door.opening / 2
        upright = rect.x1 - rect.x0 < rect.y1 - rect.y0
        ends = ((x, y - half), (x, y + half)) if upright else ((x - half, y), (x + half, y))
        found.append((ends, door.state))
    return found


def _portal(ends: tuple[tuple[float, float], tuple[float, float]], state: State, at: Any) -> dict[str, Any]:
    (x0, y0), (x1, y1) = ends
    return {
        "position": at((x0 + x1) / 2, (y0 + y1) / 2),
        "bounds": [at(x0, y0), at(x1, y1)],
        "rotation": round(math.pi / 2 if x0 == x1 else 0.0, 6),
        "closed": state is not State.OPEN,
        "freestanding": False,
    }
