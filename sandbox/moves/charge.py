"""Charges: into contact by the shortest way, or stopped at the distance that is kept.

Lengths are in inches, angles in degrees.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely
from numpy.typing import NDArray

from sandbox.ground.model import Floats
from sandbox.moves.answers import SPOT, Point, Ruling
from sandbox.moves.distance import Base, gaps, plan_gap
from sandbox.moves.engagement import Engaging
from sandbox.moves.placed import CONTACT, Placed
from sandbox.moves.spots import as_spots
from sandbox.moves.words import length
from sandbox.rules.statements import RuleName
from sandbox.rules.words import EngagedAt
from sandbox.units import MM_PER_INCH, inches, mm

if TYPE_CHECKING:
    from sandbox.moves.legal import Asked
    from sandbox.moves.ways import Found

_SPACING = 0.2
"""inches between two spots around the target."""
_INTO = 1e-9
_BESIDE_MM = 0.1
"""gap of a base that is put beside an obstacle."""
_STEP = 0.05
"""inches between two places that are looked at along a charge that falls short."""


def _target(asked: Asked) -> Placed:
    assert asked.target is not None
    return asked.target


def contacts(asked: Asked) -> NDArray[Any]:
    """Places that engage the target: in contact, within the pack's distance or across an obstacle, (n,) of dtype SPOT."""
    target, own = _target(asked), asked.mover.base
    movement = asked.mover.rules.movement
    near = movement.engaged_within if movement.engaged_at is EngagedAt.WITHIN else 0.0
    level = max(near, movement.free_step_up + inches(0.05))
    rims = [_rim(own, target.base, float(gap)) for gap in np.arange(0.0, max(near, 1e-6), _SPACING)]
    found = []
    for x, y in np.concatenate([*rims, _across(asked)]):
        for z in asked.floors(float(x), float(y), None):
            at = (float(x), float(y), z)
            if abs(z - target.at[2]) <= level and not asked.against(at):
                found.append(at)
    if not found:
        return np.zeros(0, SPOT)
    points = np.array(found)
    return as_spots(points, *asked.many(points))


def _across(asked: Asked) -> Floats:
    """Centres at which a base touches an obstacle that the target touches too, near enough to reach over it, (n, 2)."""
    target, own = _target(asked).base, asked.mover.base
    far = asked.mover.rules.movement.engage_over_width + own.half_long + target.half_long
    found = [np.zeros((0, 2))]
    for outline in Engaging(asked.field).beside(target):
        rim = shapely.segmentize(shapely.buffer(outline, mm(own.half_long) + _BESIDE_MM), mm(_SPACING))
        points = shapely.get_coordinates(shapely.get_parts(rim).tolist()) / MM_PER_INCH
        found.append(points[np.hypot(*(points - np.array(target.at[:2])).T) <= far])
    return np.concatenate(found)


def _rim(own: Base, other: Base, gap: float = 0.0) -> Floats:
    """Centres at which a base touches another, or is so far (inches) from it, (n, 2), at most 0.2" apart."""
    reach = own.half_long + other.half_long
    count = max(24, int(np.ceil(2 * np.pi * reach / _SPACING)))
    angle = np.linspace(0.0, 2 * np.pi, count, endpoint=False)
    way = np.column_stack([np.cos(angle), np.sin(angle)])
    return np.array([_touching(own, other, other.at[:2] + w * reach) + w * gap for w in way])


def _touching(own: Base, other: Base, at: Floats) -> Floats:
    """A centre near `at` where the bases just touch: moved straight towards or away from the other's centre."""
    centre = np.asarray(other.at[:2])
    way = at - centre
    way = way / max(float(np.linalg.norm(way)), 1e-12)
    if own.is_round and other.is_round:
        return np.asarray(centre + way * (own.half_long + other.half_long + _INTO))
    low, high = 0.0, own.half_long + other.half_long + 1.0
    for _ in range(50):
        middle = (low + high) / 2
        x, y = centre + way * middle
        if plan_gap(own.moved((float(x), float(y), 0.0)), other) < 0.0:
            low = middle
        else:
            high = middle
    return np.asarray(centre + way * high)


def into_contact(asked: Asked, at: tuple[float, float], z: float | None) -> tuple[float, float]:
    """The place that was meant: where the bases are written as touching, the place where they just touch."""
    target, own = _target(asked), asked.mover.base
    gap = plan_gap(own.moved((*at, target.at[2] if z is None else z)), target.base)
    if abs(gap) > CONTACT + 1e-9 or 0.0 <= gap < 1e-6:
        return at
    x, y = _touching(own, target.base, np.array(at))
    return float(x), float(y)


def contact(asked: Asked, at: Point) -> Ruling | None:
    """Why a place is no end for a charge; None where it engages the target."""
    target = _target(asked)
    here = replace(asked.mover, base=asked.mover.base.moved(at))
    if Engaging(asked.field).near(here, target) is not None:
        return None
    movement = asked.mover.rules.movement
    if movement.engaged_at is EngagedAt.WITHIN:
        apart = float(gaps(np.array([at]), asked.mover.base, target.base)[0])
        limit = movement.engaged_within
        return asked.judge.ruling("charge-within", RuleName.CHARGE, apart, limit, target.at, name=target.id)
    apart = float(gaps(np.array([at]), asked.mover.base, target.base)[0])
    return asked.judge.ruling("charge-contact", RuleName.CHARGE, apart, 0.0, target.at, name=target.id)


def short(asked: Asked, way: Found) -> Ruling:
    """A charge that cannot reach: what it needs, and where it stops instead."""
    target = _target(asked)
    keep = asked.mover.rules.movement.keep_distance
    stop = stops(asked, way)
    return asked.judge.ruling(
        "charge-short" if keep > 0.0 else "charge-short-of-it",
        RuleName.CHARGE,
        way.cost,
        asked.allowance,
        stop,
        name=target.id,
        keep=length(keep),
    )


def stops(asked: Asked, way: Found) -> Point:
    """Where a charge ends that falls short: as far along its way as it gets, at the kept distance from all enemies."""
    keep = asked.mover.rules.movement.keep_distance
    last, paid = asked.start, 0.0
    for stretch in way.reach.way(way.arrival):
        points = stretch.points / MM_PER_INCH
        size = np.linalg.norm(np.diff(points, axis=0), axis=1)
        along = np.concatenate([[0.0], np.cumsum(size)])
        cost = inches(stretch.cost)
        count = max(2, int(along[-1] / _STEP) + 2)
        for share in np.linspace(0.0, 1.0, count):
            if paid + cost * share > asked.allowance + inches(0.03):
                return last
            at = share * along[-1]
            x, y, z = (float(np.interp(at, along, points[:, i])) for i in range(3))
            if stretch.link >= 0 and 0.0 < share < 1.0:
                continue
            if _rests(asked, (x, y, z), keep):
                last = (x, y, z)
        paid += cost
    return last


def _rests(asked: Asked, at: Point, keep: float) -> bool:
    here = asked.mover.base.moved(at)
    for one in asked.others.kept:
        if one.enemy and asked.field.measuring.distance(here, one.placed.base, keep) < keep - inches(0.03):
            return False
    return asked.ground.stand(asked.body, mm(at[0]), mm(at[1]), mm(at[2])).stands
