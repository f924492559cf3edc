"""The words of the terrain check: kinds of findings, bases, floors, and the report.

Places are millimetres in the frame of what was asked about: a model's own coordinates as its CAD program shows them,
or the board's frame for a scene. Measurements say their unit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from sandbox.check import finding
from sandbox.check.finding import Finding, Json, Point, Severity, rounded

USUAL_MM = (25.0, 28.5, 32.0, 40.0, 50.0)
"""diameters of the usual round bases."""


class FindingKind(StrEnum):
    """Everything that the check can find, in the order in which it is told."""

    NAMES = "names"
    UNREACHABLE = "unreachable"
    CHECK_ONLY = "check-only"
    ONE_WAY = "one-way"
    TRAP = "trap"
    LEDGE = "ledge"
    TREAD = "tread"
    WALKWAY = "walkway"
    DOOR = "door"
    LADDER_HOLE = "ladder-hole"
    LANDING = "landing"
    HEADROOM = "headroom"
    OVERHANG = "overhang"
    CLIMB = "climb"
    STEPS = "steps"
    RAIL = "rail"
    LIP = "lip"
    SLOPE = "slope"
    HAND = "hand"
    OBSTACLE = "obstacle"
    NEAR_LEDGE = "near-ledge"
    NEAR_WALKWAY = "near-walkway"
    NEAR_DOOR = "near-door"
    NEAR_LADDER_HOLE = "near-ladder-hole"
    NEAR_LANDING = "near-landing"
    NEAR_HEADROOM = "near-headroom"
    NEAR_OVERHANG = "near-overhang"
    NEAR_GAP = "near-gap"
    NEAR_STEP = "near-step"
    NEAR_RAIL = "near-rail"
    BROKEN_FILE = "broken-file"
    UNITS = "units"
    SCALE = "scale"
    OPEN_SHELL = "open-shell"
    INSIDE_OUT = "inside-out"
    REPEATED = "repeated-faces"
    CROSSING = "self-intersection"
    FLOATING = "floating"
    THIN = "thin-wall"
    BED = "bed"
    FLAT_BOTTOM = "flat-bottom"
    TOPPLES = "topples"
    TRIANGLES = "triangles"
    LOADER = "loader"


WORD_OF: dict[FindingKind, str] = {
    FindingKind.UNREACHABLE: "way",
    FindingKind.CHECK_ONLY: "way",
    FindingKind.OVERHANG: "way",
    FindingKind.CLIMB: "way",
    FindingKind.LEDGE: "width",
    FindingKind.WALKWAY: "width",
    FindingKind.DOOR: "width",
    FindingKind.LANDING: "width",
    FindingKind.STEPS: "step",
    FindingKind.NEAR_LEDGE: "width",
    FindingKind.NEAR_WALKWAY: "width",
    FindingKind.NEAR_DOOR: "width",
    FindingKind.NEAR_LANDING: "width",
    FindingKind.NEAR_LADDER_HOLE: "ladder-hole",
    FindingKind.NEAR_HEADROOM: "headroom",
    FindingKind.NEAR_OVERHANG: "way",
    FindingKind.NEAR_GAP: "gap",
    FindingKind.NEAR_STEP: "step",
    FindingKind.NEAR_RAIL: "rail",
}
"""first words of ids, where they are not the kind: one place is told by one id whatever bases make of it."""


def word_of(kind: str) -> str:
    """The first word of the ids of a kind of finding; any other word is one already."""
    return WORD_OF.get(FindingKind(kind), kind) if kind in set(FindingKind) else kind


@dataclass(frozen=True)
class Base:
    """A base that is asked about."""

    long: float
    """longer axis, mm."""
    short: float
    """shorter axis, mm."""
    declared: bool = False
    """named by whoever asks: what stops it is an error. Else it is one of the usual ones, tried in case."""
    facing: float = 0.0
    """heading of an oval's longer axis, degrees from east."""

    @property
    def is_round(self) -> bool:
        """Whether it is a circle."""
        return self.long == self.short

    @property
    def name(self) -> str:
        """``32`` or ``60x35``."""
        return f"{self.long:g}" if self.is_round else f"{self.long:g}x{self.short:g}"


class Reach(StrEnum):
    """How a base gets to a floor from the table."""

    WALKED = "walked"
    """without a check: on foot, by ladder or by climbing."""
    TESTED = "tested"
    """only by a check."""
    NEVER = "never"
    TOO_SMALL = "too-small"
    """the base cannot stand there at all."""


