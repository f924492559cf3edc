"""Confirming one leg of a move in the collision world, which is the referee (law of geometry, 19).

Rays along the line of movement at several heights, the body's sweep from 0.25 mm above the ground up to
its height, rays into the climbed face, rays down at the landing. What is exempt (a ladder's opening,
squeezes, ductways) the caller leaves out. Inches throughout; the rays come back with the answer so that
they can be drawn.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from sandbox.physics.model import CollisionWorld, Cylinder, Point, RayHits, Sweep
from sandbox.units import inches

Floats = NDArray[np.float64]

LIFT = inches(0.25)
"""how far above the ground the body is moved."""
ALLOWED_DEPTH = inches(0.25)
"""penetration that is forgiven."""
GRAZE = inches(0.15)
"""floor that the base's rim overlaps by less does not lift the body yet; less than `ALLOWED_DEPTH`, so that a body on
its way over a rim is always either lifted or forgiven."""
SLACK = inches(0.2)
"""by how much a riser may be higher than a step: to this, thresholds are right."""
RAY_HEIGHTS = (0.1, 0.5, 0.9)
"""heights of the rays along the way, as shares of the body's height."""
STRIDE = 0.25
"""longest step between two looks at the ground under the body."""
FINE = ALLOWED_DEPTH - GRAZE
"""how closely the place of a riser is found: a body lifted so much late is still forgiven."""
FACE_STEP = 0.25
"""distance in height between two rays into a climbed face."""


class Refusal(StrEnum):
    """Why a leg is not confirmed."""

    BLOCKED = "blocked"
    """something solid is deeper in the body than is forgiven."""
    NO_FLOOR = "no-floor"
    """nothing to stand on under the body."""
    STEP = "step"
    """the ground rises or falls by more than a step."""
    NO_FACE = "no-face"
    """too long a stretch without a surface within the overhang limit."""


@dataclass(frozen=True, eq=False)
class Proof:
    """What the collision world says to one leg."""

    confirmed: bool
    rays: Floats
    """(n, 2, 3) float64 inches: where each ray began and where it ended."""
    depth: float = 0.0
    """deepest penetration met, inches."""
    point: Point | None = None
    """where it was refused."""
    part: int = -1
    """terrain part in the way, -1 none."""
    refusal: Refusal | None = None


NO_RAYS: Floats = np.empty((0, 2, 3))


@dataclass
class _Record:
    """Collects rays and the deepest penetration on the way to a proof."""

    world: CollisionWorld
    body: Cylinder
    rays: list[Floats]
    depth: float = 0.0

    def cast(self, starts: Floats, ends: Floats) -> RayHits:
        hits = self.world.rays(starts, ends)
        self.rays.append(np.stack([starts, hits.point], axis=1))
        return hits

    def confirmed(self) -> Proof:
        return Proof(True, self._drawn(), self.depth)

    def refused(self, why: Refusal, point: Point | None, part: int = -1) -> Proof:
        return Proof(False, self._drawn(), self.depth, point, part, why)

    def sweep(self, start: Point, end: Point) -> Proof | None:
        """Move the body a little above two places of its underside; the refusal, or None where it passes."""
        swept = self._move(start, end)
        self.depth = max(self.depth, swept.depth)
        if swept.depth <= ALLOWED_DEPTH:
            return None
        return self.refused(Refusal.BLOCKED, swept.point, swept.part)

    def passes(self, *way: Point) -> float:
        """How far the body can be moved along a way, 0 to 1 (1: all of it); counts only where it can."""
        depth = self.depth
        for start, end in itertools.pairwise(way):
            swept = self._move(start, end)
            if swept.depth > ALLOWED_DEPTH:
                return min(swept.fraction, 0.999)
            depth = max(depth, swept.depth)
        self.depth = depth
        return 1.0

    def _move(self, start: Point, end: Point) -> Sweep:
        return self.world.sweep(self.body, _raised(start, LIFT), _raised(end, LIFT), ALLOWED_DEPTH)

    def _drawn(self) -> Floats:
        return np.concatenate(self.rays) if self.rays else NO_RAYS


def prove_sweep(world: CollisionWorld, body: Cylinder, points: Sequence[Point]) -> Proof:
    """Confirm that the body passes along `points` (its underside, two or more), with rays along its axis.

    For legs through the air: leaps, jumps down, falls, grapnels, flights.
    """
    record = _Record(world, body, [])
    for start, end in itertools.pairwise(points):
        _along(record, start, end)
        refusal = record.sweep(start, end)
        if refusal is not None:
            return refusal
    return record.confirmed()


