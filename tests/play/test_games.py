"""A game: one step after another, dice that stay as they fell, a file that survives whatever happens."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from pathlib import Path

import pytest

from play.games import DECK, play, rules, table, whats
from sandbox.errors import UserError
from sandbox.play import Game, Scripted, Seeded, Table, canonical, parse, same, scene_of, step

CHILD = """
import sys
from pathlib import Path
from sandbox.play import Game, Scripted, Table, parse
table = Table.load(sys.argv[1])
game = Game(table, path=Path(sys.argv[2]))
number = 0
while True:
    number += 1
    game.order(parse(table, game.state, f"juno faces {number % 360}"), Scripted())
    print(number, flush=True)
"""


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Table:
    return table(tmp_path_factory.mktemp("deck"))


def test_a_step_changes_nothing_that_it_is_given(deck: Table) -> None:
    start = deck.begin()
    before = copy.deepcopy(start)
    order = parse(deck, start, "kal move 14,12,0")
    first = step(deck, start, order, Scripted([6]))
    assert start == before
    assert canonical(first[0]) == canonical(step(deck, start, order, Scripted([6]))[0])
    assert first[0]["models"]["kal"]["at"][2] == 0.0
    failed = step(deck, start, order, Scripted([1]))
    assert failed[0]["models"]["kal"]["statuses"] == ["prone-pinned"]


def test_a_state_is_plain_json_that_names_its_pieces(deck: Table) -> None:
    state = deck.begin()
    assert json.loads(json.dumps(state)) == state
    assert set(state["pieces"]) == {"deck", "crate"}
    state = step(deck, state, parse(deck, state, "remove crate"), Scripted())[0]
    assert set(state["pieces"]) == {"deck"}


def test_every_event_says_its_rule_its_dice_and_its_measurement(deck: Table) -> None:
    told = play(Game(deck), "kal move 14,12,0", 2)
    assert all(one["rule"] and one["text"] for one in told)
    acts = next(one for one in told if one["what"] == "acts")
    assert acts["rule"] == "action.move"
    assert acts["measured"]["limit"] == 5.0
    roll = next(one for one in told if one["what"] == "rolled")
    assert roll["rolled"]["dice"] == "D6"
    assert (roll["rolled"]["needed"], roll["rolled"]["result"], roll["rolled"]["passed"]) == (5, 2, False)
    fall = next(one for one in told if one["what"] == "fall")
    assert fall["measured"] == {"of": "height", "value": 3.0, "limit": None, "unit": "in"}


def test_what_is_refused_changes_nothing(deck: Table) -> None:
    game = Game(deck)
    before = game.state
    told = play(game, "kal stand-up")
    assert whats(told) == ["refused"]
    assert rules(told) == {"action.stand-up"}
    assert game.state is before
    assert game.past == []


def test_activations_have_two_actions(deck: Table) -> None:
    game = Game(deck)
    play(game, "juno move 14,16")
    play(game, "juno move 14,17")
    told = play(game, "juno move 14,18")
    assert whats(told) == ["refused"]
    assert rules(told) == {"actions_per_activation"}
    told = play(game, "kal double-move 7,12,3")  # nothing is left to juno
    assert whats(told)[:2] == ["ended", "activates"]
    assert [one["who"] for one in told[:2]] == ["juno", "kal"]
    assert "refused" in whats(play(game, "kal move 6,12,3"))
    play(game, "end")
    assert "refused" in whats(play(game, "juno move 14,18"))
    play(game, "turn")
    assert game.state["turn"] == 2
    assert "acts" in whats(play(game, "juno move 14,16"))


def test_nothing_is_measured_before_the_action_is_declared(deck: Table) -> None:
    """A declared way that is too long is gone as far as it can be; measured freely it is refused instead."""
    game = Game(deck)
    assert game.state["declare"]
    told = play(game, "juno move 14,22")
    assert "stop_short" in rules(told)
    gone = next(one["path"] for one in told if "path" in one)
    assert gone[0] == pytest.approx(game.past[-1].before["models"]["juno"]["at"], abs=1e-3)
    assert gone[-1] == pytest.approx(game.state["models"]["juno"]["at"], abs=1e-3)
    assert game.state["models"]["juno"]["at"] == pytest.approx([14, 19, 0], abs=0.03)
    game.undo()
    play(game, "declare off")
    assert whats(play(game, "juno move 14,22")) == ["refused"]
    play(game, "declare on")
    assert "stop_short" in rules(play(game, "juno move 14,22"))


def test_a_refusal_tells_no_distance_to_who_has_to_declare_first(deck: Table) -> None:
    game = Game(deck)
    declared = play(game, "kal move 16,12,1")
    play(game, "declare off")
    measured = play(game, "kal move 16,12,1")
    assert rules(declared) == {"obstacle_stand"}
    assert rules(measured) == {"obstacle_stand", "allowance"}


def test_from_where_and_to_where_a_leap_goes_is_declared_unmeasured(tmp_path: Path) -> None:
    """Too far, and it falls without a roll; nobody could know before it was declared."""
    text = """
