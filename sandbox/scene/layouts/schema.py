"""The form of a layout and of a tile library, key by key: what may be written, with which limits."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, StringConstraints, model_validator

from sandbox.files.limits import Most
from sandbox.kinds import Kind
from sandbox.scene.entry import Entry, PathText, Word, list_of, number
from sandbox.scene.layouts.model import (
    DECK_MM,
    SQUARES,
    TILE_MM,
    WALL_HEIGHT_MM,
    BorderKind,
    Facing,
    SquareKind,
    State,
)
from sandbox.units import inches

MOST_LEVELS = 12
MOST_TILES = 12
"""along one side of the board."""

Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]*$", max_length=30)]
"""small letters, digits, dashes: it becomes part of the names of pieces."""
Sign = Annotated[str, StringConstraints(min_length=1, max_length=1, strip_whitespace=False)]
BorderSign = Annotated[str, StringConstraints(min_length=1, max_length=2, strip_whitespace=False)]
Block = Annotated[str, StringConstraints(strip_whitespace=False), Most(200_000)]
Mm = Annotated[float, number(gt=0, le=2000)]
Height = Annotated[float, number(gt=0.2, le=50)]
Count = Annotated[int, Field(strict=True, ge=1, le=MOST_TILES)]
Index = Annotated[int, Field(strict=True, ge=0, le=MOST_TILES * 24)]
DIRECTIONS = ("east", "north", "west", "south")


def _facing(value: Any) -> Any:
    if value not in DIRECTIONS:
        raise ValueError(f"should be east, north, west or south, not {value!r}"[:120])
    return Facing(DIRECTIONS.index(value))


Direction = Annotated[
    Facing,
    BeforeValidator(_facing, json_schema_input_type=Literal["east", "north", "west", "south"]),
]


Switch = Annotated[bool, Field(strict=True)]


class SquareEntry(Entry):
    """One of ``legend: squares:``."""

    kind: SquareKind
    facing: Direction | None = None
    size: list[Mm] | None = None
    state: State | None = None


class BorderEntry(Entry):
    """One of ``legend: borders:``."""

    kind: BorderKind
    thick: Mm | None = None
    high: Mm | None = None
    state: State | None = None
    opening: Mm | None = None


class CornerEntry(Entry):
    """One of ``legend: corners:``."""

    column: Annotated[float, number(ge=0, le=500)] = 0.0


class LegendEntry(Entry):
    """``legend:``."""

    squares: Annotated[dict[Sign, SquareEntry], Most(200)] = Field(default_factory=dict)
    borders: Annotated[dict[BorderSign, BorderEntry], Most(200)] = Field(default_factory=dict)
    corners: Annotated[dict[Sign, CornerEntry], Most(200)] = Field(default_factory=dict)


class PlacementEntry(Entry):
    """One of ``tiles:`` of a level."""

    tile: Word
    at: Annotated[tuple[Index, Index], BeforeValidator(list_of("[column, row] in tiles, from 0", 2))]
    turn: int = 0

    @model_validator(mode="after")
    def _quarters(self) -> Self:
        if self.turn not in (0, 90, 180, 270):
            raise ValueError("turn: a tile is turned by 0, 90, 180 or 270 degrees")
        return self


class SectionEntry(Entry):
    """One of ``ceilings:`` of a level."""

    squares: Annotated[
        tuple[Index, Index, Index, Index],
        BeforeValidator(list_of("[first column, first row, last column, last row], from 0", 4)),
    ]
    height: Height


class LevelEntry(Entry):
    """One of ``levels:``."""

    name: Name
    height: Height = inches(WALL_HEIGHT_MM)
    deck: Mm = DECK_MM
    map: Block | None = None
    tiles: Annotated[list[PlacementEntry], Most(MOST_TILES**2)] = Field(default_factory=list)
    marks: Block | None = None
    ceilings: Annotated[list[SectionEntry], Most(100)] = Field(default_factory=list)


class TileEntry(Entry):
    """One tile of a library: drawn (``map``), or a mesh (``model``) with its openings."""

    map: Block | None = None
    model: PathText | None = None
    openings: (
        dict[Annotated[str, StringConstraints(pattern="^(north|east|south|west)$")], list[Index]] | None
    ) = None
    floor: Annotated[float, number(ge=0, le=200)] = 0.0
    kind: Kind = Kind.WALL
    parts: Annotated[dict[Word, Kind], Most(200)] = Field(default_factory=dict)
    about: Annotated[str, StringConstraints(max_length=500)] = ""

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        if (self.map is None) == (self.model is None):
            raise ValueError("a tile is drawn (`map`) or a mesh (`model`): give one of them")
        if self.map is not None and ({"openings", "floor", "kind", "parts"} & self.model_fields_set):
            raise ValueError(
                "'openings', 'floor', 'kind' and 'parts' are for meshes; a map shows them itself"
            )
        return self


class LayoutEntry(Entry):
    """``layout:`` of a scene file."""

    tiles: Annotated[tuple[Count, Count], BeforeValidator(list_of("[columns, rows] of tiles", 2))]
    tile: Annotated[float, number(ge=20, le=2000)] = TILE_MM
    squares: Annotated[int, Field(strict=True, ge=1, le=24)] = SQUARES
    library: PathText | None = None
    built: Switch = False
    legend: LegendEntry = LegendEntry()
    own_tiles: Annotated[dict[Name, TileEntry], Most(500)] = Field(default_factory=dict)
    zones: Annotated[dict[Sign, Word], Most(100)] = Field(default_factory=dict)
    points: Annotated[dict[Sign, Word], Most(100)] = Field(default_factory=dict)
    levels: Annotated[list[LevelEntry], Field(min_length=1), Most(MOST_LEVELS)]


class LibraryFile(Entry):
    """A tile library."""

    name: Word | None = None
    tile: Annotated[float, number(ge=20, le=2000)] = TILE_MM
    squares: Annotated[int, Field(strict=True, ge=1, le=24)] = SQUARES
    legend: LegendEntry = LegendEntry()
    tiles: Annotated[dict[Name, TileEntry], Most(500)] = Field(default_factory=dict)
