"""The grounds of one battlefield: one per set of numbers and permits, because skills may change both."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property

from sandbox.ground.change import Remains
from sandbox.ground.ground import Ground
from sandbox.ground.link_finder import LinkFinder
from sandbox.ground.model import Links, Numbers, Permit, Places, Window
from sandbox.ground.region import Region
from sandbox.moves.roles import Roles, numbers, roles
from sandbox.rules import FighterRules, MovementRules, Pack
from sandbox.rules.words import Allow
from sandbox.rules.words import Ground as GroundKind
from sandbox.scene import Scene
from sandbox.terrain.model import Terrain
from sandbox.units import inches, mm

_MOST_KEPT = 12
"""questions whose links are kept."""


class Groundwork:
    """Roles and grounds, made when they are first needed and shared by all models for which they are the same."""

    def __init__(self, scene: Scene, terrain: Terrain, pack: Pack, earlier: Groundwork | None = None) -> None:
        """All three stay as they are.

        earlier: that of a terrain of which this one is a later state; what was built far from what changed is taken over.
        """
        self._scene = scene
        self._terrain = terrain
        self._pack = pack
        self._roles: dict[tuple[frozenset[Allow], frozenset[GroundKind]], Roles] = {}
        self._finders: dict[Hashable, tuple[Places, LinkFinder]] = {}
        self._grounds: dict[tuple[Numbers, tuple[Permit, ...]], Ground] = {}
        self._like: dict[Hashable, Ground] = {}
        self._before: dict[Hashable, Remains] = {}
        if earlier is not None:
            left = {like: ground.remains for like, ground in earlier._like.items()}
            self._before = earlier._before | left

    def roles(self, rules: FighterRules | None = None) -> Roles:
        """What the parts count as for a model (None: one without anything special)."""
        key = (frozenset(), frozenset()) if rules is None else (rules.forbidden, rules.ignores)
        if key not in self._roles:
            forbidden, ignores = key
            self._roles[key] = roles(
                self._terrain, self._scene, self._pack, forbidden=forbidden, ignores=ignores
            )
        return self._roles[key]

    def ground(self, rules: FighterRules | None = None) -> Ground:
        """The ground that a model moves over (None: one without anything special)."""
        found = self.roles(rules)
        movement: MovementRules = self._pack.movement if rules is None else rules.movement
        key = (numbers(movement), found.permits)
        if key not in self._grounds:
            # whom it is made for tells it apart, since parts and so permits may have changed
            like = (key[0], None) if rules is None else (key[0], rules.forbidden, rules.ignores)
            made = Ground(self._terrain, found.permits, key[0], found.areas, self._before.pop(like, None))
            self._grounds[key] = self._like[like] = made
        return self._grounds[key]

    @cached_property
    def plain(self) -> Ground:
        """The ground of a model without anything special."""
        return self.ground()

    def finder(
        self, ground: Ground, places: Places, window: Window, region: Region, longest: float
    ) -> LinkFinder:
        """What looks for the ways of a body that are not walking, within reach; kept with what it has found.

        places: of the ground in a window, as far as the body gets; region: where it gets; longest: its longest leap,
        inches.
        """
        key = (id(places), region, longest)
        if key not in self._finders:
            self._finders[key] = (
                places,
                LinkFinder(
                    ground.terrain,
                    places,
                    ground.patch(window).lips,
                    ground.permits,
                    ground.numbers,
                    within=region,
                    longest=mm(longest),
                    bins=ground.bins,
                    stores=ground.stores(places.body, mm(longest)),
                ),
            )
            while len(self._finders) > _MOST_KEPT:
                self._finders.pop(next(iter(self._finders)))
        return self._finders[key][1]

    def links(self, ground: Ground, places: Places, window: Window, longest: float) -> Links:
        """All ways of a body that are not walking among the places of a whole window; longest leap: inches."""
        x, y = places.x0 + places.nx * places.pitch / 2, places.y0 + places.ny * places.pitch / 2
        leaps = ((x, y, 1e6), mm(longest)) if longest > 0.0 else None
        return ground.links(places, window, leaps=leaps)

    def floor_at(self, x: float, y: float, z: float | None) -> float | None:
        """Height of the floor at (x, y): the one nearest to z, or the highest; inches, None where there is none."""
        ceiling = self._scene.board.ceiling
        if z is None and ceiling is not None:
            # The top of the ceiling is no floor of the board.
            column = self.plain.column(mm(x), mm(y))
            low = [float(h) for h, f in zip(column.z, column.face, strict=True) if f >= 0 and h < mm(ceiling)]
            return inches(max(low)) if low else None
        found = self.plain.floor_near(mm(x), mm(y), None if z is None else mm(z))
        return None if found is None else inches(found[0])
