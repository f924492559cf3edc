"""Kernels that keep triangles in plan cells, and ask any vertical line which open spaces it runs through.

The cells serve two questions: all triangles that may meet a plan rectangle, and the column over any point, whatever
grid the survey has.
"""

from __future__ import annotations

import numpy as np

from sandbox.compiling import bare, bare_kernel, kernel, pasted
from sandbox.ground.kernels.columns import covers, height_at

UP = 1
WALKABLE = 2
CLOSED = 4
MOST_CROSSINGS = 512
"""Crossings of one column that are kept; more would need 512 surfaces above one another."""
LEAST_ROOM = 0.05
"""Open space lower than this between two solids is a joint, mm."""


@bare
def _separated(corners, f, x0, y0, x1, y1):
    """Whether an edge of the plan triangle has the whole rectangle on its outer side."""
    ax, ay = corners[f, 0, 0], corners[f, 0, 1]
    bx, by = corners[f, 1, 0], corners[f, 1, 1]
    cx, cy = corners[f, 2, 0], corners[f, 2, 1]
    area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    turn = 1.0 if area >= 0.0 else -1.0
    for e in range(3):
        if e == 0:
            px, py, qx, qy = ax, ay, bx, by
        elif e == 1:
            px, py, qx, qy = bx, by, cx, cy
        else:
            px, py, qx, qy = cx, cy, ax, ay
        nx = turn * (py - qy)
        ny = turn * (qx - px)
        # the corner of the rectangle farthest to the inner side
        kx = x1 if nx > 0.0 else x0
        ky = y1 if ny > 0.0 else y0
        if nx * (kx - px) + ny * (ky - py) < -1e-9 * (abs(nx) + abs(ny)):
            return True
    return False


@kernel
def fill_bins(corners, x0, y0, size, nx, ny):
    """Triangles of each plan cell.

    corners: (m, 3, 3) float64 mm. Returns start (nx * ny + 1,) int32 and items (k,) int32, the faces whose plan
    triangle meets the cell.
    """
    m = corners.shape[0]
    count = np.zeros(nx * ny + 1, np.int32)
    items = np.empty(0, np.int32)
    start = np.zeros(nx * ny + 1, np.int32)
    for fill in range(2):
        if fill == 1:
            total = 0
            for c in range(nx * ny):
                start[c] = total
                total += count[c]
            start[nx * ny] = total
            items = np.empty(total, np.int32)
            for c in range(nx * ny):
                count[c] = start[c]
        for f in range(m):
            lx = min(corners[f, 0, 0], corners[f, 1, 0], corners[f, 2, 0])
            hx = max(corners[f, 0, 0], corners[f, 1, 0], corners[f, 2, 0])
            ly = min(corners[f, 0, 1], corners[f, 1, 1], corners[f, 2, 1])
            hy = max(corners[f, 0, 1], corners[f, 1, 1], corners[f, 2, 1])
            i0 = max(int(np.floor((lx - x0) / size)), 0)
            i1 = min(int(np.floor((hx - x0) / size)), nx - 1)
            j0 = max(int(np.floor((ly - y0) / size)), 0)
            j1 = min(int(np.floor((hy - y0) / size)), ny - 1)
            narrow = i0 == i1 or j0 == j1
            for j in range(j0, j1 + 1):
                for i in range(i0, i1 + 1):
                    if not narrow and _separated(
                        corners, f, x0 + i * size, y0 + j * size, x0 + (i + 1) * size, y0 + (j + 1) * size
                    ):
                        continue
                    c = j * nx + i
                    if fill == 1:
                        items[count[c]] = f
                    count[c] += 1
    return start, items


@kernel
def face_marks(vertices, faces, face_shell, shell_closed, face_walk, steepest):
    """What each face is to a foot: bits UP (faces up, tilt walkable), WALKABLE (UP and its part may be walked on,
    and not inside a cavity), CLOSED (its shell is solid). Also the unit normals' z (sheets: turned up).

    steepest: least z of a walkable face's unit normal. Returns marks (m,) uint8.
    """
    m = faces.shape[0]
    volume = np.zeros(shell_closed.shape[0], np.float64)
    marks = np.zeros(m, np.uint8)
    for f in range(m):
        a, b, c = faces[f, 0], faces[f, 1], faces[f, 2]
        o = faces[0, 0]
        ux = vertices[b, 0] - vertices[a, 0]
        uy = vertices[b, 1] - vertices[a, 1]
        uz = vertices[b, 2] - vertices[a, 2]
        vx = vertices[c, 0] - vertices[a, 0]
        vy = vertices[c, 1] - vertices[a, 1]
        vz = vertices[c, 2] - vertices[a, 2]
        nx = uy * vz - uz * vy
        ny = uz * vx - ux * vz
        nz = ux * vy - uy * vx
        volume[face_shell[f]] += (
            nx * (vertices[a, 0] - vertices[o, 0])
            + ny * (vertices[a, 1] - vertices[o, 1])
            + nz * (vertices[a, 2] - vertices[o, 2])
        )
        length = np.sqrt(nx * nx + ny * ny + nz * nz)
        if shell_closed[face_shell[f]]:
            marks[f] |= CLOSED
        elif nz < 0.0:
            nz = -nz
        if length > 1e-12 and nz >= steepest * length:
            marks[f] |= UP
    for f in range(m):
        if marks[f] & UP and face_walk[f] and not (marks[f] & CLOSED and volume[face_shell[f]] < 0.0):
            marks[f] |= WALKABLE
    return marks


