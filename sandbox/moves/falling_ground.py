"""Where falls go, in inches: lips near a base, the way down, who is under it, and free places to come to rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sandbox.ground import falls
from sandbox.ground.falls import NearLip
from sandbox.ground.ground import Ground
from sandbox.ground.model import Body, Floats, Places
from sandbox.ground.region import Region
from sandbox.ground.survey_grid import PITCH_MM
from sandbox.kinds import Kind
from sandbox.moves.answers import Point
from sandbox.moves.distance import Base, gaps, plan_gaps
from sandbox.rules import FighterRules
from sandbox.units import MM_PER_INCH, SNAP_MM, inches, mm

if TYPE_CHECKING:
    from sandbox.moves.battlefield import Battlefield

Bools = NDArray[np.bool_]

_AROUND = 6.0
"""inches of ground around a fall that are looked at."""
_FAR_LIP = 12.0
"""inches: a base falls over a lip no farther off than this."""
_DEEP = 120.0
"""inches looked down from open air."""
_TICK = inches(SNAP_MM)
_RING = 72
"""places around another base that are tried as the nearest free one."""


@dataclass(frozen=True)
class Edge:
    """A lip near a base. Inches."""

    distance: float
    """from the base's edge in plan; 0 where it hangs over."""
    drop: float
    """down to the next floor; inf where there is none."""
    rail: float
    """height of a railing there; 0: none."""
    point: Point
    out: tuple[float, float]
    """plan direction away from the floor."""
    lip: NearLip


@dataclass(frozen=True)
class Drop:
    """One fall as geometry sees it. Inches."""

    start: Point
    """the floor it falls from: the lip's height over the place where it loses its footing."""
    off: Point
    """where it goes straight down."""
    under: float | None
    """height of the highest surface under the base; None: nothing is below."""
    landing: Point | None
    """where it comes to rest, other models left out; None: nowhere."""
    pit: bool
    """it comes down in a pitfall."""

    def height_to(self, at: Point) -> float:
        """Height fallen to a place, floor to floor."""
        return self.start[2] - at[2]


@dataclass(frozen=True)
class Near:
    """Another model that a resting place keeps clear of."""

    base: Base
    height: float
    """of its body, inches."""
    keep: float = 0.0
    """gap that is kept: 0: bases may touch."""


