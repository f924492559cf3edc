"""Which bunches of triangles touch: exact distances between triangles, found through boxes of small blocks.

Lengths are in mm.
"""
# mypy: disallow-untyped-decorators=False, disallow-any-unimported=False

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sandbox.compiling import bare, inner, kernel

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

BLOCK = 16
"""triangles in a block."""


@bare
def _segments(p: Floats, q: Floats, r: Floats, s: Floats) -> float:
    """Squared distance between the segments p-q and r-s (Ericson, Real-Time Collision Detection, 5.1.9)."""
    a = e = f = b = c = 0.0
    for k in range(3):
        d1, d2, w = q[k] - p[k], s[k] - r[k], p[k] - r[k]
        a += d1 * d1
        e += d2 * d2
        f += d2 * w
        b += d1 * d2
        c += d1 * w
    t = u = 0.0
    if a <= 1e-18 and e <= 1e-18:
        pass
    elif a <= 1e-18:
        u = min(max(f / e, 0.0), 1.0)
    elif e <= 1e-18:
        t = min(max(-c / a, 0.0), 1.0)
    else:
        den = a * e - b * b
        if den > 1e-12 * a * e:
            t = min(max((b * f - c * e) / den, 0.0), 1.0)
        u = (b * t + f) / e
        if u < 0.0:
            u = 0.0
            t = min(max(-c / a, 0.0), 1.0)
        elif u > 1.0:
            u = 1.0
            t = min(max((b - c) / a, 0.0), 1.0)
    out = 0.0
    for k in range(3):
        d = p[k] + t * (q[k] - p[k]) - r[k] - u * (s[k] - r[k])
        out += d * d
    return out


@bare
def _over(p: Floats, t: Floats, nx: float, ny: float, nz: float) -> bool:
    """Whether a point lies over (or under) a triangle with the given normal."""
    for k in range(3):
        a, b = t[k], t[(k + 1) % 3]
        ex, ey, ez = b[0] - a[0], b[1] - a[1], b[2] - a[2]
        wx, wy, wz = p[0] - a[0], p[1] - a[1], p[2] - a[2]
        side = (ey * wz - ez * wy) * nx + (ez * wx - ex * wz) * ny + (ex * wy - ey * wx) * nz
        if side < 0.0:
            return False
    return True


@inner
def _corners_near(a: Floats, b: Floats, reach: float) -> bool:
    """Whether a corner of a is within reach of the face of b, or an edge of a goes through it."""
    ux, uy, uz = b[1, 0] - b[0, 0], b[1, 1] - b[0, 1], b[1, 2] - b[0, 2]
    vx, vy, vz = b[2, 0] - b[0, 0], b[2, 1] - b[0, 1], b[2, 2] - b[0, 2]
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    length = (nx * nx + ny * ny + nz * nz) ** 0.5
    if length < 1e-12:
        return False
    nx, ny, nz = nx / length, ny / length, nz / length
    height = np.empty(3)
    for k in range(3):
        height[k] = (a[k, 0] - b[0, 0]) * nx + (a[k, 1] - b[0, 1]) * ny + (a[k, 2] - b[0, 2]) * nz
    if min(height[0], height[1], height[2]) > reach or max(height[0], height[1], height[2]) < -reach:
        return False
    point = np.empty(3)
    for k in range(3):
        if abs(height[k]) <= reach and _over(a[k], b, nx, ny, nz):
            return True
        j = (k + 1) % 3
        if height[k] * height[j] < 0.0:
            t = height[k] / (height[k] - height[j])
            for i in range(3):
                point[i] = a[k, i] + t * (a[j, i] - a[k, i])
            if _over(point, b, nx, ny, nz):
                return True
    return False


@inner
def near(a: Floats, b: Floats, reach: float) -> bool:
    """Whether two (3, 3) triangles are within `reach` of each other."""
    if _corners_near(a, b, reach) or _corners_near(b, a, reach):
        return True
    limit = reach * reach
    for i in range(3):
        for j in range(3):
            if _segments(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]) <= limit:
                return True
    return False


@bare
def _apart(low_a: Floats, high_a: Floats, low_b: Floats, high_b: Floats, reach: float) -> bool:
    return bool(
        low_a[0] > high_b[0] + reach
        or low_b[0] > high_a[0] + reach
        or low_a[1] > high_b[1] + reach
        or low_b[1] > high_a[1] + reach
        or low_a[2] > high_b[2] + reach
        or low_b[2] > high_a[2] + reach
    )


@kernel
def boxes(triangles: Floats, starts: Indices) -> tuple[Floats, Floats]:
    """(b, 3) lowest and highest corners of runs of triangles; run k is starts[k] .. starts[k + 1]."""
    count = len(starts) - 1
    low = np.full((count, 3), np.inf)
    high = np.full((count, 3), -np.inf)
    for k in range(count):
        for t in range(starts[k], starts[k + 1]):
            for c in range(3):
                for i in range(3):
                    low[k, i] = min(low[k, i], triangles[t, c, i])
                    high[k, i] = max(high[k, i], triangles[t, c, i])
    return low, high


