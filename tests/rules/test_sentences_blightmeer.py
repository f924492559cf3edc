"""Sentences of the d20 skirmish game that no worked case shows, each on the smallest board that shows it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cases.board import Board, costs
from falling.boards import BLIGHT, R32, load

from sandbox.moves.odds_tree import Event


@pytest.fixture
def board(tmp_path: Path) -> Board:
    """An empty board, its contents turned by an odd angle."""
    return _new(tmp_path)


def _new(folder: Path) -> Board:
    return Board(folder, angle=17.0, rules=BLIGHT)


def ask(board: Board, action: str, x: float, y: float, z: float | None = None, **more: Any) -> Any:
    """The way of kal to a place, in unturned coordinates."""
    return load(board, BLIGHT).moves("kal", action, **more).to(*board.turned(x, y), z)


def test_any_unit_may_move_up_to_its_move(board: Board) -> None:
    board.fighter("kal", (0, 0), M=6)
    assert ask(board, "move", 6, 0).legal
    assert ask(board, "move", 6.02, 0).rulings[0].rule == "allowance"
    assert costs(ask(board, "move", 3, 0).cost, 3.0)


@pytest.mark.parametrize(("height", "kinds"), [(1.0, {"walk"}), (1.05, {"climb"})])
def test_an_inch_is_stepped_up_and_more_is_climbed(board: Board, height: float, kinds: set[str]) -> None:
    board.box((5, 8, height), (3, 0)).fighter("kal", (-1, 0), M=6)
    up = ask(board, "move", 2, 0, height)
    assert up.legal
    assert {leg.kind for leg in up.legs} >= kinds
    assert (up.checks == ()) is (height <= 1.0)
    if height <= 1.0:
        assert costs(up.cost, 3.0)


@pytest.mark.parametrize(("height", "cost", "check"), [(1.0, 6.0, False), (1.2, None, True)])
def test_walls_and_fences(board: Board, height: float, cost: float | None, check: bool) -> None:
    board.size = 36
    board.box((0.4, 34, height), (2, 0), kind="wall").fighter("kal", (0, 0), M=12)
    over = ask(board, "move", 4, 0)
    assert over.legal
    assert bool(over.checks) is check
    if cost is not None:
        # moved over as difficult ground: two inches of the whole turn
        assert costs(over.cost, cost)


def _corridor(board: Board) -> Board:
    """A lane as wide as a base and a half, walled on both sides."""
    for side in (-1, 1):
        board.box((10, 2, 3), (0, side * (1 + 1.0)), kind="impassable")
    return board.fighter("kal", (-3, 0), M=8)


def test_allies_are_moved_through_and_enemies_are_not(board: Board) -> None:
    _corridor(board).fighter("juno", (0, 0))
    through = ask(board, "move", 3, 0)
    assert through.legal
    assert costs(through.cost, 6.0)
    assert ask(board, "move", 0.3, 0).rulings[0].rule == "no_overlap"
    for status in ("standing", "dazed", "stunned"):
        blocked = _corridor(_new(board.folder)).fighter("rax", (0, 0), side="blue", status=status)
        assert not ask(blocked, "move", 3, 0).legal
    board.fighter("rax", (4, 0), side="blue")
    assert ask(board, "engage", 4 - 2 * R32, 0, target="rax").legal


def test_climbs_are_checked_and_cost_their_height(board: Board) -> None:
    board.box((4, 8, 3), (2, 0)).fighter("kal", (-R32, 0), M=6)
    up = ask(board, "move", R32 + 0.02, 0, 3)
    assert [c.reason for c in up.checks] == ["climb"]
    assert up.success == pytest.approx(0.6)
    assert costs(up.cost, 3 + 2 * R32 + 0.02 - 1.0) or costs(up.cost, 3 + 2 * R32 + 0.02)
    down = _new(board.folder).box((4, 8, 3), (2, 0)).fighter("kal", (R32, 0, 3), M=9)
    reasons = {c.reason for c in ask(down, "move", -R32 - 0.02, 0, 0).checks}
    assert reasons <= {"climb", "jump-down"}
    assert reasons


def test_only_what_can_be_reached_is_climbed(board: Board) -> None:
    board.box((4, 8, 4), (3, 0)).fighter("kal", (0, 0), M=5)
    field = load(board, BLIGHT)
    up = field.moves("kal", "move").to(*board.turned(1 + R32 + 0.02, 0), 4)
    assert not up.legal
    assert up.rulings[-1].rule == "allowance"
    assert max(field.moves("kal", "move").spots["z"]) < 0.05
    stop = field.stops(up)
    assert stop is not None
    assert stop[2] == pytest.approx(0.0, abs=0.01)
    ladder = _new(board.folder).box((4, 8, 4), (3, 0)).box((0.1, 1, 4), (0.95, 0), kind="ladder")
    ladder.fighter("kal", (0, 0), M=4)
    spots = load(ladder, BLIGHT).moves("kal", "move").spots
    assert max(spots["z"]) < 0.05


def test_jumping_down_costs_no_height_and_reaches_three_inches(board: Board) -> None:
    board.box((8, 8, 3), (-4, 0)).fighter("kal", (-R32, 0, 3), M=9)
    moves = load(board, BLIGHT).moves("kal", "move")
    for out, legs in ((R32 + 0.02, ["jump-down"]), (2.9, ["jump-down"])):
        down = moves.to(*board.turned(out, 0), 0)
        assert down.legal
        assert [leg.kind for leg in down.legs if leg.kind != "walk"] == legs
        assert costs(down.cost, out + R32)
        assert down.success == pytest.approx(0.6)
    board.fighters[0]["skills"] = ["leap"]
    field = load(board, BLIGHT)
    assert field.fighter("kal").rules.movement.jump_reach == 6


def _decks(board: Board, gap: float, rise: float = 0.0) -> Board:
    board.box((3, 4, 4), (-1.5 - gap / 2, 0)).box((3, 4, 4 + rise), (1.5 + gap / 2, 0))
    return board.fighter("kal", (-gap / 2 - R32, 0, 4), M=5)


@pytest.mark.parametrize(("gap", "checks"), [(1.0, []), (1.03, ["leap"])])
def test_an_inch_is_crossed_without_a_check(board: Board, gap: float, checks: list[str]) -> None:
    over = ask(_decks(board, gap), "move", gap / 2 + R32, 0, 4)
    assert over.legal
    assert [c.reason for c in over.checks] == checks


@pytest.mark.parametrize(
    ("gap", "rise", "fails"),
    [
        pytest.param(3.0, 0.0, False, marks=pytest.mark.full),
        (3.05, 0.0, True),
        pytest.param(2.0, 1.0, False, marks=pytest.mark.full),
        (2.0, 1.2, True),
    ],
)
def test_jumps_beyond_the_limits_fail_without_a_roll(
    board: Board, gap: float, rise: float, fails: bool
) -> None:
    field = load(_decks(board, gap, rise), BLIGHT)
    over = field.moves("kal", "move").to(*board.turned(gap / 2 + R32, 0), 4 + rise)
    jumped = [leg for leg in over.legs if leg.kind == "leap"]
    if not fails:
        assert jumped
        assert over.success == pytest.approx(0.6)
        return
    # tried, it falls; another way, by the floor below, may be better
    if jumped:
        assert over.success == 0.0
        assert over.checks[0].chance == 0.0


def test_a_failed_jump_falls_from_where_it_began(board: Board) -> None:
    field = load(_decks(board, 2.0), BLIGHT)
    over = field.moves("kal", "move").to(*board.turned(1 + R32, 0), 4)
    failed = [p for p in field.odds(over).paths() if not p.reached]
    assert all(p.first.fallen == pytest.approx(4.0, abs=0.01) for p in failed)
    landed = failed[0].events(Event.FALL)[0].at
    assert landed == pytest.approx((*board.turned(-1 + R32, 0), 0), abs=0.1)


def test_ladders_need_no_check_but_for_animals(board: Board) -> None:
    board.box((4, 4, 3), (3, 0)).box((0.1, 1, 3), (0.95, 0), kind="ladder").fighter("kal", (0, 0), M=6)
    up = ask(board, "move", 1 + R32 + 0.1, 0, 3)
    assert up.legal
    assert up.checks == ()
    assert costs(up.cost, 3 + 1 + R32 + 0.1)
    board.fighters[0]["tags"] = ["animal"]
    animal = ask(board, "move", 1 + R32 + 0.1, 0, 3)
    assert animal.legal
    assert animal.success == pytest.approx(0.6)
    board.fighters[0]["tags"] = ["mounted"]
    assert not ask(board, "move", 1 + R32 + 0.1, 0, 3).legal


def test_units_engage_up_ladders(board: Board) -> None:
    board.box((6, 8, 3), (4, 0)).box((0.1, 1, 3), (0.95, 0), kind="ladder").fighter("kal", (0, 0), M=7)
    board.fighter("rax", (1 + 3 * R32 + 0.1, 0, 3), side="blue")
    up = ask(board, "engage", 1 + R32 + 0.1, 0, 3, target="rax")
    assert up.legal
    assert up.success == 1.0
    assert "ladder" in {leg.kind for leg in up.legs}


@pytest.mark.parametrize(("status", "reach"), [("standing", 7.0), ("slowed", 4.0)])
@pytest.mark.parametrize("deep", [0.5, 2.5])
def test_difficult_ground_takes_two_inches_once(board: Board, status: str, reach: float, deep: float) -> None:
    # Move 9 becomes 7 through difficult ground, 4 if Slowed as well
    board.area("difficult", [(1, -12), (1 + deep, -12), (1 + deep, 12), (1, 12)])
    board.fighter("kal", (-1, 0), M=9, status=status)
    moves = load(board, BLIGHT).moves("kal", "move")
    assert moves.to(*board.turned(-1 + reach, 0)).legal
    assert not moves.to(*board.turned(-1 + reach + 0.05, 0)).legal
    board.fighter("rax", (-1 + reach + 2 * R32, 0), side="blue")
    engage = load(board, BLIGHT).moves("kal", "engage", target="rax")
    assert engage.to(*board.turned(-1 + reach, 0)).legal
    board.fighters[1]["at"] = [*board.turned(-1 + reach + 0.1 + 2 * R32, 0)]
    short = load(board, BLIGHT).moves("kal", "engage", target="rax")
    assert not short.to(*board.turned(-1 + reach + 0.1, 0)).legal


def test_what_is_impassable_is_neither_moved_over_nor_climbed(board: Board) -> None:
    board.size = 36
    board.box((0.5, 34, 0.8), (2, 0), kind="impassable").fighter("kal", (0, 0), M=9)
    assert not ask(board, "move", 4, 0).legal
    tree = _new(board.folder).box((1, 1, 3), (2, 0), kind="impassable").fighter("kal", (0, 0), M=9)
    assert not ask(tree, "move", 2, 0, 3).legal
    assert ask(tree, "move", 4, 0).cost > 4.1


@pytest.mark.parametrize(("fence", "over"), [(0.8, True), (1.4, False)])
def test_jumping_down_goes_over_what_lies_two_inches_below(board: Board, fence: float, over: bool) -> None:
    board.size = 36
    board.box((8, 30, 3), (-4, 0)).box((0.5, 30, fence), (0.9, 0)).fighter("kal", (-R32, 0, 3), M=4)
    jump = ask(board, "move", 2.2, 0, 0)
    assert ("jump-down" in {leg.kind for leg in jump.legs if leg.length > 1.5}) is over


@pytest.mark.parametrize(("height", "over"), [(3.5, True), (3.3, False)])
def test_jumping_down_goes_over_units_two_inches_below(board: Board, height: float, over: bool) -> None:
    # a row of enemies 1.4" tall stands right under the lip
    board.size = 36
    board.box((8, 30, height), (-4, 0)).fighter("kal", (-R32, 0, height), M=4)
    for n, y in enumerate((-2.7, -1.35, 0, 1.35, 2.7)):
        board.fighter(f"e{n}", (R32 + 0.02, y, 0), side="blue")
    jump = ask(board, "move", 2.1, 0, 0)
    assert (jump.legal and jump.cost < 3.0) is over
