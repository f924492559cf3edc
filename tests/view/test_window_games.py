"""Games in the window, without a display: dice that are seen before they count, files, turns, orders as lines."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from panda3d import core

from sandbox.cli import program
from sandbox.errors import UserError
from sandbox.play import Game
from sandbox.view.window.orders import act
from sandbox.view.window.player import Player
from sandbox.view.window.referee import Referee
from sandbox.view.window.state import Playing
from sandbox.view.window.talk import Board, Played, Question, Rules

SCENE = """
name: Deck
board: {size: [16, 16]}
terrain:
  - {id: deck, box: [6, 6, 3], at: [8, 8]}
  - {id: gate, box: [3, 0.3, 2], at: [2, 8], kind: door-closed}
items:
  - {id: chest, at: [4, 3]}
fighters:
  - {id: kal, side: red, at: [8, 10.2, 3], profile: {M: 5, I: 4}}
  - {id: juno, side: red, at: [2, 7], profile: {M: 5, I: 4}}
  - {id: rax, side: blue, at: [14, 14], profile: {M: 5, I: 4}}
"""
DOWN = (8.0, 12.5, 0.0)
"""below the deck's northern edge: a jump down of 3", which needs 5 and more."""


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    path = tmp_path / "deck.yaml"
    path.write_text(SCENE)
    return path


@pytest.fixture
def referee(scene: Path) -> Referee:
    desk = Referee()
    desk.load(scene, Rules(), 1)
    return desk


def at(board: Board, who: str) -> tuple[float, float, float]:
    return next(f.at for f in board.fighters if f.name == who)


def done(referee: Referee, what: dict[str, Any] | str, *faces: int) -> Played:
    """An order with all its dice."""
    played = referee.keeper.order(what, faces, False, 9)
    assert played.needs is None, played.needs
    return played


def test_a_die_is_seen_before_it_counts(referee: Referee, tmp_path: Path) -> None:
    keeper = referee.keeper
    keeper.begin(tmp_path / "a.game", True, None, 2)
    before = (tmp_path / "a.game").read_bytes()
    jump = act("kal", "move", DOWN)
    first = keeper.order(jump, (), False, 3)
    assert first.needs is not None and first.board is None
    assert (first.needs.low, first.needs.high) == (1, 6)
    assert first.needs.chance == pytest.approx(1 / 3)
    assert any("falls 3.00" in words for _, words in first.needs.outcomes)
    # Nothing has happened, on the disk neither.
    assert (tmp_path / "a.game").read_bytes() == before
    with pytest.raises(UserError, match="1 to 6"):
        keeper.order(jump, (7,), False, 3)
    passed = keeper.order(jump, (5,), False, 3)
    assert passed.needs is None and passed.board is not None and passed.reached
    assert at(passed.board, "kal") == pytest.approx(DOWN)
    assert passed.dice[0].face == 5 and passed.dice[0].good
    assert passed.acts[0].who == "kal" and not passed.acts[0].falls
    assert passed.acts[0].path[-1] == pytest.approx(DOWN, abs=0.01)


def test_who_falls_is_seen_to_fall_from_where_it_went(referee: Referee, tmp_path: Path) -> None:
    referee.keeper.begin(tmp_path / "a.game", True, None, 2)
    played = done(referee, act("kal", "move", DOWN), 1)
    kal = next(one for one in played.acts if one.who == "kal")
    ((start, end),) = kal.falls
    assert start[2] == pytest.approx(3.0, abs=0.05) and end[2] == pytest.approx(0.0, abs=0.05)
    assert np.linalg.norm(kal.path[-1] - np.array(start)) < 0.05
    assert played.board is not None and played.board.game is not None
    assert at(played.board, "kal") == pytest.approx(end, abs=1e-4)
    assert [text for _, text in played.board.game.open] == ["Kal takes a hit S3 AP- D1"]
    assert played.board.statuses["kal"][0] == "prone-pinned"


def test_a_roll_is_one_that_the_dice_can_show(referee: Referee, tmp_path: Path) -> None:
    referee.keeper.begin(tmp_path / "a.game", True, None, 2)
    played = referee.keeper.order(act("kal", "move", DOWN), (), True, 3)
    assert len(played.faces) == 1 and 1 <= played.faces[0] <= 6


