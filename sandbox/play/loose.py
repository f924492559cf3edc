"""One order carried out on a battlefield as it stands, without turns: how the window plays the same moves."""

from __future__ import annotations

from dataclasses import dataclass

from sandbox.play.dice import Dice
from sandbox.play.events import Event
from sandbox.play.orders import Order
from sandbox.play.state import ItemState, ModelState
from sandbox.play.step import step
from sandbox.play.table import Table
from sandbox.scene import Piece


@dataclass(frozen=True)
class Outcome:
    """What an order changed."""

    models: dict[str, ModelState]
    """models that something happened to."""
    items: dict[str, ItemState]
    """things that are elsewhere."""
    pieces: dict[str, Piece | None]
    """pieces that are different now; None: it is there no more."""
    events: tuple[Event, ...]


def carried_out(table: Table, order: Order, dice: Dice) -> Outcome:
    """What comes of an order. UserError as `sandbox.play.step` has them."""
    before = table.begin(strict=False, declare=False)
    after, events = step(table, before, order, dice)
    now = {piece.id: piece for piece in table.scene_of(after).terrain}
    pieces = {
        name: now.get(name)
        for name in before["pieces"]
        if after["pieces"].get(name) != before["pieces"][name]
    }
    return Outcome(
        {who: model for who, model in after["models"].items() if model != before["models"][who]},
        {name: item for name, item in after["items"].items() if item != before["items"][name]},
        pieces,
        tuple(events),
    )
