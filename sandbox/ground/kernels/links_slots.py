"""The kernel that finds slots beside lips: openings hardly wider than the base, which evenly spaced lines would miss."""

from __future__ import annotations

import numpy as np

from sandbox.compiling import bare, kernel
from sandbox.ground.kernels.links_body import TOUCH, forbidden, gather, line_frame
from sandbox.ground.kernels.links_lips import grown
from sandbox.ground.kernels.links_over import make_work

CHUNK = 40.0
"""Lips are looked along in stretches of this length, mm."""


@kernel
def slots_beside(a, b, out, drop, chosen, widest, step, body, bins, coarse):
    """Middles of the free stretches beside lips that are at most `widest` mm long, for a base that just clears the lip.

    a, b: (n, 3) lips; chosen: (k,) int64 lips to look at; step: what is no higher over the next floor is no obstacle,
    mm. Returns (m, 4) float64: point of the lip and the lip's number.
    """
    work = make_work(bins[3].shape[0])
    found = np.empty((64, 4), np.float64)
    count = np.int64(0)
    mark = np.int64(0)
    r = body[0]
    inner = r - TOUCH
    tri, one, two = work[3], work[6], work[7]
    ends = np.empty((256, 2), np.float64)  # what the triangles near a stretch forbid of it
    for c in range(chosen.shape[0]):
        lip = chosen[c]
        ex = b[lip, 0] - a[lip, 0]
        ey = b[lip, 1] - a[lip, 1]
        length = np.sqrt(ex * ex + ey * ey)
        if length < 0.1 or not np.isfinite(drop[lip]):
            continue
        ex /= length
        ey /= length
        clear = r / line_frame(out[lip, 0], out[lip, 1], body[3])[4] + 2.0 * TOUCH
        frame = line_frame(ex, ey, body[3])
        scale = frame[4]
        z_low = min(a[lip, 2], b[lip, 2]) - drop[lip] + step + 0.1
        z_high = max(a[lip, 2], b[lip, 2]) + body[2]
        begin = 0.0
        while begin < length:
            end = min(begin + CHUNK, length)
            x = a[lip, 0] + begin * ex + clear * out[lip, 0]
            y = a[lip, 1] + begin * ey + clear * out[lip, 1]
            mark += 1
            n = gather(x, y, frame, body, 0.0, end - begin + widest, z_low, z_high, mark, bins, coarse, work)
            if n > ends.shape[0]:
                ends = np.empty((2 * n, 2), np.float64)
            kept = 0
            most = (end - begin) * scale
            for k in range(n):
                lo, hi = forbidden(tri, k, z_low, z_high, inner, one, two)
                if lo < 0.0 and hi > most:
                    kept = -1
                    break
                if lo < hi and hi > 0.0:
                    ends[kept, 0] = lo
                    ends[kept, 1] = hi
                    kept += 1
            u = 0.0 if kept > 0 else np.inf
            for _ in range(64):
                u = _leave(u, most, ends, kept)
                if not u < most:
                    break
                stop = np.inf
                for k in range(kept):
                    if ends[k, 1] > u:
                        stop = min(stop, ends[k, 0])
                if not np.isfinite(stop):
                    break
                if 0.0 < (stop - u) <= widest * scale and u > 0.0:
                    t = min((begin + 0.5 * (u + stop) / scale) / length, 1.0)
                    if count == found.shape[0]:
                        found = grown(found, count)
                    for q in range(3):
                        found[count, q] = a[lip, q] + t * (b[lip, q] - a[lip, q])
                    found[count, 3] = lip
                    count += 1
                u = stop + 2.0 * TOUCH
            begin = end
    return found[:count].copy()


@bare
def _leave(u, most, ends, count):
    """First U from `u` outward that none of the open stretches `ends` (count, 2) holds; inf beyond `most`."""
    moved = True
    while moved:
        moved = False
        for k in range(count):
            if ends[k, 0] < u < ends[k, 1]:
                u = ends[k, 1] + 1e-6
                moved = True
                if u > most:
                    return np.inf
    return u
