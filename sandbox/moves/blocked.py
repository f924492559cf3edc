"""Where no way leads: the least forbidden way, and what it breaks, as rulings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sandbox.moves.answers import Point, Ruling

if TYPE_CHECKING:
    from sandbox.moves.legal import Asked


def rulings(asked: Asked, at: Point) -> list[Ruling]:
    """What the way breaks that breaks fewest limits, then by least excess; the first one forbids the move."""
    return []
