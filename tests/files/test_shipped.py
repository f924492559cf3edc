"""What ships with the product is found from any folder; and somebody who looks in the wrong one is told where it lies."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox.cli import main
from sandbox.errors import UserError
from sandbox.files.shipped import missing, shipped
from sandbox.scene import load_scene


@pytest.mark.parametrize(
    ("call", "name"),
    [
        ("moves NAME --fighter kal", "scenes/gantry.yaml"),
        ("check NAME", "models/tower.glb"),
        ("check NAME NAME", "models/tower.glb"),
        ("stand NAME --at 1,1", "models/tower.glb"),
        ("new NAME --out yard.yaml", "models/tower.glb"),
        ("layout check NAME", "scenes/vault.yaml"),
    ],
)
def test_a_shipped_file_that_is_not_here_is_told_where_it_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], call: str, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(call.replace("NAME", name).split()) == 2
    told = capsys.readouterr().err.strip()
    assert told.endswith(str(shipped(name)))
    assert "\n" not in told


def test_a_scene_that_names_a_shipped_model_elsewhere_is_told_where_it_lies(tmp_path: Path) -> None:
    scene = tmp_path / "yard.yaml"
    scene.write_text("terrain:\n  - {model: ../models/tower.glb, at: [6, 6]}\n")
    with pytest.raises(UserError, match=r"yard\.yaml:2: .* comes with sandbox is .*models/tower\.glb$"):
        load_scene(scene)


@pytest.mark.parametrize("name", ["scenes/none.yaml", "elsewhere/gantry.yaml", "gantry.yaml"])
def test_other_files_are_only_missing(name: str) -> None:
    assert missing(Path(name)) == "no such file"
