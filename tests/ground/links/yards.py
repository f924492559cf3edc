"""Small terrains made of boxes, for tests of links and lips."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sandbox.ground.ground import Ground
from sandbox.ground.lips import Lips
from sandbox.ground.model import Body, Limit, LinkKind, Links, Numbers, Permit, Places, Window
from sandbox.kinds import Kind
from sandbox.terrain.model import Part, Terrain

SOLID = Permit.WALK | Permit.STAND | Permit.CLIMB | Permit.RAIL


@dataclass(frozen=True)
class Shape:
    """A closed mesh: vertices (n, 3), faces (m, 3)."""

    vertices: np.ndarray
    faces: np.ndarray


_BOX = np.array(
    [
        [0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4],
        [2, 6, 3], [3, 6, 7], [0, 4, 2], [2, 4, 6], [1, 3, 5], [3, 7, 5],
    ]
)  # fmt: skip


def box(x0: float, y0: float, z0: float, x1: float, y1: float, z1: float) -> Shape:
    """An axis-aligned box, outward faces."""
    v = np.array([[x, y, z] for z in (z0, z1) for y in (y0, y1) for x in (x0, x1)], float)
    return Shape(v, _BOX.copy())


def prism(outline: Sequence[tuple[float, float]], y0: float, y1: float) -> Shape:
    """An outline in x and z, counter-clockwise and convex, pushed from y0 to y1."""
    n = len(outline)
    v = np.array([[x, y, z] for y in (y0, y1) for x, z in outline], float)
    faces = []
    for i in range(1, n - 1):
        faces.append([0, i, i + 1])
        faces.append([n, n + i + 1, n + i])
    for i in range(n):
        j = (i + 1) % n
        faces.append([i, n + i, n + j])
        faces.append([i, n + j, j])
    return Shape(v, np.array(faces))


def terrain(
    shapes: Sequence[Shape], *, turn: float = 0.0, at: tuple[float, float] = (300.0, 300.0)
) -> Terrain:
    """One part per shape, turned about the origin and moved; shape 0 is usually the ground."""
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    vertices, faces, shell, parts = [], [], [], []
    count = 0
    for k, shape in enumerate(shapes):
        v = shape.vertices.copy()
        v[:, :2] = v[:, :2] @ np.array([[c, s], [-s, c]]) + at
        vertices.append(v)
        faces.append(shape.faces + count)
        shell.append(np.full(len(shape.faces), k))
        count += len(v)
        lo, hi = v.min(axis=0), v.max(axis=0)
        parts.append(
            Part("board" if k == 0 else f"p{k}", "", Kind.AUTO, lo[2], hi[2], min(hi[:2] - lo[:2]), False,
                 (lo[0], lo[1], hi[0], hi[1]))
        )  # fmt: skip
    ids = np.concatenate(shell).astype(np.int32)
    return Terrain(
        vertices=np.concatenate(vertices),
        faces=np.concatenate(faces).astype(np.int32),
        face_shell=ids,
        face_part=ids.copy(),
        shell_closed=np.ones(len(shapes), bool),
        parts=tuple(parts),
        size_mm=(600.0, 600.0),
    )


def placed(x: float, y: float, *, turn: float = 0.0, at: tuple[float, float] = (300.0, 300.0)) -> np.ndarray:
    """Where `terrain` puts a plan point of the shapes' frame."""
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    return np.array([c * x - s * y + at[0], s * x + c * y + at[1]])


GROUND = box(-250, -250, -10, 250, 250, 0)


@dataclass(frozen=True, eq=False)
class Yard:
    """A small battlefield of shapes, and what one round base can do there."""

    terrain: Terrain
    ground: Ground
    places: Places
    lips: Lips
    turn: float

    def at(self, x: float, y: float, z: float) -> tuple[float, float, float]:
        """A point of the shapes' frame on the board."""
        px, py = placed(x, y, turn=self.turn)
        return float(px), float(py), z

    def local(self, points: np.ndarray) -> np.ndarray:
        """Board points (n, 3) in the shapes' frame."""
        c, s = np.cos(np.radians(self.turn)), np.sin(np.radians(self.turn))
        moved = points[:, :2] - 300.0
        return np.column_stack([moved @ np.array([[c, -s], [s, c]]), points[:, 2]])

    def links(self, **which: object) -> Links:
        """Links with every way there is, or only those named."""
        wanted: dict[str, object] = {
            "climbs": True,
            "ladders": True,
            "jumps": True,
            "leaps": ((300.0, 300.0, 400.0), 150.0),
        }
        wanted.update(which)
        return self.ground.links(self.places, WINDOW, **wanted)  # type: ignore[arg-type]


WINDOW = Window(80.0, 80.0, 520.0, 520.0)


def yard(
    shapes: Sequence[Shape],
    base: float = 32.0,
    *,
    turn: float = 0.0,
    permits: Sequence[Permit] | None = None,
    numbers: Numbers | None = None,
    height: float = 35.56,
    body: Body | None = None,
) -> Yard:
    """Ground for one round base (mm, or a body) on shapes; every part may be walked on and climbed unless permits say else."""
    made = terrain(shapes, turn=turn)
    ground = Ground(made, permits or [SOLID] * len(shapes), numbers or Numbers())
    body = body or Body(base / 2.0, base / 2.0, height)
    places = ground.places(body, WINDOW)
    return Yard(made, ground, places, ground.patch(WINDOW).lips, turn)


def good(links: Links, kind: LinkKind) -> np.ndarray:
    """Rows of one kind that nothing stops."""
    return np.flatnonzero((links.kind == kind) & (links.limit == Limit.NONE))


TURNS = (0.0, 17.3, 61.9)
