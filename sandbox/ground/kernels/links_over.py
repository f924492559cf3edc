"""The kernel that tries every candidate line over a lip: climbs up and down, jumps down, and ways over narrow tops."""

from __future__ import annotations

import numpy as np

from sandbox.compiling import bare, inner, kernel
from sandbox.ground.kernels.links_bins import make_buffers
from sandbox.ground.kernels.links_body import (
    BEGIN,
    COLUMNS,
    FINISH,
    UPPER,
    any_place,
    first_block,
    gather,
    line_frame,
    near_place,
)
from sandbox.ground.kernels.links_climb import (
    FAR,
    FOUND,
    LANDING,
    NEAR,
    PASS,
    STEP_DOWN,
    UNDER,
    descend,
    judge_face,
    mount,
    rail_over,
)
from sandbox.ground.kernels.links_climb import (
    OVERHANG as OVERHANG_LIMIT,
)
from sandbox.ground.kernels.links_rows import LIMIT, OVERHANG, WIDTH, put, put_back, room_for

CLIMB, JUMP_DOWN = 0.0, 3.0
ANY = np.int64(0)  # a place whatever its flags
OVERHANGS, UNDERSIDES, NO_ROOM = 1, 2, 3
OUTWARD = 42.0
"""Faces are first gathered this far beyond just clear of the lip, mm."""
BEHIND = 30.0
"""An overhang is measured to this far beyond its limit, mm; what lies deeper counts as nothing."""
MOST_NEAR = 8192


@inner
def make_work(faces):
    """Buffers for one run of kernels over a terrain with that many faces."""
    return (
        *make_buffers(),
        np.empty((MOST_NEAR, COLUMNS), np.float64),
        np.empty(MOST_NEAR, np.int32),
        np.full(faces, -1, np.int64),
        np.empty((8, 3), np.float64),
        np.empty((8, 3), np.float64),
        np.empty(2 * MOST_NEAR, np.float64),
        np.empty((MOST_NEAR, 5), np.float64),
        np.empty(MOST_NEAR, np.int32),
    )


@bare
def _turn_round(tri, n, shift):
    """Turn gathered triangles about the upright through U = -shift / 2: the line seen from its far lip."""
    for k in range(n):
        for e in range(3):
            tri[k, 3 * e] = -tri[k, 3 * e] - shift
            tri[k, 3 * e + 1] = -tri[k, 3 * e + 1]
        tri[k, BEGIN], tri[k, FINISH] = -tri[k, FINISH] - shift, -tri[k, BEGIN] - shift
        tri[k, UPPER] = np.nan


@bare
def _floor_below(px, py, pz, dx, dy, drop, limits, body, places):
    """Whether any place to pass lies below a lip within reach, however far the faces there are from fitting."""
    reach = 0.5 * (OUTWARD + body[1]) + NEAR * places[0][2]
    if np.isfinite(drop):
        reach += min(0.5 * drop, 60.0)
    s = reach + body[1] * 0.5
    return any_place(
        px + s * dx, py + s * dy, pz - limits[STEP_DOWN] + 1.0, reach + body[1], PASS, places[0], places[1], places[2],
        places[3],
    )  # fmt: skip


@bare
def _foot(px, py, pz, dx, dy, inward, drop, z_top, mark, limits, body, bins, coarse, places, work, deep):
    """Gather the faces along a line and descend; widened once where the first reach was too short.

    Returns status, distance, floor, place, number of triangles, the frame's scale.
    """
    frame = line_frame(dx, dy, body[3])
    scale = frame[4]
    clear = body[0] / scale
    outward = clear + OUTWARD
    z_low = pz - drop - 31.0 if np.isfinite(drop) and not deep else -1e9
    n = gather(px, py, frame, body, -inward, outward, z_low, z_top, mark, bins, coarse, work)
    status, s, zf, p = descend(
        px, py, pz, dx, dy, scale, outward * scale, z_top, n, z_low, limits, body, bins, places, work
    )
    if status == FAR and not deep:
        outward = clear + OUTWARD + (min(drop, 400.0) if np.isfinite(drop) else 150.0)
        z_low = -1e9
        n = gather(px, py, frame, body, -inward, outward, z_low, z_top, mark + 1, bins, coarse, work)
        status, s, zf, p = descend(
            px, py, pz, dx, dy, scale, outward * scale, z_top, n, z_low, limits, body, bins, places, work
        )
    return status, s, zf, p, n, scale


