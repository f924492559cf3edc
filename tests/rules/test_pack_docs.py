"""The examples of docs/packs.md run as written."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from sandbox.errors import UserError
from sandbox.rules import ActionRules, load_pack

PAGE = (Path(__file__).parents[2] / "docs" / "packs.md").read_text(encoding="utf-8")


def block(language: str, containing: str) -> str:
    found = [b for b in re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL) if containing in b]
    assert len(found) == 1
    return str(found[0])


def test_the_house_rules_load(tmp_path: Path) -> None:
    path = tmp_path / "thursday.yaml"
    path.write_text(block("yaml", "thursday"), encoding="utf-8")
    pack = load_pack(str(path))
    assert (pack.id, pack.movement.climb_cost, pack.movement.overhang) == ("thursday", 1, 2)
    assert "clamber" not in pack.file.skills
    sprung = pack.for_fighter({"M": 5}, skills=["spring-heeled"])
    move = sprung.action("move")
    assert isinstance(move, ActionRules)
    assert (move.allowance, sprung.movement.leap_up) == (6, 2)
    path.write_text(block("yaml", "thursday").replace("climb_cost", "climb_cots"), encoding="utf-8")
    with pytest.raises(
        UserError, match=r"thursday\.yaml:6: unknown key 'climb_cots' in constants; did you mean"
    ):
        load_pack(str(path))


def test_the_python_example_says_what_its_comments_say() -> None:
    names: dict[str, Any] = {}
    said = []
    for line in block("python", "load_pack").splitlines():
        code, _, comment = line.partition("#")
        if code.strip() and "=" not in code.split("(")[0] and not code.startswith("from"):
            said.append((eval(code, names), comment.strip()))
        elif code.strip():
            exec(code, names)
    values = [value for value, _ in said]
    assert values == [2.0, "001, Climbing (Overhangs)", -2, 8.0, Fraction(1, 3)]
    for value, comment in said:
        assert comment.startswith(repr(value)), (value, comment)


def test_the_entry_shown_is_the_packs_own() -> None:
    pack_text = (Path(load_pack().path)).read_text(encoding="utf-8")
    for line in block("yaml", "  value: 1.0").splitlines():
        assert line.strip() in pack_text
