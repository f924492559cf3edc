"""The other models: whom a mover keeps away from, may pass, and may not end on.

Lengths are in inches, angles in degrees.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sandbox.ground.model import Floats, LinkKind, Links, Place, Places
from sandbox.moves.answers import Point, Ruling
from sandbox.moves.distance import Base, Measuring, gaps, plan_gaps
from sandbox.moves.placed import CONTACT, Placed, overlapping
from sandbox.moves.refusal import Judge
from sandbox.rules import Pack
from sandbox.rules.statements import RuleName
from sandbox.rules.ticks import less_than
from sandbox.units import MM_PER_INCH, SNAP_MM, inches, mm

Disc = tuple[float, float, float, float, float]

_LEVELS = 24
"""most floor heights around an enemy that get a disc of their own; more are put into bands."""
_BAND_MM = 1.0
_STEPS = 9
"""places along a link that are looked at."""
_TICK = inches(SNAP_MM)


@dataclass(frozen=True)
class Kept:
    """One model that the mover has to do with."""

    placed: Placed
    enemy: bool
    keep: float
    """distance that is kept from it, inches; 0: none."""
    start: float
    """distance to it where the mover starts, inches; inf where it is not below `keep`."""
    solid: bool
    """its base may not be passed."""

    @property
    def distance(self) -> float:
        """Nearest that the mover may come, inches: who starts closer may only move away."""
        return min(self.keep, self.start)


@dataclass(frozen=True, eq=False)
class Others:
    """All other models, as one mover with one action meets them. Inches."""

    base: Base
    """the mover's base at its start."""
    height: float
    """of the moving body."""
    kept: tuple[Kept, ...]
    measuring: Measuring
    judge: Judge
    end_only: bool
    """the distance is kept only where the move ends."""

    @property
    def close(self) -> tuple[Kept, ...]:
        """Those that the mover starts too near to: it may only move away from them."""
        if self.end_only:
            return ()
        return tuple(one for one in self.kept if one.start < one.keep)

    # -- for the search ----------------------------------------------------------------------------------------

    def bar(self, places: Places, weight: Floats) -> Floats:
        """Keep the search away from them: discs (d, 5) in mm; what no disc can say is barred in `weight`, (n,)."""
        pos = places.pos * (1.0 / MM_PER_INCH)
        # only where the mover may be at all is worth measuring
        asked = np.where((places.flags & Place.PASS) != 0, weight, np.inf)
        discs: list[Disc] = []
        for one in self.kept:
            if one.solid:
                discs += self._bodies(one, pos, weight)
            if one.distance > 0.0 and not self.end_only:
                discs += self._distances(one, pos, weight, np.isfinite(asked))
        return np.array(discs, dtype=np.float64).reshape(-1, 5)

    def _bodies(self, one: Kept, pos: Floats, weight: Floats) -> list[Disc]:
        other = one.placed
        x, y, z = other.at
        low, high = z - self.height, z + other.height
        if other.base.is_round and self.base.is_round:
            radius = other.base.half_long + self.base.half_long
            return [(mm(x), mm(y), mm(radius), mm(low) + 1.0, mm(high) - 1.0)]
        reach = other.base.half_long + self.base.half_long
        near = np.flatnonzero(
            (np.hypot(pos[:, 0] - x, pos[:, 1] - y) < reach) & (pos[:, 2] > low) & (pos[:, 2] < high)
        )
        weight[near[plan_gaps(pos[near], self.base, other.base) < -_TICK]] = np.inf
        return []

    def _distances(self, one: Kept, pos: Floats, weight: Floats, open_: NDArray[np.bool_]) -> list[Disc]:
        other, keep = one.placed, one.distance
        x, y, z = other.at
        reach = other.base.half_long + self.base.half_long
        gone = np.hypot(pos[:, 0] - x, pos[:, 1] - y)
        near = np.flatnonzero(open_ & (np.abs(pos[:, 2] - z) < keep) & (gone < reach + keep))
        if near.size == 0:
            return []
        close = self.measuring.near(pos[near], self.base, other.base, keep) < keep - _TICK / 2
        if not (other.base.is_round and self.base.is_round):
            weight[near[close]] = np.inf
            return []
        discs = []
        height = np.round(pos[near, 2] * MM_PER_INCH / SNAP_MM) * SNAP_MM
        if len(np.unique(height)) > _LEVELS:
            height = np.round(height / _BAND_MM) * _BAND_MM
        for level in np.unique(height):
            here = height == level
            radius = reach + float(np.sqrt(max(0.0, keep**2 - inches(level - mm(z)) ** 2)))
            inside = here & (gone[near] < radius - _TICK)
            if close[inside].all():
                half = _BAND_MM / 2 + SNAP_MM
                discs.append((mm(x), mm(y), mm(radius), float(level) - half, float(level) + half))
            else:
                # something solid keeps part of this floor out of the measurement
                weight[near[here & close]] = np.inf
        return discs

    def bar_links(self, links: Links, price: Floats) -> None:
        """Refuse links that lead past or onto somebody they may not: sets their price to +inf.

        price: (k,) of each link, changed in place.
        """
        if len(links.kind) == 0:
            return
        along = link_points(links) * (1.0 / MM_PER_INCH)
        bad = self.refused(along.reshape(-1, 3))
        price[bad.reshape(along.shape[:2]).any(axis=1)] = np.inf

    def refused(self, points: Floats) -> NDArray[np.bool_]:
        """Where the mover may not even pass because of others: points (n, 3), (n,)."""
        bad = np.zeros(len(points), dtype=np.bool_)
        for one in self.kept:
            other = one.placed
            if one.solid:
                overlap = plan_gaps(points, self.base, other.base) < -_TICK
                bad |= overlap & self._beside(points, other)
            if one.distance > 0.0 and not self.end_only:
                at = np.flatnonzero(gaps(points, self.base, other.base) < one.distance)
                apart = self.measuring.near(points[at], self.base, other.base, one.distance)
                bad[at[apart < one.distance - _TICK]] = True
        return bad

    def free(self, points: Floats) -> NDArray[np.bool_]:
        """Where the move may end, as far as other models go: points (n, 3), (n,)."""
        answer = np.ones(len(points), dtype=np.bool_)
        for one in self.kept:
            other = one.placed
            overlap = plan_gaps(points, self.base, other.base) < -_TICK
            answer &= ~(overlap & self._beside(points, other))
            if one.distance > 0.0:
                at = np.flatnonzero(answer & (gaps(points, self.base, other.base) < one.distance))
                apart = self.measuring.near(points[at], self.base, other.base, one.distance)
                answer[at] = [not nearer(float(a), one.distance) for a in apart]
        return answer

    def _beside(self, points: Floats, other: Placed) -> NDArray[np.bool_]:
        """Where the two bodies are at overlapping heights."""
        z = other.at[2]
        answer: NDArray[np.bool_] = (points[:, 2] < z + other.height) & (points[:, 2] + self.height > z)
        return answer

    # -- for one place -----------------------------------------------------------------------------------------

    def ending(self, at: Point, facing: float | None = None) -> Ruling | None:
        """Why the move may not end at a place, as far as other models go; None where it may."""
        here = self.base.moved(at, facing)
        for one in self.kept:
            overlap = overlapping(here, one.placed.base, self.height, one.placed.height)
            if overlap > CONTACT / 2:
                return self.judge.ruling(
                    "base-overlap", RuleName.NO_OVERLAP, overlap, 0.0, one.placed.at, name=one.placed.id
                )
        for one in self.kept:
            if one.distance > 0.0:
                apart = self.measuring.distance(here, one.placed.base, one.keep)
                if nearer(apart, one.distance):
                    return self.too_near(one, apart)
        return None

    def passing(self, at: Point) -> Ruling | None:
        """Why the mover may not pass a place, as far as other models go; None where it may."""
        here = self.base.moved(at)
        for one in self.kept:
            overlap = overlapping(here, one.placed.base, self.height, one.placed.height)
            if one.distance > 0.0 and not self.end_only:
                apart = self.measuring.distance(here, one.placed.base, one.keep)
                if nearer(apart, one.distance - _TICK):
                    return self.too_near(one, apart)
            if one.solid and overlap > _TICK:
                words = "enemy-body" if one.enemy else "friend-body"
                rule = RuleName.OTHER_MODELS if one.enemy else "pass_friends"
                return self.judge.ruling(words, rule, None, None, one.placed.at, name=one.placed.id)
        return None

    def too_near(self, one: Kept, apart: float) -> Ruling:
        """The ruling about a distance that is not kept."""
        return self.judge.ruling(
            "enemy-distance", "keep_distance", apart, one.keep, one.placed.at, name=one.placed.id
        )


