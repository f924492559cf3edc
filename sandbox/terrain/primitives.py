"""Shapes without a mesh: box, cylinder, ramp, stairs. Closed, outward, centred in plan on the origin, bottom at z = 0."""

from __future__ import annotations

import math

import numpy as np

from sandbox.terrain.formats.raw import Floats, Indices

Mesh = tuple[Floats, Indices]

CHORD_MM = 0.02
"""Farthest that a cylinder's sides run inside its circle."""


def prism(profile: Floats, length: float) -> Mesh:
    """Extrusion of a convex (n, 2) profile in x and z, counter-clockwise seen from -y, along y; mm, centred."""
    n = len(profile)
    front = np.column_stack((profile[:, 0], np.full(n, -length / 2), profile[:, 1]))
    back = front + np.array((0.0, length, 0.0))
    ring = np.arange(n)
    after = (ring + 1) % n
    sides = np.concatenate(
        (np.stack((ring, ring + n, after), axis=1), np.stack((after, ring + n, after + n), axis=1))
    )
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
    vertices = np.concatenate(
        (low, low + np.array((0.0, 0.0, height)), [(0.0, 0.0, 0.0), (0.0, 0.0, height)])
    )
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
    # corners of the front: along the bottom, then the lower and upper end of each riser, then the far top
    x = -run / 2 + run * np.arange(steps + 1) / steps
    z = rise * np.arange(steps + 1) / steps
    under = list(range(steps + 1))
    low = [0, *range(steps + 1, 2 * steps)]
    high = list(range(2 * steps, 3 * steps))
    top = 3 * steps
    flat = np.concatenate(
        (
            np.column_stack((x, np.zeros(steps + 1))),
            np.column_stack((x[1:steps], z[1:steps])),
            np.column_stack((x[:steps], z[1:])),
            [(x[steps], z[steps])],
        )
    )
    count = len(flat)
    front: list[tuple[int, int, int]] = []
    outline = [*under, top]
    for k in range(steps):
        # one column under each tread, from the riser's lower end round to its upper end
        right = low[k + 1] if k + 1 < steps else top
        ring = [low[k], under[k], under[k + 1], right, high[k]] if k else [0, 1, right, high[0]]
        front.extend((ring[0], ring[j], ring[j + 1]) for j in range(1, len(ring) - 1))
    for k in reversed(range(steps)):
        outline.extend((high[k], low[k]) if k else (high[k],))
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
