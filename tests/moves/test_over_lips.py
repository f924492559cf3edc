"""Ovals leap, jump and climb with whatever heading they have; what the dice leave no chance is allowed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sandbox

DECKS = """
board: {{size: [20, 14]}}
terrain:
  - {{id: west, box: [8, 10, 3], at: [5, 7]}}
  - {{id: east, box: [8, 10, 3], at: [{east}, 7]}}
fighters:
  - {{id: k, base: [60, 35], facing: {facing}, at: [7.5, 7], profile: {{M: {move}}}}}
"""


def decks(folder: Path, facing: float, *, east: float = 14.5, move: float = 6) -> sandbox.Battlefield:
    path = folder / "decks.yaml"
    path.write_text(DECKS.format(facing=facing, east=east, move=move))
    return sandbox.load(path)


@pytest.mark.parametrize("facing", [0.0, 10.0, 45.0, 90.0])
def test_an_oval_leaps_a_gap_with_any_heading(facing: float, tmp_path: Path) -> None:
    move = decks(tmp_path, facing).moves("k", "move").to(11.9, 7, 3)
    assert move.legal, move.rulings
    assert move.cost == pytest.approx(4.4, abs=0.05)
    assert move.success == pytest.approx(0.5)


@pytest.mark.parametrize("facing", [0.0, 10.0, 45.0, 90.0])
def test_an_oval_jumps_down_with_any_heading(facing: float, tmp_path: Path) -> None:
    # to the lip 1.5, then the base's reach along the way, which lies between half of 35 and half of 60 mm
    a = np.radians(facing)
    reach = float(np.hypot(30.0 * np.cos(a), 17.5 * np.sin(a))) / 25.4
    move = decks(tmp_path, facing, east=18.5, move=7).moves("k", "move").to(11.2, 7, 0)
    assert move.legal, move.rulings
    assert move.cost == pytest.approx(max(1.5 + reach, 11.2 - 7.5), abs=0.05)


@pytest.mark.parametrize("facing", [0.0, 45.0, 90.0])
@pytest.mark.parametrize("off", [(0.0, 0.0), (0.61, -0.29)])
def test_an_oval_climbs_a_block_wherever_it_stands(
    facing: float, off: tuple[float, float], tmp_path: Path
) -> None:
    path = tmp_path / "block.yaml"
    path.write_text(
        f"board: {{size: [24, 24]}}\nterrain:\n"
        f"  - {{id: block, box: [8, 10, 3], at: [{8 + off[0]}, {12 + off[1]}]}}\n"
        f"fighters:\n  - {{id: k, base: [60, 35], facing: {facing}, at: [{13.6 + off[0]}, {12 + off[1]}], "
        "profile: {M: 5, I: 4}}\n"
    )
    move = sandbox.load(path).moves("k", "double-move").to(10.7 + off[0], 12 + off[1], 3)
    assert move.legal, move.rulings
    assert move.cost == pytest.approx(2.9 + 6.0, abs=0.06)


@pytest.mark.parametrize(
    ("height", "initiative", "chance"), [(4.1, 5, 0.0), (3.0, 6, 0.0), (3.0, 5, 1 / 6), (4.1, 4, 1 / 6)]
)
def test_a_jump_that_no_roll_is_high_enough_for_is_allowed(
    height: float, initiative: int, chance: float, tmp_path: Path
) -> None:
    path = tmp_path / "high.yaml"
    path.write_text(
        f"board: {{size: [12, 12]}}\nterrain: [{{id: block, box: [5, 8, {height}], at: [3, 6]}}]\n"
        f"fighters: [{{id: k, at: [4.87, 6], profile: {{M: 5, I: {initiative}}}}}]\n"
    )
    moves = sandbox.load(path).moves("k", "move")
    move = moves.to(6.3, 6, 0)
    assert move.legal
    assert move.success == pytest.approx(chance)
    assert move.cost == pytest.approx(1.43, abs=0.02)
    spots = moves.spots
    near = np.hypot(spots["x"] - 6.3, spots["y"] - 6) < 0.3
    assert spots["success"][near & (spots["z"] < 1)] == pytest.approx(chance)


def test_a_base_that_hangs_over_a_lip_falls_from_there(tmp_path: Path) -> None:
    # beside the block stands a box too narrow to rest on: the base comes down on it and slips to the table
    path = tmp_path / "beside.yaml"
    path.write_text(
        "board: {size: [40, 40]}\nterrain:\n  - {id: block, box: [6, 6, 3], at: [20, 20]}\n"
        "  - {id: box, box: [1, 6, 1.5], at: [23.5, 20]}\n"
    )
    fall = sandbox.load(path).fall(23.2, 20, 3)
    assert fall.landing is not None
    assert fall.landing[2] == pytest.approx(0.0)
    assert fall.height == pytest.approx(3.0)


def test_a_fall_into_nothing_says_so(tmp_path: Path) -> None:
    path = tmp_path / "pit.yaml"
    path.write_text(
        "board: {size: [20, 20], ground: pit}\nterrain: [{id: deck, box: [6, 6, 3], at: [10, 10]}]\n"
    )
    fall = sandbox.load(path).fall(13.2, 10, 3)
    assert fall.landing is None
    assert fall.rulings[0].text == "there is nothing below to rest on"
    assert fall.rulings[0].measured is None
