"""Terrain that changes: doors, pieces that are taken away, things that lie on them, platforms that are flown."""

from __future__ import annotations

from pathlib import Path

import pytest

from play.games import play, rules, table, whats
from sandbox.play import Game, Table

CUTTER = """
name: Cutter
rules: necromunda-2017
board: {size: [30, 24]}
terrain:
  - {id: plate, cylinder: [1.2, 0.4], at: [6, 12], kind: structure}
  - {id: wall, box: [0.5, 8, 3], at: [10, 12], kind: wall}
  - {id: pit, box: [3, 8, 2], at: [14, 12], kind: impassable}
  - {id: deck, box: [6, 6, 3], at: [22, 12], kind: structure}
areas:
  - {kind: difficult, polygon: [[6, 2], [12, 2], [12, 6], [6, 6]]}
fighters:
  - {id: kal, side: red, at: [6, 12, 0.4], gear: [grav-cutter], profile: {M: 5, I: 4}}
  - {id: ann, side: red, base: 25, at: [3, 12], profile: {M: 5}}
  - {id: rax, side: blue, at: [3, 20], gear: [grav-cutter], profile: {M: 5}}
"""
R32 = 16 / 25.4


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Table:
    return table(tmp_path_factory.mktemp("cutter"), CUTTER)


@pytest.fixture
def game(board: Table) -> Game:
    new = Game(board, board.begin(declare=False))
    play(new, "agree cutter red plate")
    return new


def at(game: Game, who: str = "kal") -> list[float]:
    return game.state["models"][who]["at"]


def test_anybody_steps_on_and_off_it_like_terrain(game: Game) -> None:
    play(game, "kal move 6,16 afoot")
    assert at(game) == pytest.approx([6, 16, 0], abs=0.01)
    assert game.state["pieces"]["plate"]["at"] == [6, 12, 0]  # nobody on it: it stays, as terrain
    play(game, "end")
    play(game, "ann move 6,12,0.4")
    assert at(game, "ann")[2] == pytest.approx(0.4)


def test_it_carries_one_fighter(game: Game) -> None:
    play(game, "kal placed 6.55,12,0.4")
    told = play(game, "ann move 5.3,12,0.4")
    assert whats(told) == ["refused"]
    assert rules(told) == {"gear.grav-cutter"}
    play(game, "kal placed 12,20")
    assert "acts" in whats(play(game, "ann move 6,12,0.4"))


def test_only_who_has_one_flies_those_of_its_gang(game: Game) -> None:
    """Kal flies it an inch farther than he walks; Ann has none of her own, Rax is of another gang."""
    told = play(game, "kal move 6,18")
    assert "gear.grav-cutter" in rules(told)
    assert next(one for one in told if one["what"] == "acts")["measured"]["limit"] == 6.0
    assert game.state["pieces"]["plate"]["at"] == pytest.approx([6, 18, 0], abs=0.001)
    assert at(game) == pytest.approx([6, 18, 0.4], abs=0.001)
    for who in ("ann", "rax"):
        play(game, "turn")
        play(game, "kal placed 27,20")
        play(game, f"{who} placed 6,18,0.4")
        told = play(game, f"{who} move 6,14")
        assert game.state["pieces"]["plate"]["at"][1] == pytest.approx(18, abs=0.001)
        assert next(one for one in told if one["what"] == "acts")["measured"]["limit"] == 5.0
        play(game, f"{who} placed 3,{3 if who == 'ann' else 20}")


def test_it_flies_over_gaps_obstacles_and_difficult_ground_without_a_check(game: Game) -> None:
    told = play(game, "kal double-move 13,4,0")  # around no wall, over difficult ground: no roll, no extra
    acts = next(one for one in told if one["what"] == "acts")
    assert acts["measured"]["value"] == pytest.approx((49 + 64) ** 0.5, abs=0.15)
    assert not any(one["what"] == "rolled" for one in told)


def test_it_goes_over_but_not_through_and_ends_flat(game: Game) -> None:
    told = play(game, "kal double-move 14,12,0")  # inside what is impassable
    assert whats(told) == ["refused"]
    told = play(game, "kal double-move 10.2,12,0")  # its base would be in the wall
    assert whats(told) == ["refused"]
    told = play(game, "kal double-move 17.4,12,0")  # over the impassable block and the wall
    assert "acts" in whats(told)
    assert game.state["pieces"]["plate"]["at"][0] == pytest.approx(17.4, abs=0.001)


