"""One question's ground as the search kernels see it: exact points, where ways may bend, how far it is plain around."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sandbox.compiling import bare, bare_kernel, pasted

F8 = NDArray[np.float64]
F4 = NDArray[np.float32]
I4 = NDArray[np.int32]
I8 = NDArray[np.int64]
U1 = NDArray[np.uint8]

BEND = 1
"""a way may bend at the place's point."""
EDGE = 2
"""segments through the cell are tested against its touch points."""
DISC = 4
"""segments through the cell are tested against the keep-out discs."""
SEED = 8
"""the start or a link's end lies in the cell."""
HOST = 16
"""links begin in the cell."""
BORDER = 32
"""a border of a price runs through or beside the cell."""
TILT = 64
"""the surface's own tilt is paid for."""

BESIDE_MM = 0.002
"""a way along a border of prices keeps so far on its cheaper side."""

_PLACE_BEND = 4
_PLACE_EDGE = 32
_FLAT_STEP_MM = 0.3
_LEVEL_TILT = 0.02
_TILT_CHANGE = 0.1


class Field(NamedTuple):
    """The arrays of `Places` and `Question` that the kernels read; lengths in mm."""

    x0: float
    y0: float
    pitch: float
    nx: int
    ny: int
    start: I4
    """(nx * ny + 1,) int32."""
    column: I4
    """(n,) int32."""
    point: F8
    """(n, 3) the place's point, moved onto the exact corner, disc or border where it may bend."""
    neighbour: I4
    """(n, 8) int32."""
    weight: F8
    """(n,) price per mm; inf barred (also by discs)."""
    gradient: F4
    """(n, 2)."""
    zone: I4
    """(n,) obstacle zone, -1 none."""
    zone_price: F8
    """(zones,)."""
    touch: F8
    """(n, 3, 2)."""
    state: U1
    """(n,) uint8 of the bits above."""
    plain: U1
    """(n,) uint8 k: all cells within k are linked, level and of one price, those nearer than k need no test."""
    discs: F8
    """(d, 5) x, y, radius, low, high."""
    borders: F8
    """(b, 4) segments x, y, x, y where prices change."""
    border: I4
    """(n, 2) int32 the borders nearest to each BORDER cell, -1 none; (1, 2) where there are no borders."""
    other: F8
    """(n,) price beyond the border in each BORDER cell; (1,) where there are no borders."""
    outline: F8
    """(5,) cos, sin of the heading, 1 / half long, 1 / half short, least normalised distance squared."""
    ends: F8
    """(m,) clock at which each Move of the chain ends, mm."""
    silent: F8
    """(0, 3): a record that takes nothing."""


@pasted
def wide(number: int) -> int:
    """An index read from an int32 array as int64, so that kernels are compiled for one kind of integer only."""
    return np.int64(number)  # type: ignore[return-value]


@pasted
def _inside_cell(x: float, y: float, column: int, x0: float, y0: float, pitch: float, nx: int) -> bool:
    half = 0.5 * pitch + 1e-9
    i = column % nx
    j = column // nx
    return abs(x - (x0 + i * pitch)) <= half and abs(y - (y0 + j * pitch)) <= half


@bare_kernel
def onto_corners(
    x0: float,
    y0: float,
    pitch: float,
    nx: int,
    column: I4,
    neighbour: I4,
    pos: F8,
    flags: U1,
    touch: F8,
    radius: float,
    point: F8,
    state: U1,
) -> None:
    """Copy flags into state bits and move bending places of round bases onto the exact arc, inside their cell.

    point (n, 3) starts as pos; radius is 0 for bases that are not round.
    """
    for p in range(column.shape[0]):
        f = flags[p]
        s = state[p]
        if f & _PLACE_EDGE:
            s |= EDGE
        if f & _PLACE_BEND:
            s |= BEND
            # an arc ends between two places: the first one on the straight beyond it bends ways too
            for e in range(8):
                q = neighbour[p, e]
                if q >= 0 and flags[q] & _PLACE_EDGE:
                    state[q] |= BEND
        state[p] = s
    if radius <= 0.0:
        return
    for p in range(column.shape[0]):
        if state[p] & BEND == 0 or state[p] & EDGE == 0 or math.isnan(touch[p, 0, 0]):
            continue
        tx = touch[p, 0, 0]
        ty = touch[p, 0, 1]
        dx = pos[p, 0] - tx
        dy = pos[p, 1] - ty
        d = math.sqrt(dx * dx + dy * dy)
        if not radius + 1e-6 < d < radius + pitch:
            continue
        x = tx + dx * radius / d
        y = ty + dy * radius / d
        free = math.isnan(touch[p, 1, 0])
        if not free:
            free = (x - touch[p, 1, 0]) ** 2 + (y - touch[p, 1, 1]) ** 2 >= radius * radius
        if free and _inside_cell(x, y, column[p], x0, y0, pitch, nx):
            point[p, 0] = x
            point[p, 1] = y


