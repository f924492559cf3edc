"""Odds of a whole move: its checks in order, what follows from each failure, as a tree with chances."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sandbox.moves.answers import Move
from sandbox.moves.odds_tree import Tree

if TYPE_CHECKING:
    from sandbox.moves.battlefield import Battlefield


def odds(field: Battlefield, move: Move) -> Tree:
    """See `Battlefield.odds`."""
    raise NotImplementedError
