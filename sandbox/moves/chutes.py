"""Jumps down with a grav-chute: where somebody is in the way of the landing, it leads to the nearest place that is free."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sandbox.ground.extra import Given, given_links
from sandbox.ground.model import LinkKind, Links, Place, Places
from sandbox.moves.answers import Leg, LegKind
from sandbox.rules.words import Procedure
from sandbox.units import MM_PER_INCH, mm

if TYPE_CHECKING:
    from sandbox.moves.legal import Asked


def events(asked: Asked, legs: tuple[Leg, ...]) -> tuple[str, ...]:
    """What the gear gives to a charge that comes down from above."""
    found = asked.mover.rules.procedure(Procedure.NEAREST_LANDING)
    if found is None or not asked.engages or all(leg.kind is not LegKind.JUMP_DOWN for leg in legs):
        return ()
    return tuple(found[0].entry.events)


def links_of(asked: Asked, places: Places, links: Links) -> Links:
    """Jumps whose landing others forbid, shifted the shortest way to where they do not; no rows without the gear.

    The shift is a placing and no movement: it is not paid for.
    """
    if asked.mover.rules.procedure(Procedure.NEAREST_LANDING) is None or not asked.others.kept:
        return given_links([])
    jumps = np.flatnonzero(
        (links.kind == LinkKind.JUMP_DOWN) & (links.limit == 0) & (links.start >= 0) & (links.end >= 0)
    )
    taken = jumps[~asked.others.free(links.end_pos[jumps] / MM_PER_INCH)]
    if taken.size == 0:
        return given_links([])
    shift = mm(asked.movement.fall_landing)
    step = mm(asked.movement.free_step_down) + 0.05
    stands = np.flatnonzero(
        (places.flags & (Place.PASS | Place.STAND | Place.OVER)) == (Place.PASS | Place.STAND)
    )
    low, high = links.end_pos[taken].min(axis=0) - shift, links.end_pos[taken].max(axis=0) + shift
    around = (places.pos[stands, :2] >= low[:2]) & (places.pos[stands, :2] <= high[:2])
    stands = stands[around.all(axis=1)]
    stands = stands[asked.others.free(places.pos[stands] / MM_PER_INCH)]
    rows = []
    for row in taken:
        begin, end = links.start_pos[row], links.end_pos[row]
        away = np.hypot(*(places.pos[stands, :2] - end[:2]).T)
        level = np.abs(places.pos[stands, 2] - end[2]) <= step
        away = np.where(level, away, np.inf)
        if not away.size or away.min() > shift:
            continue
        place = int(stands[int(np.argmin(away))])
        to = places.pos[place]
        path = [(float(x), float(y), float(z)) for x, y, z in (begin, (to[0], to[1], begin[2]), to)]
        rows.append(
            Given(
                LinkKind.JUMP_DOWN, int(links.start[row]), place, tuple(path), float(links.plan[row]),
                down=float(begin[2] - to[2]),
            )
        )  # fmt: skip
    return given_links(rows)
