"""Headroom: low ceilings, lintels over openings, and room for a hand. Lengths are in mm."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import numpy as np
import shapely

from sandbox.check.frame import HALF, Frame, free_part, surroundings
from sandbox.check.levels import (
    COVER_MM,
    SLACK_MM,
    TEXTURE_MM,
    Level,
    blocked,
    grown,
    joined_to,
)
from sandbox.check.measure import Measure, What
from sandbox.check.plan import (
    Shape,
    both,
    minus,
    pieces_of,
    tidy,
    union,
    widest,
)

_HALVINGS = 12
_LEAST_CEILING = 0.5
"""Ceilings lower than this share of a model's height are not meant to be walked under."""
_LOW_SHARE = 0.6
"""Openings lower than this share of a model's height are no doors."""


def ceilings(frame: Frame) -> Iterator[Measure]:
    """Floors with a flat ceiling too low for a model, or nearly so."""
    plan = frame.plan
    under = plan.normal[:, 2] <= -np.cos(np.radians(8.0))
    if not under.any():
        return
    heights = plan.corners[under][:, :, 2].mean(axis=1)
    least = _LEAST_CEILING * frame.height
    for level in frame.levels.all:
        if level.width < HALF * frame.widths[0]:
            continue
        inside = (heights - level.z >= least) & (heights - level.z <= frame.height + frame.band)
        x0, y0, x1, y1 = level.shape.bounds
        inside &= (plan.least[under] < (x1, y1)).all(axis=1) & (plan.most[under] > (x0, y0)).all(axis=1)
        for z in _distinct(heights[inside]):
            mask = under.copy()
            mask[under] = inside & (np.abs(heights - z) <= 0.1)
            lid = both(plan.upward(mask), level.shape)
            lid = tidy(minus(lid, plan.section(z - 0.3, near=lid)))
            if lid.is_empty:
                continue
            between = plan.band(level.z + TEXTURE_MM + COVER_MM, z - 0.3, lid)
            free = tidy(minus(lid, between))
            width, centre = widest(free)
            if width >= frame.widths[0] - 0.05:
                place = (*centre, level.z)
                yield Measure(What.HEADROOM, place, float(z - level.z), level.number, region=free)


def lintels(frame: Frame, treads: frozenset[int]) -> Iterator[Measure]:
    """Openings wide enough, with something over them too low for a model: how high they are."""
    base = frame.widths[0]
    most = frame.height + frame.band
    least = max(_LOW_SHARE * frame.height, frame.step + 2.0)
    for level in frame.levels.all:
        if level.number in treads or level.width < base or level.z >= frame.plan.top - least:
            continue
        floor = joined_to(level, frame.levels.all, frame.step)
        floor = tidy(both(floor, surroundings(frame, level)))
        full = blocked(frame.plan, level.z, frame.step, most, frame.ceiling, level.shape)
        open_below = blocked(frame.plan, level.z, frame.step, least, frame.ceiling, level.shape)
        # of the floors joined to it, each is looked at from its own height
        own = tidy(both(full, level.shape))
        hung = tidy(minus(own, grown(open_below, 0.05)))
        for piece in pieces_of(hung):
            if piece.area >= 4.0:
                yield from _under(frame, level, floor, piece, least, most)


def _under(
    frame: Frame, level: Level, floor: Shape, piece: Shape, least: float, most: float
) -> Iterator[Measure]:
    """Openings under one thing that hangs over a level: how high a body gets through each."""
    wide = 1.5 * frame.widths[0]
    free = _free_in(frame, level, floor, shapely.box(*piece.bounds).buffer(wide, join_style="mitre"))
    rooms = free(most)
    if len(rooms) < 2:
        return
    for part in free(least):
        own = [room for room in rooms if part.distance(room.representative_point()) < 0.3]
        for gate in pieces_of(tidy(minus(part, grown(union(own), 0.02)))) if len(own) > 1 else ():
            box = shapely.box(*gate.bounds).buffer(wide, join_style="mitre")
            ends = [tidy(both(room, box)) for room in own if room.distance(gate) < 0.3]
            points = [end.representative_point() for end in ends if not end.is_empty]
            through = _free_in(frame, level, floor, box)
            for other in points[1:]:
                low, high = _clear(through, points[0], other, least, most)
                lid = _over(piece, union(through(low)), union(through(high)), 2.0 * frame.ladder[-1])
                place = (*widest(lid)[1], level.z)
                clear = low - SLACK_MM
                yield Measure(What.HEADROOM, place, clear, level.number, None, "opening", region=lid)


def _free_in(frame: Frame, level: Level, floor: Shape, box: Shape) -> Callable[[float], list[Shape]]:
    """Where the smallest base may be in a box of a level, for bodies of any height."""
    here = tidy(both(floor, box))

    @cache
    def free(height: float) -> list[Shape]:
        walls = blocked(frame.plan, level.z, frame.step, height, frame.ceiling, box)
        near = tidy(both(walls, box))
        parts = pieces_of(free_part(here, near, frame.widths[0] / 2))
        return [part for part in parts if part.area > 0.5]

    return free


def _over(piece: Shape, low: Shape, high: Shape, wide: float) -> Shape:
    """The part of something that hangs that is over the way that opens under it; all of it, where it is small."""
    gained = pieces_of(tidy(minus(low, grown(high, 0.3))))
    if not gained:
        return piece
    at = max(gained, key=lambda s: s.area).representative_point()
    near = pieces_of(tidy(both(piece, shapely.box(at.x - wide, at.y - wide, at.x + wide, at.y + wide))))
    return min(near, key=lambda s: s.distance(at)) if near else piece


def _clear(
    free: Callable[[float], list[Shape]], a: Shape, b: Shape, low: float, high: float
) -> tuple[float, float]:
    """Heights up to which a body gets from one room to another, and from which it does not."""
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if any(part.distance(a) < 0.3 and part.distance(b) < 0.3 for part in free(middle)):
            low = middle
        else:
            high = middle
    return low, high


def hands(frame: Frame, least: float) -> Iterator[Measure]:
    """Covered floors with too little room above them for a hand, deeper in than fingers reach."""
    plan = frame.plan
    under = plan.normal[:, 2] <= -np.cos(np.radians(30.0))
    heights = plan.corners[under][:, :, 2].min(axis=1) if under.any() else np.zeros(0)
    for level in frame.levels.all:
        if level.width < frame.widths[0]:
            continue
        mask = under.copy()
        mask[under] = (heights > level.z + frame.height) & (heights < level.z + least)
        lid = plan.upward(mask)
        deep = grown(tidy(lid), -25.0)
        free = tidy(both(level.shape, deep))
        width, centre = widest(free)
        if width >= HALF * frame.widths[0]:
            z = float(heights[(heights > level.z + frame.height)].min())
            yield Measure(What.HAND, (*centre, level.z), z - level.z, level.number)


def _distinct(values: np.ndarray) -> list[float]:
    answer: list[float] = []
    for value in np.sort(values):
        if not answer or value - answer[-1] > 0.1:
            answer.append(float(value))
    return answer
