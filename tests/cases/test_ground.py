"""Worked cases about ductways, difficult ground, crawling, scree and ladders: 24, 25 and 28 to 31."""

from __future__ import annotations

import pytest

from .board import MM, Board, costs, kinds
from .table import BLIGHT, N17, N23, NECROMUNDA, case

R32 = 16 * MM


def _duct(board: Board, thick: float = 1.0) -> Board:
    """A wall of Zone Mortalis with a ductway through its middle, its mouths `thick` inches apart."""
    board.zone_mortalis = True
    board.box((thick, 18, 3), (0, 0), kind="wall")
    return board.ductway("duct", (-thick / 2, 0), (thick / 2, 0))


@case(24, [(N23, 1, True), (N23, -1, False), (N17, 1, False), (N17, -1, False)], "rules, side, free")
def test_24_an_enemy_near_the_far_mouth_of_a_ductway(board: Board, rules: str, side: int, free: bool) -> None:
    """0.9" from the mouth to one side; the place on the other side, more than an inch from it, is open."""
    _duct(board).fighter("kal", (-1.5, 0))
    # as far from the mouth as it says, whatever its base's shape does
    away = (0.9 + R32) ** 2 - (R32 + 0.02) ** 2
    board.fighter("rax", (0.5 + R32 + 0.02, -(away**0.5)), side="blue")
    through = board.load().moves("kal", "crawl-through", target="duct")
    move = through.to(*board.turned(0.5 + R32 + 0.02, side * 1.2))
    assert move.legal is free
    if rules == N17:
        assert move.rulings[0].rule == "ductway_enemy"
        assert move.rulings[0].measured == pytest.approx(0.9, abs=0.01)
    elif not free:
        assert move.rulings[0].rule in {"keep_distance", "no_overlap"}


@case(24, [N17])
def test_24_an_enemy_an_inch_from_the_mouth_closes_nothing(board: Board) -> None:
    _duct(board).fighter("kal", (-1.5, 0))
    away = (1.02 + R32) ** 2 - (R32 + 0.02) ** 2
    board.fighter("rax", (0.5 + R32 + 0.02, -(away**0.5)), side="blue")
    through = board.load().moves("kal", "crawl-through", target="duct")
    assert through.to(*board.turned(0.5 + R32 + 0.02, 1.2)).legal


@case(25, NECROMUNDA)
@pytest.mark.parametrize(("thick", "fits"), [(50.0, True), (54.0, False)])
def test_25_ductway_through_a_thick_wall(board: Board, thick: float, fits: bool) -> None:
    half = thick * MM / 2
    _duct(board, 2 * half).fighter("kal", (-half - R32 - 0.4, 0))
    through = board.load().moves("kal", "crawl-through").to(*board.turned(half + R32 + 0.4, 0))
    assert through.legal is fits
    if not fits:
        assert through.rulings[0].rule == "ductway_length"
        assert through.rulings[0].measured == pytest.approx(54 * MM, abs=0.005)


@case(28, NECROMUNDA)
def test_28_difficult_strip(board: Board) -> None:
    board.size = 32
    board.area("difficult", [(-0.75, -12), (0.75, -12), (0.75, 12), (-0.75, 12)]).fighter("kal", (-1.5, 0))
    across = board.ask("kal", "move", 1.5, 0)
    assert across.legal
    assert costs(across.cost, 3.0 + 1.5)


@case(28, [(BLIGHT, False, 7.0), (BLIGHT, True, 4.0)], "rules, slowed, reach")
def test_28_difficult_ground_once(board: Board, slowed: bool, reach: float) -> None:
    board.size = 32
    board.area("difficult", [(-0.75, -15), (0.75, -15), (0.75, 15), (-0.75, 15)])
    board.fighter("kal", (-1.0, 0), M=9, **({"gear": ["treasure"]} if slowed else {}))
    moves = board.load().moves("kal", "move")
    assert moves.allowance == (6.0 if slowed else 9.0)
    across = moves.to(*board.turned(reach - 1.0, 0))
    assert across.legal
    assert costs(across.cost, reach + 2.0)
    assert sum(leg.cost for leg in across.legs) == pytest.approx(across.cost, abs=0.01)
    assert not moves.to(*board.turned(reach - 0.95, 0)).legal
    # keeping off it, nothing is lost
    assert moves.to(*board.turned(-1.0 - moves.allowance, 0)).legal


