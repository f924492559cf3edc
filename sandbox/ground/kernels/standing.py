"""Kernels for whether a body may stand where it passes: at a lip, and on floor that is not flat.

See `bodies` for the tuples that stand for arrays.
"""

from __future__ import annotations

import numpy as np

from sandbox.compiling import bare, inner
from sandbox.ground.kernels.bodies import floor_touching, highest_over, joined_floor
from sandbox.ground.kernels.evenness import close_floor, plane_of
from sandbox.ground.kernels.slack import TOLERANCE, scaled_void, slack_at, void_at

L_NONE, L_LIP, L_UNEVEN, L_TILT = 0, 9, 10, 11
"""Why a body cannot stand: numbers of `Limit`."""


@inner
def resting_point(
    px, py, z, cell, gradient, radius, long, edge, pitch, stand_voids, metric, steps, tall, near, near_faces, treads,
    faces, floors, columns, pass_voids, over, under, look, hang, work,
):  # fmt: skip
    """The point of a cell where a base stands that passes at (px, py): there, or where it just reaches the lip.

    cell: x, y of its column; gradient: of its floor; over: False (see `slack_at`). Returns x, y and the distance to
    spare to the lip, mm: below -TOLERANCE where there is none.
    """
    up, down, _ = steps
    gx, gy = gradient
    reach = radius + 2.0 * pitch
    spare = scaled_void(px, py, z, stand_voids, reach, metric, up, down) - radius
    if not (spare < edge and edge > 0.0 and spare > -2.0 * edge):
        return px, py, spare
    _, v = void_at(px, py, z, stand_voids, long + 2.0 * pitch, up, down)
    good = v >= 0
    tx = px
    ty = py
    moved = spare
    for _ in range(12):
        if not good or moved >= -TOLERANCE:
            break
        ux = tx - stand_voids[0][v, 0]
        uy = ty - stand_voids[0][v, 1]
        length = max(np.hypot(ux, uy), 1e-9)
        tx -= ux / length * moved
        ty -= uy / length * moved
        tz = z + gx * (tx - px) + gy * (ty - py)
        moved = scaled_void(tx, ty, tz, stand_voids, reach, metric, up, down) - radius
        _, v = void_at(tx, ty, z, stand_voids, long + 2.0 * pitch, up, down)
        good = v >= 0 and abs(tx - cell[0]) <= pitch and abs(ty - cell[1]) <= pitch
    if not good or moved < -TOLERANCE:
        return px, py, spare
    got = slack_at(
        tx, ty, z + gx * (tx - px) + gy * (ty - py), tall, near, near_faces, treads, faces, floors, columns, metric,
        steps, pass_voids, over, under, look, hang, work,
    )  # fmt: skip
    if got < -TOLERANCE:
        return px, py, spare
    return tx, ty, moved


@bare
def unevenness(
    x, y, z, own_floor, radius, long, uneven, stand_tan, faces, floors, columns, metric, steps, heights, poly
):  # fmt: skip
    """Why a base cannot stand on floor that is not flat, and what was measured (mm or degrees): L_NONE where it can.

    own_floor: whether the point was moved off its column, so that it may lie past the end of its floor.
    """
    if own_floor:
        under_it, _ = floor_touching(x, y, z - 0.3, z + 0.3, faces, floors, poly)
        if under_it == -np.inf:
            return L_LIP, np.nan
    _, rows, _ = joined_floor(x, y, z, radius, columns, metric, steps, heights)
    a, b, c, worst = plane_of(heights, rows, long)
    lean = np.hypot(a, b)
    if abs(worst - uneven) < 0.25 * uneven or abs(lean - stand_tan) < 0.25 * stand_tan:
        # a close call: look at the floor more closely than the columns do
        rows = close_floor(x, y, z, radius, metric, steps, faces, floors, heights)
        a, b, c, worst = plane_of(heights, rows, long)
    if worst <= uneven:
        # however small the piece of higher floor is that the rim reaches
        worst = max(worst, highest_over(x, y, z, a, b, c, radius, faces, floors, metric, steps, poly))
    if worst > uneven + 0.025:
        return L_UNEVEN, worst
    if np.hypot(a, b) > stand_tan:
        return L_TILT, np.degrees(np.arctan(np.hypot(a, b)))
    return L_NONE, np.nan
