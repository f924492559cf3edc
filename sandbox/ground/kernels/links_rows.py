"""The table that kernels of links write: one row per way, in columns of float64."""

from __future__ import annotations

from sandbox.compiling import bare, inner
from sandbox.ground.kernels.links_lips import grown

KIND, START, END, FROM, TO, PLAN, RISE, FALL, GAP, RAIL, OVERHANG, LIMIT, PART, LIP, POINTS, PATH = (
    0, 1, 2, 3, 6, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
)  # fmt: skip
MOST_POINTS = 8
MOST_AT_ONCE = 4
WIDTH = PATH + 3 * MOST_POINTS


@inner
def room_for(rows, n):
    """The table, made longer where MOST_AT_ONCE more rows would not fit."""
    if n + MOST_AT_ONCE <= rows.shape[0]:
        return rows
    return grown(rows, n + MOST_AT_ONCE)


@bare
def put(rows, n, kind, start, end, plan, rise, fall, gap, rail, overhang, limit, part, lip, points, count):
    """Write row n; points: (count, 3), the base's centre from start to end, mm."""
    rows[n, KIND] = kind
    rows[n, START] = start
    rows[n, END] = end
    for a in range(3):
        rows[n, FROM + a] = points[0, a]
        rows[n, TO + a] = points[count - 1, a]
    rows[n, PLAN] = plan
    rows[n, RISE] = rise
    rows[n, FALL] = fall
    rows[n, GAP] = gap
    rows[n, RAIL] = rail
    rows[n, OVERHANG] = overhang
    rows[n, LIMIT] = limit
    rows[n, PART] = part
    rows[n, LIP] = lip
    # points that repeat are left out
    m = 0
    for p in range(count):
        same = m > 0
        for a in range(3):
            if m > 0 and abs(rows[n, PATH + 3 * (m - 1) + a] - points[p, a]) > 1e-9:
                same = False
        if same:
            continue
        for a in range(3):
            rows[n, PATH + 3 * m + a] = points[p, a]
        m += 1
    rows[n, POINTS] = m


@bare
def put_back(rows, n, source, kind, rise, fall):
    """Row n is row `source` walked backwards, with its own kind and heights."""
    for j in range(WIDTH):
        rows[n, j] = rows[source, j]
    rows[n, KIND] = kind
    rows[n, START] = rows[source, END]
    rows[n, END] = rows[source, START]
    rows[n, RISE] = rise
    rows[n, FALL] = fall
    m = int(rows[source, POINTS])
    for a in range(3):
        rows[n, FROM + a] = rows[source, TO + a]
        rows[n, TO + a] = rows[source, FROM + a]
        for p in range(m):
            rows[n, PATH + 3 * p + a] = rows[source, PATH + 3 * (m - 1 - p) + a]
