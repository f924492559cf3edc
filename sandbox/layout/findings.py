"""What the layout check says: kinds of findings, distances, ways between levels, lines of sight, and the report.

Findings are those of `sandbox.check.finding`, with places in inches.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from sandbox.check import finding
from sandbox.check.finding import Finding, Json, Point, Severity, by_id, rounded


class FindingKind(StrEnum):
    """Everything that the layout check can find."""

    ZONES_APART = "zones-apart"
    """two deployment zones without a way between them."""
    POINT_CUT_OFF = "point-cut-off"
    CUT_OFF = "cut-off"
    """floor that nobody reaches."""
    LOCKED_AWAY = "locked-away"
    """floor behind a locked door."""
    DUCT_ONLY = "duct-only"
    """floor that only a ductway leads to."""
    CHECK_ONLY = "check-only"
    """floor that is reached only where a check is passed."""
    TRAP = "trap"
    """floor that one gets into and not out of."""
    NARROW_DOOR = "narrow-door"
    NARROW_PASSAGE = "narrow-passage"
    """part of the board that a wider base cannot follow to."""
    LADDER_HOLE = "ladder-hole"
    LADDER_BLIND = "ladder-blind"
    """a ladder that leads nowhere."""
    STAIRS_BLIND = "stairs-blind"
    DUCT_LONG = "duct-long"
    DUCT_BLIND = "duct-blind"
    """a ductway without room at one of its mouths."""
    OPENING_BLOCKED = "opening-blocked"
    """a mesh tile's opening that meets a wall."""
    NO_CROSSING = "no-crossing"
    """rails and barricades that nobody is lifted over, because the ceiling is too low."""
    DEAD_END = "dead-end"
    ONE_ENTRANCE = "one-entrance"
    CHOKE = "choke"
    """a place that one fighter closes."""
    KEY_DOOR = "key-door"
    """a door that changes a distance when it is closed."""
    ONE_WAY_UP = "one-way-up"
    """a level that only one way leads to."""
    UNFAIR = "unfair"
    LONG_SIGHT = "long-sight"
    LIP = "lip"
    """a drop without a rail."""


@dataclass(frozen=True)
class Distance:
    """From a deployment zone to another, or to a point."""

    base: str
    start: str
    """name of the zone."""
    target: str
    """name of the zone or point."""
    doors: str
    """how doors are treated: open, drawn, shut."""
    way: str
    """``shortest`` or ``safest``."""
    inches: float | None
    """None: there is no way."""
    moves: float | None
    """Moves that it takes, waiting included; a door operated is one, a ductway two."""
    chance: float | None
    path: tuple[Point, ...] = ()

    def to_json(self) -> Json:
        """Every field under its own name but the path."""
        return {
            "base": self.base,
            "from": self.start,
            "to": self.target,
            "doors": self.doors,
            "way": self.way,
            "inches": rounded(self.inches),
            "moves": rounded(self.moves),
            "chance": rounded(self.chance),
        }


@dataclass(frozen=True)
class LevelWay:
    """One way from level to level."""

    kind: str
    """stairs, ramp, ladder, climb, jump-down, leap or ductway."""
    start: str
    """name of the square where it begins."""
    end: str
    up: float
    """height gained, inches; below 0: lost."""
    cost: float
    """inches of movement."""
    chance: float
    at: Point
    to: Point

    def to_json(self) -> Json:
        """Keys kind, from, to, up, cost, chance."""
        return {
            "kind": self.kind,
            "from": self.start,
            "to": self.end,
            "up": rounded(self.up),
            "cost": rounded(self.cost),
            "chance": rounded(self.chance),
        }


@dataclass(frozen=True)
class SightLine:
    """A clear line of sight between two squares."""

    start: Point
    end: Point
    squares: tuple[str, str]
    length: float
    """inches."""

    def to_json(self) -> Json:
        """Keys squares, start, end, length."""
        return {
            "squares": list(self.squares),
            "start": [rounded(v) for v in self.start],
            "end": [rounded(v) for v in self.end],
            "length": rounded(self.length),
        }


@dataclass(frozen=True)
class BaseNumbers:
    """What one base has of the board."""

    base: str
    squares: int
    """squares with a place to stand."""
    reached: int
    """of those, reached from the zones."""
    regions: int
    """parts of the board that are joined on foot, doors open."""

    def to_json(self) -> Json:
        """Every field under its own name."""
        return {"base": self.base, "squares": self.squares, "reached": self.reached, "regions": self.regions}


@dataclass(frozen=True)
class Report:
    """Everything that one check found."""

    subject: str
    rules: str
    move: float
    """inches of one Move that distances are counted in."""
    bases: tuple[BaseNumbers, ...]
    """the first is the one that distances are for."""
    findings: tuple[Finding, ...]
    """worst first, numbered from 1."""
    distances: tuple[Distance, ...]
    levels: tuple[LevelWay, ...]
    sights: tuple[SightLine, ...]
    seconds: float = 0.0

    def count(self, severity: Severity) -> int:
        """How many findings have a severity."""
        return finding.count(self.findings, severity)

    def fails(self, least: Severity) -> bool:
        """Whether something was found at or above a severity."""
        return finding.fails(self.findings, least)

    def to_json(self) -> Json:
        """Keys subject, rules, move, bases, counts, findings, distances, levels, sights, seconds."""
        return {
            "subject": self.subject,
            "rules": self.rules,
            "move": rounded(self.move),
            "bases": [base.to_json() for base in self.bases],
            "counts": {severity.value: self.count(severity) for severity in Severity},
            "findings": [one.to_json() for one in self.findings],
            "distances": [distance.to_json() for distance in self.distances],
            "levels": [way.to_json() for way in self.levels],
            "sights": [line.to_json() for line in self.sights],
            "seconds": rounded(self.seconds),
        }


def numbered(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Worst first, those of one id together as one with all their cases, numbered from 1."""
    kinds: list[StrEnum] = list(FindingKind)
    ordered = sorted(by_id(findings), key=lambda f: (-f.severity.rank, kinds.index(f.kind), f.id))
    return tuple(replace(one, number=number) for number, one in enumerate(ordered, start=1))
