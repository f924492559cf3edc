"""Kernel that decides for every surface sample of a window whether a body may pass and stand there, and where exactly.

See `bodies` for the tuples that stand for arrays.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from sandbox.ground.kernels.bodies import (
    CLEAR_MODE,
    CROSS_FLAG,
    MOST_NEAR,
    OPEN_MODE,
    OVER_MODE,
    UNDER_MM,
    gather,
    joined_floor,
    lifted,
    room,
    surely_blocked,
)
from sandbox.ground.kernels.evenness import RECENT, is_flat
from sandbox.ground.kernels.slack import TOLERANCE, opened_at, settle, void_at
from sandbox.ground.kernels.standing import L_LIP, L_NONE, resting_point, unevenness
from sandbox.ground.kernels.voids import bin_span, floor_width

PASS, STAND, BEND, GAP, OVER, EDGE = 1, 2, 4, 8, 16, 32
L_NO_ROOM, L_HEADROOM, L_NO_FLOOR = 3, 4, 5
L_BARRED, L_NARROW, L_SLOPE = 8, 14, 15


@njit(cache=True, nogil=True)
def _support(x, y, z, edge, margin, radius, open_radius, hang, pass_voids, up, down):
    """Whether floor carries a centre: why not (L_NONE where it does), what was measured (mm or nan), the distance to
    spare to the border of floor, and the void disc nearest to it (-1 none)."""
    d_void, v_near = void_at(
        x, y, z, pass_voids, max(open_radius, margin) if hang else radius + margin, up, down
    )
    need = 0.0 if hang else radius
    if d_void - need < -edge:
        return (L_NO_FLOOR if hang else L_LIP), d_void, d_void, v_near
    if d_void < open_radius and not opened_at(x, y, z, pass_voids, up, down, open_radius):
        # At the border itself the column may lie a hair outside; its place is moved on to the floor below.
        if d_void > TOLERANCE or v_near < 0 or edge == 0.0:
            width = np.nan
            if edge == 0.0:
                discs, vs, vi, vx, vy, vsize, vnx, vny, vr = pass_voids
                width = floor_width(
                    x, y, z, discs, vs, vi, vx, vy, vsize, vnx, vny, vr, up, down, 2.0 * open_radius
                )
            return L_NARROW, width, d_void, v_near
        discs = pass_voids[0]
        away = np.hypot(x - discs[v_near, 0], y - discs[v_near, 1])
        shift = (edge - d_void) / max(away, 1e-9)
        if not opened_at(
            x + (x - discs[v_near, 0]) * shift, y + (y - discs[v_near, 1]) * shift, z, pass_voids, up, down,
            open_radius,
        ):  # fmt: skip
            return L_NARROW, np.nan, d_void, v_near
    return L_NONE, np.nan, d_void - need, v_near


@njit(cache=True, nogil=True)
def _stopped_nearby(recent, x, y, z, under, height, enough, metric, steps):
    """Which of the last things in the way stands in this body too, -1 none: what stopped a place nearby mostly does.

    recent: (RECENT, 4) points and parts.
    """
    m00, m01, m10, m11 = metric
    up, _, tan = steps
    for k in range(RECENT):
        dx = recent[k, 0] - x
        dy = recent[k, 1] - y
        if (
            np.hypot(m00 * dx + m01 * dy, m10 * dx + m11 * dy) < enough
            and recent[k, 2] > max(under + UNDER_MM, z + up + np.hypot(dx, dy) * tan + 0.03)
            and recent[k, 2] < under + height - 0.1
        ):
            return k
    return -1


@njit(cache=True, nogil=True)
def _crossed_bins(faces, bins):
    """(bins,) whether a face of an obstacle lies in each bin."""
    flags = faces[4]
    start, item = bins[0], bins[1]
    found = np.zeros(start.shape[0] - 1, np.bool_)
    for b in range(found.shape[0]):
        for k in range(start[b], start[b + 1]):
            if flags[item[k]] & CROSS_FLAG != 0:
                found[b] = True
                break
    return found


@njit(cache=True, nogil=True)
def _obstacle_near(x, y, half, bins, crossed):
    """Whether a bin that meets a square has an obstacle in it."""
    _, _, bx0, by0, size, nx, ny = bins
    i0, i1 = bin_span(x - half, x + half, bx0, size, nx)
    j0, j1 = bin_span(y - half, y + half, by0, size, ny)
    for j in range(j0, j1 + 1):
        for i in range(i0, i1 + 1):
            if crossed[j * nx + i]:
                return True
    return False


@njit(cache=True, nogil=True)
def _stopped_again(last, few, x, y, z, body, under, margin, ground, mode, scratch, answer):
    """Part of a face that stopped a body nearby and stops this one too, -1 none: most of what is blocked is told by it.

    body: see `judge_places`, with the distance below which it is blocked for its length; last: (RECENT,) faces, -1
    none; few: scratch of that size.
    """
    radius, height, enough = body
    faces, _, floors, treads, _, metric, steps, _ = ground
    n = 0
    for k in range(RECENT):
        if last[k] >= 0:
            few[n] = last[k]
            n += 1
    if n == 0:
        return -1
    room(
        x, y, z, under, height, radius, margin, enough, few, n, treads, faces, floors, metric, steps, mode, scratch,
        answer,
    )  # fmt: skip
    return int(answer[4]) if answer[0] < enough else -1


@njit(cache=True, nogil=True)
def _highest_crossed(under, buffer, n, faces):
    """Top of the highest obstacle of which a face is near, at least `under`."""
    flags, part, tops = faces[4], faces[5], faces[6]
    for b in range(n):
        f = buffer[b]
        if flags[f] & CROSS_FLAG != 0:
            under = max(under, tops[part[f]])
    return under


@njit(cache=True, nogil=True)
def _room_over(
    x, y, z, under, height, half, radius, margin, enough, faces, bins, floors, treads, metric, steps, mode, stamp, mark,
    buffer, scratch, answer,
):  # fmt: skip
    """Room for a body lifted over obstacles to `under` (see `room`, mode: OVER_MODE); returns how many faces are near."""
    n, _ = gather(
        x, y, half, under + 0.2, under + height, -np.inf, np.inf, faces, bins, treads, stamp, mark, buffer
    )
    room(
        x, y, z, under, height, radius, margin, enough, buffer, n, treads, faces, floors, metric, steps, mode, scratch,
        answer,
    )  # fmt: skip
    return n


@njit(cache=True, nogil=True)
def _note_touches(touch, i, x, y, over, v, radius, margin, hang, pass_voids, metric, answer):
    """Write what a base nearly touches to touch[i] (3, 2): what is nearest in two directions, and an obstacle.

    v: the void disc at whose border the centre is, -1 none; answer: what `room` found.
    """
    near = radius + margin
    k = 0
    if not over:
        if answer[0] < near and answer[12] != 0.0:
            touch[i, 2, 0] = answer[1]
            touch[i, 2, 1] = answer[2]
        elif answer[5] < near and answer[13] != 0.0:
            touch[i, 2, 0] = answer[6]
            touch[i, 2, 1] = answer[7]
    if answer[0] < near and answer[12] == 0.0:
        touch[i, 0, 0] = answer[1]
        touch[i, 0, 1] = answer[2]
        k = 1
    if v >= 0:
        discs = pass_voids[0]
        r = pass_voids[8]
        ux = x - discs[v, 0]
        uy = y - discs[v, 1]
        length = max(np.hypot(ux, uy), 1e-9)
        ux /= length
        uy /= length
        touch[i, k, 0] = discs[v, 0] + ux * r
        touch[i, k, 1] = discs[v, 1] + uy * r
        if hang:
            # kept as the point that the base just reaches, its outline along the border, when its centre is over the
            # border; squares of scaled distances: a00 x x + 2 a01 x y + a11 y y
            m00, m01, m10, m11 = metric
            a00 = m00 * m00 + m10 * m10
            a01 = m00 * m01 + m10 * m11
            a11 = m01 * m01 + m11 * m11
            sx = a11 * ux - a01 * uy
            sy = a00 * uy - a01 * ux
            size = radius / np.sqrt((ux * sx + uy * sy) * (a00 * a11 - a01 * a01))
            touch[i, k, 0] -= sx * size
            touch[i, k, 1] -= sy * size
        k += 1
    if k < 2 and answer[5] < near and answer[13] == 0.0:
        touch[i, k, 0] = answer[6]
        touch[i, k, 1] = answer[7]


@njit(cache=True, nogil=True, inline="always")
def _remember(recent, turn, where, part):
    """Note what stopped a body where, for the cells beside: recent (RECENT, 4), turn (2,) the row to write, first."""
    for k in range(3):
        recent[turn[0], k] = where[k]
    recent[turn[0], 3] = part
    turn[0] = (turn[0] + 1) % RECENT


@njit(cache=True, nogil=True, inline="always")
def _look_for_room(
    x, y, z, gx, gy, kind, flat, node_top, node_zone, d_void, v_near, body, margin, edge, pitch, round_base,
    has_barred, hang, no, ground, tools, answer,
):  # fmt: skip
    """Room for a body whose centre is at a node: how many faces are near, whether it is lifted over an obstacle, its
    underside, the part of that obstacle (-1 none), and the part that blocks it for sure (-1 none; else `answer` holds what
    `room` found)."""
    faces, bins, floors, treads, columns, metric, steps, pass_voids = ground
    stamp, buffer, scratch, heights, other, trial, where, recent, turn, modes, last, few, crossed = tools
    radius, height, long = body
    up, down, tan = steps
    half = long + margin
    tall = (radius, height, margin)
    part = -1
    stamp[-1] += 1
    low_z = z - down if has_barred else z + 0.2
    under = z
    if kind != 4 and not flat:
        under, _, _ = joined_floor(x, y, z, radius, columns, metric, steps, heights)
        under = lifted(x, y, z, under, radius, faces, floors, metric, steps)
    if kind != 4 and edge > 0.0 and not has_barred and not _obstacle_near(x, y, half, bins, crossed):
        again = _stopped_again(
            last, few, x, y, z, (radius, height, radius - 1.5 * edge), under, margin, ground, modes[CLEAR_MODE], scratch,
            answer,
        )  # fmt: skip
        if again >= 0:
            return 0, False, under, part, again
    n, crossing = gather(
        x, y, half, low_z, under + height + 2.0 * edge * tan, z + up + 0.025, under + UNDER_MM, faces, bins, treads,
        stamp, stamp[-1], buffer,
    )  # fmt: skip
    enough = -np.inf if edge == 0.0 or crossing else radius - 1.5 * edge
    over = kind == 4
    if over:
        under = node_top
        part = node_zone
        stamp[-1] += 1
        n = _room_over(
            x, y, z, under, height, half, radius, margin, enough, faces, bins, floors, treads, metric, steps,
            modes[OVER_MODE], stamp, stamp[-1], buffer, scratch, answer,
        )  # fmt: skip
    elif n > 0:
        if edge > 0.0:
            # what is above all obstacles near is in the way beside them and over them
            above = _highest_crossed(under, buffer, n, faces) if crossing else under
            tallness, inner = under + height - above, radius - 1.5 * edge
            known = _stopped_nearby(recent, x, y, z, above, tallness, inner, metric, steps)
            if known >= 0:
                return n, over, under, part, int(recent[known, 3])
            f = surely_blocked(
                x, y, z, above, tallness, inner, buffer, n, faces, metric, steps, scratch[0], where
            )
            if f >= 0:
                last[turn[1]] = f
                turn[1] = (turn[1] + 1) % RECENT
                _remember(recent, turn, where, faces[5][f])
                return n, over, under, part, int(faces[5][f])
        room(
            x, y, z, under, height, radius, margin, enough, buffer, n, treads, faces, floors, metric, steps,
            modes[CLEAR_MODE], scratch, answer,
        )  # fmt: skip
        if answer[0] < enough:
            # the search ended at the face that it met last
            last[turn[1]] = scratch[2][int(answer[11]) - 1]
            turn[1] = (turn[1] + 1) % RECENT
        if crossing and min(answer[0] - radius, d_void) < edge:
            # Not over an obstacle where the cell has a point beside it, else over it.
            settled = False
            if min(answer[0] - radius, d_void) >= -1.45 * edge - TOLERANCE:
                _, _, settled = settle(
                    x, y, z, gx, gy, d_void, v_near, edge, pitch, round_base, tall, scratch[2], int(answer[11]),
                    treads, faces, floors, columns, metric, steps, pass_voids, no, under, not flat, hang,
                    answer, (heights, other, trial),
                )  # fmt: skip
            if not settled:
                room(
                    x, y, z, under, height, radius, margin, -np.inf, buffer, n, treads, faces, floors, metric,
                    steps, modes[OPEN_MODE], scratch, answer,
                )  # fmt: skip
        if answer[8] > -np.inf:
            over = True
            under = max(answer[8], under)
            part = int(answer[9])
            stamp[-1] += 1
            n = _room_over(
                x, y, z, under, height, half, radius, margin, enough, faces, bins, floors, treads, metric, steps,
                modes[OVER_MODE], stamp, stamp[-1], buffer, scratch, answer,
            )  # fmt: skip
    else:
        answer[0] = np.inf
        answer[5] = np.inf
    return n, over, under, part, -1


@njit(cache=True, nogil=True, inline="always")
def _where_it_stands(
    px, py, pz, x, y, gx, gy, kind, may, flat, under, near_faces, body, limits, margin, edge, pitch, stand_voids, hang,
    no, ground, tools,
):  # fmt: skip
    """Whether a body that may be at (px, py, pz) of a node's cell stands in it: a limit, what was measured, and where."""
    faces, _, floors, treads, columns, metric, steps, pass_voids = ground
    _, _, scratch, heights, other, trial, _, _, _, _, _, _, _ = tools
    radius, height, long = body
    _, uneven, stand_tan = limits
    if may == 0:
        return L_BARRED, np.nan, px, py, pz
    rx, ry, d_stand = resting_point(
        px, py, pz, (x, y), (gx, gy), radius, long, edge, pitch, stand_voids, metric, steps, (radius, height, margin),
        scratch[2], near_faces, treads, faces, floors, columns, pass_voids, no, under, not flat, hang,
        (heights, other, trial),
    )  # fmt: skip
    if d_stand < -TOLERANCE:
        return L_LIP, -d_stand, rx, ry, pz
    rz = pz + gx * (rx - px) + gy * (ry - py)
    if not flat:
        off_column = kind == 1 and max(abs(rx - x), abs(ry - y)) > 0.05
        found, length = unevenness(
            rx, ry, rz, off_column, radius, long, uneven, stand_tan, faces, floors, columns, metric, steps, heights,
            scratch[0],
        )  # fmt: skip
        if found != L_NONE:
            return found, length, rx, ry, rz
    return L_NONE, np.nan, rx, ry, rz


