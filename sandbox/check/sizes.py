"""Is it of the right size? Units, scale, the printer's bed, the number of triangles."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from sandbox.check.finding import Finding, Severity, Topic, Unit, in_mm
from sandbox.check.mesh import Mesh
from sandbox.check.model import FindingKind
from sandbox.check.settings import make_id
from sandbox.check.subject import Subject
from sandbox.scene.model import Unit as FileUnit
from sandbox.terrain.place import MM_PER_UNIT
from sandbox.units import inches

K = FindingKind
TILE_MM = 304.8
MEASURED_TILE_MM = 289.0
"""what the plastic Zone Mortalis tile measures, nominally 12 inches."""
_LIKE = 0.035
_EXACT = 0.006
SMALL_MM = 8.0
DOUBTFUL_MM = 25.0
"""no usual base stands on what is smaller; and a build drawn in centimetres is as small as that."""
LITTLE_MM = 40.0
"""Scatter may be so small."""
LARGE_MM = 1900.0
"""longer than any table; and no terrain is higher than the next."""
HIGH_MM = 750.0
USUAL_MM = 150.0
"""how long a piece of terrain usually is."""
PIECE_MM = (20.0, 900.0)
"""how long it may be to be offered in another unit."""
_SCALES = (0.1, 1.0 / 25.4, 0.01, 0.001)
"""what is too large in any unit was enlarged by these most of the time."""


def sizes(subject: Subject, own: Mesh) -> Iterator[Finding]:
    """Units, scale, bed, number of triangles; where the units are wrong, nothing else."""
    size = np.ptp(own.vertices[np.unique(own.faces)], axis=0)
    units = _units(subject, [float(v) for v in size])
    if units is not None:
        yield units
        if units.severity is Severity.ERROR:
            return
    yield from _scale(subject, [float(v) for v in size[:2]])
    yield from _bed(subject, [float(v) for v in size])
    told = subject.settings
    if len(own.faces) > told.triangles:
        yield print_finding(
            subject,
            K.TRIANGLES,
            Severity.WARNING,
            f"{len(own.faces):,} triangles make slicers slow",
            f"reduce them to below {told.triangles:,}",
            measured=float(len(own.faces)),
            limit=float(told.triangles),
            unit=Unit.COUNT,
        )


def _units(subject: Subject, size: list[float]) -> Finding | None:
    """What is too small or too large to be terrain, or so small that it may have been drawn in another unit."""
    told, longest = subject.settings, max(size)
    read = told.units or (subject.raw.unit if subject.raw is not None else FileUnit.MM)
    absurd = longest < SMALL_MM or longest > LARGE_MM or size[2] > HIGH_MM
    others = likely_units(size, read)
    if not absurd and (told.units is not None or longest >= LITTLE_MM or not others):
        return None
    fits = [
        f"`units: {unit.value}` would make it {inches(longest * MM_PER_UNIT[unit] / MM_PER_UNIT[read]):.3g} in"
        + (", a 12 in tile" if tile else "")
        for unit, tile in others
    ]
    what = f"{longest:.3g} mm long" if longest < 1000.0 else f"{longest / 1000.0:.2f} m long"
    if absurd:
        if not fits:
            fits = [
                f"`scale: {by:.4g}` would make it {inches(longest * by):.3g} in"
                for by in _SCALES
                if PIECE_MM[0] <= longest * by <= PIECE_MM[1]
            ]
        words = f"the whole model is {what}, read in {read.value}: no terrain is"
        cure = " or ".join(fits[:2]) or "set `units` and `scale` in a file beside it"
        return print_finding(subject, K.UNITS, Severity.ERROR, words, cure, measured=longest)
    tile = any(like for _, like in others)
    doubtful = tile or longest < DOUBTFUL_MM
    return print_finding(
        subject,
        K.UNITS,
        Severity.WARNING if doubtful else Severity.INFO,
        f"the whole model is {what}, read in {read.value}: it may be drawn in another unit",
        f"{' or '.join(fits[:2])}; if it is right, write `units: {read.value}` into a file beside it",
        measured=longest,
    )


def likely_units(size: list[float], read: FileUnit) -> list[tuple[FileUnit, bool]]:
    """Units other than the one it was read in that make terrain of something, the likeliest first; and whether a tile.

    size: mm, as it was read. A tile's own size decides; else what is nearest to the usual size of terrain.
    """
    found = []
    for unit in FileUnit:
        by = MM_PER_UNIT[unit] / MM_PER_UNIT[read]
        longest = max(size) * by
        if unit is read or not PIECE_MM[0] <= longest <= PIECE_MM[1] or size[2] * by > HIGH_MM:
            continue
        tile = all(
            any(abs(v * by / n - 1.0) <= 2 * _EXACT for n in (TILE_MM, MEASURED_TILE_MM)) for v in size[:2]
        )
        found.append((not tile, abs(math.log(longest / USUAL_MM)), unit))
    return [(unit, not plain) for plain, _, unit in sorted(found, key=lambda one: one[:2])]


def _scale(subject: Subject, plan: list[float]) -> Iterator[Finding]:
    """A tile that is neither of its nominal size nor of its measured one."""
    for nominal in (TILE_MM, MEASURED_TILE_MM):
        if any(abs(v / nominal - 1.0) <= _EXACT for v in plan):
            if nominal == MEASURED_TILE_MM:
                yield print_finding(
                    subject,
                    K.SCALE,
                    Severity.INFO,
                    f"{plan[0]:.1f} x {plan[1]:.1f} mm, the measured size of a Zone Mortalis tile, sold as 12 in",
                )
            break
    else:
        off = [
            v for v in plan if abs(v / TILE_MM - 1.0) <= 2 * _LIKE or abs(v / MEASURED_TILE_MM - 1) <= _LIKE
        ]
        if off and abs(plan[0] / plan[1] - 1.0) < 0.01:
            yield print_finding(
                subject,
                K.SCALE,
                Severity.WARNING,
                f"{plan[0]:.1f} mm square: near a 12 in tile (304.8 mm; the plastic one measures 289 mm), and neither",
                f"scale: {TILE_MM / off[0]:.4f} for 12 in, {MEASURED_TILE_MM / off[0]:.4f} to fit plastic tiles",
                measured=off[0],
                limit=TILE_MM,
            )


def _bed(subject: Subject, size: list[float]) -> Iterator[Finding]:
    """What does not fit the printer."""
    told = subject.settings
    if told.bed is not None:
        bed = sorted(told.bed[:2])
        if min(size[:2]) > bed[0] or max(size[:2]) > bed[1] or size[2] > told.bed[2]:
            yield print_finding(
                subject,
                K.BED,
                Severity.WARNING,
                f"{size[0]:.0f} x {size[1]:.0f} x {size[2]:.0f} mm does not fit a bed of "
                f"{told.bed[0]:.0f} x {told.bed[1]:.0f} x {told.bed[2]:.0f} mm",
                "cut it, or set `bed` to your printer's",
                measured=max(size),
                limit=max(told.bed),
            )


def print_finding(
    subject: Subject,
    kind: FindingKind,
    severity: Severity,
    text: str,
    cure: str = "",
    at: np.ndarray | None = None,
    measured: float | None = None,
    limit: float | None = None,
    unit: Unit = Unit.MM,
) -> Finding:
    """A print finding; at: (3,) in the model's own coordinates, None: about the whole. measured, limit: in `unit`."""
    low, high = subject.bounds
    where = (
        at
        if at is not None
        else np.array(subject.own((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, high[2]))
    )
    place = (float(where[0]), float(where[1]), float(where[2]))
    on_table = np.subtract(place, subject.origin)
    return Finding(
        id=make_id(kind.value, None if at is None else place),
        kind=kind,
        topic=Topic.PRINT,
        severity=severity,
        at=place,
        place=in_mm(place),
        at_unit=Unit.MM,
        spot=(inches(float(on_table[0])), inches(float(on_table[1])), inches(float(on_table[2]))),
        text=text,
        measured=measured,
        limit=limit,
        unit=unit,
        cure=cure,
    )