@inner
def block_starts(starts: Indices) -> tuple[Indices, Indices]:
    """Runs cut into blocks of at most BLOCK triangles: where each block begins, and the first block of each run."""
    total = 0
    for k in range(len(starts) - 1):
        total += (starts[k + 1] - starts[k] + BLOCK - 1) // BLOCK
    begin = np.empty(total + 1, dtype=np.int64)
    first = np.empty(len(starts), dtype=np.int64)
    made = 0
    for k in range(len(starts) - 1):
        first[k] = made
        for t in range(starts[k], starts[k + 1], BLOCK):
            begin[made] = t
            made += 1
    begin[made] = starts[-1]
    first[-1] = made
    return begin, first


@bare
def _root(parent: Indices, k: int) -> int:
    while parent[k] != k:
        parent[k] = parent[parent[k]]
        k = parent[k]
    return k


@bare
def _boxes_meet(triangles: Floats, i: int, j: int, reach: float) -> bool:
    for k in range(3):
        a, b, c = triangles[i, 0, k], triangles[i, 1, k], triangles[i, 2, k]
        d, e, f = triangles[j, 0, k], triangles[j, 1, k], triangles[j, 2, k]
        if min(a, b, c) > max(d, e, f) + reach or min(d, e, f) > max(a, b, c) + reach:
            return False
    return True


@inner
def _runs_touch(
    triangles: Floats,
    low: Floats,
    high: Floats,
    begin: Indices,
    block_low: Floats,
    block_high: Floats,
    first: Indices,
    a: int,
    b: int,
    reach: float,
) -> bool:
    """Whether any triangle of run a is within reach of any of run b."""
    if first[a + 1] - first[a] > first[b + 1] - first[b]:
        a, b = b, a
    candidates = np.empty(first[b + 1] - first[b], dtype=np.int64)
    count = 0
    for k in range(first[b], first[b + 1]):
        if not _apart(low[a], high[a], block_low[k], block_high[k], reach):
            candidates[count] = k
            count += 1
    if count == 0:
        return False
    for p in range(first[a], first[a + 1]):
        if _apart(low[b], high[b], block_low[p], block_high[p], reach):
            continue
        for c in range(count):
            q = candidates[c]
            if _apart(block_low[p], block_high[p], block_low[q], block_high[q], reach):
                continue
            for i in range(begin[p], begin[p + 1]):
                for j in range(begin[q], begin[q + 1]):
                    if _boxes_meet(triangles, i, j, reach) and near(triangles[i], triangles[j], reach):
                        return True
    return False


@bare
def _inside(triangles: Floats, x: float, y: float, z: float) -> bool:
    """Whether closed triangles go round a point, by the parity of crossings along +x, shifted off corners."""
    y += 1.2345678e-6
    z += 0.7654321e-6
    odd = False
    for t in range(len(triangles)):
        a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        if max(a[0], b[0], c[0]) < x:
            continue
        d1 = (b[1] - a[1]) * (z - a[2]) - (b[2] - a[2]) * (y - a[1])
        d2 = (c[1] - b[1]) * (z - b[2]) - (c[2] - b[2]) * (y - b[1])
        d3 = (a[1] - c[1]) * (z - c[2]) - (a[2] - c[2]) * (y - c[1])
        if (d1 > 0 and d2 > 0 and d3 > 0) or (d1 < 0 and d2 < 0 and d3 < 0):
            total = d1 + d2 + d3
            if (d2 * a[0] + d3 * b[0] + d1 * c[0]) / total > x:
                odd = not odd
    return odd


@kernel
def cluster(
    triangles: Floats,
    starts: Indices,
    order: Indices,
    axis: int,
    key: Indices,
    closed: NDArray[np.bool_],
    reach: float,
) -> Indices:
    """(r,) the first run of the cluster that each run of triangles belongs to.

    Runs of equal key are joined where they come within `reach` of each other or one lies inside a closed other.
    triangles (n, 3, 3); starts (r + 1,); order (r,): runs by their low side along `axis`. Triangles of a run should lie in
    an order that keeps neighbours together.
    """
    count = len(starts) - 1
    low, high = boxes(triangles, starts)
    begin, first = block_starts(starts)
    block_low, block_high = boxes(triangles, begin)
    parent = np.arange(count)
    for n in range(count):
        a = order[n]
        for m in range(n + 1, count):
            b = order[m]
            if low[b, axis] > high[a, axis] + reach:
                break
            if key[a] != key[b] or _apart(low[a], high[a], low[b], high[b], reach):
                continue
            one, other = _root(parent, a), _root(parent, b)
            if one == other:
                continue
            joined = _runs_touch(triangles, low, high, begin, block_low, block_high, first, a, b, reach)
            if not joined:
                for swap in range(2):
                    inner, outer = (a, b) if swap == 0 else (b, a)
                    if not closed[outer]:
                        continue
                    contained = True
                    for k in range(3):
                        if low[inner, k] < low[outer, k] or high[inner, k] > high[outer, k]:
                            contained = False
                    if contained:
                        corner = triangles[starts[inner], 0]
                        shell = triangles[starts[outer] : starts[outer + 1]]
                        if _inside(shell, corner[0], corner[1], corner[2]):
                            joined = True
            if joined:
                parent[max(one, other)] = min(one, other)
    for k in range(count):
        parent[k] = _root(parent, k)
    return parent


