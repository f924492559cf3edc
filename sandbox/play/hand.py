"""What the players do by hand: statuses from shots, what came of hits, things taken, pieces put somewhere else."""

from __future__ import annotations

from typing import Any

from sandbox.errors import UserError
from sandbox.files.mistakes import suggestion
from sandbox.moves.carrying import ITEM_HALF
from sandbox.moves.fails import status_words
from sandbox.moves.passages import apart
from sandbox.moves.words import length
from sandbox.play import outcomes, turns
from sandbox.play.dice import Dice
from sandbox.play.events import Event, event, measured
from sandbox.play.orders import Order
from sandbox.play.platforms import turned_with
from sandbox.play.state import PieceState, State, changed, number, point, with_model
from sandbox.play.state import place as placed
from sandbox.play.table import Table
from sandbox.play.text import place_words
from sandbox.play.words import say
from sandbox.rules.ticks import at_most

Told = tuple[State, list[Event]]
PLAYERS = "players"
"""rule id of what the players decide."""
WORDS = ("flimsy", "transport", "cutter")
"""what can be agreed about pieces, things and models."""
_NOTHING = ("", "nothing", "nothing more")
"""what players write where nothing comes of an event."""


def status(table: Table, state: State, order: Order, dice: Dice) -> Told:
    """A model gets a status (by a shot, by an injury, by a skill): next to a lip it may fall.

    UserError for a model, a status or a rule that there is not.
    """
    who = order["who"]
    gone = _gone(table, state, who)
    if gone is not None:
        return state, [gone]
    rule = order.get("rule", "")
    if rule and rule not in table.pack.rule_ids:
        raise UserError(f"{table.pack.id} has no rule {rule!r}; {suggestion(rule, table.pack.rule_ids)}")
    field = table.field(state, who)
    base = table.pack.status_ids(order["status"])[0]
    overlays = [s for s in table.pack.status_ids(order["status"]) if table.pack.status(s).overlay]
    if overlays and order["status"] not in (base,) and base == table.pack.file.default_status:
        # an overlay alone: what lies under it stays
        kept = list(dict.fromkeys((*state["models"][who]["statuses"], *overlays)))
        told = event(
            table.pack,
            "status",
            who,
            say("hand", "overlay", status=status_words(overlays[0])),
            f"status.{overlays[0]}",
            status=overlays[0],
        )
        return with_model(state, who, statuses=kept), [told]
    happened, ends, _ = outcomes.walked(field.becomes(who, order["status"]), dice)
    if rule:
        happened[:0] = [
            event(
                table.pack,
                "acts",
                who,
                say("hand", "by", rule=rule.rpartition(".")[2].replace("-", " ")),
                rule,
            )
        ]
    return outcomes.laid(table, state, ends, happened), happened


def resolve(table: Table, state: State, order: Order, dice: Dice) -> Told:
    """The players say what came of an open event.

    UserError where no event of that number is open, or for a status that there is not.
    """
    wanted = order["event"]
    found = next((one for one in state["open"] if one["id"] == wanted), None)
    if found is None:
        ids = ", ".join(str(one["id"]) for one in state["open"]) or "none"
        raise UserError(f"no event {wanted} is open; open: {ids}")
    who = order.get("who", found["who"])
    now = changed(state, open=[one for one in state["open"] if one["id"] != wanted])
    lost = int(order.get("wounds", 0))
    text = say("hand", "resolved", number=wanted, words=_came_of_it(who, order))
    told = [event(table.pack, "resolved", who, text, found["rule"])]
    if who not in now["models"]:
        return now, told
    if lost:
        now = with_model(now, who, wounds_lost=now["models"][who]["wounds_lost"] + lost)
    if order.get("out"):
        now = _out(table, now, who, told)
    elif order.get("status"):
        now, more = status(table, now, {"do": "status", "who": who, "status": order["status"]}, dice)
        told += more
    return now, told


