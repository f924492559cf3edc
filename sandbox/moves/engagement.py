"""Who is engaged with whom, by each pack's own definition: contact, a measured distance, across an obstacle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field as made
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np
import shapely

from sandbox.kinds import Kind
from sandbox.moves.distance import Base, Measuring
from sandbox.moves.placed import CONTACT, Placed, touching
from sandbox.rules import Pack
from sandbox.rules.schema import StatusRow
from sandbox.rules.ticks import at_most, less_than
from sandbox.rules.words import EngagedAt, Posture
from sandbox.terrain.plan import plan_of
from sandbox.units import MM_PER_INCH, inches

if TYPE_CHECKING:
    from sandbox.moves.battlefield import Battlefield

_CROSSING = (Kind.OBSTACLE, Kind.RAILING)
"""what parts count as that may be fought across."""
_CLOSE = 12.0
"""inches between centres: models farther apart than this are never engaged; no pack's distance comes near."""


class EngagedHow(StrEnum):
    """What engages two models."""

    CONTACT = "contact"
    """their bases touch."""
    WITHIN = "within"
    """they are less than the pack's distance apart."""
    ACROSS = "across"
    """both touch the same small obstacle, from its two sides."""
    VEHICLE = "vehicle"
    """a fighter near a vehicle, where it chooses to."""


@dataclass(frozen=True)
class Engaged:
    """One model engaged with one enemy. It holds for `who` alone: the enemy's own line is another."""

    who: str
    enemy: str
    how: EngagedHow
    distance: float
    """gap between the bases, inches; 0 in contact."""
    modifier: int
    """what this adds to rolls to hit the enemy."""
    rule: str
    source: str
    chosen: bool = False
    """only where its player wants it."""


