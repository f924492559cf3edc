"""Actions that move nobody anywhere: standing up, and opening or closing a door.

Lengths are in inches, angles in degrees.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from sandbox.kinds import DOORS
from sandbox.moves import spots
from sandbox.moves.answers import SPOT, Leg, Point, Ruling
from sandbox.moves.placed import CONTACT
from sandbox.moves.placing import Placing
from sandbox.rules.statements import RuleName
from sandbox.rules.ticks import at_most
from sandbox.units import MM_PER_INCH


class InPlace(Placing):
    """The model stays where it is."""

    def around(self) -> tuple[Point, float]:
        """Its own place."""
        return self.start, 0.0

    def why_not(self, at: Point) -> tuple[Ruling, ...]:
        """Anywhere else."""
        gone = float(np.linalg.norm(np.subtract(at, self.start)))
        if gone > CONTACT:
            return (self.judge.ruling("in-place", RuleName.ACTION, gone, 0.0, at, action=self.action.id),)
        return ()

    def against(self, at: Point) -> tuple[Ruling, ...]:
        """Standing where the model is was judged before; only the body may be another at the end."""
        return (*self._room(at), *self.why_not(at))

    def _room(self, at: Point) -> tuple[Ruling, ...]:
        return ()

    def told(self, at: Point) -> tuple[tuple[Leg, ...], float]:
        """Nothing is moved."""
        return (), 0.0

    def spots(self) -> NDArray[Any]:
        """Its own place, where the action is possible: one or none, (n,) of dtype SPOT."""
        if self.against(self.start):
            return np.zeros(0, SPOT)
        return spots.as_spots(np.array([self.start]), np.zeros(1), np.ones(1))


class StandUp(InPlace):
    """From Prone to Standing: the standing body needs its headroom."""

    def _room(self, at: Point) -> tuple[Ruling, ...]:
        if self.ends_height <= self.mover.height:
            return ()
        found = self.ground.stand(self.end_body, *(MM_PER_INCH * v for v in at))
        if found.passes or found.stands:
            return ()
        standing = type(self.judge)(
            self.field.pack, self.field.terrain, self.movement, self.ends_height, self.judge.base_width
        )
        return standing.hindrances(found.hindrances)


class OperateDoor(InPlace):
    """Opens or closes a door within reach."""

    def why_not(self, at: Point) -> tuple[Ruling, ...]:
        """The door is too far away, or this is another place."""
        told = super().why_not(at)
        gap = self.gap
        reach = self.movement.door_reach
        if not at_most(gap, reach):
            return (self.judge.ruling("door-far", "door_reach", gap, reach, at, name=self.aim), *told)
        return told

    @property
    def gap(self) -> float:
        """Distance from the base to the door in plan, inches; what is not beside the body does not count."""
        terrain, base = self.field.terrain, self.mover.base
        doors = [
            index for index, part in enumerate(terrain.parts) if part.piece == self.aim and part.kind in DOORS
        ]
        corners = terrain.vertices[terrain.faces[np.isin(terrain.face_part, doors)]] / MM_PER_INCH
        low, high = corners[:, :, 2].min(axis=1), corners[:, :, 2].max(axis=1)
        beside = (high >= self.start[2]) & (low <= self.start[2] + self.mover.height)
        if not beside.any():
            return float("inf")
        outline = shapely.Polygon(base.outline() + np.array(self.start[:2]))
        rings = np.concatenate([corners[beside][:, :, :2], corners[beside][:, :1, :2]], axis=1)
        return float(shapely.distance(shapely.linestrings(rings), outline).min())
