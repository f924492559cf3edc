"""Places: where one body may pass and stand within a surveyed window. Lengths are in mm."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from sandbox.ground.kernels.floors import bridge_candidates
from sandbox.ground.kernels.neighbours import link_places, mark_bends
from sandbox.ground.kernels.place import judge_places
from sandbox.ground.lips import Lips
from sandbox.ground.model import (
    Area,
    Body,
    Bytes,
    Floats,
    Ints,
    Numbers,
    Permit,
    Place,
    Places,
    Survey,
    Window,
)
from sandbox.ground.region import Region
from sandbox.ground.shared import (
    BRIDGED,
    LEVEL_TILT,
    NOT_FLOOR,
    OBSTACLE_TOP,
    RISER,
    Scene,
    Shared,
    judge_arguments,
    metric_of,
    step_limits,
)
from sandbox.ground.stacks import standing_low
from sandbox.ground.survey import areas_at
from sandbox.ground.survey_grid import column_point, grid_over, nearest_column
from sandbox.ground.voids import Voids
from sandbox.terrain.model import Terrain

SLICES = 8
WIGGLE = 0.75
"""A place may lie this share of the pitch off its column."""
HELD = -1
"""sample number of a bridged node with floor around it; -2: only beside a lip."""


def _bridges(
    found: Survey, kind: Bytes, scene: Scene, voids: Voids, numbers: Numbers, mask: np.ndarray
) -> tuple[Ints, Floats, Bytes]:
    """Bridged nodes: column and z of each, one per column and level, and whether floor lies around it; mask: (ny, nx)
    bool, columns wanted."""
    up, down, _ = step_limits(numbers)
    a, b, out = _lips_near(scene.lips, found, mask, voids.radius + found.pitch)
    column, z, held = bridge_candidates(
        a, b, out, found.sample_start, found.z, found.above, kind, found.x0, found.y0, found.pitch,
        found.nx, found.ny, voids.radius + found.pitch, up, down, voids.packed,
    )  # fmt: skip
    wanted = mask.ravel()[column]
    column, z, held = column[wanted], z[wanted], held[wanted]
    if not column.size:
        return column, z, held
    order = np.lexsort((-z, column))
    column, z, held = column[order], z[order], held[order]
    keep = np.ones(column.size, bool)
    last = 0
    for k in range(1, column.size):
        if column[k] == column[last] and z[last] - z[k] <= up:
            keep[k] = False
        else:
            last = k
    return column[keep], z[keep], held[keep]


def _lips_near(lips: Lips, found: Survey, mask: np.ndarray, reach: float) -> tuple[Floats, Floats, Floats]:
    """Ends and outward normals of the lips whose plan box, widened by `reach` mm, meets a wanted column; mask: (ny, nx) bool."""
    total = np.zeros((found.ny + 1, found.nx + 1), np.int64)
    np.cumsum(np.cumsum(mask, axis=0), axis=1, out=total[1:, 1:])
    low = np.minimum(lips.a[:, :2], lips.b[:, :2]) - reach - (found.x0, found.y0)
    high = np.maximum(lips.a[:, :2], lips.b[:, :2]) + reach - (found.x0, found.y0)
    i0, j0 = (
        np.clip(np.ceil(low[:, k] / found.pitch), 0, n).astype(int)
        for k, n in enumerate((found.nx, found.ny))
    )
    i1, j1 = (
        np.clip(np.floor(high[:, k] / found.pitch) + 1, 0, n).astype(int)
        for k, n in enumerate((found.nx, found.ny))
    )
    near = (total[j1, i1] - total[j0, i1] - total[j1, i0] + total[j0, i0] > 0) & (i1 > i0) & (j1 > j0)
    return tuple(np.ascontiguousarray(values[near]) for values in (lips.a, lips.b, lips.out))  # type: ignore[return-value]


def _judge_all(
    nodes: tuple[np.ndarray, ...], wiggle: float, arguments: tuple[object, ...]
) -> tuple[np.ndarray, ...]:
    """`judge_places` over slices of the nodes in threads (the kernel lets go of the interpreter).

    The number of slices is fixed, so that answers do not hang on the number of cores.
    """
    n = nodes[0].shape[0]
    borders = [n * k // SLICES for k in range(SLICES + 1)]

    def one(k: int) -> tuple[np.ndarray, ...]:
        part = tuple(column[borders[k] : borders[k + 1]] for column in nodes)
        judged: tuple[np.ndarray, ...] = judge_places(*part, wiggle, *arguments)
        return judged

    if n < 4 * SLICES:
        judged: tuple[np.ndarray, ...] = judge_places(*nodes, wiggle, *arguments)
        return judged
    with ThreadPoolExecutor(min(SLICES, os.cpu_count() or 1)) as pool:
        slices = list(pool.map(one, range(SLICES)))
    return tuple(np.concatenate(columns) for columns in zip(*slices, strict=True))


TILE_COLUMNS = 12
"""Places are judged in squares of so many columns a side, and kept; a square is judged when something may reach it."""
TILE_REACH = 2.0**0.5 * TILE_COLUMNS + 2.0
"""columns; a square that counts as meeting a region reaches at most so far beyond it, see `tiles_of`."""
_LOOKS = 5
"""points along each side of a square at which it is looked what lies there."""


@dataclass(frozen=True, eq=False)
class Tile:
    """The judged nodes of one square of columns for one body, whatever window they were asked for."""

    column: Ints
    """(n, 2) numbers of each node's column on the common grid."""
    z: Floats
    """(n,) height of the surface judged."""
    judged: tuple[np.ndarray, ...]
    """pos, lift, flags, touch, zone, limit, measured, rest, culprit, stand_limit, stand_measured, part, area, gradient,
    level, as in `Places`; level: what a place over an obstacle stands over."""

    def renumbered(self, part: Ints) -> Tile:
        """The same where parts have other numbers.

        part: int32 of shape (parts + 1,), the new number of each, and -1 as the last for none.
        """
        judged = list(self.judged)
        for k in _PARTS:
            judged[k] = part[judged[k]]
        return Tile(self.column, self.z, tuple(judged))


