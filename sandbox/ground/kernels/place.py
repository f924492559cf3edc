"""Kernel that decides for every surface sample of a window whether a body may pass and stand there, and where exactly.

See `bodies` for the tuples that stand for arrays.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from sandbox.ground.kernels.bodies import (
    CLEAR_MODE,
    MOST_NEAR,
    OPEN_MODE,
    OVER_MODE,
    UNDER_MM,
    floor_touching,
    gather,
    highest_over,
    joined_floor,
    lifted,
    room,
    surely_blocked,
)
from sandbox.ground.kernels.evenness import RECENT, close_floor, is_flat, plane_of
from sandbox.ground.kernels.voids import floor_width, in_opened, is_void_for, void_distance

TOLERANCE = 0.0125
"""A distance may fall short by this, mm: half of the 0.05 mm snap for each side of a width."""

PASS, STAND, BEND, GAP, OVER, EDGE = 1, 2, 4, 8, 16, 32
L_NONE, L_NO_ROOM, L_HEADROOM, L_NO_FLOOR = 0, 3, 4, 5
L_BARRED, L_LIP, L_UNEVEN, L_TILT, L_NARROW, L_SLOPE = 8, 9, 10, 11, 14, 15


@njit(cache=True, nogil=True, inline="always")
def _void(x, y, z, voids, reach, up, down):
    discs, start, item, x0, y0, size, nx, ny, radius = voids
    return void_distance(x, y, z, discs, start, item, x0, y0, size, nx, ny, radius, reach, up, down)


@njit(cache=True, nogil=True, inline="always")
def _opened(x, y, z, voids, up, down, disc):
    discs, start, item, x0, y0, size, nx, ny, radius = voids
    return in_opened(x, y, z, discs, start, item, x0, y0, size, nx, ny, radius, up, down, disc)


@njit(cache=True, nogil=True)
def scaled_void(x, y, z, voids, reach, metric, up, down):
    """Scaled distance from a centre to the border of closed floor at its lips, at most `reach`."""
    discs, start, item, x0, y0, size, nx, ny, radius = voids
    m00, m01, m10, m11 = metric
    if m01 == 0.0 and m00 == 1.0 and m11 == 1.0:
        d, _ = void_distance(x, y, z, discs, start, item, x0, y0, size, nx, ny, radius, reach, up, down)
        return d
    # An oval: its nearest point of the border is found among the contacts of the discs with the lips.
    long = reach / min(m00 * m11 - m01 * m10, 1.0)
    half = long + radius
    best = reach
    i0 = min(nx - 1, max(0, int(np.floor((x - half - x0) / size))))
    i1 = min(nx - 1, max(0, int(np.floor((x + half - x0) / size))))
    j0 = min(ny - 1, max(0, int(np.floor((y - half - y0) / size))))
    j1 = min(ny - 1, max(0, int(np.floor((y + half - y0) / size))))
    for j in range(j0, j1 + 1):
        for i in range(i0, i1 + 1):
            b = j * nx + i
            for k in range(start[b], start[b + 1]):
                v = item[k]
                dx = discs[v, 3] - x
                dy = discs[v, 4] - y
                flat = np.sqrt(dx * dx + dy * dy)
                if not is_void_for(discs, v, z, flat, up, down):
                    continue
                d = np.hypot(m00 * dx + m01 * dy, m10 * dx + m11 * dy)
                if np.hypot(discs[v, 0] - x, discs[v, 1] - y) < radius:
                    d = -d
                best = min(best, d)
    return best


@njit(cache=True, nogil=True)
def slack_at(
    x, y, z, body, buffer, n, treads, faces, floors, columns, metric, steps, pass_voids, over, lift,
    look, hang, work,
):  # fmt: skip
    """Room to spare of a centre: least of (distance to walls - radius) and (distance past the lip), mm.

    Writes the details of `room` to work's answer. `lift` is the body's underside, looked up anew where `look` is set.
    """
    radius, height, margin = body
    heights, scratch, answer = work
    up, down, _ = steps
    under = lift
    if look and not over:
        under, _, _ = joined_floor(x, y, z, radius, columns, metric, steps, heights)
        under = lifted(x, y, z, under, radius, faces, floors, metric, steps)
    room(
        x, y, z, under, height, radius, margin, radius - 2.0 * columns[4], buffer, n, treads, faces, floors, metric,
        steps, CLEAR_MODE - int(over), scratch, answer,
    )  # fmt: skip
    slack = answer[0] - radius
    if not over:
        d, _ = _void(x, y, z, pass_voids, margin if hang else margin + radius, up, down)
        slack = min(slack, d if hang else d - radius)
    return slack


@njit(cache=True, nogil=True)
def _settle(
    x, y, z, gx, gy, d_void, v_near, edge, pitch, round_base, tall, near, near_faces, treads, faces, floors, columns,
    metric, steps, pass_voids, over, under, look, hang, answer, work,
):  # fmt: skip
    """The point of a cell for a close call: the one that just touches what is nearest, else the one with most room.

    answer: what `room` found at the cell's column. Returns x, y and whether the body has room there.
    """
    radius = tall[0]
    m00, m01, m10, m11 = metric
    d_wall = answer[0] - radius
    slack = d_wall if over else min(d_wall, d_void)
    if d_wall <= d_void or over:
        ux = x - answer[1]
        uy = y - answer[2]
    else:
        ux = x - pass_voids[0][v_near, 0]
        uy = y - pass_voids[0][v_near, 1]
    if round_base or (d_void < d_wall and not over):
        length = max(np.hypot(ux, uy), 1e-9)
    else:
        length = max(np.hypot(m00 * ux + m01 * uy, m10 * ux + m11 * uy), 1e-9)
    qx = x - ux * slack / length
    qy = y - uy * slack / length
    if abs(qx - x) <= edge and abs(qy - y) <= edge:
        got = slack_at(
            qx, qy, z + gx * (qx - x) + gy * (qy - y), tall, near, near_faces, treads, faces, floors, columns,
            metric, steps, pass_voids, over, under, look, hang, work,
        )  # fmt: skip
        if got >= -TOLERANCE:
            return qx, qy, True
    if slack >= 0.0 or (edge == 0.0 and slack >= -TOLERANCE):
        return x, y, True
    if answer[5] >= radius + tall[2] and (over or max(d_wall, d_void) > 2.0 * pitch):
        return x, y, False  # only one thing is near, and the cell ends before its border
    # two things at once: the point with most room in the cell
    anew = slack >= 0.0  # never here; a literal would compile the kernel once more
    best = slack
    size = 0.5 * pitch
    bx = x
    by = y
    for _ in range(9):
        mx = bx
        my = by
        for a in range(-1, 2):
            for b in range(-1, 2):
                tx = min(x + edge, max(x - edge, mx + a * size))
                ty = min(y + edge, max(y - edge, my + b * size))
                got = slack_at(
                    tx, ty, z + gx * (tx - x) + gy * (ty - y), tall, near, near_faces, treads, faces, floors, columns,
                    metric, steps, pass_voids, over, under, anew, hang, work,
                )  # fmt: skip
                if got > best:
                    best = got
                    bx = tx
                    by = ty
        # Room changes by no more than the way moved, and no point of the cell is farther than this from those tried.
        if best + 1.42 * size < -TOLERANCE:
            return x, y, False
        size *= 0.5
    if best >= -TOLERANCE and look and not over:
        best = slack_at(
            bx, by, z + gx * (bx - x) + gy * (by - y), tall, near, near_faces, treads, faces, floors, columns,
            metric, steps, pass_voids, over, under, look, hang, work,
        )  # fmt: skip
    return bx, by, best >= -TOLERANCE


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
    sample_start, zs, x0, y0, pitch, nx, ny, kept = columns
    radius, height, long = body
    open_radius, uneven, stand_tan = limits
    up, down, tan = steps
    m00, m01, m10, m11 = metric
    round_base = m01 == 0.0 and m00 == 1.0 and m11 == 1.0
    # squares of scaled distances: a00 x x + 2 a01 x y + a11 y y
    a00 = m00 * m00 + m10 * m10
    a01 = m00 * m01 + m10 * m11
    a11 = m01 * m01 + m11 * m11
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
    stamp = np.zeros(faces[0].shape[0], np.int64)
    mark = 0
    buffer = np.empty(min(faces[0].shape[0] + 1, 200000), np.int32)
    heights = np.empty((40000, 3), np.float64)
    poly = np.empty((18, 3), np.float64)
    near = np.empty((MOST_NEAR, 6), np.float64)
    scratch = (poly, near, np.empty(buffer.shape[0], np.int32))
    where = np.empty(3, np.float64)
    recent = np.full((RECENT, 4), np.nan)
    turn = 0
    other = (poly, near, np.empty(buffer.shape[0], np.int32))
    answer = np.zeros(14, np.float64)
    trial = np.zeros(14, np.float64)
    margin = 1.5 * pitch
    edge = wiggle
    half = long + margin
    tall = (radius, height, margin)
    # literal arguments would compile the kernels once for each of them
    modes = np.arange(3)
    no = np.zeros(1, np.bool_)
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
            d_void, v_near = _void(
                x, y, z, pass_voids, max(open_radius, margin) if hang else radius + margin, up, down
            )
            need = 0.0 if hang else radius
            if d_void - need < -edge:
                limit[i] = L_LIP if not hang else L_NO_FLOOR
                measured[i] = d_void
                continue
            if d_void < open_radius and not _opened(x, y, z, pass_voids, up, down, open_radius):
                # At the border itself the column may lie a hair outside; its place is moved on to the floor below.
                if d_void > TOLERANCE or v_near < 0 or edge == 0.0:
                    limit[i] = L_NARROW
                    if edge == 0.0:
                        discs, vs, vi, vx, vy, vsize, vnx, vny, vr = pass_voids
                        measured[i] = floor_width(
                            x, y, z, discs, vs, vi, vx, vy, vsize, vnx, vny, vr, up, down, 2.0 * open_radius
                        )
                    continue
                discs = pass_voids[0]
                away = np.hypot(x - discs[v_near, 0], y - discs[v_near, 1])
                shift = (edge - d_void) / max(away, 1e-9)
                if not _opened(
                    x + (x - discs[v_near, 0]) * shift, y + (y - discs[v_near, 1]) * shift,
                    z, pass_voids, up, down, open_radius,
                ):  # fmt: skip
                    limit[i] = L_NARROW
                    continue
            d_void -= need

        # room for the body
        # the rim may reach a sliver of other floor whose columns lie beyond it
        flat = is_flat(x, y, z, long + edge + 1.5 * pitch, levels, up, down, tan)
        mark += 1
        low_z = z - down if has_barred else z + 0.2
        under = z
        if kind != 4 and not flat:
            under, _, _ = joined_floor(x, y, z, radius, columns, metric, steps, heights)
            under = lifted(x, y, z, under, radius, faces, floors, metric, steps)
        n, crossing = gather(
            x,
            y,
            half,
            low_z,
            under + height + 2.0 * edge * tan,
            z + up + 0.025,
            under + UNDER_MM,
            faces,
            bins,
            treads,
            stamp,
            mark,
            buffer,
        )
        enough = -np.inf if edge == 0.0 or crossing else radius - 1.5 * edge
        over = kind == 4
        if over:
            under = node_top[i]
            zone[i] = node_zone[i]
            mark += 1
            n, _ = gather(
                x,
                y,
                half,
                under + 0.2,
                under + height,
                -np.inf,
                np.inf,
                faces,
                bins,
                treads,
                stamp,
                mark,
                buffer,
            )
            room(
                x, y, z, under, height, radius, margin, enough, buffer, n, treads, faces, floors, metric, steps,
                modes[OVER_MODE], scratch, answer,
            )  # fmt: skip
        elif n > 0:
            if not crossing and edge > 0.0:
                # What stopped a place nearby mostly stops this one too.
                known = -1
                for k in range(RECENT):
                    dx = recent[k, 0] - x
                    dy = recent[k, 1] - y
                    if (
                        np.hypot(m00 * dx + m01 * dy, m10 * dx + m11 * dy) < enough
                        and recent[k, 2] > max(under + UNDER_MM, z + up + np.hypot(dx, dy) * tan + 0.03)
                        and recent[k, 2] < under + height - 0.1
                    ):
                        known = k
                        break
                if known >= 0:
                    limit[i] = L_NO_ROOM
                    culprit[i] = np.int32(recent[known, 3])
                    continue
                f = surely_blocked(
                    x, y, z, under, height, enough, buffer, n, faces, metric, steps, poly, where
                )
                if f >= 0:
                    limit[i] = L_NO_ROOM
                    culprit[i] = faces[5][f]
                    for k in range(3):
                        recent[turn, k] = where[k]
                    recent[turn, 3] = faces[5][f]
                    turn = (turn + 1) % RECENT
                    continue
            room(
                x, y, z, under, height, radius, margin, enough, buffer, n, treads, faces, floors, metric, steps,
                modes[CLEAR_MODE], scratch, answer,
            )  # fmt: skip
            if crossing and min(answer[0] - radius, d_void) < edge:
                # Not over an obstacle where the cell has a point beside it, else over it.
                settled = False
                if min(answer[0] - radius, d_void) >= -1.45 * edge - TOLERANCE:
                    sx, sy, settled = _settle(
                        x, y, z, gx, gy, d_void, v_near, edge, pitch, round_base, tall, scratch[2], int(answer[11]),
                        treads, faces, floors, columns, metric, steps, pass_voids, no[0], under, not flat, hang,
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
                zone[i] = np.int32(answer[9])
                mark += 1
                n, _ = gather(
                    x,
                    y,
                    half,
                    under + 0.2,
                    under + height,
                    -np.inf,
                    np.inf,
                    faces,
                    bins,
                    treads,
                    stamp,
                    mark,
                    buffer,
                )
                room(
                x, y, z, under, height, radius, margin, enough, buffer, n, treads, faces, floors, metric, steps,
                modes[OVER_MODE], scratch, answer,
            )  # fmt: skip
        else:
            answer[0] = np.inf
            answer[5] = np.inf
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
                    for k in range(3):
                        recent[turn, k] = answer[1 + k]
                    recent[turn, 3] = answer[4]
                    turn = (turn + 1) % RECENT
                continue
            sx, sy, settled = _settle(
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
            k = 0
            if not over:
                if answer[0] < radius + margin and answer[12] != 0.0:
                    touch[i, 2, 0] = answer[1]
                    touch[i, 2, 1] = answer[2]
                elif answer[5] < radius + margin and answer[13] != 0.0:
                    touch[i, 2, 0] = answer[6]
                    touch[i, 2, 1] = answer[7]
            if answer[0] < radius + margin and answer[12] == 0.0:
                touch[i, 0, 0] = answer[1]
                touch[i, 0, 1] = answer[2]
                k = 1
            void_touch = not over and v_near >= 0 and d_void < margin
            if void_touch:
                discs = pass_voids[0]
                r = pass_voids[8]
                ux = x - discs[v_near, 0]
                uy = y - discs[v_near, 1]
                length = max(np.hypot(ux, uy), 1e-9)
                ux /= length
                uy /= length
                touch[i, k, 0] = discs[v_near, 0] + ux * r
                touch[i, k, 1] = discs[v_near, 1] + uy * r
                if hang:
                    # kept as the point that the base just reaches, its outline along the border, when its centre is
                    # over the border
                    sx = a11 * ux - a01 * uy
                    sy = a00 * uy - a01 * ux
                    size = radius / np.sqrt((ux * sx + uy * sy) * (a00 * a11 - a01 * a01))
                    touch[i, k, 0] -= sx * size
                    touch[i, k, 1] -= sy * size
                k += 1
            if k < 2 and answer[5] < radius + margin and answer[13] == 0.0:
                touch[i, k, 0] = answer[6]
                touch[i, k, 1] = answer[7]
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

        # standing
        if node_stands[i] == 0:
            stand_limit[i] = L_BARRED
            continue
        d_stand = scaled_void(px, py, z, stand_voids, radius + 2.0 * pitch, metric, up, down) - radius
        rx = px
        ry = py
        if d_stand < edge and edge > 0.0 and d_stand > -2.0 * edge:
            # the point of the cell at which the base just reaches the lip
            _, v = _void(px, py, z, stand_voids, long + 2.0 * pitch, up, down)
            good = v >= 0
            tx = px
            ty = py
            moved = d_stand
            for _ in range(12):
                if not good or moved >= -TOLERANCE:
                    break
                ux = tx - stand_voids[0][v, 0]
                uy = ty - stand_voids[0][v, 1]
                length = max(np.hypot(ux, uy), 1e-9)
                tx -= ux / length * moved
                ty -= uy / length * moved
                moved = (
                    scaled_void(
                        tx,
                        ty,
                        z + gx * (tx - px) + gy * (ty - py),
                        stand_voids,
                        radius + 2.0 * pitch,
                        metric,
                        up,
                        down,
                    )
                    - radius
                )
                _, v = _void(tx, ty, z, stand_voids, long + 2.0 * pitch, up, down)
                good = v >= 0 and abs(tx - x) <= pitch and abs(ty - y) <= pitch
            tz = z + gx * (tx - px) + gy * (ty - py)
            good = good and moved >= -TOLERANCE
            if good:
                got = slack_at(
                    tx, ty, tz, tall, scratch[2], near_faces, treads, faces, floors, columns, metric, steps, pass_voids,
                    no[0], under, not flat, hang, (heights, other, trial),
                )  # fmt: skip
                good = got >= -TOLERANCE
            if good:
                rx = tx
                ry = ty
                d_stand = moved
        if d_stand < -TOLERANCE:
            stand_limit[i] = L_LIP
            stand_measured[i] = -d_stand
            continue
        rz = z + gx * (rx - px) + gy * (ry - py)
        if not flat:
            moved = max(abs(rx - node_xy[i, 0]), abs(ry - node_xy[i, 1]))
            if kind == 1 and moved > 0.05:
                # moved past the end of its floor: that point is another floor's
                under_it, _ = floor_touching(rx, ry, rz - 0.3, rz + 0.3, faces, floors, poly)
                if under_it == -np.inf:
                    stand_limit[i] = L_LIP
                    continue
            _, rows, _ = joined_floor(rx, ry, rz, radius, columns, metric, steps, heights)
            a, b, c, worst = plane_of(heights, rows, long)
            lean = np.hypot(a, b)
            if abs(worst - uneven) < 0.25 * uneven or abs(lean - stand_tan) < 0.25 * stand_tan:
                # a close call: look at the floor more closely than the columns do
                rows = close_floor(rx, ry, rz, radius, metric, steps, faces, floors, heights)
                a, b, c, worst = plane_of(heights, rows, long)
            if worst <= uneven:
                # however small the piece of higher floor is that the rim reaches
                worst = max(
                    worst,
                    highest_over(rx, ry, rz, a, b, c, radius, faces, floors, metric, steps, poly),
                )
            if worst > uneven + 0.025:
                stand_limit[i] = L_UNEVEN
                stand_measured[i] = worst
                continue
            if np.hypot(a, b) > stand_tan:
                stand_limit[i] = L_TILT
                stand_measured[i] = np.degrees(np.arctan(np.hypot(a, b)))
                continue
        rest[i, 0] = rx
        rest[i, 1] = ry
        rest[i, 2] = rz
        flags[i] |= STAND
    return pos, lift, flags, touch, zone, limit, measured, rest, culprit, stand_limit, stand_measured
