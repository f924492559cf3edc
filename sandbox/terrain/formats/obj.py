"""Wavefront OBJ: triangles and polygons with their ``o`` and ``g`` names, in the file's order; materials are left out.

A reader of our own: general ones join object and group into one name, split by material, and wrap or drop indices
that point nowhere.
"""

from __future__ import annotations

import codecs
import re
from pathlib import Path

import numpy as np
from charset_normalizer import from_bytes

from sandbox.errors import UserError
from sandbox.terrain.formats.polygons import fan_or_ears
from sandbox.terrain.formats.raw import Floats, Indices, RawModel, RawNode

_SLASHES = re.compile(r"/[^\s]*")
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def read_obj(data: bytes, file: Path) -> RawModel:
    """One node per run of faces under the same ``o`` and ``g``; its path is (object, group), what is named of it."""
    text = _text(data, file).replace("\\\r\n", " ").replace("\\\n", " ")
    lines = text.splitlines()
    vertex_lines: list[str] = []
    runs: list[tuple[tuple[str, ...], list[tuple[int, int, str]]]] = []
    of_path: dict[tuple[str, ...], list[tuple[int, int, str]]] = {}
    names = {"o": "", "g": ""}
    run: list[tuple[int, int, str]] | None = None
    for number, line in enumerate(lines, 1):
        if line.startswith("v "):
            vertex_lines.append(line)
        elif line.startswith("f "):
            if run is None:
                path = tuple(name for name in (names["o"], names["g"]) if name)
                if path not in of_path:
                    of_path[path] = []
                    runs.append((path, of_path[path]))
                run = of_path[path]
            run.append((number, len(vertex_lines), line))
        elif line[:2] in ("o ", "g ") or line in ("o", "g"):
            names[line[0]] = line[2:].strip()
            if line[0] == "o":
                names["g"] = ""
            run = None
        elif line[:1] in (" ", "\t") and line.strip()[:2] in ("v ", "f ", "v\t", "f\t"):
            return read_obj("\n".join(entry.strip().replace("\t", " ") for entry in lines).encode(), file)
    vertices = _vertices(vertex_lines, file)
    nodes = tuple(RawNode(path, *_compact(vertices, _faces(found, vertices, file))) for path, found in runs)
    return RawModel(nodes)


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


def _vertices(lines: list[str], file: Path) -> Floats:
    """(n, 3) float64; colours and weights after the third number are left out."""
    if not lines:
        return np.zeros((0, 3))
    columns = len(lines[0].split()) - 1
    try:
        flat = np.array(" ".join(lines).replace("v", " ").split(), dtype=np.float64)
        if columns >= 3 and len(flat) == columns * len(lines):
            return np.ascontiguousarray(flat.reshape(-1, columns)[:, :3])
        return np.array([line.split()[1:4] for line in lines], dtype=np.float64).reshape(len(lines), 3)
    except ValueError as error:
        raise UserError(
            "has a vertex line ('v') that is not three numbers; mend the model", file=file
        ) from error


def _faces(found: list[tuple[int, int, str]], vertices: Floats, file: Path) -> Indices:
    """(m, 3) int64 from face lines with their line numbers and the number of vertices seen before each."""
    joined = "\n".join(line[2:] for _, _, line in found)
    if "/" in joined:
        joined = _SLASHES.sub("", joined)
    rows = joined.split("\n")
    sizes = np.fromiter((len(row.split()) for row in rows), dtype=np.int64, count=len(rows))
    try:
        flat = np.array(joined.split(), dtype=np.int64)
    except (ValueError, OverflowError) as error:
        raise UserError("has a face line ('f') with something that is no number", file=file) from error
    seen = np.repeat(np.fromiter((count for _, count, _ in found), dtype=np.int64, count=len(found)), sizes)
    flat = np.where(flat < 0, flat + seen, flat - 1)
    owner = np.repeat(np.arange(len(found)), sizes)
    wrong = np.nonzero((flat < 0) | (flat >= len(vertices)))[0]
    if len(wrong):
        number, _, line = found[int(owner[wrong[0]])]
        raise UserError(
            f"has a face ({line.strip()!r}) that names a vertex which is not there ({len(vertices)} vertices); "
            "mend the model",
            file=file,
            line=number,
        )
    starts = np.concatenate(([0], np.cumsum(sizes)))
    if (sizes == 3).all():
        return flat.reshape(-1, 3)
    return fan_or_ears(vertices, flat, starts)


def _compact(vertices: Floats, faces: Indices) -> tuple[Floats, Indices]:
    """The vertices that these faces use, and the faces over them."""
    used = np.zeros(len(vertices), dtype=bool)
    used[faces] = True
    number = np.cumsum(used) - 1
    return vertices[used], number[faces]
