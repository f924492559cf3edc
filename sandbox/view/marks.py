"""From a battlefield and its answers to the marks that are drawn: only names and forms change here."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sandbox.moves.answers import Check, Leg, LegalMoves, Move
from sandbox.scene.model import DEFAULT_HEIGHT, PRONE_HEIGHT, Fighter, Scene
from sandbox.terrain.model import Terrain
from sandbox.units import MM_PER_INCH
from sandbox.view.drape import Ground
from sandbox.view.meshes import face_normals
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

Floats = NDArray[np.float64]

LYING = {"prone", "pinned", "seriously-injured", "prone-and-pinned", "stunned", "out-of-action"}
"""words of a status that mean that the model lies down."""


class Field(Protocol):
    """What a picture needs of a battlefield."""

    @property
    def scene(self) -> Scene:
        """What was set up."""

    @property
    def terrain(self) -> Terrain:
        """Its meshes."""


def staged(
    field: Field, *, fighter: str | None = None, moves: LegalMoves | None = None, move: Move | None = None
) -> StageInput:
    """Everything of a battlefield, one fighter's reach and one way, as marks."""
    scene = field.scene
    asked: LegalMoves | Move | None = moves if moves is not None else move
    name = fighter if fighter is not None else None if asked is None else asked.fighter
    if name is not None:
        scene.fighter(name)
    heights = _Floors(field.terrain)
    return StageInput(
        terrain=field.terrain,
        areas=tuple(AreaMark(area.kind, area.polygon, area.z) for area in scene.areas),
        fighters=tuple(_fighter(one, heights, one.id == name) for one in scene.fighters),
        reach=None if moves is None else Reach(_spots(moves), moves.allowance),
        way=None
        if move is None
        else way(move, next((f.facing for f in scene.fighters if f.id == name), 0.0)),
        caption=Caption(
            scene=scene.name,
            rules=scene.rules if asked is None else asked.rules,
            fighter=name or "",
            action="" if asked is None else asked.action,
            notes=() if moves is None else tuple(ruling.text for ruling in moves.rulings),
        ),
    )


def way(move: Move, facing: float = 0.0) -> Way:
    """A move as a way to draw; `facing` is the fighter's where the move does not turn it."""
    return Way(
        legs=tuple(_leg(leg) for leg in move.legs),
        end=move.to,
        legal=move.legal,
        cost=move.cost,
        success=move.success,
        rulings=tuple(RulingMark(r.rule, r.text, r.source, r.where) for r in move.rulings),
        facing=facing if move.facing is None else move.facing,
    )


def _leg(leg: Leg) -> LegMark:
    path = leg.path if len(leg.path) >= 2 else (leg.start, leg.end)
    return LegMark(
        leg.kind,
        np.asarray(path, dtype=np.float64),
        leg.length,
        leg.cost,
        tuple(CheckMark(_check(check), check.chance) for check in leg.checks),
    )


def _check(check: Check) -> str:
    name = check.kind.value.capitalize()
    return f"{name} {check.needed}+"


def _spots(moves: LegalMoves) -> Floats:
    spots = moves.spots
    return np.column_stack([spots[name] for name in ("x", "y", "z", "cost", "success")]).astype(np.float64)


def _fighter(fighter: Fighter, floors: _Floors, active: bool) -> FighterMark:
    words = set(fighter.status.lower().replace("_", "-").split()) | {fighter.status.lower().replace(" ", "-")}
    prone = bool(words & LYING) or any(word in fighter.status.lower() for word in LYING)
    height = fighter.height if fighter.height is not None else PRONE_HEIGHT if prone else DEFAULT_HEIGHT
    return FighterMark(
        name=fighter.id,
        at=(*fighter.at, floors.under(*fighter.at, fighter.z)),
        base_mm=fighter.base,
        height=height,
        side=fighter.side,
        facing=fighter.facing,
        prone=prone,
        status=fighter.status,
        active=active,
    )


class _Floors:
    """Heights under places of a terrain, worked out only when one is asked for."""

    def __init__(self, terrain: Terrain) -> None:
        self._terrain = terrain
        self._ground: Ground | None = None

    def under(self, x: float, y: float, z: float | None) -> float:
        """The floor nearest to z; the highest where z is None."""
        if self._ground is None:
            corners = np.asarray(self._terrain.vertices, dtype=np.float64)[self._terrain.faces] / MM_PER_INCH
            self._ground = Ground(corners, face_normals(corners))
        return self._ground.floor(x, y, z)
