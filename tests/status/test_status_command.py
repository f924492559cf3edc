"""``sandbox status``: tables and JSON, and one line for what cannot be asked."""

from __future__ import annotations

import json

import pytest
from cases.board import Board
from falling.boards import R32, deck

from sandbox.cli import main


def _melee(board: Board) -> str:
    deck(board, 3.0, 0.3).fighter("rax", (5, 0), side="blue").fighter("zed", (5 + 2 * R32, 0), side="red")
    return str(board.write())


def test_everybody_in_one_table(plain: Board, capsys: pytest.CaptureFixture[str]) -> None:
    scene = _melee(plain)
    assert main(["status", scene]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "Standing and Engaged" in told
    assert "zed" in told
    assert main(["status", scene, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["fighter"] for one in found["fighters"]] == ["kal", "rax", "zed"]
    assert [e["enemy"] for e in found["fighters"][1]["engaged"]] == ["zed"]


def test_what_can_become_of_one(plain: Board, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["status", _melee(plain), "--fighter", "kal"]
    assert main([*call, "--becomes", "pinned"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "50 %: kal is Prone and Pinned, falls 3.00 in, takes a hit S3 AP- D1." in told
    assert main([*call, "--falls", "--json"]) == 0
    outcomes = json.loads(capsys.readouterr().out)["outcomes"]
    assert outcomes["happens"][0]["what"] == "fall"
    assert main(call) == 0
    assert "May not: 'crawl' is for models" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--becomes", "pinned"], "name it with --fighter"),
        (["--fighter", "kal", "--becomes", "flat"], "no status 'flat'"),
        (["--fighter", "kal", "--becomes", "pinned", "--falls"], "two questions"),
        (["--fighter", "kol"], "no fighter 'kol'"),
    ],
)
def test_what_cannot_be_asked(
    plain: Board, capsys: pytest.CaptureFixture[str], options: list[str], says: str
) -> None:
    assert main(["status", _melee(plain), *options]) == 2
    err = capsys.readouterr().err.strip()
    assert says in err
    assert "\n" not in err
