"""A layout becomes pieces: walls, floors, doors, stairs and whatever stands in its squares, at their real size.

Everything here is in millimetres in the board's frame until the very end. Walls stand with their middle on the
border; the outer half of those on the board's rim is left out. Runs of equal borders are one piece each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sandbox.kinds import Kind
from sandbox.scene.layouts.furniture import Block, furniture, opening_of
from sandbox.scene.layouts.model import (
    FILLED,
    Border,
    BorderKind,
    Corner,
    Facing,
    Layout,
    Level,
    SquareKind,
    State,
    Tile,
)
from sandbox.scene.layouts.names import across_name, corner_name, square_name, upright_name
from sandbox.scene.layouts.rectangles import Rect, rectangles
from sandbox.scene.model import Area, Board, BoardGround, Ductway, Loc, NamedPoint, Piece, Shape, Zone
from sandbox.units import inches

SUNK_MM = 2.0
"""walls of an upper level begin this far inside its floor, so that nothing shows between it and the wall below."""
SHORT_MM = 1.0
"""walls end this far below the floor of the level above, so that their tops are no part of that floor."""
RIM_MM = 1.0
LEAST_MM = 0.05
DOOR_HEIGHT_MM = 50.0
LEAF_MM = 3.0
THRESHOLD_MM = 0.2
NEAR_FLOOR = 0.3
"""inches around a level's floor that its zones and agreed ground reach."""


@dataclass(frozen=True)
class Door:
    """A door or a closed hatch, and the box that closes it."""

    name: str
    """id of its piece."""
    level: int
    state: State
    leaf: Block
    """what fills its opening when it is closed."""
    opening: float
    """mm."""


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


