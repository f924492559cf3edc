"""What every entry of a pack file is made of: its text, its source, its value and the readings it could
have instead."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Generic, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from sandbox.files.limits import Most

Inches = Annotated[float, Field(strict=True, ge=0, le=120, allow_inf_nan=False)]
Factor = Annotated[float, Field(strict=True, ge=0, le=20, allow_inf_nan=False)]
Ratio = Annotated[float, Field(strict=True, ge=0, le=1, allow_inf_nan=False)]
Degrees = Annotated[float, Field(strict=True, ge=0, le=90, allow_inf_nan=False)]
Pips = Annotated[int, Field(strict=True, ge=-20, le=20)]
Count = Annotated[int, Field(strict=True, ge=0, le=100)]
Flag = Annotated[bool, Field(strict=True)]
Name = Annotated[str, Field(min_length=1, max_length=80)]
Sentence = Annotated[str, Field(min_length=1), Most(2000)]

V = TypeVar("V")


class Strict(BaseModel):
    """Base of everything in a pack file: nothing unknown is accepted, nothing changes later."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Stated(Strict):
    """Something that a pack states: a text of our own and where it comes from."""

    text: Sentence
    source: Name
    """a document and its section (``001, Climbing``), ``found`` or ``ours``."""


class Alternative(Strict, Generic[V]):
    """Another reading of a constant."""

    value: V
    changes: Sentence
    """what would be different on the table."""


class Constant(Stated, Generic[V]):
    """One number, switch or word of a pack."""

    unit: ClassVar[str] = ""
    value: V
    setting: tuple[Alternative[V], ...] = ()
    """other readings; a constant with any is an open setting, for the group's referee to decide."""


class Length(Constant[Inches]):
    """Inches."""

    unit = "in"


def _inches_or(word: str) -> BeforeValidator:
    """One clear line for what is neither inches nor the word, instead of one for each."""

    def check(value: Any) -> Any:
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if value != word and not (number and 0 <= value <= 120):
            raise ValueError(f"{value!r} should be inches from 0 to 120, or {word}")
        return value

    return BeforeValidator(check)


InchesOrBase = Annotated[Inches | Literal["base"], _inches_or("base")]
InchesOrMovement = Annotated[Inches | Literal["movement"], _inches_or("movement")]
InchesOrStep = Annotated[Inches | Literal["step"], _inches_or("step")]
InchesOrNone = Annotated[Inches | Literal["none"], _inches_or("none")]


class LengthOrBase(Constant[InchesOrBase]):
    """Inches, or the base's own (shorter) diameter."""

    unit = "in"


class LengthOrMovement(Constant[InchesOrMovement]):
    """Inches, or whatever movement is left."""

    unit = "in"


class LengthOrStep(Constant[InchesOrStep]):
    """Inches, or anything that is more than a free step."""

    unit = "in"


class LengthOrNone(Constant[InchesOrNone]):
    """Inches, or not at all."""

    unit = "in"


class Angle(Constant[Degrees]):
    """Degrees from level."""

    unit = "degrees"


class Price(Constant[Factor]):
    """Inches of movement for an inch moved."""

    unit = "in for each inch"


class Share(Constant[Ratio]):
    """A part of one."""


class Switch(Constant[Flag]):
    """Yes or no."""


class Modifier(Constant[Pips]):
    """Added to a die."""

    unit = "on the die"


class Number(Constant[Count]):
    """A count."""


class CheckOrNone(Constant[Name]):
    """The id of a check of the pack, or ``none``."""


class StatusName(Constant[Name]):
    """The id of a status of the pack."""


class StatusOrNone(Constant[Name]):
    """The id of a status of the pack, or ``none``."""
