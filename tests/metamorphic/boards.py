"""Small random boards for the metamorphic tests, millimetres; half of what is drawn lies near some threshold.

The mover starts west of the middle; what stands about lies to the east of it. Whole boards can be turned, moved and
mirrored, because a board is data: shapes, where they stand, and who moves.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from hypothesis import Phase, assume, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

import sandbox

INCH = 25.4
BASES: tuple[float | tuple[float, float], ...] = (25.0, 28.5, 32.0, 40.0, 50.0, (60.0, 35.0))
SIDE = 21.0 * INCH
"""nobody gets to the edge of the board from where the mover stands."""
START = (-70.0, 0.0)
"""where the mover stands, from the board's middle."""
COST_MM = 2.0 * 0.05 * INCH
"""twice the tolerance of a cost ..."""
COST_SHARE = 0.02
"""... or twice 1 %."""
NEAR_MM = 0.2
STEP_MM = 12.7

Answer = tuple[bool, float, float]
"""legal, cost in mm (inf where none), chance."""


def trials(everyday: int, full: int = 60) -> settings:
    """How many boards a test tries. Making a counterexample smaller takes long, so only full runs do it."""
    if settings.default.max_examples > 100:
        return settings(max_examples=full)
    return settings(max_examples=everyday, phases=(Phase.explicit, Phase.reuse, Phase.generate))


@dataclass(frozen=True)
class Item:
    """One shape: its sides, where its middle stands (z: its bottom) and how it is turned."""

    shape: str
    sides: tuple[float, ...]
    at: tuple[float, float, float]
    turn: float
    kind: str


