"""A found way as legs: kinds, lengths, prices and checks, in inches."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sandbox.ground.model import Floats, LinkKind, Links, Place, Places
from sandbox.ground.search_model import Stretch, StretchKind
from sandbox.moves import fails
from sandbox.moves.answers import Leg, LegKind, OnFail, Point, Reason
from sandbox.moves.fails import Landing
from sandbox.moves.prices import OVER_DIFFICULT, OVER_PITFALL, Pricing, Test
from sandbox.moves.words import sentence
from sandbox.rules.words import Harm
from sandbox.units import MM_PER_INCH, inches

_KINDS = {
    LinkKind.CLIMB: LegKind.CLIMB,
    LinkKind.LADDER: LegKind.LADDER,
    LinkKind.LEAP: LegKind.LEAP,
    LinkKind.JUMP_DOWN: LegKind.JUMP_DOWN,
    LinkKind.CROSS: LegKind.CROSS,
    LinkKind.DUCTWAY: LegKind.DUCTWAY,
}
_NOTHING = 0.002
"""inches: legs shorter than this are left out."""
_EARLIER = 4.0
"""grid cells: a body is lifted this much before it meets an obstacle, which it may meet at a slant."""
_STRAIGHT = float(np.cos(np.radians(2.0)))
"""a walk this near the line of the climb before it is still getting up."""


@dataclass(frozen=True, eq=False)
class LegMaker:
    """Makes the legs of one mover's ways."""

    places: Places
    links: Links
    pricing: Pricing
    fall_from: Callable[[Point, Point], Landing]
    """the fall of a leap that fails: from the take-off towards the far side."""
    base_width: float
    """inches."""
    price_notes: Callable[[Floats], tuple[str, ...]]
    """what the ground along a path (m, 3), inches, is: ids of notes."""

    def legs(self, way: Sequence[Stretch], tail: Point | None = None) -> tuple[Leg, ...]:
        """The legs of a way, in order; tail: where a last straight step ends."""
        made: list[Leg] = []
        for stretch in way:
            told = self._link(stretch) if stretch.kind is StretchKind.LINK else (self._path(stretch),)
            for leg in told:
                if leg.length < _NOTHING and leg.cost < _NOTHING:
                    continue
                if made and self._same(made[-1], leg):
                    made[-1] = _joined(made[-1], leg)
                else:
                    made.append(leg)
        if tail is not None and made:
            last = made[-1].end
            size = math.dist(last[:2], tail[:2])
            step = Leg(LegKind.WALK, last, tail, size, size, path=(last, tail))
            if made[-1].kind is LegKind.WALK:
                made[-1] = _joined(made[-1], step)
            else:
                made.append(step)
        return tuple(_widened(made, _EARLIER * inches(self.places.pitch), self._under))

    def _path(self, stretch: Stretch) -> Leg:
        points = stretch.points / MM_PER_INCH
        path = tuple(_point(p) for p in points)
        cost = inches(stretch.cost)
        size = inches(stretch.length)
        crossing = stretch.kind is StretchKind.CROSS
        kind = LegKind.CROSS if crossing else LegKind.WALK
        if crossing:
            # over the obstacle's top; where it is walked to and from the ground is put before and after
            high = float(stretch.lift.max()) / MM_PER_INCH
            path = tuple((x, y, high) for x, y, _ in path)
            start, end = _point(points[0]), _point(points[-1])
            return Leg(kind, start, end, size, cost, path=path, notes=("obstacle",))
        notes = self.price_notes(points)
        if not notes:
            # the price of plain walking is its length, tilted surfaces at their own
            size = max(size, cost)
        return Leg(kind, path[0], path[-1], size, cost, path=path, notes=notes)

    def _link(self, stretch: Stretch) -> tuple[Leg, ...]:
        row = stretch.link
        links = self.links
        kind = _KINDS[LinkKind(int(links.kind[row]))]
        path = self._link_path(row, stretch, kind)
        # positions are on the ground under the centre; the path is that of the underside, which may be higher
        start, end = (_point(stretch.points[i] / MM_PER_INCH) for i in (0, -1))
        plan, up, down = (inches(float(c[row])) for c in (links.plan, links.up, links.down))
        size = plan if kind is LegKind.LEAP else plan + up + down
        over, pit = links.part[row] == OVER_DIFFICULT, links.part[row] == OVER_PITFALL
        tests = self.pricing.link_tests(links, row)
        checks = tuple(
            fails.check(test, self._fail(test, start, end, down, over=over, pit=pit)) for test in tests
        )
        marks = (
            ("rail", links.rail[row] > 0.0),
            ("over-difficult", over),
            ("over-pitfall", pit),
            ("booster", row in self.pricing.boosted),
        )
        notes = [note for note, so in marks if so]
        leg = Leg(
            kind, start, end, size, inches(stretch.cost), checks, path=path, up=up, down=down,
            gap=inches(float(links.gap[row])), notes=tuple(notes),
        )  # fmt: skip
        if kind is LegKind.JUMP_DOWN and up > _NOTHING and len(path) > 2:
            return self._climb_and_jump(leg)
        return (leg,)

    def _link_path(self, row: int, stretch: Stretch, kind: LegKind) -> tuple[Point, ...]:
        """The way of the body's underside along a link."""
        links = self.links
        if len(links.path_start) > row + 1 and links.path_start[row + 1] - links.path_start[row] > 1:
            points = links.path[links.path_start[row] : links.path_start[row + 1]].copy()
            self._lift(row, points)
            return tuple(_point(p / MM_PER_INCH) for p in points)
        start, end = (_point(stretch.points[i] / MM_PER_INCH) for i in (0, -1))
        high = max(start[2], end[2])
        if kind in (LegKind.CLIMB, LegKind.LADDER):
            low = start if start[2] <= end[2] else end
            return (start, (low[0], low[1], high), end)
        if kind is LegKind.JUMP_DOWN:
            return (start, (end[0], end[1], high), end)
        return (start, end)

    def _lift(self, row: int, points: Floats) -> None:
        """Raise a link's way to where the body is: on the highest floor under it, or at an obstacle's top.

        Not on ladders: the opening between rails that a ladder leads to is passed as it is.
        """
        if self.links.kind[row] == LinkKind.LADDER:
            return
        before, after = self._top(int(self.links.start[row])), self._top(int(self.links.end[row]))
        middle = max(before, after)
        points[0, 2], points[-1, 2] = max(points[0, 2], before), max(points[-1, 2], after)
        points[1:-1, 2] = np.maximum(points[1:-1, 2], np.where(_upper(points[1:-1, 2]), middle, -np.inf))

    def _top(self, place: int) -> float:
        return -math.inf if place < 0 else float(self.places.lift[place])

    def _under(self, at: Point) -> Point:
        """The body's underside where it stands: on the highest floor that joins the one under its centre."""
        places = self.places
        i = min(max(round((at[0] * MM_PER_INCH - places.x0) / places.pitch), 0), places.nx - 1)
        j = min(max(round((at[1] * MM_PER_INCH - places.y0) / places.pitch), 0), places.ny - 1)
        here = np.arange(places.start[j * places.nx + i], places.start[j * places.nx + i + 1])
        here = here[(places.flags[here] & (Place.PASS | Place.OVER)) == Place.PASS]
        if here.size == 0:
            return at
        place = here[int(np.argmin(np.abs(places.pos[here, 2] - at[2] * MM_PER_INCH)))]
        return (at[0], at[1], max(at[2], float(places.lift[place]) / MM_PER_INCH))

    def _climb_and_jump(self, leg: Leg) -> tuple[Leg, ...]:
        """Over a top too narrow to stop on: the climb up to it, then the jump down from it."""
        heights = [p[2] for p in leg.path]
        top = heights.index(max(heights))
        rise = self.pricing.movement.climb_cost * leg.up
        plan = math.dist(leg.path[0][:2], leg.path[top][:2])
        climb = replace(
            leg, kind=LegKind.CLIMB, end=leg.path[top], path=leg.path[: top + 1], length=plan + leg.up,
            cost=rise + plan, checks=leg.checks[:-1], down=0.0, notes=(),
        )  # fmt: skip
        jump = replace(
            leg, start=leg.path[top], path=leg.path[top:], length=leg.length - climb.length,
            cost=leg.cost - climb.cost, up=0.0, checks=leg.checks[-1:],
        )  # fmt: skip
        return climb, jump

    def _fail(
        self, test: Test, start: Point, end: Point, down: float, *, over: bool = False, pit: bool = False
    ) -> OnFail:
        pack, rules = self.pricing.pack, self.pricing.rules
        if pit and rules.movement.pitfall_fail is not Harm.NOTHING:
            return OnFail(sentence("fails", f"harm-{rules.movement.pitfall_fail.value}"))
        if over:
            return OnFail(sentence("fails", "pinned-halfway"))
        if test.reason is Reason.JUMP_DOWN:
            # a failed jump lands where the jump would have
            return fails.fall(pack, rules, Landing(down, end))
        if test.reason is Reason.LEAP:
            return fails.fall(pack, rules, self.fall_from(start, end))
        return OnFail(sentence("fails", "climb"))

    def _same(self, last: Leg, leg: Leg) -> bool:
        """Whether a leg belongs to the one before it: walks to walks, getting onto a ledge to its climb."""
        if last.kind is LegKind.WALK:
            return leg.kind is LegKind.WALK and last.notes == leg.notes
        if last.kind is LegKind.LADDER and leg.kind is LegKind.CROSS:
            # getting off between the rails that a ladder leads to: nothing is paid for them
            return abs(leg.cost - leg.length) < _NOTHING
        if last.kind is not LegKind.CLIMB or leg.kind is not LegKind.WALK or leg.notes:
            return False
        if leg.length > self.base_width or len(leg.path) > 2 or last.up <= last.down:
            return False
        before = np.subtract(last.end, last.start)[:2]
        after = np.subtract(leg.end, leg.start)[:2]
        size = float(np.linalg.norm(before) * np.linalg.norm(after))
        return size > 1e-9 and float(before @ after) / size >= _STRAIGHT


