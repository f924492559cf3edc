"""Models while a tree of outcomes is worked out, and the small steps that all trees are made of.

A `State` is never changed: each step gives a new one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sandbox.errors import UserError
from sandbox.moves import odds_tree as tree
from sandbox.moves.answers import Hit, Point
from sandbox.moves.distance import Base
from sandbox.moves.engagement import Engaging
from sandbox.moves.fails import status_words
from sandbox.moves.falling_ground import Site
from sandbox.moves.odds_tree import After, Event, Happening, Throw, Tree
from sandbox.moves.placed import Placed
from sandbox.moves.words import sentence
from sandbox.rules import FighterRules, Pack
from sandbox.rules.schema import StatusRow
from sandbox.rules.words import Posture

NONE = "none"


@dataclass(frozen=True)
class One:
    """One model while a tree is worked out."""

    placed: Placed
    """as it stands now: base, rules of its statuses, height."""
    touched: bool = False
    """something happened to it."""
    out: bool = False
    hits: tuple[Hit, ...] = ()
    wounds_lost: int = 0
    fallen: float = 0.0
    """height fallen altogether, inches."""
    goes_on: bool = True

    @property
    def at(self) -> Point:
        """Where it is."""
        return self.placed.at

    @property
    def base(self) -> Base:
        """Its base."""
        return self.placed.base

    @property
    def rules(self) -> FighterRules:
        """Its rules, with the statuses that it has now."""
        return self.placed.rules

    def after(self) -> After:
        """How it ends."""
        return After(
            self.placed.id,
            None if self.out else self.at,
            self.rules.statuses,
            self.out,
            self.hits,
            self.wounds_lost,
            self.fallen,
            self.goes_on and not self.out,
        )


State = Mapping[str, One]
Then = Callable[[State], Tree]


def state_of(placed: Sequence[Placed]) -> State:
    """Everybody as they stand."""
    return {one.id: One(one) for one in placed}


def changed(state: State, who: str, **values: Any) -> State:
    """A state with one model changed: fields of `One` by name."""
    return {**state, who: replace(state[who], touched=True, **values)}


def moved(state: State, who: str, at: Point) -> State:
    """A state with one model elsewhere."""
    placed = state[who].placed
    return changed(state, who, placed=replace(placed, base=placed.base.moved(at)))


@dataclass(frozen=True, eq=False)
class Course:
    """What every tree is worked out with: the ground, the rules, engagement, and words for what happens."""

    site: Site
    engaging: Engaging

    @property
    def pack(self) -> Pack:
        """The rules that are played by."""
        return self.site.field.pack

    def base_row(self, one: One) -> StatusRow:
        """The status of a model that the others lie over."""
        rows = [self.pack.status(s) for s in one.rules.statuses]
        return next((row for row in rows if not row.overlay), rows[0])

    def lies(self, one: One) -> bool:
        """Whether a model is Prone."""
        return self.base_row(one).posture is Posture.PRONE

    def kept_from(self, one: One) -> bool:
        """Whether enemies keep their distance from a model."""
        return all(self.pack.status(s).kept_from for s in one.rules.statuses)

    def enemies(self, state: State, who: str) -> tuple[One, ...]:
        """A model's enemies that are on the battlefield."""
        one = state[who].placed
        return tuple(o for key, o in state.items() if key != who and not o.out and one.is_enemy(o.placed))

    def engaged_with(self, state: State, who: str) -> tuple[str, ...]:
        """Ids of the enemies that a model is engaged with; not vehicles, which it may choose."""
        one = state[who].placed
        found = ((o.placed.id, self.engaging.between(one, o.placed)) for o in self.enemies(state, who))
        return tuple(key for key, how in found if how is not None and not how.chosen)

    def with_status(self, state: State, who: str, status: str) -> State:
        """A state with one model in another status, what lies over it kept; out of the game where that says so."""
        one = state[who]
        kept = [s for s in one.rules.statuses if self.pack.status(s).overlay]
        placed = self.site.field.with_status(one.placed, (status, *kept))
        return changed(state, who, placed=placed, out=one.out or self.pack.status(status).leaves_game)

    def with_overlays(self, state: State, who: str, overlays: tuple[str, ...]) -> State:
        """A state with more lying over one model's status."""
        one = state[who]
        statuses = tuple(dict.fromkeys((*one.rules.statuses, *overlays)))
        return changed(state, who, placed=self.site.field.with_status(one.placed, statuses))

    # -- words -------------------------------------------------------------------------------------------------

    def told(
        self,
        what: Event,
        who: str,
        words: str,
        rule: str,
        filled: Mapping[str, object] | None = None,
        **more: Any,
    ) -> Happening:
        """Something that happens; words: a sentence of `outcomes`, filled in; more: further fields of `Happening`."""
        text = sentence("outcomes", words, **(filled or {}))
        return Happening(what, who, text, rule, self.source(rule), **more)

    def told_status(self, who: str, status: str, rule: str) -> Happening:
        """A model has another status from now on."""
        return self.told(Event.STATUS, who, "becomes", rule, {"status": status_words(status)}, status=status)

    def source(self, rule: str) -> str:
        """Where a rule comes from; empty where this pack does not state it."""
        try:
            return self.pack.rule(rule).source
        except UserError:
            return ""

    # -- rolls and ends ----------------------------------------------------------------------------------------

    def check(
        self,
        one: One,
        check_id: str,
        modifier: int,
        reason: str,
        rule: str,
        passed: Callable[[], Tree],
        failed: Callable[[], Tree],
    ) -> Tree:
        """A check of a model, and what follows from it; rule: what asks for it."""
        dice = self.pack.check(check_id)
        throw = Throw(dice.dice, reason, one.placed.id, rule, self.source(rule))
        return tree.of_check(dice, one.rules.profile[dice.stat], modifier, throw, passed, failed)

    def finish(self, first: str, goal: Point | None = None) -> Then:
        """Where a tree ends: statuses worked out again, and how everybody ends whom something happened to.

        first: the model that was asked about; goal: where its move is meant to end.
        """

        def end(state: State) -> Tree:
            now, told = self.stood_up(state)
            ends = [now[first].after()]
            ends += [one.after() for key, one in now.items() if one.touched and key != first]
            reached = goal is not None and ends[0].at == goal
            return Tree(happens=told, ends=tuple(ends), reached=reached)

        return end

    def stood_up(self, state: State) -> tuple[State, tuple[Happening, ...]]:
        """Models that lie pinned and are engaged stand up at no cost."""
        told: list[Happening] = []
        now = state
        for key, one in state.items():
            if one.out or not self.base_row(one).stands_up_engaged or not self.engaged_with(state, key):
                continue
            status = self.pack.file.default_status
            now = self.with_status(now, key, status)
            told.append(self.told(Event.STANDS_UP, key, "stands-up", "engaged", status=status))
        return now, tuple(told)
