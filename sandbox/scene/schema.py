"""The scene file's form, key by key, as pydantic models: what may be written, with which limits.

Only the form is checked here; `load` turns it into the frozen values of `model`.
"""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, model_validator

from sandbox.files.limits import Most
from sandbox.kinds import Kind
from sandbox.scene.entry import Entry, PathText, Word, is_number, list_of, number
from sandbox.scene.layouts.schema import LayoutEntry
from sandbox.scene.model import DEFAULT_RULES, BoardGround, Shape, Unit, UpAxis

REACH = 1000.0
"""inches; no coordinate on a table lies farther out."""
BOARD_LIMIT = 600.0
"""inches; the largest board."""
LIST_LIMIT = 5000


def _base(value: Any) -> Any:
    if is_number(value):
        return [value, value]
    return list_of("a diameter in mm like 32, or [60, 35] for an oval", 2)(value)


Coordinate = Annotated[float, number(ge=-REACH, le=REACH)]
Angle = Annotated[float, number(ge=-3600, le=3600)]
Size = Annotated[float, number(gt=0, le=REACH)]
Millimetres = Annotated[float, number(ge=5, le=500)]
Switch = Annotated[bool, Field(strict=True)]
Plan = Annotated[tuple[Coordinate, Coordinate], BeforeValidator(list_of("[x, y] in inches", 2))]
Place = Annotated[tuple[Coordinate, ...], BeforeValidator(list_of("[x, y] or [x, y, z] in inches", 2, 3))]
Heights = Annotated[tuple[Coordinate, Coordinate], BeforeValidator(list_of("[lowest, highest] in inches", 2))]
Polygon = Annotated[list[Plan], Field(min_length=3), Most(LIST_LIMIT)]


class BoardEntry(Entry):
    """``board:``."""

    size: Annotated[
        tuple[Annotated[float, number(gt=0, le=BOARD_LIMIT)], Annotated[float, number(gt=0, le=BOARD_LIMIT)]],
        BeforeValidator(list_of("[width, depth] in inches", 2)),
    ] = (48.0, 48.0)
    ground: BoardGround = BoardGround.OPEN
    ceiling: Annotated[float, number(gt=0, le=REACH)] | None = None
    zone_mortalis: Switch = False


class MarkEntry(Entry):
    """One of ``marks:``."""

    kind: Kind
    box: Annotated[tuple[Coordinate, ...], BeforeValidator(list_of("[x0, y0, z0, x1, y1, z1] in inches", 6))]

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if any(low > high for low, high in zip(self.box[:3], self.box[3:], strict=True)):
            raise ValueError("box: should be [x0, y0, z0, x1, y1, z1] with the lower corner first")
        return self


class PieceEntry(Entry):
    """One of ``terrain:``."""

    id: Word | None = None
    model: PathText | None = None
    box: Annotated[tuple[Size, Size, Size], BeforeValidator(list_of("[dx, dy, dz] in inches", 3))] | None = (
        None
    )
    cylinder: (
        Annotated[tuple[Size, Size], BeforeValidator(list_of("[radius, height] in inches", 2))] | None
    ) = None
    ramp: (
        Annotated[tuple[Size, Size, Size], BeforeValidator(list_of("[run, width, rise] in inches", 3))] | None
    ) = None
    stairs: (
        Annotated[
            tuple[Size, Size, Size, Annotated[int, Field(strict=True, ge=1, le=500)]],
            BeforeValidator(list_of("[run, width, rise, steps]: inches, and a whole number of steps", 4)),
        ]
        | None
    ) = None
    units: Unit | None = None
    up: UpAxis | None = None
    scale: Annotated[float, number(gt=0, le=1e6)] = 1.0
    at: Place = (0.0, 0.0)
    turn: Angle = 0.0
    tilt: Annotated[
        tuple[Annotated[float, number(ge=-180, le=180)], Annotated[float, number(ge=-180, le=180)]],
        BeforeValidator(list_of("[x, y] in degrees", 2)),
    ] = (0.0, 0.0)
    kind: Kind = Kind.AUTO
    parts: Annotated[dict[Word, Kind], Most(LIST_LIMIT)] = Field(default_factory=dict)
    marks: Annotated[list[MarkEntry], Most(LIST_LIMIT)] = Field(default_factory=list)

    @model_validator(mode="after")
    def _one_shape(self) -> Self:
        given = [shape for shape in Shape if getattr(self, shape.value) is not None]
        names = ", ".join(Shape)
        if not given:
            raise ValueError(f"a piece needs one of {names}")
        if len(given) > 1:
            raise ValueError(f"a piece has one of {names}; this one has {' and '.join(given)}")
        idle = [key for key in ("units", "up", "parts") if key in self.model_fields_set]
        if given[0] is not Shape.MODEL and idle:
            raise ValueError(f"'{idle[0]}' is for model files; a {given[0]} is in inches and has no parts")
        return self