@dataclass(frozen=True, eq=False)
class Engaging:
    """Works out engagements on one battlefield."""

    field: Battlefield
    _outlines: dict[int, shapely.Geometry] = made(default_factory=dict, repr=False)

    @property
    def pack(self) -> Pack:
        """The rules that are played by."""
        return self.field.pack

    def all(self, placed: Sequence[Placed]) -> tuple[Engaged, ...]:
        """Everybody's engagements, in the order of the models."""
        found = []
        for a in placed:
            for b in placed:
                if a.id != b.id and a.is_enemy(b) and _close(a.base, b.base):
                    one = self.between(a, b)
                    if one is not None:
                        found.append(one)
        return tuple(found)

    def between(self, who: Placed, enemy: Placed) -> Engaged | None:
        """How one model is engaged with an enemy, by where both are and their statuses; None where it is not."""
        ours, theirs = _rows(self.pack, who), _rows(self.pack, enemy)
        if any(row.is_terrain for row in theirs) or not self._fights(who):
            return None
        if any(row.posture is Posture.VEHICLE for row in theirs):
            return self._vehicle(who, enemy)
        if any(row.posture is Posture.VEHICLE for row in ours):
            return None
        if not self._fights(enemy) and not self.pack.movement.engaged_by_injured:
            return None
        if not all(row.engages for row in ours) and not all(row.engages for row in theirs):
            return None
        return self.near(who, enemy)

    def near(self, who: Placed, enemy: Placed) -> Engaged | None:
        """How two enemies would be engaged where they are, whatever their statuses."""
        m = self.pack.movement
        if touching(who.base, enemy.base, m.free_step_up):
            return self._told(who, enemy, EngagedHow.CONTACT, 0.0, 0, "engaged_at")
        across = self._across(who, enemy)
        if across is not None:
            modifier = m.engage_over_modifier
            return self._told(who, enemy, EngagedHow.ACROSS, across, modifier, "engage_over_width")
        if m.engaged_at is EngagedAt.WITHIN:
            apart = self._measuring.distance(who.base, enemy.base, m.engaged_within + 0.1)
            if np.isfinite(apart) and less_than(apart, m.engaged_within):
                return self._told(who, enemy, EngagedHow.WITHIN, apart, 0, "engaged_within")
        return None

    @property
    def _measuring(self) -> Measuring:
        whole = self.field.measuring
        return Measuring(whole.opening) if self.pack.movement.obstacle_blocks_within else whole

    def _fights(self, one: Placed) -> bool:
        """Whether a model can be engaged: by its statuses, or because it stands up as soon as it is."""
        return all(row.engages or row.stands_up_engaged for row in _rows(self.pack, one))

    def _told(
        self, who: Placed, enemy: Placed, how: EngagedHow, apart: float, modifier: int, rule: str
    ) -> Engaged:
        return Engaged(who.id, enemy.id, how, apart, modifier, rule, self.pack.rule(rule).source)

    def _vehicle(self, who: Placed, enemy: Placed) -> Engaged | None:
        reach = self.pack.movement.vehicle_engaged_within
        if reach == "none" or any(row.posture is not Posture.STANDING for row in _rows(self.pack, who)):
            return None
        apart = self.field.measuring.distance(who.base, enemy.base, float(reach) + 0.1)
        if not np.isfinite(apart) or not at_most(apart, float(reach)):
            return None
        rule = "vehicle_engaged_within"
        source = self.pack.rule(rule).source
        return Engaged(who.id, enemy.id, EngagedHow.VEHICLE, apart, 0, rule, source, chosen=True)

    # -- across an obstacle ------------------------------------------------------------------------------------

    def _across(self, who: Placed, enemy: Placed) -> float | None:
        """Gap between two models on both sides of one obstacle that they both touch; None where there is none.

        It is measured through nothing but that obstacle, and no farther than an obstacle may be wide.
        """
        m = self.pack.movement
        if m.engage_over_width <= 0.0:
            return None
        for index, part in enumerate(self.field.terrain.parts):
            height, width = inches(part.height_mm), inches(part.width_mm)
            if self.field.roles.kinds[index] not in _CROSSING or not m.engaged_across(height, width):
                continue
            if not (self._touches(index, who.base) and self._touches(index, enemy.base)):
                continue
            only_it = Measuring(self.field.opening, (index,))
            apart = only_it.distance(who.base, enemy.base, m.engage_over_width + 0.1)
            if np.isfinite(apart) and at_most(apart, m.engage_over_width) and self._parts(index, who, enemy):
                return apart
        return None

    def beside(self, base: Base) -> tuple[shapely.Geometry, ...]:
        """What the obstacles cover in plan, mm, across which a base that touches them may be engaged."""
        m = self.pack.movement
        if m.engage_over_width <= 0.0:
            return ()
        return tuple(
            self._outline(index)
            for index, part in enumerate(self.field.terrain.parts)
            if self.field.roles.kinds[index] in _CROSSING
            and m.engaged_across(inches(part.height_mm), inches(part.width_mm))
            and self._touches(index, base)
        )

    def _touches(self, index: int, base: Base) -> bool:
        """Whether a base is in contact with a part: beside it in plan, at a height that it has."""
        part = self.field.terrain.parts[index]
        x0, y0, x1, y1 = part.bounds_mm
        x, y, z = (v * MM_PER_INCH for v in base.at)
        reach = base.half_long * MM_PER_INCH + 1.0
        if not (x0 - reach <= x <= x1 + reach and y0 - reach <= y <= y1 + reach):
            return False
        if not part.low_mm - 1.0 <= z < part.high_mm - 1.0:
            return False
        shape = shapely.Polygon((base.outline() + np.array(base.at[:2])) * MM_PER_INCH)
        return bool(shapely.distance(self._outline(index), shape) <= CONTACT * MM_PER_INCH + 0.05)

    def _parts(self, index: int, a: Placed, b: Placed) -> bool:
        """Whether a part lies between two models: on the line of their centres."""
        line = shapely.LineString(np.array([a.at[:2], b.at[:2]]) * MM_PER_INCH)
        return bool(shapely.intersects(self._outline(index), line))

    def _outline(self, index: int) -> shapely.Geometry:
        """What a part covers in plan, mm."""
        if index not in self._outlines:
            self._outlines[index] = plan_of(self.field.terrain, index)
        return self._outlines[index]


def _close(a: Base, b: Base) -> bool:
    return bool(np.hypot(a.at[0] - b.at[0], a.at[1] - b.at[1]) < _CLOSE)


def _rows(pack: Pack, one: Placed) -> list[StatusRow]:
    return [pack.status(s) for s in one.rules.statuses]