def _came_of_it(who: str, order: Order) -> str:
    """What the players say came of an open event."""
    lost = int(order.get("wounds", 0))
    parts = [say("hand", "wounds" if lost > 1 else "wounds-one", count=lost)] if lost else []
    if order.get("status"):
        parts.append(say("hand", "overlay", status=status_words(order["status"])))
    if order.get("out"):
        parts.append(say("hand", "out"))
    if not parts:
        text = order.get("text", "").rstrip(".")
        return say("hand", "nothing") if text in _NOTHING else text
    words = parts[0]
    for more in parts[1:]:
        words = say("hand", "resolved-and", words=words, more=more)
    return say("hand", "resolved-who", who=who, words=words)


def place(table: Table, state: State, order: Order, dice: Dice) -> Told:
    """A model is put somewhere; where it cannot stand, the players are told and it stays there all the same."""
    who, to = order["who"], order["to"]
    z = to[2] if len(to) > 2 else table.field(state, who).ground.floor_at(to[0], to[1], None)
    at = (float(to[0]), float(to[1]), float(z or 0.0))
    values: dict[str, Any] = {"at": point(at), "out": False}
    if "facing" in order:
        values["facing"] = number(order["facing"] % 360.0)
    now = with_model(state, who, **values)
    if who in now["pieces"]:
        old, new = state["models"][who], now["models"][who]
        turn = new["facing"] - old["facing"]
        hull = turned_with(now["pieces"][who], placed(old["at"]), placed(new["at"]), turn)
        now = changed(now, pieces={**now["pieces"], who: hull})
    told = [
        event(table.pack, "placed", who, say("hand", "placed", place=place_words(at)), PLAYERS, at=point(at))
    ]
    problem = table.field(now, who).problems.get(who)
    if problem is not None:
        told.append(event(table.pack, "warning", who, problem, "flat_ground"))
    return now, told


def face(table: Table, state: State, order: Order, dice: Dice) -> Told:
    """A model turns where it stands."""
    facing = number(order["facing"] % 360.0)
    told = event(table.pack, "faces", order["who"], say("hand", "faces", degrees=f"{facing:g}"), "facing")
    return with_model(state, order["who"], facing=facing), [told]


def out(table: Table, state: State, order: Order, dice: Dice) -> Told:
    """A model is out of the game."""
    who = order["who"]
    told = [event(table.pack, "out", who, say("hand", "is-out"), PLAYERS)]
    return _out(table, state, who, told), told


def _out(table: Table, state: State, who: str, told: list[Event]) -> State:
    """A model is out: it holds nothing, its activation is over, and what waited for it is moot: hits come too late."""
    now = turns.stopped(table, with_model(state, who, out=True, holds=[]), who)
    late = [one for one in now["open"] if one["who"] == who and one["what"] == "hit"]
    if late:
        rule = "push_first" if "push_first" in table.pack.rule_ids else PLAYERS
        texts = ", ".join(one["text"] for one in late)
        told.append(event(table.pack, "late", who, say("hand", "late", what=texts), rule))
    return changed(now, open=[one for one in now["open"] if one["who"] != who])


# -- things ----------------------------------------------------------------------------------------------------


def take(table: Table, state: State, order: Order, dice: Dice) -> Told:
    """A model takes a thing within reach, and holds it from then on."""
    who, item = order["who"], order["item"]
    gone = _gone(table, state, who)
    if gone is not None:
        return state, [gone]
    holder = next((k for k, m in state["models"].items() if item in m["holds"]), None)
    if holder is not None:
        return state, [
            event(table.pack, "refused", who, say("hand", "held", name=holder, item=item), "target")
        ]
    one = table.field(state).fighter(who)
    gap = max(0.0, apart(one.base, placed(state["items"][item]["at"])) - ITEM_HALF)
    limit = one.rules.movement.take_reach
    reach = measured("distance", gap, limit)
    if not at_most(gap, limit):
        return state, [
            event(
                table.pack,
                "refused",
                who,
                say("hand", "far", item=item, measured=length(gap), limit=length(limit)),
                "target",
                measured=reach,
            )
        ]
    now = with_model(state, who, holds=[*state["models"][who]["holds"], item])
    now = changed(now, items={**now["items"], item: {"at": point(one.at)}})
    rule = "gear.treasure" if "treasure" in table.pack.file.gear else "take_reach"
    return now, [event(table.pack, "takes", who, say("hand", "takes", item=item), rule, measured=reach)]


