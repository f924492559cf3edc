"""Opening a collision world: which engine, and how much of the terrain it holds."""

from __future__ import annotations

import importlib.util
from enum import StrEnum

from sandbox.errors import UserError
from sandbox.physics.model import CollisionWorld
from sandbox.terrain.model import Terrain


class Engine(StrEnum):
    """The engines behind the one interface."""

    PYBULLET = "pybullet"
    PANDA = "panda3d"


def engines() -> tuple[Engine, ...]:
    """The engines that are installed, the preferred one first."""
    places = {Engine.PYBULLET: "pybullet", Engine.PANDA: "panda3d"}
    return tuple(e for e, module in places.items() if importlib.util.find_spec(module) is not None)


def open_world(
    terrain: Terrain,
    engine: Engine | str | None = None,
    window: tuple[float, float, float, float] | None = None,
) -> CollisionWorld:
    """Build the collision world of a terrain; close it when done, and use it from the thread that opened it.

    engine: None takes the preferred one that is installed. window: plan rectangle x0, y0, x1, y1 in inches;
    triangles wholly outside may be left out. Raises UserError where the engine is unknown or not installed.
    """
    known = ", ".join(Engine)
    if engine is not None and engine not in set(Engine):
        raise UserError(f"no physics engine is called {engine!r}; there are {known}")
    found = engines()
    wanted = Engine(engine) if engine is not None else next(iter(found), Engine.PYBULLET)
    if wanted not in found:
        raise UserError(f"the physics engine {wanted} is not installed; install one of {known}")
    if wanted is Engine.PANDA:
        from sandbox.physics.panda import PandaWorld  # noqa: PLC0415 - only where it is wanted

        return PandaWorld(terrain, window)
    from sandbox.physics.bullet import BulletWorld  # noqa: PLC0415 - has no wheels for some platforms

    return BulletWorld(terrain, window)
