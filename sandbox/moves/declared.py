"""Ways that were declared before they were measured: a leap beyond what can be leapt is tried all the same, and fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sandbox.moves.answers import Move, Ruling
from sandbox.moves.engagement import Engaging
from sandbox.moves.falling import Falling
from sandbox.moves.falling_ground import Site
from sandbox.moves.falling_state import moved, state_of
from sandbox.moves.falling_straight import Stop, line
from sandbox.moves.odds_tree import Tree
from sandbox.rules.words import LeapBeyond

if TYPE_CHECKING:
    from sandbox.moves.battlefield import Battlefield

_LIMITS = ("leap_max", "leap_up")


def leap_beyond(field: Battlefield, move: Move) -> tuple[Ruling, Tree] | None:
    """What comes of a refused move that was declared as a leap beyond its limits, where the pack lets it be tried.

    It goes straight towards its goal as far as the lip, and falls there without a roll. The ruling says what was too far.
    None where the pack refuses such leaps, or no lip is on the way within the allowance.
    """
    one = field.fighter(move.fighter)
    ruling = next((r for r in move.rulings if r.rule in _LIMITS), None)
    if ruling is None or one.rules.movement.leap_beyond is not LeapBeyond.FALL:
        return None
    way = np.array(move.to[:2]) - np.array(one.at[:2])
    size = float(np.hypot(*way))
    if size < 1e-6:
        return None
    path = line(field, one, (float(way[0] / size), float(way[1] / size)))
    gone, stop = path.far(min(size, move.allowance))
    if stop is not Stop.LIP:
        return None
    falling = Falling(Site(field), Engaging(field))
    lip = moved(state_of(field.fighters), one.id, path.at(gone))
    return ruling, falling.leap_short(lip, one.id, move.to, falling.finish(one.id))
