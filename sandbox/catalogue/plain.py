"""Frozen dataclasses as plain JSON values and back, by their own annotations: nothing is run that was read."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")


def to_plain(value: Any) -> Any:
    """Dataclasses as objects, tuples as lists, enums as their values."""
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: to_plain(getattr(value, f.name)) for f in fields(value) if f.init}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(key): to_plain(held) for key, held in value.items()}
    if isinstance(value, list | tuple):
        return [to_plain(held) for held in value]
    return value


def from_plain(kind: type[T], value: Any, known: Mapping[str, Any] | None = None) -> T:
    """The value of a dataclass again. known: for a field's name what it is, where its annotation is too wide.

    ValueError, TypeError or KeyError where it does not fit.
    """
    found: T = _value(kind, value, known or {})
    return found


@cache
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _value(kind: Any, value: Any, known: Mapping[str, Any]) -> Any:
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        if value is None and type(None) in args:
            return None
        return _value(next(arg for arg in args if arg is not type(None)), value, known)
    if origin is tuple:
        if len(args) == 2 and args[1] is Ellipsis:
            return tuple(_value(args[0], held, known) for held in value)
        return tuple(_value(arg, held, known) for arg, held in zip(args, value, strict=True))
    if origin is not None:
        return value
    if isinstance(kind, type) and is_dataclass(kind):
        hints = _hints(kind)
        return kind(
            **{
                f.name: _value(known.get(f.name, hints[f.name]), value[f.name], known)
                for f in fields(kind)
                if f.init
            }
        )
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(value)
    if kind is float:
        return float(value)
    return value