@dataclass(frozen=True)
class Sketch:
    """A board: positions are told from its middle."""

    items: tuple[Item, ...]
    base: float | tuple[float, float] = 32.0
    inches: float = 5.0
    facing: float = 0.0
    start: tuple[float, float] = START
    middle: tuple[float, float] = (SIDE / 2.0, SIDE / 2.0)
    side: float = SIDE
    models: tuple[dict[str, Any], ...] = field(default=(), compare=False)
    """entries for mesh files, `at` in inches."""

    def turned(self, degrees: float) -> Sketch:
        """The contents turned about the middle."""
        items = tuple(
            replace(i, at=(*turn(i.at[:2], degrees), i.at[2]), turn=i.turn + degrees) for i in self.items
        )
        return replace(self, items=items, start=turn(self.start, degrees), facing=self.facing + degrees)

    def moved(self, dx: float, dy: float) -> Sketch:
        """The contents moved."""
        return replace(self, middle=(self.middle[0] + dx, self.middle[1] + dy))

    def mirrored(self) -> Sketch:
        """The contents seen in a mirror that stands along x; all shapes here are their own mirror images."""
        items = tuple(replace(i, at=(i.at[0], -i.at[1], i.at[2]), turn=-i.turn) for i in self.items)
        return replace(self, items=items, start=(self.start[0], -self.start[1]), facing=-self.facing)

    def load(self) -> Board:
        """The battlefield, through a file."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "board.yaml"
            with path.open("w", encoding="utf-8") as file:
                YAML(typ="safe").dump(self._scene(), file)
            return Board(self, sandbox.load(path))

    def _scene(self) -> dict[str, Any]:
        x, y = self.middle
        terrain = [
            {
                "id": f"{item.shape}-{k}",
                item.shape: [
                    float(s) if item.shape == "stairs" and n == 3 else s / INCH
                    for n, s in enumerate(item.sides)
                ],
                "at": [(x + item.at[0]) / INCH, (y + item.at[1]) / INCH, item.at[2] / INCH],
                "turn": item.turn,
                "kind": item.kind,
            }
            for k, item in enumerate(self.items)
        ]
        for entry in terrain:
            if "stairs" in entry:
                entry["stairs"][3] = int(entry["stairs"][3])
        base = list(self.base) if isinstance(self.base, tuple) else self.base
        return {
            "name": "Metamorphic",
            "rules": "necromunda-2023",
            "board": {"size": [self.side / INCH, self.side / INCH]},
            "terrain": [*terrain, *self.models],
            "fighters": [
                {
                    "id": "kal",
                    "side": "red",
                    "base": base,
                    "at": [(x + self.start[0]) / INCH, (y + self.start[1]) / INCH, 0.0],
                    "facing": self.facing,
                    "profile": {"M": self.inches, "I": 4},
                }
            ],
        }


def turn(at: tuple[float, ...], degrees: float) -> tuple[float, float]:
    """A plan point turned about the middle."""
    a = np.radians(degrees)
    c, s = float(np.cos(a)), float(np.sin(a))
    return (at[0] * c - at[1] * s, at[0] * s + at[1] * c)


def outline(item: Item) -> shapely.Geometry:
    """What a shape covers in plan, from the middle."""
    if item.shape == "cylinder":
        return shapely.Point(item.at[:2]).buffer(item.sides[0])
    dx, dy = item.sides[0] / 2.0, item.sides[1] / 2.0
    corners = [(-dx, -dy), (dx, -dy), (dx, dy), (-dx, dy)]
    placed = [np.add(turn(corner, item.turn), item.at[:2]) for corner in corners]
    return shapely.Polygon(placed)


class Board:
    """A loaded board; asked from its middle, millimetres."""

    def __init__(self, sketch: Sketch, battlefield: Any) -> None:
        self.sketch = sketch
        self.battlefield = battlefield
        self.moves = battlefield.moves("kal", "move")
        assert not self.moves.rulings, self.moves.rulings

    def to(self, at: tuple[float, ...]) -> Answer:
        """The answer for a place (x, y, z)."""
        x, y = self.sketch.middle
        move = self.moves.to((x + at[0]) / INCH, (y + at[1]) / INCH, at[2] / INCH)
        cost = float("inf") if move.cost is None else float(move.cost) * INCH
        return bool(move.legal), cost, 0.0 if move.success is None else float(move.success)

    def spots(self) -> np.ndarray:
        """(n, 5): x, y, z from the middle, cost and chance."""
        found = self.moves.spots
        x, y = self.sketch.middle
        lengths = [found[name] * INCH for name in ("x", "y", "z", "cost")]
        return np.column_stack([lengths[0] - x, lengths[1] - y, lengths[2], lengths[3], found["success"]])

    def some(self, count: int, seed: int = 0) -> list[tuple[float, float, float]]:
        """Some of the spots, those at borders and high ones among them."""
        spots = self.spots()
        if not len(spots):
            return []
        order = np.random.default_rng(seed).permutation(len(spots))
        high = order[spots[order, 2] > 1.0][: count // 2]
        chosen = np.concatenate([high, order])[:count]
        return [tuple(map(float, row[:3])) for row in spots[chosen]]


def same(a: Answer, b: Answer, allowance: float) -> str | None:
    """What two answers to the same question differ in, beyond what is allowed; None where they agree."""
    wide = max(COST_MM, COST_SHARE * min(a[1], b[1]))
    if a[0] != b[0]:
        cost = min(a[1], b[1])
        # hardly affordable in one of them
        return None if abs(cost - allowance) <= wide else f"legal {a[0]} and {b[0]}"
    if not a[0]:
        return None  # what a refused way costs is looked for more coarsely
    if abs(a[2] - b[2]) > 1e-6:
        # the better chance may just be affordable in one of them
        return None if max(a[1], b[1]) > allowance - wide else f"chance {a[2]} and {b[2]}"
    return None if abs(a[1] - b[1]) <= wide else f"cost {a[1]:.2f} and {b[1]:.2f}"


def disagreements(one: Board, other: Board, back: Any, places: list[tuple[float, float, float]]) -> list[str]:
    """Where two boards that should answer alike do not, at places of the first; back: such a place on the second.

    A verdict counts only where it does not hang on a fifth of a millimetre: where bases that much smaller and larger get
    it as well.
    """
    told = []
    allowance = one.sketch.inches * INCH
    for place in places:
        a, b = one.to(place), other.to(back(place))
        why = same(a, b, allowance)
        if why is not None and not _close_call(one, place, allowance):
            told.append(f"{why} at {tuple(round(v, 3) for v in place)}")
    return told


def _close_call(board: Board, place: tuple[float, float, float], allowance: float) -> bool:
    """Whether bases a hair smaller or larger, or places a hair aside, get another answer."""
    first = board.to(place)
    for off in (-2.0 * NEAR_MM, 2.0 * NEAR_MM):
        base = board.sketch.base
        changed = (base[0] + off, base[1] + off) if isinstance(base, tuple) else base + off
        if same(first, replace(board.sketch, base=changed).load().to(place), allowance) is not None:
            return True
    asides = ((NEAR_MM, 0.0), (-NEAR_MM, 0.0), (0.0, NEAR_MM), (0.0, -NEAR_MM))
    return any(
        same(first, board.to((place[0] + dx, place[1] + dy, place[2])), allowance) is not None
        for dx, dy in asides
    )


# -- drawing boards --------------------------------------------------------------------------------------------------


def near(threshold: float) -> st.SearchStrategy[float]:
    """A length within a millimetre of a threshold, but not so near that either answer is right."""
    return st.one_of(
        st.floats(threshold - 1.0, threshold - 0.25), st.floats(threshold + 0.25, threshold + 1.0)
    )


def shortest(base: float | tuple[float, float]) -> float:
    """A base's shorter diameter."""
    return base[1] if isinstance(base, tuple) else base


