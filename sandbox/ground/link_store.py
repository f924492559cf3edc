"""What lines over lips led to, kept for one body whatever question asked first.

A row of a table of links names places by their numbers, which differ from one set of places to the next; what stays is
the column on the common grid and the rank among the surfaces of that column.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sandbox.ground.change import Change
from sandbox.ground.kernels import links_rows as rows_of
from sandbox.ground.model import Floats, Ints, Places
from sandbox.ground.region import Region
from sandbox.ground.survey_grid import nearest_column

AROUND_MM = 110.0
"""What a line finds lies at most this far in plan from its point; nearer to the rim of what was judged, finding nothing
does not yet mean that there is nothing."""
_PER_MM = 1e4
"""lines are told apart in ten thousandths of a millimetre."""

Seats = NDArray[np.int64]
"""(n, 3) column on the common grid, and rank in it; -1 for no place."""


def seats_of(places: Places, ids: Ints) -> Seats:
    """Where places are, whatever they are numbered: (n, 3) int64 seats of (n,) numbers, -1 for no place."""
    i0, j0 = nearest_column(places.x0, places.y0, places.pitch)
    safe = np.maximum(ids, 0)
    cell = places.cell[safe] if len(places.cell) else np.zeros(len(ids), np.int32)
    seats = np.column_stack([cell % places.nx + i0, cell // places.nx + j0, safe - places.start[cell]])
    seats[ids < 0] = -1
    return seats.astype(np.int64)


def places_at(places: Places, seats: Seats) -> tuple[Ints, NDArray[np.bool_]]:
    """Numbers of places by their (n, 3) seats, (n,) int32; and which of them are there at all, (n,) bool.

    The number is -1 where none is there; a seat of no place gets -1 and true.
    """
    i0, j0 = nearest_column(places.x0, places.y0, places.pitch)
    i, j, rank = seats[:, 0] - i0, seats[:, 1] - j0, seats[:, 2]
    none = rank < 0
    inside = (i >= 0) & (j >= 0) & (i < places.nx) & (j < places.ny) & ~none
    cell = np.where(inside, j * places.nx + i, 0)
    there = inside & (rank < places.start[cell + 1] - places.start[cell])
    return np.where(there, places.start[cell] + rank, -1).astype(np.int32), there | none


class LinkStore:
    """Rows found along lines of one sort for one body."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._known: dict[bytes, tuple[float, Floats, Seats, Seats]] = {}

    def rows(
        self, places: Places, judged: Region, lines: Floats, work: Callable[[Floats, Floats], Floats]
    ) -> Floats:
        """Rows along lines, from what is kept or from `work`, which gets the lines that are new.

        judged: the region within which places are there. lines: (k, 9), see `lines_over`.
        Rows: (n, WIDTH) float64, see kernels/links_rows. work returns rows whose LIP is what the line's
        eighth column holds, and writes to its second argument how far in plan from its point each line
        looked, where that is not AROUND_MM. The answer is in the order of the lines, whatever was known
        before.
        """
        # what a line leads to hangs on its place, its direction and its care
        keys = [row.tobytes() for row in np.round(lines[:, [0, 1, 2, 3, 4, 8]] * _PER_MM).astype(np.int64)]
        new = np.array([key not in self._known for key in keys], bool)
        found: list[Floats] = []
        line: list[NDArray[np.int64]] = []
        if new.any():
            asked = lines[new].copy()
            asked[:, 7] = np.arange(len(asked))
            far = np.full(len(asked), AROUND_MM)
            made = work(asked, far)
            of = made[:, rows_of.LIP].astype(np.int64)
            found.append(made)
            line.append(np.flatnonzero(new)[of])
            names = [k for k, fresh in zip(keys, new, strict=True) if fresh]
            self._keep(places, judged.holds(asked, -far), names, far, made, of)
        old = [
            (k, self._known[key]) for k, (key, fresh) in enumerate(zip(keys, new, strict=True)) if not fresh
        ]
        old = [(k, one) for k, one in old if len(one[1])]
        if old:
            rows = np.concatenate([one[1] for _, one in old])
            start, good = places_at(places, np.concatenate([one[2] for _, one in old]))
            end, also = places_at(places, np.concatenate([one[3] for _, one in old]))
            rows[:, rows_of.START], rows[:, rows_of.END] = start, end
            found.append(rows[good & also])
            whose = np.repeat([k for k, _ in old], [len(one[1]) for _, one in old])
            line.append(whose[good & also])
        if not found:
            return np.zeros((0, rows_of.WIDTH))
        order = np.argsort(of_line := np.concatenate(line), kind="stable")
        answer = np.concatenate(found)[order]
        answer[:, rows_of.LIP] = lines[of_line[order], 7]
        return answer

    def after(self, change: Change, reach: float) -> LinkStore:
        """What of it still holds where the terrain changed.

        reach: how far from a place anything may lie that it hangs on, mm.
        """
        later = LinkStore()
        if not self._known:
            return later
        at = np.frombuffer(b"".join(self._known), np.int64).reshape(len(self._known), -1)[:, :2] / _PER_MM
        far = np.array([one[0] for one in self._known.values()])
        stays = change.holds(at, far + reach)
        for (key, (looked, rows, start, end)), same in zip(self._known.items(), stays, strict=True):
            if same:
                moved = rows.copy()
                moved[:, rows_of.PART] = change.part[rows[:, rows_of.PART].astype(np.int64)]
                later._known[key] = (looked, moved, start, end)
        return later

    def _keep(
        self,
        places: Places,
        inside: NDArray[np.bool_],
        keys: list[bytes],
        far: Floats,
        rows: Floats,
        of: NDArray[np.int64],
    ) -> None:
        start = seats_of(places, rows[:, rows_of.START].astype(np.int32))
        end = seats_of(places, rows[:, rows_of.END].astype(np.int32))
        order = np.argsort(of, kind="stable")
        first = np.searchsorted(of[order], np.arange(len(keys) + 1))
        for k in np.flatnonzero(inside).tolist():
            mine = order[first[k] : first[k + 1]]
            # near the rim a top may seem narrow whose other half was not judged: neither rows nor their absence last
            self._known[keys[k]] = (float(far[k]), rows[mine], start[mine], end[mine])
