"""The straight line: is it free from one exact point to another, and what does it cost. Everything asks here.

Kernels that allocate nothing are compiled without reference counting (`_nrt=False`): counting the two dozen arrays of a
`Field` at every call took five times as long as a short line itself.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from sandbox.ground.kernels.search_field import BORDER, DISC, EDGE, F8, TILT, Field, wide

CLOCK_SLACK = 0.025
"""half of the measuring snap, mm."""
SAG_MM = 0.15
"""a line between two linked neighbours on one arc may sag this far into it (0.13 for a 25 mm base, cells of 2.54)."""


@njit(cache=True, nogil=True, _nrt=False)
def _clear(
    f: Field, linked: bool, u: int, ax: float, ay: float, dx: float, dy: float, t0: float, t1: float
) -> bool:
    """Whether the part t0..t1 of the segment keeps clear of what cell u touches. Moving away at once is clear.

    linked: between the points of linked neighbours, where the line may sag into an arc.
    """
    if f.state[u] & EDGE:
        c, s, il, iw, least = f.outline[0], f.outline[1], f.outline[2], f.outline[3], f.outline[4]
        if linked:
            least = (1.0 - SAG_MM * iw) ** 2
        qx = (c * dx + s * dy) * il
        qy = (c * dy - s * dx) * iw
        qq = qx * qx + qy * qy
        for k in range(2):
            tx = f.touch[u, k, 0]
            if math.isnan(tx):
                continue
            ex = ax - tx
            ey = ay - f.touch[u, k, 1]
            px = (c * ex + s * ey) * il
            py = (c * ey - s * ex) * iw
            t = -(px * qx + py * qy) / qq if qq > 0.0 else t0
            t = min(t1, max(t0, t))
            if t > 0.0 and (px + t * qx) ** 2 + (py + t * qy) ** 2 < least:
                return False
    if f.state[u] & DISC:
        qq = dx * dx + dy * dy
        z = f.point[u, 2]
        for k in range(f.discs.shape[0]):
            if z < f.discs[k, 3] or z > f.discs[k, 4]:
                continue
            px = ax - f.discs[k, 0]
            py = ay - f.discs[k, 1]
            t = -(px * dx + py * dy) / qq if qq > 0.0 else t0
            t = min(t1, max(t0, t))
            r = f.discs[k, 2] - (SAG_MM if linked else 0.05)
            if t > 0.0 and (px + t * dx) ** 2 + (py + t * dy) ** 2 < r * r:
                return False
    return True


@njit(cache=True, nogil=True, _nrt=False)
def _passes_by(
    f: Field, linked: bool, u: int, ax: float, ay: float, dx: float, dy: float, t0: float, t1: float
) -> bool:
    """Whether the part t0..t1 of the segment keeps clear of the obstacle beside cell u, which it does not cross."""
    tx = f.touch[u, 2, 0]
    if math.isnan(tx):
        return True
    c, s, il, iw, least = f.outline[0], f.outline[1], f.outline[2], f.outline[3], f.outline[4]
    if linked:
        least = (1.0 - SAG_MM * iw) ** 2
    qx = (c * dx + s * dy) * il
    qy = (c * dy - s * dx) * iw
    qq = qx * qx + qy * qy
    ex = ax - tx
    ey = ay - f.touch[u, 2, 1]
    px = (c * ex + s * ey) * il
    py = (c * ey - s * ex) * iw
    t = -(px * qx + py * qy) / qq if qq > 0.0 else t0
    t = min(t1, max(t0, t))
    return not (t > 0.0 and (px + t * qx) ** 2 + (py + t * qy) ** 2 < least)


@njit(cache=True, nogil=True, _nrt=False)
def _rate(f: Field, u: int, ex: float, ey: float) -> float:
    """Price per mm of plan in the unit direction (ex, ey) on place u."""
    w = float(f.weight[u])
    if f.state[u] & TILT:
        g = f.gradient[u, 0] * ex + f.gradient[u, 1] * ey
        w *= math.sqrt(1.0 + g * g)
    return w


@njit(cache=True, nogil=True, _nrt=False)
def _other_side(f: Field, u: int, x: float, y: float) -> bool:
    """Whether (x, y) in cell u is on the other side of the borders there than the cell's column."""
    cx = f.x0 + (f.column[u] % f.nx) * f.pitch
    cy = f.y0 + (f.column[u] // f.nx) * f.pitch
    odd = False
    for k in range(2):
        b = f.border[u, k]
        if b < 0:
            continue
        ax, ay, bx, by = f.borders[b, 0], f.borders[b, 1], f.borders[b, 2], f.borders[b, 3]
        d1 = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
        d2 = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        d3 = (x - cx) * (ay - cy) - (y - cy) * (ax - cx)
        d4 = (x - cx) * (by - cy) - (y - cy) * (bx - cx)
        # a half-open test, so that two borders that share a corner there count once
        if (d1 > 0.0) != (d2 > 0.0) and (d3 > 0.0) != (d4 > 0.0):
            odd = not odd
    return odd


@njit(cache=True, nogil=True, _nrt=False)
def _through(f: Field, u: int, ax: float, ay: float, dx: float, dy: float, t0: float, t1: float) -> float:
    """Price of the part t0..t1 of the segment in cell u, per mm of the whole, exact where borders cut it."""
    cut0 = t0
    cut1 = t1
    found = 0
    for k in range(2):
        b = f.border[u, k]
        if b < 0:
            continue
        bx = f.borders[b, 0]
        by = f.borders[b, 1]
        sx = f.borders[b, 2] - bx
        sy = f.borders[b, 3] - by
        det = dx * sy - dy * sx
        if abs(det) < 1e-12:
            continue
        at = ((bx - ax) * sy - (by - ay) * sx) / det
        along = ((bx - ax) * dy - (by - ay) * dx) / det
        if t0 < at < t1 and -1e-9 <= along <= 1.0 + 1e-9:
            if found == 0:
                cut0 = at
                cut1 = at
            else:
                cut0 = min(cut0, at)
                cut1 = max(cut1, at)
            found += 1
    price = 0.0
    last = t0
    for k in range(found + 1):
        if k == found:
            end = t1
        elif k == 0:
            end = cut0
        else:
            end = cut1
        if end > last:
            m = 0.5 * (last + end)
            w = f.other[u] if _other_side(f, u, ax + m * dx, ay + m * dy) else f.weight[u]
            price += w * (end - last)
        last = end
    return price


@njit(cache=True, nogil=True, _nrt=False)
def wait_out(clock: float, whole: float, ends: F8) -> float:
    """Clock when something of length `whole`, to be done within one Move, may begin; inf where no Move is long enough."""
    at = clock
    for m in range(ends.shape[0]):
        if at > ends[m] - CLOCK_SLACK and m + 1 < ends.shape[0]:
            continue
        if at + whole <= ends[m] + CLOCK_SLACK:
            return at
        at = ends[m]
    return np.inf


@njit(cache=True, nogil=True, inline="always")
def _leave(clock: float, entered: float, ends: F8) -> float:
    """Clock on leaving an obstacle entered at `entered`: the wait before it, if any, is added now."""
    return float(wait_out(entered, clock - entered, ends)) + (clock - entered)


@njit(cache=True, nogil=True, _nrt=False)
def march(
    f: Field,
    ax: float,
    ay: float,
    pa: int,
    bx: float,
    by: float,
    pb: int,
    clock: float,
    entered: float,
    record: F8,
) -> tuple[bool, float, float, float, bool, int]:
    """Follow the floor straight from (ax, ay) in the cell of place pa to (bx, by) in that of pb.

    clock: at the start; entered: clock when the obstacle around the start was entered. record (m, 3) takes rows of
    (fraction, place, spent) at every change of cell or price, when m > 0.
    Returns whether the way is free, what it costs, the clock at its end, when the obstacle around the end was entered,
    whether one price held all along, rows recorded.
    """
    nx = f.nx
    dx = bx - ax
    dy = by - ay
    plan = math.sqrt(dx * dx + dy * dy)
    ex = dx / plan if plan > 0.0 else 0.0
    ey = dy / plan if plan > 0.0 else 0.0
    fx = (ax - f.x0) / f.pitch + 0.5
    fy = (ay - f.y0) / f.pitch + 0.5
    gx = dx / f.pitch
    gy = dy / f.pitch
    i = wide(f.column[pa]) % nx
    j = wide(f.column[pa]) // nx
    ti = wide(f.column[pb]) % nx
    tj = wide(f.column[pb]) // nx
    sx = 1 if ti > i else -1
    sy = 1 if tj > j else -1
    ix = 1.0 / gx if abs(gx) > 1e-12 else 0.0
    iy = 1.0 / gy if abs(gy) > 1e-12 else 0.0
    u = pa
    was = -1
    t = 0.0
    paid_to = 0.0
    spent = 0.0
    rate = _rate(f, u, ex, ey)
    crossed = False
    rows = 0
    cap = record.shape[0]
    chain = f.ends.shape[0] > 1
    # from a place's own point to its neighbour's: along the arc of a corner the straight line between two places sags
    # into it, the more the wider the cells
    linked = False
    near = abs(ti - i) <= 1 and abs(tj - j) <= 1 and pa != pb
    begins = ax == f.point[pa, 0] and ay == f.point[pa, 1]
    if near and begins and bx == f.point[pb, 0] and by == f.point[pb, 1]:
        for e in range(8):
            if f.neighbour[pa, e] == pb:
                linked = True
    # on ground of one height a neighbour of a place that touches something and itself touches nothing is well clear of
    # it: where it is not, the body is lifted over it on the way
    lifted = linked and (f.state[pa] ^ f.state[pb]) & EDGE != 0
    rough = False
    over = f.zone[pa] >= 0  # the line was over an obstacle and has not got clear of it since
    again = False
    bought = f.zone[pa]  # the obstacle that was paid for last
    upon = False  # the line is within an obstacle's reach, in cells that do not count as being over it
    while True:
        entry = t
        if rows < cap:
            record[rows, 0] = t
            record[rows, 1] = u
            record[rows, 2] = spent + rate * plan * (t - paid_to)
            rows += 1
        rx = abs(ti - i)
        ry = abs(tj - j)
        k = int(f.plain[u])
        if k > 1:
            if rx < k and ry < k:
                c = tj * nx + ti
                i = ti
                j = tj
            else:
                tx = np.inf
                ty = np.inf
                if rx >= k:
                    tx = ((i + k if sx > 0 else i - k + 1) - fx) * ix
                if ry >= k:
                    ty = ((j + k if sy > 0 else j - k + 1) - fy) * iy
                if tx <= ty:
                    t = min(1.0, max(t, tx))
                    i += sx * k
                    to = math.floor(fy + t * gy)
                    step = min(ry, k - 1, max(0, (to - j) * sy))
                    j += sy * step
                else:
                    t = min(1.0, max(t, ty))
                    j += sy * k
                    to = math.floor(fx + t * gx)
                    step = min(rx, k - 1, max(0, (to - i) * sx))
                    i += sx * step
                c = j * nx + i
            first = wide(f.start[c])
            last = wide(f.start[c + 1])
            z = f.point[u, 2]
            least = np.inf
            for p in range(first, last):
                if f.weight[p] < np.inf and abs(f.point[p, 2] - z) < least:
                    least = abs(f.point[p, 2] - z)
                    u = p
            was = -1
            over = False
            if i == ti and j == tj:
                if u != pb:
                    return False, 0.0, 0.0, 0.0, False, rows
                if k > max(rx, ry):
                    break
            continue
        tx = np.inf
        ty = np.inf
        if rx > 0:
            tx = min(1.0, max(t, ((i + 1 if sx > 0 else i) - fx) * ix))
        if ry > 0:
            ty = min(1.0, max(t, ((j + 1 if sy > 0 else j) - fy) * iy))
        out = min(1.0, tx, ty)
        if k == 0 and f.state[u] & (EDGE | DISC) and not _clear(f, linked, u, ax, ay, dx, dy, t, out):
            if not lifted or f.state[u] & DISC:
                return False, 0.0, 0.0, 0.0, False, rows
            rough = True
        if f.state[u] & BORDER:
            slope = rate / f.weight[u]
            spent += rate * plan * (t - paid_to)
            spent += slope * plan * _through(f, u, ax, ay, dx, dy, t, out)
            paid_to = out
        if rx == 0 and ry == 0:
            if u != pb:
                return False, 0.0, 0.0, 0.0, False, rows
            if (
                f.zone[u] < 0
                and not over
                and (upon or not _passes_by(f, linked, u, ax, ay, dx, dy, entry, 1.0))
            ):
                return False, 0.0, 0.0, 0.0, False, rows
            break
        across = tx <= ty
        e = (0 if sx > 0 else 4) if across else 2 if sy > 0 else 6
        v = wide(f.neighbour[u, e])
        if v >= 0 and f.weight[v] < np.inf:
            was = u
            t = out
            if across:
                i += sx
            else:
                j += sy
        else:
            # the line cuts a corner of a cell that has no place of its own: straight to the diagonal one
            diagonal = (1 if sy > 0 else 7) if sx > 0 else 3 if sy > 0 else 5
            w = -1
            if rx > 0 and ry > 0:
                w = wide(f.neighbour[u, diagonal])
            from_cell = u
            if w >= 0 and f.weight[w] < np.inf:
                if across:
                    ahead = min(1.0, max(out, ty))
                    other = min(1.0, max(t, ((i + 2 if sx > 0 else i - 1) - fx) * ix)) if rx > 1 else 1.0
                else:
                    ahead = min(1.0, max(out, tx))
                    other = min(1.0, max(t, ((j + 2 if sy > 0 else j - 1) - fy) * iy)) if ry > 1 else 1.0
                if ahead > other + 1e-12:
                    w = -1
                back = out
                ni = i + sx
                nj = j + sy
            elif was >= 0:
                w = wide(f.neighbour[was, diagonal])
                from_cell = was
                back = t
                ahead = out
                ni = i + (sx if across else 0)
                nj = j + (0 if across else sy)
                wi = f.column[was] % nx
                wj = f.column[was] // nx
                if ni != wi + sx or nj != wj + sy:
                    w = -1
            if w < 0 or f.weight[w] == np.inf:
                return False, 0.0, 0.0, 0.0, False, rows
            if not (f.state[from_cell] | f.state[w]) & (EDGE | DISC):
                return False, 0.0, 0.0, 0.0, False, rows
            if not _clear(f, linked, from_cell, ax, ay, dx, dy, back, ahead):
                return False, 0.0, 0.0, 0.0, False, rows
            if not _clear(f, linked, w, ax, ay, dx, dy, back, ahead):
                return False, 0.0, 0.0, 0.0, False, rows
            v = w
            i = ni
            j = nj
            was = -1
            t = ahead
        if f.zone[u] >= 0 or f.zone[v] >= 0:
            again = over and f.zone[v] == bought  # back over one that it has not got clear of
            over = f.zone[u] >= 0
            upon = False
        elif k == 0:
            # a line may touch an obstacle's reach in several cells before the first one that is over it, and after
            free = _passes_by(f, linked, u, ax, ay, dx, dy, t, t)
            free = free and _passes_by(f, linked, v, ax, ay, dx, dy, t, t)
            if over:
                over = not free
            elif upon or not _passes_by(f, linked, u, ax, ay, dx, dy, entry, t):
                if free:
                    return False, 0.0, 0.0, 0.0, False, rows
                upon = True
        else:
            over = False
        if f.zone[v] != f.zone[u]:
            crossed = True
            spent += rate * plan * (t - paid_to)
            paid_to = t
            if f.zone[u] >= 0 and chain:
                clock = _leave(clock + spent, entered, f.ends) - spent
                if clock == np.inf:
                    return False, 0.0, 0.0, 0.0, False, rows
            if f.zone[v] >= 0:
                entered = clock + spent
                bought = f.zone[v]
                if not again:
                    spent += f.zone_price[f.zone[v]]
                if spent == np.inf:
                    return False, 0.0, 0.0, 0.0, False, rows
            rate = _rate(f, v, ex, ey)
        elif f.weight[v] != f.weight[u] or (f.state[u] | f.state[v]) & TILT:
            now = _rate(f, v, ex, ey)
            if now != rate:
                spent += rate * plan * (t - paid_to)
                paid_to = t
                rate = now
        u = v
    spent += rate * plan * (1.0 - paid_to)
    if rows < cap:
        record[rows, 0] = 1.0
        record[rows, 1] = u
        record[rows, 2] = spent
        rows += 1
    uniform = not crossed and not rough and abs(spent - f.weight[u] * plan) < 1e-6
    return True, spent, clock + spent, entered, uniform, rows
