"""Wavefront OBJ: triangles and polygons with their ``o`` and ``g`` names, in the file's order; materials are left out.

A reader of our own: general ones join object and group into one name, split by material, and wrap or drop indices
that point nowhere.
"""

from __future__ import annotations

import codecs
import re
import warnings
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from charset_normalizer import from_bytes
from numpy.typing import NDArray

from sandbox.errors import UserError
from sandbox.terrain.formats.polygons import fan_or_ears
from sandbox.terrain.formats.raw import Floats, Indices, RawModel, RawNode

_SLASHES = re.compile(r"/[^\s]*")
_VERTEX = re.compile(r"^[ \t]*v[ \t]+([^\n#]*)", re.MULTILINE)
_FACE = re.compile(r"^[ \t]*f[ \t]+([^\n#]*)", re.MULTILINE)
_NAME = re.compile(r"^[ \t]*([og])\b[ \t]*([^\n]*)", re.MULTILINE)
_STOP = -(1 << 60)
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def read_obj(data: bytes, file: Path) -> RawModel:
    """One node for all faces under the same ``o`` and ``g``; its path is (object, group), what is named of it."""
    text = _text(data, file).replace("\r\n", "\n").replace("\r", "\n").replace("\\\n", " ")
    vertices = _vertices(_VERTEX.findall(text), file)
    object_name = group_name = ""
    runs: dict[tuple[str, ...], list[tuple[int, str]]] = {}
    heads = list(_NAME.finditer(text))
    bounds = [0, *(head.start() for head in heads), len(text)]
    for number, (start, end) in enumerate(pairwise(bounds)):
        if number:
            word, name = heads[number - 1].group(1, 2)
            object_name, group_name = (name.strip(), "") if word == "o" else (object_name, name.strip())
        path = tuple(name for name in (object_name, group_name) if name)
        runs.setdefault(path, []).append((start, text[start:end]))
    nodes = []
    for path, chunks in runs.items():
        found = [faces for start, chunk in chunks if len(faces := _faces(text, start, chunk, vertices, file))]
        if found:
            nodes.append(RawNode(path, *_compact(vertices, np.concatenate(found))))
    return RawModel(tuple(nodes))


def _text(data: bytes, file: Path) -> str:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding, errors="replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    if b"\0" in data[:512]:
        # UTF-16 without a mark: the zero bytes of plain letters tell which end comes first
        return data.decode(
            "utf-16-be" if data[:512:2].count(0) > data[1:512:2].count(0) else "utf-16-le", "replace"
        )
    best = from_bytes(data[:100_000]).best()
    if best is None:
        raise UserError("is no text in any encoding that could be guessed; save it as UTF-8", file=file)
    return data.decode(best.encoding, errors="replace")


def _numbers(text: str, kind: type) -> NDArray[Any]:
    """Numbers of a text, all parsed at once; ValueError where it holds anything else."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        try:
            parsed: NDArray[Any] = np.fromstring(text, dtype=kind, sep=" ")
        except DeprecationWarning as error:
            raise ValueError(str(error)) from error
    return parsed


def _vertices(lines: list[str], file: Path) -> Floats:
    """(n, 3) float64; colours and weights after the third number are left out."""
    if not lines:
        return np.zeros((0, 3))
    columns = len(lines[0].split())
    try:
        flat = _numbers(" ".join(lines), np.float64)
        if columns >= 3 and len(flat) == columns * len(lines):
            return np.ascontiguousarray(flat.reshape(-1, columns)[:, :3])
        return np.array([line.split()[:3] for line in lines], dtype=np.float64).reshape(len(lines), 3)
    except ValueError as error:
        raise UserError(
            "has a vertex line ('v') that is not three numbers; mend the model", file=file
        ) from error


def _faces(text: str, offset: int, chunk: str, vertices: Floats, file: Path) -> Indices:
    """(m, 3) int64 from the face lines of a chunk that begins at `offset` of the text."""
    rows = _FACE.findall(chunk)
    if not rows:
        return np.zeros((0, 3), dtype=np.int64)
    joined = f" {_STOP} ".join(rows)
    if "/" in joined:
        joined = _SLASHES.sub("", joined)
    try:
        marked = _numbers(f"{_STOP} {joined} {_STOP}", np.int64)
        stops = np.flatnonzero(marked == _STOP)
        if len(stops) != len(rows) + 1:
            raise ValueError("a face line is not all numbers")
    except ValueError as error:
        raise UserError("has a face line ('f') with something that is no number", file=file) from error
    sizes = np.diff(stops) - 1
    flat = marked[marked != _STOP]
    owner = np.repeat(np.arange(len(rows)), sizes)
    if (flat < 0).any():
        # counted back from the last vertex line before the face
        places = np.array([match.start() for match in _FACE.finditer(chunk)]) + offset
        before = np.array([match.start() for match in _VERTEX.finditer(text)])
        flat = np.where(flat < 0, flat + np.searchsorted(before, places)[owner], flat - 1)
    else:
        flat = flat - 1
    wrong = np.flatnonzero((flat < 0) | (flat >= len(vertices)))
    if len(wrong):
        row = int(owner[wrong[0]])
        place = next(match.start(1) for k, match in enumerate(_FACE.finditer(chunk)) if k == row)
        raise UserError(
            f"has a face ({rows[row].strip()!r}) that names a vertex which is not there ({len(vertices)} vertices); "
            "mend the model",
            file=file,
            line=text.count("\n", 0, offset + place) + 1,
        )
    if (sizes == 3).all():
        triangles: Indices = flat.reshape(-1, 3)
        return triangles
    return fan_or_ears(vertices, flat, np.concatenate(([0], np.cumsum(sizes))))


def _compact(vertices: Floats, faces: Indices) -> tuple[Floats, Indices]:
    """The vertices that these faces use, and the faces over them."""
    used = np.zeros(len(vertices), dtype=bool)
    used[faces] = True
    number = np.cumsum(used) - 1
    return vertices[used], number[faces]
