"""Every sentence can be translated, in one file, and what is left empty stays as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import sandbox
from sandbox.errors import UserError
from sandbox.files.sentences import TRANSLATED
from sandbox.moves.words import sentence
from sandbox.rules import load_pack, pack_names
from sandbox.teach.explain_page import lines
from sandbox.teach.explaining import explain
from sandbox.teach.language import all_sentences, use_words, write_words
from sandbox.teach.load import all_lessons, find_lesson
from sandbox.teach.model import Course
from sandbox.teach.run import courses
from sandbox.teach.terminal import Player, right_answers, scripted
from sandbox.teach.words import say


@pytest.fixture(autouse=True)
def own_language() -> Iterator[None]:
    """Other tests speak as it is written."""
    yield
    TRANSLATED.clear()


def test_a_file_to_translate_holds_every_sentence_and_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "words.yaml"
    assert write_words(path) == len(all_sentences()) == path.read_text("utf-8").count("\n  as: ")
    assert len(all_sentences()) > 800
    use_words(path)
    assert not TRANSLATED
    with pytest.raises(UserError, match="there already"):
        write_words(path)


def test_moves_and_lessons_are_told_in_it(tmp_path: Path) -> None:
    path = tmp_path / "de.yaml"
    path.write_text(
        "language: Deutsch\nsentences:\n"
        '- say: "Walk {length}"\n  as: "Gehe {length}"\n'
        '- say: "Right."\n  as: "Richtig."\n'
        '- say: "Climb {height}, the whole way {length}"\n  as: ""\n',
        encoding="utf-8",
    )
    use_words(path)
    assert sentence("legs", "walk", length="2 in", height="", gap="") == "Gehe 2 in"
    assert say("player", "right") == "Richtig."
    assert sentence("legs", "climb", length="2 in", height="1 in", gap="").startswith("Climb 1 in")


def test_a_translation_that_loses_a_value_names_its_line(tmp_path: Path) -> None:
    path = tmp_path / "de.yaml"
    path.write_text('sentences:\n- say: "Walk {length}"\n  as: "Gehe los"\n', encoding="utf-8")
    with pytest.raises(UserError, match=r"\{length\}") as caught:
        use_words(path)
    assert caught.value.line == 3
    assert not TRANSLATED


def _marked(text: str) -> str:
    """A made-up language: signs for letters, all but what is filled in."""
    parts = re.split(r"(\{[^{}]*\}|`\w+`)", text)
    return "".join(part if part[:1] in ("{", "`") else re.sub("[A-Za-z]", "¤", part) for part in parts)


@pytest.fixture(scope="module")
def made_up() -> dict[str, str]:
    """Every sentence in the made-up language."""
    return {text: _marked(text) for text in all_sentences()}


def _english(course: Course) -> list[str]:
    """Words of lines that a lesson tells, names and hits (``S3 AP- D1``) aside."""
    told: list[str] = []
    Player(course, scripted(right_answers(course)), lambda text, manner: told.append(text)).play()
    scene = course.field.scene
    names = [*pack_names(), *(load_pack(name).name for name in pack_names())]
    names += [one.id for one in (*scene.fighters, *scene.terrain, *scene.ductways)]
    own = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    return re.findall(r"[A-Za-z]{3,}.*", "\n".join(re.sub(own, "", line) for line in told))


CHEAP = ("down-and-up", "knockback")


@pytest.mark.parametrize(
    "name", [pytest.param(one.id, marks=() if one.id in CHEAP else pytest.mark.full) for one in all_lessons()]
)
def test_nothing_of_a_lesson_is_left_untranslated(made_up: dict[str, str], name: str) -> None:
    TRANSLATED.update(made_up)
    for course in courses(find_lesson(name)):
        assert _english(course) == []


def test_nothing_of_an_explanation_is_left_untranslated(made_up: dict[str, str]) -> None:
    TRANSLATED.update(made_up)
    field = sandbox.load(find_lesson("climbing").document.path)
    for action in ("move", "double-move"):
        told = explain(field, "Kal", (10.0, 4.7, 3.0), action=action)
        own = r"Kal|\[[^]]*\]|action\.[\w-]+|necromunda-2023|(?:Terrain|Movement|Status): [\w ()&]+"
        left = re.findall(r"[A-Za-z]{3,}.*", "\n".join(re.sub(own, "", text) for _, text in lines(told)))
        assert left == []
