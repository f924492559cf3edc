"""Every constant of the packs against what the games say, side by side, and what makes a pack complete."""

from __future__ import annotations

from dataclasses import fields

import pytest

from sandbox.rules import MovementRules, load_pack, pack_names
from sandbox.rules.constants import GROUPS, Constants, names

# rule, necromunda-2023, necromunda-2017, blightmeer
SIDE_BY_SIDE = [
    ("climb_cost", 2, 2, 1),
    ("climb_check", "none", "none", "agility"),
    ("climb_fail", "return", "return", "return"),
    ("ladder_cost", 1, 1, 1),
    ("ladder_check", "none", "none", "none"),
    ("free_step_up", 0.5, 0.5, 1.0),
    ("free_step_down", 0.5, 0.5, 1.0),
    ("obstacle_height", 2.0, 1.5, 1.0),
    ("obstacle_width", 2.0, 1.5, 1.0),
    ("obstacle_width_reached", True, True, False),
    ("cross_cost", "height", "thickness", "once"),
    ("cross_flat", 2, 2, 0),
    ("obstacle_stand", False, False, False),
    ("overhang", 1.0, 1.0, 1.0),
    ("gap_free", "base", "base", 1.0),
    ("leap_max", "movement", "movement", 3.0),
    ("leap_beyond", "refused", "refused", "fall"),
    ("leap_up", 0.5, "movement", 1.0),
    ("leap_up_cost", 0, 1, 0),
    ("leap_level", 0.5, 0.5, 1.0),
    ("leap_lower", "jump-modifier", "jump-modifier", "plain"),
    ("leap_short_drop", 0, 0, 1.0),
    ("leap_check", "initiative", "initiative", "agility"),
    ("leap_over_difficult", False, True, False),
    ("jump_check", "initiative", "initiative", "agility"),
    ("jump_free_height", 2.0, 2.0, 0),
    ("jump_step", 2.0, 2.0, 1.0),
    ("jump_modifier", -1, -1, 0),
    ("jump_height_cost", 0, 0, 0),
    ("jump_landing", "nearest", "nearest", "free"),
    ("jump_reach", 1.0, 1.0, 3.0),
    ("jump_over", "none", "none", 2.0),
    ("edge_zone", 0.5, 0.5, 1.0),
    ("edge_drop", "step", "step", 2.0),
    ("edge_check", "falling-hazard", "falling-hazard", "agility"),
    ("rail_height", 0.5, 0.5, 0.25),
    ("rail_effect", "bonus", "bonus", "prevents"),
    ("rail_bonus", 1, 1, 0),
    ("rail_max", 2.0, 1.5, 1.0),
    ("fall_hurts_from", 3.0, 3.0, 0),
    ("fall_compare", "before-rounding", "before-rounding", "before-rounding"),
    ("fall_again", "check", "check", "sum"),
    ("fall_again_zone", 0.5, 0.5, 1.0),
    ("fall_again_check", "initiative", "initiative", "agility"),
    ("fall_again_rail", True, True, True),
    ("fall_status", "prone-pinned", "prone-pinned", "standing"),
    ("fall_ends_activation", True, True, True),
    ("fall_nowhere", "out-of-action", "out-of-action-and-lasting-injury", "out-of-action"),
    ("fall_on_model", "hit-both", "hit-both", "beside"),
    ("difficult_cost", 2, 2, 1),
    ("difficult_once", 0, 0, 2),
    ("dangerous_check", "initiative", "none", "none"),
    ("dangerous_fail", "out-of-action", "as-the-piece-says", "as-the-piece-says"),
    ("dangerous_vehicle_check", "handling", "none", "none"),
    ("dangerous_vehicle_fail", "catastrophic-hit-to-drive", "as-the-piece-says", "as-the-piece-says"),
    ("engaged_at", "contact", "within", "contact"),
    ("engaged_within", 1.0, 1.0, 1.0),
    ("vehicle_engaged_within", 1.0, "none", "none"),
    ("engage_over_width", 1.0, 1.5, 0),
    ("engage_over_width_reached", False, True, False),
    ("engage_over_height", 2.0, 1.5, 1.0),
    ("engage_over_modifier", 0, -1, 0),
    ("obstacle_blocks_within", False, False, False),
    ("keep_distance", 1.0, 1.0, 0),
    ("involuntary_near", "moved-away", "into-contact", "nothing"),
    ("push_edge_check", "initiative", "none", "agility"),
    ("push_hits", True, True, False),
    ("push_hit_strength", 3, 0, 0),
    ("push_status", "none", "prone-pinned", "none"),
    ("rider_check", "initiative", "initiative", "agility"),
    ("basic_once", True, True, False),
    ("pass_friends", True, False, True),
    ("pass_enemies", False, False, False),
    ("narrow", "blocked", "crawl-through", "blocked"),
    ("squeeze_ratio", 0.5, 0.5, 0.5),
    ("squeeze_length", 2.0, 2.0, 2.0),
    ("rough_ground", "walk", "scramble", "walk"),
    ("scramble_check", "initiative", "initiative", "agility"),
    ("mid_climb", "between-moves", "never", "never"),
    ("climb_short", "start", "foot", "foot"),
    ("walls_climbed", True, True, True),
    ("zone_mortalis_walls", False, False, True),
    ("standing_height", 1.4, 1.4, 1.4),
    ("prone_height", 0.6, 0.6, 0.6),
    ("mount_free", False, False, False),
    ("hang", True, True, True),
    ("span", "base", "base", 1.0),
    ("ductway_length", 2.0, 2.0, 2.0),
    ("ductway_reach", 1.0, 1.0, 1.0),
    ("ductway_enemy", "kept-from", "closes", "closes"),
    ("door_reach", 1.0, 1.0, 1.0),
    ("crawl_rounding", "exact", "up", "exact"),
    ("slowed", 0, 0, 3.0),
    ("declare_first", True, True, True),
    ("actions_per_activation", 2, 2, 1),
]

