"""A layout under one rule pack, ready to be asked: every door that can be opened stands open, and nobody is about.

Doors are shut again in a question (see `ways`), so that ground is built once for each base.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sandbox.errors import UserError
from sandbox.files import read_yaml
from sandbox.moves.battlefield import Battlefield
from sandbox.rules import Pack, load_pack
from sandbox.scene import DEFAULT_RULES, Scene, load_scene
from sandbox.scene.layouts import Door, Layout, Level, Loaded, SquareKind, State, load_layout, read_layout
from sandbox.scene.layouts.names import square_name
from sandbox.terrain.build import build_terrain
from sandbox.units import inches, mm

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Node = tuple[int, int, int]
"""A square: level, column, row."""


@dataclass(frozen=True, eq=False)
class Board:
    """A layout with its battlefield."""

    loaded: Loaded
    scene: Scene
    """as it was written."""
    field: Battlefield
    """with every door open that can be opened, without fighters."""
    pack: Pack

    @property
    def layout(self) -> Layout:
        """The layout."""
        return self.loaded.layout

    @property
    def doors(self) -> tuple[Door, ...]:
        """All doors and hatches; locked ones stay shut."""
        return self.loaded.built.doors

    @cached_property
    def move(self) -> float:
        """Inches of one Move of a usual fighter under the pack."""
        return float(self.pack.for_fighter().profile["M"])

    @cached_property
    def floors(self) -> Floats:
        """(levels,) height of each floor, inches."""
        return np.array([inches(self.layout.floor_mm(k)) for k in range(len(self.layout.levels))])

    @property
    def square(self) -> float:
        """Side of a square, inches."""
        return inches(self.layout.pitch)

    def room_over(self, node: Node) -> float:
        """Height of the ceiling over a square's floor, mm; inf where the level above is open there."""
        level, column, row = node
        levels = self.layout.levels
        if level + 1 < len(levels) and levels[level + 1].grid.squares[row][column].kind is SquareKind.HOLE:
            return float("inf")
        heights = [
            section.height
            for section in levels[level].sections
            if section.squares[0] <= column <= section.squares[2]
            and section.squares[1] <= row <= section.squares[3]
        ]
        return mm(heights[-1] if heights else levels[level].height)

    def level_of(self, z: Floats) -> Ints:
        """(n,) the level that heights (n,) in inches belong to: that of the floor below them."""
        return np.clip(np.searchsorted(self.floors, z + 0.08, side="right") - 1, 0, len(self.floors) - 1)

    def nodes_of(self, points: Floats) -> Ints:
        """(n, 3) level, column and row of (n, 3) points in inches."""
        column = np.clip(np.floor(points[:, 0] / self.square), 0, self.layout.width - 1)
        row = np.clip(np.floor(points[:, 1] / self.square), 0, self.layout.depth - 1)
        nodes = np.column_stack([self.level_of(points[:, 2]), column, row]).astype(np.int64)
        nodes[:, 0] -= self._head_of_stairs[nodes[:, 0], nodes[:, 1], nodes[:, 2]]
        return nodes

    @cached_property
    def _head_of_stairs(self) -> Ints:
        """(levels, columns, rows) 1 where a square is open above stairs, whose last tread is as high as its floor."""
        layout = self.layout
        there = np.zeros((len(layout.levels), layout.width, layout.depth), np.int64)
        for k in range(1, len(layout.levels)):
            for r in range(layout.depth):
                for c in range(layout.width):
                    stairs = self.kind((k - 1, c, r)) in (SquareKind.STAIRS, SquareKind.RAMP)
                    there[k, c, r] = int(stairs and self.kind((k, c, r)) is SquareKind.HOLE)
        return there

    def middle(self, node: Node) -> tuple[float, float, float]:
        """The middle of a square on its floor, inches."""
        level, column, row = node
        return ((column + 0.5) * self.square, (row + 0.5) * self.square, float(self.floors[level]))

    def name(self, node: Node) -> str:
        """``main C4``; without the level's name where there is only one."""
        place = square_name(node[1], node[2])
        return f"{self.level(node[0]).name} {place}" if len(self.layout.levels) > 1 else place

    def level(self, number: int) -> Level:
        """A level by its number."""
        return self.layout.levels[number]

    def kind(self, node: Node) -> SquareKind:
        """What a square was drawn as."""
        return self.level(node[0]).grid.squares[node[2]][node[1]].kind

    def marked(self, name: str, marks: dict[str, str]) -> list[Node]:
        """Squares that bear the mark of a zone or point."""
        signs = {mark for mark, called in marks.items() if called == name}
        return [
            (k, c, r)
            for k, level in enumerate(self.layout.levels)
            for r, row in enumerate(level.marks)
            for c, mark in enumerate(row)
            if mark in signs
        ]

    @cached_property
    def zones(self) -> dict[str, list[Node]]:
        """Squares of each zone by its name."""
        names = dict.fromkeys(self.layout.zones.values())
        return {name: self.marked(name, dict(self.layout.zones)) for name in names}

    @cached_property
    def points(self) -> dict[str, list[Node]]:
        """Squares of each point by its name."""
        names = dict.fromkeys(self.layout.points.values())
        return {name: self.marked(name, dict(self.layout.points)) for name in names}


def open_board(path: str | Path, rules: str | Path | None = None) -> Board:
    """The board of a scene file with a layout, or of a layout file. UserError where there is no layout."""
    scene = layout_scene(Path(path))
    pack = load_pack(rules if rules is not None else scene.rules, relative_to=scene.path.parent)
    return board_of(scene, pack)


def board_of(scene: Scene, pack: Pack) -> Board:
    """The board of a scene that has a layout. UserError where it has none."""
    loaded = scene.layout
    if loaded is None:
        raise UserError(
            "the scene has no `layout:`; `sandbox check` judges builds and open boards", file=scene.path
        )
    shut = {door.name for door in loaded.built.doors if door.state is State.CLOSED}
    terrain = tuple(piece for piece in scene.terrain if piece.id not in shut)
    opened = replace(scene, terrain=terrain, fighters=())
    return Board(loaded, scene, Battlefield(opened, pack, build_terrain(opened), strict=False), pack)


def layout_scene(path: Path) -> Scene:
    """The scene of a scene file, or of a layout file that holds nothing but a layout."""
    document = read_yaml(path)
    if "levels" not in document.plain:
        return load_scene(path)
    document, entry = read_layout(path)
    loaded = load_layout(document, entry, ())
    built = loaded.built
    return Scene(
        name=path.stem,
        path=path,
        rules=DEFAULT_RULES,
        board=built.board,
        terrain=built.terrain,
        areas=built.areas,
        ductways=built.ductways,
        zones=built.zones,
        points=built.points,
        document=document,
        layout=loaded,
    )
