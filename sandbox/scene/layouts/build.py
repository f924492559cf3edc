"""A layout becomes pieces: walls, floors, doors, stairs and whatever stands in its squares, at their real size.

Everything here is in millimetres in the board's frame until the very end. Walls stand with their middle on the
border; the outer half of those on the board's rim is left out. Runs of equal borders are one piece each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sandbox.kinds import Kind
from sandbox.scene.layouts.furniture import Block, furniture
from sandbox.scene.layouts.marked import marked
from sandbox.scene.layouts.model import (
    FILLED,
    BorderKind,
    Facing,
    Layout,
    Level,
    SquareKind,
    State,
    Tile,
)
from sandbox.scene.layouts.names import square_name
from sandbox.scene.layouts.parts import NEAR_FLOOR, RIM_MM, SUNK_MM, Door
from sandbox.scene.layouts.rectangles import Rect, rectangles
from sandbox.scene.layouts.walls import Walls
from sandbox.scene.model import Area, Board, BoardGround, Ductway, Loc, NamedPoint, Piece, Shape, Zone
from sandbox.units import inches


@dataclass(frozen=True)
class Built:
    """What a scene is given."""

    board: Board
    terrain: tuple[Piece, ...]
    areas: tuple[Area, ...]
    ductways: tuple[Ductway, ...]
    zones: tuple[Zone, ...]
    points: tuple[NamedPoint, ...]
    doors: tuple[Door, ...]


def build(
    layout: Layout,
    tiles: Mapping[str, Tile],
    *,
    line: int | None = None,
    loc: Loc = ("layout",),
    lift: float = 0.0,
    cut: float | None = None,
) -> Built:
    """The scene of a layout. tiles: all tiles that it names.

    line, loc: where it is written, for messages. For pictures of the whole, exploded: lift is how many mm each level
    is raised over the one below, cut the height at which its walls are cut off.
    """
    builder = _Builder(layout, tiles, line, loc, lift, cut)
    for level in range(len(layout.levels)):
        builder.level(level)
    builder.lids()
    return builder.built()


class _Builder(Walls):
    def level(self, number: int) -> None:
        """Everything of one level."""
        level = self.layout.levels[number]
        if number > 0:
            self._deck(number, level)
        self.walls(number, level)
        self.columns(number, level)
        self._solids(number, level)
        self._ground(number, level)
        for row in range(level.grid.depth):
            for column in range(level.grid.width):
                self._furnish(number, column, row)
        self._stairs(number, level)
        self._meshes(number, level)

    # -- floors -----------------------------------------------------------------------------------------------

    def _deck(self, number: int, level: Level) -> None:
        pitch, z = self.layout.pitch, self.floor[number]
        solid = [
            [square.kind not in (SquareKind.HOLE, SquareKind.TILE) for square in row]
            for row in level.grid.squares
        ]
        whole = [
            Rect(c * pitch, r * pitch, (c + 1) * pitch, (r + 1) * pitch)
            for r, row in enumerate(solid)
            for c, there in enumerate(row)
            if there
        ]
        holes = [
            self._hatch(number, c, r)
            for r, row in enumerate(level.grid.squares)
            for c, square in enumerate(row)
            if square.kind is SquareKind.HATCH
        ]
        for index, rect in enumerate(rectangles(whole, holes), start=1):
            block = Block.between(rect, z - level.deck, z, Kind.STRUCTURE)
            self.piece(f"{level.name} floor {index}", block)
        for r, row in enumerate(level.grid.squares):
            for c, square in enumerate(row):
                if square.kind is not SquareKind.HATCH:
                    continue
                lid = Block.between(self._hatch(number, c, r), z - level.deck, z, Kind.STRUCTURE)
                name = f"{level.name} hatch {square_name(c, r)}"
                state = square.state or State.OPEN
                if state is not State.OPEN:
                    self.piece(name, lid)
                self.doors.append(Door(name, number, state, lid, square.size[0], pitch, is_hatch=True))

    def _hatch(self, number: int, column: int, row: int) -> Rect:
        """The hole of a hatch: in front of the ladder that leads up to it, else in the middle of its square."""
        size = self.layout.levels[number].grid.squares[row][column].size[0]
        pitch = self.layout.pitch
        size = min(size, pitch)
        x, y = (column + 0.5) * pitch, (row + 0.5) * pitch
        below = self.layout.levels[number - 1].grid.squares[row][column] if number else None
        if below is not None and below.kind is SquareKind.LADDER and below.facing is not None:
            ladder = self._ladder(number - 1, column, row)
            dx, dy = below.facing.step
            front = ladder.front(below.facing)
            x = front - dx * size / 2 if dx else x
            y = front - dy * size / 2 if dy else y
        return Rect(x - size / 2, y - size / 2, x + size / 2, y + size / 2)

    def _ladder(self, level: int, column: int, row: int) -> Block:
        grid = self.layout.levels[level].grid
        square = grid.squares[row][column]
        assert square.facing is not None
        border = grid.beside(column, row, square.facing)
        inset = 0.5 if border.kind is BorderKind.OPEN else border.thick / 2 + 0.5
        rise = self.rise[level]
        return furniture(square, (column, row), self.layout.pitch, self.floor[level], rise, inset)[0]

    # -- what fills squares -----------------------------------------------------------------------------------

    def _solids(self, number: int, level: Level) -> None:
        pitch = self.layout.pitch
        by_top: dict[float, list[Rect]] = {}
        for r, row in enumerate(level.grid.squares):
            for c, square in enumerate(row):
                if square.kind in FILLED:
                    top = self._top(number, [self.ceiling(number, c, r)])
                    rect = Rect(c * pitch, r * pitch, (c + 1) * pitch, (r + 1) * pitch)
                    by_top.setdefault(top, []).append(rect)
                if square.kind is SquareKind.DUCT and square.facing is not None:
                    x0, x1, y0, y1 = c * pitch, (c + 1) * pitch, r * pitch, (r + 1) * pitch
                    middle = ((x0 + x1) / 2, (y0 + y1) / 2)
                    ends = (
                        [(x0, middle[1]), (x1, middle[1])]
                        if square.facing is Facing.EAST
                        else [(middle[0], y0), (middle[0], y1)]
                    )
                    self._duct(f"{level.name} duct {square_name(c, r)}", ends, self.floor[number])
        for top, rects in sorted(by_top.items()):
            for rect in rectangles(rects, []):
                c0, r0 = round(rect.x0 / pitch), round(rect.y0 / pitch)
                c1, r1 = round(rect.x1 / pitch) - 1, round(rect.y1 / pitch) - 1
                low = self.floor[number] - (SUNK_MM if number else 0.0)
                where = square_name(c0, r0)
                where += "" if (c0, r0) == (c1, r1) else f"-{square_name(c1, r1)}"
                self.piece(f"{level.name} solid {where}", Block.between(rect, low, top, Kind.WALL))

    def _furnish(self, number: int, column: int, row: int) -> None:
        level = self.layout.levels[number]
        square = level.grid.squares[row][column]
        name = f"{level.name} {square.kind} {square_name(column, row)}"
        z = self.floor[number]
        if square.kind is SquareKind.LADDER:
            if number + 1 < len(self.layout.levels):
                self.piece(name, self._ladder(number, column, row))
            return
        rise = self.ceiling(number, column, row) - z
        for block in furniture(square, (column, row), self.layout.pitch, z, rise, 0.0):
            self.piece(name, block)

    def _stairs(self, number: int, level: Level) -> None:
        """Flights: equal stairs one behind the other are one flight up to the level above."""
        if number + 1 >= len(self.layout.levels):
            return
        grid, pitch = level.grid, self.layout.pitch
        rise = self.rise[number]
        for row in range(grid.depth):
            for column in range(grid.width):
                square = grid.squares[row][column]
                if square.kind not in (SquareKind.STAIRS, SquareKind.RAMP) or square.facing is None:
                    continue
                dx, dy = square.facing.step
                if grid.has(column - dx, row - dy) and grid.squares[row - dy][column - dx] == square:
                    continue
                length = 1
                while (
                    grid.has(column + dx * length, row + dy * length)
                    and grid.squares[row + dy * length][column + dx * length] == square
                ):
                    length += 1
                last = (column + dx * (length - 1), row + dy * (length - 1))
                x = ((column + last[0]) / 2 + 0.5) * pitch
                y = ((row + last[1]) / 2 + 0.5) * pitch
                where = square_name(column, row)
                where += f"-{square_name(*last)}" if length > 1 else ""
                # on the rim a flight keeps a hair inside, where its side would lie in that of the wall
                sides = (square.facing.turned(1), square.facing.turned(3))
                rims = [self._on_rim(column, row, side) for side in sides]
                width = pitch - RIM_MM * sum(rims)
                for side, rim in zip(sides, rims, strict=True):
                    if rim:
                        x -= side.step[0] * RIM_MM / 2
                        y -= side.step[1] * RIM_MM / 2
                block = Block.flight(
                    square.kind is SquareKind.RAMP,
                    (x, y, self.floor[number]),
                    length * pitch,
                    width,
                    rise,
                    square.facing,
                )
                self.piece(f"{level.name} {square.kind} {where}", block)

    def _meshes(self, number: int, level: Level) -> None:
        for placement in level.tiles:
            tile = self.tiles[placement.tile]
            if tile.model is None:
                continue
            x = (placement.at[0] + 0.5) * self.layout.tile
            y = (placement.at[1] + 0.5) * self.layout.tile
            self.pieces.append(
                Piece(
                    id=f"{level.name} tile {placement.at[0] + 1}-{placement.at[1] + 1}",
                    shape=Shape.MODEL,
                    model=tile.model,
                    model_name=tile.model_name,
                    at=(inches(x), inches(y), inches(self.floor[number] - tile.floor)),
                    turn=float(placement.turn),
                    kind=Kind(tile.kind),
                    parts=tuple((pattern, Kind(kind)) for pattern, kind in tile.parts),
                    line=self.line,
                    loc=self.loc,
                )
            )

    def _ground(self, number: int, level: Level) -> None:
        """Agreed ground: difficult and dangerous squares, and pits."""
        pitch = self.layout.pitch
        for kind, meant in (
            (SquareKind.DIFFICULT, Kind.DIFFICULT),
            (SquareKind.DANGEROUS, Kind.DANGEROUS),
            (SquareKind.PIT, Kind.PITFALL),
        ):
            rects = [
                Rect(c * pitch, r * pitch, (c + 1) * pitch, (r + 1) * pitch)
                for r, row in enumerate(level.grid.squares)
                for c, square in enumerate(row)
                if square.kind is kind
            ]
            z = inches(self.floor[number])
            for rect in rectangles(rects, []):
                corners = tuple((inches(x), inches(y)) for x, y in rect.corners)
                self.areas.append(Area(meant, corners, (z - 0.1, z + NEAR_FLOOR), self.line, self.loc))

    def lids(self) -> None:
        """What fills the room between a low ceiling and the highest one, which is the board's."""
        if self.cut is not None:
            return
        number = len(self.layout.levels) - 1
        level, pitch = self.layout.levels[number], self.layout.pitch
        by_height: dict[float, list[Rect]] = {}
        for r in range(level.grid.depth):
            for c in range(level.grid.width):
                ceiling = self.ceiling(number, c, r)
                if ceiling < self.top - 0.5:
                    rect = Rect(c * pitch, r * pitch, (c + 1) * pitch, (r + 1) * pitch)
                    by_height.setdefault(ceiling, []).append(rect)
        index = 0
        for height, rects in sorted(by_height.items()):
            for rect in rectangles(rects, []):
                index += 1
                self.piece(f"ceiling {index}", Block.between(rect, height, self.top, Kind.IMPASSABLE))

    # -- zones and points -------------------------------------------------------------------------------------

    def built(self) -> Built:
        """Everything together."""
        board = Board(
            size=(inches(self.size[0]), inches(self.size[1])),
            ground=BoardGround.OPEN,
            ceiling=inches(self.top),
            zone_mortalis=True,
        )
        zones, points = marked(self.layout, self.floor, self.line, self.loc)
        return Built(
            board,
            tuple(self.pieces),
            tuple(self.areas),
            tuple(self.ducts),
            zones,
            points,
            tuple(self.doors),
        )
