"""From a state to the battlefield that it is: the scene with everybody where they are now.

Battlefields of one game share what did not change: terrain, its collision world and its ground stay as long as the
pieces do.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from sandbox.errors import UserError
from sandbox.files.mistakes import suggestion
from sandbox.kinds import DOORS, Kind
from sandbox.moves.answers import Point
from sandbox.moves.battlefield import Battlefield
from sandbox.play.naming import Names
from sandbox.play.state import FORMAT, ModelState, State, begin, canonical, number, place, point
from sandbox.rules import Pack
from sandbox.rules.words import Posture
from sandbox.scene import Anchor, Fighter, Item, Piece, Scene, Shape
from sandbox.terrain.build import build_terrain, stand_piece
from sandbox.units import MM_PER_INCH, inches, mm

V = TypeVar("V")

HELD = "treasure"
"""gear that a model has while it holds a thing, where the pack knows such gear."""
THRESHOLD = 1.0 / MM_PER_INCH
"""inches: what an open door leaves above the floor."""
LEAF = 50.0 / MM_PER_INCH
"""inches: the least height of a door that was closed."""
_ON = 0.05
"""inches: how near its top something is that lies or stands on a piece."""
_BOARDS = 4
"""terrains that are kept."""
_FIELDS = 6
"""battlefields that are kept."""
_PLACES = ("models", "items", "pieces")
"""what of a state a battlefield depends on."""


class Table:
    """What never changes in a game, and the battlefields that its states are."""

    def __init__(self, battlefield: Battlefield) -> None:
        """battlefield: as the game begins; its scene and its rules stay."""
        self.first = battlefield
        self.scene: Scene = battlefield.scene
        self.pack: Pack = battlefield.pack
        self.names = Names(battlefield.scene)
        self._fighters = {one.id: one for one in self.scene.fighters}
        self._items = {one.id: one for one in self.scene.items}
        self._pieces = {one.id: one for one in self.scene.terrain}
        self._hulls = {
            one.id: _hull(one, battlefield.fighter(one.id).height)
            for one in self.scene.fighters
            if one.id not in self._pieces and self.is_vehicle(one.id)
        }
        self._boards: OrderedDict[str, Battlefield] = OrderedDict()
        self._fields: OrderedDict[str, Battlefield] = OrderedDict()
        first = {p.id: _piece_state(p) for p in self.scene.terrain}
        self._boards[canonical(first)] = battlefield
        self._first_key = canonical(first)

    @classmethod
    def load(cls, path: str | Path, rules: str | Path | None = None, **more: Any) -> Table:
        """The table of a scene file; arguments as `sandbox.load` has them. UserError for what is wrong."""
        return cls(Battlefield.load(path, rules, **more))

    def begin(self, *, strict: bool = True, declare: bool | None = None) -> State:
        """The state before the first order; see `sandbox.play.state.begin`."""
        state = begin(self.first, strict=strict, declare=declare)
        for who, model in state["models"].items():
            if who in state["pieces"] and self.is_vehicle(who):
                # it stands where its hull does, not on top of it
                model["at"][2] = state["pieces"][who]["at"][2]
        return state

    # -- names -------------------------------------------------------------------------------------------------

    def fighter(self, who: str) -> Fighter:
        """The fighter of the scene. UserError that lists those there are."""
        return _known(self._fighters, who, "fighter")

    def item(self, name: str) -> Item:
        """The thing of the scene. UserError that lists those there are."""
        return _known(self._items, name, "thing")

    def piece(self, name: str) -> Piece:
        """The piece of the scene. UserError that lists those there are."""
        return _known({**self._pieces, **self._hulls}, name, "piece")

    # -- battlefields ------------------------------------------------------------------------------------------

    def field(self, state: State, asking: str | None = None) -> Battlefield:
        """The battlefield of a state. asking: a vehicle that moves: its own hull is no terrain to it.

        UserError where the state is of another format.
        """
        if state["format"] != FORMAT:
            raise UserError(f"a game of format {state['format']} cannot be read; this is format {FORMAT}")
        hull = asking if asking in state["pieces"] else None
        key = f"{canonical({k: v for k, v in state.items() if k in _PLACES})}|{hull}"
        if key not in self._fields:
            self._fields[key] = self._made(state, hull)
            while len(self._fields) > _FIELDS:
                self._fields.popitem(last=False)
        self._fields.move_to_end(key)
        return self._fields[key]

    def scene_of(self, state: State, hull: str | None = None, without: Collection[str] = ()) -> Scene:
        """The scene of a state: pieces that are there, models and things where they are.

        hull: a piece that is left out, because it is what moves; without: models that are left out.
        """
        known = (*self.scene.terrain, *self._hulls.values())
        pieces = tuple(_piece_now(p, state) for p in known if p.id in state["pieces"] and p.id != hull)
        fighters = tuple(
            self._fighter_now(f, state["models"][f.id])
            for f in self.scene.fighters
            if not state["models"][f.id]["out"]
            and f.id not in without
            and (f.id == hull or not self._is_hull(state, f.id))
        )
        items = tuple(_item_now(i, state) for i in self.scene.items if i.id in state["items"])
        return replace(self.scene, terrain=pieces, fighters=fighters, items=items)

    def _fighter_now(self, fighter: Fighter, now: ModelState) -> Fighter:
        x, y, z = place(now["at"])
        gear = fighter.gear
        if now["holds"] and HELD in self.pack.file.gear and HELD not in gear:
            gear = (*gear, HELD)
        return replace(
            fighter, at=(x, y), z=z, facing=now["facing"], status=", ".join(now["statuses"]), gear=gear
        )

    def special(self, state: State, scene: Scene, hull: str | None) -> Battlefield:
        """A battlefield that is a little different from the state's own: `scene_of` with other fighters. Not kept."""
        return self._over(state, scene, hull)

    def _made(self, state: State, hull: str | None) -> Battlefield:
        return self._over(state, self.scene_of(state, hull, self.riders(state, hull)), hull)

    def _is_hull(self, state: State, who: str) -> bool:
        """Whether a model is a vehicle that is a piece of terrain to all others."""
        return who in state["pieces"] and self.is_vehicle(who)

    def riders(self, state: State, hull: str | None) -> tuple[str, ...]:
        """Models that stand on a piece: nobody that it meets when it moves."""
        if hull is None:
            return ()
        field = self.field(state)
        models = ((who, m) for who, m in state["models"].items() if who != hull and not m["out"])
        return tuple(who for who, m in models if under(field, place(m["at"])) == hull)

    def choices(self, state: State) -> dict[str, tuple[str, ...]]:
        """Enemy vehicles that are terrain to others and near enough to be engaged by choice, by fighter."""
        found: dict[str, list[str]] = {}
        for hull in state["pieces"]:
            if hull in self._fighters and self._is_hull(state, hull):
                for one in self.field(state, hull).settled.engaged:
                    if one.chosen and one.enemy == hull:
                        found.setdefault(one.who, []).append(hull)
        return {who: tuple(names) for who, names in found.items()}

    def _over(self, state: State, scene: Scene, hull: str | None) -> Battlefield:
        return self._board(state, scene, hull).placed(scene)

    def _board(self, state: State, scene: Scene, hull: str | None) -> Battlefield:
        """A battlefield on the pieces that are there, whose terrain, ground and world all on the same ones share."""
        key = canonical({name: one for name, one in state["pieces"].items() if name != hull})
        if key not in self._boards:
            # of the board played on last only what changed is built anew
            last = next(reversed(self._boards.values()), None)
            self._boards[key] = Battlefield(
                scene, self.pack, build_terrain(scene), strict=False, earlier=last
            )
            while len(self._boards) > _BOARDS:
                oldest = next(k for k in self._boards if k not in (self._first_key, key))
                self._close(self._boards.pop(oldest))
        self._boards.move_to_end(key)
        return self._boards[key]

    def _close(self, board: Battlefield) -> None:
        """A collision world that no battlefield needs any more."""
        for key in [key for key, made in self._fields.items() if made.opening is board.opening]:
            del self._fields[key]
        board.opening.close()

    # -- statuses ----------------------------------------------------------------------------------------------

    def written(self, who: str, statuses: Sequence[str], holds: Sequence[str] = ()) -> list[str]:
        """Statuses without those that what a model carries gives it."""
        fighter = self.fighter(who)
        gear = [*fighter.gear, *([HELD] if holds else [])]
        given = {
            s for name in gear if name in self.pack.file.gear for s in self.pack.file.gear[name].gives_status
        }
        own = set(self.pack.status_ids(fighter.status)) if not given else set()
        return [s for s in statuses if s not in given or s in own]

    def is_vehicle(self, who: str) -> bool:
        """Whether a model is a vehicle, by its tags or its status."""
        fighter = self.fighter(who)
        if any(word.lower().startswith("vehicle") for word in fighter.tags):
            return True
        try:
            first = self.pack.status_ids(fighter.status)[0]
        except UserError:
            return False
        return self.pack.status(first).posture is Posture.VEHICLE