def prove_walk(
    world: CollisionWorld,
    body: Cylinder,
    points: Sequence[Point],
    step: float = 0.5,
    slope: float = 45.0,
    span: float = 0.1,
) -> Proof:
    """Confirm a walk along the ground.

    points: the ground under the body's centre, at its start, bends and end; what lies between is looked up
    in the collision world, so that steps, stairs and slopes need no points of their own. step: highest
    riser, inches; slope: steepest ground that is followed from one look at it to the next, degrees (how steep
    ground may be is the ground's affair); span: how far the body may go with nothing under any part
    of its base. Ground that rises or falls by more than a step is refused, and so is what is in the way.
    """
    record = _Record(world, body, [])
    walker = _Walker(record, step, math.tan(math.radians(slope)), span)
    ground = walker.settle(points[0], points[0][2])
    if ground.under is Under.NOTHING:
        return record.refused(Refusal.NO_FLOOR, points[0])
    at = ground.at
    refusal = record.sweep(at, at)
    for goal in points[1:]:
        if refusal is None:
            at, refusal = walker.walk(at, goal)
    if refusal is not None:
        return refusal
    if abs(at[2] - points[-1][2]) > step + max(body.half_long, body.half_short) * walker.rise:
        return record.refused(Refusal.STEP, at)
    hollow = walker.unsupported()
    return record.confirmed() if hollow is None else record.refused(Refusal.NO_FLOOR, hollow)


class Under(StrEnum):
    """What a body that is lowered at a place meets."""

    FLOOR = "floor"
    NOTHING = "nothing"
    """no floor within a step: a gap that the base spans, or the end of the ground."""
    BLOCKED = "blocked"
    """something higher than a step is in the way."""


@dataclass(frozen=True)
class Ground:
    """Where a body would be, in inches, and on what."""

    x: float
    y: float
    z: float
    under: Under
    touch: Point | None = None
    """the highest place under its outline, where it rests."""

    @property
    def at(self) -> Point:
        """The place as a point."""
        return (self.x, self.y, self.z)


