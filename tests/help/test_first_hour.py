"""What a stranger meets first: no arguments, the doctor, a scene to begin with, schemas, completion."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from ruamel.yaml import YAML

import sandbox
from sandbox.cli import main
from sandbox.help import doctor
from sandbox.help.schemas import FileKind, schema_of

ROOT = Path(__file__).parents[2]


def test_without_arguments_three_ways_to_begin_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    told = capsys.readouterr().out
    for command in ("sandbox check", "sandbox new", "sandbox teach", "sandbox doctor"):
        assert command in told


def test_the_doctor_finds_all_that_is_here(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["good"]
    assert {c["name"] for c in told["checks"]} >= {"python", "packages", "physics", "pictures", "free disk"}
    assert all(c["advice"] for c in told["checks"] if c["state"] != "good")


def test_the_doctor_says_what_is_missing_and_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor, "_DRAW", "import no_such_driver")
    monkeypatch.setattr("sandbox.physics.engines", lambda: ())
    assert main(["doctor"]) == 1
    told = capsys.readouterr().out
    assert "no_such_driver" in told
    assert "Mesa" in told
    assert "pip install panda3d" in told


def test_a_new_scene_holds_the_models_and_can_be_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    models = [tmp_path / "My Tower.glb", tmp_path / "crate: 2.stl", tmp_path / "copy" / "My Tower.glb"]
    models[2].parent.mkdir()
    shutil.copy(ROOT / "models/tower.glb", models[0])
    shutil.copy(ROOT / "models/container.stl", models[1])
    shutil.copy(ROOT / "models/tower.glb", models[2])
    out = tmp_path / "yard.yaml"
    assert main(["new", *map(str, models), "--out", str(out)]) == 0
    assert "sandbox view" in capsys.readouterr().out
    field = sandbox.load(out)
    assert not field.warnings
    assert [piece.id for piece in field.scene.terrain] == ["my-tower", "crate-2", "my-tower-2"]
    parts = [p for p in field.terrain.parts if p.piece in ("my-tower", "crate-2", "my-tower-2")]
    assert parts
    move = field.moves("one", "move").to(*[v + 0.5 for v in field.fighter("one").at[:2]])
    assert move.legal
    assert "# " in out.read_text()


def test_a_new_scene_overwrites_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "mine.yaml"
    out.write_text("mine")
    assert main(["new", "--out", str(out)]) == 2
    assert out.read_text() == "mine"
    assert capsys.readouterr().err.count("\n") == 1


def test_a_new_scene_of_a_missing_model_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", str(tmp_path / "none.stl"), "--out", str(tmp_path / "a.yaml")]) == 2
    assert not (tmp_path / "a.yaml").exists()
    assert "none.stl" in capsys.readouterr().err


def _plain(path: Path) -> Any:
    return YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))


SHIPPED = {
    FileKind.SCENE: sorted(ROOT.glob("scenes/*.yaml")),
    FileKind.LIBRARY: sorted(ROOT.glob("models/zone-mortalis/*.yaml")),
    FileKind.PACK: sorted(ROOT.glob("sandbox/rules/packs/*.yaml")),
    FileKind.LESSON: sorted(ROOT.glob("scenes/lessons/*.yaml")),
}


@pytest.mark.parametrize("kind", list(SHIPPED))
def test_shipped_files_keep_to_their_schema(kind: FileKind) -> None:
    checker = jsonschema.Draft202012Validator(schema_of(kind))
    checker.check_schema(checker.schema)
    assert SHIPPED[kind]
    for path in SHIPPED[kind]:
        mistakes = [f"{path.name}: {error.message[:200]}" for error in checker.iter_errors(_plain(path))]
        assert not mistakes, mistakes[:3]


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        (FileKind.SCENE, {"terain": []}),
        (FileKind.SCENE, {"terrain": [{"id": "a", "box": [1, 2]}]}),
        (FileKind.PACK, {"id": 5}),
        (FileKind.LESSON, {"scene": "a.yaml", "stepps": []}),
        (FileKind.LAYOUT, {"levels": "none"}),
    ],
)
def test_a_schema_finds_a_mistake(kind: FileKind, wrong: dict[str, Any]) -> None:
    assert list(jsonschema.Draft202012Validator(schema_of(kind)).iter_errors(wrong))


def test_a_schema_is_written_by_the_command(tmp_path: Path) -> None:
    out = tmp_path / "scene.schema.json"
    assert main(["schema", "scene", "--out", str(out)]) == 0
    assert json.loads(out.read_text())["properties"]["fighters"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_are_told(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    assert "_SANDBOX_COMPLETE" in capsys.readouterr().out


def test_commands_are_completed() -> None:
    import os

    env = {**os.environ, "_SANDBOX_COMPLETE": "bash_complete", "COMP_WORDS": "sandbox do", "COMP_CWORD": "1"}
    code = "from sandbox.cli import program; program(prog_name='sandbox')"
    seen = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    assert "doctor" in seen.stdout
