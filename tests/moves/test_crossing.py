"""Crossing obstacles: every place behind one is reached, at its exact price, whatever way the grid under it lies."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from cases.board import MM, Board, costs
from scipy.optimize import minimize

import sandbox

R32 = 16 * MM


def _bent(x: float, y: float) -> float:
    """Cheapest way to (x, y) where the fence's 0.4" count twice for the centre: light through a pane of glass."""

    def cost(at: list[float]) -> float:
        first, last = at
        outside = math.hypot(1.3, first) + math.hypot(x - 0.2, y - last)
        return outside + 2 * math.hypot(0.4, last - first)

    return float(minimize(cost, [y / 2, y / 2]).fun)


@pytest.mark.parametrize(
    ("rules", "extra"), [("necromunda-2023", 0.9), ("necromunda-2017", None), ("blightmeer", 2.0)]
)
@pytest.mark.parametrize("angle", [17.0, 61.3])
def test_no_place_behind_a_fence_is_left_out(
    tmp_path: Path, rules: str, extra: float | None, angle: float
) -> None:
    board = Board(tmp_path, angle=angle, rules=rules, size=32)
    board.box((0.4, 26, 0.9), (0, 0), kind="obstacle").fighter("kal", (-1.5, 0), M=6)
    moves = board.load().moves("kal", "move")
    for x in (0.9, 1.4, 1.9, 2.4):
        for y in (-1.7, -1.0, -0.33, 0.0, 0.4, 1.1, 1.8):
            exact = _bent(x, y) if extra is None else math.hypot(x + 1.5, y) + extra
            move = moves.to(*board.turned(x, y))
            assert move.legal is (exact <= 6.0), (x, y, move.rulings)
            assert costs(move.cost, exact), (x, y, move.cost, exact)


def test_what_a_jump_lands_on_counts(tmp_path: Path) -> None:
    """Dangerous ground under a lip is crossed at its own risk, not landed on for nothing."""
    board = Board(tmp_path, angle=17.0)
    board.box((8, 8, 2), (-4, 0)).fighter("kal", (-0.7, 0, 2), M=6)
    board.area("dangerous", [(0.02, -6), (6, -6), (6, 6), (0.02, 6)])
    down = board.ask("kal", "move", 1.5, 0, 0)
    assert down.legal
    assert [check.reason for check in down.checks] == ["jump-down", "dangerous"]
    assert down.success == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("rules", "price"), [("necromunda-2023", 1.8), ("necromunda-2017", 1.0), ("blightmeer", 2.0)]
)
@pytest.mark.parametrize("apart", [1.3, 1.4, 1.6, 2.1])
def test_two_fences_with_just_room_for_a_base_between(
    tmp_path: Path, rules: str, price: float, apart: float
) -> None:
    board = Board(tmp_path, angle=17.0, rules=rules, size=32)
    for n in range(2):
        board.box((0.5, 26, 0.9), ((apart + 0.5) * n, 0), kind="obstacle")
    board.fighter("kal", (-1.5, 0), M=9)
    over = board.ask("kal", "move", apart + 0.5 + 1.5, 0)
    assert over.legal, over.rulings
    assert costs(over.cost, apart + 3.5 + price)
    assert sum(leg.cost for leg in over.legs) == pytest.approx(over.cost, abs=0.01)
    assert [leg.kind for leg in over.legs].count("cross") == 2


@pytest.mark.parametrize("rules", ["necromunda-2023", "necromunda-2017"])
def test_a_charge_may_end_across_an_obstacle(tmp_path: Path, rules: str) -> None:
    """Both touch the barricade and fight over it: that is nearer than going around it into contact."""
    board = Board(tmp_path, angle=17.0, rules=rules)
    board.box((0.8, 6, 1), (0, 0), kind="obstacle").fighter("kal", (-3, 0))
    board.fighter("rax", (0.4 + R32, 0), side="blue")
    moves = board.load().moves("kal", "charge", target="rax")
    assert moves.to(*board.turned(-0.4 - R32, 0)).legal
    assert moves.spots["cost"].min() == pytest.approx(3 - 0.4 - R32, abs=0.05)
    x, y = board.turned(0.4 + R32, 0)
    around = moves.spots[abs((moves.spots["x"] - x) ** 2 + (moves.spots["y"] - y) ** 2 - 4 * R32**2) < 0.01]
    assert len(around) > 5
    nearest = moves.spots[moves.spots["cost"].argmin()]
    assert moves.to(nearest["x"], nearest["y"], nearest["z"]).cost == pytest.approx(nearest["cost"], abs=0.01)


@pytest.mark.parametrize(
    ("rules", "price", "chance"),
    [("necromunda-2023", 0.9, 2 / 6), ("necromunda-2017", 0.2, 2 / 6), ("blightmeer", 2.0, 0.6)],
)
def test_a_railing_at_a_lip_is_gone_over_in_a_jump(
    tmp_path: Path, rules: str, price: float, chance: float
) -> None:
    """However low: a railing within a free step of its deck is no floor to stop on, and no wall."""
    board = Board(tmp_path, angle=17.0, rules=rules).box((8, 8, 3), (-4, 0))
    board.box((0.2, 8, 0.9), (-0.1, 0, 3), kind="railing").fighter("kal", (-1.5, 0, 3), M=7)
    down = board.ask("kal", "move", 1.5, 0, 0)
    assert down.legal, down.rulings
    assert [check.reason for check in down.checks] == ["jump-down"]
    assert down.success == pytest.approx(chance)
    assert costs(down.cost, 3 + price)
    assert sum(leg.cost for leg in down.legs) == pytest.approx(down.cost, abs=0.01)


def test_a_stack_of_obstacles_is_crossed_at_its_whole_height(tmp_path: Path) -> None:
    path = tmp_path / "stack.yaml"
    path.write_text(
        "board: {size: [12, 3]}\nterrain:\n  - {id: low, box: [1, 3, 1], at: [6, 1.5]}\n"
        "  - {id: top, box: [1, 3, 0.9], at: [6, 1.5, 1]}\nfighters: [{id: k, at: [4, 1.5]}]\n"
    )
    move = sandbox.load(path).moves("k", "double-move").to(8, 1.5)
    assert move.legal, move.rulings
    assert move.cost == pytest.approx(4 + 1.9, abs=0.02)
    assert max(z for leg in move.legs for *_, z in leg.path) == pytest.approx(1.9)
