"""Thresholds: what a pack and a base make of each measurement, in words, with the change that would cure it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from sandbox.check.finding import Case, Finding, Severity, Unit, in_mm
from sandbox.check.measure import OF_OVALS, Measure, What
from sandbox.check.model import Base, FindingKind
from sandbox.check.settings import COMMON_MM, Settings, make_id
from sandbox.check.subject import Subject, Under
from sandbox.rules import MovementRules, Pack
from sandbox.rules.words import Narrow
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
        K.OVERHANG, K.NEAR_OVERHANG, _movement(lambda m: m.overhang), "overhang", at_most=True, by_base=False
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
    measures: Iterable[Measure], subject: Subject, *, scale: float = 1.0, settings: Settings | None = None
) -> list[Finding]:
    """Findings of measurements, as if the build were `scale` times as large."""
    told = settings or subject.settings
    answer = []
    for measure in measures:
        threshold = THRESHOLDS[measure.what]
        scaled = 1.0 if measure.what is What.SLOPE else scale
        value = measure.value * scaled
        failed, near = _cases(measure, threshold, value, subject, told, scaled)
        for kind, cases in ((threshold.fails, failed), (threshold.near, near)):
            if kind is not None and cases:
                answer.append(_finding(kind, measure, value, cases, subject, threshold))
    return answer


def _cases(
    measure: Measure, threshold: Threshold, value: float, subject: Subject, told: Settings, scaled: float
) -> tuple[list[Case], list[Case]]:
    failed: list[Case] = []
    near: list[Case] = []
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
            if verdict == "fails" and (name, under.pack.id) in measure.fits:
                continue
            if verdict == "fails":
                grave = _severity(measure, own, under.pack)
                failed.append(Case(name, under.pack.id, limit, grave))
            elif verdict == "near":
                near.append(Case(name, under.pack.id, limit, lowered(own, Severity.WARNING)))
    return failed, near


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


def _severity(measure: Measure, own: Severity, pack: Pack) -> Severity:
    """The severity of a measurement that fails for a base of some severity of its own."""
    match measure.what:
        case What.TABLE:
            return lowered(own, Severity.WARNING) if measure.serious else Severity.INFO
        case What.TREAD:
            return Severity.INFO
        case What.STRIP:
            return Severity.WARNING if own is Severity.ERROR else Severity.INFO
        case What.HOLE | What.LANDING | What.RAIL | What.HAND | What.CLIMB:
            return lowered(own, Severity.WARNING)
        case What.SLOPE | What.RISER | What.OVERHANG:
            return lowered(own, Severity.WARNING) if measure.serious else Severity.INFO
        case What.DOOR if pack.movement.narrow is not Narrow.BLOCKED:
            return lowered(own, Severity.WARNING)  # crawled through
    return own if measure.serious else Severity.INFO


def _finding(
    kind: FindingKind,
    measure: Measure,
    value: float,
    cases: Sequence[Case],
    subject: Subject,
    threshold: Threshold,
) -> Finding:
    worst = max(cases, key=lambda c: (c.severity.rank, -abs((c.limit or 0.0) - value)))
    limit = worst.limit or 0.0
    pack = next(u.pack for u in subject.unders if u.pack.id == worst.pack)
    at = subject.own(*measure.at)
    words = _words(kind, measure, value, limit, cases)
    rule = threshold.rule
    return Finding(
        id=make_id(kind.value, at),
        kind=kind,
        place=in_mm(at),
        severity=worst.severity,
        at=at,
        at_unit=Unit.MM,
        spot=subject.spot(*measure.at),
        text=words[0],
        measured=value,
        limit=limit,
        unit=Unit.DEGREE if measure.what is What.SLOPE else Unit.MM,
        rule=rule,
        source=pack.rule(rule).source if rule else "",
        cure=words[1],
        cases=tuple(cases),
        floor=measure.floor if measure.floor >= 0 else None,
    )


def bases_of(cases: Sequence[Case]) -> str:
    """``25 and 32 mm``."""
    names = list(dict.fromkeys(c.base for c in cases if c.base is not None))
    if not names:
        return "bases"
    return f"{listed(names)} mm bases" if len(names) > 1 else f"a {names[0]} mm base"


def listed(words: Sequence[str]) -> str:
    """``25``, ``25 and 32``, ``25, 32 and 40``."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def does(cases: Sequence[Case], one: str, several: str) -> str:
    """A verb for the bases of some cases."""
    return several if len({c.base for c in cases if c.base is not None}) != 1 else one


def length(value: float) -> str:
    """Millimetres with inches beside them."""
    return f'{value:.1f} mm ({inches(value):.2f}")'


def _up(change: float) -> float:
    """A change that cures, in tenths of a millimetre: rounded up, but for what measuring itself is out by."""
    return max(math.ceil(10.0 * change - 0.25) / 10.0, 0.1)