def under(field: Battlefield, at: Point) -> str | None:
    """The piece that a model at a place stands on; None: on nothing, or on the table."""
    found = field.ground.plain.floor_near(mm(at[0]), mm(at[1]), mm(at[2]))
    if found is None or abs(inches(found[0]) - at[2]) > _ON:
        return None
    ground = field.ground.plain.stand(field.body(10.0, 0.5, 0.0), mm(at[0]), mm(at[1]), mm(at[2]))
    return field.terrain.parts[ground.part].piece if ground.part >= 0 else None


def _known(table: dict[str, V], name: str, what: str) -> V:
    if name not in table:
        raise UserError(f"there is no {what} {name!r}; {suggestion(name, list(table))}")
    return table[name]


def _piece_state(piece: Piece) -> dict[str, Any]:
    return {"at": point(piece.at), "turn": number(piece.turn), "kind": piece.kind.value}


def _hull(fighter: Fighter, height: float) -> Piece:
    """The block that stands for a vehicle without a model of its own, once it is terrain."""
    long, short = fighter.base
    size = (long / MM_PER_INCH, short / MM_PER_INCH, height)
    at = (*fighter.at, fighter.z or 0.0)
    return Piece(fighter.id, Shape.BOX, sizes=size, at=at, turn=fighter.facing, kind=Kind.VEHICLE)


