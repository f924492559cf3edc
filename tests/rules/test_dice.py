"""Dice against counting every case."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.rules import Pack, dice
from sandbox.rules.dice import CheckDice


def counted(count: int, sides: int) -> dict[Fraction, Fraction]:
    totals: dict[Fraction, Fraction] = {}
    for faces in itertools.product(range(1, sides + 1), repeat=count):
        total = Fraction(sum(faces))
        totals[total] = totals.get(total, Fraction(0)) + Fraction(1, sides**count)
    return totals


@pytest.mark.parametrize(
    ("text", "count", "sides"), [("D6", 1, 6), ("2D6", 2, 6), ("D3", 1, 3), ("d20", 1, 20), ("3D6", 3, 6)]
)
def test_rolls_are_what_counting_gives(text: str, count: int, sides: int) -> None:
    assert dict(dice.roll(text)) == counted(count, sides)


@pytest.mark.parametrize("text", ["", "D", "6", "D1", "0D6", "D6+1", "21D6", "D101", "D6 D6"])
def test_no_dice(text: str) -> None:
    with pytest.raises(ValueError, match="dice"):
        dice.roll(text)


@given(
    st.sampled_from(["D6", "2D6", "D20"]),
    st.integers(0, 22),
    st.integers(-4, 4),
    st.sets(st.integers(1, 6), max_size=3),
    st.sets(st.integers(1, 20), max_size=3),
)
def test_checks_are_what_counting_gives(
    text: str, target: int, modifier: int, fails: set[int], passes: set[int]
) -> None:
    check = CheckDice("c", text, "I", tuple(fails), tuple(passes - fails))
    count, sides = (2, 6) if text == "2D6" else (1, int(text[1:]))
    good = 0
    for faces in itertools.product(range(1, sides + 1), repeat=count):
        shown = sum(faces)
        if shown in fails:
            continue
        good += shown in passes or shown + modifier >= target
    assert check.chance(target, modifier) == Fraction(good, sides**count)
    needed = check.needed(target, modifier)
    assert (needed is None) == (good == 0)
    if needed is not None:
        assert check.passes(needed, target, modifier)
        assert not any(check.passes(n, target, modifier) for n in range(count, needed))


def test_a_natural_1_fails_at_a_lip_only(necro23: Pack) -> None:
    assert necro23.check_chance("initiative", {"I": 2}, 1) == 1
    assert necro23.check_chance("falling-hazard", {"I": 2}, 1) == Fraction(5, 6)


@pytest.mark.parametrize(("initiative", "chance"), [(2, 5), (3, 4), (4, 3), (5, 2), (6, 1), (7, 0)])
def test_initiative_passes_on_the_value_or_more(necro23: Pack, initiative: int, chance: int) -> None:
    assert necro23.check_chance("initiative", {"I": initiative}) == Fraction(chance, 6)


def test_handling_is_rolled_on_two_dice(necro23: Pack) -> None:
    assert necro23.check_chance("handling", {"Hnd": 7}) == Fraction(21, 36)


@pytest.mark.parametrize(("agility", "chance"), [(9, 12), (3, 16), (20, 1), (21, 1)])
def test_agility_fails_on_1_to_4_and_passes_on_20(blightmeer: Pack, agility: int, chance: int) -> None:
    assert blightmeer.check_chance("agility", {"A": agility}) == Fraction(chance, 20)


def test_a_third_of_the_scatter_die_is_a_hit(necro23: Pack, necro17: Pack) -> None:
    for pack in (necro23, necro17):
        scatter = pack.file.tables.scatter
        assert scatter is not None
        assert Fraction(scatter.hits, scatter.faces) == Fraction(1, 3)


def test_what_is_not_stated_is_the_packs_default(necro23: Pack) -> None:
    assert necro23.check_chance("initiative", {}) == Fraction(1, 2)


def test_the_least_value_counts() -> None:
    assert dice.chance_at_least(dice.roll("D3"), 2) == Fraction(2, 3)
    assert dice.chance_at_least(dice.roll("D3"), 1.01) == Fraction(2, 3)


@given(st.integers(1, 3), st.integers(2, 12), st.integers(1, 3), st.integers(2, 12))
def test_sums_have_chances_that_add_up(a: int, b: int, c: int, d: int) -> None:
    total = dice.combine(dice.roll(f"{a}D{b}"), dice.roll(f"{c}D{d}"), lambda x, y: x + y)
    assert math.isclose(sum(total.values()), 1)
    assert sum(value * chance for value, chance in total.items()) == Fraction(a * (b + 1), 2) + Fraction(
        c * (d + 1), 2
    )
