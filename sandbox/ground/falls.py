"""Falls: where a base comes down, where it comes to rest, and how near the next lip is (laws 15 and 16)."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sandbox.ground.bins import Bins, column_at
from sandbox.ground.kernels.links_fall import contact
from sandbox.ground.kernels.links_lips import bars_at
from sandbox.ground.lips import Lips
from sandbox.ground.model import Body, Floats, Numbers, Place, Places
from sandbox.units import SNAP_MM

SHIFT_MM = 76.2
"""A fallen base is shifted at most this far to where it can rest."""
_HALF_SNAP = 0.5 * SNAP_MM
_CLEAR_MM = 0.05
_OUTLINE_POINTS = 128

Point = tuple[float, float, float]


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
    """height of a railing there, mm; 0 none."""
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
        rail = float(lips.rail[k])
        if rail == 0.0:
            rail = rail_at(bins, numbers, point, lips.out[k])
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


def rail_at(bins: Bins, numbers: Numbers, point: Floats, out: Floats) -> float:
    """Height over the floor of a railing at a point of a lip, mm; 0 where there is none."""
    n = 514
    return float(
        bars_at(
            point[0],
            point[1],
            point[2],
            out[0],
            out[1],
            numbers.rail_height_mm - _HALF_SNAP,
            numbers.rail_max_mm + _HALF_SNAP,
            numbers.rail_reach_mm,
            bins.grid,
            bins.start,
            bins.items,
            bins.corners,
            bins.box,
            bins.marks,
            np.empty(n),
            np.empty(n, np.int32),
            np.empty(n),
        )
    )


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
) -> FallPath:
    """One fall of a base from a place by the shortest way off.

    places: the body's places around and below. at: the centre on its floor, or in the air. lip: where it goes over,
    where that is known; else the nearest one. hazard: how far from the landing the next lip is looked for, mm.
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
    start_z = lip.point[2] if lip is not None else at[2]
    if not np.isfinite(z):
        return FallPath(at, lip.point if lip else None, off, None, None, float("inf"), 0.0, -1)
    rest = _rest(places, numbers, (off[0], off[1], z))
    height = start_z - z
    if rest is None:
        return FallPath(at, lip.point if lip else None, off, where, None, height, 0.0, part)
    place, shift = rest
    x, y, ground = places.pos[place]
    if shift <= _CLEAR_MM + 1.0 and places.pos[place, 2] == z:
        x, y = off[0], off[1]
        shift = 0.0
    landing = (float(x), float(y), float(ground))
    return FallPath(
        at,
        lip.point if lip else None,
        off,
        where,
        landing,
        height,
        shift,
        part,
        nearest_lip(lips, bins, body, landing, numbers, hazard),
    )


def _contact(bins: Bins, body: Body, at: Point, z: float) -> tuple[float, Point, int]:
    """Highest surface under a base whose underside is at z: height, point, face."""
    height, x, y, face = contact(
        at[0],
        at[1],
        z,
        body.half_long_mm,
        body.half_short_mm,
        np.radians(body.facing),
        bins.grid,
        bins.start,
        bins.items,
        bins.corners,
        bins.box,
        bins.marks,
    )
    part = int(bins.part[face]) if face >= 0 else -1
    return float(height), (float(x), float(y), float(height)), part


def _rest(places: Places, numbers: Numbers, at: Point) -> tuple[int, float] | None:
    """Nearest place to stand within reach of where a base came down, over floor it can pass: place and distance."""
    step = numbers.free_step_up_mm + _HALF_SNAP
    body = places.body
    reach = body.half_long_mm
    x1 = places.x0 + places.pitch * np.arange(places.nx)
    y1 = places.y0 + places.pitch * np.arange(places.ny)
    columns_x = np.flatnonzero(np.abs(x1 - at[0]) <= reach + places.pitch)
    columns_y = np.flatnonzero(np.abs(y1 - at[1]) <= reach + places.pitch)
    seeds = []
    for j in columns_y:
        for i in columns_x:
            c = int(j) * places.nx + int(i)
            for p in range(places.start[c], places.start[c + 1]):
                away = float(np.hypot(places.pos[p, 0] - at[0], places.pos[p, 1] - at[1]))
                if (
                    places.flags[p] & Place.PASS
                    and abs(places.pos[p, 2] - at[2]) <= step
                    and away <= reach + places.pitch
                ):
                    seeds.append((away, p))
    heap = sorted(seeds)
    seen = {p for _, p in seeds}
    while heap:
        away, p = heapq.heappop(heap)
        if away > SHIFT_MM + _HALF_SNAP:
            return None
        if places.flags[p] & Place.STAND:
            return int(p), away
        for q in places.neighbour[p]:
            if q < 0 or q in seen or places.pos[q, 2] > at[2] + step:
                continue
            seen.add(int(q))
            far = float(np.hypot(places.pos[q, 0] - at[0], places.pos[q, 1] - at[1]))
            heapq.heappush(heap, (far, int(q)))
    return None


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
    """Whether floor runs from a centre to a point of a lip without a wall or a larger step between."""
    length = float(np.hypot(point[0] - at[0], point[1] - at[1]))
    z = at[2]
    for t in np.linspace(0.0, 1.0, max(int(length / 1.5), 2), endpoint=False):
        column = column_at(bins, at[0] + t * (point[0] - at[0]), at[1] + t * (point[1] - at[1]))
        floors = column.z[(column.z >= z - numbers.free_step_down_mm - _HALF_SNAP) & (column.face >= 0)]
        floors = floors[floors <= z + numbers.free_step_up_mm + _HALF_SNAP]
        if floors.size:
            z = float(floors[np.argmin(np.abs(floors - z))])
        elif not ((column.z < z) & (column.top > z + 1.0)).any():
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