@bare
def _free_of(x: float, y: float, z: float, discs: F8) -> bool:
    for d in range(discs.shape[0]):
        if discs[d, 3] <= z <= discs[d, 4]:
            # borders are rows of discs, which sag a little between two
            r = discs[d, 2] - 0.05
            if (x - discs[d, 0]) ** 2 + (y - discs[d, 1]) ** 2 < r * r:
                return False
    return True


@bare
def _touches(x: float, y: float, p: int, touch: F8, outline: F8) -> bool:
    """Whether a base at (x, y) in the cell of place p comes no nearer to what is touched there than it may."""
    for k in range(2):
        if math.isnan(touch[p, k, 0]):
            continue
        ex = x - touch[p, k, 0]
        ey = y - touch[p, k, 1]
        px = (outline[0] * ex + outline[1] * ey) * outline[2]
        py = (outline[0] * ey - outline[1] * ex) * outline[3]
        if px * px + py * py < outline[4]:
            return False
    return True


@bare_kernel
def keep_out(
    x0: float,
    y0: float,
    pitch: float,
    nx: int,
    ny: int,
    start: I4,
    column: I4,
    neighbour: I4,
    touch: F8,
    outline: F8,
    discs: F8,
    weight: F8,
    point: F8,
    state: U1,
) -> None:
    """Bar places inside keep-out discs, exactly, and put the places of cells on a circle onto the circle.

    Changes weight, point and state in place. Cells that a circle cuts stay open, even where they came barred,
    as long as a neighbour outside tells their price.
    """
    for d in range(discs.shape[0]):
        cx = discs[d, 0]
        cy = discs[d, 1]
        r = discs[d, 2]
        far = r + 1.5 * pitch
        i0 = max(0, math.floor((cx - far - x0) / pitch))
        i1 = min(nx - 1, math.ceil((cx + far - x0) / pitch))
        j0 = max(0, math.floor((cy - far - y0) / pitch))
        j1 = min(ny - 1, math.ceil((cy + far - y0) / pitch))
        for j in range(j0, j1 + 1):
            for i in range(i0, i1 + 1):
                c = j * nx + i
                for p in range(start[c], start[c + 1]):
                    z = point[p, 2]
                    if z < discs[d, 3] or z > discs[d, 4]:
                        continue
                    dx = point[p, 0] - cx
                    dy = point[p, 1] - cy
                    gap = math.sqrt(dx * dx + dy * dy) - r
                    if gap > 1.5 * pitch:
                        continue
                    if gap < -1.5 * pitch or gap + r < 1e-9:
                        weight[p] = np.inf
                        continue
                    state[p] |= DISC
                    x = cx + dx * r / (gap + r)
                    y = cy + dy * r / (gap + r)
                    found = _inside_cell(x, y, column[p], x0, y0, pitch, nx)
                    if not found and gap < 0.0:
                        x = x0 + i * pitch + (0.5 if x0 + i * pitch > cx else -0.5) * (pitch - 1e-6)
                        y = y0 + j * pitch + (0.5 if y0 + j * pitch > cy else -0.5) * (pitch - 1e-6)
                        found = (x - cx) ** 2 + (y - cy) ** 2 >= r * r
                    if found and not (_free_of(x, y, z, discs) and _touches(x, y, p, touch, outline)):
                        found = False
                    if gap < 0.0 and weight[p] == np.inf and found:
                        for e in range(8):
                            q = neighbour[p, e]
                            if q >= 0 and weight[q] < np.inf:
                                weight[p] = weight[q]
                                break
                    if found:
                        point[p, 0] = x
                        point[p, 1] = y
                        state[p] |= BEND
                    elif gap < -1e-6:
                        weight[p] = np.inf


