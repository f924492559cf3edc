"""Mechanics that are easily missed, where no other test shows them: flat prices waived, events told with a move."""

from __future__ import annotations

from pathlib import Path

import pytest
from cases.board import MM, Board, costs

R32 = 16 * MM
N17 = "necromunda-2017"


@pytest.mark.parametrize(
    ("skills", "width", "price"),
    [
        ([], 0.9, 2.0),
        ([], 1.4, 2.0),
        (["clamber"], 0.9, 0.0),
        (["clamber"], 1.4, 2.0),
        (["acrobatic"], 0.9, 0.0),
        (["acrobatic"], 1.4, 0.0),
    ],
)
def test_skills_waive_the_flat_two_inches(
    tmp_path: Path, skills: list[str], width: float, price: float
) -> None:
    board = Board(tmp_path, angle=17.0, rules=N17)
    board.box((width, 20, 0.9), (0, 0), kind="obstacle").fighter("kal", (-2, 0), M=8, skills=skills)
    over = board.load(settings={"cross_cost": "flat"}).moves("kal", "move").to(*board.turned(2, 0))
    assert over.legal
    assert costs(over.cost, 4 + price)


def test_a_charge_tells_what_its_fighter_may_do_then(tmp_path: Path) -> None:
    board = Board(tmp_path, angle=17.0, rules=N17).fighter("kal", (-3, 0)).fighter("rax", (0, 0), side="blue")
    events = board.load().moves("kal", "charge", target="rax").to(*board.turned(-2 * R32, 0)).events
    assert any("fight one of them for free" in event for event in events)
    assert any("exactly one enemy that is Seriously Injured" in event for event in events)


@pytest.mark.parametrize("high", [True, False])
def test_a_grav_chute_gives_a_die_to_charges_from_above_only(tmp_path: Path, high: bool) -> None:
    board = Board(tmp_path, angle=17.0, rules=N17)
    if high:
        board.box((8, 8, 4), (-4, 0))
    board.fighter("kal", (-R32, 0, 4 if high else 0), gear=["grav-chute"])
    board.fighter("rax", (2, 0, 0), side="blue")
    charge = board.load().moves("kal", "charge", target="rax").to(*board.turned(2 - 2 * R32, 0))
    assert charge.legal
    assert any("extra attack die" in event for event in charge.events) is high


def test_who_disengages_is_told_of_each_enemys_free_strike(tmp_path: Path) -> None:
    board = Board(tmp_path, angle=17.0, rules=N17).fighter("kal", (-2 * R32, 0))
    board.fighter("rax", (0, 0), side="blue")
    away = board.load().moves("kal", "disengage").to(*board.turned(-2 * R32 - 1, 0))
    assert away.legal
    assert any("Initiative check strikes" in event for event in away.events)


def test_vehicles_end_as_near_as_they_like(tmp_path: Path) -> None:
    """A vehicle ends as near to an enemy as it likes; a fighter does not."""
    for tags, status, legal in ((["vehicle", "wheeled"], "mobile", True), ([], "standing", False)):
        board = Board(tmp_path, angle=17.0).fighter("kal", (-3, 0), tags=tags, status=status)
        board.fighter("rax", (0, 0), side="blue")
        assert board.ask("kal", "move", -2 * R32 - 0.5, 0).legal is legal


def test_rocks_within_a_free_step_of_blightmeer_are_no_fences(tmp_path: Path) -> None:
    """An inch thick and more it is a step to walk on, thinner it is a fence to cross, however low."""
    for thick, price in ((0.9, 2.0), (1.1, 0.0)):
        board = Board(tmp_path, angle=17.0, rules="blightmeer", size=32)
        board.box((thick, 26, 0.4), (0, 0)).fighter("kal", (-2, 0))
        assert costs(board.ask("kal", "move", 2, 0).cost, 4 + price)
