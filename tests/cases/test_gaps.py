"""Worked cases about gaps, leaps, jumps down and their failures: 9 to 12, 32."""

from __future__ import annotations

import numpy as np
import pytest

from .board import MM, Board, costs, kinds
from .table import BLIGHT, N17, N23, NECROMUNDA, case

R32 = 16 * MM
P = 12 / 20
"""chance of an Agility Check of 9."""


def _two_decks(board: Board, gap: float, base: float, M: float | None = None) -> float:
    """Decks 3" high on both sides of a gap in inches, a fighter at the western lip; its base's radius."""
    radius = base / 2 * MM
    board.box((8, 10, 3), (-4 - gap / 2, 0)).box((8, 10, 3), (4 + gap / 2, 0))
    board.fighter("kal", (-gap / 2 - radius, 0, 3), base=base, M=M)
    return radius


@case(
    9,
    [
        *(
            (rules, *row)
            for rules in NECROMUNDA
            for row in ((31, 32, False), (33, 32, True), (24.6, 25, False), (25.4, 25, True))
        ),
        *((BLIGHT, gap, base, gap > 25.4) for gap in (25.4, 26.0) for base in (25, 32)),
    ],
    "rules, gap, base, test",
)
def test_9_gap_about_as_wide_as_the_base(
    board: Board, rules: str, gap: float, base: float, test: bool
) -> None:
    radius = _two_decks(board, gap * MM, base)
    over = board.ask("kal", "move", gap * MM / 2 + radius + 0.05, 0, 3)
    assert over.legal
    assert costs(over.cost, gap * MM + 2 * radius + 0.05)
    if test:
        assert [c.reason for c in over.checks] == ["leap"]
        assert over.checks[0].needed == (9 if rules == BLIGHT else 4)
        assert over.success == pytest.approx(P if rules == BLIGHT else 0.5)
    else:
        assert over.checks == ()
        assert over.success == 1.0


@case(10, [(rules, gap) for rules in NECROMUNDA for gap in (3.0, 3.05)], "rules, gap")
def test_10_leap(board: Board, gap: float) -> None:
    _two_decks(board, gap, 32)
    over = board.ask("kal", "move", gap / 2 + R32, 0, 3)
    assert over.legal
    assert costs(over.cost, gap + 1.26)
    assert over.success == pytest.approx(0.5)
    assert "leap" in kinds(over)
    fail = over.checks[0].on_fail
    assert fail.height == pytest.approx(3.0, abs=0.01)
    assert (fail.hit.strength, fail.hit.ap, fail.hit.damage) == (3, 0, 1)


@case(10, NECROMUNDA)
def test_10_leap_that_movement_does_not_pay_for(board: Board) -> None:
    _two_decks(board, 3.0, 32, M=4)
    over = board.ask("kal", "move", 1.5 + R32, 0, 3)
    assert not over.legal
    assert costs(over.cost, 4.26)
    assert over.rulings[0].rule == "allowance"


@case(10, [N17])
def test_10_leaps_go_up_too(board: Board) -> None:
    """Up an inch and a half over a gap: the height is distance, and the check is the same."""
    board.box((8, 10, 3), (-5, 0)).box((8, 10, 4.5), (5, 0)).fighter("kal", (-1 - R32, 0, 3), M=6)
    up = board.ask("kal", "move", 1 + R32, 0, 4.5)
    assert up.legal
    assert costs(up.cost, 2 + 2 * R32 + 1.5)
    assert up.success == pytest.approx(0.5)


@case(10, [(BLIGHT, 3.0, True), (BLIGHT, 3.05, False)], "rules, gap, possible")
def test_10_three_inches_are_the_longest_jump(board: Board, gap: float, possible: bool) -> None:
    _two_decks(board, gap, 32)
    over = board.ask("kal", "move", gap / 2 + R32, 0, 3)
    assert over.legal is possible
    if possible:
        assert over.success == pytest.approx(P)
    else:
        ruling = over.rulings[0]
        assert ruling.rule == "leap_max"
        assert ruling.measured == pytest.approx(3.05, abs=0.01)
        assert ruling.limit == pytest.approx(3.0)


