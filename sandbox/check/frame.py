"""What room is measured under, and where a base's centre may be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sandbox.check.levels import (
    Level,
    Levels,
    grown,
)
from sandbox.check.model import USUAL_MM, Base
from sandbox.check.plan import (
    Plan,
    Shape,
    both,
    minus,
    opened,
    tidy,
)

HALF = 0.5
"""An opening below this share of a base was not made for it."""


@dataclass(frozen=True, eq=False)
class Frame:
    """What room is measured under: one free step, one set of obstacles, one height."""

    plan: Plan
    """without the obstacles, which are crossed and not walls."""
    levels: Levels
    bases: Sequence[Base]
    step: float
    height: float
    band: float
    packs: frozenset[str]
    ceiling: float
    steepest: float
    """what may be walked, degrees."""
    around: Shape
    """the build and a strip around it, for what concerns the table."""
    obstacles: tuple[tuple[float, float, Shape], ...] = ()
    """lowest and highest point (mm) and outline of what is crossed: floor as far as ways are concerned."""
    crossed: frozenset[int] = frozenset()
    """levels on obstacles, where nobody ends anyway."""

    @property
    def widths(self) -> list[float]:
        """Widths that bases need, mm, each once."""
        return sorted({b.short for b in self.bases})

    @property
    def ladder(self) -> list[float]:
        """Those and the usual ones, each once: places are looked for with all of them, so that they stay when bases change."""
        return sorted({*USUAL_MM, *self.widths})

    @property
    def ovals(self) -> list[Base]:
        """The bases that are not round."""
        return [base for base in self.bases if not base.is_round]


def surroundings(frame: Frame, level: Level) -> Shape:
    """What of the floors around a level matters for ways on it."""
    near = grown(level.shape, 2.5 * frame.ladder[-1])
    return tidy(both(near, frame.around)) if level.z < 0.01 else near


def free_part(floor: Shape, walls: Shape, radius: float) -> Shape:
    """Where the centre of a base of a radius may be: off walls, on floor that is not a tightrope."""
    return tidy(minus(opened(floor, radius / 2), grown(walls, radius)))
