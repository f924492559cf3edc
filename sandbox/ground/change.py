"""What differs between the grounds of two terrains, and where: elsewhere what was judged on one holds on the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from sandbox.ground.model import Area, Body, Floats, Ints, Numbers, Permit
from sandbox.ground.places import Tile, TileKey, looks_over
from sandbox.ground.shared import void_radii
from sandbox.ground.survey_grid import PITCH_MM

if TYPE_CHECKING:
    from sandbox.ground.floors import FaceFloors
    from sandbox.ground.ground import Ground
    from sandbox.ground.link_store import LinkStore
    from sandbox.ground.sealed import Sealed
    from sandbox.terrain.model import Terrain

_CELL_MM = 8.0
_RIM_MM = 400.0
"""how far beyond the board points are told apart; farther out everything counts as changed."""
_SIZED = Permit.CROSS | Permit.RAIL | Permit.LADDER | Permit.LOWEST
"""what is done with a part by its height."""
_Keys = NDArray[np.uint64]
_Boxes = tuple[Floats, Floats]
"""Plan boxes: least and greatest x, y, (n, 2) each, mm."""


@dataclass(frozen=True, eq=False)
class Remains:
    """What a ground leaves to that of a later state of its terrain."""

    terrain: Terrain
    permits: tuple[Permit, ...]
    numbers: Numbers
    areas: tuple[Area, ...]
    floors: FaceFloors
    sealed: Sealed
    tiles: dict[Body, dict[TileKey, Tile]]
    """judged squares by body."""
    stores: dict[tuple[Body, float | None], LinkStore]
    """ways along lines over lips by body, and by its longest leap, mm (None: climbs and jumps)."""


@dataclass(frozen=True, eq=False)
class Change:
    """Where two terrains differ, and which parts are the same."""

    part: Ints
    """(parts of the earlier terrain + 1,) int32 number of each in the later one, -1 gone; the last entry is -1, so that
    -1 stays what it is."""
    away: Floats
    """(ny, nx) how far off the nearest difference is from all points of a cell at least, mm."""

    def holds(self, at: Floats, reach: float | Floats) -> NDArray[np.bool_]:
        """Whether nothing differs within `reach` mm of plan points, (n,).

        at: (n, 2) mm. reach: one for all, or (n,).
        """
        cell = _numbers(at)
        inside = np.all((cell >= 0) & (cell < self.away.shape[::-1]), axis=1)
        cell[~inside] = 0
        return np.asarray(inside & (self.away[cell[:, 1], cell[:, 0]] > reach))


def reach_of(body: Body, numbers: Numbers) -> float:
    """How far from a place anything may lie that it hangs on, mm.

    The discs that close floor are looked at up to their radius beyond the base, and hang on what lies in them.
    """
    radius = max(void_radii(body, numbers))
    return (body.half_short_mm + 2.0 * radius) * body.half_long_mm / body.half_short_mm + 4.0 * PITCH_MM


def tiles_kept(
    known: dict[TileKey, Tile], body: Body, numbers: Numbers, change: Change
) -> dict[TileKey, Tile]:
    """The judged squares of a body that nothing near them changed, with the later terrain's numbers of parts."""
    if not known:
        return {}
    at, slack = looks_over(list(known), PITCH_MM)
    looks: NDArray[np.bool_] = change.holds(at, reach_of(body, numbers) + slack)
    stays = np.all(looks.reshape(len(known), -1), axis=1)
    return {
        key: tile.renumbered(change.part)
        for (key, tile), same in zip(known.items(), stays, strict=True)
        if same
    }


def change_between(earlier: Remains, later: Ground) -> Change | None:
    """What changed from one ground to another under the same numbers; None: nothing of the first can be used."""
    one, two = earlier.terrain, later.terrain
    alike = (earlier.numbers, earlier.areas, one.size_mm) == (later.numbers, later.areas, two.size_mm)
    if not alike or not len(one.faces) or not len(two.faces):
        return None
    part = _same_parts(earlier, later)
    keys = [_face_keys(earlier, part), _face_keys(later, np.arange(len(two.parts) + 1, dtype=np.int32))]
    boxes = [_boxes_of(earlier, _missing(keys[0], keys[1])), _boxes_of(later, _missing(keys[1], keys[0]))]
    boxes += [(at, at) for at in (earlier.sealed.beyond(later.sealed), later.sealed.beyond(earlier.sealed))]
    differs = _painted(two.size_mm, boxes)
    # a riser leads up to the floor along the whole of its upper end
    beside = [_boxes_of(ground, _meeting(ground, differs)) for ground in (earlier, later)]
    differs |= _painted(two.size_mm, beside)
    if not differs.any():
        return Change(part, np.full(differs.shape, np.inf))
    # from a point of one cell to one of another is up to a diagonal nearer than from middle to middle
    away = ndimage.distance_transform_edt(~differs) * _CELL_MM - np.hypot(_CELL_MM, _CELL_MM)
    return Change(part, np.asarray(away, np.float64))


