"""Tiles: turned, laid beside each other, and recognised in a level that was drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sandbox.scene.layouts.model import (
    OPEN,
    PLAIN,
    Grid,
    Layout,
    Placement,
    Square,
    SquareKind,
    Tile,
)

CUT = "cut from a map"
"""what a tile is that was made up so that a map can be written as tiles; a map does without it."""


@dataclass(frozen=True)
class Clash:
    """Two tiles want different things on their common border."""

    first: str
    second: str
    tile: tuple[int, int]
    """where the second one lies, in tiles."""


def turned(grid: Grid, quarters: int) -> Grid:
    """A square grid after so many quarter turns counter-clockwise."""
    for _ in range(quarters % 4):
        n = grid.width
        squares = tuple(tuple(grid.squares[n - 1 - c][r].turned(1) for c in range(n)) for r in range(n))
        # what ran from west to east on the south side of a square runs from south to north on its east side
        upright = tuple(tuple(grid.across[n - c][r] for c in range(n + 1)) for r in range(n))
        across = tuple(tuple(grid.upright[n - 1 - c][r] for c in range(n)) for r in range(n + 1))
        corners = tuple(tuple(grid.corners[n - c][r] for c in range(n + 1)) for r in range(n + 1))
        grid = Grid(squares, across, upright, corners)
    return grid


def cut(grid: Grid, column: int, row: int, n: int) -> Grid:
    """The block of n by n squares whose south-western square is (column, row), with all borders around it."""
    return Grid(
        tuple(grid.squares[r][column : column + n] for r in range(row, row + n)),
        tuple(grid.across[r][column : column + n] for r in range(row, row + n + 1)),
        tuple(grid.upright[r][column : column + n + 1] for r in range(row, row + n)),
        tuple(grid.corners[r][column : column + n + 1] for r in range(row, row + n + 1)),
    )


def laid(
    placements: Sequence[Placement], tiles: Mapping[str, Tile], size: tuple[int, int], n: int, empty: Square
) -> Grid | Clash:
    """The grid that tiles make together. size: columns and rows of tiles; empty: squares where none lies.

    On a border that two tiles share an open one yields to whatever the other has.
    """
    width, depth = size[0] * n, size[1] * n
    squares = [[empty] * width for _ in range(depth)]
    across = [[OPEN] * width for _ in range(depth + 1)]
    upright = [[OPEN] * (width + 1) for _ in range(depth)]
    corners = [[PLAIN] * (width + 1) for _ in range(depth + 1)]
    whose: dict[tuple[str, int, int], str] = {}
    for placement in placements:
        grid = turned(tiles[placement.tile].grid, placement.turn // 90)
        column, row = placement.at[0] * n, placement.at[1] * n
        for r in range(n):
            squares[row + r][column : column + n] = grid.squares[r]
        for name, into, rows in (("across", across, grid.across), ("upright", upright, grid.upright)):
            for r, line in enumerate(rows):
                for c, border in enumerate(line):
                    if border == OPEN:
                        continue
                    there = into[row + r][column + c]
                    if there not in (OPEN, border):
                        other = whose.get((name, row + r, column + c), "?")
                        return Clash(other, placement.tile, placement.at)
                    into[row + r][column + c] = border
                    whose[name, row + r, column + c] = placement.tile
        for r, posts in enumerate(grid.corners):
            for c, corner in enumerate(posts):
                if corner.column > corners[row + r][column + c].column:
                    corners[row + r][column + c] = corner
    return Grid(
        tuple(map(tuple, squares)),
        tuple(map(tuple, across)),
        tuple(map(tuple, upright)),
        tuple(map(tuple, corners)),
    )


def places(size: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Columns and rows of all tiles of a board, row by row from the south-west."""
    for row in range(size[1]):
        for column in range(size[0]):
            yield column, row


def tiled(layout: Layout, library: Mapping[str, Tile]) -> Layout:
    """The same board with a tile named for every block: from the library where one fits, else one of its own."""
    own = dict(layout.own)
    levels = []
    for number, level in enumerate(layout.levels):
        known = {placement.at: placement for placement in level.tiles}
        placements = []
        for at in places(layout.tiles):
            if at in known:
                placements.append(known[at])
                continue
            block = cut(level.grid, at[0] * layout.squares, at[1] * layout.squares, layout.squares)
            if number > 0 and _is_empty(block):
                continue
            found = fitting(block, {**library, **own})
            if found is None:
                name = _free(f"{level.name}-{at[0] + 1}-{at[1] + 1}", {*library, *own})
                own[name] = Tile(name, block, about=CUT)
                found = (name, 0)
            placements.append(Placement(found[0], at, found[1]))
        levels.append(replace(level, tiles=tuple(placements)))
    return replace(layout, levels=tuple(levels), own=own)


def uncut(layout: Layout) -> Layout:
    """The same without tiles that were only made up to write a map as tiles."""
    made = {name for name, tile in layout.own.items() if tile.about == CUT and tile.model is None}
    if not made:
        return layout
    levels = tuple(
        replace(level, tiles=tuple(one for one in level.tiles if one.tile not in made))
        for level in layout.levels
    )
    return replace(
        layout, levels=levels, own={name: tile for name, tile in layout.own.items() if name not in made}
    )


def fitting(block: Grid, tiles: Mapping[str, Tile]) -> tuple[str, int] | None:
    """Name and turn of the drawn tile that makes this block, whose open sides may have been walled by others."""
    for name, tile in tiles.items():
        if tile.model is not None or tile.grid.width != block.width:
            continue
        for turn in (0, 90, 180, 270):
            if _makes(turned(tile.grid, turn // 90), block):
                return name, turn
    return None


def _makes(tile: Grid, block: Grid) -> bool:
    n = block.width
    if tile.squares != block.squares:
        return False
    for mine, theirs, last in (
        (tile.across, block.across, (n, None)),
        (tile.upright, block.upright, (None, n)),
    ):
        for r, line in enumerate(mine):
            for c, border in enumerate(line):
                rim = r in (0, last[0]) if last[0] is not None else c in (0, last[1])
                if border != theirs[r][c] and not (rim and border == OPEN):
                    return False
    inside = all(tile.corners[r][c] == block.corners[r][c] for r in range(1, n) for c in range(1, n))
    rim_fits = all(
        tile.corners[r][c].column in (0.0, block.corners[r][c].column)
        for r in range(n + 1)
        for c in range(n + 1)
    )
    return inside and rim_fits


def _is_empty(block: Grid) -> bool:
    hole = all(square.kind is SquareKind.HOLE for row in block.squares for square in row)
    borders = (border for rows in (block.across, block.upright) for row in rows for border in row)
    return hole and all(border == OPEN for border in borders)


def _free(name: str, taken: set[str]) -> str:
    number, chosen = 1, name
    while chosen in taken:
        number += 1
        chosen = f"{name}-{number}"
    return chosen
