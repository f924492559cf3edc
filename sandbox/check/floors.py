"""Findings about getting on floors and off them, from what every base reaches. Lengths are in mm."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import shapely

from sandbox.check.edges import Pair
from sandbox.check.finding import Case, Finding, Point, Severity, Unit, in_mm
from sandbox.check.judge import lowered, of_base
from sandbox.check.levels import Level, Levels
from sandbox.check.measure import Measure, What
from sandbox.check.model import Base, FindingKind, FloorReach, Reach, word_of
from sandbox.check.plan import Shape, both
from sandbox.check.reach import Overhang, Reached
from sandbox.check.settings import make_id
from sandbox.check.subject import Subject, Under
from sandbox.check.words import bases_of, digits_for, does
from sandbox.ground.model import Permit
from sandbox.ground.railings import rail_runs
from sandbox.moves.fails import hit_of
from sandbox.units import inches, mm

K = FindingKind
EFFECTS = {
    K.UNREACHABLE: "does not get here",
    K.CHECK_ONLY: "gets here only by a check",
    K.TRAP: "does not get out again",
    K.ONE_WAY: "has one way up",
}
"""what these mean for one base under one pack"""
ROOMY = 2.0
"""A floor with only one way up is worth a word where it holds at least this many bases."""


def climbs_and_overhangs(reached: Sequence[Reached], levels: Levels, subject: Subject) -> Iterator[Measure]:
    """Measurements on the ways up: the lowest climb of floors that are only climbed, and what sticks out."""
    for one in reached:
        packs = frozenset([one.under.pack.id])
        for number, height, _ in one.climbs:
            yield Measure(What.CLIMB, _middle(levels.all[number]), height, number, packs, base=one.base.name)
        told: set[tuple[int, bool]] = set()
        for number, over in one.overhangs:
            if (number, over.climbable) in told:
                continue
            row = one.rows[number]
            reach = Reach.TOO_SMALL if row is None else row.reach
            lonely = reach is Reach.NEVER or (reach is Reach.TESTED and not one.by_climb[number])
            limit = one.under.pack.movement.overhang * 25.4
            if not over.climbable and over.value > 2.0 * limit:
                continue
            if not lonely and not over.climbable:
                continue
            if not sticks_out(over, levels.all[number], subject):
                continue
            told.add((number, over.climbable))
            yield Measure(
                What.OVERHANG,
                _middle(levels.all[number]),
                over.value,
                number,
                packs,
                base=one.base.name,
                serious=lonely or over.climbable,
            )


def _middle(level: Level) -> Point:
    """Where a floor is named: the same place whoever asks, and from wherever it is climbed."""
    return (*level.centre, level.z)


def part_under(level: Level, subject: Subject) -> int:
    """The terrain part that most of a level is the top of; -1 none."""
    plan = subject.plan
    rows = np.flatnonzero((plan.normal[:, 2] > 0.9) & (np.abs(plan.high - level.z) < 0.2))
    if not rows.size:
        return -1
    middle = plan.corners[rows].mean(axis=1)
    inside = shapely.intersects_xy(level.shape, middle[:, 0], middle[:, 1])
    if not inside.any():
        return -1
    area = np.bincount(plan.part[rows[inside]], weights=plan.area[rows[inside]])
    return int(np.argmax(area))


def sticks_out(over: Overhang, level: Level, subject: Subject) -> bool:
    """Whether a floor's own edge sticks out as far as a climb found it to.

    A climb beside a stair or a buttress has an overhang too, which is what juts out beside it: true, and no trait of the
    floor that anybody would change.
    """
    foot, end = np.array(over.foot[:2]), np.array(over.at[:2])
    length = float(np.hypot(*(end - foot)))
    if length < 0.1:
        return False
    way = (end - foot) / length
    line = shapely.LineString([foot - 5.0 * way, end + 60.0 * way])
    edge = _first(line, level.shape)
    for below in (6.0, 12.0, 20.0):
        wall = _first(line, subject.plan.section(level.z - below, near=line))
        if edge is not None and wall is not None and abs(wall - edge - over.value) < 1.0:
            return True
    return False


def _first(line: shapely.LineString, shape: Shape) -> float | None:
    """How far along a line a shape begins; None where it is not met."""
    met = both(line, shape)
    if met.is_empty:
        return None
    return float(min(line.project(shapely.Point(xy)) for xy in shapely.get_coordinates(met)))


def obstacles(levels: Levels, subject: Subject, least: float, treads: frozenset[int]) -> Iterator[Measure]:
    """Floors and stairs on parts that a pack takes for obstacles."""
    for under in subject.unders:
        stairs: set[int] = set()
        for level in levels.all[1:]:
            if level.width < least and level.number not in treads:
                continue
            part = part_under(level, subject)
            if part < 0 or not under.ground.permits[part] & Permit.CROSS:
                continue
            stair = level.number in treads
            if stair and part in stairs:
                continue
            if stair:
                stairs.add(int(part))
            height = subject.terrain.parts[part].height_mm
            yield Measure(
                What.TABLE,
                (*level.centre, level.z),
                height,
                level.number,
                frozenset([under.pack.id]),
                text="stair" if stair else "",
                serious=stair,
            )


def reach_findings(
    reached: Sequence[Reached], levels: Levels, subject: Subject, pairs: Sequence[Pair]
) -> Iterator[Finding]:
    """Floors that are not reached, reached by a check only, left by nobody, or have one way up.

    pairs: levels that touch in plan.
    """
    for level in levels.all:
        cases: dict[FindingKind, list[Case]] = {}
        for one in reached:
            row = one.rows[level.number]
            if row is None or row.reach is Reach.TOO_SMALL:
                continue
            for kind, severity in _of(row, one, level, doors(level, pairs, one)):
                case = Case(one.base.name, one.under.pack.id, None, severity, EFFECTS[kind])
                cases.setdefault(kind, []).append(case)
        for kind, found in cases.items():
            yield _finding(kind, found, level, subject)


def doors(level: Level, pairs: Sequence[Pair], one: Reached) -> int:
    """How many ways lead on to a level on foot: a long edge counts as many."""
    step = mm(one.under.pack.movement.free_step_up) + 0.025
    wide = [pair.contact for pair in pairs if level.number in (pair.low, pair.high) and pair.rise <= step]
    return sum(max(1, int(contact / 100.0)) for contact in wide if contact > one.base.short / 2)


def _of(row: FloorReach, one: Reached, level: Level, walks: int) -> Iterator[tuple[FindingKind, Severity]]:
    own = of_base(one.base)
    needed = np.pi / 400.0 * one.base.long * one.base.short  # cm2
    if row.reach is Reach.NEVER:
        yield K.UNREACHABLE, own
        return
    if row.reach is Reach.TESTED:
        yield K.CHECK_ONLY, Severity.INFO if one.by_climb[level.number] else lowered(own, Severity.WARNING)
    if level.number == 0:
        return
    if not row.escapes:
        yield K.TRAP, own
    elif row.links_up + walks == 1 and row.area >= ROOMY * needed:
        yield K.ONE_WAY, Severity.INFO


def _finding(kind: FindingKind, cases: list[Case], level: Level, subject: Subject) -> Finding:
    worst = max(cases, key=lambda c: c.severity.rank)
    under = next(u for u in subject.unders if u.pack.id == worst.pack)
    place = _middle(level)
    at = subject.own(*place)
    who = bases_of(cases)
    text, cure, rule = {
        K.UNREACHABLE: (
            f"nothing leads up to this floor for {who}",
            "add a ladder, a stair or a wall to climb without an overhang",
            "no_way",
        ),
        K.CHECK_ONLY: (
            f"{who} {does(cases, 'gets', 'get')} to this floor only by a check",
            "add a way up that needs none: a ladder or a stair",
            "climb_check" if under.pack.movement.climb_check != "none" else "leap_check",
        ),
        K.TRAP: (
            f"{who} {does(cases, 'gets', 'get')} in here and not out again",
            "add a way out: a ladder, a stair, a lower wall",
            "no_way",
        ),
        K.ONE_WAY: (f"only one way leads up to this floor for {who}", "add a second one", "allowance"),
    }[kind]
    return Finding(
        id=make_id(word_of(kind), at),
        kind=kind,
        place=in_mm(at),
        severity=worst.severity,
        at=at,
        at_unit=Unit.MM,
        spot=subject.spot(*place),
        text=text,
        rule=rule,
        source=under.pack.rule(rule).source,
        cure=cure,
        cases=tuple(cases),
        floor=level.number,
    )


def told_once(found: Iterable[Finding]) -> list[Finding]:
    """Findings of one id as one: how a floor is got to is told once, whatever bases, packs and overhangs make of it."""
    groups: dict[str, list[Finding]] = {}
    for one in found:
        groups.setdefault(one.id, []).append(one)
    return [_joined(group) for group in groups.values()]


def _joined(group: Sequence[Finding]) -> Finding:
    """The gravest of some findings, with what the others say; what is merely good to know beside it is left out."""
    main, *others = sorted(group, key=lambda one: -one.severity.rank)
    known = {(case.base, case.pack) for case in main.cases}
    cases = list(main.cases)
    answer, text, cure = main, main.text, main.cure
    for other in others:
        cases += [case for case in other.cases if (case.base, case.pack) not in known]
        known |= {(case.base, case.pack) for case in other.cases}
        if other.severity is Severity.INFO and main.severity is not Severity.INFO:
            continue
        if main.kind is K.UNREACHABLE and other.kind is K.OVERHANG:  # that is why
            answer = replace(main, measured=other.measured, limit=other.limit, unit=other.unit)
            text, cure = f"{text}: {other.text}", f"{other.cure}, or {cure}"
        elif other.text != main.text:
            text, cure = f"{text}; {other.text}", f"{cure}; {other.cure}" if other.cure else cure
    return replace(answer, severity=main.severity, text=text, cure=cure, cases=tuple(cases))


def lip_findings(levels: Levels, subject: Subject, holds: float) -> Iterator[Finding]:
    """Lips without a rail, one finding per floor, and what a fall there does."""
    under = subject.unders[0]
    lips = under.ground.patch(subject.window).lips
    if not len(lips):
        return
    runs = rail_runs(lips, under.ground.bins, under.ground.numbers)
    middle = runs.ends.mean(axis=1)
    length = np.hypot(*(runs.ends[:, 1] - runs.ends[:, 0])[:, :2].T)
    drops = np.where(np.isfinite(lips.drop), lips.drop, 0.0)[runs.lip]
    for level in levels.all[1:]:
        if level.width < holds:
            continue
        own = _of_level(middle, level)
        bare = own[~runs.railed[own]]
        total = float(length[bare].sum())
        if total < 25.0:
            continue
        drop = float(min(drops[bare].max(), level.z))
        if drop <= 0.0:
            continue
        row = bare[np.argmax(length[bare])]
        place = _point(middle[row])
        at = subject.own(*place)
        told = "; ".join(fall_words(one, drop) for one in subject.unders)
        digits = digits_for(inches(drop), [round(inches(drop))], 0.002)
        cases = tuple(Case(None, one.pack.id, None, Severity.INFO) for one in subject.unders)
        yield Finding(
            id=make_id(K.LIP.value, subject.own(*_middle(level))),
            kind=K.LIP,
            place=in_mm(at),
            severity=Severity.INFO,
            at=at,
            at_unit=Unit.MM,
            spot=subject.spot(*place),
            text=f'{total:.0f} mm of lip without a rail; a fall of up to {inches(drop):.{digits}f}": {told}',
            measured=drop,
            unit=Unit.MM,
            rule="edge_zone",
            source=under.pack.rule("edge_zone").source,
            cure="a rail of half an inch or more helps at the edge",
            cases=cases,
            floor=level.number,
        )


def fall_words(under: Under, drop_mm: float) -> str:
    """What a fall does under a pack, in a few words."""
    pack, height = under.pack, inches(drop_mm)
    mishap = pack.file.tables.mishap
    if mishap is not None:
        more = int(max(height - mishap.free_height, 0.0) + 1e-6) * mishap.per_inch
        return f"{pack.name}: a mishap roll at +{more}"
    hit = hit_of(pack, under.rules, height)
    return f"{pack.name}: {hit}" if hit is not None else f"{pack.name}: no hit"


def _of_level(middle: np.ndarray, level: Level) -> np.ndarray:
    near = np.flatnonzero(np.abs(middle[:, 2] - level.z) <= 1.7)
    if not near.size:
        return near
    away = shapely.distance(level.shape, shapely.points(middle[near, :2]))
    return np.asarray(near[away < 1.0])


def _point(values: np.ndarray) -> tuple[float, float, float]:
    return (float(values[0]), float(values[1]), float(values[2]))


__all__ = ["Base", "climbs_and_overhangs", "lip_findings", "obstacles", "reach_findings"]
