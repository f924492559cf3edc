"""What is said of each kind of finding that a measurement gives: one sentence, and the change that would cure it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sandbox.check.finding import Case
from sandbox.check.measure import Measure, What
from sandbox.check.model import FindingKind
from sandbox.units import inches

K = FindingKind
CRAWLS = "crawls through"
EFFECTS: dict[FindingKind, str] = {
    K.LEDGE: "cannot stand here",
    K.TREAD: "cannot stop here",
    K.WALKWAY: "cannot walk here",
    K.DOOR: "does not get through",
    K.LADDER_HOLE: "goes up only because the rules say so",
    K.LANDING: "cannot get down here",
    K.HEADROOM: "does not fit under it",
    K.OVERHANG: "cannot climb here",
    K.CLIMB: "cannot climb so high",
    K.STEPS: "climbs instead of walking",
    K.RAIL: "has no rail here",
    K.SLOPE: "cannot stand here",
    K.HAND: "",
    K.OBSTACLE: "cannot end here",
}
"""what a finding means for one base under one pack; near a threshold it is `NEAR`."""
NEAR = "just fits"
_DIGITS = (1, 2)
_SAME_MM = 0.02
"""numbers that differ by less are one: widths are found to a hundredth of a millimetre."""


@dataclass(frozen=True)
class Told:
    """Cases of one kind at one place."""

    kind: FindingKind
    measure: Measure
    value: float
    """mm, or degrees."""
    cases: tuple[Case, ...]

    @property
    def worst(self) -> Case:
        """The gravest case, and of equals the one nearest to its threshold."""
        return max(self.cases, key=lambda c: (c.severity.rank, -abs((c.limit or 0.0) - self.value)))

    @property
    def limit(self) -> float:
        """Threshold of the worst case, in the unit of what is measured."""
        return self.worst.limit or 0.0

    @property
    def limits(self) -> list[float]:
        """All thresholds, each once, in the unit of what is measured."""
        return sorted({c.limit for c in self.cases if c.limit is not None})


def bases_of(cases: Sequence[Case]) -> str:
    """``25 and 32 mm bases``."""
    names = list(dict.fromkeys(c.base for c in cases if c.base is not None))
    if not names:
        return "bases"
    return f"{listed(names)} mm bases" if len(names) > 1 else f"a {names[0]} mm base"


def listed(words: Sequence[str]) -> str:
    """``25``, ``25 and 32``, ``25, 32 and 40``."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def does(cases: Sequence[Case], one: str, several: str) -> str:
    """A verb for the bases of some cases."""
    return several if len({c.base for c in cases if c.base is not None}) != 1 else one


def digits_for(value: float, others: Iterable[float], same: float = _SAME_MM) -> int:
    """How many decimals it takes so that a number does not read like another that it is not.

    All are of one unit; same: numbers that differ by no more are taken to be one.
    """
    for digits in _DIGITS:
        shown = f"{value:.{digits}f}"
        if all(abs(other - value) <= same or f"{other:.{digits}f}" != shown for other in others):
            return digits
    return _DIGITS[-1]


def length(value: float, *beside: float) -> str:
    """Millimetres with inches beside them, with decimals enough to tell it from the numbers that it is compared with."""
    digits = digits_for(value, beside)
    return f'{value:.{digits}f} mm ({inches(value):.{digits + 1}f}")'


def up(change: float) -> float:
    """A change that cures, in tenths of a millimetre: rounded up, but for what measuring itself is out by."""
    return max(math.ceil(10.0 * change - 0.25) / 10.0, 0.1)


def sentence(told: Told) -> tuple[str, str]:
    """What is said of one kind at one place, and what would cure it."""
    measure = told.measure
    if measure.base is not None and measure.text and told.kind in (K.LEDGE, K.LADDER_HOLE):
        return _oval(told)
    if told.kind.value.startswith("near-"):
        return _near(told)
    if told.kind in (K.DOOR, K.WALKWAY, K.LANDING, K.LEDGE, K.TREAD, K.LADDER_HOLE):
        return _room(told)
    return _other(told)


