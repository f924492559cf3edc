"""Places: where one body may pass and stand within a surveyed window."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from sandbox.ground.faces import BIN_MM, Faces, bin_boxes, index_faces
from sandbox.ground.floors import FaceFloors
from sandbox.ground.kernels.bodies import joined_floor
from sandbox.ground.kernels.floors import bridge_candidates, mark_risers, mark_thin, thin_samples
from sandbox.ground.kernels.place import flat_levels, judge_places, link_places, mark_bends
from sandbox.ground.kernels.voids import find_voids, void_distance
from sandbox.ground.lips import Lips
from sandbox.ground.model import (
    Body,
    Bytes,
    Floats,
    Ints,
    Limit,
    Numbers,
    Permit,
    Place,
    Places,
    Survey,
    Window,
)
from sandbox.ground.region import Region
from sandbox.ground.survey import FaceBoxes, column_of_samples
from sandbox.ground.survey_grid import first_column, grid_over
from sandbox.terrain.model import Terrain

VOID_SPACING_MM = 1.6
"""Void discs stand this close along a lip; between two the border of the closed floor is 0.02 mm out."""
SLICES = 8
WIGGLE = 0.75
"""A place may lie this share of the pitch off its column."""
_LEVEL_TILT = 0.0349  # tan 2 degrees: less is level ground

NOT_FLOOR, FLOOR, THIN, BRIDGED, OBSTACLE_TOP, RISER = 0, 1, 2, 3, 4, 5
HELD = -1
"""sample number of a bridged node with floor around it; -2: only beside a lip."""

Bins = tuple[Ints, Ints, float, float, float, int, int]


@dataclass(frozen=True, eq=False)
class Voids:
    """Void discs of one radius, in plan bins (see kernels/voids)."""

    discs: Floats
    """(n, 6): centre x, y, level z, contact x, y, height of the floor below; mm."""
    radius: float
    bins: Bins

    @property
    def packed(self) -> tuple[Floats, Ints, Ints, float, float, float, int, int, float]:
        """What kernels take."""
        return (self.discs, *self.bins, self.radius)


@dataclass(frozen=True, eq=False)
class Scene:
    """What all bodies share in a window: faces and lips in bins."""

    window: Window
    faces: Faces
    lips: Lips
    lip_bins: Bins


def in_closed_floor(voids: Voids, at: tuple[float, float, float], numbers: Numbers) -> bool:
    """Whether no void disc covers a point at floor of that level."""
    up, down, _ = step_limits(numbers)
    d, _ = void_distance(*at, voids.discs, *voids.bins, voids.radius, 1.0, up, down)
    return bool(d >= -1e-6)


def metric_of(body: Body) -> tuple[float, float, float, float]:
    """Affine plan map that turns the base into a circle of its shorter half axis, row by row."""
    if body.is_round:
        return (1.0, 0.0, 0.0, 1.0)
    angle = np.radians(body.facing)
    c, s = float(np.cos(angle)), float(np.sin(angle))
    k = body.half_short_mm / body.half_long_mm
    return (k * c * c + s * s, (k - 1.0) * c * s, (k - 1.0) * c * s, k * s * s + c * c)


def prepare(
    terrain: Terrain,
    lips: Lips,
    permits: Sequence[Permit],
    floors: FaceFloors,
    boxes: FaceBoxes,
    window: Window,
) -> Scene:
    """Sort faces and lips of a window into bins; the window should hold all centres to be judged."""
    margin = 60.0
    faces = index_faces(terrain, window, permits, floors, boxes, margin)
    ends = np.stack([lips.a[:, :2], lips.b[:, :2]])
    start, item = bin_boxes(
        np.ascontiguousarray(ends.min(axis=0)),
        np.ascontiguousarray(ends.max(axis=0)),
        faces.x0,
        faces.y0,
        BIN_MM,
        faces.nx,
        faces.ny,
    )
    return Scene(window, faces, lips, (start, item, faces.x0, faces.y0, BIN_MM, faces.nx, faces.ny))


def voids_of(scene: Scene, radius: float, numbers: Numbers) -> Voids:
    """Void discs of a radius (mm) at the lips of a scene."""
    lips = scene.lips
    discs = find_voids(
        lips.a,
        lips.b,
        lips.out,
        lips.drop,
        scene.lip_bins,
        (scene.faces.corners, scene.faces.flags),
        scene.faces.bins,
        radius,
        min(VOID_SPACING_MM, radius / 4.0),
        # a hair more than what places ask with, so that no disc lies over floor that counts as its level
        numbers.free_step_up_mm + 0.1,
        numbers.free_step_down_mm + 0.1,
    )
    faces = scene.faces
    box = np.ascontiguousarray(discs[:, :2])
    start, item = bin_boxes(box, box, faces.x0, faces.y0, BIN_MM, faces.nx, faces.ny)
    return Voids(discs, radius, (start, item, faces.x0, faces.y0, BIN_MM, faces.nx, faces.ny))


def step_limits(numbers: Numbers) -> tuple[float, float, float]:
    """What kernels take: step up, step down (with half a snap in the mover's favour) and tan of walk_slope."""
    return (
        numbers.free_step_up_mm + 0.025,
        numbers.free_step_down_mm + 0.025,
        float(np.tan(np.radians(numbers.walk_slope))),
    )


def void_radii(body: Body, numbers: Numbers) -> tuple[float, float]:
    """Radii of the closing discs, mm: for passing (half the span) and for what counts as floor (an eighth of the
    base's shorter diameter: a disc of a quarter of the base)."""
    base = 2.0 * body.half_short_mm
    span = base if numbers.span_mm is None else numbers.span_mm
    return max(span, base / 4.0) / 2.0 + 0.0125, base / 8.0 + 0.0125


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


@dataclass(frozen=True, eq=False)
class Shared:
    """What one body needs of a window, whether all places or a single point are judged."""

    column: Ints
    part: Ints
    permit: Ints
    kind: Bytes
    """(samples,) NOT_FLOOR, FLOOR, THIN or RISER."""
    kept: Bytes
    """`kind` without obstacles and barred parts: what may join the floor under a centre."""
    crossed: np.ndarray
    tops: Floats
    """(parts,) highest z of each terrain part."""
    flags: Bytes
    """(faces,) face flags with thin tops marked."""
    pass_voids: Voids
    floor_voids: Voids
    metric: tuple[float, float, float, float]
    steps: tuple[float, float, float]
    columns: tuple[Ints, Floats, float, float, float, int, int, Bytes]
    levels: tuple[Floats, np.ndarray, tuple[int, ...], float, float, float]


def share_for(
    terrain: Terrain, found: Survey, scene: Scene, permits: Sequence[Permit], body: Body, numbers: Numbers
) -> Shared:
    """Void discs, floor marks and levels for one body in a window."""
    pass_radius, floor_radius = void_radii(body, numbers)
    pass_voids = voids_of(scene, pass_radius, numbers)
    floor_voids = voids_of(scene, floor_radius, numbers)
    steps = step_limits(numbers)
    column = column_of_samples(found)
    part = terrain.face_part[found.face] if found.face.size else np.zeros(0, np.int32)
    permit = np.array([int(p) for p in permits] or [0], np.int32)
    kind = np.where(found.floor != 0, FLOOR, NOT_FLOOR).astype(np.uint8)
    thin_samples(
        column,
        found.z,
        kind,
        found.x0,
        found.y0,
        found.pitch,
        found.nx,
        floor_voids.packed,
        steps[0],
        steps[1],
    )
    walk = ((permit[part] & Permit.WALK) != 0).astype(np.uint8) if part.size else np.zeros(0, np.uint8)
    mark_risers(
        found.sample_start, found.z, kind, walk, found.normal, found.pitch, found.nx, found.ny, steps[0]
    )
    crossed = (permit[part] & Permit.CROSS) != 0 if part.size else np.zeros(0, bool)
    barred = (permit[part] & Permit.BARRED) != 0 if part.size else np.zeros(0, bool)
    kind[barred] = NOT_FLOOR
    kept = kind.copy()
    kept[crossed] = NOT_FLOOR
    columns = (found.sample_start, found.z, found.x0, found.y0, found.pitch, found.nx, found.ny, kept)
    return Shared(
        column=column,
        part=part,
        permit=permit,
        kind=kind,
        kept=kept,
        crossed=crossed,
        tops=np.array([p.high_mm for p in terrain.parts] or [0.0]),
        flags=mark_thin(scene.faces.arrays, floor_voids.packed, steps[0], steps[1]),
        pass_voids=pass_voids,
        floor_voids=floor_voids,
        metric=metric_of(body),
        steps=steps,
        columns=columns,
        levels=(*flat_levels(columns), found.x0, found.y0, found.pitch),
    )


def judge_arguments(shared: Shared, scene: Scene, body: Body, numbers: Numbers) -> tuple[object, ...]:
    """The arguments of `judge_places` behind the nodes."""
    has_barred = bool(((scene.faces.flags & 4) != 0).any())
    return (
        (body.half_short_mm, body.height_mm, body.half_long_mm),
        (body.half_short_mm / 2.0, numbers.uneven_mm, float(np.tan(np.radians(numbers.stand_slope)) + 1e-6)),
        (*scene.faces.arrays[:4], shared.flags, scene.faces.part, shared.tops),
        scene.faces.bins,
        shared.columns,
        shared.levels,
        shared.metric,
        shared.steps,
        shared.pass_voids.packed,
        shared.floor_voids.packed,
        has_barred,
        numbers.hang,
    )


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


TILE_COLUMNS = 24
"""Places are judged in squares of so many columns a side, and kept; a square is judged when something may reach it."""


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


TileKey = tuple[int, int]


def tiles_of(window: Window, pitch: float, region: Region | None = None) -> list[TileKey]:
    """Squares of columns of a window; region: what they must meet."""
    grid = grid_over(window, pitch)
    i0, j0 = grid.i0 // TILE_COLUMNS, grid.j0 // TILE_COLUMNS
    i1, j1 = (grid.i0 + grid.nx - 1) // TILE_COLUMNS, (grid.j0 + grid.ny - 1) // TILE_COLUMNS
    found = [(i, j) for j in range(j0, j1 + 1) for i in range(i0, i1 + 1)]
    if region is None:
        return found
    size = TILE_COLUMNS * pitch
    middle = (np.array(found, np.float64) + 0.5) * size
    middle += (grid.x0 - grid.i0 * pitch, grid.y0 - grid.j0 * pitch)
    meets = region.holds(middle, size * np.sqrt(0.5))
    return [key for key, near in zip(found, meets, strict=True) if near]


def judge_tiles(
    terrain: Terrain,
    found: Survey,
    scene: Scene,
    permits: Sequence[Permit],
    body: Body,
    numbers: Numbers,
    shared: Shared,
    wanted: Sequence[TileKey],
) -> dict[TileKey, Tile]:
    """Judge every surface of a survey in some squares of columns for one body.

    scene: what `prepare` made for the same window; shared: what `share_for` made for the body there. permits: one per
    terrain part.
    """
    part, permit, top = shared.part, shared.permit, shared.tops
    i0, j0 = first_column(found.x0, found.y0, found.pitch)
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
            & (np.hypot(slope[:, 0], slope[:, 1]) > _LEVEL_TILT)
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
    judged = _judge_all(
        (node_xy, nodes.z, node_above, nodes.kind, gradient, node_top, node_part, stands),
        WIGGLE * found.pitch,
        judge_arguments(shared, scene, body, numbers),
    )
    low = np.array([p.low_mm for p in terrain.parts] or [0.0])
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
    i0, j0 = first_column(found.x0, found.y0, found.pitch)
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


@dataclass(frozen=True)
class Spot:
    """What was found at one exact point; lengths in mm."""

    flags: Place
    limit: Limit
    measured: float
    culprit: int
    stand_limit: Limit
    stand_measured: float
    zone: int
    part: int
    support: float
    where: tuple[float, float, float] | None


def judge_spot(
    terrain: Terrain,
    found: Survey,
    scene: Scene,
    permits: Sequence[Permit],
    body: Body,
    numbers: Numbers,
    at: tuple[float, float, float],
    face: int,
    above: float,
    shared: Shared,
    floors: FaceFloors,
) -> Spot:
    """Judge one exact centre on a terrain face (-1: over a joint in floor of that level), by the same kernel as all
    places."""
    if face < 0:
        return _judge_at(
            scene, body, numbers, shared, at, BRIDGED, np.zeros((1, 2), np.float32), -1, True, above
        )
    part = int(terrain.face_part[face])
    permit = Permit(permits[part])
    normal = floors.normal[face].astype(np.float64)
    kind = FLOOR if floors.walk[face] else NOT_FLOOR
    if permit & Permit.BARRED:
        kind = NOT_FLOOR
    if permit & Permit.CROSS:
        kind = OBSTACLE_TOP
    slope = -normal[:2] / max(float(normal[2]), 1e-6)
    gradient = np.zeros((1, 2), np.float32)
    if kind == FLOOR and float(np.hypot(*slope)) > _LEVEL_TILT:
        gradient[0] = slope
    return _judge_at(
        scene, body, numbers, shared, at, kind, gradient, part, bool(permit & Permit.STAND), above
    )


def _judge_at(
    scene: Scene,
    body: Body,
    numbers: Numbers,
    shared: Shared,
    at: tuple[float, float, float],
    kind: int,
    gradient: np.ndarray,
    part: int,
    stands: bool,
    above: float,
) -> Spot:
    _, _, flags, touch, zone, limit, measured, _, culprit, stand_limit, stand_measured = judge_places(
        np.array([[at[0], at[1]]]), np.array([at[2]]), np.array([above]), np.array([kind], np.uint8), gradient,
        np.array([shared.tops[part] if part >= 0 else at[2]]), np.array([part], np.int32),
        np.array([stands], np.uint8), 0.0,
        *judge_arguments(shared, scene, body, numbers),
    )  # fmt: skip
    heights = np.empty((40000, 3))
    reach = body.half_short_mm
    _, rows, bare = joined_floor(
        at[0], at[1], at[2], reach, shared.columns, shared.metric, shared.steps, heights
    )
    where = None if np.isnan(touch[0, 0, 0]) else (float(touch[0, 0, 0]), float(touch[0, 0, 1]), at[2])
    return Spot(
        flags=Place(int(flags[0])),
        limit=Limit(int(limit[0])),
        measured=float(measured[0]),
        culprit=int(culprit[0]),
        stand_limit=Limit(int(stand_limit[0])),
        stand_measured=float(stand_measured[0]),
        zone=int(zone[0]),
        part=part,
        support=rows / max(rows + bare, 1),
        where=where,
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
