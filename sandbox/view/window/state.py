"""What a session holds: modes, what has to be drawn again, steps that can be taken back, what is being played."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from enum import Flag, StrEnum, auto
from typing import Any

import numpy as np

from sandbox.scene import Scene
from sandbox.view.window import building
from sandbox.view.window.talk import FallPath, Played, Point, ReachAnswer, Stepped


class Mode(StrEnum):
    """What the mouse does."""

    PLAY = "Play"
    BUILD = "Build"
    TAPE = "Measure"


class Changed(Flag):
    """What has to be drawn again."""

    NOTHING = 0
    TERRAIN = auto()
    FIGHTERS = auto()
    REACH = auto()
    WAY = auto()
    OVERLAY = auto()
    LIGHT = auto()
    TAPE = auto()
    ALL = TERRAIN | FIGHTERS | REACH | WAY | OVERLAY | LIGHT | TAPE


@dataclass(frozen=True)
class Step:
    """One change of the scene that can be taken back."""

    before: Scene
    after: Scene
    words: tuple[str, ...]
    dice: bool = False
    """whether dice decided it; they stay as they fell when it is done again."""


@dataclass
class Playing:
    """An outcome that is being shown on the board."""

    played: Played
    falls: dict[str, list[FallPath | None]] = field(default_factory=dict)
    """falls that are ready to be shown, in order, by model; None: of somebody who is not seen."""

    @property
    def who(self) -> frozenset[str]:
        """Everybody who is seen to move."""
        return frozenset(one.who for one in self.played.acts)

    def next_fall(self) -> tuple[str, Point, Point] | None:
        """Who falls from where to where in the next fall that is not ready; None: all are."""
        for acts in self.played.acts:
            ready = len(self.falls.get(acts.who, ()))
            if ready < len(acts.falls):
                return acts.who, *acts.falls[ready]
        return None


@dataclass
class Difference:
    """What a change of rules or base did to a reach."""

    before: int
    gained: int
    lost: int
    what: str


@dataclass
class Notice:
    """Something to tell for a while."""

    text: str
    bad: bool
    since: float = field(default_factory=time.monotonic)


def after(scene: Scene, outcome: Stepped) -> Scene:
    """The scene after an order: everybody that something happened to is where and what the rules say."""
    for who, model in outcome.models.items():
        if building.fighter(scene, who) is None:
            continue
        if model["out"]:
            scene = building.remove(scene, who)
            continue
        x, y, z = model["at"]
        values: dict[str, Any] = {"at": (x, y), "z": round(z, 4), "facing": round(model["facing"], 1)}
        before = building.fighter(scene, who)
        if before is not None and set(before.status.replace("+", ",").split(", ")) != set(model["statuses"]):
            values["status"] = ", ".join(model["statuses"])
        scene = building.change_fighter(scene, who, **values)
    for name, (x, y, z) in outcome.items.items():
        items = tuple(replace(i, at=(x, y), z=round(z, 4)) if i.id == name else i for i in scene.items)
        scene = replace(scene, items=items)
    for name, piece in outcome.pieces.items():
        if piece is None:
            scene = building.remove(scene, name)
        else:
            scene = replace(scene, terrain=tuple(piece if p.id == name else p for p in scene.terrain))
    return scene


def difference(before: ReachAnswer, after: ReachAnswer, what: str) -> Difference:
    """Places that a change gave and took, in squares of a quarter of an inch."""

    def squares(answer: ReachAnswer) -> set[tuple[int, int, int]]:
        cells = np.floor(answer.spots[:, :3] / np.array([0.25, 0.25, 0.5])).astype(int)
        return {(int(a), int(b), int(c)) for a, b, c in cells}

    old, new = squares(before), squares(after)
    return Difference(len(old), len(new - old), len(old - new), what)
