"""Directly towards and directly away: along the line of the centres, until something solid stops it."""

from __future__ import annotations

import math

import pytest
from cases.board import Board

from sandbox.errors import UserError

from .boards import N17, N23, R32, load


def _pair(board: Board) -> Board:
    return board.fighter("kal", (0, 0)).fighter("rax", (6, 1.5), side="blue")


def _line(board: Board, gone: float) -> tuple[float, float, float]:
    """So far from kal towards rax."""
    size = math.hypot(6, 1.5)
    return (*board.turned(6 / size * gone, 1.5 / size * gone), 0.0)


def test_along_the_line_of_the_centres(board: Board) -> None:
    field = load(_pair(board), N23)
    towards = field.directly("kal", "rax", 3.0)
    assert (towards.gone, towards.stop, towards.rule) == (3.0, "distance", "directly")
    assert towards.source.startswith("002, Directly")
    assert towards.at == pytest.approx(_line(board, 3.0), abs=0.002)
    away = field.directly("kal", "rax", 3.0, away=True)
    assert away.at == pytest.approx(_line(board, -3.0), abs=0.002)


def test_towards_ends_in_contact(board: Board) -> None:
    towards = load(_pair(board), N23).directly("kal", "rax", 9.0)
    assert towards.stop == "model"
    assert towards.gone == pytest.approx(math.hypot(6, 1.5) - 2 * R32, abs=0.01)


@pytest.mark.parametrize("away", [False, True])
def test_what_is_solid_stops_it(board: Board, away: bool) -> None:
    side = -1 if away else 1
    _pair(board).box((0.4, 12, 2), (side * 2.2, 0), kind="wall")
    moved = load(board, N23).directly("kal", "rax", 5.0, away=away)
    assert moved.stop == "solid"
    # its base touches the wall: the face is 2.0 away, met at a slant
    slant = 6 / math.hypot(6, 1.5)
    assert moved.gone == pytest.approx((2.0 - R32) / slant, abs=0.02)


def test_steps_are_walked_and_lips_stop_it(plain: Board) -> None:
    plain.size = 24.0
    plain.box((8, 8, 0.4), (4, 0)).box((12, 3, 2), (0, 8)).fighter("kal", (0, 8, 2))
    plain.fighter("rax", (9, 8, 0), side="blue")
    plain.fighter("juno", (-2, 0)).fighter("zed", (6, 0), side="blue")
    field = load(plain, N17)
    up = field.directly("juno", "zed", 4.0)
    assert up.stop == "distance"
    assert up.at == pytest.approx((*plain.turned(2, 0), 0.4), abs=0.01)
    off = field.directly("kal", "rax", 12.0)
    assert off.stop == "lip"
    assert 6 - R32 <= off.gone <= 6 + R32


def test_the_edge_of_the_battlefield_stops_it(plain: Board) -> None:
    assert load(_pair(plain), N23).directly("kal", "rax", 60.0, away=True).stop in {"board", "lip"}


def test_no_line_no_movement(plain: Board) -> None:
    field = load(_pair(plain), N23)
    with pytest.raises(UserError, match="no line between their centres"):
        field.directly("kal", "kal", 1.0)
    assert field.directly("kal", "rax", 1.0).to_json()["stop"] == "distance"