def test_the_terminal_goes_on_with_the_game_of_the_window_and_back(referee: Referee, tmp_path: Path) -> None:
    file = tmp_path / "a.game"
    referee.keeper.begin(file, True, None, 2)
    done(referee, act("kal", "move", DOWN), 5)
    done(referee, "end")
    game = Game.opened(file)
    assert game.state["models"]["kal"]["at"][:2] == [8.0, 12.5] and game.state["active"] is None
    game.replayed()
    # A line that was not finished when somebody pulled the plug is no order.
    with file.open("ab") as stream:
        stream.write(b'{"order": {"do": "tu')
    board = Referee().load(file, Rules(), 4)
    assert board.game is not None and board.game.activated == ("kal",)
    assert at(board, "kal")[:2] == pytest.approx((8.0, 12.5))
    assert len(board.game.log) == 2


def test_taking_back_keeps_the_dice(referee: Referee, tmp_path: Path) -> None:
    referee.keeper.begin(tmp_path / "a.game", True, None, 2)
    done(referee, act("kal", "move", DOWN), 1)
    board = referee.keeper.undo(5)
    assert at(board, "kal")[2] == pytest.approx(3.0, abs=0.01) and board.game is not None and board.game.redo
    again = referee.keeper.order(act("kal", "move", DOWN), (), False, 6)
    assert again.needs is None and "The dice stay as they fell: 1" in again.words[0]


def test_turns_are_kept_and_refusals_told(referee: Referee, tmp_path: Path) -> None:
    board = referee.keeper.begin(tmp_path / "a.game", True, None, 2)
    assert board.game is not None and board.game.declare and board.game.left == 2
    done(referee, act("juno", "move", (3.0, 5.0, 0.0)))
    other = done(referee, act("kal", "move", DOWN))
    assert other.board is None and "Juno" in other.refused[0]
    turn = done(referee, {"do": "turn"})
    assert turn.board is not None and turn.board.game is not None and turn.board.game.turn == 2


def test_doors_things_and_pushes_are_ordered(referee: Referee, tmp_path: Path) -> None:
    board = referee.keeper.begin(tmp_path / "a.game", False, False, 2)
    assert [(item.name, item.holder) for item in board.items] == [("chest", "")]
    done(referee, {"do": "place", "who": "juno", "to": [2.0, 7.0]})
    opened = done(referee, act("juno", "operate-door", None, "gate"))
    assert opened.board is not None
    gate = next(piece for piece in opened.board.scene.terrain if piece.id == "gate")
    assert gate.kind.value == "door-open"
    done(referee, "juno placed 3.2,3")
    taken = done(referee, "juno takes chest")
    assert taken.board is not None and taken.board.items[0].holder == "juno"
    pushed = done(referee, {"do": "push", "who": "rax", "how": "knockback", "by": "juno", "inches": 1.0})
    assert pushed.board is not None and pushed.acts[0].who == "rax"
    assert at(pushed.board, "rax")[0] > 14.5
    with pytest.raises(UserError, match="no action"):
        referee.keeper.order("juno jumps", (), False, 3)


def test_outside_of_games_an_order_changes_the_scene_only(referee: Referee) -> None:
    played = done(referee, act("juno", "move", (3.0, 5.0, 0.0)))
    assert played.board is None and played.stepped is not None
    assert played.stepped.models["juno"]["at"] == [3.0, 5.0, 0.0]
    assert at(referee.show(referee.field.scene, Rules(), 4), "juno")[:2] == (2.0, 7.0)


def test_a_game_never_takes_the_place_of_a_file(referee: Referee, tmp_path: Path) -> None:
    file = tmp_path / "a.game"
    file.write_text("mine")
    with pytest.raises(UserError, match="there already"):
        referee.keeper.begin(file, True, None, 2)
    assert file.read_text() == "mine" and referee.keeper.game is None
    referee.keeper.begin(tmp_path / "b.game", True, None, 2)
    referee.show(referee.field.scene, Rules(), 3)
    assert referee.keeper.game is None, "a scene that is shown ends the game, its file stays"


@pytest.mark.parametrize(
    "file", ["file/a.game", "file/deeper/a.game", "x" * 300 + ".game", "y" * 300 + "/a.game"]
)
def test_a_game_that_cannot_be_kept_says_so_in_a_line(referee: Referee, tmp_path: Path, file: str) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(UserError, match="cannot be written") as told:
        referee.keeper.begin(tmp_path / file, True, None, 2)
    assert "\n" not in str(told.value) and referee.keeper.game is None


