"""What a rule says in the language that is spoken, its value in the place that its sentence keeps for it."""

from __future__ import annotations

from sandbox.files.sentences import translated
from sandbox.moves.words import length, sentence
from sandbox.rules import Rule
from sandbox.rules.values import PLACE, said_value


def rule_words(rule: Rule) -> str:
    """A rule's words with its value in them, lengths with as many digits as measurements have."""
    return translated(rule.words or rule.text).replace(PLACE, _shown(rule))


def _shown(rule: Rule) -> str:
    value, unit = rule.value, rule.unit
    if isinstance(value, bool) or not isinstance(value, int | float):
        return translated(said_value(value))
    if unit == "degrees":
        return sentence("units", "angle", degrees=f"{value:g}")
    if unit == "in":
        return length(value)
    if unit.startswith("in "):
        return sentence("units", "length", inches=f"{value:g}")
    return f"{value:g}"
