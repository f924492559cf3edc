"""What a question about movement is answered with: small frozen dataclasses, each with its JSON form.

Lengths are inches, angles degrees, chances 0 to 1. Positions are the centre of a base on the ground it
stands on, in the board's frame (x east, y north, z up). JSON keys are the attribute names; numbers are
rounded to 0.0001.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Point = tuple[float, float, float]
Json = dict[str, Any]

SPOT = np.dtype([("x", "f8"), ("y", "f8"), ("z", "f8"), ("cost", "f8"), ("success", "f8")])
"""One row of `LegalMoves.spots`: position and cost in inches, chance to end there as intended."""


class LegKind(StrEnum):
    """Ways of moving; free steps are part of walking."""

    WALK = "walk"
    CLIMB = "climb"
    LADDER = "ladder"
    LEAP = "leap"
    JUMP_DOWN = "jump-down"
    CROSS = "cross"
    DUCTWAY = "ductway"
    SCRAMBLE = "scramble"
    SQUEEZE = "squeeze"
    GRAPNEL = "grapnel"
    FLY = "fly"
    TELEPORT = "teleport"


IN_ONE_MOVE = frozenset({LegKind.LEAP, LegKind.JUMP_DOWN, LegKind.CROSS})
"""legs that have to fit inside one Move of a chain."""


class CheckKind(StrEnum):
    """What is rolled."""

    INITIATIVE = "initiative"
    """one D6 against the fighter's Initiative."""
    HANDLING = "handling"
    """two D6 against a vehicle's Handling."""
    AGILITY = "agility"
    """one D20 against the model's Agility."""
    DISTANCE = "distance"
    """a rolled distance must be long enough (the D3 of a charge)."""


class Reason(StrEnum):
    """What a check is for."""

    LEAP = "leap"
    JUMP_DOWN = "jump-down"
    CLIMB = "climb"
    LADDER = "ladder"
    DANGEROUS = "dangerous"
    SCRAMBLE = "scramble"
    DISTANCE = "distance"
    """a rolled distance that is no charge's."""
    RETREAT = "retreat"
    LANDING = "landing"
    """coming down with a rocket pack."""
    SCATTER = "scatter"
    """where a teleport ends."""
    CHARGE = "charge"


def _number(value: float | None) -> float | None:
    """Rounded for JSON, None for nothing or what no number says."""
    if value is None or not np.isfinite(value):
        return None
    return round(float(value), 4) + 0.0


def _point(value: Point | None) -> list[float | None] | None:
    return None if value is None else [_number(v) for v in value]


@dataclass(frozen=True)
class Hit:
    """A hit that somebody takes."""

    strength: int
    ap: int
    """armour modifier: 0 or below."""
    damage: int

    def to_json(self) -> Json:
        """Keys strength, ap, damage."""
        return {"strength": self.strength, "ap": self.ap, "damage": self.damage}

    def __str__(self) -> str:
        """In the game's short form: ``S3 AP- D1``."""
        return f"S{self.strength} AP{self.ap if self.ap else '-'} D{self.damage}"


@dataclass(frozen=True)
class OnFail:
    """What happens where a check fails."""

    happens: str
    """one sentence."""
    height: float | None = None
    """height fallen, inches; None: no fall."""
    landing: Point | None = None
    """where the fall ends; None: no fall, or nowhere to rest."""
    hit: Hit | None = None
    """hit taken by the fall; None: none."""

    def to_json(self) -> Json:
        """Keys happens, height, landing, hit."""
        return {
            "happens": self.happens,
            "height": _number(self.height),
            "landing": _point(self.landing),
            "hit": None if self.hit is None else self.hit.to_json(),
        }


@dataclass(frozen=True)
class Check:
    """Something that dice decide on the way."""

    kind: CheckKind
    reason: Reason
    needed: int
    """lowest number on the die that passes, modifiers already worked in."""
    modifier: int
    """what the rules add to the roll."""
    chance: float
    """chance to pass, 0 to 1."""
    on_fail: OnFail
    source: str = ""
    """document and section of the rule that asks for it."""

    def to_json(self) -> Json:
        """Keys kind, reason, needed, modifier, chance, on_fail, source."""
        return {
            "kind": self.kind.value,
            "reason": self.reason.value,
            "needed": self.needed,
            "modifier": self.modifier,
            "chance": _number(self.chance),
            "on_fail": self.on_fail.to_json(),
            "source": self.source,
        }


