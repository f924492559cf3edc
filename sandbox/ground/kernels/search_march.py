"""The straight line: is it free from one exact point to another, and what does it cost. Everything asks here.

Kernels that allocate nothing are compiled without reference counting (`_nrt=False`): counting the two dozen arrays of a
`Field` at every call took five times as long as a short line itself.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from sandbox.compiling import bare, bare_kernel, pasted
from sandbox.ground.kernels.search_field import BORDER, DISC, EDGE, F8, TILT, Field, wide

CLOCK_SLACK = 0.025
"""half of the measuring snap, mm."""
SAG_MM = 0.15
"""a line between two linked neighbours on one arc may sag this far into it (0.13 for a 25 mm base, cells of 2.54)."""


class Line(NamedTuple):
    """A straight line over the floor, mm, and how it lies in the cells."""

    linked: bool
    """between the points of linked neighbours, where it may sag into an arc."""
    ax: float
    ay: float
    """where it begins."""
    dx: float
    dy: float
    """to where it ends."""
    plan: float
    """its length."""
    ex: float
    ey: float
    """its unit direction, 0 where it has no length."""
    fx: float
    fy: float
    """where it begins, in cells."""
    gx: float
    gy: float
    """to where it ends, in cells."""
    ix: float
    iy: float
    """one over them, 0 where it runs along the other axis."""
    ti: int
    tj: int
    """cell in which it ends."""
    sx: int
    sy: int
    """which way it runs."""


@pasted
def _between_neighbours(f: Field, ax: float, ay: float, pa: int, bx: float, by: float, pb: int) -> bool:
    """Whether a line runs from a place's own point to that of a linked neighbour.

    Along the arc of a corner it sags into the arc, the more the wider the cells.
    """
    begins = ax == f.point[pa, 0] and ay == f.point[pa, 1]
    if pa == pb or not begins or bx != f.point[pb, 0] or by != f.point[pb, 1]:
        return False
    found = False
    for e in range(8):
        if f.neighbour[pa, e] == pb:
            found = True
    return found


@pasted
def _line(f: Field, ax: float, ay: float, pa: int, bx: float, by: float, pb: int) -> Line:
    """The line from (ax, ay) in the cell of place pa to (bx, by) in that of pb."""
    dx = bx - ax
    dy = by - ay
    plan = math.sqrt(dx * dx + dy * dy)
    gx = dx / f.pitch
    gy = dy / f.pitch
    ti = wide(f.column[pb]) % f.nx
    tj = wide(f.column[pb]) // f.nx
    return Line(
        _between_neighbours(f, ax, ay, pa, bx, by, pb),
        ax,
        ay,
        dx,
        dy,
        plan,
        dx / plan if plan > 0.0 else 0.0,
        dy / plan if plan > 0.0 else 0.0,
        (ax - f.x0) / f.pitch + 0.5,
        (ay - f.y0) / f.pitch + 0.5,
        gx,
        gy,
        1.0 / gx if abs(gx) > 1e-12 else 0.0,
        1.0 / gy if abs(gy) > 1e-12 else 0.0,
        ti,
        tj,
        1 if ti > wide(f.column[pa]) % f.nx else -1,
        1 if tj > wide(f.column[pa]) // f.nx else -1,
    )


@bare
def _clear(f: Field, line: Line, u: int, t0: float, t1: float) -> bool:
    """Whether the part t0..t1 of the line keeps clear of what cell u touches. Moving away at once is clear."""
    ax, ay, dx, dy = line.ax, line.ay, line.dx, line.dy
    if f.state[u] & EDGE:
        c, s, il, iw, least = f.outline[0], f.outline[1], f.outline[2], f.outline[3], f.outline[4]
        if line.linked:
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
            r = f.discs[k, 2] - (SAG_MM if line.linked else 0.05)
            if t > 0.0 and (px + t * dx) ** 2 + (py + t * dy) ** 2 < r * r:
                return False
    return True


@bare
def _passes_by(f: Field, line: Line, u: int, t0: float, t1: float) -> bool:
    """Whether the part t0..t1 of the line keeps clear of the obstacle beside cell u, which it does not cross."""
    tx = f.touch[u, 2, 0]
    if math.isnan(tx):
        return True
    c, s, il, iw, least = f.outline[0], f.outline[1], f.outline[2], f.outline[3], f.outline[4]
    if line.linked:
        least = (1.0 - SAG_MM * iw) ** 2
    qx = (c * line.dx + s * line.dy) * il
    qy = (c * line.dy - s * line.dx) * iw
    qq = qx * qx + qy * qy
    ex = line.ax - tx
    ey = line.ay - f.touch[u, 2, 1]
    px = (c * ex + s * ey) * il
    py = (c * ey - s * ex) * iw
    t = -(px * qx + py * qy) / qq if qq > 0.0 else t0
    t = min(t1, max(t0, t))
    return not (t > 0.0 and (px + t * qx) ** 2 + (py + t * qy) ** 2 < least)


@bare
def _rate(f: Field, u: int, line: Line) -> float:
    """Price per mm of plan along the line on place u."""
    w = float(f.weight[u])
    if f.state[u] & TILT:
        g = f.gradient[u, 0] * line.ex + f.gradient[u, 1] * line.ey
        w *= math.sqrt(1.0 + g * g)
    return w


@bare
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


@bare
def _through(f: Field, u: int, line: Line, t0: float, t1: float) -> float:
    """Price of the part t0..t1 of the line in cell u, per mm of the whole, exact where borders cut it."""
    ax, ay, dx, dy = line.ax, line.ay, line.dx, line.dy
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


@bare_kernel
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


@pasted
def _leave(clock: float, entered: float, ends: F8) -> float:
    """Clock on leaving an obstacle entered at `entered`: the wait before it, if any, is added now."""
    return float(wait_out(entered, clock - entered, ends)) + (clock - entered)


@pasted
def _leap_plain(
    f: Field, line: Line, u: int, k: int, i: int, j: int, t: float
) -> tuple[int, int, int, float]:
    """Where a line leaves the k cells around place u that are all alike: place, cell and fraction."""
    ti, tj, fx, fy = line.ti, line.tj, line.fx, line.fy
    rx = abs(ti - i)
    ry = abs(tj - j)
    sx = 1 if ti > i else -1
    sy = 1 if tj > j else -1
    if rx < k and ry < k:
        i = ti
        j = tj
    else:
        tx = np.inf
        ty = np.inf
        if rx >= k:
            tx = ((i + k if sx > 0 else i - k + 1) - fx) * line.ix
        if ry >= k:
            ty = ((j + k if sy > 0 else j - k + 1) - fy) * line.iy
        if tx <= ty:
            t = min(1.0, max(t, tx))
            i += sx * k
            j += sy * min(ry, k - 1, max(0, (math.floor(fy + t * line.gy) - j) * sy))
        else:
            t = min(1.0, max(t, ty))
            j += sy * k
            i += sx * min(rx, k - 1, max(0, (math.floor(fx + t * line.gx) - i) * sx))
    c = j * f.nx + i
    z = f.point[u, 2]
    least = np.inf
    for p in range(wide(f.start[c]), wide(f.start[c + 1])):
        if f.weight[p] < np.inf and abs(f.point[p, 2] - z) < least:
            least = abs(f.point[p, 2] - z)
            u = p
    return u, i, j, t


@bare
def _round_corner(
    f: Field, line: Line, u: int, was: int, i: int, j: int, t: float, tx: float, ty: float
) -> tuple[int, int, int, float]:
    """Where a line goes on that cuts a corner of a cell without a place of its own: straight to the diagonal one.

    was: the place it came from, -1 none; tx, ty: where it leaves cell u in x and in y. Returns place (-1: nowhere), cell,
    and fraction.
    """
    sx, sy, fx, fy = line.sx, line.sy, line.fx, line.fy
    rx = abs(line.ti - i)
    ry = abs(line.tj - j)
    out = min(1.0, tx, ty)
    across = tx <= ty
    diagonal = (1 if sy > 0 else 7) if sx > 0 else 3 if sy > 0 else 5
    none = (-1, i, j, t)
    w = -1
    if rx > 0 and ry > 0:
        w = wide(f.neighbour[u, diagonal])
    origin = u
    if w >= 0 and f.weight[w] < np.inf:
        if across:
            ahead = min(1.0, max(out, ty))
            other = min(1.0, max(t, ((i + 2 if sx > 0 else i - 1) - fx) * line.ix)) if rx > 1 else 1.0
        else:
            ahead = min(1.0, max(out, tx))
            other = min(1.0, max(t, ((j + 2 if sy > 0 else j - 1) - fy) * line.iy)) if ry > 1 else 1.0
        if ahead > other + 1e-12:
            return none
        back = out
        i += sx
        j += sy
    elif was >= 0:
        w = wide(f.neighbour[was, diagonal])
        origin = was
        back = t
        ahead = out
        i += sx if across else 0
        j += 0 if across else sy
        if i != f.column[was] % f.nx + sx or j != f.column[was] // f.nx + sy:
            return none
    if w < 0 or f.weight[w] == np.inf:
        return none
    if not (f.state[origin] | f.state[w]) & (EDGE | DISC):
        return none
    if not _clear(f, line, origin, back, ahead):
        return none
    if not _clear(f, line, w, back, ahead):
        return none
    return w, i, j, ahead


@pasted
def _beside_obstacle(
    f: Field, line: Line, u: int, v: int, entry: float, t: float, over: bool, upon: bool
) -> tuple[bool, bool, bool]:
    """From cell u to v, neither over an obstacle: whether the line may, is over one yet, and is within one's reach.

    A line may touch an obstacle's reach in several cells before the first one that is over it, and after.
    """
    free = _passes_by(f, line, u, t, t)
    free = free and _passes_by(f, line, v, t, t)
    if over:
        return True, not free, upon
    if upon or not _passes_by(f, line, u, entry, t):
        return not free, False, True
    return True, False, upon


@pasted
def _next_cell(
    f: Field, line: Line, u: int, was: int, i: int, j: int, t: float, tx: float, ty: float
) -> tuple[int, int, int, int, float]:
    """The place that a line enters from that of cell u, -1 none; the one it came from where it may cut a corner next, its
    cell, and the fraction. Arguments as in `_round_corner`."""
    across = tx <= ty
    e = (0 if line.sx > 0 else 4) if across else 2 if line.sy > 0 else 6
    v = wide(f.neighbour[u, e])
    if v >= 0 and f.weight[v] < np.inf:
        if across:
            return v, u, i + line.sx, j, min(1.0, tx, ty)
        return v, u, i, j + line.sy, min(1.0, tx, ty)
    v, i, j, t = _round_corner(f, line, u, was, i, j, t, tx, ty)
    return v, -1, i, j, t


@pasted
def _toll(
    f: Field, u: int, v: int, spent: float, clock: float, entered: float, again: bool
) -> tuple[float, float, float]:
    """What a line has spent, the clock at its start, and when it entered the obstacle, where it goes onto one or off one.

    again: back over the one that it paid for last. Spent is inf where it may not.
    """
    if f.zone[u] >= 0 and f.ends.shape[0] > 1:
        clock = _leave(clock + spent, entered, f.ends) - spent
        if clock == np.inf:
            return np.inf, clock, entered
    if f.zone[v] >= 0:
        entered = clock + spent
        if not again:
            spent += f.zone_price[f.zone[v]]
    return spent, clock, entered


@pasted
def _note(record: F8, rows: int, t: float, place: int, spent: float) -> int:
    """Write a row where there is room; how many there are."""
    if rows < record.shape[0]:
        record[rows, 0] = t
        record[rows, 1] = place
        record[rows, 2] = spent
        rows += 1
    return rows


@bare_kernel
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
    line = _line(f, ax, ay, pa, bx, by, pb)
    i = wide(f.column[pa]) % f.nx
    j = wide(f.column[pa]) // f.nx
    u = pa
    was = -1
    t = 0.0
    paid_to = 0.0
    spent = 0.0
    rate = _rate(f, u, line)
    crossed = False
    rows = 0
    # on ground of one height a neighbour of a place that touches something and itself touches nothing is well clear of
    # it: where it is not, the body is lifted over it on the way
    lifted = line.linked and (f.state[pa] ^ f.state[pb]) & EDGE != 0
    rough = False
    over = f.zone[pa] >= 0  # the line was over an obstacle and has not got clear of it since
    again = False
    bought = f.zone[pa]  # the obstacle that was paid for last
    upon = False  # the line is within an obstacle's reach, in cells that do not count as being over it
    while True:
        entry = t
        rows = _note(record, rows, t, u, spent + rate * line.plan * (t - paid_to))
        rx = abs(line.ti - i)
        ry = abs(line.tj - j)
        k = int(f.plain[u])
        if k > 1:
            u, i, j, t = _leap_plain(f, line, u, k, i, j, t)
            was = -1
            over = False
            if i == line.ti and j == line.tj:
                if u != pb:
                    return False, 0.0, 0.0, 0.0, False, rows
                if k > max(rx, ry):
                    break
            continue
        tx = np.inf
        ty = np.inf
        if rx > 0:
            tx = min(1.0, max(t, ((i + 1 if line.sx > 0 else i) - line.fx) * line.ix))
        if ry > 0:
            ty = min(1.0, max(t, ((j + 1 if line.sy > 0 else j) - line.fy) * line.iy))
        out = min(1.0, tx, ty)
        if k == 0 and f.state[u] & (EDGE | DISC) and not _clear(f, line, u, t, out):
            if not lifted or f.state[u] & DISC:
                return False, 0.0, 0.0, 0.0, False, rows
            rough = True
        if f.state[u] & BORDER:
            slope = rate / f.weight[u]
            spent += rate * line.plan * (t - paid_to)
            spent += slope * line.plan * _through(f, u, line, t, out)
            paid_to = out
        if rx == 0 and ry == 0:
            beside = f.zone[u] < 0 and not over
            if u != pb or (beside and (upon or not _passes_by(f, line, u, entry, 1.0))):
                return False, 0.0, 0.0, 0.0, False, rows
            break
        v, was, i, j, t = _next_cell(f, line, u, was, i, j, t, tx, ty)
        if v < 0:
            return False, 0.0, 0.0, 0.0, False, rows
        if f.zone[u] >= 0 or f.zone[v] >= 0:
            again = over and f.zone[v] == bought  # back over one that it has not got clear of
            over = f.zone[u] >= 0
            upon = False
        elif k == 0:
            may, over, upon = _beside_obstacle(f, line, u, v, entry, t, over, upon)
            if not may:
                return False, 0.0, 0.0, 0.0, False, rows
        else:
            over = False
        if f.zone[v] != f.zone[u]:
            crossed = True
            spent, clock, entered = _toll(
                f, u, v, spent + rate * line.plan * (t - paid_to), clock, entered, again
            )
            if spent == np.inf:
                return False, 0.0, 0.0, 0.0, False, rows
            paid_to = t
            if f.zone[v] >= 0:
                bought = f.zone[v]
            rate = _rate(f, v, line)
        elif f.weight[v] != f.weight[u] or (f.state[u] | f.state[v]) & TILT:
            now = _rate(f, v, line)
            if now != rate:
                spent += rate * line.plan * (t - paid_to)
                paid_to = t
                rate = now
        u = v
    spent += rate * line.plan * (1.0 - paid_to)
    rows = _note(record, rows, 1.0, u, spent)
    uniform = not crossed and not rough and abs(spent - f.weight[u] * line.plan) < 1e-6
    return True, spent, clock + spent, entered, uniform, rows
