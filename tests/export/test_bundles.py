"""Scenes in one file: whole on the way out, safe on the way in."""

from __future__ import annotations

import hashlib
import json
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from sandbox.cli import main
from sandbox.errors import UserError
from sandbox.export.bundle import MANIFEST, bundle
from sandbox.export.unbundle import unbundle
from sandbox.files import read_yaml, shipped
from sandbox.rules import load_pack
from sandbox.scene import load_scene

GANTRY = shipped("scenes/gantry.yaml")


def test_a_scene_comes_out_as_it_went_in(tmp_path: Path) -> None:
    made = bundle(GANTRY, tmp_path / "gantry.zip")
    scene = unbundle(made.path, tmp_path / "out")
    before, after = load_scene(GANTRY), load_scene(scene)
    assert after.fighters == before.fighters
    for old, new in zip(before.terrain, after.terrain, strict=True):
        assert (new.id, new.at, new.turn, new.kind, new.parts) == (
            old.id,
            old.at,
            old.turn,
            old.kind,
            old.parts,
        )
        assert (old.model is None) == (new.model is None)
        if old.model is not None and new.model is not None:
            assert new.model.read_bytes() == old.model.read_bytes()
            assert new.model.resolve().is_relative_to((tmp_path / "out").resolve())
    comments = [line for line in GANTRY.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
    assert comments
    assert [
        line for line in scene.read_text(encoding="utf-8").splitlines() if line.startswith("#")
    ] == comments


def test_the_same_scene_makes_the_same_bytes(tmp_path: Path) -> None:
    first = bundle(GANTRY, tmp_path / "a.zip").path.read_bytes()
    assert bundle(GANTRY, tmp_path / "b.zip").path.read_bytes() == first


def test_what_a_scene_needs_comes_along(tmp_path: Path) -> None:
    """Two models of one name, a pack of one's own that extends another, a library, a layout file, files beside models."""
    home = tmp_path / "home"
    for folder in ("a", "b", "packs"):
        (home / folder).mkdir(parents=True)
    crate = shipped("models/crate.stl").read_bytes()
    (home / "a" / "crate.stl").write_bytes(crate)
    (home / "b" / "crate.stl").write_bytes(shipped("models/pipe.stl").read_bytes())
    (home / "a" / "crate.check.yaml").write_text("bases: [25]\n", encoding="utf-8")
    (home / "packs" / "ours.yaml").write_text(
        "extends: deeper/base.yaml\npack: ours\nname: Ours\n", encoding="utf-8"
    )
    (home / "packs" / "deeper").mkdir()
    (home / "packs" / "deeper" / "base.yaml").write_text(
        "extends: necromunda-2023\npack: base\nname: Base\n", encoding="utf-8"
    )
    (home / "tiles.yaml").write_text(
        "tile: 60\nsquares: 1\ntiles:\n  one: {model: a/crate.stl, kind: wall, openings: {east: [1]}}\n",
        encoding="utf-8",
    )
    (home / "board.layout.yaml").write_text(
        "tiles: [1, 1]\ntile: 60\nsquares: 1\nlibrary: tiles.yaml\nlevels:\n  - {name: main, tiles: [{tile: one, at: [0, 0]}]}\n",
        encoding="utf-8",
    )
    scene = home / "yard.yaml"
    scene.write_text(
        "name: Yard  # with a comment\nrules: packs/ours.yaml\nlayout: board.layout.yaml\nterrain:\n"
        "  - {id: one, model: a/crate.stl, at: [1, 1]}\n  - {id: two, model: b/crate.stl, at: [2, 2]}\n",
        encoding="utf-8",
    )
    load_pack("packs/ours.yaml", relative_to=home)
    made = bundle(scene, tmp_path / "yard.zip")
    for file in home.rglob("*"):
        if file.is_file():
            file.unlink()
    out = unbundle(made.path, tmp_path / "there")
    again = load_scene(out)
    models = {piece.id: piece.model for piece in again.terrain}
    assert models["one"] != models["two"]
    assert models["one"] is not None and models["one"].read_bytes() == crate
    assert models["one"].with_name("crate.check.yaml").read_text(encoding="utf-8") == "bases: [25]\n"
    assert again.layout is not None and len(again.layout.built.terrain) == 1
    assert load_pack(again.rules).id == "ours"
    assert "# with a comment" in out.read_text(encoding="utf-8")
    assert str(tmp_path / "home") not in made.path.read_bytes().decode("latin-1")


def test_the_buffers_of_a_model_come_along(tmp_path: Path) -> None:
    import numpy as np

    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], np.float32).tobytes()
    faces = np.array([0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2], np.uint16).tobytes()
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "t.bin").write_bytes(corners + faces)
    tree = {
        "asset": {"version": "2.0"},
        "buffers": [{"uri": "data/t.bin", "byteLength": 72}],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": 48},
            {"buffer": 0, "byteOffset": 48, "byteLength": 24},
        ],
        "accessors": [
            {
                "bufferView": 0,
                "componentType": 5126,
                "count": 4,
                "type": "VEC3",
                "min": [0, 0, 0],
                "max": [1, 1, 1],
            },
            {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"},
        ],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "nodes": [{"mesh": 0}],
        "scenes": [{"nodes": [0]}],
        "scene": 0,
    }
    (tmp_path / "t.gltf").write_text(json.dumps(tree), encoding="utf-8")
    scene = tmp_path / "s.yaml"
    scene.write_text("name: S\nterrain:\n  - {model: t.gltf, at: [5, 5]}\n", encoding="utf-8")
    out = unbundle(bundle(scene, tmp_path / "s.zip").path, tmp_path / "there")
    model = load_scene(out).terrain[0].model
    assert model is not None
    assert (model.parent / "data" / "t.bin").read_bytes() == corners + faces


