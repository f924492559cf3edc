"""The sentences of `sentences.yaml`: the words that stand on pictures."""

from __future__ import annotations

import re

from sandbox.files.sentences import told_in
from sandbox.units import MM_PER_INCH


def say(group: str, name: str, /, **filled: object) -> str:
    """The words `name` of `group`, filled in; KeyError where missing."""
    return told_in("sandbox.view", group, name, **filled)


_INCHES = re.compile(r"(\d+(?:\.\d+)?)(?: - (\d+(?:\.\d+)?))?(?:\"| in\b)")


def in_millimetres(text: str) -> str:
    """A text with its inches (``3.05"``, ``1 - 2"``, ``5.00 in``) in millimetres."""

    def other(found: re.Match[str]) -> str:
        return " - ".join(f"{float(part) * MM_PER_INCH:.0f}" for part in found.groups() if part) + " mm"

    return _INCHES.sub(other, text)