@bare_kernel
def near_borders(
    x0: float,
    y0: float,
    pitch: float,
    nx: int,
    ny: int,
    start: I4,
    column: I4,
    borders: F8,
    point: F8,
    state: U1,
    border: I4,
) -> None:
    """Note for each cell the two price borders nearest to it."""
    reach = 1.5 * pitch
    for b in range(borders.shape[0]):
        ax, ay, bx, by = borders[b, 0], borders[b, 1], borders[b, 2], borders[b, 3]
        length2 = max(1e-12, (bx - ax) ** 2 + (by - ay) ** 2)
        steps = int(math.sqrt(length2) / pitch) + 1
        for s in range(steps + 1):
            mx = ax + (bx - ax) * s / steps
            my = ay + (by - ay) * s / steps
            ci = math.floor((mx - x0) / pitch + 0.5)
            cj = math.floor((my - y0) / pitch + 0.5)
            for j in range(max(0, cj - 2), min(ny, cj + 3)):
                for i in range(max(0, ci - 2), min(nx, ci + 3)):
                    gx = x0 + i * pitch
                    gy = y0 + j * pitch
                    t = min(1.0, max(0.0, ((gx - ax) * (bx - ax) + (gy - ay) * (by - ay)) / length2))
                    qx = ax + t * (bx - ax)
                    qy = ay + t * (by - ay)
                    if (gx - qx) ** 2 + (gy - qy) ** 2 > reach * reach:
                        continue
                    c = j * nx + i
                    for p in range(start[c], start[c + 1]):
                        if border[p, 0] == b or border[p, 1] == b:
                            continue
                        if border[p, 0] < 0:
                            border[p, 0] = b
                        elif border[p, 1] < 0:
                            border[p, 1] = b
                        state[p] |= BORDER


@pasted
def _part_in_cell(ax: float, ay: float, dx: float, dy: float, half: float) -> tuple[float, float]:
    """The part, as fractions, of the segment from (ax, ay) along (dx, dy) within `half` of 0 in x and in y; empty where
    the first is more than the second."""
    low = 0.0
    high = 1.0
    for k in range(2):
        a = ax if k == 0 else ay
        d = dx if k == 0 else dy
        if abs(d) < 1e-12:
            if abs(a) > half:
                return 1.0, 0.0
            continue
        one = (-half - a) / d
        two = (half - a) / d
        low = max(low, min(one, two))
        high = min(high, max(one, two))
    return low, high