@dataclass(frozen=True)
class FloorReach:
    """One floor for one base under one pack."""

    base: str
    pack: str
    reach: Reach
    area: float
    """where the base can stand, square centimetres."""
    cost: float | None
    """cheapest way from the table, inches of movement; None: none."""
    chance: float
    """best chance to get there, 0 to 1."""
    ways_up: int
    ways_down: int
    up_price: float | None
    """cheapest single way up onto it, inches of movement; None: it is not climbed onto."""
    down_price: float | None
    escapes: bool
    """a model that got there can get back to the table."""
    links_up: int = 0
    """ways up that are not walked."""

    def to_json(self) -> Json:
        """Every field under its own name."""
        return {
            "base": self.base,
            "pack": self.pack,
            "reach": self.reach.value,
            "area_cm2": rounded(self.area),
            "cost": rounded(self.cost),
            "chance": rounded(self.chance),
            "ways_up": self.ways_up,
            "ways_down": self.ways_down,
            "up_price": rounded(self.up_price),
            "down_price": rounded(self.down_price),
            "escapes": self.escapes,
        }


@dataclass(frozen=True)
class Floor:
    """One floor of the build."""

    number: int
    height: float
    """mm above the table."""
    area: float
    """square centimetres, walls and what stands on it left out."""
    holds: float
    """diameter of the largest round base that can stand on it, mm."""
    at: Point
    """its roomiest place, mm, in the frame of the subject."""
    reach: tuple[FloorReach, ...] = ()

    def to_json(self) -> Json:
        """Keys number, height_mm, area_cm2, holds_mm, at, reach."""
        return {
            "number": self.number,
            "height_mm": rounded(self.height),
            "area_cm2": rounded(self.area),
            "holds_mm": rounded(self.holds),
            "at": [rounded(v) for v in self.at],
            "reach": [one.to_json() for one in self.reach],
        }


@dataclass(frozen=True)
class ScaleRow:
    """What the build would be at another scale."""

    scale: float
    errors: int
    warnings: int
    cured: int
    new: int

    def to_json(self) -> Json:
        """Every field under its own name."""
        return {
            "scale": self.scale,
            "errors": self.errors,
            "warnings": self.warnings,
            "cured": self.cured,
            "new": self.new,
        }


@dataclass(frozen=True)
class Comparison:
    """A report against that of an older file: finding ids."""

    older: str
    cured: tuple[str, ...]
    new: tuple[str, ...]
    unchanged: tuple[str, ...]

    def to_json(self) -> Json:
        """Keys older, cured, new, unchanged."""
        return {
            "older": self.older,
            "cured": list(self.cured),
            "new": list(self.new),
            "unchanged": list(self.unchanged),
        }


@dataclass(frozen=True, eq=False)
class Report:
    """Everything that one check found."""

    subject: str
    """the file's name."""
    size: Point
    """of the build, mm."""
    triangles: int
    bases: tuple[Base, ...]
    packs: tuple[str, ...]
    findings: tuple[Finding, ...]
    """worst first, numbered from 1."""
    floors: tuple[Floor, ...] = ()
    scales: tuple[ScaleRow, ...] = ()
    comparison: Comparison | None = None
    seconds: float = 0.0
    notes: tuple[str, ...] = ()
    """what the check could not look at, and why."""
    stale: tuple[str, ...] = ()
    """ids that are accepted, and that no finding has."""
    left_out: Mapping[str, int] = field(default_factory=dict)

    @property
    def worst(self) -> Severity | None:
        """The gravest severity; None where nothing was found."""
        return max((f.severity for f in self.findings), key=lambda s: s.rank, default=None)

    def count(self, severity: Severity) -> int:
        """How many findings have a severity."""
        return finding.count(self.findings, severity)

    def fails(self, least: Severity) -> bool:
        """Whether something was found at or above a severity."""
        return finding.fails(self.findings, least)

    def to_json(self) -> Json:
        """Keys subject, size_mm, triangles, bases, packs, counts, findings, floors, scales, against, notes, stale, seconds."""
        return {
            "subject": self.subject,
            "size_mm": [rounded(v) for v in self.size],
            "triangles": self.triangles,
            "bases": [{"name": b.name, "declared": b.declared} for b in self.bases],
            "packs": list(self.packs),
            "counts": {s.value: self.count(s) for s in Severity},
            "findings": [f.to_json() for f in self.findings],
            "floors": [f.to_json() for f in self.floors],
            "scales": [s.to_json() for s in self.scales],
            "against": None if self.comparison is None else self.comparison.to_json(),
            "notes": list(self.notes),
            "stale": list(self.stale),
            "seconds": rounded(self.seconds),
        }
