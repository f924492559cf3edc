"""Worked cases about going up and down: 1 to 8."""

from __future__ import annotations

import pytest

from .board import MM, Board, costs

R32 = 16 * MM


@pytest.mark.parametrize("millimetres", [12.7, 13.0])
def test_1_platform_of_half_an_inch(board: Board, millimetres: float) -> None:
    board.box((6, 6, millimetres * MM), (4, 0)).fighter("kal", (-1, 0))
    move = board.ask("kal", "move", 2.5, 0)
    assert move.legal
    assert move.success == 1.0
    kinds = {leg.kind for leg in move.legs}
    if millimetres == 12.7:
        assert kinds == {"walk"}
        assert costs(move.cost, 3.5)
    else:
        assert "climb" in kinds
        assert costs(move.cost, 3.5 + 2 * 13.0 * MM)


def test_2_small_block_is_an_obstacle(board: Board) -> None:
    side = 40 * MM
    board.box((side, side, 1), (0, 0)).fighter("kal", (-side / 2 - 0.7, 0))
    over = board.ask("kal", "move", side / 2 + 0.7, 0)
    assert over.legal
    assert costs(over.cost, side + 1.4 + 1.0)
    assert "cross" in {leg.kind for leg in over.legs}
    on_top = board.ask("kal", "move", 0, 0, 1)
    assert not on_top.legal
    assert on_top.rulings[0].rule == "obstacle_stand"


def test_2_larger_block_is_a_structure(board: Board) -> None:
    side = 60 * MM
    board.box((side, side, 1), (0, 0)).fighter("kal", (-side / 2 - 0.7, 0))
    on_top = board.ask("kal", "move", 0, 0, 1)
    assert on_top.legal
    assert costs(on_top.cost, 0.7 + side / 2 + 2.0)
    assert "climb" in {leg.kind for leg in on_top.legs}


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
    assert double.success == 1.0
    assert costs(double.cost, 7.27)


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


@pytest.mark.parametrize(("out", "climbable"), [(25.4, True), (26.7, False)])
def test_5_deck_over_a_wall(board: Board, out: float, climbable: bool) -> None:
    deck = 4 + 2 * out * MM
    board.box((4, 4, 3), (0, 0)).box((deck, deck, 0.2), (0, 0, 3.0))
    board.fighter("kal", (-deck / 2 - R32, 0))
    top = board.ask("kal", "double-move", -deck / 2 + 0.7, 0, 3.2)
    assert top.legal is climbable
    if climbable:
        assert costs(top.cost, R32 + 0.7 + 6.4)
    else:
        assert top.rulings[0].rule == "overhang"
        assert top.rulings[0].measured == pytest.approx(out * MM, abs=0.008)
        assert top.rulings[0].limit == pytest.approx(1.0)


def test_6_deck_with_nothing_under_its_edge(board: Board) -> None:
    board.box((2, 2, 3), (0, 0)).box((6, 6, 0.2), (0, 0, 3.0))
    board.fighter("kal", (-3 - R32, 0)).fighter("rax", (-3 + R32, 2, 3.2))
    up = board.ask("kal", "double-move", -2, 0, 3.2)
    assert not up.legal
    assert up.rulings
    down = board.ask("rax", "move", -4.2, 2, 0)
    assert down.legal
    assert [leg.kind for leg in down.legs if leg.kind != "walk"] == ["jump-down"]
    assert down.checks[0].modifier == -1
    assert down.success == pytest.approx(2 / 6)


def test_7_wall_too_narrow_to_stand_on(board: Board) -> None:
    board.size = 44
    board.box((0.5, 30, 3), (0, 0)).fighter("kal", (-0.25 - R32, 0))
    on_top = board.ask("kal", "double-move", 0, 0, 3)
    assert not on_top.legal
    beyond = 0.25 + R32 + 0.01
    over = board.ask("kal", "double-move", beyond, 0, 0)
    assert over.legal
    assert costs(over.cost, 0.5 + 4 * R32 / 2 + 0.01 + 6)
    assert over.success == pytest.approx(2 / 6)
    assert over.checks[0].reason == "jump-down"
    assert over.checks[0].modifier == -1


def test_7_climbing_down_again_where_movement_pays(board: Board) -> None:
    board.size = 48
    board.box((0.5, 34, 3), (0, 0)).fighter("kal", (-0.25 - R32, 0), M=7)
    over = board.ask("kal", "double-move", 0.25 + R32 + 0.01, 0, 0)
    assert over.legal
    assert over.success == 1.0
    assert costs(over.cost, 0.51 + 2 * R32 + 12)


@pytest.mark.parametrize(("height", "extra"), [(2.0, 2.0), (2.05, 2 * 4.1)])
def test_8_free_standing_wall(board: Board, height: float, extra: float) -> None:
    board.size = 48
    board.box((0.5, 34, height), (0, 0)).fighter("kal", (-0.25 - R32, 0), M=6)
    over = board.ask("kal", "double-move", 0.25 + R32 + 0.01, 0, 0)
    assert over.legal
    assert over.success == 1.0
    assert costs(over.cost, 0.51 + 2 * R32 + extra)
    assert ("cross" if height == 2.0 else "climb") in {leg.kind for leg in over.legs}
