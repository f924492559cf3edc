"""Boards as meshes: what comes back is what went out, and findings are marked where they are."""

from __future__ import annotations

import json
import zipfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import trimesh
from lxml import etree

from sandbox.check.check import check
from sandbox.check.finding import Severity
from sandbox.check.model import Base
from sandbox.check.settings import Settings
from sandbox.cli import main
from sandbox.errors import UserError
from sandbox.export.meshes import (
    MARKS,
    Body,
    bodies_of,
    markers,
    own_bodies,
    parts_of,
    stl,
    threemf,
    without_thresholds,
    write_mesh,
    write_parts,
)
from sandbox.files import shipped
from sandbox.scene import Scene, load_scene
from sandbox.scene.layouts import State
from sandbox.scene.model import Piece, Shape
from sandbox.terrain.build import build_terrain
from sandbox.terrain.load import load_model
from sandbox.terrain.model import BOARD_PIECE, CEILING_PIECE

VAULT = shipped("scenes/vault.yaml")
GANTRY = shipped("scenes/gantry.yaml")


@pytest.fixture(scope="module", params=[VAULT, GANTRY], ids=["vault", "gantry"])
def scene(request: pytest.FixtureRequest) -> Scene:
    return load_scene(request.param)


@pytest.fixture(scope="module")
def bodies(scene: Scene) -> list[Body]:
    return bodies_of(scene)


@pytest.fixture(scope="module")
def wanted(scene: Scene) -> np.ndarray:
    return corners_of(scene)


@pytest.fixture(scope="module")
def package(bodies: list[Body]) -> bytes:
    return threemf(bodies)


def corners_of(scene: Scene) -> np.ndarray:
    """(n, 3, 3) triangles of everything but the table, as the rest of the product sees them, mm."""
    terrain = build_terrain(scene)
    slab = np.array([part.piece in (BOARD_PIECE, CEILING_PIECE) for part in terrain.parts])
    return terrain.vertices[terrain.faces[~slab[terrain.face_part]]]


def volume(corners: np.ndarray) -> float:
    return float(np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6)


def test_a_board_comes_back_from_stl_and_3mf(bodies: list[Body], wanted: np.ndarray, tmp_path: Path) -> None:
    for name in ("board.stl", "board.3mf"):
        write_mesh(bodies, tmp_path / name)
        model = load_model(tmp_path / name)
        got = np.concatenate([node.vertices[node.faces] for node in model.nodes])
        assert len(got) == len(wanted)
        assert got.reshape(-1, 3).min(axis=0) == pytest.approx(wanted.reshape(-1, 3).min(axis=0), abs=0.001)
        assert got.reshape(-1, 3).max(axis=0) == pytest.approx(wanted.reshape(-1, 3).max(axis=0), abs=0.001)
        assert volume(got) == pytest.approx(volume(wanted), rel=1e-4)
        assert sorted(np.linalg.norm(got.mean(axis=1), axis=1)) == pytest.approx(
            sorted(np.linalg.norm(wanted.mean(axis=1), axis=1)), abs=0.01
        )


def test_others_read_it_too(bodies: list[Body], wanted: np.ndarray, package: bytes, tmp_path: Path) -> None:
    (tmp_path / "b.3mf").write_bytes(package)
    (tmp_path / "b.stl").write_bytes(stl(bodies))
    loaded = trimesh.load(tmp_path / "b.3mf")
    assert len(loaded.geometry) == len(bodies)
    assert np.concatenate([m.triangles for m in loaded.dump()]).shape == wanted.shape
    one = trimesh.load(tmp_path / "b.stl")
    assert one.extents == pytest.approx(np.ptp(wanted.reshape(-1, 3), axis=0), abs=0.001)


def test_a_3mf_has_names_and_colours(scene: Scene, package: bytes, tmp_path: Path) -> None:
    path = tmp_path / "b.3mf"
    path.write_bytes(package)
    with zipfile.ZipFile(path) as archive:
        root = etree.fromstring(archive.read("3D/3dmodel.model"))
    space = {"m": root.nsmap[None]}
    assert root.get("unit") == "millimeter"
    assert [one.get("name") for one in root.findall(".//m:object", space)] == [p.id for p in scene.terrain]
    colours = root.findall(".//m:base", space)
    assert len(colours) > 1
    assert all(int(one.get("pindex")) < len(colours) for one in root.findall(".//m:object", space))
    assert path.read_bytes() == threemf(bodies_of(scene))


def test_names_may_be_anything(tmp_path: Path) -> None:
    scene = load_scene(GANTRY)
    odd = replace(bodies_of(scene)[0], name='<&"\x01\ud800 é>')
    (tmp_path / "b.3mf").write_bytes(threemf([odd]))
    assert load_model(tmp_path / "b.3mf").nodes[0].path[-1].startswith('<&"')


