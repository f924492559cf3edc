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
    little, height = _level(thin, start[2], step)
    cell = inches(thin.pitch)
    throats = little & ~big & _between(little, (radius - inches(small.half_short_mm)) / cell + 1.5)
    marked, count = ndimage.label(throats, _EIGHT)
    found: list[Passage] = []
    for number in range(1, count + 1):
        found += _through(asked, marked == number, big, little, height, thin, radius, movement.squeeze_length)
    return found


def _level(places: Places, z: float, step: float) -> tuple[Bools, Floats]:
    """Which columns of one level hold a place to pass, and its height in mm; both (ny, nx)."""
    rows = np.flatnonzero(((places.flags & Place.PASS) != 0) & (np.abs(places.pos[:, 2] - mm(z)) <= step))
    free = np.zeros(places.nx * places.ny, dtype=np.bool_)
    height = np.full(places.nx * places.ny, np.nan)
    free[places.cell[rows]] = True
    height[places.cell[rows]] = places.pos[rows, 2]
    return free.reshape(places.ny, places.nx), height.reshape(places.ny, places.nx)


def _between(free: Bools, reach: float) -> Bools:
    """Cells with something in the way on two opposite sides, within a reach in cells."""
    found = np.zeros_like(free)
    steps = np.arange(1, math.ceil(reach) + 1)
    for angle in np.arange(0.0, np.pi, np.pi / 8):
        sides = []
        for way in (1.0, -1.0):
            met = np.zeros_like(free)
            for k in steps:
                dx, dy = round(way * k * math.cos(angle)), round(way * k * math.sin(angle))
                if math.hypot(dx, dy) <= reach:
                    met |= ~_shifted(free, dx, dy)
            sides.append(met)
        found |= sides[0] & sides[1]
    return found


def _shifted(free: Bools, dx: int, dy: int) -> Bools:
    """What lies (dx, dy) cells beyond each cell; outside the window counts as free."""
    out = np.ones_like(free)
    ny, nx = free.shape
    here = (slice(max(0, -dy), min(ny, ny - dy)), slice(max(0, -dx), min(nx, nx - dx)))
    there = (slice(max(0, dy), min(ny, ny + dy)), slice(max(0, dx), min(nx, nx + dx)))
    out[here] = free[there]
    return out


def _through(
    asked: Asked,
    throat: Bools,
    big: Bools,
    little: Bools,
    height: Floats,
    grid: Places,
    radius: float,
    longest: float,
) -> list[Passage]:
    """The passages through one throat, both ways; none where it does not part two sides."""
    cell = inches(grid.pitch)
    middle = np.argwhere(throat).mean(axis=0)
    rows, columns = np.indices(throat.shape)
    away = np.hypot(rows - middle[0], columns - middle[1]) * cell
    near = away <= float(away[throat].max()) + 2 * radius + 0.25
    sides, count = ndimage.label(big & near, _EIGHT)
    if count < 2:
        return []
    # through narrow floor only, from the throat outward
    narrow = little & ~big & near
    steps = _steps(throat, narrow | (big & near))
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
