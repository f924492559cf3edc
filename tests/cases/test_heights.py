"""Worked cases about going up and down: 1 to 8."""

from __future__ import annotations

import pytest

from .board import MM, Board, costs, kinds
from .table import BLIGHT, N17, N23, NECROMUNDA, PACKS, case

R32 = 16 * MM
P = 12 / 20
"""chance of an Agility Check of 9."""
MOVE = {N23: "double-move", N17: "double-move", BLIGHT: "move"}
"""the longest way to walk that each pack has."""


@case(
    1,
    [
        *((rules, 12.7, 0.0) for rules in PACKS),
        *((rules, 13.0, 2 * 13.0 * MM) for rules in NECROMUNDA),
        (BLIGHT, 13.0, 0.0),
        (BLIGHT, 25.4, 0.0),
    ],
    "rules, millimetres, price",
)
def test_1_platform_of_half_an_inch(board: Board, millimetres: float, price: float) -> None:
    board.box((6, 6, millimetres * MM), (4, 0)).fighter("kal", (-1, 0))
    move = board.ask("kal", "move", 2.5, 0)
    assert move.legal
    assert move.success == 1.0
    assert ("climb" in kinds(move)) is (price > 0.0)
    assert costs(move.cost, 3.5 + price)


def test_2_small_block_is_an_obstacle(board: Board) -> None:
    side = 40 * MM
    board.box((side, side, 1), (0, 0)).fighter("kal", (-side / 2 - 0.7, 0))
    over = board.ask("kal", "move", side / 2 + 0.7, 0)
    assert over.legal
    assert costs(over.cost, side + 1.4 + 1.0)
    assert "cross" in kinds(over)
    on_top = board.ask("kal", "move", 0, 0, 1)
    assert not on_top.legal
    assert on_top.rulings[0].rule == "obstacle_stand"


@case(
    2,
    [
        (N23, 60, "climb", 2.0),
        (N17, 40, "climb", 2.0),
        (N17, 60, "climb", 2.0),
        (BLIGHT, 40, "walk", 0.0),
        (BLIGHT, 60, "walk", 0.0),
    ],
    "rules, side, how, price",
)
def test_2_larger_block_is_a_structure(board: Board, side: float, how: str, price: float) -> None:
    half = side * MM / 2
    board.box((2 * half, 2 * half, 1), (0, 0)).fighter("kal", (-half - 0.7, 0), M=6)
    on_top = board.ask("kal", "move", 0, 0, 1)
    assert on_top.legal
    assert on_top.success == 1.0
    assert how in kinds(on_top)
    assert costs(on_top.cost, 0.7 + half + price)


@case(2, [(N17, thick) for thick in (0.5, 1.0, 1.5)], "rules, thick")
def test_2_obstacles_are_difficult_for_their_thickness(board: Board, thick: float) -> None:
    board.box((thick, 12, 1), (0, 0), kind="obstacle").fighter("kal", (-1.5 - thick / 2, 0), M=8)
    over = board.ask("kal", "move", 1.5 + thick / 2, 0)
    assert over.legal
    assert "cross" in kinds(over)
    assert costs(over.cost, 3.0 + 2 * thick)


@case(2, [N17])
def test_2_clamber_crosses_small_obstacles_for_nothing(board: Board) -> None:
    board.box((0.9, 12, 0.9), (0, 0)).fighter("kal", (-1.5, 0), skills=["clamber"])
    assert costs(board.ask("kal", "move", 1.5, 0).cost, 3.0)


@case(3, NECROMUNDA)
def test_3_three_inch_block(board: Board) -> None:
    board.box((8, 8, 3), (4, 0)).fighter("kal", (-R32, 0))
    beyond = R32 + 0.01
    single = board.ask("kal", "move", beyond, 0, 3)
    assert not single.legal
    assert single.success is None
    assert costs(single.cost, 7.27)
    assert single.rulings[0].rule == "allowance"
    assert single.rulings[0].limit == pytest.approx(5.0)
    double = board.ask("kal", "double-move", beyond, 0, 3)
    assert double.legal
    assert double.allowance == 10.0
    assert double.success == 1.0
    assert costs(double.cost, 7.27)


@case(3, [N17])
def test_3_no_stop_mid_climb_between_moves(board: Board) -> None:
    """The double move is one move of twice the distance, so what costs 6.5 from 3 in on still fits."""
    board.box((8, 8, 3), (4, 0)).fighter("kal", (-R32 - 2.5, 0))
    assert board.ask("kal", "double-move", R32 + 0.01, 0, 3).legal


@case(3, [BLIGHT])
def test_3_climb_is_a_check(board: Board) -> None:
    board.box((8, 8, 3), (4, 0)).fighter("kal", (-R32, 0))
    up = board.ask("kal", "move", R32 + 0.01, 0, 3)
    assert up.legal
    assert costs(up.cost, 4.27)
    assert up.success == pytest.approx(P)
    assert [c.reason for c in up.checks] == ["climb"]
    assert up.checks[0].needed == 9
    assert up.checks[0].on_fail.height is None
    assert "stays" in up.checks[0].on_fail.happens


@case(4, NECROMUNDA)
@pytest.mark.parametrize("zone_mortalis", [False, True])
def test_4_wall(board: Board, zone_mortalis: bool) -> None:
    board.zone_mortalis = zone_mortalis
    board.size = 32
    board.box((2, 20, 60 * MM), (1, 0), kind="wall").fighter("kal", (-R32, 0))
    top = board.ask("kal", "double-move", 1, 0, 60 * MM)
    assert top.legal is not zone_mortalis
    if zone_mortalis:
        assert top.cost is None
        assert top.rulings
    else:
        assert costs(top.cost, R32 + 1 + 4.72)


