"""What the drawing is handed: plain marks and arrays. It shows them and decides nothing.

Board frame: x east, y north, z up. Lengths are inches, angles degrees counter-clockwise from east; the terrain's own
arrays and base sizes are millimetres, as everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sandbox.kinds import Kind
from sandbox.moves.answers import LegKind

if TYPE_CHECKING:
    from sandbox.terrain.model import Terrain

Floats = NDArray[np.float64]
Point = tuple[float, float, float]


@dataclass(frozen=True)
class FighterMark:
    """A fighter as it stands on the board."""

    name: str
    at: Point
    """centre of its base on the ground, inches."""
    base_mm: tuple[float, float]
    """diameters of the base along and across its facing, mm; equal for round bases."""
    height: float
    """height of the model, inches."""
    side: str = ""
    facing: float = 0.0
    prone: bool = False
    status: str = ""
    """said beside the name where it is not empty."""
    active: bool = False
    """the fighter that the picture is about: its base is ringed."""
    vehicle: bool = False
    """drawn as a hull instead of a figure."""


@dataclass(frozen=True, eq=False)
class Reach:
    """Places where a fighter may end, with what they cost."""

    spots: Floats
    """(n, 5) x, y, z, cost, success: inches and a chance 0 to 1."""
    allowance: float
    """inches."""


@dataclass(frozen=True)
class CheckMark:
    """One check of a leg, in words."""

    text: str
    """such as ``Initiative 4+``."""
    chance: float | None = None


@dataclass(frozen=True, eq=False)
class LegMark:
    """One leg of a way."""

    kind: LegKind
    path: Floats
    """(k, 3) the way of the base's centre, k >= 2, inches; two points are drawn in the manner of the leg's kind."""
    length: float
    cost: float
    checks: tuple[CheckMark, ...] = ()
    height: float = 0.0
    """height climbed (negative: climbed or jumped down), inches."""
    driven: bool = False
    """a vehicle goes it."""


@dataclass(frozen=True)
class RulingMark:
    """A ruling in words."""

    rule: str
    text: str
    source: str = ""
    where: Point | None = None
    """the place that was measured, inches."""
    keep: float | None = None
    """distance that has to be kept from the fighter at that place, inches; None: the ruling is about something else."""


@dataclass(frozen=True, eq=False)
class Way:
    """A move: its legs from first to last, legal or not."""

    legs: tuple[LegMark, ...]
    end: Point
    """where it was asked to end, inches."""
    legal: bool
    cost: float | None = None
    success: float | None = None
    rulings: tuple[RulingMark, ...] = ()
    facing: float = 0.0
    """heading of the base at its end."""


@dataclass(frozen=True)
class AreaMark:
    """Agreed ground without a mesh of its own: every floor inside the polygon and the height range."""

    kind: Kind
    polygon: tuple[tuple[float, float], ...]
    """plan corners, inches."""
    z: tuple[float, float] | None = None
    """lowest and highest height, inches; None: all heights."""


@dataclass(frozen=True)
class Caption:
    """The words of the legend's head."""

    scene: str = ""
    rules: str = ""
    fighter: str = ""
    action: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class StageInput:
    """Everything that one picture, or one state of the window, shows."""

    terrain: Terrain
    kinds: tuple[Kind, ...] | None = None
    """what each part counts as, where that is known; None: what it was declared as."""
    areas: tuple[AreaMark, ...] = ()
    fighters: tuple[FighterMark, ...] = ()
    reach: Reach | None = None
    way: Way | None = None
    caption: Caption = Caption()

    @property
    def part_kinds(self) -> tuple[Kind, ...]:
        """The kind that each part is shown as."""
        return tuple(part.kind for part in self.terrain.parts) if self.kinds is None else self.kinds

    @property
    def active(self) -> FighterMark | None:
        """The fighter that the picture is about, if there is one."""
        return next((fighter for fighter in self.fighters if fighter.active), None)
