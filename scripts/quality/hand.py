"""Models made by others, with right answers worked out by hand from their drawings and measures.

Each names what has to be told at warning and above (kind, and what was measured where that can be said), what may be told
besides, and nothing else may. Bases 25 and 32 mm are declared, under necromunda-2023, without a bed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from sandbox.check.check import check
from sandbox.check.finding import Severity
from sandbox.check.model import Base
from sandbox.check.settings import Settings


@dataclass(frozen=True)
class Answer:
    """What is right about one model."""

    file: str
    why: str
    told: tuple[tuple[str, float | None], ...] = ()
    """kind, and its measurement within 0.3 (None: any)."""
    besides: frozenset[str] = field(default_factory=frozenset)
    """kinds that are true too and were not worked out one by one."""


MODELS = (
    Answer(
        "cqterrain/building.stl",
        "floors every 25 mm with 5 mm slabs leave 20 mm; the outside stairs are 10 mm wide with 1 mm cheeks",
        (("headroom", 20.0), ("walkway", None), ("thin-wall", 1.0)),
    ),
    Answer(
        "cqterrain/building_room.stl",
        "a plain roofless room of 50 mm walls, reached over them and by its door",
    ),
    Answer(
        "cqindustry/container_frame.stl",
        "tops of 30 mm at 146 and 150 mm, beyond two Moves of 5 in; a 32 mm base stands across the steps of 4 mm, "
        "2 mm off its plane and tilted 12 degrees",
        (("climb", 146.0), ("climb", 150.0)),
    ),
    Answer("cqindustry/platform.stl", "a 4 mm deck: stepped on anywhere, bumps do not matter"),
    Answer(
        "cqindustry/guard_rail_platorm.stl", "a ring 47 mm wide and 26 mm high is an obstacle to the rules"
    ),
    Answer(
        "cqindustry/chip_tower_set.stl",
        "decks far out over cans 50 mm apart: no climb, no stair",
        (("unreachable", None),),
        frozenset({"overhang"}),
    ),
    Answer("cqterrain/bridge.stl", "ramps of 50 on 150 mm are walked: 18.4 degrees"),
    Answer(
        "cqterrain/ladder.stl",
        "4 mm thick and 50 mm high on two small feet",
        (("flat-bottom", None), ("topples", None)),
    ),
    Answer(
        "cqterrain/stairs_industrial_stairs.stl",
        "five treads of 30 mm, the one above covering half; the last holds 15 mm, a tread like the others",
    ),
    Answer(
        "cqterrain/stairs_round_combined_plain.stl",
        "a spiral that starts on one tread: its weight is far beyond it",
        (("topples", None),),
    ),
    Answer(
        "skirmishterrain/stairFull.stl",
        "a plain wedge of 45 degrees: walked, and nobody stops on it",
        (("slope", 45.0),),
    ),
    Answer(
        "cqterrain/ruin_ruin_three_wall_corner.stl",
        "a foot 22 mm deep at 10 mm height inside the corner",
        (("ledge", 22.0),),
    ),
)


def judge(folder: Path, answer: Answer) -> tuple[list[str], list[str]]:
    """What was missed and what was told wrongly about one model."""
    told = Settings(
        bases=(Base(25.0, 25.0, True), Base(32.0, 32.0, True)), packs=("necromunda-2023",), bed=None
    )
    report, _ = check(folder / answer.file, told)
    grave = [f for f in report.findings if f.severity is not Severity.INFO]
    missed = [
        f"{answer.file}: {kind} {'' if value is None else value}".strip()
        for kind, value in answer.told
        if not any(
            f.kind.value == kind
            and (value is None or (f.measured is not None and abs(f.measured - value) <= 0.3))
            for f in grave
        )
    ]
    known = {kind for kind, _ in answer.told} | answer.besides
    wrong = [f"{answer.file}: {f.id} {f.text}" for f in grave if f.kind.value not in known]
    return missed, wrong
