"""Which kind a scene gives to which faces: by node path, by body number, by marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

import numpy as np

from sandbox.kinds import Kind
from sandbox.scene.model import Mark
from sandbox.terrain.formats.raw import Floats, Indices
from sandbox.units import MM_PER_INCH, SNAP_MM


@dataclass(frozen=True, eq=False)
class Named:
    """Kinds and marks of faces."""

    kind: tuple[Kind, ...]
    """the kinds that occur; `of_face` points into it."""
    of_face: Indices
    """(m,) index into `kind`."""
    mark: Indices
    """(m,) number of the mark that a face belongs to, -1 none."""
    unused: tuple[str, ...]
    """patterns and marks that nothing matched, told in words."""


def name_kinds(
    paths: Sequence[tuple[str, ...]],
    vertices: Floats,
    faces: Indices,
    node: Indices,
    shell: Indices,
    kind: Kind,
    patterns: Sequence[tuple[str, Kind]],
    marks: Sequence[Mark],
) -> Named:
    """Kinds of (m, 3) faces of nodes with these paths; vertices in mm in the model's own frame, upright.

    A pattern is tried on a node's name and on its whole path, then on its parent's, and so on to the root: the
    nearest match counts, so a parent's kind covers its children. ``#3`` names the third body, in the file's order,
    and goes before names; marks go before both.
    """
    kinds: list[Kind] = [kind]

    def number(wanted: Kind) -> int:
        if wanted not in kinds:
            kinds.append(wanted)
        return kinds.index(wanted)

    unused: list[str] = []
    used: set[str] = set()
    by_node = np.zeros(len(paths), dtype=np.int64)
    names = [(pattern, given) for pattern, given in patterns if not _body(pattern)]
    for index, path in enumerate(paths):
        found = _match(path, names)
        if found:
            used.add(found[0])
            by_node[index] = number(found[1])
    of_face = by_node[node]
    bodies = int(shell.max()) + 1 if len(shell) else 0
    for pattern, given in patterns:
        body = _body(pattern)
        if body and body <= bodies:
            of_face[np.flatnonzero(shell == body - 1)] = number(given)
        elif body:
            unused.append(f"there is no body {pattern}: the model has {bodies}")
        elif pattern not in used:
            known = sorted({"/".join(path) for path in paths if path})
            listed = ", ".join(known[:6]) + (", ..." if len(known) > 6 else "")
            unused.append(f"no part is named {pattern!r}; the model's names: {listed or 'none'}")
    mark = np.full(len(faces), -1, dtype=np.int64)
    for index, entry in enumerate(marks):
        low = np.array(entry.low) * MM_PER_INCH - SNAP_MM
        high = np.array(entry.high) * MM_PER_INCH + SNAP_MM
        outside = (vertices < low) | (vertices > high)
        inside = ~outside[faces].any(axis=(1, 2))
        if not inside.any():
            unused.append(f"no face lies inside mark {index + 1} ({entry.kind})")
        mark[inside] = index
        of_face[np.flatnonzero(inside)] = number(entry.kind)
    return Named(tuple(kinds), of_face, mark, tuple(unused))


def _body(pattern: str) -> int:
    """Number of a pattern like ``#3``, 0 for any other."""
    return int(pattern[1:]) if pattern.startswith("#") and pattern[1:].isdecimal() else 0


def _match(path: tuple[str, ...], names: Sequence[tuple[str, Kind]]) -> tuple[str, Kind] | None:
    for depth in range(len(path), 0, -1):
        for pattern, given in names:
            if fnmatchcase(path[depth - 1], pattern) or fnmatchcase("/".join(path[:depth]), pattern):
                return pattern, given
    return None
