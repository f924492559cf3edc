"""What building a layout starts from: its floors and ceilings, and how pieces are put down. Millimetres."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sandbox.scene.layouts.furniture import Block
from sandbox.scene.layouts.model import Facing, Layout, State, Tile
from sandbox.scene.model import Area, Ductway, Loc, Piece
from sandbox.units import inches

SUNK_MM = 2.0
"""walls of an upper level begin this far inside its floor, so that nothing shows between it and the wall below."""
SHORT_MM = 1.0
"""walls end this far below the floor of the level above, so that their tops are no part of that floor."""
RIM_MM = 1.0
LEAST_MM = 0.05
DOOR_HEIGHT_MM = 50.0
JAMB_MM = 1.0
"""the least that is left of a frame on each side of a door's opening."""
LEAF_MM = 3.0
THRESHOLD_MM = 0.2
NEAR_FLOOR = 0.3
"""inches around a level's floor that its zones and agreed ground reach."""


@dataclass(frozen=True)
class Door:
    """A door or a hatch, and the box that closes it."""

    name: str
    """id of its piece."""
    level: int
    state: State
    leaf: Block
    """what fills its opening when it is closed."""
    opening: float
    """mm."""
    frame: float
    """length of the squares' sides that it stands on, mm."""
    is_hatch: bool = False
    """it lies in a floor."""


class Parts:
    """The pieces of a layout in the making."""

    def __init__(
        self,
        layout: Layout,
        tiles: Mapping[str, Tile],
        line: int | None,
        loc: Loc,
        lift: float,
        cut: float | None,
    ) -> None:
        self.layout = layout
        self.tiles = tiles
        self.line = line
        self.loc = loc
        self.size = (layout.tiles[0] * layout.tile, layout.tiles[1] * layout.tile)
        self.cut = cut
        self.floor = [layout.floor_mm(k) + k * lift for k in range(len(layout.levels))]
        self.rise = [layout.floor_mm(k + 1) - layout.floor_mm(k) for k in range(len(layout.levels) - 1)]
        top = layout.levels[-1]
        self.top = self.floor[-1] + 25.4 * max([top.height, *(s.height for s in top.sections)])
        self.pieces: list[Piece] = []
        self.areas: list[Area] = []
        self.ducts: list[Ductway] = []
        self.doors: list[Door] = []

    # -- parts ------------------------------------------------------------------------------------------------

    def piece(self, name: str, block: Block) -> None:
        """One box, ramp, stairs or mesh, clipped to the board where it is a box."""
        block = block.clipped(self.size)
        if min(block.sizes[:3]) < LEAST_MM:
            return  # the board's rim, or a narrow square, leaves nothing of it
        self.pieces.append(
            Piece(
                id=name,
                shape=block.shape,
                sizes=block.sizes_inches,
                at=block.at_inches,
                turn=block.turn,
                kind=block.kind,
                line=self.line,
                loc=self.loc,
            )
        )

    def ceiling(self, level: int, column: int, row: int) -> float:
        """Height of the ceiling over a square, mm over the table, ignoring what is open above it."""
        drawn = self.layout.levels[level]
        height = drawn.height
        for section in drawn.sections:
            c0, r0, c1, r1 = section.squares
            if c0 <= column <= c1 and r0 <= row <= r1:
                height = section.height
        return self.floor[level] + self._kept(25.4 * height)

    def _kept(self, height: float) -> float:
        """What is left of a height over a floor when walls are cut off."""
        return height if self.cut is None else min(height, self.cut)

    def _top(self, number: int, ceilings: list[float]) -> float:
        """How high what fills a level up reaches: to its ceiling, and to just under the floor above."""
        top = max(ceilings)
        if number + 1 < len(self.layout.levels):
            top = max(top, self.floor[number] + self._kept(self.rise[number] - SHORT_MM))
        return top

    def _on_rim(self, column: int, row: int, facing: Facing) -> bool:
        dx, dy = facing.step
        return not self.layout.levels[0].grid.has(column + dx, row + dy)

    def _duct(self, name: str, ends: list[tuple[float, float]], z: float) -> None:
        start, end = ((inches(x), inches(y), inches(z)) for x, y in ends)
        self.ducts.append(Ductway(name, start, end, self.line, self.loc))
