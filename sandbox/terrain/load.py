"""A model file becomes named nodes of raw triangles: the one door through which meshes come in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sandbox.errors import UserError
from sandbox.terrain.formats.gltf import read_gltf
from sandbox.terrain.formats.obj import read_obj
from sandbox.terrain.formats.ply_off import read_off, read_ply
from sandbox.terrain.formats.raw import RawModel, checked
from sandbox.terrain.formats.stl import read_stl
from sandbox.terrain.formats.threemf import read_3mf

Reader = Callable[[bytes, Path], RawModel]

READERS: dict[str, Reader] = {
    ".stl": read_stl,
    ".obj": read_obj,
    ".glb": read_gltf,
    ".gltf": read_gltf,
    ".ply": read_ply,
    ".off": read_off,
    ".3mf": read_3mf,
}
"""readers by lower-case suffix."""

_POINTER = b"version https://git-lfs.github.com/spec"
MAX_BYTES = 2_000_000_000
"""larger files are refused unread."""


def load_model(file: Path) -> RawModel:
    """Nodes of a model file; UserError with file and reason where it cannot be read or holds no triangle."""
    reader = READERS.get(file.suffix.lower())
    if reader is None:
        known = ", ".join(READERS)
        raise UserError(
            f"is of a format that is not read ({file.suffix or 'no suffix'}); use {known}", file=file
        )
    try:
        if file.stat().st_size > MAX_BYTES:
            raise UserError(f"is larger than {MAX_BYTES // 1_000_000} MB; make it coarser", file=file)
        data = file.read_bytes()
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror or error}", file=file) from error
    if not data.strip(b"\0\t\r\n "):
        raise UserError("is empty", file=file)
    if data.startswith(_POINTER):
        raise UserError("is a Git LFS pointer, not the model itself; fetch it with 'git lfs pull'", file=file)
    return checked(reader(data, file), file)
