"""Tiny boards as scene files, their contents turned about the board's middle.

A case is written once, in plain coordinates; the same case at another angle must get the same answers.
Nothing here knows how the engine works: a board is YAML text, a question goes through the public API.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import sandbox

ANGLES = (0.0, 17.0, 61.3)
MM = 1 / 25.4
"""one millimetre in inches."""


def one_angle_a_day(items: Iterable[pytest.Item], folder: Path, parameter: str) -> None:
    """Leave all angles but one to the full run, of the tests in a folder that have them as a parameter.

    Every day a case is tried at one angle, not the same for all.
    """
    for item in items:
        call = getattr(item, "callspec", None)
        if item.path.parent != folder or call is None or parameter not in call.params:
            continue
        angle = call.params[parameter]
        case = item.nodeid.replace(f"{angle:g}deg", "")
        if ANGLES.index(angle) != zlib.crc32(case.encode()) % len(ANGLES):
            item.add_marker("full")


@dataclass
class Board:
    """A scene in the making; positions are given unturned, with (0, 0) as the board's middle."""

    folder: Path
    angle: float = 0.0
    rules: str = "necromunda-2023"
    zone_mortalis: bool = False
    size: float = 18.0
    """the board is square; its middle is (0, 0)."""
    terrain: list[dict[str, Any]] = field(default_factory=list)
    areas: list[dict[str, Any]] = field(default_factory=list)
    ductways: list[dict[str, Any]] = field(default_factory=list)
    fighters: list[dict[str, Any]] = field(default_factory=list)
    _kept: tuple[str, Any] = field(default=("", None), init=False, repr=False)

    def turned(self, x: float, y: float) -> tuple[float, float]:
        """Where (x, y) lies on the turned board."""
        a = math.radians(self.angle)
        return (
            self.size / 2 + x * math.cos(a) - y * math.sin(a),
            self.size / 2 + x * math.sin(a) + y * math.cos(a),
        )

    def box(
        self,
        size: tuple[float, float, float],
        at: tuple[float, ...],
        *,
        kind: str | None = None,
        turn: float = 0.0,
    ) -> Board:
        """A box of dx, dy, dz inches; `at` is its middle in plan and, where given, its bottom's height."""
        return self._shape("box", list(size), at, kind, turn)

    def stairs(
        self,
        run: float,
        width: float,
        rise: float,
        steps: int,
        at: tuple[float, ...],
        *,
        kind: str = "stairs",
    ) -> Board:
        """Stairs rising towards +x."""
        return self._shape("stairs", [run, width, rise, steps], at, kind, 0.0)

    def _shape(
        self, key: str, value: list[Any], at: tuple[float, ...], kind: str | None, turn: float
    ) -> Board:
        entry: dict[str, Any] = {
            "id": f"{key}-{len(self.terrain) + 1}",
            key: value,
            "at": [*self.turned(at[0], at[1]), *at[2:]],
            "turn": turn + self.angle,
        }
        if kind is not None:
            entry["kind"] = kind
        self.terrain.append(entry)
        return self

    def ramp(
        self, run: float, width: float, rise: float, at: tuple[float, ...], *, kind: str | None = None
    ) -> Board:
        """A ramp rising towards +x."""
        return self._shape("ramp", [run, width, rise], at, kind, 0.0)

    def ductway(self, name: str, start: tuple[float, ...], end: tuple[float, ...]) -> Board:
        """A ductway between two mouths."""
        mouths = [[*self.turned(p[0], p[1]), *(p[2:] or (0.0,))] for p in (start, end)]
        self.ductways.append({"id": name, "from": mouths[0], "to": mouths[1]})
        return self

    def area(
        self, kind: str, corners: list[tuple[float, float]], z: tuple[float, float] = (0.0, 1.0)
    ) -> Board:
        """Agreed ground inside a polygon."""
        self.areas.append({"kind": kind, "polygon": [list(self.turned(*c)) for c in corners], "z": list(z)})
        return self

    def fighter(
        self,
        name: str,
        at: tuple[float, ...],
        *,
        base: float | list[float] = 32,
        M: float | None = None,
        I: int = 4,  # noqa: E741
        A: int = 9,
        side: str = "red",
        **more: Any,
    ) -> Board:
        """A fighter; `at` may have a height. It moves 5", in Blightmeer 6"."""
        move = M if M is not None else 6 if self.rules == "blightmeer" else 5
        self.fighters.append(
            {
                "id": name,
                "side": side,
                "base": base,
                "at": [*self.turned(at[0], at[1]), *at[2:]],
                "facing": self.angle,
                "profile": {"M": move, "A": A} if self.rules == "blightmeer" else {"M": move, "I": I},
                **more,
            }
        )
        return self

    def scene(self) -> dict[str, Any]:
        """What the scene file says."""
        return {
            "name": "Case",
            "rules": self.rules,
            "board": {"size": [self.size, self.size], "zone_mortalis": self.zone_mortalis},
            "terrain": self.terrain,
            "areas": self.areas,
            "ductways": self.ductways,
            "fighters": self.fighters,
        }

    def write(self, **board: Any) -> Path:
        """The scene file; board: more keys of its board. All JSON is YAML, and quicker to write."""
        scene = self.scene()
        scene["board"] |= board
        path = self.folder / "case.yaml"
        path.write_text(json.dumps(scene, indent=1), encoding="utf-8")
        return path

    def load(self, rules: str | None = None, settings: Any = None, **board: Any) -> Any:
        """The battlefield, under another pack where one is named; the same one again while nothing has changed."""
        key = json.dumps([self.scene(), rules, settings, board])
        if self._kept[0] != key:
            self._kept = (key, sandbox.load(self.write(**board), rules=rules, settings=settings))
        return self._kept[1]

    def ask(self, name: str, action: str, x: float, y: float, z: float | None = None, **more: Any) -> Any:
        """The way to a place, in unturned coordinates."""
        return self.load().moves(name, action, **more).to(*self.turned(x, y), z)


def kinds(move: Any) -> set[str]:
    """The kinds of a move's legs."""
    return {leg.kind for leg in move.legs}


def costs(cost: float | None, exact: float) -> bool:
    """Whether a cost is what it should be: never too low, above by at most 0.05" or 1 %."""
    return cost is not None and exact - 0.02 <= cost <= exact + max(0.05, 0.01 * exact)
