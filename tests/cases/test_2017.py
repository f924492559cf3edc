"""Worked cases under necromunda-2017, where they differ from necromunda-2023 and where they do not."""

from __future__ import annotations

import numpy as np
import pytest

from .board import MM, Board, costs

R32 = 16 * MM


@pytest.fixture
def yard(board: Board) -> Board:
    """An empty board of the 2017 pack."""
    board.rules = "necromunda-2017"
    return board


def kinds(move) -> set[str]:  # type: ignore[no-untyped-def]
    """The kinds of legs."""
    return {leg.kind for leg in move.legs}


@pytest.mark.parametrize("millimetres", [12.7, 13.0])
def test_1_platform_of_half_an_inch(yard: Board, millimetres: float) -> None:
    yard.box((6, 6, millimetres * MM), (4, 0)).fighter("kal", (-1, 0))
    move = yard.ask("kal", "move", 2.5, 0)
    assert move.legal
    assert costs(move.cost, 3.5 if millimetres == 12.7 else 3.5 + 2 * 13.0 * MM)


@pytest.mark.parametrize("side", [40 * MM, 60 * MM])
def test_2_blocks_wider_than_an_inch_and_a_half_are_climbed(yard: Board, side: float) -> None:
    yard.box((side, side, 1), (0, 0)).fighter("kal", (-side / 2 - 0.7, 0), M=6)
    on_top = yard.ask("kal", "move", 0, 0, 1)
    assert on_top.legal
    assert kinds(on_top) >= {"climb"}
    assert costs(on_top.cost, 0.7 + side / 2 + 2.0)


@pytest.mark.parametrize("thick", [0.5, 1.0, 1.5])
def test_2_obstacles_are_difficult_for_their_thickness(yard: Board, thick: float) -> None:
    yard.box((thick, 12, 1), (0, 0), kind="obstacle").fighter("kal", (-1.5 - thick / 2, 0), M=8)
    over = yard.ask("kal", "move", 1.5 + thick / 2, 0)
    assert over.legal
    assert "cross" in kinds(over)
    assert costs(over.cost, 3.0 + 2 * thick)


def test_2_clamber_crosses_small_obstacles_for_nothing(yard: Board) -> None:
    yard.box((0.9, 12, 0.9), (0, 0)).fighter("kal", (-1.5, 0), skills=["clamber"])
    assert costs(yard.ask("kal", "move", 1.5, 0).cost, 3.0)


def test_3_three_inch_block(yard: Board) -> None:
    yard.box((8, 8, 3), (4, 0)).fighter("kal", (-R32, 0))
    single = yard.ask("kal", "move", R32 + 0.01, 0, 3)
    assert not single.legal
    double = yard.ask("kal", "double-move", R32 + 0.01, 0, 3)
    assert double.legal
    assert double.allowance == 10.0
    assert costs(double.cost, 7.27)


def test_3_no_stop_mid_climb_between_moves(yard: Board) -> None:
    """The double move is one move of twice the distance, so what costs 6.5 from 3 in on still fits."""
    yard.box((8, 8, 3), (4, 0)).fighter("kal", (-R32 - 2.5, 0))
    assert yard.ask("kal", "double-move", R32 + 0.01, 0, 3).legal


@pytest.mark.parametrize("zone_mortalis", [False, True])
def test_4_wall(yard: Board, zone_mortalis: bool) -> None:
    yard.zone_mortalis = zone_mortalis
    yard.size = 32
    yard.box((2, 20, 60 * MM), (1, 0), kind="wall").fighter("kal", (-R32, 0))
    top = yard.ask("kal", "double-move", 1, 0, 60 * MM)
    assert top.legal is not zone_mortalis
    if not zone_mortalis:
        assert costs(top.cost, R32 + 1 + 4.72)


@pytest.mark.parametrize(("out", "climbable"), [(25.4, True), (26.7, False)])
def test_5_deck_over_a_wall(yard: Board, out: float, climbable: bool) -> None:
    deck = 4 + 2 * out * MM
    yard.box((4, 4, 3), (0, 0)).box((deck, deck, 0.2), (0, 0, 3.0))
    yard.fighter("kal", (-deck / 2 - R32, 0))
    top = yard.ask("kal", "double-move", -deck / 2 + 0.7, 0, 3.2)
    assert top.legal is climbable
    if not climbable:
        assert top.rulings[0].rule == "overhang"
        assert top.rulings[0].setting == "overhang"


