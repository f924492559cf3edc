"""What somebody wishes of a board that is made up, and what they own to build it from."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from sandbox.errors import UserError
from sandbox.files import suggestion

MOST_TILES = 6
"""along one side of a board that is made up."""
MOST_LEVELS = 4
WIDEST_BASE = 40.0
"""mm: the widest base that boards can be made for; a hatch with a ladder leaves no room for a wider one."""
NARROW_DOOR = 36.0
"""mm: the widest base that goes through a door one square long."""


class Fairness(StrEnum):
    """How alike the two sides' boards are."""

    TURNED = "turned"
    """the board is the same when it is turned by half a turn."""
    EVEN = "even"
    """each point is about as far from one side as from the other."""
    ANY = "any"


class PartKind(StrEnum):
    """What a board is built from, as somebody counts what they own."""

    WALLS = "walls"
    """walls one square long; a piece of two squares counts as two."""
    DOORS = "doors"
    """one square long."""
    DOUBLE_DOORS = "double-doors"
    """two squares long."""
    DUCTS = "ducts"
    """walls one square long with a ductway."""
    COLUMNS = "columns"
    RAILS = "rails"
    """one square long."""
    STAIRS = "stairs"
    """flights from one level to the next."""
    LADDERS = "ladders"
    """with their hatches."""
    CRATES = "crates"
    BARRICADES = "barricades"
    CONSOLES = "consoles"


FAMILIES: tuple[frozenset[PartKind], ...] = (frozenset({PartKind.DOORS, PartKind.DOUBLE_DOORS}),)
"""who names one of these and not the others has none of the others."""


@dataclass(frozen=True)
class Wishes:
    """One board to be made up."""

    tiles: tuple[int, int] = (2, 2)
    """columns and rows of tiles."""
    levels: int = 1
    seed: int = 1
    loops: int | None = None
    """at least so many ways round something that stands or is missing."""
    dead_ends: int | None = None
    """at most so many rooms and corridors with one entrance."""
    doors: int | None = None
    """about so many: one more or fewer where the sides are alike."""
    fairness: Fairness = Fairness.TURNED
    base: float = 32.0
    """mm: the widest base that has to get everywhere."""
    own: Mapping[PartKind, int] = field(default_factory=dict)
    """how many there are at most; what is not named is not counted."""

    def limit(self, kind: PartKind) -> int | None:
        """How many of a part there are; None: as many as are wanted."""
        if kind in self.own:
            return self.own[kind]
        if any(kind in family and family & self.own.keys() for family in FAMILIES):
            return 0
        return None


def read_own(text: str) -> dict[PartKind, int]:
    """What somebody owns, from ``walls=12,doors=3``. UserError for what is not known or no number."""
    found: dict[PartKind, int] = {}
    for entry in text.split(","):
        match = re.fullmatch(r"\s*([a-z-]+)\s*=\s*(\d{1,4})\s*", entry)
        if match is None:
            raise UserError(f"--own: {entry.strip()!r} should be a part and a number, like walls=12,doors=3")
        name, number = match[1], int(match[2])
        if name not in list(PartKind):
            raise UserError(
                f"--own: there is no part {name!r}; {suggestion(name, [k.value for k in PartKind])}"
            )
        if PartKind(name) in found:
            raise UserError(f"--own: {name} is there twice")
        found[PartKind(name)] = number
    return found


def check_wishes(wishes: Wishes) -> None:
    """UserError for wishes that no board can have."""
    columns, rows = wishes.tiles
    if not (1 <= columns <= MOST_TILES and 1 <= rows <= MOST_TILES):
        raise UserError(f"--tiles: a board has 1 to {MOST_TILES} tiles along each side, not {columns}x{rows}")
    if not 1 <= wishes.levels <= MOST_LEVELS:
        raise UserError(f"--levels: a board has 1 to {MOST_LEVELS} levels, not {wishes.levels}")
    if wishes.base > WIDEST_BASE:
        raise UserError(f"--base: boards are made for bases up to {WIDEST_BASE:g} mm, not {wishes.base:g}")
    doors = [wishes.limit(kind) for kind in (PartKind.DOORS, PartKind.DOUBLE_DOORS)]
    if wishes.doors is not None and None not in doors:
        have = sum(n for n in doors if n is not None)
        if have + (wishes.fairness is Fairness.TURNED) < wishes.doors:
            raise UserError(f"--doors: {wishes.doors} are wished, and --own has {have}")
    up = [wishes.limit(kind) for kind in (PartKind.STAIRS, PartKind.LADDERS)]
    if wishes.levels > 1 and None not in up:
        pairs = wishes.fairness is Fairness.TURNED
        step = 2 if pairs else 1
        have, want = sum(n // step * step for n in up if n is not None), 2 * (wishes.levels - 1)
        if have < want:
            raise UserError(
                f"--own: {wishes.levels} levels want {want} ways up (two to each), and there are "
                f"{up[0]} stairs and {up[1]} ladders"
                + (", which a board that is turned takes in pairs" if pairs else "")
                + "; fewer levels, or more of either"
                + (", or --fair any" if pairs else "")
            )
