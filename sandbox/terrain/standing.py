"""A piece repaired and measured, standing unturned over the origin; and its form as one block of bytes.

The block is what the reading process sends and what the cache keeps: a line that names format and length, a JSON
header, the arrays. It holds numbers and texts and nothing that could be executed.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sandbox.kinds import Kind
from sandbox.terrain.model import Bools, Floats, Ints

MAGIC = b"sandbox mesh 1\n"
_ALIGN = 64
_ARRAYS = {"vertices": "<f8", "faces": "<i4", "shell": "<i4", "part": "<i4", "closed": "|b1"}


@dataclass(frozen=True, eq=False)
class Standing:
    """One piece over the origin. Turning and moving it costs next to nothing."""

    vertices: Floats
    """(n, 3) float64 mm."""
    faces: Ints
    """(m, 3) int32."""
    shell: Ints
    """(m,) int32."""
    part: Ints
    """(m,) int32."""
    closed: Bools
    """(s,)"""
    names: tuple[str, ...]
    """(p,) node path of each part."""
    kinds: tuple[Kind, ...]
    """(p,)"""
    widths: tuple[float, ...]
    """(p,) mm."""
    notes: tuple[tuple[str, bool], ...]
    """(text, whether it is a warning)"""
    beside: tuple[tuple[str, str], ...] = ()
    """files that the model refers to: (name relative to its folder, content hash)."""


def pack(standing: Standing) -> list[bytes | memoryview]:
    """The block of a piece, in pieces to be written one after another."""
    arrays = {name: np.ascontiguousarray(getattr(standing, name), kind) for name, kind in _ARRAYS.items()}
    header = json.dumps(
        {
            "shapes": {name: array.shape for name, array in arrays.items()},
            "names": standing.names,
            "kinds": standing.kinds,
            "widths": standing.widths,
            "notes": standing.notes,
            "beside": standing.beside,
        }
    ).encode()
    out: list[bytes | memoryview] = [MAGIC, len(header).to_bytes(8, "little"), header]
    held = len(MAGIC) + 8 + len(header)
    for array in arrays.values():
        out.append(b"\0" * (-held % _ALIGN))
        out.append(array.reshape(-1).view(np.uint8).data if array.size else b"")
        held += -held % _ALIGN + array.nbytes
    return out


def unpack(block: bytearray) -> Standing:
    """The piece of a block; ValueError, KeyError or TypeError where it is not whole."""
    if not block.startswith(MAGIC):
        raise ValueError("not a mesh block")
    at = len(MAGIC) + 8
    size = int.from_bytes(block[len(MAGIC) : at], "little")
    if at + size > len(block):
        raise ValueError("a mesh block that is cut short")
    header = json.loads(block[at : at + size])
    at += size
    arrays: dict[str, NDArray[np.generic]] = {}
    for name, kind in _ARRAYS.items():
        shape = tuple(int(length) for length in header["shapes"][name])
        at += -at % _ALIGN
        count = int(np.prod(shape, dtype=np.int64))
        arrays[name] = np.frombuffer(block, dtype=kind, count=count, offset=at).reshape(shape)
        at += arrays[name].nbytes
    if at != len(block):
        raise ValueError("a mesh block with more than it names")
    return Standing(
        **arrays,  # type: ignore[arg-type]
        names=tuple(header["names"]),
        kinds=tuple(Kind(kind) for kind in header["kinds"]),
        widths=tuple(float(width) for width in header["widths"]),
        notes=tuple((str(text), bool(warning)) for text, warning in header["notes"]),
        beside=tuple((str(name), str(digest)) for name, digest in header["beside"]),
    )
