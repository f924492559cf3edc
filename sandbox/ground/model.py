"""The words of ground: what it is asked with, and the arrays it answers in. It knows numbers and no rules.

All lengths are millimetres, all angles degrees. Arrays are C-contiguous; shapes and dtypes stand beside each field.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum, IntFlag

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Bytes = NDArray[np.uint8]


class Permit(IntFlag):
    """What may be done with a terrain part; the caller works it out from kinds and a pack's table."""

    WALK = 1
    """its surface may be floor to pass."""
    STAND = 2
    """an activation may end on it."""
    CLIMB = 4
    """its sides may be climbed."""
    CROSS = 8
    """an obstacle: passed over at a price, never stood on, body lifted to its top while the base overlaps it."""
    LADDER = 16
    """a ladder: climbed at the ladder price."""
    RAIL = 32
    """may be found to be a railing."""
    SLOPE = 64
    """its tilted surfaces are walked like level ground (kinds ramp and stairs): never a scramble."""
    BARRED = 128
    """no part of a base may be on it (impassable, pitfall)."""
    LOWEST = 256
    """of its piece only the lowest floor is walked on, and that where the piece rises above it (walls that are floor
    as well)."""


@dataclass(frozen=True)
class Body:
    """A model's base outline and height."""

    half_long_mm: float
    """half of the base's longer axis (the radius of a round base), mm."""
    half_short_mm: float
    """half of the base's shorter axis, mm."""
    height_mm: float
    facing: float = 0.0
    """heading of the long axis, degrees counter-clockwise from east; means nothing for round bases."""

    @property
    def is_round(self) -> bool:
        """Whether the base is a circle."""
        return self.half_long_mm == self.half_short_mm


@dataclass(frozen=True)
class Area:
    """Agreed ground: a plan polygon and a height range; index order is harshest first."""

    polygon_mm: tuple[tuple[float, float], ...]
    low_mm: float
    high_mm: float


@dataclass(frozen=True)
class Numbers:
    """The pack's numbers that geometry needs."""

    free_step_up_mm: float = 12.7
    free_step_down_mm: float = 12.7
    walk_slope: float = 45.0
    stand_slope: float = 15.0
    uneven_mm: float = 3.81
    span_mm: float | None = None
    """widest gap crossed in passing; None: the base's own (shorter) diameter."""
    overhang_mm: float = 25.4
    hang: bool = True
    rail_height_mm: float = 12.7
    rail_max_mm: float = 50.8
    """railings up to this height are gone over within a climb, leap or jump down."""
    rail_reach_mm: float = 2.54
    landing_reach_mm: float = 25.4
    """how far beyond just clear of the lip a jump down may land."""
    ladder_foot_mm: float = 12.7
    ladder_top_mm: float = 25.4
    underside_mm: float = 25.4
    """a stretch deeper under an overhang than the limit stops a climb when it is higher than this."""
    thin_top_mm: float = 3.0


@dataclass(frozen=True)
class Window:
    """Axis-aligned plan rectangle, mm."""

    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, eq=False)
class Survey:
    """Vertical crossings of a window: everything that is floor, sampled on columns, whatever the base.

    Columns lie on a grid: column (i, j) is at (x0 + i * pitch, y0 + j * pitch), number j * nx + i. The samples of a
    column are sorted upwards and lie at sample_start[c] .. sample_start[c + 1].
    """

    x0: float
    y0: float
    pitch: float
    nx: int
    ny: int
    sample_start: Ints
    """(nx * ny + 1,) int32."""
    z: Floats
    """(n,) height of each floor sample: an upward surface outside every solid."""
    above: Floats
    """(n,) z of the next surface above it, +inf under open sky."""
    normal: NDArray[np.float32]
    """(n, 3) float32 unit normal of the surface, pointing up."""
    face: Ints
    """(n,) int32 terrain face of each sample."""
    area: Ints
    """(n,) int32 index of the harshest agreed area over it, -1 none."""
    floor: Bytes
    """(n,) uint8: 1 where the surface's own (smoothed) tilt is walkable and its part may be walked on."""


