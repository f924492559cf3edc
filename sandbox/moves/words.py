"""The sentences of `sentences.yaml`, and how measurements are written in them."""

from __future__ import annotations

from typing import Any

from sandbox.files.sentences import sentences_of, translated
from sandbox.units import MM_PER_INCH


def _table() -> dict[str, Any]:
    return sentences_of("sandbox.moves")


def sentence(group: str, name: str | None = None, /, **filled: object) -> str:
    """The sentence `name` of `group` (or the lone one `group`), filled in; KeyError where missing."""
    found = str(_table()[group] if name is None else _table()[group][name])
    return translated(found).format(**filled)


def has(group: str, name: str) -> bool:
    """Whether there is such a sentence."""
    return name in _table()[group]


_MOST_DIGITS = 5


def length(inches: float, digits: int = 2) -> str:
    """A distance on the table: ``7.31 in``."""
    return sentence("units", "length", inches=f"{inches:.{digits}f}")


def built(inches: float, digits: int = 2) -> str:
    """A measurement of a model: ``25.4 mm (1.00 in)``."""
    return sentence(
        "units", "built", mm=f"{inches * MM_PER_INCH:.{digits - 1}f}", inches=f"{inches:.{digits}f}"
    )


def digits_for(*inches: float | None) -> int:
    """How many digits after the point tell these lengths apart: two, more where they would read the same."""
    apart = {value for value in inches if value is not None}
    digits = 2
    while digits < _MOST_DIGITS and len({f"{value:.{digits}f}" for value in apart}) < len(apart):
        digits += 1
    return digits


def source_words(source: str) -> str:
    """Where a rule comes from, for people: documents as they are cited, the rest in words."""
    return sentence("sources", source) if has("sources", source) else source


def action_words(action: str) -> str:
    """An action's name, for people: ``Double Move``."""
    return sentence("actions", action) if has("actions", action) else action.replace("-", " ").title()


def chance(value: float) -> str:
    """A chance: ``33 %``."""
    return sentence("units", "chance", percent=f"{100 * value:.0f}")


def degrees(value: float) -> str:
    """An angle in degrees."""
    return sentence("units", "angle", degrees=f"{value:.1f}")
