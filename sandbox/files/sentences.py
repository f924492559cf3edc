"""Sentences that live in a package's `sentences.yaml`, and what they are in another language."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from ruamel.yaml import YAML

TRANSLATED: dict[str, str] = {}
"""sentences in another language, by what they are in this one; empty: all are told as they are written."""


@cache
def sentences_of(package: str) -> dict[str, Any]:
    """The sentences of a package's `sentences.yaml`, by group and name."""
    text = files(package).joinpath("sentences.yaml").read_text(encoding="utf-8")
    table = YAML(typ="safe", pure=True).load(text)
    assert isinstance(table, dict)
    return table


def told_in(package: str, group: str, name: str, /, **filled: object) -> str:
    """The sentence `name` of `group` in a package's `sentences.yaml`, filled in; KeyError where missing."""
    found = str(sentences_of(package)[group][name])
    return translated(found).format(**filled)


def translated(text: str) -> str:
    """A text in the language that was chosen; the text itself where none was, or where it has no translation."""
    return TRANSLATED.get(text, text)
