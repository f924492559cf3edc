"""Worked cases about gaps, leaps, jumps down and their failures: 9 to 12, 32."""

from __future__ import annotations

import pytest

from .board import MM, Board, costs

R32 = 16 * MM


def _two_decks(board: Board, gap: float, base: float, M: float = 5) -> float:
    """Decks 3" high on both sides of a gap in inches, a fighter at the western lip; its base's radius."""
    radius = base / 2 * MM
    board.box((8, 10, 3), (-4 - gap / 2, 0)).box((8, 10, 3), (4 + gap / 2, 0))
    board.fighter("kal", (-gap / 2 - radius, 0, 3), base=base, M=M)
    return radius


@pytest.mark.parametrize(
    ("gap", "base", "test"), [(31, 32, False), (33, 32, True), (24.6, 25, False), (25.4, 25, True)]
)
def test_9_gap_about_as_wide_as_the_base(board: Board, gap: float, base: float, test: bool) -> None:
    radius = _two_decks(board, gap * MM, base)
    over = board.ask("kal", "move", gap * MM / 2 + radius + 0.05, 0, 3)
    assert over.legal
    assert costs(over.cost, gap * MM + 2 * radius + 0.05)
    if test:
        assert [c.reason for c in over.checks] == ["leap"]
        assert over.checks[0].needed == 4
        assert over.success == pytest.approx(0.5)
    else:
        assert over.checks == ()
        assert over.success == 1.0


@pytest.mark.parametrize("gap", [3.0, 3.05])
def test_10_leap(board: Board, gap: float) -> None:
    _two_decks(board, gap, 32)
    over = board.ask("kal", "move", gap / 2 + R32, 0, 3)
    assert over.legal
    assert costs(over.cost, gap + 1.26)
    assert over.success == pytest.approx(0.5)
    assert "leap" in {leg.kind for leg in over.legs}
    fail = over.checks[0].on_fail
    assert fail.height == pytest.approx(3.0, abs=0.01)
    assert (fail.hit.strength, fail.hit.ap, fail.hit.damage) == (3, 0, 1)


def test_10_leap_that_movement_does_not_pay_for(board: Board) -> None:
    _two_decks(board, 3.0, 32, M=4)
    over = board.ask("kal", "move", 1.5 + R32, 0, 3)
    assert not over.legal
    assert costs(over.cost, 4.26)
    assert over.rulings[0].rule == "allowance"


@pytest.mark.parametrize(
    ("height", "modifier", "faces"), [(2.0, 0, 3), (2.1, -1, 2), (4.0, -1, 2), (4.1, -2, 1), (6.0, -2, 1)]
)
def test_11_jump_down(board: Board, height: float, modifier: int, faces: int) -> None:
    board.box((8, 8, height), (-4, 0)).fighter("kal", (-R32, 0, height))
    down = board.ask("kal", "move", R32 + 0.02, 0, 0)
    assert down.legal
    assert [c.reason for c in down.checks] == ["jump-down"]
    assert down.checks[0].modifier == modifier
    assert down.checks[0].needed == 4 - modifier
    assert down.success == pytest.approx(faces / 6)
    assert costs(down.cost, 2 * R32 + 0.02)


@pytest.mark.parametrize("height", [2.0, 3.0])
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
