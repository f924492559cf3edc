"""A model file becomes named nodes of raw triangles: the one door through which meshes come in."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path

from sandbox.errors import UserError
from sandbox.terrain.formats.gltf import read_gltf
from sandbox.terrain.formats.obj import read_obj
from sandbox.terrain.formats.ply_off import read_off, read_ply
from sandbox.terrain.formats.raw import RawModel, allow, checked
from sandbox.terrain.formats.stl import read_stl
from sandbox.terrain.formats.threemf import read_3mf
from sandbox.terrain.limits import limits, too_large

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


def load_model(file: Path) -> RawModel:
    """Nodes of a model file, read in this process.

    UserError with file and reason where it cannot be read, holds no triangle, or is beyond a limit (`limits`).
    """
    reader = READERS.get(file.suffix.lower())
    if reader is None:
        known = ", ".join(READERS)
        raise UserError(
            f"is of a format that is not read ({file.suffix or 'no suffix'}); use {known}", file=file
        )
    data = _content(file, limits().file_bytes)
    if not data.strip(b"\0\t\r\n "):
        raise UserError("is empty", file=file)
    if data.startswith(_POINTER):
        raise UserError("is a Git LFS pointer, not the model itself; fetch it with 'git lfs pull'", file=file)
    model = reader(data, file)
    del data
    allow(model.triangles, len(model.nodes), file)
    return checked(model, file)


def _content(file: Path, most: int) -> bytes:
    """What is in an ordinary file; devices and pipes, which may never end, are refused."""
    try:
        held = file.stat()
        if not stat.S_ISREG(held.st_mode):
            raise UserError("is no ordinary file; a model is wanted", file=file)
        if held.st_size > most:
            raise UserError(too_large(held.st_size, most), file=file)
        with file.open("rb") as stream:
            return stream.read(held.st_size)
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror or error}", file=file) from error