def drop(table: Table, state: State, order: Order, dice: Dice) -> Told:
    """A model lets go of a thing; it lies where the model is."""
    who, item = order["who"], order["item"]
    holds = state["models"][who]["holds"]
    if item not in holds:
        return state, [event(table.pack, "refused", who, say("hand", "not-held", item=item), "target")]
    now = with_model(state, who, holds=[name for name in holds if name != item])
    return now, [event(table.pack, "drops", who, say("hand", "drops", item=item), PLAYERS)]


# -- terrain ---------------------------------------------------------------------------------------------------


def remove(table: Table, state: State, order: Order, dice: Dice) -> Told:
    """A piece is taken off the board."""
    name = order["piece"]
    if name not in state["pieces"]:
        return state, [event(table.pack, "refused", name, say("hand", "not-there"), PLAYERS)]
    left = {key: one for key, one in state["pieces"].items() if key != name}
    return changed(state, pieces=left), [event(table.pack, "removed", name, say("hand", "removed"), PLAYERS)]


def restore(table: Table, state: State, order: Order, dice: Dice) -> Told:
    """A piece is put back where the scene has it."""
    name = order["piece"]
    piece = table.piece(name)
    back: PieceState = {"at": point(piece.at), "turn": number(piece.turn), "kind": piece.kind.value}
    now = changed(state, pieces={**state["pieces"], name: back})
    return now, [event(table.pack, "restored", name, say("hand", "restored"), PLAYERS)]


def shift(table: Table, state: State, order: Order, dice: Dice) -> Told:
    """A piece is put somewhere else, what stands on it left where it is."""
    name, to = order["piece"], order["to"]
    if name not in state["pieces"]:
        return state, [event(table.pack, "refused", name, say("hand", "not-there"), PLAYERS)]
    old = state["pieces"][name]
    at = (float(to[0]), float(to[1]), float(to[2]) if len(to) > 2 else old["at"][2])
    moved: PieceState = {**old, "at": point(at), "turn": number(order.get("facing", old["turn"]))}
    now = changed(state, pieces={**state["pieces"], name: moved})
    return now, [
        event(
            table.pack, "shifted", name, say("hand", "shifted", place=place_words(at)), PLAYERS, at=point(at)
        )
    ]


def agree(table: Table, state: State, order: Order, dice: Dice) -> Told:
    """The players agree what pieces, things or models are; naming one again takes it back.

    UserError for a word by which nothing is agreed.
    """
    word = order["word"]
    if word not in WORDS:
        raise UserError(f"nothing is agreed by {word!r}; {suggestion(word, WORDS)}")
    word = f"{word} {order['side']}" if "side" in order else word
    had = state["agreed"].get(word, [])
    now = [name for name in had if name not in order["names"]]
    now += [name for name in order["names"] if name not in had]
    rule = next((r for r in ("board_agreed", "goodwill") if r in table.pack.rule_ids), PLAYERS)
    names = ", ".join(now) or say("hand", "agreed-none")
    sentence = "agreed-side" if "side" in order else f"agreed-{order['word']}"
    text = say("hand", sentence, side=order.get("side", ""), names=names)
    told = event(table.pack, "agreed", "", text, rule)
    return changed(state, agreed={**state["agreed"], word: now}), [told]


def _gone(table: Table, state: State, who: str) -> Event | None:
    table.fighter(who)
    if state["models"][who]["out"]:
        return event(table.pack, "refused", who, say("turns", "out"), "action")
    return None
