"""One check from beginning to end: read, measure, judge, number, compare."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path

import numpy as np
import shapely

from sandbox.check import edges, finding, floors, narrow, overhead, room
from sandbox.check.finding import Finding, Severity, Topic, by_id
from sandbox.check.frame import HALF, Frame
from sandbox.check.judge import judge
from sandbox.check.levels import Levels
from sandbox.check.measure import Spot, merged, spots_of
from sandbox.check.model import Comparison, FindingKind, Floor, Reach, Report, ScaleRow
from sandbox.check.plan import Floats, Plan, Shape
from sandbox.check.prints import broken, print_findings
from sandbox.check.reach import Net, Reached, net_of, reached, with_leaps
from sandbox.check.settings import Settings, split_id
from sandbox.check.subject import Subject, Under, open_subject
from sandbox.errors import UserError
from sandbox.ground.model import Permit, Place
from sandbox.terrain.model import Part
from sandbox.units import mm

SCALES = (0.9, 0.95, 1.0, 1.05, 1.1, 1.15, 1.2)
AROUND_MM = 60.0
OVAL_HEADINGS = (0.0, 45.0, 90.0, 135.0)
"""headings that an oval is tried in; it keeps one all the way."""
SAME_MM = 12.0
"""findings of one kind this near to each other are the same in two versions of a build."""
MOVED_MM = 60.0
"""what is of one measure is still the same this far from where it was."""
JOINS_MM = 4.0
"""floors that differ by no more may hold one base together."""
ROW_MM = 20.0
"""floors narrower than this are told in findings only."""


Obstacle = tuple[Part, Shape]
"""a part that is crossed, and its outline."""


def _silent(part: str) -> None:
    """Nobody wants to know how far it is."""


def check(
    path: Path, settings: Settings, tell: Callable[[str], None] = _silent
) -> tuple[Report, Subject | None]:
    """Everything that can be said about a build, and what was read; a file that cannot be read is a finding.

    tell: takes the name of each part of the work as it begins.
    """
    tell("reading")
    began = time.perf_counter()
    try:
        subject = open_subject(path, settings)
    except UserError as error:
        if not path.is_file() or path.suffix.lower() in (".yaml", ".yml"):
            raise
        return unreadable(path, settings, error), None
    tell("how it prints")
    prints, notes = print_findings(subject)
    spots: list[Spot] = []
    found: list[Finding] = []
    levels, got = Levels((), ()), list[Reached]()
    if not any(one.kind is FindingKind.UNITS and one.severity is Severity.ERROR for one in prints):
        spots, found, got = look(subject, tell)
        levels = subject.levels
        found = floors.told_once([*found, *judge(spots, subject)])
    told = numbered([*found, *prints], settings)
    report = Report(
        subject=subject.name,
        size=subject.size,
        triangles=len(subject.plan.faces),
        bases=subject.bases,
        packs=tuple(u.pack.id for u in subject.unders),
        findings=told,
        floors=tuple(floor_rows(subject, levels, got)),
        scales=tuple(sweep(spots, subject)),
        seconds=time.perf_counter() - began,
        notes=tuple(notes),
        stale=stale(told, settings),
    )
    return report, subject


def unreadable(path: Path, settings: Settings, error: UserError) -> Report:
    """The report on a file that cannot be read."""
    told = numbered([broken(path.name, error.message)], settings)
    return Report(
        path.name, (0.0, 0.0, 0.0), 0, settings.bases, settings.packs, told, stale=stale(told, settings)
    )


def look(
    subject: Subject, tell: Callable[[str], None] = _silent
) -> tuple[list[Spot], list[Finding], list[Reached]]:
    """Measure everything, and find what is not a matter of thresholds."""
    smallest = subject.bases[0].short
    tell("floors")
    levels = subject.levels
    pairs = edges.touching(levels)
    stairs = edges.stairs_of(levels, pairs)
    treads = frozenset(k for stair in stairs for k in stair.treads)
    measures = [
        *edges.stairs(levels, subject.plan, stairs, pairs, smallest),
        *edges.steps(levels, pairs, stairs),
        *edges.slopes(levels, smallest, min(u.pack.movement.stand_slope for u in subject.unders)),
        *floors.obstacles(levels, subject, smallest, treads),
    ]
    for frame, unders, obstacles, ladders in _frames(subject, levels):
        tell("ledges")
        measures += room.depths(frame, treads)
        tell("doors and corridors")
        measures += narrow.openings(frame, treads)
        tell("headroom")
        measures += overhead.ceilings(frame)
        measures += overhead.lintels(frame, treads)
        measures += room.landings(frame, obstacles)
        if subject.settings.hand is not None:
            measures += overhead.hands(frame, subject.settings.hand)
        measures += room.ladder_holes(levels, ladders, mm(unders[0].pack.movement.ladder_top), subject.bases)
        tell("gaps and rails")
        longest = max(subject.bases[-1].short, 25.4) + subject.settings.band
        measures += edges.gaps(levels, subject.plan, frame.step, longest, frame.packs)
        measures += edges.rails(levels, subject.plan, frame.step)
    joins = bool(levels.slopes) or any(pair.rise <= JOINS_MM for pair in pairs)
    got = all_reached(subject, levels, tell, joins=joins)
    if joins:
        measures = list(room.held(measures, subject.stands))
    measures += floors.climbs_and_overhangs(got, levels, subject)
    found = [
        *floors.reach_findings(got, levels, subject, pairs),
        *floors.lip_findings(levels, subject, smallest),
    ]
    return spots_of(merged(measures)), found, got


def _frames(
    subject: Subject, levels: Levels
) -> Iterable[tuple[Frame, list[Under], list[Obstacle], list[Part]]]:
    """Packs with the same free step, obstacles and height are measured once."""
    groups: dict[tuple[float, tuple[bool, ...], float], list[Under]] = {}
    for under in subject.unders:
        crossed = tuple(bool(p & Permit.CROSS) for p in under.ground.permits)
        key = (under.pack.movement.free_step_up, crossed, subject.height_mm(under.pack))
        groups.setdefault(key, []).append(under)
    low, high = subject.bounds
    strip = AROUND_MM + subject.bases[-1].short
    around = shapely.box(low[0] - strip, low[1] - strip, high[0] + strip, high[1] + strip)
    for (step, crossed, height), unders in groups.items():
        off = np.array(crossed, np.bool_)[subject.terrain.face_part]
        on = (
            [(level.number, floors.part_under(level, subject)) for level in levels.all[1:]]
            if off.any()
            else []
        )
        obstacles, ladders = _parts(subject, unders[0])
        frame = Frame(
            plan=Plan(subject.terrain, subject.table | off) if off.any() else subject.plan,
            levels=levels,
            bases=subject.bases,
            step=mm(step),
            height=height,
            band=subject.settings.band,
            packs=frozenset(u.pack.id for u in unders),
            ceiling=subject.ceiling_mm,
            steepest=max(under.pack.movement.walk_slope for under in unders),
            around=around,
            obstacles=tuple((part.low_mm, part.high_mm, outline) for part, outline in obstacles),
            crossed=frozenset(number for number, part in on if part >= 0 and crossed[part]),
        )
        yield frame, unders, obstacles, ladders


def _parts(subject: Subject, under: Under) -> tuple[list[Obstacle], list[Part]]:
    """Obstacles with their outlines, and ladders."""
    obstacles, ladders = [], []
    for index, part in enumerate(subject.terrain.parts):
        permit = under.ground.permits[index]
        if permit & Permit.CROSS:
            own = Plan(subject.terrain, subject.terrain.face_part != index)
            obstacles.append((part, own.band(part.low_mm + 0.3, part.high_mm - 0.05)))
        if permit & Permit.LADDER:
            ladders.append(part)
    return obstacles, ladders


def all_reached(
    subject: Subject, levels: Levels, tell: Callable[[str], None] = _silent, *, joins: bool
) -> list[Reached]:
    """What each base reaches under each pack; leaps are looked for where they could matter. Notes where they can stand.

    joins: bases may stand on floors narrower than they are, because floor around those joins.
    """
    nets: dict[tuple[object, ...], Net] = {}
    longer: dict[tuple[object, ...], Net] = {}
    answer = []
    for under in subject.unders:
        height = subject.height_mm(under.pack)
        for base in subject.bases:
            least = base.short * (HALF if joins else 1.0)
            if not any(level.width >= least for level in levels.all[1:]):
                continue  # nothing to get to
            tell(f"where a {base.name} mm base gets ({under.pack.id})")
            turned: list[Reached] = []
            found: list[Floats] = []
            for facing in (0.0,) if base.is_round else OVAL_HEADINGS:
                one = replace(base, facing=facing)
                key = (id(under.ground), one.long, one.short, facing, height)
                if key not in nets:
                    nets[key] = net_of(subject, under, one, levels)
                got = reached(subject, under, one, levels, nets[key])
                rows = [row for row in got.rows if row is not None]
                if any(row.reach is Reach.NEVER or not row.escapes for row in rows):
                    if key not in longer:
                        longer[key] = with_leaps(nets[key], subject, under, levels)
                    got = reached(subject, under, one, levels, longer[key])
                turned.append(got)
                places = nets[key].places
                found.append(places.pos[(places.flags & Place.STAND) != 0])
            answer.append(best_of(turned))
            subject.stands[base.name, under.pack.id] = np.concatenate(found)
    return answer


def best_of(turned: Sequence[Reached]) -> Reached:
    """Of what a base reaches in several headings the best, floor by floor."""
    first = turned[0]
    if len(turned) == 1:
        return first
    order = list(Reach)
    rows = [
        min(
            (row for row in tried if row is not None),
            key=lambda row: (order.index(row.reach), not row.escapes, -row.links_up, row.cost or 0.0),
            default=None,
        )
        for tried in zip(*(one.rows for one in turned), strict=True)
    ]
    only = set.intersection(*({number for number, _, _ in one.climbs} for one in turned))
    lowest = {
        n: min((c for one in turned for c in one.climbs if c[0] == n), key=lambda c: c[1]) for n in only
    }
    return replace(
        first,
        rows=tuple(rows),
        climbs=tuple(lowest[number] for number in sorted(only)),
        overhangs=tuple(over for one in turned for over in one.overhangs),
        by_climb=tuple(any(column) for column in zip(*(one.by_climb for one in turned), strict=True)),
    )


def numbered(found: Iterable[Finding], settings: Settings) -> tuple[Finding, ...]:
    """Findings with what was accepted lowered to information, worst first, numbered from 1."""
    told = []
    for one in by_id(found):
        known = settings.accepted(one)
        told.append(one if known is None else replace(one, accepted=known.reason, severity=Severity.INFO))
    order: list[StrEnum] = list(FindingKind)
    told.sort(
        key=lambda f: (
            -f.severity.rank,
            f.accepted is not None,
            f.topic is Topic.PRINT,
            order.index(f.kind),
            f.at[2],
            f.at[:2],
        )
    )
    return tuple(replace(one, number=index) for index, one in enumerate(told, start=1))


def stale(found: Iterable[Finding], settings: Settings) -> tuple[str, ...]:
    """Ids that are accepted and that nothing found has."""
    met = [known for one in found if (known := settings.accepted(one)) is not None]
    return tuple(one.id for one in settings.accept if one not in met)


def floor_rows(subject: Subject, levels: Levels, got: Sequence[Reached]) -> Iterable[Floor]:
    """The floors that hold something, with what each base reaches."""
    wide = [level for level in levels.all if level.width >= ROW_MM]
    if all(level.z < 0.01 for level in wide):
        return  # the table alone
    for level in wide:
        rows = tuple(row for one in got if (row := one.rows[level.number]) is not None)
        if level.number > 0 and level.z < 0.01 and all(row.reach is Reach.TOO_SMALL for row in rows):
            continue  # table under the build, where nobody is
        yield Floor(
            number=level.number,
            height=level.z,
            area=level.area / 100.0,
            holds=level.width,
            at=subject.own(*level.centre, level.z),
            reach=rows,
        )


def sweep(spots: Sequence[Spot], subject: Subject) -> Iterable[ScaleRow]:
    """What the measurements would give at other scales, what is accepted left out.

    Which floors are reached is taken as it is.
    """
    least = Severity.WARNING.rank
    rows = {
        scale: [
            f
            for f in judge(spots, subject, scale=scale)
            if f.severity.rank >= least and subject.settings.accepted(f) is None
        ]
        for scale in SCALES
    }
    now = {(f.id, f.kind) for f in rows[1.0]}
    for scale, found in rows.items():
        ids = {(f.id, f.kind) for f in found}
        yield ScaleRow(
            scale=scale,
            errors=finding.count(found, Severity.ERROR),
            warnings=finding.count(found, Severity.WARNING),
            cured=len(now - ids),
            new=len(ids - now),
        )


def compare(report: Report, older: Report) -> Report:
    """A report with what changed since an older version of the build."""
    left = list(older.findings)
    unchanged: list[str] = []
    rest = list(report.findings)
    for near in (_alike, _moved):  # first what is in its place, then what was shifted
        for one in list(rest):
            twin = min(
                (other for other in left if near(one, other)),
                key=lambda other: _away(one, other),
                default=None,
            )
            if twin is not None:
                left.remove(twin)
                rest.remove(one)
                unchanged.append(one.id)
    order = [one.id for one in report.findings]
    told = Comparison(
        older.subject,
        tuple(one.id for one in left),
        tuple(one.id for one in rest),
        tuple(sorted(unchanged, key=order.index)),
    )
    return replace(report, comparison=told)


def _away(one: Finding, other: Finding) -> float:
    return float(np.linalg.norm(np.subtract(one.at, other.at)))


def _alike(one: Finding, other: Finding) -> bool:
    """Whether two findings are of one kind and in one place."""
    if one.kind is not other.kind:
        return False
    here, there = split_id(one.id)[1], split_id(other.id)[1]
    if here is None or there is None:
        return here == there
    return _away(one, other) <= SAME_MM or float(np.linalg.norm(np.subtract(here, there))) <= SAME_MM


def _moved(one: Finding, other: Finding) -> bool:
    """Whether two findings are of one kind, at one height, and of one measure, a little apart."""
    if one.kind is not other.kind or one.measured is None or other.measured is None:
        return False
    return (
        abs(one.measured - other.measured) <= 0.05
        and abs(one.at[2] - other.at[2]) <= 1.0
        and _away(one, other) <= MOVED_MM
    )


__all__ = ["check", "compare", "look", "numbered", "sweep"]
