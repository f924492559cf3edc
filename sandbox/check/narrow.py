"""Doors, corridors and walkways: where floor that holds a base is too narrow to get to more of it.

Widths are those of circles that just fit, found on exact polygons to a hundredth of a millimetre.

Lengths are in mm.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import shapely
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import Delaunay, cKDTree

from sandbox.check.frame import HALF, Frame, free_part, surroundings
from sandbox.check.levels import (
    TOUCH_MM,
    Level,
    blocked,
    grown,
    joined_to,
    rolling,
)
from sandbox.check.measure import Measure, What
from sandbox.check.plan import (
    Floats,
    Shape,
    both,
    closed_by,
    minus,
    pieces_of,
    tidy,
    union,
)

_HALVINGS = 13
WIDER = (1.0, 2.0, 4.0)
"""how many times the square in which a narrow place is looked at is enlarged."""
SAMPLE_MM = 1.0
MOST_SAMPLES = 60_000
MOST_NARROW = 200
_EVEN_MM = 0.3
"""widths along one passage differ by less."""
_IN_A_ROW = 2.5
"""narrow places no farther from each other than so many times their width are of one passage."""
_APART_MM = 6.0


def openings(frame: Frame, treads: frozenset[int]) -> Iterator[Measure]:
    """Doors, corridors and walkways: where floor that holds a base is too narrow to get to more of it."""
    for level in frame.levels.all:
        if level.number in treads or level.width < frame.ladder[0]:
            continue
        around = surroundings(frame, level)
        floor = joined_to(level, frame.levels.all, frame.step)
        tilted = rolling(frame.plan, level.z, frame.step, frame.steepest, around)
        over = [
            outline
            for low, high, outline in frame.obstacles
            if low <= level.z + frame.step and high > level.z and outline.intersects(around)
        ]
        if not tilted.is_empty or over:
            floor = closed_by(tidy(union([floor, tilted, *over])), TOUCH_MM)
        floor = tidy(both(floor, around))
        near = grown(floor, frame.ladder[-1])
        walls = blocked(frame.plan, level.z, frame.step, frame.height, frame.ceiling, near)
        walls = tidy(both(walls, near))
        seen = narrow_places(floor, walls, frame.ladder, frame.band)
        own = [shapely.dwithin(level.shape, shapely.Point(place.at), 0.5) for place in seen]
        ways = passages([place for place, ok in zip(seen, own, strict=True) if ok])
        for base in frame.widths:
            done: set[tuple[int, int, int, int]] = set()
            necks: list[Measure] = []
            for way in ways:
                for place in dict.fromkeys(
                    (way.places[0], way.places[-1])
                ):  # the middle one sees both ends mostly
                    if not _fits(place, base, frame.band):
                        continue
                    found = list(_neck(frame, level, floor, walls, base + frame.band, place, way.long, done))
                    necks += found
                    if found:
                        break
            yield from (_named(neck, ways) for neck in necks)


@dataclass(frozen=True)
class Narrow:
    """Two edges of floor that face each other with nothing between."""

    at: tuple[float, float]
    along: tuple[float, float]
    """unit direction from one to the other."""
    width: float
    walled: bool
    """both are walls."""


@dataclass(frozen=True)
class Passage:
    """Narrow places of one width in a row: a doorway, or a corridor."""

    places: tuple[Narrow, ...]
    """the middle one first."""
    long: float
    """from the first to the last, mm."""


def passages(found: Sequence[Narrow]) -> list[Passage]:
    """Narrow places gathered into the passages that they are in."""
    if not found:
        return []
    at = np.array([place.at for place in found])
    wide = np.array([place.width for place in found])
    along = np.array([place.along for place in found])
    apart = at[:, None] - at[None]
    together = np.linalg.norm(apart, axis=2) <= np.maximum(_IN_A_ROW * wide, _APART_MM)[:, None]
    # doors side by side lie across from each other, places along a corridor do not
    together &= np.abs((apart * along[:, None]).sum(axis=2)) <= np.maximum(wide / 2, _APART_MM)[:, None]
    together &= np.abs(wide[:, None] - wide[None]) <= _EVEN_MM
    walled = np.array([place.walled for place in found])
    together &= walled[:, None] == walled[None]
    _, label = connected_components(coo_array(together), directed=False)
    answer = []
    for number in np.unique(label):
        rows = np.flatnonzero(label == number)
        order = rows[np.argsort(np.linalg.norm(at[rows] - at[rows].mean(axis=0), axis=1), kind="stable")]
        answer.append(
            Passage(tuple(found[k] for k in order), float(np.linalg.norm(np.ptp(at[rows], axis=0))))
        )
    return answer


def _named(neck: Measure, ways: Sequence[Passage]) -> Measure:
    """A narrow place told where the middle of its passage is, which is the same for all bases."""
    spot = np.array(neck.at[:2])
    close = [
        (float(np.hypot(*(spot - place.at))), way)
        for way in ways
        for place in way.places
        if abs(place.width - neck.value) <= _EVEN_MM
    ]
    if not close:
        return neck
    away, way = min(close, key=lambda one: one[0])
    if away > max(neck.value, _APART_MM):
        return neck
    x, y = way.places[0].at
    return replace(neck, at=(x, y, neck.at[2]), long=way.long)


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
    long: float,
    done: set[tuple[int, int, int, int]],
) -> Iterator[Measure]:
    """The exact width of a narrow place that keeps a base from getting from one side of it to the other.

    Looked at in a square around it; in a larger one where a way around leads along the square's own rim. long: of the
    passage that it is in, whose ends have to be seen.
    """
    x, y = place.at
    seen: set[tuple[int, int, int, int]] = done
    for wider in WIDER:
        half = wider * (1.5 * base + place.width) + long / 2
        box = shapely.box(x - half, y - half, x + half, y + half)
        found = _in_box(frame, level, tidy(both(floor, box)), tidy(both(walls, box)), base, place, half, seen)
        if found is None:
            return
        rim = shapely.boundary(box)
        if shapely.distance(rim, shapely.Point(found.at[:2])) > found.value + 1.0 or box.covers(floor):
            yield found
            return
        seen = set()


def _in_box(
    frame: Frame,
    level: Level,
    here: Shape,
    stops: Shape,
    base: float,
    place: Narrow,
    half: float,
    done: set[tuple[int, int, int, int]],
) -> Measure | None:
    """The narrowest width on the best way from one side of a narrow place to the other; None where a base gets there."""
    parts = pieces_of(free_part(here, stops, base / 2))
    sides = [_beside(parts, place, sign, half) for sign in (1.0, -1.0)]
    if sides[0] is None or sides[1] is None or sides[0] == sides[1]:
        return None
    points = [parts[k].representative_point() for k in sides if k is not None]
    key = tuple(round(v / 3.0) for point in points for v in (point.x, point.y))
    if key in done:
        return None
    done.add((key[0], key[1], key[2], key[3]))
    a, b = points
    low, high = HALF * base / 4, base / 2
    if not _together(here, stops, low, a, b):
        return None
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _together(here, stops, middle, a, b):
            low = middle
        else:
            high = middle
    return _narrowest(frame, level, here, stops, low, high, place.walled)


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
