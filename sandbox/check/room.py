"""Room for bases: depth of floors, doors and corridors, headroom, holes over ladders, landings behind obstacles.

Widths are those of circles that just fit, found on exact polygons to a hundredth of a millimetre.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from scipy.spatial import Delaunay, cKDTree

from sandbox.check.levels import (
    COVER_MM,
    TEXTURE_MM,
    Level,
    Levels,
    blocked,
    grown,
    joined_to,
    room_to_stand,
)
from sandbox.check.measure import Measure, What
from sandbox.check.model import Base
from sandbox.check.plan import EMPTY, Floats, Plan, Shape, both, minus, opened, pieces_of, tidy, union, widest
from sandbox.terrain.model import Part

HALF = 0.5
"""An opening below this share of a base was not made for it."""
_HALVINGS = 13
SAMPLE_MM = 1.0
MOST_SAMPLES = 60_000
MOST_NARROW = 60
_LEAST_CEILING = 0.5
"""Ceilings lower than this share of a model's height are not meant to be walked under."""
_LOW_SHARE = 0.6
"""Openings lower than this share of a model's height are no doors."""


@dataclass(frozen=True, eq=False)
class Frame:
    """What room is measured under: one free step, one set of obstacles, one height."""

    plan: Plan
    """without the obstacles, which are crossed and not walls."""
    levels: Levels
    bases: Sequence[Base]
    step: float
    height: float
    band: float
    packs: frozenset[str]
    ceiling: float
    around: Shape
    """the build and a strip around it, for what concerns the table."""
    crossed: frozenset[int] = frozenset()
    """levels on obstacles, where nobody ends anyway."""

    @property
    def widths(self) -> list[float]:
        """Widths that bases need, mm, each once."""
        return sorted({b.short for b in self.bases})


def depths(frame: Frame, treads: frozenset[int]) -> Iterator[Measure]:
    """How large a base each floor holds."""
    widths = frame.widths
    for level in frame.levels.all[1:]:
        if level.number in treads | frame.crossed or level.width < HALF * widths[0]:
            continue
        for piece in pieces_of(room_to_stand(frame.plan, level, frame.height)):
            width, centre = widest(piece)
            if width < HALF * widths[0]:
                continue
            if width <= widths[-1] + frame.band:
                yield Measure(What.LEDGE, (*centre, level.z), width, level.number, frame.packs)
            yield from _strips(frame, level, piece, width)


def _strips(frame: Frame, level: Level, piece: Shape, width: float) -> Iterator[Measure]:
    """Narrow parts of a floor piece that is wide elsewhere."""
    for base in frame.widths:
        if width <= base:
            continue
        for rest in pieces_of(tidy(minus(piece, opened(piece, base / 2 - 0.01)))):
            if rest.area < 2.0 * base * base:
                continue
            narrow, centre = widest(rest)
            if HALF * base <= narrow:
                yield Measure(What.STRIP, (*centre, level.z), narrow, level.number, frame.packs)


def openings(frame: Frame, treads: frozenset[int]) -> Iterator[Measure]:
    """Doors, corridors and walkways: where floor that holds a base is too narrow to get to more of it."""
    for level in frame.levels.all:
        if level.number in treads or level.width < frame.widths[0]:
            continue
        floor = joined_to(level, frame.levels.all, frame.step)
        floor = tidy(both(floor, _surroundings(frame, level)))
        walls = blocked(frame.plan, level.z, frame.step, frame.height, frame.ceiling)
        walls = tidy(both(walls, grown(floor, frame.widths[-1])))
        narrow = [
            place
            for place in narrow_places(floor, walls, frame.widths, frame.band)
            if shapely.dwithin(level.shape, shapely.Point(place.at), 0.5)
        ]
        for base in frame.widths:
            done: set[tuple[int, int, int, int]] = set()
            for place in narrow:
                if _fits(place, base, frame.band):
                    yield from _neck(frame, level, floor, walls, base + frame.band, place, done)


def _surroundings(frame: Frame, level: Level) -> Shape:
    """What of the floors around a level matters for ways on it."""
    near = grown(level.shape, 2.5 * frame.widths[-1])
    return tidy(both(near, frame.around)) if level.z < 0.01 else near


@dataclass(frozen=True)
class Narrow:
    """Two edges of floor that face each other with nothing between."""

    at: tuple[float, float]
    along: tuple[float, float]
    """unit direction from one to the other."""
    width: float
    walled: bool
    """both are walls."""


