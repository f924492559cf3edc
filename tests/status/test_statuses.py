"""What each status is, may do and stops; when it ends; what follows from it at once."""

from __future__ import annotations

import math
from typing import Any

import pytest
from cases.board import MM, Board
from falling.boards import BLIGHT, N17, N23, NECROMUNDA, PACKS, R32, load

from sandbox.moves import status as statuses
from sandbox.moves.odds_tree import Event
from sandbox.rules import load_pack


def _alone(board: Board, rules: str, status: str, **more: Any) -> Any:
    board.fighters.clear()
    board.fighter("kal", (0, 0), status=status, **more)
    return load(board, rules)


@pytest.mark.parametrize(
    ("rules", "status", "words", "posture", "facing", "sight"),
    [
        (N23, "standing", "Standing and Active", "standing", True, True),
        (N23, "pinned", "Prone and Pinned", "prone", False, False),
        (N23, "seriously-injured", "Prone and Seriously Injured", "prone", False, False),
        (N23, "broken", "Standing and Active, Broken", "standing", True, True),
        (N23, "mobile", "Mobile", "vehicle", True, True),
        (N23, "wrecked", "Wrecked", "vehicle", True, True),
        (N17, "pinned", "Prone and Pinned", "prone", False, False),
        (BLIGHT, "dazed", "Dazed", "standing", True, True),
        (BLIGHT, "slowed", "Standing and Active, Slowed", "standing", True, True),
    ],
)
def test_what_a_status_is(
    plain: Board, rules: str, status: str, words: str, posture: str, facing: bool, sight: bool
) -> None:
    kal = _alone(plain, rules, status).status("kal")
    assert (kal.words, kal.posture) == (words, posture)
    assert (kal.facing is not None) is facing
    assert kal.blocks_sight is sight


@pytest.mark.parametrize(
    ("rules", "status", "may"),
    [
        (N23, "standing", {"move", "double-move", "charge", "operate-door"}),
        (N23, "pinned", {"crawl", "stand-up"}),
        (N23, "seriously-injured", {"crawl"}),
        (N23, "broken", {"flee"}),
        (N23, "stalled", set()),
        (N23, "wrecked", set()),
        (N17, "standing", {"move", "double-move", "charge", "carry", "carry-heavy"}),
        (N17, "pinned", {"crawl", "stand-up"}),
        (N17, "seriously-injured", {"crawl"}),
        (N17, "broken", {"flee"}),
        (BLIGHT, "standing", {"move", "engage"}),
        (BLIGHT, "slowed", {"move", "engage"}),
        (BLIGHT, "stunned", set()),
        (BLIGHT, "dazed", set()),
        (BLIGHT, "tried-to-engage", set()),
    ],
)
def test_what_a_status_may_do(plain: Board, rules: str, status: str, may: set[str]) -> None:
    kal = _alone(plain, rules, status).status("kal")
    moving = {"move", "double-move", "charge", "crawl", "stand-up", "flee", "carry", "carry-heavy", "engage"}
    assert set(kal.may) >= may
    assert set(kal.may) & moving == may & moving
    # everything else is stopped by a rule with a source
    pack = load_pack(rules)
    assert len(kal.may) + len(kal.may_not) == len(pack.file.actions)
    for ruling in kal.may_not:
        assert ruling.source
        assert pack.rule(ruling.rule)


@pytest.mark.parametrize("rules", NECROMUNDA)
def test_engaged_models_fight_or_leave(plain: Board, rules: str) -> None:
    plain.fighter("kal", (-R32, 0)).fighter("rax", (R32, 0), side="blue")
    kal = load(plain, rules).status("kal")
    leaves = "retreat" if rules == N23 else "disengage"
    assert leaves in kal.may
    assert not {"move", "double-move", "charge"} & set(kal.may)
    assert {r.rule for r in kal.may_not if "'move'" in r.text} == {"engaged"}
    assert load(plain, rules).moves("kal", "move").rulings[0].rule == "engaged"


def test_a_status_says_who_it_is_engaged_with_as_json(plain: Board) -> None:
    plain.fighter("kal", (-R32, 0)).fighter("rax", (R32, 0), side="blue")
    told = load(plain, N23).status("kal").to_json()
    assert told["words"] == "Standing and Engaged"
    assert told["engaged"] == [
        {
            "enemy": "rax",
            "how": "contact",
            "distance": 0.0,
            "modifier": 0,
            "rule": "engaged_at",
            "source": "004, Standing (Engaged)",
        }
    ]
    assert {"move", "charge"} <= {r["text"].split("'")[1] for r in told["may_not"]}


def test_seriously_injured_while_engaged_is_moved_from_all_enemies(plain: Board) -> None:
    plain.fighter("kal", (0, 0)).fighter("rax", (2 * R32, 0), side="blue").fighter(
        "zed", (0, 2 * R32), side="blue"
    )
    field = load(plain, N17)
    (path,) = field.becomes("kal", "seriously-injured").paths()
    (moved,) = path.events(Event.MOVED)
    assert moved.rule == "injured_moved"
    for enemy in ("rax", "zed"):
        gap = math.dist(path.first.at[:2], field.fighter(enemy).at[:2]) - 2 * R32
        assert gap >= 1.0 - 0.005
    assert path.first.statuses == ("prone-seriously-injured",)
    # who was not engaged stays where it is
    plain.fighters[1:] = []
    (alone,) = load(plain, N17).becomes("kal", "seriously-injured").paths()
    assert alone.events(Event.MOVED) == ()
    # and the core rules move nobody
    plain.fighter("rax", (2 * R32, 0), side="blue")
    (core,) = load(plain, N23).becomes("kal", "seriously-injured").paths()
    assert core.events(Event.MOVED) == ()


