"""Lessons, explanations and moves in another language: every sentence in one file, each with a place for its translation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from io import StringIO
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field
from ruamel.yaml import YAML

from sandbox.errors import UserError
from sandbox.files import read_yaml, validate
from sandbox.files.limits import Most
from sandbox.files.pages import write_made
from sandbox.files.sentences import TRANSLATED
from sandbox.moves.fails import status_words
from sandbox.moves.status import Secondary
from sandbox.rules import load_pack, pack_names
from sandbox.rules.values import PLACE, said_value
from sandbox.scene.entry import Entry
from sandbox.teach.glossary import entries
from sandbox.teach.load import all_lessons

HEAD = """\
# Every sentence that lessons, explanations, moves and games are made of. Write its translation behind `as`; what is left empty
# stays as it is. What stands in braces or between ` is filled in and has to be in the translation too, in any order.
#
#   sandbox teach climbing --language THIS-FILE
"""
_BRACES = re.compile(r"\{[^{}]*\}|`\w+`")
_TABLES = ("sandbox.rules", "sandbox.moves", "sandbox.play", "sandbox.teach", "sandbox.view")
"""packages with a `sentences.yaml`."""


class SentenceEntry(Entry):
    """One sentence."""

    say: str
    translation: str = Field(default="", alias="as")


class LanguageFile(Entry):
    """The whole file."""

    language: str = ""
    sentences: Annotated[list[SentenceEntry], Most(20_000)] = Field(default_factory=list)


def all_sentences() -> tuple[str, ...]:
    """Every sentence that can be translated, each once: tables, lessons, what rule packs say."""
    return tuple(
        dict.fromkeys(text for text in _sentences() if re.search(r"[A-Za-z]{2}", _BRACES.sub("", text)))
    )


def write_words(path: Path) -> int:
    """Write all sentences into a file to translate; how many. UserError where it exists, or cannot be written."""
    if path.exists():
        raise UserError("the file is there already; name another, so that no translation is lost", file=path)
    found = all_sentences()
    out = StringIO()
    yaml = YAML()
    yaml.width = 1_000_000
    yaml.dump({"language": "", "sentences": [{"say": text, "as": ""} for text in found]}, out)
    write_made(path, (HEAD + out.getvalue()).encode("utf-8"), "file")
    return len(found)


def use_words(path: Path) -> None:
    """Tell everything in the language of a file from now on. UserError with its line for what does not fit."""
    document = read_yaml(path, times=4)
    form = validate(document, LanguageFile)
    chosen: dict[str, str] = {}
    for index, entry in enumerate(form.sentences):
        if not entry.translation:
            continue
        wanted, given = set(_BRACES.findall(entry.say)), set(_BRACES.findall(entry.translation))
        if wanted != given:
            odd = ", ".join(sorted(wanted ^ given))
            raise document.error(f"the translation differs in {odd}", ("sentences", index, "as"))
        chosen[entry.say] = entry.translation
    TRANSLATED.clear()
    TRANSLATED.update(chosen)


def _sentences() -> Iterator[str]:
    for package in _TABLES:
        text = files(package).joinpath("sentences.yaml").read_text(encoding="utf-8")
        yield from _leaves(YAML(typ="safe", pure=True).load(text))
    for word in entries().values():
        yield from (word.find, *word.say)
    yield from (secondary.value.capitalize() for secondary in Secondary)
    for lesson in all_lessons():
        form = lesson.form
        yield from (form.title, form.about)
        for step in form.steps:
            texts = [
                step.say,
                step.ask,
                step.answer,
                *(step.others or ()),
                step.because,
                step.attempt,
                *step.each_text,
            ]
            texts += [choice.say for choice in step.choose or ()]
            yield from (text for text in texts if text is not None)
    for name in pack_names():
        pack = load_pack(name)
        if pack.file.tables.mishap is not None:
            yield from (row.result for row in pack.file.tables.mishap.rows)
        for status in pack.file.statuses:
            yield from (status_words(status), status.replace("-", " "))
        yield from pack.file.actions
        for section in (pack.file.actions, pack.file.skills, pack.file.gear, pack.file.tags):
            yield from (event for entry in section.values() for event in entry.events)
        for rule in (pack.rule(one) for one in pack.rule_ids):
            yield rule.words or rule.text
            yield from (reading.changes for reading in rule.setting)
            if PLACE in rule.words and isinstance(rule.value, str):
                yield said_value(rule.value)


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from _leaves(inner)
    elif isinstance(value, str):
        yield value
