"""One exact point: may a body be there, judged by the same kernel as all places. Lengths are in mm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sandbox.ground.floors import FaceFloors
from sandbox.ground.kernels.bodies import joined_floor
from sandbox.ground.kernels.place import judge_places
from sandbox.ground.model import (
    Body,
    Limit,
    Numbers,
    Permit,
    Place,
    Survey,
)
from sandbox.ground.shared import (
    BRIDGED,
    FLOOR,
    LEVEL_TILT,
    NOT_FLOOR,
    OBSTACLE_TOP,
    Scene,
    Shared,
    judge_arguments,
)
from sandbox.terrain.model import Terrain


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
    tilt = float(np.degrees(np.arccos(np.clip(normal[2], -1.0, 1.0))))
    slope = -normal[:2] / max(float(normal[2]), 1e-6)
    gradient = np.zeros((1, 2), np.float32)
    if kind == FLOOR and float(np.hypot(*slope)) > LEVEL_TILT:
        gradient[0] = slope
    judged = _judge_at(
        scene, body, numbers, shared, at, kind, gradient, part, bool(permit & Permit.STAND), above
    )
    if judged.limit is Limit.SLOPE and tilt <= numbers.walk_slope:
        # flat enough, but no floor: what this board's walls carry, or what nobody may walk on
        judged = replace(
            judged,
            limit=Limit.WALL if permit & Permit.LOWEST else Limit.BARRED,
            measured=np.nan,
            culprit=part,
        )
    return judged


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
