"""What is wrong with a lesson is one line with its file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox.cli import main
from sandbox.errors import UserError
from sandbox.teach.load import find_lesson, load_lesson
from sandbox.teach.run import work_out

GOOD = """\
title: One step
about: A test.
scene:
  name: Board
  board: {size: [10, 8]}
  fighters:
    - {id: Kal, side: red, at: [3, 4]}
facts:
  there: {move: Kal, to: [6, 4]}
steps:
  - say: Kal has {Kal.M}.
    sure: there.legal
  - ask: How far is it?
    answer: "{there.cost}"
    others: ["{2 * there.cost}"]
"""


def _lesson(folder: Path, text: str) -> Path:
    path = folder / "own.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_small_lesson_is_worked_out(tmp_path: Path) -> None:
    course = work_out(load_lesson(_lesson(tmp_path, GOOD)))
    assert [step.text for step in course.steps] == [("Kal has 5.00 in.",), ()]
    question = course.steps[1].question
    assert question is not None
    assert [(c.text, c.right) for c in question.choices] == [("3.00 in", True), ("6.00 in", False)]


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("about: A test.", "abuot: A test.", 2, "abuot"),
        ("{move: Kal, to: [6, 4]}", "{move: Kal}", 9, "'move' needs 'to'"),
        ("{move: Kal, to: [6, 4]}", "{to: [6, 4]}", 9, "one question"),
        ("{move: Kal, to: [6, 4]}", "{move: Kal, stand: [6, 4], to: [6, 4]}", 9, "one question"),
        ("  there: {move", "  Kal: {move", 9, "taken"),
        ("sure: there.legal", "sure: __import__('os')", 12, "only min"),
        ("sure: there.legal", "sure: there.legal +", 12, "no expression"),
        ("sure: there.legal", "show: their", 12, "no fact 'their'"),
        ('answer: "{there.cost}"', 'answr: "{there.cost}"', 14, "answr"),
        ("  - ask: How far is it?\n", "  - ask: How far is it?\n    play: there\n", 13, "one thing"),
        (
            "  - ask: How far is it?\n",
            "  - ask: How far is it?\n    each: A rule.\n",
            13,
            "belongs to 'compare'",
        ),
        ("  board: {size: [10, 8]}", "  board: {sise: [10, 8]}", 5, "sise"),
    ],
)
def test_a_mistake_in_the_form_names_its_line(
    tmp_path: Path, old: str, new: str, line: int, says: str
) -> None:
    assert old in GOOD
    with pytest.raises(UserError, match=says) as caught:
        load_lesson(_lesson(tmp_path, GOOD.replace(old, new)))
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("sure: there.legal", "compare: there\n    each: '{says.nothing}'", 13, "no rule 'nothing'"),
        ("sure: there.legal", "compare: there\n    each: {blightmeer: A rule.}", 13, "no 'otherwise'"),
        ("sure: there.legal", "sure: not there.legal", 12, "does not hold"),
        ("sure: there.legal", "sure: there.cost", 12, "no condition"),
        ("sure: there.legal", "play: there", 12, "cannot be played"),
        ("{Kal.M}", "{Kal.size}", 11, "Kal has no 'size'"),
        ("{Kal.M}", "{there.needed}", 11, "no value here"),
        ("{Kal.M}", "{rule.climb_prise}", 11, "climb_prise"),
        ('["{2 * there.cost}"]', '["{there.cost}"]', 15, "nothing to choose"),
        ("{move: Kal, to: [6, 4]}", "{move: Sal, to: [6, 4]}", 9, "Sal"),
    ],
)
def test_what_does_not_hold_names_its_line(tmp_path: Path, old: str, new: str, line: int, says: str) -> None:
    text = GOOD.replace(old, new)
    if "play" in new:
        text = text.replace("to: [6, 4]", "to: [9.9, 4]")
    with pytest.raises(UserError, match=says) as caught:
        work_out(load_lesson(_lesson(tmp_path, text)))
    assert caught.value.line == line
    assert "under necromunda-2023" in caught.value.message


def test_a_lesson_that_is_not_there_is_told_with_those_that_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["teach", "climbin"]) == 2
    assert "'climbing'" in capsys.readouterr().err
    with pytest.raises(UserError, match="no such file"):
        find_lesson("nowhere/lesson.yaml")


def test_pages_are_html_and_pictures_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["teach", "climbing", "--html", str(tmp_path / "page.txt")]) == 2
    assert main(["teach", "climbing", "--pictures", str(_lesson(tmp_path, GOOD))]) == 2
    assert main(["teach", "all"]) == 2
    assert capsys.readouterr().err.count("\n") == 3


def test_a_lesson_knows_how_large_things_are(tmp_path: Path) -> None:
    board = "  board: {size: [10, 8]}\n  terrain: [{id: big-crate, box: [2, 1, 1.5], at: [8, 6]}]\n"
    text = GOOD.replace("  board: {size: [10, 8]}\n", board)
    text = text.replace(
        "Kal has {Kal.M}.", "It is {big_crate.height} high, {big_crate.across} across, from {big_crate.west}."
    )
    course = work_out(load_lesson(_lesson(tmp_path, text)))
    assert course.steps[0].text == ("It is 1.50 in high, 1.00 in across, from 7.00 in.",)
    with pytest.raises(UserError, match="big-crate has no 'hieght'"):
        work_out(load_lesson(_lesson(tmp_path, text.replace("crate.height", "crate.hieght"))))
