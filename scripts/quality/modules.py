"""Modules of builds: each stands for something that people print, right by default, with one fault where asked.

Right means at least 0.6 mm from every threshold of the declared bases and packs. A fault goes past its threshold by
the amount that the wish names. Thresholds stand here as the rule documents have them; nothing of the check is used.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from quality.shapes import Solid, box, pillar, prism, spike

CLEAR = 0.6
INCH = 25.4
HEIGHT = 1.4 * INCH
STURDY = 2.0 * INCH + CLEAR
"""What is wider than this is no obstacle in any pack."""
NECROMUNDA = ("necromunda-2023", "necromunda-2017")


@dataclass(frozen=True)
class Wish:
    """What a build is made for."""

    bases: tuple[float, ...]
    packs: tuple[str, ...]
    random: random.Random

    @property
    def largest(self) -> float:
        return max(self.bases)

    @property
    def steps(self) -> list[float]:
        """Free steps of the packs, mm."""
        found = set()
        if any(p in NECROMUNDA for p in self.packs):
            found.add(0.5 * INCH)
        if "blightmeer" in self.packs:
            found.add(INCH)
        return sorted(found)

    @property
    def spans(self) -> list[float]:
        """Gaps crossed without a test, mm."""
        found = set()
        if any(p in NECROMUNDA for p in self.packs):
            found |= set(self.bases)
        if "blightmeer" in self.packs:
            found.add(INCH)
        return sorted(found)

    def between(self, low: float, high: float) -> float:
        return self.random.uniform(low, high)

    def off(self, low: float, high: float, thresholds: list[float], least: float = CLEAR) -> float:
        """A length that keeps clear of thresholds."""
        for _ in range(1000):
            value = self.between(low, high)
            if all(abs(value - t) >= least for t in thresholds):
                return value
        raise ValueError("no room between the thresholds")

    def riser(self, low: float, high: float) -> float:
        """A riser of which no few together are near a free step: a stair's side is climbed too."""
        for _ in range(1000):
            value = self.between(low, high)
            if all(abs(k * value - s) >= CLEAR for k in range(1, 6) for s in self.steps):
                return value
        raise ValueError("no riser fits")

    def height(self, low: float, high: float) -> float:
        """A height of a floor: off steps, off headroom."""
        return self.off(low, high, [*self.steps, 0.5 * INCH, INCH])


@dataclass(frozen=True)
class Planted:
    """One planted fault."""

    kinds: tuple[str, ...]
    """kinds of findings that tell it, any of them."""
    at: tuple[float, float, float] | None
    """in the module's own frame; None: about the whole file."""
    reach: float = 30.0
    """how far from there it may be told, mm."""
    follows: tuple[str, ...] = ()
    """kinds of findings that truly follow from it, anywhere in the module."""
    amount: float = 0.0


@dataclass
class Module:
    """Solids with what is wrong with them."""

    solid: Solid
    planted: list[Planted] = field(default_factory=list)
    settings: dict[str, object] = field(default_factory=dict)


Maker = Callable[[Wish, float], Module | None]
"""amount 0: right; else how far past the threshold the fault goes. None: it makes no sense for this wish."""


def block(wish: Wish, amount: float) -> Module | None:
    """A solid block to climb; too high for two Moves where it is wrong."""
    side = max(wish.largest + wish.between(4.0, 30.0), STURDY)
    solid = Solid()
    if amount == 0.0:
        high = wish.height(30.0, 80.0)
        solid.add(box(0, 0, 0, side, side, high))
        return Module(solid)
    limits = []
    for pack in wish.packs:
        cost, move = (1.0, 6.0) if pack == "blightmeer" else (2.0, 5.0)
        limits += [(2 * move * INCH - base) / cost for base in wish.bases]
    high = min(limits) + amount
    side = max(side, 60.0)
    solid.add(box(0, 0, 0, side, side, high))
    return Module(solid, [Planted(("climb",), (side / 2, side / 2, high), reach=90.0, amount=amount)])