@dataclass(frozen=True, eq=False)
class Site:
    """The ground of one battlefield, as falls need it."""

    field: Battlefield

    def ground(self, rules: FighterRules) -> Ground:
        """The ground of a model."""
        return self.field.ground.ground(rules)

    def body(self, base: Base, height: float) -> Body:
        """A body on a base; height in inches."""
        return Body(mm(base.half_long), mm(base.half_short), mm(height), base.facing)

    def edges(self, rules: FighterRules, body: Body, at: Point, within: float) -> tuple[Edge, ...]:
        """Lips within a distance of the base's edge, nearest first; of equally near ones the railed first."""
        ground, centre = self.ground(rules), _mm(at)
        lips = ground.patch(ground.around(centre[0], centre[1], mm(_AROUND))).lips
        found = falls.near_lips(lips, ground.bins, body, centre, ground.numbers, mm(within))
        edges = [
            Edge(inches(n.distance), inches(n.drop), inches(n.rail), _inches(n.point), n.out, n)
            for n in found
        ]
        return tuple(sorted(edges, key=lambda e: (round(e.distance / _TICK), -e.rail)))

    def edge_towards(self, rules: FighterRules, body: Body, at: Point, towards: Point) -> Edge | None:
        """The nearest lip on the way to a place: the take-off of a leap."""
        way = np.array([towards[0] - at[0], towards[1] - at[1]])
        return next((e for e in self.edges(rules, body, at, 2.0) if way @ np.array(e.out) > 0.0), None)

    def drop(self, rules: FighterRules, body: Body, at: Point, edge: Edge | None = None) -> Drop:
        """The fall of a body from a place, over a lip where one is given, else by the shortest way off."""
        ground, centre = self.ground(rules), _mm(at)
        lips = ground.patch(ground.around(centre[0], centre[1], mm(_AROUND))).lips
        lip = None if edge is None else edge.lip
        if lip is None:
            lip = falls.nearest_lip(lips, ground.bins, body, centre, ground.numbers, mm(_FAR_LIP))
        places = self._places(ground, body, centre, centre if lip is None else lip.point, rules)
        found = falls.fall(
            ground.bins,
            lips,
            places,
            ground.numbers,
            centre,
            lip=None if edge is None else edge.lip,
            shift=mm(rules.movement.fall_landing),
        )
        start = at if found.lip is None else (at[0], at[1], min(at[2], inches(found.lip[2])))
        if found.contact is None:
            return Drop(start, _inches(found.off), None, None, pit=False)
        under, off = inches(found.contact[2]), _inches(found.off)
        landing = None if found.landing is None else _inches(found.landing)
        pit = self.is_pit(rules, found.part, (off[0], off[1], under))
        return Drop(start, off, under, landing, pit)

    def _places(self, ground: Ground, body: Body, at: Point, off: Point, rules: FighterRules) -> Places:
        """The places where a body may come to rest that falls at a place, or a base farther off at another, mm."""
        wide = mm(rules.movement.fall_landing) + 3.0 * body.half_long_mm + 4.0 * PITCH_MM
        far = float(np.hypot(off[0] - at[0], off[1] - at[1]))
        return ground.places(body, Region(at[:2], off[:2], far + 2.0 * wide))

    def straight_down(self, rules: FighterRules, base: Base, at: Point) -> Drop:
        """The fall of a base that is in open air at a place: onto the highest surface under any part of it."""
        rim = base.outline()
        points = np.concatenate([np.zeros((1, 2)), rim, rim / 2]) + np.array(at[:2])
        begin = np.column_stack([points, np.full(len(points), at[2] + rules.movement.free_step_up)])
        hits = self.field.world.rays(begin, begin - np.array([0.0, 0.0, _DEEP]))
        if not hits.hit.any():
            return Drop(at, at, None, None, pit=False)
        row = int(np.argmax(np.where(hits.hit, hits.point[:, 2], -np.inf)))
        under = float(hits.point[row, 2])
        pit = self.is_pit(rules, int(hits.part[row]), (at[0], at[1], under))
        return Drop(at, at, under, None, pit)

    def is_pit(self, rules: FighterRules, part: int, at: Point) -> bool:
        """Whether a place on a part's floor is a pitfall, by the part or by an agreed area."""
        roles = self.field.ground.roles(rules)
        if part >= 0 and roles.kinds[part] is Kind.PITFALL:
            return True
        import shapely  # noqa: PLC0415 - only after a fall

        x, y, z = _mm(at)
        return any(
            kind is Kind.PITFALL
            and area.low_mm - 0.05 <= z <= area.high_mm + 0.05
            and shapely.Polygon(area.polygon_mm).covers(shapely.Point(x, y))
            for area, kind in zip(roles.areas, roles.area_kinds, strict=True)
        )

    # -- free places -------------------------------------------------------------------------------------------

    def is_free(self, base: Base, height: float, at: Point, near: Sequence[Near]) -> bool:
        """Whether a base at a place keeps clear of all others."""
        return not self._taken(base, height, np.array([at]), near)[0]

    def _taken(self, base: Base, height: float, points: Floats, near: Sequence[Near]) -> Bools:
        """Which of the (n, 3) places, inches, are too near somebody, (n,)."""
        taken = np.zeros(len(points), dtype=np.bool_)
        for one in near:
            x, y, z = one.base.at
            reach = base.half_long + one.base.half_long + one.keep + 0.1
            close = np.flatnonzero(np.hypot(points[:, 0] - x, points[:, 1] - y) < reach)
            if close.size == 0:
                continue
            here = points[close]
            beside = (here[:, 2] < z + one.height - _TICK) & (here[:, 2] + height > z + _TICK)
            taken[close] |= beside & (plan_gaps(here, base, one.base) < -_TICK / 2)
            if one.keep > 0.0:
                near_it = np.flatnonzero(gaps(here, base, one.base) < one.keep - _TICK / 2)
                apart = self.field.measuring.near(here[near_it], base, one.base, one.keep)
                taken[close[near_it]] |= apart < one.keep - _TICK / 2
        return taken

    def rest(
        self,
        rules: FighterRules,
        base: Base,
        height: float,
        at: Point,
        near: Sequence[Near],
        *,
        level: bool = False,
    ) -> Point | None:
        """The nearest place to `at` where a body stands clear of all others; None within the pack's shift.

        Exact to 5 degrees around other bases, and to a grid cell where terrain decides. level: not on floor that is more
        than a free step lower, where only a fall leads.
        """
        return next(iter(self.rests(rules, base, height, at, near, level=level)), None)

    def rests(
        self,
        rules: FighterRules,
        base: Base,
        height: float,
        at: Point,
        near: Sequence[Near],
        *,
        level: bool = False,
    ) -> tuple[Point, ...]:
        """All places that are equally near, as `rest`, in order of their direction; one of them in each eighth of the
        circle. More than one: which it is is ambiguous."""
        ground, body = self.ground(rules), self.body(base, height)
        reach = rules.movement.fall_landing
        places = self._places(ground, body, _mm(at), _mm(at), rules)
        if self.is_free(base, height, at, near) and ground.stand(body, *_mm(at)).stands:
            return (at,)
        taken = self._taken(base, height, places.pos / MM_PER_INCH, near)
        if level:
            taken |= places.pos[:, 2] < mm(at[2]) - ground.numbers.free_step_down_mm - 0.5 * SNAP_MM
        found = falls.rest(ground.bins, places, ground.numbers, _mm(at), taken, mm(reach))
        rough = None if found is None else (_inches(found[0]), inches(found[1]))
        exact = self._around(ground, places, body, base, height, at, near, rough)
        if exact:
            return exact
        return () if rough is None else (rough[0],)

    def _around(
        self,
        ground: Ground,
        places: Places,
        body: Body,
        base: Base,
        height: float,
        at: Point,
        near: Sequence[Near],
        rough: tuple[Point, float] | None,
    ) -> tuple[Point, ...]:
        """The nearest places that just keep clear of one of the others, no farther than what the grid found."""
        if rough is None:
            return ()
        most = rough[1] + 2.0 * inches(places.pitch)
        points = [ring for one in near for ring in _ring(base, one, at)]
        points = [p for p in points if np.hypot(p[0] - at[0], p[1] - at[1]) <= most]
        if not points:
            return ()
        here = np.array([(x, y, at[2]) for x, y in points])
        here = here[~self._taken(base, height, here, near)]
        away = np.hypot(here[:, 0] - at[0], here[:, 1] - at[1])
        step = ground.numbers.free_step_up_mm
        best, kept = np.inf, list[Point]()
        for k in np.argsort(away, kind="stable"):
            if away[k] > best + _TICK:
                break
            x, y, z = _mm((float(here[k, 0]), float(here[k, 1]), float(here[k, 2])))
            found = ground.stand(body, x, y, z)
            if not found.stands or abs(found.z - z) > step:
                continue
            best = min(best, float(away[k]))
            kept.append((float(here[k, 0]), float(here[k, 1]), inches(float(found.z))))
        return _one_for_each_eighth(kept, at)


