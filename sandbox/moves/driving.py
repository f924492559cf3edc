"""How vehicles move: straight stretches and turns, what their ground costs them, what they run into or off.

What a vehicle's own action says of distance and turns is not in the documents: the pack's settings stand for it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import shapely

from sandbox.kinds import Kind
from sandbox.moves.answers import Point
from sandbox.moves.distance import Base, plan_gap
from sandbox.moves.falling_straight import Line, Stop
from sandbox.moves.placed import Placed
from sandbox.rules import FighterRules
from sandbox.terrain.model import BOARD_PIECE
from sandbox.units import mm

if TYPE_CHECKING:
    from sandbox.moves.battlefield import Battlefield

_STRIDE = 0.05
"""inches between two places whose ground is looked at."""
_BORDER = 1e-4
"""inches to which the border between two grounds is found."""
_SAME = 1e-9
"""inches that are no distance."""
OPEN, DIFFICULT, DANGEROUS = 0, 1, 2


@dataclass(frozen=True)
class Stretch:
    """One straight stretch of a vehicle's way."""

    at: Point
    """where it ends."""
    gone: float
    """inches."""
    cost: float
    """inches of its allowance."""
    stop: Stop
    part: int
    """terrain part that stopped it, -1 none."""
    met: str | None
    """the model that stopped it."""
    dangers: int
    """patches of dangerous ground that it came onto."""
    difficult: float
    """inches gone over difficult ground, dangerous ground too."""


def stretch(field: Battlefield, one: Placed, towards: tuple[float, float], budget: float) -> Stretch:
    """How a vehicle gets on towards a place (inches), with so much of its allowance left. It looks where it goes.

    Difficult ground costs what it costs this vehicle; dangerous ground is told by the patches that it comes onto.
    """
    way = np.array(towards) - np.array(one.at[:2])
    size = float(np.hypot(*way))
    if size < 1e-6:
        return Stretch(one.at, 0.0, 0.0, Stop.DISTANCE, -1, None, 0, 0.0)
    line = Driven(field, one, way / size)
    gone, stop = line.far(min(size, budget))
    price = one.rules.movement.difficult_cost
    paid, dangers, difficult, was = 0.0, 0, 0.0, OPEN
    for start, end, now in _spans(field, one.rules, line, gone):
        rate = price if now != OPEN else 1.0
        part = min(end - start, (budget - paid) / rate)
        paid += part * rate
        difficult += part if now != OPEN else 0.0
        # who begins on dangerous ground does not come onto it
        dangers += now == DANGEROUS and was != DANGEROUS and start > 0.0
        if part < end - start - _SAME:
            return Stretch(
                line.at(start + part), start + part, budget, Stop.DISTANCE, -1, None, dangers, difficult
            )
        was = now
    return Stretch(line.at(gone), gone, paid, stop, line.part, line.met, dangers, difficult)


def _spans(
    field: Battlefield, rules: FighterRules, line: Line, gone: float
) -> Iterator[tuple[float, float, int]]:
    """Where along a line (inches from its start) which ground lies, each part as long as it is one ground."""

    def ground(far: float) -> int:
        return ground_at(field, rules, line.at(far))

    begun, last, now = 0.0, 0.0, ground(0.0)
    for here in (*np.arange(_STRIDE, gone, _STRIDE), gone):
        while (after := ground(float(here))) != now:
            low, high = last, float(here)
            while high - low > _BORDER:
                middle = (low + high) / 2
                low, high = (middle, high) if ground(middle) == now else (low, middle)
            yield begun, high, now
            begun, last = high, high
            now = ground(high) if high < here else after
        last = float(here)
    yield begun, gone, now


def heading(start: Point, towards: tuple[float, float]) -> float:
    """Degrees from east."""
    return math.degrees(math.atan2(towards[1] - start[1], towards[0] - start[0])) % 360.0


def turned_by(before: float, after: float) -> float:
    """How many degrees lie between two headings, the shorter way round, signed."""
    return (after - before + 180.0) % 360.0 - 180.0


def facing(one: Placed, degrees: float) -> Placed:
    """A vehicle that looks another way."""
    return replace(one, base=replace(one.base, facing=degrees))


def ground_at(field: Battlefield, rules: FighterRules, at: Point) -> int:
    """What the ground at a place is for a model: open, difficult or dangerous, by what it ignores."""
    roles = field.ground.roles(rules)
    x, y, z = (mm(v) for v in at)
    found = OPEN
    for area, kind in zip(roles.areas, roles.area_ground, strict=True):
        if area.low_mm - 0.05 <= z <= area.high_mm + 0.05 and kind <= DANGEROUS:
            inside = shapely.Polygon(area.polygon_mm).covers(shapely.Point(x, y))
            found = max(found, int(kind)) if inside else found
    floor = field.ground.ground(rules).stand(field.body(10.0, 0.5, 0.0), x, y, z)
    return max(found, int(roles.ground[floor.part])) if floor.part >= 0 else found


def raw_ground_at(field: Battlefield, at: Point) -> int:
    """What the ground at a place is for a model that ignores nothing."""
    return ground_at(field, field.pack.for_fighter(), at)


def breaks(field: Battlefield, part: int, flimsy: tuple[str, ...]) -> str | None:
    """The piece that a vehicle destroys when it meets a part: an obstacle, or what was agreed to be flimsy."""
    if part < 0:
        return None
    piece = field.terrain.parts[part].piece
    if piece == BOARD_PIECE:
        return None
    return piece if field.roles.kinds[part] is Kind.OBSTACLE or piece in flimsy else None


def beside(base: Base, other: Base, degrees: float, gap: float) -> tuple[float, float]:
    """Where a base is so far from another (inches, edge to edge) in a direction from its middle."""
    way = np.array([math.cos(math.radians(degrees)), math.sin(math.radians(degrees))])
    low, high = 0.0, base.half_long + other.half_long + gap + 1.0
    for _ in range(50):
        middle = (low + high) / 2
        x, y = np.array(other.at[:2]) + way * middle
        if plan_gap(base.moved((float(x), float(y), other.at[2])), other) < gap:
            low = middle
        else:
            high = middle
    x, y = np.array(other.at[:2]) + way * high
    return float(x), float(y)


class Driven(Line):
    """A vehicle's way: every model stops it."""

    def _in_the_way(self, other: Placed) -> bool:
        return True
