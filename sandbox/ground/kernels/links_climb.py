"""Kernels that take a body over a lip: down its outside to the next floor to pass, and what the climb there meets.

Tuples stand for arrays that travel together:
bins = (grid, start, items, corners, box, marks); coarse = (grid, start, items), larger cells of the same faces;
places = (grid (5,), start, pos, flags, lift, limit, measured); body = (r, reach, height, metric (4,));
work = (z, face, top, tri (n, COLUMNS), ids, stamp, one (8, 3), two (8, 3), events, near (n, 5), active (n,) int32);
limits = (15,) float64, see the names below.
"""

from __future__ import annotations

import numpy as np

from sandbox.compiling import bare
from sandbox.ground.kernels.links_bins import UP, column, space_at
from sandbox.ground.kernels.links_body import (
    FINISH,
    HIGH,
    LOW,
    TOUCH,
    UPPER,
    first_free,
    forbidden,
    near_place,
)
from sandbox.ground.kernels.links_lips import OVER, bars_at

STEP_UP, STEP_DOWN, LANDING, OVERHANG, UNDERSIDE, RAIL_LOW, RAIL_MAX, RAIL_REACH = 0, 1, 2, 3, 4, 5, 6, 7
PASS = np.int64(1)
UNDER = 0.25
"""The body is looked at from this height over the floor that carries it."""
NEAR = 1.2
"""A place within this many pitches of an exact point says that the point may be passed."""
STRIDE = 2.0

FOUND, TOO_NEAR, NO_FLOOR, NO_ROOM, FAR = 0, 1, 2, 3, 4
"""Ends of a descent: a floor to pass; floor within a step (no link); none to pass; no room; beyond what was gathered."""


@bare
def look(x, y, low, bins, work):
    """Open spaces of the column over a point, in work's buffers; returns their number."""
    return column(x, y, low, bins, (work[0], work[1], work[2]))


@bare
def passes(x, y, z, places):
    """Nearest place to pass at a point, -1 none."""
    reach = NEAR * places[0][2]
    return near_place(x, y, z, reach, reach, reach, PASS, places[0], places[1], places[2], places[3])


@bare
def _comes_between(px, py, pz, dx, dy, far, limits, places):
    """Whether floor to pass of the lip's own level lies under a line outward from it: what is climbed then ends there,
    and the gap between is no part of the climb."""
    pitch = places[0][2]
    s = 3.0 * pitch
    while s < far - pitch:
        p = near_place(
            px + s * dx, py + s * dy, pz, limits[STEP_DOWN], limits[STEP_UP], pitch, PASS, places[0], places[1],
            places[2], places[3],
        )  # fmt: skip
        if p >= 0:
            return True
        s += pitch
    return False


@bare
def descend(px, py, pz, dx, dy, scale, u_most, z_top, n, z_gathered, limits, body, bins, places, work):
    """Way down outside a lip: the nearest place outward (dx, dy) where the body fits from z_top all the way down to
    floor to pass, its front against what it came down.

    n: gathered triangles in work; u_most: U to which they were gathered; z_gathered: lowest z. Returns how it ended,
    the centre's true distance from the lip, the floor's height and the place there (-1 none).
    """
    r = body[0]
    tri, one, two = work[3], work[6], work[7]
    step_up, step_down = limits[STEP_UP], limits[STEP_DOWN]
    u = first_free(0.0, u_most, pz - 0.5, z_top, r, tri, n, one, two)
    past = -1.0
    for _ in range(400):
        if not u < u_most:
            return FAR, 0.0, pz, -1
        s = u / scale
        x = px + s * dx
        y = py + s * dy
        m = look(x, y, -np.inf, bins, work)
        k = space_at(pz + OVER, m, work[0], work[2])
        if k < 0:
            return NO_ROOM, s, pz, -1
        f = work[1][k]
        zc = work[0][k]
        if f < 0:
            return NO_FLOOR, s, zc, -1
        if zc >= pz - step_down:
            return TOO_NEAR, s, zc, -1
        if zc - 30.0 < z_gathered:
            return FAR, s, zc, -1
        if bins[5][f] & UP == 0:
            u = max(first_free(u, u_most, zc - 3.0, z_top, r, tri, n, one, two), u + 1e-3)
            continue
        free = first_free(u, u_most, zc + step_up, z_top, r, tri, n, one, two)
        if free > u + 1e-3:
            u = free
            continue
        p = passes(x, y, zc, places)
        if p >= 0:
            free = first_free(u, u_most, max(places[4][p], zc) + UNDER, z_top, r, tri, n, one, two)
            if free <= u + 0.05:
                if _comes_between(px, py, pz, dx, dy, s, limits, places):
                    return TOO_NEAR, s, pz, -1
                return FOUND, s + TOUCH / scale, zc, p
            if free - u <= 25.4 * scale and past != zc:
                u = free
                past = zc
                continue
        if past != zc:
            # clutter at the foot of the wall belongs to what the body stands in front of
            past = zc
            free = first_free(u, u_most, zc + UNDER, z_top, r, tri, n, one, two)
            if free > u + 1e-3 and free - u <= 25.4 * scale:
                u = free
                continue
        # a ledge too narrow to pass: on, past its edge
        free = first_free(u, u_most, zc - 0.5, z_top, r, tri, n, one, two)
        if not free < u_most:
            return NO_FLOOR, s, zc, -1
        u = max(free, u + 1e-3)
    return NO_FLOOR, u / scale, pz, -1