# -- what somebody else may send -----------------------------------------------------------------------------------


def made(path: Path, files: dict[str, bytes], /, *, scene: str = "s.yaml", **changes: object) -> Path:
    """A bundle with any names."""
    listed = {
        name: {"bytes": len(held), "sha256": hashlib.sha256(held).hexdigest()} for name, held in files.items()
    }
    manifest = {"format": 1, "scene": scene, "files": listed, **changes}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(MANIFEST, json.dumps(manifest))
        for name, held in files.items():
            archive.writestr(name, held)
    return path


def link(path: Path) -> Path:
    entry = zipfile.ZipInfo("m.stl")
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    entry.create_system = 3
    held = b"/etc/passwd"
    listed = {"s.yaml": b"name: x\n", "m.stl": held}
    manifest = {
        "format": 1,
        "scene": "s.yaml",
        "files": {k: {"bytes": len(v), "sha256": hashlib.sha256(v).hexdigest()} for k, v in listed.items()},
    }
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(MANIFEST, json.dumps(manifest))
        archive.writestr("s.yaml", listed["s.yaml"])
        archive.writestr(entry, held)
    return path


def liar(path: Path) -> Path:
    """A file that says it is small and unpacks to ten megabytes."""
    made(path, {"s.yaml": b"name: x\n", "m.stl": b"\0" * 10_000_000})
    raw = bytearray(path.read_bytes())
    size = (10_000_000).to_bytes(4, "little")
    while (at := raw.find(size)) >= 0:
        raw[at : at + 4] = (100).to_bytes(4, "little")
    path.write_bytes(raw.replace(b'"bytes": 10000000', b'"bytes": 100     '))
    return path


