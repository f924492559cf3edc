"""What players may order: a closed list of verbs, each a small JSON object."""

from __future__ import annotations

from enum import StrEnum
from typing import TypedDict

from sandbox.errors import UserError
from sandbox.files.mistakes import suggestion


class Do(StrEnum):
    """The verbs."""

    ACTIVATE = "activate"
    """`who` begins its activation."""
    ACT = "act"
    """`who` takes `action`, aimed at `target`, to `to`, ending with `facing`; `on` false: it leaves what it could fly."""
    END = "end"
    """the activation ends."""
    TURN = "turn"
    """the turn ends; `side`: that side's turn only."""
    STATUS = "status"
    """`who` gets `status`; `rule`: what gives it."""
    RECOVER = "recover"
    """`who` recovers from what it can recover from."""
    PUSH = "push"
    """`who` is moved against its will: `how` (knockback, drag, hurl), `by` somebody, with `strength`, or so many
    `inches`."""
    DIRECTLY = "directly"
    """`who` is moved so many `inches` directly towards `by`, or (`on` false) away from it."""
    DRIVE = "drive"
    """a vehicle `who` drives along `path`; `inches`: its allowance, where its players know another than M."""
    SHOVE = "shove"
    """a vehicle `who` is moved by a collision, so many `inches` towards `facing`."""
    CONSOLIDATE = "consolidate"
    """`who` moves up to `inches` after a fight, to `to`, through the ductway `target` where it may."""
    TAKE = "take"
    """`who` takes the thing `item`."""
    DROP = "drop"
    """`who` lets go of the thing `item`."""
    RESOLVE = "resolve"
    """the players say what came of the open event `event`: `status`, `out`, `wounds`, or nothing."""
    PLACE = "place"
    """`who` is put `to` somewhere by the players, `facing`."""
    FACE = "face"
    """`who` turns to `facing`."""
    OUT = "out"
    """`who` is out of the game."""
    REMOVE = "remove"
    """the piece `piece` is taken off the board."""
    RESTORE = "restore"
    """the piece `piece` is put back where the scene has it."""
    SHIFT = "shift"
    """the piece `piece` is put `to` somewhere, turned to `facing`."""
    AGREE = "agree"
    """the players agree that `names` are `word` (flimsy, transport, cutter; of a `side`), or not any more."""
    DECLARE = "declare"
    """declaring first is switched `on` or off."""
    NOTE = "note"
    """`text` is written into the log."""


class Order(TypedDict, total=False):
    """One order. `do` is always there."""

    do: str
    who: str
    action: str
    target: str
    to: list[float]
    """x, y and perhaps z, inches."""
    facing: float
    side: str
    status: str
    rule: str
    how: str
    by: str
    strength: int
    inches: float
    path: list[list[float]]
    item: str
    event: int
    out: bool
    wounds: int
    piece: str
    word: str
    names: list[str]
    on: bool
    text: str


NEEDS: dict[Do, tuple[str, ...]] = {
    Do.ACTIVATE: ("who",),
    Do.ACT: ("who", "action"),
    Do.STATUS: ("who", "status"),
    Do.RECOVER: ("who",),
    Do.PUSH: ("who", "how", "by"),
    Do.DIRECTLY: ("who", "by", "inches"),
    Do.DRIVE: ("who", "path"),
    Do.SHOVE: ("who", "inches", "facing"),
    Do.CONSOLIDATE: ("who", "to", "inches"),
    Do.TAKE: ("who", "item"),
    Do.DROP: ("who", "item"),
    Do.RESOLVE: ("event",),
    Do.PLACE: ("who", "to"),
    Do.FACE: ("who", "facing"),
    Do.OUT: ("who",),
    Do.REMOVE: ("piece",),
    Do.RESTORE: ("piece",),
    Do.SHIFT: ("piece", "to"),
    Do.AGREE: ("word", "names"),
    Do.DECLARE: ("on",),
    Do.NOTE: ("text",),
}
"""keys that an order of each verb has to have."""

_KEYS = frozenset(Order.__annotations__)


def verb_of(order: Order) -> Do:
    """The verb of an order. UserError where there is none of that name, or a key is missing or unknown."""
    word = str(order.get("do", ""))
    try:
        verb = Do(word)
    except ValueError:
        raise UserError(f"no order {word!r}; {suggestion(word, [d.value for d in Do])}") from None
    unknown = sorted(set(order) - _KEYS)
    if unknown:
        raise UserError(f"an order has no {unknown[0]!r}; {suggestion(unknown[0], sorted(_KEYS))}")
    missing = [key for key in NEEDS.get(verb, ()) if key not in order]
    if missing:
        raise UserError(f"{verb.value} needs {' and '.join(missing)}")
    return verb


_BRIEF: dict[Do, str] = {
    Do.ACTIVATE: "activate {who}",
    Do.ACT: "{who} {action}",
    Do.STATUS: "{who} is {status}",
    Do.RECOVER: "{who} recovers",
    Do.PUSH: "{who} pushed {how} by {by}",
    Do.DIRECTLY: "{who} moved {inches:g} {way} {by}",
    Do.DRIVE: "{who} drives",
    Do.SHOVE: "{who} shoved {inches:g}",
    Do.CONSOLIDATE: "{who} consolidates",
    Do.TAKE: "{who} takes {item}",
    Do.DROP: "{who} drops {item}",
    Do.RESOLVE: "resolve {event}",
    Do.PLACE: "{who} placed",
    Do.FACE: "{who} faces {facing:g}",
    Do.OUT: "{who} out",
    Do.REMOVE: "remove {piece}",
    Do.RESTORE: "restore {piece}",
    Do.SHIFT: "shift {piece}",
    Do.AGREE: "agree {word}",
    Do.DECLARE: "declare {switch}",
}


def brief(order: Order) -> str:
    """An order in a few words, as it is typed, without its places."""
    verb = Do(order["do"])
    on = order.get("on", True)
    more = {"way": "towards" if on else "away", "switch": "on" if on else "off"}
    words = _BRIEF.get(verb, verb.value).format(**order, **more)
    return f"{words} {order['target']}" if verb is Do.ACT and "target" in order else words
