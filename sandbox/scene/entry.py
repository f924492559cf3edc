"""What the forms of all scene files share: frozen entries, and the checks of numbers, lists and words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, model_validator


def is_number(value: object) -> bool:
    """Whether a value is a number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def list_of(form: str, *lengths: int) -> Callable[[Any], Any]:
    """A check that a value is a list of numbers of one of the lengths; its message names the form."""

    def check(value: Any) -> Any:
        if not isinstance(value, list) or len(value) not in lengths or not all(is_number(v) for v in value):
            raise ValueError(f"should be {form}, not {value!r}"[:160])
        return value

    return check


def printable(text: str) -> str:
    """The text, where it is one line without control characters."""
    if not text.isprintable():
        raise ValueError("should be one line of plain text")
    return text


def number(*, ge: float | None = None, gt: float | None = None, le: float) -> Any:
    """A finite number within limits."""
    return Field(strict=True, allow_inf_nan=False, ge=ge, gt=gt, le=le)


Word = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100), AfterValidator(printable)
]
PathText = Annotated[str, StringConstraints(min_length=1, max_length=1000), AfterValidator(printable)]


class Entry(BaseModel):
    """What every part of the file shares: unknown keys are refused, values are frozen."""

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)

    @model_validator(mode="before")
    @classmethod
    def _empty_is_default(cls, value: Any) -> Any:
        """A known key with nothing behind it (its lines commented out, say) counts as left out."""
        if not isinstance(value, dict):
            return value
        known = {info.alias or name for name, info in cls.model_fields.items()}
        return {key: v for key, v in value.items() if v is not None or key not in known}
