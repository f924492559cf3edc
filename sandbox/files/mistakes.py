"""A pydantic validation error told as one mistake: where, what is wrong, what is allowed or was meant."""

from __future__ import annotations

import difflib
import typing
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

Loc = tuple[str | int, ...]

LISTED = 24
"""allowed words listed in one message; longer lists are cut."""


@dataclass(frozen=True)
class Mistake:
    """The one mistake that is told."""

    text: str
    loc: Loc
    """keys and indices from the top of the file."""


def pick_mistake(error: ValidationError, model: type[BaseModel], line_of: Callable[[Loc], int]) -> Mistake:
    """The first mistake in the file; a misspelt key goes before the key that is missing because of it."""
    details = error.errors(include_url=False)
    misspelt = {tuple(d["loc"][:-1]) for d in details if d["type"] == "extra_forbidden"}

    def rank(d: ErrorDetails) -> tuple[bool, int]:
        loc = tuple(d["loc"])
        return d["type"] == "missing" and loc[:-1] in misspelt, line_of(loc)

    chosen = min(details, key=rank)
    return Mistake(_tell(chosen, model), tuple(chosen["loc"]))


def suggestion(word: object, allowed: Iterable[str]) -> str:
    """What is allowed instead of `word`, the nearest first: ``did you mean 'x'? Allowed: x, y, z``."""
    words = list(allowed)
    near = difflib.get_close_matches(str(word), words, n=1, cutoff=0.6)
    listed = ", ".join(words[:LISTED]) + (", ..." if len(words) > LISTED else "")
    hint = f"did you mean '{near[0]}'? " if near else ""
    return (
        f"{hint}{'Allowed' if hint else 'allowed'}: {listed}" if words else f"{hint}nothing is allowed here"
    )


def _tell(detail: ErrorDetails, model: type[BaseModel]) -> str:
    loc = tuple(detail["loc"])
    kind = detail["type"]
    context = detail.get("ctx", {})
    where = path_text(loc)
    given = _short(detail.get("input"))
    if kind == "extra_forbidden":
        return f"unknown key '{loc[-1]}'{_inside(loc)}; {suggestion(loc[-1], _keys_at(model, loc[:-1]))}"
    if kind == "missing":
        return f"missing key '{loc[-1]}'{_inside(loc)}"
    if kind in ("enum", "literal_error"):
        allowed = _words_at(model, loc) or _split_expected(str(context.get("expected", "")))
        return f"{where}: {given} is not known; {suggestion(detail.get('input'), allowed)}"
    if kind == "too_much":
        return f"{where}: {context['told']}"
    if kind in ("value_error", "assertion_error"):
        return (
            f"{where}: {context.get('error', detail['msg'])}"
            if loc
            else str(context.get("error", detail["msg"]))
        )
    if kind in ("finite_number", "float_type", "int_type") or kind.endswith("_parsing"):
        return f"{where}: {given} is not a number that fits; {_lower(detail['msg'])}"
    if kind == "string_type":
        return f"{where}: {given} should be text; put it in quotes if it is a name"
    if kind in ("model_type", "dict_type", "model_attributes_type"):
        return f"{where}: {given} should be `key: value` lines"
    if kind in ("list_type", "tuple_type"):
        return f"{where}: {given} should be a list"
    if kind in ("too_short", "too_long"):
        bound = (
            f"at least {context['min_length']}" if kind == "too_short" else f"at most {context['max_length']}"
        )
        return f"{where}: {bound} values are wanted, here are {context['actual_length']}"
    if kind == "bool_type":
        return f"{where}: {given} should be true or false"
    return f"{where}: {_lower(detail['msg'])}, not {given}" if loc else _lower(detail["msg"])


def path_text(loc: Sequence[str | int]) -> str:
    """A place in the file as people write it: ``terrain[2].kind``, counted from 0 as in the file's order."""
    text = ""
    for step in loc:
        if isinstance(step, int):
            text += f"[{step}]"
        elif step != "[key]":
            text += f".{step}" if text else str(step)
    return text or "the file"


def _inside(loc: Loc) -> str:
    return f" in {path_text(loc[:-1])}" if len(loc) > 1 else ""


def _short(value: object) -> str:
    words: dict[object, str] = {None: "null", True: "true", False: "false"}
    text = words[value] if value is None or isinstance(value, bool) else repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _lower(message: str) -> str:
    message = message.replace("Input should", "should").replace("Value error, ", "")
    return message[:1].lower() + message[1:]


def _split_expected(expected: str) -> list[str]:
    return [part.strip(" '") for part in expected.replace(" or ", ", ").split(",") if part.strip(" '")]


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    """The models that an annotation may hold, through optionals, unions, lists, tuples and dicts."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for arg in typing.get_args(annotation) for model in _models_in(arg)]


def _field_at(models: list[type[BaseModel]], key: str | int) -> list[Any]:
    found = []
    for model in models:
        for name, info in model.model_fields.items():
            if key in (info.alias or name, info.validation_alias):
                found.append(info.annotation)
    return found


def _walk(model: type[BaseModel], loc: Loc) -> tuple[list[type[BaseModel]], list[Any]]:
    """Models and annotations that stand at `loc`."""
    models: list[type[BaseModel]] = [model]
    annotations: list[Any] = [model]
    for step in loc:
        if isinstance(step, int):
            continue
        here = _field_at(models, step)
        if here:
            annotations = here
            models = [m for annotation in here for m in _models_in(annotation)]
    return models, annotations


def _keys_at(model: type[BaseModel], loc: Loc) -> list[str]:
    models, _ = _walk(model, loc)
    keys = [info.alias or name for m in models for name, info in m.model_fields.items()]
    return list(dict.fromkeys(keys))


def _words_at(model: type[BaseModel], loc: Loc) -> list[str]:
    _, annotations = _walk(model, loc)
    return list(dict.fromkeys(word for annotation in annotations for word in _words_in(annotation)))


def _words_in(annotation: Any) -> list[str]:
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return [str(member.value) for member in annotation]
    words = []
    for arg in typing.get_args(annotation):
        words += [arg] if isinstance(arg, str) else _words_in(arg)
    return words
