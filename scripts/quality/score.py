"""What the check says about a build, against what was planted in it."""

from __future__ import annotations

import tempfile
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from quality.builds import Build, Fault, build
from quality.shapes import stl
from sandbox.check.check import check
from sandbox.check.finding import Finding, Severity
from sandbox.check.model import Base
from sandbox.check.settings import Settings
from sandbox.kinds import Kind


@dataclass
class Score:
    """One seed, or the sum of several."""

    planted: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    right: int = 0
    """findings at warning and above that tell a planted fault, or what follows from it."""
    told: int = 0
    """findings at warning and above."""
    missed: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, other: Score) -> None:
        self.planted += other.planted
        self.found += other.found
        self.right += other.right
        self.told += other.told
        self.missed += other.missed
        self.wrong += other.wrong
        self.seconds += other.seconds

    @property
    def recall(self) -> float:
        total = sum(self.planted.values())
        return sum(self.found.values()) / total if total else 1.0

    @property
    def precision(self) -> float:
        return self.right / self.told if self.told else 1.0


def settings_of(made: Build) -> Settings:
    told = Settings(
        bases=tuple(Base(b, b, declared=True) for b in made.bases),
        packs=made.packs,
        parts=tuple((name, Kind(kind)) for name, kind in made.kinds.items()),
    )
    return replace(told, **made.settings)  # type: ignore[arg-type]


def score(seed: int) -> Score:
    """Make the build of a seed, check it, and count."""
    made = build(seed)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"build-{seed}.stl"
        path.write_bytes(stl(made.triangles))
        report, _ = check(path, settings_of(made))
    told = [f for f in report.findings if f.severity is not Severity.INFO]
    answer = Score(seconds=report.seconds, told=len(told))
    name = f"seed {seed} ({', '.join(made.modules)}; {made.bases}; {', '.join(made.packs)})"
    for fault in made.faults:
        label = fault.kinds[0]
        answer.planted[label] += 1
        if any(tells(f, fault) for f in told):
            answer.found[label] += 1
        else:
            at = "" if fault.at is None else f" at {np.round(fault.at, 1).tolist()}"
            answer.missed.append(f"{name}: {label} by {fault.amount:.2f}{at}")
    for one in told:
        if any(tells(one, fault) or follows(one, fault) for fault in made.faults):
            answer.right += 1
        else:
            answer.wrong.append(f"{name}: {one.id} {one.text}")
    return answer


def tells(finding: Finding, fault: Fault) -> bool:
    """Whether a finding is about a planted fault: its kind, at its place."""
    if finding.kind.value not in fault.kinds:
        return False
    return fault.at is None or float(np.linalg.norm(np.subtract(finding.at, fault.at))) <= fault.reach


def follows(finding: Finding, fault: Fault) -> bool:
    """Whether a finding is true because of a planted fault."""
    if "*" in fault.follows:
        return True
    if finding.kind.value not in (*fault.follows, *fault.kinds):
        return False
    plan = np.array(finding.at[:2])
    return bool((plan >= fault.low).all() and (plan <= fault.high).all())
