"""The telling of a move: every leg, check and ruling gets its sentence, and no name in a sentence stays unfilled."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

from ruamel.yaml import YAML

from sandbox.moves.answers import (
    Check,
    CheckKind,
    Leg,
    LegKind,
    Move,
    OnFail,
    Reason,
    Ruling,
)
from sandbox.moves.narrate import tell

FALL = OnFail("falls 3.00 in", 3.0, (1.0, 2.0, 0.0), None)


def _move(legal: bool, legs: tuple[Leg, ...], rulings: tuple[Ruling, ...] = ()) -> Move:
    checks = tuple(c for leg in legs for c in leg.checks)
    return Move(
        "Board", "necromunda-2023", "kal", "move", 5.0, (1.0, 2.0, 0.0), legal,
        cost=4.0, success=0.5 if legal else None, legs=legs, checks=checks, rulings=rulings,
    )  # fmt: skip


def test_every_kind_of_leg_and_check_has_a_sentence() -> None:
    legs = tuple(
        Leg(kind, (0, 0, 0), (1, 0, 0), 1.0, 2.0, checks=(Check(CheckKind.INITIATIVE, r, 4, -1, 0.5, FALL),))
        for kind in LegKind
        for r in Reason
    )
    told = tell(_move(True, legs))
    assert len(told) == 2 + 2 * len(legs)
    assert not any("{" in line for line in told)


def test_a_refused_move_ends_with_its_rulings() -> None:
    ruling = Ruling("allowance", "needs 7.31 in, has 5.00 in", 7.31, 5.0, "002, Moving Models", "mount_free")
    told = tell(_move(False, (), (ruling,)))
    assert told[-1].startswith("Needs 7.31 in, has 5.00 in (allowance; 002, Moving Models).")
    assert "mount_free" in told[-1]


def test_sentences_have_only_names_that_are_filled_somewhere() -> None:
    table = YAML(typ="safe").load(files("sandbox.moves").joinpath("sentences.yaml").read_text("utf-8"))
    names = set(re.findall(r"\{(\w+)", str(table)))
    code = "".join(file.read_text("utf-8") for file in Path(files("sandbox.moves")).glob("*.py"))  # type: ignore[arg-type]
    filled = set(re.findall(r"(?:\b|\")(\w+)(?:=|\": )", code))
    assert names - filled == set()
