"""Smallest meshes by hand: boxes as loose triangles, plates, and what is measured on a result."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sandbox.scene.model import Board, Piece, Scene, Shape
from sandbox.terrain.repair import Solids, repair

Triangles = NDArray[np.float64]

# corners by x, y, z bits; each side counter-clockwise seen from outside
_SIDES = {
    "bottom": (0, 2, 3, 1),
    "top": (4, 5, 7, 6),
    "south": (0, 1, 5, 4),
    "north": (2, 6, 7, 3),
    "west": (0, 4, 6, 2),
    "east": (1, 3, 7, 5),
}


def quad(*corners: Sequence[float]) -> Triangles:
    """(2, 3, 3) triangles of four corners."""
    a, b, c, d = (np.array(corner, dtype=np.float64) for corner in corners)
    return np.array([[a, b, c], [a, c, d]])


def box(
    low: Sequence[float], high: Sequence[float], without: Sequence[str] = (), flip: Sequence[str] = ()
) -> Triangles:
    """(n, 3, 3) triangles of a box from corner to corner, without some sides, some split the other way."""
    ends = np.array([low, high], dtype=np.float64)
    corner = [np.array([ends[k & 1, 0], ends[k >> 1 & 1, 1], ends[k >> 2 & 1, 2]]) for k in range(8)]
    sides = []
    for name, (a, b, c, d) in _SIDES.items():
        if name in without:
            continue
        ring = (b, c, d, a) if name in flip else (a, b, c, d)
        sides.append(quad(*(corner[k] for k in ring)))
    return np.concatenate(sides)


def turned_over(triangles: Triangles) -> Triangles:
    """The same triangles seen from the other side."""
    return triangles[:, ::-1]


def solids(*groups: Triangles) -> Solids:
    """The repair of loose triangles, one node per group."""
    triangles = np.concatenate(groups)
    node = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    return repair(triangles.reshape(-1, 3), np.arange(3 * len(triangles)).reshape(-1, 3), node)


def volume(made: Solids, shell: int | None = None) -> float:
    """Signed volume of one shell, or of all closed ones, mm^3."""
    wanted = made.closed[made.shell] if shell is None else made.shell == shell
    corners = made.vertices[made.faces[wanted]]
    return float(np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6)


def sheet_area(made: Solids) -> float:
    """Area of all faces of open shells, mm^2."""
    corners = made.vertices[made.faces[~made.closed[made.shell]]]
    sides = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return float(np.linalg.norm(sides, axis=1).sum() / 2)


def stl(triangles: Triangles, header: bytes = b"") -> bytes:
    """Binary STL of (n, 3, 3) triangles."""
    rows = b"".join(struct.pack("<12fH", 0, 0, 0, *corners.ravel(), 0) for corners in triangles)
    return header.ljust(80, b" ") + struct.pack("<I", len(triangles)) + rows


def obj(groups: dict[str, Triangles], word: str = "o") -> bytes:
    """OBJ text with one ``o`` or ``g`` per group."""
    lines, count = [], 0
    for name, triangles in groups.items():
        lines.append(f"{word} {name}")
        lines += [f"v {x!r} {y!r} {z!r}" for x, y, z in triangles.reshape(-1, 3).tolist()]
        for _ in triangles:
            lines.append(f"f {count + 1} {count + 2} {count + 3}")
            count += 3
    return "\n".join(lines).encode()


def saved(folder: Path, name: str, data: bytes) -> Path:
    """A file with this content."""
    path = folder / name
    path.write_bytes(data)
    return path


def piece(model: Path, name: str = "it", **rest: object) -> Piece:
    """A placed model, 10 inches from both edges unless said otherwise."""
    settings: dict[str, object] = {"at": (10.0, 10.0, 0.0), **rest}
    return Piece(name, Shape.MODEL, model=model, **settings)  # type: ignore[arg-type]


def shape(kind: Shape, sizes: Sequence[float], name: str = "it", **rest: object) -> Piece:
    """A placed shape, 10 inches from both edges unless said otherwise."""
    settings: dict[str, object] = {"at": (10.0, 10.0, 0.0), **rest}
    return Piece(name, kind, sizes=tuple(sizes), **settings)  # type: ignore[arg-type]


def scene(*pieces: Piece, **board: object) -> Scene:
    """A scene of these pieces."""
    return Scene("test", Path("test.yaml"), board=Board(**board), terrain=pieces)  # type: ignore[arg-type]
