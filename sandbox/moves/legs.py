"""A found way as legs: kinds, lengths, prices and checks, in inches."""

from __future__ import annotations

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
            leg = self._link(stretch) if stretch.kind is StretchKind.LINK else self._path(stretch)
            if leg.length < _NOTHING and leg.cost < _NOTHING:
                continue
            if made and self._same(made[-1], leg):
                made[-1] = _joined(made[-1], leg)
            else:
                made.append(leg)
        return tuple(made)

    def _path(self, stretch: Stretch) -> Leg:
        points = stretch.points * inches(1.0)
        path = tuple(_point(p) for p in points)
        cost = inches(stretch.cost)
        size = inches(stretch.length)
        crossing = stretch.kind is StretchKind.CROSS
        kind = LegKind.CROSS if crossing else LegKind.WALK
        notes = ("obstacle",) if crossing else self.price_notes(points)
        if not crossing and not notes:
            # the price of plain walking is its length, tilted surfaces at their own
            size = max(size, cost)
        return Leg(kind, path[0], path[-1], size, cost, path=path, notes=notes)

    def _link(self, stretch: Stretch) -> Leg:
        row = stretch.link
        links = self.links
        start, end = _point(stretch.points[0] * inches(1.0)), _point(stretch.points[-1] * inches(1.0))
        plan, up, down = (inches(float(c[row])) for c in (links.plan, links.up, links.down))
        kind = _KINDS[LinkKind(int(links.kind[row]))]
        high = max(start[2], end[2], start[2] + up)
        corners = {
            LegKind.CLIMB: (start, _corner(start, end, high), end),
            LegKind.LADDER: (start, _corner(start, end, high), end),
            LegKind.JUMP_DOWN: (start, (end[0], end[1], high), end),
        }.get(kind, (start, end))
        size = plan if kind is LegKind.LEAP else plan + up + down
        test = self.pricing.link_test(links, row)
        checks = () if test is None else (fails.check(test, self._fail(test, kind, start, end, down)),)
        notes = ("rail",) if links.rail[row] > 0.0 else ()
        return Leg(
            kind, start, end, size, inches(stretch.cost), checks, path=corners,
            up=up, down=down, gap=inches(float(links.gap[row])), notes=notes,
        )  # fmt: skip

    def _fail(self, test: Test, kind: LegKind, start: Point, end: Point, down: float) -> OnFail:
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


def _corner(start: Point, end: Point, high: float) -> Point:
    """Where a climb turns from the height into the plan: over its lower end."""
    low = start if start[2] <= end[2] else end
    return (low[0], low[1], high)


def _point(values: Floats) -> Point:
    return (float(values[0]), float(values[1]), float(values[2]))
