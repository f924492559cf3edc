"""Character maps: 2 h + 1 lines of 2 w + 1 characters, squares, borders and corners in turn, north on top."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from sandbox.scene.layouts.legend import AS_TILE, Legend, Signs
from sandbox.scene.layouts.model import AS_TILE as MESH
from sandbox.scene.layouts.model import Border, Corner, Grid, Square

T = TypeVar("T")
Wrong = Callable[[str], Exception]
Fail = Callable[[str, int], Exception]
"""What to raise for a mistake: its text, and the line within the map, from 0."""


@dataclass(frozen=True)
class Drawn:
    """A map as it was read, before the tiles under it are asked: None where it says `as the tile has it`."""

    squares: tuple[tuple[Square | None, ...], ...]
    across: tuple[tuple[Border | None, ...], ...]
    upright: tuple[tuple[Border | None, ...], ...]
    corners: tuple[tuple[Corner | None, ...], ...]

    def over(self, under: Grid | None) -> Grid | None:
        """The whole grid; None where it asks for a tile and none is there."""
        parts = []
        for mine, theirs in (
            (self.squares, under and under.squares),
            (self.across, under and under.across),
            (self.upright, under and under.upright),
            (self.corners, under and under.corners),
        ):
            rows = []
            for r, row in enumerate(mine):
                if theirs is None and None in row:
                    return None
                rows.append(tuple(theirs[r][c] if v is None and theirs else v for c, v in enumerate(row)))
            parts.append(tuple(rows))
        return Grid(*parts)  # type: ignore[arg-type]


def read_map(text: str, width: int, depth: int, legend: Legend, fail: Fail) -> Drawn:
    """A map of width by depth squares. fail: makes the error to raise."""
    lines = lines_of(text)
    if len(lines) != 2 * depth + 1:
        raise fail(
            f"a map of {width} x {depth} squares has {2 * depth + 1} lines (a line of borders, a line of squares, "
            f"and so on), this one has {len(lines)}",
            0,
        )
    squares: list[tuple[Square | None, ...]] = []
    across: list[tuple[Border | None, ...]] = []
    upright: list[tuple[Border | None, ...]] = []
    corners: list[tuple[Corner | None, ...]] = []
    for number, line in enumerate(lines):
        if len(line) > 2 * width + 1:
            raise fail(
                f"a line of a map {width} squares wide has at most {2 * width + 1} characters, "
                f"this one has {len(line)}",
                number,
            )
        row = line.ljust(2 * width + 1)

        def told(what: str, known: list[str], row: str = row, number: int = number) -> Wrong:
            signs = " ".join(sign if sign != " " else "blank" for sign in known)
            return lambda sign: fail(
                f"{sign!r} (character {row.index(sign) + 1}) is no {what}; known: {signs}", number
            )

        if number % 2 == 0:
            wrong = told("corner", [*legend.corners])
            corners.append(tuple(_pick(legend.corner(sign), sign, wrong) for sign in row[::2]))
            wrong = told("border", [name[0] for name in legend.borders])
            across.append(tuple(_pick(legend.border(sign, upright=False), sign, wrong) for sign in row[1::2]))
        else:
            wrong = told("border", [name[-1] for name in legend.borders])
            upright.append(tuple(_pick(legend.border(sign, upright=True), sign, wrong) for sign in row[::2]))
            wrong = told("square", [*legend.squares])
            squares.append(tuple(_pick(legend.square(sign), sign, wrong) for sign in row[1::2]))
    return Drawn(tuple(squares[::-1]), tuple(across[::-1]), tuple(upright[::-1]), tuple(corners[::-1]))


def _pick(found: T | None, sign: str, wrong: Callable[[str], Exception]) -> T | None:
    if sign == AS_TILE:
        return None
    if found is None:
        raise wrong(sign)
    return found


def write_map(grid: Grid, signs: Signs, under: Grid | None = None) -> str:
    """The map of a grid; under: what tiles make there, which then stands as ``*``."""

    def as_tile(mine: object, theirs: object) -> bool:
        return (under is not None and mine == theirs) or mine == MESH

    lines = []
    for row in range(grid.depth, -1, -1):
        line = []
        for column in range(grid.width + 1):
            corner = grid.corners[row][column]
            same = as_tile(corner, under and under.corners[row][column])
            line.append(AS_TILE if same else signs.corner(corner))
            if column < grid.width:
                border = grid.across[row][column]
                same = as_tile(border, under and under.across[row][column])
                line.append(AS_TILE if same else signs.border(border, upright=False))
        lines.append("".join(line))
        if row == 0:
            break
        line = []
        for column in range(grid.width + 1):
            border = grid.upright[row - 1][column]
            same = as_tile(border, under and under.upright[row - 1][column])
            line.append(AS_TILE if same else signs.border(border, upright=True))
            if column < grid.width:
                square = grid.squares[row - 1][column]
                same = as_tile(square, under and under.squares[row - 1][column])
                line.append(AS_TILE if same else signs.square(square))
        lines.append("".join(line))
    return "".join(line.rstrip() + "\n" for line in lines)


def lines_of(text: str) -> list[str]:
    """The lines of a block of text, without empty ones at its end."""
    lines = [line.rstrip() for line in text.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def read_marks(text: str, width: int, depth: int, fail: Fail) -> tuple[str, ...]:
    """Rows from the south of one character a square; blanks count as ``.``, and marks of nothing but dots as none."""
    lines = lines_of(text)
    if len(lines) > depth:
        raise fail(f"marks have at most {depth} lines, one a row of squares; here are {len(lines)}", depth)
    lines += [""] * (depth - len(lines))
    for number, line in enumerate(lines):
        if len(line) > width:
            raise fail(
                f"a line of marks has one character a square, at most {width}; here are {len(line)}", number
            )
    rows = tuple(line.ljust(width).replace(" ", ".") for line in lines[::-1])
    return rows if any(set(row) - {"."} for row in rows) else ()


def write_marks(marks: Sequence[str]) -> str:
    """The block of text of some marks."""
    return "".join(row + "\n" for row in marks[::-1])


def blank(width: int, depth: int) -> Drawn:
    """A map that says nothing: all as the tiles have it."""
    return Drawn(
        ((None,) * width,) * depth,
        ((None,) * width,) * (depth + 1),
        ((None,) * (width + 1),) * depth,
        ((None,) * (width + 1),) * (depth + 1),
    )