def raw(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


SMALL = {"s.yaml": b"name: x\n"}
HOSTILE: dict[str, tuple[Callable[[Path], Path], str]] = {
    "up": (lambda p: made(p, {**SMALL, "../m.stl": b"x"}), "name that is not allowed"),
    "up inside": (lambda p: made(p, {**SMALL, "models/../../m.stl": b"x"}), "name that is not allowed"),
    "absolute": (lambda p: made(p, {**SMALL, "/m.stl": b"x"}), "name that is not allowed"),
    "drive": (lambda p: made(p, {**SMALL, "C:m.stl": b"x"}), "name that is not allowed"),
    "device": (lambda p: made(p, {**SMALL, "con.stl": b"x"}), "name that is not allowed"),
    "long": (lambda p: made(p, {**SMALL, "m" * 300 + ".stl": b"x"}), "name that is not allowed"),
    "program": (lambda p: made(p, {**SMALL, "run.sh": b"x"}), "no file that a scene is made of"),
    "link": (link, "folder or a link"),
    "twice": (lambda p: made(p, {**SMALL, "m.stl": b"x", "M.STL": b"y"}), "two files of one name"),
    "not a zip": (lambda p: raw(p, b"hello"), "no bundle that can be read"),
    "cut short": (lambda p: raw(p, made(p, SMALL).read_bytes()[:-30]), "no bundle"),
    "no list": (lambda p: made(p, SMALL, files=3), "cannot be read"),
    "no scene": (lambda p: made(p, SMALL, scene="t.yaml"), "cannot be read"),
    "scene elsewhere": (lambda p: made(p, {"a/s.yaml": b"x"}, scene="a/s.yaml"), "cannot be read"),
    "other version": (lambda p: made(p, SMALL, format=9), "another version"),
    "not listed": (
        lambda p: made(p, {**SMALL, "m.stl": b"x"}, files={"s.yaml": {"bytes": 8}}),
        "does not hold",
    ),
    "changed": (
        lambda p: made(p, SMALL, files={"s.yaml": {"bytes": 8, "sha256": "0" * 64}}),
        "damaged or changed",
    ),
    "liar": (liar, "m.stl"),
    "many": (lambda p: made(p, {**SMALL, **{f"m{k}.stl": b"" for k in range(2100)}}), "at most 2000"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_what_is_not_right_leaves_nothing_behind(kind: str, tmp_path: Path) -> None:
    make, told = HOSTILE[kind]
    box = tmp_path / "box"
    box.mkdir()
    with pytest.raises(UserError) as caught:
        unbundle(make(tmp_path / "b.zip"), box / "out")
    assert told in str(caught.value)
    assert list(box.iterdir()) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.zip", "box"]


def test_more_than_is_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = made(tmp_path / "b.zip", {**SMALL, "m.stl": b"\0" * 3_000_000})
    monkeypatch.setenv("SANDBOX_MAX_FILE_MB", "2")
    with pytest.raises(UserError, match="larger than may be read"):
        unbundle(path, tmp_path / "out")
    with pytest.raises(UserError, match="the bundle would be larger"):
        monkeypatch.setenv("SANDBOX_MAX_FILE_MB", "0.05")
        bundle(GANTRY, tmp_path / "g.zip")
    assert not (tmp_path / "g.zip").exists()


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    path = made(tmp_path / "b.zip", SMALL)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").write_text("x", encoding="utf-8")
    with pytest.raises(UserError, match="not an empty folder"):
        unbundle(path, tmp_path / "out")
    (tmp_path / "out" / "mine").unlink()
    assert unbundle(path, tmp_path / "out") == tmp_path / "out" / "s.yaml"


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bundle", str(GANTRY), str(tmp_path / "g.zip"), "--json"]) == 0
    assert "models/gantry.glb" in json.loads(capsys.readouterr().out)["files"]
    assert main(["unbundle", str(tmp_path / "g.zip")]) == 0
    assert read_yaml(tmp_path / "g" / "gantry.yaml").plain["terrain"][0]["model"].startswith("models/")
    assert main(["bundle", str(GANTRY), str(tmp_path / "g.rar")]) == 2
    assert main(["unbundle", str(tmp_path / "none.zip")]) == 2


@pytest.mark.parametrize(
    "scene",
    [
        b"\xff\xfe",
        b"terain: []\n",
        b"terrain: [{id: a, model: ../../crate.stl}]\n",
        b"terrain: [{id: a, model: /crate.stl}]\n",
    ],
)
def test_a_scene_that_leads_elsewhere_is_refused(scene: bytes, tmp_path: Path) -> None:
    (tmp_path / "crate.stl").write_bytes(shipped("models/crate.stl").read_bytes())
    path = made(tmp_path / "a.zip", {"s.yaml": scene})
    with pytest.raises(UserError) as told:
        unbundle(path, tmp_path / "deep" / "out")
    assert "\n" not in str(told.value)
    assert not (tmp_path / "deep" / "out").exists()
