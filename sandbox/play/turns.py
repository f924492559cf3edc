"""Activations, actions and turns: who may do something now, what it uses up, and what ends with what."""

from __future__ import annotations

from sandbox.moves import status as statuses
from sandbox.moves.fails import status_words
from sandbox.moves.placed import Placed
from sandbox.play.events import Event, event, measured
from sandbox.play.state import State, changed, with_model
from sandbox.play.table import Table
from sandbox.play.words import has, say
from sandbox.rules import ActionRules, Refusal
from sandbox.rules.words import Cost, Procedure

_COSTS = {Cost.FREE: 0, Cost.SIMPLE: 1, Cost.BASIC: 1, Cost.DOUBLE: 2, Cost.PHASE: 0}


def activate(table: Table, state: State, who: str) -> tuple[State, list[Event]]:
    """A model's activation begins, and that of another ends; its statuses are looked at. A refusal where it cannot."""
    refused = _not_now(table, state, who)
    if refused is not None:
        return state, [refused]
    told: list[Event] = []
    if state["active"] not in (None, who):
        state, told = end(table, state)
    now = changed(state, active=who, spent=0, done=[], activated=[*state["activated"], who])
    found = table.field(now, who).status(who)
    rules = [f"status.{s}" for s in found.statuses]
    words = _in_status(table, "activated", found)
    return now, [*told, event(table.pack, "activates", who, words, "status_checked", rules=rules)]


def _not_now(table: Table, state: State, who: str) -> Event | None:
    table.fighter(who)
    if state["models"][who]["out"]:
        return event(table.pack, "refused", who, say("turns", "out"), "action")
    if not state["strict"]:
        return None
    active = None if phased(table) or _spent(table, state) else state["active"]
    if active not in (None, who) and not state["models"][active]["out"]:
        told = say("turns", "not-ended", name=state["active"])
        return event(table.pack, "refused", who, told, "actions_per_activation")
    if who in state["activated"] and state["active"] != who and not phased(table):
        return event(table.pack, "refused", who, say("turns", "activated-already"), "actions_per_activation")
    return None


def _spent(table: Table, state: State) -> bool:
    """Whether whoever is activated has no action left; a vehicle may have to test at the end, which is ordered."""
    if state["active"] is None or table.is_vehicle(state["active"]):
        return False
    return state["spent"] >= table.pack.movement.actions_per_activation


def phased(table: Table) -> bool:
    """Whether the pack's actions belong to phases of the turn, and not to activations."""
    return all(row.cost is Cost.PHASE for row in table.pack.file.actions.values())


def ready(table: Table, state: State, who: str) -> tuple[State, list[Event]]:
    """A state in which a model may act: it is activated where it has not been. Ends in a refusal where it cannot."""
    if state["active"] == who and not state["models"][who]["out"]:
        return state, []
    if not state["strict"] and not state["models"][who]["out"]:
        return state, []  # nobody's activation is counted
    return activate(table, state, who)


def price(state: State, one: Placed, action: ActionRules) -> int:
    """What an action uses up of the activation; what a skill gives for free after another action is free."""
    return 0 if free_by(state, one, action) else full_price(action)


def full_price(action: ActionRules) -> int:
    """What an action uses up by itself."""
    return _COSTS[action.row.cost]


def free_by(state: State, one: Placed, action: ActionRules) -> tuple[str, ...]:
    """The skills that make an action free right after the one before it."""
    last = state["done"][-1:]
    return tuple(
        used.id
        for used in one.rules.used
        for granted in used.entry.procedures
        if granted.name in (Procedure.STAND_UP, Procedure.DISENGAGE)
        and action.row.procedure is granted.name
        and set(last) & set(granted.actions)
    )


