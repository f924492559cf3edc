"""The plan of a level of a layout, drawn from the pieces that it is built from, at their real size."""

from __future__ import annotations

import math
from collections.abc import Iterator

from sandbox.export.drawing import Colour, Drawn, Pen, Shape, Text
from sandbox.export.sections import tile_walls
from sandbox.scene.layouts import Layout, Loaded, SquareKind, State
from sandbox.scene.layouts.names import column_name
from sandbox.scene.model import Piece
from sandbox.scene.model import Shape as PieceShape
from sandbox.units import mm

INK: Colour = (32, 36, 42)
FAINT: Colour = (120, 128, 138)
GRID = Pen(line=(205, 210, 216), width=0.12)
FLOOR = Pen(fill=(240, 241, 243), line=(150, 156, 164), width=0.15)
WALL = Pen(fill=(74, 80, 90), line=INK, width=0.15)
SOLID = Pen(fill=(150, 156, 164), line=INK, width=0.15)
RAIL = Pen(fill=(196, 158, 60), line=(120, 92, 24), width=0.12)
THING = Pen(fill=(214, 180, 132), line=(110, 80, 40), width=0.15)
STAIRS = Pen(fill=(222, 226, 231), line=(90, 96, 105), width=0.15)
LADDER = Pen(fill=(160, 92, 40), line=(90, 50, 20), width=0.15)
DUCT_LINE = (20, 130, 150)
DOORS = {
    State.OPEN: Pen(fill=(255, 255, 255), line=(47, 120, 70), width=0.3),
    State.CLOSED: Pen(fill=(90, 140, 200), line=(30, 70, 130), width=0.2),
    State.LOCKED: Pen(fill=(196, 22, 42), line=(110, 10, 22), width=0.2),
}
HATCH = Pen(fill=(255, 255, 255), line=(160, 92, 40), width=0.3, dash=(1.0, 0.6))
TINTS: dict[str, Colour] = {"red": (246, 208, 204), "blue": (206, 222, 245)}
OTHER_TINTS: tuple[Colour, ...] = ((214, 236, 214), (240, 226, 196), (228, 214, 240))
GROUND: dict[SquareKind, Colour] = {
    SquareKind.DIFFICULT: (214, 226, 190),
    SquareKind.DANGEROUS: (244, 206, 150),
    SquareKind.PIT: (60, 62, 66),
}
NAMES_MM = 3.0
"""size of the names of columns and rows on paper."""


def size_of(layout: Layout) -> tuple[float, float]:
    """Width and depth of the board, mm."""
    return layout.tiles[0] * layout.tile, layout.tiles[1] * layout.tile


def plan_of(loaded: Loaded, level: int, *, names: float | None = 1.0) -> list[Drawn]:
    """Everything of one level in the board's millimetres.

    names: write those of squares, zones and points, to be read at a scale of one to so many; None: none.
    """
    width, depth = size_of(loaded.layout)
    drawn = [*_squares(loaded.layout, level), *_edges(loaded.layout, level)]
    for wall in tile_walls(loaded, level):
        drawn.append(Shape(tuple(wall.exterior.coords)[:-1], WALL))
        drawn += [Shape(tuple(hole.coords)[:-1], FLOOR) for hole in wall.interiors]
    drawn += _pieces(loaded, level)
    drawn += _hatches_and_ducts(loaded, level)
    if names is not None:
        drawn += _names(loaded, level, names)
    drawn.append(Shape(_box(0.0, 0.0, width, depth), Pen(line=INK, width=0.25)))
    return drawn