@bare
def mount(px, py, pz, dx, dy, most, limits, bins, places, work):
    """Where the top of a lip may be passed: at the lip or further in along (-dx, -dy), at most `most` mm.

    Returns the distance in from the lip, the place (-1: none), the floor's height there, and where the top ends in a
    far lip (-1: it does not within `most`, or something solid stands on it).
    """
    s = 0.0
    z = pz
    last = 0.0
    first = True
    while s <= most:
        look_at = 0.03 if first else s
        m = look(px - look_at * dx, py - look_at * dy, z - limits[STEP_DOWN] - 0.5, bins, work)
        k = space_at(z + OVER, m, work[0], work[2])
        if k < 0:
            # a step up, or something solid
            for q in range(m):
                if work[0][q] > z + OVER:
                    k = q
                    break
            if k < 0 or work[0][k] - z > limits[STEP_UP]:
                k = -1
        if k >= 0 and (work[1][k] < 0 or z - work[0][k] > limits[STEP_DOWN]):
            lo, hi = last, s
            while hi - lo > 0.01:
                mid = 0.5 * (lo + hi)
                m = look(px - mid * dx, py - mid * dy, z - limits[STEP_DOWN] - 0.5, bins, work)
                k = space_at(z + OVER, m, work[0], work[2])
                if k >= 0 and (work[1][k] < 0 or z - work[0][k] > limits[STEP_DOWN]):
                    hi = mid
                else:
                    lo = mid
            return lo, -1, z, lo
        if k >= 0:
            z = work[0][k]
            p = passes(px - s * dx, py - s * dy, z, places)
            if p >= 0:
                return s, p, z, -1.0
        last = s
        s += STRIDE
        first = False
    return last, -1, z, -1.0


@bare
def rail_over(known, px, py, pz, dx, dy, limits, bins, work):
    """Height of a railing at a point of a lip, mm: what is known, or, where that is 0, what is found there."""
    if known != 0.0:
        return known
    buffers = (work[0], work[1], work[2])
    return bars_at(px, py, pz, dx, dy, limits[RAIL_LOW], limits[RAIL_MAX], limits[RAIL_REACH], bins, buffers)


@bare
def _section(n, tri, ids, u_foot, z_low, z_high, near):
    """Cuts of the gathered triangles by the upright plane of the line: near (k, 5) U, z, U, z, tri; returns k."""
    v0 = 1.2345e-5
    count = 0
    for k in range(n):
        if tri[k, HIGH] <= z_low or tri[k, LOW] >= z_high:
            continue
        found = 0
        for e in range(3):
            i = 3 * e
            j = 3 * ((e + 1) % 3)
            a = tri[k, i + 1] - v0
            b = tri[k, j + 1] - v0
            if (a < 0.0) != (b < 0.0) and found < 2 and count < near.shape[0]:
                t = a / (a - b)
                near[count, 2 * found] = tri[k, i] + t * (tri[k, j] - tri[k, i])
                near[count, 2 * found + 1] = tri[k, i + 2] + t * (tri[k, j + 2] - tri[k, i + 2])
                found += 1
        if found == 2 and min(near[count, 0], near[count, 2]) < u_foot:
            near[count, 4] = k
            count += 1
    return count


