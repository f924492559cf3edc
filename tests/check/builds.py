"""Small builds for tests of the check: boxes in a file, checked for one base and one pack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from quality.shapes import Triangles, box, stl, turned

from sandbox.check.check import check
from sandbox.check.finding import Finding, Severity
from sandbox.check.model import Base, Report
from sandbox.check.settings import Settings

PACK = "necromunda-2023"


def checked(
    folder: Path,
    bodies: Sequence[Triangles],
    *,
    bases: Sequence[float | tuple[float, float]] = (32.0,),
    packs: Sequence[str] = (PACK,),
    declared: bool = True,
    turn: float = 0.0,
    **more: Any,
) -> Report:
    """The report on some bodies turned together."""
    path = folder / "build.stl"
    path.write_bytes(stl(np.concatenate([turned(body, turn, (0.0, 0.0), (50.0, 50.0)) for body in bodies])))
    told = Settings(
        bases=tuple(Base(*(b if isinstance(b, tuple) else (b, b)), declared) for b in bases),
        packs=tuple(packs),
        bed=None,
    )
    return check(path, replace(told, **more))[0]


def grave(report: Report) -> dict[str, Finding]:
    """Findings at warning and above by kind (the first of each)."""
    answer: dict[str, Finding] = {}
    for one in report.findings:
        if one.severity is not Severity.INFO:
            answer.setdefault(one.kind.value, one)
    return answer


def walls(door: float, high: float = 60.0, inner: float = 90.0, wall: float = 5.0) -> list[Triangles]:
    """Four walls on the table with one door in the south."""
    far = inner + 2 * wall
    left = (far - door) / 2
    return [
        box(0, 0, 0, left, wall, high),
        box(left + door, 0, 0, far, wall, high),
        box(0, wall + inner, 0, far, far, high),
        box(0, wall - 0.5, 0, wall, wall + inner + 0.5, high),
        box(wall + inner, wall - 0.5, 0, far, wall + inner + 0.5, high),
    ]
