"""Danger at a lip: which drops and railings count, whose dice, what gear and skills change."""

from __future__ import annotations

from fractions import Fraction

import pytest
from cases.board import MM, Board

from sandbox.moves.odds_tree import Event

from .boards import BLIGHT, N17, N23, NECROMUNDA, PACKS, R32, deck, fallen, load, the_fall, throws


@pytest.mark.parametrize(
    ("rules", "height", "danger"),
    [(N23, 0.5, False), (N23, 0.6, True), (N17, 0.6, True), (BLIGHT, 1.95, False), (BLIGHT, 2.0, True)],
)
def test_how_deep_a_drop_has_to_be(plain: Board, rules: str, height: float, danger: bool) -> None:
    status = "dazed" if rules == BLIGHT else "pinned"
    tree = load(deck(plain, height, 0.1), rules).becomes("kal", status)
    assert (fallen(tree) > 0) is danger


def test_a_natural_1_falls_whatever_is_added(plain: Board) -> None:
    deck(plain, 3.0, 0.1, I=2).box((2 * MM, 8, 0.6), (-1 * MM, 0, 3), kind="railing")
    tree = load(plain, N23).becomes("kal", "pinned")
    assert tree.throw is not None
    assert tree.throw.modifier == 1
    assert fallen(tree) == Fraction(1, 6)
    assert the_fall(tree).rolled[0][1].faces == (1,)


def test_landing_next_to_a_lip_a_natural_1_is_a_roll_like_any_other(plain: Board) -> None:
    deck(plain, 6.0, 0.0, I=2).box((2 * R32 + 0.4, 8, 3), (R32 + 0.2, 0))
    plain.box((2 * MM, 8, 0.6), (2 * R32 + 0.4 - MM, 0, 3), kind="railing")
    tree = load(plain, N23).falls("kal")
    assert tree.throw is None or tree.chance(lambda p: p.first.fallen > 4) == 0
    # and without the railing one in six falls on
    bare = deck(Board(plain.folder, angle=17.0), 6.0, 0.0, I=2).box((2 * R32 + 0.4, 8, 3), (R32 + 0.2, 0))
    assert load(bare, N23).falls("kal").chance(lambda p: p.first.fallen > 4) == Fraction(1, 6)


def test_a_railing_at_a_landing_helps_unless_the_house_says_no(plain: Board) -> None:
    deck(plain, 6.0, 0.0).box((2 * R32 + 0.4, 8, 3), (R32 + 0.2, 0))
    plain.box((2 * MM, 8, 0.6), (2 * R32 + 0.4 - MM, 0, 3), kind="railing")
    again = {
        setting: load(plain, N23, fall_again_rail=setting).falls("kal").chance(lambda p: p.first.fallen > 4)
        for setting in (True, False)
    }
    assert again == {True: Fraction(1, 3), False: Fraction(1, 2)}


def test_the_nearest_edge_is_the_one_whose_railing_counts(plain: Board) -> None:
    # the corner of a deck: the railed lip is farther off than the open one
    plain.box((6, 6, 3), (-3, -3)).box((2 * MM, 6, 0.6), (-MM, -3, 3), kind="railing")
    plain.fighter("kal", (-R32 - 0.4, -R32 - 0.2, 3)).fighter("rax", (-R32 - 0.2, -R32 - 0.4 - 2.5, 3))
    field = load(plain, N23)
    open_lip, railed = field.becomes("kal", "pinned"), field.becomes("rax", "pinned")
    assert open_lip.throw is not None
    assert railed.throw is not None
    assert (open_lip.throw.modifier, railed.throw.modifier) == (0, 1)


@pytest.mark.parametrize("rules", PACKS)
def test_low_walls_that_are_fused_to_the_deck_are_railings_too(plain: Board, rules: str) -> None:
    deck(plain, 3.0, 0.3).box((2 * MM, 8, 13 * MM), (-MM, 0, 3), kind="structure")
    tree = load(plain, rules).becomes("kal", "dazed" if rules == BLIGHT else "pinned")
    if rules == BLIGHT:
        assert fallen(tree) == 0
    else:
        assert fallen(tree) == Fraction(1, 3)
        assert the_fall(tree).first.fallen == pytest.approx(3.0, abs=0.01)


@pytest.mark.parametrize("rules", NECROMUNDA)
def test_only_going_down_is_a_danger(plain: Board, rules: str) -> None:
    deck(plain, 3.0, 0.1, status="pinned")
    field = load(plain, rules)
    assert fallen(field.becomes("kal", "seriously-injured")) == 0
    assert fallen(field.becomes("kal", "standing")) == 0
    assert fallen(load(deck(Board(plain.folder), 3.0, 0.1), rules).becomes("kal", "seriously-injured")) > 0


