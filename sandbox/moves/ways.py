"""Found ways, before they are told: what they cost, how likely they are, which of two is the better one.

Lengths are in inches, angles in degrees.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from sandbox.ground.model import Floats
from sandbox.ground.search import Reach
from sandbox.ground.search_model import Arrival
from sandbox.moves.answers import Point
from sandbox.moves.hazards import Choice
from sandbox.moves.prices import Pricing

SAME_COST = 1e-4
"""inches: ways of two searches that differ by less cost the same."""
_SAME_CHANCE = 1e-9


@dataclass(frozen=True, eq=False)
class Found:
    """A way that a search found, before it is told."""

    reach: Reach
    arrival: Arrival
    cost: float
    """inches."""
    chance: float
    """of everything but a rolled distance."""
    choice: Choice
    """what it accepts to touch."""
    pricing: Pricing | None = None
    """the mover's prices where something was used up on the way; None: its usual ones."""
    booster: float | None = None
    """what is left to pay for difficult ground that a booster was used on, inches; None: it was not used there."""
    tail: Point | None = None
    """where a last straight step ends that the search could not tell from crossing an obstacle, inches."""


def closest_on(path: tuple[Point, ...], met: Point) -> Point:
    """The point of a path that is nearest to another in plan."""
    best, least = path[0], float("inf")
    for a, b in itertools.pairwise(path):
        start, way = np.array(a), np.subtract(b, a)
        square = float(way[:2] @ way[:2])
        share = (
            0.0
            if square < 1e-12
            else float(np.clip((np.array(met[:2]) - start[:2]) @ way[:2] / square, 0, 1))
        )
        here = start + share * way
        away = float(np.hypot(*(here[:2] - met[:2])))
        if away < least:
            best, least = point_of(here), away
    return best


def point_of(values: Floats) -> tuple[float, float, float]:
    """Three numbers (3,) as a point."""
    return (float(values[0]), float(values[1]), float(values[2]))


def better(a: Found, b: Found, *, cheapest: bool) -> bool:
    """Whether a is better: the better chance, then the lower cost; cheapest: the other way round."""
    cheaper, likelier = a.cost < b.cost - SAME_COST, a.chance > b.chance + _SAME_CHANCE
    if cheapest:
        return cheaper or (a.cost <= b.cost + SAME_COST and likelier)
    return likelier or (a.chance >= b.chance - _SAME_CHANCE and cheaper)
