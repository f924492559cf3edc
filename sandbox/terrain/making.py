"""A piece read, repaired, named and measured: all the work that a model file can make go wrong.

`sandbox.terrain.reading` has it done in a process of its own; shapes, which are our own, are made on the spot.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sandbox.errors import UserError
from sandbox.scene.model import Piece, Shape, Unit, UpAxis
from sandbox.terrain import primitives
from sandbox.terrain.formats.raw import Floats, Indices, RawModel
from sandbox.terrain.limits import limits, too_many_parts
from sandbox.terrain.load import load_model
from sandbox.terrain.measure import gather_parts, measure_parts
from sandbox.terrain.naming import name_kinds
from sandbox.terrain.place import stand, upright
from sandbox.terrain.plausible import size_note
from sandbox.terrain.repair import Solids, repair
from sandbox.terrain.standing import Standing
from sandbox.units import mm


@dataclass(frozen=True, eq=False)
class OwnModel:
    """A model in its own frame, mm, z up."""

    solids: Solids
    paths: tuple[tuple[str, ...], ...]
    """(n,) path of each node."""
    notes: tuple[str, ...]
    unit: Unit
    beside: tuple[tuple[str, str], ...] = ()


def own_model(file: Path, units: Unit | None, up: UpAxis | None, scale: float) -> OwnModel:
    """A model file read and repaired; UserError with file and reason where that cannot be."""
    model = load_model(file)
    unit, axis = units or model.unit, up or model.up
    vertices, faces, node = _gathered(model)
    paths, notes, beside = tuple(entry.path for entry in model.nodes), model.notes, model.beside
    del model
    solids = repair(upright(vertices, unit, axis, scale), faces, node)
    if len(solids.faces) == 0:
        raise UserError("has only triangles without area, so there is nothing to stand on", file=file)
    most = limits().parts
    if len(solids.closed) > most:
        raise UserError(too_many_parts(len(solids.closed), most), file=file)
    return OwnModel(solids, paths, notes, unit, beside)


def own_shape(piece: Piece) -> OwnModel:
    """A shape as if it had been read."""
    vertices, faces = _shape(piece)
    solids = repair(vertices, faces, np.zeros(len(faces), dtype=np.int64))
    return OwnModel(solids, ((),), (), Unit.INCH)


def stand_model(piece: Piece, own: OwnModel) -> Standing:
    """A model with its kinds and sizes, tilted, standing unturned over the origin."""
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
    notes = [(text, False) for text in (*own.notes, *solids.notes)]
    notes += [(text, True) for text in (*solids.warnings, *named.unused)]
    if piece.shape is Shape.MODEL:
        odd = size_note(vertices, own.unit, piece.scale)
        notes += [] if odd is None else [(odd, True)]
    return Standing(
        vertices,
        solids.faces.astype(np.int32),
        solids.shell.astype(np.int32),
        part.astype(np.int32),
        solids.closed,
        tuple("/".join(own.paths[k]) for k in solids.node[first]),
        tuple(named.kind[k] for k in named.of_face[first]),
        tuple(float(width) for width in sizes.width),
        tuple(notes),
        own.beside,
    )


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
    nodes = model.nodes
    before = np.cumsum([0, *(len(entry.vertices) for entry in nodes)])
    faces = np.concatenate([entry.faces + before[k] for k, entry in enumerate(nodes)])
    node = np.repeat(np.arange(len(nodes)), [len(entry.faces) for entry in nodes])
    return np.concatenate([entry.vertices for entry in nodes]), faces, node
