"""What the terrain room hands on: one welded, oriented triangle soup in the board's frame, and the parts it belongs to.

Frame: x east, y north, z up, origin at the board's south-west corner on the table top. Everything here is in
millimetres. The board itself is part 0 (a closed slab below z = 0, absent where the ground is a pit); a ceiling is a
part of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sandbox.kinds import Kind

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Bools = NDArray[np.bool_]

BOARD_PIECE = "board"
CEILING_PIECE = "ceiling"


@dataclass(frozen=True)
class Part:
    """A cluster of touching shells of one node of one placed model."""

    piece: str
    """id of the piece in the scene; ``board`` and ``ceiling`` are reserved."""
    name: str
    """node path or group name; empty where the model has none."""
    kind: Kind
    """kind declared by the scene, through the piece, a parent node, a pattern or a mark; AUTO where nothing was said."""
    low_mm: float
    """z of its lowest point, mm."""
    high_mm: float
    """z of its highest point, mm."""
    width_mm: float
    """smaller plan dimension: diameter of the widest circle that fits in its plan outline, mm."""
    free_standing: bool
    """not fused to a larger part (resting on something or touching it is still free-standing)."""
    bounds_mm: tuple[float, float, float, float]
    """plan bounding box: x0, y0, x1, y1, mm."""

    @property
    def height_mm(self) -> float:
        """Height from its lowest to its highest point, mm."""
        return self.high_mm - self.low_mm


@dataclass(frozen=True)
class Note:
    """Something the loader did or noticed, told to the user; never a refusal."""

    piece: str
    text: str
    warning: bool = False


@dataclass(frozen=True, eq=False)
class Terrain:
    """All active pieces of a battlefield as triangles.

    Shells: a *closed* shell is solid (faces oriented outward; a cavity's faces look into the cavity, so that winding
    numbers add up); any other shell is a two-sided *sheet*.
    """

    vertices: Floats
    """(n, 3) float64, mm, welded within a shell."""
    faces: Ints
    """(m, 3) int32 into vertices, counter-clockwise seen from outside for closed shells."""
    face_shell: Ints
    """(m,) int32 shell of each face."""
    face_part: Ints
    """(m,) int32 index into `parts`."""
    shell_closed: Bools
    """(s,) bool: solid, or else a sheet."""
    parts: tuple[Part, ...]
    notes: tuple[Note, ...] = ()
    size_mm: tuple[float, float] = (0.0, 0.0)
    """the board's width and depth, mm."""
    digest: str = field(default="")
    """content hash of everything above, for caches."""