@dataclass(frozen=True)
class Ruling:
    """Why something is not allowed, or what should be known about it."""

    rule: str
    """rule id."""
    text: str
    """in plain words, with what was measured."""
    measured: float | None = None
    """inches, or degrees for slopes; None where nothing is measured."""
    limit: float | None = None
    """what the rule allows, in the same unit."""
    source: str = ""
    """document and section."""
    setting: str | None = None
    """open setting of the pack that would change the answer, or None."""
    reading: str | None = None
    """the value of that setting which would, and what it changes: ``2: Deep decks can be climbed around.``"""
    where: Point | None = None
    """place that was measured, for drawing; not part of the JSON form."""

    def to_json(self) -> Json:
        """Keys rule, text, measured, limit, source, setting; and reading, where a setting is named."""
        return {
            "rule": self.rule,
            "text": self.text,
            "measured": _number(self.measured),
            "limit": _number(self.limit),
            "source": self.source,
            "setting": self.setting,
            **({} if self.reading is None else {"reading": self.reading}),
        }


@dataclass(frozen=True)
class Ray:
    """A ray that confirmed a leg in the collision world."""

    start: Point
    end: Point
    """the first thing it met, or as far as it was sent."""


@dataclass(frozen=True)
class Leg:
    """One stretch of a move."""

    kind: LegKind
    start: Point
    end: Point
    length: float
    """length of the way, inches: along the path of the centre, heights included."""
    cost: float
    """movement paid, inches."""
    checks: tuple[Check, ...] = ()
    rays: tuple[Ray, ...] = ()
    """what the collision world saw; for drawing, not part of the JSON form."""
    path: tuple[Point, ...] = ()
    """the centre's way, corners included; for drawing, not part of the JSON form."""
    up: float = 0.0
    """height climbed, inches."""
    down: float = 0.0
    """height lost by climbing or jumping, inches."""
    gap: float = 0.0
    """gap leapt from lip to lip, inches."""
    notes: tuple[str, ...] = ()
    """ids of what was priced on the way (difficult, dangerous, obstacle, rail), for the telling."""
    facing: float | None = None
    """heading of an oval base along it where it turns on its way, degrees; None: as before."""

    def to_json(self) -> Json:
        """Keys kind, start, end, length, cost, checks; facing where the base turned."""
        turned: Json = {} if self.facing is None else {"facing": _number(self.facing)}
        return turned | {
            "kind": self.kind.value,
            "start": _point(self.start),
            "end": _point(self.end),
            "length": _number(self.length),
            "cost": _number(self.cost),
            "checks": [c.to_json() for c in self.checks],
        }