def test_6_deck_with_nothing_under_its_edge(yard: Board) -> None:
    yard.box((2, 2, 3), (0, 0)).box((6, 6, 0.2), (0, 0, 3.0))
    yard.fighter("kal", (-3 - R32, 0)).fighter("rax", (-3 + R32, 2, 3.2))
    assert not yard.ask("kal", "double-move", -2, 0, 3.2).legal
    down = yard.ask("rax", "move", -4.2, 2, 0)
    assert down.legal
    assert down.success == pytest.approx(2 / 6)


def test_7_wall_too_narrow_to_stand_on(yard: Board) -> None:
    yard.size = 44
    yard.box((0.5, 30, 3), (0, 0)).fighter("kal", (-0.25 - R32, 0))
    on_top = yard.ask("kal", "double-move", 0, 0, 3)
    assert not on_top.legal
    over = yard.ask("kal", "double-move", 0.25 + R32 + 0.01, 0, 0)
    assert over.legal
    assert costs(over.cost, 0.51 + 2 * R32 + 6)
    assert over.success == pytest.approx(2 / 6)


@pytest.mark.parametrize("height", [2.0, 2.05])
def test_8_free_standing_wall_is_climbed(yard: Board, height: float) -> None:
    yard.size = 48
    yard.box((0.5, 34, height), (0, 0)).fighter("kal", (-0.25 - R32, 0), M=6)
    over = yard.ask("kal", "double-move", 0.25 + R32 + 0.01, 0, 0)
    assert over.legal
    assert over.success == 1.0
    assert "climb" in kinds(over)
    assert costs(over.cost, 0.51 + 2 * R32 + 4 * height)


@pytest.mark.parametrize(
    ("gap", "base", "test"), [(31, 32, False), (33, 32, True), (24.6, 25, False), (25.4, 25, True)]
)
def test_9_gap_about_as_wide_as_the_base(yard: Board, gap: float, base: float, test: bool) -> None:
    g, radius = gap * MM, base / 2 * MM
    yard.box((8, 10, 3), (-4 - g / 2, 0)).box((8, 10, 3), (4 + g / 2, 0))
    yard.fighter("kal", (-g / 2 - radius, 0, 3), base=base)
    over = yard.ask("kal", "move", g / 2 + radius + 0.05, 0, 3)
    assert over.legal
    assert over.success == pytest.approx(0.5 if test else 1.0)


def test_10_leap(yard: Board) -> None:
    yard.box((8, 10, 3), (-5.5, 0)).box((8, 10, 3), (5.5, 0)).fighter("kal", (-1.5 - R32, 0, 3))
    over = yard.ask("kal", "move", 1.5 + R32, 0, 3)
    assert over.legal
    assert costs(over.cost, 4.26)
    assert over.success == pytest.approx(0.5)


def test_10_leaps_go_up_too(yard: Board) -> None:
    """Up an inch and a half over a gap: the height is distance, and the check is the same."""
    yard.box((8, 10, 3), (-5, 0)).box((8, 10, 4.5), (5, 0)).fighter("kal", (-1 - R32, 0, 3), M=6)
    up = yard.ask("kal", "move", 1 + R32, 0, 4.5)
    assert up.legal
    assert costs(up.cost, 2 + 2 * R32 + 1.5)
    assert up.success == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("height", "modifier", "faces"), [(2.0, 0, 3), (2.1, -1, 2), (4.0, -1, 2), (4.1, -2, 1), (6.0, -2, 1)]
)
def test_11_jump_down(yard: Board, height: float, modifier: int, faces: int) -> None:
    yard.box((8, 8, height), (-4, 0)).fighter("kal", (-R32, 0, height))
    down = yard.ask("kal", "move", R32 + 0.02, 0, 0)
    assert down.legal
    assert down.checks[0].modifier == modifier
    assert down.success == pytest.approx(faces / 6)


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
    assert up.success == 1.0
    assert kinds(up) == {"walk"}
    assert not yard.ask("kal", "move", 0.1, 0).legal


@pytest.mark.parametrize("side", ["blue", "red"])
def test_18_nobody_is_passed(yard: Board, side: str) -> None:
    yard.size = 32
    yard.box((20, 63.5 * MM, 3), (0, 0)).fighter("kal", (-3, 0, 3), M=7)
    yard.fighter("rax", (0, 0, 3), side=side)
    assert not yard.ask("kal", "move", 3, 0, 3).legal


