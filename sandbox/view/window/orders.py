"""From an order to what comes of it: the tree of what can happen is walked with real dice, and read.

What is rolled, what passes and what follows is in the tree that the battlefield answers with; nothing is decided here
but what the dice show.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sandbox.moves.answers import Leg, Move, Point
from sandbox.moves.narrate import tell_leg
from sandbox.moves.odds_tree import After, Branch, Event, Happening, Throw, Tree
from sandbox.rules import dice

Floats = NDArray[np.float64]

NEAR = 0.6
"""inches: a fall begins this near to the way that was gone."""


@dataclass(frozen=True)
class Ended:
    """How an order came out."""

    ends: tuple[After, ...]
    """every model that something happened to, the one that moved first."""
    facing: float | None
    """where the one that moved looks now; None: as before."""
    paths: tuple[Floats, ...]
    """(k, 3) inches: legs that were gone, in order; of the last one perhaps a part."""
    falls: tuple[tuple[Point, Point], ...]
    """from where to where it fell."""
    passed: bool
    """as intended."""
    words: tuple[str, ...]
    """what happened, a line each."""


@dataclass
class Order:
    """A move that was ordered, with the dice it needs one after the other."""

    move: Move
    tree: Tree
    """what can happen on it."""
    random: random.Random = field(default_factory=random.Random)
    rolled: list[tuple[Throw, int, Branch]] = field(default_factory=list)
    happened: list[Happening] = field(default_factory=list)

    def __post_init__(self) -> None:
        """What follows for certain has happened."""
        self._now = self.tree
        self.happened += self.tree.happens

    @property
    def waiting(self) -> Throw | None:
        """What has to be rolled next; None: nothing (more) to roll."""
        return self._now.throw

    @property
    def branches(self) -> tuple[Branch, ...]:
        """The outcomes of the throw that waits."""
        return self._now.branches

    def range_of(self) -> tuple[int, int]:
        """Least and greatest result of the throw that waits."""
        faces = [face for branch in self.branches for face in branch.faces]
        return min(faces), max(faces)

    def chance(self) -> float | None:
        """Chance that the check that waits passes; None where it is no check."""
        if all(branch.passed is None for branch in self.branches):
            return None
        return float(sum(branch.chance for branch in self.branches if branch.passed))

    def roll(self) -> int:
        """Roll for what waits."""
        throw = self.waiting
        if throw is None:
            raise ValueError("there is nothing to roll")
        if throw.dice == "direction":
            face = self.random.randint(1, len(self.branches))
        else:
            faces = dice.roll(throw.dice)
            face = int(self.random.choices(list(faces), weights=[float(c) for c in faces.values()])[0])
        self.typed(face)
        return face

    def typed(self, value: int) -> None:
        """A result from somebody's own dice; ValueError where those cannot show it."""
        throw = self.waiting
        if throw is None:
            raise ValueError("there is nothing to roll")
        branch = next((b for b in self.branches if value in b.faces), None)
        if branch is None:
            low, high = self.range_of()
            raise ValueError(f"these dice show {low} to {high}")
        self.rolled.append((throw, value, branch))
        self._now = branch.tree
        self.happened += branch.tree.happens

    def ended(self) -> Ended:
        """What comes of it, once nothing waits for dice any more."""
        move = self.move
        own = [one for one in self.happened if one.who == move.fighter]
        falls = tuple(
            (one.start, one.at)
            for one in own
            if one.what is Event.FALL and one.start is not None and one.at is not None
        )
        passed = self._now.reached
        stop = falls[0][0] if falls else next((one.at for one in own if one.what is Event.STOPS), None)
        paths = tuple(_path(leg) for leg in move.legs)
        if not passed:
            paths = _as_far_as(paths, stop or self._end(move))
        first = f"{move.fighter}: {move.action}" + (f", {move.cost:.2f} in" if passed and move.cost else "")
        words = [first]
        words += [tell_leg(leg) for leg in move.legs] if passed else []
        words += [told(throw, value, branch) for throw, value, branch in self.rolled]
        words += [
            f"{one.who}: {one.text} ({one.rule})" for one in self.happened if one.what is not Event.ARRIVES
        ]
        words += list(move.events)
        return Ended(self._now.ends, _heading(move, paths), paths, falls, passed, tuple(words))

    def _end(self, move: Move) -> Point:
        """Where it stopped, as the tree has it."""
        own = next((one for one in self._now.ends if one.who == move.fighter), None)
        return own.at if own is not None and own.at is not None else move.legs[0].start


def told(throw: Throw, value: int, branch: Branch) -> str:
    """One roll in words."""
    name = throw.check or throw.dice
    needs = f", needed {throw.needed}+" if throw.needed is not None else ""
    verdict = "" if branch.passed is None else ", passed" if branch.passed else ", failed"
    return f"{name} for {throw.reason}{needs}: rolled {value}{verdict}"


def follows(branch: Branch) -> str:
    """What an outcome brings, in words, as far as it is certain."""
    words = ", ".join(one.text for one in branch.tree.happens)
    return words + (" ..." if branch.tree.throw is not None else "")


def _path(leg: Leg) -> Floats:
    return np.asarray(leg.path if len(leg.path) >= 2 else (leg.start, leg.end), dtype=np.float64)


def _as_far_as(paths: tuple[Floats, ...], stop: Point) -> tuple[Floats, ...]:
    """The paths up to the place nearest to where it stopped."""
    end = np.asarray(stop)
    best: tuple[float, int, int, float] = (np.inf, 0, 0, 0.0)
    for number, path in enumerate(paths):
        for row in range(len(path) - 1):
            run = path[row + 1] - path[row]
            length = float(run @ run)
            share = float(np.clip((end - path[row]) @ run / max(length, 1e-12), 0.0, 1.0))
            far = float(np.linalg.norm(path[row] + run * share - end))
            if far < best[0] - 1e-9:
                best = (far, number, row, share)
    far, number, row, share = best
    if not np.isfinite(far):
        return ()
    path = paths[number]
    last = path[row] + (path[row + 1] - path[row]) * share
    part = np.concatenate([path[: row + 1], [last]])
    if far < NEAR:
        part = np.concatenate([part, [end]])
    return (*paths[:number], part)


def _heading(move: Move, paths: tuple[Floats, ...]) -> float | None:
    """It looks where it went; an oval as the move says."""
    if move.facing is not None:
        return move.facing
    for path in reversed(paths):
        run = np.diff(path[:, :2], axis=0)
        long = np.flatnonzero(np.hypot(run[:, 0], run[:, 1]) > 0.05)
        if len(long):
            x, y = run[long[-1]]
            return float(np.degrees(np.arctan2(y, x)) % 360)
    return None