def _piece_now(piece: Piece, state: State) -> Piece:
    """A piece where and what it is now; as written where nothing changed, to the last digit."""
    now = state["pieces"][piece.id]
    if now == _piece_state(piece):
        return piece
    kind = Kind(now["kind"])
    moved = replace(piece, at=place(now["at"]), turn=now["turn"])
    if kind is piece.kind:
        return moved
    return _door_now(moved, kind) if kind in DOORS else replace(moved, kind=kind)


def _door_now(piece: Piece, kind: Kind) -> Piece:
    """A door that was opened is a threshold in the floor; one that was closed is solid up to its head.

    UserError where the piece is more than a door.
    """
    standing = stand_piece(piece)
    if {k for k in standing.kinds} - set(DOORS):
        raise UserError(f"{piece.id} is more than a door; take it off the board or put it back instead")
    low, high = standing.vertices.min(axis=0), standing.vertices.max(axis=0)
    size = (high - low) / MM_PER_INCH
    middle = (low + high)[:2] / 2 / MM_PER_INCH
    turn = math.radians(piece.turn)
    x = piece.at[0] + middle[0] * math.cos(turn) - middle[1] * math.sin(turn)
    y = piece.at[1] + middle[0] * math.sin(turn) + middle[1] * math.cos(turn)
    height = THRESHOLD if kind is Kind.DOOR_OPEN else max(float(size[2]), LEAF)
    return replace(
        piece, shape=Shape.BOX, model=None, model_name="", sizes=(float(size[0]), float(size[1]), height),
        at=(float(x), float(y), piece.at[2]), anchor=Anchor.CENTRE, tilt=(0.0, 0.0), scale=1.0,
        kind=kind, parts=(), marks=(),
    )  # fmt: skip


def _item_now(item: Item, state: State) -> Item:
    x, y, z = place(state["items"][item.id]["at"])
    return replace(item, at=(x, y), z=z)
