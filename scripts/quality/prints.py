"""Modules whose faults are about printing."""

from __future__ import annotations

from quality.shapes import Solid, box, prism, spike
from quality.wish import CLEAR, Maker, Module, Planted, Wish


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
            [Planted(("topples",), (wide, deep / 2, 0), reach=40.0, follows=("check-only",), amount=amount)],
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
