"""Links that no search of the ground finds: ductways, leaps over agreed ground, freely chosen landings. The caller names
their ends; here they become rows of the same table, and tables are put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from sandbox.ground.model import Floats, Ints, LinkKind, Links

Point = tuple[float, float, float]


@dataclass(frozen=True)
class Given:
    """One way between two places, mm."""

    kind: LinkKind
    start: int
    """place where it begins, -1 where none is meant."""
    end: int
    path: tuple[Point, ...]
    """the centre's way on the ground, both ends included."""
    plan: float
    """plan movement, mm."""
    up: float = 0.0
    down: float = 0.0
    gap: float = 0.0
    part: int = -1


def given_links(rows: Sequence[Given]) -> Links:
    """A table of links from ways that the caller names."""
    n = len(rows)
    count = np.array([len(row.path) for row in rows], dtype=np.int64)
    start = np.zeros(n + 1, np.int32)
    start[1:] = np.cumsum(count)
    ends = [np.array([row.path[i] for row in rows], np.float64).reshape(-1, 3) for i in (0, -1)]
    return Links(
        kind=np.array([row.kind for row in rows], np.uint8),
        start=np.array([row.start for row in rows], np.int32),
        end=np.array([row.end for row in rows], np.int32),
        start_pos=ends[0],
        end_pos=ends[1],
        plan=np.array([row.plan for row in rows], np.float64),
        up=np.array([row.up for row in rows], np.float64),
        down=np.array([row.down for row in rows], np.float64),
        gap=np.array([row.gap for row in rows], np.float64),
        rail=np.zeros(n),
        overhang=np.zeros(n),
        limit=np.zeros(n, np.uint8),
        part=np.array([row.part for row in rows], np.int32),
        path_start=start,
        path=np.array([p for row in rows for p in row.path], np.float64).reshape(-1, 3),
    )


def links_along(kind: LinkKind, start: Ints, end: Ints, ways: Floats, down: Floats | None = None) -> Links:
    """A table of links of one kind from ways of equal numbers of points.

    start, end: (n,) places, -1 none; ways: (n, k, 3) mm; down: (n,) height lost, mm, 0 where it is not told.
    """
    n, points = ways.shape[:2]
    none = np.zeros(n)
    begin, finish = ways[:, 0].copy(), ways[:, -1].copy()
    return Links(
        kind=np.full(n, kind, np.uint8),
        start=start.copy(),
        end=end.copy(),
        start_pos=begin,
        end_pos=finish,
        plan=np.hypot(*(finish - begin)[:, :2].T),
        up=none,
        down=none if down is None else down,
        gap=none,
        rail=none,
        overhang=none,
        limit=np.zeros(n, np.uint8),
        part=np.full(n, -1, np.int32),
        path_start=np.arange(0, points * n + 1, points, dtype=np.int32),
        path=ways.reshape(-1, 3),
    )


def joined(first: Links, second: Links) -> Links:
    """Both tables in one, the rows of the second after those of the first."""
    if len(second.kind) == 0:
        return first
    if len(first.path_start) != len(first.kind) + 1:  # nobody asked for its ways
        first = _with_straight_ways(first)
    columns = {
        field.name: np.concatenate([getattr(first, field.name), getattr(second, field.name)])
        for field in fields(Links)
        if field.name != "path_start"
    }
    offset = second.path_start[1:] + first.path_start[-1]
    return Links(**columns, path_start=np.concatenate([first.path_start, offset]).astype(np.int32))


def _with_straight_ways(links: Links) -> Links:
    n = len(links.kind)
    path = np.empty((2 * n, 3))
    path[0::2], path[1::2] = links.start_pos, links.end_pos
    columns = {f.name: getattr(links, f.name) for f in fields(Links) if f.name not in ("path", "path_start")}
    return Links(**columns, path=path, path_start=np.arange(0, 2 * n + 1, 2, dtype=np.int32))