def test_a_dazed_unit_that_is_stunned_is_in_danger_again(plain: Board) -> None:
    deck(plain, 3.0, 0.1, status="dazed")
    assert fallen(_blight(plain).becomes("kal", "stunned")) == Fraction(2, 5)
    assert fallen(_blight(plain).becomes("kal", "dazed")) == 0


def _blight(board: Board) -> object:
    for one in board.fighters:
        one["profile"] = {"M": 6, "A": 9}
    return load(board, BLIGHT)


def test_walls_between_a_base_and_a_lip_keep_it(plain: Board) -> None:
    deck(plain, 3.0, 0.3).box((0.1, 8, 4), (-0.1, 0, 3), kind="wall")
    assert fallen(load(plain, N23).becomes("kal", "pinned")) == 0


@pytest.mark.parametrize("rules", NECROMUNDA)
def test_catfall_halves_the_height_and_may_stay_standing(plain: Board, rules: str) -> None:
    skills = ["catfall"] if rules == N23 else []
    field = load(deck(plain, 5.0, 0.1, skills=skills), rules)
    tree = field.falls("kal")
    assert throws(tree) == (["stay-standing"] if skills else [])
    assert all(str(path.first.hits[0]) == "S3 AP- D1" for path in tree.paths())
    standing = tree.chance(lambda p: p.first.statuses == ("standing",))
    assert standing == (Fraction(1, 2) if skills else 0)


@pytest.mark.parametrize("rules", NECROMUNDA)
def test_a_grav_chute_neither_hurts_nor_pins_and_rolls_nothing(plain: Board, rules: str) -> None:
    deck(plain, 9.0, 0.1, gear=["grav-chute"]).box((2 * R32 + 0.4, 8, 3), (R32 + 0.2, 0))
    plain.fighter("rax", (R32 + 0.2, 0.2, 3), side="blue")
    field = load(plain, rules)
    (path,) = field.falls("kal").paths()
    assert path.first.hits == ()
    assert (path.first.statuses, path.first.goes_on) == (("standing",), True)
    assert [end.who for end in path.ends] == ["kal"]
    apart = sum((a - b) ** 2 for a, b in zip(path.first.at, field.fighter("rax").at, strict=True)) ** 0.5
    assert apart >= 2 * R32 + 1.0 - 0.01


def test_flying_units_do_not_fall(plain: Board) -> None:
    assert fallen(load(deck(plain, 3.0, 0.1, skills=["flying"]), BLIGHT).becomes("kal", "dazed")) == 0


@pytest.mark.parametrize(("wounds", "status", "lost"), [(1, "incapacitated", 0), (2, "stunned", 1)])
def test_a_second_wound_is_lost_instead_of_the_game(
    plain: Board, wounds: int, status: str, lost: int
) -> None:
    deck(plain, 3.0, 0.1)
    plain.fighters[0]["profile"] = {"M": 6, "A": 9, "W": wounds}
    worst = load(plain, BLIGHT).falls("kal").resolve(lambda throw: 20)
    assert (worst.first.statuses, worst.first.wounds_lost, worst.first.out) == ((status,), lost, wounds == 1)
    assert len(worst.events(Event.WOUND)) == lost
    mildest = load(plain, BLIGHT).falls("kal").resolve(lambda throw: 1)
    assert (mildest.first.statuses, mildest.first.wounds_lost) == (("standing",), 0)


def test_a_mishap_never_makes_a_state_milder(plain: Board) -> None:
    deck(plain, 3.0, 0.1, status="stunned")
    plain.fighters[0]["profile"] = {"M": 6, "A": 9}
    tree = load(plain, BLIGHT).falls("kal")
    assert {path.first.statuses for path in tree.paths()} == {("stunned",), ("incapacitated",)}


def test_a_vehicle_that_falls_is_for_the_players(plain: Board) -> None:
    deck(plain, 6.1, 0.1, base=60, status="mobile", tags=["vehicle"])
    (path,) = load(plain, N23).falls("kal").paths()
    (control,) = path.events(Event.PLAYERS)
    assert "at -3" in control.text
    assert path.first.statuses == ("mobile",)


@pytest.mark.parametrize("rules", PACKS)
def test_asking_changes_nothing(plain: Board, rules: str) -> None:
    field = load(deck(plain, 3.0, 0.1), rules)
    before = field.fighters
    first = field.becomes("kal", "pinned").to_json()
    assert field.becomes("kal", "pinned").to_json() == first
    assert field.fighters == before
