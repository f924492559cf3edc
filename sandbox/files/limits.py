"""Settings that raise limits: environment variables, read when they are asked for."""

from __future__ import annotations

import os
from dataclasses import dataclass
from math import ceil
from typing import Any

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from sandbox.errors import UserError

PREFIX = "SANDBOX_MAX_"
TEXT = f"{PREFIX}TEXT_MB"
"""the setting for files that people write: scenes, layouts, packs, lessons."""
GAME = f"{PREFIX}GAME_MB"
"""the setting for games that are kept."""
LISTS = f"{PREFIX}LISTS"
"""the setting for lists, mappings and texts inside such files: how many times as long as usual they may be."""
_MIB = 2**20


@dataclass(frozen=True)
class Most:
    """How long a list, a mapping or a text inside a file may be: stands in the annotation of a pydantic field.

    It is asked before what is inside is looked at; SANDBOX_MAX_LISTS makes it so many times as long.
    """

    usual: int

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """The schema of what it stands for, with this before it."""
        return core_schema.no_info_before_validator_function(self.checked, handler(source))

    def checked(self, value: Any) -> Any:
        """The value; an error that pydantic tells where it is too long."""
        if isinstance(value, list | dict | str) and len(value) > self.usual * setting("LISTS", 1.0):
            what = "characters" if isinstance(value, str) else "values"
            told = f"{len(value):,} {what}, usually at most {self.usual:,} are read; "
            told += f"{LISTS}={ceil(len(value) / self.usual)} lets them in"
            raise PydanticCustomError("too_much", "{told}", {"told": told})
        return value


def setting(name: str, usual: float) -> float:
    """The number that SANDBOX_MAX_`name` sets, or the usual one, in the unit of its name. UserError where it is no positive number."""
    text = os.environ.get(PREFIX + name, "").strip()
    if not text:
        return usual
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.0 < value < 1e15:
        raise UserError(f"the setting {PREFIX}{name} is {text!r}; it should be a number above 0")
    return value


def text_bytes() -> int:
    """How large a file may be that people write."""
    return int(setting("TEXT_MB", 1.0) * _MIB)


def game_bytes() -> int:
    """How large a game may be that is kept."""
    return int(setting("GAME_MB", 256.0) * _MIB)


def depth() -> int:
    """How deep a file may be nested that people write; beyond 150 the reader itself gives up."""
    return min(int(setting("DEPTH", 40.0)), 150)


def too_deep() -> str:
    """What is said where a file is nested deeper than that."""
    return f"the file is nested more than {depth()} deep; {PREFIX}DEPTH={min(2 * depth(), 150)} lets more in"


def larger(held: int, most: int, name: str) -> str:
    """What is said where a file of `held` bytes may have `most`; name: the setting."""
    return f"the file is larger than the limit of {most / _MIB:g} MiB; {name}={held // _MIB + 1} lets it in"
