"""What a search answers with: arrivals at exact points, and ways told in stretches."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from sandbox.ground.model import Floats, Hindrance, Ints


class StretchKind(StrEnum):
    """What a stretch of a way is."""

    WALK = "walk"
    CROSS = "cross"
    """over an obstacle, body lifted to its top."""
    LINK = "link"


@dataclass(frozen=True)
class Arrival:
    """How an exact point is reached: lengths mm, chance 0 to 1."""

    point: tuple[float, float, float]
    """the exact point asked for."""
    cost: float
    """movement spent, mm."""
    clock: float
    """movement spent and lost: where a link or an obstacle had to wait for the next Move, the rest of the last one."""
    chance: float
    """chance to pass every check on the way."""
    move: int
    """which Move of the chain it ends in, from 0."""
    place: int
    """the place whose cell holds the point."""
    anchor: int
    """last anchor of the way, an index into the search's labels; -2 - s: it turns at the place of label s."""
    used: int = 0
    """bits of what was used up on the way."""


@dataclass(frozen=True, eq=False)
class Arrivals:
    """Arrivals at many points as columns; cost and clock inf, chance 0 and anchor -1 where there is no way."""

    point: Floats
    """(p, 3) exact points, mm."""
    cost: Floats
    """(p,) mm."""
    clock: Floats
    """(p,) mm."""
    chance: Floats
    """(p,)."""
    place: Ints
    """(p,) int32."""
    anchor: Ints
    """(p,) int32, as in `Arrival`."""


@dataclass(frozen=True, eq=False)
class Stretch:
    """A part of a way that is one thing: walked, an obstacle crossed, or one link."""

    kind: StretchKind
    points: Floats
    """(m, 3) the centre's path, z of the ground under it (of the obstacle's top is `lift`)."""
    lift: Floats
    """(m,) z of the body's underside along it."""
    cost: float
    """movement spent on it, mm."""
    length: float
    """its plan length, mm."""
    begins: float
    """clock when it begins, after any wait, mm."""
    ends: float
    """clock when it ends, mm."""
    chance: float = 1.0
    """chance of its own checks."""
    link: int = -1
    """row in `Links`, -1 none."""
    zone: int = -1
    """terrain part crossed, -1 none."""


@dataclass(frozen=True)
class Breach:
    """Where a way that is not allowed breaks a limit."""

    hindrance: Hindrance
    place: int
    """refused place entered, -1 where it is a link."""
    link: int
    """refused link taken, row in `Links`, -1 where it is a place."""
    barred: bool
    """barred by the question (a price of inf: other bases, areas, forbidden links), not by the ground."""


@dataclass(frozen=True, eq=False)
class RefusedWay:
    """The way that breaks fewest limits, then by least excess, then the cheapest."""

    cost: float
    """movement it would spend, mm."""
    points: Floats
    """(m, 3) its path, mm."""
    breaches: tuple[Breach, ...]
    """in order along the way; empty where nothing but the allowance stands against it."""
