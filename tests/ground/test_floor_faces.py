"""What counts as floor: rough ground as its smoothed tilt says, nothing sealed inside a piece, the lowest floor of walls."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import trimesh

import sandbox

SCENE = """
name: Floors
board: {{size: [16, 16], zone_mortalis: {zm}}}
terrain:
  - {{id: thing, model: thing.stl, at: [8, 8], turn: {turn}, kind: {kind}}}
fighters:
  - {{id: kal, side: red, base: 32, at: [2, 8, 0], profile: {{M: 9}}}}
"""


def field_of(
    folder: Path, mesh: trimesh.Trimesh, *, kind: str = "structure", turn: float = 0.0, zm: bool = False
) -> sandbox.Battlefield:
    mesh.export(folder / "thing.stl")
    path = folder / "scene.yaml"
    path.write_text(SCENE.format(kind=kind, turn=turn, zm=str(zm).lower()))
    return sandbox.load(path)


def box(x: float, y: float, z: float, at: tuple[float, float, float]) -> trimesh.Trimesh:
    """A box of mm sizes; at: its middle in plan and its underside."""
    made = trimesh.creation.box([x, y, z])
    made.apply_translation([at[0], at[1], at[2] + z / 2])
    return made


def room(door: float) -> trimesh.Trimesh:
    """Four walls, a floor plate and a roof, 120 mm square and 60 high; door: width of an opening in one wall, mm."""
    walls = [
        box(120, 5, 60, (0, 57.5, 0)),
        box(120, 5, 60, (0, -57.5, 0)),
        box(5, 120, 60, (57.5, 0, 0)),
        box(120, 120, 4, (0, 0, 60)),
        box(130, 130, 3, (0, 0, -2)),
    ]
    side = (120 - door) / 2
    if door > 0:
        walls += [box(5, side, 60, (-57.5, 60 - side / 2, 0)), box(5, side, 60, (-57.5, -60 + side / 2, 0))]
    else:
        walls.append(box(5, 120, 60, (-57.5, 0, 0)))
    return trimesh.util.concatenate(walls)


def rough(amplitude: float, slope: float, seed: int = 3) -> trimesh.Trimesh:
    """A solid 90 mm square whose top is sculpted: bumps up to `amplitude` mm, on a plane of `slope` degrees."""
    n = 85
    x, y = np.meshgrid(np.linspace(-45, 45, n), np.linspace(-45, 45, n), indexing="ij")
    z = (
        6
        + amplitude * np.random.default_rng(seed).uniform(-1, 1, (n, n))
        + (x + 45) * np.tan(np.radians(slope))
    )
    top = np.stack([x.ravel(), y.ravel(), z.ravel()], axis=1)
    bottom = top * [1, 1, 0]
    at = np.arange(n * n).reshape(n, n)
    a, b, c, d = (q.ravel() for q in (at[:-1, :-1], at[1:, :-1], at[1:, 1:], at[:-1, 1:]))
    up = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    rim = np.concatenate([at[:-1, 0], at[-1, :-1], at[:0:-1, -1], at[0, :0:-1]])
    after = np.roll(rim, -1)
    under = rim + n * n
    sides = np.concatenate([np.stack([rim, under, after], 1), np.stack([under, after + n * n, after], 1)])
    return trimesh.Trimesh(np.concatenate([top, bottom]), np.concatenate([up, up[:, ::-1] + n * n, sides]))


@pytest.mark.parametrize("turn", [0.0, 23.0])
def test_a_sealed_room_has_no_floor(tmp_path: Path, turn: float) -> None:
    field = field_of(tmp_path, room(0.0), turn=turn)
    inside = field.stand(8, 8, 0.12, base=32)
    assert inside.z == pytest.approx(66 / 25.4, abs=0.01)  # the roof is the only floor there
    assert inside.stands


@pytest.mark.parametrize("turn", [0.0, 23.0])
def test_a_room_with_a_door_has_a_floor(tmp_path: Path, turn: float) -> None:
    field = field_of(tmp_path, room(40.0), turn=turn)
    inside = field.stand(8, 8, 0.12, base=32)
    assert inside.stands
    assert inside.z == pytest.approx(3 / 25.4, abs=0.01)
    assert field.moves("kal", "move").to(8, 8, 0.12).legal


@pytest.mark.parametrize("turn", [0.0, 31.0])
def test_sculpted_roughness_is_floor(tmp_path: Path, turn: float) -> None:
    mesh = rough(0.8, 0.0)
    steep = np.degrees(np.arccos(np.clip(mesh.face_normals[:, 2], -1, 1)))
    assert ((steep > 45) & (steep < 75)).mean() > 0.1  # the faces alone would be too steep
    field = field_of(tmp_path, mesh, turn=turn)
    assert field.stand(8.3, 8.2, 0.25, base=32).stands
    move = field.moves("kal", "move").to(8.3, 8.2, 0.25)
    assert move.legal
    assert move.cost == pytest.approx(np.hypot(6.3, 0.2), rel=0.03)


def test_roughness_does_not_make_a_steep_slope_floor(tmp_path: Path) -> None:
    field = field_of(tmp_path, rough(0.4, 50.0))
    middle = field.stand(8, 8, 2.3, base=25)
    assert not middle.stands
    assert not field.moves("kal", "move").to(8, 8, 2.3).legal


def test_the_lowest_floor_of_a_walled_tile_is_walked_on(tmp_path: Path) -> None:
    tile = trimesh.util.concatenate([box(150, 150, 5, (0, 0, 0)), box(150, 12, 60, (0, 40, 0))])
    field = field_of(tmp_path, tile, kind="wall", zm=True)
    assert field.moves("kal", "move").to(8, 7.5, 0.2).legal
    assert field.stand(8, 7.5, 0.2, base=32).stands
    assert not field.stand(8, 8 + 40 / 25.4, 60 / 25.4, base=25).stands


def test_a_mere_wall_is_not_walked_on(tmp_path: Path) -> None:
    field = field_of(tmp_path, box(100, 60, 60, (0, 0, 0)), kind="wall", zm=True)
    assert not field.stand(8, 8, 60 / 25.4, base=32).stands
