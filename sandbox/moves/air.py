"""Through the air: grapnels, teleports, and hops over terrain for those who fly or carry a rocket pack.

Lengths are in inches, angles in degrees.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sandbox.ground.model import Floats
from sandbox.kinds import Kind
from sandbox.moves import fails, pits, spots
from sandbox.moves.answers import SPOT, Check, CheckKind, Leg, LegKind, Move, OnFail, Point, Reason, Ruling
from sandbox.moves.distance import plan_gaps
from sandbox.moves.legal import Asked
from sandbox.moves.placing import Placing, standing_places
from sandbox.moves.prices import Test
from sandbox.moves.sight import EYE, crosses
from sandbox.moves.words import sentence
from sandbox.rules import FighterRules
from sandbox.rules.fighter import Used
from sandbox.rules.schema import GrantedProcedure
from sandbox.rules.statements import RuleName
from sandbox.rules.ticks import at_most
from sandbox.rules.words import Procedure
from sandbox.units import inches

Bools = NDArray[np.bool_]

_STEP = 0.1
"""inches between two places on a line that are looked at for a gap under it."""
_HEIGHTS = (0.02, 0.5, 0.98)
"""heights of a body, as shares of it, at which its way through the air is looked along."""
_HOPS = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 12.0)
"""inches above the higher of both ends that a hop is tried at."""
_CLEAR = inches(0.5)
_UNDER = 40
"""places under a hop that are looked at for what is impassable."""
_DEEP = 40.0
"""inches looked down."""
_CHUNK = 400
"""places that are looked at together."""


class Grapnel(Placing):
    """Straight to any place within reach, on any level, through nothing solid and past nobody."""

    @property
    def allowance(self) -> float:
        """Its reach, inches."""
        return self.action.row.reach or 0.0

    @cached_property
    def least_change(self) -> float:
        """Change of level that is wanted where no gap is crossed, inches; 0: none."""
        granted = self.mover.rules.procedure(Procedure.GRAPNEL)
        return 0.0 if granted is None else granted[1].least_change or 0.0

    def around(self) -> tuple[Point, float]:
        """Its reach around the mover."""
        return self.start, self.allowance

    def free_of(self, points: Floats) -> Bools:
        """Within reach, in a straight line, to somewhere that a grapnel is for.

        points: (n, 3) inches; the answer (n,).
        """
        if not len(points):
            return np.zeros(0, dtype=bool)
        near = np.linalg.norm(points - np.array(self.start), axis=1) <= self.allowance + inches(0.025)
        near[near] = self._line(points[near])
        near[near] = [self._worth(p) for p in points[near]]
        return np.asarray(near, dtype=np.bool_)

    def _line(self, points: Floats) -> Bools:
        """Whether nothing solid and nobody is on the line from eye to eye."""
        up = np.array([0.0, 0.0, EYE * self.mover.height])
        eye = np.array(self.start) + up
        hits = self.field.world.rays(np.repeat(eye[None, :], len(points), axis=0), points + up)
        clear = np.asarray(~hits.hit)
        others = [one for one in self.field.fighters if one.id != self.mover.id and not one.prone]
        for i in np.flatnonzero(clear):
            clear[i] = not any(crosses(eye, points[i] + up, one) for one in others)
        return np.asarray(clear, dtype=np.bool_)

    def _worth(self, point: Floats) -> bool:
        """Whether it changes level enough or crosses a gap."""
        if self.least_change <= 0.0:
            return True
        if abs(point[2] - self.start[2]) >= self.least_change - inches(0.025):
            return True
        return self._gap(point) or pits.crossed(self, point)

    def _gap(self, point: Floats) -> bool:
        """Whether the floor under the line is missing for more than a base's width."""
        a, b = np.array(self.start), np.asarray(point)
        span = float(np.hypot(*(b - a)[:2]))
        step = self.movement.free_step_down
        run = 0.0
        for share in np.linspace(0.0, 1.0, max(2, int(span / _STEP))):
            x, y, z = a + share * (b - a)
            level = any(abs(h - z) <= step + inches(1.0) for h in self.floors(float(x), float(y), None))
            run = 0.0 if level else run + _STEP
            if run > 2 * self.mover.base.half_short:
                return True
        return False

    def why_not(self, at: Point) -> tuple[Ruling, ...]:
        """Too far, something in the line, or nothing that a grapnel is for."""
        gone = math.dist(at, self.start)
        if not at_most(gone, self.allowance):
            return (self.judge.ruling("grapnel-far", self.rule, gone, self.allowance, at),)
        if not self._line(np.array([at]))[0]:
            return (self.judge.ruling("grapnel-line", self.rule, None, None, at),)
        if not self._worth(np.array(at)):
            change = abs(at[2] - self.start[2])
            return (self.judge.ruling("grapnel-level", self.rule, change, self.least_change, at),)
        return ()

    def told(self, at: Point) -> tuple[tuple[Leg, ...], float]:
        """One straight leg; it is landed on, not swept."""
        size = math.dist(self.start, at)
        leg = Leg(LegKind.GRAPNEL, self.start, at, size, size, path=(self.start, at))
        return (leg,), size


