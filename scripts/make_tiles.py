"""Makes the tile library in models/zone-mortalis/: run it again after a change here, and commit what it writes.

    python scripts/make_tiles.py [FOLDER]

Every tile is drawn as a map of 6 x 6 squares. For printing, and as an example of how meshes are used as tiles,
some are written as STL files of their real size as well: 289 mm square, floor 3 mm thick, walls 60 mm high.
Writing twice gives the same bytes.
"""

from __future__ import annotations

import sys
from pathlib import Path

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
        "a corridor from west to east, one square wide rooms along it",
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
        "a corridor that turns a corner around a block of rock, with a ductway through it",
        """
+-+-+-+-+-+-+
|. . . . . .
+ + + + + + +
|. . . . . .
+ + +-+-+-+-+
|. .|# # # #|
+ + + + + + +
|. .|# # # #|
+ + + + + + +
|. .|= = # #|
+ + + + + + +
|. .|# # # #|
+ + +-+-+-+-+
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
PRINTED = ("crossroads", "hall")
"""tiles that are written as meshes, too."""
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
    return "".join(lines)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "models" / "zone-mortalis"
    target.mkdir(parents=True, exist_ok=True)
    (target / "library.yaml").write_text(library(), encoding="utf-8")
