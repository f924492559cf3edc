"""Distance between models: closest points of their bases in 3D, not through solid things.

All lengths are inches. A base is its flat outline at the height of the ground under its centre. The line is
measured a little above that ground, so that the floor both stand on is not taken for something between them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import shapely
from numpy.typing import NDArray

from sandbox.moves.answers import Point
from sandbox.physics.model import CollisionWorld
from sandbox.physics.world import Opening
from sandbox.units import inches

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

LIFT = inches(2.0)
"""the line is measured this high above the ground of both bases."""
_SAMPLES = 32
"""points of each base that are tried where the closest line is blocked."""
_THROUGH = 8
"""most free-standing parts that one line is followed through."""
_TOGETHER = 256
"""places whose blocked lines are measured at once."""
_ORIGIN = (0.0, 0.0, 0.0)
_OUTLINE = 128
"""corners that an oval is drawn with."""


@dataclass(frozen=True)
class Base:
    """A base on the table. Inches, degrees."""

    at: Point
    half_long: float
    half_short: float
    facing: float = 0.0

    @property
    def is_round(self) -> bool:
        """Whether it is a circle."""
        return self.half_long == self.half_short

    def moved(self, at: Point, facing: float | None = None) -> Base:
        """The same base elsewhere."""
        return Base(at, self.half_long, self.half_short, self.facing if facing is None else facing)

    def outline(self, count: int = _OUTLINE) -> Floats:
        """(count, 2) points on its outline, relative to its centre."""
        t = np.linspace(0.0, 2 * np.pi, count, endpoint=False)
        a = math.radians(self.facing)
        x, y = self.half_long * np.cos(t), self.half_short * np.sin(t)
        return np.stack([x * math.cos(a) - y * math.sin(a), x * math.sin(a) + y * math.cos(a)], axis=1)


def plan_gaps(centres: Floats, mover: Base, other: Base) -> Floats:
    """Gaps in plan between `mover` at each of `centres` (n, 2 or 3) and `other`, (n,); below 0: overlap."""
    if mover.is_round and other.is_round:
        gone = np.hypot(centres[:, 0] - other.at[0], centres[:, 1] - other.at[1])
        return np.asarray(gone - mover.half_long - other.half_long, dtype=np.float64)
    grown = _grown(
        other.half_long, other.half_short, other.facing, mover.half_long, mover.half_short, mover.facing
    )
    points = shapely.points(centres[:, 0] - other.at[0], centres[:, 1] - other.at[1])
    outside = shapely.distance(grown, points)
    inside = shapely.distance(grown.exterior, points)
    return np.asarray(np.where(outside > 0.0, outside, -inside), dtype=np.float64)


@lru_cache(maxsize=512)
def _grown(
    long: float, short: float, facing: float, mover_long: float, mover_short: float, mover_facing: float
) -> shapely.Geometry:
    """Centres at which a moving base touches one at the origin: its outline grown by the mover's, turned round."""
    own, mover = Base(_ORIGIN, long, short, facing), Base(_ORIGIN, mover_long, mover_short, mover_facing)
    corners = (own.outline()[:, None, :] - mover.outline()[None, :, :]).reshape(-1, 2)
    return shapely.convex_hull(shapely.multipoints(corners))


def plan_gap(a: Base, b: Base) -> float:
    """Gap of two bases in plan; below 0: how deep they overlap."""
    return float(plan_gaps(np.array([a.at]), a, b)[0])


def gaps(centres: Floats, mover: Base, other: Base) -> Floats:
    """Closest distance in 3D of `mover` at each of `centres` (n, 3) from `other`, through anything, (n,)."""
    plan = np.maximum(plan_gaps(centres, mover, other), 0.0)
    return np.asarray(np.hypot(plan, centres[:, 2] - other.at[2]), dtype=np.float64)