def stair(wish: Wish, amount: float) -> Module | None:
    """A block with a stair along its side: risers too high for a free step where it is wrong."""
    if not any(p in NECROMUNDA for p in wish.packs):
        return None
    step = 0.5 * INCH
    riser = wish.riser(8.0, step - CLEAR) if amount == 0.0 else step + amount
    if amount and (riser > 16.5 or any(abs(2 * riser - s) < CLEAR for s in wish.steps)):
        return None
    count = 5
    tread = wish.between(10.0, 16.0)
    wide = wish.largest + wish.between(3.0, 15.0)
    deck = max(wish.largest + wish.between(6.0, 30.0), STURDY)
    solid = Solid()
    high = riser * count
    for k in range(count - 1):
        solid.add(
            box(k * tread, 0, 0, (k + 1) * tread + (0.2 if k < count - 2 else 0.0), wide, riser * (k + 1))
        )
    solid.add(box((count - 1) * tread, 0, 0, (count - 1) * tread + deck, max(wide, deck), high))
    planted = []
    if amount:
        planted.append(
            Planted(("steps", "near-step"), (2 * tread, wide / 2, riser * 2), reach=60.0, amount=amount)
        )
    return Module(solid, planted)


def narrow_stair(wish: Wish, amount: float) -> Module | None:
    """A stair narrower than half a base where it is wrong."""
    riser = wish.riser(8.0, 12.0)
    wide = wish.largest + wish.between(3.0, 12.0)
    base = wish.random.choice(wish.bases)
    if amount:
        wide = base / 2 - amount
        if wide < 6.5 or wide < 0.55 * wish.largest / 2 or any(0 <= wide - b / 2 < CLEAR for b in wish.bases):
            return None
    count, tread = 5, wish.between(11.0, 15.0)
    deck = max(wish.largest + wish.between(6.0, 30.0), STURDY)
    solid = Solid()
    for k in range(count - 1):
        solid.add(
            box(k * tread, 0, 0, (k + 1) * tread + (0.2 if k < count - 2 else 0.0), wide, riser * (k + 1))
        )
    x = (count - 1) * tread
    solid.add(box(x, 0, 0, x + deck, max(deck, wide), riser * count))
    planted = (
        [Planted(("walkway",), (2 * tread, wide / 2, riser * 2), reach=45.0, amount=amount)] if amount else []
    )
    return Module(solid, planted)


def room(wish: Wish, amount: float) -> Module | None:
    """Four walls and two doors; one door too narrow where it is wrong."""
    inner = 2.2 * wish.largest + wish.between(10.0, 30.0)
    wall, high = wish.between(3.0, 8.0), wish.height(58.0, 66.0)
    good = wish.largest + wish.between(CLEAR + 0.05, 8.0)
    door = good
    if amount:
        base = wish.random.choice(wish.bases)
        door = base - amount
        if any(0 <= door - b < CLEAR for b in wish.bases) or door < 0.55 * wish.largest:
            return None
    solid = Solid()
    far = inner + 2 * wall
    for y0, opening in ((0.0, door), (inner + wall, good)):
        left = (far - opening) / 2
        solid.add(box(0, y0, 0, left, y0 + wall, high))
        solid.add(box(left + opening, y0, 0, far, y0 + wall, high))
    for x0 in (0.0, inner + wall):
        solid.add(box(x0, wall - 0.5, 0, x0 + wall, inner + wall + 0.5, high))
    planted = []
    if amount:
        planted.append(Planted(("door",), (far / 2, wall / 2, 0.0), reach=20.0, amount=amount))
    return Module(solid, planted)


