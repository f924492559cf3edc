"""Kernel that decides for every surface sample of a window whether a body may pass and stand there, and where exactly.

See `bodies` for the tuples that stand for arrays, `place_room` for how room is looked for.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sandbox.compiling import inner, kernel, pasted
from sandbox.ground.kernels.evenness import is_flat
from sandbox.ground.kernels.place_room import Around, Task, look_for_room, remember, settle_beside, workspace
from sandbox.ground.kernels.slack import TOLERANCE, opened_at, void_at
from sandbox.ground.kernels.standing import L_LIP, L_NONE, resting_point, unevenness
from sandbox.ground.kernels.voids import floor_width

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Bytes = NDArray[np.uint8]

PASS, STAND, BEND, GAP, OVER, EDGE = 1, 2, 4, 8, 16, 32
L_NO_ROOM, L_HEADROOM, L_NO_FLOOR = 3, 4, 5
L_BARRED, L_NARROW, L_SLOPE = 8, 14, 15
NO_FLOOR, ON_FLOOR, BRIDGED_GAP, TOP = 0, 1, 3, 4
"""kinds of nodes that are told apart here."""


class Judged(NamedTuple):
    """What was found by node, mm."""

    pos: Floats
    """(n, 3)."""
    lift: Floats
    """(n,) underside of the body."""
    flags: Bytes
    touch: Floats
    """(n, 3, 2) what a base nearly touches, nan none."""
    zone: Ints
    limit: Bytes
    measured: Floats
    rest: Floats
    """(n, 3) nan where it cannot stand."""
    culprit: Ints
    stand_limit: Bytes
    stand_measured: Floats


@pasted
def _support(x, y, z, task, around):
    """Whether floor carries a centre: why not (L_NONE where it does), what was measured (mm or nan), the distance to
    spare to the border of floor, and the void disc nearest to it (-1 none)."""
    up, down, _ = around.steps
    voids, edge = around.pass_voids, task.edge
    reach = max(task.open_radius, task.margin) if task.hang else task.radius + task.margin
    d_void, v_near = void_at(x, y, z, voids, reach, up, down)
    need = 0.0 if task.hang else task.radius
    if d_void - need < -edge:
        return (L_NO_FLOOR if task.hang else L_LIP), d_void, d_void, v_near
    if d_void < task.open_radius and not opened_at(x, y, z, voids, up, down, task.open_radius):
        # At the border itself the column may lie a hair outside; its place is moved on to the floor below.
        if d_void > TOLERANCE or v_near < 0 or edge == 0.0:
            width = np.nan
            if edge == 0.0:
                discs, vs, vi, vx, vy, vsize, vnx, vny, vr = voids
                width = floor_width(
                    x, y, z, discs, vs, vi, vx, vy, vsize, vnx, vny, vr, up, down, 2.0 * task.open_radius
                )
            return L_NARROW, width, d_void, v_near
        dx, dy = x - voids[0][v_near, 0], y - voids[0][v_near, 1]
        shift = (edge - d_void) / max(np.hypot(dx, dy), 1e-9)
        if not opened_at(x + dx * shift, y + dy * shift, z, voids, up, down, task.open_radius):
            return L_NARROW, np.nan, d_void, v_near
    return L_NONE, np.nan, d_void - need, v_near


@inner
def _note_touches(touch, i, x, y, over, v, task, around, answer):
    """Write what a base nearly touches to touch[i] (3, 2): what is nearest in two directions, and an obstacle.

    v: the void disc at whose border the centre is, -1 none; answer: what `room` found.
    """
    radius, pass_voids = task.radius, around.pass_voids
    near = radius + task.margin
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
        if task.hang:
            # kept as the point that the base just reaches, its outline along the border, when its centre is over the
            # border; squares of scaled distances: a00 x x + 2 a01 x y + a11 y y
            m00, m01, m10, m11 = around.metric
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


@pasted
def _where_it_stands(px, py, pz, node, kind, may, flat, under, near_faces, task, around, work):
    """Whether a body that may be at (px, py, pz) of a node's cell stands in it: a limit, what was measured, and where.

    node: x, y and gradient of the node; may: 0 where nobody stands on such a part.
    """
    x, y, gx, gy = node
    if may == 0:
        return L_BARRED, np.nan, px, py, pz
    rx, ry, d_stand = resting_point(
        px, py, pz, (x, y), (gx, gy), task.radius, task.long, task.edge, task.pitch, around.stand_voids, around.metric,
        around.steps, (task.radius, task.height, task.margin), work.scratch[2], near_faces, around.treads, around.faces,
        around.floors, around.columns, around.pass_voids, work.no[0], under, not flat, task.hang,
        (work.heights, work.other, work.trial),
    )  # fmt: skip
    if d_stand < -TOLERANCE:
        return L_LIP, -d_stand, rx, ry, pz
    rz = pz + gx * (rx - px) + gy * (ry - py)
    if not flat:
        off_column = kind == ON_FLOOR and max(abs(rx - x), abs(ry - y)) > 0.05
        found, length = unevenness(
            rx, ry, rz, off_column, task.radius, task.long, task.uneven, task.stand_tan, around.faces, around.floors,
            around.columns, around.metric, around.steps, work.heights, work.scratch[0],
        )  # fmt: skip
        if found != L_NONE:
            return found, length, rx, ry, rz
    return L_NONE, np.nan, rx, ry, rz


@pasted
def _judge(i, node, kind, top, may, levels, task, around, work, out):
    """Judge one node that is floor with headroom, and write what was found to row i of `out`.

    node: x, y, z and gradient; top: height of an obstacle's top and its part; may: see `_where_it_stands`.
    """
    x, y, z, gx, gy = node
    up, down, tan = around.steps
    edge = task.edge
    d_void = np.inf
    v_near = -1
    if kind != TOP:
        found, length, d_void, v_near = _support(x, y, z, task, around)
        if found != L_NONE:
            out.limit[i] = found
            out.measured[i] = length
            return
    # the rim may reach a sliver of other floor whose columns lie beyond it
    flat = is_flat(x, y, z, task.long + edge + task.margin, levels, up, down, tan)
    support = (d_void, v_near)
    n, over, under, part, blocked = look_for_room(
        x, y, z, (gx, gy), kind == TOP, top, flat, support, task, around, work
    )
    out.zone[i] = part
    if blocked >= 0:
        out.limit[i] = L_NO_ROOM
        out.culprit[i] = blocked
        return
    answer = work.answer
    near_faces = int(answer[11]) if n > 0 else 0
    d_wall = answer[0] - task.radius
    slack = d_wall if over else min(d_wall, d_void)
    px = x
    py = y
    if slack < edge:
        settled = False
        if slack >= -1.45 * edge - TOLERANCE:
            px, py, settled = settle_beside(
                x, y, z, (gx, gy), support, under, not flat, over, near_faces, task, around, work
            )
        elif not over and d_wall < -1.5 * edge:
            remember(answer[1:4], answer[4], work)
        if not settled:
            barred = task.has_barred and answer[4] >= 0 and answer[3] <= z + 0.2
            out.limit[i] = L_BARRED if barred else L_NO_ROOM
            out.measured[i] = answer[0]
            out.culprit[i] = np.int32(answer[4])
            return
        z = z + gx * (px - x) + gy * (py - y)
        out.flags[i] |= EDGE
    if slack < 2.0 * task.pitch:
        out.flags[i] |= EDGE
        at_lip = not over and v_near >= 0 and d_void < task.margin
        _note_touches(out.touch, i, x, y, over, v_near if at_lip else -1, task, around, answer)
    out.pos[i, 0] = px
    out.pos[i, 1] = py
    out.pos[i, 2] = z
    out.lift[i] = under
    out.flags[i] |= PASS
    if kind == BRIDGED_GAP:
        out.flags[i] |= GAP
    if over:
        out.flags[i] |= OVER
        return
    found, length, rx, ry, rz = _where_it_stands(
        px, py, z, (x, y, gx, gy), kind, may, flat, under, near_faces, task, around, work
    )
    out.stand_limit[i] = found
    out.stand_measured[i] = length
    if found == L_NONE:
        out.rest[i, 0] = rx
        out.rest[i, 1] = ry
        out.rest[i, 2] = rz
        out.flags[i] |= STAND


@inner
def _blank(node_xy, node_z):
    """Arrays for what is found: nodes as they are, nothing found yet."""
    count = node_z.shape[0]
    pos = np.empty((count, 3), np.float64)
    pos[:, :2] = node_xy
    pos[:, 2] = node_z
    return Judged(
        pos,
        node_z.astype(np.float64),
        np.zeros(count, np.uint8),
        np.full((count, 3, 2), np.nan),
        np.full(count, -1, np.int32),
        np.zeros(count, np.uint8),
        np.full(count, np.nan),
        np.full((count, 3), np.nan),
        np.full(count, -1, np.int32),
        np.zeros(count, np.uint8),
        np.full(count, np.nan),
    )


@kernel
def judge_places(
    node_xy, node_z, node_above, node_kind, node_gradient, node_top, node_zone, node_stands, wiggle,
    body, limits, faces, bins, floors, treads, columns, levels, metric, steps, pass_voids, stand_voids, has_barred, hang,
):  # fmt: skip
    """Judge every node of a window.

    node_xy: (n, 2). node_above: (n,) next surface over the node. wiggle: how far a place may be moved off its node, mm (0: the very point is judged).
    node_kind: 0 not floor, 1 floor, 2 thin top, 3 bridged gap, 4 top of an obstacle. node_zone: part of the obstacle
    for kind 4. body: (scaled radius, height, longer half axis). limits: (opening disc radius, uneven mm, tan of
    stand_slope). bins: all faces; floors: those that may be floor. treads: (faces,) what is known of risers so far, added to. levels: from `flat_levels`. Returns a `Judged`.
    """
    radius, height, long = body
    open_radius, uneven, stand_tan = limits
    pitch = columns[4]
    round_base = metric[1] == 0.0 and metric[0] == 1.0 and metric[3] == 1.0
    task = Task(
        radius,
        height,
        long,
        1.5 * pitch,
        wiggle,
        pitch,
        open_radius,
        uneven,
        stand_tan,
        round_base,
        has_barred,
        hang,
        radius - 1.5 * wiggle,
    )
    around = Around(faces, bins, floors, treads, columns, metric, steps, pass_voids, stand_voids)
    work = workspace(task, around)
    out = _blank(node_xy, node_z)
    for i in range(node_z.shape[0]):
        kind = node_kind[i]
        if kind == NO_FLOOR:
            out.limit[i] = L_SLOPE
            continue
        if kind != TOP and node_above[i] - node_z[i] < height - 0.025:
            out.limit[i] = L_HEADROOM
            out.measured[i] = node_above[i] - node_z[i]
            continue
        node = (node_xy[i, 0], node_xy[i, 1], node_z[i], node_gradient[i, 0], node_gradient[i, 1])
        _judge(i, node, kind, (node_top[i], node_zone[i]), node_stands[i], levels, task, around, work, out)
    return out