@pytest.mark.parametrize("rules", NECROMUNDA)
def test_pinned_while_engaged_stands_up_again_at_once(plain: Board, rules: str) -> None:
    plain.fighter("kal", (-R32, 0)).fighter("rax", (R32, 0), side="blue")
    (path,) = load(plain, rules).becomes("kal", "pinned").paths()
    assert [h.what for h in path.happens] == [Event.STATUS, Event.STANDS_UP]
    assert path.first.statuses == ("standing",)


def test_who_is_charged_while_pinned_stands_up(plain: Board) -> None:
    plain.fighter("kal", (-3, 0)).fighter("rax", (0, 0), side="blue", status="pinned")
    field = load(plain, N23)
    tree = field.odds(field.moves("kal", "charge", target="rax").to(*plain.turned(-2 * R32, 0)))
    path = next(p for p in tree.paths() if p.reached)
    assert [(h.who, h.what) for h in path.happens][-1] == ("rax", Event.STANDS_UP)
    assert [end.statuses for end in path.ends] == [("standing",), ("standing",)]


@pytest.mark.parametrize("rules", PACKS)
def test_statuses_follow_from_where_everybody_is(plain: Board, rules: str) -> None:
    plain.fighter("kal", (-R32, 0)).fighter("rax", (R32, 0), side="blue")
    assert load(plain, rules).status("kal").secondary == "engaged"
    plain.fighters[1]["at"] = [*plain.turned(R32 + 2, 0)]
    assert load(plain, rules).status("kal").secondary == "active"
    field = load(plain, rules)
    again = statuses.settle(field, field.fighters)
    assert [one.engaged_with for one in again.placed] == [(), ()]


def test_what_ends_with_a_turn_in_blightmeer() -> None:
    pack = load_pack(BLIGHT)
    assert statuses.turn_ends(pack, ("standing", "slowed")) == ("standing",)
    assert statuses.turn_ends(pack, ("standing", "slowed"), given=("slowed",)) == ("standing", "slowed")
    assert statuses.turn_ends(pack, ("standing", "tried-to-engage", "slowed")) == ("standing",)
    assert statuses.turn_ends(pack, ("dazed",)) == ("dazed",)
    assert statuses.recovers(pack, ("dazed",)) == ("standing", "slowed")
    assert statuses.recovers(pack, ("standing",)) == ("standing",)
    for name in NECROMUNDA:
        assert statuses.turn_ends(load_pack(name), ("standing", "broken")) == ("standing", "broken")


def test_slowed_takes_three_inches_and_a_treasure_slows(plain: Board) -> None:
    for status, gear, allowance in (("standing", [], 6), ("slowed", [], 3), ("standing", ["treasure"], 3)):
        field = _alone(plain, BLIGHT, status, gear=gear, M=6)
        assert field.moves("kal", "move").allowance == allowance
    assert "Slowed" in field.status("kal").words


@pytest.mark.parametrize("rules", NECROMUNDA)
def test_prone_models_are_low(plain: Board, rules: str) -> None:
    standing, lying = (_alone(plain, rules, s).fighter("kal").height for s in ("standing", "pinned"))
    assert (standing, lying) == (1.4, 0.6)
    field = _alone(plain, rules, "standing")
    assert field.with_status(field.fighter("kal"), ("prone-pinned",)).height == 0.6


def test_an_injured_enemy_is_not_kept_away_from(plain: Board) -> None:
    plain.fighter("kal", (-3, 0)).fighter("rax", (0, 0), side="blue", status="seriously-injured")
    near = plain.turned(-2 * R32 - 0.5, 0)
    assert load(plain, N23).moves("kal", "move").to(*near).legal
    assert not load(plain, N23).status("rax").kept_from
    assert load(plain, N17).moves("kal", "move").to(*near).rulings[0].rule == "keep_distance"


def test_unknown_statuses_are_told_in_one_line(plain: Board) -> None:
    from sandbox.errors import UserError

    field = _alone(plain, N23, "standing")
    with pytest.raises(UserError, match="no status 'pined'; allowed: standing, prone-pinned"):
        field.becomes("kal", "pined")
    with pytest.raises(UserError, match="there is no fighter 'kol'"):
        field.status("kol")


def test_overlays_come_on_top(plain: Board) -> None:
    (path,) = _alone(plain, N23, "standing").becomes("kal", "pinned+broken").paths()
    assert path.first.statuses == ("prone-pinned", "broken")
    (again,) = _alone(plain, N23, "pinned+broken").becomes("kal", "standing").paths()
    assert again.first.statuses == ("standing", "broken")


def test_a_wreck_is_terrain_and_no_enemy_to_engage(plain: Board) -> None:
    plain.fighter("kal", (0, 0))
    plain.fighter("truck", (R32 + 0.8 + 30 * MM, 0), side="blue", base=60, status="wrecked", tags=["vehicle"])
    field = load(plain, N23)
    assert field.status("kal").choices == ()
    assert field.status("truck").may == ()