@bare
def _judge_side(
    line, n, scale, s, zf, z_top, reach_in, mark, limits, body, bins, coarse, part_climb, face_part, work
):
    """What stops a climb up the side below a lip: limit (0 nothing), overhang, part; and how many faces are gathered."""
    px, py, pz, dx, dy = line
    limit, overhang, part = judge_face(
        n, s * scale, scale, zf, pz, z_top, limits, body, bins, part_climb, face_part, work
    )
    behind = limits[OVERHANG_LIMIT] + BEHIND
    if limit in (OVERHANGS, UNDERSIDES) and reach_in < behind:
        # only now look as far behind the lip as an overhang is told
        n = gather(
            px, py, line_frame(dx, dy, body[3]), body, -max(reach_in, behind), s + body[1], zf - 1.0, z_top, mark, bins,
            coarse, work,
        )  # fmt: skip
        limit, overhang, part = judge_face(
            n, s * scale, scale, zf, pz, z_top, limits, body, bins, part_climb, face_part, work
        )
    return limit, overhang, part, n


@bare
def _onto_top(
    rows,
    count,
    line,
    lip,
    found,
    face,
    top,
    inward,
    z_in,
    z_over,
    rail,
    want_climbs,
    jumps,
    body,
    places,
    work,
    points,
):
    """Write the climb from a foot to the place `top` on a lip, back down, and the jump; returns how many rows there are.

    found: distance of the foot, its height, its place, faces gathered, scale; face: limit, overhang and part of the side.
    jumps: whether the foot lies where a jump down may land, and jumps are wanted. points: the first two are there.
    """
    px, py, pz, dx, dy = line
    s, zf, foot, n, scale = found
    limit, overhang, part = face
    ex, ey = px - inward * dx, py - inward * dy
    if inward > 0.0:
        ex, ey = places[2][top, 0], places[2][top, 1]
    block = first_block(
        -inward * scale, s * scale, z_over + UNDER, z_over + body[2], body[0], work[3], n, work[6], work[7]
    )
    if block >= 0:
        if limit == 0:
            limit = NO_ROOM
        jumps = False
    points[2, 0], points[2, 1], points[2, 2] = ex, ey, z_over
    points[3, 0], points[3, 1], points[3, 2] = ex, ey, z_in
    plan = np.sqrt((ex - points[0, 0]) ** 2 + (ey - points[0, 1]) ** 2)
    put(
        rows,
        count,
        CLIMB,
        foot,
        top,
        plan,
        pz - zf,
        0.0,
        0.0,
        rail,
        overhang,
        float(limit),
        float(part),
        lip,
        points,
        4,
    )
    put_back(rows, count + 1, count, CLIMB, 0.0, pz - zf)
    if jumps:
        put_back(rows, count + 2, count, JUMP_DOWN, 0.0, pz - zf)
        rows[count + 2, LIMIT] = 0.0
        rows[count + 2, OVERHANG] = 0.0
    if want_climbs:
        return count + 2 + (1 if jumps else 0)
    if jumps:
        for j in range(WIDTH):
            rows[count, j] = rows[count + 2, j]
        return count + 1
    return count


@bare
def _onto_refused(rows, count, line, lip, found, part, refused, z_over, rail, places, points):
    """Write the climb up to where the base may not be, for its ruling, and back; returns how many rows there are."""
    _, zf, foot, _, _ = found
    pz = line[2]
    for a in range(3):
        points[3, a] = places[2][refused, a]
    points[2, 0], points[2, 1], points[2, 2] = points[3, 0], points[3, 1], z_over
    plan = np.sqrt((points[3, 0] - points[0, 0]) ** 2 + (points[3, 1] - points[0, 1]) ** 2)
    put(
        rows, count, CLIMB, foot, refused, plan, pz - zf, 0.0, 0.0, rail, places[6][refused],
        float(places[5][refused]), float(part), lip, points, 4,
    )  # fmt: skip
    put_back(rows, count + 1, count, CLIMB, 0.0, pz - zf)
    return count + 2