def _ring(base: Base, one: Near, at: Point) -> list[tuple[float, float]]:
    """Centres at which `base` is just clear of another, the one straight away from it first."""
    x, y, z = one.base.at
    centre = np.array([x, y])
    way = np.array([at[0] - x, at[1] - y])
    first = float(np.arctan2(way[1], way[0])) if np.hypot(*way) > _TICK else 0.0
    angle = first + np.linspace(0.0, 2 * np.pi, _RING, endpoint=False)
    ways = np.column_stack([np.cos(angle), np.sin(angle)])
    # upright apart, the kept gap is slanted
    plan = float(np.sqrt(max(0.0, one.keep**2 - (at[2] - z) ** 2)))
    if base.is_round and one.base.is_round:
        ring = centre + ways * (base.half_long + one.base.half_long + plan + 1e-6)
        return [(float(px), float(py)) for px, py in ring]
    low = np.zeros(_RING)
    high = np.full(_RING, base.half_long + one.base.half_long + plan + 0.5)
    for _ in range(30):
        middle = (low + high) / 2
        near = plan_gaps(centre + ways * middle[:, None], base, one.base) < plan
        low, high = np.where(near, middle, low), np.where(near, high, middle)
    return [(float(px), float(py)) for px, py in centre + ways * high[:, None]]


def _one_for_each_eighth(points: Sequence[Point], at: Point) -> tuple[Point, ...]:
    """Of places around another, the first in each eighth of the circle; one alone unless they lie all around it."""
    if not points:
        return ()
    found: dict[int, Point] = {}
    for p in points:
        turn = np.degrees(np.arctan2(p[1] - at[1], p[0] - at[0])) % 360.0
        found.setdefault(int(((turn + 22.5) % 360.0) // 45.0), p)
    return (points[0],) if len(found) < 3 else tuple(found[k] for k in sorted(found))


def _mm(at: Point) -> Point:
    return (mm(at[0]), mm(at[1]), mm(at[2]))


def _inches(at: Point) -> Point:
    return (inches(at[0]), inches(at[1]), inches(at[2]))
