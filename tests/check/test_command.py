"""``sandbox check`` as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from quality.shapes import box, stl

from sandbox.cli import main

from .builds import walls


@pytest.fixture
def hut(tmp_path: Path) -> Path:
    """A hut with a door of 29 mm."""
    model = tmp_path / "hut.stl"
    model.write_bytes(stl(np.concatenate(walls(29.0))))
    return model


def test_status_and_table(hut: Path, capfd: pytest.CaptureFixture[str]) -> None:
    call = ["check", str(hut), "--base", "32", "--rules", "necromunda-2023"]
    assert main([*call, "--fail-on", "error"]) == 1
    out = capfd.readouterr().out
    assert "hut.stl: 1 error" in out
    assert "29.0 mm" in out and "3.0 mm wider" in out
    assert (
        main(["check", str(hut), "--base", "25", "--rules", "necromunda-2023", "--fail-on", "warning"]) == 0
    )


def test_one_line_where_there_is_nothing_to_say(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    model = tmp_path / "slab.stl"
    model.write_bytes(stl(box(0, 0, 0, 60, 60, 2)))
    assert main(["check", str(model), "--base", "32", "--rules", "necromunda-2023"]) == 0
    assert capfd.readouterr().out.strip() == "slab.stl: nothing to say; it plays and prints."


def test_json_is_one_object(hut: Path, capfd: pytest.CaptureFixture[str]) -> None:
    broken = hut.with_name("broken.stl")
    broken.write_bytes(b"solid")
    call = ["check", str(hut), str(broken), "--base", "32", "--rules", "necromunda-2023", "--json"]
    assert main([*call, "--fail-on", "error"]) == 1
    told = json.loads(capfd.readouterr().out)
    assert [r["subject"] for r in told["reports"]] == ["hut.stl", "broken.stl"]
    assert told["reports"][1]["findings"][0]["kind"] == "broken-file"


@pytest.mark.parametrize(
    "call",
    [
        ["check"],
        ["check", "nowhere.stl"],
        ["check", "HUT", "--rules", "chess"],
        ["check", "HUT", "--base", "0"],
        ["check", "HUT", "HUT", "--html", "x.html"],
        ["check", "HUT", "--against", "nowhere.stl"],
    ],
)
def test_wrong_calls_end_in_one_line(hut: Path, call: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert main([str(hut) if word == "HUT" else word for word in call]) == 2
    err = capfd.readouterr().err.strip().splitlines()
    assert len(err) == 1 and err[0].startswith("sandbox: ")
