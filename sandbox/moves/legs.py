"""A found way as legs: kinds, lengths, prices and checks, in inches."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sandbox.ground.model import Floats, LinkKind, Links
from sandbox.ground.search_model import Stretch, StretchKind
from sandbox.moves import fails
from sandbox.moves.answers import Check, Leg, LegKind, OnFail, Point, Reason
from sandbox.moves.fails import Landing
from sandbox.moves.prices import Pricing, Test
from sandbox.moves.words import sentence
from sandbox.units import inches

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
_EARLIER = 0.06
"""inches: a body is lifted this much before it meets an obstacle."""
_STRAIGHT = float(np.cos(np.radians(2.0)))
"""a walk this near the line of the climb before it is still getting up."""


@dataclass(frozen=True, eq=False)
class LegMaker:
    """Makes the legs of one mover's ways."""

    links: Links
    pricing: Pricing
    fall_from: Callable[[Point, Point], Landing]
    """the fall of a leap that fails: from the take-off towards the far side."""
    base_width: float
    """inches."""
    price_notes: Callable[[Floats], tuple[str, ...]]
    """what the ground along a path (m, 3), inches, is: ids of notes."""

    def legs(self, way: Sequence[Stretch]) -> tuple[Leg, ...]:
        """The legs of a way, in order."""
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
        return tuple(_widened(made))

    def _path(self, stretch: Stretch) -> Leg:
        points = stretch.points * inches(1.0)
        path = tuple(_point(p) for p in points)
        cost = inches(stretch.cost)
        size = inches(stretch.length)
        crossing = stretch.kind is StretchKind.CROSS
        kind = LegKind.CROSS if crossing else LegKind.WALK
        if crossing:
            # on the ground at both ends, over the obstacle's top between them
            high = float(stretch.lift.max()) * inches(1.0)
            path = (path[0], *((x, y, high) for x, y, _ in path), path[-1])
        notes = ("obstacle",) if crossing else self.price_notes(points)
        if not crossing and not notes:
            # the price of plain walking is its length, tilted surfaces at their own
            size = max(size, cost)
        return Leg(kind, path[0], path[-1], size, cost, path=path, notes=notes)

    def _link(self, stretch: Stretch) -> tuple[Leg, ...]:
        row = stretch.link
        links = self.links
        kind = _KINDS[LinkKind(int(links.kind[row]))]
        path = self._link_path(row, stretch, kind)
        start, end = path[0], path[-1]
        plan, up, down = (inches(float(c[row])) for c in (links.plan, links.up, links.down))
        size = plan if kind is LegKind.LEAP else plan + up + down
        test = self.pricing.link_test(links, row)
        checks = () if test is None else (fails.check(test, self._fail(test, start, end, down)),)
        leg = Leg(
            kind, start, end, size, inches(stretch.cost), checks, path=path, up=up, down=down,
            gap=inches(float(links.gap[row])), notes=("rail",) if links.rail[row] > 0.0 else (),
        )  # fmt: skip
        if kind is LegKind.JUMP_DOWN and up > _NOTHING and len(path) > 2:
            return self._climb_and_jump(leg)
        return (leg,)

    def _link_path(self, row: int, stretch: Stretch, kind: LegKind) -> tuple[Point, ...]:
        """The way of the body's underside along a link."""
        links = self.links
        if len(links.path_start) > row + 1 and links.path_start[row + 1] - links.path_start[row] > 1:
            points = links.path[links.path_start[row] : links.path_start[row + 1]]
            return tuple(_point(p * inches(1.0)) for p in points)
        start, end = (_point(stretch.points[i] * inches(1.0)) for i in (0, -1))
        high = max(start[2], end[2])
        if kind in (LegKind.CLIMB, LegKind.LADDER):
            low = start if start[2] <= end[2] else end
            return (start, (low[0], low[1], high), end)
        if kind is LegKind.JUMP_DOWN:
            return (start, (end[0], end[1], high), end)
        return (start, end)

    def _climb_and_jump(self, leg: Leg) -> tuple[Leg, ...]:
        """Over a top too narrow to stop on: the climb up to it, then the jump down from it."""
        heights = [p[2] for p in leg.path]
        top = heights.index(max(heights))
        rise = self.pricing.movement.climb_cost * leg.up
        plan = math.dist(leg.path[0][:2], leg.path[top][:2])
        climb = replace(
            leg, kind=LegKind.CLIMB, end=leg.path[top], path=leg.path[: top + 1], length=plan + leg.up,
            cost=rise + plan, checks=(), down=0.0, notes=(),
        )  # fmt: skip
        jump = replace(
            leg, start=leg.path[top], path=leg.path[top:], length=leg.length - climb.length,
            cost=leg.cost - climb.cost, up=0.0,
        )  # fmt: skip
        return climb, jump

    def _fail(self, test: Test, start: Point, end: Point, down: float) -> OnFail:
        pack, rules = self.pricing.pack, self.pricing.rules
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
        if last.kind is not LegKind.CLIMB or leg.kind is not LegKind.WALK or leg.notes:
            return False
        if leg.length > self.base_width or len(leg.path) > 2 or last.up <= last.down:
            return False
        before = np.subtract(last.end, last.start)[:2]
        after = np.subtract(leg.end, leg.start)[:2]
        size = float(np.linalg.norm(before) * np.linalg.norm(after))
        return size > 1e-9 and float(before @ after) / size >= _STRAIGHT


def _widened(legs: list[Leg]) -> list[Leg]:
    """Crossings that begin and end a little before and after the obstacle.

    The search knows to a grid cell where a base meets an obstacle; the price does not hang on it, but the body has to
    be lifted before.
    """
    for i, leg in enumerate(legs):
        if leg.kind is not LegKind.CROSS:
            continue
        if i > 0 and legs[i - 1].kind is LegKind.WALK:
            legs[i - 1], before = _cut(legs[i - 1], legs[i - 1].length - _EARLIER)
            high = leg.path[1][2]
            raised = tuple((x, y, high) for x, y, _ in before.path)
            leg = replace(  # noqa: PLW2901
                leg, start=before.start, path=(before.start, *raised, *leg.path[2:]),
                length=leg.length + before.length, cost=leg.cost + before.cost,
            )  # fmt: skip
        if i + 1 < len(legs) and legs[i + 1].kind is LegKind.WALK:
            after, legs[i + 1] = _cut(legs[i + 1], _EARLIER)
            high = leg.path[-2][2]
            raised = tuple((x, y, high) for x, y, _ in after.path)
            leg = replace(  # noqa: PLW2901
                leg, end=after.end, path=(*leg.path[:-2], *raised, after.end),
                length=leg.length + after.length, cost=leg.cost + after.cost,
            )  # fmt: skip
        legs[i] = leg
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


def with_check(legs: tuple[Leg, ...], check: Check, note: str) -> tuple[Leg, ...]:
    """The same legs, a check added to the first that has a note (else the first)."""
    at = next((i for i, leg in enumerate(legs) if note in leg.notes), 0)
    return tuple(replace(leg, checks=(*leg.checks, check)) if i == at else leg for i, leg in enumerate(legs))


def _joined(a: Leg, b: Leg) -> Leg:
    return replace(
        a,
        end=b.end,
        length=a.length + b.length,
        cost=a.cost + b.cost,
        checks=(*a.checks, *b.checks),
        path=(*a.path, *b.path[1:]),
    )


def _point(values: Floats) -> Point:
    return (float(values[0]), float(values[1]), float(values[2]))
