"""One order, one step: from a state and dice to the next state and what happened. Nothing else changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sandbox.moves.odds_tree import Event as What
from sandbox.play import acting, driving, forced, hand, special, turns
from sandbox.play.dice import Dice
from sandbox.play.events import Event, event, measured, of_happening
from sandbox.play.orders import Do, Order, verb_of
from sandbox.play.state import PieceState, State, changed, with_model
from sandbox.play.table import Table
from sandbox.play.words import say

Told = tuple[State, list[Event]]
Worker = Callable[[Table, State, Order, Dice], Told]


def step(table: Table, state: State, order: Order, dice: Dice) -> Told:
    """What an order makes of a state.

    A refused order leaves the state as it is; its events, ``refused``, say why. UserError: no such order, model,
    thing or piece, or dice that cannot show what was typed.
    """
    verb = verb_of(order)
    _names(table, order)
    after, told = WORKERS[verb](table, state, order, dice)
    if refused(told) or after is state:
        return after, told
    return _settled(table, state, after, told)


def refused(told: list[Event]) -> bool:
    """Whether an order was refused."""
    return bool(told) and told[0]["what"] == "refused"


def _names(table: Table, order: Order) -> None:
    """UserError where an order names a model, a thing or a piece that the scene has not."""
    if "who" in order and Do(order["do"]) is not Do.PUSH:
        table.fighter(order["who"])
    if "item" in order:
        table.item(order["item"])
    if "piece" in order:
        table.piece(order["piece"])


def _settled(table: Table, before: State, after: State, told: list[Event]) -> Told:
    """Statuses that follow from where everybody is: who stands up for nothing, who is engaged now."""
    now = after
    field = table.field(now)
    for change in field.settled.changes:
        if change.status is not None and change.who in now["models"]:
            one = next(p for p in field.settled.placed if p.id == change.who)
            holds = now["models"][change.who]["holds"]
            now = with_model(now, change.who, statuses=table.written(change.who, one.rules.statuses, holds))
            told.append(of_happening(change))
    now = _wrecks(table, now, told)
    idle = (before["active"], now["active"])
    told = [one for one in told if one["what"] != What.ENDS.value or one["who"] in idle or not now["strict"]]
    return now, [*told, *_newly_engaged(table, before, now)]


def _newly_engaged(table: Table, before: State, now: State) -> list[Event]:
    """Who is engaged that was not; two that are engaged with each other are told of once."""
    told: list[Event] = []
    was, found = _engaged(table, before), _engaged(table, now)
    new = {key: one for key, one in found.items() if key not in was}
    for (who, enemy), one in new.items():
        second = enemy == now["active"] or (who > enemy and who != now["active"])
        if second and not one.modifier and (enemy, who) in new:
            continue
        text = say(
            "turns",
            "engaged-modifier" if one.modifier else "engaged",
            enemy=enemy,
            modifier=f"{one.modifier:+d}",
        )
        limit = measured("distance", one.distance, table.pack.movement.engaged_within)
        told.append(event(table.pack, "engaged", who, text, one.rule, measured=limit))
    return told


def _wrecks(table: Table, state: State, told: list[Event]) -> State:
    """Vehicles that are terrain from now on: where they have no hull in the scene, a block as large as they are."""
    now = state
    for who, model in state["models"].items():
        rows = [(s, table.pack.status(s)) for s in model["statuses"]]
        wreck = next((s for s, row in rows if row.is_terrain), None)
        if wreck is None or model["out"] or who in now["pieces"]:
            continue
        hull: PieceState = {
            "at": list(model["at"]),
            "turn": model["facing"],
            "kind": table.piece(who).kind.value,
        }
        now = changed(now, pieces={**now["pieces"], who: hull})
        told.append(event(table.pack, "terrain", who, say("turns", "terrain"), f"status.{wreck}"))
    return now


def _engaged(table: Table, state: State) -> Mapping[tuple[str, str], Any]:
    found = table.field(state).settled.engaged
    return {(one.who, one.enemy): one for one in found if not one.chosen}


def _end(table: Table, state: State, order: Order, dice: Dice) -> Told:
    who = state["active"]
    if who is None:
        return turns.end(table, state)
    now, told = driving.ends_on(table, state, who, dice)
    after, more = turns.end(table, now)
    return after, [*told, *more]


def _turn(table: Table, state: State, order: Order, dice: Dice) -> Told:
    who, told = state["active"], list[Event]()
    if who is not None:
        state, told = driving.ends_on(table, state, who, dice)
    after, more = turns.turn(table, state, order.get("side"))
    return after, [*told, *more]


def _activate(table: Table, state: State, order: Order, dice: Dice) -> Told:
    return turns.activate(table, state, order["who"])


def _recover(table: Table, state: State, order: Order, dice: Dice) -> Told:
    return turns.recover(table, state, order["who"])


def _declare(table: Table, state: State, order: Order, dice: Dice) -> Told:
    words = say("hand", "declared-first" if order["on"] else "measured-freely")
    told = event(table.pack, "declare", "", words, "declare_first")
    return changed(state, declare=order["on"]), [told]


def _note(table: Table, state: State, order: Order, dice: Dice) -> Told:
    return state, [event(table.pack, "note", order.get("who", ""), order["text"], "players")]


WORKERS: dict[Do, Worker] = {
    Do.ACTIVATE: _activate,
    Do.ACT: acting.act,
    Do.END: _end,
    Do.TURN: _turn,
    Do.STATUS: hand.status,
    Do.RECOVER: _recover,
    Do.PUSH: forced.pushed,
    Do.DIRECTLY: forced.directly,
    Do.DRIVE: driving.driven,
    Do.SHOVE: driving.shoved,
    Do.CONSOLIDATE: special.consolidated,
    Do.TAKE: hand.take,
    Do.DROP: hand.drop,
    Do.RESOLVE: hand.resolve,
    Do.PLACE: hand.place,
    Do.FACE: hand.face,
    Do.OUT: hand.out,
    Do.REMOVE: hand.remove,
    Do.RESTORE: hand.restore,
    Do.SHIFT: hand.shift,
    Do.AGREE: hand.agree,
    Do.DECLARE: _declare,
    Do.NOTE: _note,
}
"""who works out which order."""
