"""Every reader of files that come from strangers, as a function of bytes; and small good files to begin with."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import trimesh

from sandbox.errors import UserError

ROOT = Path(__file__).parents[2]
Reader = Callable[[Path], object]


@dataclass(frozen=True)
class Target:
    """One reader."""

    suffix: str
    read: Reader
    seeds: Callable[[], list[bytes]]
    """small files that it reads."""


def _model(path: Path) -> object:
    from sandbox.terrain.load import load_model  # noqa: PLC0415

    return load_model(path)


def _scene(path: Path) -> object:
    from sandbox.scene import load_scene  # noqa: PLC0415

    return load_scene(path)


def _layout(path: Path) -> object:
    from sandbox.scene.layouts.load import load_layout, read_layout  # noqa: PLC0415

    return load_layout(*read_layout(path), ())


def _pack(path: Path) -> object:
    from sandbox.rules import load_pack  # noqa: PLC0415

    return load_pack(path)


def _lesson(path: Path) -> object:
    from sandbox.teach.load import load_lesson  # noqa: PLC0415

    return load_lesson(path)


def _game(path: Path) -> object:
    from sandbox.play.game import scene_of  # noqa: PLC0415

    return scene_of(path)


def _bundle(path: Path) -> object:
    from sandbox.export.unbundle import unbundle  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        return unbundle(path, Path(folder) / "out")


def _meshes(kind: str) -> Callable[[], list[bytes]]:
    def made() -> list[bytes]:
        box = trimesh.creation.box((10, 20, 30))
        box.visual = trimesh.visual.ColorVisuals()
        files = [box.export(file_type=kind)]
        if kind == "stl":
            files += [box.export(file_type="stl_ascii"), b"solid a\n" + bytes(80)]
        if kind == "ply":
            files.append(trimesh.exchange.ply.export_ply(box, encoding="ascii"))
        if kind == "obj":
            files.append(b"o a\ng b c\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1/1/1 2//2 -1\n")
        return [f.encode() if isinstance(f, str) else bytes(f) for f in files]

    return made


def _gltf() -> list[bytes]:
    made = trimesh.creation.box((1, 2, 3)).export(file_type="gltf")
    whole = json.loads(made["model.gltf"])
    import base64  # noqa: PLC0415

    for buffer in whole.get("buffers", []):
        data = made[buffer["uri"]]
        buffer["uri"] = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    return [json.dumps(whole).encode()]


def _texts(pattern: str) -> Callable[[], list[bytes]]:
    return lambda: [path.read_bytes()[:60_000] for path in sorted(ROOT.glob(pattern))[:6]]


def _layouts() -> list[bytes]:
    return [
        b"levels:\n  - name: ground\n    map: |\n      +--+\n      |  |\n      +--+\n",
        b"tiles: [1, 1]\nlevels:\n  - {name: low, placements: [{tile: hall, at: [0, 0]}]}\n",
    ]


def _games() -> list[bytes]:
    return [json.dumps({"game": 1, "scene": "a.yaml", "rules": "necromunda-2023"}).encode() + b"\n{}\n"]


def _bundles() -> list[bytes]:
    from sandbox.export.bundle import bundle  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        scene = Path(folder) / "scene.yaml"
        scene.write_text("board: {size: [24, 24]}\nterrain: [{id: a, model: a.stl, at: [6, 6]}]\n")
        (scene.parent / "a.stl").write_bytes(_meshes("stl")()[0])
        out = Path(folder) / "out.zip"
        bundle(scene, out)
        return [out.read_bytes()]


TARGETS = {
    **{
        kind: Target(f".{kind}", _model, _meshes(kind)) for kind in ("stl", "obj", "ply", "off", "glb", "3mf")
    },
    "gltf": Target(".gltf", _model, _gltf),
    "scene": Target(".yaml", _scene, _texts("scenes/*.yaml")),
    "layout": Target(".yaml", _layout, _layouts),
    "pack": Target(
        ".yaml",
        _pack,
        lambda: [b"pack: a\nname: A\nabout: b\nextends: necromunda-2023\nconstants: {climb_cost: 1}\n"],
    ),
    "lesson": Target(".yaml", _lesson, _texts("scenes/lessons/*.yaml")),
    "game": Target(".game", _game, _games),
    "bundle": Target(".zip", _bundle, _bundles),
}


def feed(name: str, data: bytes, folder: Path) -> None:
    """Have a reader read some bytes from a file in `folder`. A UserError of one line is a good answer; whatever else
    is raised is a fault."""
    target = TARGETS[name]
    path = folder / f"input{target.suffix}"
    path.write_bytes(data)
    before = set(os.listdir(folder))
    try:
        target.read(path)
    except UserError as error:
        if "\n" in str(error):
            raise AssertionError(f"an error of several lines: {error}") from error
    assert set(os.listdir(folder)) == before, "files were left behind"
