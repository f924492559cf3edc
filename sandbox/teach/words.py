"""The sentences of `sentences.yaml`: everything that explanations and lessons say by themselves."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.files.sentences import sentences_of, told_in

_PACKAGE = "sandbox.teach"


def say(group: str, name: str, /, **filled: object) -> str:
    """The sentence `name` of `group`, filled in; KeyError where missing."""
    return told_in(_PACKAGE, group, name, **filled)


def has(group: str, name: str) -> bool:
    """Whether there is such a sentence."""
    return name in sentences_of(_PACKAGE)[group]


def listed(words: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    if len(words) < 2:
        return "".join(words)
    return say("lists", "last", first=", ".join(words[:-1]), last=words[-1])


def sentence_of(text: str) -> str:
    """A text as a sentence: a capital letter in front, a full stop behind."""
    text = text.strip()
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "?", "!", ":")) else f"{text}."