def test_the_folder_of_a_game_is_made(referee: Referee, tmp_path: Path) -> None:
    referee.keeper.begin(tmp_path / "new" / "games" / "a.game", True, None, 2)
    assert Game.opened(tmp_path / "new" / "games" / "a.game").past == []


def test_reach_in_a_game_is_that_of_its_state(referee: Referee, tmp_path: Path) -> None:
    referee.keeper.begin(tmp_path / "a.game", False, False, 2)
    done(referee, "juno placed 13,3")
    reach = referee.reach(Question(9, "juno", "move"))
    assert abs(reach.spots[:, 0].mean() - 13.0) < 1.5


def test_a_game_file_is_shown_like_a_scene(
    referee: Referee, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.game"
    referee.keeper.begin(file, False, False, 2)
    done(referee, "juno placed 13,3")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    answer = CliRunner().invoke(program, ["view", str(file)])
    assert "no display" in str(answer.output) + str(answer.exception)
    picture = tmp_path / "a.png"
    drawn = CliRunner().invoke(program, ["view", str(file), "--image", str(picture), "--size", "300x200"])
    assert drawn.exit_code == 0 and picture.stat().st_size > 1000


def test_words_are_offered_while_a_line_is_typed(referee: Referee, tmp_path: Path) -> None:
    referee.keeper.begin(tmp_path / "a.game", True, None, 2)
    assert ("kal", "red") in referee.keeper.words("k")
    assert "operate-door" in [word for word, _ in referee.keeper.words("juno op")]


ROAD = """
name: Road
board: {size: [30, 20]}
terrain:
  - {id: rig, box: [4, 2.4, 1.5], at: [6, 6], kind: vehicle}
fighters:
  - {id: rig, side: red, at: [6, 6], base: [100, 60], height: 1.5, status: mobile, profile: {M: 8, Hnd: 7}, tags: [vehicle, wheeled]}
  - {id: bel, side: red, at: [5, 6, 1.5], profile: {I: 4}}
items:
  - {id: crate, at: [6.02, 6, 1.5]}
  - {id: barrel, at: [20, 6, 0]}
"""


def test_what_is_held_goes_with_who_holds_it(tmp_path: Path) -> None:
    path = tmp_path / "road.yaml"
    path.write_text(ROAD)
    desk = Referee()
    desk.load(path, Rules(), 1)
    desk.keeper.begin(tmp_path / "road.game", True, False, 2)
    done(desk, "bel takes crate")
    assert done(desk, "bel move 5.2,6.3,1.5").carried == {"crate": "bel"}


def test_a_drive_is_played_along_its_path_turning_with_who_rides(tmp_path: Path) -> None:
    """It turns in its place and then drives; its rider stays where it stands on it, all the way."""
    path = tmp_path / "road.yaml"
    path.write_text(ROAD)
    desk = Referee()
    start = desk.load(path, Rules(), 1)
    desk.keeper.begin(tmp_path / "road.game", True, False, 2)
    played = done(desk, "rig drives 10,6 10,10", 6)
    rig, bel = (next(one for one in played.acts if one.who == who) for who in ("rig", "bel"))
    assert rig.turns and rig.rides is None and bel.rides == "rig"
    assert played.carried == {"crate": "rig"}, "what lies on it goes with it"
    assert rig.path == pytest.approx(np.array([[6, 6, 0], [10, 6, 0], [10, 10, 0]]), abs=0.01)
    seen = Playing(played)
    marks = {mark.name: mark for mark in start.fighters}
    driver = Player(seen, rig, replace(marks["rig"], at=(6.0, 6.0, 0.0)))
    rider = Player(seen, bel, marks["bel"], driver)
    places, over = [], False
    while not over:
        hull, over = driver.step(0.05)
        on_it, _ = rider.step(0.05)
        places.append((hull.xform_point(core.LPoint3(6, 6, 0)), on_it.xform_point(core.LPoint3(5, 6, 1.5))))
    steps = [(b[0] - a[0]).length() for a, b in itertools.pairwise(places)]
    assert max(steps) < 0.4, "it never jumps"
    assert sum(step < 1e-6 for step in steps[:-6]) > 3, "it stands while it turns"
    assert all((on_it - hull).length() == pytest.approx(1.8028, abs=1e-3) for hull, on_it in places)
    assert played.board is not None
    for who, last in (("rig", places[-1][0]), ("bel", places[-1][1])):
        assert list(last) == pytest.approx(at(played.board, who), abs=0.02)