@bare
def _cuts_at(z, count, near, active):
    """The cuts (see `_section`) that a height runs through: their numbers in `active`; returns how many."""
    m = 0
    for c in range(count):
        if (near[c, 1] <= z) != (near[c, 3] <= z):
            active[m] = c
            m += 1
    return m


@bare
def _first_met(z, m, active, near, u_foot):
    """Outermost of m active cuts at a height, seen from the body's centre: U (-inf none) and its triangle."""
    best = -np.inf
    which = -1
    for i in range(m):
        c = active[i]
        z0, z1 = near[c, 1], near[c, 3]
        if (z0 <= z) == (z1 <= z):
            continue
        t = (z - z0) / (z1 - z0)
        u = near[c, 0] + t * (near[c, 2] - near[c, 0])
        if best < u <= u_foot:
            best = u
            which = int(near[c, 4])
    return best, which


@bare
def _heights_in_order(count, z_foot, z_lip, near, events):
    """Heights between foot and lip at which cuts begin and end, and both of these, in order, written to events; how many."""
    events[0] = z_foot
    events[1] = z_lip
    e = np.int64(2)
    for c in range(count):
        for q in range(2):
            z = near[c, 1 + 2 * q]
            if z_foot < z < z_lip and e < events.shape[0]:
                events[e] = z
                e += 1
    for i in range(1, e):
        z = events[i]
        j = i - 1
        while j >= 0 and events[j] > z:
            events[j + 1] = events[j]
            j -= 1
        events[j + 1] = z
    return e


@bare
def _from_the_foot(e, order, count, u_foot, front, slack, scale, part_climb, face_part, ids, near, active):
    """The face as seen from the foot: the greatest overhang, mm, how much of its height may not be climbed, whether any of
    it lies beyond the limit of the body's front, and the part climbed (-1 none).

    order: (e,) heights, see `_heights_in_order`; count: how many cuts.
    """
    greatest = 0.0
    above = -np.inf
    barred = 0.0
    deep = False
    part = np.int64(-1)
    middle = 0.5 * (order[0] + order[e - 1])
    for q in range(e - 1, 0, -1):
        lo, hi = order[q - 1], order[q]
        if hi - lo < 1e-6:
            continue
        # no cut begins or ends between two heights of the order
        m = _cuts_at(0.5 * (lo + hi), count, near, active)
        for side in range(2):
            z = hi - 0.02 * (hi - lo) if side == 0 else lo + 0.02 * (hi - lo)
            u, k = _first_met(z, m, active, near, u_foot)
            above = max(above, u)
            if k < 0 or u < front - slack:
                deep = True
            else:
                greatest = max(greatest, (above - u) / scale)
            if k >= 0:
                if not part_climb[face_part[ids[k]]]:
                    barred += 0.5 * (hi - lo)
                if part < 0 or z >= middle:
                    part = np.int64(face_part[ids[k]])
    return greatest, barred, deep, part


@bare
def _stops_from_the_foot(e, order, count, u_foot, front, slack, limits, near, active):
    """Whether a stretch that lies too far behind is long enough to stop a body whose front is outermost, as at the foot."""
    start = -1.0
    for q in range(1, e + 1):
        behind = False
        if q < e:
            lo, hi = order[q - 1], order[q]
            if hi - lo < 1e-6:
                continue
            m = _cuts_at(0.5 * (lo + hi), count, near, active)
            u, k = _first_met(0.5 * (lo + hi), m, active, near, u_foot)
            u_low, k_low = _first_met(lo + 0.02 * (hi - lo), m, active, near, u_foot)
            u_high, k_high = _first_met(hi - 0.02 * (hi - lo), m, active, near, u_foot)
            behind = min(k, k_low, k_high) < 0 or min(u, u_low, u_high) < front - slack
        if behind and start < 0.0:
            start = order[q - 1]
        elif not behind and start >= 0.0:
            if _stretch(start, order[q - 1], order[0], limits) != 0:
                return True
            start = -1.0
    return False


