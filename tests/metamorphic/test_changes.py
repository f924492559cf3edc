"""Boards that are turned, moved, mirrored; larger bases, more movement, less in the way."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import shapely
from hypothesis import assume, example, given
from hypothesis import strategies as st

from .boards import (
    BASES,
    COST_MM,
    COST_SHARE,
    INCH,
    NEAR_MM,
    START,
    Board,
    Item,
    Sketch,
    disagreements,
    near,
    outline,
    shortest,
    sketches,
    trials,
    turn,
)

PLACES = 14
"""places that are compared, of each board."""


def alike(one: Sketch, other: Sketch, there: object, back: object) -> None:
    """Both boards answer the same, asked at spots of either."""
    a, b = one.load(), other.load()
    told = disagreements(a, b, there, a.some(PLACES))
    told += [f"(there) {why}" for why in disagreements(b, a, back, b.some(PLACES))]
    assert not told, told


@trials(5)
@given(sketches(), st.floats(1.0, 359.0))
def test_turning_the_contents_changes_nothing(sketch: Sketch, degrees: float) -> None:
    alike(
        sketch,
        sketch.turned(degrees),
        lambda p: (*turn(p[:2], degrees), p[2]),
        lambda p: (*turn(p[:2], -degrees), p[2]),
    )


@trials(5)
@given(sketches(), st.integers(-60, 60), st.integers(-60, 60))
def test_moving_the_contents_changes_nothing(sketch: Sketch, dx: int, dy: int) -> None:
    # by hundredths of an inch; places are told from the middle, which moves along
    alike(sketch, sketch.moved(0.254 * dx, 0.254 * dy), lambda p: p, lambda p: p)


@trials(5)
@given(sketches())
def test_mirroring_the_contents_changes_nothing(sketch: Sketch) -> None:
    def seen(p: tuple[float, float, float]) -> tuple[float, float, float]:
        return (p[0], -p[1], p[2])

    alike(sketch, sketch.mirrored(), seen, seen)


def no_less(small: Board, large: Board, why: str) -> None:
    """Every spot of the one is legal on the other, with as good a chance, and no dearer where the chance is the same."""
    for x, y, z, cost, chance in small.spots()[:: max(1, len(small.spots()) // 40)]:
        legal, paid, better = large.to((x, y, z))
        told = f"{why}: ({x:.3f}, {y:.3f}, {z:.3f}) {cost:.2f} mm at {chance:.2f}; then {legal} {paid:.2f} {better:.2f}"
        assert legal or cost > small.sketch.inches * INCH - max(COST_MM, COST_SHARE * cost), told
        if legal:
            assert better >= chance - 1e-6, told
            if better <= chance + 1e-6:
                assert paid <= cost + max(COST_MM, COST_SHARE * cost), told


@st.composite
def flat(draw: st.DrawFn) -> tuple[Sketch, float]:
    """A level floor with walls and posts that nobody crosses, and a larger base with room to begin."""
    small, large = sorted(draw(st.lists(st.sampled_from(BASES[:5]), min_size=2, max_size=2, unique=True)))
    found: list[Item] = []
    for _ in range(draw(st.integers(1, 5))):
        b = shortest(draw(st.sampled_from([small, large])))
        at = (draw(st.floats(-20.0, 60.0)), draw(st.floats(-60.0, 60.0)), 0.0)
        turned = draw(st.floats(0.0, 180.0))
        deep = draw(st.sampled_from([1.0, 1.2, 5.0, 30.0]))
        item = Item("box", (draw(st.floats(5.0, 60.0)), deep, 60.0), at, turned, "impassable")
        if found and draw(st.booleans()):
            gap = found[-1].sides[1] / 2 + draw(near(b)) + deep / 2
            dx, dy = turn((0.0, gap), found[-1].turn)
            item = replace(item, at=(found[-1].at[0] + dx, found[-1].at[1] + dy, 0.0), turn=found[-1].turn)
        found.append(item)
    assume(all(np.hypot(i.at[0] - START[0], i.at[1] - START[1]) > 30.0 + i.sides[0] / 2 for i in found))
    return Sketch(tuple(found), small), large


@trials(5)
@given(flat())
def test_a_larger_base_reaches_no_more(drawn: tuple[Sketch, float]) -> None:
    sketch, large = drawn
    no_less(replace(sketch, base=large).load(), sketch.load(), "a smaller base")


@trials(5)
@given(sketches(), st.sampled_from([3.0, 4.0]), st.sampled_from([0.02, 0.5, 2.0]))
def test_more_movement_reaches_no_less(sketch: Sketch, inches: float, more: float) -> None:
    less = replace(sketch, inches=inches)
    no_less(less.load(), replace(sketch, inches=inches + more).load(), "more movement")


@trials(5)
@given(sketches(most=3), st.floats(-25.0, 50.0), st.floats(-50.0, 50.0), st.floats(0.0, 180.0), st.data())
def test_taking_away_what_is_impassable_never_shortens_reach(
    sketch: Sketch, x: float, y: float, turned: float, data: st.DataObject
) -> None:
    sides = (data.draw(near(shortest(sketch.base))), data.draw(st.sampled_from([1.2, 20.0])), 60.0)
    item = Item("box", sides, (x, y, 0.0), turned, "impassable")
    assume(x > START[0] + 35.0 + float(np.hypot(*sides[:2])) / 2.0)
    # an obstacle that is fused to something is none: what is taken away stands by itself
    assume(all(shapely.distance(outline(item), outline(other)) > 1.0 for other in sketch.items))
    no_less(replace(sketch, items=(*sketch.items, item)).load(), sketch.load(), "less in the way")


RAMP_AHEAD = Sketch(
    (Item("ramp", (74.8, 25.0, 28.07), (15.0, 0.0, 0.0), 0.0, "ramp"),), 50.0, 5.0, start=(-70.0, 0.0)
)
"""what a base touches in two cells of the floor before a ramp, and no more once it is lifted onto it."""


@trials(5)
@given(sketches())
@example(RAMP_AHEAD)
def test_spots_are_what_to_says(sketch: Sketch) -> None:
    board = sketch.load()
    spots = board.spots()
    order = np.random.default_rng(len(spots)).permutation(len(spots))[:40]
    for x, y, z, cost, chance in spots[order]:
        legal, paid, rolled = board.to((x, y, z))
        told = f"({x:.4f}, {y:.4f}, {z:.4f}): {cost:.4f} at {chance:.3f}; to says {legal} {paid:.4f} {rolled:.3f}"
        assert legal, told
        assert abs(paid - cost) <= 0.01, told
        assert abs(rolled - chance) <= 1e-6, told
    # and the other way: wherever `to` allows an end, a spot is near
    rng = np.random.default_rng(1)
    for at in rng.uniform(-120.0, 120.0, (20, 2)):
        legal, cost, _ = board.to((at[0], at[1], 0.0))
        if legal and cost < sketch.inches * INCH - NEAR_MM:
            away = np.hypot(spots[:, 0] - at[0], spots[:, 1] - at[1])
            assert away[np.abs(spots[:, 2]) < 13.0].min() <= 0.25 * INCH, at
