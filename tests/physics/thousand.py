"""Random legs past upright things, half of them within a millimetre of contact, and a judge that knows no engine.

The judge steps the body along the leg, a fifth of a millimetre at a time. At each step the distance in plan between
two convex outlines is the largest gap that any direction shows (negative: how far they have to be moved apart): of
360 directions and those of the thing's sides. Heights are compared by themselves; everything stands upright, so that
the two together say it all. Millimetres.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache

import numpy as np
from blocks import Blocks
from numpy.typing import NDArray

from sandbox.physics.model import CollisionWorld, Cylinder
from sandbox.physics.proof import Proof, prove_climb, prove_landing, prove_sweep, prove_walk
from sandbox.terrain.model import Terrain

Floats = NDArray[np.float64]

STEP = 0.2
LIFT = 0.25
ALLOWED = 0.25
CLOSE_CALL = 0.03
"""nobody is asked about a gap that is nearer than this to what is forgiven: floats of 32 bits have the last word there."""
TALL = 35.56 - 0.3
_ANGLES = np.arange(360) * (np.pi / 180)
BETWEEN = 900.0
"""from the middle of one leg's things to the next."""
BASES = ((12.5, 12.5), (14.25, 14.25), (16.0, 16.0), (20.0, 20.0), (25.0, 25.0), (30.0, 17.5))


class Kind(StrEnum):
    """What is proven."""

    WALK = "walk"
    AIR = "air"
    CLIMB = "climb"
    LANDING = "landing"


@dataclass
class Upright:
    """Something with upright sides: a convex outline from one height to another."""

    outline: Floats
    """(n, 2) counter-clockwise."""
    low: float
    high: float

    def moved(self, by: Floats) -> Upright:
        """The same thing elsewhere; by: (3,)."""
        return Upright(self.outline + by[:2], self.low + by[2], self.high + by[2])

    def mesh(self) -> tuple[Floats, NDArray[np.int64]]:
        """Vertices and outward triangles."""
        n = len(self.outline)
        ring = [np.column_stack([self.outline, np.full(n, z)]) for z in (self.low, self.high)]
        faces = []
        for k in range(n):
            j = (k + 1) % n
            faces += [(k, j, n + j), (k, n + j, n + k)]
        for k in range(1, n - 1):
            faces += [(0, k + 1, k), (n, n + k, n + k + 1)]
        return np.vstack(ring), np.array(faces)


@dataclass
class Leg:
    """A leg, what is in its way, and how near it comes to it."""

    kind: Kind
    half: tuple[float, float]
    facing: float
    """degrees."""
    points: Floats
    """(k, 3) of the body's underside."""
    things: list[Upright] = field(default_factory=list)
    gap: float = np.inf
    turn: float = 0.0

    @property
    def confirmed(self) -> bool:
        """What the judge says."""
        return self.gap >= -ALLOWED

    def put(self, blocks: Blocks) -> None:
        """Put the things on a board, turned and moved as that says."""
        for thing in self.things:
            blocks.add("thing", *thing.mesh())

    def prove(self, world: CollisionWorld, board: Blocks) -> Proof:
        """What an engine says."""
        long, short = self.half
        body = Cylinder(long / 25.4, short / 25.4, TALL / 25.4, self.facing + self.turn)
        points = [board.at(*point) for point in self.points.tolist()]
        match self.kind:
            case Kind.WALK:
                return prove_walk(world, body, points)
            case Kind.CLIMB:
                return prove_climb(world, body, points)
            case Kind.LANDING:
                return prove_landing(world, body, points[0])
            case _:
                return prove_sweep(world, body, points)