def _fits(place: Narrow, base: float, band: float) -> bool:
    """Whether a narrow place is of a width that concerns a base."""
    needed = base if place.walled else base / 2
    return HALF * needed <= place.width <= needed + band + 0.2


def narrow_places(floor: Shape, walls: Shape, widths: Sequence[float], band: float) -> list[Narrow]:
    """Where edges of the free floor face each other closer than bases need, the narrowest of each surrounding.

    Edges are sampled; two samples face each other where the circle over them as diameter is empty (Gabriel, 1969). The
    widths here are right to a sample; `_neck` measures them.
    """
    free = tidy(minus(floor, walls))
    points = _samples(free)
    if len(points) < 4 or len(points) > MOST_SAMPLES:
        return []
    mesh = Delaunay(points)
    edges = np.unique(np.sort(mesh.simplices[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1), axis=0)
    arm = points[edges[:, 1]] - points[edges[:, 0]]
    length = np.linalg.norm(arm, axis=1)
    keep = (length >= HALF * widths[0] / 2) & (length <= widths[-1] + band + 0.2)
    edges, arm, length = edges[keep], arm[keep], length[keep]
    middle = (points[edges[:, 0]] + points[edges[:, 1]]) / 2
    nearest, _ = cKDTree(points).query(middle)
    keep = nearest >= length / 2 - 0.02
    shapely.prepare(free)
    keep &= shapely.intersects_xy(free, middle[:, 0], middle[:, 1])
    edges, arm, length, middle = edges[keep], arm[keep], length[keep], middle[keep]
    walled = shapely.distance(walls, shapely.points(points)) < 0.05
    both = walled[edges].all(axis=1)
    order = np.argsort(length)
    answer: list[Narrow] = []
    for k in order:
        if any(
            one.walled == bool(both[k]) and np.hypot(*(middle[k] - one.at)) < max(0.6 * one.width, 4.0)
            for one in answer
        ):
            continue
        unit = arm[k] / length[k]
        answer.append(
            Narrow(
                (float(middle[k, 0]), float(middle[k, 1])),
                (float(unit[0]), float(unit[1])),
                float(length[k]),
                bool(both[k]),
            )
        )
        if len(answer) >= MOST_NARROW:
            break
    return answer


def _samples(shape: Shape) -> Floats:
    """(k, 2) points along the outline of a shape, its corners among them."""
    parts = []
    for ring in shapely.get_parts(shapely.boundary(shape)):
        for line in shapely.get_parts(ring):
            parts.append(shapely.get_coordinates(shapely.segmentize(line, SAMPLE_MM)))
    if not parts:
        return np.zeros((0, 2))
    points: Floats = np.unique(np.round(np.concatenate(parts), 4), axis=0)
    return points


def _neck(
    frame: Frame,
    level: Level,
    floor: Shape,
    walls: Shape,
    base: float,
    place: Narrow,
    done: set[tuple[int, int, int, int]],
) -> Iterator[Measure]:
    """The exact width of a narrow place that keeps a base from getting from one side of it to the other."""
    x, y = place.at
    half = 1.5 * base + place.width
    box = shapely.box(x - half, y - half, x + half, y + half)
    here = tidy(both(floor, box))
    stops = tidy(both(walls, box))
    parts = pieces_of(free_part(here, stops, base / 2))
    sides = [_beside(parts, place, sign, half) for sign in (1.0, -1.0)]
    if sides[0] is None or sides[1] is None or sides[0] == sides[1]:
        return
    points = [parts[k].representative_point() for k in sides if k is not None]
    key = tuple(round(v / 3.0) for point in points for v in (point.x, point.y))
    if key in done:
        return
    done.add((key[0], key[1], key[2], key[3]))
    a, b = points
    low, high = HALF * base / 4, base / 2
    if not _together(here, stops, low, a, b):
        return
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _together(here, stops, middle, a, b):
            low = middle
        else:
            high = middle
    yield _narrowest(frame, level, here, stops, low, high, place.walled)


def _beside(parts: list[Shape], place: Narrow, sign: float, half: float) -> int | None:
    """The part nearest to a narrow place on one side of the line across it."""
    x, y = place.at
    ux, uy = place.along
    ox, oy = -uy * sign, ux * sign
    far = 4.0 * half
    side = shapely.Polygon(
        [
            (x - ux * far, y - uy * far),
            (x + ux * far, y + uy * far),
            (x + ux * far + ox * far, y + uy * far + oy * far),
            (x - ux * far + ox * far, y - uy * far + oy * far),
        ]
    )
    spot = shapely.Point(x, y)
    best, least = None, 0.75 * half
    for k, part in enumerate(parts):
        own = both(part, side)
        if not own.is_empty and own.area > 0.01 and (away := own.distance(spot)) < least:
            best, least = k, away
    return best


def free_part(floor: Shape, walls: Shape, radius: float) -> Shape:
    """Where the centre of a base of a radius may be: off walls, on floor that is not a tightrope."""
    return tidy(minus(opened(floor, radius / 2), grown(walls, radius)))


def _together(floor: Shape, walls: Shape, radius: float, a: Shape, b: Shape) -> bool:
    for part in pieces_of(free_part(floor, walls, radius)):
        if part.distance(a) < 0.3:
            return bool(part.distance(b) < 0.3)
    return False


def _narrowest(
    frame: Frame, level: Level, floor: Shape, walls: Shape, low: float, high: float, walled: bool
) -> Measure:
    """What kind of narrow place it is, and where: just before it opens and just after. walled: on both sides."""
    gained = tidy(
        minus(free_part(floor, walls, low - 0.02), grown(free_part(floor, walls, high + 0.05), 0.4))
    )
    spots = pieces_of(gained)
    at = max(spots, key=lambda s: s.area).representative_point() if spots else floor.representative_point()
    place = (shapely.get_x(at), shapely.get_y(at), level.z)
    if walled:
        return Measure(What.DOOR, place, 2 * low, level.number, frame.packs)
    if shapely.dwithin(walls, at, low + 0.35):
        return Measure(What.PASSAGE, place, low, level.number, frame.packs)
    # the floor itself is narrow: free_part asks for half a base
    return Measure(What.WALKWAY, place, low, level.number, frame.packs)


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
                yield Measure(What.HEADROOM, (*centre, level.z), float(z - level.z), level.number)


def lintels(frame: Frame, treads: frozenset[int]) -> Iterator[Measure]:
    """Openings wide enough, with something over them too low for a model: how high they are."""
    base = frame.widths[0]
    most = frame.height + frame.band
    least = max(_LOW_SHARE * frame.height, frame.step + 2.0)
    for level in frame.levels.all:
        if level.number in treads or level.width < base or level.z >= frame.plan.top - least:
            continue
        floor = joined_to(level, frame.levels.all, frame.step)
        floor = tidy(both(floor, _surroundings(frame, level)))
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
                    yield _lintel(free, level, points[inside[0]], points[other], least, most)


def _lintel(
    free: Callable[[float], list[Shape]], level: Level, a: Shape, b: Shape, low: float, high: float
) -> Measure:
    """The height up to which a body gets from one room to another."""
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if any(part.distance(a) < 0.3 and part.distance(b) < 0.3 for part in free(middle)):
            low = middle
        else:
            high = middle
    gained = tidy(minus(union(free(low)), grown(union(free(high + 0.05)), 0.3)))
    parts = pieces_of(gained)
    at = max(parts, key=lambda s: s.area).representative_point() if parts else a
    return Measure(What.HEADROOM, (float(at.x), float(at.y), level.z), low, level.number, text="opening")


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
            near = grown(outline, frame.widths[-1] + frame.band + 5.0)
            floor = tidy(both(level.shape, near))
            floor = tidy(union([floor, both(outline, near)]))
            walls = blocked(frame.plan, level.z, frame.step, frame.height, frame.ceiling)
            stops = tidy(union([both(walls, near), outline]))
            if walls.is_empty or not shapely.dwithin(walls, outline, frame.widths[-1] + frame.band):
                continue
            yield from _behind(frame, level, floor, stops, outline, walls)


def _behind(
    frame: Frame, level: Level, floor: Shape, stops: Shape, outline: Shape, walls: Shape
) -> Iterator[Measure]:
    bare = tidy(minus(floor, stops))
    for base in frame.widths:
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
            if HALF * base <= width <= base + frame.band:
                yield Measure(What.LANDING, (*centre, level.z), width, level.number, frame.packs)


def ladder_holes(
    levels: Levels, ladders: Sequence[Part], top_reach: float, largest: float
) -> Iterator[Measure]:
    """Holes that ladders lead through."""
    for part in ladders:
        x0, y0, x1, y1 = part.bounds_mm
        middle = shapely.Point((x0 + x1) / 2, (y0 + y1) / 2)
        near = middle.buffer(1.5 * largest + 20.0)
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
                yield Measure(What.HOLE, (*centre, level.z), width, level.number)


__all__ = ["EMPTY", "Frame", "ceilings", "depths", "hands", "ladder_holes", "landings", "openings"]
