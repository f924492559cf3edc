"""What the documents show of a check comes from a run of it."""

from __future__ import annotations

from pathlib import Path

from sandbox.check.check import check
from sandbox.check.finding import Severity
from sandbox.check.model import Base, FindingKind
from sandbox.check.settings import Settings
from sandbox.check.table import headline

TOP = Path(__file__).parents[2]


def test_the_example_is_what_the_command_says() -> None:
    told = (TOP / "docs" / "checking.md").read_text(encoding="utf-8")
    settings = Settings(bases=(Base(40.0, 40.0, declared=True),), packs=("necromunda-2023",))
    report, _ = check(TOP / "models" / "tower.glb", settings)
    assert headline(report) in told
    for finding in report.findings:
        if finding.severity is not Severity.INFO:
            assert f"{finding.severity.value}" in told
            assert finding.text in told
            assert finding.cure in told


def test_every_kind_of_finding_is_listed() -> None:
    told = (TOP / "docs" / "checking.md").read_text(encoding="utf-8")
    assert [kind.value for kind in FindingKind if f"`{kind.value}`" not in told] == []
