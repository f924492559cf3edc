"""The sentences of `sentences.yaml`: the words that stand on pictures."""

from __future__ import annotations

from sandbox.moves.words import TRANSLATED, sentences_of


def say(group: str, name: str, /, **filled: object) -> str:
    """The words `name` of `group`, filled in; KeyError where missing."""
    found = str(sentences_of("sandbox.view")[group][name])
    return TRANSLATED.get(found, found).format(**filled)
