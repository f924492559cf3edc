"""Zones and points of a layout: the squares that bear their marks."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.scene.layouts.model import Layout
from sandbox.scene.layouts.parts import NEAR_FLOOR
from sandbox.scene.layouts.rectangles import Rect, rectangles
from sandbox.scene.model import Loc, NamedPoint, Zone
from sandbox.units import inches


def marked(
    layout: Layout, floors: Sequence[float], line: int | None, loc: Loc
) -> tuple[tuple[Zone, ...], tuple[NamedPoint, ...]]:
    """The zones, rectangle by rectangle, and the points. floors: height of each level, mm; line, loc: for messages."""
    zones: list[Zone] = []
    points: list[NamedPoint] = []
    pitch = layout.pitch
    for number, level in enumerate(layout.levels):
        z = inches(floors[number])
        squares: dict[str, list[tuple[int, int]]] = {}
        for r, row in enumerate(level.marks):
            for c, mark in enumerate(row):
                if mark != ".":
                    squares.setdefault(mark, []).append((c, r))
        for mark, name in layout.zones.items():
            rects = [
                Rect(c * pitch, r * pitch, (c + 1) * pitch, (r + 1) * pitch) for c, r in squares.get(mark, ())
            ]
            for rect in rectangles(rects, []):
                taken = sum(zone.id == name or zone.id.startswith(f"{name} ") for zone in zones)
                corners = tuple((inches(x), inches(y)) for x, y in rect.corners)
                label = name if taken == 0 else f"{name} {taken + 1}"
                zones.append(Zone(label, corners, (z - 0.1, z + NEAR_FLOOR), line, loc))
        for mark, name in layout.points.items():
            for c, r in squares.get(mark, ()):
                taken = sum(point.id == name or point.id.startswith(f"{name} ") for point in points)
                label = name if taken == 0 else f"{name} {taken + 1}"
                at = (inches((c + 0.5) * pitch), inches((r + 0.5) * pitch))
                points.append(NamedPoint(label, at, z, line, loc))
    return tuple(zones), tuple(points)
