"""Actions that are more than a move: ductways, squeezes, carrying, getting away from enemies, doors, standing up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sandbox

from .boards import R32, load

MM = 1 / 25.4
WALL = """
board: {size: [24, 24], zone_mortalis: true}
terrain:
  - {id: wall, box: [THICK, 24, 2.4], at: [12, 12], kind: wall}
ductways:
  - {id: duct, from: [NEAR, 12, 0], to: [FAR, 12, 0]}
fighters:
  - {id: kal, side: red, at: [AT, 12], profile: {M: 5, I: 4}}
ENEMY
"""


def _duct(folder: Path, pack: str, thick: float, enemy: str = "", at: float | None = None) -> Any:
    half = thick / 2
    text = WALL.replace("THICK", f"{thick:.4f}").replace("NEAR", f"{12 - half:.4f}")
    start = 12 - half - R32 - 0.5 if at is None else at
    text = text.replace("FAR", f"{12 + half:.4f}").replace("AT", f"{start:.4f}").replace("ENEMY", enemy)
    return load(folder, text, pack)


@pytest.mark.parametrize("pack", ["necromunda-2023", "necromunda-2017"])
@pytest.mark.parametrize(("thick", "fits"), [(50 * MM, True), (54 * MM, False)])
def test_a_ductway_leads_through_walls_of_two_inches(
    tmp_path: Path, pack: str, thick: float, fits: bool
) -> None:
    moves = _duct(tmp_path, pack, thick).moves("kal", "crawl-through", target="duct")
    through = moves.to(12 + thick / 2 + R32 + 0.3, 12)
    assert through.legal is fits
    if fits:
        assert [leg.kind for leg in through.legs] == ["ductway"]
        assert len(moves.spots) > 10
        gap = np.hypot(moves.spots["x"] - 12 - thick / 2, moves.spots["y"] - 12) - R32
        assert gap.max() <= 1.0 + 1e-3
        assert (moves.spots["x"] > 12 + thick / 2).all()
        assert not moves.to(12 + thick / 2 + R32 + 1.1, 12).legal
        assert through.ends_as == ("prone-pinned" if pack == "necromunda-2017" else None)
    else:
        assert through.rulings[0].rule == "ductway_length"
        assert len(moves.spots) == 0


def test_a_ductway_is_entered_within_an_inch(tmp_path: Path) -> None:
    far = _duct(tmp_path, "necromunda-2023", 1.0, at=11.5 - R32 - 1.05).moves("kal", "crawl-through")
    assert far.to(12.5 + R32 + 0.3, 12).rulings[0].rule == "ductway_reach"
    near = _duct(tmp_path, "necromunda-2023", 1.0, at=11.5 - R32 - 0.99).moves("kal", "crawl-through")
    assert near.to(12.5 + R32 + 0.3, 12).legal


@pytest.mark.parametrize("pack", ["necromunda-2023", "necromunda-2017"])
def test_an_enemy_at_the_far_mouth(tmp_path: Path, pack: str) -> None:
    """0.9" from the mouth on one side; on the other side there is a place an inch from it."""
    y = 12 - R32 - 0.9
    enemy = f"  - {{id: rax, side: blue, at: [{12.5 + R32:.4f}, {y - 0.63:.4f}]}}"
    field = _duct(tmp_path, pack, 1.0, enemy)
    moves = field.moves("kal", "crawl-through", target="duct")
    beside = moves.to(12.5 + R32 + 0.05, 12 + 0.95)
    if pack == "necromunda-2023":
        assert beside.legal
        assert not moves.to(12.5 + R32 + 0.05, 12 - 0.9).legal
    else:
        gap = np.hypot(R32, y - 0.63 - 12) - R32
        assert beside.legal is bool(gap >= 1.0)


def test_an_unknown_ductway_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(sandbox.UserError, match="no ductway"):
        _duct(tmp_path, "necromunda-2023", 1.0).moves("kal", "crawl-through", target="dukt")


