"""The widest circle inside the plan outline of triangles, exact, without building the outline's polygon."""
# mypy: disallow-untyped-decorators=False, disallow-any-unimported=False

from __future__ import annotations

import heapq
import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

Floats = NDArray[np.float64]

SIDE_MM = 0.02
"""Outline is looked for this far beside each edge: slots narrower than it are bridged."""
PRECISE_MM = 0.04
"""The search stops where no place can beat the best radius by more."""


@njit(cache=True, nogil=True)
def _outline(plan: Floats, wanted: NDArray[np.bool_]) -> Floats:
    """(k, 4) segments of the outline of the union of (n, 3, 2) counter-clockwise triangles.

    wanted (n, 3): edges that may be outline. Each is looked at from SIDE_MM outside; where no triangle covers that,
    the edge is outline there.
    """
    n = len(plan)
    low, high = np.empty((n, 2)), np.empty((n, 2))
    for t in range(n):
        for i in range(2):
            low[t, i] = min(plan[t, 0, i], plan[t, 1, i], plan[t, 2, i])
            high[t, i] = max(plan[t, 0, i], plan[t, 1, i], plan[t, 2, i])
    out = np.empty((64, 4))
    made = 0
    covers = np.empty((64, 2))
    for t in range(n):
        for k in range(3):
            if not wanted[t, k]:
                continue
            ax, ay = plan[t, k, 0], plan[t, k, 1]
            bx, by = plan[t, (k + 1) % 3, 0], plan[t, (k + 1) % 3, 1]
            length = math.hypot(bx - ax, by - ay)
            if length < 1e-9:
                continue
            ox, oy = (by - ay) / length * SIDE_MM, (ax - bx) / length * SIDE_MM
            px, py, qx, qy = ax + ox, ay + oy, bx + ox, by + oy
            held = 0
            for s in range(n):
                if (
                    low[s, 0] > max(px, qx)
                    or high[s, 0] < min(px, qx)
                    or low[s, 1] > max(py, qy)
                    or high[s, 1] < min(py, qy)
                ):
                    continue
                first, last = 0.0, 1.0
                for e in range(3):
                    cx, cy = plan[s, e, 0], plan[s, e, 1]
                    dx, dy = plan[s, (e + 1) % 3, 0] - cx, plan[s, (e + 1) % 3, 1] - cy
                    slack = 1e-7 * (abs(dx) + abs(dy))
                    at_p = dx * (py - cy) - dy * (px - cx) + slack
                    at_q = dx * (qy - cy) - dy * (qx - cx) + slack
                    if at_p < 0 and at_q < 0:
                        first, last = 1.0, 0.0
                        break
                    if at_p < 0:
                        first = max(first, at_p / (at_p - at_q))
                    elif at_q < 0:
                        last = min(last, at_p / (at_p - at_q))
                if first < last:
                    if held == len(covers):
                        wider = np.empty((2 * held, 2))
                        wider[:held] = covers
                        covers = wider
                    covers[held, 0], covers[held, 1] = first, last
                    held += 1
            order = np.argsort(covers[:held, 0])
            at = 0.0
            for m in range(held + 1):
                start = covers[order[m], 0] if m < held else 1.0
                if (start - at) * length > 1e-6:
                    if made == len(out):
                        more = np.empty((2 * made, 4))
                        more[:made] = out
                        out = more
                    out[made, 0], out[made, 1] = ax + at * (bx - ax), ay + at * (by - ay)
                    out[made, 2], out[made, 3] = ax + start * (bx - ax), ay + start * (by - ay)
                    made += 1
                if m < held:
                    at = max(at, covers[order[m], 1])
    return out[:made]


@njit(cache=True, nogil=True)
def _room(plan: Floats, outline: Floats, x: float, y: float) -> float:
    """Distance from a place to the outline, negative outside."""
    best = np.inf
    for s in range(len(outline)):
        ax, ay = outline[s, 0], outline[s, 1]
        dx, dy = outline[s, 2] - ax, outline[s, 3] - ay
        t = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)
        t = min(max(t, 0.0), 1.0)
        ex, ey = x - ax - t * dx, y - ay - t * dy
        best = min(best, ex * ex + ey * ey)
    best = math.sqrt(best)
    for t in range(len(plan)):
        inside = True
        for e in range(3):
            cx, cy = plan[t, e, 0], plan[t, e, 1]
            dx, dy = plan[t, (e + 1) % 3, 0] - cx, plan[t, (e + 1) % 3, 1] - cy
            if dx * (y - cy) - dy * (x - cx) < -1e-9 * (abs(dx) + abs(dy)):
                inside = False
                break
        if inside:
            return best
    return -best


