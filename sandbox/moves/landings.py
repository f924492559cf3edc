"""Jumps down to landings of one's own choice, where a pack lets jumpers choose: what is in the way of each is looked at
once in a question, however often its links are looked for again."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sandbox.ground.extra import links_along
from sandbox.ground.model import Floats, LinkKind, Links, Place, Places
from sandbox.moves.falling_over import shallow_jumps
from sandbox.rules.words import JumpLanding
from sandbox.units import MM_PER_INCH, SNAP_MM, inches, mm

if TYPE_CHECKING:
    from sandbox.moves.legal import Asked

Bools = NDArray[np.bool_]
Rows = NDArray[np.intp]

LIPS_MM = 8.0
"""take-offs along a lip that are looked at are so far apart."""
LANDINGS_MM = 6.0
_HEIGHTS = (0.1, 0.5, 0.9)
"""heights of a body, as shares of it, at which its way through the air is looked along."""
_LIFT_MM = 1.0
_AROUND = 240
"""directions from a lip in which it is looked what stands in the way: 2 mm apart at three inches."""
_RIM = 8
"""places around a landing base from which it is looked down."""
_STEP = 2.0
"""mm: of what lies in one cell, heights are told apart to this."""


class Landings:
    """The freely chosen landings of one question, found lip by lip."""

    def __init__(self, asked: Asked, places: Places) -> None:
        """asked: the question; places: its places, the same whatever links are found."""
        self.asked = asked
        self.places = places
        movement = asked.movement
        self.free = movement.jump_landing is JumpLanding.FREE
        self.reach = movement.jump_reach
        """inches in plan."""
        if movement.leap_max != "movement":
            self.reach = max(self.reach, float(movement.leap_max))
        self._seen: set[tuple[float, ...]] = set()
        self._open: dict[tuple[int, int], bool] = {}
        """whether a body gets straight down to a place from so high."""
        self._begin: list[Floats] = []
        self._rows: list[NDArray[np.int32]] = []
        """start and end place of every jump, one array for each time that something new was found."""

    def links(self, links: Links) -> Links:
        """All jumps to chosen landings, from the lips of these links and of those before."""
        if self.free:
            jumps = np.flatnonzero(
                (links.kind == LinkKind.JUMP_DOWN) & (links.start >= 0) & (links.up <= 0.0)
            )
            new = spread(links.start_pos, jumps, LIPS_MM, self._seen)
            if new.size:
                self._look(links.start_pos[new], links.start[new])
        return self._table()

    def _look(self, lips: Floats, starts: NDArray[np.int32]) -> None:
        """Keep what can be jumped to from some lips, (n, 3) mm; starts: the places they belong to."""
        places = self.places
        standing = np.flatnonzero((places.flags & (Place.PASS | Place.STAND)) == 3)
        lands = spread(places.pos, standing, LANDINGS_MM)
        step = mm(self.asked.movement.free_step_down) + 0.05
        origin, end = [], []
        for k, (lip, met) in enumerate(zip(lips, self._met(lips), strict=True)):
            gone = np.hypot(*(places.pos[lands, :2] - lip[:2]).T)
            here = lands[(gone <= mm(self.reach)) & (places.pos[lands, 2] < lip[2] - step)]
            if here.size == 0:
                continue
            here = here[self._airy(lip, places.pos[here], met)]
            origin.append(np.full(here.size, k))
            end.append(here)
        if not end:
            return
        first, last = np.concatenate(origin), np.concatenate(end)
        clear = self._open_above(lips[first, 2], last)
        first, last = first[clear], last[clear]
        over = self.asked.movement.jump_over
        if over != "none":
            begin, finish = lips[first] / MM_PER_INCH, places.pos[last] / MM_PER_INCH
            low = shallow_jumps(self.asked.others, begin, finish, float(over))
            first, last = first[~low], last[~low]
        self._begin.append(lips[first])
        self._rows.append(np.column_stack([starts[first], last]).astype(np.int32))

    def _met(self, lips: Floats) -> list[Floats]:
        """What stands around each lip, (n, 3) mm, at the heights of a body that goes out from it: points in plan, inches."""
        height, radius = self.asked.mover.height, self.asked.mover.base.half_short
        turn = np.linspace(0.0, 2 * np.pi, _AROUND, endpoint=False)
        out = (self.reach + radius) * np.column_stack([np.cos(turn), np.sin(turn), np.zeros(_AROUND)])
        rise = inches(_LIFT_MM) + np.array(_HEIGHTS) * (height - inches(_LIFT_MM))
        begin = np.repeat(lips / MM_PER_INCH, len(rise), axis=0)
        begin[:, 2] += np.tile(rise, len(lips))
        begin = np.repeat(begin, _AROUND, axis=0)
        hits = self.asked.field.world.rays(begin, begin + np.tile(out, (len(lips) * len(rise), 1)))
        each = hits.hit.reshape(len(lips), -1)
        points = hits.point.reshape(len(lips), -1, 3)
        return [point[hit, :2] for hit, point in zip(each, points, strict=True)]

    def _airy(self, lip: Floats, ends: Floats, met: Floats) -> Bools:
        """(n,) whether a body gets from a lip straight out over ends, (n, 3) mm, past what was met around it."""
        if len(met) == 0:
            return np.ones(len(ends), dtype=np.bool_)
        # what the body would touch on its way lies within its radius of the line of its centre
        at, radius = lip[:2] / MM_PER_INCH, self.asked.mover.base.half_short
        gone = ends[:, :2] / MM_PER_INCH - at
        size = np.maximum(np.hypot(*gone.T), 1e-9)
        unit = gone / size[:, None]
        reach = met - at
        ahead = unit @ reach.T
        aside = np.abs(unit[:, :1] * reach[:, 1] - unit[:, 1:] * reach[:, 0])
        beyond = np.maximum(ahead - size[:, None], 0.0)
        touched = (ahead > 0.0) & (np.hypot(aside, beyond) < radius - inches(0.25))
        return np.asarray(~touched.any(axis=1), dtype=np.bool_)

    def _open_above(self, heights: Floats, rows: Rows) -> Bools:
        """(n,) whether a body gets straight down to places, rows, from heights, (n,) mm."""
        levels = np.round(heights / SNAP_MM).astype(np.int64)
        keys = list(zip(rows.tolist(), levels.tolist(), strict=True))
        new = sorted({key for key in keys if key not in self._open})
        if new:
            place = np.array([key[0] for key in new])
            top = np.array([key[1] for key in new]) * SNAP_MM / MM_PER_INCH + self.asked.mover.height
            self._open.update(zip(new, self._fits_down(place, top).tolist(), strict=True))
        return np.array([self._open[key] for key in keys], dtype=np.bool_)

    def _fits_down(self, rows: Rows, top: Floats) -> Bools:
        """(n,) the same for tops of bodies in inches."""
        radius = self.asked.mover.base.half_short
        at, floor = self.places.pos[rows, :2] / MM_PER_INCH, self.places.lift[rows] / MM_PER_INCH
        starts, ends = [], []
        for angle in np.linspace(0.0, 2 * np.pi, _RIM, endpoint=False):
            rim = at + 0.98 * radius * np.array([math.cos(angle), math.sin(angle)])
            starts.append(np.column_stack([rim, top]))
            ends.append(np.column_stack([rim, floor + 2 * inches(_LIFT_MM)]))
        hits = self.asked.field.world.rays(np.concatenate(starts), np.concatenate(ends))
        return np.asarray(~hits.hit.reshape(_RIM, -1).any(axis=0), dtype=np.bool_)

    def _table(self) -> Links:
        """All that was kept, as rows of links."""
        rows = np.concatenate([np.zeros((0, 2), np.int32), *self._rows])
        begin = np.concatenate([np.zeros((0, 3)), *self._begin])
        end = self.places.pos[rows[:, 1]]
        out = np.column_stack([end[:, :2], begin[:, 2]])
        ways = np.stack([begin, out, end], axis=1)
        return links_along(LinkKind.JUMP_DOWN, rows[:, 0], rows[:, 1], ways, begin[:, 2] - end[:, 2])


def spread(points: Floats, rows: Rows, apart: float, seen: set[tuple[float, ...]] | None = None) -> Rows:
    """Of some rows (n,) of points (k, 3), mm, one for each cell so wide (and each 2 mm of height), ascending.

    apart: width of a cell, mm. seen: cells that are left out; those of the answer are added to it.
    """
    if rows.size == 0:
        return rows
    cells = np.column_stack([np.floor(points[rows, :2] / apart), np.floor(points[rows, 2] / _STEP)])
    known, first = np.unique(cells, axis=0, return_index=True)
    if seen is not None:
        cells_known = [tuple(cell) for cell in known.tolist()]
        new = np.array([cell not in seen for cell in cells_known], dtype=np.bool_)
        seen.update(cells_known)
        first = first[new]
    return rows[np.sort(first)]
