"""A cure that is told cures: it is rounded up, never a hair too little; and nothing is compared with a broken file."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox.check.words import up
from sandbox.cli import main

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("change", "told"), [(0.33, 0.4), (0.3, 0.3), (0.301, 0.3), (0.631, 0.7), (0.02, 0.1), (2.5, 2.5)]
)
def test_a_change_is_rounded_up(change: float, told: float) -> None:
    assert up(change) == pytest.approx(told)


def test_a_broken_older_version_is_no_progress(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    junk = tmp_path / "junk.stl"
    junk.write_text("junk")
    assert main(["check", str(ROOT / "models/crate.stl"), "--against", str(junk), "--base", "32"]) == 2
    assert "junk.stl" in capsys.readouterr().err
