"""Limits against absurd files, each with the setting that raises it. They are read from the environment when asked."""

from __future__ import annotations

import os
from dataclasses import dataclass

from sandbox.files.limits import PREFIX, setting

_MB = 1_000_000
_GIB = 1 << 30
_USUAL_MEMORY = 6 * _GIB
_OF_MACHINE = 0.75
"""share of the machine's memory that reading a model may take at most."""
_SECONDS = 60.0
_SECONDS_PER_MB = 4.0


@dataclass(frozen=True)
class Limits:
    """How large a model may be, and what reading it may take."""

    file_bytes: int = 2_000 * _MB
    """a model file's size, and what a package (3MF) unpacks to. SANDBOX_MAX_FILE_MB."""
    triangles: int = 5_000_000
    """of one model, and of all that stands on a board. SANDBOX_MAX_TRIANGLES."""
    parts: int = 200_000
    """nodes, groups or separate shells of one model. SANDBOX_MAX_PARTS."""
    memory_bytes: int = _USUAL_MEMORY
    """what reading one model may take. SANDBOX_MAX_MEMORY_MB."""
    seconds: float = 0.0
    """how long reading one model may take; 0: a minute and four seconds for every MB of the file. SANDBOX_MAX_SECONDS."""

    def seconds_for(self, file_bytes: int) -> float:
        """How many seconds a file of that size may take."""
        return self.seconds or _SECONDS + _SECONDS_PER_MB * file_bytes / _MB


def limits() -> Limits:
    """The limits as the environment sets them. UserError where a setting is no positive number."""
    usual = Limits()
    memory = min(_USUAL_MEMORY, int(_OF_MACHINE * _machine_memory()))
    return Limits(
        file_bytes=int(setting("FILE_MB", usual.file_bytes / _MB) * _MB),
        triangles=int(setting("TRIANGLES", usual.triangles)),
        parts=int(setting("PARTS", usual.parts)),
        memory_bytes=int(setting("MEMORY_MB", memory / _MB) * _MB),
        seconds=setting("SECONDS", usual.seconds),
    )


def too_many_triangles(count: int, most: int, *, counted: bool = True) -> str:
    """What is said where there are more triangles than may be read; counted: whether `count` is all of them."""
    if not counted:
        return (
            f"has more than the {most:,} triangles that are read; make it coarser, or raise {PREFIX}TRIANGLES"
        )
    return (
        f"has {count:,} triangles, more than the {most:,} that are read; make it coarser, "
        f"or set {PREFIX}TRIANGLES={count} and expect about {count / 1e6:.0f} GB of memory and a long wait"
    )


def too_many_parts(count: int, most: int, *, counted: bool = True) -> str:
    """What is said where a model is in more pieces than may be read; counted: whether `count` is all of them."""
    if not counted:
        return f"is in more than the {most:,} parts that are read; join what is loose, or raise {PREFIX}PARTS"
    return (
        f"is in {count:,} separate parts, more than the {most:,} that are read; "
        f"join or leave out what is loose, or set {PREFIX}PARTS={count}"
    )


def too_large(held: int, most: int, what: str = "is") -> str:
    """What is said where a file, or what it unpacks to, is larger than may be read (bytes)."""
    return (
        f"{what} {held / _MB:,.0f} MB, more than the {most / _MB:,.0f} MB that are read; make it coarser, "
        f"or set {PREFIX}FILE_MB={held // _MB + 1}"
    )


def _machine_memory() -> float:
    """Bytes of memory of this machine; infinite where it does not tell."""
    try:
        return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, OSError, ValueError):
        return float("inf")
