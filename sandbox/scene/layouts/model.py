"""What a layout is: levels of squares with borders between them and corners where borders meet, as frozen values.

A board is made of square tiles, each of `Layout.squares` by `Layout.squares` squares. Squares are counted from the
south-west: column 0 is the westernmost, row 0 the southernmost. Sizes are millimetres, heights of rooms inches.
The two ways to write a layout (character maps, lists of tiles) end in the same values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum, StrEnum
from pathlib import Path

from sandbox.units import inches

TILE_MM = 289.0
"""side of a tile that is sold as 12 inches."""
SQUARES = 6
"""squares along a tile's side."""
WALL_HEIGHT_MM = 60.0
DECK_MM = 4.0
THIN_MM = 10.0
THICK_MM = 25.0
BARRICADE_MM = 24.0
"""height of a barricade: a model of 1.4 inches on top of it still fits under a ceiling of 60 mm."""


class Facing(IntEnum):
    """A direction in plan, in quarter turns counter-clockwise from east."""

    EAST = 0
    NORTH = 1
    WEST = 2
    SOUTH = 3

    def turned(self, quarters: int) -> Facing:
        """After so many quarter turns counter-clockwise."""
        return Facing((self + quarters) % 4)

    @property
    def step(self) -> tuple[int, int]:
        """Columns and rows that one square in this direction is away."""
        return ((1, 0), (0, 1), (-1, 0), (0, -1))[self]

    @property
    def word(self) -> str:
        """``east``, ``north``, ``west`` or ``south``."""
        return self.name.lower()


class SquareKind(StrEnum):
    """What a square is."""

    FLOOR = "floor"
    SOLID = "solid"
    """filled from floor to ceiling."""
    HOLE = "hole"
    """no floor: open to the level below."""
    PIT = "pit"
    """a pitfall in the lowest floor."""
    DIFFICULT = "difficult"
    DANGEROUS = "dangerous"
    GANTRY = "gantry"
    """floor that is built as a walkway."""
    HATCH = "hatch"
    """floor with a small hole in it, over a ladder or not; open or closed."""
    STAIRS = "stairs"
    """rising to the level above, towards its facing."""
    RAMP = "ramp"
    LADDER = "ladder"
    """floor with a ladder to the level above at the side that it faces."""
    DUCT = "duct"
    """filled, with a ductway straight through along its facing."""
    CONSOLE = "console"
    BARRICADE = "barricade"
    CRATE = "crate"
    COLUMN = "column"
    """floor with a column in its middle."""
    TILE = "tile"
    """as the mesh of the tile that lies here has it."""


class State(StrEnum):
    """What a door or a hatch is at the start."""

    OPEN = "open"
    CLOSED = "closed"
    LOCKED = "locked"


class BorderKind(StrEnum):
    """What stands between two squares."""

    OPEN = "open"
    WALL = "wall"
    DOOR = "door"
    DUCT = "duct"
    """a wall with a ductway through it."""
    RAIL = "rail"
    BARRICADE = "barricade"


_SIZES: Mapping[SquareKind, tuple[float, ...]] = {
    SquareKind.HATCH: (35.0,),
    SquareKind.LADDER: (25.0,),
    SquareKind.CONSOLE: (22.0, 36.0, 28.0),
    SquareKind.BARRICADE: (40.0, 8.0, BARRICADE_MM),
    SquareKind.CRATE: (26.0, 26.0, 26.0),
    SquareKind.COLUMN: (30.0, 30.0),
}
SIZE_WORDS: Mapping[SquareKind, str] = {
    SquareKind.HATCH: "[side of the hole]",
    SquareKind.LADDER: "[width]",
    SquareKind.CONSOLE: "[deep, wide, high]",
    SquareKind.BARRICADE: "[long, thick, high]",
    SquareKind.CRATE: "[long, wide, high]",
    SquareKind.COLUMN: "[dx, dy]",
}
FACED = frozenset(
    {
        SquareKind.STAIRS,
        SquareKind.RAMP,
        SquareKind.LADDER,
        SquareKind.DUCT,
        SquareKind.CONSOLE,
        SquareKind.BARRICADE,
        SquareKind.CRATE,
        SquareKind.COLUMN,
    }
)
"""kinds that have a direction."""
_TWO_WAY = frozenset({SquareKind.DUCT, SquareKind.BARRICADE, SquareKind.CRATE, SquareKind.COLUMN})
"""kinds for which a direction and its opposite are the same."""
FLOORED = frozenset(SquareKind) - {SquareKind.SOLID, SquareKind.HOLE, SquareKind.DUCT}
"""kinds that are entered on foot on their own level (pits only by falling)."""
FILLED = frozenset({SquareKind.SOLID, SquareKind.DUCT})


