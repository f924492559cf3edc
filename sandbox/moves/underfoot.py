"""What an inch of path costs where a base is: by the ground under its centre or, as a setting, under any part of it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np
import shapely

from sandbox.ground.model import Body, Bytes, Floats, Places
from sandbox.ground.shared import metric_of
from sandbox.moves import off_limits
from sandbox.moves.roles import BARRED, Roles, weights
from sandbox.rules import MovementRules
from sandbox.terrain.model import Terrain
from sandbox.terrain.plan import plan_of
from sandbox.units import mm

_ROUND = 32
"""straight pieces to a quarter of a round corner: they sag by 0.01 mm for a 50 mm base."""


def prices(
    places: Places, terrain: Terrain, found: Roles, movement: MovementRules
) -> tuple[Floats, Bytes, Floats]:
    """Price per mm of every place (n,), how harsh it is (n,), and where areas change the price, (b, 4) mm.

    Of part and area the harsher counts, never both. The borders are those of the areas or, where any part of the base
    counts, how near its centre comes to what is rough.
    """
    n = len(places.pos)
    by_part, by_area = weights(found, movement)
    weight, worst = np.ones(n), np.zeros(n, dtype=np.uint8)
    on = places.part >= 0
    weight[on], worst[on] = by_part[places.part[on]], found.ground[places.part[on]]
    in_area = places.area >= 0
    if in_area.any():
        area = places.area[in_area]
        weight[in_area] = np.maximum(weight[in_area], by_area[area])
        worst[in_area] = np.maximum(worst[in_area], found.area_ground[area])
    if movement.difficult_by_centre:
        borders = [
            shapely.Polygon(area.polygon_mm)
            for area, price in zip(found.areas, by_area, strict=True)
            if price != 1.0 and np.isfinite(price)
        ]
    else:
        borders = []
        for shape, low, high, severity, price in _rough(terrain, found, movement, by_part, by_area):
            there = off_limits.touching(places, shape, low, high)
            weight[there] = np.maximum(weight[there], price)
            worst[there] = np.maximum(worst[there], severity)
            borders.append(_grown(shape, places.body))
    off_limits.keep_off(places, found, weight)
    return weight, worst, outlines(borders)


def outlines(shapes: Sequence[shapely.Geometry]) -> Floats:
    """Their outlines, where the price changes that crossing them costs, (b, 4) mm."""
    edges: list[tuple[float, float, float, float]] = []
    for shape in shapes:
        for ring in shapely.get_rings(shapely.get_parts(shape)):
            line = shapely.get_coordinates(ring)
            edges += [(*a, *b) for a, b in itertools.pairwise(line)]
    return np.array(edges, dtype=np.float64).reshape(-1, 4)


def _rough(
    terrain: Terrain, found: Roles, movement: MovementRules, by_part: Floats, by_area: Floats
) -> Iterator[tuple[shapely.Geometry, float, float, int, float]]:
    """What costs more to be on: plan shape, lowest and highest floor, how harsh, price; mm."""
    for index in np.flatnonzero((found.area_ground != 0) & (found.area_ground != BARRED)):
        area = found.areas[index]
        shape = shapely.Polygon(area.polygon_mm)
        yield shape, area.low_mm, area.high_mm, int(found.area_ground[index]), float(by_area[index])
    step = mm(movement.free_step_up)
    for index in np.flatnonzero(found.ground):
        part = terrain.parts[index]
        low, high = part.low_mm - step, part.high_mm + step
        yield plan_of(terrain, int(index)), low, high, int(found.ground[index]), float(by_part[index])


def _grown(shape: shapely.Geometry, body: Body) -> shapely.Geometry:
    """A plan shape grown by a base: where its centre is when the two just touch."""
    m = np.array(metric_of(body)).reshape(2, 2)
    scaled = shapely.transform(shape, lambda plan: plan @ m.T)
    round_it = shapely.buffer(scaled, body.half_short_mm, quad_segs=_ROUND)
    return shapely.transform(round_it, lambda plan: plan @ np.linalg.inv(m).T)
