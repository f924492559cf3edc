"""Print findings: does the file print, and does what comes out stand on a table?"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import numpy as np

from sandbox.check import mesh, standing, thickness
from sandbox.check.finding import Finding, Severity, Topic, Unit
from sandbox.check.mesh import Mesh
from sandbox.check.model import FindingKind
from sandbox.check.sizes import print_finding, sizes
from sandbox.check.subject import Subject
from sandbox.kinds import Kind
from sandbox.physics import CollisionWorld, open_world
from sandbox.scene.model import Board
from sandbox.terrain.build import build_terrain

K = FindingKind
_FLOAT_MM = 0.15
_LEAST_CONTACT_MM2 = 12.0
_UNSTABLE_MM = 1.0
TABLE_INCHES = 400.0
"""side of the table that bodies are let go on."""


def print_findings(subject: Subject) -> tuple[list[Finding], list[str]]:
    """Findings of a model's file, and what could not be looked at."""
    if subject.raw is None:
        return [], []
    told = subject.settings
    own = mesh.read_mesh(subject.raw, told.units, told.up, told.scale)
    notes: list[str] = []
    found = [*_loader(subject), *sizes(subject, own)]
    if any(one.kind is K.UNITS and one.severity is Severity.ERROR for one in found):
        return found, ["how it plays and prints, because no terrain has this size"]
    found += _surface(subject, own)
    with closing(_empty_table(subject)) as table:
        found += _bodies(subject, own, table)
    crossed = mesh.crossings(own)
    if crossed is None:
        notes.append("too many triangles lie close together to look for self-intersections")
    else:
        found += _crossed(subject, *crossed)
    found += _thin(subject)
    found += name_findings(subject)
    return found, notes


def _loader(subject: Subject) -> Iterator[Finding]:
    """What the loader put up with and warned of."""
    for note in subject.terrain.notes:
        if note.warning and "in long and" not in note.text and "not closed" not in note.text:
            yield print_finding(subject, K.LOADER, Severity.WARNING, note.text)


NAMED = {
    "ladder": Kind.LADDER,
    "rail": Kind.RAILING,
    "stair": Kind.STAIRS,
    "ramp": Kind.RAMP,
    "door": Kind.DOOR_CLOSED,
    "wall": Kind.WALL,
}
"""words in the names of parts, and the kinds that people mean by them."""


def name_findings(subject: Subject) -> Iterator[Finding]:
    """Parts whose names say what they are while nothing is declared: the rules take them for any structure."""
    meant: dict[str, Kind] = {}
    for part in subject.terrain.parts:
        if part.kind is not Kind.AUTO or not part.name:
            continue
        word = next((w for w in NAMED if w in part.name.lower()), None)
        if word is not None:
            meant[f"*{word}*"] = NAMED[word]
    if meant:
        listed = ", ".join(f'"{pattern}": {kind.value}' for pattern, kind in sorted(meant.items()))
        told = print_finding(
            subject,
            K.NAMES,
            Severity.INFO,
            "parts have telling names, and nothing says of what kind they are: a ladder is climbed as a wall is",
            f"declare what is meant, such as parts: {{{listed}}}",
        )
        yield replace(told, topic=Topic.PLAY)


def _surface(subject: Subject, own: Mesh) -> Iterator[Finding]:
    """Open rims, repeats, shells inside out."""
    rims = mesh.rims(own)
    if rims:
        length, at = rims[0]
        count = len(rims)
        yield print_finding(
            subject,
            K.OPEN_SHELL,
            Severity.WARNING,
            f"not watertight: {count} open {'rim' if count == 1 else 'rims'}, the longest {length:.1f} mm long",
            "close them in the CAD program, or let its repair do it",
            at,
            measured=length,
            limit=0.0,
        )
    if len(own.dropped):
        yield print_finding(
            subject,
            K.REPEATED,
            Severity.WARNING,
            f"{len(own.dropped)} faces are there twice",
            "remove doubled faces",
            own.dropped[0].mean(axis=0),
            measured=float(len(own.dropped)),
            limit=0.0,
            unit=Unit.COUNT,
        )
    if own.paired and 2 * own.paired == len(own.faces):
        yield print_finding(
            subject,
            K.THIN,
            Severity.WARNING,
            "all of it is surface without thickness: nothing prints",
            "give it a thickness in the CAD program",
            measured=0.0,
            limit=subject.settings.wall,
        )
    elif own.paired:
        yield print_finding(
            subject,
            K.REPEATED,
            Severity.INFO,
            f"{own.paired} pairs of faces lie on each other the other way round: solids that touch and were not united",
            "unite the solids",
            measured=float(own.paired),
            unit=Unit.COUNT,
        )
    for volume, at in mesh.inside_out(own):
        yield print_finding(
            subject,
            K.INSIDE_OUT,
            Severity.WARNING,
            f"a shell of {volume / 1000.0:.2f} cm3 is inside out: slicers may leave it hollow",
            "flip its normals",
            at,
            measured=volume,
        )


