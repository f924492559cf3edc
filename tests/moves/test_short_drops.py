"""A narrow gap to a lower floor: in a pack that says so a jump down and no leap."""

from __future__ import annotations

from pathlib import Path

import pytest

import sandbox
from sandbox.moves.answers import LegKind, Move, Reason

SCENE = """
name: Two blocks
board: {size: [24, 24]}
terrain:
  - {id: high, box: [6, 8, 4], at: [7, 12]}
  - {id: low, box: [6, 8, 2.5], at: [%s, 12]}
fighters:
  - {id: kal, side: red, base: 32, at: [9.3, 12, 4], profile: {M: 6, I: 4}}
"""


def across(folder: Path, gap: float, pack: str, settings: dict[str, float] | None = None) -> Move:
    path = folder / "blocks.yaml"
    path.write_text(SCENE % (10.0 + gap + 3.0))
    field = sandbox.load(path, rules=pack, settings=settings or {})
    return field.moves("kal").to(10.0 + gap + 0.7, 12.0, 2.5)


def over_the_gap(move: Move) -> list[LegKind]:
    return [leg.kind for leg in move.legs if leg.kind is not LegKind.WALK]


@pytest.mark.parametrize(
    ("pack", "gap", "kind"),
    [
        ("blightmeer", 0.9, LegKind.JUMP_DOWN),
        ("blightmeer", 1.0, LegKind.JUMP_DOWN),
        ("blightmeer", 1.1, LegKind.LEAP),
        ("necromunda-2023", 0.9, LegKind.LEAP),
    ],
)
def test_how_a_gap_to_lower_floor_is_crossed(tmp_path: Path, pack: str, gap: float, kind: LegKind) -> None:
    move = across(tmp_path, gap, pack)
    assert move.legal
    assert over_the_gap(move) == [kind]
    (leg,) = (leg for leg in move.legs if leg.kind is kind)
    assert leg.down == pytest.approx(1.5)


def test_who_fails_such_a_jump_lands_where_it_would_have(tmp_path: Path) -> None:
    (leg,) = (leg for leg in across(tmp_path, 0.9, "blightmeer").legs if leg.kind is LegKind.JUMP_DOWN)
    assert leg.gap == 0.0
    (check,) = leg.checks
    assert check.reason is Reason.JUMP_DOWN
    assert check.on_fail.height == pytest.approx(1.5)
    assert check.on_fail.landing == pytest.approx(leg.end)


def test_without_the_setting_it_is_a_leap(tmp_path: Path) -> None:
    assert over_the_gap(across(tmp_path, 0.9, "blightmeer", {"leap_short_drop": 0})) == [LegKind.LEAP]
