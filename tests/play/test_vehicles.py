"""Vehicles: ground, turns, what they break, who rides on them, loads, falls, wrecks."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from play.games import play, rules, table, whats
from sandbox.errors import UserError
from sandbox.moves import driving
from sandbox.play import Game, Table

R32 = 16 / 25.4
BOARD = """
name: Wastes
rules: necromunda-2023
board: {size: [48, 36]}
terrain:
  - {id: rig, box: [4, 2.4, 1.5], at: [6, 6], kind: vehicle}
  - {id: barrel, box: [1, 1, 1], at: [14, 6]}
  - {id: hut, box: [4, 4, 3], at: [24, 6], kind: structure}
  - {id: cliff, box: [12, 8, 4], at: [12, 30], kind: structure}
areas:
  - {kind: difficult, polygon: [[10, 16], [16, 16], [16, 24], [10, 24]]}
  - {kind: dangerous, polygon: [[24, 16], [28, 16], [28, 24], [24, 24]]}
items:
  - {id: loot, at: [4.6, 6.6, 1.5]}
  - {id: crate, at: [7.4, 5.4, 1.5]}
fighters:
  - {id: rig, side: red, at: [6, 6], base: [100, 60], facing: 0, height: 1.5, status: mobile, profile: {M: 8, Hnd: 7}, tags: [vehicle, wheeled]}
  - {id: trak, side: red, at: [6, 20], base: [60, 50], facing: 0, height: 1.5, status: mobile, profile: {M: 8, Hnd: 7}, tags: [vehicle, tracked]}
  - {id: skim, side: red, at: [6, 24], base: [60, 50], facing: 0, height: 1.5, status: mobile, profile: {M: 8, Hnd: 7}, tags: [vehicle, skimmer]}
  - {id: kal, side: red, at: [4.9, 5.6, 1.5], profile: {M: 3, I: 4}}
  - {id: ann, side: red, at: [7.2, 6.4, 1.5], profile: {I: 4}}
  - {id: rax, side: blue, at: [40, 30], profile: {I: 4}}
