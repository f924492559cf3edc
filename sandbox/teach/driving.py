"""A vehicle's drive as a fact of a lesson: played by the engine of games, with the dice that the lesson lays down."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from sandbox.errors import UserError
from sandbox.moves import driving
from sandbox.moves.answers import Leg, LegKind, Move, Point
from sandbox.play.dice import Scripted
from sandbox.play.events import Event
from sandbox.play.orders import Do, Order
from sandbox.play.state import changed, place, with_model
from sandbox.play.step import refused, step
from sandbox.play.table import Table
from sandbox.rules import dice
from sandbox.teach.facts import Fact
from sandbox.teach.values import Chance, Inches
from sandbox.teach.words import say, sentence_of

if TYPE_CHECKING:
    from sandbox.moves.battlefield import Battlefield

_SAME = 0.02
"""inches: a place this near was reached."""
_STANDS = 0.01
"""inches: who was moved less has not moved."""


class DriveFact(Fact):
    """One drive of a vehicle, stretch by stretch, and what came of it under dice that are given beforehand."""

    def __init__(
        self, field: Battlefield, who: str, along: Sequence[tuple[float, ...]], results: Sequence[int]
    ) -> None:
        """along: where its stretches end; results: of the dice, in the order in which they are rolled.

        UserError for a model that is no vehicle, dice that are missing, and dice that nobody rolls.
        """
        table = Table(field)
        rolled = Scripted(results)
        path = [[float(x), float(y)] for x, y, *_ in along]
        order: Order = {"do": Do.DRIVE.value, "who": who, "path": path}
        self.who, self.path = who, path
        self.table, self.before = table, table.begin(strict=False)
        self.after, self.events = step(table, self.before, order, rolled)
        if rolled.left:
            raise UserError(f"{len(rolled.left)} of the dice are not rolled in this drive")
        self.is_hull = who in self.before["pieces"]
        super().__init__(table.field(self.before, None if self.is_hull else who))

    def values(self) -> Mapping[str, Callable[[], Any]]:
        """See `Fact.values`."""
        now = place(self.after["models"][self.who]["at"])
        goal = self.path[-1]
        rolls = [
            one["rolled"] for one in self.events if "rolled" in one and one["rolled"]["check"] is not None
        ]
        first = rolls[0] if rolls else None
        chance = None if first is None else _chance(first["dice"], first["needed"])
        falls = [one["measured"]["value"] for one in self._of("fall") if "measured" in one]
        return {
            "legal": lambda: not refused(self.events),
            "why": lambda: self.events[0]["text"] if refused(self.events) else None,
            "cost": lambda: Inches(self._driven[0]),
            "allowance": lambda: Inches(self._driven[1]),
            "left": lambda: Inches(self._driven[1] - self._driven[0]),
            "length": lambda: Inches(self.length),
            "extra": lambda: Inches(self._driven[0] - self.length),
            "arrives": lambda: math.dist(now[:2], goal) < _SAME,
            "checks": lambda: len(rolls),
            "needed": lambda: None if first is None else first["needed"],
            "dice": lambda: None if first is None else first["dice"],
            "chance": lambda: None if chance is None else Chance(chance),
            "fails": lambda: None if chance is None else Chance(1.0 - chance),
            "destroyed": lambda: tuple(sorted(self._broken)),
            "off": lambda: tuple(one["who"] for one in self._of("falls-off")),
            "height": lambda: Inches(max(falls)) if falls else None,
            "x": lambda: Inches(now[0]),
            "y": lambda: Inches(now[1]),
            "z": lambda: Inches(now[2]),
        }

    def _of(self, what: str) -> list[Event]:
        return [one for one in self.events if one["what"] == what]

    @property
    def _broken(self) -> set[str]:
        return set(self.before["pieces"]) - set(self.after["pieces"])

    @property
    def _driven(self) -> tuple[float, float]:
        """Inches of its allowance that are used, and all of them."""
        limits = [one["measured"] for one in self._of("acts") if one["who"] == self.who and "measured" in one]
        return (limits[0]["value"], limits[0]["limit"] or 0.0) if limits else (0.0, 0.0)

    @property
    def length(self) -> float:
        """Inches driven."""
        return sum(leg.length for leg in self.legs)

    @property
    def told(self) -> str:
        """One line."""
        if refused(self.events):
            return say("facts", "move-no", why=self.events[0]["text"])
        return " ".join(self.lines)

    @property
    def lines(self) -> tuple[str, ...]:
        """What happened, in the engine's sentences."""
        shown = [one for one in self.events if one["what"] not in ("activated", "activates")]
        return tuple(sentence_of(say("facts", "event", who=one["who"], text=one["text"])) for one in shown)

    # -- pictures ----------------------------------------------------------------------------------------------

    @cached_property
    def legs(self) -> tuple[Leg, ...]:
        """Its straight stretches, each with what it cost."""
        ways = [one["path"] for one in self._of("acts") if one["who"] == self.who and "path" in one]
        if not ways:
            return ()
        # what was destroyed on the way does not stop it a second time
        there = {name: piece for name, piece in self.before["pieces"].items() if name in self.after["pieces"]}
        field = self.table.field(changed(self.before, pieces=there), self.who)
        return tuple(
            self._leg(field, place(a), place(b)) for a, b in pairwise(ways[0]) if math.dist(a, b) > _STANDS
        )

    def _leg(self, field: Battlefield, start: Point, end: Point) -> Leg:
        heading = driving.heading(start, end[:2])
        one = field.fighter(self.who)
        one = replace(one, base=one.base.moved(start, heading))
        far = math.dist(start[:2], end[:2])
        found = driving.stretch(field, one, end[:2], math.inf)
        notes = ("difficult",) if found.difficult > 0.0 else ()
        return Leg(LegKind.WALK, start, end, far, found.cost, path=(start, end), notes=notes, facing=heading)

    @property
    def move(self) -> Move | None:
        """The drive as a way to draw; None where nothing was driven, or the vehicle is a piece of the board."""
        if self.is_hull or not self.legs:
            return None
        return self._way(self.field, self.legs)

    def _way(self, field: Battlefield, legs: tuple[Leg, ...]) -> Move:
        return Move(
            scene=field.name, rules=field.pack.id, fighter=self.who, action="move",
            allowance=self._driven[1], to=legs[-1].end, legal=True, cost=sum(leg.cost for leg in legs),
            success=1.0, legs=legs, facing=legs[-1].facing,
        )  # fmt: skip

    def stretches(self) -> tuple[tuple[Battlefield, Move], ...]:
        """For a clip: each stretch, on a board where the vehicle stands at its beginning and looks along it."""
        found = []
        pieces, last = dict(self.before["pieces"]), None
        start = self.before["models"][self.who]["at"]
        broken = sorted(self._broken, key=lambda name: math.dist(pieces[name]["at"][:2], start[:2]))
        for leg in () if self.is_hull else self.legs:
            if broken and leg.facing == last:  # it goes straight on over what stopped it
                del pieces[broken.pop(0)]
            last = leg.facing
            there = with_model(self.before, self.who, at=list(leg.start), facing=leg.facing)
            field = self.table.field(changed(there, pieces=dict(pieces)), self.who)
            found.append((field, self._way(field, (leg,))))
        return tuple(found)

    @property
    def ends(self) -> Battlefield:
        """The board as the drive leaves it."""
        return self.table.field(self.after, None if self.is_hull else self.who)

    @property
    def leaves_marks(self) -> bool:
        """Whether more than the vehicle's place is another one afterwards: somebody fell, something is destroyed."""
        if self.is_hull or self.before["pieces"] != self.after["pieces"]:
            return True
        others = (who for who in self.before["models"] if who != self.who)
        fell = any(one["what"] == "fall" for one in self.events)
        return fell or any(self.before["models"][who] != self.after["models"][who] for who in others)


def board_of(field: Battlefield) -> Battlefield:
    """A battlefield as a game on it begins: vehicles that have a piece of their own are that piece, and no model."""
    pieces = {piece.id for piece in field.scene.terrain}
    if pieces.isdisjoint(fighter.id for fighter in field.scene.fighters):
        return field
    table = Table(field)
    return table.field(table.begin(strict=False))


def _chance(text: str, needed: int | None) -> float:
    """Chance that dice show at least so much."""
    if needed is None:
        return 0.0
    return float(dice.chance_at_least(dice.roll(text), needed))
