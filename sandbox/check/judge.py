"""Thresholds: what a pack and a base make of each measurement, in words, with the change that would cure it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from sandbox.check.finding import Case, Finding, Severity, Unit, in_mm
from sandbox.check.measure import OF_OVALS, Measure, Spot, What
from sandbox.check.model import Base, FindingKind
from sandbox.check.settings import COMMON_MM, Settings, make_id
from sandbox.check.subject import Subject, Under
from sandbox.check.words import CRAWLS, EFFECTS, NEAR, Told, also, sentence
from sandbox.rules import MovementRules
from sandbox.units import inches, mm

SNAP_MM = 0.026
"""half of the measuring snap, and a hair: equality is in the mover's favour."""


@dataclass(frozen=True)
class Threshold:
    """How one kind of measurement is judged."""

    fails: FindingKind | None
    near: FindingKind | None
    limit: Callable[[Base, Under, float], float | None]
    """limit in mm (degrees) for a base under a pack, and the model's height; None: not judged."""
    rule: str
    least: float = 0.0
    """below this share of the limit it was not meant for the base."""
    at_most: bool = False
    """the measurement has to stay below the limit."""
    both: bool = False
    """near to the limit on either side; nothing fails."""
    most: float = 1e9
    """above this share of the limit it is something else."""
    by_base: bool = True
    """whether the base matters."""
    always: bool = False
    """what was measured is a finding whatever its value."""


def _short(factor: float) -> Callable[[Base, Under, float], float | None]:
    return lambda base, under, height: base.short * factor


def _movement(value: Callable[[MovementRules], float]) -> Callable[[Base, Under, float], float | None]:
    return lambda base, under, height: mm(value(under.pack.movement))


def _span(base: Base, under: Under, height: float) -> float | None:
    free = under.pack.movement.gap_free
    return base.short if isinstance(free, str) else mm(free)


def _climb(base: Base, under: Under, height: float) -> float | None:
    """Height that two Moves pay for, the way over the lip included."""
    cost = under.pack.movement.climb_cost
    return (mm(2 * under.move) - base.short - 0.05) / cost if cost > 0 else None


def _hand(base: Base, under: Under, height: float) -> float | None:
    return None  # no rule of a pack: `judge` puts the settings' number in


K = FindingKind
THRESHOLDS: dict[What, Threshold] = {
    What.LEDGE: Threshold(K.LEDGE, K.NEAR_LEDGE, _short(1.0), "flat_ground", least=0.6),
    What.STRIP: Threshold(K.LEDGE, None, _short(1.0), "flat_ground", least=0.6),
    What.TREAD: Threshold(K.TREAD, None, _short(1.0), "flat_ground"),
    What.WALKWAY: Threshold(K.WALKWAY, K.NEAR_WALKWAY, _short(0.5), "hang", least=0.5),
    What.DOOR: Threshold(K.DOOR, K.NEAR_DOOR, _short(1.0), "narrow", least=0.5),
    What.PASSAGE: Threshold(K.WALKWAY, K.NEAR_WALKWAY, _short(0.5), "hang", least=0.5),
    What.HOLE: Threshold(K.LADDER_HOLE, K.NEAR_LADDER_HOLE, _short(1.0), "ladder_top", least=0.4),
    What.LANDING: Threshold(K.LANDING, K.NEAR_LANDING, _short(1.0), "landing", least=0.6),
    What.HEADROOM: Threshold(
        K.HEADROOM, K.NEAR_HEADROOM, lambda b, u, h: h, "headroom", least=0.5, by_base=False
    ),
    What.OVERHANG: Threshold(
        K.OVERHANG, K.NEAR_OVERHANG, _movement(lambda m: m.overhang), "overhang", at_most=True
    ),
    What.GAP: Threshold(None, K.NEAR_GAP, _span, "gap_free", both=True),
    What.STEP: Threshold(
        None, K.NEAR_STEP, _movement(lambda m: m.free_step_up), "free_step_up", both=True, by_base=False
    ),
    What.RISER: Threshold(
        K.STEPS,
        K.NEAR_STEP,
        _movement(lambda m: m.free_step_up),
        "free_step_up",
        at_most=True,
        most=1.6,
        by_base=False,
    ),
    What.RAIL: Threshold(
        K.RAIL, K.NEAR_RAIL, _movement(lambda m: m.rail_height), "rail_height", least=0.4, by_base=False
    ),
    What.SLOPE: Threshold(
        K.SLOPE, None, lambda b, u, h: u.pack.movement.stand_slope, "stand_slope", at_most=True, by_base=False
    ),
    What.HAND: Threshold(K.HAND, None, _hand, "", by_base=False),
    What.CLIMB: Threshold(K.CLIMB, None, _climb, "climb_cost", at_most=True),
    What.TABLE: Threshold(
        K.OBSTACLE,
        None,
        _movement(lambda m: m.obstacle_height),
        "obstacle_height",
        by_base=False,
        always=True,
    ),
}
"""how each kind of measurement is judged."""


