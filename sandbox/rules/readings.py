"""Which other reading of an open setting would allow what a ruling forbids."""

from __future__ import annotations

from typing import Any

from sandbox.rules.entries import Alternative
from sandbox.rules.pack import Rule
from sandbox.rules.ticks import at_most, less_than

LEAST = frozenset(
    {
        "keep_distance",
        "standing_height",
        "prone_height",
        "rail_height",
        "edge_drop",
        "fall_hurts_from",
    }
)
"""constants that are the least that is allowed; all other lengths and angles are the most."""


def allowing(rule: Rule, measured: float | None) -> Alternative[Any] | None:
    """The first reading of a rule that would allow what was measured (inches or degrees).

    None: the rule is no open setting, or no reading of it would help. Where nothing was measured, or a reading is a word
    (``base``, ``movement``) or a switch, the first other one.
    """
    for reading in rule.setting:
        number = isinstance(reading.value, int | float) and not isinstance(reading.value, bool)
        if measured is None or not number:
            return reading
        if rule.id in LEAST:
            helps = not less_than(measured, float(reading.value))
        else:
            helps = at_most(measured, float(reading.value))
        if helps:
            return reading
    return None


def in_words(reading: Alternative[Any]) -> str:
    """A reading with what it would change: ``2: Deep decks can be climbed around.``"""
    value = reading.value
    if isinstance(value, bool):
        value = "yes" if value else "no"
    elif isinstance(value, int | float):
        value = f"{value:g}"
    return f"{value}: {reading.changes}"
