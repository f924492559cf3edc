"""Kernels over spots that lie scattered in plan: the nearest ones of a point, values between them, borders of sheets."""

from __future__ import annotations

import numpy as np

from sandbox.compiling import kernel

MOST_SHEETS = 16
"""sheets that are told apart around one node."""


@kernel
def by_bin(spots, low, cell, columns, rows):
    """Spots sorted into square bins: start (bins + 1,) and order (n,) int32, row after row.

    spots (n, 2) inches; low (2,): corner of the first bin.
    """
    start = np.zeros(columns * rows + 1, np.int32)
    key = np.empty(len(spots), np.int32)
    for i in range(len(spots)):
        x = min(columns - 1, max(0, int((spots[i, 0] - low[0]) / cell)))
        y = min(rows - 1, max(0, int((spots[i, 1] - low[1]) / cell)))
        key[i] = y * columns + x
        start[key[i] + 1] += 1
    for b in range(columns * rows):
        start[b + 1] += start[b]
    filled = start[:-1].copy()
    order = np.empty(len(spots), np.int32)
    for i in range(len(spots)):
        order[filled[key[i]]] = i
        filled[key[i]] += 1
    return start, order


@kernel
def nearest(points, want, spots, label, start, order, low, cell, columns, rows, count, within):
    """The `count` spots nearest to each point, nearest first: (n, count) int32, -1 none; and their distances, inf.

    points (n, 2), spots (m, 2) in `by_bin`'s bins; want (n,), label (m,) int32: only spots whose label is wanted count.
    within: distance beyond which none is looked for.
    """
    found = np.full((len(points), count), -1, np.int32)
    far = np.full((len(points), count), np.inf)
    for i in range(len(points)):
        px, py = points[i, 0], points[i, 1]
        bx = min(columns - 1, max(0, int((px - low[0]) / cell)))
        by = min(rows - 1, max(0, int((py - low[1]) / cell)))
        last = max(bx, columns - 1 - bx, by, rows - 1 - by)
        limit = within * within
        # from the point to the borders of the bin that it is in
        left, below = px - (low[0] + bx * cell), py - (low[1] + by * cell)
        inner = max(0.0, min(left, cell - left, below, cell - below))
        for ring in range(last + 1):
            # what lies outside the rings before is at least so far away
            if ring > 0 and (inner + (ring - 1) * cell) ** 2 > min(limit, far[i, count - 1]):
                break
            for y in range(max(0, by - ring), min(rows, by + ring + 1)):
                step = 1 if abs(y - by) == ring or ring == 0 else 2 * ring
                for x in range(bx - ring, bx + ring + 1, step):
                    if x < 0 or x >= columns:
                        continue
                    b = y * columns + x
                    for k in range(start[b], start[b + 1]):
                        s = order[k]
                        if label[s] != want[i]:
                            continue
                        d = (spots[s, 0] - px) ** 2 + (spots[s, 1] - py) ** 2
                        if d > limit or d >= far[i, count - 1]:
                            continue
                        j = count - 1
                        while j > 0 and far[i, j - 1] > d:
                            far[i, j] = far[i, j - 1]
                            found[i, j] = found[i, j - 1]
                            j -= 1
                        far[i, j] = d
                        found[i, j] = s
        for j in range(count):
            far[i, j] = np.sqrt(far[i, j])
    return found, far


@kernel
def between(points, spots, cost, height, slopes, found, far):
    """Cost and height at each point: the tangent planes at its nearest spots, weighted by nearness: two (n,) arrays.

    (Shepard's method with gradients.) points (n, 2); spots (m, 2); cost, height (m,); slopes (m, 2, 2): gradients of cost
    and of height, `slopes[s, :, 0]` of cost; found, far (n, k) of `nearest`. Spots across a jump of cost or height are
    left out, and where there are fewer than k the nearest one alone speaks.
    """
    costs = np.empty(len(points))
    heights = np.empty(len(points))
    for i in range(len(points)):
        first = found[i, 0]
        total = 0.0
        c = 0.0
        h = 0.0
        for j in range(found.shape[1]):
            s = found[i, j]
            if s < 0:
                total = 0.0
                break
            if abs(cost[s] - cost[first]) > 1.6 * (far[i, j] + far[i, 0]) + 0.05:
                continue
            if abs(height[s] - height[first]) > 0.3:
                continue
            weight = max(1.0 / (far[i, j] + 1e-3) - 1.0 / 0.6, 1e-6) ** 2
            dx, dy = points[i, 0] - spots[s, 0], points[i, 1] - spots[s, 1]
            total += weight
            c += weight * (cost[s] + dx * slopes[s, 0, 0] + dy * slopes[s, 1, 0])
            h += weight * (height[s] + dx * slopes[s, 0, 1] + dy * slopes[s, 1, 1])
        if total > 0.0:
            costs[i], heights[i] = c / total, h / total
        else:
            costs[i], heights[i] = cost[first], height[first]
    return costs, heights


@kernel
def settled(label, side, label_side, reach, weights):
    """(rows, columns) int32 labels of grid nodes with the borders between them smoothed: around each node the label that
    weighs most, of those on its side.

    label (rows, columns) int32, -1: none; side (rows, columns) of each node, label_side (labels,) of each label, uint8;
    weights (2 reach + 1,) of nodes so far off along either axis.
    """
    rows, columns = label.shape
    near = np.zeros(label.shape, np.uint8)
    for y in range(rows):
        for x in range(columns):
            own = label[y, x]
            if own < 0:
                continue
            right = label[y, x + 1] if x + 1 < columns else -1
            above = label[y + 1, x] if y + 1 < rows else -1
            if (right >= 0 and right != own) or (above >= 0 and above != own):
                near[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1] = 1
    out = label.copy()
    seen = np.empty(MOST_SHEETS, np.int32)
    share = np.empty(MOST_SHEETS)
    for y in range(rows):
        for x in range(columns):
            if not near[y, x] or label[y, x] < 0:
                continue
            count = 0
            for v in range(max(0, y - reach), min(rows, y + reach + 1)):
                for u in range(max(0, x - reach), min(columns, x + reach + 1)):
                    other = label[v, u]
                    if other < 0 or label_side[other] != side[y, x]:
                        continue
                    k = 0
                    while k < count and seen[k] != other:
                        k += 1
                    if k == count:
                        if count == MOST_SHEETS:
                            continue
                        seen[k] = other
                        share[k] = 0.0
                        count += 1
                    share[k] += weights[v - y + reach] * weights[u - x + reach]
            best = -1.0
            for k in range(count):
                if share[k] > best:
                    best = share[k]
                    out[y, x] = seen[k]
    return out
