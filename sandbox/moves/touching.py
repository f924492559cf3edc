"""What a way touches: notes about the ground it walks over, and the checks and prices of the hazards it accepts."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sandbox.ground.model import Floats
from sandbox.moves import fails
from sandbox.moves.answers import Check, Leg, LegKind, OnFail, Point
from sandbox.moves.hazards import DANGEROUS, Choice, Hazard, HazardKind
from sandbox.moves.landing import slip_from
from sandbox.moves.setup import Setup
from sandbox.units import MM_PER_INCH, mm

if TYPE_CHECKING:
    from sandbox.moves.legal import Asked

_STEP = 0.05
"""inches between two places of a path that are looked at for notes."""
_FINE = 0.02
"""the same where a path is cut."""
_NOTHING = 0.01
"""inches: shorter stretches are not told apart."""


def underfoot(setup: Setup, points: Floats) -> tuple[str, ...]:
    """What a walked path (m, 3), inches, goes over: ``difficult``, ``dangerous``."""
    if not (setup.worst.any() or setup.rough.any() or (setup.weight[np.isfinite(setup.weight)] > 1.0).any()):
        return ()
    place, _ = along(setup, points, _STEP)
    place = place[place >= 0]
    found: set[str] = set()
    harsh = setup.worst[place]
    dear = np.isfinite(setup.weight[place]) & (setup.weight[place] > 1.0)
    if (harsh == DANGEROUS).any():
        found.add("dangerous")
    if ((harsh != DANGEROUS) & ((harsh > 0) | dear)).any():
        found.add("difficult")
    return tuple(sorted(found))


def touched(asked: Asked, setup: Setup, choice: Choice, legs: tuple[Leg, ...]) -> tuple[Leg, ...]:
    """The legs with what their way touches: checks on dangerous ground, scrambles as legs of their own, what is paid
    once."""
    for hazard in choice.accepts:
        if hazard.kind is HazardKind.SCRAMBLE:
            legs = _scrambled(asked, setup, hazard, legs)
        elif hazard.kind is HazardKind.DANGEROUS:
            if hazard.test is not None:
                legs = _with_check(
                    setup, hazard, legs, fails.check(hazard.test, fails.harm(asked.mover.rules))
                )
        else:
            legs = _paid_once(setup, hazard, legs)
    return legs


def _first(setup: Setup, hazard: Hazard, legs: tuple[Leg, ...]) -> int:
    """The first leg that touches a hazard; the first of all where none is seen to."""
    for i, leg in enumerate(legs):
        place, _ = along(setup, np.array(leg.path or (leg.start, leg.end)), _STEP)
        if hazard.where[place[place >= 0]].any():
            return i
    return 0


def _with_check(setup: Setup, hazard: Hazard, legs: tuple[Leg, ...], check: Check) -> tuple[Leg, ...]:
    at = _first(setup, hazard, legs)
    return tuple(replace(leg, checks=(*leg.checks, check)) if i == at else leg for i, leg in enumerate(legs))


def _paid_once(setup: Setup, hazard: Hazard, legs: tuple[Leg, ...]) -> tuple[Leg, ...]:
    if not legs:
        return legs
    over = next((i for i, leg in enumerate(legs) if leg.kind is LegKind.CROSS or "rail" in leg.notes), None)
    at = _first(setup, hazard, legs)
    place, _ = along(setup, np.array(legs[at].path or (legs[at].start, legs[at].end)), _STEP)
    if over is not None and (over < at or not hazard.where[place[place >= 0]].any()):
        at = over
    notes = tuple(n for n in legs[at].notes if n not in ("difficult", "obstacle"))
    paid = replace(legs[at], cost=legs[at].cost + hazard.extra, notes=(*notes, HazardKind.ONCE.value))
    return (*legs[:at], paid, *legs[at + 1 :])


def _scrambled(asked: Asked, setup: Setup, hazard: Hazard, legs: tuple[Leg, ...]) -> tuple[Leg, ...]:
    """Walks cut where a scramble begins and ends; the check is on its first stretch."""
    told: list[Leg] = []
    for leg in legs:
        told += _cut(setup, hazard, leg) if leg.kind is LegKind.WALK else [leg]
    if hazard.test is None:
        return tuple(told)
    first = next((i for i, leg in enumerate(told) if leg.kind is LegKind.SCRAMBLE and not leg.checks), None)
    if first is None:
        first = _first(setup, hazard, tuple(told))
    check = fails.check(hazard.test, _falls(asked, told[first]))
    told[first] = replace(told[first], checks=(*told[first].checks, check))
    return tuple(told)


def _falls(asked: Asked, leg: Leg) -> OnFail:
    """A failed scramble: a fall at its midpoint."""
    middle = _at(np.array(leg.path), leg.length / 2)
    landing = slip_from(asked.ground, asked.body, middle)
    return fails.fall(asked.field.pack, asked.mover.rules, landing)


def _cut(setup: Setup, hazard: Hazard, leg: Leg) -> list[Leg]:
    points = np.array(leg.path)
    place, path = along(setup, points, _FINE)
    if len(path) < 2:
        return [leg]
    on = np.where(place >= 0, hazard.where[place], False)
    if not on.any():
        return [leg]
    weight = np.where(place >= 0, setup.weight[place], 1.0)
    weight[~np.isfinite(weight)] = 1.0
    size = np.linalg.norm(np.diff(path, axis=0), axis=1)
    price = size * (weight[1:] + weight[:-1]) / 2
    price *= leg.cost / max(float(price.sum()), 1e-9)
    cuts = [0, *(np.flatnonzero(np.diff(on)) + 1).tolist(), len(path) - 1]
    made: list[Leg] = []
    for a, b in itertools.pairwise(cuts):
        length, cost = float(size[a:b].sum()), float(price[a:b].sum())
        if b <= a or (length < _NOTHING and made):
            continue
        rough = bool(on[min(a + 1, b)] if a else on[a])
        kind = LegKind.SCRAMBLE if rough else LegKind.WALK
        notes = tuple(n for n in leg.notes if n != "difficult" or rough)
        corners = tuple(_point(p) for p in path[a : b + 1])
        if made:
            corners = (made[-1].end, *corners[1:])
        made.append(
            Leg(kind, corners[0], corners[-1], length, cost, path=_straightened(corners), notes=notes)
        )
    made[-1] = replace(made[-1], end=leg.end, path=(*made[-1].path[:-1], leg.end))
    made[0] = replace(made[0], checks=leg.checks)
    return made


def _straightened(points: tuple[Point, ...]) -> tuple[Point, ...]:
    """A way without the points that lie on a straight line between their neighbours."""
    kept = [points[0]]
    for i in range(1, len(points) - 1):
        a, b, c = (np.array(p) for p in (kept[-1], points[i], points[i + 1]))
        span = float(np.linalg.norm(c - a))
        off = 0.0 if span < 1e-12 else float(np.linalg.norm(np.cross(c - a, b - a))) / span
        if off > 1e-4:
            kept.append(points[i])
    return (*kept, points[-1])


def along(setup: Setup, points: Floats, step: float) -> tuple[NDArray[np.intp], Floats]:
    """The place under each point of a path (m, 3), inches, taken every `step`: (k,), -1 none; and the points (k, 3)."""
    places = setup.places
    if len(points) < 2:
        return np.zeros(0, dtype=np.intp), points
    size = np.hypot(*np.diff(points[:, :2], axis=0).T)
    along = np.concatenate([[0.0], np.cumsum(size)])
    at = np.linspace(0.0, along[-1], max(2, int(along[-1] / step) + 1))
    path = np.column_stack([np.interp(at, along, points[:, i]) for i in range(3)])
    i = np.clip(np.round((mm(1.0) * path[:, 0] - places.x0) / places.pitch).astype(int), 0, places.nx - 1)
    j = np.clip(np.round((mm(1.0) * path[:, 1] - places.y0) / places.pitch).astype(int), 0, places.ny - 1)
    found = np.full(len(path), -1, dtype=np.intp)
    for k, (column, height) in enumerate(zip(j * places.nx + i, path[:, 2] * MM_PER_INCH, strict=True)):
        here = np.arange(places.start[column], places.start[column + 1])
        if here.size:
            found[k] = here[int(np.argmin(np.abs(places.pos[here, 2] - height)))]
    return found, path


def _at(path: Floats, distance: float) -> Point:
    """The point of a path so far along it, inches."""
    size = np.linalg.norm(np.diff(path, axis=0), axis=1)
    along = np.concatenate([[0.0], np.cumsum(size)])
    return _point(np.array([np.interp(distance, along, path[:, i]) for i in range(3)]))


def _point(values: Floats) -> Point:
    return (float(values[0]), float(values[1]), float(values[2]))