def _words(
    kind: FindingKind, measure: Measure, value: float, limit: float, cases: Sequence[Case]
) -> tuple[str, str]:
    """What is said, and what would cure it."""
    who = bases_of(cases)
    limits = sorted({c.limit for c in cases if c.limit is not None}, key=lambda v: abs(v - value))
    most = max((c.limit for c in cases if c.limit is not None), default=limit)
    short = f"{_up(most - value):.1f} mm"
    over = f"{_up(value - limit):.1f} mm"
    nearest = limits[0] if limits else limit
    wide = length(value)
    if measure.base is not None and measure.text and kind in (K.LEDGE, K.LADDER_HOLE):
        return _oval_words(kind, measure.base, value, most)
    match kind:
        case K.LEDGE:
            part = "a part of this floor is" if measure.what is What.STRIP else "this floor is"
            return f"{part} {wide} deep: too shallow for {who} to stand on", f"make it {short} deeper"
        case K.TREAD:
            return (
                f"the treads here hold no more than {wide}: {who} {does(cases, 'passes', 'pass')} and cannot end there",
                (f"make the treads {short} deeper, where models should stop on them"),
            )
        case K.WALKWAY:
            what = {What.PASSAGE: "between the wall and the drop there are", What.WALKWAY: "the floor is"}
            stair = "the stair is" if measure.text == "stair" else what.get(measure.what, "the floor is")
            needed = listed([f"{v:.1f}" for v in sorted(limits)])
            return (
                f"{stair} {wide} wide: {who} {does(cases, 'needs', 'need')} {needed} mm to walk here",
                f"make it {short} wider",
            )
        case K.DOOR:
            return f"the opening is {wide} wide: too narrow for {who}", f"make it {short} wider"
        case K.LADDER_HOLE:
            return (
                f"the hole over the ladder is {wide} wide: {who} {does(cases, 'goes', 'go')} up it only because the rules say so",
                f"make it {short} wider",
            )
        case K.LANDING:
            return (
                f"behind the obstacle there are {wide}: no room for {who} to get down",
                f"move it {short} away from what is behind it",
            )
        case K.HEADROOM:
            return f"{wide} of headroom: a model needs {length(limit)}", f"raise what is above by {short}"
        case K.OVERHANG:
            return (
                f"the floor sticks out {wide} over what is climbed: {length(limit)} stops a climb",
                f"make it stick out {over} less",
            )
        case K.CLIMB:
            return (
                f"a climb of {wide}: two Moves of {who} pay for {length(limit)} at most",
                f"make it {over} lower, or put a ladder or a landing there",
            )
        case K.STEPS:
            return (
                f"risers of up to {wide}: each is a climb, because a free step is {length(limit)}",
                f"make each riser at least {over} lower",
            )
        case K.RAIL:
            return f"the rail is {wide} high: one counts from {length(limit)}", f"make it {short} higher"
        case K.SLOPE:
            ramp = "this ramp" if measure.text == "ramp" else "this floor"
            return (
                f"{ramp} is tilted {value:.1f} degrees: nobody stands on more than {limit:.0f}",
                "" if measure.text == "ramp" else f"make it at least {value - limit:.1f} degrees flatter",
            )
        case K.HAND:
            return (
                f"{wide} of room for a hand or a tape: {length(limit)} was asked for",
                f"raise it by {short}",
            )
        case K.OBSTACLE:
            if measure.text == "stair":
                return (
                    f"this stair stands alone, is {wide} high and small enough to count as an obstacle: it is "
                    "crossed, not walked up",
                    "declare it stairs, make it larger, or fix it to a larger part",
                )
            return (
                f"the part that this floor is on is {wide} high and small enough to count as an obstacle: it is "
                "crossed, and nobody ends on it",
                "declare it a structure, make it larger, or fix it to a larger part",
            )
    return _near_words(kind, wide, value, nearest, who, does(cases, "crosses", "cross"))


def _oval_words(kind: FindingKind, base: str, value: float, short: float) -> tuple[str, str]:
    """What is said of too little room for an oval, whose length counts too."""
    long_axis, short_axis = (float(part) for part in base.split("x"))
    most = f"an oval of {value * long_axis / short_axis:.1f} x {value:.1f} mm at most"
    cure = f"make it {100.0 * (short / value - 1.0):.0f} % larger, or longer and as deep as the base"
    if kind is K.LEDGE:
        return f"this floor holds {most}: too small for a {base} mm base to stand on", cure
    return (
        f"through the hole over the ladder fits {most}: a {base} mm base goes up it only because the rules say so",
        cure,
    )


def _near_words(
    kind: FindingKind, wide: str, value: float, limit: float, who: str, cross: str
) -> tuple[str, str]:
    what = {
        K.NEAR_LEDGE: f"this floor is {wide} deep and just holds {who}",
        K.NEAR_WALKWAY: f"this way is {wide} wide and just lets {who} pass",
        K.NEAR_DOOR: f"the opening is {wide} wide and just lets {who} through",
        K.NEAR_LADDER_HOLE: f"the hole over the ladder is {wide} wide and just fits {who}",
        K.NEAR_LANDING: f"behind the obstacle there are {wide}, just enough for {who}",
        K.NEAR_HEADROOM: f"{wide} of headroom, just enough",
        K.NEAR_OVERHANG: f"an overhang of {wide}, which a climb just passes",
        K.NEAR_GAP: f"a gap of {wide}: {who} {cross} up to {limit:.1f} mm without a test",
        K.NEAR_STEP: f"a step of {wide}: {length(limit)} is free, more is climbed",
        K.NEAR_RAIL: f"the rail is {wide} high and just counts",
    }[kind]
    away = abs(value - limit)
    fuller = kind in (K.NEAR_OVERHANG,)
    cure = f"only {away:.1f} mm from the threshold: the printer decides"
    if kind in (K.NEAR_GAP, K.NEAR_STEP):
        return what, f"{cure}; make it clearly smaller or larger"
    return what, f"{cure}; {'take some off' if fuller else 'add some'}"