def also(told: Told) -> tuple[str, str]:
    """The same for a place of which something graver is told already: two short clauses, the second one empty at times."""
    who, cases = bases_of(told.cases), told.cases
    most = max(told.limits, default=told.value)
    more = f"{up(most - told.value):.1f} mm"
    match told.kind:
        case K.LEDGE:
            return f"{who} cannot stand here", f"{more} for {who} to stand"
        case K.LANDING:
            return f"{who} cannot get down here", f"{more} for {who} to get down"
        case K.WALKWAY:
            return f"{who} {does(cases, 'needs', 'need')} {_needed(told)} mm to walk", f"{more} to walk"
        case K.DOOR:
            return _through(told), f"{more} to get through"
    if told.kind.value.startswith("near-"):
        away = min(abs(told.value - limit) for limit in told.limits)
        if away <= _SAME_MM:
            return f"{who} {does(cases, 'fits', 'fit')} exactly: the printer decides", ""
        spare = f"{away:.{digits_for(away, (0.0,))}f} mm to spare"
        return f"{who} {does(cases, 'has', 'have')} {spare}: the printer decides", ""
    return sentence(told)


def _more(told: Told) -> tuple[str, str]:
    """What is missing for the gravest cases, and in brackets for all of them."""
    grave = [c for c in told.cases if c.severity is told.worst.severity and c.limit is not None]
    most = max((c.limit or 0.0 for c in grave), default=told.limit)
    largest = max((c for c in told.cases if c.limit is not None), key=lambda c: c.limit or 0.0)
    more = up(most - told.value)
    every = up((largest.limit or 0.0) - told.value)
    rest = f" ({every:.1f} mm for {bases_of([largest])})" if every > more else ""
    return f"{more:.1f} mm", rest


def _needed(told: Told) -> str:
    return listed([f"{limit:.1f}" for limit in told.limits])


def _through(told: Told) -> str:
    """Who does not get through an opening, and who crawls."""
    stopped = [c for c in told.cases if c.effect != CRAWLS]
    crawls = [c for c in told.cases if c.effect == CRAWLS]
    parts = [f"too narrow for {bases_of(stopped)}"] if stopped else []
    if crawls:
        packs = listed(list(dict.fromkeys(c.pack for c in crawls if c.pack is not None)))
        parts.append(f"under {packs} {bases_of(crawls)} {does(crawls, 'crawls', 'crawl')} through")
    return "; ".join(parts)


def _room(told: Told) -> tuple[str, str]:
    """Floors, ways, openings and holes that are too small."""
    who, cases, measure = bases_of(told.cases), told.cases, told.measure
    wide = length(told.value, *told.limits)
    short, rest = _more(told)
    match told.kind:
        case K.LEDGE:
            part = "a part of this floor is" if measure.what is What.STRIP else "this floor is"
            return f"{part} {wide} deep: too shallow for {who} to stand on", f"make it {short} deeper{rest}"
        case K.TREAD:
            return (
                f"the treads here hold no more than {wide}: {who} {does(cases, 'passes', 'pass')} and cannot end there",
                f"make the treads {short} deeper, where models should stop on them",
            )
        case K.WALKWAY:
            what = {What.PASSAGE: "between the wall and the drop there are", What.WALKWAY: "the floor is"}
            stair = "the stair is" if measure.text == "stair" else what.get(measure.what, "the floor is")
            return (
                f"{stair} {wide} wide: {who} {does(cases, 'needs', 'need')} {_needed(told)} mm to walk here",
                f"make it {short} wider{rest}",
            )
        case K.DOOR:
            return f"the opening is {wide} wide: {_through(told)}", f"make it {short} wider{rest}"
        case K.LADDER_HOLE:
            return (
                f"the hole over the ladder is {wide} wide: {who} {does(cases, 'goes', 'go')} up it only because the rules say so",
                f"make it {short} wider{rest}",
            )
    return (
        f"behind the obstacle there are {wide}: no room for {who} to get down",
        f"move it {short} away from what is behind it{rest}",
    )


