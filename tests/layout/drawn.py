"""Layouts as text for tests: one small tile unless it says otherwise."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import sandbox

MM = 1 / 25.4
SQUARE = 289 / 6 * MM
"""side of a square of the usual tile, inches."""


def text(
    levels: dict[str, str],
    *,
    tiles: tuple[int, int] = (1, 1),
    squares: int = 6,
    tile: float = 289.0,
    legend: str = "",
    more: str = "",
    heights: dict[str, float] | None = None,
    marks: dict[str, str] | None = None,
    scene: str = "",
    rules: str = "necromunda-2023",
) -> str:
    """A scene file. levels: map by name, lowest first; legend, more: lines of ``layout:``; scene: more of the file."""
    lines = [
        "name: Case",
        f"rules: {rules}",
        *([scene.rstrip()] if scene.strip() else []),
        "layout:",
        f"  tiles: [{tiles[0]}, {tiles[1]}]",
        f"  tile: {tile}",
        f"  squares: {squares}",
    ]
    lines += [f"  {line}" for line in (legend + "\n" + more).splitlines() if line.strip()]
    lines.append("  levels:")
    for name, drawn in levels.items():
        lines.append(f"    - name: {name}")
        if heights and name in heights:
            lines.append(f"      height: {heights[name]}")
        lines.append("      map: |")
        lines += [f"        {line}" for line in textwrap.dedent(drawn).strip("\n").splitlines()]
        if marks and name in marks:
            lines.append("      marks: |")
            lines += [f"        {line}" for line in textwrap.dedent(marks[name]).strip("\n").splitlines()]
    return "\n".join(lines) + "\n"


def write(folder: Path, content: str, name: str = "case.yaml") -> Path:
    """The file."""
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return path


def load(folder: Path, content: str, **more: Any) -> Any:
    """The battlefield of a scene file's text."""
    return sandbox.load(write(folder, content), **more)


def fighters(*rows: str) -> str:
    """``fighters:`` of a scene."""
    return "fighters:\n" + "".join(f"  - {{{row}}}\n" for row in rows)


def middle(column: int, row: int, square: float = SQUARE) -> tuple[float, float]:
    """The middle of a square in inches."""
    return ((column + 0.5) * square, (row + 0.5) * square)


ROOM = """
    +-+-+-+-+-+-+
    |. . . . . .|
    + + + + + + +
    |. . . . . .|
    + + + + + + +
    |. . . . . .|
    + + + + + + +
    |. . . . . .|
    + + + + + + +
    |. . . . . .|
    + + + + + + +
    |. . . . . .|
    +-+-+-+-+-+-+
"""
HALVES = """
    +-+-+-+-+-+-+
    |. . .|. . .|
    + + + + + + +
    |. . .|. . .|
    + + + + + + +
    |. . .|. . .|
    + + + + + + +
    |. . .X. . .|
    + + + + + + +
    |. . .|. . .|
    + + + + + + +
    |. . .|. . .|
    +-+-+-+-+-+-+
"""
"""Two rooms, and an X in the wall between them at D3w (column 3, row 2)."""