def test_tunnel_rats_go_through_ductways_in_a_move(tmp_path: Path) -> None:
    text = WALL.replace("THICK", "1").replace("NEAR", "11.5").replace("FAR", "12.5").replace("AT", "9.5")
    text = text.replace("ENEMY", "").replace("profile:", "skills: [tunnel-rat], profile:")
    field = load(tmp_path, text, "necromunda-2017")
    move = field.moves("kal").to(12.5 + R32 + 0.2, 12)
    assert move.legal
    assert "ductway" in {leg.kind for leg in move.legs}
    assert move.cost == pytest.approx(3.0 + R32 + 0.2, abs=0.1)
    plain = load(tmp_path, text.replace("skills: [tunnel-rat], ", ""), "necromunda-2017")
    assert not plain.moves("kal").to(12.5 + R32 + 0.2, 12).legal


SQUEEZE = """
board: {size: [24, 24], zone_mortalis: true}
terrain:
  - {id: south, box: [THICK, LENGTH, 2.4], at: [12, SOUTH], kind: wall}
  - {id: north, box: [THICK, LENGTH, 2.4], at: [12, NORTH], kind: wall}
fighters:
  - {id: kal, side: red, base: BASE, at: [AT, 12], profile: {M: 5, I: 4}}
"""


def _door(folder: Path, width: float, base: float, thick: float = 10 * MM) -> Any:
    length = 12 - width / 2
    text = SQUEEZE.replace("THICK", f"{thick:.5f}").replace("LENGTH", f"{length:.5f}")
    text = text.replace("SOUTH", f"{length / 2:.5f}").replace("NORTH", f"{24 - length / 2:.5f}")
    radius = base / 2 * MM
    return load(
        folder,
        text.replace("BASE", f"{base:g}").replace("AT", f"{12 - thick / 2 - radius - 0.3:.4f}"),
        "necromunda-2017",
    )


@pytest.mark.parametrize(
    ("door", "base", "through"), [(30, 32, True), (30, 40, True), (30, 50, True), (24, 50, False)]
)
def test_narrow_doors_are_crawled_through(tmp_path: Path, door: float, base: float, through: bool) -> None:
    field = _door(tmp_path, door * MM, base)
    beyond = 12 + base / 2 * MM + 0.5
    assert not field.moves("kal").to(beyond, 12).legal
    moves = field.moves("kal", "crawl-through")
    move = moves.to(beyond, 12)
    assert move.legal is through
    if through:
        assert [leg.kind for leg in move.legs] == ["squeeze"]
        assert move.ends_as == "prone-pinned"
    else:
        assert move.rulings
        assert len(moves.spots) == 0


@pytest.mark.parametrize(("thick", "through"), [(1.9, True), (2.2, False)])
def test_narrow_passages_of_two_inches(tmp_path: Path, thick: float, through: bool) -> None:
    moves = _door(tmp_path, 26 * MM, 32, thick).moves("kal", "crawl-through")
    assert moves.to(12 + thick / 2 + R32 + 0.3, 12).legal is through


def test_a_wall_without_an_opening_is_no_squeeze(tmp_path: Path) -> None:
    moves = _door(tmp_path, 5 * MM, 32).moves("kal", "crawl-through")
    assert len(moves.spots) == 0
    assert moves.to(13, 12).rulings[0].rule == "ductway_reach"


CARRY = """
items:
  - {id: crate, at: [12.9, 12], heavy: HEAVY}
  - {id: far, at: [16, 12]}
fighters:
  - {id: kal, side: red, at: [12, 12], profile: {M: 5, S: 4}}
  - {id: juno, side: red, at: [12, 13.4], status: seriously-injured}
"""


