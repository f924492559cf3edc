"""Worked cases under blightmeer."""

from __future__ import annotations

import pytest

from .board import MM, Board, costs

R32 = 16 * MM
P = 12 / 20
"""chance of an Agility Check of 9."""


@pytest.fixture
def yard(board: Board) -> Board:
    """An empty board of blightmeer."""
    board.rules = "blightmeer"
    return board


def kinds(move) -> set[str]:  # type: ignore[no-untyped-def]
    """The kinds of legs."""
    return {leg.kind for leg in move.legs}


@pytest.mark.parametrize("millimetres", [12.7, 13.0, 25.4])
def test_1_steps_up_to_an_inch_are_free(yard: Board, millimetres: float) -> None:
    yard.box((6, 6, millimetres * MM), (4, 0)).fighter("kal", (-1, 0), M=6)
    move = yard.ask("kal", "move", 2.5, 0)
    assert move.legal
    assert kinds(move) == {"walk"}
    assert costs(move.cost, 3.5)


@pytest.mark.parametrize("side", [40 * MM, 60 * MM])
def test_2_block_of_an_inch_is_stepped_onto(yard: Board, side: float) -> None:
    yard.box((side, side, 1), (0, 0)).fighter("kal", (-side / 2 - 0.7, 0), M=6)
    on_top = yard.ask("kal", "move", 0, 0, 1)
    assert on_top.legal
    assert on_top.success == 1.0
    assert costs(on_top.cost, 0.7 + side / 2)


def test_3_climb_is_a_check(yard: Board) -> None:
    yard.box((8, 8, 3), (4, 0)).fighter("kal", (-R32, 0), M=6)
    up = yard.ask("kal", "move", R32 + 0.01, 0, 3)
    assert up.legal
    assert costs(up.cost, 4.27)
    assert up.success == pytest.approx(P)
    assert [c.reason for c in up.checks] == ["climb"]
    assert up.checks[0].needed == 9
    assert up.checks[0].on_fail.height is None
    assert "stays" in up.checks[0].on_fail.happens


@pytest.mark.parametrize(("out", "climbable"), [(25.4, True), (26.7, False)])
def test_5_deck_over_a_wall(yard: Board, out: float, climbable: bool) -> None:
    deck = 4 + 2 * out * MM
    yard.box((4, 4, 3), (0, 0)).box((deck, deck, 0.2), (0, 0, 3.0))
    yard.fighter("kal", (-deck / 2 - R32, 0), M=9)
    assert yard.ask("kal", "move", -deck / 2 + 0.7, 0, 3.2).legal is climbable


def test_6_deck_with_nothing_under_its_edge(yard: Board) -> None:
    yard.box((2, 2, 3), (0, 0)).box((6, 6, 0.2), (0, 0, 3.0))
    yard.fighter("kal", (-3 - R32, 0), M=9).fighter("rax", (-3 + R32, 2, 3.2), M=6)
    assert not yard.ask("kal", "move", -2, 0, 3.2).legal
    down = yard.ask("rax", "move", -4.2, 2, 0)
    assert down.legal
    assert down.success == pytest.approx(P)


def test_7_over_a_thin_wall(yard: Board) -> None:
    yard.size = 44
    yard.box((0.5, 30, 3), (0, 0)).fighter("kal", (-0.25 - R32, 0), M=6)
    assert not yard.ask("kal", "move", 0, 0, 3).legal
    over = yard.ask("kal", "move", 0.25 + R32 + 0.01, 0, 0)
    assert over.legal
    assert costs(over.cost, 0.51 + 2 * R32 + 3)
    assert over.success == pytest.approx(P * P)
    assert [c.reason for c in over.checks] == ["climb", "jump-down"]


@pytest.mark.parametrize("height", [2.0, 2.05])
def test_8_walls_above_an_inch_are_climbed(yard: Board, height: float) -> None:
    yard.size = 48
    yard.box((0.5, 34, height), (0, 0), kind="wall").fighter("kal", (-0.25 - R32, 0), M=6)
    over = yard.ask("kal", "move", 0.25 + R32 + 0.01, 0, 0)
    assert over.legal
    assert "climb" in kinds(over)
    assert over.success == pytest.approx(P * P)


def test_8_fences_up_to_an_inch_are_difficult(yard: Board) -> None:
    yard.size = 32
    yard.box((0.4, 26, 0.9), (0, 0)).fighter("kal", (-1.5, 0), M=6)
    field = yard.load()
    over = field.moves("kal", "move").to(*yard.turned(1.5, 0))
    assert over.legal
    assert costs(over.cost, 3.0 + 2.0)
    assert not field.moves("kal", "move").to(*yard.turned(2.6, 0)).legal
    assert field.moves("kal", "move").to(*yard.turned(2.4, 0)).legal
    on_top = field.moves("kal", "move").to(*yard.turned(0, 0))
    assert not on_top.legal