def _empty_table(subject: Subject) -> CollisionWorld:
    """A table that bodies are let go on."""
    board = Board(size=(TABLE_INCHES, TABLE_INCHES))
    return open_world(build_terrain(replace(subject.scene, board=board, terrain=())))


def _bodies(subject: Subject, own: Mesh, world: CollisionWorld) -> Iterator[Finding]:
    """Floating bits, the bottom, standing by itself."""
    group = mesh.clusters(own)
    closed = mesh.closed_shells(own)
    corners = own.corners
    table = float(corners[:, :, 2].min())
    for number in range(int(group.max()) + 1):
        rows = group == number
        part = corners[rows]
        low = float(part[:, :, 2].min())
        if low > table + _FLOAT_MM:
            at = part.reshape(-1, 3)[np.argmin(part[:, :, 2].reshape(-1))]
            size = np.ptp(part.reshape(-1, 3), axis=0)
            yield print_finding(
                subject,
                K.FLOATING,
                Severity.WARNING,
                f"a bit of {size[0]:.1f} x {size[1]:.1f} x {size[2]:.1f} mm floats {low - table:.1f} mm over the bed, "
                "fixed to nothing",
                "join it to the rest, or delete it",
                at,
                measured=low - table,
                limit=0.0,
            )
            continue
        whole = part[closed[own.shell[rows]]]
        if not len(whole):
            continue
        stood = standing.stand(whole, world, (TABLE_INCHES / 2, TABLE_INCHES / 2))
        at = np.array([*standing.weight_centre(whole)[:2], table])
        if stood.contact < _LEAST_CONTACT_MM2:
            yield print_finding(
                subject,
                K.FLAT_BOTTOM,
                Severity.WARNING,
                f"no flat bottom: {stood.contact:.0f} mm2 touch the bed",
                "cut the bottom flat, or turn it over",
                at,
                measured=stood.contact,
                limit=_LEAST_CONTACT_MM2,
            )
        if stood.margin < 0.0 or stood.tilt > standing.FALLEN_DEGREES:
            yield print_finding(
                subject,
                K.TOPPLES,
                Severity.WARNING,
                f"it falls over when it is let go: its weight is {max(-stood.margin, 0.0):.1f} mm beyond what it stands on",
                "widen its foot, or declare that it is fixed to something",
                at,
                measured=stood.margin,
                limit=0.0,
            )
        elif stood.margin < _UNSTABLE_MM:
            yield print_finding(
                subject,
                K.TOPPLES,
                Severity.INFO,
                f"it hardly stands: its weight is {stood.margin:.1f} mm inside the edge of what it stands on",
                "widen its foot",
                at,
                measured=stood.margin,
                limit=_UNSTABLE_MM,
            )


def _crossed(subject: Subject, inner: np.ndarray, outer: np.ndarray) -> Iterator[Finding]:
    if len(inner):
        yield print_finding(
            subject,
            K.CROSSING,
            Severity.WARNING,
            f"a surface crosses itself at {len(inner)} places",
            "unite the solids in the CAD program",
            inner[0],
            measured=float(len(inner)),
            limit=0.0,
            unit=Unit.COUNT,
        )
    if len(outer):
        yield print_finding(
            subject,
            K.CROSSING,
            Severity.INFO,
            f"solids run into each other at {len(outer)} places and were not united: most slicers cope",
            "unite them",
            outer[0],
            measured=float(len(outer)),
            unit=Unit.COUNT,
        )


def _thin(subject: Subject) -> Iterator[Finding]:
    plan = subject.plan
    for wall in thickness.thin_walls(plan.corners, plan.closed, subject.settings.wall - 0.005):
        yield print_finding(
            subject,
            K.THIN,
            Severity.WARNING,
            f"a wall of {wall.thickness:.2f} mm: below {subject.settings.wall:g} mm it may not print",
            f"make it {subject.settings.wall - wall.thickness:.2f} mm thicker",
            np.array(subject.own(*wall.at)),
            measured=wall.thickness,
            limit=subject.settings.wall,
        )


def broken(name: str, reason: str) -> Finding:
    """The finding that a file cannot be read at all."""
    return Finding(
        id=K.BROKEN_FILE.value,
        kind=K.BROKEN_FILE,
        topic=Topic.PRINT,
        severity=Severity.ERROR,
        at=(0.0, 0.0, 0.0),
        place="the whole file",
        at_unit=Unit.MM,
        text=f"{name} {reason}" if not reason.startswith(name) else reason,
        cure="export the model again",
    )
