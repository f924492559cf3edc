"""A terrain made ready to be shown: vertex rows, creases, light. Plain arrays, so that another process can make them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sandbox.kinds import Kind
from sandbox.terrain.model import BOARD_PIECE, CEILING_PIECE, Terrain
from sandbox.units import MM_PER_INCH, inches
from sandbox.view import meshes, palette, relief
from sandbox.view.palette import Colour

Floats = NDArray[np.float64]

HEADROOM = np.array([0.0, 0.0, 1.0])
"""room above the terrain that the light is worked out for, inches."""


@dataclass(frozen=True, eq=False)
class PieceRows:
    """One piece as the renderer takes it."""

    piece: str
    """id of the piece; ``board`` is the table."""
    corners: NDArray[Any]
    """(n,) of dtype meshes.FACET: its vertices, each once for every colour it has."""
    faces: NDArray[np.uint32]
    """(m, 3) into `corners`."""
    lines: NDArray[Any]
    """(2 m,) of dtype meshes.SOLID: creases; for the table its grid."""
    low: tuple[float, float, float]
    """least corner of its box, inches."""
    high: tuple[float, float, float]
    """greatest corner of its box, inches."""


@dataclass(frozen=True, eq=False)
class Closed:
    """Faces of a piece's closed shells."""

    faces: NDArray[np.uint32]
    """(m, 3) into the piece's corners."""
    low: NDArray[np.float32]
    """(m,) least and greatest height of the shell that each belongs to, inches."""
    high: NDArray[np.float32]

    def across(self, height: float) -> NDArray[np.uint32]:
        """(k, 3) faces of the shells that a level cut at `height` inches opens."""
        return self.faces[(self.low < height) & (self.high > height)]


@dataclass(frozen=True, eq=False)
class Prepared:
    """What stands still on the stage."""

    pieces: tuple[PieceRows, ...]
    closed: dict[str, Closed]
    """by piece: what a level cut opens."""
    sky: relief.Sky
    low: Floats
    """(3,) least corner of everything, inches."""
    high: Floats
    extremes: Floats
    """(n, 3) its outermost points, for framing."""
    size: tuple[float, float]
    """of the table, inches."""
    corners: Floats | None
    """(n, 3, 3) all triangles, inches; None where only drawing is wanted."""

    def sky_under(self, cut: float | None) -> relief.Sky:
        """The light where everything above `cut` inches is gone; needs the corners."""
        if self.corners is None:
            raise ValueError("a terrain prepared for drawing only keeps no triangles")
        above = np.inf if cut is None else cut
        return relief.sky(self.corners, self.low, self.high + HEADROOM, cut=above)

    def drawn_only(self) -> Prepared:
        """The same without what only working out needs, to be sent to the process that draws."""
        return replace(self, corners=None)


def prepare(terrain: Terrain, kinds: tuple[Kind, ...]) -> Prepared:
    """Vertex rows of a terrain whose parts count as `kinds`."""
    shown = np.array([part.piece != CEILING_PIECE for part in terrain.parts], dtype=np.bool_)
    shown = shown[terrain.face_part]
    faces = np.asarray(terrain.faces)[shown]
    part = np.asarray(terrain.face_part)[shown]
    vertices = np.asarray(terrain.vertices, dtype=np.float64) / MM_PER_INCH
    corners = vertices[faces]
    normals = meshes.face_normals(corners)
    size = (inches(terrain.size_mm[0]), inches(terrain.size_mm[1]))
    cloud = np.concatenate([corners.reshape(-1, 3), [np.zeros(3), np.array([*size, 0.5])]])
    low, high = cloud.min(axis=0), cloud.max(axis=0)
    low[2] = max(low[2], -0.5)
    board = np.array([p.piece == BOARD_PIECE for p in terrain.parts], dtype=np.bool_)[part]
    colours = [part_colour(p.piece, kind) for p, kind in zip(terrain.parts, kinds, strict=True)]
    rgb = np.array(colours, dtype=np.uint8).reshape(-1, 3)[part]
    names = list(dict.fromkeys(p.piece for p in terrain.parts))
    owner = np.array([names.index(p.piece) for p in terrain.parts], dtype=np.int64)
    face_owner = owner[part]
    crease = relief.creases(vertices, faces[~board], normals[~board])
    vertex_owner = np.zeros(len(vertices), dtype=np.int64)
    vertex_owner[faces] = face_owner[:, None]
    line_owner = vertex_owner[crease[:, 0]] if len(crease) else np.empty(0, dtype=np.int64)
    shell = np.asarray(terrain.face_shell)[shown]
    shut = np.asarray(terrain.shell_closed)[shell] & ~board
    least, most = _spans(shell, corners[:, :, 2])
    closed: dict[str, Closed] = {}
    by_face = _split(face_owner, len(names))
    by_line = _split(line_owner, len(names))
    pieces = []
    for number, name in enumerate(names):
        own = by_face[number]
        if not len(own):
            continue
        segments = vertices[crease[by_line[number]]] if len(by_line[number]) else np.empty((0, 2, 3))
        shades = _crease_colours(segments)
        if name == BOARD_PIECE:
            segments, shades = _grid(*size)
        box = corners[own].reshape(-1, 3)
        shared, index = _shared(vertices, faces[own], rgb[own])
        inner = own[shut[own]]
        closed[name] = Closed(index[shut[own]], least[inner], most[inner])
        pieces.append(
            PieceRows(
                name,
                shared,
                index,
                meshes.rows(segments, np.broadcast_to((0.0, 0.0, 1.0), segments.shape), shades),
                _triple(box.min(axis=0)),
                _triple(box.max(axis=0)),
            )
        )
    if not any(piece.piece == BOARD_PIECE for piece in pieces):
        grid, shades = _grid(*size)
        flat = np.broadcast_to((0.0, 0.0, 1.0), grid.shape)
        none = np.empty(0, dtype=meshes.FACET), np.empty((0, 3), dtype=np.uint32)
        pieces.insert(
            0, PieceRows(BOARD_PIECE, *none, meshes.rows(grid, flat, shades), (0, 0, 0), (*size, 0))
        )
    return Prepared(
        pieces=tuple(pieces),
        closed=closed,
        sky=relief.sky(corners, low, high + HEADROOM),
        low=low,
        high=high,
        extremes=_extremes(vertices[np.unique(faces[~board])]),
        size=size,
        corners=corners,
    )


