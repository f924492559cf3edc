"""Links looked for where they matter: only at lips that a body gets near, in rounds, as what it reaches grows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from sandbox.ground.bins import Bins
from sandbox.ground.climbs import lines_in_slots, lines_over, make_field, over_lips
from sandbox.ground.jumps import leaps_from
from sandbox.ground.kernels import links_rows as rows_of
from sandbox.ground.ladders import climb_ladders
from sandbox.ground.link_store import LinkStore
from sandbox.ground.links import as_links, fewer_refused, lips_within, points_within
from sandbox.ground.lips import Lips
from sandbox.ground.model import Floats, LinkKind, Links, Numbers, Permit, Places
from sandbox.ground.region import Region
from sandbox.terrain.model import Terrain

_CELL_MM = 20.0
_FOOT_MM = 100.0
"""A climb's foot, or the top of a way down, lies at most this far in plan from the point of the lip."""
_OFF_MM = 80.0
"""A leap is taken off from at most this far in plan from the point of the lip."""
_LEVEL_MM = 40.0
"""and at most this far in height."""

Bools = NDArray[np.bool_]


class LinkFinder:
    """The ways of one body that are not walking, found so far."""

    def __init__(
        self,
        terrain: Terrain,
        places: Places,
        lips: Lips,
        permits: Sequence[Permit],
        numbers: Numbers,
        *,
        within: Region,
        longest: float,
        bins: Bins,
        stores: tuple[LinkStore, LinkStore],
    ) -> None:
        """within: the region whose lips are looked at at all; longest: the longest leap, mm; permits: one per part.

        stores: what is known of lines over lips, and of leaps of this length.
        """
        self._stores = stores
        self._places, self._lips, self._within, self._longest = places, lips, within, longest
        self._field = make_field(terrain, bins, places, permits, numbers)
        self._here = np.logical_and(lips_within(lips, places), _lips_in(lips, within))
        self._lines = self._kept(lines_over(lips, self._here))
        self._climbed = np.zeros(len(self._lines), bool)
        # leaps need not be tried as densely: a leap from beside the best point is hardly longer
        self._leapt = self._lines[:, 8] == 0.0
        self._slotted = ~self._here
        self._step = numbers.free_step_up_mm
        self._rows: list[Floats] = [climb_ladders(terrain, bins, places, permits, numbers)]
        self._made: Links | None = None

    def _kept(self, lines: Floats) -> Floats:
        lines = lines[points_within(lines, self._places)]
        return lines[self._within.holds(lines)]

    def links(self) -> Links:
        """What was found so far, ladders always."""
        if self._made is None:
            self._made = as_links(np.concatenate(self._rows))
        return self._made

    def grow(self, reached: Bools, rise: Floats, *, back: bool = False) -> bool:
        """Look at the lips near the places reached; whether anything was found that was not known.

        reached: (n,) of the places; rise: (n,) how much higher the body can climb from each, mm. back: leaps to places
        reached are wanted as well, by those who leap up.
        """
        near = _Near(self._places, reached, rise, self._longest + _OFF_MM if back else 0.0)
        line = self._lines
        climbs = ~self._climbed & near.climbs(line[:, 0], line[:, 1], line[:, 2], self._step)
        leaps = near.leaps(line[:, 0], line[:, 1], line[:, 2])
        if back:
            leaps |= near.above(line[:, 0], line[:, 1], line[:, 2])
        leaps &= ~self._leapt & (self._longest > 0.0)
        if not climbs.any() and not leaps.any():
            return False
        self._climbed |= climbs
        self._leapt |= leaps
        fresh = np.zeros(len(self._lips), bool)
        fresh[line[climbs, 7].astype(np.int64)] = True
        fresh &= ~self._slotted
        self._slotted |= fresh
        slots = self._kept(lines_in_slots(self._field, self._lips, fresh)) if fresh.any() else line[:0]
        over, leap = self._stores
        rows = over.rows(
            self._places,
            self._within,
            np.concatenate([line[climbs], slots]),
            lambda new, _: over_lips(self._field, new),
        )
        off = rows[:, rows_of.KIND] != LinkKind.JUMP_DOWN
        rows = fewer_refused(rows[off | self._within.holds(rows[:, rows_of.FROM :])])
        found = [rows]
        if leaps.any():
            found.append(
                leap.rows(
                    self._places,
                    self._within,
                    line[leaps],
                    lambda new, far: leaps_from(self._field, self._lips, new, self._longest, far),
                )
            )
        found = [one for one in found if len(one)]
        if not found:
            return False
        self._rows += found
        self._made = None
        return True


