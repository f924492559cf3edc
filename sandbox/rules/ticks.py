"""Comparing lengths: whole ticks of 0.05 mm, so that equality is equality and is in the mover's favour."""

from __future__ import annotations

from sandbox.units import MM_PER_INCH, SNAP_MM


def ticks(length: float) -> int:
    """Inches as a whole number of 0.05 mm, the form in which lengths are compared, divided and rounded."""
    return round(length * MM_PER_INCH / SNAP_MM)


INCH = ticks(1.0)
"""ticks in an inch: 508, exactly."""


def at_most(length: float, limit: float) -> bool:
    """Whether a length is no more than a limit, both in inches."""
    return ticks(length) <= ticks(limit)


def less_than(length: float, limit: float) -> bool:
    """Whether a length is less than a limit, both in inches."""
    return ticks(length) < ticks(limit)


def begun(length: float, step: float) -> int:
    """How many steps of `step` inches a length has begun: 0 at 0, 1 up to and at one step."""
    return max(0, -(-ticks(length) // ticks(step)))


def full(length: float, step: float = 1.0) -> int:
    """How many whole steps of `step` inches a length holds."""
    return max(0, ticks(length) // ticks(step))
