"""Crawling through ductways and through openings too narrow for the base. Lengths are in inches, angles in degrees."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sandbox.moves.answers import Leg, LegKind, Point, Ruling
from sandbox.moves.distance import Base
from sandbox.moves.passages import Passage, apart, passages
from sandbox.moves.placing import Placing
from sandbox.rules.ticks import at_most, less_than
from sandbox.rules.words import DuctwayEnemy


@dataclass(frozen=True)
class _Open:
    """A passage with what stands against it."""

    passage: Passage
    against: Ruling | None


class CrawlThrough(Placing):
    """From within reach of one mouth to within reach of the other."""

    @cached_property
    def ways(self) -> tuple[_Open, ...]:
        """The passages that are asked about, those in reach first."""
        named = self.aim if isinstance(self.aim, str) else None
        found = [p for p in passages(self) if named is None or p.id == named]
        here = [p for p in found if p.reached(self._start, self.movement.ductway_reach)]
        return tuple(_Open(p, self._closed(p)) for p in here or found)

    @property
    def _start(self) -> Base:
        return self.mover.base.moved(self.start)

    def _closed(self, passage: Passage) -> Ruling | None:
        """Why a passage cannot be used at all; None where it can."""
        movement = self.movement
        gap = apart(self._start, passage.near)
        if not at_most(gap, movement.ductway_reach):
            return self.judge.ruling(
                "ductway-far", "ductway_reach", gap, movement.ductway_reach, passage.near, name=passage.id
            )
        rule = "squeeze_length" if passage.squeeze else "ductway_length"
        longest = getattr(movement, rule)
        if not at_most(passage.length, longest):
            return self.judge.ruling(
                "ductway-long", rule, passage.length, longest, passage.near, name=passage.id
            )
        if movement.ductway_enemy is DuctwayEnemy.CLOSES:
            for one in self.others.kept:
                gap = apart(one.placed.base, passage.far)
                if one.enemy and less_than(gap, movement.ductway_reach):
                    return self.judge.ruling(
                        "ductway-enemy",
                        "ductway_enemy",
                        gap,
                        movement.ductway_reach,
                        one.placed.at,
                        name=one.placed.id,
                    )
        return None

    def against(self, at: Point) -> tuple[Ruling, ...]:
        """Where no passage is open, that comes first."""
        if all(one.against is not None for one in self.ways):
            return self.why_not(at)
        return super().against(at)

    def around(self) -> tuple[Point, float]:
        """Around the far mouths."""
        far = [one.passage.far for one in self.ways if one.against is None] or [self.start]
        middle = np.mean(np.array(far), axis=0)
        reach = max(math.dist(middle[:2], p[:2]) for p in far)
        at = (float(middle[0]), float(middle[1]), float(middle[2]))
        return at, reach + self.movement.ductway_reach + self.mover.base.half_long + 0.2

    def _by(self, at: Point) -> Passage | None:
        here = self.mover.base.moved(at)
        open_ways = [one.passage for one in self.ways if one.against is None]
        reached = [p for p in open_ways if at_most(apart(here, p.far), self.movement.ductway_reach)]
        # within reach through a thin wall is not beyond it
        reached = [p for p in reached if less_than(apart(here, p.far), apart(here, p.near))]
        return min(reached, key=lambda p: apart(here, p.far), default=None)

    def why_not(self, at: Point) -> tuple[Ruling, ...]:
        """Not within reach of a far mouth, or no passage that is open."""
        if self._by(at) is not None:
            return ()
        closed = [one.against for one in self.ways if one.against is not None]
        open_ways = [one.passage for one in self.ways if one.against is None]
        if not open_ways:
            return tuple(closed[:1]) or (self.judge.ruling("ductway-none", "ductway_reach"),)
        here = self.mover.base.moved(at)
        nearest = min(open_ways, key=lambda p: apart(here, p.far))
        gap = apart(here, nearest.far)
        return (
            self.judge.ruling(
                "ductway-beyond",
                "ductway_reach",
                gap,
                self.movement.ductway_reach,
                nearest.far,
                name=nearest.id,
            ),
        )

    def told(self, at: Point) -> tuple[tuple[Leg, ...], float]:
        """One leg through."""
        passage = self._by(at)
        if passage is None:  # pragma: no cover  (`why_not` was asked before)
            return (), 0.0
        path = (self.start, passage.near, passage.far, at)
        size = sum(math.dist(a, b) for a, b in itertools.pairwise(path))
        kind = LegKind.SQUEEZE if passage.squeeze else LegKind.DUCTWAY
        return (Leg(kind, self.start, at, size, 0.0, path=path),), 0.0
