"""Doors of a layout as what is printed: a frame in one piece, and a leaf, whichever way they stand and open or not."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sandbox.scene.layouts import Door
from sandbox.scene.model import Piece, Scene
from sandbox.units import mm

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
_CAP = ((0, 1, 2), (0, 2, 7), (7, 2, 3), (7, 3, 6), (3, 4, 5), (3, 5, 6))
"""triangles of the outline of a frame, counter-clockwise."""
_BOX = ((0, 1, 2), (0, 2, 3))


class Mesh:
    """A part of a door, its length along x, standing on z = 0; mm."""

    def __init__(
        self, what: str, outline: Floats, cap: tuple[tuple[int, int, int], ...], thick: float
    ) -> None:
        """outline: (n, 2) x and z, counter-clockwise seen from the south; cap: its triangles."""
        self.what = what
        count = len(outline)
        low = outline.min(axis=0)
        long, high = outline.max(axis=0) - low
        self.name = f"door-{what}-{long:.0f}x{thick:.0f}x{high:.0f}"
        middle = np.array([low[0] + long / 2, low[1]])
        flat = outline - middle
        front, back = (
            np.column_stack([flat[:, 0], np.full(count, y), flat[:, 1]]) for y in (-thick / 2, thick / 2)
        )
        self.vertices: Floats = np.vstack([front, back])
        sides = [
            face
            for k in range(count)
            for face in (
                (k, k + count, (k + 1) % count),
                ((k + 1) % count, k + count, (k + 1) % count + count),
            )
        ]
        caps = [*cap, *((a + count, c + count, b + count) for a, b, c in cap)]
        self.faces: Ints = np.array([*caps, *sides], np.int32)

    @property
    def key(self) -> tuple[object, ...]:
        """What is alike has the same."""
        return (self.what, tuple(np.round(self.vertices, 2).ravel().tolist()))


def doors_of(scene: Scene) -> Iterator[tuple[list[Mesh], set[str]]]:
    """Of each door of a scene's layout its parts, and the names of the pieces that they stand for."""
    if scene.layout is None:
        return
    pieces = {piece.id: piece for piece in scene.terrain}
    for door in scene.layout.built.doors:
        jambs = [pieces[name] for k in (1, 2) if (name := f"{door.name} jamb-{k}") in pieces]
        if door.is_hatch or door.name not in pieces or len(jambs) != 2:
            continue
        lintel = pieces.get(f"{door.name} lintel")
        mine = {door.name, *(piece.id for piece in jambs), *([lintel.id] if lintel else [])}
        yield [*_frame(door, jambs, lintel), _leaf(door)], mine


def _leaf(door: Door) -> Mesh:
    rect = door.leaf.rect
    long, thick = sorted((rect.x1 - rect.x0, rect.y1 - rect.y0), reverse=True)
    high = door.leaf.sizes[2]
    return Mesh("leaf", np.array([[0.0, 0.0], [long, 0.0], [long, high], [0.0, high]]), _BOX, thick)


def _frame(door: Door, jambs: list[Piece], lintel: Piece | None) -> Iterator[Mesh]:
    rect = door.leaf.rect
    axis = 1 if rect.x1 - rect.x0 < rect.y1 - rect.y0 else 0
    (a0, a1), (b0, b1) = sorted(_reach(piece, axis) for piece in jambs)
    if b1 - b0 > a1 - a0:  # turned by half a turn it is the same frame
        a0, a1, b0, b1 = -b1, -b0, -a1, -a0
    thick = mm(jambs[0].sizes[1 - axis])
    low, high = mm(jambs[0].at[2]), mm(jambs[0].at[2] + jambs[0].sizes[2])
    if lintel is None:
        for start, end in ((a0, a1), (b0, b1)):
            yield Mesh("jamb", np.array([[start, low], [end, low], [end, high], [start, high]]), _BOX, thick)
        return
    head = mm(lintel.at[2])
    outline = [[a0, low], [a1, low], [a1, head], [b0, head], [b0, low], [b1, low], [b1, high], [a0, high]]
    yield Mesh("frame", np.array(outline), _CAP, thick)


def _reach(piece: Piece, axis: int) -> tuple[float, float]:
    middle, half = mm(piece.at[axis]), mm(piece.sizes[axis]) / 2
    return middle - half, middle + half
