"""Gear and skills that need a game around them: teleports, moves after a fight, moves that a skill gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from play.games import play, rules, table, whats
from sandbox.play import Game, Table

R32 = 16 / 25.4
WARP = """
name: Warp
rules: necromunda-2017
board: {size: [30, 24]}
terrain:
  - {id: block, box: [4, 4, 4], at: [16, 12], kind: structure}
  - {id: deck, box: [6, 6, 3], at: [6, 18]}
fighters:
  - {id: kal, side: red, at: [4, 4], gear: [warp-pack], profile: {S: 3}}
  - {id: rax, side: blue, at: [24, 20]}
"""
EAST, NORTH, SOUTH = 0, 90, 270


@pytest.fixture
def warp(tmp_path: Path) -> Game:
    return Game(table(tmp_path, WARP))


def at(game: Game, who: str = "kal") -> list[float]:
    return game.state["models"][who]["at"]


def test_a_hit_on_the_scatter_die_leaves_it_where_it_was_placed(warp: Game) -> None:
    told = play(warp, "kal teleport 10,6", 4, 5)
    assert at(warp) == [10, 6, 0]
    assert {"action.teleport", "table.scatter"} <= rules(told)


def test_without_a_hit_it_is_moved_as_the_arrow_points(warp: Game) -> None:
    play(warp, "kal teleport 10,6", 3, 2, NORTH)
    assert at(warp) == pytest.approx([10, 9, 0], abs=1e-4)


def test_into_something_solid_or_off_the_board_it_is_moved_back(warp: Game) -> None:
    told = play(warp, "kal teleport 10,12", 6, 1, EAST)  # into the middle of the block
    assert at(warp)[0] == pytest.approx(14 - R32, abs=0.06)
    assert "back along the line" in " ".join(one["text"] for one in told)
    warp.undo()
    play(warp, "kal teleport 10,2", 5, 1, SOUTH)
    assert at(warp)[1] == pytest.approx(R32, abs=0.06) or 0 <= at(warp)[1] <= R32
    warp.undo()
    play(warp, "kal teleport 24,16", 5, 1, NORTH)  # onto rax: back until the bases touch
    assert at(warp)[1] == pytest.approx(20 - 2 * R32, abs=0.06)


def test_behind_something_solid_it_is_where_it_scattered(warp: Game) -> None:
    play(warp, "kal teleport 13,12", 6, 1, EAST)
    assert at(warp)[0] == pytest.approx(19, abs=1e-4)


def test_where_it_would_not_move_the_direction_is_rolled_again(warp: Game) -> None:
    play(warp, "kal placed 12,12")
    x = 14 - R32
    told = play(warp, f"kal teleport {x},12", 2, 1, EAST, NORTH)
    assert "rolled again" in " ".join(one["text"] for one in told)
    assert at(warp) == pytest.approx([x, 14, 0], abs=1e-3)


def test_with_no_place_at_all_it_is_lost(tmp_path: Path) -> None:
    walls = "".join(
        f"  - {{box: [{w}, {d}, 4], at: [{x}, {y}], kind: structure}}\n"
        for w, d, x, y in ((8, 3, 12, 14.16), (8, 3, 12, 9.84), (3, 8, 14.16, 12), (3, 8, 9.84, 12))
    )
    text = WARP.replace("terrain:\n", "terrain:\n" + walls).replace("at: [16, 12]", "at: [24, 6]")
    game = Game(table(tmp_path, text))
    told = play(game, "kal teleport 12,12,0", 1, 1, EAST)
    assert told[-1]["rule"] == "warp_lost"
    assert game.state["models"]["kal"]["out"]


def test_it_scatters_level_and_in_open_air_it_falls(warp: Game) -> None:
    told = play(warp, "kal teleport 8,18,3", 4, 1, EAST)
    assert at(warp) == pytest.approx([12, 18, 0], abs=0.05)
    assert next(one for one in told if one["what"] == "fall")["measured"]["value"] == pytest.approx(
        3, abs=0.01
    )
    assert warp.state["models"]["kal"]["statuses"] == ["prone-pinned"]


def test_in_contact_it_engages_without_having_charged(warp: Game) -> None:
    told = play(warp, f"kal teleport 24,{20 - 2 * R32 - 3}", 3, 1, NORTH)
    assert "without having charged" in " ".join(one["text"] for one in told)
    assert warp.table.field(warp.state).fighter("kal").engaged_with == ("rax",)
    assert not any("fight one of them" in one["text"] for one in warp.state["open"])


# -- moves that skills give ------------------------------------------------------------------------------------

SKILLS = """
name: Skills
rules: necromunda-2017
board: {size: [30, 24]}
terrain:
  - {id: wall, box: [1, 10, 3], at: [20, 12], kind: wall}
ductways:
  - {id: duct, from: [19.5, 12, 0], to: [20.5, 12, 0]}
