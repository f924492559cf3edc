"""Where results come from: rolled by a seed, read from a script, or typed in from real dice; and who writes them down."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Protocol

from sandbox.errors import UserError
from sandbox.moves.odds_tree import Throw, Tree
from sandbox.rules import dice

DIRECTION = "direction"
"""dice of a throw that picks one of its branches, each as likely."""
ANGLE = "angle"
"""dice of a throw that gives a direction in whole degrees, 0 to 359: the arrow of a scatter die."""


class Dice(Protocol):
    """What a step asks for its rolls."""

    def roll(self, throw: Throw, faces: Sequence[int]) -> int:
        """The unmodified result of a throw; faces: the results that are possible, in order."""


class Seeded:
    """Dice that fall as a seed has it: the same seed, the same results in the same order."""

    def __init__(self, seed: int | None = None) -> None:
        """seed: None: a new one each time."""
        self._random = random.Random(seed)

    def roll(self, throw: Throw, faces: Sequence[int]) -> int:
        """See `Dice.roll`."""
        if throw.dice in (DIRECTION, ANGLE):
            return self._random.choice(list(faces))
        return sum(self._one(text) for text in throw.dice.split("+"))

    def _one(self, text: str) -> int:
        chances = dice.roll(text)
        return int(self._random.choices(list(chances), weights=[float(c) for c in chances.values()])[0])


class Scripted:
    """Results that are given beforehand, one after the other."""

    def __init__(self, results: Sequence[int] = ()) -> None:
        self._results = list(results)

    def roll(self, throw: Throw, faces: Sequence[int]) -> int:
        """See `Dice.roll`. UserError where none is left, or the dice cannot show it."""
        if not self._results:
            raise UserError(f"no result is left for {throw.dice} ({throw.reason})")
        return possible(throw, self._results.pop(0), faces)

    @property
    def left(self) -> tuple[int, ...]:
        """Results that nobody asked for yet."""
        return tuple(self._results)

    def add(self, results: Sequence[int]) -> None:
        """More results, after those that are left."""
        self._results.extend(results)


class Typed:
    """Results that somebody reads off real dice."""

    def __init__(self, ask: Callable[[Throw, Sequence[int]], int]) -> None:
        """ask: gives the result of a throw; asked again by itself where that cannot be."""
        self._ask = ask

    def roll(self, throw: Throw, faces: Sequence[int]) -> int:
        """See `Dice.roll`."""
        return possible(throw, self._ask(throw, faces), faces)


class Then:
    """Some results first, then other dice."""

    def __init__(self, results: Sequence[int], rest: Dice) -> None:
        self._first = list(results)
        self._rest = rest

    def roll(self, throw: Throw, faces: Sequence[int]) -> int:
        """See `Dice.roll`."""
        if self._first:
            return possible(throw, self._first.pop(0), faces)
        return self._rest.roll(throw, faces)


class Wanted(Exception):
    """A roll that nobody has made yet: a step is broken off with it, and taken anew once its result is known."""

    def __init__(self, throw: Throw, faces: Sequence[int]) -> None:
        super().__init__(throw.reason)
        self.throw = throw
        self.faces = tuple(faces)
        """results that are possible, in order."""
        self.tree: Tree | None = None
        """what each result leads to, where it is a tree's."""


class Shown:
    """Results that lie on the table so far; the roll after them is `Wanted`."""

    def __init__(self, results: Sequence[int], more: Dice | None = None) -> None:
        """more: rolls one more result after those that are there."""
        self._results = list(results)
        self._more = more
        self.seen: list[tuple[Throw, int]] = []
        """throws that were asked for, with their results."""

    def roll(self, throw: Throw, faces: Sequence[int]) -> int:
        """See `Dice.roll`. Wanted where nothing more lies there."""
        if self._results:
            face = possible(throw, self._results.pop(0), faces)
        elif self._more is not None:
            face = self._more.roll(throw, faces)
            self._more = None
        else:
            raise Wanted(throw, faces)
        self.seen.append((throw, face))
        return face


class Recorded:
    """Other dice, and what they showed."""

    def __init__(self, inner: Dice) -> None:
        self._inner = inner
        self.rolled: list[int] = []

    def roll(self, throw: Throw, faces: Sequence[int]) -> int:
        """See `Dice.roll`."""
        face = self._inner.roll(throw, faces)
        self.rolled.append(face)
        return face


def possible(throw: Throw, face: int, faces: Sequence[int]) -> int:
    """The result, if the dice can show it. UserError that says what they can."""
    if face in faces:
        return face
    raise UserError(f"{throw.dice} ({throw.reason}) shows {span(faces)}, not {face}")


def span(faces: Sequence[int]) -> str:
    """The results that dice can show, in words."""
    low, high = min(faces), max(faces)
    return f"{low} to {high}" if len(faces) > 1 else str(low)


def faces_of(tree: Tree) -> tuple[int, ...]:
    """The results that the throw of a tree can have."""
    return tuple(sorted(face for branch in tree.branches for face in branch.faces))


def fair(throw: Throw) -> tuple[int, ...]:
    """The results of a throw that belongs to no tree."""
    if throw.dice == ANGLE:
        return tuple(range(360))
    return tuple(int(v) for v in dice.roll(throw.dice))
