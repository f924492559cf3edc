"""Movement against one's will: knockback, drag and throws, of models and of things."""

from __future__ import annotations

from pathlib import Path

import pytest

from play.games import play, rules, table, whats
from sandbox.errors import UserError
from sandbox.moves.pushing import How, Push, push
from sandbox.play import Game, Table

BOARD = """
name: Pushes
rules: %s
board: {size: [30, 24]}
terrain:
  - {id: wall, box: [0.5, 6, 3], at: [20, 6], kind: wall}
  - {id: deck, box: [8, 8, 4], at: [10, 18]}
items:
  - {id: chest, at: [16, 6]}
  - {id: casket, at: [16, 3], heavy: true}
  - {id: keg, at: [13.2, 20, 4]}
fighters:
  - {id: kal, side: red, at: [14, 6], profile: {S: 3}}
  - {id: rax, side: blue, at: [17, 6.6], profile: {S: 3}, skills: []}
  - {id: mox, side: blue, at: [13, 18, 4], profile: {S: 3, I: 4}}
  - {id: ann, side: red, at: [11, 18, 4], skills: [%s]}
  - {id: bel, side: red, at: [26, 6], profile: {S: 4}}
"""
R32 = 16 / 25.4


@pytest.fixture(scope="module")
def community(tmp_path_factory: pytest.TempPathFactory) -> Table:
    return table(tmp_path_factory.mktemp("n17"), BOARD % ("necromunda-2017", ""))


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Table:
    return table(tmp_path_factory.mktemp("n23"), BOARD % ("necromunda-2023", "hurl"))


def at(game: Game, who: str) -> list[float]:
    return game.state["models"][who]["at"]


def test_the_attack_decides_direction_and_distance(community: Table) -> None:
    """Strength 5 with a 2 on its die against strength 3 with a 3: an inch, straight away from the attacker."""
    game = Game(community)
    before = at(game, "rax")
    told = play(game, "rax pushed knockback by kal strength 5", 2, 3)
    dx, dy = at(game, "rax")[0] - before[0], at(game, "rax")[1] - before[1]
    assert (dx**2 + dy**2) ** 0.5 == pytest.approx(1.0, abs=0.003)
    assert dy / dx == pytest.approx(0.6 / 3.0, abs=0.001)
    assert {"knockback", "table.push"} <= rules(told)
    assert [one["rolled"]["reason"] for one in told if one["what"] == "rolled"] == ["force", "resistance"]


def test_force_less_resistance_is_at_least_nothing(community: Table) -> None:
    game = Game(community)
    told = play(game, "rax pushed knockback by kal strength 3", 1, 3)
    assert "is not moved: a force of 4 against a resistance of 6" in told[-1]["text"]
    assert at(game, "rax") == community.begin()["models"]["rax"]["at"]
    assert game.state["models"]["rax"]["statuses"] == ["standing"]


def test_things_resist_by_their_weight(community: Table) -> None:
    """A chest resists by 1 + D3, a casket by 4 + D3: of a force of 5 the one is left with 3 inches, the other with none."""
    for name, moved in (("chest", 3.0), ("casket", 0.0)):
        game = Game(community)
        told = play(game, f"{name} pushed knockback by rax strength 4", 1, 1)
        before, after = community.begin()["items"][name]["at"], game.state["items"][name]["at"]
        gone = sum((a - b) ** 2 for a, b in zip(before, after, strict=True)) ** 0.5
        assert gone == pytest.approx(moved, abs=0.01), name
        assert "table.push" in rules(told)
    game = Game(community)
    play(game, "casket pushed knockback by rax strength 6", 3, 1)
    assert game.state["items"]["casket"]["at"] != community.begin()["items"]["casket"]["at"]


