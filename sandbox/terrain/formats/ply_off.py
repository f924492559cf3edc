"""PLY and OFF: one unnamed node each."""

from __future__ import annotations

import io
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from sandbox.errors import UserError
from sandbox.terrain.formats.polygons import fan_or_ears
from sandbox.terrain.formats.raw import RawModel, RawNode, allow


def read_ply(data: bytes, file: Path) -> RawModel:
    """The mesh of a PLY file, by trimesh; refused where its header promises more than there is."""
    end = data.find(b"end_header")
    if not data.startswith(b"ply") or end < 0:
        raise UserError("is no PLY: its header is missing or has no end", file=file)
    header = data[:end].decode("ascii", errors="replace")
    promised = {name: int(count) for name, count in re.findall(r"element\s+(\w+)\s+(\d{1,18})", header)}
    if promised.get("vertex", 0) + promised.get("face", 0) > len(data):
        raise UserError(f"is cut short: its header promises {promised}; get the file again", file=file)
    if not promised.get("face") and not promised.get("tristrips"):
        raise UserError("has points but no triangles, so there is nothing to stand on", file=file)
    allow(promised.get("face", 0), 0, file)
    from trimesh.exchange.ply import load_ply  # noqa: PLC0415 - it takes most of a second

    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            made: dict[str, Any] = load_ply(
                io.BytesIO(data), fix_texture=False, prefer_color=None, skip_materials=True
            )
        vertices = np.asarray(made["vertices"], dtype=np.float64).reshape(-1, 3)
        faces = np.asarray(made["faces"], dtype=np.int64).reshape(-1, 3)
    except Exception as error:
        reason = f"{type(error).__name__} {error}".strip()
        raise UserError(f"is no valid PLY ({reason}); export it again", file=file) from error
    if len(vertices) != promised.get("vertex", 0) or len(faces) < promised.get("face", 0):
        raise UserError(
            f"is cut short: its header promises {promised}, {len(vertices)} vertices and {len(faces)} triangles are "
            "there; get the file again",
            file=file,
        )
    if len(faces) and (faces.min() < 0 or faces.max() >= len(vertices)):
        raise UserError(
            f"has a face that names vertex {faces.max()} of {len(vertices)}; mend the model", file=file
        )
    return RawModel((RawNode((), vertices, faces),))


def read_off(data: bytes, file: Path) -> RawModel:
    """The mesh of an ASCII OFF file (also COFF, NOFF): polygons are cut, colours left out; UserError where it is broken."""
    text = re.sub(r"#[^\n]*", "", data.decode("utf-8", errors="replace"))
    head = re.match(r"\s*(?:ST)?(?:C)?(?:N)?(4)?(n)?OFF\b(\s+BINARY)?", text)
    if head is None or head.group(1) or head.group(2) or head.group(3):
        raise UserError("is no ASCII OFF file of three dimensions; save it as STL or OBJ", file=file)
    lines = [line for line in text[head.end() :].split("\n") if line.strip()]
    try:
        counts = lines[0].split()
        points, polygons = int(counts[0]), int(counts[1])
        if len(lines) < 1 + points + polygons or min(points, polygons) < 0:
            raise UserError(
                f"is cut short: it promises {points} vertices and {polygons} faces; get the file again",
                file=file,
            )
        allow(polygons, 0, file)
        vertices = np.array([line.split()[:3] for line in lines[1 : 1 + points]], dtype=np.float64).reshape(
            points, 3
        )
        rows = [line.split() for line in lines[1 + points : 1 + points + polygons]]
        sizes = np.array([int(row[0]) for row in rows], dtype=np.int64)
        corners = np.array(
            [int(value) for row, size in zip(rows, sizes, strict=True) for value in row[1 : 1 + size]],
            dtype=np.int64,
        )
    except (ValueError, IndexError, OverflowError) as error:
        raise UserError(f"is no valid OFF ({error}); export it again", file=file) from error
    if len(corners) != sizes.sum() or (len(corners) and (corners.min() < 0 or corners.max() >= points)):
        raise UserError("has a face that names a vertex which is not there; mend the model", file=file)
    faces = fan_or_ears(vertices, corners, np.concatenate(([0], np.cumsum(sizes))))
    return RawModel((RawNode((), vertices, faces),))
