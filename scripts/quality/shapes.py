"""Solids for builds with planted faults. Millimetres, z up. Nothing of the check is used here."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Triangles = NDArray[np.float64]
"""(m, 3, 3) corners, counter-clockwise seen from outside."""


def box(x0: float, y0: float, z0: float, x1: float, y1: float, z1: float) -> Triangles:
    return prism([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], z0, z1)


def prism(outline: list[tuple[float, float]], low: float, high: float | list[float]) -> Triangles:
    """A convex outline, counter-clockwise, pulled up; high: one height, or one per corner (a plane)."""
    n = len(outline)
    tops = [high] * n if isinstance(high, int | float) else high
    under = np.array([(x, y, low) for x, y in outline], dtype=np.float64)
    over = np.array([(x, y, z) for (x, y), z in zip(outline, tops, strict=True)], dtype=np.float64)
    faces = []
    for k in range(1, n - 1):
        faces.append((under[0], under[k + 1], under[k]))
        faces.append((over[0], over[k], over[k + 1]))
    for k in range(n):
        j = (k + 1) % n
        faces.append((under[k], under[j], over[j]))
        faces.append((under[k], over[j], over[k]))
    return np.array(faces)


def pillar(x: float, y: float, radius: float, low: float, high: float, sides: int = 24) -> Triangles:
    ring = [
        (x + radius * math.cos(2 * math.pi * k / sides), y + radius * math.sin(2 * math.pi * k / sides))
        for k in range(sides)
    ]
    return prism(ring, low, high)


def spike(
    x0: float, y0: float, x1: float, y1: float, high: float, tip: tuple[float, float, float]
) -> Triangles:
    """A box whose lid is drawn to a point; where that lies outside, the lid crosses a side."""
    shell = list(box(x0, y0, 0.0, x1, y1, high))
    rest = [t for t in shell if not (t[:, 2] == high).all()]
    corners = [np.array(p) for p in ((x0, y0, high), (x1, y0, high), (x1, y1, high), (x0, y1, high))]
    rest += [np.array([corners[k], corners[(k + 1) % 4], np.array(tip)]) for k in range(4)]
    return np.array(rest, dtype=np.float64)


@dataclass
class Solid:
    """What one module is made of."""

    bodies: list[Triangles] = field(default_factory=list)
    kinds: dict[int, str] = field(default_factory=dict)
    """kind of a body, by its index."""

    def add(self, triangles: Triangles, kind: str = "") -> int:
        self.bodies.append(triangles)
        if kind:
            self.kinds[len(self.bodies) - 1] = kind
        return len(self.bodies) - 1

    @property
    def plan(self) -> tuple[Floats, Floats]:
        points = np.concatenate([b.reshape(-1, 3) for b in self.bodies])
        return points[:, :2].min(axis=0), points[:, :2].max(axis=0)


def turned(
    triangles: Triangles, degrees: float, about: tuple[float, float], to: tuple[float, float]
) -> Triangles:
    angle = math.radians(degrees)
    c, s = math.cos(angle), math.sin(angle)
    out = triangles.copy()
    x, y = triangles[..., 0] - about[0], triangles[..., 1] - about[1]
    out[..., 0] = c * x - s * y + to[0]
    out[..., 1] = s * x + c * y + to[1]
    return out


def place(
    point: tuple[float, float, float], degrees: float, about: tuple[float, float], to: tuple[float, float]
) -> Floats:
    return turned(np.array(point, dtype=np.float64)[None, None, :], degrees, about, to)[0, 0]


def stl(triangles: Triangles) -> bytes:
    """A binary STL file."""
    normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-300)
    record = np.zeros(len(triangles), dtype=[("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")])
    record["n"], record["v"] = normal, triangles
    return b"\0" * 80 + np.uint32(len(triangles)).tobytes() + record.tobytes()
