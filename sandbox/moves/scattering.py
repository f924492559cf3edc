"""Where a teleport ends that scatters: so many inches as the arrow points, back along the line until the base fits, or down."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sandbox.moves.answers import Point
from sandbox.moves.distance import plan_gap
from sandbox.moves.engagement import Engaging
from sandbox.moves.falling import Falling
from sandbox.moves.falling_ground import Site
from sandbox.moves.falling_state import moved, state_of
from sandbox.moves.odds_tree import Tree
from sandbox.moves.placed import Placed
from sandbox.moves.standing import on_board
from sandbox.physics.model import Cylinder
from sandbox.units import MM_PER_INCH, SNAP_MM, inches, mm

if TYPE_CHECKING:
    from sandbox.moves.battlefield import Battlefield

_STRIDE = 0.05
"""inches between two places on the way back."""
_TURNS = 72
"""directions that are looked at before a model is lost."""
_LIFT = inches(0.5)
"""how far a body is held above the floor while it is looked whether it fits."""
_TICK = inches(SNAP_MM)


@dataclass(frozen=True)
class Scattered:
    """One scatter."""

    at: Point
    """where it appears, at the height it was placed at."""
    gone: float
    """inches from where it was placed."""
    asked: float
    """inches that the die said."""
    open_air: bool
    """no floor is under it there: it falls."""

    @property
    def moved(self) -> bool:
        """Whether it moved at all."""
        return self.gone > _TICK


def scatter(field: Battlefield, one: Placed, at: Point, degrees: float, distance: float) -> Scattered:
    """Where a model appears that was placed `at` and scatters so many inches in a direction (degrees from east).

    Inside something, on somebody, or off the board it is moved back along the line until its base fits.
    """
    way = (math.cos(math.radians(degrees)), math.sin(math.radians(degrees)))
    steps = np.append(np.arange(distance, 0.0, -_STRIDE), 0.0)
    inside = _inside(field, np.array([(at[0] + way[0] * g, at[1] + way[1] * g) for g in steps]), at[2], one)
    for gone, solid in zip(steps, inside, strict=True):
        there = (at[0] + way[0] * float(gone), at[1] + way[1] * float(gone), at[2])
        if solid and gone > 0.0:
            continue
        found = _fits(field, one, there)
        if found is not None:
            return Scattered(found[0], float(gone), distance, found[1])
    return Scattered(at, 0.0, distance, open_air=False)


def lost(field: Battlefield, one: Placed, at: Point, distance: float) -> bool:
    """Whether a model that has to scatter finds no place in any direction."""
    return not any(scatter(field, one, at, k * 360.0 / _TURNS, distance).moved for k in range(_TURNS))


def down(field: Battlefield, one: Placed, at: Point) -> Tree:
    """What can happen to a model that appears in open air: it falls to the nearest surface beneath."""
    falling = Falling(Site(field), Engaging(field))
    state = moved(state_of(field.fighters), one.id, at)
    return falling.drop_down(state, one.id, at, falling.finish(one.id))


def _fits(field: Battlefield, one: Placed, at: Point) -> tuple[Point, bool] | None:
    """Where a base goes at a place, and whether that is in open air; None where it does not fit there."""
    if not on_board(field, at[:2]):
        return None
    base = one.base.moved(at)
    for other in field.fighters:
        beside = at[2] < other.at[2] + other.height and at[2] + one.height > other.at[2]
        if other.id != one.id and beside and plan_gap(base, other.base) < -_TICK:
            return None
    m = one.rules.movement
    ground = field.ground.ground(one.rules)
    found = ground.stand(field.body_of(one), mm(at[0]), mm(at[1]), mm(at[2]))
    height = inches(found.z) if np.isfinite(found.z) else -math.inf
    if abs(height - at[2]) <= max(m.free_step_up, m.free_step_down):
        return ((at[0], at[1], height), False) if found.stands else None
    cylinder = Cylinder(base.half_long, base.half_short, one.height - 2 * _LIFT, base.facing)
    if field.world.contact(cylinder, (at[0], at[1], at[2] + _LIFT)).depth > _TICK:
        return None
    return at, True


def _inside(field: Battlefield, points: np.ndarray, z: float, one: Placed) -> np.ndarray:
    """Which of the (n, 2) places, inches, lie inside something solid at a height, (n,)."""
    terrain = field.terrain
    closed = terrain.shell_closed[terrain.face_shell]
    corners = terrain.vertices[terrain.faces[closed]] / MM_PER_INCH
    low, high = points.min(axis=0), points.max(axis=0)
    near = (corners[:, :, :2].max(axis=1) >= low).all(axis=1) & (corners[:, :, :2].min(axis=1) <= high).all(
        axis=1
    )
    near &= corners[:, :, 2].max(axis=1) > z
    corners = corners[near]
    # a hair aside, so that no line goes through an edge between two faces
    answer = np.zeros(len(points), dtype=np.bool_)
    for k, (x, y) in enumerate(points + np.array([1.3e-5, 2.1e-5])):
        a, b, c = (corners[:, i, :2] - (x, y) for i in range(3))
        sides = [p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0] for p, q in ((a, b), (b, c), (c, a))]
        up = np.all([s > 0 for s in sides], axis=0)
        under = np.all([s < 0 for s in sides], axis=0)
        rows = np.flatnonzero(up | under)
        if rows.size == 0:
            continue
        area = sides[0][rows] + sides[1][rows] + sides[2][rows]
        weight = np.stack([sides[1][rows], sides[2][rows], sides[0][rows]]) / area
        height = (weight * corners[rows, :, 2].T).sum(axis=0)
        above = height > z + one.height / 2
        answer[k] = int(np.where(up[rows], 1, -1)[above].sum()) > 0
    return answer