_PARTS = (4, 8, 11)
"""which of a tile's judged arrays tell parts: zone, culprit and part."""

TileKey = tuple[int, int]


def tiles_of(window: Window, pitch: float, region: Region | None = None) -> list[TileKey]:
    """Squares of columns of a window; region: what they must meet."""
    grid = grid_over(window, pitch)
    i0, j0 = grid.i0 // TILE_COLUMNS, grid.j0 // TILE_COLUMNS
    i1, j1 = (grid.i0 + grid.nx - 1) // TILE_COLUMNS, (grid.j0 + grid.ny - 1) // TILE_COLUMNS
    found = [(i, j) for j in range(j0, j1 + 1) for i in range(i0, i1 + 1)]
    if region is None:
        return found
    looks, slack = looks_over(found, pitch)
    meets = np.any(region.holds(looks, slack).reshape(len(found), -1), axis=1)
    return [key for key, near in zip(found, meets, strict=True) if near]


def looks_over(keys: Sequence[TileKey], pitch: float) -> tuple[Floats, float]:
    """Points spread over squares of columns, (k, 2) mm, square by square, and how far (mm) a point of a
    square may be from the nearest of them."""
    steps = np.linspace(0.0, TILE_COLUMNS, _LOOKS)
    first = np.array(keys, np.float64).reshape(-1, 2) * TILE_COLUMNS
    i, j = (first[:, k, None, None] + np.expand_dims(steps, 1 - k) for k in range(2))
    x, y = (each.ravel() for each in np.broadcast_arrays(*column_point(i, j, pitch)))
    return np.column_stack([x, y]), float(np.sqrt(0.5) * (steps[1] - steps[0]) * pitch)


