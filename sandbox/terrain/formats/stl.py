"""STL: binary, ASCII, and binary that begins with ``solid``. Solid names of ASCII files become node names.

A reader of our own: general ones give an empty mesh, or part of one, for files that are cut short, and say nothing.
"""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import numpy as np

from sandbox.errors import UserError
from sandbox.terrain.formats.raw import RawModel, RawNode, allow

_FACET = np.dtype([("normal", "<f4", (3,)), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
_HEADER = 84
_SOLID = re.compile(r"^[ \t]*solid\b[ \t]*([^\r\n]*)", re.IGNORECASE | re.MULTILINE)
_END = re.compile(r"^[ \t]*endsolid\b[^\r\n]*", re.IGNORECASE | re.MULTILINE)
_FACET_WORD = re.compile(r"\bfacet\s+normal\b", re.IGNORECASE)
_VERTEX = re.compile(r"\bvertex\s+(\S+)\s+(\S+)\s+(\S+)", re.IGNORECASE)


def read_stl(data: bytes, file: Path) -> RawModel:
    """Nodes of an STL file: one for a binary file, one per solid of an ASCII file; UserError where it is broken."""
    if len(data) >= _HEADER:
        claimed = int.from_bytes(data[80:84], "little")
        need = _HEADER + claimed * _FACET.itemsize
        if len(data) == need and claimed:
            allow(claimed, 0, file)
            return _binary(data, claimed, ())
        if not _is_text(data):
            if len(data) > need and claimed:
                allow(claimed, 0, file)
                extra = len(data) - need
                return _binary(data, claimed, (f"{extra} bytes after the last facet were left out",))
            held = (len(data) - _HEADER) // _FACET.itemsize
            if claimed == 0:
                raise UserError("is a binary STL without facets, so there is nothing to stand on", file=file)
            raise UserError(
                f"is cut short: its header promises {claimed} facets and {held} are there; get the file again",
                file=file,
            )
    if not _is_text(data):
        raise UserError("is no STL: too short for a binary one, and not text", file=file)
    text = data.decode("utf-8", errors="replace")
    return _ascii(text.replace("\r\n", "\n").replace("\r", "\n"), file)


def _is_text(data: bytes) -> bool:
    head = data[:2048]
    return b"\0" not in head and (b"facet" in head.lower() or data.lstrip()[:5].lower() == b"solid")


def _binary(data: bytes, count: int, notes: tuple[str, ...]) -> RawModel:
    facets = np.frombuffer(data, dtype=_FACET, count=count, offset=_HEADER)
    vertices = facets["corners"].reshape(-1, 3).astype(np.float64)
    return RawModel((RawNode((), vertices, np.arange(3 * count).reshape(-1, 3)),), notes=notes)


def _ascii(text: str, file: Path) -> RawModel:
    starts = [match for match in _SOLID.finditer(text)]
    if not starts:
        raise UserError("is no STL: it has neither a binary header nor a line 'solid'", file=file)
    allow(0, len(starts), file)
    notes: list[str] = []
    if len(_END.findall(text)) < len(starts):
        notes.append("its last line, 'endsolid', is missing; all facets before it were read")
    nodes: list[RawNode] = []
    bounds = [match.start() for match in starts] + [len(text)]
    for number, match in enumerate(starts):
        chunk = text[match.end() : bounds[number + 1]]
        corners = _VERTEX.findall(chunk)
        facets = len(_FACET_WORD.findall(chunk))
        if len(corners) != 3 * facets:
            line = _broken_line(text, match.end(), bounds[number + 1])
            raise UserError(
                f"has a facet that is cut short: {facets} facets, but {len(corners)} whole corners; "
                "get the file again",
                file=file,
                line=line,
            )
        if not corners:
            continue
        try:
            vertices = np.array(corners, dtype=np.float64).reshape(-1, 3)
        except ValueError as error:
            raise UserError(f"has a corner that is no number: {error}", file=file) from error
        name = match.group(1).strip()
        path = (name,) if name else ()
        nodes.append(RawNode(path, vertices, np.arange(len(vertices)).reshape(-1, 3)))
    return RawModel(tuple(nodes), notes=tuple(notes))


def _broken_line(text: str, start: int, end: int) -> int | None:
    """Line of the first facet without three whole corners."""
    places = [match.start() for match in _FACET_WORD.finditer(text, start, end)]
    for here, there in pairwise([*places, end]):
        if len(_VERTEX.findall(text[here:there])) != 3:
            return text.count("\n", 0, here) + 1
    return None