@dataclass(frozen=True)
class Move:
    """One way to a place, legal or not."""

    scene: str
    rules: str
    """id of the rule pack."""
    fighter: str
    action: str
    allowance: float
    """inches, nominal; with a rolled distance, the most it can be."""
    to: Point
    """where the base would end."""
    legal: bool
    """allowed, even where the dice leave chance 0."""
    cost: float | None
    """inches spent, everything added; None where no way was found."""
    success: float | None
    """chance to end there as intended; None when refused."""
    legs: tuple[Leg, ...] = ()
    checks: tuple[Check, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    """what forbids it, the first one first; empty for a legal move."""
    facing: float | None = None
    """heading of an oval base at the end, degrees; None for round bases."""
    ends_as: str | None = None
    """status that it ends in; None: unchanged."""
    events: tuple[str, ...] = ()
    """what the players resolve themselves afterwards."""

    def to_json(self) -> Json:
        """Keys scene, rules, fighter, action, allowance, to, legal, cost, success, legs, checks, rulings.

        facing only for ovals, ends_as and events only where there is something to say.
        """
        answer: Json = {
            "scene": self.scene,
            "rules": self.rules,
            "fighter": self.fighter,
            "action": self.action,
            "allowance": _number(self.allowance),
            "to": _point(self.to),
            "legal": self.legal,
            "cost": _number(self.cost),
            "success": _number(self.success),
            "legs": [leg.to_json() for leg in self.legs],
            "checks": [c.to_json() for c in self.checks],
            "rulings": [r.to_json() for r in self.rulings],
        }
        if self.facing is not None:
            answer["facing"] = _number(self.facing)
        if self.ends_as is not None:
            answer["ends_as"] = self.ends_as
        if self.events:
            answer["events"] = list(self.events)
        return answer


class Answerer:
    """Where `LegalMoves` gets its answers from; `legal.Asked` is the real one."""

    def spots(self) -> NDArray[Any]:
        """(n,) array of dtype SPOT."""
        raise NotImplementedError

    def to(self, x: float, y: float, z: float | None, facing: float | None) -> Move:
        """The way to one place."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class LegalMoves:
    """All that one fighter can do with one action."""

    scene: str
    rules: str
    fighter: str
    action: str
    target: str | None
    allowance: float
    """inches, nominal; with a rolled distance, the most it can be."""
    rulings: tuple[Ruling, ...] = ()
    """why the action is not possible at all; empty where it is."""
    answerer: Answerer | None = field(default=None, repr=False)

    @cached_property
    def spots(self) -> NDArray[Any]:
        """Places to stand at the end, (n,) of dtype SPOT, at most 0.25" apart, boundary included."""
        return np.zeros(0, SPOT) if self.answerer is None else self.answerer.spots()

    def to(self, x: float, y: float, z: float | None = None, facing: float | None = None) -> Move:
        """The way to (x, y): on the floor within 0.5" of z, without z on the floor cheapest to reach.

        Inches; facing in degrees matters to oval bases only. Best chance within the allowance first, then the
        lowest cost; a charge takes the shortest way first.
        """
        if self.answerer is not None:
            return self.answerer.to(x, y, z, facing)
        return Move(
            self.scene, self.rules, self.fighter, self.action, self.allowance, (x, y, z or 0.0), legal=False,
            cost=None, success=None, rulings=self.rulings,
        )  # fmt: skip

    def to_json(self) -> Json:
        """Keys scene, rules, fighter, action, target, allowance, spots, rulings."""
        names = SPOT.names or ()
        return {
            "scene": self.scene,
            "rules": self.rules,
            "fighter": self.fighter,
            "action": self.action,
            "target": self.target,
            "allowance": _number(self.allowance),
            "spots": [{n: _number(row[n]) for n in names} for row in self.spots],
            "rulings": [r.to_json() for r in self.rulings],
        }


@dataclass(frozen=True)
class Stand:
    """Whether a base can stand at a place."""

    at: Point
    """the place, on the ground found there."""
    stands: bool
    z: float | None
    """height of the ground under the centre, inches; None where there is none."""
    support: float
    """part of the base over floor, 0 to 1."""
    rulings: tuple[Ruling, ...] = ()

    def to_json(self) -> Json:
        """Keys at, stands, z, support, rulings."""
        return {
            "at": _point(self.at),
            "stands": self.stands,
            "z": _number(self.z),
            "support": _number(self.support),
            "rulings": [r.to_json() for r in self.rulings],
        }


@dataclass(frozen=True)
class Fall:
    """What happens to a base that falls at a place."""

    at: Point
    height: float
    """height fallen, floor to floor, inches."""
    landing: Point | None
    """where it comes to rest; None: nowhere to rest."""
    hit: Hit | None
    """hit taken; None: none."""
    rulings: tuple[Ruling, ...] = ()

    def to_json(self) -> Json:
        """Keys at, height, landing, hit, rulings."""
        return {
            "at": _point(self.at),
            "height": _number(self.height),
            "landing": _point(self.landing),
            "hit": None if self.hit is None else self.hit.to_json(),
            "rulings": [r.to_json() for r in self.rulings],
        }