def lintel(wish: Wish, amount: float) -> Module | None:
    """A gateway with a beam over it: too low where it is wrong."""
    wide = wish.largest + wish.between(2.0, 12.0)
    thick = wish.between(5.0, 9.0)
    clear = HEIGHT - amount if amount else HEIGHT + wish.between(CLEAR, 12.0)
    if clear < 0.6 * HEIGHT:
        return None
    side = wish.between(50.0, 70.0)
    solid = Solid()
    high = 60.0
    solid.add(box(0, 0, 0, side, thick, high))
    solid.add(box(side + wide, 0, 0, 2 * side + wide, thick, high))
    solid.add(box(side - 2, 0.3, clear, side + wide + 2, thick - 0.3, high - 2))
    # wings, so that the way around is long
    deep = 2.2 * wish.largest + 20.0
    solid.add(box(0, thick - 0.5, 0, thick, deep, high))
    solid.add(box(2 * side + wide - thick, thick - 0.5, 0, 2 * side + wide, deep, high))
    solid.add(box(0, deep - 0.5, 0, side, deep + thick, high))
    solid.add(box(side + wide, deep - 0.5, 0, 2 * side + wide, deep + thick, high))
    planted = (
        [Planted(("headroom",), (side + wide / 2, thick / 2, 0.0), reach=25.0, amount=amount)]
        if amount
        else []
    )
    return Module(solid, planted)


def ledge(wish: Wish, amount: float) -> Module | None:
    """A block with a higher one on it that leaves a ledge: too shallow where it is wrong."""
    deep = wish.largest + wish.between(CLEAR + 0.05, 10.0)
    if amount:
        base = wish.random.choice(wish.bases)
        deep = base - amount
        if any(0 <= deep - b < CLEAR for b in wish.bases) or deep < 0.65 * wish.largest:
            return None
    long = 2.0 * wish.largest + wish.between(10.0, 40.0)
    low = wish.height(30.0, 50.0)
    more = wish.height(40.0, 60.0)
    back = max(wish.largest + wish.between(8.0, 20.0), STURDY)
    solid = Solid()
    solid.add(box(0, 0, 0, long, deep + back, low))
    solid.add(box(0, deep, low - 0.5, long, deep + back, low + more))
    if low + more > 100.0:
        return None
    planted = (
        [Planted(("ledge",), (long / 2, deep / 2, low), reach=long / 2, amount=amount)] if amount else []
    )
    return Module(solid, planted)


def tunnel(wish: Wish, amount: float) -> Module | None:
    """A deck on two walls, to pass under: too low where it is wrong."""
    clear = HEIGHT - amount if amount else HEIGHT + wish.between(CLEAR, 15.0)
    if clear < 0.6 * HEIGHT:
        return None
    wide = max(wish.largest + wish.between(5.0, 30.0), STURDY)
    wall, slab = wish.between(4.0, 8.0), wish.between(3.0, 6.0)
    long = max(wish.largest + wish.between(20.0, 50.0), STURDY)
    solid = Solid()
    solid.add(box(0, 0, 0, wall, long, clear + 0.5))
    solid.add(box(wall + wide, 0, 0, 2 * wall + wide, long, clear + 0.5))
    solid.add(box(0, 0, clear, 2 * wall + wide, long, clear + slab))
    planted = (
        [Planted(("headroom",), (wall + wide / 2, long / 2, 0.0), reach=long, amount=amount)]
        if amount
        else []
    )
    return Module(solid, planted)


def gap(wish: Wish, amount: float) -> Module | None:
    """Two blocks with a gap between: within a hair of what is crossed without a test where it is wrong."""
    side = max(wish.largest + wish.between(8.0, 25.0), STURDY)
    high = wish.height(30.0, 70.0)
    longest = max(wish.spans)
    if amount:
        span = wish.random.choice(wish.spans)
        wide = span + wish.random.choice((-1, 1)) * min(amount, 0.4)
    else:
        wide = wish.off(10.0, longest + 12.0, wish.spans)
        if any(abs(wide - b) < CLEAR for b in wish.bases):
            wide = longest + 6.0  # the passage below is a doorway too
    if not amount and any(0.5 * b < wide < b for b in wish.bases):
        wide = wish.largest + wish.between(CLEAR + 0.05, 8.0)
        if any(abs(wide - s) < CLEAR for s in wish.spans):
            return None
    solid = Solid()
    solid.add(box(0, 0, 0, side, side, high))
    solid.add(box(side + wide, 0, 0, 2 * side + wide, side, high))
    planted = []
    if amount:
        planted.append(
            Planted(
                ("near-gap",),
                (side + wide / 2, side / 2, high),
                reach=side,
                follows=("door", "near-door"),
                amount=min(amount, 0.4),
            )
        )
    return Module(solid, planted)


