"""From a tree of outcomes to a state: the one way that dice lead, who ends how, and what is left to the players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandbox.moves.answers import Point
from sandbox.moves.odds_tree import After, Throw, Tree, of_check
from sandbox.moves.odds_tree import Event as What
from sandbox.moves.placed import Placed
from sandbox.play import turns
from sandbox.play.dice import Dice, Wanted, faces_of
from sandbox.play.events import Event, event, of_happening, of_throw, passes
from sandbox.play.state import OpenEvent, State, changed, point, with_model
from sandbox.play.table import Table


def walked(tree: Tree, dice: Dice) -> tuple[list[Event], tuple[After, ...], bool]:
    """The one way through a tree that the dice lead: events in order, how everybody ends, whether as intended."""
    told: list[Event] = []
    while True:
        told += [of_happening(one) for one in tree.happens if one.what is not What.ARRIVES]
        if tree.throw is None:
            return told, tree.ends, tree.reached
        face = _face(tree, tree.throw, dice)
        branch = next(b for b in tree.branches if face in b.faces)
        told.append(of_throw(tree.throw, face, branch.passed))
        tree = branch.tree


def _face(tree: Tree, throw: Throw, dice: Dice) -> int:
    """The result of a tree's throw; who waits for it is told what it decides."""
    try:
        return dice.roll(throw, faces_of(tree))
    except Wanted as wanted:
        wanted.tree = tree
        raise


def laid(table: Table, state: State, ends: Sequence[After], told: list[Event]) -> State:
    """A state in which models are as a tree ended; hits become open events, and `told` names them."""
    now = state
    for one in ends:
        if one.who not in now["models"]:
            if one.at is not None and one.who in now["items"]:
                now = changed(now, items={**now["items"], one.who: {"at": point(one.at)}})
            continue
        model = now["models"][one.who]
        values: dict[str, Any] = {
            "statuses": table.written(one.who, one.statuses, model["holds"]),
            "out": model["out"] or one.out,
            "wounds_lost": model["wounds_lost"] + one.wounds_lost,
        }
        if one.at is not None:
            values["at"] = point(one.at)
            now = _carried_along(now, one.who, one.at)
        now = with_model(now, one.who, **values)
        if not one.goes_on:
            now = turns.stopped(table, now, one.who)
        if one.out:
            now = changed(now, models={**now["models"], one.who: {**now["models"][one.who], "holds": []}})
    for happened in told:
        left = happened["what"] in (What.HIT.value, What.PLAYERS.value) and "open" not in happened
        if left and happened["who"] in (*now["models"], *now["items"]):
            now = left_open(now, happened)
    return now


def _carried_along(state: State, who: str, at: Point) -> State:
    """Things that a model holds go where it goes."""
    held = state["models"][who]["holds"]
    if not held:
        return state
    return changed(state, items={**state["items"], **{name: {"at": point(at)} for name in held}})


def left_open(state: State, happened: Event) -> State:
    """A state in which the players still have to say what comes of an event; the event gets its number."""
    number_ = state["next"]
    happened["open"] = number_
    opened_: OpenEvent = {
        "id": number_,
        "who": happened["who"],
        "what": happened["what"],
        "text": happened["text"],
        "rule": happened["rule"],
    }
    return changed(state, open=[*state["open"], opened_], next=number_ + 1)


def opened(table: Table, state: State, who: str, texts: Sequence[str], rule: str, told: list[Event]) -> State:
    """A state with what a document leaves to the players, one open event for each sentence.

    What another rule has left open already (a charge, what a skill allows after it) is not told again.
    """
    now = state
    known = {one["text"] for one in state["open"] if one["who"] == who and one["rule"] != rule}
    for text in texts:
        if text in known:
            continue
        one = event(table.pack, "players", who, text, rule)
        now = left_open(now, one)
        told.append(one)
    return now


def checked(
    table: Table, one: Placed, check_id: str, reason: str, rule: str, dice: Dice, modifier: int = 0
) -> tuple[int, bool, Event]:
    """One check that stands by itself: its result, whether it passes, and its event."""
    check = table.pack.check(check_id)
    source = table.pack.rule(rule).source if rule in table.pack.rule_ids else ""
    throw = Throw(check.dice, reason, one.id, rule, source)
    tree = of_check(check, one.rules.profile[check.stat], modifier, throw, Tree, Tree)
    assert tree.throw is not None
    face = _face(tree, tree.throw, dice)
    passed = bool(passes(tree.throw, face))
    return face, passed, of_throw(tree.throw, face, passed)
