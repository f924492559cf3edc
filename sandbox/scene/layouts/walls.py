"""Walls, doors, rails and columns of a layout: what stands on borders and corners."""

from __future__ import annotations

from sandbox.kinds import Kind
from sandbox.scene.layouts.furniture import Block, opening_of
from sandbox.scene.layouts.model import Border, BorderKind, Corner, Level, SquareKind, State
from sandbox.scene.layouts.names import across_name, corner_name, upright_name
from sandbox.scene.layouts.parts import (
    DOOR_HEIGHT_MM,
    LEAF_MM,
    SUNK_MM,
    THRESHOLD_MM,
    Door,
    Parts,
)
from sandbox.scene.layouts.rectangles import Rect


class Walls(Parts):
    """Adds what stands on borders and corners."""

    def walls(self, number: int, level: Level) -> None:
        """What stands on the borders of a level."""
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
            # a rail stands on the floor, flush with its lip, or with the edge of the board
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
        self.doors.append(Door(name, number, state, leaf, opening, length))

    def columns(self, number: int, level: Level) -> None:
        """What stands on its corners."""
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