def step(wish: Wish, amount: float) -> Module | None:
    """A plinth with a block on it: a rise within a hair of a free step where it is wrong."""
    side = 2 * wish.largest + wish.between(10.0, 40.0)
    rise = wish.random.choice(wish.steps) + wish.random.choice((-1, 1)) * min(amount, 0.4)
    if not amount:
        rise = wish.off(4.0, 30.0, [0.5 * INCH, INCH])
    solid = Solid()
    solid.add(box(0, 0, 0, side, side, rise))
    planted = (
        [Planted(("near-step",), (side / 2, side / 2, rise), reach=side, amount=min(amount, 0.4))]
        if amount
        else []
    )
    return Module(solid, planted)


def rail(wish: Wish, amount: float) -> Module | None:
    """A deck with a rail along one lip: too low to count where it is wrong."""
    limits = [0.25 * INCH if p == "blightmeer" else 0.5 * INCH for p in wish.packs]
    limit = wish.random.choice(limits)
    tall = wish.between(max(limits) + CLEAR, 22.0)
    if amount:
        tall = limit - amount
        if tall < 0.45 * limit or any(0 <= tall - other < CLEAR for other in limits):
            return None
    side = max(wish.largest + wish.between(12.0, 30.0), STURDY)
    high = wish.height(40.0, 60.0)
    thick = wish.between(2.0, 4.0)
    solid = Solid()
    solid.add(box(0, 0, 0, side, side + thick, high))
    solid.add(box(0, side, high - 0.5, side, side + thick, high + tall))
    planted = (
        [Planted(("rail",), (side / 2, side + thick / 2, high + tall), reach=side, amount=amount)]
        if amount
        else []
    )
    return Module(solid, planted)


def mushroom(wish: Wish, amount: float) -> Module | None:
    """A deck on one thick column: sticking out too far to climb where it is wrong."""
    out = INCH + amount if amount else wish.between(6.0, INCH - CLEAR)
    if amount > 12.0:
        return None
    column = wish.between(40.0, 55.0)
    clear, slab = HEIGHT + wish.between(4.0, 12.0), wish.between(3.0, 5.0)
    side = column + 2 * out
    if side < max(STURDY, wish.largest + CLEAR):
        return None
    solid = Solid()
    solid.add(box(out, out, 0, out + column, out + column, clear + 0.5))
    solid.add(box(0, 0, clear, side, side, clear + slab))
    planted = (
        [
            Planted(
                ("overhang",),
                (side / 2, side / 2, clear + slab),
                reach=side,
                follows=("unreachable",),
                amount=amount,
            )
        ]
        if amount
        else []
    )
    return Module(solid, planted)


def table(wish: Wish, amount: float) -> Module | None:
    """A deck on a thin post that nobody can climb; right, it has a stair."""
    deck = wish.largest + wish.between(60.0, 80.0)
    slab = wish.between(3.0, 5.0)
    riser = wish.riser(9.0, 12.0)
    high = riser * 5
    if high - slab < HEIGHT + CLEAR:
        return None
    solid = Solid()
    solid.add(pillar(deck / 2, deck / 2, wish.between(7.0, 10.0), 0, high - slab + 0.5))
    solid.add(box(0, 0, high - slab, deck, deck, high))
    if amount:
        return Module(
            solid,
            [
                Planted(
                    ("unreachable",),
                    (deck / 2, deck / 2, high),
                    reach=deck,
                    follows=("overhang",),
                    amount=amount,
                )
            ],
        )
    wide = wish.largest + wish.between(3.0, 8.0)
    tread = 14.0
    solid.add(box(0, 0, 0, 4.0, wide, high - slab + 0.5))  # what carries the deck there holds the stair to it
    for k in range(4):
        solid.add(box(-(4 - k) * tread, 0, 0, -(3 - k) * tread + 0.2, wide, riser * (k + 1)))
    return Module(solid)


