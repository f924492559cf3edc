"""Makes the tile library in models/zone-mortalis/: run it again after a change here, and commit what it writes.

    python scripts/make_tiles.py [FOLDER]

Every tile is drawn as a map of 6 x 6 squares. For printing, and as an example of how meshes are used as tiles,
some are written as STL files of their real size as well: 289 mm square, floor 3 mm thick, walls 60 mm high.
Writing twice gives the same bytes.
"""

from __future__ import annotations

import sys
from pathlib import Path

import trimesh

from sandbox.scene.layouts import Facing, Layout, Legend, Level, build
from sandbox.scene.layouts.text import read_map
from sandbox.units import mm

TILES: dict[str, tuple[str, str]] = {
    "open": (
        "an empty floor",
        """
+ + + + + + +
 . . . . . .
+ + + + + + +
 . . . . . .
+ + + + + + +
 . . . . . .
+ + + + + + +
 . . . . . .
+ + + + + + +
 . . . . . .
+ + + + + + +
 . . . . . .
+ + + + + + +
""",
    ),
    "solid": (
        "rock from floor to ceiling",
        """
+ + + + + + +
 # # # # # #
+ + + + + + +
 # # # # # #
+ + + + + + +
 # # # # # #
+ + + + + + +
 # # # # # #
+ + + + + + +
 # # # # # #
+ + + + + + +
 # # # # # #
+ + + + + + +
""",
    ),
    "crossroads": (
        "two corridors that cross, two squares wide, and four closets",
        """
+ +-+ + +-+ +
 . .|. .|. .
+ + + + + + +
 . .d. .D. .
+-+-+ + +-+-+
 . . . . . .
+ + + + + + +
 . . . . . .
+-+-+ + +-+-+
 . .D. .d. .
+ + + + + + +
 . .|. .|. .
+ +-+ + +-+ +
""",
    ),
    "corridor": (
        "a corridor from west to east, two squares wide, with rooms along it",
        """
+-+-+-+-+-+-+
 . . .|. . .
+ + + + + + +
 . . .|. . .
+-+d+-+-+D+-+
 . . . . . .
+ + + + + + +
 . . . . . .
+-+D+-+-+d+-+
 . . .|. . .
+ + + + + + +
 . . .|. . .
+-+-+-+-+-+-+
""",
    ),
    "hall": (
        "one hall with four columns",
        """
+-+-+ + +-+-+
|. . . . . .|
+ + + + + + +
|. . . . . .|
+ + O + O + +
 . . . . . .
+ + + + + + +
 . . . . . .
+ + O + O + +
|. . . . . .|
+ + + + + + +
|. . . . . .|
+-+-+ + +-+-+
""",
    ),
    "control-room": (
        "a walled room with a console, and a passage around it",
        """
+ + + + + + +
 . . . . . .
+ +-+-+d+-+ +
 .|. . . .|.
+ + + + + + +
 .|. . c .|.
+ + + + + + +
 .d. . . .D.
+ + + + + + +
 .|. . . .%.
+ +-+D+-+-+ +
 . . . . . .
+ + + + + + +
""",
    ),
    "bend": (
        "a corridor that turns a corner, around a cell that only a ductway leads to",
        """
+-+-+-+-+-+-+
|. . . . . .
+ + + + + + +
|. . . . . .
+ + +-+-+-+-+
|. .|. . . .|
+ + + + + + +
|. .|. . . .|
+ + + + + + +
|. .%. . k .|
+ + + + + + +
|. .|. . . .|
+ + +-+-+-+-+
""",
    ),
    "guard-post": (
        "a corridor past a guarded room, barricades before its door",
        """
+-+-+-+-+-+-+
|. . . . . .|
+ + + + + + +
|. . c . . .|
+-+-+d+-+-+D+
 . . . . . .
+ + +b+b+ + +
 . . . . . .
+-+-+-+D+-+-+
|. . . . . .|
+ + + + + + +
|. k . . . .|
+D+-+-+-+-+d+
""",
    ),
    "pit": (
        "a walkway around a pit",
        """
+-+-+ + +-+-+
|. . . . . .|
+ + + + + + +
|. . . . . .|
+ + + + + + +
 . . o o . .
+ + + + + + +
 . . o o . .
+ + + + + + +
|. . . . . .|
+ + + + + + +
|. . . . . .|
+-+-+ + +-+-+
""",
    ),
}
"""name: (what it is, its map)."""
PRINTED = ("hall", "bend")
"""tiles without doors that are written as meshes, too."""
FLOOR_MM = 3.0
HEAD = """# The tile library that ships: Zone Mortalis tiles of 6 x 6 squares, 289 mm as sold. Made by scripts/make_tiles.py.
#
# A tile is drawn (`map`, see docs/layouts.md) or is a mesh (`model`) whose open sides are declared: the squares
# along each side where one may leave it, counted from 1 from the west or the south.
name: Zone Mortalis
tile: 289
squares: 6
tiles:
"""


