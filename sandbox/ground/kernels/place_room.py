"""Kernels that look for room for a body whose centre is at a node, quick looks first.

What stopped a body nearby mostly stops the next one too, so that it is tried before the faces around are gathered. See
`bodies` for the tuples that stand for arrays.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sandbox.compiling import inner, pasted
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
from sandbox.ground.kernels.evenness import RECENT
from sandbox.ground.kernels.slack import TOLERANCE, settle
from sandbox.ground.kernels.voids import bin_span

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]


class Task(NamedTuple):
    """What is judged: one body, and how its places are. Lengths mm."""

    radius: float
    """of the base, scaled to a circle."""
    height: float
    long: float
    """longer half axis."""
    margin: float
    """how far around the base things are looked at."""
    edge: float
    """how far a place may be moved off its node along each axis; 0: the very point is judged."""
    pitch: float
    open_radius: float
    """of the disc that opens floor."""
    uneven: float
    stand_tan: float
    round_base: bool
    has_barred: bool
    hang: bool
    stopped: float
    """what is nearer than this to a node stops the body wherever in its cell it is."""


class Around(NamedTuple):
    """What is around: the tuples of arrays that `bodies` names, and the void discs."""

    faces: Any
    bins: Any
    floors: Any
    treads: Floats
    columns: Any
    metric: Any
    steps: Any
    pass_voids: Any
    stand_voids: Any


class Work(NamedTuple):
    """Scratch memory, and what is remembered from one node to the next."""

    stamp: NDArray[np.int64]
    """by face, in which look it was met; last: the number of looks."""
    buffer: Ints
    scratch: Any
    heights: Floats
    other: Any
    trial: Floats
    answer: Floats
    """(14,) see `room`."""
    where: Floats
    recent: Floats
    """(RECENT, 4) points that stopped bodies, and their parts."""
    last: Ints
    """(RECENT,) faces that stopped bodies, -1 none."""
    few: Ints
    turn: NDArray[np.int64]
    """(2,) the next rows of `recent` and `last` to write."""
    crossed: NDArray[np.bool_]
    """by bin, whether an obstacle is in it; empty where a very point is judged."""
    modes: NDArray[np.int64]
    no: NDArray[np.bool_]


@inner
def workspace(task, around):
    """Scratch memory for judging nodes."""
    n = around.faces[0].shape[0]
    buffer = np.empty(min(n + 1, 200000), np.int32)
    poly = np.empty((18, 3), np.float64)
    near = np.empty((MOST_NEAR, 6), np.float64)
    return Work(
        np.zeros(n + 1, np.int64),
        buffer,
        (poly, near, np.empty(buffer.shape[0], np.int32)),
        np.empty((40000, 3), np.float64),
        (poly, near, np.empty(buffer.shape[0], np.int32)),
        np.zeros(14, np.float64),
        np.zeros(14, np.float64),
        np.empty(3, np.float64),
        np.full((RECENT, 4), np.nan),
        np.full(RECENT, -1, np.int32),
        np.empty(RECENT, np.int32),
        np.zeros(2, np.int64),
        _crossed_bins(around.faces, around.bins) if task.edge > 0.0 else np.zeros(0, np.bool_),
        # literal arguments would compile the kernels once for each of them
        np.arange(3),
        np.zeros(1, np.bool_),
    )


@inner
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


@inner
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


@inner
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


@pasted
def _stopped_again(x, y, z, under, task, around, work):
    """Part of a face that stopped a body nearby and stops this one too, -1 none: most of what is blocked is told by it."""
    n = 0
    for k in range(RECENT):
        if work.last[k] >= 0:
            work.few[n] = work.last[k]
            n += 1
    if n == 0:
        return -1
    room(
        x, y, z, under, task.height, task.radius, task.margin, task.stopped, work.few, n, around.treads, around.faces,
        around.floors, around.metric, around.steps, work.modes[CLEAR_MODE], work.scratch, work.answer,
    )  # fmt: skip
    return int(work.answer[4]) if work.answer[0] < task.stopped else -1


@inner
def _highest_crossed(under, buffer, n, faces):
    """Top of the highest obstacle of which a face is near, at least `under`."""
    flags, part, tops = faces[4], faces[5], faces[6]
    for b in range(n):
        f = buffer[b]
        if flags[f] & CROSS_FLAG != 0:
            under = max(under, tops[part[f]])
    return under


@inner
def _room_over(x, y, z, under, enough, task, around, work):
    """Room for a body lifted over obstacles to `under` (see `room`, mode: OVER_MODE); returns how many faces are near."""
    work.stamp[-1] += 1
    n, _ = gather(
        x, y, task.long + task.margin, under + 0.2, under + task.height, -np.inf, np.inf, around.faces, around.bins,
        around.treads, work.stamp, work.stamp[-1], work.buffer,
    )  # fmt: skip
    room(
        x, y, z, under, task.height, task.radius, task.margin, enough, work.buffer, n, around.treads, around.faces,
        around.floors, around.metric, around.steps, work.modes[OVER_MODE], work.scratch, work.answer,
    )  # fmt: skip
    return n


@pasted
def remember(where, part, work):
    """Note the point that stopped a body, for the nodes beside: where (3,)."""
    k = work.turn[0]
    for a in range(3):
        work.recent[k, a] = where[a]
    work.recent[k, 3] = part
    work.turn[0] = (k + 1) % RECENT


@pasted
def _remember_face(face, work):
    """Note the face that stopped a body, for the nodes beside."""
    work.last[work.turn[1]] = face
    work.turn[1] = (work.turn[1] + 1) % RECENT


@pasted
def _surely_stopped(x, y, z, under, n, crossing, task, around, work):
    """Part of what stops a body for sure, told without a close look, -1: none that is so plain.

    n: faces that were gathered; crossing: whether an obstacle is among them.
    """
    # what is above all obstacles near is in the way beside them and over them
    above = _highest_crossed(under, work.buffer, n, around.faces) if crossing else under
    tallness = under + task.height - above
    known = _stopped_nearby(work.recent, x, y, z, above, tallness, task.stopped, around.metric, around.steps)
    if known >= 0:
        return int(work.recent[known, 3])
    f = surely_blocked(
        x, y, z, above, tallness, task.stopped, work.buffer, n, around.faces, around.metric, around.steps, work.scratch[0],
        work.where,
    )  # fmt: skip
    if f < 0:
        return -1
    _remember_face(f, work)
    remember(work.where, around.faces[5][f], work)
    return int(around.faces[5][f])


@inner
def settle_beside(x, y, z, gradient, support, under, look, over, near_faces, task, around, work):
    """The point of a node's cell that just touches what is nearest, see `settle`: x, y, and whether there is room.

    support: distance to spare to the border of floor and the void disc nearest to it; look: whether the underside is
    looked up anew there; near_faces: how many faces `room` kept.
    """
    return settle(
        x, y, z, gradient[0], gradient[1], support[0], support[1], task.edge, task.pitch, task.round_base,
        (task.radius, task.height, task.margin), work.scratch[2], near_faces, around.treads, around.faces, around.floors,
        around.columns, around.metric, around.steps, around.pass_voids, over, under, look, task.hang, work.answer,
        (work.heights, work.other, work.trial),
    )  # fmt: skip


@pasted
def _room_beside(x, y, z, gradient, support, under, n, crossing, enough, look, task, around, work):
    """What `room` finds among gathered faces: beside obstacles where the cell has a point there, else over them.

    enough: see `room`.
    """
    answer = work.answer
    room(
        x, y, z, under, task.height, task.radius, task.margin, enough, work.buffer, n, around.treads, around.faces,
        around.floors, around.metric, around.steps, work.modes[CLEAR_MODE], work.scratch, answer,
    )  # fmt: skip
    if answer[0] < enough:
        # the search ended at the face that it met last
        _remember_face(work.scratch[2][int(answer[11]) - 1], work)
    slack = min(answer[0] - task.radius, support[0])
    if not crossing or slack >= task.edge:
        return
    settled = False
    if slack >= -1.45 * task.edge - TOLERANCE:
        _, _, settled = settle_beside(
            x, y, z, gradient, support, under, look, work.no[0], int(answer[11]), task, around, work
        )
    if not settled:
        room(
            x, y, z, under, task.height, task.radius, task.margin, -np.inf, work.buffer, n, around.treads, around.faces,
            around.floors, around.metric, around.steps, work.modes[OPEN_MODE], work.scratch, answer,
        )  # fmt: skip


@pasted
def look_for_room(x, y, z, gradient, on_top, top, flat, support, task, around, work):
    """Room for a body whose centre is at a node: how many faces are near, whether it is lifted over an obstacle, its
    underside, the part of that obstacle (-1 none), and the part that blocks it for sure (-1 none; else work.answer holds
    what `room` found).

    on_top: whether the node is an obstacle's top, top: its height and part; flat: whether nothing but this floor is
    near; support: see `settle_beside`.
    """
    up, down, tan = around.steps
    under = z
    if not on_top and not flat:
        under, _, _ = joined_floor(
            x, y, z, task.radius, around.columns, around.metric, around.steps, work.heights
        )
        under = lifted(x, y, z, under, task.radius, around.faces, around.floors, around.metric, around.steps)
    half = task.long + task.margin
    quick = not on_top and task.edge > 0.0 and not task.has_barred
    if quick and not _obstacle_near(x, y, half, around.bins, work.crossed):
        again = _stopped_again(x, y, z, under, task, around, work)
        if again >= 0:
            return 0, False, under, -1, again
    work.stamp[-1] += 1
    n, crossing = gather(
        x, y, half, z - down if task.has_barred else z + 0.2, under + task.height + 2.0 * task.edge * tan,
        z + up + 0.025, under + UNDER_MM, around.faces, around.bins, around.treads, work.stamp, work.stamp[-1],
        work.buffer,
    )  # fmt: skip
    enough = -np.inf if task.edge == 0.0 or crossing else task.stopped
    if on_top:
        return _room_over(x, y, z, top[0], enough, task, around, work), True, top[0], top[1], -1
    if n == 0:
        work.answer[0] = np.inf
        work.answer[5] = np.inf
        return n, False, under, -1, -1
    if task.edge > 0.0:
        stopped = _surely_stopped(x, y, z, under, n, crossing, task, around, work)
        if stopped >= 0:
            return n, False, under, -1, stopped
    _room_beside(x, y, z, gradient, support, under, n, crossing, enough, not flat, task, around, work)
    if work.answer[8] == -np.inf:
        return n, False, under, -1, -1
    under = max(work.answer[8], under)
    part = int(work.answer[9])
    return _room_over(x, y, z, under, enough, task, around, work), True, under, part, -1