@case(29, [(N23, 2.5), (N17, 3.0)], "rules, half")
def test_29_crawl(board: Board, half: float) -> None:
    board.fighter("kal", (0, 0), status="pinned")
    moves = board.load().moves("kal", "crawl")
    assert moves.allowance == pytest.approx(half)
    assert moves.to(*board.turned(half, 0)).legal
    assert not moves.to(*board.turned(half + 0.05, 0)).legal


def _scree(board: Board, M: float, kind: str | None = None) -> float:
    """30 degrees up from the floor to a deck 1.5" high, a fighter before it; half of the slope's run."""
    board.size = 32
    rise = 1.5
    half = rise / 0.57735 / 2
    board.ramp(2 * half, 20, rise, (0, 0), kind=kind).box((6, 20, rise), (half + 3, 0))
    board.fighter("kal", (-half - 0.7, 0), M=M)
    return half


@case(30, [(N23, None), (N23, "ramp"), (N17, "ramp"), (BLIGHT, None), (BLIGHT, "ramp")], "rules, kind")
def test_30_scree_is_walked_and_not_ended_on(board: Board, kind: str | None) -> None:
    half = _scree(board, 9, kind)
    moves = board.load().moves("kal", "move")
    up = moves.to(*board.turned(half + 0.7, 0), 1.5)
    assert up.legal
    assert up.success == 1.0
    assert kinds(up) == {"walk"}
    assert costs(up.cost, 1.4 + 3.0)
    on_it = moves.to(*board.turned(0, 0))
    assert not on_it.legal
    assert on_it.rulings[0].rule == "stand_slope"
    assert on_it.cost is not None


@case(30, [N17])
def test_30_scree_is_scrambled_over(board: Board) -> None:
    half = _scree(board, 9)
    moves = board.load().moves("kal", "move")
    up = moves.to(*board.turned(half + 0.7, 0), 1.5)
    assert up.legal
    assert "scramble" in kinds(up)
    assert up.success == pytest.approx(0.5)
    assert [c.reason for c in up.checks] == ["scramble"]
    assert up.cost == pytest.approx(1.4 + 2 * 3.0, abs=0.25)
    scramble = next(leg for leg in up.legs if leg.kind == "scramble")
    assert scramble.length == pytest.approx(3.0, abs=0.15)
    assert not moves.to(*board.turned(0, 0)).legal


@case(30, [N17])
def test_30_a_scramble_needs_the_movement_for_its_far_side(board: Board) -> None:
    half = _scree(board, 5)
    short = board.ask("kal", "move", half + 0.7, 0, 1.5)
    assert not short.legal
    assert short.rulings[0].rule == "allowance"


@case(
    31,
    [
        (N23, "double-move", None, 1.0),
        (N17, "double-move", None, 1.0),
        (BLIGHT, "move", None, 1.0),
        (BLIGHT, "move", "animal", 0.6),
    ],
    "rules, action, tag, chance",
)
def test_31_ladder_through_a_narrow_hole(board: Board, action: str, tag: str | None, chance: float) -> None:
    hole = 25 * MM
    thick = 0.2
    top = 3.0
    # a deck of four slabs around the hole, a ladder on the hole's eastern side
    board.box((5, 10, thick), (-hole / 2 - 2.5, 0, top - thick))
    board.box((5, 10, thick), (hole / 2 + 2.5, 0, top - thick))
    for side in (-1, 1):
        length = (10 - hole) / 2
        board.box((hole, length, thick), (0, side * (hole / 2 + length / 2), top - thick))
    board.box((0.1, hole, top), (hole / 2 - 0.05, 0), kind="ladder")
    board.fighter("kal", (-1.5, 0, 0), M=9 if action == "move" else 5, tags=[] if tag is None else [tag])
    up = board.ask("kal", action, 2, 0, top)
    assert up.legal
    assert up.success == pytest.approx(chance)
    assert "ladder" in kinds(up)
    assert costs(up.cost, 3.5 + 3.0)
