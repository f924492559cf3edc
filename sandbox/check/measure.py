"""What is measured on a build, before any threshold is applied: the judge and the scale sweep read the same list."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np

from sandbox.check.finding import Point
from sandbox.check.plan import Shape

SAME_PLACE_MM = 3.0
SAME_VALUE_MM = 0.06


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
    """the floor in plan whose depth it is."""
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
