"""Agreed ground that no part of a base may be on: impassable areas and pitfalls, exact to the base's outline."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import shapely
from numpy.typing import NDArray

from sandbox.ground.model import Area, Body, Floats, Places
from sandbox.ground.shared import metric_of
from sandbox.moves.answers import Point, Ruling
from sandbox.moves.refusal import Judge
from sandbox.moves.roles import BARRED, Roles
from sandbox.rules.statements import RuleName
from sandbox.units import SNAP_MM, inches, mm

_HEIGHT_MM = 0.05
_APART_MM = 2.0
"""Discs that stand for a border are this far apart along it: they sag by 0.04 mm for the smallest base."""


def areas(found: Roles) -> list[Area]:
    """Those that are barred."""
    return [found.areas[k] for k in np.flatnonzero(found.area_ground == BARRED)]


def keep_off(places: Places, found: Roles, weight: Floats) -> None:
    """Bar every place from which the base reaches barred ground; changes weight (n,)."""
    for area in areas(found):
        low, high = area.low_mm - _HEIGHT_MM, area.high_mm + _HEIGHT_MM
        weight[touching(places, shapely.Polygon(area.polygon_mm), low, high)] = np.inf


def touching(places: Places, shape: shapely.Geometry, low: float, high: float) -> NDArray[np.bool_]:
    """Places (n,) whose base overlaps a plan shape, their floor between two heights, mm."""
    x0, y0, x1, y1 = shape.bounds
    reach = places.body.half_long_mm
    x, y, z = places.pos.T
    there: NDArray[np.bool_] = (
        (z >= low) & (z <= high)
        & (x > x0 - reach) & (x < x1 + reach) & (y > y0 - reach) & (y < y1 + reach)
    )  # fmt: skip
    apart = _apart(shape, places.body, places.pos[there, :2])
    there[there] = apart < places.body.half_short_mm - SNAP_MM
    return there


def _apart(shape: shapely.Geometry, body: Body, points: Floats) -> Floats:
    """Distances (n,) of centres (n, 2) from a plan shape, in the plan that makes the base a circle of its shorter half axis."""
    m = np.array(metric_of(body)).reshape(2, 2)
    scaled = shapely.transform(shape, lambda plan: plan @ m.T)
    return np.asarray(shapely.distance(scaled, shapely.points(points @ m.T)), np.float64)


def discs(found: Roles, body: Body, within: tuple[float, float, float, float]) -> Floats:
    """Discs (d, 5) mm, as other models' (see `Question.discs`), along the borders of barred ground in a plan box.

    They keep a round base off exactly; for an oval there are none, and its places alone do.
    """
    rows: list[Floats] = [np.zeros((0, 5))]
    if not body.is_round:
        return rows[0]
    x0, y0, x1, y1 = within
    for area in areas(found):
        ring = np.array([*area.polygon_mm, area.polygon_mm[0]])
        for a, b in pairwise(ring):
            count = max(1, int(np.ceil(np.hypot(*(b - a)) / _APART_MM)))
            points = a + np.linspace(0.0, 1.0, count, endpoint=False)[:, None] * (b - a)
            inside = (points >= (x0, y0)).all(axis=1) & (points <= (x1, y1)).all(axis=1)
            points = points[inside]
            low, high = area.low_mm - _HEIGHT_MM, area.high_mm + _HEIGHT_MM
            rows.append(
                np.column_stack(
                    [points, np.tile([body.half_short_mm - SNAP_MM / 2, low, high], (len(points), 1))]
                )
            )
    return np.concatenate(rows)


def ruling(found: Roles, body: Body, at: Point, saying: Judge) -> Ruling | None:
    """Why a base may not be at a place (inches): how far it reaches into barred ground; None where it may."""
    z = mm(at[2])
    for area in areas(found):
        if not area.low_mm - _HEIGHT_MM <= z <= area.high_mm + _HEIGHT_MM:
            continue
        centre = np.array([[mm(at[0]), mm(at[1])]])
        apart = float(_apart(shapely.Polygon(area.polygon_mm), body, centre)[0])
        over = body.half_short_mm - apart
        if over > SNAP_MM / 2:
            return saying.ruling("barred-area", RuleName.IMPASSABLE, inches(over), 0.0, at)
    return None
