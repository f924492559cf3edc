"""Falls: the hit by height, the mishap roll, and the wound roll that a hit needs. Inches."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from sandbox.rules import dice
from sandbox.rules.schema import FallTable, MishapTable, WoundTable
from sandbox.rules.ticks import INCH, at_most, begun, full, ticks
from sandbox.rules.words import FallCompare, Rounding


@dataclass(frozen=True)
class Hit:
    """A hit that a model takes."""

    S: int
    AP: int
    D: int

    def __str__(self) -> str:
        """As rule books write it: ``S5 AP-1 D1``."""
        return f"S{self.S} AP{self.AP or '-'} D{self.D}"


@dataclass(frozen=True)
class Result:
    """One outcome of a roll for falling."""

    result: str
    status: str | None
    chance: Fraction
    least: int
    """least total that gives it."""


def counted_height(height: float, factor: float, rounding: Rounding) -> float:
    """A height after a factor, rounded to whole inches where the factor's rule says so."""
    if factor == 1.0 and rounding is Rounding.EXACT:
        return height
    scaled = height * factor
    if rounding is Rounding.UP:
        return float(begun(scaled, 1.0))
    if rounding is Rounding.DOWN:
        return float(full(scaled))
    return scaled


def hurts(height: float, hurts_from: float, compare: FallCompare) -> bool:
    """Whether a fall of some inches is high enough to hurt; the pack says whether it is compared before it is rounded up."""
    if compare is FallCompare.AFTER_ROUNDING:
        return begun(height, 1.0) * INCH >= ticks(hurts_from)
    return at_most(hurts_from, height)


def hit(table: FallTable, height: float) -> Hit | None:
    """The table's hit for a height that hurts, rounded up to the inch; None below its first row."""
    rounded = begun(height, 1.0)
    rows = [row for row in table.rows if row.from_height <= rounded]
    if not rows:
        return None
    row = max(rows, key=lambda r: r.from_height)
    return Hit(row.S, row.AP, row.D)


def mishap_addition(table: MishapTable, height: float) -> int:
    """What a height adds to the mishap roll: for each full inch above the free height."""
    return table.per_inch * full(height - table.free_height)


def mishap(table: MishapTable, height: float) -> tuple[Result, ...]:
    """The outcomes of a mishap roll with their chances, from the mildest."""
    addition = mishap_addition(table, height)
    rows = sorted(table.rows, key=lambda r: r.from_total)
    rolled = dice.roll(table.dice)
    results = []
    for row, following in zip(rows, [*rows[1:], None], strict=True):
        top = math.inf if following is None else following.from_total
        chance = sum(
            (
                c
                for value, c in rolled.items()
                if _falls_in(value + addition, row.from_total, top, row is rows[0])
            ),
            Fraction(0),
        )
        results.append(Result(row.result, row.status, chance, row.from_total))
    return tuple(results)


def _falls_in(total: Fraction, least: int, below: float, first: bool) -> bool:
    return (first or total >= least) and total < below


def wound_target(table: WoundTable, strength: float, toughness: float) -> int:
    """What a D6 needs to wound: by strength against toughness, which have no unit."""
    if strength >= 2 * toughness:
        return table.twice
    if strength > toughness:
        return table.above
    if strength == toughness:
        return table.equal
    return table.half if 2 * strength <= toughness else table.below
