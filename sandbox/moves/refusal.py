"""Why not: limits that geometry or the rules set, told as rulings with their measurement, limit and source.

Lengths are in inches, angles in degrees.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sandbox.ground.ground import Ground, Standing
from sandbox.ground.model import Body, Hindrance, Limit
from sandbox.moves.answers import Point, Ruling
from sandbox.moves.words import built, degrees, digits_for, has, length, sentence
from sandbox.rules import FighterRules, MovementRules, Pack, Rule
from sandbox.rules.readings import allowing, in_words
from sandbox.rules.statements import RuleName
from sandbox.terrain.model import Terrain
from sandbox.units import SNAP_MM, inches, mm


@dataclass(frozen=True)
class _Line:
    """How one of ground's limits is told."""

    sentence: str
    rule: str
    """rule id in the pack."""
    limit: str | None = None
    """the model's number that is the limit; None: what ground says."""
    angle: bool = False


_LINES: Mapping[Limit, _Line] = {
    Limit.OVERHANG: _Line("overhang", "overhang", "overhang"),
    Limit.UNDERSIDE: _Line("underside", "underside", "underside"),
    Limit.NO_ROOM: _Line("no-room", RuleName.ROOM),
    Limit.HEADROOM: _Line("headroom", RuleName.HEADROOM),
    Limit.NO_FLOOR: _Line("nothing-there", RuleName.FLAT_GROUND),
    Limit.GAP: _Line("gap", "span"),
    Limit.STEP: _Line("step", "free_step_up", "free_step_up"),
    Limit.BARRED: _Line("barred", RuleName.IMPASSABLE),
    Limit.LIP: _Line("lip", RuleName.FLAT_GROUND),
    Limit.UNEVEN: _Line("uneven", "uneven", "uneven"),
    Limit.TILT: _Line("tilt", "stand_slope", "stand_slope", angle=True),
    Limit.NOT_CLIMBABLE: _Line("not-climbable", RuleName.NOT_CLIMBABLE),
    Limit.OBSTACLE: _Line("obstacle-ending", "obstacle_stand"),
    Limit.NARROW: _Line("narrow", "narrow"),
    Limit.SLOPE: _Line("slope", "walk_slope", "walk_slope", angle=True),
    Limit.WALL: _Line("wall", "zone_mortalis_walls"),
}
_UNMEASURED = {Limit.NO_FLOOR, Limit.BARRED, Limit.NOT_CLIMBABLE, Limit.OBSTACLE, Limit.WALL}


@dataclass(frozen=True, eq=False)
class Judge:
    """Puts rulings into words for one model under one pack."""

    pack: Pack
    terrain: Terrain
    movement: MovementRules
    body_height: float
    """inches."""
    base_width: float
    """shorter diameter, inches."""

    def ruling(
        self,
        words: str,
        rule: str,
        measured: float | None = None,
        limit: float | None = None,
        where: Point | None = None,
        **filled: object,
    ) -> Ruling:
        """A ruling: `words` names the sentence, `rule` the pack's rule; numbers in inches."""
        stated = self.pack.rule(rule)
        digits = digits_for(measured, limit)
        told = {
            "measured": "" if measured is None else length(measured, digits),
            "limit": "" if limit is None else length(limit, digits),
            **filled,
        }
        return Ruling(
            rule=str(rule),
            text=sentence("rulings", words, **told),
            measured=measured,
            limit=limit,
            source=stated.source,
            where=where,
            **_reading(stated, measured),
        )

    def hindrance(self, found: Hindrance) -> Ruling:
        """One of ground's limits, broken."""
        told = self._hindrance(found)
        # a narrow floor is no passage: crawling through would not help
        return replace(told, setting=None, reading=None) if found.limit is Limit.NARROW else told

    def _hindrance(self, found: Hindrance) -> Ruling:
        line = _LINES[found.limit]
        measured, allowed = found.measured, found.allowed
        where = (inches(found.where[0]), inches(found.where[1]), inches(found.where[2]))
        name = part_name(self.terrain, found.part)
        limit = getattr(self.movement, line.limit) if line.limit else allowed
        if found.limit in _UNMEASURED or not np.isfinite(measured) or not np.isfinite(limit):
            return self._told(line, None, None, where, "", "", name)
        if line.angle:
            return self._told(line, measured, limit, where, degrees(measured), degrees(limit), name)
        value = inches(measured)
        if not line.limit:
            limit = inches(allowed)
        if found.limit is Limit.HEADROOM:
            limit = self.body_height
        if found.limit is Limit.NO_ROOM:
            # told as the overlap: how far what is solid reaches into the base
            value, limit = max(0.0, limit - value), 0.0
        digits = digits_for(value, limit)
        return self._told(line, value, limit, where, built(value, digits), built(limit, digits), name)

    def _told(
        self,
        line: _Line,
        measured: float | None,
        limit: float | None,
        where: Point,
        said: str,
        allowed: str,
        name: str,
    ) -> Ruling:
        stated = self.pack.rule(line.rule)
        plain_words = f"{line.sentence}-unmeasured"
        words = plain_words if not said and has("rulings", plain_words) else line.sentence
        return Ruling(
            rule=str(line.rule),
            text=sentence("rulings", words, measured=said, limit=allowed, name=name),
            measured=measured,
            limit=limit,
            source=stated.source,
            where=where,
            **_reading(stated, measured),
        )

    def hindrances(self, found: Sequence[Hindrance]) -> tuple[Ruling, ...]:
        """All of them, in order, each rule once."""
        told: dict[str, Ruling] = {}
        for one in found:
            ruling = self.hindrance(one)
            told.setdefault(ruling.rule, ruling)
        return tuple(told.values())

    def allowance(self, cost: float, allowance: float) -> Ruling:
        """Costs more than there is."""
        return self.ruling("allowance", RuleName.ALLOWANCE, cost, allowance)

    def no_way(self, limit: float) -> Ruling:
        """Nothing leads there."""
        return self.ruling("no-way", RuleName.NO_WAY, None, limit)


