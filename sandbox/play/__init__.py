"""The game as it is played: states, orders, dice, what happened; taken back, done again, kept in a file."""

from sandbox.play.dice import Dice, Recorded, Scripted, Seeded, Shown, Typed, Wanted
from sandbox.play.events import Event
from sandbox.play.game import Entry, Game, is_game, scene_of
from sandbox.play.orders import Do, Order
from sandbox.play.state import State, begin, canonical, same
from sandbox.play.step import refused, step
from sandbox.play.table import Table
from sandbox.play.text import FORMS, cited_rules, parse, told

__all__ = [
    "FORMS",
    "Dice",
    "Do",
    "Entry",
    "Event",
    "Game",
    "Order",
    "Recorded",
    "Scripted",
    "Seeded",
    "Shown",
    "State",
    "Table",
    "Typed",
    "Wanted",
    "begin",
    "canonical",
    "cited_rules",
    "is_game",
    "parse",
    "refused",
    "same",
    "scene_of",
    "step",
    "told",
]
