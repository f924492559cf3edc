"""Everything that a lesson knows under one pack, by name: its facts, its fighters, what the pack plays with and says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sandbox.errors import UserError
from sandbox.files.mistakes import suggestion
from sandbox.moves.answers import LegalMoves, Point
from sandbox.moves.pushing import How, Push, push
from sandbox.rules import Rule
from sandbox.rules.values import value_text
from sandbox.teach.driving import DriveFact
from sandbox.teach.facts import (
    BetweenFact,
    Fact,
    FallFact,
    MoveFact,
    ReachFact,
    StandFact,
    StatusFact,
    TreeFact,
)
from sandbox.teach.rule_words import rule_words
from sandbox.teach.schema import FactEntry, PerPack, TextPerPack
from sandbox.teach.values import Inches, Missing, Pips
from sandbox.units import MM_PER_INCH

if TYPE_CHECKING:
    from sandbox.moves.battlefield import Battlefield
    from sandbox.moves.placed import Placed
    from sandbox.terrain.model import Part

OTHERWISE = "otherwise"
_GROUPS = ("action", "kind", "status", "skill", "gear", "tag", "check", "table")
"""what stands before the dot of a rule id."""


@dataclass(frozen=True, eq=False)
class Who:
    """A fighter, by name in an expression: its characteristics and its base."""

    placed: Placed

    def get(self, name: str) -> Any:
        """The value of that name. Missing where there is none."""
        profile = self.placed.rules.profile
        if name in profile:
            return (
                Inches(profile[name])
                if name == "M"
                else Pips(profile[name])
                if name in ("I", "A")
                else profile[name]
            )
        long, short = self.placed.fighter.base
        known: dict[str, Any] = {
            "base": f"{long:g} mm" if long == short else f"{long:g} x {short:g} mm",
            "across": Inches(short / MM_PER_INCH),
            "height": Inches(self.placed.height),
            "x": Inches(self.placed.at[0]),
            "y": Inches(self.placed.at[1]),
            "z": Inches(self.placed.at[2]),
        }
        if name not in known:
            raise Missing(f"{self.placed.id} has no {name!r}; {suggestion(name, [*profile, *known])}")
        return known[name]


@dataclass(frozen=True, eq=False)
class Thing:
    """A piece of terrain, by name in an expression (its hyphens written as underscores): how large it is."""

    parts: tuple[Part, ...]

    def get(self, name: str) -> Any:
        """The value of that name. Missing where there is none."""
        parts = self.parts
        bounds = np.array([part.bounds_mm for part in parts])
        low, high = min(part.low_mm for part in parts), max(part.high_mm for part in parts)
        known = {
            "height": high - low,
            "across": max(part.width_mm for part in parts),
            "west": bounds[:, 0].min(),
            "south": bounds[:, 1].min(),
            "east": bounds[:, 2].max(),
            "north": bounds[:, 3].max(),
        }
        if name not in known:
            raise Missing(f"{parts[0].piece} has no {name!r}; {suggestion(name, [*known])}")
        return Inches(known[name] / MM_PER_INCH)


@dataclass(frozen=True, eq=False)
class RuleValues:
    """``rule.climb_cost``: what a pack plays with; ``says.climb_cost``: what it says about it."""

    field: Battlefield
    words: bool = False
    group: str = ""

    def get(self, name: str) -> Any:
        """The value, or the words, of a rule of that id. Missing where there is none.

        ``says.action.double_move``: rules of a group, their hyphens written as underscores.
        """
        if not self.group and name in _GROUPS:
            return RuleValues(self.field, self.words, name)
        name = f"{self.group}.{name.replace('_', '-')}" if self.group else name
        try:
            rule = self.field.pack.rule(name)
        except (KeyError, UserError) as error:
            raise Missing(f"no rule {name!r}: {error}") from None
        if self.words:
            return rule_words(self.field.pack, rule)
        return _plain_value(rule)


def _plain_value(rule: Rule) -> Any:
    value = rule.value
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return Inches(value) if rule.unit == "in" else value
    return value_text(value)


class Facts(Mapping[str, Any]):
    """Everything that a lesson knows under one pack, by name, worked out when it is first asked for."""

    def __init__(
        self,
        field: Battlefield,
        entries: Mapping[str, FactEntry],
        mistake: Callable[[str, str], UserError] | None = None,
    ) -> None:
        """field: of the lesson's scene under the pack; entries: the lesson's facts; mistake: puts what is wrong with the
        fact of a name at its line."""
        self.field = field
        self.mistake = mistake
        self.entries = entries
        self._known: dict[str, Any] = {
            "pack": field.pack.id,
            "rule": RuleValues(field),
            "says": RuleValues(field, words=True),
        }
        self._moves: dict[tuple[str, str, str | None], LegalMoves] = {}

    def __getitem__(self, name: str) -> Any:
        """The value of a name: a fact, a fighter, ``pack``, ``rule``, ``says``."""
        if name not in self._known:
            if name in self.entries:
                self._known[name] = self._asked(name)
            elif any(f.id == name for f in self.field.scene.fighters):
                self._known[name] = Who(self.field.fighter(name))
            elif parts := self._parts(name):
                self._known[name] = Thing(parts)
            else:
                raise KeyError(name)
        return self._known[name]

    def _parts(self, name: str) -> tuple[Part, ...]:
        return tuple(one for one in self.field.terrain.parts if one.piece.replace("-", "_") == name)

    def __iter__(self) -> Iterator[str]:
        """All names."""
        yield from ("pack", "rule", "says")
        yield from self.entries
        fighters = [fighter.id for fighter in self.field.scene.fighters]
        yield from fighters
        pieces = dict.fromkeys(one.piece.replace("-", "_") for one in self.field.terrain.parts)
        yield from (piece for piece in pieces if piece not in fighters and piece not in self.entries)

    def __len__(self) -> int:
        """How many names."""
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        """Whether there is such a name; works nothing out."""
        return name in set(self)

    def fact(self, name: str) -> Fact:
        """The fact of that name."""
        found = self[name]
        assert isinstance(found, Fact)
        return found

    def _asked(self, name: str) -> Fact:
        try:
            return self.ask(self.entries[name])
        except UserError as error:
            if self.mistake is None:
                raise
            raise self.mistake(name, error.message) from None

    def word(self, given: PerPack | TextPerPack | None) -> str | None:
        """A word, or a text, that may be another one under each pack. UserError where this pack has none."""
        if given is None or isinstance(given, str):
            return given
        if self.field.pack.id in given:
            return given[self.field.pack.id]
        if OTHERWISE in given:
            return given[OTHERWISE]
        raise UserError(f"nothing is written for {self.field.pack.id}, and no '{OTHERWISE}'")

    def moves(self, fighter: str, action: str, target: str | None) -> LegalMoves:
        """The legal moves of a question, asked once."""
        key = (fighter, action, target)
        if key not in self._moves:
            self._moves[key] = self.field.moves(fighter, action, target=target)
        return self._moves[key]

    def ask(self, entry: FactEntry) -> Fact:
        """The engine's answer to one question. UserError for what cannot be asked."""
        if entry.reading or entry.rules is not None:
            return self._other(entry).ask(entry.model_copy(update={"reading": {}, "rules": None}))
        action, target = self.word(entry.action) or "move", self.word(entry.target)
        if entry.move is not None:
            moves = self.moves(entry.move, action, target)
            x, y, *z = entry.to or self._contact(moves, target)
            return MoveFact(self.field, moves.to(x, y, z[0] if z else None, facing=entry.facing))
        if entry.reach is not None:
            return ReachFact(self.field, self.moves(entry.reach, action, target))
        if entry.stand is not None:
            return StandFact(self.field, _place(self.field, entry.stand), entry.base, entry.height)
        if entry.fall is not None:
            return FallFact(self.field, _place(self.field, entry.fall), entry.base)
        if entry.falls is not None:
            return TreeFact(self.field, entry.falls, self.field.falls(entry.falls))
        if entry.becomes is not None:
            status = self.word(entry.status) or ""
            return TreeFact(self.field, entry.becomes, self.field.becomes(entry.becomes, status))
        if entry.status_of is not None:
            return StatusFact(self.field, entry.status_of)
        if entry.between is not None:
            return BetweenFact(self.field, entry.between[0], entry.between[1])
        if entry.drive is not None:
            return DriveFact(self.field, entry.drive, entry.along or (), entry.dice)
        assert entry.push is not None and entry.by is not None
        pushed = Push(entry.push, entry.by, How(entry.how), entry.strength, entry.inches)
        return TreeFact(self.field, entry.push, push(self.field, pushed))

    def _contact(self, moves: LegalMoves, target: str | None) -> Point:
        """Where a charge without a place ends: the surest and then cheapest place, else straight ahead in contact."""
        spots = moves.spots
        if len(spots):
            best = spots[int(np.lexsort((spots["cost"], -np.round(spots["success"], 4)))[0])]
            return float(best["x"]), float(best["y"]), float(best["z"])
        mover, other = self.field.fighter(moves.fighter), self.field.fighter(target or "")
        way = np.asarray(mover.at) - np.asarray(other.at)
        apart = mover.base.half_short + other.base.half_short
        unit = way[:2] / max(float(np.hypot(*way[:2])), 1e-9)
        return other.at[0] + unit[0] * apart, other.at[1] + unit[1] * apart, other.at[2]

    def _other(self, entry: FactEntry) -> Facts:
        from sandbox.rules import load_pack  # noqa: PLC0415 - seldom needed

        pack = self.field.pack if entry.rules is None else load_pack(entry.rules)
        return self.under(self.field.under(pack.with_settings(dict(entry.reading))))

    def under(self, field: Battlefield) -> Facts:
        """The same questions about another battlefield."""
        return Facts(field, self.entries, self.mistake)


def _place(field: Battlefield, at: tuple[float, ...]) -> Point:
    z = at[2] if len(at) > 2 else field.ground.floor_at(at[0], at[1], None)
    return (at[0], at[1], 0.0 if z is None else z)
