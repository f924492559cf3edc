"""Colours, chosen to be told apart by colour-blind readers as well: by lightness first, then by hue.

Terrain is muted and light so that the reach, the fighters and the way stand out on it. All colours are sRGB, 0 to 255.
"""

from __future__ import annotations

from sandbox.kinds import Kind
from sandbox.moves.answers import LegKind

Colour = tuple[int, int, int]

PAPER: Colour = (238, 240, 242)
INK: Colour = (32, 36, 42)
FAINT_INK: Colour = (104, 110, 118)
TABLE: Colour = (206, 203, 196)
TABLE_GRID: Colour = (120, 118, 112)
CREASE: Colour = (38, 40, 46)
CUT: Colour = (92, 88, 90)
"""the inside of what a level cut has opened."""
REFUSED: Colour = (196, 22, 42)
TEST: Colour = (198, 40, 140)
"""stripes over the places that need a test."""

KINDS: dict[Kind, Colour] = {
    Kind.AUTO: (198, 200, 204),
    Kind.STRUCTURE: (198, 200, 204),
    Kind.OPEN: (200, 204, 190),
    Kind.WALL: (158, 163, 172),
    Kind.OBSTACLE: (206, 180, 140),
    Kind.RAILING: (214, 202, 160),
    Kind.LADDER: (184, 128, 72),
    Kind.STAIRS: (196, 202, 214),
    Kind.RAMP: (182, 194, 206),
    Kind.DIFFICULT: (146, 168, 128),
    Kind.DANGEROUS: (206, 146, 120),
    Kind.IMPASSABLE: (112, 108, 116),
    Kind.PITFALL: (74, 72, 80),
    Kind.DOOR_OPEN: (150, 186, 196),
    Kind.DOOR_CLOSED: (120, 140, 158),
    Kind.VEHICLE: (168, 160, 190),
}

LEGS: dict[LegKind, Colour] = {
    LegKind.WALK: (250, 250, 250),
    LegKind.CLIMB: (240, 148, 20),
    LegKind.LADDER: (160, 92, 30),
    LegKind.LEAP: (224, 96, 190),
    LegKind.JUMP_DOWN: (126, 60, 160),
    LegKind.CROSS: (20, 168, 130),
    LegKind.DUCTWAY: (96, 96, 104),
    LegKind.SCRAMBLE: (150, 170, 60),
    LegKind.SQUEEZE: (110, 130, 150),
    LegKind.GRAPNEL: (86, 180, 233),
    LegKind.FLY: (86, 180, 233),
    LegKind.TELEPORT: (60, 60, 180),
}

SIDES: dict[str, Colour] = {
    "red": (204, 62, 30),
    "blue": (24, 108, 190),
    "green": (0, 140, 104),
    "yellow": (226, 186, 30),
    "orange": (230, 140, 20),
    "purple": (132, 74, 160),
    "pink": (214, 120, 168),
    "black": (52, 54, 60),
    "white": (236, 236, 236),
    "grey": (128, 132, 138),
}
SPARE_SIDES: tuple[str, ...] = ("red", "blue", "yellow", "green", "purple", "orange", "pink", "black")

BANDS: tuple[Colour, ...] = (
    (255, 233, 92),
    (202, 205, 96),
    (122, 180, 120),
    (52, 142, 140),
    (44, 98, 142),
    (56, 54, 108),
)
"""near to far, lightness falling evenly, yellow to blue: safe for every kind of colour blindness."""


def side_colours(sides: list[str]) -> dict[str, Colour]:
    """Colour of each side: its name's own colour where it is one, else the next one free, in order of `sides`."""
    names = list(dict.fromkeys(sides))
    answer = {name: SIDES[name.lower()] for name in names if name.lower() in SIDES}
    free = [SIDES[name] for name in SPARE_SIDES if SIDES[name] not in answer.values()] or list(SIDES.values())
    for index, name in enumerate(name for name in names if name not in answer):
        answer[name] = free[index % len(free)]
    return answer


def bands(count: int) -> tuple[Colour, ...]:
    """`count` (1 to 6) colours from near to far, spread over the whole scale."""
    if count <= 1:
        return BANDS[1:2]
    last = len(BANDS) - 1
    answer = []
    for index in range(count):
        place = index * last / (count - 1)
        low = min(int(place), last - 1)
        part = place - low
        first, second = BANDS[low], BANDS[low + 1]
        answer.append(
            (
                round(first[0] + (second[0] - first[0]) * part),
                round(first[1] + (second[1] - first[1]) * part),
                round(first[2] + (second[2] - first[2]) * part),
            )
        )
    return tuple(answer)
