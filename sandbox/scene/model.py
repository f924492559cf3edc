"""What the players set up: a scene and all that stands in it, as frozen values.

Inches and degrees; bases in mm. Frame: x east, y north, z up, the origin at the board's south-west corner on
the table's top. Every object keeps `loc`, its place in the scene file, so that later rooms can name file and
line: see `Scene.error`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox.errors import UserError
from sandbox.files import YamlDocument
from sandbox.kinds import Kind

if TYPE_CHECKING:
    from sandbox.scene.layouts.load import Loaded

Loc = tuple[str | int, ...]
Point = tuple[float, float]

DEFAULT_RULES = "necromunda-2023"
DEFAULT_HEIGHT = 1.4
"""inches; a model's height where its scene states none."""
PRONE_HEIGHT = 0.6
"""inches; the same while it is prone."""


class BoardGround(StrEnum):
    """What the table itself is."""

    OPEN = "open"
    DIFFICULT = "difficult"
    PIT = "pit"
    """nothing to stand on."""


class Shape(StrEnum):
    """What a piece is made from: a model file, or a shape without a mesh."""

    MODEL = "model"
    BOX = "box"
    """[dx, dy, dz]."""
    CYLINDER = "cylinder"
    """[radius, height]."""
    RAMP = "ramp"
    """[run, width, rise], rising towards +x before it is turned."""
    STAIRS = "stairs"
    """[run, width, rise, steps], rising towards +x before it is turned."""


class Unit(StrEnum):
    """Units of a model file."""

    MM = "mm"
    CM = "cm"
    INCH = "in"
    METRE = "m"


class UpAxis(StrEnum):
    """Which axis of a model file points up."""

    Y = "y"
    Z = "z"


class Anchor(StrEnum):
    """Which point of a piece's unturned bounding box goes to `at`; its bottom goes to the height of `at`."""

    CENTRE = "centre"
    CORNER = "corner"
    """the corner with the least x and y: a model that lies alone on the table."""


@dataclass(frozen=True)
class Board:
    """The table."""

    size: tuple[float, float] | None = (48.0, 48.0)
    """width (x) and depth (y), inches. None, for a model alone: as large as what lies on it."""
    ground: BoardGround = BoardGround.OPEN
    ceiling: float | None = None
    """inches above the table, impassable above it; None: open sky."""
    zone_mortalis: bool = False
    """walls are neither climbed nor walked on."""


@dataclass(frozen=True)
class Mark:
    """A kind for the faces of a model that lie inside a box, in inches in the model's own frame."""

    kind: Kind
    low: tuple[float, float, float]
    high: tuple[float, float, float]


@dataclass(frozen=True)
class Piece:
    """One placed terrain model or shape."""

    id: str
    shape: Shape
    model: Path | None = None
    """the model file; it existed when the scene was read. None for shapes."""
    model_name: str = ""
    """the model's path as the scene file writes it."""
    sizes: tuple[float, ...] = ()
    """a shape's sizes in inches, in the order that `Shape` gives; empty for models."""
    units: Unit | None = None
    """None: the format's own, else mm."""
    up: UpAxis | None = None
    """None: y for glTF, else z."""
    scale: float = 1.0
    at: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """where the anchor goes in plan, and the height of its bottom."""
    anchor: Anchor = Anchor.CENTRE
    turn: float = 0.0
    """degrees about z through the anchor, counter-clockwise."""
    tilt: tuple[float, float] = (0.0, 0.0)
    """degrees about x and y, before turning."""
    kind: Kind = Kind.AUTO
    parts: tuple[tuple[str, Kind], ...] = ()
    """(pattern, kind): node paths or group names by shell-style pattern; ``#3`` is the third body."""
    marks: tuple[Mark, ...] = ()
    line: int | None = None
    loc: Loc = ()


@dataclass(frozen=True)
class Area:
    """Agreed ground without a mesh: every floor inside the polygon and the height range (ends included)."""

    kind: Kind
    polygon: tuple[Point, ...]
    z: tuple[float, float] | None = None
    """lowest and highest height, inches; None: all heights."""
    line: int | None = None
    loc: Loc = ()


@dataclass(frozen=True)
class Ductway:
    """A duct between its two mouths."""

    id: str
    start: tuple[float, float, float]
    end: tuple[float, float, float]
    line: int | None = None
    loc: Loc = ()


@dataclass(frozen=True)
class Zone:
    """A named polygon: deployment and the like."""

    id: str
    polygon: tuple[Point, ...]
    z: tuple[float, float] | None = None
    line: int | None = None
    loc: Loc = ()


@dataclass(frozen=True)
class NamedPoint:
    """A named place."""

    id: str
    at: Point
    z: float | None = None
    """None: the highest floor there."""
    line: int | None = None
    loc: Loc = ()


@dataclass(frozen=True)
class Item:
    """A thing to carry."""

    id: str
    at: Point
    z: float | None = None
    """None: the highest floor there."""
    heavy: bool = False
    line: int | None = None
    loc: Loc = ()


@dataclass(frozen=True)
class Fighter:
    """One model on its base, as the scene file states it. What a pack makes of it is worked out elsewhere."""

    id: str
    at: Point
    """centre of the base in plan."""
    z: float | None = None
    """None: the highest floor there; else the floor nearest to it."""
    side: str = ""
    base: tuple[float, float] = (32.0, 32.0)
    """longer and shorter axis of the base, mm; equal for a round base."""
    height: float | None = None
    """inches; None: `DEFAULT_HEIGHT`, or `PRONE_HEIGHT` while prone."""
    facing: float = 0.0
    """degrees counter-clockwise from east."""
    profile: Mapping[str, float] = field(default_factory=dict)
    """characteristics by the pack's names; what is missing gets the pack's default."""
    status: str = "standing"
    """the pack's own status name."""
    skills: tuple[str, ...] = ()
    gear: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    line: int | None = None
    loc: Loc = ()


@dataclass(frozen=True, eq=False)
class Scene:
    """One battlefield as it was written down."""

    name: str
    path: Path
    """the scene file, or the model that lies alone."""
    rules: str = DEFAULT_RULES
    """a pack id, or the path of a pack file (already resolved against the scene's folder)."""
    board: Board = Board()
    terrain: tuple[Piece, ...] = ()
    areas: tuple[Area, ...] = ()
    ductways: tuple[Ductway, ...] = ()
    zones: tuple[Zone, ...] = ()
    points: tuple[NamedPoint, ...] = ()
    items: tuple[Item, ...] = ()
    fighters: tuple[Fighter, ...] = ()
    document: YamlDocument | None = None
    """the file with its comments, to write changes back; None for a model alone."""
    layout: Loaded | None = None
    """the layout that a part of it was built from: those pieces, zones and so on have its `loc`."""

    def fighter(self, fighter_id: str) -> Fighter:
        """The fighter of that id; UserError that lists the ids there are."""
        for fighter in self.fighters:
            if fighter.id == fighter_id:
                return fighter
        known = ", ".join(fighter.id for fighter in self.fighters) or "none"
        raise UserError(f"there is no fighter {fighter_id!r}; fighters: {known}", file=self.path)

    def error(self, message: str, loc: Sequence[str | int] = ()) -> UserError:
        """A UserError at a place of the scene file: ``scene.error(text, (*fighter.loc, "skills"))``."""
        if self.document is None:
            return UserError(message, file=self.path)
        return self.document.error(message, loc)