def test_going_down_on_it_may_be_falling_off(tmp_path: Path) -> None:
    high = CUTTER.replace("at: [6, 12], kind: structure", "at: [6, 12, 3], kind: structure").replace(
        "12, 0.4]", "12, 3.4]"
    )
    game = Game(table(tmp_path, high))
    play(game, "agree cutter red plate")
    play(game, "kal placed 6.3,12,3.4")
    told = play(game, "kal is pinned", 2)
    fall = next(one for one in told if one["what"] == "fall")
    assert fall["measured"]["value"] == pytest.approx(3.4, abs=0.01)
    assert game.state["pieces"]["plate"]["at"] == [6, 12, 3]
    assert whats(play(game, "kal move 6,16")) == ["refused"]


# -- doors and other pieces ------------------------------------------------------------------------------------

DOOR = """
name: Door
rules: %s
board: {size: [24, 24], zone_mortalis: true}
terrain:
  - {id: north, box: [0.4, 10, 2.4], at: [12, 18], kind: wall}
  - {id: south, box: [0.4, 10, 2.4], at: [12, 6], kind: wall}
  - {id: door, box: [0.3, 2, 2.4], at: [12, 12], turn: 0, kind: door-closed}
fighters:
  - {id: kal, side: red, at: [10.5, 12], profile: {M: 5}}
  - {id: rax, side: blue, at: [18, 12], profile: {M: 5}}
"""


def test_a_door_is_opened_gone_through_and_closed(tmp_path: Path) -> None:
    game = Game(table(tmp_path, DOOR % "necromunda-2023"), None)
    play(game, "declare off")
    assert whats(play(game, "kal move 13,15")) == ["refused"]
    told = play(game, "kal operate-door door")
    assert "door" in whats(told)
    assert "kind.door-open" in rules(told)
    assert game.state["pieces"]["door"]["kind"] == "door-open"
    assert "acts" in whats(play(game, "kal move 12.9,12.8"))
    play(game, "turn")
    told = play(game, "kal operate-door door")
    assert game.state["pieces"]["door"]["kind"] == "door-closed"
    assert whats(play(game, "kal move 10.5,12")) == ["refused"]
    assert len(game.replayed()["pieces"]) == 3


def test_a_door_cuts_measuring_when_it_is_closed(tmp_path: Path) -> None:
    text = (
        (DOOR % "necromunda-2017")
        .replace("at: [18, 12]", "at: [13.1, 12]")
        .replace("at: [10.5, 12]", "at: [11.1, 12]")
    )
    game = Game(table(tmp_path, text))
    assert game.table.field(game.state).fighter("kal").engaged_with == ()
    told = play(game, "kal operate-door door")
    assert "engaged" in whats(told)


def test_what_is_taken_off_the_board_is_walked_through_and_comes_back_by_undo(tmp_path: Path) -> None:
    game = Game(table(tmp_path, DOOR % "necromunda-2023"))
    play(game, "declare off")
    play(game, "remove door")
    assert "acts" in whats(play(game, "kal move 12.9,12.8"))
    game.undo()
    game.undo()
    assert whats(play(game, "kal move 12.9,12.8")) == ["refused"]
    play(game, "shift door 12,8")
    assert game.state["pieces"]["door"]["at"] == [12, 8, 0]
    play(game, "restore door")
    assert game.state["pieces"]["door"]["at"] == [12, 12, 0]


def test_only_what_changed_is_built_again(tmp_path: Path) -> None:
    """A board that was there before is there again at once; nothing is worked out twice for it."""
    board = table(tmp_path, DOOR % "necromunda-2023")
    game = Game(board)
    closed = board.field(game.state)
    play(game, "kal operate-door door")
    opened = board.field(game.state)
    assert opened.ground is not closed.ground
    assert opened.terrain.digest != closed.terrain.digest
    game.undo()
    play(game, "kal faces 90")
    assert board.field(game.state).ground is closed.ground


def test_things_go_with_who_holds_them(tmp_path: Path) -> None:
    text = DOOR % "blightmeer" + "items:\n  - {id: gold, at: [10.5, 13.2]}\n"
    game = Game(table(tmp_path, text.replace("M: 5", "M: 6")))
    told = play(game, "kal takes gold")
    assert "gear.treasure" in rules(told)
    one = game.table.field(game.state).fighter("kal")
    assert "slowed" in one.rules.statuses
    told = play(game, "kal move 8,12")
    assert game.state["items"]["gold"]["at"] == at(game, "kal")
    assert next(o for o in told if o["what"] == "acts")["measured"]["limit"] == 3.0
    play(game, "turn")
    assert "slowed" in game.table.field(game.state).fighter("kal").rules.statuses
    play(game, "kal drops gold")
    assert "slowed" not in game.table.field(game.state).fighter("kal").rules.statuses
    assert whats(play(game, "rax takes gold")) == ["refused"]
