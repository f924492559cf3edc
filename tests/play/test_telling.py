"""How a game is told: names instead of ids, sides and turns set apart, each thing once; what players may leave out."""

from __future__ import annotations

import math

import pytest

from play.games import DECK, play, table, whats
from sandbox.errors import UserError
from sandbox.play import Game, Table, told
from sandbox.play.desk import desk
from sandbox.play.naming import Names, capital
from sandbox.play.orders import Do, brief

R32 = 16 / 25.4
NAMED = """
name: Names
rules: necromunda-2023
board: {size: [24, 24]}
terrain:
  - {id: gantry-west, box: [2, 2, 2], at: [4, 20]}
  - {id: hut, box: [3, 3, 3], at: [18, 20]}
  - {id: crate-2, box: [1, 1, 1], at: [12, 20]}
  - {id: near-door, box: [3, 0.3, 2], at: [6, 6], kind: door-closed}
  - {id: far-door, box: [3, 0.3, 2], at: [18, 6], kind: door-closed}
  - {id: wall, box: [2, 24, 2], at: [21, 12]}
fighters:
  - {id: old-kal, side: red, at: [6, 4.8], profile: {M: 4, I: 4}}
  - {id: rolls, side: blue, at: [14, 12], profile: {M: 5, I: 4}}
"""


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Table:
    return table(tmp_path_factory.mktemp("named"), NAMED)


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Table:
    return table(tmp_path_factory.mktemp("deck"), DECK)


def lines(game: Game, line: str, *dice: int) -> list[str]:
    return [told(one, game.table.names, rules=False) for one in play(game, line, *dice)]


def at(game: Game, who: str) -> list[float]:
    return game.state["models"][who]["at"]


def test_everything_has_a_name(named: Table) -> None:
    names = named.names
    assert [names.of(n) for n in ("old-kal", "gantry-west", "hut", "crate-2")] == [
        "Old Kal", "gantry west", "the hut", "crate 2",
    ]  # fmt: skip
    assert names.within("hut is in the way of old-kal, not of huts or a-hut") == (
        "the hut is in the way of Old Kal, not of huts or a-hut"
    )
    assert names.within("checks Initiative: rolls 3") == "checks Initiative: rolls 3", "a word of every roll"
    assert capital("[2] the hut falls") == "[2] The hut falls"
    assert Names(named.scene).meant("Rolls") == "rolls" and names.meant("hut") == "hut"


def test_names_may_be_typed_and_sides_are_told(deck: Table) -> None:
    game = Game(deck)
    assert lines(game, "Juno move 14,16") == ["Juno (red) is activated", "Juno moves, 2.00 of 5.00 in"]
    play(game, "Juno move 14,17")
    assert lines(game, "activate Rax") == ["Juno ends its activation", "Rax (blue) is activated"]


def test_turns_are_set_apart_at_the_desk(deck: Table) -> None:
    assert desk(Game(deck)).say("turn") == ["", "  --- Turn 2 begins ---"]


def test_each_thing_is_told_once(deck: Table) -> None:
    game = Game(deck)
    play(game, "juno is pinned")
    assert lines(game, "juno stand-up") == ["Juno (red) is activated: Prone and Pinned", "Juno stands up"]
    play(game, "turn")
    charge = lines(game, "juno charge rax")
    assert [line for line in charge if "engaged with" in line] == ["Juno is engaged with Rax"]
    assert lines(game, "resolve 1 wounds 2 out") == [
        "Settled [1]: Juno loses 2 Wounds and is out of the game"
    ]


def test_what_was_not_its_activation_does_not_end(deck: Table) -> None:
    game = Game(deck)
    fallen = lines(game, "kal is pinned", 1)
    assert any("falls 3.00 in" in line for line in fallen)
    assert not any("activation" in line for line in fallen)


def test_a_charge_finds_its_contact(deck: Table) -> None:
    """Without a place the shortest way into contact; with one, the contact nearest to it; out of reach, as far as it gets."""
    game = Game(deck)
    play(game, "juno charge rax")
    assert math.dist(at(game, "juno")[:2], (20, 12)) == pytest.approx(2 * R32, abs=0.02)
    game.undo()
    play(game, "juno charge rax 19.6,13.5")
    x, y, _ = at(game, "juno")
    assert math.dist((x, y), (20, 12)) == pytest.approx(2 * R32, abs=0.02)
    assert math.dist((x, y), (19.6, 13.5)) < 0.4
    game = Game(deck)
    play(game, "juno placed 6,22")
    assert "stops" in whats(play(game, "juno charge rax", 3))
    assert math.dist(at(game, "juno")[:2], (6, 22)) > 4.0


def test_a_door_that_is_not_named_is_the_nearest(named: Table) -> None:
    game = Game(named)
    assert lines(game, "old-kal operate-door")[1:] == ["Old Kal opens near door"]
    assert game.state["pieces"]["near-door"]["kind"] == "door-open"
    assert game.state["pieces"]["far-door"]["kind"] == "door-closed"


def test_a_crossing_that_fits_into_no_move_is_not_made(named: Table) -> None:
    """Two inches of wall, two inches high: 2 + 2 and the width of the base, more than one Move of 5."""
    game = Game(named)
    play(game, "rolls placed 18.6,12")
    told_ = play(game, "rolls double-move 23.2,12")
    assert "stops" in whats(told_)
    assert at(game, "rolls")[0] < 20.0


def test_an_order_is_named_as_it_is_typed() -> None:
    assert brief({"do": Do.STATUS, "who": "kal", "status": "pinned"}) == "kal is pinned"
    assert brief({"do": Do.ACT, "who": "kal", "action": "charge", "target": "rax"}) == "kal charge rax"
    assert brief({"do": Do.DIRECTLY, "who": "kal", "inches": 2.0, "by": "rax", "on": False}) == (
        "kal moved 2 away rax"
    )
    assert brief({"do": Do.TURN}) == "turn"


def test_a_board_without_doors_says_so(deck: Table) -> None:
    with pytest.raises(UserError, match="no doors"):
        play(Game(deck), "juno operate-door gate")
