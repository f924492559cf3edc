"""Small sums that a pack file writes for distances: ``M``, ``M + D3``, ``M / 2``, ``2 * M``, ``2D6``.

Numbers, characteristics, dice, ``+ - * /`` and parentheses; nothing else is understood, so nothing can be
run.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from sandbox.rules import dice
from sandbox.rules.dice import Distribution
from sandbox.rules.words import Rounding

STATS = ("M", "I", "S", "T", "W", "A", "Hnd", "Cl", "Ld")
LONGEST = 80

_TOKEN = re.compile(r"\d{0,2}[dD]\d{1,3}(?![\w.])")


@dataclass(frozen=True)
class Roll:
    """A distance that may be rolled: its values with their chances."""

    text: str
    """the sum as the pack writes it."""
    values: tuple[tuple[Fraction, Fraction], ...]
    """(inches, chance), rising; the chances add up to 1."""

    @property
    def most(self) -> float:
        """The most that it can be, inches."""
        return float(self.values[-1][0])

    @property
    def least(self) -> float:
        """The least that it can be, inches."""
        return float(self.values[0][0])

    @property
    def rolled(self) -> bool:
        """Whether dice decide it."""
        return len(self.values) > 1

    def chance_at_least(self, length: float) -> Fraction:
        """Chance that it is at least `length` inches."""
        return dice.chance_at_least(dict(self.values), length)

    def needed(self, length: float) -> float | None:
        """Least value that it can show and that is at least `length`; None where there is none."""
        return next((float(value) for value, _ in self.values if value >= dice.fraction(length)), None)


def check_formula(text: str) -> str:
    """The text itself; ValueError, saying what is allowed, where it is not a sum that is understood."""
    evaluate(text, dict.fromkeys(STATS, 1.0))
    return text


def evaluate(text: str, stats: Mapping[str, float], rounding: Rounding = Rounding.EXACT) -> Roll:
    """The distance that `text` says for a model's characteristics; ValueError where it cannot be read.

    rounding: of each value, to whole inches. Less than nothing counts as nothing.
    """
    if len(text) > LONGEST:
        raise ValueError(f"the sum is longer than {LONGEST} characters")
    source = _TOKEN.sub(lambda match: f"_{match[0].lower()}", text)
    try:
        tree = ast.parse(source, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError(f"{text!r} is no sum; write something like M, 2 * M, M / 2 or M + D3") from None
    values = dice.change(_value(tree.body, stats, text), lambda v: max(_round(v, rounding), Fraction(0)))
    return Roll(text, tuple(sorted(values.items())))


def _round(value: Fraction, rounding: Rounding) -> Fraction:
    if rounding is Rounding.UP:
        return Fraction(math.ceil(value))
    if rounding is Rounding.DOWN:
        return Fraction(math.floor(value))
    return value


def _value(node: ast.expr, stats: Mapping[str, float], text: str) -> Distribution:
    if (
        isinstance(node, ast.Constant)
        and isinstance(node.value, int | float)
        and not isinstance(node.value, bool)
    ):
        if abs(node.value) > 1000:
            raise ValueError(f"{text!r}: {node.value} is too large")
        return dice.certain(node.value)
    if isinstance(node, ast.Name):
        if node.id.startswith("_"):
            return dice.roll(node.id[1:])
        if node.id in stats:
            return dice.certain(stats[node.id])
        raise ValueError(f"{text!r}: {node.id!r} is not known; characteristics are {', '.join(stats)}")
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return dice.change(_value(node.operand, stats, text), lambda v: -v)
    if isinstance(node, ast.BinOp):
        left, right = _value(node.left, stats, text), _value(node.right, stats, text)
        if isinstance(node.op, ast.Add):
            return dice.combine(left, right, lambda a, b: a + b)
        if isinstance(node.op, ast.Sub):
            return dice.combine(left, right, lambda a, b: a - b)
        if isinstance(node.op, ast.Mult):
            return dice.combine(left, right, lambda a, b: a * b)
        if isinstance(node.op, ast.Div):
            if Fraction(0) in right:
                raise ValueError(f"{text!r} divides by nothing")
            return dice.combine(left, right, lambda a, b: a / b)
    raise ValueError(f"{text!r}: only numbers, characteristics, dice, + - * / and parentheses are understood")