@pytest.mark.parametrize("base", [25, 32])
@pytest.mark.parametrize(("gap", "test"), [(25.4, False), (26.0, True)])
def test_9_an_inch_is_crossed_by_every_base(yard: Board, gap: float, test: bool, base: float) -> None:
    g, radius = gap * MM, base / 2 * MM
    yard.box((8, 10, 3), (-4 - g / 2, 0)).box((8, 10, 3), (4 + g / 2, 0))
    yard.fighter("kal", (-g / 2 - radius, 0, 3), base=base, M=6)
    over = yard.ask("kal", "move", g / 2 + radius + 0.05, 0, 3)
    assert over.legal
    assert over.success == pytest.approx(P if test else 1.0)


@pytest.mark.parametrize(("gap", "possible"), [(3.0, True), (3.05, False)])
def test_10_three_inches_are_the_longest_jump(yard: Board, gap: float, possible: bool) -> None:
    yard.box((8, 10, 3), (-4 - gap / 2, 0)).box((8, 10, 3), (4 + gap / 2, 0))
    yard.fighter("kal", (-gap / 2 - R32, 0, 3), M=6)
    over = yard.ask("kal", "move", gap / 2 + R32, 0, 3)
    assert over.legal is possible
    if possible:
        assert over.success == pytest.approx(P)
    else:
        ruling = over.rulings[0]
        assert ruling.rule == "leap_max"
        assert ruling.measured == pytest.approx(3.05, abs=0.01)
        assert ruling.limit == pytest.approx(3.0)


@pytest.mark.parametrize("height", [2.0, 2.1, 4.0, 6.0])
def test_11_jump_down_is_one_check_whatever_the_height(yard: Board, height: float) -> None:
    yard.box((8, 8, height), (-4, 0)).fighter("kal", (-R32, 0, height), M=6)
    down = yard.ask("kal", "move", R32 + 0.02, 0, 0)
    assert down.legal
    assert down.success == pytest.approx(P)
    assert costs(down.cost, 2 * R32 + 0.02)


def test_11_a_jump_down_lands_freely_within_three_inches(yard: Board) -> None:
    """Over a fence close under the lip, which lies more than two inches below."""
    yard.box((8, 8, 4), (-4, 0)).box((0.5, 8, 0.8), (0.9, 0), kind="obstacle")
    yard.fighter("kal", (-R32, 0, 4), M=6)
    down = yard.ask("kal", "move", 2.0, 0, 0)
    assert down.legal
    assert costs(down.cost, 2.0 + R32)  # the fence is jumped over, not crossed
    assert down.success == pytest.approx(P)


@pytest.mark.parametrize(("base", "stands"), [(25.0, True), (28.5, False), (32.0, False)])
def test_16_ledge(yard: Board, base: float, stands: bool) -> None:
    depth = 25.4 * MM
    yard.box((8, depth, 3), (0, depth / 2)).box((8, 2, 8), (0, depth + 1))
    assert yard.load().stand(*yard.turned(0, depth / 2), 3, base=base).stands is stands


@pytest.mark.parametrize(("tread", "base"), [(8.3, 25), (10.0, 32)])
def test_17_stairs(yard: Board, tread: float, base: float) -> None:
    steps = round(3 / (tread * MM))
    run = rise = steps * tread * MM
    yard.stairs(run, 4, rise, steps, (0, 0)).box((6, 6, rise), (run / 2 + 3, 0))
    yard.fighter("kal", (-run / 2 - 1, 0), base=base, M=6)
    up = yard.ask("kal", "move", run / 2 + 1.5, 0, rise)
    assert up.legal
    assert kinds(up) == {"walk"}
    assert not yard.ask("kal", "move", 0.1, 0).legal


@pytest.mark.parametrize(("side", "passes"), [("blue", False), ("red", True)])
def test_18_friends_are_passed_enemies_not(yard: Board, side: str, passes: bool) -> None:
    yard.size = 32
    yard.box((20, 40 * MM, 3), (0, 0)).fighter("kal", (-3, 0, 3), M=7)
    yard.fighter("rax", (0, 0, 3), side=side)
    assert yard.ask("kal", "move", 3, 0, 3).legal is passes
    assert not yard.ask("kal", "move", 0, 0.1, 3).legal


@pytest.mark.parametrize(("door", "base", "passes"), [(30, 25, True), (30, 32, False), (24, 50, False)])
def test_19_20_door(yard: Board, door: float, base: float, passes: bool) -> None:
    yard.size = 32
    length = 12 - door * MM / 2
    for side in (-1, 1):
        yard.box((10 * MM, length, 60 * MM), (0, side * (door * MM / 2 + length / 2)), kind="impassable")
    yard.fighter("kal", (-2, 0), base=base, M=6)
    assert yard.ask("kal", "move", 2, 0).legal is passes