def _squares(layout: Layout, level: int) -> list[Drawn]:
    """Floors in the colours of their ground or their zone."""
    pitch, here = layout.pitch, layout.levels[level]
    zones = {
        mark: TINTS.get(name, OTHER_TINTS[k % len(OTHER_TINTS)])
        for k, (mark, name) in enumerate(layout.zones.items())
    }
    drawn: list[Drawn] = []
    for r, row in enumerate(here.grid.squares):
        for c, square in enumerate(row):
            if square.kind is SquareKind.HOLE:
                continue
            box = _box(c * pitch, r * pitch, (c + 1) * pitch, (r + 1) * pitch)
            fill = GROUND.get(square.kind) or zones.get(here.mark(c, r))
            drawn.append(Shape(box, Pen(fill=fill or FLOOR.fill, line=GRID.line, width=GRID.width)))
    return drawn


_ORDER = (
    "floor",
    "tile",
    "solid",
    "stairs",
    "ramp",
    "ladder",
    "crate",
    "console",
    "barricade",
    "rail",
    "wall",
)
"""what is drawn over what; anything else comes last."""
_PENS = {"solid": SOLID, "rail": RAIL, "ladder": LADDER, "crate": THING, "console": THING, "barricade": THING}


def _pieces(loaded: Loaded, level: int) -> list[Drawn]:
    """The outlines of what stands on a level, doors in the colours of their states."""
    name = loaded.layout.levels[level].name
    pieces = [piece for piece in loaded.built.terrain if piece.id.split(" ")[0] == name]
    pieces.sort(key=lambda piece: _ORDER.index(word) if (word := what_of(piece)) in _ORDER else len(_ORDER))
    doors = {door.name: door for door in loaded.built.doors}
    drawn: list[Drawn] = []
    for piece in pieces:
        what = what_of(piece)
        if what in ("floor", "hatch"):
            continue
        if piece.shape is not PieceShape.BOX:
            drawn += _flight(piece)
            continue
        pen = _PENS.get(what, WALL)
        if what == "door" and piece.id in doors:
            pen = DOORS[doors[piece.id].state]
        elif what == "door" and "lintel" in piece.id:
            continue
        drawn.append(Shape(outline(piece), pen))
    return drawn


def _hatches_and_ducts(loaded: Loaded, level: int) -> list[Drawn]:
    drawn: list[Drawn] = []
    for door in loaded.built.doors:
        if door.level == level and door.leaf.sizes[2] < 10.0:
            x, y = door.leaf.rect.middle
            half = door.opening / 2
            pen = HATCH if door.state is State.OPEN else Pen(HATCH.fill, DOORS[door.state].line, 0.3)
            drawn.append(Shape(_box(x - half, y - half, x + half, y + half), pen))
    for duct in loaded.built.ductways:
        if duct.id.split(" ")[0] == loaded.layout.levels[level].name:
            ends = tuple((mm(p[0]), mm(p[1])) for p in (duct.start, duct.end))
            drawn.append(Shape(ends, Pen(line=(255, 255, 255), width=1.2), closed=False))
            drawn.append(Shape(ends, Pen(line=DUCT_LINE, width=0.6), closed=False))
    return drawn


def what_of(piece: Piece) -> str:
    """What a piece of a layout is: the second word of its id."""
    words = piece.id.split(" ")
    return words[1] if len(words) > 1 else words[0]


def outline(piece: Piece) -> tuple[tuple[float, float], ...]:
    """The corners of a box in plan, mm."""
    dx, dy = mm(piece.sizes[0]) / 2, mm(piece.sizes[1]) / 2
    angle = math.radians(piece.turn)
    cos, sin = math.cos(angle), math.sin(angle)
    x, y = mm(piece.at[0]), mm(piece.at[1])
    corners = ((-dx, -dy), (dx, -dy), (dx, dy), (-dx, dy))
    return tuple((x + cos * a - sin * b, y + sin * a + cos * b) for a, b in corners)