@njit(cache=True, nogil=True)
def widest_circle(plan: Floats, wanted: NDArray[np.bool_], effort: int) -> float:
    """Diameter in mm of the widest circle inside the union of (n, 3, 2) counter-clockwise triangles.

    Branch and bound over squares (after Mapbox's polylabel). `effort` bounds the work, in segments looked at; when it
    runs out the best circle found is the answer.
    """
    if len(plan) == 0:
        return 0.0
    outline = _outline(plan, wanted)
    if len(outline) == 0:
        return 0.0
    x0, x1 = plan[:, :, 0].min(), plan[:, :, 0].max()
    y0, y1 = plan[:, :, 1].min(), plan[:, :, 1].max()
    size = min(x1 - x0, y1 - y0)
    if size < 1e-9:
        return 0.0
    half = size / 2
    best = 0.0
    heap = [(0.0, 0.0, 0.0, 0.0)]
    heap.pop()
    # places where triangles meet and middles of triangles are good first guesses
    for t in range(min(len(plan), 64)):
        x = (plan[t, 0, 0] + plan[t, 1, 0] + plan[t, 2, 0]) / 3
        y = (plan[t, 0, 1] + plan[t, 1, 1] + plan[t, 2, 1]) / 3
        best = max(best, _room(plan, outline, x, y))
    nx, ny = math.ceil((x1 - x0) / size - 1e-9), math.ceil((y1 - y0) / size - 1e-9)
    for i in range(nx):
        for j in range(ny):
            x, y = x0 + half + i * size, y0 + half + j * size
            room = _room(plan, outline, x, y)
            best = max(best, room)
            heapq.heappush(heap, (-(room + half * math.sqrt(2.0)), x, y, half))
    spent = 0
    each = len(outline) + len(plan)
    while len(heap) > 0:
        top, x, y, half = heapq.heappop(heap)
        if -top <= best + PRECISE_MM / 2 or spent > effort:
            break
        quarter = half / 2
        for i in range(2):
            for j in range(2):
                u, v = x + (2 * i - 1) * quarter, y + (2 * j - 1) * quarter
                room = _room(plan, outline, u, v)
                spent += each
                best = max(best, room)
                bound = room + quarter * math.sqrt(2.0)
                if bound > best + PRECISE_MM / 2:
                    heapq.heappush(heap, (-bound, u, v, quarter))
    return 2.0 * best


@njit(cache=True, nogil=True)
def shadow(plan: Floats, x0: float, y0: float, pitch: float, nx: int, ny: int) -> NDArray[np.bool_]:
    """(ny, nx) whether the middle of each cell is under one of (n, 3, 2) counter-clockwise triangles."""
    out = np.zeros((ny, nx), dtype=np.bool_)
    for t in range(len(plan)):
        lowest = min(plan[t, 0, 1], plan[t, 1, 1], plan[t, 2, 1])
        highest = max(plan[t, 0, 1], plan[t, 1, 1], plan[t, 2, 1])
        first = max(0, math.ceil((lowest - y0) / pitch - 0.5))
        last = min(ny - 1, math.floor((highest - y0) / pitch - 0.5))
        for j in range(first, last + 1):
            y = y0 + (j + 0.5) * pitch
            left, right = np.inf, -np.inf
            for e in range(3):
                ax, ay = plan[t, e, 0], plan[t, e, 1]
                bx, by = plan[t, (e + 1) % 3, 0], plan[t, (e + 1) % 3, 1]
                if (ay <= y) != (by <= y):
                    x = ax + (y - ay) / (by - ay) * (bx - ax)
                    left, right = min(left, x), max(right, x)
            if left <= right:
                begin = max(0, math.ceil((left - x0) / pitch - 0.5))
                end = min(nx - 1, math.floor((right - x0) / pitch - 0.5))
                for i in range(begin, end + 1):
                    out[j, i] = True
    return out
