"""From an order to what comes of it: dice for the checks on its way, where it ends, what is said about it.

What a check asks for, and what its fail does, is in the move itself; nothing is decided here but what the dice show.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sandbox.moves.answers import Check, CheckKind, Leg, Move, Point
from sandbox.moves.narrate import tell_leg

Floats = NDArray[np.float64]

DICE: dict[CheckKind, tuple[int, int]] = {
    CheckKind.INITIATIVE: (1, 6),
    CheckKind.HANDLING: (2, 6),
    CheckKind.AGILITY: (1, 20),
    CheckKind.DISTANCE: (1, 3),
}
"""how many dice of how many sides."""


@dataclass(frozen=True)
class Ended:
    """How an order came out."""

    at: Point
    """where the base is now."""
    facing: float | None
    status: str | None
    """the status that it goes into; None: unchanged."""
    paths: tuple[Floats, ...]
    """(k, 3) inches: legs that were gone, in order; of the last one perhaps a part."""
    fall_to: Point | None
    """where it falls to from there; None: no fall."""
    out: bool
    """out of the game."""
    passed: bool
    """as intended."""
    words: tuple[str, ...]
    """what happened, a line each."""


@dataclass
class Order:
    """A move that was ordered, with the dice it needs one after the other."""

    move: Move
    rolled: list[int] = field(default_factory=list)
    random: random.Random = field(default_factory=random.Random)

    @property
    def checks(self) -> tuple[Check, ...]:
        """All checks in the order in which they are rolled."""
        return self.move.checks

    @property
    def waiting(self) -> Check | None:
        """The check that has to be rolled next; None: nothing (more) to roll."""
        if any(not self.passes(check, value) for check, value in self.results):
            return None
        return self.checks[len(self.rolled)] if len(self.rolled) < len(self.checks) else None

    @property
    def results(self) -> list[tuple[Check, int]]:
        """The checks rolled so far with what the dice showed."""
        return list(zip(self.checks, self.rolled, strict=False))

    @staticmethod
    def passes(check: Check, value: int) -> bool:
        """Whether a value passes."""
        return check.chance > 0 and value >= check.needed

    @staticmethod
    def range_of(check: Check) -> tuple[int, int]:
        """Least and greatest value of the check's dice."""
        count, sides = DICE[check.kind]
        return count, count * sides

    def roll(self) -> int:
        """Roll for the next check."""
        check = self.waiting
        if check is None:
            raise ValueError("there is nothing to roll")
        count, sides = DICE[check.kind]
        value = sum(self.random.randint(1, sides) for _ in range(count))
        self.rolled.append(value)
        return value

    def typed(self, value: int) -> None:
        """A value from somebody's own dice; ValueError where those cannot show it."""
        check = self.waiting
        if check is None:
            raise ValueError("there is nothing to roll")
        low, high = self.range_of(check)
        if not low <= value <= high:
            raise ValueError(f"these dice show {low} to {high}")
        self.rolled.append(value)

    def ended(self, fall_status: str) -> Ended:
        """What comes of it, once nothing waits for dice any more. fall_status: what a fall leaves a model in."""
        move = self.move
        failed = next(((c, v) for c, v in self.results if not self.passes(c, v)), None)
        words = [self._told(check, value) for check, value in self.results]
        if failed is None:
            first = f"{move.fighter}: {move.action}, {move.cost or 0:.2f} in"
            paths = tuple(_path(leg) for leg in move.legs)
            return Ended(
                move.to, _heading(move, paths), None, paths, None, False, True,
                (first, *(tell_leg(leg) for leg in move.legs), *words),
            )  # fmt: skip
        check, _ = failed
        words.insert(0, f"{move.fighter}: {move.action}, stopped on the way")
        words.append(check.on_fail.happens)
        paths, stopped = self._as_far_as(check)
        fell = check.on_fail.height is not None
        landing = check.on_fail.landing
        at = landing if fell and landing is not None else stopped
        return Ended(
            at,
            _heading(move, paths),
            fall_status if fell else None,
            paths,
            landing if fell else None,
            fell and landing is None,
            False,
            tuple(words),
        )

    def _told(self, check: Check, value: int) -> str:
        verdict = "passed" if self.passes(check, value) else "failed"
        return (
            f"{check.kind.value} for {check.reason.value}: needed {check.needed}+, rolled {value}, {verdict}"
        )

    def _as_far_as(self, check: Check) -> tuple[tuple[Floats, ...], Point]:
        """The legs up to the one whose check failed, and where it stands then."""
        legs = self.move.legs
        if check.kind is CheckKind.DISTANCE:
            # The way was too long by so much: it is gone as far as the dice carry.
            short = check.needed - self.rolled[self.checks.index(check)] + 1.0
            return _shortened(legs, max(0.0, (self.move.cost or 0.0) - max(short, 1.0)))
        gone: list[Floats] = []
        for leg in legs:
            if any(one is check for one in leg.checks):
                break
            gone.append(_path(leg))
        at = gone[-1][-1] if gone else np.asarray(legs[0].start)
        return tuple(gone), (float(at[0]), float(at[1]), float(at[2]))


def _path(leg: Leg) -> Floats:
    return np.asarray(leg.path if len(leg.path) >= 2 else (leg.start, leg.end), dtype=np.float64)


def _shortened(legs: tuple[Leg, ...], cost: float) -> tuple[tuple[Floats, ...], Point]:
    """The legs that a cost pays for, the last one in part."""
    gone: list[Floats] = []
    at: Point = legs[0].start
    for leg in legs:
        path = _path(leg)
        if leg.cost <= cost + 1e-9:
            gone.append(path)
            cost -= leg.cost
            at = leg.end
            continue
        share = cost / max(leg.cost, 1e-9)
        run = np.linalg.norm(np.diff(path, axis=0), axis=1)
        along = np.concatenate([[0.0], np.cumsum(run)])
        stop = share * along[-1]
        part = [p for p, d in zip(path, along, strict=True) if d < stop]
        last = np.array([np.interp(stop, along, path[:, i]) for i in range(3)])
        gone.append(np.array([*part, last]))
        return tuple(gone), (float(last[0]), float(last[1]), float(last[2]))
    return tuple(gone), at


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
