"""Polygons of mesh files cut into triangles: fans for convex ones, ears for the rest."""

from __future__ import annotations

import numpy as np

from sandbox.terrain.formats.raw import Floats, Indices


def fan_or_ears(vertices: Floats, corners: Indices, starts: Indices) -> Indices:
    """(m, 3) triangles of polygons, in their order; polygon k is corners[starts[k] : starts[k + 1]].

    Polygons of fewer than three corners give nothing.
    """
    sizes = np.diff(starts)
    fans = np.maximum(sizes - 2, 0)
    owner = np.repeat(np.arange(len(sizes)), fans)
    offset = np.arange(len(owner)) - np.repeat(np.cumsum(fans) - fans, fans)
    base = starts[owner]
    triangles = np.stack([corners[base], corners[base + offset + 1], corners[base + offset + 2]], axis=1)
    # a fan is right unless one of its triangles turns against the polygon's own normal
    cross = np.cross(
        vertices[triangles[:, 1]] - vertices[triangles[:, 0]],
        vertices[triangles[:, 2]] - vertices[triangles[:, 0]],
    )
    total = np.zeros((len(sizes), 3))
    np.add.at(total, owner, cross)
    against = np.einsum("ij,ij->i", cross, total[owner]) < 0
    first = np.cumsum(fans) - fans
    for polygon in np.unique(owner[against & (sizes[owner] > 3)]):
        ring = corners[starts[polygon] : starts[polygon + 1]]
        triangles[first[polygon] : first[polygon] + fans[polygon]] = _ears(vertices, ring, total[polygon])
    return triangles


def _ears(vertices: Floats, ring: Indices, normal: Floats) -> Indices:
    """Triangles of one simple polygon by clipping ears, seen along its normal."""
    axis = int(np.argmax(np.abs(normal)))
    plan = np.delete(vertices[ring], axis, axis=1)
    sign = np.sign(normal[axis]) * (-1.0 if axis == 1 else 1.0)

    def area(a: int, b: int, c: int) -> float:
        u, v = plan[b] - plan[a], plan[c] - plan[a]
        return float(sign * (u[0] * v[1] - u[1] * v[0]))

    left = list(range(len(ring)))
    cut: list[tuple[int, int, int]] = []
    while len(left) > 3:
        best = 0
        for k in range(len(left)):
            a, b, c = left[k - 1], left[k], left[(k + 1) % len(left)]
            if area(a, b, c) <= 0:
                continue
            inside = any(
                area(a, b, p) > 0 and area(b, c, p) > 0 and area(c, a, p) > 0
                for p in left
                if p not in (a, b, c)
            )
            if not inside:
                best = k
                break
        cut.append((left[best - 1], left[best], left[(best + 1) % len(left)]))
        left.pop(best)
    cut.append((left[0], left[1], left[2]))
    return ring[np.array(cut, dtype=np.int64)]
