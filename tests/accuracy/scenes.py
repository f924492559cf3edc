"""Scene files for the accuracy tests: written in millimetres, asked in millimetres through the public API."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from ruamel.yaml import YAML

import sandbox

INCH = 25.4
BELOW_MM = 0.02 * INCH
"""a cost may be this far below the truth ..."""
ABOVE_MM = 0.05 * INCH
"""... and this far, or 1 %, above it."""
NEAR_MM = 0.2
"""verdicts are right to this."""


def above(high: Any) -> Any:
    """The most that a cost may be, mm, where the truth is at most `high`."""
    return high + np.maximum(ABOVE_MM, 0.01 * np.asarray(high))


def outline(sides: Sequence[float], at: Sequence[float], turn: float) -> shapely.Polygon:
    """A box's outline in plan, degrees."""
    dx, dy = sides[0] / 2.0, sides[1] / 2.0
    flat = shapely.affinity.rotate(shapely.box(-dx, -dy, dx, dy), turn, origin=(0.0, 0.0))
    return shapely.affinity.translate(flat, at[0], at[1])


@dataclass
class Sketch:
    """A scene in the making, millimetres."""

    size: tuple[float, float]
    terrain: list[dict[str, Any]] = field(default_factory=list)
    areas: list[dict[str, Any]] = field(default_factory=list)
    fighters: list[dict[str, Any]] = field(default_factory=list)
    zone_mortalis: bool = False

    def box(
        self,
        sides: tuple[float, float, float],
        at: tuple[float, ...],
        turn: float = 0.0,
        kind: str = "structure",
    ) -> shapely.Polygon:
        """A box of dx, dy, dz with its middle at a plan point, degrees; its outline. at: x, y and the bottom's z."""
        self._put("box", sides, at, turn, kind)
        return outline(sides, at, turn)

    def cylinder(
        self, radius: float, height: float, at: tuple[float, ...], kind: str = "structure"
    ) -> tuple[float, float, float]:
        """An upright cylinder; x, y and radius."""
        self._put("cylinder", (radius, height), at, 0.0, kind)
        return (at[0], at[1], radius)

    def _put(
        self, shape: str, sides: tuple[float, ...], at: tuple[float, ...], turn: float, kind: str
    ) -> None:
        self.terrain.append(
            {
                "id": f"{shape}-{len(self.terrain) + 1}",
                shape: [float(s) / INCH for s in sides],
                "at": [float(v) / INCH for v in at],
                "turn": float(turn),
                "kind": kind,
            }
        )

    def area(self, polygon: shapely.Polygon, kind: str = "difficult") -> None:
        """Agreed ground on the table."""
        ring = shapely.get_coordinates(polygon.exterior)[:-1] / INCH
        self.areas.append({"kind": kind, "polygon": ring.tolist(), "z": [-0.1, 0.1]})

    def fighter(
        self, at: tuple[float, ...], base: float | list[float], inches: float, facing: float = 0.0
    ) -> None:
        """The one who moves, with so many inches of movement."""
        self.fighters.append(
            {
                "id": "kal",
                "side": "red",
                "base": base,
                "at": [float(v) / INCH for v in at],
                "facing": facing,
                "profile": {"M": inches, "I": 4},
            }
        )

    def load(self, folder: Path) -> Asked:
        """The battlefield, through a file."""
        scene = {
            "name": "Accuracy",
            "rules": "necromunda-2023",
            "board": {
                "size": [self.size[0] / INCH, self.size[1] / INCH],
                "zone_mortalis": self.zone_mortalis,
            },
            "terrain": self.terrain,
            "areas": self.areas,
            "fighters": self.fighters,
        }
        path = folder / "accuracy.yaml"
        with path.open("w", encoding="utf-8") as file:
            YAML(typ="safe").dump(_plain(scene), file)
        return Asked(sandbox.load(path))


class Asked:
    """Answers in millimetres."""

    def __init__(self, field: Any, action: str = "move") -> None:
        self.field = field
        self.moves = field.moves("kal", action)
        assert not self.moves.rulings, self.moves.rulings

    @property
    def allowance(self) -> float:
        """Most that may be spent, mm."""
        return float(self.moves.allowance) * INCH

    def to(self, *at: float) -> Any:
        """The move to a place."""
        return self.moves.to(*(float(v) / INCH for v in at))

    def spots(self) -> np.ndarray:
        """(n, 5) x, y, z, cost in mm and chance."""
        found = self.moves.spots
        lengths = np.column_stack([found[name] for name in ("x", "y", "z", "cost")]) * INCH
        return np.column_stack([lengths, found["success"]])


def cost_mm(move: Any) -> float:
    """What a move costs, mm; inf where no way was found."""
    return float("inf") if move.cost is None else float(move.cost) * INCH


def _plain(value: object) -> object:
    """Numbers of numpy as plain ones, for YAML."""
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value.item() if isinstance(value, np.generic) else value