@pytest.mark.parametrize(("width", "passes"), [(33, True), (31, False)])
def test_21_corridor_with_a_right_angle(yard: Board, width: float, passes: bool) -> None:
    w, h = width * MM, 60 * MM
    yard.box((6, 1, h), (-3 - w / 2, w / 2 + 0.5), kind="impassable")
    yard.box((7 + w, 1, h), (-6 - w / 2 + (7 + w) / 2, -w / 2 - 0.5), kind="impassable")
    yard.box((1, 6, h), (-w / 2 - 0.5, w / 2 + 3), kind="impassable")
    yard.box((1, 6 + w, h), (w / 2 + 0.5, -w / 2 + (6 + w) / 2), kind="impassable")
    yard.fighter("kal", (-2.5, 0))
    assert yard.ask("kal", "move", 0, 2.5).legal is passes


def test_22_slab_too_low(yard: Board) -> None:
    yard.box((6, 6, 0.3), (3.5, 0, 1.0)).fighter("kal", (-1.5, 0), M=6)
    under = yard.ask("kal", "move", 2, 0, 0)
    assert not under.legal
    assert under.rulings[0].rule == "headroom"


@pytest.mark.parametrize(("depth", "crosses"), [(25.4, False), (33.0, True)])
def test_23_barrier_before_a_wall(yard: Board, depth: float, crosses: bool) -> None:
    d = depth * MM
    yard.size = 32
    yard.box((0.5, 20, 1), (0.25, 0), kind="obstacle").box((1, 20, 3), (0.5 + d + 0.5, 0), kind="impassable")
    for side in (-1, 1):
        yard.box((d, 2, 3), (0.5 + d / 2, side * 9), kind="impassable")
    yard.fighter("kal", (-1, 0), M=6)
    behind = yard.ask("kal", "move", 0.5 + d / 2, 0, 0)
    assert behind.legal is crosses
    if crosses:
        assert costs(behind.cost, 1.5 + d / 2 + 2.0)


@pytest.mark.parametrize(("slowed", "reach"), [(False, 7.0), (True, 4.0)])
def test_28_difficult_ground_once(yard: Board, slowed: bool, reach: float) -> None:
    yard.size = 32
    yard.area("difficult", [(-0.75, -15), (0.75, -15), (0.75, 15), (-0.75, 15)])
    yard.fighter("kal", (-1.0, 0), M=9, **({"gear": ["treasure"]} if slowed else {}))
    field = yard.load()
    moves = field.moves("kal", "move")
    assert moves.allowance == (6.0 if slowed else 9.0)
    across = moves.to(*yard.turned(reach - 1.0, 0))
    assert across.legal
    assert costs(across.cost, reach + 2.0)
    assert sum(leg.cost for leg in across.legs) == pytest.approx(across.cost, abs=0.01)
    assert not moves.to(*yard.turned(reach - 0.95, 0)).legal
    # keeping off it, nothing is lost
    assert moves.to(*yard.turned(-1.0 - moves.allowance, 0)).legal


def test_30_scree_is_walked(yard: Board) -> None:
    rise = 1.5
    run = rise / 0.57735
    yard.size = 32
    yard.ramp(run, 20, rise, (0, 0)).box((6, 20, rise), (run / 2 + 3, 0))
    yard.fighter("kal", (-run / 2 - 0.7, 0), M=9)
    up = yard.ask("kal", "move", run / 2 + 0.7, 0, rise)
    assert up.legal
    assert kinds(up) == {"walk"}
    assert costs(up.cost, 1.4 + rise / 0.5)
    assert not yard.ask("kal", "move", 0, 0).legal


@pytest.mark.parametrize("animal", [False, True])
def test_31_ladder_through_a_narrow_hole(yard: Board, animal: bool) -> None:
    hole, thick, top = 25 * MM, 0.2, 3.0
    yard.box((5, 10, thick), (-hole / 2 - 2.5, 0, top - thick))
    yard.box((5, 10, thick), (hole / 2 + 2.5, 0, top - thick))
    for side in (-1, 1):
        length = (10 - hole) / 2
        yard.box((hole, length, thick), (0, side * (hole / 2 + length / 2), top - thick))
    yard.box((0.1, hole, top), (hole / 2 - 0.05, 0), kind="ladder")
    yard.fighter("kal", (-1.5, 0, 0), M=9, tags=["animal"] if animal else [])
    up = yard.ask("kal", "move", 2, 0, top)
    assert up.legal
    assert costs(up.cost, 6.5)
    assert up.success == pytest.approx(P if animal else 1.0)


def test_32_engage_by_jumping_down(yard: Board) -> None:
    yard.box((8, 8, 4), (-4, 0)).fighter("kal", (-R32, 0, 4), M=6).fighter(
        "rax", (2 + R32, 0, 0), side="blue"
    )
    engage = yard.load().moves("kal", "engage", target="rax").to(*yard.turned(2 - R32, 0))
    assert engage.legal
    assert engage.success == pytest.approx(P)
    assert engage.events
