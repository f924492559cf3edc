"""What is done to models and things against their will: knockback, drag, throws."""

from __future__ import annotations

from sandbox.errors import UserError
from sandbox.files.mistakes import suggestion
from sandbox.moves.falling_straight import Stop
from sandbox.moves.pushing import How, Push, push, rule_of
from sandbox.moves.words import length
from sandbox.play import outcomes
from sandbox.play.dice import Dice
from sandbox.play.events import Event, event, measured
from sandbox.play.orders import Order
from sandbox.play.state import State, point, with_model
from sandbox.play.table import Table
from sandbox.play.words import say

Told = tuple[State, list[Event]]
IMPALE = "drag_impale"


def pushed(table: Table, state: State, order: Order, dice: Dice) -> Told:
    """A model or a thing is pushed, once the attack that does it has been resolved.

    UserError for a way of pushing that there is not, or a name that nothing and nobody has.
    """
    who, by = order["who"], order["by"]
    try:
        how = How(order["how"])
    except ValueError:
        raise UserError(
            f"nothing is pushed by {order['how']!r}; {suggestion(order['how'], list(How))}"
        ) from None
    known = [*state["models"], *state["items"]]
    if who not in known:
        raise UserError(f"nothing to push is named {who!r}; {suggestion(who, known)}")
    table.fighter(by)
    refused = _refused(table, state, order, how)
    if refused is not None:
        return state, [refused]
    field = table.field(state, who)
    tree = push(field, Push(who, by, how, order.get("strength"), order.get("inches")))
    happened, ends, _ = outcomes.walked(tree, dice)
    acts = event(
        table.pack,
        "acts",
        by,
        say("pushes", how.value, name=who),
        rule_of(field, how),
        rules=_rules(table, order, how),
    )
    told = [acts, *happened]
    return outcomes.laid(table, state, ends, told), told


def directly(table: Table, state: State, order: Order, dice: Dice) -> Told:
    """A rule moves a model directly towards another or away from it, along the line of their centres."""
    who, by, inches = order["who"], order["by"], float(order["inches"])
    field = table.field(state, who)
    found = field.directly(who, by, inches, away=not order.get("on", True))
    way = "towards" if order.get("on", True) else "away"
    name = way if found.stop is Stop.DISTANCE else f"{way}-stopped"
    text = say("pushes", name, gone=length(found.gone), inches=length(inches), name=by, stop=found.stop.value)
    told = event(
        table.pack, "moved", who, text,
        "directly", at=point(found.at), measured=measured("moved", found.gone, inches),
    )  # fmt: skip
    return with_model(state, who, at=point(found.at)), [told]


def _rules(table: Table, order: Order, how: How) -> list[str]:
    rules = ["table.push"] if order.get("inches") is None else []
    return [*rules, IMPALE] if "names" in order and how is How.DRAG else rules


def _refused(table: Table, state: State, order: Order, how: How) -> Event | None:
    """Who is out is not moved; impaled ones are dragged by the last; throwing needs the skill and its victim at hand."""
    who, by = order["who"], order["by"]
    for name in (who, by):
        if name in state["models"] and state["models"][name]["out"]:
            return event(table.pack, "refused", name, say("turns", "out"), rule_of(table.first, how))
    names = order.get("names", [])
    if how is How.DRAG and names and names[-1] != who:
        told = say("pushes", "last-dragged", names=", ".join(names))
        return event(table.pack, "refused", who, told, IMPALE)
    if how is How.HURL:
        one = table.field(state).fighter(by)
        if not any(used.id == "skill.hurl" for used in one.rules.used):
            return event(table.pack, "refused", by, say("pushes", "needs-hurl"), rule_of(table.first, how))
        if who not in one.engaged_with:
            return event(
                table.pack, "refused", by, say("pushes", "not-engaged", name=who), rule_of(table.first, how)
            )
    return None