def test_what_is_in_the_way_stops_it_and_hurts(community: Table) -> None:
    """Pushed 4 inches towards a wall 1.5 inches away: a hit of the distance, and the wall takes it where it has Wounds."""
    game = Game(community)
    told = play(game, "rax pushed knockback by kal strength 6", 3, 2)
    assert at(game, "rax")[0] == pytest.approx(20 - 0.25 - R32, abs=0.01)
    hit = next(one for one in told if one["what"] == "hit")
    assert hit["hit"] == {"strength": 4, "ap": 0, "damage": 1}
    assert "from wall" in hit["text"]
    assert any(
        "hits wall, which takes the same hit S4 AP- D1 where it has Wounds" in one["text"] for one in told
    )
    assert {"blocked", "knockback"} <= rules(told)
    assert [one["what"] for one in game.state["open"]] == ["hit", "players"]


def test_pushed_into_somebody_both_are_hit(community: Table) -> None:
    game = Game(community)
    play(game, "bel placed 18.9,7.0")
    told = play(game, "rax pushed knockback by kal strength 6", 3, 2)
    assert [one["who"] for one in told if one["what"] == "hit"] == ["rax", "bel"]
    assert [one["hit"]["strength"] for one in told if one["what"] == "hit"] == [4, 4]


def test_still_active_it_is_pinned_and_engaged_it_is_not(community: Table) -> None:
    game = Game(community)
    told = play(game, "rax pushed knockback by kal strength 5", 2, 3)
    assert game.state["models"]["rax"]["statuses"] == ["prone-pinned"]
    assert "push_first" in rules(told)
    game = Game(community)
    play(game, "bel placed 18.4,8.6")
    told = play(game, "rax pushed knockback by kal strength 5", 2, 3)  # within an inch of bel: into contact
    assert "into contact with bel" in " ".join(one["text"] for one in told)
    assert game.state["models"]["rax"]["statuses"] == ["standing"]
    assert "engaged" in whats(told)


def test_moved_off_a_ledge_it_falls_when_the_attack_is_finished(community: Table) -> None:
    game = Game(community)
    told = play(game, "mox pushed knockback by ann strength 6", 3, 3)
    fall = next(one for one in told if one["what"] == "fall")
    assert fall["measured"]["value"] == pytest.approx(4.0, abs=0.01)
    assert at(game, "mox")[2] == 0.0
    assert at(game, "mox")[0] > 14 + 0.5
    first = next(i for i, one in enumerate(told) if one["rule"] == "push_first")
    assert first < told.index(fall)
    # it is hit by the fall only if it is still there: out by the attack, nothing is left to resolve
    assert game.state["open"][0]["what"] == "hit"
    gone = play(game, "mox out")
    assert game.state["open"] == []
    assert "push_first" in rules(gone)
    assert whats(play(game, "mox pushed knockback by ann strength 6")) == ["refused"]


def test_moved_over_a_pitfall_it_falls_in(tmp_path: Path) -> None:
    text = (BOARD % ("necromunda-2017", "")).replace(
        "items:",
        "areas:\n  - {kind: pitfall, polygon: [[17.8, 5], [19.5, 5], [19.5, 8.5], [17.8, 8.5]]}\nitems:",
    )
    game = Game(table(tmp_path, text))
    told = play(game, "rax pushed knockback by kal strength 6", 3, 2)
    assert "pitfall_fail" in rules(told)
    assert game.state["models"]["rax"]["out"]
    assert not any(one["what"] == "hit" for one in told)


def test_pinned_near_a_ledge_after_a_push_it_may_fall(community: Table) -> None:
    game = Game(community)
    play(game, "mox placed 12.3,18,4")
    told = play(game, "mox pushed knockback by ann strength 4", 3, 3, 2)
    assert at(game, "mox")[2] == 0.0
    assert [one["rolled"]["check"] for one in told if one["what"] == "rolled"][-1] == "falling-hazard"


