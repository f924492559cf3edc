"""Room for bases: depth of floors, holes over ladders, landings behind obstacles.

Depths are diameters of circles that just fit, found on exact polygons to a hundredth of a millimetre.

Lengths are in mm.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import shapely

from sandbox.check.frame import HALF, Frame
from sandbox.check.levels import (
    Level,
    Levels,
    blocked,
    grown,
    room_to_stand,
)
from sandbox.check.measure import Measure, What
from sandbox.check.model import Base
from sandbox.check.plan import (
    Floats,
    Shape,
    both,
    minus,
    opened,
    pieces_of,
    tidy,
    union,
    widest,
    widest_oval,
)
from sandbox.terrain.model import Part

_TOO_SHORT = "too short"
"""of what is as deep as an oval and not as long"""


def depths(frame: Frame, treads: frozenset[int]) -> Iterator[Measure]:
    """How large a base each floor holds."""
    widths = frame.ladder
    for level in frame.levels.all[1:]:
        if level.number in treads | frame.crossed or level.width < HALF * widths[0]:
            continue
        for piece in pieces_of(room_to_stand(frame.plan, level, frame.height)):
            width, centre = widest(piece)
            if width < HALF * widths[0]:
                continue
            place = (*centre, level.z)
            here = Measure(What.LEDGE, place, width, level.number, frame.packs, area=piece, region=piece)
            if width <= widths[-1] + frame.band:
                yield replace(here, serious=_long_side(piece) >= frame.widths[0])
            for oval in frame.ovals:
                if HALF * oval.short <= width < oval.long:
                    most, _ = widest_oval(piece, oval.long, oval.short, oval.short + 2.0 * frame.band)
                    short = _TOO_SHORT if most < width - 0.05 else ""
                    yield replace(here, value=most, text=short, base=oval.name)
            yield from _strips(frame, level, piece, width)


def _long_side(piece: Shape) -> float:
    """Longer side of the smallest rectangle around a piece: knobs and finials are no larger than a base either way."""
    corners = shapely.get_coordinates(shapely.minimum_rotated_rectangle(piece))
    return float(np.hypot(*np.diff(corners[:3], axis=0).T).max())


def held(measures: Iterable[Measure], standing: Mapping[tuple[str, str], Floats]) -> Iterator[Measure]:
    """Depths of floors, with the bases that ground holds on them all the same: slopes and low steps around them join.

    standing: for each base and pack the places where it stands, (n, 3) mm.
    """
    for one in measures:
        if one.area is None:
            yield one
            continue
        shapely.prepare(one.area)
        fits = set()
        for (base, pack), places in standing.items():
            near = places[np.abs(places[:, 2] - one.at[2]) <= 2.0]
            if shapely.intersects_xy(one.area, near[:, 0], near[:, 1]).any():
                fits.add((base, pack))
        yield replace(one, fits=frozenset(fits))


def _strips(frame: Frame, level: Level, piece: Shape, width: float) -> Iterator[Measure]:
    """Narrow parts of a floor piece that is wide elsewhere, each once: what a larger base finds again is no new one."""
    told: list[tuple[float, Shape]] = []
    for base in frame.ladder:
        if width <= base:
            continue
        for rest in pieces_of(tidy(minus(piece, opened(piece, base / 2 - 0.01)))):
            if rest.area < 2.0 * base * base:
                continue
            narrow, centre = widest(rest)
            if narrow < HALF * base or _known(told, narrow, centre):
                continue
            told.append((narrow, rest))
            yield Measure(
                What.STRIP, (*centre, level.z), narrow, level.number, frame.packs, area=rest, region=rest
            )


def _known(told: Sequence[tuple[float, Shape]], width: float, centre: tuple[float, float]) -> bool:
    """Whether a narrow strip is one of those told already: as wide, and in the same place."""
    spot = shapely.Point(centre)
    return any(abs(value - width) < 0.05 and shapely.dwithin(strip, spot, 1.0) for value, strip in told)


def landings(frame: Frame, obstacles: Sequence[tuple[Part, Shape]]) -> Iterator[Measure]:
    """Floor behind obstacles that is too shallow to get down on."""
    for part, outline in obstacles:
        if outline.is_empty:
            continue
        for level in frame.levels.all:
            if not (level.z - 0.5 <= part.low_mm <= level.z + frame.step) or part.high_mm <= level.z + 1.0:
                continue
            if not shapely.dwithin(level.shape, outline, 0.5):
                continue
            near = grown(outline, frame.ladder[-1] + frame.band + 5.0)
            floor = tidy(both(level.shape, near))
            floor = tidy(union([floor, both(outline, near)]))
            walls = blocked(frame.plan, level.z, frame.step, frame.height, frame.ceiling, near)
            stops = tidy(union([both(walls, near), outline]))
            if walls.is_empty or not shapely.dwithin(walls, outline, frame.ladder[-1] + frame.band):
                continue
            yield from _behind(frame, level, floor, stops, outline, walls)


def _behind(
    frame: Frame, level: Level, floor: Shape, stops: Shape, outline: Shape, walls: Shape
) -> Iterator[Measure]:
    bare = tidy(minus(floor, stops))
    told: list[tuple[float, Shape]] = []
    for base in frame.ladder:
        radius = (base + frame.band) / 2
        free = tidy(minus(bare, grown(stops, radius)))
        rest = tidy(minus(bare, grown(free, radius + 0.02)))
        for strip in pieces_of(rest):
            along = both(grown(outline, 0.3), strip)
            if along.is_empty or along.length / 2 < 0.8 * base:
                continue
            if not shapely.dwithin(strip, walls, 0.3):
                continue
            width, centre = widest(strip)
            if not HALF * base <= width <= base + frame.band or _known(told, width, centre):
                continue
            told.append((width, strip))
            yield Measure(What.LANDING, (*centre, level.z), width, level.number, frame.packs, region=strip)


def ladder_holes(
    levels: Levels, ladders: Sequence[Part], top_reach: float, bases: Sequence[Base]
) -> Iterator[Measure]:
    """Holes that ladders lead through."""
    for part in ladders:
        x0, y0, x1, y1 = part.bounds_mm
        middle = shapely.Point((x0 + x1) / 2, (y0 + y1) / 2)
        near = middle.buffer(1.5 * max(base.long for base in bases) + 20.0)
        reached = [
            level
            for level in levels.all[1:]
            if part.low_mm + 5.0 < level.z <= part.high_mm + top_reach
            and level.width >= 20.0
            and level.shape.distance(middle) < 40.0
        ]
        if not reached:
            continue
        level = min(reached, key=lambda one: abs(one.z - part.high_mm))
        void = tidy(minus(near, level.shape))
        own = [piece for piece in pieces_of(void) if piece.distance(middle) < 12.0]
        for piece in own:
            if piece.distance(shapely.boundary(near)) < 0.5:
                continue  # open to the outside: no hole
            width, centre = widest(piece)
            if width >= 8.0:
                here = Measure(What.HOLE, (*centre, level.z), width, level.number, region=piece)
                yield here
                for oval in bases:
                    if not oval.is_round and width < oval.long:
                        most, _ = widest_oval(piece, oval.long, oval.short)
                        yield replace(here, value=most, text=_TOO_SHORT, base=oval.name)
