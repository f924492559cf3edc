"""Heights and distances between floors: steps, stairs, gaps, rails, slopes. Lengths are in mm."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from sandbox.check.levels import TOUCH_MM, Level, Levels, Slope, grown
from sandbox.check.measure import Measure, What
from sandbox.check.plan import Plan, Shape, both, minus, pieces_of, tidy, union, widest

STAIR_MM = 17.0
"""stairs have risers up to this height; what is higher is climbed in any game."""
_EQUAL_MM = 0.05
"""of risers that differ by less the middle one is told."""
_EVEN_MM = 5.0
"""risers of one stair differ by at most this."""
_LIKE = 3.0
"""what is so many times larger than the treads of a stair is a landing or a floor."""
_OVER_TREAD_MM = 26.0
"""what stands beside a tread so high over it stops a base in any game."""
_LAST = 1.5
"""The last tread of a stair by itself is at most so many times larger than the others."""
_LEAST_CONTACT_MM = 8.0
_BEYOND_MM = 3.0
"""how far beyond a floor its neighbours are looked at."""
ASIDE = np.array([0.84, 0.54])
"""A step is told at its foremost corner this way, along which few models have edges: it stays there in the next version."""
_THICK_MM = 12.0
"""railings are thinner than this."""
_HIGH_MM = 55.0
"""railings are lower than this over their floor."""
_FLOOR_MM = 20.0
"""what is narrower has no rail of its own."""
_ROUND_MM = 1.0
"""A strip is looked at this far around."""
_WALKED_MM = 8.0
"""tops thinner than this are rails and walls, which nobody steps on to."""


@dataclass(frozen=True)
class Pair:
    """Two levels that touch in plan."""

    low: int
    high: int
    rise: float
    contact: float
    """length along which they touch, mm."""
    at: tuple[float, float]


def touching(levels: Levels) -> list[Pair]:
    """Levels side by side in plan, with nothing between."""
    shapes = np.array([level.shape for level in levels.all], dtype=object)
    tree = shapely.STRtree(shapes)
    first, second = tree.query(shapes, predicate="dwithin", distance=TOUCH_MM)
    answer = []
    for i, j in zip(first, second, strict=True):
        a, b = levels.all[i], levels.all[j]
        if not (a.z < b.z or (a.z == b.z and i < j)) or b.z - a.z > 70.0:
            continue
        one, other = _around(a.shape, b.shape), _around(b.shape, a.shape)
        beside = minus(one, other)  # floors above one another do not touch
        seam = both(grown(beside, TOUCH_MM), grown(other, TOUCH_MM))
        if seam.is_empty:
            continue
        contact = float(shapely.length(seam)) / 2
        corners = shapely.get_coordinates(seam)
        x, y = corners[np.argmin(corners @ ASIDE)]
        answer.append(Pair(int(i), int(j), b.z - a.z, contact, (float(x), float(y))))
    return answer


def _around(shape: Shape, other: Shape) -> Shape:
    """The part of a shape in the box around another: of a large floor little matters to a small one."""
    x0, y0, x1, y1 = other.bounds
    box = (x0 - _BEYOND_MM, y0 - _BEYOND_MM, x1 + _BEYOND_MM, y1 + _BEYOND_MM)
    own = shape.bounds
    if own[0] >= box[0] and own[1] >= box[1] and own[2] <= box[2] and own[3] <= box[3]:
        return shape
    return tidy(shapely.clip_by_rect(shape, *box))


@dataclass(frozen=True)
class Stair:
    """A row of treads."""

    treads: frozenset[int]
    riser: float
    """its highest, mm."""
    at: tuple[float, float, float]
    """where that is."""
    risers: frozenset[tuple[int, int]]
    """levels below and above each."""


def stairs_of(levels: Levels, pairs: list[Pair]) -> list[Stair]:
    """Stairs: treads with one riser up and one down of about the same height, at least two in a row."""
    up: dict[int, Pair] = {}
    down: dict[int, Pair] = {}
    for pair in pairs:
        if not 2.0 < pair.rise <= STAIR_MM or pair.contact < _LEAST_CONTACT_MM:
            continue
        if pair.low not in up or pair.rise < up[pair.low].rise:
            up[pair.low] = pair
        if pair.high not in down or pair.rise < down[pair.high].rise:
            down[pair.high] = pair
    found = {
        k
        for k in up
        if k in down
        and levels.all[k].z > 0.01
        and 3.0 < levels.all[k].width < 45.0
        and abs(up[k].rise - down[k].rise) <= _EVEN_MM
    }
    inner = [(up[k].low, up[k].high) for k in found if up[k].high in found]
    if not inner:
        return []
    a, b = np.array(inner).T
    graph = coo_array((np.ones(len(a)), (a, b)), shape=(len(levels.all),) * 2)
    _, label = connected_components(graph, directed=False)
    answer = []
    for number in np.unique(label[a]):
        members = [k for k in found if label[k] == number]
        usual = float(np.median([levels.all[k].area for k in members]))
        flight = frozenset(k for k in members if levels.all[k].area <= _LIKE * usual)
        if len(flight) < 2:
            continue
        flight |= {
            k
            for k in (up[one].high for one in flight)
            if k not in up and levels.all[k].area <= _LAST * usual and up_to(k, pairs) == 1
        }
        steps = {
            (pair.low, pair.high): pair
            for k in flight
            for pair in (up.get(k), down.get(k))
            if pair is not None
        }
        risers = steps.values()
        highest = max(pair.rise for pair in risers)
        alike = sorted(
            (p for p in risers if p.rise >= highest - _EQUAL_MM), key=lambda p: levels.all[p.high].z
        )
        worst = alike[len(alike) // 2]
        at = (*worst.at, levels.all[worst.high].z)
        answer.append(Stair(flight, worst.rise, at, frozenset(steps)))
    return answer


def up_to(level: int, pairs: list[Pair]) -> int:
    """How many floors within a riser touch a level: one where it is the last tread of a stair that leads on to nothing."""
    return sum(level in (pair.low, pair.high) and pair.rise <= STAIR_MM for pair in pairs)


def stairs(
    levels: Levels, plan: Plan, found: list[Stair], pairs: list[Pair], least: float
) -> Iterator[Measure]:
    """Of each stair that begins or ends at a floor `least` mm wide: its highest riser, shallowest tread, and width."""
    for stair in found:
        ends = {k for pair in pairs if {pair.low, pair.high} & stair.treads for k in (pair.low, pair.high)}
        if all(levels.all[k].width < least for k in ends - stair.treads):
            continue  # an ornament
        treads = [levels.all[k] for k in sorted(stair.treads)]
        middle = treads[len(treads) // 2]
        yield Measure(What.RISER, stair.at, stair.riser, middle.number)
        shallow = min(treads, key=lambda one: one.width)
        yield Measure(What.TREAD, (*middle.centre, middle.z), shallow.width, middle.number)
        between = _between_walls(levels, plan, sorted(treads, key=lambda one: one.z))
        if between is not None:
            yield Measure(What.DOOR, (*middle.centre, middle.z), between, middle.number)
            continue
        whole = tidy(union([grown(one.shape, TOUCH_MM) for one in treads]))
        width, centre = widest(grown(whole, -TOUCH_MM))
        if width < 0.999 * np.sqrt(whole.area):  # longer than it is wide
            yield Measure(What.WALKWAY, (*centre, middle.z), width, middle.number, text="stair")


def _between_walls(levels: Levels, plan: Plan, treads: list[Level]) -> float | None:
    """Clear width of a stair that walls stand along on both sides of its middle tread; None where they do not."""
    middle = len(treads) // 2
    tread = treads[middle]
    first, last = treads[max(middle - 1, 0)], treads[min(middle + 1, len(treads) - 1)]
    way = shapely.get_coordinates(shapely.centroid([last.shape, first.shape]))
    way = way[0] - way[1]
    length = float(np.hypot(*way))
    if length < 0.1:
        return None
    side = np.array([-way[1], way[0]]) / length
    here = shapely.get_coordinates(shapely.centroid(tread.shape))[0]
    across = (shapely.get_coordinates(tread.shape) - here) @ side
    walls = plan.section(tread.z + _OVER_TREAD_MM, near=tread.shape)
    beyond = [here + side * (across.min() - 0.5), here + side * (across.max() + 0.5)]
    if not all(shapely.intersects_xy(walls, x, y) for x, y in beyond):
        return None
    return float(np.ptp(across))


def steps(levels: Levels, pairs: list[Pair], stairs: list[Stair]) -> Iterator[Measure]:
    """Single rises between floors; of a stair its highest is told."""
    known = {one for stair in stairs for one in stair.risers}
    for pair in pairs:
        if (pair.low, pair.high) in known:
            continue
        low, high = levels.all[pair.low], levels.all[pair.high]
        if pair.rise < 2.0 or pair.contact < _LEAST_CONTACT_MM or high.width < _WALKED_MM:
            continue
        if low.width < _WALKED_MM:
            continue
        yield Measure(What.STEP, (*pair.at, high.z), pair.rise, pair.high)


def gaps(levels: Levels, plan: Plan, step: float, longest: float, packs: frozenset[str]) -> Iterator[Measure]:
    """Clear distances between floors of about one height with nothing but a drop between them, and holes in floors."""
    shown = [level for level in levels.all[1:] if level.width >= 15.0]
    for i, one in enumerate(shown):
        for hole in _holes(one):
            if _bottom(levels, hole, one.z, step):
                width, centre = widest(hole)
                if 4.0 < width <= longest:
                    yield Measure(What.GAP, (*centre, one.z), width, one.number, packs, "hole")
        for other in shown[i + 1 :]:
            if abs(other.z - one.z) > step + 0.025 or not shapely.dwithin(one.shape, other.shape, longest):
                continue
            near = shapely.shortest_line(one.shape, other.shape)
            if near.length < 4.0:
                continue
            between = near.buffer(0.2, cap_style="flat")
            walls = plan.band(max(one.z, other.z) + 1.0, max(one.z, other.z) + 25.0, between)
            if shapely.intersects(between, walls):
                continue
            if _bottom(levels, between, min(one.z, other.z), step, 0.05):
                middle = near.interpolate(0.5, normalized=True)
                place = (middle.x, middle.y, max(one.z, other.z))
                yield Measure(What.GAP, place, float(near.length), one.number, packs)


def _holes(level: Level) -> list[Shape]:
    return [shapely.Polygon(ring) for piece in pieces_of(level.shape) for ring in piece.interiors]


def _bottom(levels: Levels, hole: Shape, z: float, step: float, inset: float = 0.3) -> bool:
    """Whether what lies in a hole is no floor within a step (walls and higher floors fill it too)."""
    inner = hole.buffer(-inset)
    if inner.is_empty:
        return False
    for level in levels.all:
        if level.z < z - step - 0.025:
            continue
        if both(level.shape, inner).area > 0.02 * inner.area:
            return False
    return True


def rails(levels: Levels, plan: Plan, step_down: float) -> Iterator[Measure]:
    """Narrow strips raised along a lip: how high they stand over the floor beside them. Of bars the top one counts."""
    tree = shapely.STRtree([level.shape for level in levels.all])
    for strip in levels.all[1:]:
        if strip.width > _THICK_MM or strip.area < 25.0 or strip.shape.length < 30.0:
            continue
        near = [levels.all[k] for k in tree.query(strip.shape, predicate="dwithin", distance=_ROUND_MM)]
        beside = [
            floor
            for floor in near
            if floor.width >= _FLOOR_MM
            and floor.z > step_down
            and 2.0 < strip.z - floor.z <= _HIGH_MM
            and shapely.dwithin(strip.shape, floor.shape, TOUCH_MM)
        ]
        if not beside:
            continue
        floor = max(beside, key=lambda one: one.z)
        if not _along_a_lip(near, strip, floor, step_down):
            continue
        over = plan.band(strip.z + 0.5, floor.z + _HIGH_MM, strip.shape)
        if both(over, strip.shape).area > 0.3 * strip.area:
            continue
        place = strip.shape.representative_point()
        yield Measure(What.RAIL, (place.x, place.y, strip.z), strip.z - floor.z, floor.number)


def _along_a_lip(near: Sequence[Level], strip: Level, floor: Level, step: float) -> bool:
    """Whether beyond a strip there is a drop from the floor on its other side, along a good part of it."""
    ring = shapely.boundary(grown(strip.shape, _ROUND_MM))
    count = max(24, int(ring.length / 2.0))
    points = shapely.line_interpolate_point(
        ring, np.linspace(0.0, 1.0, count, endpoint=False), normalized=True
    )
    if ring.geom_type != "LineString":
        points = np.concatenate(
            [
                shapely.line_interpolate_point(part, np.linspace(0, 1, 64, endpoint=False), normalized=True)
                for part in shapely.get_parts(ring)
            ]
        )
    high = np.full(len(points), -np.inf)
    for level in near:
        if level.z >= strip.z - 0.5:
            continue
        inside = shapely.intersects(level.shape, points)
        high[inside] = np.maximum(high[inside], level.z)
    on_floor = np.abs(high - floor.z) < 0.1
    beyond = high < floor.z - step
    return bool(on_floor.mean() > 0.2 and beyond.mean() > 0.25)


def slopes(levels: Levels, least: float, gentle: float) -> Iterator[Measure]:
    """Tilted floors wide enough for a base; those that lead from one floor to another are ramps.

    gentle: degrees up to which anybody stands. Of rolling ground that is steeper, with many faces, the steepest is told.
    """
    steep: list[Slope] = []
    for slope in levels.slopes:
        ends = [
            level
            for level in levels.all
            if shapely.dwithin(level.shape, slope.shape, 1.0) and level.width >= least * 0.9
        ]
        foot = any(abs(level.z - slope.low) < 3.0 for level in ends)
        head = any(abs(level.z - slope.high) < 3.0 for level in ends)
        if foot and head and slope.width >= least:
            yield Measure(What.SLOPE, (*slope.centre, slope.z), slope.tilt, text="ramp", serious=False)
        elif slope.tilt > gentle and not (foot and head):
            steep.append(slope)
    for group in _together(steep):
        main = max(group, key=lambda one: one.width)
        if main.width < least:
            continue
        several = f"{len(group)} faces" if len(group) > 1 else ""
        tilt = max(one.tilt for one in group)
        yield Measure(What.SLOPE, (*main.centre, main.z), tilt, text=several)


def _together(slopes: Sequence[Slope]) -> list[list[Slope]]:
    """Slopes that touch in plan and in height."""
    if not slopes:
        return []
    shapes = np.array([slope.shape for slope in slopes], dtype=object)
    a, b = shapely.STRtree(shapes).query(shapes, predicate="dwithin", distance=_ROUND_MM)
    low, high = np.array([(slope.low, slope.high) for slope in slopes]).T
    meets = (low[a] <= high[b] + _ROUND_MM) & (low[b] <= high[a] + _ROUND_MM)
    graph = coo_array((np.ones(int(meets.sum())), (a[meets], b[meets])), shape=(len(slopes),) * 2)
    _, label = connected_components(graph, directed=False)
    return [[slopes[int(k)] for k in np.flatnonzero(label == number)] for number in np.unique(label)]
