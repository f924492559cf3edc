"""Small sums and comparisons over what the engine found; nothing else is understood."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.teach.values import Chance, Inches, Missing, Pips, filled, holds, told, value


class Thing:
    """Something with values."""

    def get(self, name: str) -> Any:
        return {
            "cost": Inches(4.5),
            "chance": Chance(1 / 3),
            "needed": Pips(4),
            "none": None,
            "may": ("walk",),
        }[name]


NAMES = {"it": Thing(), "pack": "blightmeer", "legal": True}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{it.cost}", "4.50 in"),
        ("{it.cost * 2 - 1}", "8.00 in"),
        ("{it.chance}", "33 %"),
        ("{1 - it.chance}", "67 %"),
        ("{it.needed}", "4+"),
        ("{it.needed + 1}", "5+"),
        ("{max(it.cost, 9)}", "9.00 in"),
        ("{legal} and {not legal}", "yes and no"),
        ("{it.may}", "walk"),
        ("nothing in braces", "nothing in braces"),
    ],
)
def test_values_are_told_in_their_own_unit(text: str, said: str) -> None:
    assert filled(text, NAMES) == said


@pytest.mark.parametrize(
    "text",
    ["it.cost > 4", "1 < it.cost <= 4.5", 'pack == "blightmeer"', '"walk" in it.may', "legal and not false"],
)
def test_conditions(text: str) -> None:
    assert holds(text, NAMES)
    assert not holds(f"not ({text})", NAMES)


@pytest.mark.parametrize(
    "text",
    [
        "it.cost > it.none",
        "{it.none}",
        "other",
        "open('x')",
        "it.cost.real",
        "it.__class__",
        "[1]",
        "lambda: 1",
        "it.cost if legal else 1",
        "pack + 1",
        "legal + 1",
        "it.cost > pack",
        "1 / 0",
        "2 ** 9",
        "f'{it}'",
        "a" * 300,
        "1 +",
        "",
    ],
)
def test_everything_else_is_a_mistake_in_words(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        filled(text, NAMES) if "{it.none" in text else value(text, NAMES)


def test_nothing_has_no_words() -> None:
    with pytest.raises(Missing):
        told(None, "it.none")


@given(st.text(max_size=60))
def test_any_text_is_worked_out_or_refused(text: str) -> None:
    with contextlib.suppress(ValueError, KeyError):
        value(text, NAMES)


@given(st.integers(-40, 40), st.integers(1, 40), st.sampled_from(["+", "-", "*", "/"]))
def test_sums_are_sums(a: int, b: int, sign: str) -> None:
    want = {"+": a + b, "-": a - b, "*": a * b, "/": a / b}[sign]
    assert value(f"({a}) {sign} {b}", NAMES) == want
