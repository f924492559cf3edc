"""Contents of small boards for threshold tests: written once in plain coordinates, then turned and moved.

Lengths are millimetres. What a case says is written with (0, 0) as the middle of the contents; the board puts that
point somewhere near its own middle, off by some hundredths of an inch, and turns everything about it.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import breadth_first_order

from sandbox.ground.ground import Ground, Standing
from sandbox.ground.model import Body, Numbers, Permit, Place, Places, Window
from sandbox.kinds import Kind
from sandbox.terrain.model import Part, Terrain

BASES = (25.0, 28.5, 32.0, 40.0, 50.0)
TURNS = (*(float(turn) for turn in range(0, 360, 7)), 33.3, 45.0)
"""every seven degrees, and two that are no such multiple."""
FEW = 9
"""turns that are tried where there is one base only, and the case itself turns it."""
NEAR = 0.2
"""how close to a threshold verdicts must be right."""
HEIGHT = 35.56
DECK = 76.2
WIDE = 250.0
"""reach of what should run through the whole window."""
SOLID = Permit.WALK | Permit.STAND | Permit.CLIMB | Permit.RAIL


@dataclass(frozen=True)
class Shape:
    """A closed mesh, faces outward: vertices (n, 3), faces (m, 3)."""

    vertices: np.ndarray
    faces: np.ndarray


def pushed(outline: Sequence[tuple[float, float]], y0: float, y1: float) -> Shape:
    """A convex outline in x and z, counter-clockwise, pushed from y0 to y1."""
    n = len(outline)
    vertices = np.array([[x, y, z] for y in (y0, y1) for x, z in outline], float)
    faces = [[0, i, i + 1] for i in range(1, n - 1)]
    faces += [[n, n + i + 1, n + i] for i in range(1, n - 1)]
    for i in range(n):
        j = (i + 1) % n
        faces += [[i, n + i, n + j], [i, n + j, j]]
    return Shape(vertices, np.array(faces))


def box(x0: float, y0: float, z0: float, x1: float, y1: float, z1: float) -> Shape:
    """An axis-aligned box."""
    return pushed([(x0, z0), (x1, z0), (x1, z1), (x0, z1)], y0, y1)


GROUND = box(-WIDE - 50, -WIDE - 50, -10, WIDE + 50, WIDE + 50, 0)


@dataclass(frozen=True)
class Setting:
    """One way of laying the contents out, and the base that is tried on them."""

    base: float
    turn: float
    off: tuple[float, float]
    """where the middle of the contents lies off the board's middle, mm (whole hundredths of an inch)."""

    def __str__(self) -> str:
        return f"b{self.base:g}-{self.turn:g}deg-{self.off[0] / 25.4:.2f},{self.off[1] / 25.4:.2f}"


def settings(
    name: str, bases: Iterable[float] = BASES, turns: Iterable[float] = TURNS, rounds: int = 1
) -> pytest.MarkDecorator:
    """Parametrize a test by `setting`: every turn with one of the bases, taken in turns, at an offset of its own.

    One in twenty-five is tried every day, the others in full runs; the name seeds which ones and the offsets.
    """
    chance = random.Random(name)
    bases, turns = list(bases), list(turns)
    chance.shuffle(bases)
    if len(bases) == 1 and rounds == 1:
        turns = sorted(chance.sample(turns, FEW))
    every = [
        Setting(bases[k % len(bases)], turn, (0.254 * chance.randrange(100), 0.254 * chance.randrange(100)))
        for k, turn in enumerate(turn for turn in turns for _ in range(rounds))
    ]
    daily = set(chance.sample(range(len(every)), max(1, round(len(every) / 25))))
    params = [
        pytest.param(setting, id=str(setting), marks=() if k in daily else pytest.mark.full)
        for k, setting in enumerate(every)
    ]
    return pytest.mark.parametrize("setting", params)