@pytest.mark.parametrize(
    ("door", "base", "walks", "crawls"),
    [
        (30, 25, True, False),
        (30, 32, False, True),
        (30, 40, False, True),
        (30, 50, False, True),
        (24, 50, False, False),
    ],
)
def test_19_20_door(yard: Board, door: float, base: float, walks: bool, crawls: bool) -> None:
    yard.zone_mortalis = True
    yard.size = 32
    length = 12 - door * MM / 2
    for side in (-1, 1):
        yard.box((10 * MM, length, 60 * MM), (0, side * (door * MM / 2 + length / 2)), kind="wall")
    radius = base / 2 * MM
    yard.fighter("kal", (-radius - 0.5, 0), base=base, M=6)
    field = yard.load()
    beyond = yard.turned(radius + 0.5, 0)
    assert field.moves("kal", "move").to(*beyond).legal is walks
    through = field.moves("kal", "crawl-through").to(*beyond)
    assert through.legal is crawls
    if crawls:
        assert kinds(through) == {"squeeze"}
        assert through.ends_as == "prone-pinned"


@pytest.mark.parametrize(("width", "passes"), [(33, True), (31, False)])
def test_21_corridor_with_a_right_angle(yard: Board, width: float, passes: bool) -> None:
    yard.zone_mortalis = True
    w, h = width * MM, 60 * MM
    yard.box((6, 1, h), (-3 - w / 2, w / 2 + 0.5), kind="wall")
    yard.box((7 + w, 1, h), (-6 - w / 2 + (7 + w) / 2, -w / 2 - 0.5), kind="wall")
    yard.box((1, 6, h), (-w / 2 - 0.5, w / 2 + 3), kind="wall")
    yard.box((1, 6 + w, h), (w / 2 + 0.5, -w / 2 + (6 + w) / 2), kind="wall")
    yard.fighter("kal", (-2.5, 0))
    assert yard.ask("kal", "move", 0, 2.5).legal is passes


def test_22_slab_too_low(yard: Board) -> None:
    yard.box((6, 6, 0.3), (3.5, 0, 1.0)).fighter("kal", (-1.5, 0))
    assert yard.ask("kal", "move", 2, 0, 0).rulings[0].rule == "headroom"


@pytest.mark.parametrize(("depth", "crosses"), [(25.4, False), (33.0, True)])
def test_23_barrier_before_a_wall(yard: Board, depth: float, crosses: bool) -> None:
    d = depth * MM
    yard.zone_mortalis = True
    yard.size = 32
    yard.box((0.5, 20, 1), (0.25, 0), kind="obstacle").box((1, 20, 3), (0.5 + d + 0.5, 0), kind="wall")
    for side in (-1, 1):
        yard.box((d, 2, 3), (0.5 + d / 2, side * 9), kind="wall")
    yard.fighter("kal", (-1, 0), M=6)
    behind = yard.ask("kal", "move", 0.5 + d / 2, 0, 0)
    assert behind.legal is crosses
    if crosses:
        assert costs(behind.cost, 1.5 + d / 2 + 0.5)


def test_24_an_enemy_closes_a_ductway(yard: Board) -> None:
    yard.zone_mortalis = True
    yard.box((1, 18, 3), (0, 0), kind="wall").ductway("duct", (-0.5, 0), (0.5, 0))
    yard.fighter("kal", (-1.5, 0)).fighter("rax", (0.5 + R32, -0.9 - R32 - 0.2), side="blue")
    through = yard.load().moves("kal", "crawl-through").to(*yard.turned(0.5 + R32 + 0.02, 0.9))
    gap = ((R32) ** 2 + (0.9 + R32 + 0.2) ** 2) ** 0.5 - R32
    assert through.legal is (gap >= 1.0)
    nearer = Board(yard.folder, yard.angle, "necromunda-2017", True)
    nearer.box((1, 18, 3), (0, 0), kind="wall").ductway("duct", (-0.5, 0), (0.5, 0))
    nearer.fighter("kal", (-1.5, 0)).fighter("rax", (0.5 + R32 + 0.9, 0), side="blue")
    closed = nearer.load().moves("kal", "crawl-through").to(*nearer.turned(0.5 + R32 + 0.02, 1.2))
    assert not closed.legal
    assert closed.rulings[0].rule == "ductway_enemy"
    assert closed.rulings[0].measured == pytest.approx(0.9, abs=0.01)


