"""What a check finds, whether of a build or of a layout: one form, with severities, cases and units."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import isfinite
from typing import Any

Point = tuple[float, float, float]
Json = dict[str, Any]


class Severity(StrEnum):
    """How much a finding matters."""

    ERROR = "error"
    """stops a declared base from playing, or the file from printing."""
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        """0 for information, 2 for errors."""
        return {"info": 0, "warning": 1, "error": 2}[self.value]


class Unit(StrEnum):
    """What a measurement or a place is in."""

    MM = "mm"
    INCH = "in"
    DEGREE = "deg"
    COUNT = "count"


class Topic(StrEnum):
    """What a finding is about."""

    PLAY = "play"
    PRINT = "print"


@dataclass(frozen=True)
class Case:
    """One base under one pack, for which a finding holds."""

    base: str | None
    """the base's name; None: whatever the base."""
    pack: str | None
    """the pack's id; None: whatever the pack."""
    limit: float | None
    """threshold for this base under this pack, in the finding's unit; None: there is none."""
    severity: Severity
    effect: str = ""
    """what it means for this base under this pack, in a few words; empty where the text says all."""

    def to_json(self) -> Json:
        """Keys base, pack, limit, severity, effect."""
        return {
            "base": self.base,
            "pack": self.pack,
            "limit": rounded(self.limit),
            "severity": self.severity.value,
            "effect": self.effect,
        }


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong, doubtful or good to know."""

    id: str
    """stable while the build or the board stays as it is there: the kind, and the place."""
    kind: StrEnum
    """of the closed list of the check that found it."""
    severity: Severity
    """the worst of its cases; INFO once accepted."""
    at: Point
    """place, in `at_unit`: in a model's own coordinates, or in the board's frame."""
    place: str
    """the place in words: ``142.0, 20.0, 0.0 mm``, or ``main C4``."""
    text: str
    """one sentence."""
    measured: float | None = None
    limit: float | None = None
    """threshold of the worst case, in the same unit."""
    unit: Unit = Unit.INCH
    rule: str = ""
    """rule id of the pack; empty where no rule decides."""
    source: str = ""
    """document and section behind the rule."""
    cure: str = ""
    """the change that would cure it; empty where none can be said."""
    cases: tuple[Case, ...] = ()
    """bases and packs for which it holds; none: whatever the base and the pack."""
    squares: tuple[str, ...] = ()
    """names of all squares of a layout that it is about, where it is about several."""
    floor: int | None = None
    """number of the floor of a build that it is about."""
    topic: Topic = Topic.PLAY
    at_unit: Unit = Unit.INCH
    spot: Point | None = None
    """the same place on the table that pictures show, inches; None: `at` is that."""
    accepted: str | None = None
    """the reason why it was accepted; None: it was not."""
    number: int = 0
    """its number in pictures and lists, from 1."""

    @property
    def on_table(self) -> Point:
        """Its place on the table that pictures show, inches."""
        return self.at if self.spot is None else self.spot

    def to_json(self) -> Json:
        """Every field but `spot` under its own name, places as lists, and the names of bases and packs of the cases."""
        return {
            "number": self.number,
            "id": self.id,
            "kind": self.kind.value,
            "topic": self.topic.value,
            "severity": self.severity.value,
            "at": [rounded(v) for v in self.at],
            "at_unit": self.at_unit.value,
            "place": self.place,
            "text": self.text,
            "measured": rounded(self.measured),
            "limit": rounded(self.limit),
            "unit": self.unit.value,
            "rule": self.rule,
            "source": self.source,
            "cure": self.cure,
            "bases": sorted({c.base for c in self.cases if c.base is not None}, key=_base_order),
            "packs": sorted({c.pack for c in self.cases if c.pack is not None}),
            "cases": [case.to_json() for case in self.cases],
            "squares": list(self.squares),
            "floor": self.floor,
            "accepted": self.accepted,
        }


def by_id(findings: Iterable[Finding]) -> list[Finding]:
    """Findings with those of one id as one: the worst of them, with the cases of all and the longest list of squares."""
    found: dict[str, Finding] = {}
    for finding in findings:
        known = found.get(finding.id)
        if known is None:
            found[finding.id] = finding
            continue
        worse = known if known.severity.rank >= finding.severity.rank else finding
        cases = (*known.cases, *(case for case in finding.cases if case not in known.cases))
        squares = max(known.squares, finding.squares, key=len)
        found[finding.id] = replace(worse, cases=cases, squares=squares)
    return list(found.values())


def in_mm(at: Point) -> str:
    """A place in words: ``142.0, 20.0, 0.0 mm``."""
    return f"{', '.join(f'{round(value, 1) + 0.0:.1f}' for value in at)} mm"


def count(findings: Sequence[Finding], severity: Severity) -> int:
    """How many findings have a severity."""
    return sum(finding.severity is severity for finding in findings)


def fails(findings: Sequence[Finding], least: Severity) -> bool:
    """Whether something was found at or above a severity."""
    return any(finding.severity.rank >= least.rank for finding in findings)


def rounded(value: float | None) -> float | None:
    """A number of any unit for JSON; None for nothing and for what no number says."""
    if value is None or not isfinite(value):
        return None
    return round(float(value), 3) + 0.0


def _base_order(name: str) -> tuple[float, ...]:
    return tuple(float(part) for part in reversed(name.split("x")))
