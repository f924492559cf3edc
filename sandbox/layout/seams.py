"""Floors of a layout drawn as one: lines between the rectangles that a floor is built from are left out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import shapely
from numpy.typing import NDArray

from sandbox.view import meshes, palette
from sandbox.view.prepared import PieceRows, Prepared

JOINED = 0.004
"""inches by which rectangles are let overlap, so that those side by side are one."""


def seamless(prepared: Prepared) -> Prepared:
    """The same with the outline of each level's floor instead of the outlines of the pieces it is built from."""
    first: dict[str, str] = {}
    floors: dict[str, list[PieceRows]] = {}
    for piece in prepared.pieces:
        level, _, rest = piece.piece.partition(" floor ")
        if rest:
            first.setdefault(level, piece.piece)
            floors.setdefault(level, []).append(piece)
    rows = []
    for piece in prepared.pieces:
        level, _, rest = piece.piece.partition(" floor ")
        if rest:
            lines = outline(floors[level]) if first[level] == piece.piece else piece.lines[:0]
            rows.append(replace(piece, lines=lines))
            continue
        rows.append(piece)
    return replace(prepared, pieces=tuple(rows))


def outline(pieces: list[PieceRows]) -> NDArray[np.void]:
    """(n,) of dtype meshes.SOLID, two for each line: lines around the floor that some flat pieces make together, at its top."""
    boxes = [
        shapely.box(p.low[0] - JOINED, p.low[1] - JOINED, p.high[0] + JOINED, p.high[1] + JOINED)
        for p in pieces
    ]
    whole = shapely.union_all(boxes).buffer(-JOINED, join_style="mitre")
    ends: list[NDArray[np.float64]] = []
    for ring in shapely.get_rings(shapely.get_parts(whole)):
        corners = shapely.get_coordinates(ring)
        ends.append(np.stack([corners[:-1], corners[1:]], axis=1).reshape(-1, 2))
    plan = np.concatenate(ends)
    lines = np.zeros(len(plan), meshes.SOLID)
    lines["pos"] = np.column_stack([plan, np.full(len(plan), pieces[0].high[2])])
    lines["normal"] = (0.0, 0.0, 1.0)
    lines["colour"] = (*palette.CREASE, 200)
    return lines
