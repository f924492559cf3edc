"""The lesson that the page about lessons shows is worked out under the packs that it names."""

from __future__ import annotations

import re
from pathlib import Path

from sandbox.teach.load import load_lesson
from sandbox.teach.run import courses

PAGE = Path(__file__).parents[2] / "docs" / "lessons.md"


def test_the_lesson_of_the_page_is_one(tmp_path: Path) -> None:
    shown = re.search(r"```yaml\n(title: .*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert shown is not None
    path = tmp_path / "shown.yaml"
    path.write_text(shown[1], encoding="utf-8")
    found = list(courses(load_lesson(path)))
    assert [course.pack for course in found] == ["necromunda-2023", "blightmeer"]
    assert all(len(course.steps) == 4 for course in found)
