"""Leaps over agreed pitfalls: ground that nobody walks on, crossed like a gap of its size."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import shapely

from sandbox.ground.extra import Given
from sandbox.ground.model import Area, Floats, LinkKind, Place, Places
from sandbox.kinds import Kind
from sandbox.moves.landings import spread
from sandbox.moves.prices import OVER_PITFALL
from sandbox.units import mm

if TYPE_CHECKING:
    from sandbox.moves.legal import Asked

_APART_MM = 5.0
"""take-offs beside a pitfall that are looked at are so far apart."""
_ANGLES = 32
_LEVEL_MM = 13.0
_BESIDE_MM = 0.05


def links_of(asked: Asked, places: Places) -> list[Given]:
    """Straight leaps over the pitfalls among a board's areas, from beside one to beyond it on the same level."""
    pits = _pits(asked)
    if not pits:
        return []
    stands = (places.flags & (Place.PASS | Place.OVER)) == Place.PASS
    near = asked.body.half_long_mm + 1.5 * places.pitch
    start = np.array([mm(v) for v in asked.start])
    reach = mm(asked.chain.total)
    longest = mm(max(asked.chain.moves))
    rows: list[Given] = []
    for pit in pits:
        shape = shapely.Polygon(pit.polygon_mm)
        shapely.prepare(shape)
        here = np.flatnonzero(
            stands
            & (places.pos[:, 2] >= pit.low_mm - _BESIDE_MM)
            & (places.pos[:, 2] <= pit.high_mm + _BESIDE_MM)
            & (np.hypot(*(places.pos[:, :2] - start[:2]).T) <= reach)
        )
        away = shapely.distance(shape, shapely.points(places.pos[here, :2]))
        rim = (away >= asked.body.half_short_mm - _BESIDE_MM) & (away <= near)
        beside = spread(places.pos, here[rim], _APART_MM)
        rows += _over(shape, places, beside, longest)
    return rows


def crossed(asked: Asked, point: Floats) -> bool:
    """Whether a straight line from where the mover starts to a point (3,), inches, leads over an agreed pitfall."""
    start = np.array(asked.start)
    line = shapely.LineString(np.array([start[:2], point[:2]]) * mm(1.0))
    high = mm(max(start[2], float(point[2]))) + _BESIDE_MM
    return any(p.low_mm <= high and shapely.Polygon(p.polygon_mm).intersects(line) for p in _pits(asked))


def _pits(asked: Asked) -> list[Area]:
    found = asked.roles
    return [a for a, kind in zip(found.areas, found.area_kinds, strict=True) if kind is Kind.PITFALL]


def _over(shape: shapely.Polygon, places: Places, beside: np.ndarray, longest: float) -> list[Given]:
    """Leaps from each of some places beside a pitfall to those on its other side, at most so long (mm)."""
    rows = []
    for place in beside:
        a = places.pos[place]
        b = places.pos[beside]
        way = b[:, :2] - a[:2]
        plan = np.hypot(*way.T)
        gap = shapely.length(shapely.intersection(shape, shapely.linestrings([(a[:2], p) for p in b[:, :2]])))
        good = (gap > 1.0) & (plan <= longest) & (np.abs(b[:, 2] - a[2]) <= _LEVEL_MM)
        # the straightest over it in each direction is enough
        turn = np.round(np.arctan2(way[:, 1], way[:, 0]) / (2 * np.pi) * _ANGLES)
        for direction in np.unique(turn[good]):
            some = np.flatnonzero(good & (turn == direction))
            k = int(some[np.argmin(plan[some])])
            path = tuple((float(x), float(y), float(z)) for x, y, z in (a, b[k]))
            rows.append(
                Given(
                    LinkKind.LEAP, int(place), int(beside[k]), path, float(plan[k]), gap=float(gap[k]),
                    part=OVER_PITFALL,
                )
            )  # fmt: skip
    return rows
