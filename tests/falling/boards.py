"""What the tests of falls and statuses share: boards under a pack, and words for what a tree holds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from cases.board import MM, Board

from sandbox.moves.odds_tree import Event, Path, Tree

N23, N17, BLIGHT = "necromunda-2023", "necromunda-2017", "blightmeer"
NECROMUNDA = (N23, N17)
PACKS = (N23, N17, BLIGHT)
R32 = 16 * MM


def load(board: Board, rules: str, ground: str | None = None, **settings: Any) -> Any:
    """The battlefield under a pack; ground: what the table is; settings: constants with another value."""
    return board.load(rules, settings, **({} if ground is None else {"ground": ground}))


def deck(board: Board, height: float, gap: float, base: float = 32, **more: Any) -> Board:
    """A deck with its lip along x = 0, and a fighter on it whose base ends `gap` inches before the lip."""
    board.box((8, 8, height), (-4, 0))
    return board.fighter("kal", (-base / 2 * MM - gap, 0, height), base=base, **more)


def fallen(tree: Tree) -> Fraction:
    """Chance of any fall."""
    return tree.chance(lambda path: bool(path.events(Event.FALL)))


def the_fall(tree: Tree) -> Path:
    """The first way through a tree on which somebody falls."""
    return next(path for path in tree.paths() if path.events(Event.FALL))


def throws(tree: Tree) -> list[str]:
    """What is rolled on the longest way through a tree, in order."""
    longest = max(tree.paths(), key=lambda path: len(path.rolled))
    return [throw.reason for throw, _ in longest.rolled]
