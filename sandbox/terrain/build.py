"""A scene's pieces become one Terrain: loaded, repaired, measured, placed, joined to the board."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from sandbox.errors import UserError
from sandbox.kinds import Kind
from sandbox.scene.model import Board, BoardGround, Piece, Scene, Shape
from sandbox.terrain import primitives
from sandbox.terrain.formats.raw import Floats, Indices, RawModel, RawNode
from sandbox.terrain.fused import free_standing
from sandbox.terrain.load import load_model
from sandbox.terrain.measure import gather_parts, measure_parts
from sandbox.terrain.model import BOARD_PIECE, CEILING_PIECE, Note, Part, Terrain
from sandbox.terrain.naming import name_kinds
from sandbox.terrain.place import put, stand, upright
from sandbox.terrain.plausible import size_note
from sandbox.terrain.repair import Solids, repair
from sandbox.units import mm

SLAB_MM = 25.0
"""thickness of the board, and of the ceiling."""
_KEPT = 64

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Standing:
    """One piece, repaired and measured, standing unturned over the origin. Turning and moving it costs next to nothing."""

    vertices: Floats
    """(n, 3) float64 mm."""
    faces: Indices
    """(m, 3)"""
    shell: Indices
    """(m,)"""
    part: Indices
    """(m,)"""
    closed: NDArray[np.bool_]
    """(s,)"""
    names: tuple[str, ...]
    """(p,) node path of each part."""
    kinds: tuple[Kind, ...]
    """(p,)"""
    widths: tuple[float, ...]
    """(p,) mm."""
    notes: tuple[Note, ...]


@dataclass(frozen=True, eq=False)
class _Own:
    """A model in its own frame, mm, z up."""

    solids: Solids
    paths: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]
    unit: str


class _Shelf:
    """The results that were asked for last, by content."""

    def __init__(self, room: int) -> None:
        self._held: OrderedDict[Hashable, object] = OrderedDict()
        self._room = room

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """What is held under `key`, made where it is not."""
        if key in self._held:
            self._held.move_to_end(key)
            return self._held[key]  # type: ignore[return-value]
        made = make()
        self._held[key] = made
        while len(self._held) > self._room:
            self._held.popitem(last=False)
        return made


_OWN = _Shelf(_KEPT)
_STANDING = _Shelf(_KEPT)


def build_terrain(scene: Scene) -> Terrain:
    """The terrain of a scene. UserError, with the scene's file and line, where a model cannot be read."""
    placed: list[tuple[Piece, Standing, Floats]] = []
    for piece in scene.terrain:
        try:
            standing = stand_piece(piece)
        except UserError as error:
            if error.file is not None:
                raise
            raise scene.error(error.message, piece.loc) from error
        placed.append((piece, standing, put(standing.vertices, piece.turn, piece.at)))
    size = _board_size(scene.board, [vertices for _, _, vertices in placed])
    return _joined(scene.board, size, placed)


def stand_piece(piece: Piece) -> Standing:
    """A piece repaired, with its kinds and sizes, unturned over the origin; from the shelf where nothing changed."""
    own_key: tuple[Hashable, ...]
    if piece.shape is Shape.MODEL:
        assert piece.model is not None
        try:
            stat = piece.model.stat()
        except OSError as error:
            raise UserError(f"cannot be read: {error.strerror or error}", file=piece.model) from error
        own_key = (str(piece.model), stat.st_mtime_ns, stat.st_size, piece.units, piece.up, piece.scale)
    else:
        own_key = (piece.shape, piece.sizes)
    key = (own_key, piece.id, piece.tilt, piece.anchor, piece.kind, piece.parts, piece.marks)
    return _STANDING.get(key, lambda: _standing(piece, _OWN.get(own_key, lambda: _own(piece))))


def _own(piece: Piece) -> _Own:
    """The model of a piece in its own frame, repaired."""
    if piece.shape is Shape.MODEL:
        assert piece.model is not None
        model = load_model(piece.model)
        unit, up = piece.units or model.unit, piece.up or model.up
        vertices, faces, node = _gathered(model)
        solids = repair(upright(vertices, unit, up, piece.scale), faces, node)
        if len(solids.faces) == 0:
            raise UserError(
                "has only triangles without area, so there is nothing to stand on", file=piece.model
            )
        return _Own(solids, tuple(entry.path for entry in model.nodes), model.notes, str(unit))
    vertices, faces = _shape(piece)
    solids = repair(vertices, faces, np.zeros(len(faces), dtype=np.int64))
    return _Own(solids, ((),), (), "in")


