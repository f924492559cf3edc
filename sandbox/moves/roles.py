"""What each terrain part counts as under a pack: its role, what may be done with it, what its ground costs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sandbox.ground.model import Area, Floats, Numbers, Permit
from sandbox.kinds import Kind
from sandbox.rules import MovementRules, Pack
from sandbox.rules.words import Allow, Ground
from sandbox.scene import Scene
from sandbox.terrain.model import CEILING_PIECE, Terrain
from sandbox.units import inches, mm

_PERMITS = {
    Allow.WALK: Permit.WALK,
    Allow.STAND: Permit.STAND,
    Allow.CLIMB: Permit.CLIMB,
    Allow.CROSS: Permit.CROSS,
    Allow.LADDER: Permit.LADDER,
    Allow.RAIL: Permit.RAIL,
    Allow.SLOPE: Permit.SLOPE,
    Allow.BARRED: Permit.BARRED,
}
_OPEN, _DIFFICULT, _DANGEROUS, BARRED = 0, 1, 2, 3
_SOLID = (Kind.WALL, Kind.DOOR_CLOSED, Kind.IMPASSABLE)
"""kinds that stop measuring however small they are."""
EVERYWHERE_MM = 1e6
"""height range of an area for which none was stated."""


@dataclass(frozen=True, eq=False)
class Roles:
    """The parts of a terrain, and the agreed areas, as one model meets them."""

    kinds: tuple[Kind, ...]
    """(parts) what each part counts as."""
    permits: tuple[Permit, ...]
    """(parts) what may be done with it."""
    ground: NDArray[np.uint8]
    """(parts) 0 open, 1 difficult, 2 dangerous."""
    through: frozenset[int]
    """parts that never stop measuring."""
    areas: tuple[Area, ...]
    """agreed ground, harshest first."""
    area_kinds: tuple[Kind, ...]
    """kind of each area."""
    area_ground: NDArray[np.uint8]
    """(areas) 0 open, 1 difficult, 2 dangerous, 3 no part of a base may be on it."""


def roles(
    terrain: Terrain,
    scene: Scene,
    pack: Pack,
    *,
    forbidden: Collection[Allow] = (),
    ignores: Collection[Ground] = (),
) -> Roles:
    """Work out the role of every part and area.

    forbidden: what this model may do with no part; ignores: ground that costs it nothing extra.
    """
    zone_mortalis = scene.board.zone_mortalis
    kinds, permits, ground, through = [], [], [], set()
    for index, part in enumerate(terrain.parts):
        height, width = inches(part.height_mm), inches(part.width_mm)
        kind = pack.role(
            part.kind, height, width, free_standing=part.free_standing, zone_mortalis=zone_mortalis
        )
        if part.piece == CEILING_PIECE:
            kind = Kind.IMPASSABLE
        may = pack.permits(kind, zone_mortalis=zone_mortalis) - frozenset(forbidden)
        permit = Permit(0)
        for allow in may:
            permit |= _PERMITS[allow]
        if kind is Kind.WALL and zone_mortalis and not permit & Permit.WALK:
            # a tile may be floor and walls in one: the piece's lowest floor is spared
            permit |= Permit.WALK | Permit.STAND | Permit.LOWEST
        kinds.append(kind)
        permits.append(permit)
        # what a piece is made of stays what it is, even where its size makes it an obstacle
        ground.append(_severity(pack.kind(part.kind).ground, ignores))
        small = part.free_standing and part.kind not in _SOLID and pack.movement.measured_over(height, width)
        if small or pack.kind(part.kind).measure_through or pack.kind(kind).measure_through:
            through.add(index)
    areas, area_kinds, area_ground = _areas(scene, pack, zone_mortalis, ignores)
    return Roles(
        kinds=tuple(kinds),
        permits=tuple(permits),
        ground=np.array(ground, dtype=np.uint8),
        through=frozenset(through),
        areas=areas,
        area_kinds=area_kinds,
        area_ground=area_ground,
    )


def _severity(ground: Ground, ignores: Collection[Ground]) -> int:
    if ground in ignores or ground in (Ground.OPEN, Ground.GAP):
        return _OPEN
    return _DANGEROUS if ground is Ground.DANGEROUS else _DIFFICULT


def _areas(
    scene: Scene, pack: Pack, zone_mortalis: bool, ignores: Collection[Ground]
) -> tuple[tuple[Area, ...], tuple[Kind, ...], NDArray[np.uint8]]:
    rated = []
    for area in scene.areas:
        may = pack.permits(area.kind, zone_mortalis=zone_mortalis)
        ground = pack.kind(area.kind).ground
        barred = Allow.BARRED in may or Allow.WALK not in may or ground is Ground.GAP
        rated.append((BARRED if barred else _severity(ground, ignores), area))
    rated.sort(key=lambda one: -one[0])
    areas = []
    for _, area in rated:
        low, high = (-EVERYWHERE_MM, EVERYWHERE_MM) if area.z is None else (mm(area.z[0]), mm(area.z[1]))
        areas.append(Area(tuple((mm(x), mm(y)) for x, y in area.polygon), low, high))
    return tuple(areas), tuple(a.kind for _, a in rated), np.array([r for r, _ in rated], dtype=np.uint8)


def weights(found: Roles, movement: MovementRules) -> tuple[Floats, Floats]:
    """Price of an inch of path on each part's floor, (parts,), and in each area, (areas,); +inf: barred."""
    prices = np.array([1.0, movement.difficult_cost, movement.difficult_cost, np.inf])
    return prices[found.ground], prices[found.area_ground]


def numbers(movement: MovementRules) -> Numbers:
    """The pack's numbers that geometry needs, in millimetres."""
    return Numbers(
        free_step_up_mm=mm(movement.free_step_up),
        free_step_down_mm=mm(movement.free_step_down),
        walk_slope=movement.walk_slope,
        stand_slope=movement.stand_slope,
        uneven_mm=mm(movement.uneven),
        span_mm=None if movement.span == "base" else mm(float(movement.span)),
        overhang_mm=mm(movement.overhang),
        hang=movement.hang,
        rail_height_mm=mm(movement.rail_height),
        rail_max_mm=mm(movement.rail_max),
        rail_reach_mm=mm(movement.rail_reach),
        landing_reach_mm=mm(movement.jump_reach),
        ladder_foot_mm=mm(movement.ladder_foot),
        ladder_top_mm=mm(movement.ladder_top),
        underside_mm=mm(movement.underside),
    )
