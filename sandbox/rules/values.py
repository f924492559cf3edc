"""How the values of rules are written for people, and sentences that hold one."""

from __future__ import annotations

from typing import Any

PLACE = "{value}"
"""stands in a rule's sentence where its value goes."""


def value_text(value: Any, unit: str = "") -> str:
    """A value as people read it: ``0.5 in``, ``yes``, ``between moves``; empty for None."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return f"{value:g} {unit}".rstrip()
    return str(value).replace("-", " ")


def said_value(value: Any, unit: str = "") -> str:
    """A value inside a sentence: ``0.5 in``, ``2 in`` for a price by the inch, ``-1`` for a modifier, ``Initiative``."""
    if isinstance(value, str):
        return value_text(value).capitalize()
    return value_text(value, unit if unit in ("in", "degrees") else "in" if unit.startswith("in ") else "")
