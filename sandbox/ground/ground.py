"""Ground of one battlefield: surveys, lips and places, built where they are asked for and kept per body.

Lengths are in mm.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sandbox.ground.bins import Bins, Column, column_at, make_bins
from sandbox.ground.change import Remains, change_between, reach_of, tiles_kept
from sandbox.ground.faces import MARGIN_MM
from sandbox.ground.floors import FaceFloors, face_floors
from sandbox.ground.link_store import LinkStore
from sandbox.ground.links import Disc, find_links
from sandbox.ground.lips import Lips, LipStore
from sandbox.ground.model import (
    Area,
    Body,
    Hindrance,
    Limit,
    Links,
    Numbers,
    Permit,
    Place,
    Places,
    Survey,
    Window,
)
from sandbox.ground.places import TILE_REACH, Tile, TileKey, join_tiles, judge_tiles, tiles_of
from sandbox.ground.region import Region
from sandbox.ground.sealed import Sealed, find_sealed
from sandbox.ground.shared import (
    Scene,
    Shared,
    in_closed_floor,
    prepare,
    share_for,
    void_radii,
)
from sandbox.ground.spot import Spot, judge_spot
from sandbox.ground.survey import FaceBoxes, face_boxes, survey
from sandbox.ground.survey_grid import PITCH_MM, nearest_column
from sandbox.ground.voids import Voids, VoidStore
from sandbox.terrain.model import Terrain

_TILE_MM = 50.8
_MOST_KEPT = 12
"""windows whose places, or surveys, are kept joined; their squares stay."""


@dataclass(frozen=True, eq=False)
class Patch:
    """A surveyed window with what all bodies share there."""

    window: Window
    survey: Survey
    lips: Lips
    scene: Scene


@dataclass(frozen=True)
class Standing:
    """Whether a body stands at a point."""

    stands: bool
    passes: bool
    """whether it may at least be there while it moves."""
    z: float
    """height of the floor under the centre, mm; nan where there is none."""
    support: float
    """share of the base over floor that joins the floor under its centre, 0 to 1."""
    part: int
    """terrain part underfoot, -1 none."""
    hindrances: tuple[Hindrance, ...] = ()


class Ground:
    """Where bodies can be on one terrain, under given numbers and permits."""

    def __init__(
        self,
        terrain: Terrain,
        permits: Sequence[Permit],
        numbers: Numbers,
        areas: Sequence[Area] = (),
        earlier: Remains | None = None,
    ) -> None:
        """permits: one per terrain part; areas: agreed ground, harshest first.

        earlier: what the ground of a terrain left that differs in some pieces; what is far from those is taken over.
        """
        self.terrain = terrain
        self.permits = tuple(permits)
        self.numbers = numbers
        self.areas = tuple(areas)
        self._patches: list[Patch] = []
        self._tiles: dict[tuple[Body, Window | None], dict[TileKey, Tile]] = {}
        self._places: dict[tuple[Body, Window, tuple[TileKey, ...]], Places] = {}
        self._shared: dict[tuple[Body, Window], Shared] = {}
        self._voids: dict[tuple[float, Window], Voids] = {}
        self._void_stores: dict[float, VoidStore] = {}
        self._bins: Bins | None = None
        self._stores: dict[tuple[Body, float | None], LinkStore] = {}
        if earlier is not None:
            self._take_over(earlier)

    def _take_over(self, earlier: Remains) -> None:
        change = change_between(earlier, self)
        if change is None:
            return
        for body, known in earlier.tiles.items():
            self._tiles[body, None] = tiles_kept(known, body, self.numbers, change)
        for (body, longest), store in earlier.stores.items():
            self._stores[body, longest] = store.after(change, reach_of(body, self.numbers))

    @property
    def remains(self) -> Remains:
        """What it leaves to the ground of a later state of its terrain; without all that is made from both anew."""
        # places at the rim of a window asked for as a whole lack what is beyond it: those are left
        tiles = {body: known for (body, window), known in self._tiles.items() if window is None}
        return Remains(
            self.terrain,
            self.permits,
            self.numbers,
            self.areas,
            self.floors,
            self.sealed,
            tiles,
            dict(self._stores),
        )

    @cached_property
    def floors(self) -> FaceFloors:
        """Which faces are floor."""
        return face_floors(self.terrain, self.permits, self.numbers)

    @cached_property
    def _boxes(self) -> FaceBoxes:
        return face_boxes(self.terrain)

    @cached_property
    def _lips(self) -> LipStore:
        return LipStore(self.terrain, self.numbers, self.bins)

    @cached_property
    def sealed(self) -> Sealed:
        """Open space inside single pieces that no way leads into."""
        return find_sealed(self.terrain, PITCH_MM)

    @property
    def bins(self) -> Bins:
        """The terrain's triangles in cells, for vertical lines and links."""
        if self._bins is None:
            self._bins = make_bins(self.terrain, self.permits, self.numbers.walk_slope, floors=self.floors)
        return self._bins

    def around(self, x: float, y: float, reach: float) -> Window:
        """Window that holds a disc with what bodies at its rim may touch, within the board and a little beyond, mm."""
        return self._window(Region.disc(x, y, reach), MARGIN_MM)

    def holding(self, region: Region) -> Window:
        """Window that holds all squares of columns that meet a region, with what bodies at their rims may touch."""
        return self._window(region, MARGIN_MM + TILE_REACH * PITCH_MM)

    def _window(self, region: Region, margin: float) -> Window:
        width, depth = self.terrain.size_mm
        x0, y0, x1, y1 = region.box
        low_x, low_y = max(x0 - margin, -MARGIN_MM), max(y0 - margin, -MARGIN_MM)
        high_x, high_y = min(x1 + margin, width + MARGIN_MM), min(y1 + margin, depth + MARGIN_MM)
        return Window(
            float(np.floor(low_x / _TILE_MM) * _TILE_MM),
            float(np.floor(low_y / _TILE_MM) * _TILE_MM),
            float(np.ceil(max(high_x, low_x + 1.0) / _TILE_MM) * _TILE_MM),
            float(np.ceil(max(high_y, low_y + 1.0) / _TILE_MM) * _TILE_MM),
        )

    def patch(self, window: Window) -> Patch:
        """Survey and lips of a window (or of a wider one that is there already)."""
        for known in self._patches:
            w = known.window
            if w.x0 <= window.x0 and w.y0 <= window.y0 and w.x1 >= window.x1 and w.y1 >= window.y1:
                return known
        wide = Window(
            window.x0 - MARGIN_MM, window.y0 - MARGIN_MM, window.x1 + MARGIN_MM, window.y1 + MARGIN_MM
        )
        lips = self._lips.within(wide)
        made = Patch(
            window,
            survey(
                self.terrain,
                window,
                self.permits,
                self.areas,
                self.numbers,
                floors=self.floors,
                sealed=self.sealed,
                boxes=self._boxes,
            ),
            lips,
            prepare(self.terrain, lips, self.permits, self.floors, self._boxes, window),
        )
        self._patches.append(made)
        if len(self._patches) > _MOST_KEPT:
            old = self._patches.pop(0)
            self._shared = {k: v for k, v in self._shared.items() if k[1] != old.window}
            self._voids = {k: v for k, v in self._voids.items() if k[1] != old.window}
        return made

    def places(self, body: Body, where: Window | Region) -> Places:
        """Places of a body in a window (or in a wider one that is there already), or as far as a region goes.

        Of a region only the squares of columns that meet it are judged, and kept for the body; the rest of the window that
        holds it then has no places.
        """
        region = where if isinstance(where, Region) else None
        window = self.holding(where) if isinstance(where, Region) else where
        patch = self.patch(window)
        wanted = tiles_of(patch.window if region is None else window, PITCH_MM, region)
        # places at the rim of a window asked for as a whole lack what is beyond it
        whose = (body, None if region is not None else patch.window)
        key = (body, patch.window, tuple(wanted))
        if key in self._places:
            self._places[key] = self._places.pop(key)
            return self._places[key]
        known = self._tiles.setdefault(whose, {})
        missing = [t for t in wanted if t not in known]
        if missing:
            known |= judge_tiles(
                self.terrain,
                patch.survey,
                patch.scene,
                self.permits,
                body,
                self.numbers,
                self._share(patch, body),
                missing,
                self.areas,
            )
        made = join_tiles(patch.survey, body, self.numbers, [known[t] for t in wanted])
        self._places[key] = made
        while len(self._places) > _MOST_KEPT:
            self._places.pop(next(iter(self._places)))
        return made

    def links(
        self,
        places: Places,
        window: Window,
        *,
        climbs: bool = True,
        ladders: bool = True,
        jumps: bool = True,
        leaps: tuple[Disc, float] | None = None,
    ) -> Links:
        """All ways that are not walking among the places of a window, or those of the kinds named; see `find_links`."""
        return find_links(
            self.terrain,
            places,
            self.patch(window).lips,
            self.permits,
            self.numbers,
            climbs=climbs,
            ladders=ladders,
            jumps=jumps,
            leaps=leaps,
            bins=self.bins,
        )

    def stores(self, body: Body, longest: float) -> tuple[LinkStore, LinkStore]:
        """What is known of a body's lines over lips, and of its leaps of at most `longest` mm."""
        return (
            self._stores.setdefault((body, None), LinkStore()),
            self._stores.setdefault((body, longest), LinkStore()),
        )

    def _share(self, patch: Patch, body: Body) -> Shared:
        key = (body, patch.window)
        if key not in self._shared:
            passing, floor = (self._void_discs(patch, r) for r in void_radii(body, self.numbers))
            self._shared[key] = share_for(
                self.terrain, patch.survey, patch.scene, self.permits, body, self.numbers, (passing, floor)
            )
        return self._shared[key]

    def _void_discs(self, patch: Patch, radius: float) -> Voids:
        """Void discs of a window, which bodies on bases of one size share, whatever their height or heading."""
        key = (radius, patch.window)
        if key not in self._voids:
            store = self._void_stores.setdefault(radius, VoidStore(radius, self.numbers))
            self._voids[key] = store.within(patch.scene)
        return self._voids[key]

    def column(self, x: float, y: float) -> Column:
        """Open spaces on the vertical line over a plan point, mm."""
        return column_at(self.bins, x, y)

    def floor_near(self, x: float, y: float, z: float | None) -> tuple[float, int] | None:
        """Floor of a plan point: the one nearest to z, or the highest; (z, terrain face), none where there is none."""
        column = self.column(x, y)
        up = column.face >= 0
        i, j = nearest_column(x, y, PITCH_MM)
        count = int(up.sum())
        shut = self.sealed.holds(np.full(count, i, np.int32), np.full(count, j, np.int32), column.z[up])
        here = [(float(h), int(f)) for h, f in zip(column.z[up][~shut], column.face[up][~shut], strict=True)]
        if not here:
            return None
        if z is None:
            return max(here)
        return min(here, key=lambda found: abs(found[0] - z))

    def _room_above(self, x: float, y: float, z: float) -> float:
        """Height of the next surface over a floor of a plan point, mm; inf under open sky."""
        column = self.column(x, y)
        return float(column.top[int(np.argmin(np.abs(column.z - z)))])

    def stand(self, body: Body, x: float, y: float, z: float | None = None) -> Standing:
        """Judge one exact point: may the body stand there, and if not, what is in the way. Lengths in mm."""
        patch = self.patch(self.around(x, y, body.half_long_mm + 10.0))
        shared = self._share(patch, body)
        found = self._closed_floor(patch, shared, body, x, y, z)
        if found is None:
            nothing = Hindrance(Limit.NO_FLOOR, 0.0, 0.0, (x, y, z or 0.0))
            return Standing(False, False, float("nan"), 0.0, -1, (nothing,))
        level, face = found
        spot = judge_spot(
            self.terrain,
            patch.survey,
            patch.scene,
            self.permits,
            body,
            self.numbers,
            (x, y, level),
            face,
            float("inf") if face < 0 else self._room_above(x, y, level),
            shared,
            self.floors,
        )
        return _standing(spot, body, self.numbers, (x, y, level))

    def _closed_floor(
        self, patch: Patch, shared: Shared, body: Body, x: float, y: float, z: float | None
    ) -> tuple[float, int] | None:
        """Floor of a point as a foot finds it: over a joint, the floor beside it; (z, face or -1)."""
        own = self.floor_near(x, y, z)
        ring = shared.floor_voids.radius
        beside = [
            self.floor_near(x + ring * np.cos(a), y + ring * np.sin(a), z)
            for a in np.linspace(0.0, 2.0 * np.pi, 8, endpoint=False)
        ]
        # nobody comes to stand beside an obstacle on a level with its top
        levels = [
            found[0]
            for found in beside
            if found is not None and not self.permits[self.terrain.face_part[found[1]]] & Permit.CROSS
        ]
        if not levels:
            return own
        level = max(levels) if z is None else min(levels, key=lambda h: abs(h - z))
        if own is not None:
            nearer = level - own[0] if z is None else abs(own[0] - z) - abs(level - z)
            if nearer <= self.numbers.free_step_up_mm:
                return own
        if in_closed_floor(shared.floor_voids, (x, y, level), self.numbers):
            return level, -1
        return own


