"""Files from strangers that point to elsewhere: nothing is fetched, run or opened that they do not name as their own."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import trimesh

from sandbox.errors import UserError
from sandbox.rules import load_pack
from sandbox.scene import load_scene
from sandbox.teach.load import load_lesson
from sandbox.terrain.load import load_model

AWAY = "https://example.org/x"
FORBIDDEN = (
    "socket.connect",
    "socket.getaddrinfo",
    "urllib.Request",
    "os.system",
    "os.exec",
    "os.posix_spawn",
)


class Watch:
    """Everything forbidden that the interpreter was asked to do while it is switched on."""

    def __init__(self) -> None:
        self.on = False
        self.met: list[tuple[str, Any]] = []
        sys.addaudithook(self._heard)

    def _heard(self, event: str, args: Any) -> None:
        if self.on and (
            event in FORBIDDEN or (event == "open" and str(args[0]).endswith(("secret.txt", "/etc/passwd")))
        ):
            self.met.append((event, args))


WATCH = Watch()
"""an audit hook stays for good, so there is one."""


@pytest.fixture
def watched() -> Iterator[Watch]:
    WATCH.met.clear()
    WATCH.on = True
    yield WATCH
    WATCH.on = False


def _gltf(uri: str) -> Callable[[Path], str]:
    def text(folder: Path) -> str:
        made = trimesh.creation.box((1, 2, 3)).export(file_type="gltf")
        whole = json.loads(made["model.gltf"])
        for buffer in whole["buffers"]:
            buffer["uri"] = uri.format(folder=folder)
        return json.dumps(whole)

    return text


def _text(text: str) -> Callable[[Path], str]:
    return lambda folder: text.replace("FOLDER", str(folder))


SCENE = "board: {size: [24, 24]}\nterrain: [{id: a, model: %s, at: [6, 6]}]\n"
FILES: dict[str, tuple[str, Callable[[Path], object], Callable[[Path], str]]] = {
    "scene, model elsewhere": (".yaml", load_scene, _text(SCENE % f'"{AWAY}.stl"')),
    "scene, a secret as model": (".yaml", load_scene, _text(SCENE % "file://FOLDER/../secret.txt")),
    "scene, rules elsewhere": (
        ".yaml", load_scene, _text(f'rules: "{AWAY}.yaml"\nboard: {{size: [24, 24]}}\n'),
    ),
    "scene that is code": (
        ".yaml", load_scene, _text('board: !!python/object/apply:os.system ["touch FOLDER/witness"]\n'),
    ),
    "pack, extends elsewhere": (".yaml", load_pack, _text(f'pack: a\nname: A\nabout: b\nextends: "{AWAY}"\n')),
    "lesson, scene elsewhere": (
        ".yaml", load_lesson, _text(f'title: a\nabout: b\nscene: "{AWAY}.yaml"\nsteps: [{{say: c}}]\n'),
    ),
    "lesson, a sum that is code": (
        ".yaml",
        load_lesson,
        _text(
            "title: a\nabout: b\nscene: {board: {size: [24, 24]}}\n"
            "steps: [{say: c, sure: \"__import__('os').system('touch FOLDER/witness')\"}]\n"
        ),
    ),
    "glTF, buffer elsewhere": (".gltf", load_model, _gltf(f"{AWAY}.bin")),
    "glTF, a secret as buffer": (".gltf", load_model, _gltf("{folder}/../secret.txt")),
    "OBJ, materials elsewhere": (
        ".obj", load_model, _text(f"mtllib {AWAY}.mtl\nmtllib ../secret.txt\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", list(FILES))
def test_nothing_is_fetched_run_or_opened(name: str, tmp_path: Path, watched: Watch) -> None:
    (tmp_path / "secret.txt").write_text("keep this")
    folder = tmp_path / "from-a-stranger"
    folder.mkdir()
    suffix, read, text = FILES[name]
    path = folder / f"file{suffix}"
    path.write_text(text(folder), encoding="utf-8")
    watched.met.clear()
    try:
        read(path)
    except UserError as error:
        assert "\n" not in str(error)
    assert watched.met == []
    assert not (folder / "witness").exists()


def test_the_watch_hears_what_it_should(tmp_path: Path, watched: Watch) -> None:
    (tmp_path / "secret.txt").write_text("keep this")
    assert (tmp_path / "secret.txt").read_text() == "keep this"
    assert [event for event, _ in watched.met if event == "open"]
