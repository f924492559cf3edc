"""Opening a collision world: which engine, and how much of the terrain it holds."""

from __future__ import annotations

import importlib.util
import os
from enum import StrEnum
from functools import cached_property

from sandbox.errors import UserError
from sandbox.physics.model import CollisionWorld
from sandbox.terrain.model import Terrain

SETTING = "SANDBOX_ENGINE"
"""the environment variable that names an engine."""


class Engine(StrEnum):
    """The engines behind the one interface."""

    PYBULLET = "pybullet"
    PANDA = "panda3d"


def engines() -> tuple[Engine, ...]:
    """The engines that are installed, the preferred one first."""
    places = {Engine.PYBULLET: "pybullet", Engine.PANDA: "panda3d"}
    return tuple(e for e, module in places.items() if importlib.util.find_spec(module) is not None)


def chosen_engine(engine: Engine | str | None = None) -> Engine:
    """The engine to use: the one named here, else by the setting SANDBOX_ENGINE, else the preferred one installed.

    Raises UserError where it is unknown or not installed.
    """
    named = engine if engine is not None else os.environ.get(SETTING, "").strip() or None
    where = "" if engine is not None else f" ({SETTING} names it)"
    if named is not None and named not in set(Engine):
        raise UserError(f"no physics engine is called {str(named)!r}{where}; there are {', '.join(Engine)}")
    found = engines()
    if not found:
        raise UserError(f"no physics engine is installed; install one of {', '.join(Engine)}")
    if named is None:
        return found[0]
    if named not in found:
        raise UserError(f"the physics engine {named} is not installed{where}; installed: {', '.join(found)}")
    return Engine(named)


def open_world(
    terrain: Terrain,
    engine: Engine | str | None = None,
    window: tuple[float, float, float, float] | None = None,
) -> CollisionWorld:
    """Build the collision world of a terrain; close it when done, and use it from the thread that opened it.

    engine: see `chosen_engine`. window: plan rectangle x0, y0, x1, y1 in inches; triangles wholly outside may be left
    out. Raises UserError where the engine is unknown or not installed.
    """
    if chosen_engine(engine) is Engine.PYBULLET:
        from sandbox.physics.bullet import BulletWorld  # noqa: PLC0415 - has no wheels for some platforms

        return BulletWorld(terrain, window)
    from sandbox.physics.panda import PandaWorld  # noqa: PLC0415 - only where it is wanted

    return PandaWorld(terrain, window)


class Opening:
    """The collision world of a terrain, opened when it is first wanted, for all who share it."""

    def __init__(self, terrain: Terrain) -> None:
        """Nothing is opened yet."""
        self._terrain = terrain

    @cached_property
    def world(self) -> CollisionWorld:
        """The collision world, on the engine that is chosen by itself; from then on for this thread."""
        return open_world(self._terrain)

    def close(self) -> None:
        """Free what was opened, if anything was."""
        if "world" in self.__dict__:
            self.world.close()
