"""Whole builds by seed: modules set apart on a table, turned by odd angles, some with planted faults."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import numpy as np

from quality import decks, rooms
from quality.prints import PRINT
from quality.shapes import Floats, Triangles, place, turned
from quality.wish import Maker, Module, Planted, Wish

BASES = (25.0, 28.5, 32.0, 40.0, 50.0)
PACKS = ("necromunda-2023", "necromunda-2017", "blightmeer")
APART = 135.0
PLAY: dict[str, Maker] = {
    "block": decks.block,
    "stair": decks.stair,
    "narrow-stair": decks.narrow_stair,
    "small-stair": decks.small_stair,
    "stairwell": decks.stairwell,
    "gap": decks.gap,
    "step": decks.step,
    "rail": decks.rail,
    "mushroom": decks.mushroom,
    "table": decks.table,
    "far-deck": decks.far_deck,
    "slope": decks.slope,
    "room": rooms.room,
    "lintel": rooms.lintel,
    "ledge": rooms.ledge,
    "tunnel": rooms.tunnel,
    "cave": rooms.cave,
    "pit": rooms.pit,
    "barricade": rooms.barricade,
    "ladder": rooms.ladder,
}
"""modules whose faults are about playing."""
NEAR = frozenset(
    [
        "narrow-stair",
        "stairwell",
        "rail",
        "mushroom",
        "room",
        "lintel",
        "ledge",
        "tunnel",
        "barricade",
        "ladder",
        "stair",
    ]
)
"""of those, the ones that can also be right by so little that the printer decides."""
COVERED = {"tunnel", "mushroom", "table", "far-deck", "pit", "ladder", "lintel"}
"""modules with room under a deck, which a cave's hand would not get into either."""
FILE_FAULTS = ("open", "inside-out", "repeated", "bed", "triangles", "units", "scale")


@dataclass(frozen=True)
class Fault:
    """A planted fault in the file's own coordinates."""

    kinds: tuple[str, ...]
    at: Floats | None
    reach: float
    follows: tuple[str, ...]
    low: Floats
    """plan box of the module that it is in."""
    high: Floats
    amount: float
    module: str


@dataclass
class Build:
    """One build."""

    seed: int
    bases: tuple[float, ...]
    packs: tuple[str, ...]
    triangles: Triangles
    faults: list[Fault]
    kinds: dict[str, str] = field(default_factory=dict)
    """kinds of bodies, as a file beside the model would have them."""
    settings: dict[str, object] = field(default_factory=dict)
    modules: list[str] = field(default_factory=list)


def amount_of(rng: random.Random, near: bool) -> float:
    """Half of all faults are within a millimetre of their threshold; near: a quarter does not go past it."""
    if near and rng.random() < 0.25:
        return -rng.uniform(0.05, 0.4)
    return rng.uniform(0.3, 1.0) if rng.random() < 0.5 else rng.uniform(1.0, 4.0)


def build(seed: int) -> Build:
    """The build of a seed: two or three modules, at most two of them wrong, and at times a fault of the whole file."""
    rng = random.Random(seed)
    bases = tuple(sorted(rng.sample(BASES, rng.choice((1, 1, 2)))))
    packs = tuple(sorted(rng.sample(PACKS, rng.choice((1, 1, 2)))))
    wish = Wish(bases, packs, rng)
    made = Build(seed, bases, packs, np.zeros((0, 3, 3)), [], {}, {"bed": None})
    if rng.random() < 0.04:
        return _tile(made, rng)
    wanted = rng.choice((0, 1, 1, 2))
    names = rng.sample(sorted(PLAY), 2)
    if "cave" in names and COVERED & set(names):
        names.remove("cave")
    names += rng.sample(sorted(PRINT), 1) if rng.random() < 0.4 else []
    wrong = set(rng.sample(names, min(wanted, len(names))))
    x, bodies = 0.0, 0
    parts: list[Triangles] = []
    for name in names:
        module = _module(name, wish, rng, name in wrong)
        if module is None:
            continue
        low, high = module.solid.plan
        middle = (float(low[0] + high[0]) / 2, float(low[1] + high[1]) / 2)
        angle = rng.choice((0.0, rng.uniform(0, 360), rng.uniform(0, 360)))
        radius = float(np.hypot(*(high - low))) / 2
        to = (x + radius + rng.uniform(0, 0.7), rng.uniform(-3, 3))
        x += 2 * radius + APART
        for index, body in enumerate(module.solid.bodies):
            parts.append(turned(body, angle, middle, to))
            bodies += 1
            if index in module.solid.kinds:
                made.kinds[f"#{bodies}"] = module.solid.kinds[index]
        made.modules.append(name)
        made.settings |= module.settings
        for fault in module.planted:
            made.faults.append(_fault(fault, angle, middle, to, radius, name))
    if not parts:  # nothing fits these bases and packs
        return build(seed + 1_000_000)
    made.triangles = np.concatenate(parts)
    if rng.random() < 0.25:
        _spoil(made, rng)
    return made


