"""Kernels for the room that a centre has to spare, and for the point of a cell that has enough of it.

See `bodies` for the tuples that stand for arrays.
"""

from __future__ import annotations

import numpy as np

from sandbox.compiling import bare, inner, pasted
from sandbox.ground.kernels.bodies import CLEAR_MODE, joined_floor, lifted, room
from sandbox.ground.kernels.voids import in_opened, is_void_for, void_distance

TOLERANCE = 0.0125
"""A distance may fall short by this, mm: half of the 0.05 mm snap for each side of a width."""


@pasted
def void_at(x, y, z, voids, reach, up, down):
    """Distance to the border of closed floor and the nearest void disc, see `void_distance`."""
    discs, start, item, x0, y0, size, nx, ny, radius = voids
    return void_distance(x, y, z, discs, start, item, x0, y0, size, nx, ny, radius, reach, up, down)


@pasted
def opened_at(x, y, z, voids, up, down, disc):
    """Whether a point lies in closed floor opened by a disc, see `in_opened`."""
    discs, start, item, x0, y0, size, nx, ny, radius = voids
    return in_opened(x, y, z, discs, start, item, x0, y0, size, nx, ny, radius, up, down, disc)


@bare
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


@inner
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
        d, _ = void_at(x, y, z, pass_voids, margin if hang else margin + radius, up, down)
        slack = min(slack, d if hang else d - radius)
    return slack


@inner
def settle(
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
