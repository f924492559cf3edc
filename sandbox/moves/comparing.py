"""What changes for one fighter between two packs, or two readings of one: places, costs, chances, one way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from sandbox.moves.answers import Json, LegalMoves, Move
from sandbox.moves.words import chance, length, sentence
from sandbox.rules import Pack
from sandbox.rules.show import differences

if TYPE_CHECKING:
    from sandbox.moves.battlefield import Battlefield

NEAR = 0.2
"""inches: places nearer than this are the same place; places to end lie at most 0.25" apart."""
_LEVEL = 4.0
"""heights count this much more than plan distances when places are matched."""
_SAME = 0.05
"""inches: costs that differ by less are the same."""
MOST = 8
"""constants that are told one by one in words."""

Spots = NDArray[Any]


@dataclass(frozen=True)
class Side:
    """What one pack says."""

    rules: str
    """id of the pack, with the settings that were changed."""
    moves: LegalMoves
    move: Move | None
    """the way to the place that was asked about."""


@dataclass(frozen=True)
class Comparison:
    """Two answers side by side."""

    ours: Side
    theirs: Side
    only_ours: int
    """places to end that the other pack does not have."""
    only_theirs: int
    cheaper: int
    """places that both have and that cost less with the other pack."""
    dearer: int
    safer: int
    """places that both have and that are likelier reached with the other pack."""
    riskier: int
    constants: tuple[tuple[str, Any, Any], ...]
    """constants with other values: rule id, ours, theirs."""

    def to_json(self) -> Json:
        """Keys ours and theirs (rules, allowance, places, rulings, move), only_ours, only_theirs, cheaper, dearer, safer,
        riskier, constants."""
        return {
            "ours": _side_json(self.ours),
            "theirs": _side_json(self.theirs),
            "only_ours": self.only_ours,
            "only_theirs": self.only_theirs,
            "cheaper": self.cheaper,
            "dearer": self.dearer,
            "safer": self.safer,
            "riskier": self.riskier,
            "constants": [
                {"rule": rule, "ours": ours, "theirs": theirs} for rule, ours, theirs in self.constants
            ],
        }


def _side_json(side: Side) -> Json:
    return {
        "rules": side.rules,
        "allowance": side.moves.allowance,
        "places": len(side.moves.spots),
        "rulings": [ruling.to_json() for ruling in side.moves.rulings],
        "move": None if side.move is None else side.move.to_json(),
    }


def compare(
    field: Battlefield,
    other: Pack,
    fighter: str,
    action: str = "move",
    target: str | None = None,
    to: tuple[float, float, float | None] | None = None,
    facing: float | None = None,
) -> Comparison:
    """The same question under the battlefield's own pack and under another; to: a place to ask the way to, inches."""

    def side(one: Battlefield) -> Side:
        moves = one.moves(fighter, action, target=target)
        return Side(_name(one.pack), moves, None if to is None else moves.to(*to, facing=facing))

    ours, theirs = side(field), side(field.under(other))
    mine, other_spots = ours.moves.spots, theirs.moves.spots
    match = _matches(mine, other_spots)
    both = np.flatnonzero(match >= 0)
    cost = other_spots["cost"][match[both]] - mine["cost"][both]
    odds = other_spots["success"][match[both]] - mine["success"][both]
    return Comparison(
        ours=ours,
        theirs=theirs,
        only_ours=int((match < 0).sum()),
        only_theirs=int((_matches(other_spots, mine) < 0).sum()),
        cheaper=int((cost < -_SAME).sum()),
        dearer=int((cost > _SAME).sum()),
        safer=int((odds > 1e-6).sum()),
        riskier=int((odds < -1e-6).sum()),
        constants=tuple(
            (one.rule, one.ours.value, one.theirs.value)
            for one in differences(field.pack, other)
            if one.ours is not None and one.theirs is not None
        ),
    )


def _matches(ours: Spots, theirs: Spots) -> NDArray[np.intp]:
    """For each of our places the same place of theirs, -1 where there is none, (n,)."""
    if not len(ours) or not len(theirs):
        return np.full(len(ours), -1, dtype=np.intp)
    away, index = cKDTree(_points(theirs)).query(_points(ours), distance_upper_bound=NEAR)
    return np.where(np.isfinite(away), index, -1).astype(np.intp)


def _points(spots: Spots) -> NDArray[np.float64]:
    return np.column_stack([spots["x"], spots["y"], _LEVEL * spots["z"]])


def _name(pack: Pack) -> str:
    changed = ", ".join(f"{key}={_word(value)}" for key, value in pack.changed)
    return f"{pack.id} with {changed}" if changed else pack.id


def _word(value: Any) -> str:
    return (
        f"{value:g}" if isinstance(value, int | float) and not isinstance(value, bool) else str(value).lower()
    )


def settings_of(texts: tuple[str, ...]) -> Mapping[str, str]:
    """``KEY=VALUE`` texts as settings; ValueError for a text without both."""
    found = {}
    for text in texts:
        key, sign, value = text.partition("=")
        if not (key.strip() and sign and value.strip()):
            raise ValueError(f"{text!r} should be KEY=VALUE, like climb_cost=1")
        found[key.strip()] = value.strip()
    return found


def tell_comparison(found: Comparison) -> tuple[str, ...]:
    """A comparison in sentences."""
    told = []
    for one in (found.ours, found.theirs):
        why = f" {one.moves.rulings[0].text}" if one.moves.rulings else ""
        told.append(
            sentence(
                "comparing", "side", rules=one.rules, allowance=length(one.moves.allowance),
                places=len(one.moves.spots), why=why,
            )
        )  # fmt: skip
        if one.move is not None:
            told.append(_tell_way(one))
    told.append(
        sentence(
            "comparing", "places", theirs=found.theirs.rules, lost=found.only_ours, gained=found.only_theirs,
            cheaper=found.cheaper, dearer=found.dearer, safer=found.safer, riskier=found.riskier,
        )
    )  # fmt: skip
    if not found.constants:
        told.append(sentence("comparing", "same"))
    elif len(found.constants) > MOST:
        told.append(sentence("comparing", "many", count=len(found.constants)))
    for rule, ours, theirs in found.constants[: MOST if len(found.constants) <= MOST else 0]:
        told.append(sentence("comparing", "constant", rule=rule, ours=_word(ours), theirs=_word(theirs)))
    return tuple(told)


def _tell_way(side: Side) -> str:
    move = side.move
    assert move is not None
    if move.legal and move.cost is not None:
        odds = chance(1.0 if move.success is None else move.success)
        return sentence("comparing", "way", rules=side.rules, cost=length(move.cost), chance=odds)
    why = move.rulings[0].text if move.rulings else ""
    return sentence("comparing", "no-way", rules=side.rules, why=why)
