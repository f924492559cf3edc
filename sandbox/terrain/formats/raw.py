"""What every reader hands on: nodes of raw triangles with their names, in the file's own units and axes."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from sandbox.errors import UserError
from sandbox.scene.model import Unit, UpAxis
from sandbox.terrain.limits import limits, too_many_parts, too_many_triangles

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class RawNode:
    """One named node: its triangles, already moved to where the file's scene graph puts them."""

    path: tuple[str, ...]
    """names from the root to the node; empty where the file names nothing."""
    vertices: Floats
    """(n, 3) float64, file units."""
    faces: Indices
    """(m, 3) int64 into `vertices`, in the file's order."""


@dataclass(frozen=True, eq=False)
class RawModel:
    """A file as it was read."""

    nodes: tuple[RawNode, ...]
    unit: Unit = Unit.MM
    """what the format says its numbers are; a scene may say otherwise."""
    up: UpAxis = UpAxis.Z
    notes: tuple[str, ...] = ()
    """what is odd about the file and was put up with."""
    beside: tuple[tuple[str, str], ...] = ()
    """files it refers to: (name relative to its folder, hash of the content)."""

    @property
    def triangles(self) -> int:
        """Number of triangles of all nodes."""
        return sum(len(node.faces) for node in self.nodes)


def checked(model: RawModel, file: Path) -> RawModel:
    """The model without its empty nodes; UserError where nothing is left or a number is not finite."""
    nodes = tuple(node for node in model.nodes if len(node.faces))
    if not nodes:
        raise UserError("has no triangles, so there is nothing to stand on", file=file)
    for node in nodes:
        # stray vertices that no face uses may be anything
        if not np.isfinite(node.vertices).all() and not np.isfinite(node.vertices[node.faces]).all():
            where = f" in {'/'.join(node.path)!r}" if node.path else ""
            raise UserError(f"has coordinates that are not finite numbers{where}; mend the model", file=file)
    return RawModel(nodes, model.unit, model.up, model.notes, model.beside)


def allow(triangles: int, parts: int, file: Path, *, counted: bool = True) -> None:
    """UserError where a file has, or promises, more triangles or parts than may be read.

    counted: whether these are all of them, or only those so far.
    """
    allowed = limits()
    if triangles > allowed.triangles:
        raise UserError(too_many_triangles(triangles, allowed.triangles, counted=counted), file=file)
    if parts > allowed.parts:
        raise UserError(too_many_parts(parts, allowed.parts, counted=counted), file=file)


def content_hash(data: bytes) -> str:
    """Hash of a file's content, as the cache of meshes knows it."""
    return hashlib.blake2b(data, digest_size=20).hexdigest()


def beside(reference: str, file: Path) -> Path:
    """Path of a file that `file` refers to; UserError for network addresses and anything outside its folder."""
    if "://" in reference or reference.startswith(("//", "\\\\")):
        raise UserError(
            f"refers to the address {reference!r}; only files beside the model are read", file=file
        )
    folder = file.parent.resolve()
    target = (folder / unquote(reference).replace("\\", "/")).resolve()
    if not target.is_relative_to(folder):
        raise UserError(
            f"refers to {reference!r}, outside its own folder; put that file beside it", file=file
        )
    if not target.is_file():
        raise UserError(f"refers to {reference!r}, which is not there; put that file beside it", file=file)
    return target
