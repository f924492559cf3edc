"""Falls and jumps down: modifiers, hits, mishaps, wounds, compared at the hundredth of an inch."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandbox.rules import Pack, falls
from sandbox.rules.jumps import LeapLimit

MM = 1 / 25.4


@pytest.mark.parametrize(
    ("height", "modifier", "passes"), [(2.0, 0, 3), (2.1, -1, 2), (4.0, -1, 2), (4.1, -2, 1), (6.0, -2, 1)]
)
@pytest.mark.parametrize("pack", ["necro23", "necro17"])
def test_jumping_down_with_initiative_4(
    request: pytest.FixtureRequest, pack: str, height: float, modifier: int, passes: int
) -> None:
    rules: Pack = request.getfixturevalue(pack)
    assert rules.movement.jump_modifier_for(height) == modifier
    assert rules.check_chance("initiative", {"I": 4}, modifier) == Fraction(passes, 6)


def test_a_hair_over_two_inches_is_a_modifier_and_half_a_snap_is_not(necro23: Pack) -> None:
    assert necro23.movement.jump_modifier_for(2.0 + 0.02 * MM) == 0
    assert necro23.movement.jump_modifier_for(2.0 + 0.03 * MM) == -1
    assert necro23.movement.jump_modifier_for(4.0 - 1e-12) == -1
    assert necro23.movement.jump_modifier_for(50.8 * MM * 2) == -1


def test_blightmeers_jump_is_one_check_whatever_the_height(blightmeer: Pack) -> None:
    assert {blightmeer.movement.jump_modifier_for(h) for h in (1.0, 2.1, 6.0, 20.0)} == {0}


@pytest.mark.parametrize(
    ("height", "hit"),
    [
        (2.0, None), (2.1, None), (2.9, None), (2.99, None), (3.0, "S3 AP- D1"), (3.1, "S3 AP- D1"), (5.0, "S3 AP- D1"),
        (5.01, "S5 AP-1 D1"), (6.0, "S5 AP-1 D1"), (7.0, "S5 AP-1 D1"), (7.1, "S7 AP-2 D2"), (9.0, "S7 AP-2 D2"),
        (9.1, "S9 AP-3 D3"), (10.0, "S9 AP-3 D3"), (40.0, "S9 AP-3 D3"),
    ],
)  # fmt: skip
def test_the_falling_table(necro23: Pack, necro17: Pack, height: float, hit: str | None) -> None:
    for pack in (necro23, necro17):
        table = pack.file.tables.falling
        assert table is not None
        found = falls.hit(table, height) if pack.movement.fall_is_a_hit(height) else None
        assert (None if found is None else str(found)) == hit


def test_compared_after_rounding_a_short_fall_hurts(necro23: Pack) -> None:
    other = necro23.with_settings({"fall_compare": "after-rounding"}).movement
    assert not other.fall_is_a_hit(2.0)
    assert other.fall_is_a_hit(2.1)


@pytest.mark.parametrize(("height", "added"), [(2.0, 0), (2.9, 0), (3.0, 2), (3.9, 2), (6.0, 8), (10.5, 16)])
def test_the_mishap_roll_adds_two_for_each_full_inch_above_two(
    blightmeer: Pack, height: float, added: int
) -> None:
    table = blightmeer.file.tables.mishap
    assert table is not None
    assert falls.mishap_addition(table, height) == added
    results = falls.mishap(table, height)
    assert sum(result.chance for result in results) == 1
    for result, least, below in zip(results, (-99, 12, 15, 18), (12, 15, 18, 999), strict=True):
        counted = sum(1 for die in range(1, 21) if least <= die + added < below)
        assert result.chance == Fraction(counted, 20), result


def test_mishap_results(blightmeer: Pack) -> None:
    table = blightmeer.file.tables.mishap
    assert table is not None
    assert [(r.result, r.status) for r in falls.mishap(table, 2.0)] == [
        ("nothing", None),
        ("Dazed", "dazed"),
        ("Stunned", "stunned"),
        ("Incapacitated", "incapacitated"),
    ]


@pytest.mark.parametrize(("strength", "needs"), [(1, 6), (2, 5), (3, 4), (4, 3), (5, 3), (6, 2), (9, 2)])
def test_wound_rolls_against_toughness_3(necro23: Pack, strength: int, needs: int) -> None:
    table = necro23.file.tables.wounds
    assert table is not None
    assert falls.wound_target(table, strength, 3) == needs


def test_half_the_toughness_or_less(necro23: Pack) -> None:
    table = necro23.file.tables.wounds
    assert table is not None
    assert [falls.wound_target(table, s, 4) for s in (1, 2, 3)] == [6, 6, 5]


def test_edge_zone(necro23: Pack, blightmeer: Pack) -> None:
    danger = necro23.movement.is_edge_danger
    assert danger(0.49, 3.0) and danger(0.5, 0.6)
    assert not danger(0.51, 3.0)
    assert not danger(0.1, 0.5)
    other = blightmeer.movement.is_edge_danger
    assert other(1.0, 2.0) and not other(1.01, 2.0) and not other(0.5, 1.9)


def test_catfall_halves_and_rounds_up(necro23: Pack) -> None:
    rules = necro23.for_fighter(skills=["catfall"]).movement
    assert [rules.fall_height(h) for h in (3.0, 4.0, 4.1, 6.0)] == [2.0, 2.0, 3.0, 3.0]
    assert not rules.fall_is_a_hit(4.0)
    assert rules.fall_is_a_hit(6.0)
    assert rules.jump_modifier_for(4.0) == 0
    assert rules.fall_stay_check == "initiative"


# -- gaps and leaps ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("gap_mm", "base_mm", "tests"),
    [(31, 32, False), (32, 32, False), (33, 32, True), (24.6, 25, False), (25.4, 25, True)],
)
def test_a_gap_wider_than_the_base_is_tested_for(
    necro23: Pack, necro17: Pack, gap_mm: float, base_mm: float, tests: bool
) -> None:
    for pack in (necro23, necro17):
        assert pack.movement.leap_needs_check(gap_mm * MM, base_mm * MM) is tests


@pytest.mark.parametrize("base_mm", [25, 28.5, 32, 40, 50])
def test_blightmeers_inch_is_free_for_every_base(blightmeer: Pack, base_mm: float) -> None:
    assert not blightmeer.movement.leap_needs_check(25.4 * MM, base_mm * MM)
    assert blightmeer.movement.leap_needs_check(26 * MM, base_mm * MM)


def test_the_longest_leap(necro23: Pack, blightmeer: Pack) -> None:
    assert necro23.movement.leap_allowed(30.0, 0.0) is LeapLimit.NONE
    assert necro23.movement.leap_allowed(2.0, 0.51) is LeapLimit.RISE
    assert blightmeer.movement.leap_allowed(3.0, 1.0) is LeapLimit.NONE
    assert blightmeer.movement.leap_allowed(3.05, 0.0) is LeapLimit.LENGTH
    assert blightmeer.movement.leap_allowed(2.0, 1.01) is LeapLimit.RISE


def test_leaping_down_adds_the_modifier_of_jumping_down(necro23: Pack, blightmeer: Pack) -> None:
    assert [necro23.movement.leap_modifier(-h) for h in (0.0, 0.5, 2.0, 2.1, 4.1)] == [0, 0, 0, -1, -2]
    assert blightmeer.movement.leap_modifier(-8.0) == 0
    assert necro23.movement.leap_needs_check(0.5, 32 * MM, rise=-1.0)


def test_a_short_gap_to_a_lower_floor_is_a_jump_down_in_blightmeer(blightmeer: Pack, necro23: Pack) -> None:
    assert blightmeer.movement.leap_is_jump_down(1.0, -1.5)
    assert not blightmeer.movement.leap_is_jump_down(1.1, -1.5)
    assert not blightmeer.movement.leap_is_jump_down(1.0, -1.0)
    assert not necro23.movement.leap_is_jump_down(0.5, -1.5)


def test_mighty_leap_leaves_out_two_inches(necro23: Pack) -> None:
    rules = necro23.for_fighter(skills=["mighty-leap"]).movement
    assert not rules.leap_needs_check(2.0 + 32 * MM, 32 * MM)
    assert rules.leap_needs_check(2.01 + 32 * MM, 32 * MM)
