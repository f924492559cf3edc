"""The collision world's interface: inches outside, millimetres inside. Two engines stand behind it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Point = tuple[float, float, float]


@dataclass(frozen=True)
class Cylinder:
    """An upright body: a round or oval base outline extruded to a height. Inches; heading in degrees."""

    half_long: float
    half_short: float
    height: float
    facing: float = 0.0


@dataclass(frozen=True, eq=False)
class Hull:
    """The convex hull of a thing that is let go."""

    points: Floats
    """(n, 3) inches, its centre of weight at the origin."""


@dataclass(frozen=True, eq=False)
class RayHits:
    """Answers to a batch of rays."""

    hit: NDArray[np.bool_]
    """(n,) whether anything was hit."""
    point: Floats
    """(n, 3) first hit, inches; the ray's end where nothing was hit."""
    normal: Floats
    """(n, 3) unit normal there, turned towards the ray's start; 0 where nothing was hit."""
    fraction: Floats
    """(n,) way along the ray, 0 to 1; 1 where nothing was hit."""
    part: NDArray[np.int32]
    """(n,) terrain part that was hit, -1 none."""


@dataclass(frozen=True)
class Sweep:
    """A body moved along a straight line."""

    clear: bool
    fraction: float
    """how far it got, 0 to 1."""
    depth: float
    """deepest penetration met along the whole way, inches; 0 where clear."""
    point: Point | None
    """where it touches, inches."""
    part: int
    """terrain part met, -1 none."""


@dataclass(frozen=True)
class Lowered:
    """A thin body let straight down."""

    blocked: bool
    """it is in something where it begins."""
    point: Point | None
    """the highest place under its outline, on which it rests, inches; None where it meets nothing or is blocked."""
    part: int
    """terrain part of that place, or of what blocks it; -1 none."""


@dataclass(frozen=True)
class Contact:
    """A body held still in the world."""

    depth: float
    """penetration in inches; negative: the distance to the nearest surface (at most the search margin)."""
    point: Point | None
    normal: Point | None
    """direction in which the body would leave what it touches."""
    part: int


@dataclass(frozen=True)
class Rest:
    """Where a body came to rest when it was let go."""

    position: Point
    """centre of its underside, of a hull its centre of weight; inches."""
    tilt: float
    """degrees from upright."""
    stays: bool
    """it stayed up within a tenth of an inch of where it was let go."""


class CollisionWorld(Protocol):
    """What both engines give."""

    def rays(self, starts: Floats, ends: Floats) -> RayHits:
        """First hits of (n, 3) segments in inches; any n, back faces count too."""

    def sweep(self, body: Cylinder, start: Point, end: Point, forgiven: float = 0.0) -> Sweep:
        """Move `body` (positions are the centre of its underside, inches) along a straight line.

        forgiven: depth, inches, up to which it goes on: where nothing is deeper it gets all the way.
        """

    def contact(self, body: Cylinder, at: Point, margin: float = 0.1) -> Contact:
        """Penetration of `body` at a place, or its distance to the nearest surface up to `margin` inches."""

    def lower(self, body: Cylinder, at: Point, bottom: float) -> Lowered:
        """Let a thin `body` straight down from a place until its underside is at height `bottom`, inches."""

    def drop(self, body: Cylinder | Hull, at: Point) -> Rest:
        """Let `body` go at a place (of a hull: of its centre of weight) under gravity and wait until it rests."""

    def close(self) -> None:
        """Free what the engine holds."""