def _other(told: Told) -> tuple[str, str]:
    """Heights, tilts and overhangs."""
    value, limit, measure = told.value, told.limit, told.measure
    wide, most = length(value, *told.limits), length(limit, value)
    short, over = f"{up(limit - value):.1f} mm", f"{up(value - limit):.1f} mm"
    match told.kind:
        case K.HEADROOM:
            return f"{wide} of headroom: a model needs {most}", f"raise what is above by {short}"
        case K.OVERHANG:
            return (
                f"the floor sticks out {wide} over what is climbed: more than {most} stops a climb",
                f"make it stick out {over} less",
            )
        case K.CLIMB:
            return (
                f"a climb of {wide}: two Moves of {bases_of(told.cases)} pay for {most} at most",
                f"make it {over} lower, or put a ladder or a landing there",
            )
        case K.STEPS:
            return (
                f"risers of up to {wide}: each is a climb, because a free step is {most}",
                f"make each riser at least {over} lower",
            )
        case K.RAIL:
            return f"the rail is {wide} high: one counts from {most}", f"make it {short} higher"
        case K.SLOPE:
            digits = digits_for(value, [limit])
            tilt = f"{value:.{digits}f} degrees"
            what = {"ramp": f"this ramp is tilted {tilt}", "": f"this floor is tilted {tilt}"}.get(
                measure.text, f"{measure.text} of this ground are too steep, up to {tilt}"
            )
            return (
                f"{what}: nobody stands on more than {limit:g}",
                "" if measure.text == "ramp" else f"make it at least {up(value - limit):.1f} degrees flatter",
            )
        case K.HAND:
            return f"{wide} of room for a hand or a tape: {most} was asked for", f"raise it by {short}"
    if measure.text == "stair":
        return (
            f"this stair stands alone, is {wide} high and small enough to count as an obstacle: it is "
            "crossed, not walked up",
            "declare it stairs, make it larger, or fix it to a larger part",
        )
    return (
        f"the part that this floor is on is {wide} high and small enough to count as an obstacle: it is "
        "crossed, and nobody ends on it",
        "declare it a structure, make it larger, or fix it to a larger part",
    )


def _oval(told: Told) -> tuple[str, str]:
    """What is said of too little room for an oval, whose length counts too."""
    base, value = told.measure.base or "", told.value
    long_axis, short_axis = (float(part) for part in base.split("x"))
    need = max(told.limits, default=short_axis)
    most = f"an oval of {value * long_axis / short_axis:.1f} x {value:.1f} mm at most"
    cure = f"make it {100.0 * (need / value - 1.0):.0f} % larger, or longer and as deep as the base"
    if told.kind is K.LEDGE:
        return f"this floor holds {most}: too small for a {base} mm base to stand on", cure
    return (
        f"through the hole over the ladder fits {most}: a {base} mm base goes up it only because the rules say so",
        cure,
    )


def _near(told: Told) -> tuple[str, str]:
    """What works, or does not, by so little that the printer decides."""
    kind, value, cases = told.kind, told.value, told.cases
    limit = min(told.limits, key=lambda one: abs(one - value))
    wide, who = length(value, *told.limits), bases_of(cases)
    what = {
        K.NEAR_LEDGE: f"this floor is {wide} deep and just holds {who}",
        K.NEAR_WALKWAY: f"this way is {wide} wide and just lets {who} pass",
        K.NEAR_DOOR: f"the opening is {wide} wide and just lets {who} through",
        K.NEAR_LADDER_HOLE: f"the hole over the ladder is {wide} wide and just fits {who}",
        K.NEAR_LANDING: f"behind the obstacle there are {wide}, just enough for {who}",
        K.NEAR_HEADROOM: f"{wide} of headroom, just enough",
        K.NEAR_OVERHANG: f"an overhang of {wide}, which a climb just passes",
        K.NEAR_GAP: f"a gap of {wide}: {who} {does(cases, 'crosses', 'cross')} up to {limit:.1f} mm without a check",
        K.NEAR_STEP: f"a step of {wide}: {length(limit, value)} is free, more is climbed",
        K.NEAR_RAIL: f"the rail is {wide} high and just counts",
    }[kind]
    away = abs(value - limit)
    close = (
        "exactly at the threshold"
        if away <= _SAME_MM
        else f"only {away:.{digits_for(away, (0.0,))}f} mm from the threshold"
    )
    cure = f"{close}: the printer decides"
    if kind in (K.NEAR_GAP, K.NEAR_STEP):
        return what, f"{cure}; make it clearly smaller or larger"
    return what, f"{cure}; {'take some off' if kind is K.NEAR_OVERHANG else 'add some'}"