@njit(cache=True, nogil=True)
def judge_places(
    node_xy, node_z, node_above, node_kind, node_gradient, node_top, node_zone, node_stands, wiggle,
    body, limits, faces, bins, floors, treads, columns, levels, metric, steps, pass_voids, stand_voids, has_barred, hang,
):  # fmt: skip
    """Judge every node of a window.

    node_xy: (n, 2). node_above: (n,) next surface over the node. wiggle: how far a place may be moved off its node, mm (0: the very point is judged).
    node_kind: 0 not floor, 1 floor, 2 thin top, 3 bridged gap, 4 top of an obstacle. node_zone: part of the obstacle
    for kind 4. body: (scaled radius, height, longer half axis). limits: (opening disc radius, uneven mm, tan of
    stand_slope). bins: all faces; floors: those that may be floor. treads: (faces,) what is known of risers so far, added to. levels: from `flat_levels`. Returns pos (n, 3), lift (n,), flags (n,), touch (n, 3, 2), zone (n,),
    limit (n,), measured (n,), rest (n, 3) (nan where it cannot stand), culprit part (n,), and why it cannot stand:
    stand_limit (n,) and stand_measured (n,).
    """
    pitch = columns[4]
    radius, height, long = body
    open_radius, uneven, stand_tan = limits
    up, down, tan = steps
    round_base = metric[1] == 0.0 and metric[0] == 1.0 and metric[3] == 1.0
    count = node_z.shape[0]
    pos = np.empty((count, 3), np.float64)
    lift = np.empty(count, np.float64)
    flags = np.zeros(count, np.uint8)
    touch = np.full((count, 3, 2), np.nan)
    zone = np.full(count, -1, np.int32)
    limit = np.zeros(count, np.uint8)
    measured = np.full(count, np.nan)
    rest = np.full((count, 3), np.nan)
    culprit = np.full(count, -1, np.int32)
    stand_limit = np.zeros(count, np.uint8)
    stand_measured = np.full(count, np.nan)
    stamp = np.zeros(
        faces[0].shape[0] + 1, np.int64
    )  # by face, in which look it was met; last: the number of looks
    buffer = np.empty(min(faces[0].shape[0] + 1, 200000), np.int32)
    heights = np.empty((40000, 3), np.float64)
    poly = np.empty((18, 3), np.float64)
    near = np.empty((MOST_NEAR, 6), np.float64)
    scratch = (poly, near, np.empty(buffer.shape[0], np.int32))
    where = np.empty(3, np.float64)
    recent = np.full((RECENT, 4), np.nan)
    turn = np.zeros(2, np.int64)
    last = np.full(RECENT, -1, np.int32)
    few = np.empty(RECENT, np.int32)
    other = (poly, near, np.empty(buffer.shape[0], np.int32))
    answer = np.zeros(14, np.float64)
    trial = np.zeros(14, np.float64)
    margin = 1.5 * pitch
    edge = wiggle
    tall = (radius, height, margin)
    # literal arguments would compile the kernels once for each of them
    modes = np.arange(3)
    no = np.zeros(1, np.bool_)
    ground = (faces, bins, floors, treads, columns, metric, steps, pass_voids)
    crossed = _crossed_bins(faces, bins)
    tools = (stamp, buffer, scratch, heights, other, trial, where, recent, turn, modes, last, few, crossed)
    for i in range(count):
        x = node_xy[i, 0]
        y = node_xy[i, 1]
        z = node_z[i]
        pos[i, 0] = x
        pos[i, 1] = y
        pos[i, 2] = z
        lift[i] = z
        kind = node_kind[i]
        if kind == 0:
            limit[i] = L_SLOPE
            continue
        if kind != 4 and node_above[i] - z < height - 0.025:
            limit[i] = L_HEADROOM
            measured[i] = node_above[i] - z
            continue
        gx = node_gradient[i, 0]
        gy = node_gradient[i, 1]

        # support under the centre
        d_void = np.inf
        v_near = -1
        if kind != 4:
            found, length, d_void, v_near = _support(
                x, y, z, edge, margin, radius, open_radius, hang, pass_voids, up, down
            )
            if found != L_NONE:
                limit[i] = found
                measured[i] = length
                continue

        # the rim may reach a sliver of other floor whose columns lie beyond it
        flat = is_flat(x, y, z, long + edge + 1.5 * pitch, levels, up, down, tan)
        n, over, under, part, blocked = _look_for_room(
            x, y, z, gx, gy, kind, flat, node_top[i], node_zone[i], d_void, v_near, body, margin, edge, pitch, round_base,
            has_barred, hang, no[0], ground, tools, answer,
        )  # fmt: skip
        zone[i] = part
        if blocked >= 0:
            limit[i] = L_NO_ROOM
            culprit[i] = blocked
            continue
        near_faces = int(answer[11]) if n > 0 else 0
        d_wall = answer[0] - radius
        slack = d_wall if over else min(d_wall, d_void)
        px = x
        py = y
        if slack < edge:
            if slack < -1.45 * edge - TOLERANCE:
                limit[i] = L_BARRED if has_barred and answer[4] >= 0 and answer[3] <= z + 0.2 else L_NO_ROOM
                measured[i] = answer[0]
                culprit[i] = np.int32(answer[4])
                if not over and d_wall < -1.5 * edge:
                    _remember(recent, turn, answer[1:4], answer[4])
                continue
            sx, sy, settled = settle(
                x, y, z, gx, gy, d_void, v_near, edge, pitch, round_base, tall, scratch[2], near_faces, treads, faces,
                floors, columns, metric, steps, pass_voids, over, under, not flat, hang, answer, (heights, other, trial),
            )  # fmt: skip
            if not settled:
                limit[i] = L_BARRED if has_barred and answer[4] >= 0 and answer[3] <= z + 0.2 else L_NO_ROOM
                measured[i] = answer[0]
                culprit[i] = np.int32(answer[4])
                continue
            px = sx
            py = sy
            z = z + gx * (px - x) + gy * (py - y)
            flags[i] |= EDGE
        if slack < 2.0 * pitch:
            flags[i] |= EDGE
            at_lip = not over and v_near >= 0 and d_void < margin
            _note_touches(
                touch,
                i,
                x,
                y,
                over,
                v_near if at_lip else -1,
                radius,
                margin,
                hang,
                pass_voids,
                metric,
                answer,
            )
        pos[i, 0] = px
        pos[i, 1] = py
        pos[i, 2] = z
        lift[i] = under
        flags[i] |= PASS
        if kind == 3:
            flags[i] |= GAP
        if over:
            flags[i] |= OVER
            continue

        found, length, rx, ry, rz = _where_it_stands(
            px, py, z, x, y, gx, gy, kind, node_stands[i], flat, under, near_faces, body, limits, margin, edge, pitch,
            stand_voids, hang, no[0], ground, tools,
        )  # fmt: skip
        stand_limit[i] = found
        stand_measured[i] = length
        if found == L_NONE:
            rest[i, 0] = rx
            rest[i, 1] = ry
            rest[i, 2] = rz
            flags[i] |= STAND
    return pos, lift, flags, touch, zone, limit, measured, rest, culprit, stand_limit, stand_measured
