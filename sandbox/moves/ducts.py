"""Ductways and narrow openings as links of an ordinary move, for those whose skill lets them.

Lengths are in inches, angles in degrees.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import numpy as np

from sandbox.ground.extra import Given, given_links
from sandbox.ground.model import Floats, LinkKind, Links, Place, Places
from sandbox.moves.answers import Point
from sandbox.moves.distance import Base, plan_gaps
from sandbox.moves.passages import Passage, as_mm, passages
from sandbox.rules.ticks import at_most
from sandbox.rules.words import Procedure
from sandbox.units import MM_PER_INCH, mm

if TYPE_CHECKING:
    from sandbox.moves.legal import Asked

_ENDS = 8
"""places beside the far mouth that a way through a ductway may lead to within a move."""


def links_of(asked: Asked, places: Places) -> Links:
    """The ductways that the mover may use within its action; a table without rows where it may use none."""
    granted = asked.mover.rules.procedure(Procedure.DUCTWAYS_IN_MOVE)
    if granted is None or asked.action.id not in granted[1].actions:
        return given_links([])
    movement = asked.movement
    found = [
        one
        for one in passages(asked)
        if at_most(one.length, movement.squeeze_length if one.squeeze else movement.ductway_length)
    ]
    return links_through(found, places, asked.mover.base, movement.ductway_reach)


def links_through(found: list[Passage], places: Places, base: Base, reach: float) -> Links:
    """Passages that a move may go through, as links: from the nearest place beside one mouth to some beside the
    other."""
    rows: list[Given] = []
    for passage in found:
        start = _beside(places, base, passage.near, reach, 1)
        for end in _beside(places, base, passage.far, reach, _ENDS):
            for begin in start:
                path = (
                    as_mm(_inches(places.pos[begin])),
                    as_mm(passage.near),
                    as_mm(passage.far),
                    as_mm(_inches(places.pos[end])),
                )
                plan = sum(math.dist(a, b) for a, b in itertools.pairwise(path))
                rows.append(Given(LinkKind.DUCTWAY, begin, end, path, plan))
    return given_links(rows)


def _beside(places: Places, base: Base, mouth: Point, reach: float, most: int) -> list[int]:
    """Places to pass within reach of a mouth: the nearest, then those that lie farthest from the ones before."""
    level = np.abs(places.pos[:, 2] - mm(mouth[2])) <= mm(reach)
    wide = base.half_long + reach
    gone = np.hypot(places.pos[:, 0] - mm(mouth[0]), places.pos[:, 1] - mm(mouth[1]))
    rows = np.flatnonzero(((places.flags & Place.PASS) != 0) & level & (gone <= mm(wide)))
    if rows.size == 0:
        return []
    near = plan_gaps(places.pos[rows] / MM_PER_INCH, base, Base(mouth, 1e-6, 1e-6)) <= reach
    rows = rows[near]
    if rows.size == 0:
        return []
    points: Floats = places.pos[rows]
    chosen = [int(np.argmin(gone[rows]))]
    while len(chosen) < min(most, len(rows)):
        away = np.min([np.linalg.norm(points - points[k], axis=1) for k in chosen], axis=0)
        chosen.append(int(np.argmax(away)))
    return [int(rows[k]) for k in chosen]


def _inches(point: Floats) -> Point:
    return (float(point[0]) / MM_PER_INCH, float(point[1]) / MM_PER_INCH, float(point[2]) / MM_PER_INCH)