def heights() -> st.SearchStrategy[float]:
    """Heights of what stands about: half of them near a step, an inch or two."""
    return st.one_of(
        st.sampled_from([3.0, 8.0, 20.0, 38.0, 60.0, 76.2]), near(STEP_MM), near(25.4), near(50.8)
    )


@st.composite
def items(draw: st.DrawFn, base: float | tuple[float, float]) -> Item:
    """One shape east of the mover."""
    x, y = draw(st.floats(-25.0, 60.0)), draw(st.floats(-60.0, 60.0))
    turned = draw(st.one_of(st.sampled_from([0.0, 45.0]), st.floats(0.0, 180.0)))
    what = draw(
        st.sampled_from(["block", "block", "deck", "crate", "wall", "rail", "post", "stairs", "ramp"])
    )
    b = shortest(base)
    width = st.one_of(near(b), st.floats(20.0, 70.0))
    if what == "block":
        return Item("box", (draw(width), draw(width), draw(heights())), (x, y, 0.0), turned, "structure")
    if what == "deck":
        z = draw(st.one_of(near(35.56), st.sampled_from([50.0, 70.0])))
        return Item("box", (draw(width), draw(width), 4.0), (x, y, z), turned, "structure")
    if what == "crate":
        side = draw(st.one_of(near(50.8), st.floats(15.0, 45.0)))
        tall = draw(st.one_of(near(50.8), st.floats(15.0, 45.0)))
        return Item("box", (side, draw(st.floats(10.0, 45.0)), tall), (x, y, 0.0), turned, "auto")
    if what == "wall":
        kind = draw(st.sampled_from(["impassable", "structure"]))
        return Item("box", (draw(st.floats(20.0, 80.0)), 1.2, 60.0), (x, y, 0.0), turned, kind)
    if what == "rail":
        tall = draw(st.one_of(near(STEP_MM), st.just(25.0)))
        return Item("box", (draw(st.floats(20.0, 80.0)), 1.0, tall), (x, y, 0.0), turned, "auto")
    if what == "post":
        return Item("cylinder", (2.5, 60.0), (x, y, 0.0), turned, "impassable")
    if what == "stairs":
        steps = draw(st.integers(2, 5))
        sides = (steps * draw(st.floats(8.0, 14.0)), draw(width), steps * 8.3, float(steps))
        return Item("stairs", sides, (x, y, 0.0), turned, "stairs")
    rise = draw(st.floats(8.0, 30.0))
    return Item("ramp", (rise * draw(st.floats(1.5, 4.0)), draw(width), rise), (x, y, 0.0), turned, "ramp")


@st.composite
def sketches(draw: st.DrawFn, most: int = 4) -> Sketch:
    """A board; half of its shapes stand a base's width from the one before, to a millimetre."""
    base = draw(st.sampled_from(BASES))
    found: list[Item] = []
    for _ in range(draw(st.integers(1, most))):
        item = draw(items(base))
        if found and draw(st.booleans()):
            item = _beside(found[-1], item, draw(near(shortest(base))))
        found.append(item)
    tops = [(i.at[2] + i.sides[1 if i.shape == "cylinder" else 2]) for i in found]
    # nothing may hang on hairs of height: neighbours that differ by a step, more or less
    steps = [abs(a - b) for k, a in enumerate([0.0, *tops]) for b in tops[k:]]
    assume(all(abs(step - STEP_MM) > 0.25 for step in steps))
    assume(all(i.at[0] > START[0] + 35.0 + float(np.hypot(*_half(i))) for i in found))
    return Sketch(tuple(found), base, facing=draw(st.sampled_from([0.0, 30.0, 90.0])))


def _half(item: Item) -> tuple[float, float]:
    return (
        (item.sides[0], item.sides[0]) if item.shape == "cylinder" else (item.sides[0] / 2, item.sides[1] / 2)
    )


def _beside(one: Item, other: Item, gap: float) -> Item:
    """A shape moved beside another, parallel to it, with a gap between them."""
    off = _half(one)[1] + gap + _half(other)[1]
    dx, dy = turn((0.0, off), one.turn)
    return replace(other, at=(one.at[0] + dx, one.at[1] + dy, other.at[2]), turn=one.turn)
