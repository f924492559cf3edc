"""A scene's pieces become one Terrain: loaded, repaired, measured, placed, joined to the board."""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

from sandbox.errors import UserError
from sandbox.kinds import Kind
from sandbox.scene.model import Board, BoardGround, Piece, Scene
from sandbox.terrain import primitives
from sandbox.terrain.formats.raw import Floats, Indices
from sandbox.terrain.fused import free_standing
from sandbox.terrain.limits import limits, too_many_triangles
from sandbox.terrain.model import BOARD_PIECE, CEILING_PIECE, Ints, Note, Part, Terrain
from sandbox.terrain.place import put
from sandbox.terrain.reading import stand_piece
from sandbox.terrain.standing import Standing
from sandbox.units import mm

__all__ = ["build_terrain", "stand_piece"]

SLAB_MM = 25.0
"""thickness of the board, and of the ceiling."""


def build_terrain(scene: Scene) -> Terrain:
    """The terrain of a scene. UserError, with the scene's file and line, where a model cannot be read."""
    placed: list[tuple[Piece, Standing, Floats]] = []
    count = 0
    most = limits().triangles
    for piece in scene.terrain:
        try:
            standing = stand_piece(piece)
        except UserError as error:
            if error.file is not None:
                raise
            raise scene.error(error.message, piece.loc) from error
        count += len(standing.faces)
        if count > most:
            raise scene.error("with this piece the board " + too_many_triangles(count, most), piece.loc)
        placed.append((piece, standing, put(standing.vertices, piece.turn, piece.at)))
    size = _board_size(scene.board, [vertices for _, _, vertices in placed])
    return _joined(scene.board, size, placed)


def _board_size(board: Board, placed: list[Floats]) -> tuple[float, float]:
    """The board's width and depth, mm; where the scene states none, as far as what lies on it reaches."""
    if board.size is not None:
        return mm(board.size[0]), mm(board.size[1])
    reach = np.max([vertices[:, :2].max(axis=0) for vertices in placed], axis=0) if placed else np.zeros(2)
    return max(float(reach[0]), mm(1.0)), max(float(reach[1]), mm(1.0))


def _slab(size: tuple[float, float], bottom: float, piece: str, kind: Kind) -> tuple[Part, Floats, Indices]:
    vertices, faces = primitives.box(size[0], size[1], SLAB_MM)
    vertices = vertices + np.array((size[0] / 2, size[1] / 2, bottom))
    part = Part(piece, "", kind, bottom, bottom + SLAB_MM, min(size), False, (0.0, 0.0, size[0], size[1]))
    return part, vertices, faces


def _joined(board: Board, size: tuple[float, float], placed: list[tuple[Piece, Standing, Floats]]) -> Terrain:
    """Board, pieces and ceiling as one Terrain."""
    slabs = []
    if board.ground is not BoardGround.PIT:
        kind = Kind.DIFFICULT if board.ground is BoardGround.DIFFICULT else Kind.OPEN
        slabs.append(_slab(size, -SLAB_MM, BOARD_PIECE, kind))
    parts: list[Part] = [part for part, _, _ in slabs]
    vertices = [points for _, points, _ in slabs]
    faces: list[Ints] = [triangles.astype(np.int32) for _, _, triangles in slabs]
    shell: list[Ints] = [np.zeros(len(triangles), dtype=np.int32) for triangles in faces]
    face_part: list[Ints] = [np.zeros(len(triangles), dtype=np.int32) for triangles in faces]
    closed = [np.ones(len(slabs), dtype=bool)]
    notes: list[Note] = []
    held_vertices, held_shells = sum(map(len, vertices)), len(slabs)
    for piece, standing, points in placed:
        face_part.append(standing.part + np.int32(len(parts)))
        parts.extend(_parts(piece.id, standing, points))
        vertices.append(points)
        faces.append(standing.faces + np.int32(held_vertices))
        shell.append(standing.shell + np.int32(held_shells))
        closed.append(standing.closed)
        notes.extend(Note(piece.id, text, warning) for text, warning in standing.notes)
        held_vertices += len(points)
        held_shells += len(standing.closed)
        notes.extend(_beyond(piece, points, size))
    if board.ceiling is not None:
        part, points, triangles = _slab(size, mm(board.ceiling), CEILING_PIECE, Kind.IMPASSABLE)
        faces.append(triangles.astype(np.int32) + np.int32(held_vertices))
        vertices.append(points)
        shell.append(np.full(len(triangles), held_shells, dtype=np.int32))
        face_part.append(np.full(len(triangles), len(parts), dtype=np.int32))
        parts.append(part)
        closed.append(np.ones(1, dtype=bool))
    none = np.zeros((0, 3))
    all_vertices = np.concatenate([none, *vertices])
    all_faces = np.concatenate([none.astype(np.int32), *faces])
    all_shells = np.concatenate([np.zeros(0, dtype=np.int32), *shell])
    all_parts = np.concatenate([np.zeros(0, dtype=np.int32), *face_part])
    all_closed = np.concatenate(closed)
    free = free_standing(all_vertices, all_faces, all_shells, all_parts, all_closed, tuple(parts))
    parts_out = tuple(_freed(part, bool(value)) for part, value in zip(parts, free, strict=True))
    digest = _digest(all_vertices, all_faces, all_shells, all_parts, all_closed, parts_out, size)
    return Terrain(
        all_vertices, all_faces, all_shells, all_parts, all_closed, parts_out, tuple(notes), size, digest
    )


def _parts(piece: str, standing: Standing, points: Floats) -> list[Part]:
    order = np.argsort(standing.part, kind="stable")
    starts = np.searchsorted(standing.part[order], np.arange(len(standing.names)))
    corners = points[standing.faces[order]]
    low = np.minimum.reduceat(np.minimum(np.minimum(corners[:, 0], corners[:, 1]), corners[:, 2]), starts)
    high = np.maximum.reduceat(np.maximum(np.maximum(corners[:, 0], corners[:, 1]), corners[:, 2]), starts)
    rows = zip(standing.names, standing.kinds, standing.widths, low.tolist(), high.tolist(), strict=True)
    return [
        Part(piece, name, kind, a[2], b[2], width, True, (a[0], a[1], b[0], b[1]))
        for name, kind, width, a, b in rows
    ]


def _freed(part: Part, free: bool) -> Part:
    if part.free_standing == free:
        return part
    return Part(
        part.piece, part.name, part.kind, part.low_mm, part.high_mm, part.width_mm, free, part.bounds_mm
    )


def _beyond(piece: Piece, points: Floats, size: tuple[float, float]) -> list[Note]:
    """A warning where a piece reaches over the board's edge by more than written leeway."""
    low, high = points.min(axis=0), points.max(axis=0)
    over = max(-low[0], -low[1], high[0] - size[0], high[1] - size[1])
    if over <= 0.02 * mm(1.0):
        return []
    return [Note(piece.id, f"reaches {over / mm(1.0):.2f} in over the edge of the board", warning=True)]


def _digest(
    vertices: Floats,
    faces: NDArray[np.int32],
    shells: NDArray[np.int32],
    face_part: NDArray[np.int32],
    closed: NDArray[np.bool_],
    parts: tuple[Part, ...],
    size: tuple[float, float],
) -> str:
    mixed = hashlib.blake2b(digest_size=16)
    for array in (vertices, faces, shells, face_part, closed):
        mixed.update(np.ascontiguousarray(array).data)
    mixed.update(repr((parts, size)).encode())
    return mixed.hexdigest()
