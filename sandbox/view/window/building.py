"""Changes to a scene while it is built: pure functions from a scene to a scene. Inches and degrees."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

from sandbox.kinds import Kind
from sandbox.scene import Anchor, Fighter, Piece, Scene, Shape

Point = tuple[float, float, float]

SHAPES: dict[Shape, tuple[float, ...]] = {
    Shape.BOX: (2.0, 2.0, 1.0),
    Shape.CYLINDER: (1.0, 1.0),
    Shape.RAMP: (3.0, 2.0, 1.0),
    Shape.STAIRS: (3.0, 2.0, 2.0, 6),
}
"""sizes of a new shape, inches."""


def snapped(value: float, step: float) -> float:
    """The nearest multiple of a step; 0: as it is."""
    return value if step <= 0 else round(round(value / step) * step, 6)


def piece(scene: Scene, name: str) -> Piece | None:
    """The piece of an id."""
    return next((one for one in scene.terrain if one.id == name), None)


def fighter(scene: Scene, name: str) -> Fighter | None:
    """The fighter of an id."""
    return next((one for one in scene.fighters if one.id == name), None)


def change_piece(scene: Scene, name: str, **values: Any) -> Scene:
    """A piece with other values (at, turn, tilt, kind, scale)."""
    return replace(scene, terrain=tuple(replace(p, **values) if p.id == name else p for p in scene.terrain))


def change_fighter(scene: Scene, name: str, **values: Any) -> Scene:
    """A fighter with other values (at, z, facing, base, height, status, ...)."""
    return replace(scene, fighters=tuple(replace(f, **values) if f.id == name else f for f in scene.fighters))


def remove(scene: Scene, name: str) -> Scene:
    """Without the piece or fighter of an id."""
    return replace(
        scene,
        terrain=tuple(p for p in scene.terrain if p.id != name),
        fighters=tuple(f for f in scene.fighters if f.id != name),
    )


def duplicate(scene: Scene, name: str, offset: tuple[float, float] = (1.0, -1.0)) -> tuple[Scene, str]:
    """A copy of a piece or fighter beside it; the scene, and the copy's id."""
    fresh = free_id(scene, name)
    own = piece(scene, name)
    if own is not None:
        at = (own.at[0] + offset[0], own.at[1] + offset[1], own.at[2])
        return replace(
            scene, terrain=(*scene.terrain, replace(own, id=fresh, at=at, loc=(), line=None))
        ), fresh
    who = fighter(scene, name)
    if who is None:
        return scene, name
    plan = (who.at[0] + 2 * offset[0], who.at[1] + 2 * offset[1])
    return replace(
        scene, fighters=(*scene.fighters, replace(who, id=fresh, at=plan, loc=(), line=None))
    ), fresh


def add_model(scene: Scene, model: Path, at: Point) -> tuple[Scene, str]:
    """A model file as a new piece."""
    fresh = free_id(scene, model.stem)
    folder = scene.path.resolve().parent
    try:
        name = model.resolve().relative_to(folder.parent).as_posix()
        name = f"../{name}"
    except ValueError:
        name = str(model.resolve())
    made = Piece(id=fresh, shape=Shape.MODEL, model=model, model_name=name, at=at, anchor=Anchor.CENTRE)
    return replace(scene, terrain=(*scene.terrain, made)), fresh


def add_shape(scene: Scene, shape: Shape, at: Point) -> tuple[Scene, str]:
    """A plain shape as a new piece."""
    fresh = free_id(scene, shape.value)
    kind = {Shape.STAIRS: Kind.STAIRS, Shape.RAMP: Kind.RAMP}.get(shape, Kind.AUTO)
    made = Piece(id=fresh, shape=shape, sizes=SHAPES[shape], at=at, kind=kind)
    return replace(scene, terrain=(*scene.terrain, made)), fresh


def add_fighter(scene: Scene, side: str, at: Point) -> tuple[Scene, str]:
    """A new fighter of a side, like the last one of it."""
    fresh = free_id(scene, side or "fighter")
    like = next((f for f in reversed(scene.fighters) if f.side == side), None)
    made = replace(
        like or Fighter(id=fresh, at=(at[0], at[1]), side=side),
        id=fresh, at=(at[0], at[1]), z=at[2], status="standing", loc=(), line=None,
    )  # fmt: skip
    return replace(scene, fighters=(*scene.fighters, made)), fresh


def free_id(scene: Scene, name: str) -> str:
    """An id that nothing in the scene has, made from a name."""
    taken = {p.id for p in scene.terrain} | {f.id for f in scene.fighters} | {"board", "ceiling"}
    stem = name.rstrip("0123456789").rstrip("-") or name
    if name not in taken:
        return name
    number = 2
    while f"{stem}-{number}" in taken:
        number += 1
    return f"{stem}-{number}"


def turned(at: tuple[float, float], about: tuple[float, float], degrees: float) -> tuple[float, float]:
    """A plan point turned about another."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    x, y = at[0] - about[0], at[1] - about[1]
    return about[0] + x * c - y * s, about[1] + x * s + y * c
