"""Tiles that are meshes, cut level at a height: what stands there, seen from above."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import shapely

from sandbox.check.plan import Plan
from sandbox.scene.layouts import Loaded
from sandbox.scene.model import Board, Scene
from sandbox.scene.model import Shape as PieceShape
from sandbox.terrain.build import build_terrain
from sandbox.terrain.model import BOARD_PIECE, CEILING_PIECE

CUT_MM = 25.0
"""height over the floor at which they are cut: above kerbs and crates, below the heads of doors."""


def tile_walls(loaded: Loaded, level: int) -> list[shapely.Polygon]:
    """Outlines of what stands in the mesh tiles of a level, with their holes, mm. UserError where a mesh is broken."""
    name = loaded.layout.levels[level].name
    tiles = tuple(
        piece
        for piece in loaded.built.terrain
        if piece.shape is PieceShape.MODEL and piece.id.split(" ")[0] == name
    )
    if not tiles:
        return []
    board = Board(size=loaded.built.board.size)
    terrain = build_terrain(Scene(name, Path(name), board=board, terrain=tiles))
    slab = np.array([part.piece in (BOARD_PIECE, CEILING_PIECE) for part in terrain.parts], np.bool_)
    z = loaded.layout.floor_mm(level) + CUT_MM
    cut = Plan(terrain, slab[terrain.face_part]).band(z, z + 0.5)
    return [one for one in shapely.get_parts(cut) if isinstance(one, shapely.Polygon) and one.area > 1.0]