@bare
def _at_rim(p: Floats, t: Floats, sharp: NDArray[np.bool_], deep: float) -> bool:
    """Whether a point of a triangle lies within `deep` of one of its sharp edges."""
    for k in range(3):
        if not sharp[k]:
            continue
        a, b = t[k], t[(k + 1) % 3]
        along = square = 0.0
        for i in range(3):
            along += (p[i] - a[i]) * (b[i] - a[i])
            square += (b[i] - a[i]) ** 2
        s = min(max(along / square, 0.0), 1.0) if square > 0.0 else 0.0
        away = 0.0
        for i in range(3):
            away += (p[i] - a[i] - s * (b[i] - a[i])) ** 2
        if away <= deep * deep:
            return True
    return False


@inner
def pierces(a: Floats, b: Floats, sharp: NDArray[np.bool_], deep: float) -> bool:
    """Whether an edge of triangle a goes through triangle b with both ends farther than `deep` from b's plane, and not
    by the rim of its face: there it may lie in the plane of a face beside it, which only touches. sharp (3,): b's edges
    that end its face."""
    ux, uy, uz = b[1, 0] - b[0, 0], b[1, 1] - b[0, 1], b[1, 2] - b[0, 2]
    vx, vy, vz = b[2, 0] - b[0, 0], b[2, 1] - b[0, 1], b[2, 2] - b[0, 2]
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    length = (nx * nx + ny * ny + nz * nz) ** 0.5
    if length < 1e-12:
        return False
    nx, ny, nz = nx / length, ny / length, nz / length
    height = np.empty(3)
    for k in range(3):
        height[k] = (a[k, 0] - b[0, 0]) * nx + (a[k, 1] - b[0, 1]) * ny + (a[k, 2] - b[0, 2]) * nz
    point = np.empty(3)
    for k in range(3):
        j = (k + 1) % 3
        if height[k] * height[j] < 0.0 and abs(height[k]) > deep and abs(height[j]) > deep:
            t = height[k] / (height[k] - height[j])
            for i in range(3):
                point[i] = a[k, i] + t * (a[j, i] - a[k, i])
            if _over(point, b, nx, ny, nz) and not _at_rim(point, b, sharp, deep):
                return True
    return False


@kernel
def penetrates(
    small: Floats,
    small_sharp: NDArray[np.bool_],
    large: Floats,
    large_sharp: NDArray[np.bool_],
    shells: Indices,
    closed: NDArray[np.bool_],
    deep: float,
) -> bool:
    """Whether one bunch of triangles goes into another by more than `deep`.

    small (n, 3, 3); large (m, 3, 3), its shells are the runs shells[k] .. shells[k + 1] and closed (k,). sharp (n, 3),
    (m, 3): edges that end faces, from the corner of the same number to the next.
    """
    starts = np.array([0, len(small)])
    low, high = boxes(small, starts)
    others = np.array([0, len(large)])
    low_all, high_all = boxes(large, others)
    if _apart(low[0], high[0], low_all[0], high_all[0], -deep):
        return False
    begin, _ = block_starts(starts)
    block_low, block_high = boxes(small, begin)
    for t in range(len(large)):
        face = large[t]
        low_t, high_t = np.empty(3), np.empty(3)
        for k in range(3):
            low_t[k] = min(face[0, k], face[1, k], face[2, k])
            high_t[k] = max(face[0, k], face[1, k], face[2, k])
        if _apart(low[0], high[0], low_t, high_t, 0.0):
            continue
        for p in range(len(begin) - 1):
            if _apart(block_low[p], block_high[p], low_t, high_t, 0.0):
                continue
            for i in range(begin[p], begin[p + 1]):
                if pierces(small[i], face, large_sharp[t], deep) or pierces(
                    face, small[i], small_sharp[i], deep
                ):
                    return True
    for k in range(len(shells) - 1):
        if not closed[k]:
            continue
        shell = large[shells[k] : shells[k + 1]]
        for t in range(0, len(small), max(1, len(small) // 8)):
            x = (small[t, 0, 0] + small[t, 1, 0] + small[t, 2, 0]) / 3.0
            y = (small[t, 0, 1] + small[t, 1, 1] + small[t, 2, 1]) / 3.0
            z = (small[t, 0, 2] + small[t, 1, 2] + small[t, 2, 2]) / 3.0
            if _inside(shell, x, y, z):
                # inside by more than `deep`: nothing of the shell is that near
                spot = np.empty((3, 3))
                for c in range(3):
                    spot[c, 0], spot[c, 1], spot[c, 2] = x, y, z
                shallow = False
                for f in range(len(shell)):
                    if near(spot, shell[f], deep):
                        shallow = True
                        break
                if not shallow:
                    return True
    return False