# the law of geometry: the same in every pack
EVERYWHERE = [
    ("walk_slope", 45.0),
    ("stand_slope", 15.0),
    ("uneven", 0.15),
    ("support", "flat"),
    ("underside", 1.0),
    ("ladder_foot", 0.5),
    ("ladder_top", 1.0),
    ("rail_reach", 0.1),
    ("fall_landing", 3.0),
    ("fall_height_factor", 1.0),
    ("fall_height_rounding", "exact"),
    ("fall_hurts", True),
    ("fall_stay_check", "none"),
    ("difficult_by_centre", True),
    ("measure_over_height", 2.0),
    ("measure_over_width", 2.0),
    ("leap_ignored", 0),
    ("cross_free_height", 0),
    ("cross_free_width", 0),
    ("keep_at_end_only", False),
    ("pitfall_fail", "out-of-action"),
    ("vehicle_turns", 2),
    ("vehicle_turn", 90.0),
    ("rider_distance", 1.0),
    ("take_reach", 1.0),
]
PACKS = ("necromunda-2023", "necromunda-2017", "blightmeer")


@pytest.mark.parametrize(("rule", "n23", "n17", "blight"), SIDE_BY_SIDE)
def test_side_by_side(rule: str, n23: object, n17: object, blight: object) -> None:
    assert [load_pack(name).value(rule) for name in PACKS] == [n23, n17, blight]


@pytest.mark.parametrize(("rule", "value"), EVERYWHERE)
def test_the_same_everywhere(rule: str, value: object) -> None:
    assert [load_pack(name).value(rule) for name in PACKS] == [value] * 3


def test_the_two_tables_above_hold_every_constant_but_one() -> None:
    tested = {row[0] for row in SIDE_BY_SIDE} | {row[0] for row in EVERYWHERE}
    assert set(names()) - tested == {"engaged_by_injured"}
    assert [load_pack(name).value("engaged_by_injured") for name in PACKS] == [False, True, False]


def test_packs_are_those_three() -> None:
    assert set(pack_names()) == set(PACKS)


def test_movement_rules_hold_every_constant_under_its_own_name() -> None:
    assert {field.name for field in fields(MovementRules)} == set(names()) == set(Constants.model_fields)
    assert len(names()) == sum(len(group.model_fields) for group in GROUPS)
    movement = load_pack().movement
    for name in names():
        assert getattr(movement, name) == load_pack().value(name)


@pytest.mark.parametrize("name", PACKS)
def test_every_source_is_a_document_of_the_pack_or_says_that_there_is_none(name: str) -> None:
    pack = load_pack(name)
    for rule_id in pack.rule_ids:
        source = pack.rule(rule_id).source
        document, _, section = source.partition(", ")
        known = source in ("found", "ours") or (document in pack.file.documents and section != "")
        assert known, (rule_id, source)


@pytest.mark.parametrize("name", PACKS)
def test_every_reading_differs_from_the_value_and_can_be_set(name: str) -> None:
    pack = load_pack(name)
    assert len(pack.open_settings()) > 40
    for rule in pack.open_settings():
        for reading in rule.setting:
            assert reading.value != rule.value, rule.id
            assert pack.with_settings({rule.id: reading.value}).value(rule.id) == reading.value


@pytest.mark.parametrize("name", PACKS)
def test_what_is_ours_in_an_open_table_is_an_open_setting(name: str) -> None:
    """Where a number of movement was nowhere to be found, another reading stands beside it."""
    pack = load_pack(name)
    for rule_id in (
        "mount_free",
        "uneven",
        "walk_slope",
        "stand_slope",
        "support",
        "fall_landing",
        "rail_max",
    ):
        rule = pack.rule(rule_id)
        assert rule.source != "ours" or rule.setting, rule_id
