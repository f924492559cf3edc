"""The sentences of `sentences.yaml`: the words that stand on pictures."""

from __future__ import annotations

from sandbox.files.sentences import told_in


def say(group: str, name: str, /, **filled: object) -> str:
    """The words `name` of `group`, filled in; KeyError where missing."""
    return told_in("sandbox.view", group, name, **filled)
