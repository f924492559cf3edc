"""What each character of a map means, and which character a value is written with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from sandbox.scene.layouts.model import (
    OPEN,
    PLAIN,
    THICK_MM,
    Border,
    BorderKind,
    Corner,
    Facing,
    Square,
    SquareKind,
    State,
)

T = TypeVar("T")
AS_TILE = "*"
"""in a map that lies over tiles: as the tile has it."""
_SPARE = "ABCEFGIJKMNQRSTUVWYZafghijlmpqtuyz0123456789@$/\\?;,'`(){}[]"

SQUARES: Mapping[str, Square] = {
    ".": Square.of(SquareKind.FLOOR),
    "#": Square.of(SquareKind.SOLID),
    " ": Square.of(SquareKind.HOLE),
    "o": Square.of(SquareKind.PIT),
    "~": Square.of(SquareKind.DIFFICULT),
    "!": Square.of(SquareKind.DANGEROUS),
    ":": Square.of(SquareKind.GANTRY),
    "x": Square.of(SquareKind.HATCH, state=State.OPEN),
    "X": Square.of(SquareKind.HATCH, state=State.CLOSED),
    ">": Square.of(SquareKind.STAIRS, Facing.EAST),
    "^": Square.of(SquareKind.STAIRS, Facing.NORTH),
    "<": Square.of(SquareKind.STAIRS, Facing.WEST),
    "v": Square.of(SquareKind.STAIRS, Facing.SOUTH),
    "e": Square.of(SquareKind.LADDER, Facing.EAST),
    "n": Square.of(SquareKind.LADDER, Facing.NORTH),
    "w": Square.of(SquareKind.LADDER, Facing.WEST),
    "s": Square.of(SquareKind.LADDER, Facing.SOUTH),
    "=": Square.of(SquareKind.DUCT, Facing.EAST),
    "H": Square.of(SquareKind.DUCT, Facing.NORTH),
    "c": Square.of(SquareKind.CONSOLE, Facing.EAST),
    "b": Square.of(SquareKind.BARRICADE, Facing.EAST),
    "B": Square.of(SquareKind.BARRICADE, Facing.NORTH),
    "k": Square.of(SquareKind.CRATE),
    "P": Square.of(SquareKind.COLUMN),
}
BORDERS: Mapping[str, Border] = {
    " ": OPEN,
    "-|": Border.of(BorderKind.WALL),
    "#": Border.of(BorderKind.WALL, THICK_MM),
    "d": Border.of(BorderKind.DOOR, state=State.OPEN),
    "D": Border.of(BorderKind.DOOR, state=State.CLOSED),
    "L": Border.of(BorderKind.DOOR, state=State.LOCKED),
    "%": Border.of(BorderKind.DUCT),
    "&": Border.of(BorderKind.DUCT, THICK_MM),
    "r": Border.of(BorderKind.RAIL),
    "b": Border.of(BorderKind.BARRICADE),
}
CORNERS: Mapping[str, Corner] = {"+": PLAIN, "O": Corner(50.0)}
_NO_CORNER = " -|#"
"""characters that people draw through corners where nothing stands."""


@dataclass(frozen=True)
class Legend:
    """Characters of squares, borders and corners. A border's character may be two: west to east, south to north."""

    squares: Mapping[str, Square] = field(default_factory=lambda: dict(SQUARES))
    borders: Mapping[str, Border] = field(default_factory=lambda: dict(BORDERS))
    corners: Mapping[str, Corner] = field(default_factory=lambda: dict(CORNERS))

    def with_own(
        self, squares: Mapping[str, Square], borders: Mapping[str, Border], corners: Mapping[str, Corner]
    ) -> Legend:
        """The same with characters of a file's own, which go before the usual ones."""
        taken = {sign for name in borders for sign in name}
        usual = {name: value for name, value in self.borders.items() if not taken & set(name)}
        return Legend({**self.squares, **squares}, {**usual, **borders}, {**self.corners, **corners})

    def square(self, sign: str) -> Square | None:
        """What a character in a square's place means; None where nothing."""
        return self.squares.get(sign)

    def border(self, sign: str, *, upright: bool) -> Border | None:
        """What a character in a border's place means; None where nothing."""
        for name, value in self.borders.items():
            if sign == name or (len(name) == 2 and sign == name[upright]):
                return value
        return None

    def corner(self, sign: str) -> Corner | None:
        """What a character in a corner's place means; None where nothing."""
        if sign in self.corners:
            return self.corners[sign]
        return PLAIN if sign in _NO_CORNER else None


@dataclass
class Signs:
    """Characters for values, made up where a legend has none; what was made up is to be written down."""

    legend: Legend = field(default_factory=Legend)
    squares: dict[str, Square] = field(default_factory=dict)
    """made up."""
    borders: dict[str, Border] = field(default_factory=dict)
    """made up."""
    corners: dict[str, Corner] = field(default_factory=dict)
    """made up."""

    def square(self, value: Square) -> str:
        """Its character."""
        if value.kind is SquareKind.TILE:
            return AS_TILE
        return self._sign(value, self.legend.squares, self.squares)

    def border(self, value: Border, *, upright: bool) -> str:
        """Its character."""
        sign = self._sign(value, self.legend.borders, self.borders)
        return sign[int(upright)] if len(sign) == 2 else sign

    def corner(self, value: Corner) -> str:
        """Its character."""
        return self._sign(value, self.legend.corners, self.corners)

    @staticmethod
    def _sign(value: T, known: Mapping[str, T], own: dict[str, T]) -> str:
        for table in (known, own):
            for sign, meant in table.items():
                if meant == value:
                    return sign
        used = {sign for name in (*known, *own) for sign in name}
        spare = (*_SPARE, *map(chr, range(0xC0, 0x250)))
        free: str = next(one for one in spare if one not in used)
        own[free] = value
        return free