def _shape(piece: Piece) -> primitives.Mesh:
    sizes = [mm(value) for value in piece.sizes]
    match piece.shape:
        case Shape.BOX:
            return primitives.box(*sizes)
        case Shape.CYLINDER:
            return primitives.cylinder(*sizes)
        case Shape.RAMP:
            return primitives.ramp(*sizes)
        case _:
            return primitives.stairs(sizes[0], sizes[1], sizes[2], round(piece.sizes[3]))


def _gathered(model: RawModel) -> tuple[Floats, Indices, Indices]:
    """All nodes as one: vertices, faces, the node of each face."""
    nodes: tuple[RawNode, ...] = model.nodes
    before = np.cumsum([0, *(len(entry.vertices) for entry in nodes)])
    faces = np.concatenate([entry.faces + before[k] for k, entry in enumerate(nodes)])
    node = np.repeat(np.arange(len(nodes)), [len(entry.faces) for entry in nodes])
    return np.concatenate([entry.vertices for entry in nodes]), faces, node


def _standing(piece: Piece, own: _Own) -> Standing:
    solids = own.solids
    named = name_kinds(
        own.paths,
        solids.vertices,
        solids.faces,
        solids.node,
        solids.shell,
        piece.kind,
        piece.parts,
        piece.marks,
    )
    part = gather_parts(
        solids.vertices, solids.faces, solids.node, named.of_face, named.mark, solids.shell, solids.closed
    )
    vertices = stand(solids.vertices, piece.tilt, piece.anchor)
    sizes = measure_parts(vertices, solids.faces, part, solids.closed[solids.shell])
    _, first = np.unique(part, return_index=True)
    notes = [Note(piece.id, text) for text in (*own.notes, *solids.notes)]
    notes += [Note(piece.id, text, warning=True) for text in (*solids.warnings, *named.unused)]
    if piece.shape is Shape.MODEL:
        odd = size_note(vertices, own.unit, piece)
        notes += [] if odd is None else [odd]
    return Standing(
        vertices,
        solids.faces,
        solids.shell,
        part,
        solids.closed,
        tuple("/".join(own.paths[k]) for k in solids.node[first]),
        tuple(named.kind[k] for k in named.of_face[first]),
        tuple(float(width) for width in sizes.width),
        tuple(notes),
    )


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
    faces = [triangles for _, _, triangles in slabs]
    shell = [np.zeros(len(triangles), dtype=np.int64) for triangles in faces]
    face_part = [np.zeros(len(triangles), dtype=np.int64) for triangles in faces]
    closed = [np.ones(len(slabs), dtype=bool)]
    notes: list[Note] = []
    held_vertices, held_shells = sum(map(len, vertices)), len(slabs)
    for piece, standing, points in placed:
        face_part.append(standing.part + len(parts))
        parts.extend(_parts(piece.id, standing, points))
        vertices.append(points)
        faces.append(standing.faces + held_vertices)
        shell.append(standing.shell + held_shells)
        closed.append(standing.closed)
        notes.extend(standing.notes)
        held_vertices += len(points)
        held_shells += len(standing.closed)
        notes.extend(_beyond(piece, points, size))
    if board.ceiling is not None:
        part, points, triangles = _slab(size, mm(board.ceiling), CEILING_PIECE, Kind.IMPASSABLE)
        faces.append(triangles + held_vertices)
        vertices.append(points)
        shell.append(np.full(len(triangles), held_shells))
        face_part.append(np.full(len(triangles), len(parts)))
        parts.append(part)
        closed.append(np.ones(1, dtype=bool))
    none = np.zeros((0, 3))
    all_vertices = np.concatenate([none, *vertices])
    all_faces = np.concatenate([none.astype(np.int32), *faces]).astype(np.int32)
    all_shells = np.concatenate([np.zeros(0, dtype=np.int32), *shell]).astype(np.int32)
    all_parts = np.concatenate([np.zeros(0, dtype=np.int32), *face_part]).astype(np.int32)
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
