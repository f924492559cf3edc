"""What another pack or another reading changes for one fighter."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cases.board import Board
from falling.boards import BLIGHT, N23, R32, load

import sandbox
from sandbox.cli import main
from sandbox.moves.comparing import compare, settings_of, tell_comparison
from sandbox.rules import load_pack


@pytest.fixture
def block(tmp_path: Path) -> Board:
    """A block of 2.5" beside a fighter that moves 5"."""
    return Board(tmp_path, angle=17.0).box((4, 8, 2.5), (2, 0)).fighter("kal", (-R32, 0))


def test_a_cheaper_climb_opens_the_block(block: Board) -> None:
    field = load(block, N23)
    to = (*block.turned(R32 + 0.1, 0), 2.5)
    found = compare(field, field.pack.with_settings({"climb_cost": 1}), "kal", to=to)
    assert (found.ours.rules, found.theirs.rules) == (N23, f"{N23} with climb_cost=1")
    assert found.constants == (("climb_cost", 2, 1),)
    assert (found.only_ours, found.dearer, found.riskier) == (0, 0, 0)
    assert found.only_theirs > 50
    assert found.ours.move is not None
    assert found.theirs.move is not None
    assert (found.ours.move.legal, found.theirs.move.legal) == (False, True)
    told = tell_comparison(found)
    assert told[-1] == "climb_cost: 2 and 1."
    assert any("not there; needs" in line for line in told)


def test_the_same_pack_changes_nothing(block: Board) -> None:
    field = load(block, N23)
    found = compare(field, field.pack, "kal")
    assert (found.only_ours, found.only_theirs, found.cheaper, found.dearer) == (0, 0, 0, 0)
    assert tell_comparison(found)[-1] == "No constant differs."


def test_another_pack_may_risk_more(block: Board) -> None:
    found = compare(load(block, N23), load_pack(BLIGHT), "kal")
    assert found.only_theirs > 50
    assert len(found.constants) > 30
    assert tell_comparison(found)[-1].startswith(f"{len(found.constants)} constants differ")
    assert len(found.theirs.moves.spots) - found.only_theirs == len(found.ours.moves.spots) - found.only_ours


def test_settings_by_python_and_on_the_command_line(block: Board, capsys: pytest.CaptureFixture[str]) -> None:
    path = block.write()
    assert sandbox.load(path, settings={"climb_cost": 1}).pack.movement.climb_cost == 1
    with pytest.raises(sandbox.UserError, match="no setting 'climb_cots'; did you mean 'climb_cost'"):
        sandbox.load(path, settings={"climb_cots": 1})
    x, y = block.turned(R32 + 0.1, 0)
    call = ["moves", str(path), "--fighter", "kal", "--to", f"{x},{y},2.5", "--json"]
    assert main([*call, "--set", "climb_cost=1"]) == 0
    assert json.loads(capsys.readouterr().out)["legal"] is True
    assert main([*call, "--against", "climb_cost=1"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["ours"]["move"]["legal"], told["theirs"]["move"]["legal"]) == (False, True)
    assert told["constants"] == [{"rule": "climb_cost", "ours": 2, "theirs": 1}]
    assert main([*call[:-1], "--set", "climb_cost"]) == 2
    assert "should be KEY=VALUE" in capsys.readouterr().err


def test_what_is_no_setting() -> None:
    assert settings_of(("a=1", " b = x ")) == {"a": "1", "b": "x"}
    for text in ("a", "=1", "a="):
        with pytest.raises(ValueError, match="KEY=VALUE"):
            settings_of((text,))
