"""A found way told in stretches: what is walked, crossed and linked, with the path along the floor."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sandbox.ground.kernels.search_labels import AT, CLOCK, ENTERED, LINK, PARENT
from sandbox.ground.kernels.search_march import march, wait_out
from sandbox.ground.model import Floats, Ints
from sandbox.ground.search_model import Arrival, Stretch, StretchKind
from sandbox.ground.shared import metric_of

if TYPE_CHECKING:
    from sandbox.ground.search import Reach

_RISER_MM = 0.3
_STRAIGHT_MM = 0.02
_SLIPS = 3
"""rows of a line that may lie outside an obstacle's cells between two that lie within."""
_SAG_MM = 0.02
"""a chord that sags less than this into a corner is told as it is, mm."""


def tell(reach: Reach, arrival: Arrival) -> tuple[Stretch, ...]:
    """The way behind an arrival in order: straight walks joined, an obstacle's crossing or a link apart."""
    index, number, ways = reach.labels.index, reach.labels.number, reach.ways
    chain = []
    a = arrival.anchor
    goal, place = np.array(arrival.point), arrival.place
    last: list[Stretch] = []
    if a < -1:
        slot = -2 - a
        a = int(reach.labels.anchor[slot])
        at = slot // reach.labels.labels
        clock = float(reach.labels.clock[slot])
        last = _line(reach, reach.ground.point[at], at, (clock, clock), goal, place)
        goal, place = reach.ground.point[at], at
    while a >= 0:
        chain.append(a)
        a = int(index[a, PARENT])
    chain.reverse()
    out: list[Stretch] = []
    for at, then in zip(chain, [*chain[1:], -1], strict=True):
        link = int(index[then, LINK]) if then >= 0 else -1
        if then < 0:
            to, cell = goal, place
        elif link >= 0:
            to, cell = ways.begin[link], int(ways.host[link])
        else:
            to, cell = number[then, :3], int(index[then, AT])
        clocks = (float(number[at, CLOCK]), float(number[at, ENTERED]))
        out += _line(reach, number[at, :3], int(index[at, AT]), clocks, to, cell)
        if link >= 0:
            row = int(ways.row[link])
            price = float(ways.price[link])
            ends = np.stack([ways.begin[link], ways.finish[link]])
            out.append(
                Stretch(
                    kind=StretchKind.LINK,
                    points=ends,
                    lift=ends[:, 2].copy(),
                    cost=price,
                    length=float(reach.links.plan[row]),
                    begins=0.0,
                    ends=0.0,
                    chance=float(ways.chance[link]),
                    link=row,
                )
            )
    return tuple(_timed(reach, _joined(out + last)))


def _line(
    reach: Reach, begin: Floats, at: int, clocks: tuple[float, float], goal: Floats, place: int
) -> list[Stretch]:
    """One straight line from a point in the cell of place `at`, cut where it enters and leaves obstacles."""
    ground = reach.ground
    if at < 0 or float(np.linalg.norm(goal[:2] - begin[:2])) < 1e-9:
        return []
    cells = int(np.abs(goal[:2] - begin[:2]).sum() / ground.pitch)
    record = np.empty((cells + 16, 3))
    ok, _, _, _, _, rows = march(
        ground,
        float(begin[0]),
        float(begin[1]),
        at,
        float(goal[0]),
        float(goal[1]),
        place,
        *clocks,
        record,
    )
    if not ok:  # pragma: no cover  (the same call answered yes before)
        raise RuntimeError("a straight line that the search used is not free")
    record = record[:rows]
    where: Ints = record[:, 1].astype(np.int32)
    plan = float(np.linalg.norm(goal[:2] - begin[:2]))
    flat = begin[None, :2] + record[:, :1] * (goal - begin)[None, :2]
    flat[0], flat[-1] = begin[:2], goal[:2]
    share, where, flat, spent = _rounded(reach, record[:, 0], where, flat, record[:, 2])
    rows = len(share)
    z = _height(reach, where, flat)
    z[0], z[-1] = begin[2], goal[2]
    lift = np.maximum(reach.places.lift[where], z)
    zone = _closed(ground.zone[where])
    cuts = [0, *(np.flatnonzero(np.diff(zone)) + 1).tolist(), rows - 1]
    out = []
    paid = 0.0
    for first, last in itertools.pairwise(cuts):
        points, heights = _path(reach, flat, z, lift, where, first, last)
        cost = float(spent[last] - spent[first]) + paid
        # the price of an obstacle is booked on the row that enters it
        paid = float(ground.zone_price[zone[last]]) if zone[last] >= 0 and zone[last] != zone[first] else 0.0
        crossed = int(zone[first])
        out.append(
            Stretch(
                kind=StretchKind.CROSS if crossed >= 0 else StretchKind.WALK,
                points=points,
                lift=heights,
                cost=cost - paid,
                length=plan * float(share[last] - share[first]),
                begins=0.0,
                ends=0.0,
                zone=crossed,
            )
        )
    return out


def _closed(zone: Ints) -> Ints:
    """Zones of the rows of a line, where it slips out of an obstacle's cells and back without getting clear of it."""
    zone = zone.copy()
    on = np.flatnonzero(zone >= 0)
    for first, last in itertools.pairwise(on):
        if zone[first] == zone[last] and last - first <= _SLIPS:
            zone[first:last] = zone[first]
    return zone


