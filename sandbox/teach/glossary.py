"""The words that a newcomer cannot know, each explained where it first occurs; what they say is in `glossary.yaml`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pydantic import BeforeValidator, Field

from sandbox.files import read_yaml, validate
from sandbox.files.sentences import translated
from sandbox.scene.entry import Entry, Word
from sandbox.teach.values import Missing, filled

if TYPE_CHECKING:
    from sandbox.teach.known import Facts

FILE = "glossary.yaml"
_DAMAGE = re.compile(r"(\bAP(?:-\d*)) D\d+")
"""in a hit D is its damage, and no die."""


class WordEntry(Entry):
    """One word."""

    find: str
    """how it is written: whole words, `|` between several; a small first letter may be a capital one as well."""
    say: Annotated[list[str], BeforeValidator(lambda value: [value] if isinstance(value, str) else value)]
    """what is said, the first of them that the pack has values for."""
    packs: list[Word] = Field(default_factory=list)
    """ids of the packs whose word it is; empty: everybody's."""


class GlossaryFile(Entry):
    """The whole file."""

    words: dict[Word, WordEntry]


@cache
def entries() -> dict[str, WordEntry]:
    """The words by name, in the order in which they are explained."""
    path = Path(str(files("sandbox.teach").joinpath(FILE)))
    return validate(read_yaml(path), GlossaryFile).words


@cache
def pattern(find: str) -> re.Pattern[str]:
    """What finds a word as whole words; `find` as in `WordEntry`."""
    written = (
        f"[{one[0]}{one[0].upper()}]{re.escape(one[1:])}" if one[:1].islower() else re.escape(one)
        for one in find.split("|")
    )
    return re.compile(rf"(?<![\w-])(?:{'|'.join(written)})(?![\w])")


class Glossary:
    """Words that were explained so far, in one lesson or one explanation."""

    def __init__(self, facts: Sequence[Facts]) -> None:
        """facts: under the pack that is taught, then under others that are spoken of."""
        self.facts = facts
        self.known: set[str] = set()

    def explain(self, texts: Iterable[str], but: Iterable[str] = ()) -> tuple[str, ...]:
        """What the words mean that occur in texts for the first time; but: names of those that the texts explain."""
        self.known.update(but)
        told: list[str] = []
        text = "\n".join(texts)
        while text:
            found = [*self._new(text)]
            told += found
            text = "\n".join(found)  # what explains a word may hold another one
        return tuple(told)

    def _new(self, text: str) -> Iterator[str]:
        phrases = [
            find for one in entries().values() for find in translated(one.find).split("|") if " " in find
        ]
        text = _DAMAGE.sub(r"\1", text)
        bare = pattern("|".join(phrases)).sub("", text)  # "Out of Action" is no action
        for name, entry in entries().items():
            find = translated(entry.find)
            if name in self.known or not pattern(find).search(text if " " in find else bare):
                continue
            said = self._said(entry)
            if said is not None:
                self.known.add(name)
                yield said

    def _said(self, entry: WordEntry) -> str | None:
        for facts in self.facts:
            if entry.packs and facts.field.pack.id not in entry.packs:
                continue
            for text in entry.say:
                try:
                    return filled(translated(text), facts)
                except Missing:  # this pack has no such thing
                    continue
        return None
