"""What a rule says, with its number where its words point at it: ``a rise of at most 0.50 in``."""

from __future__ import annotations

import re

from sandbox.moves.words import length
from sandbox.rules import Rule
from sandbox.rules.show import value_text
from sandbox.teach.words import say, translated

_POINTS = re.compile(r"\bthis (?!can\b)|^How |^What |^The longest|^The greatest")
"""words of a rule that point at its value."""

_THERE = re.compile(
    r"this many inches|this much headroom|this tall|(?:more|nearer|thinner|narrower|wider) than this\b"
    r"|up to this height|this near(?= an? )|this (?:much|height|distance|tilt|far)\b"
)
"""those that its value can stand in the place of."""


def rule_words(rule: Rule) -> str:
    """A rule's words; where they point at a value ("this height"), with the value behind them."""
    value = rule.value
    points = _POINTS.search(rule.text) is not None
    if isinstance(value, bool) or value is None or not points:
        return translated(rule.text)
    if isinstance(value, int | float):
        shown = length(value) if rule.unit == "in" else value_text(value, rule.unit.partition(" per ")[0])
    elif "check" in rule.text:
        shown = value_text(value)
    else:
        return translated(rule.text)
    text = translated(rule.text)
    told_there, count = _THERE.subn(lambda m: _put(m[0], shown), text, count=1)
    if count and isinstance(value, int | float):
        return told_there
    return say("facts", "with-value", text=text.rstrip("."), value=shown)


def _put(words: str, shown: str) -> str:
    """A value in the place of the words that point at it: ``this many inches``, ``this tall``, ``wider than this``."""
    number = shown.split(" ", maxsplit=1)[0]
    if words == "this many inches":
        return f"{number} inch" if number == "1" else f"{number} inches"
    if words == "this much headroom":
        return f"{shown} of headroom"
    if words == "up to this height":
        return f"up to {shown} high"
    if words == "this near":
        return f"within {shown} of"
    if words == "this tall":
        return f"{shown} tall"
    return words.replace("this", shown) if words.endswith("than this") else shown
