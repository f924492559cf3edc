"""A level divided into rooms and corridors: rectangles of squares, cut in two again and again."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

LEAST = 2
"""squares along a room's shorter side: two bases pass each other."""
CORRIDOR = 2
"""squares across a corridor."""
LARGEST = 7
"""squares along a room's longer side; a larger one is cut."""
Box = tuple[int, int, int, int]
"""First column and row, and those after the last."""


@dataclass(frozen=True)
class Room:
    """A rectangle of squares."""

    box: Box
    corridor: bool

    @property
    def size(self) -> int:
        """Squares."""
        return (self.box[2] - self.box[0]) * (self.box[3] - self.box[1])


@dataclass(frozen=True)
class Rooms:
    """A level divided."""

    rooms: tuple[Room, ...]
    of: tuple[tuple[int, ...], ...]
    """[row][column] number of the room that a square is in."""
    twin: tuple[int, ...]
    """the room that half a turn makes of each; itself where the board is not turned."""


def divide(rng: Random, width: int, depth: int, *, turned: bool) -> Rooms:
    """Rooms and corridors that fill a level of width by depth squares."""
    if not turned:
        rooms = _cut(rng, (0, 0, width, depth), 0)
        return _numbered(rooms, list(range(len(rooms))), width, depth)
    along = depth > width or (depth == width and rng.random() < 0.5)
    length = depth if along else width
    spine = length >= 6 and rng.random() < 0.6
    half = length // 2 - (CORRIDOR // 2 if spine else 0)
    box = (0, 0, width, half) if along else (0, 0, half, depth)
    rooms = _cut(rng, box, 0)
    count = len(rooms)
    rooms += [Room(_turned(room.box, width, depth), room.corridor) for room in rooms]
    twin = [*range(count, 2 * count), *range(count)]
    if spine:
        middle = (0, half, width, depth - half) if along else (half, 0, width - half, depth)
        twin.append(len(rooms))
        rooms.append(Room(middle, True))
    return _numbered(rooms, twin, width, depth)


def _turned(box: Box, width: int, depth: int) -> Box:
    return width - box[2], depth - box[3], width - box[0], depth - box[1]


def _numbered(rooms: list[Room], twin: list[int], width: int, depth: int) -> Rooms:
    of = [[-1] * width for _ in range(depth)]
    for number, room in enumerate(rooms):
        c0, r0, c1, r1 = room.box
        for r in range(r0, r1):
            of[r][c0:c1] = [number] * (c1 - c0)
    return Rooms(tuple(rooms), tuple(map(tuple, of)), tuple(twin))


def _cut(rng: Random, box: Box, depth: int) -> list[Room]:
    c0, r0, c1, r1 = box
    sides = (c1 - c0, r1 - r0)
    wide = sides[0] > sides[1] or (sides[0] == sides[1] and rng.random() < 0.5)
    length = max(sides)
    small = length <= LARGEST and sides[0] * sides[1] <= 30
    if length < 2 * LEAST or (small and rng.random() < 0.25 + 0.2 * (sides[0] * sides[1] < 13)):
        return [Room(box, False)]
    corridor = length >= 2 * (LEAST + 1) + CORRIDOR and rng.random() < (0.75, 0.5, 0.2, 0.0)[min(depth, 3)]
    gap = CORRIDOR if corridor else 0
    # rooms three squares deep look better than those of two
    places = list(range(LEAST, length - gap - LEAST + 1))
    liked = [at for at in places if at > LEAST and length - gap - at > LEAST] or places
    at = rng.choice(liked)
    if wide:
        first: Box = (c0, r0, c0 + at, r1)
        second: Box = (c0 + at + gap, r0, c1, r1)
        between: Box = (c0 + at, r0, c0 + at + gap, r1)
    else:
        first = (c0, r0, c1, r0 + at)
        second = (c0, r0 + at + gap, c1, r1)
        between = (c0, r0 + at, c1, r0 + at + gap)
    rooms = [*_cut(rng, first, depth + 1), *_cut(rng, second, depth + 1)]
    return [*rooms, Room(between, True)] if corridor else rooms
