"""Actions that set a model up somewhere instead of moving it along the ground: ductways, grapnels, standing up.

Lengths are in inches, angles in degrees.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sandbox.ground.model import Body, Floats, Place
from sandbox.moves import spots
from sandbox.moves.answers import SPOT, Check, Leg, Move, Point, Ruling
from sandbox.moves.legal import Asked
from sandbox.moves.refusal import just_fits, plain
from sandbox.moves.standing import FLOOR_WITHIN, on_board
from sandbox.rules.statements import RuleName
from sandbox.rules.words import Posture
from sandbox.units import MM_PER_INCH, mm


class Placing(Asked):
    """A model is set up: places are judged one by one, none is walked to."""

    # -- what an action of this sort says ----------------------------------------------------------------------

    def around(self) -> tuple[Point, float]:
        """Where places are looked for: a middle, and how far from it, inches."""
        raise NotImplementedError

    def why_not(self, at: Point) -> tuple[Ruling, ...]:
        """What this action has against a place that a model may otherwise end at."""
        raise NotImplementedError

    def free_of(self, points: Floats) -> NDArray[np.bool_]:
        """Which of many places (n, 3) the action has nothing against; `why_not` for many."""
        return np.array([not self.why_not((float(x), float(y), float(z))) for x, y, z in points], dtype=bool)

    def told(self, at: Point) -> tuple[tuple[Leg, ...], float]:
        """The legs to a place and what they cost, inches."""
        raise NotImplementedError

    def rolls(self, at: Point) -> tuple[Check, ...]:
        """What is rolled."""
        return ()

    @property
    def end_body(self) -> Body:
        """The body as it ends: lying down where the action says so."""
        status = self.action.row.ends_as
        if status is None or self.field.pack.status(status).posture is self.mover.rules.posture:
            return self.body
        return self.field.body_of(self.mover, self.ends_height)

    @property
    def ends_height(self) -> float:
        """Height of the body as it ends, inches."""
        movement, status = self.mover.rules.movement, self.action.row.ends_as
        if status is not None and self.field.pack.status(status).posture is Posture.PRONE:
            return movement.prone_height
        written = self.mover.fighter.height
        return movement.standing_height if written is None or self.mover.prone else written

    # -- answers -----------------------------------------------------------------------------------------------

    def _standing(self, at: Point) -> tuple[Ruling, ...]:
        body = self.end_body
        found = self.ground.stand(body, mm(at[0]), mm(at[1]), mm(at[2]))
        if found.stands or just_fits(found):
            return ()
        told = self.judge.hindrances([plain(self.ground, body, at, h) for h in found.hindrances])
        return told or (self.judge.ruling("lip", RuleName.FLAT_GROUND, None, None, at),)

    def against(self, at: Point) -> tuple[Ruling, ...]:
        """Why the model may not be set up at a place."""
        told = self._standing(at)
        model = self.others.ending(at, self.mover.base.facing)
        if model is not None:
            told = (*told, model)
        return (*told, *self.why_not(at))

    def spots(self) -> NDArray[Any]:
        """Places to be set up at, (n,) of dtype SPOT."""
        middle, reach = self.around()
        points = standing_places(self, self.end_body, middle, reach)
        if not len(points):
            return np.zeros(0, SPOT)
        points = points[self.others.free(points)]
        points = points[self.free_of(points)] if len(points) else points
        cost = np.array([self.told((float(x), float(y), float(z)))[1] for x, y, z in points])
        chance = np.array([_product(self.rolls((float(x), float(y), float(z)))) for x, y, z in points])
        return spots.as_spots(points.reshape(-1, 3), cost, chance)

    def to(self, x: float, y: float, z: float | None, facing: float | None) -> Move:
        """The answer for one place, see `LegalMoves.to`."""
        if facing is not None and not self.body.is_round and facing != self.body.facing:
            return self.turned(facing).to(x, y, z, None)
        asked: Point = (x, y, z or 0.0)
        if not (np.isfinite(asked).all() and on_board(self.field, (x, y))):
            return self._refused(asked, (self.judge.ruling("off-board", RuleName.OFF_BOARD),))
        floors = self.floors(x, y, z)
        if not floors:
            words = "nothing-there" if z is None else "no-floor"
            return self._refused(asked, (self.judge.ruling(words, RuleName.FLAT_GROUND, None, FLOOR_WITHIN),))
        judged = [((x, y, height), self.against((x, y, height))) for height in floors]
        at, against = next(((a, told) for a, told in judged if not told), judged[0])
        if against:
            return self._refused(at, against)
        legs, cost = self.told(at)
        legs, refusals = self.proof.confirm(legs)
        if refusals:
            for refusal in refusals:
                self.proof.count(self.field.scene, self.mover.id, refusal)
            return self._refused(at, (self.proof.ruling(self.judge),))
        checks = self.rolls(at)
        return self._move(at, legal=True, cost=cost, success=_product(checks), legs=legs, checks=checks)


def _product(checks: tuple[Check, ...]) -> float:
    return float(np.prod([check.chance for check in checks])) if checks else 1.0


def standing_places(asked: Asked, body: Body, middle: Point, reach: float) -> Floats:
    """Places where a body stands within a plan distance of a point, thinned like spots, (n, 3) inches."""
    window = asked.ground.around(mm(middle[0]), mm(middle[1]), mm(reach))
    places = asked.ground.places(body, window)
    gone = np.hypot(places.pos[:, 0] - mm(middle[0]), places.pos[:, 1] - mm(middle[1]))
    rows = np.flatnonzero(
        ((places.flags & Place.STAND) != 0) & np.isfinite(places.rest[:, 0]) & (gone <= mm(reach))
    )
    points = places.rest[rows] / MM_PER_INCH
    return points[spots.thinned(places, rows, points)] if len(rows) else points.reshape(-1, 3)