def judge_tiles(
    terrain: Terrain,
    found: Survey,
    scene: Scene,
    permits: Sequence[Permit],
    body: Body,
    numbers: Numbers,
    shared: Shared,
    wanted: Sequence[TileKey],
    areas: Sequence[Area] = (),
) -> dict[TileKey, Tile]:
    """Judge every surface of a survey in some squares of columns for one body.

    scene: what `prepare` made for the same window; shared: what `share_for` made for the body there. permits: one per
    terrain part. areas: as the survey had them.
    """
    part, permit, top = shared.part, shared.permit, shared.tops
    i0, j0 = nearest_column(found.x0, found.y0, found.pitch)
    mask = np.zeros(found.nx * found.ny, bool).reshape(found.ny, found.nx)
    for i, j in wanted:
        low_i, low_j = i * TILE_COLUMNS - i0, j * TILE_COLUMNS - j0
        mask[max(low_j, 0) : max(low_j + TILE_COLUMNS, 0), max(low_i, 0) : max(low_i + TILE_COLUMNS, 0)] = (
            True
        )
    here = mask.ravel()
    bridges = _bridges(found, shared.kept, scene, shared.pass_voids, numbers, mask)
    nodes = _merge_nodes(found, shared.column, shared.kind, shared.crossed, bridges, here)
    sample = nodes.sample
    real = sample >= 0
    safe = np.maximum(sample, 0)
    n = sample.shape[0]
    node_part = np.full(n, -1, np.int32)
    node_area = np.full(n, -1, np.int32)
    gradient = np.zeros((n, 2), np.float32)
    # a joint or a grating is stood on where no disc of a quarter of the base fits into it
    stands = ((nodes.kind == BRIDGED) & (nodes.sample == HELD)).astype(np.uint8)
    node_top = np.zeros(n)
    node_above = np.full(n, np.inf)
    if found.z.size:
        node_part[real] = part[safe[real]]
        node_area[real] = found.area[safe[real]]
        normal = found.normal[safe]
        slope = -normal[:, :2] / np.maximum(normal[:, 2:3], 1e-6)
        tilted = (
            real
            & (np.hypot(slope[:, 0], slope[:, 1]) > LEVEL_TILT)
            & (nodes.kind != NOT_FLOOR)
            & (nodes.kind != RISER)
        )
        gradient[tilted] = slope[tilted]
        stands[real] = (permit[node_part[real]] & Permit.STAND) != 0
        stands[nodes.kind == RISER] = 0
        node_above[real] = found.above[safe[real]]
        node_top[real] = top[node_part[real]]
    own_i, own_j = nodes.column % found.nx, nodes.column // found.nx
    node_xy = np.stack([found.x0 + own_i * found.pitch, found.y0 + own_j * found.pitch], axis=1)
    # over gaps, joints and just beyond the board no sample knows the area
    lost = ~real
    node_area[lost] = areas_at(areas, node_xy[lost, 0], node_xy[lost, 1], nodes.z[lost])
    judged = _judge_all(
        (node_xy, nodes.z, node_above, nodes.kind, gradient, node_top, node_part, stands),
        WIGGLE * found.pitch,
        judge_arguments(shared, scene, body, numbers),
    )
    low = standing_low(terrain, (permit & Permit.CROSS) != 0)
    on_top = nodes.kind == OBSTACLE_TOP
    level = judged[0][:, 2].copy()
    level[on_top] = low[node_part[on_top]]
    arrays = (*judged, node_part, node_area, gradient, level)
    column = np.stack([own_i + i0, own_j + j0], axis=1).astype(np.int32)
    tile = column // TILE_COLUMNS
    order = np.lexsort((nodes.z, column[:, 0], column[:, 1], tile[:, 0], tile[:, 1]))
    tile = tile[order]
    ends = np.flatnonzero(np.any(tile[1:] != tile[:-1], axis=1)) + 1 if n else np.zeros(0, np.int64)
    tiles = {key: _EMPTY for key in wanted}
    for rows in np.split(order, ends) if n else []:
        key = (int(column[rows[0], 0] // TILE_COLUMNS), int(column[rows[0], 1] // TILE_COLUMNS))
        tiles[key] = Tile(column[rows], nodes.z[rows], tuple(a[rows] for a in arrays))
    return tiles


def join_tiles(found: Survey, body: Body, numbers: Numbers, tiles: Sequence[Tile]) -> Places:
    """The places of a window from its judged squares, linked to their neighbours."""
    up, down, _ = step_limits(numbers)
    i0, j0 = nearest_column(found.x0, found.y0, found.pitch)
    tiles = [t for t in tiles if t is not _EMPTY] or [_EMPTY]
    columns = np.concatenate([t.column for t in tiles])
    z = np.concatenate([t.z for t in tiles])
    own_i, own_j = columns[:, 0] - i0, columns[:, 1] - j0
    inside = (own_i >= 0) & (own_j >= 0) & (own_i < found.nx) & (own_j < found.ny)
    cell = (own_j * found.nx + own_i).astype(np.int32)
    order = np.lexsort((z, cell))
    order = order[inside[order]]
    cell = cell[order]
    (
        pos, lift, flags, touch, zone, limit, measured, rest, culprit, stand_limit, stand_measured, part, area,
        gradient, level,
    ) = (np.concatenate(a)[order] for a in zip(*(t.judged for t in tiles), strict=True))  # fmt: skip
    # the same to the last digit whichever window they were judged in, so that ties are broken the same way
    pos = np.round(pos, 6)
    start = np.zeros(found.nx * found.ny + 1, np.int32)
    np.cumsum(np.bincount(cell, minlength=found.nx * found.ny), out=start[1:])
    flags = flags & ~np.uint8(Place.BEND)
    neighbour = link_places(
        start,
        cell,
        pos,
        flags,
        level,
        gradient,
        touch,
        found.nx,
        found.ny,
        body.half_short_mm,
        metric_of(body),
        up,
        down,
    )
    mark_bends(start, cell, pos, flags, touch, neighbour, found.nx, found.ny)
    return Places(
        body=body,
        x0=found.x0,
        y0=found.y0,
        pitch=found.pitch,
        nx=found.nx,
        ny=found.ny,
        start=start,
        cell=cell,
        pos=pos,
        lift=lift,
        flags=flags,
        part=part,
        area=area,
        gradient=gradient,
        neighbour=neighbour,
        touch=touch,
        zone=zone,
        limit=limit,
        measured=measured,
        rest=rest,
        culprit=culprit,
        stand_limit=stand_limit,
        stand_measured=stand_measured,
    )


_EMPTY = Tile(
    np.zeros((0, 2), np.int32),
    np.zeros(0),
    (
        np.zeros((0, 3)),
        np.zeros(0),
        np.zeros(0, np.uint8),
        np.zeros((0, 3, 2)),
        np.zeros(0, np.int32),
        np.zeros(0, np.uint8),
        np.zeros(0),
        np.zeros((0, 3)),
        np.zeros(0, np.int32),
        np.zeros(0, np.uint8),
        np.zeros(0),
        np.zeros(0, np.int32),
        np.zeros(0, np.int32),
        np.zeros((0, 2), np.float32),
        np.zeros(0),
    ),
)


@dataclass(frozen=True, eq=False)
class _Nodes:
    """Samples and bridged places together, sorted by column and height."""

    column: Ints
    z: Floats
    kind: Bytes
    sample: Ints


def _merge_nodes(
    found: Survey,
    column: Ints,
    kind: Bytes,
    crossed: np.ndarray,
    bridges: tuple[Ints, Floats, Bytes],
    here: np.ndarray,
) -> _Nodes:
    """here: (columns,) bool, the columns wanted."""
    chosen = np.flatnonzero(here[column]).astype(np.int32)
    kinds = kind[chosen]
    kinds[crossed[chosen]] = OBSTACLE_TOP
    bridge_column, bridge_z, held = bridges
    all_column = np.concatenate([column[chosen], bridge_column]).astype(np.int32)
    all_z = np.concatenate([found.z[chosen], bridge_z])
    all_kind = np.concatenate([kinds, np.full(bridge_z.size, BRIDGED, np.uint8)])
    sample = np.concatenate([chosen, np.where(held != 0, HELD, -2).astype(np.int32)])
    if bridge_z.size:
        order = np.lexsort((all_z, all_column))
        all_column, all_z, all_kind, sample = all_column[order], all_z[order], all_kind[order], sample[order]
    return _Nodes(all_column, all_z, all_kind, sample)