class AreaEntry(Entry):
    """One of ``areas:``."""

    kind: Kind
    polygon: Polygon
    z: Heights | None = None


class DuctwayEntry(Entry):
    """One of ``ductways:``."""

    id: Word | None = None
    start: Place = Field(alias="from")
    end: Place = Field(alias="to")


class ZoneEntry(Entry):
    """One of ``zones:``."""

    id: Word | None = None
    polygon: Polygon
    z: Heights | None = None


class PointEntry(Entry):
    """One of ``points:``."""

    id: Word | None = None
    at: Place


class ItemEntry(Entry):
    """One of ``items:``."""

    id: Word | None = None
    at: Place
    heavy: Switch = False


class FighterEntry(Entry):
    """One of ``fighters:``."""

    id: Word | None = None
    side: Word = ""
    base: Annotated[
        tuple[Millimetres, Millimetres],
        BeforeValidator(_base, json_schema_input_type=float | tuple[float, float]),
    ] = (32.0, 32.0)
    height: Annotated[float, number(gt=0, le=50)] | None = None
    at: Place
    facing: Angle = 0.0
    profile: Annotated[dict[Word, Annotated[float, number(ge=0, le=100)]], Most(50)] = Field(
        default_factory=dict
    )
    status: Word = "standing"
    skills: Annotated[list[Word], Most(100)] = Field(default_factory=list)
    gear: Annotated[list[Word], Most(100)] = Field(default_factory=list)
    tags: Annotated[list[Word], Most(100)] = Field(default_factory=list)


class SceneFile(Entry):
    """The whole file."""

    name: Word | None = None
    rules: PathText = DEFAULT_RULES
    board: BoardEntry = BoardEntry()
    layout: LayoutEntry | None = None
    layout_file: PathText | None = None
    """the same key where it names a file of its own."""
    terrain: Annotated[list[PieceEntry], Most(LIST_LIMIT)] = Field(default_factory=list)
    areas: Annotated[list[AreaEntry], Most(LIST_LIMIT)] = Field(default_factory=list)
    ductways: Annotated[list[DuctwayEntry], Most(LIST_LIMIT)] = Field(default_factory=list)
    zones: Annotated[list[ZoneEntry], Most(LIST_LIMIT)] = Field(default_factory=list)
    points: Annotated[list[PointEntry], Most(LIST_LIMIT)] = Field(default_factory=list)
    items: Annotated[list[ItemEntry], Most(LIST_LIMIT)] = Field(default_factory=list)
    fighters: Annotated[list[FighterEntry], Most(LIST_LIMIT)] = Field(default_factory=list)
    check: dict[str, Any] = Field(default_factory=dict)
    """what the terrain check is told; it reads its own form from the file."""

    @model_validator(mode="before")
    @classmethod
    def _layout_by_path(cls, value: Any) -> Any:
        if isinstance(value, dict) and isinstance(value.get("layout"), str):
            return {**{k: v for k, v in value.items() if k != "layout"}, "layout_file": value["layout"]}
        return value
