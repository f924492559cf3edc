"""Skills and gear that change movement, each on the smallest board that shows it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from .boards import R32, load

DECK = """
terrain:
  - {id: deck, box: [8, 8, 3], at: [17, 12]}
  - {id: screen, box: [0.4, 6, 8], at: [9, 16], kind: impassable}
fighters:
  - {id: kal, side: red, at: [8, 12], profile: {M: 5, STAT}, EXTRA}
"""


def _deck(folder: Path, extra: str, pack: str, stat: str = "I: 4"):  # type: ignore[no-untyped-def]
    return load(folder, DECK.replace("EXTRA", extra).replace("STAT", stat), pack)


@pytest.mark.parametrize("pack", ["necromunda-2023", "necromunda-2017"])
def test_a_grapnel_reaches_any_level_in_a_straight_line(tmp_path: Path, pack: str) -> None:
    moves = _deck(tmp_path, "gear: [grapnel-launcher]", pack).moves("kal", "grapnel")
    assert moves.allowance == 12.0
    up = moves.to(14.5, 12, 3)
    assert up.legal
    assert [leg.kind for leg in up.legs] == ["grapnel"]
    assert up.cost == pytest.approx(np.hypot(6.5, 3), abs=0.01)
    assert not moves.to(20.3, 12, 3).legal
    assert moves.to(20.3, 12, 3).rulings[0].measured == pytest.approx(np.hypot(12.3, 3), abs=0.01)
    behind = moves.to(10, 20)
    assert not behind.legal
    assert "straight line" in behind.rulings[0].text
    level = moves.to(8, 5)
    assert level.legal is (pack == "necromunda-2023")


@pytest.mark.parametrize("pack", ["necromunda-2023", "necromunda-2017"])
def test_places_that_a_grapnel_reaches_are_what_to_says(tmp_path: Path, pack: str) -> None:
    text = "terrain:\n  - {id: deck, box: [3, 6, 3], at: [5.5, 3]}\nfighters:\n"
    text += "  - {id: kal, side: red, at: [1.5, 3], profile: {M: 5}, gear: [grapnel-launcher]}\n"
    moves = load(tmp_path, text, pack, size=7).moves("kal", "grapnel")
    spots = moves.spots
    assert len(spots) > 100
    assert spots["cost"].max() <= 12.01
    for spot in spots[:: max(1, len(spots) // 12)]:
        assert moves.to(float(spot["x"]), float(spot["y"]), float(spot["z"])).cost == spot["cost"]


def test_a_grapnel_is_gear(tmp_path: Path) -> None:
    assert _deck(tmp_path, "skills: []", "necromunda-2023").moves("kal", "grapnel").rulings


def test_a_teleport_goes_anywhere_and_scatters(tmp_path: Path) -> None:
    moves = _deck(tmp_path, "gear: [warp-pack]", "necromunda-2017").moves("kal", "teleport")
    there = moves.to(17, 12, 3)
    assert there.legal
    assert there.success == pytest.approx(1 / 3)
    assert moves.to(10, 20).legal
    assert not moves.to(13.2, 12, 3).legal


def test_a_rocket_pack_jumps_once_with_a_check(tmp_path: Path) -> None:
    field = _deck(tmp_path, "gear: [rocket-pack]", "necromunda-2017")
    jump = field.moves("kal", "double-move").to(15, 12, 3)
    assert jump.legal
    assert [leg.kind for leg in jump.legs] == ["fly"]
    assert jump.cost == pytest.approx(np.hypot(7, 3), abs=0.01)
    assert jump.success == pytest.approx(0.5)
    assert "Pinned" in jump.checks[0].on_fail.happens
    near = field.moves("kal", "double-move").to(6, 12)
    assert near.success == 1.0  # walked: nothing is risked
    assert not field.moves("kal", "move").to(15, 12, 3).legal


def test_flying_units_cross_everything_but_impassable(tmp_path: Path) -> None:
    field = _deck(tmp_path, "skills: [flying]", "blightmeer", "A: 9")
    field_moves = field.moves("kal")
    up = field_moves.to(13 + R32 + 0.02, 12, 3)
    assert not up.legal  # 5.65 across and 3 up are more than 5
    walker = load(
        tmp_path,
        DECK.replace("EXTRA", "skills: []").replace("STAT", "A: 9").replace("M: 5", "M: 8"),
        "blightmeer",
    )
    flier = load(
        tmp_path,
        DECK.replace("EXTRA", "skills: [flying]").replace("STAT", "A: 9").replace("M: 5", "M: 8"),
        "blightmeer",
    )
    at = (13 + R32 + 0.02, 12, 3)
    assert flier.moves("kal").to(*at).cost == pytest.approx(np.hypot(5 + R32 + 0.02, 3), abs=0.01)
    assert not walker.moves("kal").to(*at).legal  # 8.65 with the climb
    assert flier.moves("kal").to(*at).success == 1.0
    assert not flier.moves("kal").to(9, 16, 8).legal


@pytest.mark.parametrize(("skill", "test"), [("mighty-leap", False), ("clamber", True)])
def test_mighty_leap_leaves_out_two_inches(tmp_path: Path, skill: str, test: bool) -> None:
    text = "terrain:\n  - {id: a, box: [6, 8, 3], at: [7, 12]}\n  - {id: b, box: [6, 8, 3], at: [16, 12]}\n"
    text += f"fighters:\n  - {{id: kal, side: red, at: [{10 - R32}, 12], profile: {{M: 6, I: 4}}, skills: [{skill}]}}\n"
    over = load(tmp_path, text).moves("kal").to(13 + R32, 12, 3)
    assert over.legal
    assert over.success == pytest.approx(0.5 if test else 1.0)  # an inch is left, less than the base


def test_clamber_climbs_at_the_price_of_walking(tmp_path: Path) -> None:
    up = _deck(tmp_path, "skills: [clamber]", "necromunda-2023").moves("kal", "double-move").to(13.64, 12, 3)
    assert up.cost == pytest.approx(5.64 + 3, abs=0.05)


def test_sprint_doubles_the_second_move(tmp_path: Path) -> None:
    moves = _deck(tmp_path, "skills: [sprint]", "necromunda-2023").moves("kal", "double-move")
    assert moves.allowance == 15.0


def test_catfall_halves_heights_of_jumps(tmp_path: Path) -> None:
    text = "terrain:\n  - {id: a, box: [8, 8, 4], at: [8, 12]}\nfighters:\n"
    text += (
        f"  - {{id: kal, side: red, at: [{12 - R32}, 12, 4], profile: {{M: 5, I: 4}}, skills: [catfall]}}\n"
    )
    down = load(tmp_path, text).moves("kal").to(12 + R32 + 0.02, 12, 0)
    assert down.checks[0].modifier == 0


def test_a_grav_chute_needs_no_roll(tmp_path: Path) -> None:
    text = "terrain:\n  - {id: a, box: [8, 8, 4], at: [8, 12]}\nfighters:\n"
    text += (
        f"  - {{id: kal, side: red, at: [{12 - R32}, 12, 4], profile: {{M: 5, I: 4}}, gear: [grav-chute]}}\n"
    )
    down = load(tmp_path, text).moves("kal").to(12 + R32 + 0.02, 12, 0)
    assert down.legal
    assert down.success == 1.0


@pytest.mark.parametrize("skills", ["[]", "[acrobatic]"])
def test_acrobats_pass_everybody(tmp_path: Path, skills: str) -> None:
    text = "terrain:\n  - {id: deck, box: [20, 2.5, 3], at: [12, 12], kind: structure}\nfighters:\n"
    text += f"  - {{id: kal, side: red, at: [9, 12, 3], profile: {{M: 7}}, skills: {skills}}}\n"
    text += "  - {id: rax, side: blue, at: [12, 12, 3]}\n"
    moves = load(tmp_path, text, "necromunda-2017").moves("kal")
    assert moves.to(15, 12, 3).legal is (skills != "[]")
    assert not moves.to(13.5, 12, 3).legal  # where it ends the inch is kept


@pytest.mark.parametrize(("skill", "reach", "chance"), [("sprinter", 14.0, 1 / 3), ("strider", 13.0, 1 / 3)])
def test_sprinters_and_striders_roll_for_more(
    tmp_path: Path, skill: str, reach: float, chance: float
) -> None:
    text = f"fighters:\n  - {{id: kal, side: red, at: [2, 12], profile: {{M: 5}}, skills: [{skill}]}}\n"
    moves = load(tmp_path, text, "necromunda-2017").moves("kal", "double-move")
    assert moves.allowance == reach
    far = moves.to(2 + reach - 0.2, 12)
    assert far.success == pytest.approx(chance)
    assert far.checks[0].reason == "distance"
    assert far.checks[0].needed == 3
    assert moves.to(2 + 10, 12).success == 1.0


def test_low_crawlers_crawl_as_a_simple_action(tmp_path: Path) -> None:
    text = "fighters:\n  - {id: kal, side: red, at: [12, 12], status: pinned, skills: [low-crawler]}\n"
    field = load(tmp_path, text, "necromunda-2017")
    action = field.fighter("kal").rules.action("crawl")
    assert action.row.cost == "simple"
    assert field.moves("kal", "crawl").to(12, 14.9).events


def test_difficult_ground_may_be_leapt(tmp_path: Path) -> None:
    """Four inches of it cost eight on foot; leapt they cost four, for a check."""
    text = "areas:\n  - {kind: difficult, polygon: [[8, 0], [10, 0], [10, 24], [8, 24]]}\nfighters:\n"
    text += "  - {id: kal, side: red, at: [7.5, 12], profile: {M: 4, I: 4}}\n"
    moves = load(tmp_path, text, "necromunda-2017").moves("kal")
    leapt = moves.to(10.7, 12)
    assert leapt.legal
    assert leapt.success == pytest.approx(0.5)
    assert "leap" in {leg.kind for leg in leapt.legs}
    assert leapt.cost == pytest.approx(3.2, abs=0.1)
    check = next(c for leg in leapt.legs for c in leg.checks)
    assert "halfway" in check.on_fail.happens
    assert check.on_fail.height is None
    assert not load(tmp_path, text, "necromunda-2023").moves("kal").to(10.7, 12).legal


BOOSTED = "gear: [jump-booster]"


@pytest.mark.parametrize(("extra", "legal"), [("gear: []", False), (BOOSTED, True)])
def test_a_booster_steps_up_three_inches(tmp_path: Path, extra: str, legal: bool) -> None:
    """Five and a half to the deck and past its lip; its three inches of height are stepped up."""
    text = DECK.replace("EXTRA", extra).replace("STAT", "I: 4").replace("M: 5", "M: 6")
    up = load(tmp_path, text, "necromunda-2017").moves("kal").to(13.64, 12, 3)
    assert up.legal is legal
    if legal:
        assert up.cost == pytest.approx(5.64, abs=0.05)
        assert any("booster" in leg.notes for leg in up.legs)


def test_a_booster_is_used_once(tmp_path: Path) -> None:
    text = """
