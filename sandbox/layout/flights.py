"""Stairs and ramps of a layout: equal squares one behind the other are one flight up to the level above."""

from __future__ import annotations

from dataclasses import dataclass

from sandbox.scene.layouts import Facing, Layout, SquareKind

Node = tuple[int, int, int]
"""level, column, row."""

STAIRS = (SquareKind.STAIRS, SquareKind.RAMP)


@dataclass(frozen=True)
class Flight:
    """Stairs or a ramp from one level to the next."""

    kind: SquareKind
    facing: Facing
    """the way up."""
    squares: tuple[Node, ...]
    foot: Node
    head: Node

    @property
    def length(self) -> int:
        """Squares."""
        return len(self.squares)


def flights(layout: Layout) -> list[Flight]:
    """All stairs and ramps of a layout."""
    found = []
    for level, drawn in enumerate(layout.levels[:-1]):
        grid = drawn.grid
        for row in range(grid.depth):
            for column in range(grid.width):
                square = grid.squares[row][column]
                if square.kind not in STAIRS or square.facing is None:
                    continue
                dx, dy = square.facing.step
                before = (column - dx, row - dy)
                if grid.has(*before) and grid.squares[before[1]][before[0]] == square:
                    continue
                steps = [(column, row)]
                while (
                    grid.has(c := steps[-1][0] + dx, r := steps[-1][1] + dy) and grid.squares[r][c] == square
                ):
                    steps.append((c, r))
                head = (level + 1, steps[-1][0] + dx, steps[-1][1] + dy)
                nodes = tuple((level, c, r) for c, r in steps)
                found.append(Flight(square.kind, square.facing, nodes, (level, *before), head))
    return found