name: Two decks
rules: blightmeer
board: {size: [24, 24]}
terrain:
  - {id: west, box: [6, 8, 3], at: [6, 12]}
  - {id: east, box: [6, 8, 3], at: [15.5, 12]}
fighters:
  - {id: kal, side: red, at: [8, 12, 3], profile: {M: 6, A: 9}}
"""
    game = Game(table(tmp_path, text))
    assert game.state["declare"]
    told = play(game, "kal move 13.5,12,3", 10)
    assert "fall" in whats(told)
    assert "leap_max" in rules(told)
    assert not any(one["what"] == "rolled" and one["rolled"]["check"] for one in told)
    assert game.state["models"]["kal"]["at"][2] == 0.0


def test_dice_stay_as_they_fell_when_an_order_is_taken_back(deck: Table) -> None:
    game = Game(deck)
    play(game, "kal move 14,12,0", 2)
    after = game.state
    told = game.undo()
    assert "dice stay as they fell: 2" in told[0]["text"]
    assert game.state["models"]["kal"]["at"][2] == 3.0
    told = game.redo()
    assert "same dice: 2" in told[0]["text"]
    assert game.state is after
    game.undo()
    # the same order has the same dice, whatever is rolled now
    told = game.order(parse(deck, game.state, "kal move 14,12,0"), Scripted([]))
    assert "stay as they fell: 2" in told[0]["text"]
    assert same(game.state, after)
    with pytest.raises(UserError, match="nothing to do again"):
        game.redo()


def test_dice_stay_as_they_fell_when_an_order_is_broken_off(tmp_path: Path) -> None:
    """Nobody gets another roll by leaving an order half way."""
    text = DECK.replace("I: 4", "A: 9").replace("I: 3", "A: 9")
    game = Game(table(tmp_path, text, "blightmeer"))
    order = parse(game.table, game.state, "kal is dazed")
    with pytest.raises(UserError, match="no result is left"):
        game.order(order, Scripted([5]))  # fails the check at the lip; the mishap is not rolled
    told = game.order(order, Scripted([3]))
    assert [one["rolled"]["result"] for one in told if one["what"] == "rolled"] == [5, 3]


def test_typed_results_have_to_be_possible(deck: Table) -> None:
    game = Game(deck)
    with pytest.raises(UserError, match="shows 1 to 6, not 7"):
        play(game, "kal move 14,12,0", 7)
    assert game.past == []


def test_the_same_seed_plays_the_same_game(deck: Table) -> None:
    ends = []
    for seed in (1, 1, 2, 3, 4):
        game, dice = Game(deck), Seeded(seed)
        for line in ("kal move 14,12,0", "end", "juno is pinned", "turn"):
            game.order(parse(deck, game.state, line), dice)
        ends.append(canonical(game.state))
    assert ends[0] == ends[1]
    assert len(set(ends)) > 1


def test_a_game_goes_on_from_its_file_and_replays_to_the_same_state(deck: Table, tmp_path: Path) -> None:
    path = tmp_path / "friday.game"
    game = Game(deck, path=path)
    play(game, "kal move 14,12,0", 2)
    play(game, "resolve 1 wounds 1 seriously-injured")
    play(game, "turn")
    game.undo()
    play(game, "end")
    again = Game.resume(deck, path)
    assert same(again.state, game.state)
    assert same(again.replayed(), game.state)
    assert [e.order for e in again.past] == [e.order for e in game.past]
    again.undo()
    again.undo()
    assert same(Game.resume(deck, path).state, again.state)


def test_a_game_and_its_scene_may_be_moved_together(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    game = Game(table(tmp_path / "one"), path=tmp_path / "one" / "g.game")
    play(game, "juno faces 10")
    (tmp_path / "one").rename(tmp_path / "two")
    scene, rules_, settings = scene_of(tmp_path / "two" / "g.game")
    again = Game.resume(Table.load(scene, rules_, settings=settings), tmp_path / "two" / "g.game")
    assert again.state["models"]["juno"]["facing"] == 10.0


def test_a_file_that_was_cut_anywhere_goes_on_from_its_last_whole_order(
    deck: Table, tmp_path: Path, full: bool
) -> None:
    path = tmp_path / "cut.game"
    game = Game(deck, path=path)
    for number in range(6):
        play(game, f"juno faces {10 * number + 5}")
    content = path.read_bytes()
    ends = [i + 1 for i, byte in enumerate(content) if byte == ord("\n")]
    for cut in range(ends[0], len(content), 37 if full else 211):
        path.write_bytes(content[:cut])
        whole = sum(end <= cut for end in ends) - 1
        found = Game.resume(deck, path)
        assert len(found.past) == whole, cut
        assert path.stat().st_size == ends[whole]
        play(found, "juno faces 200")
        assert Game.resume(deck, path).state["models"]["juno"]["facing"] == 200.0
    for junk in (b"", b"{}", content[: ends[0] // 2], b"no game\n"):
        path.write_bytes(junk)
        with pytest.raises(UserError, match=r"cut\.game"):
            Game.resume(deck, path)


def test_a_game_that_is_killed_goes_on_from_its_last_order(tmp_path: Path) -> None:
    board = table(tmp_path)
    path = tmp_path / "killed.game"
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(board.scene.path), str(path)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    told = 0
    for line in child.stdout:
        told = int(line) if line.strip().isdigit() else told
        if told >= 15:
            break
    child.kill()
    told += sum(line.strip().isdigit() for line in child.stdout)
    child.wait()
    game = Game.resume(board, path)
    assert len(game.past) in (told, told + 1)  # kept before it is told
    assert game.state["models"]["juno"]["facing"] == len(game.past) % 360
    play(game, "juno move 14,16")
    assert same(Game.resume(board, path).state, game.state)


def test_a_file_that_something_else_wrote_to_is_left_alone(deck: Table, tmp_path: Path) -> None:
    path = tmp_path / "two.game"
    one, two = Game(deck, path=path), None
    two = Game.resume(deck, path)
    play(one, "juno faces 10")
    before = path.read_bytes()
    with pytest.raises(UserError, match="changed by something else"):
        play(two, "juno faces 20")
    assert path.read_bytes() == before
    assert two.past == []


def test_another_scene_is_refused(deck: Table, tmp_path: Path) -> None:
    path = tmp_path / "other.game"
    Game(deck, path=path)
    with pytest.raises(UserError, match="other terrain"):
        Game.resume(table(tmp_path, DECK.replace("[8, 8, 3]", "[8, 8, 2]")), path)
    with pytest.raises(UserError, match="other fighters"):
        Game.resume(table(tmp_path, DECK.replace("id: rax", "id: max")), path)


def test_a_file_from_a_stranger_is_one_line_and_no_traceback(deck: Table, tmp_path: Path) -> None:
    path = tmp_path / "strange.game"
    play(Game(deck, path=path), "juno faces 10")
    first, second = path.read_text(encoding="utf-8").splitlines()
    strange = [
        first.replace('"turn":1', '"turn":"soon"') + "\n" + second + "\n",
        first + "\n" + second.replace('"juno":{"at":[14.0,14.0,0.0]', '"juno":{"at":[1e300,14.0,0.0]') + "\n",
        first + "\n" + second.replace('"at":[14.0,14.0,0.0]', '"at":[14.0]') + "\n",
        first.replace('"deck":', '"castle":') + "\n" + second + "\n",
        first.replace('"spent":0,', "") + "\n",
        first + "\n" + second.replace('"events":[', '"events":[1,') + "\n",
    ]
    for text in strange:
        assert text not in (f"{first}\n{second}\n", f"{first}\n")
        path.write_text(text, encoding="utf-8")
        with pytest.raises(UserError) as told:
            Game.resume(deck, path).replayed()
            raise UserError("read: events are only told")  # what is only told may be anything
        assert "\n" not in str(told.value)
    path.write_text(first + "\n" + second.replace("14.0", "NaN") + "\n", encoding="utf-8")
    assert Game.resume(deck, path).past == []


def test_a_replay_that_leads_elsewhere_is_told(deck: Table) -> None:
    game = Game(deck)
    play(game, "juno faces 10")
    game.past[0].after["models"]["juno"]["facing"] = 11.0
    with pytest.raises(UserError, match="order 1"):
        game.replayed()


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("kall move 1,2", "did you mean 'kal'"),
        ("kal mov 1,2", "did you mean 'move'"),
        ("kal move 1,2 3,4", "too much"),
        ("kal faces north", "should be a number"),
        ("kal takes gold", "no thing"),
        ("kal pushed knockback", "by WHOM"),
        ("resolve 9", "no event 9"),
        ("remove tower", "no piece"),
        ("agree sturdy deck", "agreed"),
        ("kal is sleepy", "sleepy"),
        ("kal move 'x", "line"),
        ("turn green", "no side"),
    ],
)
def test_orders_that_cannot_be_are_told_in_one_line(deck: Table, line: str, says: str) -> None:
    with pytest.raises(UserError, match=says) as told:
        play(Game(deck), line)
    assert "\n" not in str(told.value)
