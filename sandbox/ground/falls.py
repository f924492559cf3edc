"""Falls: where a base comes down, where it comes to rest, and how near the next lip is (laws 15 and 16)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sandbox.ground.bins import Bins, column_at
from sandbox.ground.kernels.links_fall import contact
from sandbox.ground.kernels.links_lips import RAIL_THICK
from sandbox.ground.lips import Lips
from sandbox.ground.model import Body, Floats, Ints, Numbers, Place, Places
from sandbox.ground.railings import rail_of
from sandbox.units import SNAP_MM

SHIFT_MM = 76.2
"""A fallen base is shifted at most this far to where it can rest."""
_HALF_SNAP = 0.5 * SNAP_MM
_CLEAR_MM = 0.01
_MOST_TESTS = 300
_OUTLINE_POINTS = 128

Point = tuple[float, float, float]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class NearLip:
    """The lip nearest to a base that stands on the floor it ends."""

    distance: float
    """from the base's edge to the lip in plan, mm; 0 where the base hangs over it."""
    point: Point
    """nearest point of the lip."""
    out: tuple[float, float]
    """plan normal away from the floor."""
    drop: float
    """height from the lip to the next floor below, mm; inf where there is none."""
    rail: float
    """height of a railing there over the floor that the base is on, a kerb's own included, mm; 0: none that counts."""
    part: int
    """terrain part of the floor."""


@dataclass(frozen=True)
class FallPath:
    """One fall, from a floor or a lip to where the base rests."""

    start: Point
    lip: Point | None
    """lip it falls from; none where nothing was under the base."""
    off: Point
    """centre where it drops, just clear of the lip; z as at the start."""
    contact: Point | None
    """the highest surface under any part of the base; none: it falls out of the battlefield."""
    landing: Point | None
    """centre where it rests; none: nowhere to rest."""
    height: float
    """from floor to floor, mm; inf where nothing is below."""
    shift: float
    """how far it was shifted to rest, mm."""
    part: int
    """terrain part it comes down on, -1 none."""
    next_lip: NearLip | None = None
    """nearest lip at the landing, for falls that go on."""

    @property
    def path(self) -> tuple[Point, ...]:
        """The centre's way, straight between its points."""
        points = [self.start, self.off]
        if self.contact is not None:
            points.append((self.off[0], self.off[1], self.contact[2]))
        if self.landing is not None:
            points.append(self.landing)
        return tuple(points)


def near_lips(
    lips: Lips, bins: Bins, body: Body, at: Point, numbers: Numbers, within: float = 25.4
) -> list[NearLip]:
    """Lips within a distance of a base's edge, nearest first.

    Counted are lips of the floor the base is on (joined heights, nothing solid between) beyond which the base has
    room to go down. at: centre on the ground; within: mm.
    """
    if not len(lips):
        return []
    ring = outline(body, at)
    reach = within + body.half_long_mm + _HALF_SNAP
    low = np.minimum(lips.a, lips.b)
    high = np.maximum(lips.a, lips.b)
    slope = reach * np.tan(np.radians(numbers.walk_slope))
    close = np.flatnonzero(
        (low[:, 0] <= at[0] + reach)
        & (high[:, 0] >= at[0] - reach)
        & (low[:, 1] <= at[1] + reach)
        & (high[:, 1] >= at[1] - reach)
        & (low[:, 2] <= at[2] + numbers.free_step_up_mm + slope)
        & (high[:, 2] >= at[2] - numbers.free_step_down_mm - slope)
    )
    found: list[NearLip] = []
    for k in close:
        point, distance = _nearest_on(lips.a[k], lips.b[k], ring, at, body)
        if distance > within + _HALF_SNAP:
            continue
        if (np.array(at[:2]) - point[:2]) @ lips.out[k] > body.half_long_mm + _HALF_SNAP:
            continue
        if not _joined(bins, at, point, numbers) or not _goes_down(bins, body, point, lips.out[k], numbers):
            continue
        rail = rail_of(lips, int(k), point, bins, numbers, float(point[2]) - at[2])
        found.append(
            NearLip(
                distance,
                _point(point),
                (float(lips.out[k, 0]), float(lips.out[k, 1])),
                float(lips.drop[k]),
                rail,
                int(lips.part[k]),
            )
        )
    return sorted(found, key=lambda lip: lip.distance)


