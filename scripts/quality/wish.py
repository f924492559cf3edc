"""What a module of a build is asked for, and what it answers: solids, and the faults that were planted in them.

Right means at least 0.6 mm from every threshold of the declared bases and packs. A fault goes past its threshold by
the amount that the wish names; an amount below 0 stays that much this side of it, where the printer decides. Thresholds stand here as the rule documents have them; nothing of the check is used.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from quality.shapes import Solid

CLEAR = 0.6
INCH = 25.4
HEIGHT = 1.4 * INCH
STURDY = 2.0 * INCH + CLEAR
"""What is wider than this is no obstacle in any pack."""
NECROMUNDA = ("necromunda-2023", "necromunda-2017")


@dataclass(frozen=True)
class Wish:
    """What a build is made for."""

    bases: tuple[float, ...]
    packs: tuple[str, ...]
    random: random.Random

    @property
    def largest(self) -> float:
        return max(self.bases)

    @property
    def steps(self) -> list[float]:
        """Free steps of the packs, mm."""
        found = set()
        if any(p in NECROMUNDA for p in self.packs):
            found.add(0.5 * INCH)
        if "blightmeer" in self.packs:
            found.add(INCH)
        return sorted(found)

    @property
    def spans(self) -> list[float]:
        """Gaps crossed without a test, mm."""
        found = set()
        if any(p in NECROMUNDA for p in self.packs):
            found |= set(self.bases)
        if "blightmeer" in self.packs:
            found.add(INCH)
        return sorted(found)

    def short_of(self, limits: Iterable[float], amount: float) -> float | None:
        """A length that misses one of some thresholds by an amount; below 0: that just keeps all of them.

        None where it would be near another threshold too, which would be a second fault.
        """
        known = sorted(set(limits))
        limit = known[-1] if amount < 0 else self.random.choice(known)
        value = limit - amount
        others = known[:-1] if amount < 0 else known
        return None if any(0 <= value - other < CLEAR for other in others) else value

    def between(self, low: float, high: float) -> float:
        return self.random.uniform(low, high)

    def off(self, low: float, high: float, thresholds: list[float], least: float = CLEAR) -> float:
        """A length that keeps clear of thresholds."""
        for _ in range(1000):
            value = self.between(low, high)
            if all(abs(value - t) >= least for t in thresholds):
                return value
        raise ValueError("no room between the thresholds")

    def riser(self, low: float, high: float) -> float:
        """A riser of which no few together are near a free step: a stair's side is climbed too."""
        for _ in range(1000):
            value = self.between(low, high)
            if all(abs(k * value - s) >= CLEAR for k in range(1, 6) for s in self.steps):
                return value
        raise ValueError("no riser fits")

    def height(self, low: float, high: float) -> float:
        """A height of a floor: off steps, off headroom."""
        return self.off(low, high, [*self.steps, 0.5 * INCH, INCH])


@dataclass(frozen=True)
class Planted:
    """One planted fault."""

    kinds: tuple[str, ...]
    """kinds of findings that tell it, any of them."""
    at: tuple[float, float, float] | None
    """in the module's own frame; None: about the whole file."""
    reach: float = 30.0
    """how far from there it may be told, mm."""
    follows: tuple[str, ...] = ()
    """kinds of findings that truly follow from it, anywhere in the module."""
    amount: float = 0.0


@dataclass
class Module:
    """Solids with what is wrong with them."""

    solid: Solid
    planted: list[Planted] = field(default_factory=list)
    settings: dict[str, object] = field(default_factory=dict)


Maker = Callable[[Wish, float], Module | None]
"""amount 0: right; above: how far past the threshold the fault goes; below: how far this side of it.

None: it makes no sense for this wish.
"""


def told(kind: str, amount: float) -> tuple[str, ...]:
    """The kind of finding that tells a fault past a threshold, or just this side of it."""
    return (f"near-{kind}",) if amount < 0 else (kind,)
