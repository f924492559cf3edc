"""Sizes that no terrain has, and the unit that would cure them: a warning, never a silent change."""

from __future__ import annotations

from sandbox.scene.model import Unit
from sandbox.terrain.formats.raw import Floats
from sandbox.terrain.place import MM_PER_UNIT
from sandbox.units import inches

SMALLEST_IN = 0.35
"""A piece whose longest side is below this is hardly terrain."""
LARGEST_IN = 100.0
TALLEST_IN = 48.0
_USUAL_IN = (0.8, 60.0)


def size_note(vertices: Floats, unit: Unit, scale: float) -> str | None:
    """A warning with a guess where (n, 3) mm vertices have an implausible size; None where they do not."""
    size = vertices.max(axis=0) - vertices.min(axis=0)
    longest, tall = inches(float(size.max())), inches(float(size[2]))
    if SMALLEST_IN <= longest <= LARGEST_IN and tall <= TALLEST_IN:
        return None
    now = MM_PER_UNIT[unit]
    guesses = [
        f"units: {other.value} would make it {fitted:.3g} in"
        for other, factor in MM_PER_UNIT.items()
        if _USUAL_IN[0] <= (fitted := longest * factor / now) <= _USUAL_IN[1]
    ]
    text = f"is {longest:.3g} in long and {tall:.3g} in high, read as {unit} at scale {scale:g}"
    return f"{text}; {' or '.join(guesses) or 'check its units and scale'}"