def _numbers(at: Floats) -> NDArray[np.int64]:
    """Column and row of the cells of plan points (n, 2), mm."""
    return np.floor((at + _RIM_MM) / _CELL_MM).astype(np.int64)


def _cells(at: Floats, shape: tuple[int, int]) -> NDArray[np.int64]:
    """Column and row of plan points (n, 2), mm, in a raster; those beyond it count to its rim."""
    return np.clip(_numbers(at), 0, np.array(shape[::-1]) - 1)


def _painted(size_mm: tuple[float, float], boxes: list[_Boxes]) -> NDArray[np.bool_]:
    """Cells that some plan boxes meet, (ny, nx)."""
    nx, ny = (int(np.ceil((side + 2.0 * _RIM_MM) / _CELL_MM)) for side in size_mm)
    count = np.zeros((ny + 1, nx + 1), np.int64)
    low, high = (_cells(np.concatenate([box[k] for box in boxes]), (ny, nx)) for k in range(2))
    high = high + 1
    # sums over what begins and what ends
    for rows, columns, sign in ((low, low, 1), (low, high, -1), (high, low, -1), (high, high, 1)):
        np.add.at(count, (rows[:, 1], columns[:, 0]), sign)
    return np.asarray(np.cumsum(np.cumsum(count, axis=0), axis=1)[:-1, :-1] > 0)


def _meeting(ground: Remains | Ground, differs: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(m,) steep faces with a corner, or the middle of an edge, in or next to a cell that differs."""
    near = ndimage.maximum_filter(differs, 3)
    steep = np.flatnonzero(ground.floors.tilt == 0)
    corners = ground.terrain.vertices[ground.terrain.faces[steep]][:, :, :2]
    points = np.concatenate([corners, 0.5 * (corners + np.roll(corners, 1, axis=1))], axis=1)
    cell = _cells(points.reshape(-1, 2), (differs.shape[0], differs.shape[1]))
    found = np.zeros(len(ground.terrain.faces), bool)
    found[steep] = near[cell[:, 1], cell[:, 0]].reshape(len(steep), -1).any(axis=1)
    return found


def _same_parts(earlier: Remains, later: Ground) -> Ints:
    """(parts + 1,) number in the later terrain of each part of the earlier one, -1: there is none like it."""

    def names(ground: Remains | Ground) -> list[tuple[object, ...]]:
        seen: dict[tuple[object, ...], int] = {}
        found = []
        for part, permit in zip(ground.terrain.parts, ground.permits, strict=True):
            size = (part.low_mm, part.high_mm) if permit & _SIZED else ()
            name = (part.piece, part.name, part.kind, permit, *size)
            seen[name] = seen.get(name, 0) + 1
            found.append((*name, seen[name]))
        return found

    number = {name: k for k, name in enumerate(names(later))}
    return np.array([*(number.get(name, -1) for name in names(earlier)), -1], np.int32)


def _face_keys(ground: Remains | Ground, part: Ints) -> _Keys:
    """(m,) hash of everything that a face is to a foot: corners, part (by the numbers given), solid or sheet, floor."""
    terrain, floors = ground.terrain, ground.floors
    corners = terrain.vertices[terrain.faces].reshape(-1, 9) + 0.0  # so that -0.0 is 0.0
    told = terrain.shell_closed[terrain.face_shell] | floors.walk.astype(np.int64) << 1
    words = [*corners.T, *floors.normal.astype(np.float64).T]
    words += [
        part[terrain.face_part].astype(np.float64),
        (told | floors.tilt.astype(np.int64) << 2).astype(np.float64),
    ]
    key = np.zeros(len(terrain.faces), np.uint64)
    for word in words:
        # splitmix64's mixer after each word; sums wrap around
        key = key * np.uint64(0x9E3779B97F4A7C15) + np.ascontiguousarray(word).view(np.uint64)
        key = (key ^ (key >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        key = (key ^ (key >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        key = key ^ (key >> np.uint64(31))
    return key


def _missing(keys: _Keys, others: _Keys) -> NDArray[np.bool_]:
    """(m,) faces that are not as often among the others."""
    names, which, often = np.unique(keys, return_inverse=True, return_counts=True)
    there, times = np.unique(others, return_counts=True)
    at = np.minimum(np.searchsorted(there, names), len(there) - 1)
    same = (there[at] == names) & (times[at] == often)
    return np.asarray(~same[which])


def _boxes_of(ground: Remains | Ground, which: NDArray[np.bool_]) -> _Boxes:
    """Plan boxes of some faces."""
    corners = ground.terrain.vertices[ground.terrain.faces[which]][:, :, :2]
    return corners.min(axis=1).reshape(-1, 2), corners.max(axis=1).reshape(-1, 2)