def far_deck(wish: Wish, amount: float) -> Module | None:
    """A block, and a deck on a post beside it that only a leap reaches where it is wrong."""
    deck = wish.largest + wish.between(60.0, 70.0)
    slab = wish.between(3.0, 5.0)
    high = HEIGHT + slab + wish.between(6.0, 14.0)
    widest = max(wish.spans) if amount else min(wish.spans)
    wide = widest + max(amount, CLEAR) if amount else widest - wish.between(CLEAR, 6.0)
    if amount and wide > 70.0:
        return None
    if not amount and any(abs(wide - s) < CLEAR for s in wish.spans):
        return None
    side = max(wish.largest + wish.between(8.0, 20.0), STURDY)
    solid = Solid()
    solid.add(box(0, 0, 0, side, deck, high))
    x = side + wide
    solid.add(pillar(x + deck / 2, deck / 2, 8.0, 0, high - slab + 0.5))
    solid.add(box(x, 0, high - slab, x + deck, deck, high))
    planted = []
    if amount:
        planted.append(
            Planted(
                ("test-only",),
                (x + deck / 2, deck / 2, high),
                reach=deck,
                follows=("overhang", "near-gap"),
                amount=amount,
            )
        )
    return Module(solid, planted)


def pit(wish: Wish, amount: float) -> Module | None:
    """A chamber under a roof with a hole: who jumps in does not get out where it is wrong; right, it has a door."""
    hole = wish.largest + wish.between(6.0, 14.0)
    rim = INCH + wish.between(8.0, 14.0) + wish.largest / 2
    inner = hole + 2 * rim
    wall, clear, slab = wish.between(4.0, 7.0), HEIGHT + wish.between(5.0, 10.0), wish.between(3.0, 4.0)
    far = inner + 2 * wall
    door = 0.0 if amount else wish.largest + wish.between(2.0, 8.0)
    solid = Solid()
    left = (far - door) / 2
    if door:
        solid.add(box(0, 0, 0, left, wall, clear + 0.5))
        solid.add(box(left + door, 0, 0, far, wall, clear + 0.5))
    else:
        solid.add(box(0, 0, 0, far, wall, clear + 0.5))
    solid.add(box(0, inner + wall, 0, far, far, clear + 0.5))
    solid.add(box(0, wall - 0.5, 0, wall, inner + wall + 0.5, clear + 0.5))
    solid.add(box(inner + wall, wall - 0.5, 0, far, inner + wall + 0.5, clear + 0.5))
    a, b = wall + rim, wall + rim + hole
    solid.add(box(0, 0, clear, far, a, clear + slab))
    solid.add(box(0, b, clear, far, far, clear + slab))
    solid.add(box(0, a - 0.4, clear, a, b + 0.4, clear + slab))
    solid.add(box(b, a - 0.4, clear, far, b + 0.4, clear + slab))
    planted = []
    if amount:
        planted.append(
            Planted(
                ("trap",),
                (far / 2, far / 2, 0.0),
                reach=far,
                follows=("test-only", "near-gap"),
                amount=amount,
            )
        )
    return Module(solid, planted)


