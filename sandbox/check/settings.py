"""What a check is told: bases, packs, limits of printing, and findings that were accepted with a reason.

It is written into a file beside the model (``tower.check.yaml`` for ``tower.stl``) or under ``check:`` in a scene.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from sandbox.check.finding import Finding
from sandbox.check.model import USUAL_MM, WORD_OF, Base, FindingKind, word_of
from sandbox.errors import UserError
from sandbox.files import read_yaml, validate
from sandbox.files.document import YamlDocument
from sandbox.files.limits import Most
from sandbox.kinds import Kind
from sandbox.rules import pack_names
from sandbox.scene.model import Unit, UpAxis
from sandbox.scene.schema import MarkEntry

USUAL_BASES = tuple(Base(size, size) for size in USUAL_MM)
COMMON_MM = 32.0
"""of the usual bases, those up to this size are what most models stand on: what stops one of them is a warning."""
SUFFIX = ".check.yaml"
NEAR_MM = 10.0
"""an accepted finding is found again up to this far from where its id says."""


@dataclass(frozen=True)
class Accepted:
    """A finding that somebody knows about and wants so."""

    id: str
    reason: str


@dataclass(frozen=True)
class Settings:
    """Everything that a check can be told. Lengths mm where nothing else is said."""

    bases: tuple[Base, ...] = USUAL_BASES
    packs: tuple[str, ...] = ()
    """ids or paths; empty: every pack that comes with the sandbox (a scene: its own)."""
    height: float | None = None
    """of a model, inches; None: the pack's."""
    band: float = 0.5
    """a measurement this near to a threshold is decided by the printer."""
    wall: float = 1.2
    """thinnest wall that prints well."""
    bed: tuple[float, float, float] | None = (220.0, 220.0, 250.0)
    """room of the printer; None: not looked at."""
    hand: float | None = None
    """room above a covered floor that a hand or a tape needs; None: not looked at."""
    triangles: int = 1_000_000
    """more of them make slicers slow."""
    move: float | None = None
    """inches of one Move; None: the pack's usual model."""
    accept: tuple[Accepted, ...] = ()
    units: Unit | None = None
    up: UpAxis | None = None
    scale: float = 1.0
    kind: Kind = Kind.AUTO
    parts: tuple[tuple[str, Kind], ...] = ()
    marks: tuple[Any, ...] = ()

    def with_bases(self, bases: Sequence[tuple[float, float]]) -> Settings:
        """The same with these bases declared, mm; none given: as it is."""
        if not bases:
            return self
        return replace(self, bases=tuple(Base(max(b), min(b), declared=True) for b in dict.fromkeys(bases)))

    def with_packs(self, packs: Sequence[str]) -> Settings:
        """The same under these packs; none given: as it is."""
        return replace(self, packs=tuple(dict.fromkeys(packs))) if packs else self

    def accepted(self, finding: Finding) -> Accepted | None:
        """The entry that accepts a finding; None where none does.

        Its place may differ by a centimetre; a kind, or the first word of an id, without a place accepts all of them.
        """
        word, place = split_id(finding.id)
        for one in self.accept:
            other, there = split_id(one.id)
            if there is None:
                if other in (word, finding.kind.value):
                    return one
            elif (
                place is not None
                and word_of(other) == word
                and max(abs(a - b) for a, b in zip(place, there, strict=True)) <= NEAR_MM
            ):
                return one
        return None


def split_id(finding_id: str) -> tuple[str, tuple[int, int, int] | None]:
    """First word and place (mm) of a finding's id; no place where it is about the whole file."""
    word, _, place = finding_id.partition("@")
    numbers = re.fullmatch(r"(-?\d+),(-?\d+),(-?\d+)", place)
    return word, None if numbers is None else (int(numbers[1]), int(numbers[2]), int(numbers[3]))


def make_id(word: str, place: Sequence[float] | None) -> str:
    """``width@142,20,0``: what was measured and the place in whole millimetres."""
    return word if place is None else f"{word}@{','.join(f'{round(v):d}' for v in place)}"


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)


Length = Annotated[float, Field(gt=0, le=10_000, allow_inf_nan=False)]
Diameter = Annotated[float, Field(ge=5, le=500, allow_inf_nan=False)]
Inches = Annotated[float, Field(gt=0, le=50, allow_inf_nan=False)]