def nearest_lip(
    lips: Lips, bins: Bins, body: Body, at: Point, numbers: Numbers, within: float = 25.4
) -> NearLip | None:
    """The lip nearest to a base's edge, none where none is within the distance; see near_lips."""
    return next(iter(near_lips(lips, bins, body, at, numbers, within)), None)


def outline(body: Body, at: Sequence[float]) -> Floats:
    """Points on a base's outline, (128, 2) mm."""
    t = np.linspace(0.0, 2.0 * np.pi, _OUTLINE_POINTS, endpoint=False)
    angle = np.radians(body.facing)
    u, v = body.half_long_mm * np.cos(t), body.half_short_mm * np.sin(t)
    return np.column_stack(
        [at[0] + np.cos(angle) * u - np.sin(angle) * v, at[1] + np.sin(angle) * u + np.cos(angle) * v]
    )


def fall(
    bins: Bins,
    lips: Lips,
    places: Places,
    numbers: Numbers,
    at: Point,
    *,
    lip: NearLip | None = None,
    hazard: float = 25.4,
    shift: float = SHIFT_MM,
) -> FallPath:
    """One fall of a base from a place by the shortest way off.

    places: the body's places around and below. at: the centre on its floor, or in the air. lip: where it goes over,
    where that is known; else the nearest one. hazard: how far from the landing the next lip is looked for, mm; shift: how
    far it may be shifted to where it rests, mm.
    """
    body = places.body
    off = at
    z, where, part = _contact(bins, body, at, at[2] + 1.0)
    standing = np.isfinite(z) and at[2] - z <= numbers.free_step_down_mm + _HALF_SNAP
    if lip is None and (standing or np.isnan(z)):
        lip = nearest_lip(lips, bins, body, at, numbers, within=304.8)
    if lip is not None:
        out = np.array(lip.out)
        clear = _extent(body, out) + _CLEAR_MM
        x, y = np.array(lip.point[:2]) + clear * out
        off = (float(x), float(y), at[2])
        z, where, part = _contact(bins, body, off, lip.point[2] + 1.0 + lip.rail)
        if np.isnan(z):
            z, where, part = _contact(bins, body, off, lip.point[2] - numbers.free_step_down_mm)
    # from floor to floor: over a kerb it falls from the floor that it was on
    start_z = min(lip.point[2], at[2]) if lip is not None else at[2]
    if not np.isfinite(z):
        return FallPath(at, lip.point if lip else None, off, None, None, float("inf"), 0.0, -1)
    found = _rest(bins, places, numbers, (off[0], off[1], z), reach=shift)
    if found is None:
        return FallPath(at, lip.point if lip else None, off, where, None, start_z - z, 0.0, part)
    place, shifted = found
    x, y, ground = places.pos[place]
    height = start_z - float(ground)
    if shifted <= 1.2 * places.pitch:
        # the place of the very cell: the base rests where it came down
        x, y, shifted = off[0], off[1], 0.0
    if abs(ground - z) > numbers.free_step_down_mm:
        part = int(places.part[place])
    landing = (float(x), float(y), float(ground))
    return FallPath(
        at,
        lip.point if lip else None,
        off,
        where,
        landing,
        height,
        shifted,
        part,
        nearest_lip(lips, bins, body, landing, numbers, hazard),
    )


