"""Distances as packs write them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandbox.rules.formula import check_formula, evaluate
from sandbox.rules.words import Rounding

M5 = {"M": 5.0, "S": 3.0}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("M", [5]),
        ("2 * M", [10]),
        ("M / 2", [2.5]),
        ("M + D3", [6, 7, 8]),
        ("2D6", list(range(2, 13))),
        ("(M + 1) * 2 - S", [9]),
        ("S", [3]),
        ("d6 + 1", [2, 3, 4, 5, 6, 7]),
        ("1 - D3", [0]),
    ],
)
def test_sums(text: str, values: list[float]) -> None:
    assert [float(value) for value, _ in evaluate(text, M5).values] == values


def test_less_than_nothing_is_nothing_and_chances_add_up() -> None:
    assert evaluate("2 - D3", M5).values == ((Fraction(0), Fraction(2, 3)), (Fraction(1), Fraction(1, 3)))


@pytest.mark.parametrize(
    ("rounding", "inches"), [(Rounding.EXACT, 2.5), (Rounding.UP, 3.0), (Rounding.DOWN, 2.0)]
)
def test_rounding(rounding: Rounding, inches: float) -> None:
    assert evaluate("M / 2", M5, rounding).most == inches


def test_a_charge_needs_what_the_distance_asks_of_its_d3() -> None:
    charge = evaluate("M + D3", M5)
    assert (charge.least, charge.most, charge.rolled) == (6, 8, True)
    assert charge.chance_at_least(6.5) == Fraction(2, 3)
    assert charge.needed(6.5) == 7
    assert charge.chance_at_least(8.01) == 0
    assert charge.needed(8.01) is None
    assert not evaluate("M", M5).rolled


@pytest.mark.parametrize(
    "text",
    ["", "M +", "Q", "M ** 2", "M // 2", "__import__('os')", "M.real", "f(M)", "[1]", "'a'", "True", "1 / 0", "1 if M else 2",
     "M / (S - S)", "99D6", "1e9", "(" * 200, "M;M", "lambda: 1", "M\n+1" * 30, "20D100 + 20D100 * 20D100"],
)  # fmt: skip
def test_what_is_no_sum(text: str) -> None:
    with pytest.raises(ValueError):
        check_formula(text) if "S - S" not in text else evaluate(text, M5)
