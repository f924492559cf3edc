"""What is measured on a build, before any threshold is applied: the judge and the scale sweep read the same list."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np
import shapely

from sandbox.check.finding import Point
from sandbox.check.model import FindingKind, word_of
from sandbox.check.plan import Shape

SAME_PLACE_MM = 3.0
SAME_VALUE_MM = 0.06
SAME_WIDTH_MM = 0.3
"""widths of one narrow place measured in several ways differ by less."""
SAME_FLOOR_MM = 1.0
_NEAR = 0.75
"""two ways of measuring one narrow place are told at places closer together than this share of its width."""


class What(StrEnum):
    """What a measurement is of."""

    LEDGE = "ledge"
    """depth of a floor: the largest round base that stands on it."""
    STRIP = "strip"
    """depth of a narrow part of a floor that is wide elsewhere."""
    TREAD = "tread"
    WALKWAY = "walkway"
    """width of floor between two lips, or of a stair."""
    DOOR = "door"
    """width between two walls."""
    PASSAGE = "passage"
    """width between a wall and a lip: half a base is enough."""
    HOLE = "hole"
    """width of the hole over a ladder."""
    LANDING = "landing"
    """depth between an obstacle and what is behind it."""
    HEADROOM = "headroom"
    OVERHANG = "overhang"
    GAP = "gap"
    STEP = "step"
    RISER = "riser"
    """highest riser of a stair."""
    RAIL = "rail"
    SLOPE = "slope"
    """degrees."""
    HAND = "hand"
    CLIMB = "climb"
    """height of the only kind of way up: a climb."""
    TABLE = "table"
    """height of what a pack takes for an obstacle although it has a floor that holds a base."""


_FOUND: dict[What, FindingKind] = {
    What.STRIP: FindingKind.LEDGE,
    What.LEDGE: FindingKind.LEDGE,
    What.LANDING: FindingKind.LANDING,
    What.DOOR: FindingKind.DOOR,
    What.PASSAGE: FindingKind.WALKWAY,
    What.WALKWAY: FindingKind.WALKWAY,
    What.TREAD: FindingKind.TREAD,
    What.HOLE: FindingKind.LADDER_HOLE,
    What.HEADROOM: FindingKind.HEADROOM,
    What.OVERHANG: FindingKind.OVERHANG,
    What.GAP: FindingKind.NEAR_GAP,
    What.RISER: FindingKind.STEPS,
    What.STEP: FindingKind.NEAR_STEP,
    What.RAIL: FindingKind.RAIL,
    What.SLOPE: FindingKind.SLOPE,
    What.HAND: FindingKind.HAND,
    What.CLIMB: FindingKind.CLIMB,
    What.TABLE: FindingKind.OBSTACLE,
}
"""What is found by each measurement. In this order a place is named: what depends least on the bases that are asked
comes first."""
WORDS = {what: word_of(kind) for what, kind in _FOUND.items()}
"""The first word of a finding's id: what was measured, whatever bases and packs make of it."""
WIDTH = WORDS[What.WALKWAY]

OF_OVALS = frozenset({What.LEDGE, What.HOLE})
"""what is measured for each oval by itself: the shorter axis of the largest oval of its form that fits."""


@dataclass(frozen=True)
class Measure:
    """One measurement."""

    what: What
    at: Point
    """mm on the table."""
    value: float
    """mm, or degrees for slopes."""
    floor: int = -1
    """level that it is about."""
    packs: frozenset[str] | None = None
    """packs under which it was measured; None: all."""
    text: str = ""
    """what distinguishes it, for the sentence."""
    base: str | None = None
    """the oval that it is about, whose length counts too; None: all bases (the round ones, where ovals have their own)."""
    area: Shape | None = field(default=None, compare=False)
    """the floor in plan whose depth it is, where bases may stand all the same."""
    region: Shape | None = field(default=None, compare=False)
    """the narrow or low place in plan that it is of; None: the place alone."""
    long: float = 0.0
    """length of a narrow passage, mm."""
    fits: frozenset[tuple[str | None, str]] = frozenset()
    """(base, pack) for which ground holds the base there all the same: floor around it joins."""
    serious: bool = True
    """False: it is worth knowing and stops nobody (another way is near, a ramp is a ramp)."""


def merged(found: Iterable[Measure]) -> list[Measure]:
    """The same measurements without repeats: one place measured for several bases or packs is one."""
    kept: list[Measure] = []
    for one in found:
        for index, other in enumerate(kept):
            if (
                one.what is other.what
                and one.base == other.base
                and abs(one.value - other.value) <= SAME_VALUE_MM
                and np.linalg.norm(np.subtract(one.at, other.at)) <= SAME_PLACE_MM
            ):
                packs = (
                    None
                    if None in (one.packs, other.packs)
                    else (one.packs or frozenset()) | (other.packs or frozenset())
                )
                kept[index] = replace(other, packs=packs, serious=other.serious or one.serious)
                break
        else:
            kept.append(one)
    return kept


@dataclass(frozen=True)
class Spot:
    """One place with everything that was measured of one thing there: what a base makes of it is one finding."""

    word: str
    """what was measured: the first word of the finding's id."""
    at: Point
    """mm on the table; the same whatever bases and packs are asked."""
    measures: tuple[Measure, ...]

    @property
    def floor(self) -> int:
        """Level that it is about, -1 none."""
        return self.measures[0].floor


def spots_of(measures: Iterable[Measure]) -> list[Spot]:
    """Measurements by place, so that one narrow place is told once, be it a ledge to one base and no way to another."""
    order = list(WORDS)
    found: list[list[Measure]] = []
    for one in sorted(
        measures, key=lambda m: (order.index(m.what), m.base or "", m.at[2], m.at[:2], m.value)
    ):
        home = next((spot for spot in found if any(_of_one_place(one, other) for other in spot)), None)
        if home is None:
            found.append([one])
        else:
            home.append(one)
    return [Spot(WORDS[spot[0].what], spot[0].at, tuple(spot)) for spot in found]


def _of_one_place(one: Measure, other: Measure) -> bool:
    if WORDS[one.what] != WORDS[other.what] or abs(one.at[2] - other.at[2]) > SAME_FLOOR_MM:
        return False
    if one.region is not None and one.region is other.region:
        return True
    away = float(np.hypot(one.at[0] - other.at[0], one.at[1] - other.at[1]))
    if away <= SAME_PLACE_MM and WORDS[one.what] != WIDTH:
        return True
    if abs(one.value - other.value) > SAME_WIDTH_MM or one.base is not None or other.base is not None:
        return False
    if WORDS[one.what] == WIDTH and away <= max(SAME_PLACE_MM, _NEAR * one.value):
        return True
    return any(
        a.region is not None and shapely.dwithin(a.region, shapely.Point(b.at[:2]), SAME_FLOOR_MM)
        for a, b in ((one, other), (other, one))
    )
