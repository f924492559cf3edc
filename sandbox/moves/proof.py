"""The collision world as the referee: every leg of a move is confirmed there, refusals are counted and logged."""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from sandbox.ground.ground import Ground
from sandbox.ground.model import Body
from sandbox.moves.answers import Leg, LegKind, Point, Ray, Ruling
from sandbox.moves.refusal import Judge, part_name
from sandbox.physics import proof as physics
from sandbox.physics.model import CollisionWorld, Cylinder
from sandbox.rules.statements import RuleName
from sandbox.scene import Scene
from sandbox.units import inches

log = logging.getLogger(__name__)

_HEIGHT_TRIM = inches(0.3)
"""the body is swept from 0.25 mm above the ground up to its height, so it is this much shorter while it is swept."""

FAULTS: Counter[str] = Counter()
"""legs that ground found and the collision world refused, by kind of leg: faults of ours, each."""


@dataclass(frozen=True)
class Refused:
    """A leg that the collision world does not confirm."""

    leg: Leg
    why: str
    depth: float
    """inches."""
    point: Point | None
    part: int


class Proof:
    """Confirms the legs of one body's moves."""

    def __init__(self, world: CollisionWorld, body: Body, ground: Ground) -> None:
        """world: the whole terrain's."""
        self.world = world
        self.ground = ground
        self.numbers = ground.numbers
        self.body = Cylinder(
            inches(body.half_long_mm),
            inches(body.half_short_mm),
            inches(body.height_mm) - _HEIGHT_TRIM,
            body.facing,
        )
        self.last: Refused | None = None
        self._known: dict[tuple[LegKind, tuple[Point, ...]], physics.Proof] = {}

    def confirm(self, legs: tuple[Leg, ...]) -> tuple[tuple[Leg, ...], list[Refused]]:
        """The legs with the rays that confirmed them, and those that are refused."""
        done, refused = [], []
        for leg in legs:
            found = self._leg(leg)
            rays = tuple(_ray(pair) for pair in found.rays)
            done.append(replace(leg, rays=rays))
            if not found.confirmed:
                self.last = Refused(leg, str(found.refusal), found.depth, found.point, found.part)
                refused.append(self.last)
        return tuple(done), refused

    def _leg(self, leg: Leg) -> physics.Proof:
        key = (leg.kind, leg.path)
        if key not in self._known:
            self._known[key] = self._ask(leg)
        return self._known[key]

    def _ask(self, leg: Leg) -> physics.Proof:
        n = self.numbers
        match leg.kind:
            case LegKind.WALK | LegKind.SCRAMBLE:
                # the underside is on the highest floor that joins the one under the centre (law of geometry, 4)
                rise = self.body.half_long * float(np.tan(np.radians(n.walk_slope)))
                step = inches(n.free_step_up_mm) + rise
                return physics.prove_walk(self.world, self.body, leg.path, step, n.walk_slope, self._span())
            case LegKind.CLIMB:
                return physics.prove_climb(
                    self.world,
                    self.body,
                    leg.path,
                    inches(n.overhang_mm) + physics.ALLOWED_DEPTH,
                    inches(n.underside_mm),
                )
            case LegKind.LADDER | LegKind.DUCTWAY | LegKind.SQUEEZE | LegKind.GRAPNEL | LegKind.TELEPORT:
                # a ladder's opening, ductways and squeezes are exempt between their ends
                return physics.prove_landing(self.world, self.body, leg.end)
            case _:
                return physics.prove_sweep(self.world, self.body, leg.path)

    def _span(self) -> float:
        """How far the body may go with nothing under any part of it, inches."""
        span = self.numbers.span_mm
        across = 2 * self.body.half_short
        return max(0.1, (inches(span) if span is not None else across) - across + 0.1)

    def count(self, scene: Scene, fighter: str, refused: Refused) -> None:
        """Count a refusal as a fault and log it with the scene."""
        FAULTS[refused.leg.kind.value] += 1
        log.warning(
            "%s: %s: the collision world refuses a %s from %s to %s: %s, %.2f mm deep at %s",
            scene.path,
            fighter,
            refused.leg.kind.value,
            refused.leg.start,
            refused.leg.end,
            refused.why,
            refused.depth * 25.4,
            refused.point,
        )

    def ruling(self, judge: Judge) -> Ruling:
        """The ruling where no way is confirmed."""
        last = self.last
        if last is None:
            name = part_name(judge.terrain, -1)
            return judge.ruling("no-room-unmeasured", RuleName.ROOM, name=name)
        name = part_name(judge.terrain, last.part)
        return judge.ruling("collision", RuleName.ROOM, last.depth, inches(0.25), last.point, name=name)


def _ray(pair: np.ndarray) -> Ray:
    start, end = pair
    return Ray(
        (float(start[0]), float(start[1]), float(start[2])), (float(end[0]), float(end[1]), float(end[2]))
    )
