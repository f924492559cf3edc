"""What ships with the product is found from any folder; and somebody who looks in the wrong one is told where it lies."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox.cli import main
from sandbox.files.shipped import missing, shipped


def test_a_shipped_scene_that_is_not_here_is_told_where_it_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["moves", "scenes/gantry.yaml", "--fighter", "kal"]) == 2
    told = capsys.readouterr().err.strip()
    assert told.endswith(str(shipped("scenes/gantry.yaml")))
    assert "\n" not in told


@pytest.mark.parametrize("name", ["scenes/none.yaml", "elsewhere/gantry.yaml", "gantry.yaml"])
def test_other_files_are_only_missing(name: str) -> None:
    assert missing(Path(name)) == "no such file"