def of_base(base: Base) -> Severity:
    """How grave it is that a base cannot do something: declared ones must, usual ones should."""
    if base.declared:
        return Severity.ERROR
    return Severity.WARNING if base.short <= COMMON_MM else Severity.INFO


def lowered(severity: Severity, cap: Severity) -> Severity:
    """A severity, at most `cap`."""
    return severity if severity.rank <= cap.rank else cap


def judge(
    spots: Iterable[Spot], subject: Subject, *, scale: float = 1.0, settings: Settings | None = None
) -> list[Finding]:
    """Findings of what was measured, one for each place at most, as if the build were `scale` times as large."""
    told = settings or subject.settings
    answer = []
    for spot in spots:
        found = _told(spot, subject, told, scale)
        if found:
            answer.append(_finding(spot, found, subject))
    return answer


@dataclass(frozen=True)
class _Verdict:
    """What one measurement means for one base under one pack."""

    kind: FindingKind
    measure: Measure
    value: float
    case: Case

    @property
    def rank(self) -> tuple[int, int]:
        """Graver ones are higher; of equals what keeps a base out comes before what keeps it from standing."""
        order = GRAVE.index(self.kind) if self.kind in GRAVE else -1
        return (self.case.severity.rank, order)


GRAVE = (K.LEDGE, K.LANDING, K.WALKWAY, K.DOOR)
"""of what is narrow, the later the worse."""


def _told(spot: Spot, subject: Subject, told: Settings, scale: float) -> list[Told]:
    """What is told at one place, the gravest first: for each base under each pack the worst of what was measured."""
    worst: dict[tuple[str | None, str | None], _Verdict] = {}
    for measure in spot.measures:
        for one in _verdicts(measure, subject, told, scale):
            key = (one.case.base, one.case.pack)
            if key not in worst or one.rank > worst[key].rank:
                worst[key] = one
    kinds: dict[FindingKind, list[_Verdict]] = {}
    for one in worst.values():
        kinds.setdefault(one.kind, []).append(one)
    answer = []
    for kind, found in kinds.items():
        main = max(found, key=lambda one: (*one.rank, -abs((one.case.limit or 0.0) - one.value)))
        answer.append((main.rank, Told(kind, main.measure, main.value, tuple(one.case for one in found))))
    return [one for _, one in sorted(answer, key=lambda pair: pair[0], reverse=True)]


