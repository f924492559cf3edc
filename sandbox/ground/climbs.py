"""Climbs up and down, jumps down from the same lips, and ways over tops too narrow to stop on (law 9 and 12)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sandbox.ground.bins import BinArrays, Bins, coarse_cells
from sandbox.ground.kernels.links_over import cross_lips
from sandbox.ground.kernels.links_slots import slots_beside
from sandbox.ground.lips import Lips
from sandbox.ground.model import Body, Bytes, Floats, Ints, Numbers, Permit, Places
from sandbox.ground.slices import in_slices
from sandbox.terrain.model import Terrain
from sandbox.units import SNAP_MM

PITCH_MM = 3.175
"""Lines are tried this often along a lip, besides its ends and its middle."""
_THIN_MM = 1.6
"""Of lines closer together than this, in the same direction, one is tried."""

_NARROW_MM = 6.35
"""Tops too narrow to stop on are gone over along lines this far apart."""
_TOLD_MM = 25.4
"""Ways up to tops where the base may not be are told this far apart, for rulings."""

PlaceArrays = tuple[Floats, Ints, Floats, Bytes, Floats, Bytes, Floats]


@dataclass(frozen=True, eq=False)
class Field:
    """What the kernels of links ask: a terrain in cells, one body's places, and the numbers."""

    terrain: Terrain
    bins: BinArrays
    coarse: tuple[Floats, Ints, Ints]
    places: PlaceArrays
    body: tuple[float, float, float, Floats]
    limits: Floats
    climbable: NDArray[np.bool_]
    """(parts,) may be climbed."""


def make_field(
    terrain: Terrain, bins: Bins, places: Places, permits: Sequence[Permit], numbers: Numbers
) -> Field:
    """Pack up what the kernels of links ask; permits: one per terrain part."""
    body = places.body
    metric = base_metric(body)
    half = 0.5 * SNAP_MM
    limits = np.array(
        [
            numbers.free_step_up_mm + half,
            numbers.free_step_down_mm + half,
            numbers.landing_reach_mm + half,
            numbers.overhang_mm + half,
            numbers.underside_mm + half,
            numbers.rail_height_mm - half,
            numbers.rail_max_mm + half,
            numbers.rail_reach_mm,
        ]
    )
    return Field(
        terrain=terrain,
        bins=bins.arrays,
        coarse=coarse_cells(bins),
        places=(
            np.array([places.x0, places.y0, places.pitch, places.nx, places.ny], np.float64),
            places.start,
            places.pos,
            places.flags,
            places.lift,
            places.limit,
            places.measured,
        ),
        body=(body.half_short_mm, body.half_long_mm, body.height_mm, metric),
        limits=limits,
        climbable=np.array([bool(p & Permit.CLIMB) for p in permits] or [False]),
    )


def base_metric(body: Body) -> Floats:
    """Plan map, (4,) row by row, that turns the base into a circle of its shorter half axis."""
    if body.is_round:
        return np.array([1.0, 0.0, 0.0, 1.0])
    angle = np.radians(body.facing)
    c, s = np.cos(angle), np.sin(angle)
    k = body.half_short_mm / body.half_long_mm
    return np.array([k * c * c + s * s, (k - 1.0) * c * s, (k - 1.0) * c * s, k * s * s + c * c])


def lines_over(lips: Lips, keep: NDArray[np.bool_] | None = None, pitch: float = PITCH_MM) -> Floats:
    """Lines to try over lips: (k, 9) float64 point x, y, z, outward x, y, drop, railing, lip, care (see kernels/links_over).

    Each lip has one at its middle, and where it is long enough at its ends and every `pitch` mm. keep: (lips,) bool.
    """
    length = np.hypot(lips.b[:, 0] - lips.a[:, 0], lips.b[:, 1] - lips.a[:, 1])
    chosen = np.flatnonzero(length > 0.05 if keep is None else keep & (length > 0.05))
    if not chosen.size:
        return np.zeros((0, 9))
    span = length[chosen]
    inset = np.minimum(0.05, 0.25 * span)
    lips_of, at = [chosen], [np.full(chosen.size, 0.5)]
    long = span > 0.5 * pitch
    lips_of += [chosen[long], chosen[long]]
    at += [inset[long] / span[long], 1.0 - inset[long] / span[long]]
    between = np.where(span > 1.5 * pitch, np.ceil(span / pitch).astype(int) - 1, 0)
    first = np.cumsum(between) - between
    number = np.arange(int(between.sum())) - np.repeat(first, between)
    lips_of.append(np.repeat(chosen, between))
    at.append((number + 1) / np.repeat(between + 1, between))
    lip = np.concatenate(lips_of)
    t = np.concatenate(at)
    point = lips.a[lip] + t[:, None] * (lips.b[lip] - lips.a[lip])
    out = lips.out[lip]
    turn = np.round(np.arctan2(out[:, 1], out[:, 0]) / np.radians(10.0)) % 36
    pick = _first_in_cells(point, turn, _THIN_MM)
    lip, point, out, turn = lip[pick], point[pick], out[pick], turn[pick]
    told = np.zeros(len(lip))
    told[_first_in_cells(point, turn, _NARROW_MM)] = 1.0
    told[_first_in_cells(point, turn, _TOLD_MM)] = 2.0
    return np.column_stack([point, out, lips.drop[lip], lips.rail[lip], lip, told])


def _first_in_cells(point: Floats, turn: Floats, size: float) -> NDArray[np.int64]:
    """The first of the points (n, 3) with one turn (n,) in each cell of a size, mm."""
    key = np.column_stack([np.floor(point / size), turn]).astype(np.int64)
    _, first = np.unique(key, axis=0, return_index=True)
    return np.sort(first).astype(np.int64)


def lines_in_slots(field: Field, lips: Lips, keep: NDArray[np.bool_]) -> Floats:
    """Lines, as of `lines_over`, through slots hardly wider than the base that spaced lines may miss; keep: (lips,)."""
    chosen = np.flatnonzero(keep)

    def beside(part: slice) -> Floats:
        rows: Floats = slots_beside(
            lips.a, lips.b, lips.out, lips.drop, chosen[part], PITCH_MM, field.limits[0], field.body,
            field.bins, field.coarse,
        )  # fmt: skip
        return rows

    found = in_slices(beside, len(chosen))
    lip = found[:, 3].astype(np.int64)
    return np.column_stack(
        [found[:, :3], lips.out[lip], lips.drop[lip], lips.rail[lip], lip, np.ones(len(lip))]
    )


def over_lips(field: Field, lines: Floats, *, climbs: bool = True, jumps: bool = True) -> Floats:
    """Rows (n, WIDTH) of climbs and jumps down along lines over lips (see kernels/links_rows)."""

    def tried(part: slice) -> Floats:
        rows: Floats = cross_lips(
            np.ascontiguousarray(lines[part]),
            climbs,
            jumps,
            field.limits,
            field.body,
            field.bins,
            field.coarse,
            field.places,
            field.climbable,
            field.terrain.face_part,
        )
        return rows

    return in_slices(tried, len(lines))
