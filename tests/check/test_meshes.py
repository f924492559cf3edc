"""Models made by others: every one gets a report, and those worked out by hand get the right one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from quality.hand import MODELS, Answer, judge

from sandbox.check.check import check
from sandbox.check.model import Base
from sandbox.check.settings import Settings
from sandbox.errors import UserError
from sandbox.scene.load import MODEL_SUFFIXES

MESHES = Path(os.environ.get("SANDBOX_MESHES", "/nonexistent"))
needs_meshes = pytest.mark.skipif(not MESHES.is_dir(), reason="SANDBOX_MESHES names no folder of meshes")
QUICK = ("cqterrain/building_room.stl", "cqterrain/bridge.stl", "cqterrain/stairs_industrial_stairs.stl")


@needs_meshes
@pytest.mark.parametrize(
    "answer",
    [pytest.param(a, id=a.file, marks=[] if a.file in QUICK else [pytest.mark.full]) for a in MODELS],
)
def test_models_worked_out_by_hand(answer: Answer) -> None:
    missed, wrong = judge(MESHES, answer)
    assert not missed
    assert not wrong


@needs_meshes
@pytest.mark.full
def test_every_model_gets_a_report() -> None:
    files = [f for f in sorted(MESHES.rglob("*")) if f.is_file() and f.suffix.lower() in MODEL_SUFFIXES]
    assert files
    told = Settings(bases=(Base(32.0, 32.0, True),), packs=("necromunda-2023",))
    for file in files:
        report, subject = check(file, told)
        assert report.subject == file.name
        assert (subject is None) == any(f.kind.value == "broken-file" for f in report.findings)


@needs_meshes
@pytest.mark.parametrize("name", ["empty.stl", "count_but_no_data.stl", "lfs-pointer.stl", "malformed.obj"])
def test_broken_files_are_findings(name: str) -> None:
    report, _ = check(MESHES / "broken" / name, Settings())
    assert [f.kind.value for f in report.findings] == ["broken-file"]


def test_a_file_that_is_not_there_is_no_finding(tmp_path: Path) -> None:
    with pytest.raises(UserError):
        check(tmp_path / "nothing.stl", Settings())
