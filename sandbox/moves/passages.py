"""Ways through what is otherwise closed: ductways of the scene, and openings too narrow for a base but not for a crawl.

A squeeze is found where a body of half the base (the pack's share) gets through and the base does not: between two
sides that the base can be on, a throat with something solid to the left and to the right.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from sandbox.ground.model import Body, Floats, Place, Places
from sandbox.moves.answers import Point
from sandbox.moves.distance import Base, plan_gap
from sandbox.rules.ticks import at_most
from sandbox.rules.words import Narrow
from sandbox.scene import Ductway
from sandbox.units import MM_PER_INCH, inches, mm

if TYPE_CHECKING:
    from sandbox.moves.legal import Asked

Bools = NDArray[np.bool_]

_AROUND = 1.0
"""inches beyond the longest squeeze that its two sides are looked for in."""
_POINT = 1e-6
_SAME = 0.75
"""inches: mouths that lie nearer to each other belong to one opening."""
_EIGHT = np.ones((3, 3), dtype=bool)


@dataclass(frozen=True)
class Passage:
    """One way through, in one direction."""

    id: str
    """the ductway's id; ``squeeze`` for a narrow opening."""
    near: Point
    """the mouth that it is entered by, inches."""
    far: Point
    length: float
    """from mouth to mouth, inches."""
    squeeze: bool

    def reached(self, base: Base, reach: float) -> bool:
        """Whether a base is within reach of the near mouth."""
        return at_most(apart(base, self.near), reach)


def apart(base: Base, point: Point) -> float:
    """Distance from a base to a point, inches."""
    plan = max(0.0, plan_gap(base, Base(point, _POINT, _POINT)))
    return math.hypot(plan, base.at[2] - point[2])


def ductways(scene: tuple[Ductway, ...]) -> list[Passage]:
    """The ductways of a scene, both ways."""
    found = []
    for one in scene:
        length = math.dist(one.start, one.end)
        found += [
            Passage(one.id, one.start, one.end, length, squeeze=False),
            Passage(one.id, one.end, one.start, length, squeeze=False),
        ]
    return found


def passages(asked: Asked) -> list[Passage]:
    """All ways through near the mover, within its pack's limits or not."""
    return ductways(asked.field.scene.ductways) + squeezes(asked)


def squeezes(asked: Asked) -> list[Passage]:
    """Openings too narrow for the mover's base, on the level that it stands on, that it may crawl through."""
    movement = asked.mover.rules.movement
    if movement.narrow is not Narrow.CRAWL_THROUGH:
        return []
    body, start = asked.body, asked.start
    share = movement.squeeze_ratio
    small = Body(share * body.half_long_mm, share * body.half_short_mm, body.height_mm, body.facing)
    radius = inches(body.half_short_mm)
    reach = 2 * radius + movement.ductway_reach + movement.squeeze_length + _AROUND
    window = asked.ground.around(mm(start[0]), mm(start[1]), mm(reach))
    wide, thin = asked.ground.places(body, window), asked.ground.places(small, window)
    step = asked.ground.numbers.free_step_up_mm
    big, _ = _level(wide, start[2], step)
    big_rows = _rows(wide, start[2], step)
    little, height = _level(thin, start[2], step)
    cell = inches(thin.pitch)
    throats = little & ~big & _between(little, 2 * (radius - inches(small.half_short_mm)) / cell + 2.0)
    marked, count = ndimage.label(throats, _EIGHT)
    found: list[Passage] = []
    for number in range(1, count + 1):
        throat = marked == number
        near = _near(throat, inches(thin.pitch), radius)
        sides, count_sides = _sides(wide, big_rows, near)
        if count_sides > 1:
            found += _through(
                asked, throat, sides, count_sides, little & ~big & near, height, thin, radius,
                movement.squeeze_length,
            )  # fmt: skip
    return _distinct(found)


def _distinct(found: list[Passage]) -> list[Passage]:
    """One passage for each opening and direction: the shortest of those whose mouths lie together."""
    kept: list[Passage] = []
    for one in sorted(found, key=lambda p: p.length):
        if not any(_alike(one, other) for other in kept):
            kept.append(one)
    return kept


def _alike(a: Passage, b: Passage) -> bool:
    """Whether two passages lead through one opening in one direction."""
    if math.dist(a.near, b.near) > _SAME or math.dist(a.far, b.far) > _SAME:
        return False
    return float(np.dot(np.subtract(a.far, a.near), np.subtract(b.far, b.near))) > 0.0


def _level(places: Places, z: float, step: float) -> tuple[Bools, Floats]:
    """Which columns of one level hold a place to pass, and its height in mm; both (ny, nx)."""
    rows = _rows(places, z, step)
    free = np.zeros(places.nx * places.ny, dtype=np.bool_)
    height = np.full(places.nx * places.ny, np.nan)
    free[places.cell[rows]] = True
    height[places.cell[rows]] = places.pos[rows, 2]
    return free.reshape(places.ny, places.nx), height.reshape(places.ny, places.nx)


def _rows(places: Places, z: float, step: float) -> NDArray[np.intp]:
    """Places to pass on one level."""
    return np.flatnonzero(((places.flags & Place.PASS) != 0) & (np.abs(places.pos[:, 2] - mm(z)) <= step))


