"""Small boards as plain arrays, so that the drawing is tested on its own."""

from __future__ import annotations

import numpy as np

from sandbox.kinds import Kind
from sandbox.terrain.model import BOARD_PIECE, Part, Terrain
from sandbox.view.model import Floats

CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=np.float64)
FACES = np.array(
    [
        [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
        [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3],
    ]
)  # fmt: skip
"""of a unit cube, counter-clockwise from outside."""

Block = tuple[str, Kind, tuple[float, float, float], tuple[float, float, float]]
"""piece, kind, low corner and high corner in inches."""


def terrain(blocks: list[Block], size: tuple[float, float] = (12.0, 12.0)) -> Terrain:
    """A table of `size` inches with closed boxes on it."""
    table: Block = (BOARD_PIECE, Kind.OPEN, (0.0, 0.0, -0.25), (*size, 0.0))
    vertices, faces, owner, parts = [], [], [], []
    for number, (piece, kind, low, high) in enumerate([table, *blocks]):
        box = (np.array(low) + CORNERS * (np.array(high) - np.array(low))) * 25.4
        faces.append(FACES + 8 * number)
        vertices.append(box)
        owner.append(np.full(12, number, dtype=np.int32))
        bounds = (box[0, 0], box[0, 1], box[-1, 0], box[-1, 1])
        parts.append(Part(piece, "", kind, box[0, 2], box[-1, 2], 25.4, True, bounds))
    return Terrain(
        vertices=np.concatenate(vertices),
        faces=np.concatenate(faces).astype(np.int32),
        face_shell=np.concatenate(owner),
        face_part=np.concatenate(owner),
        shell_closed=np.ones(len(parts), dtype=np.bool_),
        parts=tuple(parts),
        size_mm=(size[0] * 25.4, size[1] * 25.4),
    )


def disc(
    centre: tuple[float, float], radius: float, z: float = 0.0, *, cost: float = 0.0, success: float = 1.0
) -> Floats:
    """Spots of a disc on a 0.25" grid and on its border, costing their distance from the centre."""
    steps = np.arange(-radius, radius + 0.01, 0.25)
    x, y = (grid.ravel() for grid in np.meshgrid(steps, steps))
    inside = np.hypot(x, y) <= radius
    turn = np.linspace(0, 2 * np.pi, int(2 * np.pi * radius / 0.2), endpoint=False)
    x = np.concatenate([x[inside], radius * np.cos(turn)])
    y = np.concatenate([y[inside], radius * np.sin(turn)])
    one = np.ones(len(x))
    return np.column_stack([centre[0] + x, centre[1] + y, z * one, cost + np.hypot(x, y), success * one])