def refusal(
    table: Table, state: State, one: Placed, action: ActionRules | Refusal, name: str
) -> Event | None:
    """Why an action is not possible any more in this activation, or in this phase; None where it is."""
    if not state["strict"] or isinstance(action, Refusal):
        return None
    pack, who = table.pack, one.id
    if action.row.cost is Cost.PHASE:
        if name in state["acted"].get(who, ()):
            return event(pack, "refused", who, say("turns", "done-already", action=name), f"action.{name}")
        return None
    cost = price(state, one, action)
    left = pack.movement.actions_per_activation - state["spent"]
    if cost > left:
        told = say(
            "turns", "too-many", action=name, cost=cost, left=left, all=pack.movement.actions_per_activation
        )
        return event(pack, "refused", who, told, "actions_per_activation")
    once = pack.movement.basic_once
    if once and action.row.cost is Cost.BASIC and cost and name in state["done"]:
        told = say("turns", "basic-once", action=name)
        return event(pack, "refused", who, told, "basic_once")
    return None


def spent(state: State, who: str, name: str, cost: int) -> State:
    """The state after an action has been paid."""
    acted = {**state["acted"], who: [*state["acted"].get(who, []), name]}
    return changed(state, spent=state["spent"] + cost, done=[*state["done"], name], acted=acted)


def end(table: Table, state: State) -> tuple[State, list[Event]]:
    """The activation ends, and statuses are worked out."""
    who = state["active"]
    if who is None:
        return state, [event(table.pack, "refused", "", say("turns", "nobody"), "action")]
    now = changed(state, active=None, spent=0, done=[])
    if state["models"][who]["out"]:
        return now, [event(table.pack, "ended", who, say("turns", "activation-over-out"), "status_checked")]
    text = _in_status(table, "activation-over", table.field(now, who).status(who))
    return now, [event(table.pack, "ended", who, text, "status_checked")]


def _in_status(table: Table, name: str, status: statuses.Status) -> str:
    """A sentence with the status that somebody is in, where that is worth a word."""
    plain = status.statuses == (table.pack.file.default_status,) and not status.engaged
    return say("turns", f"{name}-plain" if plain else name, words=status.words)


def stopped(table: Table, state: State, who: str) -> State:
    """Whose activation something ended has no action left."""
    if state["active"] != who:
        return state
    return changed(state, spent=max(state["spent"], table.pack.movement.actions_per_activation))


def turn(table: Table, state: State, side: str | None) -> tuple[State, list[Event]]:
    """The turn ends, for everybody or for one side: statuses that end with it are gone."""
    told: list[Event] = []
    now = state
    if now["active"] is not None:
        now, told = end(table, now)
    ids = [f.id for f in table.scene.fighters if side is None or f.side == side]
    for who in ids:
        model = now["models"][who]
        if model["out"]:
            continue
        left = table.written(who, statuses.turn_ends(table.pack, model["statuses"]), model["holds"])
        gone = [s for s in model["statuses"] if s not in left]
        if gone:
            now = with_model(now, who, statuses=left)
            told += [
                event(
                    table.pack,
                    "status",
                    who,
                    _over(s),
                    f"status.{s}",
                )
                for s in gone
            ]
    acted = {k: v for k, v in now["acted"].items() if k not in ids}
    activated = [k for k in now["activated"] if k not in ids]
    number = now["turn"] + (side is None)
    text = say("turns", "turn", turn=number) if side is None else say("turns", "side", side=side)
    now = changed(now, turn=number, activated=activated, acted=acted)
    return now, [
        *told,
        event(
            table.pack,
            "turn",
            "",
            text,
            "actions_per_activation",
            measured=measured("turn", number, None, ""),
        ),
    ]


def _over(status: str) -> str:
    """What it means that a status is over."""
    name = f"not-any-more-{status}"
    return say("turns", name if has("turns", name) else "not-any-more", status=status_words(status))


def recover(table: Table, state: State, who: str) -> tuple[State, list[Event]]:
    """A model recovers from what it can."""
    model = state["models"][who]
    after = list(statuses.recovers(table.pack, model["statuses"]))
    if after == model["statuses"]:
        return state, [event(table.pack, "refused", who, say("turns", "nothing-to-recover"), "action")]
    gone = next(s for s in model["statuses"] if s not in after)
    words = ", ".join(status_words(s) for s in after)
    told = event(
        table.pack, "status", who, say("turns", "recovers", words=words), f"status.{gone}", status=after[0]
    )
    return with_model(state, who, statuses=after), [told]