def test_28_difficult_strip(yard: Board) -> None:
    yard.size = 32
    yard.area("difficult", [(-0.75, -12), (0.75, -12), (0.75, 12), (-0.75, 12)]).fighter("kal", (-1.5, 0))
    walked = yard.load().moves("kal", "move").to(*yard.turned(1.5, 0))
    assert walked.legal
    assert costs(walked.cost, 4.5)


def test_29_crawl_is_rounded_up(yard: Board) -> None:
    yard.fighter("kal", (0, 0), status="pinned")
    moves = yard.load().moves("kal", "crawl")
    assert moves.allowance == 3.0
    assert moves.to(*yard.turned(3.0, 0)).legal
    assert not moves.to(*yard.turned(3.05, 0)).legal


@pytest.mark.parametrize("kind", [None, "ramp"])
def test_30_scree(yard: Board, kind: str | None) -> None:
    """30 degrees, between the floor and a deck; without a kind it is scrambled over."""
    rise = 1.5
    run = rise / 0.57735
    yard.size = 32
    yard.ramp(run, 20, rise, (0, 0), kind=kind).box((6, 20, rise), (run / 2 + 3, 0))
    yard.fighter("kal", (-run / 2 - 0.7, 0), M=9)
    field = yard.load()
    up = field.moves("kal", "move").to(*yard.turned(run / 2 + 0.7, 0), rise)
    assert up.legal
    sloped = rise / 0.5
    if kind == "ramp":
        assert kinds(up) == {"walk"}
        assert up.success == 1.0
        assert costs(up.cost, 1.4 + sloped)
    else:
        assert "scramble" in kinds(up)
        assert up.success == pytest.approx(0.5)
        assert [c.reason for c in up.checks] == ["scramble"]
        assert up.cost == pytest.approx(1.4 + 2 * sloped, abs=0.25)
        scramble = next(leg for leg in up.legs if leg.kind == "scramble")
        assert scramble.length == pytest.approx(sloped, abs=0.15)
    assert not field.moves("kal", "move").to(*yard.turned(0, 0)).legal


def test_30_a_scramble_needs_the_movement_for_its_far_side(yard: Board) -> None:
    rise = 1.5
    run = rise / 0.57735
    yard.size = 32
    yard.ramp(run, 20, rise, (0, 0)).box((6, 20, rise), (run / 2 + 3, 0))
    yard.fighter("kal", (-run / 2 - 0.7, 0), M=5)
    short = yard.ask("kal", "move", run / 2 + 0.7, 0, rise)
    assert not short.legal
    assert short.rulings[0].rule == "allowance"


def test_31_ladder_through_a_narrow_hole(yard: Board) -> None:
    hole, thick, top = 25 * MM, 0.2, 3.0
    yard.box((5, 10, thick), (-hole / 2 - 2.5, 0, top - thick))
    yard.box((5, 10, thick), (hole / 2 + 2.5, 0, top - thick))
    for side in (-1, 1):
        length = (10 - hole) / 2
        yard.box((hole, length, thick), (0, side * (hole / 2 + length / 2), top - thick))
    yard.box((0.1, hole, top), (hole / 2 - 0.05, 0), kind="ladder").fighter("kal", (-1.5, 0, 0))
    up = yard.ask("kal", "double-move", 2, 0, top)
    assert up.legal
    assert costs(up.cost, 6.5)


def test_32_charge_by_jumping(yard: Board) -> None:
    yard.box((8, 8, 4), (-4, 0)).fighter("kal", (-R32, 0, 4)).fighter("rax", (2 + R32, 0, 0), side="blue")
    field = yard.load()
    moves = field.moves("kal", "charge", target="rax")
    within = moves.to(*yard.turned(R32 + 0.02, 0), 0)
    assert within.legal  # within an inch is enough
    assert within.success == pytest.approx(2 / 6)
    assert not moves.to(*yard.turned(R32 + 0.02, 2.0), 0).legal
    assert len(moves.spots) > 0
    x, y = yard.turned(2 + R32, 0)
    gap = np.hypot(moves.spots["x"] - x, moves.spots["y"] - y)
    assert (gap - 2 * R32).max() < 1.0
    assert (gap - 2 * R32).max() > 0.8
