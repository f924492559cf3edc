"""Pack files: extending, overriding, and one line with its place for every mistake."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from sandbox.errors import UserError
from sandbox.rules import ActionRules, Pack, load_pack
from sandbox.rules.reading import PACKS

PackMaker = Callable[..., Pack]


def test_unknown_packs_list_the_packs() -> None:
    with pytest.raises(UserError) as error:
        load_pack("necromunda-2032")
    assert str(error.value) == (
        "unknown pack 'necromunda-2032'; did you mean 'necromunda-2023'? "
        "Allowed: blightmeer, necromunda-2017, necromunda-2023"
    )
    with pytest.raises(UserError, match=r"no pack file 'no/such.yaml'; the built-in packs are blightmeer"):
        load_pack("no/such.yaml")


def test_a_pack_is_found_relative_to_a_folder(tmp_path: Path) -> None:
    shutil.copy(PACKS / "blightmeer.yaml", tmp_path / "mine.yaml")
    assert load_pack("mine.yaml", relative_to=tmp_path).id == "blightmeer"


def test_overrides(house: PackMaker) -> None:
    pack = house(
        """constants:
  climb_cost: 1
  overhang: {value: 2, text: Deep decks are fine here.}
skills:
  clamber: null
  wings:
    changes: [{change: profile.M, add: 2}, {change: climb_cost, cap: 0.5}, {change: leap_up, multiply: 3}]
    text: Flaps.
    source: ours
actions:
  move: {moves: [M + 1]}
