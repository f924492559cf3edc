"""The way of a move as lines in space: each kind of leg in its own manner, and the words that price it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sandbox.moves.answers import LegKind
from sandbox.view.drape import Ground
from sandbox.view.model import LegMark, Way
from sandbox.view.words import say

Floats = NDArray[np.float64]

UPRIGHT = {LegKind.CLIMB, LegKind.LADDER, LegKind.CROSS}
RISING = {LegKind.CLIMB, LegKind.LADDER, LegKind.JUMP_DOWN}
"""kinds of leg that are told by their height."""
ON_FOOT = {LegKind.WALK, LegKind.SCRAMBLE, LegKind.SQUEEZE}
ARCED = {LegKind.LEAP, LegKind.JUMP_DOWN}
LIFT = 0.14
"""how far above the ground the way is drawn, inches."""


@dataclass(frozen=True, eq=False)
class Stretch:
    """Legs of one kind that follow each other without a check, drawn and priced as one."""

    kind: LegKind
    path: Floats
    """(k, 3) inches, lifted off the ground."""
    length: float
    cost: float
    chance: float | None
    words: tuple[str, ...]
    """price, then a line for each check."""

    @property
    def middle(self) -> Floats:
        """(3,) point half way along it."""
        run = np.linalg.norm(np.diff(self.path, axis=0), axis=1)
        total = run.sum()
        if total < 1e-9:
            return np.asarray(self.path[0])
        reached = np.concatenate([[0.0], np.cumsum(run)])
        k = min(int(np.searchsorted(reached, total / 2, side="right")) - 1, len(run) - 1)
        share = (total / 2 - reached[k]) / max(run[k], 1e-12)
        return np.asarray(self.path[k] + (self.path[k + 1] - self.path[k]) * share)


def stretches(way: Way, ground: Ground | None = None) -> list[Stretch]:
    """The way's legs as stretches, in order; with a ground, legs on foot are laid on it."""
    answer: list[Stretch] = []
    run: list[LegMark] = []
    for leg in way.legs:
        if run and (leg.kind != run[0].kind or leg.checks or run[-1].checks or leg.kind is not LegKind.WALK):
            answer.append(_stretch(run, ground))
            run = []
        run.append(leg)
    if run:
        answer.append(_stretch(run, ground))
    return answer


def price(kind: LegKind, length: float, cost: float, height: float = 0.0, *, driven: bool = False) -> str:
    """A leg's price in words, such as ``climb 3.00" up, costs 6.00"``; its length alone where it costs just that.

    height: what is climbed (negative: downwards), inches. driven: by a vehicle. Hundredths, so that the prices add up to the whole.
    """
    if abs(height) >= 0.005 and kind in RISING:
        way = "length" if kind is LegKind.JUMP_DOWN else "up" if height > 0 else "down"
        measure = abs(height)
    else:
        way, measure = "length", length
    name = "drive" if driven and kind is LegKind.WALK else kind.value
    said = say("price", way, leg=say("legs", name), length=f"{measure:.2f}")
    return said if abs(measure - cost) < 0.005 else say("price", "costs", said=said, cost=f"{cost:.2f}")


def _stretch(legs: list[LegMark], ground: Ground | None) -> Stretch:
    kind = legs[0].kind
    path = np.concatenate([drawn(leg, ground) for leg in legs])
    length, cost = sum(leg.length for leg in legs), sum(leg.cost for leg in legs)
    checks = [check for leg in legs for check in leg.checks]
    words = [price(kind, length, cost, sum(leg.height for leg in legs), driven=legs[0].driven)]
    chance: float | None = 1.0 if checks else None
    for check in checks:
        told = check.text
        if check.chance is not None:
            told = say("price", "check", check=told, chance=f"{check.chance * 100:.0f}")
        words.append(told)
        chance = None if chance is None or check.chance is None else chance * check.chance
    return Stretch(kind, path, length, cost, chance, tuple(words))


def drawn(leg: LegMark, ground: Ground | None = None) -> Floats:
    """(k, 3) line of one leg in space: climbs go up and over, leaps and jumps fly an arc, the rest goes straight."""
    path = np.asarray(leg.path, dtype=np.float64).reshape(-1, 3)
    lift = np.array([0.0, 0.0, LIFT])
    if leg.kind in ON_FOOT and ground is not None:
        return np.asarray(ground.drape(path) + lift)
    if len(path) > 2:
        return np.asarray(path + lift)
    start, end = path[0], path[-1]
    drop = end[2] - start[2]
    plan = float(np.hypot(*(end - start)[:2]))
    if leg.kind in UPRIGHT and leg.kind is not LegKind.CROSS:
        corner = np.array([start[0], start[1], end[2]]) if drop >= 0 else np.array([end[0], end[1], start[2]])
        return np.asarray(np.stack([start, corner, end]) + lift)
    if leg.kind in ARCED or leg.kind is LegKind.CROSS:
        t = np.linspace(0.0, 1.0, 25)[:, None]
        if leg.kind is LegKind.JUMP_DOWN:
            line = np.concatenate([start[:2] + (end - start)[:2] * t, start[2] + drop * t**2], axis=1)
            line[:, 2] += 0.5 * min(plan, 1.0) * np.sin(np.pi * t[:, 0]) * (1 - t[:, 0])
        else:
            line = start + (end - start) * t
            line[:, 2] += (0.35 + 0.22 * plan) * 4 * t[:, 0] * (1 - t[:, 0])
        return np.asarray(line + lift)
    return np.asarray(path + lift)
