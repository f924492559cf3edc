"""Where a fall ends: on somebody, next to somebody, too near an enemy, nowhere."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

import pytest
from cases.board import MM, Board

import sandbox
from sandbox.moves.falling_ground import Near, Site
from sandbox.moves.odds_tree import Event

from .boards import BLIGHT, N17, N23, NECROMUNDA, PACKS, R32, deck, fallen, load, the_fall, throws


def _apart(a: tuple[float, float, float], b: tuple[float, float, float], bases: float = 64) -> float:
    """Gap of two round bases in plan, inches; bases: their diameters together, mm."""
    return math.dist(a[:2], b[:2]) - bases / 2 * MM


def _under(board: Board, height: float, side: str = "blue", **more: object) -> Board:
    """Somebody below the lip, half under where the faller comes down."""
    deck(board, height, 0.3)
    return board.fighter("rax", (R32 + 0.4, 0.2, 0), side=side, **more)


def test_landing_on_an_enemy_hits_and_pins_both_and_parts_them(board: Board) -> None:
    field = load(_under(board, 4.0), N23)
    tree = field.falls("kal")
    (path,) = tree.paths()
    kal, rax = path.ends
    assert (rax.who, rax.statuses, [str(h) for h in rax.hits]) == ("rax", ("prone-pinned",), ["S3 AP- D1"])
    assert kal.hits == rax.hits
    assert (kal.statuses, kal.goes_on) == (("prone-pinned",), False)
    moved = path.events(Event.MOVED)
    assert "unless one of the two is Seriously Injured" in moved[0].text
    assert _apart(kal.at, rax.at) == pytest.approx(1.0, abs=0.02)
    assert rax.at == field.fighter("rax").at


def test_landing_on_a_friend_leaves_the_two_touching_at_most(board: Board) -> None:
    field = load(_under(board, 4.0, side="red"), N23)
    (path,) = field.falls("kal").paths()
    kal, rax = path.ends
    assert kal.hits == rax.hits != ()
    assert path.events(Event.MOVED) == ()
    assert _apart(kal.at, rax.at) == pytest.approx(0.0, abs=0.02)
    # the shortest way off the other: straight away from its centre, but not back into the deck
    came_down = (R32, 0.0)
    x, y = kal.at[0] - board.size / 2, kal.at[1] - board.size / 2
    a = math.radians(-board.angle)
    here = (x * math.cos(a) - y * math.sin(a), x * math.sin(a) + y * math.cos(a))
    best = min(
        math.dist((R32 + 0.4 + 2 * R32 * math.cos(t), 0.2 + 2 * R32 * math.sin(t)), came_down)
        for t in (math.radians(d / 10) for d in range(3600))
        if R32 + 0.4 + 2 * R32 * math.cos(t) >= R32
    )
    assert math.dist(here, came_down) == pytest.approx(best, abs=0.06)


def test_a_short_fall_onto_somebody_pins_without_a_hit(plain: Board) -> None:
    (path,) = load(_under(plain, 2.5), N23).falls("kal").paths()
    assert [end.hits for end in path.ends] == [(), ()]
    assert path.ends[1].statuses == ("prone-pinned",)
    assert "unless" not in path.events(Event.MOVED)[0].text


def test_who_lies_already_keeps_its_status_when_fallen_on(plain: Board) -> None:
    (path,) = load(_under(plain, 4.0, status="prone-seriously-injured"), N23).falls("kal").paths()
    assert path.ends[1].statuses == ("prone-seriously-injured",)
    assert path.ends[1].hits
    assert path.events(Event.MOVED) == ()


def test_who_is_fallen_on_next_to_a_lip_checks_too(plain: Board) -> None:
    deck(plain, 7.0, 0.3).box((2 * R32 + 0.6, 8, 3), (R32 + 0.3, 0))
    plain.fighter("rax", (R32 + 0.2, 2.1 * R32, 3), side="red").fighter(
        "zed", (R32 + 0.2, 0.1, 3), side="red"
    )
    tree = load(plain, N23).falls("kal")
    assert [throw.who for path in tree.paths() for throw, _ in path.rolled].count("zed") > 0
    assert tree.throw is not None
    assert (tree.throw.reason, tree.throw.who) == ("edge", "zed")
    down = tree.chance(lambda p: any(h.who == "zed" for h in p.events(Event.FALL)))
    assert down == Fraction(1, 2)


@pytest.mark.parametrize("rules", PACKS)
def test_a_fall_does_not_count_who_stands_elsewhere(plain: Board, rules: str) -> None:
    deck(plain, 4.0, 0.3).fighter("rax", (4 + R32, 0, 0), side="blue").fighter("zed", (-3, 0, 4), side="blue")
    for path in load(plain, rules).falls("kal").paths():
        assert [end.who for end in path.ends] == ["kal"]


def test_the_community_edition_moves_into_contact_who_comes_down_too_near(plain: Board) -> None:
    deck(plain, 4.0, 0.3).fighter("rax", (3 * R32 + 0.5, 0, 0), side="blue")
    field = load(plain, N17)
    tree = field.falls("kal")
    (path,) = tree.paths()
    assert _apart(path.first.at, field.fighter("rax").at) == pytest.approx(0.0, abs=0.001)
    assert "contact with rax" in path.events(Event.MOVED)[0].text
    # lying next to a standing enemy it is engaged, and gets up at no cost
    assert path.first.statuses == ("standing",)
    assert path.events(Event.STANDS_UP)[0].who == "kal"


def test_the_core_rules_move_away_who_comes_down_too_near(plain: Board) -> None:
    deck(plain, 4.0, 0.3).fighter("rax", (3 * R32 + 0.5, 0, 0), side="blue")
    field = load(plain, N23)
    (path,) = field.falls("kal").paths()
    assert _apart(path.first.at, field.fighter("rax").at) == pytest.approx(1.0, abs=0.02)
    assert path.events(Event.LANDS_ON) == ()
    assert path.first.statuses == ("prone-pinned",)


def test_an_injured_enemy_is_not_moved_away_from(plain: Board) -> None:
    deck(plain, 4.0, 0.3)
    plain.fighter("rax", (3 * R32 + 0.5, 0, 0), side="blue", status="prone-seriously-injured")
    (path,) = load(plain, N23).falls("kal").paths()
    assert path.events(Event.MOVED) == ()


def test_blightmeer_places_a_faller_next_to_who_is_below_and_engages_nobody(board: Board) -> None:
    field = load(_under(board, 4.0), BLIGHT)
    tree = field.falls("kal")
    for path in tree.paths():
        assert [end.who for end in path.ends] == ["kal"]
        if path.first.at is not None:
            assert 0.02 < _apart(path.first.at, field.fighter("rax").at) < 0.06
    assert throws(tree) == ["mishap"]


def test_blightmeer_rolls_a_direction_where_the_place_is_ambiguous(plain: Board) -> None:
    # straight above the other: every direction that is open is as near
    field = load(_straight_above(plain), BLIGHT)
    tree = field.falls("zed")
    assert tree.throw is not None
    assert (tree.throw.dice, tree.throw.rule) == ("direction", "placed_beside")
    shares = [branch.chance for branch in tree.branches]
    assert len(shares) >= 3
    assert shares == [Fraction(1, len(shares))] * len(shares)
    places = {branch.tree.happens[0].at for branch in tree.branches}
    assert len(places) == len(shares)


def _straight_above(board: Board) -> Board:
    """A faller that comes down exactly on the middle of somebody."""
    lip = 6.0
    board.box((3, 6, 4), (lip - 1.5, 0))
    board.fighter("zed", (lip - R32 - 0.1, 0, 4)).fighter("low", (lip + R32, 0, 0), side="blue")
    return board


@pytest.mark.parametrize(
    ("rules", "words"),
    [(N23, "Out of Action"), (N17, "lasting injury"), (BLIGHT, "Out of Action")],
)
def test_nothing_below_is_the_end(plain: Board, rules: str, words: str) -> None:
    tree = load(deck(plain, 3.0, 0.3), rules, ground="pit").falls("kal")
    (path,) = tree.paths()
    assert path.first.out
    assert path.first.at is None
    (out,) = path.events(Event.OUT)
    assert words in out.text
    assert out.rule == "fall_nowhere"


def test_nowhere_to_rest_is_the_end(plain: Board) -> None:
    # a shaft with a floor as narrow as a hand, between walls
    deck(plain, 6.0, 0.1)
    plain.box((6, 8, 9), (3.8, 0)).box((0.8, 0.4, 3), (0.4, 0))
    field = load(plain, N23, ground="pit")
    (path,) = field.falls("kal").paths()
    assert path.first.out


def test_house_rules_may_let_the_players_agree(plain: Board) -> None:
    field = load(deck(plain, 3.0, 0.3), N23, ground="pit", fall_nowhere="nothing")
    (path,) = field.falls("kal").paths()
    assert not path.first.out
    assert path.events(Event.PLAYERS)


@pytest.mark.parametrize("rules", NECROMUNDA)
def test_falling_into_a_pitfall_is_the_end(plain: Board, rules: str) -> None:
    deck(plain, 3.0, 0.3).area("pitfall", [(0, -4), (4, -4), (4, 4), (0, 4)], z=(-0.1, 0.1))
    (path,) = load(plain, rules).falls("kal").paths()
    assert path.first.out
    assert path.events(Event.OUT)[0].rule == "pitfall_fail"


def test_a_faller_that_cannot_stand_is_shifted_to_where_it_can(board: Board) -> None:
    # rubble too narrow to stand on lies under the lip; it slides off onto the floor
    deck(board, 5.0, 0.2).box((0.6, 0.6, 1.0), (R32, 0), kind="structure")
    (path,) = load(board, N23).falls("kal").paths()
    assert path.first.at[2] == pytest.approx(0.0, abs=0.01)
    assert path.first.fallen == pytest.approx(5.0, abs=0.01)
    assert [str(h) for h in path.first.hits] == ["S3 AP- D1"]


def test_shifts_end_where_the_pack_says(plain: Board) -> None:
    deck(plain, 5.0, 0.2).box((4, 8, 1.0), (2, 0), kind="obstacle")
    assert load(plain, N23).falls("kal").chance(lambda p: p.first.out) == 1
    assert load(plain, N23, fall_landing=6.0).falls("kal").chance(lambda p: p.first.out) == 0


@pytest.mark.parametrize("rules", PACKS)
def test_the_chances_of_every_tree_add_up_to_one(plain: Board, rules: str) -> None:
    field = load(_under(plain, 6.0), rules)
    for tree in (field.falls("kal"), field.becomes("kal", "pinned")):
        assert sum(path.chance for path in tree.paths()) == 1
    assert 0 < fallen(field.becomes("kal", "pinned")) < 1


def test_dice_lead_one_way_through_a_tree(plain: Board) -> None:
    tree = load(deck(plain, 3.0, 0.3), N23).becomes("kal", "pinned")
    assert [tree.resolve(lambda throw, d=d: d).first.fallen > 0 for d in range(1, 7)] == [True] * 3 + [
        False
    ] * 3
    assert tree.resolve(lambda throw: 2).chance == the_fall(tree).chance
    with pytest.raises(ValueError, match="D6 does not show 7"):
        tree.resolve(lambda throw: 7)


NARROW = """
name: A narrow deck
board: {size: [20, 24]}
terrain:
  - {id: deck, box: [2.6, 2.2, 2.5], at: [7.3, 12]}
fighters:
  - {id: kal, side: red, at: [7.9, 11.8, 2.5], profile: {M: 5, I: 4}}
  - {id: rax, side: blue, at: [6.6, 12.2, 2.5], profile: {M: 5, I: 4}}
"""


def test_who_is_moved_apart_stays_on_its_floor(tmp_path: Path) -> None:
    """An inch off there is no room on the deck: below it there is, but only a fall leads there."""
    (tmp_path / "narrow.yaml").write_text(NARROW)
    field = sandbox.load(tmp_path / "narrow.yaml")
    kal, rax = (field.fighter(name) for name in ("kal", "rax"))
    near = [Near(rax.base, rax.height, 1.0)]
    site = Site(field)
    below = site.rest(kal.rules, kal.base, kal.height, kal.at, near)
    assert below is not None
    assert below[2] == pytest.approx(0.0)
    assert site.rest(kal.rules, kal.base, kal.height, kal.at, near, level=True) is None
