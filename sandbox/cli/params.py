"""What commands take: places, bases, picture files. Each says in one line what it wants."""

from __future__ import annotations

import math
import os
import re
from pathlib import Path
from typing import Any

import click

from sandbox.errors import UserError

LIMIT = 1000.0
"""inches; no place on a table lies farther out."""
BASE_LIMITS = (5.0, 500.0)
"""mm."""

CAMERAS = ("whole", "reach", "way", "top")
"""presets of `sandbox.view.camera`; ``level:Z`` is one more."""

Place = tuple[float, float, float | None]


class _PlaceType(click.ParamType[Place]):
    name = "X,Y[,Z]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Place:
        """A place in inches; z is None where it is left out."""
        if isinstance(value, tuple):
            return value
        parts = str(value).split(",")
        numbers = [_number(part) for part in parts]
        if len(parts) not in (2, 3) or any(n is None or abs(n) > LIMIT for n in numbers):
            self.fail(f"{value!r} should be X,Y or X,Y,Z in inches, like 12,10,3", param, ctx)
        x, y = numbers[:2]
        assert x is not None and y is not None
        return x, y, numbers[2] if len(numbers) == 3 else None


class _BaseType(click.ParamType[tuple[float, float]]):
    name = "MM"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[float, float]:
        """A base's longer and shorter axis in mm; equal for a round base."""
        if isinstance(value, tuple):
            return value
        numbers = [_number(part) for part in re.split("[xX]", str(value))]
        low, high = BASE_LIMITS
        if len(numbers) not in (1, 2) or any(n is None or not low <= n <= high for n in numbers):
            wanted = f"a diameter in mm ({low:g} to {high:g}) like 32, or 60x35 for an oval"
            self.fail(f"{value!r} should be {wanted}", param, ctx)
        first, last = numbers[0], numbers[-1]
        assert first is not None and last is not None
        return max(first, last), min(first, last)


class _FiniteType(click.ParamType[float]):
    def __init__(self, name: str, wanted: str, low: float, high: float) -> None:
        self.name, self.wanted, self.low, self.high = name, wanted, low, high

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """A number between two limits, both included."""
        number = _number(str(value))
        if number is None or not self.low <= number <= self.high:
            self.fail(f"{value!r} should be {self.wanted}", param, ctx)
        return number


class _SizeType(click.ParamType[tuple[int, int]]):
    name = "WIDTHxHEIGHT"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        """A picture's size in pixels."""
        if isinstance(value, tuple):
            return value
        found = re.fullmatch(r"(\d{2,5})x(\d{2,5})", str(value))
        if found is None or not all(64 <= int(n) <= 8192 for n in found.groups()):
            self.fail(f"{value!r} should be a size in pixels (64 to 8192) like 1600x1000", param, ctx)
        return int(found[1]), int(found[2])


class _CameraType(click.ParamType[str]):
    name = "NAME"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name of a camera, checked before anything is read or drawn."""
        word = str(value)
        if word not in CAMERAS and not re.fullmatch(r"level:\s*-?\d+(\.\d+)?", word):
            self.fail(f"{word!r} should be one of {', '.join(CAMERAS)}, level:Z (like level:3)", param, ctx)
        return word


PLACE = _PlaceType()
BASE = _BaseType()
SIZE = _SizeType()
CAMERA = _CameraType()
FACING = _FiniteType("DEGREES", "degrees from east (-3600 to 3600)", -3600.0, 3600.0)
HEIGHT = _FiniteType("INCHES", "inches (0.05 to 50) like 1.4", 0.05, 50.0)


def picture_path(path: Path | None) -> Path | None:
    """The path of a picture to write, refused before any work is done where it cannot be one."""
    if path is None:
        return None
    if path.suffix.lower() != ".png":
        ending = repr(path.suffix) if path.suffix else "a name without ending"
        raise UserError(f"a picture is a .png file, not {ending}", file=path)
    if path.parent.exists() and not path.parent.is_dir():
        raise UserError("the picture cannot be put there: not a folder", file=path.parent)
    if path.is_dir():
        raise UserError("this is a folder; a file name for the picture is wanted", file=path)
    folder = path.parent if path.parent.exists() else path.parent.parent
    if not folder.is_dir():
        raise UserError("the picture cannot be put there: there is no such folder", file=path.parent)
    if not os.access(folder, os.W_OK):
        raise UserError("the picture cannot be put there: the folder may not be written to", file=folder)
    return path


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
