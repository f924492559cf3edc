"""From a file's frame to the board's: units, the up axis, scale, tilt, turn, place."""

from __future__ import annotations

import math

import numpy as np

from sandbox.scene.model import Anchor, Unit, UpAxis
from sandbox.terrain.formats.raw import Floats
from sandbox.units import MM_PER_INCH

MM_PER_UNIT = {Unit.MM: 1.0, Unit.CM: 10.0, Unit.INCH: MM_PER_INCH, Unit.METRE: 1000.0}


def upright(vertices: Floats, unit: Unit, up: UpAxis, scale: float) -> Floats:
    """(n, 3) file coordinates as millimetres with z up: the model's own frame. Y up is turned about x."""
    if up is UpAxis.Y:
        vertices = np.column_stack((vertices[:, 0], -vertices[:, 2], vertices[:, 1]))
    out: Floats = np.ascontiguousarray(vertices * (MM_PER_UNIT[unit] * scale))
    return out


def turned(degrees: float) -> Floats:
    """(2, 2) rotation in plan, counter-clockwise; exact at quarter turns."""
    quarter, rest = divmod(degrees, 90.0)
    if rest == 0.0:
        c, s = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[int(quarter) % 4]
    else:
        c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array([[c, -s], [s, c]])


def stand(vertices: Floats, tilt: tuple[float, float], anchor: Anchor) -> Floats:
    """(n, 3) mm tilted about x, then y, with the anchor over the origin and the lowest point at z = 0.

    The anchor is that of the model's own box, before tilting: its middle, or its corner of least x and y. Tilting
    goes about the middle of the box.
    """
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    middle = (low + high) / 2
    out: Floats = vertices - middle
    if tilt != (0.0, 0.0):
        about_x, about_y = turned(tilt[0]), turned(tilt[1])
        out[:, 1:] = out[:, 1:] @ about_x.T
        # y to the right of x and z: a positive turn about y takes z towards x
        out[:, (2, 0)] = out[:, (2, 0)] @ about_y.T
    if anchor is Anchor.CORNER:
        out[:, :2] += (high - low)[:2] / 2
    out[:, 2] -= out[:, 2].min()
    return out


def put(vertices: Floats, turn: float, at: tuple[float, float, float]) -> Floats:
    """(n, 3) mm turned about the origin and moved to `at` (inches)."""
    out = np.empty_like(vertices)
    out[:, :2] = vertices[:, :2] @ turned(turn).T if turn % 360.0 else vertices[:, :2]
    out[:, 2] = vertices[:, 2]
    out += np.array(at) * MM_PER_INCH
    return out