def _near(throat: Bools, cell: float, radius: float) -> Bools:
    """Cells around a throat in which its two sides are told apart."""
    middle = np.argwhere(throat).mean(axis=0)
    rows, columns = np.indices(throat.shape)
    away = np.hypot(rows - middle[0], columns - middle[1]) * cell
    return np.asarray(away <= float(away[throat].max()) + 2 * radius + 0.25)


def _sides(places: Places, rows: NDArray[np.intp], near: Bools) -> tuple[NDArray[np.int32], int]:
    """Where the base can be near a throat, in pieces that it cannot get between there: numbers from 1, (ny, nx)."""
    flat = near.reshape(-1)
    rows = rows[flat[places.cell[rows]]]
    number = np.full(len(places.pos) + 1, -1)
    number[rows] = np.arange(rows.size)
    beside = number[places.neighbour[rows]]
    i, j = np.nonzero(beside >= 0)
    graph = csr_matrix((np.ones(i.size, np.int8), (i, beside[i, j])), shape=(rows.size, rows.size))
    count, label = connected_components(graph, directed=False)
    sides = np.zeros(flat.size, dtype=np.int32)
    sides[places.cell[rows]] = label + 1
    return sides.reshape(near.shape), count if rows.size else 0


def _between(free: Bools, reach: float) -> Bools:
    """Cells with something in the way on two opposite sides: at their nearest, and straight across from it.

    reach: greatest distance between the two, in cells.
    """
    away, (row, column) = ndimage.distance_transform_edt(free, return_indices=True)
    rows, columns = np.indices(free.shape)
    size = np.maximum(away, 1e-9)
    dy, dx = (rows - row) / size, (columns - column) / size
    found = np.zeros_like(free)
    ny, nx = free.shape
    for k in range(1, math.ceil(reach) + 1):
        i, j = np.round(rows + k * dy).astype(int), np.round(columns + k * dx).astype(int)
        inside = (i >= 0) & (i < ny) & (j >= 0) & (j < nx)
        met = inside & ~free[np.clip(i, 0, ny - 1), np.clip(j, 0, nx - 1)]
        found |= met & (away + k <= reach)
    return np.asarray(found & free)


def _through(
    asked: Asked,
    throat: Bools,
    sides: NDArray[np.int32],
    count: int,
    narrow: Bools,
    height: Floats,
    grid: Places,
    radius: float,
    longest: float,
) -> list[Passage]:
    """The passages through one throat, both ways; none where it does not part two sides."""
    cell = inches(grid.pitch)
    # through narrow floor only, from the throat outward
    steps = _steps(throat, narrow | (sides > 0))
    ends: list[tuple[float, Point]] = []
    for side in range(1, count + 1):
        where = (sides == side) & np.isfinite(steps)
        if not where.any():
            continue
        at = np.unravel_index(int(np.argmin(np.where(where, steps, np.inf))), steps.shape)
        x, y = inches(grid.x0) + int(at[1]) * cell, inches(grid.y0) + int(at[0]) * cell
        ends.append((float(steps[at]) * cell, (x, y, inches(float(height[at])))))
    ends.sort()
    if len(ends) < 2:
        return []
    (_, a), (_, b) = ends[0], ends[1]
    width = _width(asked, a, b)
    inset = math.sqrt(max(0.0, radius**2 - (width / 2) ** 2))
    span = math.dist(a[:2], b[:2])
    length = max(0.0, span - 2 * inset)
    if not at_most(length - cell, longest) or span < 1e-6:
        return []
    way = ((b[0] - a[0]) / span, (b[1] - a[1]) / span)
    first = (a[0] + way[0] * inset, a[1] + way[1] * inset, a[2])
    last = (b[0] - way[0] * inset, b[1] - way[1] * inset, b[2])
    return [
        Passage("squeeze", first, last, length, squeeze=True),
        Passage("squeeze", last, first, length, squeeze=True),
    ]


def _steps(sources: Bools, free: Bools) -> Floats:
    """Cells walked from the sources over free cells, inf where none lead; by rings of alternating neighbourhoods."""
    steps = np.where(sources, 0.0, np.inf)
    front, number = sources.copy(), 0
    cross = ndimage.generate_binary_structure(2, 1)
    while front.any():
        number += 1
        grown = ndimage.binary_dilation(front, _EIGHT if number % 2 else cross) & (free | sources)
        fresh = grown & ~np.isfinite(steps)
        steps[fresh] = number
        front = fresh
    return steps


def _width(asked: Asked, a: Point, b: Point) -> float:
    """Width of the opening between two points on its sides: by rays to the left and right, the least of them."""
    way = np.array([b[0] - a[0], b[1] - a[1], 0.0])
    size = float(np.linalg.norm(way))
    if size < 1e-9:
        return 0.0
    left = np.array([-way[1], way[0], 0.0]) / size
    share = np.linspace(0.2, 0.8, 7)
    heights = np.array([0.1, 0.5, 0.9]) * asked.mover.height
    points = np.array(a) + share[:, None] * (np.array(b) - np.array(a))
    starts = np.concatenate([points + np.array([0.0, 0.0, h]) for h in heights])
    reach = 2 * asked.mover.base.half_long
    hits = [asked.field.world.rays(starts, starts + way_out * reach) for way_out in (left, -left)]
    gone = np.array([h.fraction * reach for h in hits])
    return float(gone.sum(axis=0).min())


def as_mm(point: Point) -> tuple[float, float, float]:
    """A point in millimetres."""
    return (point[0] * MM_PER_INCH, point[1] * MM_PER_INCH, point[2] * MM_PER_INCH)