@case(
    11,
    [
        *(
            (rules, *row)
            for rules in NECROMUNDA
            for row in (
                (2.0, 0, 3 / 6),
                (2.1, -1, 2 / 6),
                (4.0, -1, 2 / 6),
                (4.1, -2, 1 / 6),
                (6.0, -2, 1 / 6),
            )
        ),
        *((BLIGHT, height, 0, P) for height in (2.0, 2.1, 4.0, 4.1, 6.0)),
    ],
    "rules, height, modifier, chance",
)
def test_11_jump_down(board: Board, rules: str, height: float, modifier: int, chance: float) -> None:
    board.box((8, 8, height), (-4, 0)).fighter("kal", (-R32, 0, height))
    down = board.ask("kal", "move", R32 + 0.02, 0, 0)
    assert down.legal
    assert [c.reason for c in down.checks] == ["jump-down"]
    assert down.checks[0].modifier == modifier
    assert down.checks[0].needed == (9 if rules == BLIGHT else 4 - modifier)
    assert down.success == pytest.approx(chance)
    assert costs(down.cost, 2 * R32 + 0.02)


@case(11, [BLIGHT])
def test_11_a_jump_down_lands_freely_within_three_inches(board: Board) -> None:
    """Over a fence close under the lip, which lies more than two inches below."""
    board.box((8, 8, 4), (-4, 0)).box((0.5, 8, 0.8), (0.9, 0), kind="obstacle")
    board.fighter("kal", (-R32, 0, 4))
    down = board.ask("kal", "move", 2.0, 0, 0)
    assert down.legal
    assert costs(down.cost, 2.0 + R32)  # the fence is jumped over, not crossed
    assert down.success == pytest.approx(P)


@case(12, [(rules, height) for rules in NECROMUNDA for height in (2.0, 3.0)], "rules, height")
def test_12_failed_jump(board: Board, height: float) -> None:
    board.box((8, 8, height), (-4, 0)).fighter("kal", (-R32, 0, height))
    fail = board.ask("kal", "move", R32 + 0.02, 0, 0).checks[0].on_fail
    assert fail.height == pytest.approx(height, abs=0.005)
    assert fail.landing is not None
    assert fail.landing[2] == pytest.approx(0.0, abs=0.005)
    assert "Prone" in fail.happens
    assert "Pinned" in fail.happens
    if height == 2.0:
        assert fail.hit is None
    else:
        assert (fail.hit.strength, fail.hit.damage) == (3, 1)


@case(32, [N23])
def test_32_charge_by_jumping(board: Board) -> None:
    board.box((8, 8, 4), (-4, 0)).fighter("kal", (-R32, 0, 4))
    board.fighter("rax", (2 + R32, 0, 0), side="blue")
    field = board.load()
    moves = field.moves("kal", "charge", target="rax")
    assert moves.allowance == pytest.approx(8.0)
    charge = moves.to(*board.turned(2 - R32, 0))
    assert charge.legal
    assert costs(charge.cost, 2.0)
    jump = next(c for c in charge.checks if c.reason == "jump-down")
    assert jump.modifier == -1
    assert charge.success == pytest.approx(2 / 6)
    assert (jump.on_fail.hit.strength, jump.on_fail.hit.damage) == (3, 1)
    assert "Pinned" in jump.on_fail.happens
    assert len(moves.spots) > 0
    assert moves.spots["cost"].min() == pytest.approx(2.0, abs=0.02)


@case(32, [N17])
def test_32_charge_within_an_inch_by_jumping(board: Board) -> None:
    board.box((8, 8, 4), (-4, 0)).fighter("kal", (-R32, 0, 4))
    board.fighter("rax", (2 + R32, 0, 0), side="blue")
    moves = board.load().moves("kal", "charge", target="rax")
    within = moves.to(*board.turned(R32 + 0.02, 0), 0)
    assert within.legal  # within an inch is enough
    assert within.success == pytest.approx(2 / 6)
    jump = within.checks[-1]
    assert (jump.reason, jump.modifier) == ("jump-down", -1)
    assert (jump.on_fail.hit.strength, jump.on_fail.hit.damage) == (3, 1)
    assert "Pinned" in jump.on_fail.happens
    assert not moves.to(*board.turned(R32 + 0.02, 2.0), 0).legal
    assert len(moves.spots) > 0
    x, y = board.turned(2 + R32, 0)
    gap = np.hypot(moves.spots["x"] - x, moves.spots["y"] - y)
    assert (gap - 2 * R32).max() < 1.0
    assert (gap - 2 * R32).max() > 0.8


@case(32, [BLIGHT])
def test_32_engage_by_jumping_down(board: Board) -> None:
    board.box((8, 8, 4), (-4, 0)).fighter("kal", (-R32, 0, 4)).fighter("rax", (2 + R32, 0, 0), side="blue")
    engage = board.load().moves("kal", "engage", target="rax").to(*board.turned(2 - R32, 0))
    assert engage.legal
    assert costs(engage.cost, 2.0)
    assert engage.success == pytest.approx(P)
    assert engage.events