class AcceptForm(_Form):
    """One of ``accept:``."""

    id: Annotated[str, Field(min_length=1, max_length=100)]
    reason: Annotated[str, Field(min_length=1), Most(500)]

    @field_validator("id")
    @classmethod
    def _known_form(cls, value: str) -> str:
        word, at, _ = value.partition("@")
        if word not in {*FindingKind, *WORD_OF.values()} or (at and split_id(value)[1] is None):
            raise ValueError(f"{value!r} should be a finding's id, such as width@142,20,0")
        return value


class CheckForm(_Form):
    """What may be written under ``check:`` in a scene."""

    bases: Annotated[list[Diameter | tuple[Diameter, Diameter]], Field(min_length=1), Most(20)] | None = None

    @field_validator("bases", mode="before")
    @classmethod
    def _of_bases(cls, value: Any) -> Any:
        wrong = value if not isinstance(value, list) else None
        if isinstance(value, list):
            wrong = next((one for one in value if isinstance(one, list) and len(one) != 2), None)
        if wrong is not None:
            raise ValueError(f"{wrong!r} should be a list of bases in mm, such as [25, 32, [60, 35]]")
        return value

    packs: Annotated[list[str], Field(min_length=1), Most(20)] | None = None
    height: Inches | None = None
    band: Annotated[float, Field(ge=0, le=10, allow_inf_nan=False)] = 0.5
    wall: Length = 1.2
    bed: tuple[Length, Length, Length] | None = (220.0, 220.0, 250.0)
    hand: Length | None = None
    triangles: Annotated[int, Field(ge=1)] = 1_000_000
    move: Inches | None = None
    accept: Annotated[list[AcceptForm], Most(1000)] = Field(default_factory=list)


class CheckFile(CheckForm):
    """A file beside a model: the same, and how the model is read."""

    units: Unit | None = None
    up: UpAxis | None = None
    scale: Annotated[float, Field(gt=0, le=1e6, allow_inf_nan=False)] = 1.0
    kind: Kind = Kind.AUTO
    parts: Annotated[dict[str, Kind], Most(1000)] = Field(default_factory=dict)
    marks: Annotated[list[MarkEntry], Most(1000)] = Field(default_factory=list)


class _SceneForm(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)
    check: CheckForm = CheckForm()


def beside(model: Path) -> Path:
    """Where the settings of a model are written: ``tower.check.yaml`` beside ``tower.stl``."""
    return model.with_name(model.stem + SUFFIX)


def settings_of_model(model: Path) -> Settings:
    """The settings beside a model; the usual ones where there is no such file. UserError names its mistakes."""
    file = beside(model)
    if not file.exists():
        return Settings()
    document = read_yaml(file)
    form = validate(document, CheckFile)
    return replace(
        _settings(form, document, ()),
        units=form.units,
        up=form.up,
        scale=form.scale,
        kind=form.kind,
        parts=tuple(form.parts.items()),
        marks=tuple(form.marks),
    )


def settings_of_scene(document: YamlDocument | None) -> Settings:
    """The settings under ``check:`` of a scene."""
    if document is None or not document.plain.get("check"):
        return Settings()
    return _settings(validate(document, _SceneForm).check, document, ("check",))


def _settings(form: CheckForm, document: YamlDocument, loc: tuple[str, ...]) -> Settings:
    packs = []
    for index, pack in enumerate(form.packs or ()):
        if pack in pack_names():
            packs.append(pack)
        elif (document.path.parent / pack).is_file():
            packs.append(str((document.path.parent / pack).absolute()))
        else:
            known = ", ".join(pack_names())
            document.fail(
                f"packs: {pack!r} is neither a pack nor a file beside this one; {known}",
                (*loc, "packs", index),
            )
    bases = [b if isinstance(b, tuple) else (b, b) for b in form.bases or ()]
    plain = Settings(
        packs=tuple(packs),
        height=form.height,
        band=form.band,
        wall=form.wall,
        bed=form.bed,
        hand=form.hand,
        triangles=form.triangles,
        move=form.move,
        accept=tuple(Accepted(one.id, one.reason) for one in form.accept),
    )
    return plain.with_bases(bases)


def check_packs(packs: Sequence[str]) -> None:
    """UserError for a pack that is neither known nor a file."""
    for pack in packs:
        if pack not in pack_names() and not Path(pack).is_file():
            raise UserError(f"there is no pack {pack!r}; packs: {', '.join(pack_names())}")
