"""Both engines, and worlds that are closed after the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from blocks import Blocks

from sandbox.physics.model import CollisionWorld
from sandbox.physics.world import engines, open_world


@pytest.fixture(params=engines(), ids=str)
def build(request: pytest.FixtureRequest) -> Iterator[Callable[[Blocks], CollisionWorld]]:
    """Opens worlds of blocks on one engine after the other."""
    opened: list[CollisionWorld] = []

    def opener(blocks: Blocks) -> CollisionWorld:
        opened.append(open_world(blocks.terrain(), request.param))
        return opened[-1]

    yield opener
    for world in opened:
        world.close()