def test_carrying_a_small_thing(tmp_path: Path) -> None:
    field = load(tmp_path, CARRY.replace("HEAVY", "false"), "necromunda-2017")
    moves = field.moves("kal", "carry", target="crate")
    assert moves.allowance == 5.0
    assert moves.to(12, 7.5).legal
    assert field.moves("kal", "carry", target="far").rulings[0].text.startswith("far is")
    assert field.moves("kal", "carry").rulings[0].rule == "target"
    with pytest.raises(sandbox.UserError, match="crates"):
        field.moves("kal", "carry", target="crates")


def test_carrying_something_heavy_or_somebody(tmp_path: Path) -> None:
    field = load(tmp_path, CARRY.replace("HEAVY", "true"), "necromunda-2017")
    assert "heavy" in field.moves("kal", "carry", target="crate").rulings[0].text
    heavy = field.moves("kal", "carry-heavy", target="crate")
    assert heavy.allowance == 4.0
    assert heavy.to(12, 8.1).legal
    assert not heavy.to(12, 7.9).legal
    somebody = field.moves("kal", "carry-heavy", target="juno")
    assert somebody.to(12, 13.4).legal  # where juno lay: juno is carried
    assert not field.moves("kal", "move").to(12, 13.4).legal


def test_what_is_carried_needs_room_at_the_end(tmp_path: Path) -> None:
    """On a pillar just large enough for the carrier there is nowhere to set anything down."""
    text = "terrain:\n  - {id: pillar, cylinder: [SIZE, 0.6], at: [12, 9], kind: structure}\n"
    text += CARRY.replace("HEAVY", "false")
    narrow = load(tmp_path, text.replace("SIZE", "0.65"), "necromunda-2017")
    assert narrow.moves("kal", "move").to(12, 9).legal
    refused = narrow.moves("kal", "carry", target="crate").to(12, 9)
    assert not refused.legal
    assert "set crate down" in refused.rulings[0].text
    wide = load(tmp_path, text.replace("SIZE", "1.7"), "necromunda-2017")
    assert wide.moves("kal", "carry", target="crate").to(12, 9).legal


MELEE = """
fighters:
  - {id: kal, side: red, at: [12, 12], profile: {M: 5, I: 4}}
  - {id: rax, side: blue, at: [RAX, 12]}
  - {id: vex, side: blue, at: [12, VEX]}
"""


def test_disengaging_ends_exactly_an_inch_away(tmp_path: Path) -> None:
    text = MELEE.replace("RAX", f"{12 + 2 * R32 + 0.5:.4f}").replace("VEX", f"{12 + 2 * R32 + 2:.4f}")
    field = load(tmp_path, text, "necromunda-2017")
    moves = field.moves("kal", "disengage")
    assert not moves.rulings
    away = moves.to(12 - 0.5, 12)
    assert away.legal
    assert away.events
    assert not moves.to(12 - 0.6, 12).legal
    assert moves.to(12 - 0.6, 12).rulings[0].rule == "action.disengage"
    rax, vex = field.fighter("rax").base, field.fighter("vex").base
    spots = moves.spots
    assert len(spots) > 5
    gap = np.hypot(spots["x"] - rax.at[0], spots["y"] - rax.at[1]) - 2 * R32
    assert np.abs(gap - 1.0).max() < 0.01
    assert (np.hypot(spots["x"] - vex.at[0], spots["y"] - vex.at[1]) - 2 * R32).min() > 0.98
    assert load(tmp_path, text.replace("RAX", "16"), "necromunda-2017").moves("kal", "move").rulings


