"""Random layouts, and random ways to write them."""

from __future__ import annotations

from hypothesis import strategies as st

from sandbox.scene.layouts import (
    Border,
    BorderKind,
    Corner,
    Facing,
    Grid,
    Layout,
    Level,
    Section,
    Square,
    SquareKind,
    State,
)
from sandbox.scene.layouts.model import OPEN, PLAIN, SIZE_WORDS

MM = st.floats(2.0, 90.0, allow_nan=False).map(lambda v: round(v, 2))
OPENING = st.floats(2.0, 30.0, allow_nan=False).map(lambda v: round(v, 2))
"""mm: doors and hatches that fit into the smallest square drawn here."""


@st.composite
def squares(draw: st.DrawFn, kinds: tuple[SquareKind, ...]) -> Square:
    kind = draw(st.sampled_from(kinds))
    size: tuple[float, ...] = ()
    if kind in SIZE_WORDS and draw(st.booleans()):
        one = OPENING if kind is SquareKind.HATCH else MM
        size = tuple(draw(one) for _ in range(SIZE_WORDS[kind].count(",") + 1))
    return Square.of(kind, draw(st.sampled_from(Facing)), size, draw(st.sampled_from(State)))


@st.composite
def borders(draw: st.DrawFn) -> Border:
    kind = draw(st.sampled_from((BorderKind.OPEN, BorderKind.WALL, *BorderKind)))
    high = draw(st.none() | MM) if kind in (BorderKind.RAIL, BorderKind.BARRICADE, BorderKind.WALL) else None
    opening = draw(st.none() | OPENING) if kind is BorderKind.DOOR else None
    return Border.of(kind, draw(st.none() | MM), high, draw(st.sampled_from(State)), opening)


@st.composite
def layouts(draw: st.DrawFn) -> Layout:
    n = draw(st.integers(1, 3))
    size = (draw(st.integers(1, 2)), draw(st.integers(1, 2)))
    count = draw(st.sampled_from((1, 2, 2, 3)))
    width, depth = size[0] * n, size[1] * n
    marked = draw(st.booleans())
    levels = []
    for number in range(count):
        kinds = [k for k in SquareKind if k is not SquareKind.TILE]
        if number == 0:
            kinds = [k for k in kinds if k not in (SquareKind.HOLE, SquareKind.HATCH)]
        else:
            kinds.remove(SquareKind.PIT)
        if number == count - 1:
            kinds = [k for k in kinds if k not in (SquareKind.STAIRS, SquareKind.RAMP, SquareKind.LADDER)]
        some = draw(st.lists(squares(tuple(kinds)), min_size=1, max_size=5))
        lines = draw(st.lists(borders(), min_size=1, max_size=4))
        posts = [PLAIN, Corner(draw(MM))]

        def grid(rows: int, columns: int, values: list) -> tuple:  # type: ignore[type-arg]
            return tuple(tuple(draw(st.sampled_from(values)) for _ in range(columns)) for _ in range(rows))

        levels.append(
            Level(
                name=f"level-{number}",
                grid=Grid(
                    grid(depth, width, some),
                    grid(depth + 1, width, [OPEN, *lines]),
                    grid(depth, width + 1, [OPEN, *lines]),
                    grid(depth + 1, width + 1, [PLAIN, *posts]),
                ),
                height=draw(st.floats(0.5, 6.0).map(lambda v: round(v, 3))),
                deck=draw(MM) if number else Level.deck,
                marks=_marks(draw, width, depth) if marked else (),
                sections=(Section((0, 0, width - 1, 0), 7.25),) if draw(st.booleans()) else (),
            )
        )
    tile = draw(st.floats(100.0, 400.0).map(lambda v: round(v, 1)))
    return Layout(
        tuple(levels),
        size,
        tile,
        n,
        {"R": "red", "B": "blue"} if marked else {},
        {"1": "vault"} if marked else {},
    )


def _marks(draw: st.DrawFn, width: int, depth: int) -> tuple[str, ...]:
    rows = tuple("".join(draw(st.sampled_from("..RB1")) for _ in range(width)) for _ in range(depth))
    return rows if any(set(row) - {"."} for row in rows) else ()
