"""``sandbox play`` with orders from a pipe."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from play.games import DECK
from sandbox.cli import program


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    file = tmp_path / "deck.yaml"
    file.write_text(DECK % "necromunda-2023", encoding="utf-8")
    return file


def run(lines: str, *arguments: object) -> str:
    answer = CliRunner().invoke(program, ["play", *map(str, arguments)], input=lines, catch_exceptions=False)
    assert answer.exit_code == 0, answer.output
    return answer.output


def test_orders_questions_and_dice_from_a_pipe(scene: Path, tmp_path: Path) -> None:
    kept = tmp_path / "g.game"
    told = run(
        "who\nreach kal\nkal move 14,12,0\n2\nopen\nresolve 1 wounds 1\nundo\nend\nfoo\nhelp\n",
        scene, "--dice", "type", "--keep", kept,
    )  # fmt: skip
    assert "kal (red): Standing and Active at 11.00,12.00,3.00" in told
    assert "! reach measures" in told
    assert "Kal: D6, Initiative for the jump down, 5 or more needed (1 to 6, Enter rolls): 2" in told
    assert "[1] Kal takes a hit S3 AP- D1 (fall_hurts_from)" in told
    assert "Settled [1]: Kal loses 1 Wound" in told
    assert "Taken back: resolve 1" in told
    assert "! 'foo' is neither" in told
    assert "WHO ACTION [TARGET]" in told
    again = run("who\nlog\nredo\nquit\nwho\n", kept)
    assert "kal (red): Prone and Pinned" in again
    assert "checks Initiative for the jump down at -1: rolls 2, 5 or more needed, failed" in again
    assert again.count("turn 1:") == 1  # nothing after quit
    assert "lead to the same state again" in run("", kept, "--verify")


def test_every_line_is_one_json_object(scene: Path) -> None:
    lines = run("kal faces 90\nwho\nfoo\nkal stand-up\n", scene, "--json").splitlines()
    told = [json.loads(line) for line in lines if line.startswith("{")]
    assert [one["line"] for one in told] == ["kal faces 90", "who", "foo", "kal stand-up"]
    assert told[0]["events"][0]["rule"] == "facing"
    assert told[0]["state"]["models"]["kal"]["facing"] == 90.0
    assert told[1]["events"] == [] and told[2]["said"][0].startswith("! ")
    assert told[3]["events"][0]["what"] == "refused"


def test_practice_measures_and_the_pack_forbids(scene: Path) -> None:
    told = run("reach kal move\nwhy kal move 14,12,0\nwhy kal move 23,23\nmay kal\n", scene, "--practice")
    assert "floor at 3 in" in told
    assert "chance of 33 %" in told
    assert "cannot end there" in told
    assert "'crawl' is for models that are" in told


def test_pictures_are_drawn_on_request(scene: Path, tmp_path: Path) -> None:
    run(f"picture {tmp_path / 'board.png'}\n", scene)
    assert (tmp_path / "board.png").stat().st_size > 1000


def test_completion_says_what_is_legal_and_why_not(scene: Path) -> None:
    from sandbox.play import Game, Table
    from sandbox.play.desk import completions, desk

    the = desk(Game(Table.load(scene)))
    assert ("kal", "red") in completions(the, "k")
    found = dict(completions(the, "kal "))
    assert found["move"] == "simple, 5 in"
    assert found["stand-up"].startswith("not now: 'stand-up' is for models that are prone pinned")
    assert "rax" in dict(completions(the, "kal charge r"))
    assert completions(the, "kal is pi") == [("pinned", "Prone and Pinned")]
    assert dict(completions(the, "remove ")) == {"deck": "auto", "crate": "auto"}