@bare_kernel
def onto_borders(
    x0: float,
    y0: float,
    pitch: float,
    nx: int,
    ny: int,
    start: I4,
    column: I4,
    borders: F8,
    weight: F8,
    other: F8,
    border: I4,
    point: F8,
    state: U1,
) -> None:
    """Let ways bend on the borders themselves, a hair on their cheaper side, and at their corners."""
    for p in range(column.shape[0]):
        if state[p] & (BORDER | BEND | EDGE | DISC) != BORDER or weight[p] == np.inf or other[p] == weight[p]:
            continue
        gx = x0 + (column[p] % nx) * pitch
        gy = y0 + (column[p] // nx) * pitch
        gap = np.inf
        for k in range(2):
            b = border[p, k]
            if b < 0:
                continue
            ax, ay, bx, by = borders[b, 0], borders[b, 1], borders[b, 2], borders[b, 3]
            length = math.sqrt((bx - ax) ** 2 + (by - ay) ** 2)
            if length < 1e-9:
                continue
            low, high = _part_in_cell(ax - gx, ay - gy, bx - ax, by - ay, 0.5 * pitch - 2.0 * BESIDE_MM)
            if low > high:
                continue
            t = ((gx - ax) * (bx - ax) + (gy - ay) * (by - ay)) / (length * length)
            t = min(high, max(low, t))
            across = ((bx - ax) * (gy - ay) - (by - ay) * (gx - ax)) / length
            if abs(across) >= gap:
                continue
            cheap = 1.0 if (across > 0.0) == (weight[p] < other[p]) else -1.0
            x = ax + t * (bx - ax) - cheap * BESIDE_MM * (by - ay) / length
            y = ay + t * (by - ay) + cheap * BESIDE_MM * (bx - ax) / length
            gap = abs(across)
            point[p, 0] = x
            point[p, 1] = y
            state[p] |= BEND
    for b in range(borders.shape[0]):
        for e in range(2):
            qx = borders[b, 2 * e]
            qy = borders[b, 2 * e + 1]
            i = math.floor((qx - x0) / pitch + 0.5)
            j = math.floor((qy - y0) / pitch + 0.5)
            if i < 0 or j < 0 or i >= nx or j >= ny:
                continue
            for p in range(start[j * nx + i], start[j * nx + i + 1]):
                if state[p] & BORDER and not state[p] & (EDGE | DISC):
                    point[p, 0] = qx
                    point[p, 1] = qy
                    state[p] |= BEND


@bare_kernel
def survey_prices(
    point: F8,
    neighbour: I4,
    weight: F8,
    gradient: F4,
    zone: I4,
    slope_costs: bool,
    state: U1,
    plain: U1,
) -> tuple[int, float]:
    """Mark where prices change as places to bend, fill `plain`; the number of bending places and the least weight."""
    n = point.shape[0]
    bends = 0
    least = np.inf
    for p in range(n):
        w = weight[p]
        if w == np.inf:
            plain[p] = 0
            continue
        least = min(least, w)
        s = state[p]
        gx = gradient[p, 0]
        gy = gradient[p, 1]
        if slope_costs and gx * gx + gy * gy > _LEVEL_TILT * _LEVEL_TILT:
            s |= TILT
        even = s & (EDGE | DISC | BORDER | TILT) == 0
        for e in range(8):
            q = neighbour[p, e]
            if q < 0:
                even = False
                continue
            v = weight[q]
            if v != w or zone[q] != zone[p]:
                even = False
                if v > w and not s & DISC:
                    s |= BEND
                if zone[q] != zone[p] and zone[p] < 0:
                    s |= BEND
            if abs(point[q, 2] - point[p, 2]) > _FLAT_STEP_MM:
                even = False
            if slope_costs and (gradient[q, 0] - gx) ** 2 + (gradient[q, 1] - gy) ** 2 > _TILT_CHANGE**2:
                s |= BEND
        state[p] = s
        if s & BEND:
            bends += 1
        plain[p] = 255 if even else 0
    for p in range(n):
        d = plain[p]
        if d:
            for e in range(4, 8):
                d = min(d, plain[neighbour[p, e]] + 1)
            plain[p] = d
    for p in range(n - 1, -1, -1):
        d = plain[p]
        if d:
            for e in range(4):
                d = min(d, plain[neighbour[p, e]] + 1)
            plain[p] = d
    return bends, least


@bare_kernel
def beyond_borders(neighbour: I4, weight: F8, state: U1, other: F8) -> None:
    """Fill `other`: the first different finite price around each BORDER cell, its own where there is none."""
    for p in range(weight.shape[0]):
        other[p] = weight[p]
        if not state[p] & BORDER:
            continue
        for e in range(8):
            q = neighbour[p, e]
            if q >= 0 and weight[q] < np.inf and weight[q] != weight[p]:
                other[p] = weight[q]
                break


@bare_kernel
def hosts(f: Field, target: F8, far: float, out: I4) -> None:
    """The open place whose cell holds each exact point (p, 3), else the nearest around it; -1 where none is near.

    far: greatest difference in height, mm.
    """
    for p in range(target.shape[0]):
        i = math.floor((target[p, 0] - f.x0) / f.pitch + 0.5)
        j = math.floor((target[p, 1] - f.y0) / f.pitch + 0.5)
        best = -1
        score = np.inf
        for dj in range(-1, 2):
            for di in range(-1, 2):
                if not (0 <= i + di < f.nx and 0 <= j + dj < f.ny):
                    continue
                c = (j + dj) * f.nx + i + di
                for q in range(f.start[c], f.start[c + 1]):
                    rise = abs(f.point[q, 2] - target[p, 2])
                    if rise > far or f.weight[q] == np.inf:
                        continue
                    s = rise
                    if di != 0 or dj != 0:
                        gap2 = (f.point[q, 0] - target[p, 0]) ** 2 + (f.point[q, 1] - target[p, 1]) ** 2
                        s += 1000.0 + math.sqrt(gap2)
                    if s < score:
                        score = s
                        best = q
        out[p] = best
