"""Modules about heights and edges: blocks, stairs, gaps, steps, rails, decks and slopes."""

from __future__ import annotations

from quality.shapes import Solid, box, pillar, prism
from quality.wish import CLEAR, HEIGHT, INCH, NECROMUNDA, STURDY, Module, Planted, Wish, told

OBSTACLES = {"necromunda-2023": 2.0 * INCH, "necromunda-2017": 1.5 * INCH}
"""largest height and smaller plan dimension of what is an obstacle."""


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
    if amount:
        wrong = wish.short_of([base / 2 for base in wish.bases], amount)
        if wrong is None or wrong < 6.5 or wrong < 0.55 * wish.largest / 2:
            return None
        wide = wrong
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
        [Planted(told("walkway", amount), (2 * tread, wide / 2, riser * 2), reach=45.0, amount=amount)]
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
        wide = span + wish.random.choice((-1, 1)) * min(abs(amount), 0.4)
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
                amount=min(abs(amount), 0.4),
            )
        )
    return Module(solid, planted)


def step(wish: Wish, amount: float) -> Module | None:
    """A plinth with a block on it: a rise within a hair of a free step where it is wrong."""
    side = 2 * wish.largest + wish.between(10.0, 40.0)
    rise = wish.random.choice(wish.steps) + wish.random.choice((-1, 1)) * min(abs(amount), 0.4)
    if not amount:
        rise = wish.off(4.0, 30.0, [0.5 * INCH, INCH])
    solid = Solid()
    solid.add(box(0, 0, 0, side, side, rise))
    planted = (
        [Planted(("near-step",), (side / 2, side / 2, rise), reach=side, amount=min(abs(amount), 0.4))]
        if amount
        else []
    )
    return Module(solid, planted)


def rail(wish: Wish, amount: float) -> Module | None:
    """A deck with a rail along one lip: too low to count where it is wrong."""
    limits = [0.25 * INCH if p == "blightmeer" else 0.5 * INCH for p in wish.packs]
    tall = wish.between(max(limits) + CLEAR, 22.0)
    if amount:
        wrong = wish.short_of(limits, amount)
        if wrong is None or not any(0.45 * limit <= wrong < limit + 0.5 for limit in limits):
            return None
        tall = wrong
    side = max(wish.largest + wish.between(12.0, 30.0), STURDY)
    high = wish.height(40.0, 60.0)
    thick = wish.between(2.0, 4.0)
    solid = Solid()
    solid.add(box(0, 0, 0, side, side + thick, high))
    solid.add(box(0, side, high - 0.5, side, side + thick, high + tall))
    planted = (
        [Planted(told("rail", amount), (side / 2, side + thick / 2, high + tall), reach=side, amount=amount)]
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
                (*told("overhang", amount), *(("unreachable",) if amount > 0 else ())),
                (side / 2, side / 2, clear + slab),
                reach=side,
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
                ("check-only",),
                (x + deck / 2, deck / 2, high),
                reach=deck,
                follows=("overhang", "near-gap"),
                amount=amount,
            )
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


def stairwell(wish: Wish, amount: float) -> Module | None:
    """A stair between two walls: narrower than a base where it is wrong."""
    riser = wish.riser(8.0, 12.0)
    clear = wish.largest + wish.between(CLEAR + 0.05, 10.0)
    if amount:
        wrong = wish.short_of(wish.bases, amount)
        if wrong is None or wrong < 0.55 * wish.largest:
            return None
        clear = wrong
    count, tread, wall = 5, wish.between(11.0, 15.0), wish.between(4.0, 8.0)
    deck = max(wish.largest + wish.between(6.0, 30.0), STURDY)
    x, high = (count - 1) * tread, riser * count
    solid = Solid()
    for k in range(count - 1):
        solid.add(
            box(k * tread, 0, 0, (k + 1) * tread + (0.2 if k < count - 2 else 0.0), clear, riser * (k + 1))
        )
    for y in (-wall, clear):
        solid.add(box(0, y, 0, x + 0.2, y + wall, high + 60.0))
    solid.add(box(x, -deck / 2, 0, x + deck, clear + deck / 2, high))
    middle = (2 * tread, clear / 2, 2 * riser)
    planted = [Planted(told("door", amount), middle, reach=45.0, amount=amount)] if amount else []
    return Module(solid, planted)


def small_stair(wish: Wish, amount: float) -> Module | None:
    """A stair that stands alone: small enough to be an obstacle, which is crossed and not walked up, where it is wrong."""
    limits = [OBSTACLES[pack] for pack in wish.packs if pack in OBSTACLES]
    if not limits:
        return None
    riser = wish.riser(8.0, 9.3)
    count = 4 if max(limits) > 40.0 else 3
    wide = max(*limits, wish.largest) + wish.between(CLEAR, 20.0)
    if amount:
        wrong = wish.short_of(limits, amount)
        if wrong is None or wrong < max(20.0, wish.largest / 2 + CLEAR):
            return None
        wide = wrong
    if any(abs(riser * count - limit) < CLEAR for limit in limits):
        return None
    tread = max(limits) / count + wish.between(4.0, 8.0)
    solid = Solid()
    for k in range(count):
        more = 0.2 if k < count - 1 else wish.largest + CLEAR
        solid.add(box(k * tread, 0, 0, (k + 1) * tread + more, wide, riser * (k + 1)))
    middle = (tread * count / 2, wide / 2, riser)
    planted = (
        [Planted(("obstacle",), middle, reach=tread * count, follows=("ledge", "near-ledge"), amount=amount)]
        if amount
        else []
    )
    return Module(solid, planted)
