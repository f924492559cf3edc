"""Ground that a way may touch or keep off: what touching it once costs and risks, and the choices that leaves.

A search keeps off all of it, or accepts some of it; every choice is a search of its own, and the best way of all
searches is the answer. So a check for crossing counts once for each patch of ground, and two inches for touching
difficult ground count once for a whole move.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from sandbox.ground.model import Floats, Permit, Place, Places
from sandbox.moves.prices import Pricing, Test
from sandbox.moves.roles import Roles
from sandbox.rules.words import CrossCost, Ground, RoughGround

Bools = NDArray[np.bool_]

MOST = 3
"""patches that are told apart; what lies farther off is taken together with the last of them."""
OPEN, DIFFICULT, DANGEROUS = 0, 1, 2


class HazardKind(StrEnum):
    """Why a patch of ground is chosen or kept off."""

    DANGEROUS = "dangerous"
    """crossed at the risk of its check."""
    SCRAMBLE = "scramble"
    """not flat: scrambled over at the risk of a check."""
    ONCE = "difficult-once"
    """difficult ground that takes something off the whole move, however much of it is touched."""


@dataclass(frozen=True, eq=False)
class Hazard:
    """A patch of ground that a way may touch or keep off."""

    kind: HazardKind
    where: Bools
    """(n,) places on it."""
    test: Test | None = None
    """what is rolled for crossing it; None: nothing."""
    extra: float = 0.0
    """inches paid once for touching it."""

    @property
    def chance(self) -> float:
        """Chance to cross it unharmed."""
        return 1.0 if self.test is None else self.test.chance


@dataclass(frozen=True, eq=False)
class Choice:
    """Which hazards a search accepts."""

    accepts: tuple[Hazard, ...]
    refuses: tuple[Hazard, ...]

    @property
    def chance(self) -> float:
        """Chance to get over all that is accepted."""
        return float(np.prod([one.chance for one in self.accepts])) if self.accepts else 1.0

    @property
    def extra(self) -> float:
        """Inches paid once."""
        return sum(one.extra for one in self.accepts)

    @property
    def wet(self) -> bool:
        """Whether difficult ground that is paid once may be touched."""
        return all(one.kind is not HazardKind.ONCE for one in self.refuses)


def choices(hazards: Sequence[Hazard]) -> Iterator[Choice]:
    """All choices, the one that keeps off everything first, the one that accepts everything last."""
    for count in range(len(hazards) + 1):
        for taken in itertools.combinations(hazards, count):
            yield Choice(taken, tuple(one for one in hazards if one not in taken))


def rough(places: Places, found: Roles, pricing: Pricing) -> Bools:
    """(n,) where ground is scrambled over: its surface's own tilt is more than flat, and it is no ramp and no stairs."""
    movement = pricing.movement
    none = np.zeros(len(places.pos), dtype=np.bool_)
    if movement.rough_ground is not RoughGround.SCRAMBLE:
        return none
    steep = np.hypot(*places.gradient.T) > np.tan(np.radians(movement.stand_slope)) + 1e-3
    sloped = np.array([bool(p & Permit.SLOPE) for p in found.permits] + [True])
    return np.asarray(steep & ~sloped[places.part] & ((places.flags & Place.PASS) != 0))


def hazards(
    places: Places, worst: NDArray[np.uint8], uneven: Bools, pricing: Pricing, start: Floats, reach: float
) -> tuple[Hazard, ...]:
    """The hazards within reach of a start (mm), nearest first.

    worst: (n,) how harsh the ground is, `OPEN` to `DANGEROUS`. uneven: (n,) what is scrambled over.
    """
    movement, rules = pricing.movement, pricing.rules
    found: list[Hazard] = []
    near = np.hypot(places.pos[:, 0] - start[0], places.pos[:, 1] - start[1]) <= reach
    danger = pricing.dangerous_test()
    if danger is not None and danger.chance < 1.0:
        for patch in _patches(places, near & (worst == DANGEROUS), start):
            found.append(Hazard(HazardKind.DANGEROUS, patch, danger))
    scramble = pricing.scramble_test()
    if scramble is not None and scramble.chance < 1.0:
        for patch in _patches(places, near & uneven, start):
            found.append(Hazard(HazardKind.SCRAMBLE, patch, scramble))
    if movement.difficult_once > 0.0 and Ground.DIFFICULT not in rules.ignores:
        found.append(Hazard(HazardKind.ONCE, worst >= DIFFICULT, None, movement.difficult_once))
    return _few(found)


def _few(found: list[Hazard]) -> tuple[Hazard, ...]:
    """At most `MOST` hazards of one kind: what is left over belongs to the last."""
    kept: list[Hazard] = []
    for kind in HazardKind:
        same = [one for one in found if one.kind is kind]
        if len(same) > MOST:
            where = np.any([one.where for one in same[MOST - 1 :]], axis=0)
            same = [*same[: MOST - 1], Hazard(kind, where, same[0].test, same[0].extra)]
        kept += same
    return tuple(kept)


def _patches(places: Places, where: Bools, start: Floats) -> list[Bools]:
    """The connected patches of some places, (n,) each, nearest to the start first."""
    rows = np.flatnonzero(where)
    if rows.size == 0:
        return []
    number = np.full(len(where) + 1, -1)
    number[rows] = np.arange(rows.size)
    beside = number[places.neighbour[rows]]
    i, j = np.nonzero(beside >= 0)
    graph = csr_matrix((np.ones(i.size, np.int8), (i, beside[i, j])), shape=(rows.size, rows.size))
    count, label = connected_components(graph, directed=False)
    patches, away = [], []
    for one in range(count):
        mask = np.zeros(len(where), dtype=np.bool_)
        mask[rows[label == one]] = True
        patches.append(mask)
        away.append(float(np.hypot(*(places.pos[rows[label == one], :2] - start[:2]).T).min()))
    return [patches[k] for k in np.argsort(away, kind="stable")]


def crossed_as_difficult(found: Roles, pricing: Pricing, sizes: Sequence[tuple[float, float]]) -> Bools:
    """(parts,) obstacles that are difficult ground for as long as the base's centre is over them.

    sizes: height and smaller plan dimension of each part, inches.
    """
    movement = pricing.movement
    if movement.cross_cost is not CrossCost.THICKNESS or Ground.DIFFICULT in pricing.rules.ignores:
        return np.zeros(len(found.permits), dtype=np.bool_)
    return np.array(
        [
            bool(permit & Permit.CROSS) and movement.cross_extra(height, 1.0, width) > 0.0
            for permit, (height, width) in zip(found.permits, sizes, strict=True)
        ],
        dtype=np.bool_,
    )