class _Builder:
    def __init__(
        self,
        layout: Layout,
        tiles: Mapping[str, Tile],
        line: int | None,
        loc: Loc,
        lift: float,
        cut: float | None,
    ) -> None:
        self.layout = layout
        self.tiles = tiles
        self.line = line
        self.loc = loc
        self.size = (layout.tiles[0] * layout.tile, layout.tiles[1] * layout.tile)
        self.cut = cut
        self.floor = [layout.floor_mm(k) + k * lift for k in range(len(layout.levels))]
        self.rise = [layout.floor_mm(k + 1) - layout.floor_mm(k) for k in range(len(layout.levels) - 1)]
        top = layout.levels[-1]
        self.top = self.floor[-1] + 25.4 * max([top.height, *(s.height for s in top.sections)])
        self.pieces: list[Piece] = []
        self.areas: list[Area] = []
        self.ducts: list[Ductway] = []
        self.doors: list[Door] = []

    # -- parts ------------------------------------------------------------------------------------------------

    def piece(self, name: str, block: Block) -> None:
        """One box, ramp, stairs or mesh, clipped to the board where it is a box."""
        block = block.clipped(self.size)
        if min(block.sizes[:3]) < LEAST_MM:
            return  # the board's rim, or a narrow square, leaves nothing of it
        self.pieces.append(
            Piece(
                id=name,
                shape=block.shape,
                sizes=block.sizes_inches,
                at=block.at_inches,
                turn=block.turn,
                kind=block.kind,
                line=self.line,
                loc=self.loc,
            )
        )

    def ceiling(self, level: int, column: int, row: int) -> float:
        """Height of the ceiling over a square, mm over the table, ignoring what is open above it."""
        storey = self.layout.levels[level]
        height = storey.height
        for section in storey.sections:
            c0, r0, c1, r1 = section.squares
            if c0 <= column <= c1 and r0 <= row <= r1:
                height = section.height
        return self.floor[level] + self._kept(25.4 * height)

    def _kept(self, height: float) -> float:
        """What is left of a height over a floor when walls are cut off."""
        return height if self.cut is None else min(height, self.cut)

    def _top(self, number: int, ceilings: list[float]) -> float:
        """How high what fills a level up reaches: to its ceiling, and to just under the floor above."""
        top = max(ceilings)
        if number + 1 < len(self.layout.levels):
            top = max(top, self.floor[number] + self._kept(self.rise[number] - SHORT_MM))
        return top

    def level(self, number: int) -> None:
        """Everything of one level."""
        level = self.layout.levels[number]
        if number > 0:
            self._deck(number, level)
        self._walls(number, level)
        self._corners(number, level)
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
                self.doors.append(Door(name, number, state, lid, square.size[0]))

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

    def _on_rim(self, column: int, row: int, facing: Facing) -> bool:
        dx, dy = facing.step
        return not self.layout.levels[0].grid.has(column + dx, row + dy)

    # -- walls ------------------------------------------------------------------------------------------------

    def _walls(self, number: int, level: Level) -> None:
        grid, pitch = level.grid, self.layout.pitch
        for upright in (False, True):
            lines = grid.width + 1 if upright else grid.depth + 1
            length = grid.depth if upright else grid.width
            for line in range(lines):
                borders = [grid.upright[k][line] if upright else grid.across[line][k] for k in range(length)]
                posts = [
                    grid.corners[k][line] if upright else grid.corners[line][k] for k in range(length + 1)
                ]
                for first, last in _runs(borders, posts, self._stops(number, line, upright)):
                    self._run(number, borders[first], upright, line, first, last, pitch)

    def _stops(self, number: int, line: int, upright: bool) -> list[float]:
        """What the top of a wall depends on, for each border of a line: runs end where it changes."""
        grid = self.layout.levels[number].grid
        length = grid.depth if upright else grid.width
        return [self._wall_top(number, line, k, upright) for k in range(length)]

    def _wall_top(self, number: int, line: int, k: int, upright: bool) -> float:
        grid = self.layout.levels[number].grid
        sides = ((line - 1, k), (line, k)) if upright else ((k, line - 1), (k, line))
        return self._top(number, [self.ceiling(number, c, r) for c, r in sides if grid.has(c, r)])

    def _run(
        self, number: int, border: Border, upright: bool, line: int, first: int, last: int, pitch: float
    ) -> None:
        """A run of equal borders, from `first` to `last` along its line."""
        level = self.layout.levels[number]
        name = upright_name if upright else across_name

        def named(k: int) -> str:
            return name(line, k) if upright else name(k, line)

        where = named(first) if first == last else f"{named(first)}-{named(last)}"
        z, top = self.floor[number], self._wall_top(number, line, first, upright)
        across = self._across(line, border, upright, number, first)
        along = (first * pitch, (last + 1) * pitch)
        if border.kind in (BorderKind.WALL, BorderKind.DUCT, BorderKind.DOOR):
            # walls that meet at a corner fill it; beside another one in line a wall ends with its square
            along = (
                along[0] - self._into_corner(number, line, first, upright, before=True),
                along[1] + self._into_corner(number, line, last, upright, before=False),
            )
        low = z - (SUNK_MM if number else 0.0)

        def box(a: float, b: float, bottom: float, up: float, kind: Kind, thin: float | None = None) -> Block:
            c0, c1 = across
            if thin is not None:
                middle = (c0 + c1) / 2
                c0, c1 = middle - thin / 2, middle + thin / 2
            rect = Rect(c0, a, c1, b) if upright else Rect(a, c0, b, c1)
            return Block.between(rect, bottom, up, kind)

        if border.high is not None:
            up = z + border.high
            kind = {BorderKind.RAIL: Kind.RAILING, BorderKind.BARRICADE: Kind.OBSTACLE}.get(
                border.kind, Kind.WALL
            )
            if border.kind is BorderKind.BARRICADE:
                along = (along[0] + 6.0, along[1] - 6.0)
            self.piece(f"{level.name} {border.kind} {where}", box(*along, z, up, kind))
        elif border.kind is BorderKind.WALL:
            self.piece(f"{level.name} wall {where}", box(*along, low, top, Kind.WALL))
        elif border.kind is BorderKind.DUCT:
            self.piece(f"{level.name} wall {where}", box(*along, low, top, Kind.WALL))
            for k in range(first, last + 1):
                middle = (k + 0.5) * pitch
                ends = [(c, middle) if upright else (middle, c) for c in across]
                self._duct(f"{level.name} duct {named(k)}", ends, z)
        elif border.kind is BorderKind.DOOR:
            self._door(
                f"{level.name} door {where}",
                number,
                border,
                box,
                along,
                (low, top),
                pitch * (last + 1 - first),
            )

    def _into_corner(self, number: int, line: int, k: int, upright: bool, *, before: bool) -> float:
        """How far a wall goes on beyond the end of border k of its line: into the walls that it meets there."""
        grid = self.layout.levels[number].grid
        end = k if before else k + 1
        beyond = k - 1 if before else k + 1
        length = grid.depth if upright else grid.width
        if 0 <= beyond < length:
            after = grid.upright[beyond][line] if upright else grid.across[line][beyond]
            if after.is_wall:
                return 0.0
        if upright:
            met = [grid.across[end][c] for c in (line - 1, line) if 0 <= c < grid.width]
        else:
            met = [grid.upright[r][end] for r in (line - 1, line) if 0 <= r < grid.depth]
        return max([one.thick / 2 for one in met if one.is_wall], default=0.0)

    def _across(self, line: int, border: Border, upright: bool, number: int, k: int) -> tuple[float, float]:
        """From where to where a border reaches across its line: about its middle; the board's rim cuts off a half."""
        pitch, thick = self.layout.pitch, border.thick
        middle = line * pitch
        if border.kind is BorderKind.RAIL:
            # a rail stands on the floor, flush with its lip, or with the rim of the board
            grid = self.layout.levels[number].grid
            last = grid.width if upright else grid.depth
            before, after = (
                0 <= at < last
                and (grid.squares[k][at] if upright else grid.squares[at][k]).kind is not SquareKind.HOLE
                for at in (line - 1, line)
            )
            if after and not before:
                return middle, middle + thick
            if before and not after:
                return middle - thick, middle
        return middle - thick / 2, middle + thick / 2

    def _door(
        self,
        name: str,
        number: int,
        border: Border,
        box: object,
        along: tuple[float, float],
        heights: tuple[float, float],
        length: float,
    ) -> None:
        """A frame with its opening: two jambs, a lintel, and the leaf where it is closed."""
        assert callable(box)
        opening = opening_of(border, length)
        middle = (along[0] + along[1]) / 2
        a, b = middle - opening / 2, middle + opening / 2
        z = self.floor[number]
        low, top = heights
        head = min(z + DOOR_HEIGHT_MM, top)
        self.piece(f"{name} jamb-1", box(along[0], a, low, top, Kind.WALL))
        self.piece(f"{name} jamb-2", box(b, along[1], low, top, Kind.WALL))
        state = border.state or State.CLOSED
        closed = Kind.IMPASSABLE if state is State.LOCKED else Kind.DOOR_CLOSED
        leaf = box(a, b, z, head, closed, LEAF_MM)
        if top - head > 0.5:
            self.piece(f"{name} lintel", box(a, b, head, top, Kind.WALL))
        # an open door has something to it that one can be near: its threshold
        threshold = box(a, b, z, z + THRESHOLD_MM, Kind.DOOR_OPEN, LEAF_MM)
        self.piece(name, threshold if state is State.OPEN else leaf)
        self.doors.append(Door(name, number, state, leaf, opening))

    def _duct(self, name: str, ends: list[tuple[float, float]], z: float) -> None:
        start, end = ((inches(x), inches(y), inches(z)) for x, y in ends)
        self.ducts.append(Ductway(name, start, end, self.line, self.loc))

    def _corners(self, number: int, level: Level) -> None:
        pitch = self.layout.pitch
        for row, line in enumerate(level.grid.corners):
            for column, corner in enumerate(line):
                if corner.column <= 0.0:
                    continue
                half = corner.column / 2
                x, y = column * pitch, row * pitch
                around = [
                    self.ceiling(number, c, r)
                    for c in (column - 1, column)
                    for r in (row - 1, row)
                    if level.grid.has(c, r)
                ]
                top = self._top(number, around)
                low = self.floor[number] - (SUNK_MM if number else 0.0)
                block = Block.between(Rect(x - half, y - half, x + half, y + half), low, top, Kind.WALL)
                self.piece(f"{level.name} column {corner_name(column, row)}", block)

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
        zones, points = self._marked()
        return Built(
            board,
            tuple(self.pieces),
            tuple(self.areas),
            tuple(self.ducts),
            zones,
            points,
            tuple(self.doors),
        )

    def _marked(self) -> tuple[tuple[Zone, ...], tuple[NamedPoint, ...]]:
        zones: list[Zone] = []
        points: list[NamedPoint] = []
        pitch = self.layout.pitch
        for number, level in enumerate(self.layout.levels):
            z = inches(self.floor[number])
            squares: dict[str, list[tuple[int, int]]] = {}
            for r, row in enumerate(level.marks):
                for c, mark in enumerate(row):
                    if mark != ".":
                        squares.setdefault(mark, []).append((c, r))
            for mark, name in self.layout.zones.items():
                rects = [
                    Rect(c * pitch, r * pitch, (c + 1) * pitch, (r + 1) * pitch)
                    for c, r in squares.get(mark, ())
                ]
                for rect in rectangles(rects, []):
                    taken = sum(zone.id == name or zone.id.startswith(f"{name} ") for zone in zones)
                    corners = tuple((inches(x), inches(y)) for x, y in rect.corners)
                    label = name if taken == 0 else f"{name} {taken + 1}"
                    zones.append(Zone(label, corners, (z - 0.1, z + NEAR_FLOOR), self.line, self.loc))
            for mark, name in self.layout.points.items():
                for c, r in squares.get(mark, ()):
                    taken = sum(point.id == name or point.id.startswith(f"{name} ") for point in points)
                    label = name if taken == 0 else f"{name} {taken + 1}"
                    at = (inches((c + 0.5) * pitch), inches((r + 0.5) * pitch))
                    points.append(NamedPoint(label, at, z, self.line, self.loc))
        return tuple(zones), tuple(points)


def _runs(borders: list[Border], posts: list[Corner], tops: list[float]) -> list[tuple[int, int]]:
    """First and last of each run of equal borders of one height; doors and ducts stop at columns."""
    runs: list[tuple[int, int]] = []
    first: int | None = None
    for k, border in enumerate(borders):
        if border.kind is BorderKind.OPEN:
            first = None
            continue
        goes_on = (
            first is not None
            and borders[k - 1] == border
            and tops[k - 1] == tops[k]
            and (border.kind is not BorderKind.DOOR or posts[k].column == 0.0)
        )
        if goes_on and first is not None:
            runs[-1] = (first, k)
        else:
            first = k
            runs.append((k, k))
    return runs
