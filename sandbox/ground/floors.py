"""Which faces are floor: by their own tilt, smoothed where a surface is rough, and by what may be done with their part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from sandbox.ground.model import Bytes, Numbers, Permit
from sandbox.terrain.model import Terrain

SMOOTHED_MM = 4.0
"""Tilt is smoothed over a disc of this radius: a quarter of a 32 mm base across, the same for every base, so that all
of them share one set of lips."""
ROUGH_MM = 1.0
"""What stands farther than this off its smoothed plane is no roughness but a step or a slope of its own."""
_LARGEST_MM = 2.0 * SMOOTHED_MM
"""faces longer than this have a tilt of their own, however rough what lies around them is."""
_RISER = 0.2588  # cosine of 75 degrees: steeper faces are risers and walls, which nothing is averaged over
_WALLS_MM = 25.4
"""a piece of kind wall has a floor to spare where it rises by more than this above its lowest one."""


@dataclass(frozen=True, eq=False)
class FaceFloors:
    """What every face of a terrain is to a foot."""

    walk: Bytes
    """(m,) uint8: 1 where it may be floor to pass."""
    tilt: Bytes
    """(m,) uint8: 1 where its (smoothed) tilt is walkable, whatever its part."""
    normal: NDArray[np.float32]
    """(m, 3) float32 unit normal turned up; of a rough face that counts as floor, the smoothed one."""


def face_floors(terrain: Terrain, permits: Sequence[Permit], numbers: Numbers) -> FaceFloors:
    """Judge every face; permits: one per terrain part."""
    corners = terrain.vertices[terrain.faces]
    vector = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]).reshape(-1, 3)
    closed = terrain.shell_closed[terrain.face_shell]
    length = np.maximum(np.linalg.norm(vector, axis=1), 1e-300)
    # sheets are floor on whichever side is up
    vector = np.where((vector[:, 2] < 0.0) & ~closed, -1.0, 1.0)[:, None] * vector
    unit = vector / length[:, None]
    steepest = float(np.cos(np.radians(numbers.walk_slope)) - 1e-6)
    tilt = unit[:, 2] >= steepest
    normal = np.where(unit[:, 2:] < 0.0, -unit, unit).astype(np.float32)
    permit = np.array([int(p) for p in permits] or [0], np.int32)[terrain.face_part]
    may = (permit & Permit.WALK) != 0
    _smooth(corners, vector, unit, tilt, normal, may, steepest)
    walk = tilt & may
    _spare_lowest(terrain, corners, walk, (permit & Permit.LOWEST) != 0, numbers)
    return FaceFloors(walk.astype(np.uint8), tilt.astype(np.uint8), normal)


def _smooth(
    corners: np.ndarray,
    vector: np.ndarray,
    unit: np.ndarray,
    tilt: np.ndarray,
    normal: np.ndarray,
    may: np.ndarray,
    steepest: float,
) -> None:
    """Small steep faces of rough ground: floor where the surface around them is, with its tilt. Changes tilt and normal."""
    up = np.flatnonzero((unit[:, 2] > _RISER) & may)
    edges = np.linalg.norm(corners[up] - np.roll(corners[up], 1, axis=1), axis=2).max(axis=1, initial=0.0)
    small = up[edges <= _LARGEST_MM]
    steep = small[~tilt[small]]
    if not steep.size:
        return
    middle = corners[small].mean(axis=1)
    asked = corners[steep].mean(axis=1)
    tree = cKDTree(middle, compact_nodes=False, balanced_tree=False)
    around = tree.query_ball_point(asked, SMOOTHED_MM, workers=-1, return_sorted=True)
    # every face is near itself, so that none of the runs is empty
    counts = np.array([len(near) for near in around])
    near, whose = np.concatenate(around).astype(np.int64), np.repeat(np.arange(len(steep)), counts)
    first = np.cumsum(counts) - counts
    total = np.add.reduceat(vector[small[near]], first, axis=0)
    total /= np.maximum(np.linalg.norm(total, axis=1, keepdims=True), 1e-300)
    level = total / np.maximum(total[:, 2:], 1e-300)
    off = np.einsum("ij,ij->i", middle[near] - asked[whose], level[whose])
    off -= (np.add.reduceat(off, first) / counts)[whose]
    rough = np.maximum.reduceat(np.abs(off), first) <= ROUGH_MM
    rough &= (total[:, 2] >= steepest) & (counts >= 4)
    tilt[steep[rough]] = True
    normal[steep[rough]] = total[rough]


def _spare_lowest(
    terrain: Terrain, corners: np.ndarray, walk: np.ndarray, lowest: np.ndarray, numbers: Numbers
) -> None:
    """Of pieces that are floor and walls in one only the lowest floor is walked on, of mere walls nothing."""
    if not lowest.any():
        return
    pieces = np.array([p.piece for p in terrain.parts])[terrain.face_part]
    for piece in np.unique(pieces[lowest]):
        own = pieces == piece
        floor = own & walk
        if not floor.any():
            continue
        level = float(corners[floor][:, :, 2].max(axis=1).min())
        rises = float(corners[own & lowest][:, :, 2].max()) - level
        spared = corners[:, :, 2].max(axis=1) <= level + numbers.free_step_up_mm
        walk[own & lowest & ~(spared & (rises > _WALLS_MM))] = False
