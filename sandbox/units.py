"""Lengths: inches on the table, millimetres for meshes and bases, and the one snap of measurements.

The 0.05 mm snap is the only tolerance that comparisons of measurements know; equality is always in the mover's favour.
"""

from __future__ import annotations

MM_PER_INCH = 25.4
SNAP_MM = 0.05


def mm(inches: float) -> float:
    """Millimetres of a length in inches."""
    return inches * MM_PER_INCH


def inches(millimetres: float) -> float:
    """Inches of a length in millimetres."""
    return millimetres / MM_PER_INCH