def _widened(legs: list[Leg], earlier: float, under: Callable[[Point], Point]) -> list[Leg]:
    """Crossings that begin and end a little (inches) before and after the obstacle.

    The search knows to a grid cell where a base meets an obstacle; the price does not hang on it, but the body has to
    be lifted before.
    """
    lifted: Point | None = None  # where a body is that stays up between two obstacles
    for i, leg in enumerate(legs):
        if leg.kind is not LegKind.CROSS:
            continue
        high = leg.path[0][2]
        first: tuple[Point, ...] = (under(leg.start),)
        last: tuple[Point, ...] = (under(leg.end),)
        if i > 0 and legs[i - 1].kind is LegKind.WALK:
            legs[i - 1], before = _cut(legs[i - 1], legs[i - 1].length - earlier)
            first = (under(before.start),) if lifted is None else (lifted,)
            leg = _joined(before, leg, high)  # noqa: PLW2901
        elif i > 0:
            first = ()
        lifted = None
        if i + 1 < len(legs) and legs[i + 1].kind is LegKind.WALK:
            # too little room between two obstacles to tell where the body gets down and up again
            stays = (
                i + 2 < len(legs) and legs[i + 2].kind is LegKind.CROSS and legs[i + 1].length < 2.0 * earlier
            )
            after, legs[i + 1] = _cut(legs[i + 1], legs[i + 1].length / 2.0 if stays else earlier)
            leg = _joined(leg, after, high)  # noqa: PLW2901
            lifted = leg.path[-1] if stays else None
            last = () if stays else (under(after.end),)
        elif i + 1 < len(legs):
            last = ()
        legs[i] = replace(leg, kind=LegKind.CROSS, notes=("obstacle",), path=(*first, *leg.path, *last))
    return [leg for leg in legs if leg.length >= _NOTHING or leg.cost >= _NOTHING]


