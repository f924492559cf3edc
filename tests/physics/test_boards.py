"""The boards that ship: every fighter stands on floor, free of everything, and nothing is missing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sandbox.physics.model import Cylinder
from sandbox.physics.world import open_world
from sandbox.scene import load_scene
from sandbox.terrain.build import build_terrain

SCENES = Path(__file__).resolve().parents[2] / "scenes"
NAMES = sorted(path.stem for path in SCENES.glob("*.yaml"))


def test_the_boards_are_there() -> None:
    assert {"gantry", "ruin", "corridors", "monastery"} <= set(NAMES)


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.pybullet) if n == "monastery" else n for n in NAMES]
)
def test_fighters_stand_where_the_board_puts_them(name: str) -> None:
    scene = load_scene(SCENES / f"{name}.yaml")
    terrain = build_terrain(scene)
    ours = {piece.id for piece in scene.terrain if not piece.model_name.startswith("package:")}
    assert [note.text for note in terrain.notes if note.warning and note.piece in ours] == []
    world = open_world(terrain)
    faults = []
    for fighter in scene.fighters:
        assert fighter.z is not None
        long, short = fighter.base[0] / 50.8, fighter.base[1] / 50.8
        body = Cylinder(long, short, 1.4, fighter.facing)
        # the floor under the middle and under the rim
        angle = np.linspace(0, 2 * np.pi, 24, endpoint=False)
        ring = np.column_stack([np.cos(angle), np.sin(angle)]) * (short * 0.99)
        plan = np.vstack([[0.0, 0.0], ring, ring / 2]) + fighter.at
        starts = np.column_stack([plan, np.full(len(plan), fighter.z + 0.3)])
        down = world.rays(starts, starts - [0, 0, 0.5])
        if not down.hit.all() or np.ptp(down.point[:, 2]) > 0.15:
            faults.append(f"{fighter.id}: floor is missing or uneven")
            continue
        if abs(down.point[0, 2] - fighter.z) > 0.05:
            faults.append(f"{fighter.id}: its floor is at {down.point[0, 2]:.3f}")
        top = float(down.point[:, 2].max())
        contact = world.contact(body, (*fighter.at, top + 0.25 / 25.4))
        if contact.depth > 0:
            part = terrain.parts[contact.part]
            faults.append(f"{fighter.id}: {contact.depth:.3f} in deep in {part.piece} {part.name}")
    world.close()
    assert faults == []