def rest(
    bins: Bins,
    places: Places,
    numbers: Numbers,
    at: Point,
    taken: Bools | None = None,
    reach: float = SHIFT_MM,
) -> tuple[Point, float, int] | None:
    """Nearest place where a base that came down at `at` (mm) comes to rest: its centre, the shift in mm and the
    terrain part; none within `reach` mm.

    taken: (n,) of the places, where it may not rest, because somebody else is there.
    """
    found = _rest(bins, places, numbers, at, taken, reach)
    if found is None:
        return None
    place, shift = found
    return _point(places.pos[place]), shift, int(places.part[place])


def _contact(bins: Bins, body: Body, at: Point, z: float) -> tuple[float, Point, int]:
    """Highest surface under a base whose underside is at z: height, point, face."""
    height, x, y, face = contact(
        at[0],
        at[1],
        z,
        body.half_long_mm,
        body.half_short_mm,
        np.radians(body.facing),
        bins.arrays,
    )
    part = int(bins.part[face]) if face >= 0 else -1
    return float(height), (float(x), float(y), float(height)), part


def _rest(
    bins: Bins,
    places: Places,
    numbers: Numbers,
    at: Point,
    taken: Bools | None = None,
    reach: float = SHIFT_MM,
) -> tuple[int, float] | None:
    """Nearest place to stand within reach of where a base came down: place and distance, none where there is none.

    The way there is over floor it can pass from where it came down, or off the side of what it came down on and
    straight down again; never up more than a free step nor through solids.
    """
    body = places.body
    step = numbers.free_step_up_mm + _HALF_SNAP
    ids = _places_near(places, at, reach + _HALF_SNAP)
    ids = ids[places.pos[ids, 2] <= at[2] + step]
    away = np.hypot(places.pos[ids, 0] - at[0], places.pos[ids, 1] - at[1])
    order = np.argsort(away, kind="stable")
    ids, away = ids[order], away[order]
    level = np.abs(places.pos[ids, 2] - at[2]) <= step
    reached = _spread(places, ids, ids[level & (away <= body.half_long_mm + places.pitch)])
    tests = 0
    for place, far in zip(ids, away, strict=True):
        if not places.flags[place] & Place.STAND or (taken is not None and taken[place]):
            continue
        if int(place) in reached:
            return int(place), float(far)
        if tests < _MOST_TESTS:
            tests += 1
            if _slides_to(bins, body, at, places.pos[place], float(places.lift[place])):
                return int(place), float(far)
    return None