def _module(name: str, wish: Wish, rng: random.Random, wrong: bool) -> Module | None:
    maker = PLAY.get(name) or PRINT[name]
    for _ in range(30):
        module = maker(wish, amount_of(rng, name in NEAR) if wrong else 0.0)
        if module is not None:
            return module
    for _ in range(30):
        module = maker(wish, 0.0)
        if module is not None:
            return module
    return None


def _fault(
    fault: Planted,
    angle: float,
    about: tuple[float, float],
    to: tuple[float, float],
    radius: float,
    name: str,
) -> Fault:
    at = None if fault.at is None else place(fault.at, angle, about, to)
    middle = np.array(to)
    return Fault(
        fault.kinds,
        at,
        fault.reach,
        fault.follows,
        middle - radius - 20,
        middle + radius + 20,
        fault.amount,
        name,
    )


def _whole(
    made: Build, kinds: tuple[str, ...], at: Floats | None, name: str, follows: tuple[str, ...] = ()
) -> None:
    points = made.triangles.reshape(-1, 3)
    made.faults.append(
        Fault(kinds, at, 15.0, follows, points[:, :2].min(axis=0), points[:, :2].max(axis=0), 0.3, name)
    )


def _spoil(made: Build, rng: random.Random) -> None:
    """A fault of the whole file."""
    kind = rng.choice(FILE_FAULTS[:5])
    triangles = made.triangles
    size = np.ptp(triangles.reshape(-1, 3), axis=0)
    if kind == "open":
        x0 = float(triangles[..., 0].max()) + APART
        cube = turned(_cube(8.0), 0.0, (0.0, 0.0), (x0, 0.0))
        made.triangles = np.concatenate([triangles, cube[: -rng.choice((1, 2))]])
        _whole(made, ("open-shell",), np.array([x0, 0.0, 0.0]), kind)
    elif kind == "inside-out":
        x0 = float(triangles[..., 0].max()) + APART
        cube = turned(_cube(8.0), 0.0, (0.0, 0.0), (x0, 0.0))[:, ::-1]
        made.triangles = np.concatenate([triangles, cube])
        _whole(made, ("inside-out",), np.array([x0, 0.0, 0.0]), kind)
    elif kind == "repeated":
        rows = rng.sample(range(len(triangles)), 3)
        made.triangles = np.concatenate([triangles, triangles[rows]])
        _whole(made, ("repeated-faces",), None, kind)
    elif kind == "bed":
        made.settings["bed"] = (float(max(size[:2])) - 0.3, float(max(size[:2])) + 5.0, float(size[2]) + 5.0)
        made.settings["bed"] = (max(size[:2]) - 0.3, max(size[:2]) - 0.3, size[2] + 5.0)
        _whole(made, ("bed",), None, kind)
    else:
        made.settings["triangles"] = len(triangles) - 1
        _whole(made, ("triangles",), None, kind)


def _cube(side: float) -> Triangles:
    from quality.shapes import box  # noqa: PLC0415

    return box(0, 0, 0, side, side, side)


def _tile(made: Build, rng: random.Random) -> Build:
    """A tile alone: nominal, measured, or of a size between, or in the wrong unit."""
    from quality.shapes import box  # noqa: PLC0415

    choice = rng.choice(("nominal", "measured", "between", "inches"))
    side = {"nominal": 304.8, "measured": 289.0, "between": rng.uniform(296.0, 299.0), "inches": 304.8}[
        choice
    ]
    tile = box(0, 0, 0, side, side, rng.uniform(3.0, 6.0))
    if choice == "inches":
        tile = tile / 25.4 / 12.0
    made.triangles = tile
    made.modules.append(f"tile-{choice}")
    if choice == "between":
        _whole(made, ("scale",), None, choice)
    if choice == "inches":
        _whole(made, ("units",), None, choice, follows=("*",))
    return made
