"""The widest circle inside the plan outline of triangles, exact, without building the outline's polygon."""
# mypy: disallow-untyped-decorators=False, disallow-any-unimported=False

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from sandbox.compiling import bare, inner, kernel

Floats = NDArray[np.float64]

SIDE_MM = 0.02
"""Outline is looked for this far beside each edge: slots narrower than it are bridged."""
PRECISE_MM = 0.04
"""The search stops where no place can beat the best radius by more."""


@inner
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
    covers = np.empty((n, 2))
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
                    covers[held, 0], covers[held, 1] = first, last
                    held += 1
            for m in range(1, held):  # few: sorted by insertion
                first, last = covers[m, 0], covers[m, 1]
                place = m
                while place > 0 and covers[place - 1, 0] > first:
                    covers[place, 0], covers[place, 1] = covers[place - 1, 0], covers[place - 1, 1]
                    place -= 1
                covers[place, 0], covers[place, 1] = first, last
            at = 0.0
            for m in range(held + 1):
                start = covers[m, 0] if m < held else 1.0
                if (start - at) * length > 1e-6:
                    if made == len(out):
                        more = np.empty((2 * made, 4))
                        for i in range(made):
                            for j in range(4):
                                more[i, j] = out[i, j]
                        out = more
                    out[made, 0], out[made, 1] = ax + at * (bx - ax), ay + at * (by - ay)
                    out[made, 2], out[made, 3] = ax + start * (bx - ax), ay + start * (by - ay)
                    made += 1
                if m < held:
                    at = max(at, covers[m, 1])
    return out[:made]


@bare
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


@kernel
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
    x0 = y0 = np.inf
    x1 = y1 = -np.inf
    for t in range(len(plan)):
        for k in range(3):
            x0, x1 = min(x0, plan[t, k, 0]), max(x1, plan[t, k, 0])
            y0, y1 = min(y0, plan[t, k, 1]), max(y1, plan[t, k, 1])
    size = min(x1 - x0, y1 - y0)
    if size < 1e-9:
        return 0.0
    best = 0.0
    # middles of triangles are good first guesses
    for t in range(min(len(plan), 64)):
        x = (plan[t, 0, 0] + plan[t, 1, 0] + plan[t, 2, 0]) / 3
        y = (plan[t, 0, 1] + plan[t, 1, 1] + plan[t, 2, 1]) / 3
        best = max(best, _room(plan, outline, x, y))
    nx, ny = math.ceil((x1 - x0) / size - 1e-9), math.ceil((y1 - y0) / size - 1e-9)
    cells = np.empty((nx * ny, 2))
    for i in range(nx):
        for j in range(ny):
            cells[i * ny + j, 0], cells[i * ny + j, 1] = x0 + (i + 0.5) * size, y0 + (j + 0.5) * size
    half = size / 2
    spent = 0
    # level by level: squares that cannot beat the best circle go, the others are quartered
    while len(cells) > 0:
        room = np.empty(len(cells))
        for k in range(len(cells)):
            room[k] = _room(plan, outline, cells[k, 0], cells[k, 1])
            best = max(best, room[k])
        spent += len(cells) * (len(outline) + len(plan))
        if spent > effort:
            break
        kept = 0
        for k in range(len(cells)):
            if room[k] + half * math.sqrt(2.0) > best + PRECISE_MM / 2:
                cells[kept, 0], cells[kept, 1] = cells[k, 0], cells[k, 1]
                kept += 1
        half /= 2
        finer = np.empty((4 * kept, 2))
        for k in range(kept):
            for q in range(4):
                finer[4 * k + q, 0] = cells[k, 0] + (2 * (q & 1) - 1) * half
                finer[4 * k + q, 1] = cells[k, 1] + (q - 1 - (q & 1)) * half
        cells = finer
    return 2.0 * best


@kernel
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