@dataclass(frozen=True)
class Square:
    """One square; what its kind does not need is always the same, so that equal squares are equal values."""

    kind: SquareKind = SquareKind.FLOOR
    facing: Facing | None = None
    size: tuple[float, ...] = ()
    """mm, in the order of `SIZE_WORDS`, the first along the facing; empty where the kind has none."""
    state: State | None = None
    """hatches only."""

    @classmethod
    def of(
        cls,
        kind: SquareKind,
        facing: Facing | None = None,
        size: tuple[float, ...] = (),
        state: State | None = None,
    ) -> Square:
        """A square with what is missing filled in, and what is the same for its kind made equal."""
        way = None
        if kind in FACED:
            way = Facing.EAST if facing is None else facing
            if kind in _TWO_WAY:
                way = Facing(way % 2)
        state = (state or State.OPEN) if kind is SquareKind.HATCH else None
        return cls(kind, way, (size or _SIZES[kind]) if kind in _SIZES else (), state)

    def turned(self, quarters: int) -> Square:
        """After so many quarter turns counter-clockwise."""
        if self.facing is None or quarters % 4 == 0:
            return self
        return Square.of(self.kind, self.facing.turned(quarters), self.size, self.state)


@dataclass(frozen=True)
class Border:
    """What stands between two squares, along their common side."""

    kind: BorderKind = BorderKind.OPEN
    thick: float = 0.0
    """mm; 0 for an open border."""
    high: float | None = None
    """mm; None: up to the ceiling."""
    state: State | None = None
    """doors only."""
    opening: float | None = None
    """width of a door's opening, mm; None: what its length leaves (`default_opening`)."""

    @classmethod
    def of(
        cls,
        kind: BorderKind,
        thick: float | None = None,
        high: float | None = None,
        state: State | None = None,
        opening: float | None = None,
    ) -> Border:
        """A border with what is missing filled in."""
        if kind is BorderKind.OPEN:
            return cls()
        usual = {BorderKind.RAIL: (3.0, 25.0), BorderKind.BARRICADE: (8.0, BARRICADE_MM)}
        usual_thick, usual_high = usual.get(kind, (THIN_MM, None))
        door = kind is BorderKind.DOOR
        return cls(
            kind,
            usual_thick if thick is None else thick,
            usual_high if high is None else high,
            (state or State.CLOSED) if door else None,
            opening if door else None,
        )

    @property
    def is_wall(self) -> bool:
        """Whether it reaches up to the ceiling and has no way through for a base that walks, open doors apart."""
        return self.kind in (BorderKind.WALL, BorderKind.DUCT, BorderKind.DOOR)


@dataclass(frozen=True)
class Corner:
    """What stands where borders meet: nothing, or a column."""

    column: float = 0.0
    """side of the column, mm; 0: none."""


OPEN = Border()
FLOOR = Square()
SOLID = Square(SquareKind.SOLID)
HOLE = Square(SquareKind.HOLE)
AS_TILE = Square(SquareKind.TILE)
PLAIN = Corner()


@dataclass(frozen=True)
class Grid:
    """Squares, the borders between and around them, and their corners. Rows from the south, columns from the west."""

    squares: tuple[tuple[Square, ...], ...]
    """[row][column], h by w."""
    across: tuple[tuple[Border, ...], ...]
    """[row][column], h + 1 by w: borders that run from west to east; row r lies south of the squares of row r."""
    upright: tuple[tuple[Border, ...], ...]
    """[row][column], h by w + 1: borders that run from south to north; column c lies west of the squares of it."""
    corners: tuple[tuple[Corner, ...], ...]
    """[row][column], h + 1 by w + 1."""

    @property
    def width(self) -> int:
        """Columns."""
        return len(self.squares[0])

    @property
    def depth(self) -> int:
        """Rows."""
        return len(self.squares)

    @classmethod
    def filled(cls, width: int, depth: int, square: Square) -> Grid:
        """All squares the same, no borders."""
        return cls(
            ((square,) * width,) * depth,
            ((OPEN,) * width,) * (depth + 1),
            ((OPEN,) * (width + 1),) * depth,
            ((PLAIN,) * (width + 1),) * (depth + 1),
        )

    def beside(self, column: int, row: int, facing: Facing) -> Border:
        """The border on one side of a square."""
        match facing:
            case Facing.EAST:
                return self.upright[row][column + 1]
            case Facing.WEST:
                return self.upright[row][column]
            case Facing.NORTH:
                return self.across[row + 1][column]
            case _:
                return self.across[row][column]

    def has(self, column: int, row: int) -> bool:
        """Whether there is such a square."""
        return 0 <= column < self.width and 0 <= row < self.depth