def test_parts_are_written_once_with_their_number(tmp_path: Path) -> None:
    scene = load_scene(VAULT)
    parts = parts_of(scene)
    assert scene.layout is not None
    doors = [door for door in scene.layout.built.doors if not door.is_hatch]
    # two jambs, a lintel and a leaf are a frame and a leaf, open or not, whichever way they stand
    assert sum(count for _, count in parts) == len(scene.terrain) - 2 * len(doors)
    leaves = [(body, count) for body, count in parts if body.name.startswith("door-leaf")]
    assert [count for _, count in leaves] == [len(doors)]
    assert np.ptp(leaves[0][0].vertices, axis=0) == pytest.approx([36.167, 3.0, 50.0], abs=0.001)
    frames = [body for body, _ in parts if body.name.startswith("door-frame")]
    assert len(frames) == 2
    for body in frames:
        mesh = trimesh.Trimesh(body.vertices, body.faces)
        assert mesh.is_watertight
        x, y, z = np.ptp(body.vertices, axis=0)
        assert mesh.volume == pytest.approx((x * z - 36.167 * (50.0 + body_low(body))) * y, rel=1e-3)
    written = write_parts(scene, tmp_path / "parts", ".stl")
    assert sorted(path.name for path, _ in written) == sorted(p.name for p in (tmp_path / "parts").iterdir())
    counts = Counter[str]()
    for path, count in written:
        assert path.stem.endswith(f"_x{count}")
        counts[path.name.split("-")[0]] += count
    assert counts["stairs"] == 2
    assert counts["ladder"] == 2
    for (body, _), (path, _) in zip(parts, written, strict=True):
        got = load_model(path).nodes[0].vertices
        assert np.ptp(got, axis=0) == pytest.approx(np.ptp(body.vertices, axis=0), abs=0.001)
        assert got[:, 2].min() == pytest.approx(0.0, abs=1e-4)


def body_low(body: Body) -> float:
    """How far a frame reaches below the floor that its leaf stands on."""
    return 2.0 if np.ptp(body.vertices[:, 2]) < 62.5 else 0.0


def test_open_doors_leave_no_plates_in_the_mesh() -> None:
    scene = load_scene(VAULT)
    assert scene.layout is not None
    open_ = {door.name for door in scene.layout.built.doors if door.state is State.OPEN}
    assert open_
    left = {piece.id for piece in without_thresholds(scene).terrain}
    assert left == {piece.id for piece in scene.terrain} - open_


def test_what_differs_is_another_part() -> None:
    one = Piece("a level wall A1", Shape.BOX, sizes=(2.0, 1.0, 1.0), at=(0.0, 0.0, 0.0))
    pieces = (
        one,
        replace(one, sizes=(1.0, 2.0, 1.0)),
        replace(one, sizes=(2.0, 1.0, 1.5)),
        replace(one, turn=90.0),
    )
    assert [count for _, count in parts_of(replace(load_scene(GANTRY), terrain=pieces))] == [3, 1]


# -- findings ------------------------------------------------------------------------------------------------------


def hut(path: Path) -> Path:
    """Walls 5 mm thick around a room of 90 mm, with a door of 27 mm in the south; far from the model's origin."""
    box = trimesh.creation.box
    walls = []
    for x0, y0, x1, y1 in (
        (0, 0, 36.5, 5),
        (63.5, 0, 100, 5),
        (0, 95, 100, 100),
        (0, 4.5, 5, 95.5),
        (95, 4.5, 100, 95.5),
    ):
        wall = box([x1 - x0, y1 - y0, 60])
        wall.apply_translation([(x0 + x1) / 2 + 300, (y0 + y1) / 2 - 70, 30 + 11])
        walls.append(wall)
    trimesh.util.concatenate(walls).export(path)
    return path


def test_findings_are_marked_in_the_models_own_coordinates(tmp_path: Path) -> None:
    path = hut(tmp_path / "hut.stl")
    told = Settings(bases=(Base(32.0, 32.0, True),), packs=("necromunda-2023",), bed=None)
    findings = check(path, told)[0].findings
    door = next(f for f in findings if f.kind.value == "door")
    assert door.severity is Severity.ERROR
    bodies = [*own_bodies(path, told), *markers(findings)]
    out = tmp_path / "marked.3mf"
    write_mesh(bodies, out)
    nodes = {node.path[-1]: node for node in load_model(out).nodes}
    own = load_model(path).nodes[0].vertices
    assert nodes["hut 1"].vertices.min(axis=0) == pytest.approx(own.min(axis=0), abs=0.001)
    marked = nodes[f"error {door.number}: {door.id}"].vertices
    lowest = marked[np.argmin(marked[:, 2])]
    assert lowest == pytest.approx(door.at, abs=0.001)
    # in the opening of the door, which the test placed there
    assert 336.5 <= lowest[0] <= 363.5
    assert -71 <= lowest[1] <= -64
    corners = marked[nodes[f"error {door.number}: {door.id}"].faces]
    assert volume(corners - door.at) > 0.0
    grave = [f for f in findings if f.severity is not Severity.INFO]
    assert len(nodes) == 1 + len(grave)
    colours = {body.name: body.colour for body in bodies}
    assert colours[f"error {door.number}: {door.id}"] == MARKS[Severity.ERROR]


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "mesh", str(GANTRY), str(tmp_path / "new" / "g.stl"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["files"] == [str(tmp_path / "new" / "g.stl")]
    assert main(["export", "mesh", str(VAULT), str(tmp_path / "parts"), "--parts", "3mf"]) == 0
    assert len(list((tmp_path / "parts").glob("*.3mf"))) > 10
    for wrong in (["x.obj"], [str(tmp_path / "p"), "--parts", "stl", "--findings"]):
        assert main(["export", "mesh", str(GANTRY), *wrong]) == 2
    with pytest.raises(UserError, match="nothing to write"):
        write_mesh([], tmp_path / "x.stl")
