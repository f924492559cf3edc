"""What there is to show of a pack, and asking it for rules by id."""

from __future__ import annotations

import json

import pytest

from sandbox.errors import UserError
from sandbox.rules import Pack, load_pack, pack_names, show


@pytest.mark.parametrize("name", pack_names())
def test_sections_are_whole_tables(name: str) -> None:
    pack = load_pack(name)
    sections = show.sections(pack)
    for section in sections:
        assert section.rows, section.title
        assert {len(row) for row in section.rows} == {len(section.columns)}
    shown = {row[0] for section in sections for row in section.rows}
    for rule_id in pack.rule_ids:
        section, _, key = rule_id.rpartition(".")
        if section != "table" and rule_id != "profile":
            assert key in shown, rule_id


def test_open_settings_tell_each_reading(necro23: Pack) -> None:
    rows = show.open_settings_section(necro23).rows
    assert (
        "climb_cost",
        "2 in for each inch",
        "1 in for each inch",
        "Climbing costs no more than walking.",
    ) in rows
    assert len(rows) == sum(len(rule.setting) for rule in necro23.open_settings())


def test_json(necro23: Pack) -> None:
    plain = json.loads(json.dumps(show.as_json(necro23.with_settings({"climb_cost": 1}))))
    assert plain["constants"]["climb_cost"]["value"] == 1
    assert plain["changed"] == {"climb_cost": 1}
    assert "climb_cost" in plain["open_settings"]


def test_differences(necro23: Pack, necro17: Pack) -> None:
    by_rule = {difference.rule: difference for difference in show.differences(necro23, necro17)}
    assert "climb_cost" not in by_rule
    pair = by_rule["obstacle_height"]
    assert pair.ours is not None and pair.theirs is not None
    assert (pair.ours.value, pair.theirs.value) == (2.0, 1.5)
    assert by_rule["action.retreat"].theirs is None
    assert by_rule["action.disengage"].ours is None
    assert show.differences(necro23, necro23) == ()


def test_rules_by_id(necro23: Pack) -> None:
    rule = necro23.rule("overhang")
    assert (rule.value, rule.unit, rule.source) == (1.0, "in", "001, Climbing (Overhangs)")
    assert [reading.value for reading in rule.setting] == [0.5, 2.0]
    assert necro23.rule("allowance").source == "002, Moving Models"
    assert necro23.rule("kind.wall").source == "found"
    assert necro23.rule("table.falling").source == "found"
    with pytest.raises(UserError, match=r"no rule 'overhangs'; did you mean 'overhang'"):
        necro23.rule("overhangs")
    with pytest.raises(UserError, match=r"'cross_cost' is .*, not a number"):
        necro23.number("cross_cost")
    with pytest.raises(UserError, match="no constant 'x'"):
        necro23.value("x")
    with pytest.raises(UserError, match="no check 'x'"):
        necro23.check("x")