class Form(StrEnum):
    """The two ways to write a layout."""

    MAP = "map"
    TILES = "tiles"


@dataclass(frozen=True)
class Placement:
    """A tile of a library as it lies on a level."""

    tile: str
    at: tuple[int, int]
    """column and row, in tiles."""
    turn: int = 0
    """degrees counter-clockwise: 0, 90, 180 or 270."""


@dataclass(frozen=True)
class Tile:
    """A tile of a library: drawn as a map, or a mesh with its openings declared."""

    name: str
    grid: Grid
    """of a mesh: nothing but squares `TILE`."""
    model: Path | None = None
    """the mesh, None for a tile that is drawn."""
    model_name: str = ""
    """its path as the library writes it."""
    floor: float = 0.0
    """how far its floor lies above the mesh's bottom, mm."""
    parts: tuple[tuple[str, str], ...] = ()
    """(pattern, kind) for the nodes of a mesh."""
    kind: str = "wall"
    """kind of what no pattern of `parts` names."""
    openings: tuple[tuple[Facing, int], ...] | None = None
    """of a mesh: side, and square along it (from 0, counted from the west or the south), where it is open."""
    about: str = ""


@dataclass(frozen=True)
class Section:
    """A part of a level with a ceiling of its own."""

    squares: tuple[int, int, int, int]
    """first column, first row, last column, last row; all included."""
    height: float
    """inches from the floor to the ceiling."""


@dataclass(frozen=True)
class Level:
    """One level."""

    name: str
    grid: Grid
    height: float = inches(WALL_HEIGHT_MM)
    """inches from its floor to its ceiling."""
    deck: float = DECK_MM
    """thickness of its floor, mm; the lowest level lies on the table."""
    marks: tuple[str, ...] = ()
    """rows from the south of one character a square: the zone or point it belongs to, ``.`` for none; empty: none."""
    sections: tuple[Section, ...] = ()
    tiles: tuple[Placement, ...] = ()
    """which tiles it was laid from, in the order of `at`; squares of meshes need them, others only name them."""

    def mark(self, column: int, row: int) -> str:
        """The mark of a square, ``.`` for none."""
        return self.marks[row][column] if self.marks else "."


@dataclass(frozen=True)
class Layout:
    """A board of one or more levels, lowest first."""

    levels: tuple[Level, ...]
    tiles: tuple[int, int]
    """columns and rows of tiles."""
    tile: float = TILE_MM
    """side of a tile, mm: the real one, which measuring uses."""
    squares: int = SQUARES
    """squares along a tile's side."""
    zones: Mapping[str, str] = field(default_factory=dict)
    """mark: name of the zone."""
    points: Mapping[str, str] = field(default_factory=dict)
    """mark: name of the point."""
    own: Mapping[str, Tile] = field(default_factory=dict)
    """tiles that the layout brings along, by name."""
    library: str | None = None
    """path of the tile library as the file writes it; None: the one that ships."""

    @property
    def width(self) -> int:
        """Columns of squares."""
        return self.tiles[0] * self.squares

    @property
    def depth(self) -> int:
        """Rows of squares."""
        return self.tiles[1] * self.squares

    @property
    def pitch(self) -> float:
        """Side of a square, mm."""
        return self.tile / self.squares

    def floor_mm(self, level: int) -> float:
        """Height of a level's floor over the table, mm."""
        z = 0.0
        for below, above in zip(self.levels[:level], self.levels[1 : level + 1], strict=True):
            z += below.height * 25.4 + above.deck
        return z

    def level(self, name: str) -> int:
        """Number of the level of that name; ValueError where there is none."""
        return [level.name for level in self.levels].index(name)

    def plain(self) -> Layout:
        """The same board without the names of the tiles that it was laid from, where they are not needed."""
        if any(_has_mesh(level) for level in self.levels):
            return self
        return replace(
            self, levels=tuple(replace(level, tiles=()) for level in self.levels), own={}, library=None
        )


def _has_mesh(level: Level) -> bool:
    return any(square.kind is SquareKind.TILE for row in level.grid.squares for square in row)


def default_opening(length: float) -> float:
    """Width of a door's opening in a frame so long, mm: 36 in one square's side, 69 in two."""
    return min(length - 12.0, 69.0) if length > 60.0 else max(length - 12.0, 8.0)