"""


@pytest.fixture(scope="module")
def wastes(tmp_path_factory: pytest.TempPathFactory) -> Table:
    return table(tmp_path_factory.mktemp("wastes"), BOARD)


def at(game: Game, who: str) -> list[float]:
    return game.state["models"][who]["at"]


def test_everybody_outside_transport_spaces_tests_or_falls(wastes: Table) -> None:
    game = Game(wastes)
    play(game, "agree transport ann loot crate")
    told = play(game, "rig drives 9,6", 4)
    assert [o["who"] for o in told if o["what"] == "rolled"] == ["kal"]
    assert "riders" in rules(told)
    for who, x in (("rig", 9.0), ("kal", 7.9), ("ann", 10.2)):
        assert at(game, who)[0] == pytest.approx(x, abs=1e-3)
    assert game.state["pieces"]["rig"]["at"][0] == pytest.approx(9, abs=1e-3)
    assert game.state["items"]["loot"]["at"][0] == pytest.approx(7.6, abs=1e-3)


def test_who_falls_is_placed_an_inch_away_by_scatter_when_it_has_finished(wastes: Table) -> None:
    game = Game(wastes)
    play(game, "agree transport ann loot crate")
    told = play(game, "rig drives 9,6", 3, 90)
    assert at(game, "kal") == pytest.approx([9, 6 + 30 / 25.4 + 1 + R32, 0], abs=0.02)
    assert game.state["models"]["kal"]["statuses"] == ["prone-pinned"]
    order = [o["what"] for o in told]
    assert order.index("acts") < order.index("falls-off") < order.index("fall")


def test_riders_test_once_in_an_activation_and_again_after_a_collision(wastes: Table) -> None:
    game = Game(wastes)
    play(game, "agree transport ann loot crate")
    play(game, "rig drives 8,6", 4)
    told = play(game, "rig drives 9,6")
    assert not any(o["what"] == "rolled" for o in told)
    told = play(game, "rig shoved 1 towards 90", 5)
    assert at(game, "rig")[1] == pytest.approx(7, abs=1e-3)
    assert game.state["models"]["rig"]["facing"] == 0.0
    assert "riders" in rules(told)
    play(game, "turn")
    play(game, "rig drives 10,7", 4)


def test_a_rider_that_falls_is_shifted_from_what_is_impassable_and_tests_at_edges(tmp_path: Path) -> None:
    text = BOARD.replace("areas:", "  - {id: rock, box: [3, 3, 5], at: [9, 9.6], kind: impassable}\nareas:")
    game = Game(table(tmp_path, text))
    play(game, "agree transport ann loot crate")
    told = play(game, "rig drives 9,6", 3, 90)
    assert any(one["text"] == "is shifted to where it can be" for one in told)
    x, y, _ = at(game, "kal")
    outside = max(abs(x - 9) - 1.5, abs(y - 9.6) - 1.5)
    assert outside >= R32 - 0.05
    # on a table's height of cliffs: it lands next to an edge, and tests again
    text = BOARD.replace("at: [6, 6], kind: vehicle", "at: [12, 30, 4], kind: vehicle").replace(
        "id: rig, side: red, at: [6, 6]", "id: rig, side: red, at: [12, 30, 4]"
    )
    text = text.replace("[4.9, 5.6, 1.5]", "[11, 30, 5.5]").replace("[12, 30, 4]", "[12, 30.4, 4]")
    game = Game(table(tmp_path, text))
    play(game, "agree transport ann loot crate")
    told = play(game, "rig drives 12.5,30.4", 3, 90, 4)
    assert "fall_again" in rules(told)
    assert at(game, "kal")[2] == 4.0


def test_loads_fall_off_unless_held_by_somebody_who_passes(wastes: Table) -> None:
    """Kal touches nothing here; ann stands by the crate: it stays when she does, and goes when she does not."""
    game = Game(wastes)
    play(game, "ann placed 7.2,6.2,1.5")
    play(game, "kal placed 5.2,5.5,1.5")
    gap = math.dist((7.2, 6.2), (7.4, 5.4)) - R32 - 10 / 25.4
    assert gap < 0.02
    told = play(game, "rig drives 9,6", 4, 4, 180)
    assert {"loot"} <= rules(told)
    assert game.state["items"]["crate"]["at"][2] == 1.5
    assert game.state["items"]["loot"]["at"][2] == 0.0
    game.undo()
    game._kept.clear()
    play(game, "rig drives 9,6", 4, 3, 90, 180, 270)
    assert game.state["items"]["crate"]["at"][2] == 0.0


def test_obstacles_are_crossed_and_destroyed(wastes: Table) -> None:
    game = Game(wastes)
    play(game, "agree transport ann kal loot crate")
    play(game, "rig drives 9,6")
    told = play(game, "rig drives 17,6")
    assert "destroyed" in whats(told)
    assert "barrel" not in game.state["pieces"]
    assert at(game, "rig")[0] == pytest.approx(17, abs=0.01)
    assert "vehicles_break" in rules(told)
    play(game, "turn")
    play(game, "rax placed 12,6")
    assert "acts" in whats(play(game, "rax move 14,6"))  # nothing is there any more


def test_flimsy_structures_are_destroyed_and_sturdy_ones_stop_it(wastes: Table) -> None:
    game = Game(wastes)
    play(game, "agree transport ann kal loot crate")
    play(game, "rig placed 18,6")
    told = play(game, "rig drives 26,6")
    assert at(game, "rig")[0] == pytest.approx(22 - 50 / 25.4, abs=0.05)
    assert any("runs into hut" in o["text"] for o in told)
    game.undo()
    play(game, "agree flimsy hut")
    told = play(game, "rig drives 26,6")
    assert "hut" not in game.state["pieces"]
    assert at(game, "rig")[0] == pytest.approx(26, abs=0.01)
    assert any("flimsy" in o["text"] for o in told)


def test_wheels_pay_on_difficult_ground_and_tracks_and_skimmers_do_not(wastes: Table) -> None:
    for who, y, x in (("rig", 20, 10.0), ("trak", 20, 14.0), ("skim", 20, 14.0)):
        game = Game(wastes)
        play(game, "trak placed 30,30")
        play(game, f"{who} placed 6,{y}")
        play(game, f"{who} drives 14,20")
        want = 12.0 if who == "rig" else x
        assert at(game, who)[0] == pytest.approx(want, abs=0.06), who


def test_dangerous_ground_is_a_handling_test_and_skimmers_test_where_they_end(wastes: Table) -> None:
    game = Game(wastes)
    play(game, "trak placed 22,20")
    told = play(game, "trak drives 26,20", 6)
    assert "dangerous_vehicle_fail" in rules(told)
    assert any("Catastrophic hit to its Drive" in one["text"] for one in game.state["open"])
    game = Game(wastes)
    play(game, "skim placed 22,20")
    told = play(game, "skim drives 26,20")
    assert not any(o["what"] == "rolled" for o in told)
    told = play(game, "end", 6)
    assert "tag.skimmer" in rules(told)
    assert any("Catastrophic" in one["text"] for one in game.state["open"])


def test_turns_are_counted_and_limited(wastes: Table) -> None:
    game = Game(wastes)
    told = play(game, "trak drives 9,20 9,17 12,17")
    assert "facing" in rules(told)
    assert game.state["models"]["trak"]["facing"] == pytest.approx(0.0, abs=0.01)
    play(game, "turn")
    assert rules(play(game, "trak drives 15,17 15,14 18,14 18,11")) == {"vehicle_turns"}
    assert rules(play(game, "trak drives 10,17.1")) == {"vehicle_turn"}
    with pytest.raises(UserError, match="no vehicle"):
        play(game, "rax drives 30,30")


def test_off_a_height_it_falls(wastes: Table) -> None:
    game = Game(wastes)
    play(game, "trak placed 16,30,4")
    told = play(game, "trak drives 24,30")
    assert at(game, "trak")[2] == 0.0
    assert "vehicle_falls" in rules(told)
    assert any("tests for control of the vehicle at -2" in one["text"] for one in game.state["open"])
    hit = next(o for o in told if o["what"] == "hit")
    assert hit["hit"]["strength"] == 3
    # rammed off it falls as well
    game = Game(wastes)
    play(game, "trak placed 16,30,4")
    told = play(game, "trak shoved 6 towards 0")
    assert "vehicle_falls" in rules(told)


def test_fighters_climb_on_and_jump_off(wastes: Table) -> None:
    """Getting off a vehicle is a jump down too, with its test."""
    game = Game(wastes, wastes.begin(declare=False))
    told = play(game, "kal move 5.4,3.6,0", 4)
    assert "jump_check" in rules(told)
    assert at(game, "kal")[2] == 0.0
    play(game, "turn")
    play(game, f"rax placed 7,{6 - 1.2 - R32}")
    play(game, "ann placed 30,30")
    told = play(game, "rax move 7,5.7,1.5")
    assert "climb_cost" in rules(told)
    assert at(game, "rax")[2] == 1.5


def test_a_vehicle_may_be_engaged_by_choice_though_it_is_terrain(wastes: Table) -> None:
    game = Game(wastes)
    play(game, f"rax placed 6,{6 + 30 / 25.4 + R32 + 0.5}")
    assert game.table.choices(game.state)["rax"] == ("rig",)
    play(game, "rax placed 12,12")
    assert "rax" not in game.table.choices(game.state)


def test_a_wreck_is_terrain_from_then_on(wastes: Table) -> None:
    game = Game(wastes, wastes.begin(declare=False))
    told = play(game, "trak is wrecked")
    assert "status.wrecked" in rules(told)
    assert "trak" in game.state["pieces"]
    assert whats(play(game, "trak drives 9,20")) == ["refused"]
    play(game, "rax placed 6,18.35")
    told = play(game, "rax move 6,19.7,1.5")
    assert at(game, "rax")[2] == 1.5
    assert "climb_cost" in rules(told)
    assert game.table.field(game.state).status("rax").engaged == ()


def test_difficult_ground_is_paid_from_where_it_begins_to_where_it_ends(tmp_path: Path) -> None:
    """A strip of 1.60 inches, its borders off any stride, costs just as much more, however it is driven over."""
    strip = "areas: [{kind: difficult, polygon: [[8.013, 0], [9.613, 0], [9.613, 24], [8.013, 24]]}]"
    car = "{id: car, base: [60, 50], at: [5, 12], status: mobile, profile: {M: 8, Hnd: 7}, tags: [vehicle]}"
    board = f"name: Strip\nrules: necromunda-2023\nboard: {{size: [24, 24]}}\n{strip}\nfighters: [{car}]\n"
    field = table(tmp_path, board).first
    one = field.fighter("car")
    over = driving.stretch(field, one, (11.0, 12.0), 20.0)
    assert over.cost == pytest.approx(6.0 + 1.6, abs=1e-3)
    assert over.difficult == pytest.approx(1.6, abs=1e-3)
    short = driving.stretch(field, one, (11.0, 12.0), 5.0)
    assert short.gone == pytest.approx(3.013 + (5.0 - 3.013) / 2, abs=1e-3)
    assert short.cost == 5.0
