"""A battlefield: the scene, its terrain, the rules, and the questions that can be asked about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from sandbox.errors import UserError
from sandbox.ground.model import Body
from sandbox.moves import asking, falling_straight, odds, standing, status
from sandbox.moves.answers import Fall, LegalMoves, Move, Point, Stand
from sandbox.moves.distance import Measuring
from sandbox.moves.groundwork import Groundwork
from sandbox.moves.odds_tree import Tree
from sandbox.moves.placed import CONTACT, Placed, base_of, overlapping
from sandbox.moves.roles import Roles, roles
from sandbox.moves.words import sentence
from sandbox.physics.model import CollisionWorld
from sandbox.physics.world import Opening
from sandbox.rules import FighterRules, Pack, load_pack
from sandbox.scene import Fighter, Scene, open_scene
from sandbox.terrain.build import build_terrain
from sandbox.terrain.model import Terrain
from sandbox.units import mm

_NAMED = 3
"""most fighters that one warning names."""
FAR_FLOOR = 0.5
"""inches; a fighter whose floor lies farther than this from the height written for it gets a warning."""
_OF_THE_BOARD = ("opening", "measuring", "roles")
"""what battlefields on the same pieces share, besides terrain and ground; the first under any rules."""


class Battlefield:
    """What can be asked. Everything is worked out when it is first needed and then kept; nothing changes."""

    def __init__(
        self,
        scene: Scene,
        pack: Pack,
        terrain: Terrain,
        *,
        strict: bool = True,
        earlier: Battlefield | None = None,
    ) -> None:
        """strict: names that the pack does not know (skills, statuses) are a UserError, else they are left out.

        earlier: one whose terrain differs in some pieces; its ground far from those is used again.
        """
        self.scene = scene
        self.pack = pack
        self.terrain = terrain
        self._strict = strict
        before = None if earlier is None else earlier.ground
        self.ground: Groundwork = Groundwork(scene, terrain, pack, before)
        for fighter in scene.fighters:
            self.rules_of(fighter)

    @classmethod
    def load(
        cls,
        path: str | Path,
        rules: str | Path | None = None,
        settings: Mapping[str, Any] | None = None,
        scene: Scene | None = None,
    ) -> Battlefield:
        """The battlefield of a scene file, or of a model that lies alone.

        rules: another pack than the scene's own, by id or path. settings: other values for constants of the pack.
        scene: what that file holds, where somebody read it already. UserError, one line, for whatever is wrong.
        """
        if scene is None:
            scene = open_scene(path)
        pack = _own_pack(scene) if rules is None else load_pack(rules)
        pack = pack.with_settings(settings or {})
        return cls(scene, pack, build_terrain(scene), strict=rules is None)

    def under(self, pack: Pack) -> Battlefield:
        """The same battlefield under another pack; what that one does not know of its fighters is left out."""
        other = Battlefield(self.scene, pack, self.terrain, strict=False)
        other.go_on_from(self, ground=False)
        return other

    def placed(self, scene: Scene) -> Battlefield:
        """The same board with other fighters, or the same ones elsewhere; terrain, ground and collision world are
        shared. scene: like its own but for `fighters` and `items`."""
        other = Battlefield(scene, self.pack, self.terrain, strict=False)
        other.go_on_from(self, ground=True)
        return other

    def go_on_from(self, earlier: Battlefield, *, ground: bool) -> None:
        """Share the collision world of a battlefield on the same terrain.

        ground: the rules and the scene's areas are the same too, so that all that is known of the board is shared.
        """
        if ground:
            self.ground = earlier.ground
        for name in _OF_THE_BOARD if ground else _OF_THE_BOARD[:1]:
            self.__dict__[name] = getattr(earlier, name)

    def with_fighter_at(self, fighter_id: str, at: Point) -> Battlefield:
        """The same board with one fighter at another place, inches."""
        fighters = tuple(
            replace(one, at=(at[0], at[1]), z=at[2]) if one.id == fighter_id else one
            for one in self.scene.fighters
        )
        return self.placed(replace(self.scene, fighters=fighters))

    @property
    def name(self) -> str:
        """The scene's name."""
        return self.scene.name

    # -- what stands on it -------------------------------------------------------------------------------------

    @cached_property
    def fighters(self) -> tuple[Placed, ...]:
        """All fighters as they stand, in the order of the scene, with the statuses that follow from it."""
        return self.settled.placed

    @cached_property
    def settled(self) -> status.Settled:
        """Statuses and engagements, as they follow from where everybody is."""
        return status.settle(self, [self._place(f) for f in self.scene.fighters])

    def fighter(self, fighter_id: str) -> Placed:
        """The fighter of that id; UserError that lists those there are."""
        self.scene.fighter(fighter_id)
        return next(p for p in self.fighters if p.id == fighter_id)

    def rules_of(
        self, fighter: Fighter, statuses: tuple[str, ...] | None = None, *, engaged: bool = False
    ) -> FighterRules:
        """The rules for a fighter; statuses: other ones than the scene gives it.

        UserError with the fighter's line where the pack does not know what it has.
        """
        try:
            return self.pack.for_fighter(
                fighter.profile,
                fighter.skills,
                fighter.gear,
                fighter.tags,
                fighter.status if statuses is None else statuses,
                engaged=engaged,
                strict=self._strict,
            )
        except UserError as error:
            raise self.scene.error(error.message, fighter.loc) from None

    def _place(self, fighter: Fighter) -> Placed:
        rules = self.rules_of(fighter)
        height = rules.height if fighter.height is None else fighter.height
        z = self.ground.floor_at(*fighter.at, fighter.z)
        base = base_of(fighter, (fighter.z or 0.0) if z is None else z)
        if z is None:
            return Placed(fighter, base, height, rules, problem=sentence("warnings", "over-nothing"))
        return Placed(fighter, base, height, rules)

    def with_status(self, one: Placed, statuses: tuple[str, ...]) -> Placed:
        """The same model in other statuses, engaged with nobody."""
        rules = self.rules_of(one.fighter, statuses)
        height = rules.height if one.fighter.height is None else one.fighter.height
        return replace(one, rules=rules, height=height, engaged_with=())

    @cached_property
    def problems(self) -> dict[str, str]:
        """Fighters that stand where nobody can, and why, by id."""
        found: dict[str, str] = {}
        for one in self.fighters:
            why = one.problem or self._overlap(one) or standing.trouble(self, one)
            if why is not None:
                found[one.id] = why
        return found

    def _overlap(self, one: Placed) -> str | None:
        for other in self.fighters:
            if other.id != one.id and overlapping(one.base, other.base, one.height, other.height) > CONTACT:
                return sentence("warnings", "overlap", name=other.id)
        return None

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """What can be read but not played, and what the loader noticed, one sentence each."""
        told = [f"{one.id} {self.problems[one.id]}" for one in self.fighters if one.id in self.problems]
        told += [
            f"{one.id} {sentence('warnings', 'other-floor', z=one.at[2], written=one.fighter.z)}"
            for one in self.fighters
            if one.id not in self.problems
            and one.fighter.z is not None
            and abs(one.at[2] - one.fighter.z) > FAR_FLOOR
        ]
        unknown: dict[str, list[str]] = {}
        for one in self.fighters:
            for name in one.rules.ignored:
                unknown.setdefault(name, []).append(one.id)
        told += [
            sentence("warnings", "not-known", name=name, pack=self.pack.id, who=_few(ids))
            for name, ids in unknown.items()
        ]
        told += [f"{change.who} {change.text}" for change in self.settled.changes]
        told += [f"{note.piece}: {note.text}" for note in self.terrain.notes if note.warning]
        return tuple(told)

    # -- what it is made of ------------------------------------------------------------------------------------

    @cached_property
    def opening(self) -> Opening:
        """The collision world, to hand on to who may never need it."""
        return Opening(self.terrain)

    @property
    def world(self) -> CollisionWorld:
        """The collision world, opened when it is first asked."""
        return self.opening.world

    @cached_property
    def measuring(self) -> Measuring:
        """Measuring between models."""
        return Measuring(self.opening, self.roles.through)

    @cached_property
    def roles(self) -> Roles:
        """What parts count as, for a model without anything special."""
        return roles(self.terrain, self.scene, self.pack)

    def start_of(self, one: Placed) -> Point:
        """Where a fighter's move starts: its place; where that is a hair inside something, just beside it."""
        return standing.start(self, one)

    # -- questions ---------------------------------------------------------------------------------------------

    def moves(self, fighter_id: str, action: str = "move", target: str | None = None) -> LegalMoves:
        """What a fighter can do with an action; an action it may not take is a ruling. UserError: no such fighter."""
        return asking.ask(self, self.fighter(fighter_id), action, target)

    def stand(
        self,
        x: float,
        y: float,
        z: float | None = None,
        base: float | tuple[float, float] = 32.0,
        height: float | None = None,
        facing: float = 0.0,
    ) -> Stand:
        """Whether a base (mm; two axes: an oval) of a body that high (inches) stands at (x, y), inches.

        z: the floor nearest to it; none: the highest floor there.
        """
        return standing.stand(self, (x, y), z, self.body(base, height, facing))

    def fall(
        self, x: float, y: float, z: float | None = None, base: float | tuple[float, float] = 32.0
    ) -> Fall:
        """What happens to a base (mm) that loses its footing at (x, y, z), inches."""
        return standing.fall(self, (x, y), z, self.body(base, None, 0.0))

    def status(self, fighter_id: str) -> status.Status:
        """The status of a fighter, what it may do and what that stops. UserError: no such fighter."""
        return status.status(self, self.fighter(fighter_id))

    def becomes(self, fighter_id: str, status_id: str) -> Tree:
        """What can happen when a fighter gets a status (``pinned``, ``dazed``) where it is: a tree with chances."""
        return status.becomes(self, self.fighter(fighter_id), status_id)

    def falls(self, fighter_id: str) -> Tree:
        """What can happen when a fighter loses its footing where it is: a tree with chances."""
        return status.falls(self, self.fighter(fighter_id))

    def odds(self, move: Move) -> Tree:
        """What can happen on a move that this battlefield answered with: a tree with chances."""
        return odds.odds(self, move)

    def directly(
        self, fighter_id: str, other_id: str, distance: float, *, away: bool = False
    ) -> falling_straight.Straight:
        """Where a fighter ends that is moved so many inches directly towards another, or away from it.

        Along the line of the two centres; solid terrain, a lip and contact with a model stop it. UserError: no such
        fighters, or no line between them.
        """
        one, other = self.fighter(fighter_id), self.fighter(other_id)
        return falling_straight.straight(self, one, other, distance, away=away)

    def stops(self, move: Move) -> Point | None:
        """Where a declared move ends that proves too long: as far along its way as the model gets and can stand.

        None where no way was found; the place itself where the move is legal.
        """
        return odds.stops(self, move)

    def body(self, base: float | tuple[float, float], height: float | None, facing: float) -> Body:
        """A body from a base in mm and a height in inches (the pack's standing height where none is given).

        base: a diameter, or the longer axis and the shorter. facing: degrees. UserError for impossible sizes.
        """
        long, short = (base, base) if isinstance(base, int | float) else base
        if not (0.0 < short <= long <= 1000.0):
            raise UserError(
                f"a base of {long:g} x {short:g} mm cannot be; give a diameter, or the longer axis first"
            )
        tall = self.pack.movement.standing_height if height is None else height
        if not 0.0 < tall <= 100.0:
            raise UserError(f"a height of {tall:g} in cannot be")
        return Body(long / 2, short / 2, mm(tall), facing)

    def body_of(self, one: Placed, height: float | None = None) -> Body:
        """The body of a fighter; height in inches where it is not its own."""
        return Body(
            mm(one.base.half_long), mm(one.base.half_short), mm(height or one.height), one.base.facing
        )


def _few(ids: list[str]) -> str:
    """Some fighters in words: their names, the rest of many as a number."""
    if len(ids) <= _NAMED:
        return ", ".join(ids)
    return f"{', '.join(ids[:_NAMED])} and {len(ids) - _NAMED} more"


def _own_pack(scene: Scene) -> Pack:
    """The pack that a scene names; where there is none, the mistake is in the scene's line."""
    try:
        return load_pack(scene.rules, relative_to=scene.path.parent)
    except UserError as error:
        if error.file is not None:  # the pack file itself is wrong, and says where
            raise
        raise scene.error(error.message, ("rules",)) from None


def load(
    path: str | Path, rules: str | Path | None = None, settings: Mapping[str, Any] | None = None
) -> Battlefield:
    """The battlefield of a scene file: `Battlefield.load`."""
    return Battlefield.load(path, rules, settings)