def _lips_in(lips: Lips, region: Region) -> Bools:
    """Lips that come within a region, (lips,)."""
    half = 0.5 * np.hypot(lips.b[:, 0] - lips.a[:, 0], lips.b[:, 1] - lips.a[:, 1])
    return region.holds(0.5 * (lips.a + lips.b), half)


class _Near:
    """Which points lie near places that were reached, on a raster."""

    def __init__(self, places: Places, reached: Bools, rise: Floats, back: float) -> None:
        # cells lie on one grid, so that what is near does not hang on where the window begins
        self._x0, self._y0 = (np.floor(v / _CELL_MM) * _CELL_MM for v in (places.x0, places.y0))
        nx = int(places.nx * places.pitch / _CELL_MM) + 3
        ny = int(places.ny * places.pitch / _CELL_MM) + 3
        self._shape = (ny, nx)
        at = np.flatnonzero(reached)
        i, j = self._cell(places.pos[at, 0], places.pos[at, 1])
        cell = j * nx + i
        z = places.pos[at, 2]
        low, high, top = (np.full(nx * ny, v) for v in (np.inf, -np.inf, -np.inf))
        np.minimum.at(low, cell, z)
        np.maximum.at(high, cell, z)
        np.maximum.at(top, cell, z + rise[at])
        table = [v.reshape(self._shape) for v in (low, high, top)]
        wide, narrow = (2 * int(np.ceil(r / _CELL_MM)) + 1 for r in (_FOOT_MM, _OFF_MM))
        self._low = ndimage.minimum_filter(table[0], wide, mode="constant", cval=np.inf)
        self._top = ndimage.maximum_filter(table[2], wide, mode="constant", cval=-np.inf)
        self._low_off = ndimage.minimum_filter(table[0], narrow, mode="constant", cval=np.inf)
        self._high_off = ndimage.maximum_filter(table[1], narrow, mode="constant", cval=-np.inf)

        if back > 0.0:
            far = 2 * int(np.ceil(back / _CELL_MM)) + 1
            self._low_back = ndimage.minimum_filter(table[0], far, mode="constant", cval=np.inf)
            self._top_back = ndimage.maximum_filter(table[2], far, mode="constant", cval=-np.inf)

    def _cell(self, x: Floats, y: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        i = np.clip(((x - self._x0) / _CELL_MM).astype(np.int64), 0, self._shape[1] - 1)
        j = np.clip(((y - self._y0) / _CELL_MM).astype(np.int64), 0, self._shape[0] - 1)
        return i, j

    def climbs(self, x: Floats, y: Floats, z: Floats, step: float) -> Bools:
        """Points of lips that can be climbed up to, or down from; z: of the lips."""
        i, j = self._cell(x, y)
        return np.asarray((self._low[j, i] <= z + step) & (self._top[j, i] >= z - step))

    def leaps(self, x: Floats, y: Floats, z: Floats) -> Bools:
        """Points of lips that can be leapt from."""
        i, j = self._cell(x, y)
        return np.asarray((self._low_off[j, i] <= z + _LEVEL_MM) & (self._high_off[j, i] >= z - _LEVEL_MM))

    def above(self, x: Floats, y: Floats, z: Floats) -> Bools:
        """Points of lips that can be leapt to from below."""
        i, j = self._cell(x, y)
        return np.asarray((self._low_back[j, i] <= z) & (self._top_back[j, i] >= z))
