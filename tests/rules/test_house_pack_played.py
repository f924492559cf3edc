"""A pack of the user's own, played: whole moves under house rules, from the scene file that names them."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from cases.board import MM, Board, costs

import sandbox
from sandbox.cli import main

R32 = 16 * MM

HOUSE = """pack: gutter
name: Gutter rules
about: How we play it.
extends: PACK
constants:
  climb_cost: 1
  free_step_up: 1.0
  free_step_down: 1.0
  jump_free_height: 4
skills:
  spring-heeled:
    changes: [{change: profile.M, add: 2}, {change: jump_check, set: none}]
    text: Jumps down without a check and runs.
    source: ours
"""


def _stairway(board: Board, **more: Any) -> Board:
    """A kerb 0.9" high, a deck 2" above it, and a drop of 2.9" on the deck's far side."""
    board.box((3, 8, 0.9), (0.5, 0)).box((4, 8, 2.9), (4, 0))
    return board.fighter("kal", (-2, 0), M=11, **more)


def _scene(board: Board, extends: str) -> Path:
    """The scene file, with the house pack beside it and named in it."""
    (board.folder / "gutter.yaml").write_text(HOUSE.replace("PACK", extends), encoding="utf-8")
    path = board.write()
    scene = json.loads(path.read_text(encoding="utf-8"))
    scene["rules"] = "gutter.yaml"
    path.write_text(json.dumps(scene, indent=1), encoding="utf-8")
    return path


@pytest.mark.parametrize("extends", ["necromunda-2023", "necromunda-2017"])
def test_a_whole_move_under_house_rules(tmp_path: Path, extends: str) -> None:
    board = _stairway(Board(tmp_path, angle=17.0, rules=extends))
    away = board.turned(6 + R32 + 0.05, 0)
    field = sandbox.load(_scene(board, extends))
    over = field.moves("kal", "move").to(*away, 0)
    assert over.legal, over.rulings
    assert over.rules == "gutter"
    # the kerb is a step now, two inches are climbed at their height, and a jump of 2.9 has no modifier
    assert costs(over.cost, 8 + R32 + 0.05 + 2.0)
    assert [(check.reason, check.modifier) for check in over.checks] == [("jump-down", 0)]
    assert over.success == pytest.approx(0.5)
    assert field.odds(over).success == Fraction(1, 2)
    usual = board.load().moves("kal", "move").to(*away, 0)
    assert not usual.legal
    assert usual.cost is None or usual.cost > 11


def test_a_skill_of_the_house_is_an_entry(tmp_path: Path) -> None:
    board = _stairway(Board(tmp_path, angle=17.0), skills=["spring-heeled"])
    field = sandbox.load(_scene(board, "necromunda-2023"))
    moves = field.moves("kal", "move")
    assert moves.allowance == 13
    over = moves.to(*board.turned(6 + R32 + 0.05, 0), 0)
    assert over.legal
    assert over.checks == ()
    assert over.success == 1.0


def test_a_house_pack_against_the_one_it_extends(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board = _stairway(Board(tmp_path, angle=17.0))
    path = _scene(board, "necromunda-2023")
    x, y = board.turned(6 + R32 + 0.05, 0)
    call = ["moves", str(path), "--fighter", "kal", "--to", f"{x},{y},0", "--against", "necromunda-2023"]
    assert main([*call, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["ours"]["rules"], told["theirs"]["rules"]) == ("gutter", "necromunda-2023")
    assert (told["ours"]["move"]["legal"], told["theirs"]["move"]["legal"]) == (True, False)
    assert {one["rule"] for one in told["constants"]} == {
        "climb_cost",
        "free_step_up",
        "free_step_down",
        "jump_free_height",
    }
    assert told["only_ours"] > 0