@dataclass
class _Walker:
    """A body that is moved over the ground; every position is that of its underside's middle."""

    record: _Record
    step: float
    rise: float
    """highest rise per inch of way."""
    span: float
    """how far the body may go without any ground under it: what it spans beyond its own base."""
    airborne: float = 0.0
    floors: list[Ground] = field(default_factory=list)
    """where it was lowered onto something."""

    def settle(self, place: Point, height: float, reach: float = 0.0) -> Ground:
        """The body lowered onto the ground at a place, from just above `height` or from a step above it.

        A thin plate of the body's outline does it, so that ceilings do not matter here.
        """
        found = self._lowered(place, height, reach)
        if found.under is Under.FLOOR:
            self.floors.append(found)
        return found

    def _lowered(self, place: Point, height: float, reach: float) -> Ground:
        body = self.record.body
        plate = Cylinder(
            body.half_long - GRAZE, body.half_short - GRAZE, min(0.1, body.height / 4), body.facing
        )
        bottom = height - self.step - reach - body.half_long * self.rise - LIFT
        # First from just above where the body is: on level ground that is enough, and walls do not count.
        first: Ground | None = None
        for top in (height + LIFT, height + self.step + reach + LIFT):
            low = self.record.world.lower(plate, (place[0], place[1], top), bottom)
            if low.blocked:
                continue
            if low.point is None:
                return first or Ground(place[0], place[1], height, Under.NOTHING)
            found = Ground(place[0], place[1], low.point[2], Under.FLOOR, low.point)
            # floor that the plate went under lifts the body as well
            if (
                first is not None
                or self.record.world.contact(body, _raised(found.at, LIFT), 0.0).depth <= GRAZE
            ):
                return found
            first = found
        return first or Ground(place[0], place[1], height, Under.BLOCKED)

    def unsupported(self) -> Point | None:
        """A place where the world has nothing under the body, of all those where it was lowered onto something.

        One short ray each; what rests on an edge that a ray misses is asked for its distance.
        """
        if not self.floors:
            return None
        body, world = self.record.body, self.record.world
        touches = np.array([floor.touch for floor in self.floors])
        lift = np.array([0.0, 0.0, LIFT])
        for number in np.nonzero(~world.rays(touches + lift, touches - lift).hit)[0]:
            at = self.floors[number].at
            if world.contact(body, _raised(at, LIFT), 2 * LIFT).depth <= -2 * LIFT:
                return at
        return None

    def walk(self, at: Point, goal: Point) -> tuple[Point, Proof | None]:
        """Walk straight to a place in plan; where it got to, and the refusal or None."""
        length = math.hypot(goal[0] - at[0], goal[1] - at[1])
        strides = max(1, math.ceil(length / STRIDE))
        there = self._level(at, goal, strides)
        if there is not None and self.record.passes(at, there) >= 1.0:
            _along(self.record, at, there)
            return there, None
        begin = at
        for number in range(1, strides + 1):
            share = number / strides
            place = (begin[0] + (goal[0] - begin[0]) * share, begin[1] + (goal[1] - begin[1]) * share, at[2])
            at, refusal = self._stride(at, place)
            if refusal is not None:
                return at, refusal
        return at, None

    def _level(self, at: Point, goal: Point, strides: int) -> Point | None:
        """Where a straight, even walk ends; None where the ground under the middle is not one plane."""
        share = np.linspace(0.0, 1.0, 2 * strides + 1)
        tops = np.outer(1 - share, at) + np.outer(share, (goal[0], goal[1], at[2]))
        # the body may have stood on something beside its middle, and slopes lead away from its height
        reach = self.step + share * (strides * STRIDE * self.rise)
        down = tops.copy()
        tops[:, 2] += np.minimum(reach, self.record.body.height)
        down[:, 2] -= reach + self.record.body.half_long * self.rise
        hits = self.record.world.rays(tops, down)
        heights = hits.point[:, 2]
        even = heights[0] + share * (heights[-1] - heights[0])
        if not hits.hit.all() or np.abs(heights - even).max() > LIFT:
            return None
        rise = float(heights[-1] - heights[0])
        ground = self.settle((goal[0], goal[1], at[2] + rise), at[2] + rise)
        level = ground.under is Under.FLOOR and abs(ground.z - at[2] - rise) <= LIFT
        return ground.at if level else None

    def _stride(self, at: Point, place: Point) -> tuple[Point, Proof | None]:
        length = math.hypot(place[0] - at[0], place[1] - at[1])
        reach = length * self.rise
        ground = self.settle(place, at[2], reach)
        if ground.under is Under.NOTHING:
            self.airborne += length
            if self.airborne > self.span:
                return at, self.record.refused(Refusal.NO_FLOOR, ground.at)
        elif ground.under is Under.FLOOR:
            self.airborne = 0.0
        there = ground.at
        # either a slope or one riser: what is both is looked at more closely
        steep = abs(there[2] - at[2]) > max(self.step, reach) + SLACK
        # from the lower end, where a riser stops the body just before it
        low, high = (at, there) if there[2] >= at[2] else (there, at)
        free = 0.5 if steep else self._over(at, there, low, high)
        if free >= 1.0:
            _along(self.record, at, there)
            return there, None
        if length <= FINE:
            return (at, self.record.refused(Refusal.STEP, there)) if steep else self._edge(at, there)
        share = free if low is at else 1 - free
        closest = min(0.5, FINE / length)
        share = min(max(share, closest), 1 - closest)
        middle = (at[0] + (place[0] - at[0]) * share, at[1] + (place[1] - at[1]) * share, at[2])
        halfway, refusal = self._stride(at, middle)
        if refusal is not None:
            return halfway, refusal
        return self._stride(halfway, place)

    def _over(self, at: Point, there: Point, low: Point, high: Point) -> float:
        """How far the body gets from one place to another that is no more than a step off, 0 to 1.

        Lifted to the higher level first it is moved on the level, which the world answers at once; where that is not
        free it goes straight.
        """
        top = high[2]
        if top - low[2] > LIFT and self.record.passes(*_lifted(at, there, top)) >= 1.0:
            return 1.0
        return self.record.passes(low, high)

    def _edge(self, at: Point, there: Point) -> tuple[Point, Proof | None]:
        """Up or down one riser: upright first, then across at the higher level, then down."""
        for start, end in itertools.pairwise(_lifted(at, there, max(at[2], there[2]))):
            refusal = self.record.sweep(start, end)
            if refusal is not None:
                return at, refusal
        return there, None


