"""Links: all ways between floors that are not walking, for one body."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sandbox.ground.bins import Bins
from sandbox.ground.climbs import lines_in_slots, lines_over, make_field, over_lips
from sandbox.ground.jumps import leaps_from
from sandbox.ground.kernels import links_rows as rows_of
from sandbox.ground.ladders import climb_ladders
from sandbox.ground.lips import Lips
from sandbox.ground.model import Floats, LinkKind, Links, Numbers, Permit, Places
from sandbox.terrain.model import Terrain

_INCH_MM = 25.4

Disc = tuple[float, float, float]
"""Plan disc: x, y, radius, mm."""


def find_links(
    terrain: Terrain,
    places: Places,
    lips: Lips,
    permits: Sequence[Permit],
    numbers: Numbers,
    *,
    climbs: bool = True,
    ladders: bool = True,
    leaps: tuple[Disc, float] | None = None,
    jumps: Disc | bool = False,
    bins: Bins,
) -> Links:
    """Climbs, ladders, leaps and jumps down between the places of one body.

    leaps: the disc whose lips are taken off from, and the longest leap, mm. jumps: the disc whose lips are jumped down
    from (True: all). permits: one per terrain part. bins: the whole terrain in cells.
    """
    field = make_field(terrain, bins, places, permits, numbers)
    here = lips_within(lips, places)
    found: list[Floats] = []
    disc = None if isinstance(jumps, bool) else jumps
    if climbs or jumps:
        keep = here if disc is None or climbs else np.logical_and(here, lips_near(lips, disc))
        lines = np.concatenate([lines_over(lips, keep), lines_in_slots(field, lips, keep)])
        if disc is not None and not climbs:
            lines = lines[points_near(lines, disc)]
        lines = lines[points_within(lines, places)]
        rows = over_lips(field, lines, climbs=climbs, jumps=bool(jumps))
        if disc is not None:
            off = rows[:, rows_of.KIND] != LinkKind.JUMP_DOWN
            rows = rows[off | points_near(rows[:, rows_of.FROM :], disc)]
        found.append(fewer_refused(rows))
    if ladders:
        found.append(climb_ladders(terrain, bins, places, permits, numbers))
    if leaps is not None:
        around, longest = leaps
        lines = lines_over(lips, np.logical_and(here, lips_near(lips, around)))
        lines = lines[points_near(lines, around)]
        found.append(leaps_from(field, lips, lines, longest))
    return as_links(np.concatenate(found) if found else np.zeros((0, rows_of.WIDTH)))


def lips_near(lips: Lips, disc: Disc) -> NDArray[np.bool_]:
    """Lips that come within a plan disc, (lips,) bool."""
    along = lips.b[:, :2] - lips.a[:, :2]
    to = np.array(disc[:2]) - lips.a[:, :2]
    t = np.clip((to * along).sum(axis=1) / np.maximum((along**2).sum(axis=1), 1e-12), 0.0, 1.0)
    away = to - t[:, None] * along
    near: NDArray[np.bool_] = np.hypot(away[:, 0], away[:, 1]) <= disc[2]
    return near


def points_within(points: Floats, places: Places) -> NDArray[np.bool_]:
    """Rows that begin with a plan point in the window of some places, (n,) bool."""
    x, y = points[:, 0] - places.x0, points[:, 1] - places.y0
    inside = (x >= 0.0) & (x <= places.nx * places.pitch) & (y >= 0.0) & (y <= places.ny * places.pitch)
    return np.asarray(inside, np.bool_)


def points_near(points: Floats, disc: Disc) -> NDArray[np.bool_]:
    """Rows that begin with a plan point in a disc, (n,) bool."""
    return np.asarray(np.hypot(points[:, 0] - disc[0], points[:, 1] - disc[1]) <= disc[2], np.bool_)


def lips_within(lips: Lips, places: Places) -> NDArray[np.bool_]:
    """Lips that reach into the window of some places, (lips,) bool."""
    x1 = places.x0 + places.nx * places.pitch
    y1 = places.y0 + places.ny * places.pitch
    low = np.minimum(lips.a[:, :2], lips.b[:, :2])
    high = np.maximum(lips.a[:, :2], lips.b[:, :2])
    inside = (high >= (places.x0, places.y0)) & (low <= (x1, y1))
    return np.logical_and(inside[:, 0], inside[:, 1])


def fewer_refused(rows: Floats) -> Floats:
    """Of refused ways along each inch of a lip, in one direction and for one reason, only the one that breaks its
    limit least. rows: (n, WIDTH) float64, see kernels/links_rows; of them those that stay, in order."""
    if not len(rows):
        return rows
    limit = rows[:, rows_of.LIMIT]
    up = rows[:, rows_of.RISE] > 0.0
    foot = np.where(
        up[:, None],
        rows[:, rows_of.FROM : rows_of.FROM + 2],
        rows[:, rows_of.TO : rows_of.TO + 2],
    )
    inch = np.floor(foot / _INCH_MM)
    key = np.stack([rows[:, rows_of.LIP], rows[:, rows_of.KIND], limit, up, inch[:, 0], inch[:, 1]], axis=1)
    order = np.lexsort((rows[:, rows_of.OVERHANG], *key.T))
    key = key[order]
    first = np.ones(len(rows), bool)
    first[1:] = (key[1:] != key[:-1]).any(axis=1)
    keep = np.zeros(len(rows), bool)
    keep[order] = first
    fewer: Floats = rows[keep | (limit == 0)]
    return fewer


def as_links(rows: Floats) -> Links:
    """The table of links from rows of kernels, (n, WIDTH) float64, see kernels/links_rows."""
    count = rows[:, rows_of.POINTS].astype(np.int64)
    start = np.zeros(len(rows) + 1, np.int32)
    start[1:] = np.cumsum(count)
    points = rows[:, rows_of.PATH :].reshape(len(rows), rows_of.MOST_POINTS, 3)
    used = np.arange(rows_of.MOST_POINTS)[None, :] < count[:, None]
    column = {
        name: np.ascontiguousarray(rows[:, at])
        for name, at in (
            ("plan", rows_of.PLAN),
            ("up", rows_of.RISE),
            ("down", rows_of.FALL),
            ("gap", rows_of.GAP),
            ("rail", rows_of.RAIL),
            ("overhang", rows_of.OVERHANG),
        )
    }
    return Links(
        kind=rows[:, rows_of.KIND].astype(np.uint8),
        start=rows[:, rows_of.START].astype(np.int32),
        end=rows[:, rows_of.END].astype(np.int32),
        start_pos=np.ascontiguousarray(rows[:, rows_of.FROM : rows_of.FROM + 3]),
        end_pos=np.ascontiguousarray(rows[:, rows_of.TO : rows_of.TO + 3]),
        limit=rows[:, rows_of.LIMIT].astype(np.uint8),
        part=rows[:, rows_of.PART].astype(np.int32),
        path_start=start,
        path=np.ascontiguousarray(points[used]),
        **column,
    )
