"""Every sentence can be translated, in one file, and what is left empty stays as it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox.errors import UserError
from sandbox.moves.words import TRANSLATED, sentence
from sandbox.teach.language import all_sentences, use_words, write_words
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