def barricade(wish: Wish, amount: float) -> Module | None:
    """A barricade before a wall: no room to get down behind it where it is wrong."""
    if not any(p in NECROMUNDA for p in wish.packs):
        return None
    room_ = wish.largest + wish.between(CLEAR + 0.05, 15.0)
    if amount:
        base = wish.random.choice(wish.bases)
        room_ = base - amount
        if any(0 <= room_ - b < CLEAR for b in wish.bases) or room_ < 0.65 * wish.largest:
            return None
    long = 2.2 * wish.largest + wish.between(5.0, 30.0)
    thick, tall = wish.between(8.0, 14.0), wish.between(14.0, 22.0)
    solid = Solid()
    solid.add(box(0, 0, 0, long, thick, tall))
    solid.add(box(-5, thick + room_, 0, long + 5, thick + room_ + 8.0, wish.height(58.0, 64.0)))
    planted = (
        [Planted(("landing",), (long / 2, thick + room_ / 2, 0.0), reach=long / 2 + 10, amount=amount)]
        if amount
        else []
    )
    return Module(solid, planted)


def slope(wish: Wish, amount: float) -> Module | None:
    """A block with a tilted top: too steep to stand on where it is wrong (amount in degrees)."""
    import math  # noqa: PLC0415

    tilt = 15.0 + amount if amount else wish.between(5.0, 14.4)
    if tilt > 44.0:
        return None
    side = max(wish.largest + wish.between(10.0, 30.0), STURDY)
    low = wish.height(26.5, 34.0)
    rise = side * math.tan(math.radians(tilt))
    solid = Solid()
    outline = [(0.0, 0.0), (side, 0.0), (side, side), (0.0, side)]
    solid.add(prism(outline, 0.0, [low, low + rise, low + rise, low]))
    planted = (
        [Planted(("slope",), (side / 2, side / 2, low + rise / 2), reach=side, amount=amount)]
        if amount
        else []
    )
    return Module(solid, planted)


def ladder(wish: Wish, amount: float) -> Module | None:
    """A deck with a hole that a ladder leads through: a hole smaller than a base where it is wrong."""
    hole = wish.largest + wish.between(CLEAR + 0.4, 4.0)
    if amount:
        base = wish.random.choice(wish.bases)
        hole = base - amount
        if any(0 <= hole - b < CLEAR for b in wish.bases) or hole < 0.5 * wish.largest:
            return None
    if not amount and any(abs(hole - s) < CLEAR for s in wish.spans):
        return None
    if amount and any(abs(hole - s) < 0.55 for s in wish.spans):
        amount_follows: tuple[str, ...] = ("near-gap",)
    else:
        amount_follows = ()
    rim = wish.largest + wish.between(6.0, 16.0)
    wide = hole + 2 * rim
    clear, slab, wall = STURDY - 3.0 + wish.between(0.0, 10.0), wish.between(3.0, 4.0), 6.0
    top = clear + slab
    solid = Solid()
    a, b = rim, rim + hole
    solid.add(box(0, 0, clear, wide, a, top))
    solid.add(box(0, b, clear, wide, wide, top))
    solid.add(box(0, a - 0.4, clear, a, b + 0.4, top))
    solid.add(box(b, a - 0.4, clear, wide, b + 0.4, top))
    solid.add(box(0, 0, 0, wall, wide, clear + 0.5))
    solid.add(box(wide - wall, 0, 0, wide, wide, clear + 0.5))
    middle = rim + hole / 2
    solid.add(box(middle - 7.0, b - 2.6, 0, middle + 7.0, b - 0.4, clear - 1.0), kind="ladder")
    planted = (
        [
            Planted(
                ("ladder-hole",),
                (middle, middle, top),
                reach=hole + 10,
                follows=amount_follows,
                amount=amount,
            )
        ]
        if amount
        else []
    )
    return Module(solid, planted)


PLAY: dict[str, Maker] = {
    "block": block,
    "stair": stair,
    "narrow-stair": narrow_stair,
    "room": room,
    "lintel": lintel,
    "ledge": ledge,
    "tunnel": tunnel,
    "gap": gap,
    "step": step,
    "rail": rail,
    "mushroom": mushroom,
    "table": table,
    "far-deck": far_deck,
    "pit": pit,
    "barricade": barricade,
    "slope": slope,
    "ladder": ladder,
}
"""modules whose faults are about playing."""