def prove_climb(
    world: CollisionWorld,
    body: Cylinder,
    points: Sequence[Point],
    overhang: float = 1.0,
    stretch: float = 1.0,
    face: tuple[float, float] | None = None,
) -> Proof:
    """Confirm a climb, up or down.

    points: the body's underside from the foot to the far side of the lip, or the other way round, never
    turning back in height. Rays go
    from the body's middle into the face, every quarter of an inch of height; a stretch of more than
    `stretch` inches without a surface within `overhang` of the body's front refuses it. face: plan
    direction of the face as seen from the foot; None: the direction of the points. For ladders pass only
    the part below the ladder's top.
    """
    record = _Record(world, body, [])
    for start, end in itertools.pairwise(points):
        refusal = record.sweep(start, end)
        if refusal is not None:
            return refusal
    upward = list(points if points[0][2] <= points[-1][2] else reversed(points))
    low, high = upward[0], upward[-1]
    towards = np.array(face if face is not None else (high[0] - low[0], high[1] - low[1]), dtype=np.float64)
    size = float(np.linalg.norm(towards))
    if size < 1e-9:
        return record.confirmed()
    towards /= size
    heights = np.arange(low[2] + FACE_STEP / 2, high[2], FACE_STEP)
    if len(heights) == 0:
        return record.confirmed()
    x, y, z = (np.array(column) for column in zip(*upward, strict=True))
    starts = np.column_stack([np.interp(heights, z, x), np.interp(heights, z, y), heights])
    reach = body.half_long + overhang
    ends = starts + np.array([towards[0], towards[1], 0.0]) * reach
    hits = record.cast(starts, ends)
    missing = 0.0
    for height, hit in zip(heights, hits.hit, strict=True):
        missing = 0.0 if hit else missing + FACE_STEP
        if missing > stretch + FACE_STEP:
            where = starts[int((height - heights[0]) / FACE_STEP + 0.5)]
            return record.refused(Refusal.NO_FACE, (float(where[0]), float(where[1]), float(where[2])))
    return record.confirmed()


def prove_landing(
    world: CollisionWorld, body: Cylinder, at: Point, uneven: float = 0.5, stand: bool = False
) -> Proof:
    """Confirm that a body can be at a place: floor under its middle, and room for it.

    Rays go down from within the body, at its middle (and beside it, by no more than is forgiven: a body may land with
    its middle just at a lip) and eight places of its rim. uneven: how far below
    the body's underside the floor under its middle may be, inches; stand: the floor must reach under the
    whole rim too.
    """
    record = _Record(world, body, [])
    angle = np.arange(8) * (math.pi / 4)
    along, across = np.cos(angle) * body.half_long * 0.98, np.sin(angle) * body.half_short * 0.98
    heading = math.radians(body.facing)
    rim = np.column_stack(
        [
            along * math.cos(heading) - across * math.sin(heading),
            along * math.sin(heading) + across * math.cos(heading),
        ]
    )
    beside = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]) * ALLOWED_DEPTH
    plan = np.vstack([beside, rim]) + np.array(at[:2])
    starts = np.column_stack([plan, np.full(len(plan), at[2] + min(LIFT * 8, body.height / 2))])
    ends = np.column_stack([plan, np.full(len(plan), at[2] - uneven)])
    hits = record.cast(starts, ends).hit
    refusal = record.sweep(at, at)
    if refusal is not None:
        return refusal
    wanted = np.array([hits[: len(beside)].any(), *(hits[len(beside) :] if stand else [])])
    if not wanted.all():
        x, y = plan[0] if not wanted[0] else plan[len(beside) + int(np.argmin(wanted)) - 1]
        return record.refused(Refusal.NO_FLOOR, (float(x), float(y), at[2]))
    return record.confirmed()


def _along(record: _Record, start: Point, end: Point) -> None:
    """Cast the rays of one straight piece, along the body's axis."""
    if math.dist(start, end) < 1e-9:
        return
    lifts = np.array(RAY_HEIGHTS) * record.body.height
    starts, ends = np.tile(start, (len(lifts), 1)), np.tile(end, (len(lifts), 1))
    starts[:, 2] += lifts
    ends[:, 2] += lifts
    record.cast(starts, ends)


def _lifted(at: Point, there: Point, top: float) -> tuple[Point, ...]:
    """The corners of a way straight up to a level, across and straight down."""
    return (at, (at[0], at[1], top), (there[0], there[1], top), there)


def _raised(point: Point, by: float) -> Point:
    return (point[0], point[1], point[2] + by)
