"""Modules about room: doors, gates, ledges, tunnels, pits, barricades and ladder holes."""

from __future__ import annotations

from quality.shapes import Solid, box
from quality.wish import CLEAR, HEIGHT, INCH, NECROMUNDA, STURDY, Module, Planted, Wish, told


def room(wish: Wish, amount: float) -> Module | None:
    """Four walls and two doors; one door too narrow where it is wrong."""
    inner = 2.2 * wish.largest + wish.between(10.0, 30.0)
    wall, high = wish.between(3.0, 8.0), wish.height(58.0, 66.0)
    good = wish.largest + wish.between(CLEAR + 0.05, 8.0)
    door = good
    if amount:
        wrong = wish.short_of(wish.bases, amount)
        if wrong is None or wrong < 0.55 * wish.largest:
            return None
        door = wrong
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
        planted.append(Planted(told("door", amount), (far / 2, wall / 2, 0.0), reach=20.0, amount=amount))
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
        [Planted(told("headroom", amount), (side + wide / 2, thick / 2, 0.0), reach=25.0, amount=amount)]
        if amount
        else []
    )
    return Module(solid, planted)


def ledge(wish: Wish, amount: float) -> Module | None:
    """A block with a higher one on it that leaves a ledge: too shallow where it is wrong."""
    deep = wish.largest + wish.between(CLEAR + 0.05, 10.0)
    if amount:
        wrong = wish.short_of(wish.bases, amount)
        if wrong is None or wrong < 0.65 * wish.largest:
            return None
        deep = wrong
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
        [Planted(told("ledge", amount), (long / 2, deep / 2, low), reach=long / 2, amount=amount)]
        if amount
        else []
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
        [Planted(told("headroom", amount), (wall + wide / 2, long / 2, 0.0), reach=long, amount=amount)]
        if amount
        else []
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
                follows=("check-only", "near-gap"),
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
        wrong = wish.short_of(wish.bases, amount)
        if wrong is None or wrong < 0.65 * wish.largest:
            return None
        room_ = wrong
    long = 2.2 * wish.largest + wish.between(5.0, 30.0)
    thick, tall = wish.between(8.0, 14.0), wish.between(14.0, 22.0)
    solid = Solid()
    solid.add(box(0, 0, 0, long, thick, tall))
    solid.add(box(-5, thick + room_, 0, long + 5, thick + room_ + 8.0, wish.height(58.0, 64.0)))
    planted = (
        [
            Planted(
                told("landing", amount),
                (long / 2, thick + room_ / 2, 0.0),
                reach=long / 2 + 10,
                amount=amount,
            )
        ]
        if amount
        else []
    )
    return Module(solid, planted)


def ladder(wish: Wish, amount: float) -> Module | None:
    """A deck with a hole that a ladder leads through: a hole smaller than a base where it is wrong."""
    hole = wish.largest + wish.between(CLEAR + 0.4, 4.0)
    if amount:
        wrong = wish.short_of(wish.bases, amount)
        if wrong is None or wrong < 0.5 * wish.largest:
            return None
        hole = wrong
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
                told("ladder-hole", amount),
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


def cave(wish: Wish, amount: float) -> Module | None:
    """A deep room under a deck: too low for the hand that was asked for where it is wrong."""
    hand = wish.between(58.0, 70.0)
    clear = hand - amount if amount else hand + wish.between(CLEAR, 10.0)
    if clear < HEIGHT + CLEAR:
        return None
    wide, long = 100.0 + wish.between(0.0, 20.0), 110.0 + wish.between(0.0, 20.0)
    wall, slab = wish.between(4.0, 8.0), wish.between(3.0, 6.0)
    solid = Solid()
    solid.add(box(0, 0, 0, wall, long, clear + 0.5))
    solid.add(box(wall + wide, 0, 0, 2 * wall + wide, long, clear + 0.5))
    solid.add(box(0, 0, clear, 2 * wall + wide, long, clear + slab))
    planted = (
        [Planted(("hand",), (wall + wide / 2, long / 2, 0.0), reach=long, amount=amount)] if amount else []
    )
    return Module(solid, planted, {"hand": hand})