@dataclass(frozen=True)
class Measuring:
    """Measuring on one battlefield: what is solid, and which parts never stop a line."""

    opening: Opening
    """the collision world: what is far from everything is told without it."""
    through: Collection[int] = ()
    """terrain parts that are measured through."""
    known: dict[Hashable, Floats] = field(default_factory=dict, repr=False)
    """what was measured before: many questions ask for the same places."""
    looked: dict[float, tuple[NDArray[np.int64], Bools]] = field(default_factory=dict, repr=False)
    """what jumps were found to go over before: cells in order, and what they answered, by depth."""

    @property
    def world(self) -> CollisionWorld:
        """The collision world, opened when it is first asked."""
        return self.opening.world

    def clear(self, starts: Floats, ends: Floats) -> Bools:
        """Which of the (n, 3) lines meet nothing that stops measuring, (n,)."""
        starts = np.array(starts, dtype=np.float64)
        ends = np.asarray(ends, dtype=np.float64)
        clear = np.ones(len(starts), dtype=np.bool_)
        left = np.flatnonzero(np.linalg.norm(ends - starts, axis=1) > 1e-9)
        through = np.array(sorted(self.through), dtype=np.int32)
        for _ in range(_THROUGH):
            if left.size == 0:
                return clear
            hits = self.world.rays(starts[left], ends[left])
            passed = hits.hit & np.isin(hits.part, through)
            clear[left[hits.hit & ~passed]] = False
            left, points = left[passed], hits.point[passed]
            way = ends[left] - points
            size = np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-12)
            starts[left] = points + way / size * np.minimum(inches(0.02), size)
        return clear

    def near(self, centres: Floats, mover: Base, other: Base, keep: float) -> Floats:
        """Distance of `mover` at each of `centres` (n, 3) from `other` where below `keep`, else +inf, (n,).

        Where the closest line is blocked: the shortest clear one between 32 points of each base.
        """
        found = np.full(len(centres), np.inf)
        straight = gaps(centres, mover, other)
        close = np.flatnonzero(straight < keep)
        if close.size == 0:
            return found
        key = (centres[close].tobytes(), mover.half_long, mover.half_short, mover.facing, other, keep)
        if key not in self.known:
            self.known[key] = self._near(centres[close], straight[close], mover, other, keep)
        found[close] = self.known[key]
        return found

    def _near(self, centres: Floats, straight: Floats, mover: Base, other: Base, keep: float) -> Floats:
        starts, ends = _closest(centres, mover, other)
        clear = self.clear(starts, ends)
        found = np.where(clear, straight, np.inf)
        blocked = np.flatnonzero(~clear)
        for at in range(0, len(blocked), _TOGETHER):
            some = blocked[at : at + _TOGETHER]
            found[some] = self._around(centres[some], mover, other, keep)
        return found

    def distance(self, mover: Base, other: Base, keep: float = math.inf) -> float:
        """Distance of two bases; +inf where it is not below `keep` or nothing clear is between them."""
        return float(self.near(np.array([mover.at], dtype=np.float64), mover, other, keep)[0])

    def _around(self, centres: Floats, mover: Base, other: Base, keep: float) -> Floats:
        """Shortest clear line below `keep` between 32 points of each base, (n,); inf where there is none."""
        ours, theirs = mover.outline(_SAMPLES), other.outline(_SAMPLES) + other.at[:2]
        a = centres[:, None, :2] + ours[None, :, :]
        plan = np.linalg.norm(a[:, :, None, :] - theirs[None, None, :, :], axis=3)
        lengths = np.hypot(plan, np.abs(centres[:, 2] - other.at[2])[:, None, None]).reshape(len(centres), -1)
        order = np.argsort(lengths, axis=1)
        found = np.full(len(centres), np.inf)
        left = np.arange(len(centres))
        at, size = 0, 16
        # shortest first, in growing batches: mostly the first few decide
        while left.size and at < order.shape[1]:
            pairs = order[left, at : at + size]
            wanted = np.take_along_axis(lengths[left], pairs, axis=1) < keep
            row, column = np.nonzero(wanted)
            pair = pairs[row, column]
            starts = _lifted(a[left[row], pair // _SAMPLES], centres[left[row], 2])
            ends = _lifted(theirs[pair % _SAMPLES], np.full(len(pair), other.at[2]))
            clear = np.zeros(wanted.shape, dtype=np.bool_)
            clear[row, column] = self.clear(starts, ends)
            first = np.argmax(clear, axis=1)
            done = clear[np.arange(len(left)), first]
            found[left[done]] = lengths[left[done], pairs[done, first[done]]]
            left = left[~done & wanted.all(axis=1)]
            at, size = at + size, size * 4
        return found


def _lifted(plan: Floats, z: Floats) -> Floats:
    return np.column_stack([plan, z + LIFT])


def _closest(centres: Floats, mover: Base, other: Base) -> tuple[Floats, Floats]:
    """Ends of the closest lines between `mover` at each centre and `other`, two (n, 3), lifted."""
    if mover.is_round and other.is_round:
        way = np.asarray(other.at[:2]) - centres[:, :2]
        apart = np.linalg.norm(way, axis=1, keepdims=True)
        unit = way / np.maximum(apart, 1e-12)
        # where bases overlap in plan the line is upright, through a point that both have
        overlap = apart < mover.half_long + other.half_long
        out = np.where(overlap, np.clip(apart - other.half_long, 0.0, mover.half_long), mover.half_long)
        start = centres[:, :2] + unit * out
        end = np.where(overlap, start, np.asarray(other.at[:2]) - unit * other.half_long)
    else:
        theirs = shapely.Polygon(other.outline() + other.at[:2])
        ours = [shapely.Polygon(mover.outline() + c[:2]) for c in centres]
        start, end = np.empty((len(centres), 2)), np.empty((len(centres), 2))
        for i, shape in enumerate(ours):
            shared = shape.intersection(theirs)
            if shared.is_empty:
                start[i], end[i] = shapely.get_coordinates(shapely.shortest_line(shape, theirs))
            else:
                start[i] = end[i] = shapely.get_coordinates(shared.representative_point())[0]
    return (
        np.column_stack([start, centres[:, 2] + LIFT]),
        np.column_stack([end, np.full(len(centres), other.at[2] + LIFT)]),
    )