def nearer(apart: float, distance: float) -> bool:
    """Whether a measured distance (inf where nothing is measured) is less than another, inches."""
    return bool(np.isfinite(apart)) and less_than(apart, distance)


def others(
    pack: Pack,
    mover: Placed,
    placed: Sequence[Placed],
    measuring: Measuring,
    judge: Judge,
    height: float,
    *,
    near_enemies: bool,
) -> Others:
    """Work out whom a mover meets how. near_enemies: its action lets it come nearer than the pack's distance."""
    movement = mover.rules.movement
    kept = []
    for other in placed:
        if other.id == mover.id:
            continue
        enemy = mover.is_enemy(other)
        rows = [pack.status(s) for s in other.rules.statuses]
        keep = 0.0
        if enemy and not near_enemies and all(row.kept_from for row in rows):
            keep = movement.keep_distance
        passed = movement.pass_friends
        if enemy:
            passed = movement.pass_enemies or any(row.passed_by_enemies for row in rows)
        start = measuring.distance(mover.base, other.base, keep) if keep > 0.0 else np.inf
        kept.append(Kept(other, enemy, keep, start, solid=not passed))
    return Others(mover.base, height, tuple(kept), measuring, judge, movement.keep_at_end_only)


def link_points(links: Links) -> Floats:
    """Places along each link, (k, 9, 3) mm: up first where it climbs up, else across and then down."""
    a, b = links.start_pos, links.end_pos
    rising = np.isin(links.kind, (LinkKind.CLIMB, LinkKind.LADDER)) & (b[:, 2] > a[:, 2])
    corner = np.where(rising[:, None], a, b)
    corner = np.column_stack([corner[:, :2], np.maximum(a[:, 2], b[:, 2])])
    half = np.linspace(0.0, 1.0, (_STEPS + 1) // 2)[None, :, None]
    first = a[:, None, :] * (1 - half) + corner[:, None, :] * half
    second = corner[:, None, :] * (1 - half[:, 1:]) + b[:, None, :] * half[:, 1:]
    return np.concatenate([first, second], axis=1)
