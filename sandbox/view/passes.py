"""Which cameras see which nodes: the terrain, and what lies and stands on it, can be drawn apart."""

from __future__ import annotations

from typing import Any

from panda3d import core

TERRAIN: Any = core.BitMask32.bit(1)
"""what a camera that draws the terrain alone sees."""
MARKS: Any = core.BitMask32.bit(2)
"""what a camera sees that draws everything but the terrain."""


def terrain(node: Any) -> Any:
    """Show a node to cameras that draw terrain; the node."""
    node.hide(MARKS)
    return node


def mark(node: Any) -> Any:
    """Show a node to cameras that draw what is not terrain; the node."""
    node.hide(TERRAIN)
    return node
