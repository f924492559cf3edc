"""What stands in squares, as blocks: boxes, flights of stairs and ramps. Millimetres in the board's frame."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from sandbox.kinds import Kind
from sandbox.scene.layouts.model import Border, Facing, Square, SquareKind, default_opening
from sandbox.scene.layouts.rectangles import Rect
from sandbox.scene.model import Shape
from sandbox.units import inches

STEP_MM = 10.0
"""highest riser of a flight."""
LADDER_DEEP_MM = 4.0


@dataclass(frozen=True)
class Block:
    """A shape with its place."""

    shape: Shape
    sizes: tuple[float, ...]
    """mm, in the order of `Shape`; the last of stairs is their number."""
    at: tuple[float, float, float]
    """middle in plan and bottom, mm."""
    turn: float = 0.0
    kind: Kind = Kind.STRUCTURE

    @classmethod
    def between(cls, rect: Rect, low: float, high: float, kind: Kind) -> Block:
        """A box over a rectangle."""
        x, y = rect.middle
        return cls(Shape.BOX, (rect.x1 - rect.x0, rect.y1 - rect.y0, high - low), (x, y, low), 0.0, kind)

    @classmethod
    def flight(
        cls, ramp: bool, at: tuple[float, float, float], run: float, width: float, rise: float, facing: Facing
    ) -> Block:
        """Stairs or a ramp that rise towards `facing`."""
        if ramp:
            return cls(Shape.RAMP, (run, width, rise), at, 90.0 * facing, Kind.RAMP)
        steps = math.ceil(rise / STEP_MM - 1e-9)
        return cls(Shape.STAIRS, (run, width, rise, float(steps)), at, 90.0 * facing, Kind.STAIRS)

    @property
    def rect(self) -> Rect:
        """The rectangle that a box covers; a box that is turned stands square all the same."""
        dx, dy = self.sizes[0] / 2, self.sizes[1] / 2
        if round(self.turn / 90.0) % 2:
            dx, dy = dy, dx
        x, y, _ = self.at
        return Rect(x - dx, y - dy, x + dx, y + dy)

    def front(self, facing: Facing) -> float:
        """Coordinate of the face that looks away from the side it stands at."""
        rect = self.rect
        return (rect.x0, rect.y0, rect.x1, rect.y1)[facing]

    def clipped(self, size: tuple[float, float]) -> Block:
        """A box without what reaches over the board's rim; other shapes as they are."""
        if self.shape is not Shape.BOX or self.turn:
            return self
        r = self.rect
        cut = Rect(max(r.x0, 0.0), max(r.y0, 0.0), min(r.x1, size[0]), min(r.y1, size[1]))
        if cut == r:
            return self
        return replace(
            self,
            sizes=(cut.x1 - cut.x0, cut.y1 - cut.y0, self.sizes[2]),
            at=(*cut.middle, self.at[2]),
        )

    @property
    def sizes_inches(self) -> tuple[float, ...]:
        """The same in inches, as a scene states them."""
        if self.shape is Shape.STAIRS:
            return (*map(inches, self.sizes[:3]), self.sizes[3])
        return tuple(map(inches, self.sizes))

    @property
    def at_inches(self) -> tuple[float, float, float]:
        """The same in inches."""
        x, y, z = self.at
        return (inches(x), inches(y), inches(z))


def opening_of(border: Border, length: float) -> float:
    """Width of a door's opening in a frame of that length, mm."""
    return default_opening(length) if border.opening is None else border.opening


def furniture(
    square: Square, where: tuple[int, int], pitch: float, z: float, rise: float, inset: float
) -> list[Block]:
    """The blocks of a square; stairs and what fills a square are built elsewhere.

    rise: height to the level above for a ladder, to the ceiling for a column. inset: how far a ladder stands off
    its side.
    """
    x, y = (where[0] + 0.5) * pitch, (where[1] + 0.5) * pitch
    facing = square.facing or Facing.EAST
    match square.kind:
        case SquareKind.LADDER:
            dx, dy = facing.step
            out = pitch / 2 - inset - LADDER_DEEP_MM / 2
            sizes = (LADDER_DEEP_MM, square.size[0], rise)
            return [Block(Shape.BOX, sizes, (x + dx * out, y + dy * out, z), 90.0 * facing, Kind.LADDER)]
        case SquareKind.CONSOLE | SquareKind.BARRICADE | SquareKind.CRATE:
            sizes = (square.size[0], square.size[1], square.size[2])
            return [Block(Shape.BOX, sizes, (x, y, z), 90.0 * facing, Kind.OBSTACLE)]
        case SquareKind.COLUMN:
            sizes = (square.size[0], square.size[1], rise)
            return [Block(Shape.BOX, sizes, (x, y, z), 90.0 * facing, Kind.WALL)]
        case _:
            return []