@dataclass
class Board:
    """Many legs on one table, each with its own things far from the others'."""

    legs: list[Leg]

    def __post_init__(self) -> None:
        """Lay them out in a square."""
        wide = math.ceil(math.sqrt(len(self.legs)))
        places = [(BETWEEN * (k % wide) + 7.3, BETWEEN * (k // wide) + 3.1) for k in range(len(self.legs))]
        self.boards = [Blocks(leg.turn, place) for leg, place in zip(self.legs, places, strict=True)]
        for leg, board in zip(self.legs, self.boards, strict=True):
            leg.put(board.floor(BETWEEN / 2 - 1))

    def terrain(self) -> Terrain:
        """Everything on it."""
        whole = Blocks()
        for board in self.boards:
            whole.meshes += board.meshes
            whole.names += board.names
            whole.closed += board.closed
        return whole.terrain()


@cache
def drawn(first: int, count: int, every: int) -> Board:
    """The legs of some seeds; kept, because every engine is asked about them."""
    return Board([draw(seed) for seed in range(first, first + count, every)])


def least_gap(leg: Leg, thing: Upright, step: float = STEP) -> float:
    """Least signed distance between the body of a leg, lifted a little, and a thing."""
    places = [leg.points[:1]]
    for start, end in zip(leg.points[:-1], leg.points[1:], strict=True):
        count = max(1, math.ceil(float(np.linalg.norm(end - start)) / step))
        places.append(start + (end - start) * (np.arange(1, count + 1) / count)[:, None])
    place = np.vstack(places)
    bottom = place[:, 2] + LIFT
    heights = np.maximum(thing.low - (bottom + TALL), bottom - thing.high)
    near = heights < 30.0
    if not near.any():
        return 30.0
    sides = np.roll(thing.outline, -1, axis=0) - thing.outline
    angles = np.concatenate([_ANGLES, np.arctan2(sides[:, 0], -sides[:, 1])])  # against its sides, exactly
    ways = np.stack([np.cos(angles), np.sin(angles)])
    turned = angles - math.radians(leg.facing)
    reach = np.hypot(leg.half[0] * np.cos(turned), leg.half[1] * np.sin(turned))
    nearest = (thing.outline @ ways).min(axis=0) - reach
    plan = (nearest - place[near, :2] @ ways).max(axis=1)
    heights = heights[near]
    both = (plan > 0) & (heights > 0)
    return float(np.where(both, np.hypot(plan, heights), np.maximum(plan, heights)).min())


def draw(seed: int) -> Leg:
    """One leg; every second one comes within a millimetre of contact."""
    random = np.random.default_rng(seed)
    kind = list(Kind)[seed // 2 % len(Kind)]
    half = BASES[int(random.integers(len(BASES)))]
    leg = Leg(
        kind,
        half,
        0.0 if half[0] == half[1] else float(random.uniform(0, 360)),
        _points(kind, half, random),
        turn=float(random.uniform(0, 360)),
    )
    if kind is Kind.CLIMB:
        leg.things.append(_wall(leg, float(random.uniform(0.3, 6.0))))
    wanted = float(
        random.uniform(-1, 1) if seed % 2 else random.choice([random.uniform(1, 15), random.uniform(-9, -1)])
    )
    if abs(wanted + ALLOWED) < 2 * CLOSE_CALL:
        wanted += 4 * CLOSE_CALL
    leg.things.append(_in_the_way(leg, wanted, random))
    for _ in range(int(random.integers(0, 3))):
        other = _thing(leg.kind, random).moved(np.array([*random.uniform(-120, 240, 2), 0.0]))
        if least_gap(leg, other, 1.0) > 3.0:
            leg.things.append(other)
    leg.gap = min(least_gap(leg, thing) for thing in leg.things)
    return leg


def _points(kind: Kind, half: tuple[float, float], random: np.random.Generator) -> Floats:
    length, angle = random.uniform(40, 170), random.uniform(0, 2 * np.pi)
    end = np.array([np.cos(angle), np.sin(angle), 0.0]) * length
    match kind:
        case Kind.WALK:
            if random.random() < 0.3:
                bend = np.array([np.cos(angle + 0.7), np.sin(angle + 0.7), 0.0]) * length * 0.6
                return np.array([np.zeros(3), bend, end])
            return np.array([np.zeros(3), end])
        case Kind.AIR:
            steep = random.choice([0.0, random.uniform(-1.2, 1.2), np.pi / 2])
            start = np.array([0.0, 0.0, 260.0])
            way = np.array([np.cos(angle) * np.cos(steep), np.sin(angle) * np.cos(steep), np.sin(steep)])
            points = np.array([start, start + way * length])
            return points if random.random() < 0.5 else points[::-1]
        case Kind.CLIMB:
            high = random.uniform(40, 110)
            over = max(half) * 2 + 8
            points = np.array([[0, 0, 0], [0, 0, high], [over, 0, high]], dtype=np.float64)
            return points if random.random() < 0.5 else points[::-1]
        case _:
            return np.zeros((1, 3))


def _wall(leg: Leg, gap: float) -> Upright:
    """The wall that a climb goes up, its face so far in front of the body."""
    facing = math.radians(leg.facing)
    front = math.hypot(leg.half[0] * math.cos(facing), leg.half[1] * math.sin(facing)) + gap
    outline = np.array([[front, -90], [front + 160, -90], [front + 160, 90], [front, 90]], dtype=np.float64)
    return Upright(outline, 0.0, float(leg.points[:, 2].max()))


def _thing(kind: Kind, random: np.random.Generator) -> Upright:
    """Something at the origin: a block, a thin wall, a post, a column or a slab overhead."""
    sort = random.integers(5 if kind is Kind.AIR else 4)
    low, high = (0.0, float(random.uniform(32, 90)))
    if kind in (Kind.AIR, Kind.CLIMB):
        low = float(random.uniform(10, 90))
        high = low + float(random.choice([1.0, 5.0, 30.0]))
    if sort == 3:
        radius = random.uniform(3, 25)
        angle = np.arange(24) * (np.pi / 12) + random.uniform(0, 1)
        return Upright(np.column_stack([np.cos(angle), np.sin(angle)]) * radius, low, high)
    wide, deep = [(40.0, 25.0), (90.0, 1.2), (1.0, 1.0), (0.0, 0.0), (300.0, 200.0)][sort]
    angle = random.uniform(0, np.pi)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    corners = np.array([[-wide, -deep], [wide, -deep], [wide, deep], [-wide, deep]]) / 2
    return Upright(corners @ turn, low, high)


def _in_the_way(leg: Leg, wanted: float, random: np.random.Generator) -> Upright:
    """A thing that the body comes as near to as is wanted."""
    share = random.random()
    k = int(random.integers(max(len(leg.points) - 1, 1)))
    at = leg.points[k] + (leg.points[(k + 1) % len(leg.points)] - leg.points[k]) * share
    if leg.kind is Kind.CLIMB:
        at = np.array([leg.points[:, 0].min(), 0.0, 0.0])
    overhead = leg.kind in (Kind.WALK, Kind.LANDING) and random.random() < 0.25
    if overhead:
        slab = Upright(np.array([[-70.0, -45.0], [70.0, -45.0], [70.0, 45.0], [-70.0, 45.0]]), 0.0, 4.0)
        return slab.moved(np.array([at[0], at[1], LIFT + TALL + wanted]))
    for _ in range(50):
        thing = _thing(leg.kind, random)
        if leg.kind is Kind.AIR:
            thing = thing.moved(np.array([0.0, 0.0, at[2] - 20.0]))
        ahead = (
            random.uniform(np.pi / 2, 3 * np.pi / 2)
            if leg.kind is Kind.CLIMB
            else random.uniform(0, 2 * np.pi)
        )
        away = np.array([np.cos(ahead), np.sin(ahead), 0.0])
        # from far off it is moved in until the gap is what is wanted; on the way it changes at most one for one
        distance = 300.0
        for turn in range(30):
            placed = thing.moved(np.array([at[0], at[1], 0.0]) + away * distance)
            gap = least_gap(leg, placed, 1.0 if turn < 5 else STEP)
            if abs(gap - wanted) < 0.004 and turn >= 5:
                return placed
            distance -= gap - wanted
            if not 0.0 <= distance <= 300.0:
                break  # it passes above or below, or cannot be that deep
    raise AssertionError("nothing can be put as near as was wanted")