class Place(IntFlag):
    """What a place is good for."""

    PASS = 1
    """the base may move through."""
    STAND = 2
    """an activation may end here."""
    BEND = 4
    """a shortest way may bend here: a corner of what is in the way, or a border of a different price."""
    GAP = 8
    """over a bridged gap: nothing under the centre."""
    OVER = 16
    """the base overlaps an obstacle; the body is at its top."""
    EDGE = 32
    """next to somewhere the base may not go: lines through this cell need the exact test."""


@dataclass(frozen=True, eq=False)
class Places:
    """Where one body may be within a window: one place per grid cell and floor, linked to its neighbours.

    The place of a cell is its best point: the column itself in the open, the point with most room in a close call
    (a doorway a hair wider than the base), the point that just touches at an edge.
    """

    body: Body
    x0: float
    y0: float
    pitch: float
    nx: int
    ny: int
    start: Ints
    """(nx * ny + 1,) int32: places of column c are start[c] .. start[c + 1], sorted upwards."""
    cell: Ints
    """(n,) int32 column of each place."""
    pos: Floats
    """(n, 3) float64: the point in the cell, and the height of the ground under the centre there."""
    lift: Floats
    """(n,) float64: z of the body's underside there (highest joined floor in the outline, or an obstacle's top)."""
    flags: Bytes
    """(n,) uint8 of Place."""
    part: Ints
    """(n,) int32 terrain part underfoot (-1 over a bridged gap)."""
    area: Ints
    """(n,) int32 agreed area underfoot, -1 none."""
    gradient: NDArray[np.float32]
    """(n, 2) float32 slope dz/dx, dz/dy of the surface itself; 0 on level ground, treads and bridged gaps."""
    neighbour: Ints
    """(n, 8) int32: the place reached in each direction E NE N NW W SW S SE (counter-clockwise from east), -1 none.
    A link says that the straight line between the two places is free."""
    touch: Floats
    """(n, 3, 2) float64: up to two nearest points in plan of what the body may not enter, nan where farther than
    a pitch beyond touching: a centre in this cell keeps the base's distance from both. Third: the nearest point of an
    obstacle beside it, kept clear of by ways that do not cross it."""
    zone: Ints
    """(n,) int32: terrain part of the (tallest) obstacle overlapped where OVER, else -1."""
    limit: Bytes
    """(n,) uint8 Limit: why the place is not to pass (NONE where it is). Places that are not to pass stay in the
    arrays, without links, for the relaxed search."""
    measured: Floats
    """(n,) what was measured against that limit, mm or degrees; nan where nothing."""
    rest: Floats
    """(n, 3) float64: the point of the cell where the body stands (exactly at a border where one runs through the
    cell), nan where it cannot stand."""
    culprit: Ints
    """(n,) int32 terrain part that leaves no room, -1 none."""
    stand_limit: Bytes
    """(n,) uint8 Limit: why it cannot stand where it can pass (NONE where it can stand)."""
    stand_measured: Floats
    """(n,) what was measured against that: mm beyond the lip, mm off the plane, degrees of tilt."""


class LinkKind(IntEnum):
    """Ways between places that are not walking."""

    CLIMB = 0
    LADDER = 1
    LEAP = 2
    JUMP_DOWN = 3
    CROSS = 4
    DUCTWAY = 5


