"""From where a lesson's picture is looked at, as cameras have it."""

from __future__ import annotations

import numpy as np

from sandbox.teach.model import Look
from sandbox.view.camera import Camera


def eye(look: Look | str | None) -> Camera | str | None:
    """The camera of a look of one's own; names of cameras, and None, stay."""
    if not isinstance(look, Look):
        return look
    camera = Camera(look.at, 1.0, look.side, look.above)
    distance = look.wide / 2 / np.tan(np.radians(camera.view_angle) / 2)
    return Camera(look.at, float(distance), look.side, look.above)
