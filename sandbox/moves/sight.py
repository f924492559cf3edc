"""Who sees whom: from the eye to three heights of the other's body (law of geometry, 18)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sandbox.moves.placed import Placed

if TYPE_CHECKING:
    from sandbox.moves.battlefield import Battlefield

EYE = 0.9
"""height of the eye as a share of the body's."""
SEEN = (0.1, 0.5, 0.9)
"""heights of the other's body that are looked at, as shares of it."""


def sees(field: Battlefield, viewer: Placed, other: Placed) -> bool:
    """Whether one model sees another. Solid terrain blocks, and so do models that are standing."""
    x, y, z = viewer.at
    eye = np.array([x, y, z + EYE * viewer.height])
    targets = np.array([[other.at[0], other.at[1], other.at[2] + s * other.height] for s in SEEN])
    hits = field.world.rays(np.repeat(eye[None, :], len(targets), axis=0), targets)
    for target, blocked in zip(targets, hits.hit, strict=True):
        if blocked:
            continue
        between = (m for m in field.fighters if m.id not in (viewer.id, other.id) and not m.prone)
        if not any(crosses(eye, target, one) for one in between):
            return True
    return False


def crosses(eye: np.ndarray, target: np.ndarray, one: Placed) -> bool:
    """Whether the line from the eye (3,) to a point (3,), inches, goes through a model's body."""
    way = target - eye
    at = np.array(one.at)
    square = float(way[:2] @ way[:2])
    if square < 1e-12:
        return False
    reach = one.base.half_short
    share = float((at[:2] - eye[:2]) @ way[:2]) / square
    off = float(np.hypot(*(eye[:2] + share * way[:2] - at[:2])))
    if off >= reach:
        return False
    half = float(np.sqrt(reach**2 - off**2) / np.sqrt(square))
    low, high = max(0.0, share - half), min(1.0, share + half)
    if low >= high:
        return False
    heights = sorted((eye[2] + low * way[2], eye[2] + high * way[2]))
    return bool(heights[0] < at[2] + one.height and heights[1] > at[2])