def _rounded(
    reach: Reach, share: Floats, where: Ints, flat: Floats, spent: Floats
) -> tuple[Floats, Ints, Floats, Floats]:
    """The rows of a line with the arc's own point put in where a chord between two places sags into a corner.

    share (rows,) of the line, where (rows,) places, flat (rows, 2) points, spent (rows,) cost so far. What the search
    measured along the chord stays: an arc of that size is longer by less than 0.02 mm.
    """
    line = flat[-1] - flat[0]
    if float(np.linalg.norm(line)) > 3.0 * reach.ground.pitch:
        return share, where, flat, spent
    body = reach.places.body
    rows = reach.places.touch[np.unique(where)].reshape(-1, 2)
    solid = rows[np.isfinite(rows[:, 0])]
    metric = np.array(metric_of(body)).reshape(2, 2)
    keeps = [(p, metric, body.half_short_mm) for p in solid]
    keeps += [
        (d[:2], np.eye(2), d[2])
        for d in reach.ground.discs
        if d[3] <= reach.ground.point[where[0], 2] <= d[4]
    ]
    worst, put = _SAG_MM, None
    for point, scale, radius in keeps:
        a, way = scale @ (flat[0] - point), scale @ line
        t = -float(a @ way) / max(float(way @ way), 1e-12)
        away = float(np.linalg.norm(a + t * way))
        if 0.02 < t < 0.98 and radius - 0.2 < away and radius - away > worst:
            worst, put = radius - away, (t, point + np.linalg.solve(scale, (a + t * way) * (radius / away)))
    if put is None:
        return share, where, flat, spent
    t, point = put
    k = int(np.searchsorted(share, t))
    before = (t - share[k - 1]) / max(share[k] - share[k - 1], 1e-12)
    return (
        np.insert(share, k, t),
        np.insert(where, k, where[k - 1]),
        np.insert(flat, k, point, axis=0),
        np.insert(spent, k, spent[k - 1] + before * (spent[k] - spent[k - 1])),
    )


def _height(reach: Reach, where: np.ndarray, flat: Floats) -> Floats:
    """Height of the ground at points on places, along the surface's own tilt."""
    point = reach.ground.point[where]
    gradient = reach.ground.gradient[where]
    return np.asarray(point[:, 2] + ((flat - point[:, :2]) * gradient).sum(axis=1), np.float64)


def _bends(flat: Floats, k: int) -> bool:
    """Whether the path turns at row k: the arc's point of a corner."""
    a, b, c = flat[k - 1], flat[k], flat[k + 1]
    return bool(abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) > _STRAIGHT_MM / 2)


def _path(
    reach: Reach, flat: Floats, z: Floats, lift: Floats, where: np.ndarray, first: int, last: int
) -> tuple[Floats, Floats]:
    """Corner points of the path between two rows, with both ends of every riser."""
    if np.ptp(z[first : last + 1]) < _STRAIGHT_MM and np.ptp(lift[first : last + 1]) < _STRAIGHT_MM:
        ends = [first, *(k for k in range(first + 1, last) if _bends(flat, k)), last]
        return np.column_stack([flat[ends], z[ends]]), lift[ends].copy()
    rows: list[tuple[float, float, float, float]] = []
    for k in range(first, last + 1):
        if k > first:
            before = float(_height(reach, where[k - 1 : k], flat[k : k + 1])[0])
            if abs(before - z[k]) > _RISER_MM:
                rows.append((flat[k, 0], flat[k, 1], before, max(float(lift[k - 1]), before)))
        rows.append((flat[k, 0], flat[k, 1], float(z[k]), float(lift[k])))
    path = np.array(rows)
    keep = [0]
    for k in range(1, len(path) - 1):
        a, b, c = path[keep[-1]], path[k], path[k + 1]
        run = float(np.linalg.norm(c[:2] - a[:2]))
        t = float(np.linalg.norm(b[:2] - a[:2])) / run if run > 1e-9 else 0.0
        if (
            run <= 1e-9
            or np.abs(a[2:] + t * (c[2:] - a[2:]) - b[2:]).max() > _STRAIGHT_MM
            or np.abs(a[:2] + t * (c[:2] - a[:2]) - b[:2]).max() > _STRAIGHT_MM / 2
        ):
            keep.append(k)
    if len(path) > 1:
        keep.append(len(path) - 1)
    return np.ascontiguousarray(path[keep, :3]), np.ascontiguousarray(path[keep, 3])


def _joined(stretches: list[Stretch]) -> list[Stretch]:
    """Stretches of one kind that follow each other without a break become one."""
    out: list[Stretch] = []
    for s in stretches:
        if out and s.kind is not StretchKind.LINK and out[-1].kind is s.kind and out[-1].zone == s.zone:
            t = out[-1]
            out[-1] = Stretch(
                kind=s.kind,
                points=np.concatenate([t.points, s.points[1:]]),
                lift=np.concatenate([t.lift, s.lift[1:]]),
                cost=t.cost + s.cost,
                length=t.length + s.length,
                begins=t.begins,
                ends=s.ends,
                zone=s.zone,
            )
        else:
            out.append(s)
    return out


def _timed(reach: Reach, stretches: list[Stretch]) -> list[Stretch]:
    """The stretches with their clocks: what must fit inside one Move waits for one."""
    now = 0.0
    out = []
    for s in stretches:
        whole = s.kind is StretchKind.CROSS or (s.link >= 0 and bool(reach.question.link_whole[s.link]))
        begins = float(wait_out(now, s.cost, reach.ground.ends)) if whole else now
        now = begins + s.cost
        out.append(replace(s, begins=begins, ends=now))
    return out
