"""From a battlefield and its answers to the marks that are drawn: only names and forms change here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sandbox.kinds import Kind
from sandbox.moves.answers import Check, Leg, LegalMoves, Move, Ruling
from sandbox.moves.placed import Placed
from sandbox.view.model import (
    AreaMark,
    Caption,
    CheckMark,
    FighterMark,
    LegMark,
    Reach,
    RulingMark,
    StageInput,
    Way,
)

if TYPE_CHECKING:
    from sandbox.moves.battlefield import Battlefield

Floats = NDArray[np.float64]

KEEP_DISTANCE = "keep_distance"
"""rule whose limit is a distance from another base."""


def staged(
    field: Battlefield,
    *,
    fighter: str | None = None,
    moves: LegalMoves | None = None,
    move: Move | None = None,
) -> StageInput:
    """Everything of a battlefield, one fighter's reach and one way, as marks."""
    scene = field.scene
    asked: LegalMoves | Move | None = moves if moves is not None else move
    name = fighter if fighter is not None else None if asked is None else asked.fighter
    active = None if name is None else field.fighter(name)
    return StageInput(
        terrain=field.terrain,
        # What the players called it by name stays that; only what was left open shows as what the pack makes of it.
        kinds=tuple(
            role if part.kind is Kind.AUTO else part.kind
            for part, role in zip(field.terrain.parts, field.roles.kinds, strict=True)
        ),
        areas=tuple(AreaMark(area.kind, area.polygon, area.z) for area in scene.areas),
        fighters=tuple(mark(one, active=one.id == name) for one in field.fighters),
        reach=None if moves is None else Reach(_spots(moves), moves.allowance),
        way=None if move is None else _way_of(move, active),
        caption=Caption(
            scene=scene.name,
            rules=field.pack.name,
            fighter=name or "",
            action="" if asked is None else asked.action,
            notes=() if moves is None else tuple(ruling.text for ruling in moves.rulings),
        ),
    )


def _way_of(move: Move, active: Placed | None) -> Way:
    """A move of a fighter as a way to draw."""
    if active is None:
        return way(move)
    return way(move, active.base.facing, driven=active.drives)


def way(move: Move, facing: float = 0.0, *, driven: bool = False) -> Way:
    """A move as a way to draw; `facing` is the fighter's where the move does not turn it; driven: by a vehicle."""
    return Way(
        legs=tuple(_leg(leg, driven=driven) for leg in move.legs),
        end=move.to,
        legal=move.legal,
        cost=move.cost,
        success=move.success,
        rulings=tuple(_ruling(r) for r in move.rulings),
        facing=facing if move.facing is None else move.facing,
    )


def _leg(leg: Leg, *, driven: bool) -> LegMark:
    path = leg.path if len(leg.path) >= 2 else (leg.start, leg.end)
    return LegMark(
        leg.kind,
        np.asarray(path, dtype=np.float64),
        leg.length,
        leg.cost,
        tuple(CheckMark(_check(check), check.chance) for check in leg.checks),
        leg.up if leg.up >= leg.down else -leg.down,
        driven,
    )


def _ruling(ruling: Ruling) -> RulingMark:
    keep = ruling.limit if ruling.rule == KEEP_DISTANCE else None
    return RulingMark(ruling.rule, ruling.text, ruling.source, ruling.where, keep)


def _check(check: Check) -> str:
    name = check.kind.value.capitalize()
    return f"{name} {check.needed}+"


def _spots(moves: LegalMoves) -> Floats:
    spots = moves.spots
    return np.column_stack([spots[name] for name in ("x", "y", "z", "cost", "success")]).astype(np.float64)


def mark(placed: Placed, *, active: bool = False) -> FighterMark:
    """A fighter as it is drawn."""
    return FighterMark(
        name=placed.id,
        at=placed.at,
        base_mm=placed.fighter.base,
        height=placed.height,
        side=placed.fighter.side,
        facing=placed.fighter.facing,
        prone=placed.prone,
        status=placed.fighter.status,
        active=active,
        vehicle=placed.drives,
    )
