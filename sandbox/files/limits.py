"""Settings that raise limits: environment variables, read when they are asked for."""

from __future__ import annotations

import os

from sandbox.errors import UserError

PREFIX = "SANDBOX_MAX_"
TEXT = f"{PREFIX}TEXT_MB"
"""the setting for files that people write: scenes, layouts, packs, lessons."""
GAME = f"{PREFIX}GAME_MB"
"""the setting for games that are kept."""
_MIB = 2**20


def setting(name: str, usual: float) -> float:
    """The number that SANDBOX_MAX_`name` sets, or the usual one. UserError where it is no positive number."""
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


def larger(held: int, most: int, name: str) -> str:
    """What is said where a file of `held` bytes may have `most`; name: the setting."""
    return f"the file is larger than the limit of {most / _MIB:g} MiB; {name}={held // _MIB + 1} lets it in"