def thin(wish: Wish, amount: float) -> Module | None:
    """A wall on a foot; too thin where it is wrong."""
    thick = max(1.2 - amount, 0.25) if amount else wish.between(1.2 + CLEAR, 4.0)
    long = wish.between(40.0, 70.0)
    solid = Solid()
    solid.add(box(0, 0, 0, long, 20, 3))
    solid.add(box(2, 10 - thick / 2, 2.5, long - 2, 10 + thick / 2, 20.0))
    planted = [Planted(("thin-wall",), (long / 2, 10, 11), reach=long, amount=amount)] if amount else []
    return Module(solid, planted)


def floating(wish: Wish, amount: float) -> Module | None:
    """A plinth with a knob; the knob hangs in the air where it is wrong."""
    solid = Solid()
    side = wish.largest + wish.between(15.0, 30.0)
    high = wish.between(5.0, 11.0)
    solid.add(box(0, 0, 0, side, side, high))
    lift = amount if amount else -0.5
    solid.add(box(1.0, 1.0, high + lift, 7.0, 7.0, high + lift + 6))
    planted = [Planted(("floating",), (4.0, 4.0, high + lift), reach=12.0, amount=amount)] if amount else []
    return Module(solid, planted)


def foot(wish: Wish, amount: float) -> Module | None:
    """A post on a wide foot; its weight beyond the foot where it is wrong."""
    solid = Solid()
    # the arm's weight draws the whole over the foot's edge
    wide, deep, high = 16.0, 12.0, 40.0
    out = wish.between(2.0, 6.0)
    if amount:
        a, b, lo = wide * deep * high, deep * 12.0, 0.0
        # centre of foot x = 8; arm from x = 8 to 8 + l: solve (a*8 + b*l*(8+l/2)) / (a + b*l) = wide + amount
        length = 1.0
        while (a * 8 + b * length * (8 + length / 2)) / (a + b * length) < wide + amount and length < 600:
            length += 0.05
        solid.add(box(0, 0, 0, wide, deep, high))
        solid.add(box(8 + lo, 0, high - 0.0, 8 + length, deep, high + 12.0))
        return Module(
            solid,
            [Planted(("topples",), (wide, deep / 2, 0), reach=40.0, follows=("test-only",), amount=amount)],
        )
    solid.add(box(0, 0, 0, wide, deep, high))
    solid.add(box(8, 0, high, wide + out, deep, high + 12.0))
    return Module(solid)


def crossed(wish: Wish, amount: float) -> Module | None:
    """A trough whose lid goes through one of its own sides."""
    if not amount:
        return None
    solid = Solid()
    solid.add(spike(0, 0, 30, 30, 14.0, (30.0 + amount, 15.0, 7.0)))
    return Module(
        solid,
        [
            Planted(
                ("self-intersection",),
                (15, 15, 0),
                reach=20.0,
                follows=("flat-bottom", "topples", "inside-out", "thin-wall", "slope"),
                amount=amount,
            )
        ],
    )


def pointed(wish: Wish, amount: float) -> Module | None:
    """A body that stands on a point."""
    if not amount:
        return None
    solid = Solid()
    cone = prism([(5.0, 5.0), (19.0, 5.0), (19.0, 19.0), (5.0, 19.0)], 10.0, 24.0)
    cone = cone.copy()
    low = cone[..., 2] == 10.0
    cone[..., 0] = cone[..., 0] * ~low + (12.0 + (cone[..., 0] - 12.0) * 0.05) * low
    cone[..., 1] = cone[..., 1] * ~low + (12.0 + (cone[..., 1] - 12.0) * 0.05) * low
    cone[..., 2] -= 10.0
    solid.add(cone)
    return Module(
        solid, [Planted(("flat-bottom",), (12, 12, 0), reach=20.0, follows=("topples",), amount=amount)]
    )


PRINT: dict[str, Maker] = {
    "thin": thin,
    "floating": floating,
    "foot": foot,
    "crossed": crossed,
    "pointed": pointed,
}
"""modules whose faults are about printing."""