def _edges(layout: Layout, level: int) -> Iterator[Drawn]:
    """Lines where a floor ends."""
    grid, pitch = layout.levels[level].grid, layout.pitch
    if level == 0:
        return
    for r in range(grid.depth):
        for c in range(grid.width):
            if grid.squares[r][c].kind is SquareKind.HOLE:
                continue
            for dc, dr, ends in (
                (1, 0, ((c + 1, r), (c + 1, r + 1))),
                (-1, 0, ((c, r), (c, r + 1))),
                (0, 1, ((c, r + 1), (c + 1, r + 1))),
                (0, -1, ((c, r), (c + 1, r))),
            ):
                beyond = (c + dc, r + dr)
                if not grid.has(*beyond) or grid.squares[beyond[1]][beyond[0]].kind is SquareKind.HOLE:
                    line = tuple((x * pitch, y * pitch) for x, y in ends)
                    yield Shape(line, Pen(line=INK, width=0.3), closed=False)


def _flight(piece: Piece) -> Iterator[Drawn]:
    """Stairs with their treads, or a ramp; an arrow points up. Meshes are shown by the square of their tile."""
    if piece.shape is PieceShape.MODEL:
        return
    yield Shape(outline(piece), STAIRS)
    run, width = mm(piece.sizes[0]), mm(piece.sizes[1])
    angle = math.radians(piece.turn)
    cos, sin = math.cos(angle), math.sin(angle)
    x, y = mm(piece.at[0]), mm(piece.at[1])

    def at(a: float, b: float) -> tuple[float, float]:
        return x + cos * a - sin * b, y + sin * a + cos * b

    if piece.shape is PieceShape.STAIRS:
        count = round(piece.sizes[3])
        for k in range(1, count):
            a = -run / 2 + run * k / count
            yield Shape(
                (at(a, -width / 2), at(a, width / 2)), Pen(line=(90, 96, 105), width=0.12), closed=False
            )
    pen = Pen(line=INK, width=0.35)
    yield Shape((at(-0.4 * run, 0.0), at(0.4 * run, 0.0)), pen, closed=False)
    head = 0.22 * width
    yield Shape(
        (at(0.4 * run - head, head), at(0.4 * run, 0.0), at(0.4 * run - head, -head)), pen, closed=False
    )


def _names(loaded: Loaded, level: int, scale: float) -> Iterator[Drawn]:
    layout = loaded.layout
    pitch, here = layout.pitch, layout.levels[level]
    for c in range(layout.width):
        yield Text(((c + 0.5) * pitch, -4.0 * scale), column_name(c), NAMES_MM, "middle", FAINT)
    for r in range(layout.depth):
        yield Text((-2.0 * scale, (r + 0.5) * pitch - 1.0 * scale), str(r + 1), NAMES_MM, "end", FAINT)
    for marks, size in ((layout.zones, 3.4), (layout.points, 3.0)):
        for mark, name in marks.items():
            found = [(c, r) for r, row in enumerate(here.marks) for c, sign in enumerate(row) if sign == mark]
            if not found:
                continue
            x = sum(c + 0.5 for c, _ in found) / len(found) * pitch
            y = sum(r + 0.5 for _, r in found) / len(found) * pitch
            if marks is layout.points:
                radius = 2.0 * scale
                turns = (k * math.pi / 12 for k in range(24))
                ring = tuple((x + radius * math.cos(a), y + radius * math.sin(a)) for a in turns)
                yield Shape(ring, Pen((255, 255, 255), INK, 0.25))
                y -= 5.4 * scale
            # a letter is about half as wide as its font is high
            half, tall = 0.29 * size * len(name) * scale, size * scale
            behind = _box(x - half, y - 0.3 * tall, x + half, y + tall)
            yield Shape(behind, Pen(fill=(255, 255, 255), line=FAINT, width=0.1))
            yield Text((x, y), name, size, "middle", INK, bold=True)


def _box(x0: float, y0: float, x1: float, y1: float) -> tuple[tuple[float, float], ...]:
    return (x0, y0), (x1, y0), (x1, y1), (x0, y1)


__all__ = ["outline", "plan_of", "size_of", "what_of"]