def _standing(spot: Spot, body: Body, numbers: Numbers, at: tuple[float, float, float]) -> Standing:
    hindrances: list[Hindrance] = []
    if spot.limit != Limit.NONE:
        allowed = {
            Limit.NO_ROOM: body.half_short_mm,
            Limit.SLOPE: numbers.walk_slope,
            Limit.NARROW: body.half_short_mm,
        }.get(spot.limit, 0.0)
        hindrances.append(Hindrance(spot.limit, spot.measured, allowed, spot.where or at, spot.culprit))
    elif spot.stand_limit != Limit.NONE:
        allowed = {Limit.UNEVEN: numbers.uneven_mm, Limit.TILT: numbers.stand_slope}.get(
            spot.stand_limit, 0.0
        )
        hindrances.append(
            Hindrance(spot.stand_limit, spot.stand_measured, allowed, spot.where or at, spot.part)
        )
    elif spot.flags & Place.OVER:
        hindrances.append(Hindrance(Limit.OBSTACLE, 0.0, 0.0, at, spot.zone))
    return Standing(
        stands=bool(spot.flags & Place.STAND),
        passes=bool(spot.flags & Place.PASS),
        z=at[2],
        support=spot.support,
        part=spot.part,
        hindrances=tuple(hindrances),
    )
