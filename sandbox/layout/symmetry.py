"""Whether both sides of a board are the same: half a turn changes nothing but whose side is whose."""

from __future__ import annotations

from sandbox.scene.layouts import Layout, SquareKind


def is_turned(layout: Layout) -> bool:
    """Whether a board is the same after half a turn, its two zones exchanged. Tiles that are meshes count as different."""
    for level in layout.levels:
        grid = level.grid
        if any(square.kind is SquareKind.TILE for row in grid.squares for square in row):
            return False
        if [[s.turned(2) for s in row[::-1]] for row in grid.squares[::-1]] != list(map(list, grid.squares)):
            return False
        for table in (grid.across, grid.upright, grid.corners):
            if [list(row[::-1]) for row in table[::-1]] != [list(row) for row in table]:
                return False
        if level.sections:
            width, depth = layout.width - 1, layout.depth - 1
            turned = [
                (width - c1, depth - r1, width - c0, depth - r0, section.height)
                for section in level.sections
                for c0, r0, c1, r1 in [section.squares]
            ]
            if sorted(turned) != sorted((*section.squares, section.height) for section in level.sections):
                return False
    return _sides_exchanged(layout)


def _sides_exchanged(layout: Layout) -> bool:
    """Whether half a turn makes each zone the other one, and points points."""
    zones = layout.zones
    names = set(zones.values())
    if len(names) != 2:
        return False
    for level in layout.levels:
        for row, back in zip(level.marks, level.marks[::-1], strict=True):
            for mark, other in zip(row, back[::-1], strict=True):
                if (mark in layout.points) != (other in layout.points):
                    return False
                if {zones.get(mark), zones.get(other)} not in ({None}, names):
                    return False
    return True
