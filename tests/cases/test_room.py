"""Worked cases about room for the base and the body: 16 to 23, 28, 29, 31."""

from __future__ import annotations

import pytest

from .board import MM, Board, costs

R32 = 16 * MM


@pytest.mark.parametrize(("base", "stands"), [(25.0, True), (28.5, False), (32.0, False)])
def test_16_ledge(board: Board, base: float, stands: bool) -> None:
    depth = 25.4 * MM
    board.box((8, depth, 3), (0, depth / 2)).box((8, 2, 8), (0, depth + 1))
    stand = board.load().stand(*board.turned(0, depth / 2), 3, base=base)
    assert stand.stands is stands
    if stands:
        assert stand.support == 1.0
    else:
        assert stand.rulings


@pytest.mark.parametrize(("tread", "base"), [(8.3, 25), (10.0, 32)])
def test_17_stairs(board: Board, tread: float, base: float) -> None:
    steps = round(3 / (tread * MM))
    run = rise = steps * tread * MM
    board.stairs(run, 4, rise, steps, (0, 0)).box((6, 6, rise), (run / 2 + 3, 0))
    start, end = -run / 2 - 1, run / 2 + 1.5
    board.fighter("kal", (start, 0), base=base, M=6)
    up = board.ask("kal", "move", end, 0, rise)
    assert up.legal
    assert up.success == 1.0
    assert {leg.kind for leg in up.legs} == {"walk"}
    assert costs(up.cost, end - start)
    on_stairs = board.ask("kal", "move", 0.1, 0)
    assert not on_stairs.legal
    assert on_stairs.rulings


@pytest.mark.parametrize(("side", "passes"), [("blue", False), ("red", True)])
def test_18_gantry_with_somebody_on_it(board: Board, side: str, passes: bool) -> None:
    board.size = 32
    board.box((20, 63.5 * MM, 3), (0, 0)).fighter("kal", (-3, 0, 3), M=7)
    board.fighter("rax", (0, 0, 3), side=side)
    beyond = board.ask("kal", "move", 3, 0, 3)
    assert beyond.legal is passes
    if passes:
        assert costs(beyond.cost, 6.0)
        assert not board.ask("kal", "move", 0, 0.1, 3).legal
    else:
        assert beyond.rulings[0].rule in {"keep_distance", "allowance"}


def _door(board: Board, width: float, base: float) -> Board:
    board.zone_mortalis = True
    board.size = 32
    half = 12.0
    length = half - width * MM / 2
    for side in (-1, 1):
        board.box((10 * MM, length, 60 * MM), (0, side * (width * MM / 2 + length / 2)), kind="wall")
    return board.fighter("kal", (-2, 0), base=base)


@pytest.mark.parametrize(
    ("door", "base", "passes"),
    [(30, 25, True), (30, 32, False), (30, 40, False), (30, 50, False), (24, 50, False)],
)
def test_19_20_door(board: Board, door: float, base: float, passes: bool) -> None:
    through = _door(board, door, base).ask("kal", "move", 2, 0)
    assert through.legal is passes
    if passes:
        assert costs(through.cost, 4.0)
    else:
        assert through.cost is None or through.cost > 5.0
        assert through.rulings


@pytest.mark.parametrize(("width", "passes"), [(33, True), (31, False)])
def test_21_corridor_with_a_right_angle(board: Board, width: float, passes: bool) -> None:
    board.zone_mortalis = True
    w = width * MM
    h = 60 * MM
    # the corridor comes from the west along y = 0 and leaves to the north along x = 0
    board.box((6, 1, h), (-3 - w / 2, w / 2 + 0.5), kind="wall")
    board.box((7 + w, 1, h), (-6 - w / 2 + (7 + w) / 2, -w / 2 - 0.5), kind="wall")
    board.box((1, 6, h), (-w / 2 - 0.5, w / 2 + 3), kind="wall")
    board.box((1, 6 + w, h), (w / 2 + 0.5, -w / 2 + (6 + w) / 2), kind="wall")
    board.fighter("kal", (-2.5, 0))
    around = board.ask("kal", "move", 0, 2.5)
    assert around.legal is (passes)
    if passes:
        assert 4.0 <= around.cost <= 5.0


def test_22_slab_too_low(board: Board) -> None:
    board.box((6, 6, 0.3), (3.5, 0, 1.0)).fighter("kal", (-1.5, 0))
    under = board.ask("kal", "move", 2, 0, 0)
    assert not under.legal
    assert under.rulings[0].rule == "headroom"
    assert under.rulings[0].measured == pytest.approx(1.0, abs=0.008)
    assert under.rulings[0].limit == pytest.approx(1.4)


