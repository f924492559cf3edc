"""What all places of one body share in a window: faces and lips in bins, void discs, floor marks and levels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sandbox.ground.faces import BIN_MM, BinArrays, Faces, bin_boxes, index_faces
from sandbox.ground.floors import FaceFloors
from sandbox.ground.kernels.evenness import flat_levels
from sandbox.ground.kernels.floors import mark_risers, mark_thin, thin_samples
from sandbox.ground.kernels.voids import void_distance
from sandbox.ground.lips import Lips
from sandbox.ground.model import (
    Body,
    Bytes,
    Floats,
    Ints,
    Numbers,
    Permit,
    Survey,
    Window,
)
from sandbox.ground.survey import FaceBoxes, column_of_samples
from sandbox.ground.voids import Voids
from sandbox.terrain.model import Terrain

NOT_FLOOR, FLOOR, THIN, BRIDGED, OBSTACLE_TOP, RISER = 0, 1, 2, 3, 4, 5

LEVEL_TILT = 0.0349  # tan 2 degrees: less is level ground


@dataclass(frozen=True, eq=False)
class Scene:
    """What all bodies share in a window: faces and lips in bins."""

    window: Window
    faces: Faces
    lips: Lips
    lip_bins: BinArrays


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
    faces = index_faces(terrain, window, permits, floors, boxes)
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
    treads: Floats
    """(faces,) floor that risers lead up to, found while places are judged (see kernels/bodies); nan: not yet asked."""
    pass_voids: Voids
    floor_voids: Voids
    metric: tuple[float, float, float, float]
    steps: tuple[float, float, float]
    columns: tuple[Ints, Floats, float, float, float, int, int, Bytes]
    levels: tuple[Floats, np.ndarray, tuple[int, ...], float, float, float]


def share_for(
    terrain: Terrain,
    found: Survey,
    scene: Scene,
    permits: Sequence[Permit],
    body: Body,
    numbers: Numbers,
    voids: tuple[Voids, Voids],
) -> Shared:
    """Floor marks and levels for one body in a window; voids: of the radii that `void_radii` tells for the body."""
    pass_voids, floor_voids = voids
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
        treads=np.full(len(scene.faces.flags), np.nan),
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
        scene.faces.floor_bins,
        shared.treads,
        shared.columns,
        shared.levels,
        shared.metric,
        shared.steps,
        shared.pass_voids.packed,
        shared.floor_voids.packed,
        has_barred,
        numbers.hang,
    )