class Teleport(Placing):
    """To any free place of the battlefield, then scattered."""

    def around(self) -> tuple[Point, float]:
        """The whole board."""
        width, depth = (inches(v) for v in self.field.terrain.size_mm)
        return (width / 2, depth / 2, 0.0), math.hypot(width, depth) / 2

    def why_not(self, at: Point) -> tuple[Ruling, ...]:
        """Nothing more than what any place needs."""
        return ()

    def free_of(self, points: Floats) -> Bools:
        """All of them, (n,); points: (n, 3) inches."""
        return np.ones(len(points), dtype=np.bool_)

    def told(self, at: Point) -> tuple[tuple[Leg, ...], float]:
        """One leg that is nowhere between its ends."""
        size = math.dist(self.start, at)
        return (Leg(LegKind.TELEPORT, self.start, at, size, 0.0, path=(self.start, at)),), 0.0

    def rolls(self, at: Point) -> tuple[Check, ...]:
        """The scatter die: it stays where it was put on a hit."""
        table = self.field.pack.file.tables.scatter
        if table is None:
            return ()
        chance = table.hits / table.faces
        test = Test(
            CheckKind.DISTANCE,
            Reason.SCATTER,
            table.faces - table.hits + 1,
            0,
            chance,
            self.field.pack.rule(self.rule).source,
        )
        return (fails.check(test, OnFail(sentence("fails", "scatter"))),)