@bare
def _over_narrow_top(
    rows, count, line, lip, found, face, far, z_in, z_over, rail, limits, body, bins, places, part_climb, face_part,
    work, points,
):  # fmt: skip
    """Write the way over a top too narrow to stop on, in the same line and down from its far lip; returns how many rows
    there are."""
    px, py, pz, dx, dy = line
    s, zf, foot, n, scale = found
    limit, overhang, part = face
    r, z_top = body[0], z_over + body[2]
    block = first_block(-far * scale - r, s * scale, z_over + UNDER, z_top, r, work[3], n, work[6], work[7])
    _turn_round(work[3], n, far * scale)
    qx, qy = px - far * dx, py - far * dy
    reach = (body[1] + OUTWARD) * scale
    status, t, zg, foot2 = descend(
        qx, qy, z_in, -dx, -dy, scale, reach, z_top, n, -1e9, limits, body, bins, places, work
    )
    if status != FOUND:
        return count
    limit2, overhang2, _ = judge_face(
        n, t * scale, scale, zg, z_in, z_top, limits, body, bins, part_climb, face_part, work
    )
    if block < 0:
        block = first_block(
            -far * scale - s * scale, t * scale, z_over + UNDER, z_top, r, work[3], n, work[6], work[7]
        )
    points[2, 0], points[2, 1], points[2, 2] = qx - t * dx, qy - t * dy, z_over
    points[3, 0], points[3, 1], points[3, 2] = points[2, 0], points[2, 1], zg
    plan = s + far + t
    if limit == 0 and block >= 0:
        limit = NO_ROOM
    both = limit if limit != 0 else limit2
    worst = overhang if limit != 0 else (overhang2 if limit2 != 0 else max(overhang, overhang2))
    put(
        rows, count, CLIMB, foot, foot2, plan, pz - zf, z_in - zg, 0.0, rail, worst, float(both), float(part), lip, points, 4,
    )  # fmt: skip
    count += 1
    if t - r / scale <= limits[LANDING] and limit == 0:
        put(
            rows, count, JUMP_DOWN, foot, foot2, plan, pz - zf, z_in - zg, 0.0, rail, overhang, float(limit), float(part), lip,
            points, 4,
        )  # fmt: skip
        count += 1
    return count


@kernel
def cross_lips(tried, want_climbs, want_jumps, limits, body, bins, coarse, places, part_climb, face_part):
    """Climbs, jumps down and ways over narrow tops along lines over lips.

    tried: (k, 9) float64 candidates: x, y, z of a point of a lip, outward x, y, drop, railing (0 unknown), lip, and
    what is done where the base may not be on top: 0 nothing, 1 gone over, 2 gone over and told.
    Returns rows (n, WIDTH), see links_rows.
    """
    work = make_work(bins[3].shape[0])
    rows = np.empty((1024, WIDTH), np.float64)
    count = np.int64(0)
    points = np.empty((8, 3), np.float64)
    for c in range(tried.shape[0]):
        line = (tried[c, 0], tried[c, 1], tried[c, 2], tried[c, 3], tried[c, 4])
        px, py, pz, dx, dy = line
        drop, rail, lip = tried[c, 5], tried[c, 6], tried[c, 7]
        most = 2.0 * body[1] + 13.0
        inward, top, z_in, far = mount(px, py, pz, dx, dy, most, limits, bins, places, work)
        refused = -1
        if top < 0 and tried[c, 8] == 0.0:
            continue
        if top < 0 and want_climbs and tried[c, 8] == 2.0:
            reach = NEAR * places[0][2]
            refused = near_place(
                px, py, pz, reach, reach, reach, ANY, places[0], places[1], places[2], places[3]
            )
        if top < 0 and far < 0.0 and refused < 0:
            continue
        if top >= 0:
            rail = rail_over(rail, px, py, pz, dx, dy, limits, bins, work)
        z_over = max(pz, z_in) + rail
        if top >= 0:
            z_over = max(z_over, places[4][top])
        z_top = z_over + body[2]
        reach_in = far + body[1] + OUTWARD if top < 0 and far >= 0.0 else inward
        if not _floor_below(px, py, pz, dx, dy, drop, limits, body, places):
            continue
        status, s, zf, foot, n, scale = _foot(
            px, py, pz, dx, dy, reach_in, drop, z_top, 4 * c, limits, body, bins, coarse, places, work, top < 0,
        )  # fmt: skip
        if status != FOUND:
            continue
        limit, overhang, part, n = _judge_side(
            line, n, scale, s, zf, z_top, reach_in, 4 * c + 2, limits, body, bins, coarse, part_climb, face_part, work,
        )  # fmt: skip
        found = (s, zf, foot, n, scale)
        face = (limit, overhang, part)
        points[0, 0], points[0, 1], points[0, 2] = px + s * dx, py + s * dy, zf
        points[1, 0], points[1, 1], points[1, 2] = points[0, 0], points[0, 1], z_over
        rows = room_for(rows, count)
        if top >= 0:
            jumps = want_jumps and (s * scale - body[0]) / scale <= limits[LANDING]
            count = _onto_top(
                rows, count, line, lip, found, face, top, inward, z_in, z_over, rail, want_climbs, jumps, body, places,
                work, points,
            )  # fmt: skip
            continue
        if refused >= 0 and places[5][refused] != 0:
            count = _onto_refused(rows, count, line, lip, found, part, refused, z_over, rail, places, points)
        if want_climbs and far >= 0.0:
            count = _over_narrow_top(
                rows, count, line, lip, found, face, far, z_in, z_over, rail, limits, body, bins, places, part_climb,
                face_part, work, points,
            )  # fmt: skip
    return rows[:count].copy()