def library() -> str:
    """The text of the library file."""
    lines = [HEAD]
    for name, (about, drawn) in TILES.items():
        lines.append(f"  {name}:\n    about: {about}\n    map: |\n")
        lines += [f"      {line}".rstrip() + "\n" for line in drawn.strip("\n").splitlines()]
    for name in PRINTED:
        sides = openings(drawn_tile(name))
        lines.append(
            f"  printed-{name}:\n    about: {TILES[name][0]}, as a mesh to print\n    model: {name}.stl\n"
        )
        told = ", ".join(f"{side}: {places}" for side, places in sides.items())
        lines.append(f"    openings: {{{told}}}\n    floor: {FLOOR_MM:g}\n    kind: wall\n")
    return "".join(lines)


def drawn_tile(name: str) -> Layout:
    """A layout of one tile."""

    def fail(text: str, line: int) -> Exception:
        return ValueError(f"{name}, line {line}: {text}")

    grid = read_map(TILES[name][1].strip("\n"), 6, 6, Legend(), fail).over(None)
    assert grid is not None
    return Layout((Level("tile", grid),), (1, 1))


def openings(layout: Layout) -> dict[str, list[int]]:
    """Squares along each side, from 1, that nothing closes."""
    grid = layout.levels[0].grid
    found: dict[str, list[int]] = {}
    for facing in Facing:
        for place in range(6):
            column = {Facing.EAST: 5, Facing.WEST: 0}.get(facing, place)
            row = {Facing.NORTH: 5, Facing.SOUTH: 0}.get(facing, place)
            if not grid.beside(column, row, facing).is_wall:
                found.setdefault(facing.word, []).append(place + 1)
    return found


def mesh(layout: Layout) -> trimesh.Trimesh:
    """A tile as one mesh to print: floor, walls, and what stands in its squares."""
    side = layout.tile
    parts = [trimesh.creation.box(bounds=[(0, 0, 0), (side, side, FLOOR_MM)])]
    for piece in build(layout, {}).terrain:
        dx, dy, dz = (mm(value) for value in piece.sizes)
        if round(piece.turn / 90) % 2:
            dx, dy = dy, dx
        x, y, z = (mm(value) for value in piece.at)
        low = (x - dx / 2, y - dy / 2, z + FLOOR_MM - 1.0)
        parts.append(trimesh.creation.box(bounds=[low, (x + dx / 2, y + dy / 2, z + FLOOR_MM + dz)]))
    return trimesh.util.concatenate(parts)


if __name__ == "__main__":
    target = (
        Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "models" / "zone-mortalis"
    )
    target.mkdir(parents=True, exist_ok=True)
    (target / "library.yaml").write_text(library(), encoding="utf-8")
    for name in PRINTED:
        (target / f"{name}.stl").write_bytes(trimesh.exchange.stl.export_stl(mesh(drawn_tile(name))))
