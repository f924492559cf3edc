"""Where falls end, as ground finds it, in inches."""

from __future__ import annotations

import numpy as np

from sandbox.ground.falls import FallPath, NearLip, fall, near_lips, rest
from sandbox.ground.ground import Ground
from sandbox.ground.model import Body
from sandbox.ground.region import Region
from sandbox.moves.answers import Point
from sandbox.moves.fails import Landing
from sandbox.units import inches, mm

_AROUND = 6.0
"""inches of ground around a fall that are looked at."""
_LIPS = 2.0
"""inches within which the lip is looked for that a leap takes off from."""


def fall_from(ground: Ground, body: Body, start: Point, towards: Point | None) -> Landing:
    """The fall of a body from `start`; towards: the far side of a leap, None: by the nearest lip."""
    x, y, z = (mm(v) for v in start)
    at = (x, y, z)
    window = ground.around(x, y, mm(_AROUND))
    lips = ground.patch(window).lips
    lip: NearLip | None = None
    if towards is not None:
        way = np.array([mm(towards[0]) - x, mm(towards[1]) - y])
        ahead = [
            one
            for one in near_lips(lips, ground.bins, body, at, ground.numbers, mm(_LIPS))
            if way @ np.array(one.out) > 0.0
        ]
        lip = ahead[0] if ahead else None
    found: FallPath = fall(
        ground.bins,
        lips,
        ground.places(body, Region.disc(x, y, mm(_AROUND))),
        ground.numbers,
        at,
        lip=lip,
    )
    if found.landing is None:
        return Landing(inches(found.height), None)
    return Landing(
        inches(found.height), (inches(found.landing[0]), inches(found.landing[1]), inches(found.landing[2]))
    )


def slip_from(ground: Ground, body: Body, at: Point) -> Landing:
    """Where a body comes to rest that loses its footing on ground that is not flat: the nearest place, none higher."""
    x, y, z = (mm(v) for v in at)
    places = ground.places(body, Region.disc(x, y, mm(_AROUND)))
    found = rest(ground.bins, places, ground.numbers, (x, y, z))
    if found is None:
        return Landing(0.0, None)
    (px, py, pz), _, _ = found
    return Landing(max(0.0, at[2] - inches(pz)), (inches(px), inches(py), inches(pz)))
