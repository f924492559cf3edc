"""Worked cases about room for the base and the body: 16 to 23."""

from __future__ import annotations

import pytest

from .board import MM, Board, costs, kinds
from .table import BLIGHT, N17, N23, PACKS, case

R32 = 16 * MM


@case(16, PACKS)
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


@case(17, PACKS)
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
    assert kinds(up) == {"walk"}
    assert costs(up.cost, end - start)
    on_stairs = board.ask("kal", "move", 0.1, 0)
    assert not on_stairs.legal
    assert on_stairs.rulings


@case(
    18,
    [
        (N23, "blue", False),
        (N23, "red", True),
        (N17, "blue", False),
        (N17, "red", False),
        (BLIGHT, "blue", False),
        (BLIGHT, "red", True),
    ],
    "rules, side, passes",
)
def test_18_gantry_with_somebody_on_it(board: Board, rules: str, side: str, passes: bool) -> None:
    board.size = 32
    board.box((20, 63.5 * MM, 3), (0, 0)).fighter("kal", (-3, 0, 3), M=7)
    board.fighter("rax", (0, 0, 3), side=side)
    if rules == BLIGHT and side == "blue":
        # no distance is kept from enemies there, so that past it there must be no room: 63.5 mm are 1.3 mm short of it
        board.terrain[-1]["box"][1] = 63.4 * MM
    beyond = board.ask("kal", "move", 3, 0, 3)
    assert beyond.legal is passes
    if passes:
        assert costs(beyond.cost, 6.0)
        assert not board.ask("kal", "move", 0, 0.1, 3).legal
    elif rules == N23:
        assert beyond.rulings[0].rule in {"keep_distance", "allowance"}
    else:
        assert beyond.rulings


def _door(board: Board, width: float, base: float, at: float = -2.0, **more: float) -> Board:
    """A doorway in a wall 10 mm thick, a fighter before it."""
    # what is not climbed is a wall of Zone Mortalis, or impassable
    board.zone_mortalis = board.rules != BLIGHT
    kind = "impassable" if board.rules == BLIGHT else "wall"
    board.size = 32
    length = 12.0 - width * MM / 2
    for side in (-1, 1):
        board.box((10 * MM, length, 60 * MM), (0, side * (width * MM / 2 + length / 2)), kind=kind)
    return board.fighter("kal", (at, 0), base=base, **more)


DOORS = [(30, 25, True), (30, 32, False), (30, 40, False), (30, 50, False), (24, 50, False)]
"""width and base in mm, whether the base walks through."""


@case(19, PACKS)
@pytest.mark.parametrize(("door", "base", "passes"), DOORS[:4])
def test_19_door(board: Board, door: float, base: float, passes: bool) -> None:
    through = _door(board, door, base).ask("kal", "move", 2, 0)
    assert through.legal is passes
    if passes:
        assert costs(through.cost, 4.0)
    else:
        assert through.cost is None or through.cost > through.allowance
        assert through.rulings


@case(20, PACKS)
def test_20_narrow_door(board: Board) -> None:
    through = _door(board, 24, 50).ask("kal", "move", 2, 0)
    assert not through.legal
    assert through.rulings


@case(19, [(N17, base) for base in (32, 40, 50)], "rules, base")
def test_19_doors_half_a_base_wide_are_crawled_through(board: Board, base: float) -> None:
    radius = base / 2 * MM
    crawl = _door(board, 30, base, -radius - 0.5, M=6).load().moves("kal", "crawl-through")
    through = crawl.to(*board.turned(radius + 0.5, 0))
    assert through.legal
    assert kinds(through) == {"squeeze"}
    assert through.ends_as == "prone-pinned"


@case(20, [N17])
def test_20_doors_narrower_than_half_a_base_are_not(board: Board) -> None:
    radius = 25 * MM
    crawl = _door(board, 24, 50, -radius - 0.5, M=6).load().moves("kal", "crawl-through")
    assert not crawl.to(*board.turned(radius + 0.5, 0)).legal


@case(21, PACKS)
@pytest.mark.parametrize(("width", "passes"), [(33, True), (31, False)])
def test_21_corridor_with_a_right_angle(board: Board, rules: str, width: float, passes: bool) -> None:
    board.zone_mortalis = rules != BLIGHT
    kind = "impassable" if rules == BLIGHT else "wall"
    w = width * MM
    h = 60 * MM
    # the corridor comes from the west along y = 0 and leaves to the north along x = 0
    board.box((6, 1, h), (-3 - w / 2, w / 2 + 0.5), kind=kind)
    board.box((7 + w, 1, h), (-6 - w / 2 + (7 + w) / 2, -w / 2 - 0.5), kind=kind)
    board.box((1, 6, h), (-w / 2 - 0.5, w / 2 + 3), kind=kind)
    board.box((1, 6 + w, h), (w / 2 + 0.5, -w / 2 + (6 + w) / 2), kind=kind)
    board.fighter("kal", (-2.5, 0), M=5)
    around = board.ask("kal", "move", 0, 2.5)
    assert around.legal is passes
    if passes:
        assert 4.0 <= around.cost <= 5.0


@case(22, PACKS)
def test_22_slab_too_low(board: Board) -> None:
    board.box((6, 6, 0.3), (3.5, 0, 1.0)).fighter("kal", (-1.5, 0))
    under = board.ask("kal", "move", 2, 0, 0)
    assert not under.legal
    assert under.rulings[0].rule == "headroom"
    assert under.rulings[0].measured == pytest.approx(1.0, abs=0.008)
    assert under.rulings[0].limit == pytest.approx(1.4)


@case(23, [(N23, 1.0), (N17, 0.5), (BLIGHT, 2.0)], "rules, price")
@pytest.mark.parametrize(("depth", "crosses"), [(25.4, False), (33.0, True)])
def test_23_barrier_before_a_wall(
    board: Board, rules: str, price: float, depth: float, crosses: bool
) -> None:
    d = depth * MM
    board.zone_mortalis = rules != BLIGHT
    kind = "impassable" if rules == BLIGHT else "wall"
    board.size = 32
    board.box((0.5, 20, 1), (0.25, 0), kind="obstacle").box((1, 20, 3), (0.5 + d + 0.5, 0), kind=kind)
    for side in (-1, 1):
        board.box((d, 2, 3), (0.5 + d / 2, side * 9), kind=kind)
    board.fighter("kal", (-1, 0), M=6)
    behind = board.ask("kal", "move", 0.5 + d / 2, 0, 0)
    assert behind.legal is crosses
    if crosses:
        assert costs(behind.cost, 1.5 + d / 2 + price)
    else:
        assert behind.rulings
