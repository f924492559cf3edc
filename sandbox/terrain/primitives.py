"""Shapes without a mesh: box, cylinder, ramp, stairs. Closed, outward, centred in plan on the origin, bottom at z = 0."""

from __future__ import annotations

import math

import numpy as np

from sandbox.terrain.formats.raw import Floats, Indices

Mesh = tuple[Floats, Indices]

CHORD_MM = 0.005
"""Farthest that a cylinder's sides run inside its circle."""


def prism(profile: Floats, length: float) -> Mesh:
    """Extrusion of an (n, 2) profile in x and z, counter-clockwise seen from -y, along y; `length` mm, centred.

    The profile may be any simple polygon whose fan from its first corner is right.
    """
    n = len(profile)
    front = np.column_stack((profile[:, 0], np.full(n, -length / 2), profile[:, 1]))
    back = front + (0.0, length, 0.0)
    ring = np.arange(n)
    after = (ring + 1) % n
    sides = np.concatenate((np.stack((ring, ring + n, after), axis=1), np.stack((after, ring + n, after + n), axis=1)))
    fan = np.stack((np.zeros(n - 2, dtype=np.int64), ring[1:-1], ring[2:]), axis=1)
    return np.concatenate((front, back)), np.concatenate((fan, fan[:, ::-1] + n, sides))


def box(dx: float, dy: float, dz: float) -> Mesh:
    """A box, mm."""
    x = dx / 2
    return prism(np.array([(-x, 0.0), (x, 0.0), (x, dz), (-x, dz)]), dy)


def cylinder(radius: float, height: float) -> Mesh:
    """An upright cylinder, mm, with sides enough to keep within CHORD_MM of the circle, which all its corners are on."""
    half = math.acos(max(-1.0, 1.0 - CHORD_MM / radius)) if radius > CHORD_MM else math.pi / 3
    n = min(720, max(24, 4 * math.ceil(math.pi / half / 4)))
    turn = 2 * np.pi * np.arange(n) / n
    ring = radius * np.column_stack((np.cos(turn), np.sin(turn)))
    low = np.column_stack((ring, np.zeros(n)))
    vertices = np.concatenate((low, low + (0.0, 0.0, height), [(0.0, 0.0, 0.0), (0.0, 0.0, height)]))
    k = np.arange(n)
    after = (k + 1) % n
    faces = np.concatenate(
        (
            np.stack((k, after, k + n), axis=1),
            np.stack((after, after + n, k + n), axis=1),
            np.stack((np.full(n, 2 * n), after, k), axis=1),
            np.stack((np.full(n, 2 * n + 1), k + n, after + n), axis=1),
        )
    )
    return vertices, faces


def ramp(run: float, width: float, rise: float) -> Mesh:
    """A wedge that rises towards +x from z = 0 to `rise`, mm."""
    x = run / 2
    return prism(np.array([(-x, 0.0), (x, 0.0), (x, rise)]), width)


def stairs(run: float, width: float, rise: float, steps: int) -> Mesh:
    """Solid stairs that rise towards +x: `steps` equal risers, each with its tread behind it, mm."""
    x = -run / 2 + run * np.arange(steps + 1) / steps
    z = rise * np.arange(steps + 1) / steps
    n = steps
    # corners of the front: the foot of each riser along the bottom, and the two ends of each riser
    corners: list[tuple[float, float]] = [(float(value), 0.0) for value in x]
    under = list(range(n + 1))
    low: list[int] = []
    high: list[int] = []
    for k in range(n):
        low.append(len(corners) if k else 0)
        if k:
            corners.append((float(x[k]), float(z[k])))
        high.append(len(corners))
        corners.append((float(x[k]), float(z[k + 1])))
    top = len(corners)
    corners.append((float(x[n]), float(z[n])))
    right = [*low[1:], top]  # where each tread ends: at the next riser's lower end
    flat = np.array(corners)
    count = len(flat)
    front: list[tuple[int, int, int]] = []
    for k in range(n):
        ring = [under[k], under[k + 1], right[k], high[k]]
        if k and low[k] != under[k]:
            ring.append(low[k])
        front.extend((ring[0], ring[j], ring[j + 1]) for j in range(1, len(ring) - 1))
    outline = [*under, top]
    for k in range(n - 1, -1, -1):
        outline.append(high[k])
        if k:
            outline.append(low[k])
    ring_at = np.array(outline)
    after = np.roll(ring_at, -1)
    face = np.array(front, dtype=np.int64)
    vertices = np.concatenate(
        (
            np.column_stack((flat[:, 0], np.full(count, -width / 2), flat[:, 1])),
            np.column_stack((flat[:, 0], np.full(count, width / 2), flat[:, 1])),
        )
    )
    sides = np.concatenate(
        (
            np.stack((ring_at, ring_at + count, after), axis=1),
            np.stack((after, ring_at + count, after + count), axis=1),
        )
    )
    return vertices, np.concatenate((face, face[:, ::-1] + count, sides))
