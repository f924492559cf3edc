"""Leaps and jumps down: the modifier by height, and whether a leap is within its limits. Inches."""

from __future__ import annotations

from enum import StrEnum

from sandbox.rules.ticks import at_most, begun


class LeapLimit(StrEnum):
    """What a leap breaks; the values are the rule ids."""

    NONE = ""
    LENGTH = "leap_max"
    RISE = "leap_up"


def modifier(height: float, free_height: float, step: float, per_step: int) -> int:
    """Modifier of a jump down: `per_step` for every `step` begun above `free_height`.

    necromunda-2023 (001, Jumping Down): -ceil((h - 2) / 2) above 2 inches.
    """
    if step <= 0.0 or at_most(height, free_height):
        return 0
    return per_step * begun(height - free_height, step)


def leap_limit(gap: float, rise: float, longest: float | None, highest: float | None) -> LeapLimit:
    """Which limit a leap breaks, all inches; None for a limit that is only what movement is left."""
    if longest is not None and not at_most(gap, longest):
        return LeapLimit.LENGTH
    if highest is not None and not at_most(rise, highest):
        return LeapLimit.RISE
    return LeapLimit.NONE
