"""The state of a game: plain JSON, so that it can be kept, sent and compared as it is.

A state names everything that can change: turn, activation, models, things, and the pieces of terrain that are there.
What never changes (meshes, bases, profiles, the rules) is in the scene and the pack. States are never changed in place.

Lengths are in inches, angles in degrees.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from typing import Any, cast

from typing_extensions import TypedDict

from sandbox.moves.answers import Json, Point
from sandbox.moves.battlefield import Battlefield

FORMAT = 1
"""what `State.format` holds; a game of another one is refused."""
DIGITS = 5
"""digits of an inch, and of a degree, that a state keeps."""


class ModelState(TypedDict):
    """One model."""

    at: list[float]
    """x, y, z of the centre of its base, inches."""
    facing: float
    """degrees from east."""
    statuses: list[str]
    """its status and what lies over it, without what follows from where everybody is."""
    out: bool
    """out of the game; `at` is where it was last."""
    wounds_lost: int
    holds: list[str]
    """ids of the things that it carries."""


class ItemState(TypedDict):
    """One thing to carry."""

    at: list[float]
    """x, y, z, inches."""


class PieceState(TypedDict):
    """One piece of terrain that is there."""

    at: list[float]
    """x, y and height of its bottom, as in a scene, inches."""
    turn: float
    """degrees about z."""
    kind: str


class OpenEvent(TypedDict):
    """Something that the documents leave to the players, waiting for what they say."""

    id: int
    who: str
    what: str
    """hit, wound, event, control ..."""
    text: str
    rule: str


class State(TypedDict):
    """A whole game at one moment."""

    format: int
    rules: str
    """id of the pack."""
    turn: int
    strict: bool
    """activations and actions are counted; else anybody does anything at any time."""
    declare: bool
    """actions are declared before anything is measured."""
    active: str | None
    """whose activation it is."""
    spent: int
    """actions used up in it."""
    done: list[str]
    """what was done in it, in order: actions, and `once` things that are used up."""
    activated: list[str]
    """who has had an activation this turn."""
    acted: dict[str, list[str]]
    """for packs with phases: what each model has done this turn."""
    models: dict[str, ModelState]
    items: dict[str, ItemState]
    pieces: dict[str, PieceState]
    agreed: dict[str, list[str]]
    """what the players agreed on, by word: ``flimsy``: pieces, ``transport``: things and models that are held safely."""
    open: list[OpenEvent]
    next: int
    """id of the next open event."""


def begin(field: Battlefield, *, strict: bool = True, declare: bool | None = None) -> State:
    """The state of a battlefield before the first order. declare: None: as the pack says."""
    models: dict[str, ModelState] = {}
    for one in field.fighters:
        models[one.id] = {
            "at": point(one.at),
            "facing": number(one.base.facing),
            "statuses": written_statuses(one.rules.statuses),
            "out": False,
            "wounds_lost": 0,
            "holds": [],
        }
    items: dict[str, ItemState] = {}
    for item in field.scene.items:
        z = field.ground.floor_at(*item.at, item.z)
        items[item.id] = {"at": point((*item.at, item.z or 0.0 if z is None else z))}
    return {
        "format": FORMAT,
        "rules": field.pack.id,
        "turn": 1,
        "strict": strict,
        "declare": field.pack.movement.declare_first if declare is None else declare,
        "active": None,
        "spent": 0,
        "done": [],
        "activated": [],
        "acted": {},
        "models": models,
        "items": items,
        "pieces": {
            piece.id: {"at": point(piece.at), "turn": number(piece.turn), "kind": piece.kind.value}
            for piece in field.scene.terrain
        },
        "agreed": {},
        "open": [],
        "next": 1,
    }


def number(value: float) -> float:
    """A number as a state keeps it."""
    return round(float(value), DIGITS) + 0.0


def point(at: Point) -> list[float]:
    """A place as a state keeps it."""
    return [number(v) for v in at]


def place(at: list[float]) -> Point:
    """A place out of a state."""
    x, y, z = at
    return (x, y, z)


def written_statuses(statuses: tuple[str, ...]) -> list[str]:
    """Statuses in the order in which a pack gives them."""
    return list(statuses)


def copied(state: State) -> State:
    """A copy that may be filled in before anybody sees it."""
    return copy.deepcopy(state)


def with_model(state: State, who: str, **values: Any) -> State:
    """A state with one model changed."""
    models = {**state["models"], who: cast(ModelState, {**state["models"][who], **values})}
    return cast(State, {**state, "models": models})


def changed(state: State, **values: Any) -> State:
    """A state with other values at the top."""
    return cast(State, {**state, **values})


def same(a: State, b: State) -> bool:
    """Whether two states are the same, to the last digit."""
    return canonical(a) == canonical(b)


def canonical(value: Mapping[str, Any]) -> str:
    """A state, or an order, as one line of JSON, always the same for the same."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def to_json(state: State) -> Json:
    """The state as a JSON object (it is one already)."""
    return cast(Json, state)
