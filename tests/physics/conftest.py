"""Both engines, and worlds that are closed after the test."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest
from blocks import Blocks

from sandbox.physics.model import CollisionWorld
from sandbox.physics.world import SETTING, Engine, engines, open_world


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Both engines, or the one that the whole run is for."""
    if "engine" in metafunc.fixturenames:
        named = os.environ.get(SETTING)
        metafunc.parametrize("engine", [Engine(named)] if named else engines(), ids=str)


@pytest.fixture
def build(engine: Engine) -> Iterator[Callable[[Blocks], CollisionWorld]]:
    """Opens worlds of blocks on one engine after the other."""
    opened: list[CollisionWorld] = []

    def opener(blocks: Blocks) -> CollisionWorld:
        opened.append(open_world(blocks.terrain(), engine))
        return opened[-1]

    yield opener
    for world in opened:
        world.close()