class Flying(Asked):
    """A move along the ground, or straight through the air where that is likelier or shorter."""

    @property
    def granted(self) -> GrantedProcedure:
        """What lets it leave the ground."""
        found = wings(self.mover.rules, self.action.id)
        assert found is not None
        return found[1]

    @property
    def granted_by(self) -> str:
        """Rule id of the skill or the gear that does."""
        found = wings(self.mover.rules, self.action.id)
        assert found is not None
        return found[0].id

    @property
    def landing(self) -> Check | None:
        """What is rolled when it comes down; None: nothing."""
        check = self.granted.check
        if check is None:
            return None
        test = self.pricing.test(check, Reason.LANDING, 0, self.granted_by)
        return None if test is None else fails.check(test, OnFail(sentence("fails", "pinned")))

    def hops(self, points: Floats) -> tuple[Floats, Floats]:
        """Straight distance to places, inf where no hop leads there; and how high above the start it goes; (n,) each."""
        cost, rise = np.full(len(points), np.inf), np.zeros(len(points))
        size = np.linalg.norm(points - np.array(self.start), axis=1)
        near = np.flatnonzero(size <= self.allowance + inches(0.025))
        for first in range(0, len(near), _CHUNK):
            rows = near[first : first + _CHUNK]
            left = np.ones(len(rows), dtype=np.bool_)
            for hop in _HOPS:
                height = np.maximum(points[rows, 2], self.start[2]) + hop + _CLEAR
                open_ = np.zeros(len(rows), dtype=np.bool_)
                open_[left] = self._open(points[rows[left]], height[left])
                cost[rows[open_]], rise[rows[open_]] = size[rows[open_]], height[open_] - self.start[2]
                left &= ~open_
                if not left.any():
                    break
        return cost, rise

    def _open(self, points: Floats, height: Floats) -> Bools:
        """Whether the body gets up, across at a height, and down again, touching nothing solid."""
        radius, tall, n = self.mover.base.half_long, self.mover.height, len(points)
        a = np.repeat(np.array(self.start)[None, :], n, axis=0)
        way = points[:, :2] - a[:, :2]
        size = np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-9)
        unit = way / size
        side = np.column_stack([-unit[:, 1], unit[:, 0]])
        starts, ends = [], []
        for share in _HEIGHTS:
            z = height + share * tall
            for off in (-0.98 * radius, 0.0, 0.98 * radius):
                starts.append(np.column_stack([a[:, :2] + off * side, z]))
                ends.append(np.column_stack([points[:, :2] + off * side + radius * unit, z]))
        for spot in (a, points):
            for angle in np.linspace(0.0, 2 * np.pi, 8, endpoint=False):
                rim = 0.97 * radius * np.array([math.cos(angle), math.sin(angle)])
                starts.append(np.column_stack([spot[:, :2] + rim, height + tall]))
                ends.append(
                    np.column_stack([spot[:, :2] + rim, spot[:, 2] + self.movement.free_step_up + 0.05])
                )
            starts.append(np.column_stack([spot[:, :2], height + tall]))
            ends.append(np.column_stack([spot[:, :2], spot[:, 2] + inches(1.0)]))
        hits = self.field.world.rays(np.concatenate(starts), np.concatenate(ends))
        barred = hits.hit.reshape(-1, n).any(axis=0)
        return np.asarray(~barred & self._past(points, height) & self._not_over(points, height))

    def _not_over(self, points: Floats, height: Floats) -> Bools:
        """Whether nothing impassable lies under the line, where that is not passed over either."""
        if self.granted.over_impassable or Kind.IMPASSABLE not in self.roles.kinds:
            return np.ones(len(points), dtype=np.bool_)
        barred = np.array([kind is Kind.IMPASSABLE for kind in self.roles.kinds])
        share = np.linspace(0.0, 1.0, _UNDER)[None, :, None]
        begin = np.array(self.start[:2])
        line = (begin + share * (points[:, None, :2] - begin)).reshape(-1, 2)
        top = np.repeat(height, _UNDER)
        hits = self.field.world.rays(np.column_stack([line, top]), np.column_stack([line, top - _DEEP]))
        over = hits.hit & barred[np.maximum(hits.part, 0)]
        return np.asarray(~over.reshape(-1, _UNDER).any(axis=1), dtype=np.bool_)

    def _past(self, points: Floats, height: Floats) -> Bools:
        """Whether the line goes over the heads of those who are in the way; rockets and wings carry over models."""
        answer = np.ones(len(points), dtype=np.bool_)
        for one in self.others.kept:
            other = one.placed
            share = np.linspace(0.0, 1.0, 24)
            line = np.array(self.start) + share[None, :, None] * (points - np.array(self.start))[:, None, :]
            over = plan_gaps(line.reshape(-1, 3), self.mover.base, other.base).reshape(len(points), -1) < 0.0
            high = height < other.at[2] + other.height
            low = height + self.mover.height > other.at[2]
            answer &= ~(over.any(axis=1) & high & low)
        return answer

    def many(self, points: Floats) -> tuple[Floats, Floats]:
        """The better of walking and flying to points (n, 3) in inches.

        Cost (inches, inf where there is no way) and chance, (n,) each.
        """
        cost, chance = super().many(points)
        flown, _ = self.hops(points)
        odds = 1.0 if self.landing is None else self.landing.chance
        odds_of = odds * np.array([self.distance_chance(float(c)) if np.isfinite(c) else 0.0 for c in flown])
        take = np.isfinite(flown) & ((odds_of > chance + 1e-9) | (~np.isfinite(cost)))
        take |= np.isfinite(flown) & (np.abs(odds_of - chance) <= 1e-9) & (flown < cost - 1e-4)
        return np.where(take, flown, cost), np.where(take, odds_of, chance)

    def spots(self) -> NDArray[Any]:
        """Places to stand within the allowance, walked or flown to, (n,) of dtype SPOT."""
        if self.engages:
            return super().spots()
        points = standing_places(self, self.body, self.start, self.allowance)
        points = points[self.others.free(points)] if len(points) else points
        if not len(points):
            return np.zeros(0, SPOT)
        return spots.as_spots(points, *self.many(points))

    def to(self, x: float, y: float, z: float | None, facing: float | None) -> Move:
        """Walked, or flown where that is better."""
        walked = super().to(x, y, z, facing)
        at = walked.to
        if any(r.rule == RuleName.OFF_BOARD for r in walked.rulings) or self.against(at):
            return walked
        cost, rise = self.hops(np.array([at]))
        if not np.isfinite(cost[0]):
            return walked
        landing = self.landing
        chance = (1.0 if landing is None else landing.chance) * self.distance_chance(float(cost[0]))
        if walked.legal and walked.success is not None and walked.cost is not None:
            worse = chance < walked.success - 1e-9
            if worse or (abs(chance - walked.success) <= 1e-9 and cost[0] >= walked.cost - 1e-4):
                return walked
        high = self.start[2] + float(rise[0])
        path = (self.start, (*self.start[:2], high), (at[0], at[1], high), at)
        leg = Leg(LegKind.FLY, self.start, at, float(cost[0]), float(cost[0]), path=path)
        legs, refused = self.proof.confirm((leg,))
        if refused:
            for one in refused:
                self.proof.count(self.field.scene, self.mover.id, one)
            return walked
        rolled = self.distance_check(float(cost[0]))
        checks = tuple(c for c in (rolled, landing) if c is not None)
        return self._move(at, legal=True, cost=float(cost[0]), success=chance, legs=legs, checks=checks)


def wings(rules: FighterRules, action: str) -> tuple[Used, GrantedProcedure] | None:
    """What lets a model leave the ground during an action; None where nothing does."""
    for name in (Procedure.FLY, Procedure.ROCKET_JUMP):
        found = rules.procedure(name)
        if found is not None and (not found[1].actions or action in found[1].actions):
            return found
    return None