terrain:
  - {id: low, box: [8, 8, 3], at: [12, 12]}
  - {id: high, box: [4, 8, 3], at: [14, 12, 3]}
fighters:
  - {id: kal, side: red, at: [7, 12], profile: {M: 7, I: 4}, gear: [jump-booster]}
"""
    field = load(tmp_path, text, "necromunda-2017")
    assert field.moves("kal", "double-move").to(9.5, 12, 3).cost == pytest.approx(2.5, abs=0.05)
    twice = field.moves("kal", "double-move").to(12.8, 12, 6)
    assert twice.cost == pytest.approx(5.8 + 6, abs=0.1)  # one rise is stepped up, the other climbed


def test_a_booster_over_a_gap_and_over_difficult_ground(tmp_path: Path) -> None:
    text = "terrain:\n  - {id: a, box: [6, 8, 3], at: [7, 12]}\n  - {id: b, box: [6, 8, 3], at: [16, 12]}\n"
    text += f"fighters:\n  - {{id: kal, side: red, at: [{10 - R32}, 12], profile: {{M: 5}}, {BOOSTED}}}\n"
    leap = load(tmp_path, text, "necromunda-2017").moves("kal").to(13 + R32, 12, 3)
    assert leap.success == 1.0
    assert leap.cost == pytest.approx(2 * R32, abs=0.05)
    text = "areas:\n  - {kind: difficult, polygon: [[8, 0], [12, 0], [12, 24], [8, 24]]}\nfighters:\n"
    text += f"  - {{id: kal, side: red, at: [7.5, 12], profile: {{M: 7, I: 6}}, {BOOSTED}}}\n"
    walk = load(tmp_path, text, "necromunda-2017").moves("kal").to(12.5, 12)
    assert walk.legal
    assert walk.success == 1.0
    assert walk.cost == pytest.approx(1 + 4 * 2 - 3, abs=0.1)
    assert sum(leg.cost for leg in walk.legs) == pytest.approx(walk.cost, abs=0.05)


def test_a_booster_leaves_out_one_of_two_equal_gaps(tmp_path: Path) -> None:
    """Three decks in a row, two inches apart: one gap is stepped over, the other is leapt."""
    text = "terrain:\n" + "".join(
        f"  - {{id: {name}, box: [3, 6, 3], at: [{x}, 12]}}\n" for name, x in (("a", 6), ("b", 11), ("c", 16))
    )
    text += (
        f"fighters:\n  - {{id: kal, side: red, at: [{7.5 - R32}, 12], profile: {{M: 6, I: 4}}, {BOOSTED}}}\n"
    )
    far = load(tmp_path, text, "necromunda-2017").moves("kal", "double-move").to(14.5 + R32, 12, 3)
    assert far.legal
    assert far.success == pytest.approx(0.5)
    assert [check.reason for check in far.checks] == ["leap"]
    assert far.cost == pytest.approx(7 + 2 * R32 - 2, abs=0.1)
    assert sum("booster" in leg.notes for leg in far.legs) == 1


@pytest.mark.parametrize("count", [1, 2])
def test_a_booster_leaves_out_one_of_two_obstacles(tmp_path: Path, count: int) -> None:
    """Half an inch of difficult ground each; what the booster leaves out costs nothing extra."""
    text = "terrain:\n" + "".join(
        f"  - {{id: bar{n}, box: [0.5, 22, 1.5], at: [{9 + 2 * n}, 12], kind: obstacle}}\n"
        for n in range(count)
    )
    text += f"fighters:\n  - {{id: kal, side: red, at: [7.5, 12], profile: {{M: 8, I: 4}}, {BOOSTED}}}\n"
    over = load(tmp_path, text, "necromunda-2017").moves("kal").to(8.5 + 2 * count, 12)
    assert over.legal
    assert over.cost == pytest.approx(1 + 2 * count + 0.5 * (count - 1), abs=0.05)


@pytest.mark.parametrize("rules", ["necromunda-2017", "necromunda-2023"])
def test_a_grav_chute_lands_at_the_nearest_free_place(tmp_path: Path, rules: str) -> None:
    """An enemy under the lip: with the chute the jump ends beside it at an inch, without one it ends nowhere near."""
    text = "terrain:\n  - {id: deck, box: [8, 8, 4], at: [8, 12]}\nfighters:\n"
    text += f"  - {{id: kal, side: red, at: [{12 - R32}, 12], profile: {{M: 3, I: 4}}, gear: [GEAR]}}\n"
    text += "  - {id: rax, side: blue, at: [12.7, 12], profile: {M: 5}}\n"
    with_it = load(tmp_path, text.replace("GEAR", "grav-chute"), rules)
    moves = with_it.moves("kal")
    low = moves.spots[moves.spots["z"] < 1]
    assert len(low) > 0
    assert (low["success"] == 1.0).all()
    gap = np.hypot(low["x"] - 12.7, low["y"] - 12) - 2 * R32
    assert gap.min() >= 1.0 - 0.01
    # straight down and put beside it: no more is paid than for the jump
    nearest = low[np.argmin(low["cost"])]
    assert nearest["cost"] < 1.6
    move = moves.to(nearest["x"], nearest["y"], 0)
    assert move.legal
    assert move.checks == ()
    assert move.cost == pytest.approx(nearest["cost"], abs=0.02)
    without = load(tmp_path, text.replace("GEAR", ""), rules).moves("kal").to(nearest["x"], nearest["y"], 0)
    assert not without.legal or without.cost > nearest["cost"] + 0.5