@dataclass(frozen=True, eq=False)
class Links:
    """Links found for one body, as columns of a table; row k is one way, in one direction."""

    kind: Bytes
    """(k,) uint8 LinkKind."""
    start: Ints
    """(k,) int32 place where it begins (-1: not on a place, see `start_pos`)."""
    end: Ints
    """(k,) int32 place where it ends."""
    start_pos: Floats
    """(k, 3) the exact centre at its start."""
    end_pos: Floats
    """(k, 3) the exact centre at its end."""
    plan: Floats
    """(k,) plan movement, mm."""
    up: Floats
    """(k,) height gained by climbing, mm (ladders too)."""
    down: Floats
    """(k,) height lost, mm: climbed, jumped or fallen from, by kind."""
    gap: Floats
    """(k,) gap measured lip to lip, mm; 0 where there is none."""
    rail: Floats
    """(k,) height of a railing gone over, mm; 0 none."""
    overhang: Floats
    """(k,) greatest overhang passed, mm."""
    limit: Bytes
    """(k,) uint8 Limit: 0 where the way is good, else what stops it (kept for the relaxed search)."""
    part: Ints
    """(k,) int32 terrain part climbed, -1 none."""
    path_start: Ints = field(default_factory=lambda: np.zeros(0, np.int32))
    """(k + 1,) int32: row k's way runs through path[path_start[k]:path_start[k + 1]]; empty where nobody asked."""
    path: Floats = field(default_factory=lambda: np.zeros((0, 3)))
    """(n, 3) points of the base's centre from start to end, straight between them; z is the body's underside."""


@dataclass(frozen=True, eq=False)
class Question:
    """What the search is asked. Prices and lengths in millimetres of movement."""

    start: tuple[float, float, float]
    """exact centre of the base at the start."""
    moves: tuple[float, ...]
    """lengths of the Moves of the chain, one entry for a single Move; a Move may end wherever the base may pass."""
    weight: Floats
    """(n,) price per mm on each place (1 open, 2 difficult); +inf: may not be entered (friends, enemies, barred)."""
    stop: NDArray[np.bool_]
    """(n,) where the last Move may end."""
    discs: Floats
    """(d, 5) exact keep-out discs of other bases: x, y, radius for the centre, lowest z, highest z. Places inside are
    already barred by `weight`; the discs give the exact corners around which ways bend."""
    zone_price: Floats
    """(parts,) what entering the obstacle of that part costs, once per crossing; +inf: may not be crossed."""
    link_price: Floats
    """(k,) whole cost of each link, mm of movement; +inf: not allowed."""
    link_chance: Floats
    """(k,) chance to pass its checks, 1.0 without."""
    link_whole: NDArray[np.bool_]
    """(k,) must fit inside one Move (leaps, obstacles); others may be broken off between two Moves."""
    link_bits: Bytes | None = None
    """(k,) uint8 bits of what each link uses up, which the model has only once; None: nothing."""
    labels: int = 4
    """most labels kept per place; 1 is the scalar case."""
    slope_costs: bool = True
    """true length is paid on tilted surfaces (never on treads)."""
    borders: Floats = field(default_factory=lambda: np.zeros((0, 4)))
    """(b, 4) plan segments x, y, x, y along which prices change (edges of agreed areas): costs are then exact there,
    where `weight` alone is right to a cell."""


class Limit(IntEnum):
    """What stops a link or a place; the relaxed search carries these to the first ruling."""

    NONE = 0
    OVERHANG = 1
    UNDERSIDE = 2
    NO_ROOM = 3
    """solid in the way of the body."""
    HEADROOM = 4
    NO_FLOOR = 5
    """no place to pass or stand at the far end."""
    GAP = 6
    STEP = 7
    BARRED = 8
    LIP = 9
    """base partly beyond a lip."""
    UNEVEN = 10
    TILT = 11
    NOT_CLIMBABLE = 12
    OBSTACLE = 13
    """no ending on an obstacle."""
    NARROW = 14
    """floor or opening too narrow."""
    SLOPE = 15
    """steeper than may be walked."""
    WALL = 16


@dataclass(frozen=True)
class Hindrance:
    """Why not: one limit that a place or a way breaks, with its measurement. Millimetres or degrees by limit."""

    limit: Limit
    measured: float
    allowed: float
    where: tuple[float, float, float]
    """world position of what was measured, mm."""
    part: int = -1
    """terrain part responsible, -1 unknown."""
