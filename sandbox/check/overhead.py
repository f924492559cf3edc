"""Headroom: low ceilings, lintels over openings, and room for a hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import shapely

from sandbox.check.frame import HALF, Frame, free_part, surroundings
from sandbox.check.levels import (
    COVER_MM,
    SLACK_MM,
    TEXTURE_MM,
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
    widest,
)

_HALVINGS = 13
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
        for z in _distinct(heights[inside]):
            mask = under.copy()
            mask[under] = np.abs(heights - z) <= 0.1
            lid = tidy(minus(plan.upward(mask), plan.section(z - 0.3)))
            between = plan.band(level.z + TEXTURE_MM + COVER_MM, z - 0.3)
            free = tidy(minus(both(level.shape, lid), between))
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
        full = blocked(frame.plan, level.z, frame.step, most, frame.ceiling)
        open_below = blocked(frame.plan, level.z, frame.step, least, frame.ceiling)
        # of the floors joined to it, each is looked at from its own height
        own = tidy(both(full, level.shape))
        hung = tidy(minus(own, grown(open_below, 0.05)))
        for piece in pieces_of(hung):
            if piece.area < 4.0:
                continue
            box = shapely.box(*piece.bounds).buffer(1.5 * base, join_style="mitre")
            here = tidy(both(floor, box))

            def free(height: float, here: Shape = here, z: float = level.z, box: Shape = box) -> list[Shape]:
                walls = blocked(frame.plan, z, frame.step, height, frame.ceiling)
                near = tidy(both(walls, box))
                return [part for part in pieces_of(free_part(here, near, base / 2)) if part.area > 0.5]

            rooms, wider = free(most), free(least)
            if len(rooms) < 2:
                continue
            points = [part.representative_point() for part in rooms]
            for part in wider:
                inside = [k for k, point in enumerate(points) if part.distance(point) < 0.3]
                for other in inside[1:]:
                    clear = _clear(free, points[inside[0]], points[other], least, most)
                    _, centre = widest(piece)
                    place = (*centre, level.z)
                    yield Measure(What.HEADROOM, place, clear, level.number, None, "opening", region=piece)


def _clear(free: Callable[[float], list[Shape]], a: Shape, b: Shape, low: float, high: float) -> float:
    """The height up to which a body gets from one room to another."""
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if any(part.distance(a) < 0.3 and part.distance(b) < 0.3 for part in free(middle)):
            low = middle
        else:
            high = middle
    return low - SLACK_MM


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