def _cut(leg: Leg, at: float) -> tuple[Leg, Leg]:
    """A walk in two, the first so long (inches, kept within the leg)."""
    path = np.array(leg.path)
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(path[:, :2], axis=0).T))])
    share = min(1.0, max(0.0, at / leg.length)) if leg.length > 0.0 else 0.0
    where = share * along[-1]
    middle = _point(np.array([np.interp(where, along, path[:, i]) for i in range(3)]))
    first = (*(p for p, a in zip(leg.path, along, strict=True) if a < where - 1e-9), middle)
    rest = (middle, *(p for p, a in zip(leg.path, along, strict=True) if a > where + 1e-9))
    return (
        replace(leg, end=middle, path=first, length=leg.length * share, cost=leg.cost * share, checks=()),
        replace(leg, start=middle, path=rest, length=leg.length * (1 - share), cost=leg.cost * (1 - share)),
    )


def _joined(a: Leg, b: Leg, high: float | None = None) -> Leg:
    """Two legs as one; high: a height that the way is raised to, inches."""
    path = (*a.path, *b.path[1:])
    if high is not None:
        path = tuple((x, y, high) for x, y, _ in path)
    return replace(
        a,
        end=b.end,
        length=a.length + b.length,
        cost=a.cost + b.cost,
        checks=(*a.checks, *b.checks),
        path=path,
    )


def _upper(heights: Floats) -> NDArray[np.bool_]:
    """Which heights are the highest of a way."""
    return np.asarray(heights >= heights.max() - 1e-6) if heights.size else np.zeros(0, dtype=np.bool_)


def _point(values: Floats) -> Point:
    return (float(values[0]), float(values[1]), float(values[2]))
