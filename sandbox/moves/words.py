"""The sentences of `sentences.yaml`, and how measurements are written in them."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from ruamel.yaml import YAML

from sandbox.units import MM_PER_INCH


@cache
def _table() -> dict[str, Any]:
    text = files("sandbox.moves").joinpath("sentences.yaml").read_text(encoding="utf-8")
    table = YAML(typ="safe", pure=True).load(text)
    assert isinstance(table, dict)
    return table


def sentence(group: str, name: str | None = None, /, **filled: object) -> str:
    """The sentence `name` of `group` (or the lone one `group`), filled in; KeyError where missing."""
    found = _table()[group] if name is None else _table()[group][name]
    return str(found).format(**filled)


def has(group: str, name: str) -> bool:
    """Whether there is such a sentence."""
    return name in _table()[group]


def length(inches: float) -> str:
    """A distance on the table: ``7.31 in``."""
    return f"{inches:.2f} in"


def built(inches: float) -> str:
    """A measurement of a model: ``25.4 mm (1.00 in)``."""
    return f"{inches * MM_PER_INCH:.1f} mm ({inches:.2f} in)"


def chance(value: float) -> str:
    """A chance: ``33 %``."""
    return f"{100 * value:.0f} %"


def degrees(value: float) -> str:
    """An angle."""
    return f"{value:.1f} degrees"
