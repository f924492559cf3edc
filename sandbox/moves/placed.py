"""Fighters as they stand on the battlefield: where, on what base, under which rules, engaged or not."""

from __future__ import annotations

from dataclasses import dataclass

from sandbox.moves.answers import Point
from sandbox.moves.distance import Base, plan_gap
from sandbox.rules import FighterRules
from sandbox.rules.words import Posture
from sandbox.scene import Fighter
from sandbox.units import inches

CONTACT = 0.02
"""inches: positions that people wrote touch with a gap of at most this, and overlap with more than this."""


@dataclass(frozen=True)
class Placed:
    """One model on the table."""

    fighter: Fighter
    base: Base
    """its base, at the floor that it stands on."""
    height: float
    """of its body, inches."""
    rules: FighterRules
    engaged_with: tuple[str, ...] = ()
    """ids of the enemies that it is engaged with."""
    problem: str | None = None
    """why it cannot be asked about, in words; None where all is well."""

    @property
    def id(self) -> str:
        """The fighter's id."""
        return self.fighter.id

    @property
    def at(self) -> Point:
        """Centre of its base on the ground."""
        return self.base.at

    @property
    def prone(self) -> bool:
        """Whether it lies down."""
        return self.rules.posture is Posture.PRONE

    @property
    def drives(self) -> bool:
        """Whether it is a vehicle, which drives where others walk."""
        return self.rules.posture is Posture.VEHICLE

    def is_enemy(self, other: Placed) -> bool:
        """Whether the two are on different sides."""
        return self.fighter.side != other.fighter.side


def base_of(fighter: Fighter, z: float) -> Base:
    """The fighter's base with its centre at height z (inches)."""
    long, short = fighter.base
    return Base((*fighter.at, z), inches(long) / 2, inches(short) / 2, fighter.facing)


def touching(a: Base, b: Base, step: float) -> bool:
    """Whether two bases are in contact: a gap of at most 0.02" in plan, heights no farther apart than a free step.

    One above the other is on another level, however near that is.
    """
    gap, rise = plan_gap(a, b), abs(a.at[2] - b.at[2])
    above = gap < -CONTACT - 1e-9 and rise > CONTACT
    return gap <= CONTACT + 1e-9 and rise <= step + inches(0.05) and not above


def overlapping(a: Base, b: Base, a_height: float, b_height: float) -> float:
    """How deep two models overlap in plan, inches; 0 where they do not, or one is above the other."""
    low, high = (a, b) if a.at[2] <= b.at[2] else (b, a)
    tall = a_height if low is a else b_height
    if high.at[2] - low.at[2] >= tall:
        return 0.0
    return max(0.0, -plan_gap(a, b))
