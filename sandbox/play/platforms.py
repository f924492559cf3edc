"""Terrain that carries models: who stands on what, platforms that are flown by those who stand on them."""

from __future__ import annotations

import math
from dataclasses import replace

from sandbox.moves.answers import Point
from sandbox.moves.battlefield import Battlefield
from sandbox.moves.carrying import ITEM_HALF
from sandbox.moves.distance import Base
from sandbox.play.events import Event, event
from sandbox.play.state import PieceState, State, changed, number, place, point, with_model
from sandbox.play.table import Table, under
from sandbox.play.words import say
from sandbox.rules.words import Procedure
from sandbox.scene import Fighter
from sandbox.units import inches, mm

CUTTER = "cutter"
"""what is agreed of platforms that are flown: ``cutter``, or ``cutter red``: only that side flies them."""
GEAR = "gear.grav-cutter"
RIDER = "grav-cutter-rider"


def aboard(table: Table, state: State, piece: str) -> tuple[list[str], list[str]]:
    """Models and things that are on a piece. Things that are held go with who holds them."""
    if piece not in state["pieces"]:
        return [], []
    field = table.field(state)
    held = {name for model in state["models"].values() for name in model["holds"]}
    models = list(table.riders(state, piece))
    items = [
        name
        for name, i in state["items"].items()
        if name not in held and under(field, place(i["at"])) == piece
    ]
    return models, items


def cutters(table: Table, state: State, side: str | None = None) -> tuple[str, ...]:
    """The platforms that can be flown, by a side where one is given."""
    if GEAR not in table.pack.rule_ids:
        return ()
    words = (
        [CUTTER, f"{CUTTER} {side}"]
        if side is not None
        else [w for w in state["agreed"] if w.split()[0] == CUTTER]
    )
    return tuple(name for word in words for name in state["agreed"].get(word, ()) if name in state["pieces"])


def steered(table: Table, state: State, who: str) -> str | None:
    """The platform that a model stands on and may fly; None where it has none.

    It has the gear of its own, the platform is its gang's, and it is Standing.
    """
    fighter = table.fighter(who)
    mine = cutters(table, state, fighter.side)
    if not mine or state["models"][who]["out"]:
        return None
    field = table.field(state)
    one = field.fighter(who)
    if one.prone or one.rules.procedure(Procedure.FLIGHT_PLATFORM) is None:
        return None
    on = under(field, one.at)
    return on if on in mine else None


def flown(table: Table, state: State, who: str, cutter: str) -> Battlefield:
    """The battlefield as it is for a model that flies a platform: the platform is its base, and no terrain."""
    scene = table.scene_of(state, cutter)
    low, _, size = _box(table, state, cutter)
    now = state["pieces"][cutter]
    x, y = now["at"][0], now["at"][1]

    def mounted(fighter: Fighter) -> Fighter:
        if fighter.id != who:
            return fighter
        long, short = max(size), min(size)
        turn = now["turn"] if size[0] >= size[1] else now["turn"] + 90.0
        return replace(
            fighter,
            at=(x, y),
            z=low,
            base=(mm(long), mm(short)),
            facing=turn % 360.0,
            tags=(*fighter.tags, RIDER),
        )

    return table.special(state, replace(scene, fighters=tuple(map(mounted, scene.fighters))), cutter)


def _box(table: Table, state: State, piece: str) -> tuple[float, float, tuple[float, float]]:
    """Bottom and top of a piece, and its sizes in plan before it is turned, inches."""
    parts = [part for part in table.field(state).terrain.parts if part.piece == piece]
    low, high = min(inches(p.low_mm) for p in parts), max(inches(p.high_mm) for p in parts)
    own = table.piece(piece)
    if own.sizes and own.shape.value == "cylinder":
        return low, high, (2 * own.sizes[0], 2 * own.sizes[0])
    if own.sizes:
        return low, high, (own.sizes[0], own.sizes[1])
    wide = (
        max(p.bounds_mm[2] - p.bounds_mm[0] for p in parts),
        max(p.bounds_mm[3] - p.bounds_mm[1] for p in parts),
    )
    return low, high, (inches(wide[0]), inches(wide[1]))


def landed(table: Table, state: State, who: str, cutter: str, to: Point) -> State:
    """A state in which a model has flown a platform somewhere: `to`: where the platform's middle is on the ground."""
    low, high, _ = _box(table, state, cutter)
    old = state["pieces"][cutter]
    at = (to[0], to[1], old["at"][2] + to[2] - low)
    moved: PieceState = {**old, "at": point(at)}
    x, y, _ = place(state["models"][who]["at"])
    there = (x + to[0] - old["at"][0], y + to[1] - old["at"][1], to[2] + high - low)
    now = changed(state, pieces={**state["pieces"], cutter: moved})
    for name in aboard(table, state, cutter)[1]:
        ix, iy, _ = place(state["items"][name]["at"])
        along = point((ix + to[0] - old["at"][0], iy + to[1] - old["at"][1], there[2]))
        now = changed(now, items={**now["items"], name: {"at": along}})
    return with_model(now, who, at=point(there))


def taken(table: Table, state: State, field: Battlefield, who: str, to: Point) -> Event | None:
    """Why a model may not end at a place: it is a flown platform that somebody else is on already."""
    on = under(field, to)
    if on is None or on not in cutters(table, state):
        return None
    others = [name for name in aboard(table, state, on)[0] if name != who]
    if not others:
        return None
    return event(table.pack, "refused", who, say("acts", "carries-one", name=others[0], piece=on), GEAR)


def carried(
    state: State, names: list[str], items: list[str], before: Point, after: Point, turn: float
) -> State:
    """A state in which models and things have been carried along by something that moved and turned (degrees)."""
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))

    def there(at: list[float]) -> list[float]:
        x, y = at[0] - before[0], at[1] - before[1]
        return point((after[0] + x * c - y * s, after[1] + x * s + y * c, at[2] + after[2] - before[2]))

    now = state
    for who in names:
        model = now["models"][who]
        now = with_model(now, who, at=there(model["at"]), facing=number((model["facing"] + turn) % 360.0))
    for name in items:
        now = changed(now, items={**now["items"], name: {"at": there(now["items"][name]["at"])}})
    return now


def turned_with(piece: PieceState, before: Point, after: Point, turn: float) -> PieceState:
    """A piece that goes along with something that moved and turned (degrees)."""
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    x, y = piece["at"][0] - before[0], piece["at"][1] - before[1]
    at = (after[0] + x * c - y * s, after[1] + x * s + y * c, piece["at"][2] + after[2] - before[2])
    return {**piece, "at": point(at), "turn": number((piece["turn"] + turn) % 360.0)}


def thing_base(at: Point) -> Base:
    """A thing to carry as a base."""
    return Base(at, ITEM_HALF, ITEM_HALF)