@pytest.mark.parametrize(("depth", "crosses"), [(25.4, False), (33.0, True)])
def test_23_barrier_before_a_wall(board: Board, depth: float, crosses: bool) -> None:
    d = depth * MM
    board.zone_mortalis = True
    board.size = 32
    board.box((0.5, 20, 1), (0.25, 0), kind="obstacle").box((1, 20, 3), (0.5 + d + 0.5, 0), kind="wall")
    for side in (-1, 1):
        board.box((d, 2, 3), (0.5 + d / 2, side * 9), kind="wall")
    board.fighter("kal", (-1, 0), M=6)
    behind = board.ask("kal", "move", 0.5 + d / 2, 0, 0)
    assert behind.legal is crosses
    if crosses:
        assert costs(behind.cost, 1.5 + d / 2 + 1.0)
    else:
        assert behind.rulings


def test_28_difficult_strip(board: Board) -> None:
    board.size = 32
    board.area("difficult", [(-0.75, -12), (0.75, -12), (0.75, 12), (-0.75, 12)]).fighter("kal", (-1.5, 0))
    across = board.ask("kal", "move", 1.5, 0)
    assert across.legal
    assert costs(across.cost, 3.0 + 1.5)


def test_29_crawl(board: Board) -> None:
    board.fighter("kal", (0, 0), status="pinned")
    field = board.load()
    moves = field.moves("kal", "crawl")
    assert moves.allowance == pytest.approx(2.5)
    assert moves.to(*board.turned(2.5, 0)).legal
    assert not moves.to(*board.turned(2.55, 0)).legal


def test_31_ladder_through_a_narrow_hole(board: Board) -> None:
    hole = 25 * MM
    thick = 0.2
    top = 3.0
    # a deck of four slabs around the hole, on posts far away, a ladder on the hole's eastern side
    board.box((5, 10, thick), (-hole / 2 - 2.5, 0, top - thick))
    board.box((5, 10, thick), (hole / 2 + 2.5, 0, top - thick))
    for side in (-1, 1):
        length = (10 - hole) / 2
        board.box((hole, length, thick), (0, side * (hole / 2 + length / 2), top - thick))
    board.box((0.1, hole, top), (hole / 2 - 0.05, 0), kind="ladder")
    board.fighter("kal", (-1.5, 0, 0))
    up = board.ask("kal", "double-move", 2, 0, top)
    assert up.legal
    assert up.success == 1.0
    assert "ladder" in {leg.kind for leg in up.legs}
    assert costs(up.cost, 3.5 + 3.0)


@pytest.mark.parametrize(("side", "free"), [(1, True), (-1, False)])
def test_24_an_enemy_near_the_far_mouth_of_a_ductway(board: Board, side: int, free: bool) -> None:
    """0.9" from the mouth to one side; the place on the other side, more than an inch from it, is open."""
    board.zone_mortalis = True
    board.box((1, 18, 3), (0, 0), kind="wall").ductway("duct", (-0.5, 0), (0.5, 0))
    board.fighter("kal", (-1.5, 0)).fighter("rax", (0.5 + R32 + 0.02, -0.9 - R32), side="blue")
    through = board.load().moves("kal", "crawl-through", target="duct")
    move = through.to(*board.turned(0.5 + R32 + 0.02, side * 0.75))
    assert move.legal is free
    if not free:
        assert move.rulings[0].rule in {"keep_distance", "no_overlap"}


@pytest.mark.parametrize(("thick", "fits"), [(50.0, True), (54.0, False)])
def test_25_ductway_through_a_thick_wall(board: Board, thick: float, fits: bool) -> None:
    board.zone_mortalis = True
    half = thick * MM / 2
    board.box((2 * half, 18, 3), (0, 0), kind="wall").ductway("duct", (-half, 0), (half, 0))
    board.fighter("kal", (-half - R32 - 0.4, 0))
    through = board.load().moves("kal", "crawl-through").to(*board.turned(half + R32 + 0.4, 0))
    assert through.legal is fits
    if not fits:
        assert through.rulings[0].rule == "ductway_length"
        assert through.rulings[0].measured == pytest.approx(54 * MM, abs=0.005)


@pytest.mark.parametrize("kind", [None, "ramp"])
def test_30_scree_is_walked_and_not_ended_on(board: Board, kind: str | None) -> None:
    board.size = 32
    rise = 1.5
    run = rise / 0.57735
    board.ramp(run, 20, rise, (0, 0), kind=kind).box((6, 20, rise), (run / 2 + 3, 0))
    board.fighter("kal", (-run / 2 - 0.7, 0), M=9)
    field = board.load()
    up = field.moves("kal", "move").to(*board.turned(run / 2 + 0.7, 0), rise)
    assert up.legal
    assert {leg.kind for leg in up.legs} == {"walk"}
    assert costs(up.cost, 1.4 + rise / 0.5)
    on_it = field.moves("kal", "move").to(*board.turned(0, 0))
    assert not on_it.legal
    assert on_it.rulings[0].rule == "stand_slope"
    assert on_it.cost is not None