def test_retreat_is_a_check_and_a_roll(tmp_path: Path) -> None:
    text = MELEE.replace("RAX", f"{12 + 2 * R32:.4f}").replace("VEX", "2")
    field = load(tmp_path, text, size=14)
    assert field.moves("kal", "move").rulings[0].rule == "engaged"
    moves = field.moves("kal", "retreat")
    assert moves.allowance == 6.0
    short, long = moves.to(10.9, 12), moves.to(7.5, 12)
    assert short.legal
    assert long.legal
    assert [c.reason for c in short.checks] == ["retreat", "distance"]
    assert short.success == pytest.approx(0.5 * 5 / 6)
    assert long.success == pytest.approx(0.5 * 2 / 6)
    assert long.checks[1].needed == 5
    near = moves.spots[np.hypot(moves.spots["x"] - 10.9, moves.spots["y"] - 12) < 0.2]
    assert near["success"].max() <= 0.5 * 5 / 6 + 1e-9


def test_fleeing_leads_away_from_the_nearest_enemy_in_sight(tmp_path: Path) -> None:
    text = MELEE.replace("RAX", "16").replace("VEX", "4").replace("profile", "status: broken, profile", 1)
    text = "terrain:\n  - {id: screen, box: [0.2, 20, 4], at: [14, 12], kind: impassable}\n" + text
    field = load(tmp_path, text)
    moves = field.moves("kal", "flee")
    assert moves.allowance == 12.0
    assert moves.answerer.threat.id == "vex"  # rax is nearer, but behind the screen
    assert moves.to(12, 15).legal
    toward = moves.to(12, 10)
    assert not toward.legal
    assert toward.rulings[0].rule == "action.flee"
    assert moves.to(12, 19.5).success == pytest.approx(15 / 36)
    assert (np.hypot(moves.spots["x"] - 12, moves.spots["y"] - 4) > 8).all()
    assert field.moves("kal", "move").rulings


def test_standing_up_needs_headroom(tmp_path: Path) -> None:
    text = "terrain:\n  - {id: roof, box: [4, 4, 0.2], at: [12, 12, HIGH]}\nfighters:\n"
    text += "  - {id: kal, side: red, at: [12, 12, 0], status: pinned}\n"
    low = load(tmp_path, text.replace("HIGH", "1.0")).moves("kal", "stand-up")
    assert not low.to(12, 12, 0).legal
    assert low.to(12, 12, 0).rulings[0].rule == "headroom"
    assert len(low.spots) == 0
    high = load(tmp_path, text.replace("HIGH", "1.5")).moves("kal", "stand-up")
    up = high.to(12, 12, 0)
    assert up.legal
    assert up.ends_as == "standing"
    assert len(high.spots) == 1
    assert not high.to(12.5, 12, 0).legal


@pytest.mark.parametrize(("gap", "reached"), [(1.0, True), (1.03, False)])
def test_doors_are_operated_within_an_inch(tmp_path: Path, gap: float, reached: bool) -> None:
    text = "terrain:\n  - {id: gate, box: [0.4, 3, 2], at: [12, 12], kind: door-closed}\nfighters:\n"
    text += f"  - {{id: kal, side: red, at: [{12 - 0.2 - R32 - gap:.4f}, 12]}}\n"
    field = load(tmp_path, text)
    moves = field.moves("kal", "operate-door", target="gate")
    x = 12 - 0.2 - R32 - gap
    assert moves.to(x, 12).legal is reached
    if not reached:
        assert moves.to(x, 12).rulings[0].rule == "door_reach"
    with pytest.raises(sandbox.UserError, match="no door"):
        field.moves("kal", "operate-door", target="gates")


def test_skills_that_give_a_move_of_their_own(tmp_path: Path) -> None:
    text = "fighters:\n  - {id: kal, side: red, at: [12, 12], profile: {M: 5}, skills: [forward-advance]}\n"
    moves = load(tmp_path, text, "necromunda-2017").moves("kal", "forward-advance")
    assert moves.allowance == 8.0
    far = moves.to(12 + 7.5, 12)
    assert far.legal
    assert far.success == pytest.approx(1 / 3)
    assert far.events
    assert (
        load(tmp_path, text.replace("forward-advance", "strider"), "necromunda-2017")
        .moves("kal", "forward-advance")
        .rulings
    )
