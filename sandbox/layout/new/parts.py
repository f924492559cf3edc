"""What a layout is built from, counted as somebody counts what they own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from sandbox.layout.flights import flights
from sandbox.layout.new.wishes import PartKind
from sandbox.scene.layouts import Border, BorderKind, Layout, SquareKind

_BORDERS = {
    BorderKind.WALL: PartKind.WALLS,
    BorderKind.DUCT: PartKind.DUCTS,
    BorderKind.RAIL: PartKind.RAILS,
    BorderKind.BARRICADE: PartKind.BARRICADES,
}
_SQUARES = {
    SquareKind.LADDER: PartKind.LADDERS,
    SquareKind.CRATE: PartKind.CRATES,
    SquareKind.BARRICADE: PartKind.BARRICADES,
    SquareKind.CONSOLE: PartKind.CONSOLES,
    SquareKind.COLUMN: PartKind.COLUMNS,
}


def count_parts(layout: Layout) -> Counter[PartKind]:
    """How many of each part; walls, ductways and rails in pieces one square long."""
    found: Counter[PartKind] = Counter()
    for level in layout.levels:
        grid = level.grid
        for line in lines_of(grid.across, grid.upright):
            for border, length in runs(line):
                if border.kind is BorderKind.DOOR:
                    found[PartKind.DOUBLE_DOORS] += length // 2
                    found[PartKind.DOORS] += length % 2
                elif border.kind in _BORDERS:
                    found[_BORDERS[border.kind]] += length
        for row in grid.squares:
            for square in row:
                if square.kind in _SQUARES:
                    found[_SQUARES[square.kind]] += 1
        found[PartKind.COLUMNS] += sum(corner.column > 0 for row in grid.corners for corner in row)
    found[PartKind.STAIRS] += len(flights(layout))
    return +found


def lines_of(
    across: Sequence[Sequence[Border]], upright: Sequence[Sequence[Border]]
) -> Iterator[list[Border]]:
    """The borders of a level line by line: those from west to east, then those from south to north."""
    for row in across:
        yield list(row)
    for column in range(len(upright[0])):
        yield [row[column] for row in upright]


def runs(line: Sequence[Border]) -> Iterator[tuple[Border, int]]:
    """Equal borders one after the other: what they are, and how many."""
    start = 0
    for k in range(1, len(line) + 1):
        if k == len(line) or line[k] != line[start]:
            yield line[start], k - start
            start = k
