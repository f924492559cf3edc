"""Flat tops that are no floor are refused for what they are, not for a slope."""

from __future__ import annotations

from pathlib import Path

import pytest

import sandbox

SCENE = """
name: Walls
board: {{size: [24, 24], zone_mortalis: {maze}}}
terrain:
  - {{id: top, box: [6, 3, 2.5], at: [12, 14], kind: {kind}}}
fighters:
  - {{id: kal, side: red, base: 32, at: [12, 10], profile: {{M: 5, I: 4}}}}
"""


@pytest.mark.parametrize(
    ("kind", "maze", "rule"),
    [
        ("wall", "true", "zone_mortalis_walls"),
        ("impassable", "false", "impassable"),
        ("wall", "false", "allowance"),
    ],
)
def test_the_ruling_names_what_the_top_is(kind: str, maze: str, rule: str, tmp_path: Path) -> None:
    scene = tmp_path / "walls.yaml"
    scene.write_text(SCENE.format(kind=kind, maze=maze))
    move = sandbox.load(scene).moves("kal", "move").to(12, 14, 2.5)
    assert not move.legal
    assert move.rulings[0].rule == rule
    if rule == "zone_mortalis_walls":
        assert move.rulings[0].setting == rule