@dataclass(frozen=True, eq=False)
class Board:
    """Laid-out contents and one body on them."""

    setting: Setting
    ground: Ground
    body: Body
    half: float
    """half the width of the window that is looked at."""

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Where a point of the contents lies on the board."""
        px, py = _placed(np.array([[x, y]]), self.setting)[0]
        return float(px), float(py)

    def local(self, points: np.ndarray) -> np.ndarray:
        """Points of the board (n, 2 or 3) in the contents' own coordinates; z as it is."""
        c, s = np.cos(np.radians(self.setting.turn)), np.sin(np.radians(self.setting.turn))
        plan = (points[:, :2] - 300.0 - self.setting.off) @ np.array([[c, -s], [s, c]])
        return np.column_stack([plan, points[:, 2:]])

    @property
    def window(self) -> Window:
        """What is looked at, axis-aligned on the board."""
        x, y = self.at(0.0, 0.0)
        return Window(x - self.half, y - self.half, x + self.half, y + self.half)

    @cached_property
    def places(self) -> Places:
        """Places of the body in the window."""
        return self.ground.places(self.body, self.window)

    def place(self, x: float, y: float, z: float = 0.0) -> int:
        """The place to pass nearest to a point; it must be beside it."""
        places = self.places
        to = np.array([*self.at(x, y), z])
        away = np.linalg.norm(places.pos - to, axis=1)
        away[(places.flags & Place.PASS) == 0] = np.inf
        found = int(away.argmin())
        assert away[found] < 2.0 * places.pitch, "no place to begin or end at: the case itself is wrong"
        return found

    def leads(self, start: tuple[float, ...], end: tuple[float, ...]) -> bool:
        """Whether the body walks from one point to another inside the window."""
        to = self.places.neighbour
        row, column = np.nonzero(to >= 0)
        n = len(to)
        web = coo_array((np.ones(len(row), np.int8), (row, to[row, column])), shape=(n, n)).tocsr()
        reached = breadth_first_order(web, self.place(*start), return_predecessors=False)
        return self.place(*end) in set(reached.tolist())

    def passes(self, start: tuple[float, ...], end: tuple[float, ...]) -> bool:
        """Whether the body walks between two points inside the window; there and back must agree."""
        there, back = self.leads(start, end), self.leads(end, start)
        assert there == back, "a way that exists in one direction only"
        return there

    def stand(self, x: float, y: float, z: float) -> Standing:
        """The verdict on an exact point."""
        return self.ground.stand(self.body, *self.at(x, y), z)

    def standing(self, x: tuple[float, float], y: tuple[float, float], z: tuple[float, float]) -> np.ndarray:
        """Points (n, 3) of the contents in a range where places say that the body stands."""
        rest = self.places.rest[(self.places.flags & Place.STAND) != 0]
        found = self.local(rest)
        low, high = np.array([x, y, z]).T
        return found[((found >= low) & (found <= high)).all(axis=1)]


def _placed(points: np.ndarray, setting: Setting) -> np.ndarray:
    c, s = np.cos(np.radians(setting.turn)), np.sin(np.radians(setting.turn))
    moved: np.ndarray = points @ np.array([[c, s], [-s, c]]) + 300.0 + setting.off
    return moved


def lay_out(
    setting: Setting,
    shapes: Sequence[Shape],
    *,
    half: float = 70.0,
    numbers: Numbers | None = None,
    permits: Sequence[Permit] | None = None,
    body: Body | None = None,
    height: float = HEIGHT,
) -> Board:
    """A board with the table and some shapes, one part each; every part may be walked on and climbed unless permits
    (one per shape) say else. body: in place of a round base of the setting; its facing turns with the contents."""
    shapes = [GROUND, *shapes]
    vertices, faces, parts = [], [], []
    count = 0
    for k, shape in enumerate(shapes):
        v = np.column_stack([_placed(shape.vertices[:, :2], setting), shape.vertices[:, 2]])
        vertices.append(v)
        faces.append(shape.faces + count)
        count += len(v)
        low, high = v.min(axis=0), v.max(axis=0)
        parts.append(
            Part(
                piece="board" if k == 0 else f"piece-{k}",
                name="",
                kind=Kind.AUTO,
                low_mm=float(low[2]),
                high_mm=float(high[2]),
                width_mm=float(min(high[:2] - low[:2])),
                free_standing=False,
                bounds_mm=(float(low[0]), float(low[1]), float(high[0]), float(high[1])),
            )
        )
    shell = np.repeat(np.arange(len(shapes), dtype=np.int32), [len(s.faces) for s in shapes])
    terrain = Terrain(
        vertices=np.concatenate(vertices),
        faces=np.concatenate(faces).astype(np.int32),
        face_shell=shell,
        face_part=shell.copy(),
        shell_closed=np.ones(len(shapes), bool),
        parts=tuple(parts),
        size_mm=(600.0, 600.0),
    )
    ground = Ground(terrain, [SOLID, *(permits or [SOLID] * (len(shapes) - 1))], numbers or Numbers())
    if body is None:
        body = Body(setting.base / 2.0, setting.base / 2.0, height)
    else:
        body = Body(body.half_long_mm, body.half_short_mm, body.height_mm, body.facing + setting.turn)
    return Board(setting, ground, body, half)