fighters: {goliath: {stats: {M: 3}}}
"""
    )
    assert pack.id == "house"
    assert pack.number("climb_cost") == 1
    assert pack.rule("climb_cost").source == "house rule of house"
    assert pack.rule("climb_cost").words == load_pack().rule("climb_cost").words
    assert (
        "uses up 1 in of" in pack.rule("climb_cost").text and "up 2 in" in load_pack().rule("climb_cost").text
    )
    assert pack.rule("overhang").text == "Deep decks are fine here."
    assert "clamber" not in pack.file.skills
    assert "mighty-leap" in pack.file.skills
    move = pack.for_fighter({"M": 4}, skills=["wings"]).action("move")
    assert isinstance(move, ActionRules)
    assert move.allowance == 7
    winged = pack.for_fighter(skills=["wings"]).movement
    assert (winged.climb_cost, winged.leap_up) == (0.5, 1.5)
    assert pack.file.fighters["goliath"].stats == {"M": 3, "I": 4}
    assert load_pack().number("climb_cost") == 2


def test_extending_what_extends(house: PackMaker, tmp_path: Path) -> None:
    house("constants: {climb_cost: 1, overhang: 2}\n", "first.yaml")
    second = tmp_path / "second.yaml"
    second.write_text("pack: second\nname: S\nabout: S.\nextends: first.yaml\nconstants: {overhang: 0.5}\n")
    pack = load_pack(str(second))
    assert (pack.number("climb_cost"), pack.number("overhang"), pack.number("edge_zone")) == (1, 0.5, 0.5)


def test_a_changed_file_is_read_again(house: PackMaker) -> None:
    assert house("constants: {climb_cost: 1}\n").number("climb_cost") == 1
    assert house("constants: {climb_cost: 3}\n").number("climb_cost") == 3


MISTAKES = [
    ("constants:\n  climb_cots: 1\n", 6, "unknown key 'climb_cots' in constants; did you mean 'climb_cost'?"),
    ("constants:\n  climb_cost:\n    valeu: 1\n", 7, "unknown key 'valeu' in constants.climb_cost; did you mean 'value'?"),
    ("constants:\n  climb_cost: cheap\n", 6, "constants.climb_cost.value: 'cheap' is not a number"),
    ("constants:\n  climb_cost: -1\n", 6, "constants.climb_cost.value"),
    ("constants:\n  climb_cost: true\n", 6, "constants.climb_cost.value"),
    ("constants:\n  hang: 1\n", 6, "constants.hang.value"),
    ("constants:\n  rail_bonus: 0.5\n", 6, "constants.rail_bonus.value"),
    ("constants:\n  overhang: 1e9\n", 6, "constants.overhang.value"),
    ("constants:\n  overhang: .nan\n", 6, "not a finite number"),
    ("constants:\n  cross_cost: hight\n", 6, "'hight' is not known; did you mean 'height'?"),
    ("constants:\n  span: wide\n", 6, "constants.span.value: 'wide' should be inches from 0 to 120, or base"),
    ("constants:\n  climb_check: luck\n", 6, "'luck' is not known; allowed: initiative, falling-hazard, handling, none"),
    ("constants:\n  fall_status: pinned\n", 6, "'pinned' is not known; did you mean 'prone-pinned'?"),
    ("checks:\n  luck: {dice: D0, stat: I, text: x, source: x}\n", 6, "1 to 20 dice"),
    ("checks:\n  luck: {dice: D6, stat: L, text: x, source: x}\n", 6, "checks.luck.stat: 'L' is not known"),
    ("actions:\n  move:\n    moves: [M + Q]\n", 7, "'Q' is not known; characteristics are M, I"),
    ("actions:\n  move:\n    moves: [__import__('os')]\n", 7, "only numbers, characteristics, dice"),
    ("actions:\n  move:\n    statuses: [upright]\n", 7, "actions.move.statuses: 'upright' is not known"),
    ("actions:\n  move: {cost: cheap}\n", 6, "actions.move.cost: 'cheap' is not known"),
    ("skills:\n  x:\n    text: x\n    source: x\n    changes:\n      - {change: climb, set: 1}\n", 10,
     "'climb' is not known; a change names a constant"),
    ("skills:\n  x:\n    text: x\n    source: x\n    changes:\n      - {change: climb_cost, set: 1, add: 1}\n", 10,
     "give exactly one of set, add, multiply and cap"),
    ("skills:\n  x:\n    text: x\n    source: x\n    changes:\n      - {change: climb_cost, set: low}\n", 10,
     "skills.x.changes[0].set: 'low' cannot be climb_cost; it should be a valid number"),
    ("skills:\n  x: {text: x}\n", 6, "missing key 'source' in skills.x"),
    ("kinds:\n  wall: {may: [fly]}\n", 6, "'fly' is not known"),
    ("kinds:\n  walls: {may: [], text: x, source: x}\n", 6, "kinds"),
    ("kinds:\n  wall: null\n", 5, "kinds: missing wall"),
    ("rules:\n  allowance: null\n", 5, "rules: missing allowance"),
    ("rules:\n  overhang: {text: x, source: x}\n", 6, "'overhang' is the name of a constant"),
    ("default_status: lying\n", 5, "default_status: 'lying' is not known"),
    ("tables: {falling: {rows: [{from_height: 3, S: 0, AP: 0, D: 1}]}}\n", 5, "tables.falling.rows[0].S"),
    ("shoes: red\n", 5, "unknown key 'shoes'"),
    ("constants: 7\n", 5, "constants"),
    ("constants:\n  climb_cost: !!python/object:os.system 1\n", 6, "tag"),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "line", "text"), MISTAKES, ids=[m[0][:40] for m in MISTAKES])
def test_a_mistake_is_one_line_with_its_place(house: PackMaker, lines: str, line: int, text: str) -> None:
    with pytest.raises(UserError) as error:
        house(lines)
    told = str(error.value)
    assert text in told
    assert f"house.yaml:{line}: " in told
    assert "\n" not in told


@pytest.mark.parametrize(
    ("extends", "text"),
    [
        ("house.yaml", "extends: house.yaml comes back to this file"),
        ("necromunda", "extends: unknown pack 'necromunda'"),
        ("there/not.yaml", "extends: no pack file 'there/not.yaml'"),
        ("[1]", "should be the id or the path of a pack"),
    ],
)
def test_extending_what_cannot_be(tmp_path: Path, extends: str, text: str) -> None:
    path = tmp_path / "house.yaml"
    path.write_text(f"pack: house\nname: H\nabout: H.\nextends: {extends}\n")
    with pytest.raises(UserError, match=r"house\.yaml:4: ") as error:
        load_pack(str(path))
    assert text in str(error.value)


def test_a_mistake_in_the_extended_file_names_that_file(tmp_path: Path) -> None:
    (tmp_path / "first.yaml").write_text(
        "pack: f\nname: F\nabout: F.\nextends: blightmeer\nconstants: {hang: 2}\n"
    )
    second = tmp_path / "second.yaml"
    second.write_text("pack: s\nname: S\nabout: S.\nextends: first.yaml\n")
    with pytest.raises(UserError, match=r"first\.yaml:5: constants\.hang\.value"):
        load_pack(str(second))


def test_settings() -> None:
    pack = load_pack()
    other = pack.with_settings(
        {"climb_cost": "1", "mount_free": "true", "span": "0.25", "rail_bonus": "2", "cross_cost": "flat"}
    )
    assert (other.movement.climb_cost, other.movement.mount_free, other.movement.span) == (1, True, 0.25)
    assert (other.movement.rail_bonus, other.movement.cross_cost) == (2, "flat")
    assert dict(other.changed)["climb_cost"] == "1"
    assert pack.movement.climb_cost == 2
    assert pack.with_settings({}) is pack


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"climb_cots": 1}, "necromunda-2023: no setting 'climb_cots'; did you mean 'climb_cost'?"),
        ({"climb_cost": "dear"}, "necromunda-2023: setting climb_cost.value: 'dear' is not a number"),
        ({"climb_cost": -3}, "necromunda-2023: setting climb_cost.value"),
        ({"cross_cost": "hight"}, "did you mean 'height'?"),
        ({"climb_check": "luck"}, "necromunda-2023: setting climb_check.value: 'luck' is not known"),
    ],
)
def test_settings_that_cannot_be(settings: dict[str, object], text: str) -> None:
    with pytest.raises(UserError) as error:
        load_pack().with_settings(settings)
    assert text in str(error.value)
    assert "\n" not in str(error.value)
