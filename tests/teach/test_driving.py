"""Vehicles in lessons are driven by the engine of games, with dice that the lesson lays down."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox.errors import UserError
from sandbox.teach.driving import DriveFact, board_of
from sandbox.teach.load import find_lesson, load_lesson
from sandbox.teach.run import fields_of, work_out
from tests.teach.test_mistakes import _lesson

LESSON = """\
title: A drive
about: A test.
scene:
  name: Yard
  board: {size: [20, 12]}
  terrain:
    - {id: crate, box: [1, 1, 0.8], at: [9, 3]}
    - {id: truck, box: [4, 2.4, 1.5], at: [4, 9], kind: vehicle}
  areas:
    - {kind: difficult, polygon: [[10, 0], [11.5, 0], [11.5, 6], [10, 6]]}
  fighters:
    - {id: car, side: red, base: [60, 35], at: [5, 3], facing: 0, profile: {M: 9, Hnd: 7}, status: mobile, tags: [vehicle, wheeled]}
    - {id: truck, side: red, base: [90, 55], at: [4, 9, 0], facing: 0, profile: {M: 7, Hnd: 7}, status: mobile, tags: [vehicle, wheeled]}
    - {id: Bel, side: red, at: [3.4, 9, 1.5], profile: {M: 5, I: 4}}
facts:
  on: {drive: car, along: [[7, 3], [12, 3]]}
  off: {drive: truck, along: [[8, 9]], dice: [3, 300]}
  stays: {drive: truck, along: [[8, 9]], dice: [4]}
steps:
  - say: "{on.told}"
    play: on
  - say: "{off.told}"
    play: off
"""


def _facts(tmp_path: Path) -> dict[str, DriveFact]:
    lesson = load_lesson(_lesson(tmp_path, LESSON))
    (field,) = fields_of(lesson, lesson.packs).values()
    return {
        name: DriveFact(field, entry.drive or "", entry.along or (), entry.dice)
        for name, entry in lesson.form.facts.items()
    }


def test_what_comes_of_a_drive_has_its_values(tmp_path: Path) -> None:
    facts = _facts(tmp_path)
    on, off, stays = facts["on"], facts["off"], facts["stays"]
    assert on.get("legal")
    assert on.get("arrives")
    assert on.get("destroyed") == ("crate",)
    assert on.get("length") == pytest.approx(7.0)
    assert on.get("extra") == pytest.approx(1.5, abs=0.1)
    assert sum(leg.cost for leg in on.legs) == pytest.approx(on.get("cost"), abs=0.06)
    assert (off.get("off"), stays.get("off")) == (("Bel",), ())
    assert off.get("fails") == stays.get("fails") == 0.5
    assert off.get("height") == pytest.approx(1.5)


def test_a_clip_drives_on_over_what_was_destroyed(tmp_path: Path) -> None:
    boards = [{piece.id for piece in field.scene.terrain} for field, _ in _facts(tmp_path)["on"].stretches()]
    assert "crate" in boards[0]
    assert "crate" not in boards[-1]


def test_a_vehicle_with_a_piece_of_its_own_is_that_piece(tmp_path: Path) -> None:
    lesson = load_lesson(_lesson(tmp_path, LESSON))
    (field,) = fields_of(lesson, lesson.packs).values()
    assert {one.id for one in board_of(field).fighters} == {"car", "Bel"}
    course = work_out(lesson)
    on, off = course.steps
    assert on.view is not None and on.view.clip
    assert off.view is not None and not off.view.clip
    assert off.then is not None, "where everybody ends is shown"
    assert off.then.field.fighter("Bel").prone


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("dice: [4]", "dice: []", "no result is left for D6"),
        ("dice: [4]", "dice: [4, 4]", "1 of the dice"),
        ("dice: [4]", "dice: [9]", "shows 1 to 6, not 9"),
        ("stays: {drive: truck", "stays: {drive: Bel", "no vehicle"),
    ],
)
def test_a_drive_that_cannot_be_is_told_with_its_line(tmp_path: Path, old: str, new: str, says: str) -> None:
    text = LESSON.replace(old, new).replace('say: "{on.told}"', 'say: "{stays.told}"')
    lesson = load_lesson(_lesson(tmp_path, text))
    with pytest.raises(UserError, match=says) as caught:
        work_out(lesson)
    assert caught.value.line == text[: text.index("  stays:")].count("\n") + 1


def test_the_lesson_about_vehicles_drives_them() -> None:
    entries = find_lesson("vehicles").form.facts.values()
    assert sum(entry.drive is not None for entry in entries) >= 5
