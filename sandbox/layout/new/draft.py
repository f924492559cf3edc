"""A layout in the making: squares and borders that can be changed, with what half a turn makes of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sandbox.scene.layouts import Border, Corner, Facing, Grid, Layout, Level, Square, SquareKind
from sandbox.scene.layouts.model import FLOOR, HOLE, OPEN, PLAIN, SQUARES, TILE_MM

Node = tuple[int, int, int]
"""A square: level, column, row."""
PITCH = TILE_MM / SQUARES
"""side of a square, mm."""
LEVEL_NAMES = ("main", "upper", "high", "roof")


@dataclass(frozen=True, order=True)
class Edge:
    """A border of a level."""

    level: int
    upright: bool
    """runs from south to north."""
    line: int
    """column west of which an upright border lies, row south of which another lies."""
    along: int
    """row of an upright border, column of another."""

    @property
    def sides(self) -> tuple[Node, Node]:
        """The squares on its two sides; one of them may lie off the board."""
        if self.upright:
            return (self.level, self.line - 1, self.along), (self.level, self.line, self.along)
        return (self.level, self.along, self.line - 1), (self.level, self.along, self.line)

    def beside(self, by: int) -> Edge:
        """The one so many squares on in the same line."""
        return replace(self, along=self.along + by)


class Draft:
    """Squares and borders of all levels. With `turned`, what is put down is put down once more, half a turn on."""

    def __init__(self, tiles: tuple[int, int], levels: int, *, turned: bool) -> None:
        self.tiles = tiles
        self.turned = turned
        self.width, self.depth = tiles[0] * SQUARES, tiles[1] * SQUARES
        w, h = self.width, self.depth
        self.squares = [[[FLOOR if k == 0 else HOLE] * w for _ in range(h)] for k in range(levels)]
        self.across = [[[OPEN] * w for _ in range(h + 1)] for _ in range(levels)]
        self.upright = [[[OPEN] * (w + 1) for _ in range(h)] for _ in range(levels)]
        self.corners = [[[PLAIN] * (w + 1) for _ in range(h + 1)] for _ in range(levels)]
        self.marks = [[["."] * w for _ in range(h)] for _ in range(levels)]

    @property
    def levels(self) -> int:
        """How many there are."""
        return len(self.squares)

    # -- squares -------------------------------------------------------------------------------------------------

    def has(self, node: Node) -> bool:
        """Whether there is such a square."""
        return 0 <= node[1] < self.width and 0 <= node[2] < self.depth

    def at(self, node: Node) -> Square:
        """What a square is."""
        return self.squares[node[0]][node[2]][node[1]]

    def twin(self, node: Node) -> Node:
        """The square that half a turn makes of one."""
        return node[0], self.width - 1 - node[1], self.depth - 1 - node[2]

    def orbit(self, node: Node) -> tuple[Node, ...]:
        """A square, and its twin where the board is turned."""
        return (node, self.twin(node)) if self.turned else (node,)

    def put(self, node: Node, square: Square) -> None:
        """Make a square something, and its twin the same, turned."""
        self.squares[node[0]][node[2]][node[1]] = square
        if self.turned:
            level, column, row = self.twin(node)
            self.squares[level][row][column] = square.turned(2)

    def nodes(self, level: int) -> Iterator[Node]:
        """All squares of a level."""
        return ((level, c, r) for r in range(self.depth) for c in range(self.width))

    # -- borders -------------------------------------------------------------------------------------------------

    def border(self, edge: Edge) -> Border:
        """What stands on a border."""
        if edge.upright:
            return self.upright[edge.level][edge.along][edge.line]
        return self.across[edge.level][edge.line][edge.along]

    def twin_edge(self, edge: Edge) -> Edge:
        """The border that half a turn makes of one."""
        lines, length = (self.width, self.depth) if edge.upright else (self.depth, self.width)
        return Edge(edge.level, edge.upright, lines - edge.line, length - 1 - edge.along)

    def edge_orbit(self, edge: Edge) -> tuple[Edge, ...]:
        """A border, and its twin where the board is turned."""
        return (edge, self.twin_edge(edge)) if self.turned else (edge,)

    def draw(self, edge: Edge, border: Border) -> None:
        """Put something on a border, and on its twin."""
        for one in self.edge_orbit(edge):
            if one.upright:
                self.upright[one.level][one.along][one.line] = border
            else:
                self.across[one.level][one.line][one.along] = border

    def edges(self, level: int) -> Iterator[Edge]:
        """All borders of a level, its rim's too."""
        for line in range(self.depth + 1):
            for along in range(self.width):
                yield Edge(level, False, line, along)
        for line in range(self.width + 1):
            for along in range(self.depth):
                yield Edge(level, True, line, along)

    def inside(self, edge: Edge) -> bool:
        """Whether there is a square on both sides."""
        return all(self.has(node) for node in edge.sides)

    def between(self, first: Node, second: Node) -> Edge:
        """The border between two squares side by side."""
        level, column, row = first
        if row == second[2]:
            return Edge(level, True, max(column, second[1]), row)
        return Edge(level, False, max(row, second[2]), column)

    def beside(self, node: Node, side: Facing) -> Border:
        """What stands at one side of a square."""
        level, column, row = node
        upright = side in (Facing.EAST, Facing.WEST)
        on = side in (Facing.EAST, Facing.NORTH)
        line, along = (column, row) if upright else (row, column)
        return self.border(Edge(level, upright, line + on, along))

    def around(self, node: Node) -> Iterator[tuple[Node, Edge]]:
        """The squares beside one, with the borders between."""
        level, column, row = node
        for step in ((1, 0), (0, 1), (-1, 0), (0, -1)):
            other = (level, column + step[0], row + step[1])
            if self.has(other):
                yield other, self.between(node, other)

    def corner(self, level: int, column: int, row: int, corner: Corner) -> None:
        """Put a column on a corner, and on its twin."""
        self.corners[level][row][column] = corner
        if self.turned:
            self.corners[level][self.depth - row][self.width - column] = corner

    # -- the whole -----------------------------------------------------------------------------------------------

    def layout(self, zones: dict[str, str], points: dict[str, str]) -> Layout:
        """The layout as it is now."""
        levels = []
        for k in range(self.levels):
            grid = Grid(
                tuple(map(tuple, self.squares[k])),
                tuple(map(tuple, self.across[k])),
                tuple(map(tuple, self.upright[k])),
                tuple(map(tuple, self.corners[k])),
            )
            marks = tuple("".join(row) for row in self.marks[k])
            levels.append(
                Level(LEVEL_NAMES[k], grid, marks=marks if any(set(row) - {"."} for row in marks) else ())
            )
        return Layout(tuple(levels), self.tiles, zones=zones, points=points)


def is_floor(square: Square) -> bool:
    """Whether a base can be in the middle of a square."""
    return square.kind not in (
        SquareKind.HOLE,
        SquareKind.SOLID,
        SquareKind.PIT,
        SquareKind.DUCT,
        SquareKind.COLUMN,
        SquareKind.STAIRS,
        SquareKind.RAMP,
    )