def _shared(
    vertices: Floats, faces: NDArray[np.int32], rgb: NDArray[np.uint8]
) -> tuple[NDArray[Any], NDArray[np.uint32]]:
    """Vertex rows of dtype FACET and (m, 3) faces into them; a vertex whose faces differ in colour comes more often."""
    shade = rgb[:, 0].astype(np.int64) << 16 | rgb[:, 1].astype(np.int64) << 8 | rgb[:, 2].astype(np.int64)
    key = faces.astype(np.int64) << 24 | shade[:, None]
    found, index = np.unique(key.reshape(-1), return_inverse=True)
    answer = np.empty(len(found), dtype=meshes.FACET)
    answer["pos"] = vertices[found >> 24]
    for channel in range(3):
        answer["colour"][:, channel] = (found >> (16 - 8 * channel)) & 255
    answer["colour"][:, 3] = 255
    return answer, index.reshape(-1, 3).astype(np.uint32)


def _spans(shell: NDArray[np.int32], heights: Floats) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """(n,) least and greatest height of the shell of each face; shell (n,), heights (n, 3) of their corners."""
    count = int(shell.max(initial=-1)) + 1
    least, most = np.full(count, np.inf, dtype=np.float32), np.full(count, -np.inf, dtype=np.float32)
    np.minimum.at(least, shell, heights.min(axis=1).astype(np.float32))
    np.maximum.at(most, shell, heights.max(axis=1).astype(np.float32))
    return least[shell], most[shell]


def part_colour(piece: str, kind: Kind) -> Colour:
    """Colour of a terrain part: the board's own, else its kind's."""
    return palette.TABLE if piece == BOARD_PIECE else palette.KINDS[kind]


def _triple(values: Floats) -> tuple[float, float, float]:
    return float(values[0]), float(values[1]), float(values[2])


def _split(owner: NDArray[np.int64], count: int) -> list[NDArray[np.intp]]:
    """Rows of each owner 0 to count - 1, in their order."""
    order = np.argsort(owner, kind="stable")
    return np.split(order, np.searchsorted(owner[order], np.arange(1, count)))


def _grid(width: float, depth: float) -> tuple[Floats, NDArray[np.uint8]]:
    """Lines of a 1" grid on the table, every sixth one stronger: (n, 2, 3) inches and (n, 4) colours."""
    segments: list[list[list[float]]] = []
    colours: list[tuple[int, int, int, int]] = []
    for along, across, turned in ((width, depth, False), (depth, width, True)):
        for k in range(int(along + 1e-6) + 1):
            line = [[float(k), 0.0, 0.0], [float(k), across, 0.0]]
            segments.append([[y, x, z] for x, y, z in line] if turned else line)
            colours.append((*palette.TABLE_GRID, 190 if k % 6 == 0 else 85))
    return np.array(segments, dtype=np.float64).reshape(-1, 2, 3), np.array(colours, np.uint8).reshape(-1, 4)


def _extremes(points: Floats) -> Floats:
    """(n, 3) the outermost of (n, 3) points in sixty directions, enough to frame a camera by."""
    if not len(points):
        return np.empty((0, 3))
    turn = np.arange(60) * 2.39996
    height = np.linspace(-1, 1, 60)
    around = np.sqrt(1 - height**2)
    directions = np.stack([around * np.cos(turn), around * np.sin(turn), height])
    far = directions.T.astype(np.float32) @ np.ascontiguousarray(points.T, dtype=np.float32)
    return np.asarray(points[far.argmax(axis=1)])


def _crease_colours(segments: Floats) -> NDArray[np.uint8]:
    """Long edges in full strength, short ones fainter, so that fine detail does not turn black from afar."""
    length = np.linalg.norm(segments[:, 1] - segments[:, 0], axis=1)
    strength = np.clip(0.06 + 0.5 * length, 0.06, 0.8)
    rgb = np.tile(np.array(palette.CREASE, dtype=np.uint8), (len(segments), 1))
    return np.asarray(np.column_stack([rgb, np.round(strength * 255).astype(np.uint8)]))