def part_name(terrain: Terrain, part: int) -> str:
    """A terrain part as people know it: its piece, and which part of it where that has a name."""
    if not 0 <= part < len(terrain.parts):
        return sentence("something-solid")
    found = terrain.parts[part]
    return f"{found.piece} ({found.name})" if found.name else found.piece


def _reading(rule: Rule, measured: float | None) -> dict[str, str]:
    """The open setting that would change a ruling, and how; nothing where none would."""
    found = allowing(rule, measured)
    return {} if found is None else {"setting": rule.id, "reading": in_words(found)}


def judge(pack: Pack, terrain: Terrain, rules: FighterRules | None, height: float, width: float) -> Judge:
    """The judge for a model of that body height and base width, inches (None: one without anything special)."""
    return Judge(pack, terrain, pack.movement if rules is None else rules.movement, height, width)


def plain(ground: Ground, body: Body, at: Point, found: Hindrance) -> Hindrance:
    """The same limit, where no room is told apart from no headroom; at: the place, inches."""
    low = headroom(ground, body, at) if found.limit is Limit.NO_ROOM else None
    return found if low is None else Hindrance(Limit.HEADROOM, low, 0.0, found.where, found.part)


def just_fits(found: Standing) -> bool:
    """Whether all that stands against a place is a hair of room: measurements are snapped before they are compared."""
    only = found.hindrances[0] if len(found.hindrances) == 1 else None
    return (
        only is not None
        and only.limit is Limit.NO_ROOM
        and found.support >= 1.0
        and only.allowed - only.measured <= SNAP_MM / 2
    )


def headroom(ground: Ground, body: Body, at: Point) -> float | None:
    """Room (mm) under the lowest thing over a base's middle and rim, None where that is enough for the body."""
    angle = np.linspace(0.0, 2 * np.pi, 16, endpoint=False)
    heading = np.radians(body.facing)
    along, across = 0.98 * body.half_long_mm * np.cos(angle), 0.98 * body.half_short_mm * np.sin(angle)
    x = mm(at[0]) + np.append(0.0, along * np.cos(heading) - across * np.sin(heading))
    y = mm(at[1]) + np.append(0.0, along * np.sin(heading) + across * np.cos(heading))
    z, step = mm(at[2]), ground.numbers.free_step_up_mm
    least = np.inf
    for px, py in zip(x, y, strict=True):
        column = ground.column(float(px), float(py))
        here = (np.abs(column.z - z) <= step) & (column.face >= 0) & (column.top > z + step)
        if here.any():
            least = min(least, float(column.top[here].min()) - z)
    return least if least < body.height_mm - SNAP_MM else None
