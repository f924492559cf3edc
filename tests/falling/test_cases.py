"""Worked cases 12 to 15, for all three packs: failed jumps, danger at a lip, railings, falls that go on."""

from __future__ import annotations

from fractions import Fraction

import pytest
from cases.board import MM, Board
from cases.table import case

from sandbox.moves.odds_tree import Event

from .boards import BLIGHT, N17, N23, NECROMUNDA, R32, deck, fallen, load, the_fall, throws

DOWN = {N23: "pinned", N17: "pinned", BLIGHT: "dazed"}


@case(12, NECROMUNDA)
@pytest.mark.parametrize("height", [2.0, 3.0])
def test_12_failed_jump(board: Board, rules: str, height: float) -> None:
    field = load(deck(board, height, 0.0), rules)
    odds = field.odds(field.moves("kal", "move").to(*board.turned(R32 + 0.02, 0), 0))
    failed = the_fall(odds)
    assert failed.chance == 1 - odds.success
    assert failed.first.statuses == ("prone-pinned",)
    assert not failed.first.goes_on
    assert failed.first.fallen == pytest.approx(height, abs=0.005)
    assert failed.first.at is not None
    assert failed.first.at[2] == pytest.approx(0.0, abs=0.005)
    assert [str(hit) for hit in failed.first.hits] == (["S3 AP- D1"] if height == 3.0 else [])


@case(12, [(BLIGHT, 2.0, 0), (BLIGHT, 3.0, 2)], "rules, height, addition")
def test_12_failed_jump_in_blightmeer(board: Board, rules: str, height: float, addition: int) -> None:
    field = load(deck(board, height, 0.0), rules)
    odds = field.odds(field.moves("kal", "move").to(*board.turned(R32 + 0.02, 0), 0))
    assert throws(odds) == ["jump-down", "mishap"]
    mishap = next(throw for path in odds.paths() for throw, _ in path.rolled if throw.reason == "mishap")
    assert mishap.modifier == addition
    unhurt = odds.chance(lambda p: bool(p.events(Event.FALL)) and p.first.statuses == ("standing",))
    assert unhurt == (1 - odds.success) * Fraction(11 - addition, 20)


@case(
    13,
    [
        (N23, 0.49, True),
        (N23, 0.51, False),
        (N17, 0.49, True),
        (N17, 0.51, False),
        (BLIGHT, 0.99, True),
        (BLIGHT, 1.01, False),
    ],
    "rules, gap, tested",
)
def test_13_going_down_near_a_lip(board: Board, rules: str, gap: float, tested: bool) -> None:
    tree = load(deck(board, 3.0, gap), rules).becomes("kal", DOWN[rules])
    assert (tree.throw is not None) is tested
    if tested:
        assert fallen(tree) == (Fraction(1, 2) if rules in NECROMUNDA else Fraction(2, 5))
        assert the_fall(tree).first.fallen == pytest.approx(3.0, abs=0.01)
    else:
        assert fallen(tree) == 0
        assert [path.first.at for path in tree.paths()] == [load(board, rules).fighter("kal").at]


@pytest.mark.parametrize(("rail", "bonus"), [(12, 0), (13, 1)])
@case(14, NECROMUNDA)
def test_14_railing(board: Board, rules: str, rail: float, bonus: int) -> None:
    deck(board, 3.0, 0.3).box((2 * MM, 8, rail * MM), (-1 * MM, 0, 3), kind="railing")
    tree = load(board, rules).becomes("kal", DOWN[rules])
    assert tree.throw is not None
    assert tree.throw.modifier == bonus
    assert fallen(tree) == Fraction(3 - bonus, 6)
    # it falls over the railing
    assert the_fall(tree).first.at[2] == pytest.approx(0.0, abs=0.01)


@case(14, [(BLIGHT, rail) for rail in (7, 12, 13)], "rules, rail")
def test_14_railing_in_blightmeer(board: Board, rules: str, rail: float) -> None:
    deck(board, 3.0, 0.3).box((2 * MM, 8, rail * MM), (-1 * MM, 0, 3), kind="railing")
    tree = load(board, rules).becomes("kal", "dazed")
    assert tree.throw is None
    assert fallen(tree) == 0


def _ledge(board: Board) -> Board:
    """A ledge 3" below the fighter's lip: landing there leaves 0.4" to another drop of 3"."""
    deck(board, 6.0, 0.0)
    return board.box((2 * R32 + 0.4, 8, 3), (R32 + 0.2, 0))


@case(15, NECROMUNDA)
def test_15_falling_on(board: Board, rules: str) -> None:
    tree = load(_ledge(board), rules).falls("kal")
    assert throws(tree) == ["fall-again"]
    stays, on = (next(p for p in tree.paths() if len(p.first.hits) == n) for n in (1, 2))
    assert (stays.chance, on.chance) == (Fraction(1, 2), Fraction(1, 2))
    assert [str(hit) for hit in on.first.hits] == ["S3 AP- D1"] * 2
    assert stays.first.at[2] == pytest.approx(3.0, abs=0.01)
    assert on.first.at[2] == pytest.approx(0.0, abs=0.01)
    assert on.first.fallen == pytest.approx(6.0, abs=0.01)


@case(15, [BLIGHT])
def test_15_falling_on_in_blightmeer(board: Board, rules: str) -> None:
    tree = load(_ledge(board), rules).falls("kal")
    assert throws(tree) == ["mishap"]
    assert tree.throw is not None
    assert tree.throw.modifier == 8
    assert [path.first.fallen for path in tree.paths()] == pytest.approx([6.0] * 4, abs=0.01)
    # d20 + 8: 1 to 3 nothing, 4 to 6 Dazed, 7 to 9 Stunned, the rest Incapacitated
    by_status = {
        s: tree.chance(lambda p, s=s: p.first.statuses == (s,))
        for s in ("standing", "dazed", "stunned", "incapacitated")
    }
    assert list(by_status.values()) == [Fraction(3, 20), Fraction(3, 20), Fraction(3, 20), Fraction(11, 20)]