@kernel
def face_boxes(corners):
    """Boxes of triangles, (m, 6) float32: x0, y0, x1, y1, z0, z1, rounded outward."""
    m = corners.shape[0]
    box = np.empty((m, 6), np.float32)
    for f in range(m):
        for e in range(3):
            low = min(corners[f, 0, e], corners[f, 1, e], corners[f, 2, e])
            high = max(corners[f, 0, e], corners[f, 1, e], corners[f, 2, e])
            at = e if e < 2 else 4
            more = 1 if e == 2 else 2
            box[f, at] = np.float32(low - 1e-6 * abs(low) - 1e-6)
            box[f, at + more] = np.float32(high + 1e-6 * abs(high) + 1e-6)
    return box


@pasted
def _plumb(px, py, f, corners):
    """Which way a plumb line over a plan point crosses face f (0: it does not), and at what height."""
    s = covers(
        corners[f, 0, 0],
        corners[f, 0, 1],
        corners[f, 1, 0],
        corners[f, 1, 1],
        corners[f, 2, 0],
        corners[f, 2, 1],
        px,
        py,
    )
    if s == 0:
        return 0, 0.0
    det = (corners[f, 1, 0] - corners[f, 0, 0]) * (corners[f, 2, 1] - corners[f, 0, 1]) - (
        corners[f, 1, 1] - corners[f, 0, 1]
    ) * (corners[f, 2, 0] - corners[f, 0, 0])
    if abs(det) < 1e-12:
        return 0, 0.0
    h = height_at(
        corners[f, 0, 0],
        corners[f, 0, 1],
        corners[f, 0, 2],
        corners[f, 1, 0],
        corners[f, 1, 1],
        corners[f, 1, 2],
        corners[f, 2, 0],
        corners[f, 2, 1],
        corners[f, 2, 2],
        px,
        py,
    )
    return s, h


@pasted
def _open_spaces(n, z, face, top):
    """Turn n sorted crossings, `top` holding their turns, into open spaces; returns how many there are."""
    # counted down from open sky, so that what lies below `low` may be left out
    depth = 0
    for k in range(n):
        depth += int(top[k])
    out = 0
    floor_z = -np.inf
    floor_f = -1
    for k in range(n):
        h = z[k]
        f = face[k]
        turn = top[k]
        if turn <= 0.0 and depth == 0 and h - floor_z > LEAST_ROOM:
            z[out] = floor_z
            face[out] = floor_f
            top[out] = h
            out += 1
        if turn < 0.0:
            depth += 1
        elif turn > 0.0:
            depth -= 1
            if depth <= 0:
                depth = 0
                floor_z = h
                floor_f = f
        elif depth == 0:
            floor_z = h
            floor_f = f
    if depth == 0:
        z[out] = floor_z
        face[out] = floor_f
        top[out] = np.inf
        out += 1
    return out


@bare_kernel
def column(px, py, low, bins, buffers):
    """Open spaces of the vertical line over a plan point, upwards.

    low: floors below this do not matter and need not be told (their space then begins at -inf). bins: (grid, start,
    items, corners, box, marks), grid (5,) float64 x0, y0, cell size, nx, ny. buffers: (z, face, top) for the answer,
    (MOST_CROSSINGS + 2,): the floor of each open space (-inf and face -1 below everything), and where it ends above (inf
    under open sky). Returns their number.
    """
    grid, start, items, corners, box, marks = bins
    z, face, top = buffers
    nx = int(grid[3])
    ny = int(grid[4])
    i = int(np.floor((px - grid[0]) / grid[2]))
    j = int(np.floor((py - grid[1]) / grid[2]))
    z[0] = -np.inf
    face[0] = -1
    top[0] = np.inf
    if i < 0 or j < 0 or i >= nx or j >= ny:
        return 1
    n = 0
    c = j * nx + i
    for k in range(start[c], start[c + 1]):
        f = items[k]
        if px < box[f, 0] or px > box[f, 2] or py < box[f, 1] or py > box[f, 3] or box[f, 5] < low:
            continue
        s, h = _plumb(px, py, f, corners)
        if s == 0 or n == MOST_CROSSINGS:
            continue
        # `top` holds the turn while sorting: +1 leaves a solid upwards, -1 enters one, 0 a sheet
        turn = float(s) if marks[f] & CLOSED else 0.0
        b = n - 1
        while b >= 0 and (z[b] > h or (z[b] == h and top[b] > turn)):
            z[b + 1] = z[b]
            face[b + 1] = face[b]
            top[b + 1] = top[b]
            b -= 1
        z[b + 1] = h
        face[b + 1] = f
        top[b + 1] = turn
        n += 1
    return _open_spaces(n, z, face, top)


@kernel
def make_buffers():
    """Room for the answer of `column`."""
    return (
        np.empty(MOST_CROSSINGS + 2, np.float64),
        np.empty(MOST_CROSSINGS + 2, np.int32),
        np.empty(MOST_CROSSINGS + 2, np.float64),
    )


@bare
def space_at(height, n, z, top):
    """Index of the open space that holds a height, -1 where that height is in a solid."""
    for k in range(n):
        if z[k] <= height < top[k]:
            return k
    return -1