fighters:
  - {id: kal, side: red, at: [6, 12], skills: [hit-and-run], profile: {M: 5, S: 3}}
  - {id: hip, side: red, at: [6, 20], skills: [hip-shooting], profile: {M: 5, S: 3}}
  - {id: rat, side: red, at: [17, 12], skills: [tunnel-rat], profile: {M: 5, S: 3}}
  - {id: fwd, side: red, at: [4, 4], skills: [forward-advance], profile: {M: 5, S: 3}}
  - {id: rax, side: blue, at: [10, 12], profile: {I: 4}}
"""


@pytest.fixture(scope="module")
def skills(tmp_path_factory: pytest.TempPathFactory) -> Table:
    return table(tmp_path_factory.mktemp("skills"), SKILLS)


def test_hit_and_run_disengages_for_free_after_the_attacks(skills: Table) -> None:
    game = Game(skills)
    assert whats(play(game, "kal hit-and-run 4,12")) == ["refused"]
    play(game, "kal charge rax 8.7,12")
    assert game.state["spent"] == 2
    assert whats(play(game, "kal hit-and-run 4,12")) == ["refused"]  # engaged still
    x = 10 - 2 * R32 - 1.0
    told = play(game, f"kal disengage {x},12", 3)  # free; rax checks and fails, and does not strike
    assert "acts" in whats(told)
    assert "skill.hit-and-run" in rules(told)
    assert game.state["spent"] == 2
    told = play(game, "kal hit-and-run 4,12")
    assert "skill.hit-and-run" in rules(told)
    assert at(game)[0] == pytest.approx(4)
    assert whats(play(game, "kal hit-and-run 3,12")) == ["refused"]


def test_hit_and_run_keeps_the_inch_when_it_moves_off(skills: Table) -> None:
    game = Game(skills)
    play(game, "kal charge rax 8.7,12")
    told = play(game, f"kal disengage {10 - 2 * R32 - 1.0},12", 4)
    assert any("strikes at kal once" in one["text"] for one in told)
    told = play(game, "kal hit-and-run 8.2,12")
    assert whats(told) == ["refused"]
    assert rules(told) == {"keep_distance"}
    game.undo()
    play(game, f"kal disengage {10 - 2 * R32 - 1.0},12", *())
    play(game, "kal is pinned")
    assert whats(play(game, "kal hit-and-run 4,12")) == ["refused"]  # not Active any more


def test_hip_shooting_moves_once_beside_the_shot(skills: Table) -> None:
    game = Game(skills)
    told = play(game, "hip hip-shooting 10,20")
    assert "skill.hip-shooting" in rules(told)
    assert game.state["spent"] == 0
    assert any("not unwieldy" in one["text"] for one in game.state["open"])
    assert whats(play(game, "hip hip-shooting 6,20")) == ["refused"]


def test_forward_advance_rolls_its_distance(skills: Table) -> None:
    game = Game(skills)
    told = play(game, "fwd forward-advance 11,4", 1)
    assert at(game, "fwd")[0] == pytest.approx(10, abs=0.05)
    assert "skill.forward-advance" in rules(told)
    game.undo()
    game._kept.clear()
    play(game, "fwd forward-advance 11,4", 2)
    assert at(game, "fwd")[0] == pytest.approx(11, abs=0.05)


def test_a_rocket_that_lands_badly_pins_where_it_lands(tmp_path: Path) -> None:
    text = SKILLS.replace("skills: [hit-and-run]", "gear: [rocket-pack]").replace(
        "terrain:", "terrain:\n  - {id: bar, box: [1, 20, 2], at: [8, 12], kind: structure}"
    )
    for roll, status in ((4, "standing"), (3, "prone-pinned")):
        game = Game(table(tmp_path, text))
        play(game, "kal double-move 10,16", roll)
        assert at(game)[:2] == pytest.approx([10, 16], abs=0.01)
        assert game.state["models"]["kal"]["statuses"] == [status]


def test_consolidating_through_a_ductway_whose_mouth_it_reaches(skills: Table) -> None:
    game = Game(skills)
    told = play(game, "rat consolidates 2 to 21.5,12 through duct")
    assert "skill.tunnel-rat" in rules(told)
    assert at(game, "rat")[0] == pytest.approx(21.5)
    game.undo()
    assert whats(play(game, "rat consolidates 2 to 23.5,12 through duct")) == ["refused"]
    play(game, "rat placed 14,12")
    assert whats(play(game, "rat consolidates 2 to 21.5,12 through duct")) == ["refused"]
    play(game, "kal placed 17,12")
    assert whats(play(game, "kal consolidates 2 to 21.5,12 through duct")) == ["refused"]  # no tunnel rat


def test_consolidating_may_come_near_enemies(skills: Table) -> None:
    game = Game(skills)
    play(game, "kal placed 7.2,12")
    told = play(game, "kal consolidates 2 to 8.5,12")
    assert "engaged" in whats(told)
