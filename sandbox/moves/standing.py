"""Questions about one place: does a base stand there, and what does a fall from there do.

Lengths are in inches, angles in degrees.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sandbox.ground.ground import Standing
from sandbox.ground.model import Body, Limit
from sandbox.moves import fails, off_limits
from sandbox.moves.answers import Fall, Point, Ruling, Stand
from sandbox.moves.landing import fall_from
from sandbox.moves.placed import CONTACT, Placed
from sandbox.moves.refusal import Judge, judge, plain
from sandbox.moves.words import sentence
from sandbox.rules.statements import RuleName
from sandbox.units import inches, mm

if TYPE_CHECKING:
    from sandbox.moves.battlefield import Battlefield

FLOOR_WITHIN = 0.5
"""inches: a floor asked for by height is at most this far from it."""
_IN_SOLID = {Limit.NO_ROOM, Limit.HEADROOM}


def stand(field: Battlefield, at: tuple[float, float], z: float | None, body: Body) -> Stand:
    """Whether a body stands at a place (inches), with the reasons against."""
    saying = _judge(field, body)
    if not on_board(field, at):
        ruling = saying.ruling("off-board", RuleName.OFF_BOARD)
        return Stand((*at, z or 0.0), False, None, 0.0, (ruling,))
    if z is None and field.scene.board.ceiling is not None:
        z = field.ground.floor_at(*at, None)
    found = field.ground.plain.stand(body, mm(at[0]), mm(at[1]), None if z is None else mm(z))
    height = inches(found.z) if np.isfinite(found.z) else None
    told = saying.hindrances(
        [plain(field.ground.plain, body, (*at, inches(found.z)), h) for h in found.hindrances]
    )
    off = None if height is None else off_limits.ruling(field.roles, body, (*at, height), saying)
    return Stand(
        at=(*at, (z or 0.0) if height is None else height),
        stands=found.stands and off is None,
        z=height,
        support=float(found.support),
        rulings=told if off is None else (*told, off),
    )


def trouble(field: Battlefield, one: Placed) -> str | None:
    """Why a fighter cannot be where the scene puts it, in words; None where it can."""
    body = field.body_of(one)
    x, y, _ = one.at
    if not on_board(field, (x, y)):
        return sentence("warnings", "over-nothing")
    px, py, pz = start(field, one)
    found: Standing = field.ground.ground(one.rules).stand(body, mm(px), mm(py), mm(pz))
    for hindrance in found.hindrances:
        # Over an obstacle is a place to pass, but only above its top: lower down the model is inside it.
        if hindrance.limit is Limit.OBSTACLE and hindrance.part >= 0:
            obstacle = field.terrain.parts[hindrance.part]
            if inches(obstacle.high_mm) > one.at[2] + CONTACT:
                return sentence("warnings", "in-solid", name=obstacle.piece)
    if found.passes or found.stands:
        return None
    for hindrance in found.hindrances:
        if hindrance.limit is Limit.NO_FLOOR:
            return sentence("warnings", "over-nothing")
        if hindrance.limit in _IN_SOLID:
            part = field.terrain.parts[hindrance.part] if hindrance.part >= 0 else None
            return sentence("warnings", "in-solid", name=part.piece if part else "something solid")
    why = [_judge(field, body).hindrance(h).text for h in found.hindrances] or ["-"]
    return sentence("warnings", "not-standing", why=why[0])


def start(field: Battlefield, one: Placed) -> Point:
    """Where a fighter's move starts: its place, or within 0.02" of it where that is a hair inside something."""
    ground, body = field.ground.ground(one.rules), field.body_of(one)
    x, y, z = one.at
    if ground.stand(body, mm(x), mm(y), mm(z)).passes:
        return one.at
    for step in (CONTACT / 4, CONTACT / 2, CONTACT):
        for angle in np.arange(0.0, 2 * np.pi, np.pi / 8):
            px, py = x + step * float(np.cos(angle)), y + step * float(np.sin(angle))
            found = ground.stand(body, mm(px), mm(py), mm(z))
            if found.passes and abs(inches(found.z) - z) <= CONTACT:
                return (px, py, inches(found.z))
    return one.at


def on_board(field: Battlefield, at: tuple[float, float]) -> bool:
    """Whether a place is over the board."""
    width, depth = field.terrain.size_mm
    return bool(0.0 <= mm(at[0]) <= width and 0.0 <= mm(at[1]) <= depth)


def fall(field: Battlefield, at: tuple[float, float], z: float | None, body: Body) -> Fall:
    """What a fall from a place (inches) does to a model without anything special."""
    ground = field.ground.plain
    found = ground.floor_near(mm(at[0]), mm(at[1]), None if z is None else mm(z))
    top = (z or 0.0) if found is None else inches(found[0])
    if z is not None and abs(top - z) > FLOOR_WITHIN:
        top = z  # in the air, as a base is that hangs over a lip
    start: Point = (*at, top)
    landing = fall_from(ground, body, start, None)
    hit = fails.hit_of(field.pack, field.pack.for_fighter(), landing.height)
    rulings: tuple[Ruling, ...] = ()
    if landing.at is None:
        deep = landing.height if np.isfinite(landing.height) else None
        words = "nowhere" if deep is not None else "nowhere-deep"
        rulings = (_judge(field, body).ruling(words, "fall_nowhere", deep, None, start),)
    return Fall(start, landing.height, landing.at, hit, rulings)


def _judge(field: Battlefield, body: Body) -> Judge:
    return judge(field.pack, field.terrain, None, inches(body.height_mm), 2 * inches(body.half_short_mm))
