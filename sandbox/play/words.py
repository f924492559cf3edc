"""The sentences of `sentences.yaml`: everything that a game says by itself."""

from __future__ import annotations

from sandbox.files.sentences import sentences_of, told_in

_PACKAGE = "sandbox.play"


def say(group: str, name: str, /, **filled: object) -> str:
    """The sentence `name` of `group`, filled in; KeyError where missing."""
    return told_in(_PACKAGE, group, name, **filled)


def has(group: str, name: str) -> bool:
    """Whether there is such a sentence."""
    return name in sentences_of(_PACKAGE)[group]


def called(group: str, name: str, /, **filled: object) -> str:
    """The sentence of a name where the group has one, else its `other`, or the name itself."""
    if has(group, name):
        return say(group, name, **filled)
    return say(group, "other", **filled) if has(group, "other") else name.replace("-", " ")