@bare
def _front_at(z, n, tri, u_foot, z_top, r, one, two):
    """How far out the body's middle is kept at a height by what stands there and above, up to z_top; -inf by nothing."""
    x_front = -np.inf
    for c in range(n):
        if tri[c, FINISH] <= x_front or tri[c, HIGH] <= z:
            continue
        if tri[c, LOW] >= z:
            # the whole of it below z_top counts, at this height and at all lower ones
            if np.isnan(tri[c, UPPER]):
                _, tri[c, UPPER] = forbidden(tri, c, z, z_top, r, one, two)
            h = tri[c, UPPER]
        else:
            _, h = forbidden(tri, c, z, z_top, r, one, two)
        if h <= u_foot + 0.1 and h > x_front:
            x_front = h
    return x_front


@bare
def _from_its_front(n, e, order, count, u_foot, scale, z_top, limits, r, greatest, work):
    """The limit that stops a body whose front is where it really is at each height (0 none), and the greatest overhang, mm.

    greatest: what was met from the foot.
    """
    tri, one, two, near, active = work[3], work[6], work[7], work[9], work[10]
    z_foot, z_lip = order[0], order[e - 1]
    start = -1.0
    worst = 0.0
    for q in range(1, e):
        lo, hi = order[q - 1], order[q]
        if hi - lo < 1e-6:
            continue
        m = _cuts_at(0.5 * (lo + hi), count, near, active)
        pieces = max(int((hi - lo) / 4.0), 1)
        for w in range(pieces):
            z0 = lo + (hi - lo) * w / pieces
            z1 = lo + (hi - lo) * (w + 1) / pieces
            z = 0.5 * (z0 + z1)
            u, k = _first_met(z, m, active, near, u_foot)
            x_front = _front_at(z, n, tri, u_foot, z_top, r, one, two)
            depth = (x_front - r - u) / scale if k >= 0 else np.inf
            if depth > limits[OVERHANG]:
                if start < 0.0:
                    start = z0
                    worst = 0.0
                worst = max(worst, depth)
                continue
            if k >= 0:
                greatest = max(greatest, depth)
            if start >= 0.0:
                stop = _stretch(start, z0, z_foot, limits)
                if stop != 0:
                    return 2 if np.isinf(worst) else stop, worst
                start = -1.0
    if start >= 0.0:
        stop = _stretch(start, z_lip, z_foot, limits)
        if stop != 0:
            return 2 if np.isinf(worst) else stop, worst
    return 0, greatest


@bare
def judge_face(n, u_foot, scale, z_foot, z_lip, z_top, limits, body, bins, part_climb, face_part, work):
    """What a climb between a foot and a lip meets.

    Returns the limit that stops it (0 none, 1 overhang, 2 underside, 12 not climbable), the greatest overhang passed or
    the one that stops it, mm (inf: nothing is behind), and the part climbed.
    """
    r = body[0]
    tri, ids, events, near, active = work[3], work[4], work[8], work[9], work[10]
    count = _section(n, tri, ids, u_foot, z_foot, z_lip, near)
    e = _heights_in_order(count, z_foot, z_lip, near, events)
    front = u_foot - r
    slack = (limits[OVERHANG]) * scale
    # first look: is all of the face within the limit of the body's front at the foot?
    greatest, barred, deep, part = _from_the_foot(
        e, events, count, u_foot, front, slack, scale, part_climb, face_part, ids, near, active
    )
    if barred > limits[STEP_UP]:
        return 12, barred, part
    if not deep or not _stops_from_the_foot(e, events, count, u_foot, front, slack, limits, near, active):
        return 0, greatest, part
    # some of it lies far behind: measure against the front that the body really has at each height
    stop, measured = _from_its_front(n, e, events, count, u_foot, scale, z_top, limits, r, greatest, work)
    return stop, measured, part


@bare
def _stretch(z0, z1, z_foot, limits):
    """Whether a stretch that lies deeper than the overhang limit stops a climb: 0, 1 too high, 2 nothing below it."""
    if z1 - z0 > limits[UNDERSIDE]:
        return 1
    # what is no higher over the floor than a free step is stepped past
    if z0 <= z_foot + 1e-3 and z1 - z_foot > limits[STEP_UP]:
        return 2
    return 0