def _verdicts(measure: Measure, subject: Subject, told: Settings, scale: float) -> Iterator[_Verdict]:
    """What one measurement means, base by base and pack by pack, where it means anything."""
    threshold = THRESHOLDS[measure.what]
    scaled = 1.0 if measure.what is What.SLOPE else scale
    value = measure.value * scaled
    declared = any(base.declared for base in subject.bases)
    for under in subject.unders:
        if measure.packs is not None and under.pack.id not in measure.packs:
            continue
        for base in subject.bases if threshold.by_base else subject.bases[:1]:
            if measure.base not in (None, base.name) or (
                measure.base is None and not base.is_round and measure.what in OF_OVALS
            ):
                continue
            limit = threshold.limit(base, under, subject.height_mm(under.pack))
            if measure.what is What.HAND:
                limit = told.hand
            if limit is None:
                continue
            name = base.name if threshold.by_base else None
            own = of_base(base) if threshold.by_base else (Severity.ERROR if declared else Severity.WARNING)
            verdict = _verdict(threshold, value, limit, told.band)
            if (
                verdict == ""
                and scaled != 1.0
                and _verdict(threshold, value / scaled, limit, told.band) == "fails"
            ):
                # too small to be meant for it only because it was shrunk
                verdict = _verdict(replace(threshold, least=0.0, most=1e9), value, limit, told.band)
            if verdict == "fails" and threshold.fails is not None:
                if (name, under.pack.id) in measure.fits:
                    continue
                crawls = measure.what is What.DOOR and under.pack.movement.may_squeeze(
                    inches(value), inches(base.short), inches(measure.long * scaled)
                )
                grave = lowered(own, Severity.WARNING) if crawls else _severity(measure, own)
                effect = CRAWLS if crawls else EFFECTS[threshold.fails]
                yield _Verdict(
                    threshold.fails, measure, value, Case(name, under.pack.id, limit, grave, effect)
                )
            elif verdict == "near" and threshold.near is not None:
                grave = lowered(own, Severity.WARNING)
                yield _Verdict(threshold.near, measure, value, Case(name, under.pack.id, limit, grave, NEAR))


def _verdict(threshold: Threshold, value: float, limit: float, band: float) -> str:
    if threshold.always:
        return "fails"
    if threshold.both:
        return "near" if abs(value - limit) <= band else ""
    if threshold.at_most:
        if value > limit + SNAP_MM:
            return "fails" if value <= limit * threshold.most else ""
        return "near" if value > limit - band and threshold.near is not None else ""
    if value < limit - SNAP_MM:
        return "fails" if value >= limit * threshold.least else ""
    return "near" if value < limit + band and threshold.near is not None else ""


def _severity(measure: Measure, own: Severity) -> Severity:
    """The severity of a measurement that fails for a base of some severity of its own."""
    match measure.what:
        case What.TREAD:
            return Severity.INFO
        case What.HOLE | What.RAIL | What.HAND:
            return lowered(own, Severity.WARNING)
        case What.SLOPE | What.RISER | What.OVERHANG | What.TABLE:
            return lowered(own, Severity.WARNING) if measure.serious else Severity.INFO
    return own if measure.serious else Severity.INFO


def _finding(spot: Spot, told: Sequence[Told], subject: Subject) -> Finding:
    main, worst = told[0], told[0].worst
    text, cure = sentence(main)
    for other in told[1:]:
        more, change = also(other)
        text += f"; {more}"
        cure += f"; {change}" if change else ""
    pack = next(u.pack for u in subject.unders if u.pack.id == worst.pack)
    rule = THRESHOLDS[main.measure.what].rule
    at = subject.own(*spot.at)
    return Finding(
        id=make_id(spot.word, at),
        kind=main.kind,
        place=in_mm(at),
        severity=worst.severity,
        at=at,
        at_unit=Unit.MM,
        spot=subject.spot(*spot.at),
        text=text,
        measured=main.value,
        limit=worst.limit or 0.0,
        unit=Unit.DEGREE if main.measure.what is What.SLOPE else Unit.MM,
        rule=rule,
        source=pack.rule(rule).source if rule else "",
        cure=cure,
        cases=tuple(case for one in told for case in one.cases),
        floor=spot.floor if spot.floor >= 0 else None,
    )