def test_a_drag_goes_to_the_attacker_and_stops_at_contact(community: Table) -> None:
    game = Game(community)
    told = play(game, "rax pushed drag by kal strength 6", 3, 1)  # five inches; three between the centres
    assert "drag" in rules(told)
    assert at(game, "rax")[0] == pytest.approx(14 + 3 * (2 * R32) / (9.36**0.5), abs=0.01)
    assert "comes into contact with kal" in " ".join(one["text"] for one in told)
    assert not any(one["what"] == "hit" for one in told)
    assert game.state["models"]["rax"]["statuses"] == ["standing"]  # engaged, so not Active any more
    game = Game(community)
    play(game, "kal placed 11,6")
    play(game, "rax pushed drag by kal strength 4", 1, 1)
    assert game.state["models"]["rax"]["statuses"] == ["prone-pinned"]
    # the number of a Drag stands for the strength
    tree = push(community.first, Push("rax", "kal", How.DRAG, strength=5))
    assert {b.faces for b in tree.branches} == {(1,), (2,), (3,)}


def test_a_drag_over_a_ledge_and_into_a_wall(community: Table) -> None:
    game = Game(community)
    play(game, "kal placed 26,18")
    told = play(game, "mox pushed drag by kal strength 8", 1, 1)
    assert "fall" in whats(told)
    game = Game(community)
    play(game, "kal placed 23,6.6")
    told = play(game, "rax pushed drag by kal strength 8", 1, 1)
    assert next(one for one in told if one["what"] == "hit")["hit"]["strength"] == 5
    assert "drag" in rules(told)
    assert any("hits wall, which takes the same hit" in one["text"] for one in told)


def test_with_impale_the_last_one_hit_is_dragged(community: Table) -> None:
    game = Game(community)
    told = play(game, "mox pushed drag by kal strength 6 impaling mox,rax")
    assert whats(told) == ["refused"]
    assert rules(told) == {"drag_impale"}
    assert "drag_impale" in rules(play(game, "rax pushed drag by kal strength 6 impaling mox,rax", 1, 3))


def test_things_are_dragged_and_fall_off_decks(community: Table) -> None:
    game = Game(community)
    told = play(game, "keg pushed knockback by ann strength 4", 3, 1)
    assert game.state["items"]["keg"]["at"][2] == 0.0
    assert "fall" in whats(told)
    play(game, "chest pushed drag by kal strength 5", 1, 3)
    assert game.state["items"]["chest"]["at"][0] < 16


def test_a_test_at_the_lip_in_the_core_rules(core: Table) -> None:
    """Any part of the base over the lip: passed it stops there, failed it falls."""
    lip = 14 - R32
    for roll, z in ((4, 4.0), (3, 0.0)):
        game = Game(core)
        told = play(game, "mox pushed knockback by ann inches 3", roll)
        assert {"knockback_edge"} <= rules(told)
        assert at(game, "mox")[2] == z
        if z:
            assert at(game, "mox")[0] == pytest.approx(lip, abs=0.02)
            assert game.state["models"]["mox"]["statuses"] == ["standing"]
    with pytest.raises(UserError, match="give the inches"):
        play(Game(core), "mox pushed knockback by ann strength 4")


def test_thrown_into_one_another_they_are_hit_and_moved_apart_afterwards(core: Table) -> None:
    game = Game(core)
    told = play(game, "mox pushed hurl by ann inches 2")
    assert whats(told) == ["refused"]
    assert rules(told) == {"skill.hurl"}
    play(game, "ann placed 24,12")
    play(game, f"mox placed {24 + 2 * R32},12")
    play(game, "kal placed 27,12")
    told = play(game, "mox pushed hurl by ann inches 3")
    assert [one["who"] for one in told if one["what"] == "hit"] == ["mox", "kal"]
    assert "skill.hurl" in rules(told)
    moved = [one for one in told if one["what"] == "moved"]
    assert moved[-1]["rule"] == "involuntary_near"
    hits = [i for i, one in enumerate(told) if one["what"] == "hit"]
    assert told.index(moved[-1]) > hits[-1]
    x, y, _ = at(game, "mox")
    for other in ("kal", "ann"):
        ox, oy, _ = at(game, other)
        assert ((x - ox) ** 2 + (y - oy) ** 2) ** 0.5 - 2 * R32 >= 1.0 - 0.01
