"""The terrain kinds: the closed list of what a piece, a part or an area can be."""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """What a thing is. What may be done with it is a pack's table, never decided here."""

    AUTO = "auto"
    OPEN = "open"
    OBSTACLE = "obstacle"
    STRUCTURE = "structure"
    DIFFICULT = "difficult"
    DANGEROUS = "dangerous"
    IMPASSABLE = "impassable"
    WALL = "wall"
    LADDER = "ladder"
    STAIRS = "stairs"
    RAMP = "ramp"
    RAILING = "railing"
    DOOR_OPEN = "door-open"
    DOOR_CLOSED = "door-closed"
    PITFALL = "pitfall"
    VEHICLE = "vehicle"


DOORS = (Kind.DOOR_OPEN, Kind.DOOR_CLOSED)
"""both kinds of a door."""