def _places_near(places: Places, at: Point, reach: float) -> Ints:
    """Places to pass within a plan distance of a point."""
    i0 = max(int((at[0] - reach - places.x0) // places.pitch), 0)
    i1 = min(int((at[0] + reach - places.x0) // places.pitch) + 1, places.nx - 1)
    j0 = max(int((at[1] - reach - places.y0) // places.pitch), 0)
    j1 = min(int((at[1] + reach - places.y0) // places.pitch) + 1, places.ny - 1)
    if i1 < i0 or j1 < j0:
        return np.zeros(0, np.int32)
    rows = [
        np.arange(places.start[j * places.nx + i0], places.start[j * places.nx + i1 + 1])
        for j in range(j0, j1 + 1)
    ]
    ids = np.concatenate(rows)
    near = np.hypot(places.pos[ids, 0] - at[0], places.pos[ids, 1] - at[1]) <= reach
    found: Ints = ids[near & (places.flags[ids] & Place.PASS != 0)].astype(np.int32)
    return found


def _spread(places: Places, ids: Ints, seeds: Ints) -> set[int]:
    """Places among `ids` that are reached from the seeds over links between neighbours."""
    allowed = set(ids.tolist())
    seen = set(seeds.tolist())
    todo = list(seen)
    while todo:
        for q in places.neighbour[todo.pop()].tolist():
            if q in allowed and q not in seen:
                seen.add(q)
                todo.append(q)
    return seen


def _slides_to(bins: Bins, body: Body, at: Point, place: Floats, lift: float) -> bool:
    """Whether a base slips from where it came down to over a lower place, and down onto it, meeting nothing solid."""
    z = at[2] + 1.0
    length = float(np.hypot(place[0] - at[0], place[1] - at[1]))
    for t in np.linspace(0.0, 1.0, max(int(length / 8.0), 1) + 1)[1:]:
        x, y = at[0] + t * (place[0] - at[0]), at[1] + t * (place[1] - at[1])
        height, _, _ = _contact(bins, body, (x, y, z), z)
        if np.isnan(height):
            return False
    return bool(height <= lift + 0.25)


def _extent(body: Body, direction: Floats) -> float:
    """How far the base reaches from its centre in a plan direction, mm."""
    angle = np.arctan2(direction[1], direction[0]) - np.radians(body.facing)
    return float(np.hypot(body.half_long_mm * np.cos(angle), body.half_short_mm * np.sin(angle)))


def _nearest_on(a: Floats, b: Floats, ring: Floats, at: Point, body: Body) -> tuple[Floats, float]:
    """Point of a lip nearest to a base, and the plan distance from the base's edge (0: it hangs over)."""
    along = b[:2] - a[:2]
    square = max(float(along @ along), 1e-12)
    t = float(np.clip((np.array(at[:2]) - a[:2]) @ along / square, 0.0, 1.0))
    point = a + t * (b - a)
    if body.is_round:
        away = float(np.hypot(*(point[:2] - at[:2])))
        return point, max(away - body.half_long_mm, 0.0)
    ts = np.clip((ring - a[:2]) @ along / square, 0.0, 1.0)
    feet = a[:2] + ts[:, None] * along
    away = np.hypot(*(ring - feet).T)
    k = int(np.argmin(away))
    angle = np.radians(body.facing)
    offset = point[:2] - np.array(at[:2])
    u = (np.cos(angle) * offset[0] + np.sin(angle) * offset[1]) / body.half_long_mm
    v = (-np.sin(angle) * offset[0] + np.cos(angle) * offset[1]) / body.half_short_mm
    if u * u + v * v <= 1.0:
        return point, 0.0
    return a + ts[k] * (b - a), float(away[k])


def _joined(bins: Bins, at: Point, point: Floats, numbers: Numbers) -> bool:
    """Whether floor runs from a centre to a point of a lip without a wall or a larger step between; what stands
    like a railing at the lip is passed."""
    length = float(np.hypot(point[0] - at[0], point[1] - at[1]))
    z = at[2]
    for t in np.linspace(0.0, 1.0, max(int(length / 1.5), 2), endpoint=False):
        column = column_at(bins, at[0] + t * (point[0] - at[0]), at[1] + t * (point[1] - at[1]))
        floors = column.z[(column.z >= z - numbers.free_step_down_mm - _HALF_SNAP) & (column.face >= 0)]
        floors = floors[floors <= z + numbers.free_step_up_mm + _HALF_SNAP]
        if floors.size:
            z = float(floors[np.argmin(np.abs(floors - z))])
        elif not ((column.z < z) & (column.top > z + 1.0)).any():
            over = column.z[column.z > z]
            railing = over.size > 0 and over.min() - z <= numbers.rail_max_mm + _HALF_SNAP
            if not railing or (1.0 - t) * length > numbers.rail_reach_mm + RAIL_THICK:
                return False
    return bool(abs(z - point[2]) <= numbers.free_step_up_mm + _HALF_SNAP)


def _goes_down(bins: Bins, body: Body, point: Floats, out: Floats, numbers: Numbers) -> bool:
    """Whether the base has room to go down just beyond a point of a lip."""
    x, y = point[:2] + (_extent(body, out) + _CLEAR_MM) * out
    z, _, _ = _contact(
        bins, body, (float(x), float(y), 0.0), float(point[2]) - 0.5 * numbers.free_step_down_mm
    )
    return bool(z < point[2] - numbers.free_step_down_mm - _HALF_SNAP)


def _point(found: Floats) -> Point:
    return (float(found[0]), float(found[1]), float(found[2]))
