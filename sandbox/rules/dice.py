"""Exact chances: dice as distributions of fractions, and checks against a target.

A distribution is a mapping from a value to its chance, both `Fraction`; the chances add up to 1.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType

Distribution = Mapping[Fraction, Fraction]

MAX_DICE = 20
MAX_SIDES = 100
MAX_VALUES = 4000
"""values that a distribution may hold; no table of dice that a game uses comes near."""

_DIE = re.compile(r"(?P<count>\d{0,2})[dD](?P<sides>\d{1,3})")


def certain(value: float | Fraction) -> Distribution:
    """The distribution of something that is not rolled."""
    return {fraction(value): Fraction(1)}


def fraction(value: float | Fraction) -> Fraction:
    """A number as people write it: 0.1 is a tenth, not the float next to it."""
    return value if isinstance(value, Fraction) else Fraction(str(value))


@lru_cache(256)
def roll(text: str) -> Distribution:
    """The distribution of ``D6``, ``2D6``, ``D3``, ``d20``, the same one each time; ValueError for anything else.

    D3 is a D6 halved and rounded up, which has the same chances as a three-sided die.
    """
    match = _DIE.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text!r} is no dice; write D6, 2D6, D3 or d20")
    count, sides = int(match["count"] or 1), int(match["sides"])
    if not 1 <= count <= MAX_DICE or not 2 <= sides <= MAX_SIDES:
        raise ValueError(f"{text!r}: 1 to {MAX_DICE} dice with 2 to {MAX_SIDES} sides are possible")
    ways = [1]  # in how many ways the dice so far show their least sum, one more, two more ...
    for _ in range(count):
        below = [0, *itertools.accumulate(ways), *[sum(ways)] * (sides - 1)]
        ways = [below[at + 1] - below[max(0, at + 1 - sides)] for at in range(len(ways) + sides - 1)]
    return MappingProxyType({Fraction(count + at): Fraction(n, sides**count) for at, n in enumerate(ways)})


def combine(
    a: Distribution, b: Distribution, operation: Callable[[Fraction, Fraction], Fraction]
) -> Distribution:
    """The distribution of `operation` on two independent ones; ValueError where it would hold too many
    values."""
    if len(a) * len(b) > MAX_VALUES * 50:
        raise ValueError("too many dice in one sum")
    result: dict[Fraction, Fraction] = {}
    for left, left_chance in a.items():
        for right, right_chance in b.items():
            value = operation(left, right)
            result[value] = result.get(value, Fraction(0)) + left_chance * right_chance
    if len(result) > MAX_VALUES:
        raise ValueError("too many dice in one sum")
    return result


def change(a: Distribution, operation: Callable[[Fraction], Fraction]) -> Distribution:
    """The distribution of a function of one."""
    result: dict[Fraction, Fraction] = {}
    for value, chance in a.items():
        changed = operation(value)
        result[changed] = result.get(changed, Fraction(0)) + chance
    return result


def chance_at_least(a: Distribution, least: float | Fraction) -> Fraction:
    """Chance of `least` or more."""
    wanted = fraction(least)
    return sum((chance for value, chance in a.items() if value >= wanted), Fraction(0))


@dataclass(frozen=True)
class CheckDice:
    """How a check is rolled: the value or more passes, modifiers are added to the sum of the dice."""

    id: str
    dice: str
    stat: str
    """characteristic that is the target."""
    always_fails: tuple[int, ...] = ()
    """unmodified results that fail whatever the modifier."""
    always_passes: tuple[int, ...] = ()
    text: str = ""
    source: str = ""

    def passes(self, rolled: int, target: float, modifier: int = 0) -> bool:
        """Whether an unmodified result of the dice passes."""
        if rolled in self.always_fails:
            return False
        return rolled in self.always_passes or rolled + modifier >= target

    def chance(self, target: float, modifier: int = 0) -> Fraction:
        """Chance to pass."""
        return _chance(self, target, modifier)

    def needed(self, target: float, modifier: int = 0) -> int | None:
        """Least unmodified result that passes; None where none does."""
        passing = [int(v) for v in roll(self.dice) if self.passes(int(v), target, modifier)]
        return min(passing, default=None)


@lru_cache(4096)
def _chance(check: CheckDice, target: float, modifier: int) -> Fraction:
    """See `CheckDice.chance`; kept, because a board asks the same for each of its lips."""
    rolled = roll(check.dice).items()
    return sum((each for value, each in rolled if check.passes(int(value), target, modifier)), Fraction(0))
