"""Agreed pitfalls: nobody walks on one, it is leapt like a gap of its size, and a failed leap falls in."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from cases.board import MM, Board

R32 = 16 * MM


def _pit(folder: Path, rules: str, width: float) -> Board:
    """A pitfall from side to side of the way, a fighter a hair before it."""
    board = Board(folder, angle=17.0, rules=rules, size=14)
    board.area("pitfall", [(-width / 2, -6), (width / 2, -6), (width / 2, 6), (-width / 2, 6)])
    return board.fighter("kal", (-width / 2 - R32 - 0.2, 0), M=8)


@pytest.mark.parametrize(
    ("rules", "width", "chance"),
    [
        ("necromunda-2023", 1.2, 1.0),
        ("necromunda-2023", 1.3, 0.5),
        ("necromunda-2017", 2.0, 0.5),
        ("blightmeer", 0.95, 1.0),
        ("blightmeer", 1.05, 0.6),
        ("blightmeer", 2.9, 0.6),
    ],
)
def test_a_pitfall_is_leapt_like_a_gap(tmp_path: Path, rules: str, width: float, chance: float) -> None:
    board = _pit(tmp_path, rules, width)
    field = board.load()
    over = field.moves("kal", "move").to(*board.turned(width / 2 + R32 + 0.2, 0))
    assert over.legal, over.rulings
    assert over.success == pytest.approx(chance)
    assert "leap" in {leg.kind for leg in over.legs}
    exact = width + 2 * R32 + 0.4
    assert exact - 0.02 <= over.cost <= 1.04 * exact
    tree = field.odds(over)
    assert float(tree.success) == pytest.approx(chance)
    lost = tree.chance(lambda path: path.first.out)
    assert lost == 1 - tree.success
    if chance < 1.0:
        assert lost in (Fraction(1, 2), Fraction(2, 5))
        assert "Out of Action" in over.checks[0].on_fail.happens


def test_nobody_stands_on_a_pitfall_or_leaps_too_far(tmp_path: Path) -> None:
    board = _pit(tmp_path, "blightmeer", 3.2)
    moves = board.load().moves("kal", "move")
    assert not moves.to(*board.turned(0, 0)).legal
    far = moves.to(*board.turned(1.6 + R32 + 0.2, 0))
    assert not far.legal
    assert far.rulings[0].rule == "leap_max"
    assert far.rulings[0].measured == pytest.approx(3.2, abs=0.02)


def test_a_pitfall_without_harm_is_for_the_players(tmp_path: Path) -> None:
    board = _pit(tmp_path, "necromunda-2023", 2.0)
    field = board.load(settings={"pitfall_fail": "nothing"})
    over = field.moves("kal", "move").to(*board.turned(1 + R32 + 0.2, 0))
    assert over.legal
    assert not any(path.first.out for path in field.odds(over).paths())


@pytest.mark.parametrize("pit", [True, False])
def test_a_grapnel_may_cross_a_pitfall(tmp_path: Path, pit: bool) -> None:
    board = Board(tmp_path, angle=17.0, rules="necromunda-2017")
    if pit:
        board.area("pitfall", [(1, -3), (3, -3), (3, 3), (1, 3)])
    board.fighter("kal", (0, 0), gear=["grapnel-launcher"])
    moves = board.load().moves("kal", "grapnel")
    assert moves.to(*board.turned(5, 0), 0).legal is pit
    assert not moves.to(*board.turned(0, 5), 0).legal