@case(5, PACKS)
@pytest.mark.parametrize(("out", "climbable"), [(25.4, True), (26.7, False)])
def test_5_deck_over_a_wall(board: Board, rules: str, out: float, climbable: bool) -> None:
    deck = 4 + 2 * out * MM
    board.box((4, 4, 3), (0, 0)).box((deck, deck, 0.2), (0, 0, 3.0))
    board.fighter("kal", (-deck / 2 - R32, 0), M=9 if rules == BLIGHT else 5)
    top = board.ask("kal", MOVE[rules], -deck / 2 + 0.7, 0, 3.2)
    assert top.legal is climbable
    if climbable:
        assert costs(top.cost, R32 + 0.7 + (3.2 if rules == BLIGHT else 6.4))
    else:
        assert top.rulings[0].rule == "overhang"
        assert top.rulings[0].setting == "overhang"
        assert top.rulings[0].measured == pytest.approx(26.7 * MM, abs=0.01)


@case(6, [(N23, 2 / 6), (N17, 2 / 6), (BLIGHT, P)], "rules, chance")
def test_6_deck_with_nothing_under_its_edge(board: Board, rules: str, chance: float) -> None:
    board.box((2, 2, 3), (0, 0)).box((6, 6, 0.2), (0, 0, 3.0))
    board.fighter("kal", (-3 - R32, 0), M=9 if rules == BLIGHT else 5)
    board.fighter("rax", (-3 + R32, 2, 3.2))
    up = board.ask("kal", MOVE[rules], -2, 0, 3.2)
    assert not up.legal
    assert up.rulings
    down = board.ask("rax", "move", -4.2, 2, 0)
    assert down.legal
    assert [leg.kind for leg in down.legs if leg.kind != "walk"] == ["jump-down"]
    assert down.success == pytest.approx(chance)


@case(
    7,
    [(N23, 6.0, 2 / 6), (N17, 6.0, 2 / 6), (BLIGHT, 3.0, P * P)],
    "rules, height_price, chance",
)
def test_7_wall_too_narrow_to_stand_on(board: Board, rules: str, height_price: float, chance: float) -> None:
    board.size = 44
    board.box((0.5, 30, 3), (0, 0)).fighter("kal", (-0.25 - R32, 0))
    on_top = board.ask("kal", MOVE[rules], 0, 0, 3)
    assert not on_top.legal
    assert on_top.rulings[0].rule == "narrow"
    over = board.ask("kal", MOVE[rules], 0.25 + R32 + 0.01, 0, 0)
    assert over.legal
    assert costs(over.cost, 0.51 + 2 * R32 + height_price)
    assert over.success == pytest.approx(chance)
    assert over.checks[-1].reason == "jump-down"
    assert over.checks[-1].modifier == (0 if rules == BLIGHT else -1)


@case(7, [(N23, True), (N17, True)], "rules, pays")
def test_7_climbing_down_again_where_movement_pays(board: Board, pays: bool) -> None:
    board.size = 48
    board.box((0.5, 34, 3), (0, 0)).fighter("kal", (-0.25 - R32, 0), M=7)
    over = board.ask("kal", "double-move", 0.25 + R32 + 0.01, 0, 0)
    assert over.legal is pays
    assert over.success == 1.0
    assert costs(over.cost, 0.51 + 2 * R32 + 12)


@case(
    8,
    [
        (N23, 2.0, "cross", 2.0, 1.0),
        (N23, 2.05, "climb", 2 * 4.1, 1.0),
        (N17, 2.0, "climb", 8.0, 1.0),
        (N17, 2.05, "climb", 8.2, 1.0),
        (BLIGHT, 2.0, "climb", None, P * P),
        (BLIGHT, 2.05, "climb", None, P * P),
    ],
    "rules, height, how, extra, chance",
)
def test_8_free_standing_wall(
    board: Board, rules: str, height: float, how: str, extra: float | None, chance: float
) -> None:
    board.size = 48
    board.box((0.5, 34, height), (0, 0)).fighter("kal", (-0.25 - R32, 0), M=6)
    over = board.ask("kal", MOVE[rules], 0.25 + R32 + 0.01, 0, 0)
    assert over.legal
    assert over.success == pytest.approx(chance)
    assert how in kinds(over)
    if extra is not None:
        assert costs(over.cost, 0.51 + 2 * R32 + extra)
    else:
        # up by a check and down by another: by a climb or by a jump, whichever is cheaper
        assert [check.reason for check in over.checks] == ["climb", "jump-down"]
        assert costs(over.cost, 0.51 + 2 * R32 + height)


@case(8, [BLIGHT])
def test_8_fences_up_to_an_inch_are_difficult(board: Board) -> None:
    board.size = 32
    board.box((0.4, 26, 0.9), (0, 0)).fighter("kal", (-1.5, 0))
    field = board.load()
    over = field.moves("kal", "move").to(*board.turned(1.5, 0))
    assert over.legal
    assert costs(over.cost, 3.0 + 2.0)
    assert not field.moves("kal", "move").to(*board.turned(2.6, 0)).legal
    assert field.moves("kal", "move").to(*board.turned(2.4, 0)).legal
    on_top = field.moves("kal", "move").to(*board.turned(0, 0))
    assert not on_top.legal
