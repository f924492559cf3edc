"""What a rule says in the language that is spoken, its value in the place that its sentence keeps for it."""

from __future__ import annotations

from sandbox.moves.words import length
from sandbox.rules import Rule
from sandbox.rules.values import PLACE, said_value
from sandbox.teach.words import translated


def rule_words(rule: Rule) -> str:
    """A rule's words with its value in them, lengths with as many digits as measurements have."""
    value = rule.value
    measured = rule.unit == "in" and isinstance(value, int | float) and not isinstance(value, bool)
    shown = length(value) if measured else translated(said_value(value, rule.unit))
    return translated(rule.words or rule.text).replace(PLACE, shown)
