"""A commented scene to begin with, from models named on the command line: laid out side by side, two fighters before them."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sandbox.errors import UserError
from sandbox.files.pages import write_made
from sandbox.files.shipped import no_file
from sandbox.rules import DEFAULT_PACK
from sandbox.scene.model import Piece, Shape
from sandbox.terrain.build import stand_piece
from sandbox.units import inches

BETWEEN = 3.0
"""inches between two models, and around them: room for a base and a hand."""
_ROW = 42.0
"""inches that a row of models may be long, unless one alone is longer."""
_LEAST = 24.0
_LARGEST = 600.0

_HEAD = """\
# A battlefield. Distances are inches: x east, y north, z up from the board's south-west corner; angles are degrees
# counter-clockwise from east; bases are millimetres. Try:
#   sandbox view {file}
#   sandbox moves {file} --fighter one
#   sandbox check {file}
name: {name}
rules: {rules}            # a pack (sandbox rules lists them) or the path of a pack file of your own
board:
  size: [{width:g}, {depth:g}]
  # zone_mortalis: true              # walls are then neither climbed nor walked on
terrain:
"""
_PIECE = """\
  - id: {id}
    model: {model}
    at: [{x:g}, {y:g}]                 # where its middle goes; it is {dx:.1f} x {dy:.1f} x {dz:.1f} inches as it is read
    turn: 0
    kind: auto                       # obstacle or structure by its size; or wall, difficult, impassable, ladder, ...
"""
_SHAPE = """\
  # a shape without a mesh; a model is: {{id: tower, model: tower.stl, at: [x, y]}}
  - {{id: block, box: [4, 4, 3], at: [{x:g}, {y:g}]}}
"""
_FIGHTERS = """\
fighters:
  - id: one
    side: red
    base: 32                         # mm; [60, 35] is an oval
    at: [{x:g}, {y:g}]
    facing: 90
    profile: {{M: 5, I: 4}}            # what is missing is the pack's usual (sandbox rules shows it)
  - id: other
    side: blue
    base: 32
    at: [{x2:g}, {y2:g}]
    facing: 270
"""


@dataclass(frozen=True)
class Begun:
    """A scene that was written."""

    path: Path
    size: tuple[float, float]
    """of the board, inches."""
    pieces: tuple[str, ...]
    """ids, in order."""
    warnings: tuple[str, ...]
    """what reading the models had to say."""


def begin(models: Sequence[Path], out: Path, *, rules: str = DEFAULT_PACK, name: str | None = None) -> Begun:
    """Write a scene of some models. UserError where one cannot be read, or where the file is there already."""
    if out.exists():
        raise UserError("is there already; name another file with --out, or move it away", file=out)
    sizes, warnings = [], []
    for model in models:
        if not model.is_file():
            raise UserError(no_file(model), file=model)
        standing = stand_piece(Piece("piece", Shape.MODEL, model=model.resolve(), model_name=str(model)))
        low, high = standing.vertices.min(axis=0), standing.vertices.max(axis=0)
        sizes.append(tuple(inches(float(v)) for v in high - low))
        warnings += [f"{model.name}: {text}" for text, serious in standing.notes if serious]
    spots, size = _laid_out([(s[0], s[1]) for s in sizes])
    ids = _ids(models)
    text = _HEAD.format(
        file=out.name, name=name or _title(models, out), rules=rules, width=size[0], depth=size[1]
    )
    if not models:
        text += _SHAPE.format(x=size[0] / 2, y=size[1] / 2)
    for one, model, (x, y), (dx, dy, dz) in zip(ids, models, spots, sizes, strict=True):
        text += _PIECE.format(id=one, model=_path(model, out), x=x, y=y, dx=dx, dy=dy, dz=dz)
    middle = round(size[0] / 2, 1)
    text += _FIGHTERS.format(x=middle, y=BETWEEN / 2, x2=middle, y2=round(size[1] - BETWEEN / 2, 2))
    write_made(out, text.encode(), "scene")
    return Begun(out, size, tuple(ids), tuple(warnings))


def _laid_out(sizes: Sequence[tuple[float, float]]) -> tuple[list[tuple[float, float]], tuple[float, float]]:
    """Middles of pieces in rows, and the board that holds them, inches."""
    spots: list[tuple[float, float]] = []
    widest = max([_ROW, *(dx + 2 * BETWEEN for dx, _ in sizes)])
    x, y, row, width = BETWEEN, BETWEEN, 0.0, 0.0
    for dx, dy in sizes:
        if x > BETWEEN and x + dx + BETWEEN > widest:
            x, y, row = BETWEEN, y + row + BETWEEN, 0.0
        spots.append((round(x + dx / 2, 2), round(y + dy / 2, 2)))
        x += dx + BETWEEN
        width, row = max(width, x), max(row, dy)
    board = (float(np.ceil(max(width, _LEAST))), float(np.ceil(max(y + row + BETWEEN, _LEAST))))
    if max(board) > _LARGEST:
        raise UserError(
            f'these models need a board of {board[0]:.0f} x {board[1]:.0f} inches, the largest is {_LARGEST:.0f}"; '
            "are their units right? Write units: and scale: in a scene of your own"
        )
    over = ((board[0] - width) / 2, (board[1] - y - row - BETWEEN) / 2)
    return [(round(px + over[0], 2), round(py + over[1], 2)) for px, py in spots], board


def _ids(models: Sequence[Path]) -> list[str]:
    found: list[str] = []
    for model in models:
        word = re.sub(r"[^a-z0-9]+", "-", model.stem.lower()).strip("-") or "piece"
        same = sum(1 for other in found if other == word or re.fullmatch(re.escape(word) + r"-\d+", other))
        found.append(word if not same else f"{word}-{same + 1}")
    return found


def _title(models: Sequence[Path], out: Path) -> str:
    words = (models[0].stem if len(models) == 1 else out.stem).replace("_", " ").replace("-", " ").strip()
    return re.sub(r"[^\w .,'()+&]", "", words)[:60].strip().capitalize() or "A battlefield"


def _path(model: Path, out: Path) -> str:
    """The model as the scene file names it: relative to its folder."""
    text = Path(os.path.relpath(model.resolve(), out.resolve().parent)).as_posix()
    if ":" in text.split("/")[0]:
        text = "./" + text  # else it would be read as an address
    return "'" + text.replace("'", "''") + "'" if re.search(r"[^\w./ ()+-]|^[-.]?\d+$|: | #", text) else text
