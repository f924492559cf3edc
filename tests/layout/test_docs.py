"""What docs/layouts.md shows can be read."""

from __future__ import annotations

import re
from pathlib import Path

from sandbox.scene import load_scene
from sandbox.scene.layouts.legend import BORDERS, SQUARES

from .drawn import write

DOCS = (Path(__file__).parents[2] / "docs" / "layouts.md").read_text(encoding="utf-8")


def test_the_first_example_is_a_board(tmp_path: Path) -> None:
    block = re.findall(r"```yaml\n(.*?)```", DOCS, re.DOTALL)[0]
    scene = load_scene(write(tmp_path, block))
    assert scene.layout is not None
    assert {zone.id for zone in scene.zones} == {"red", "blue"}
    assert len(scene.ductways) == 1


def test_every_character_is_in_the_table() -> None:
    table = DOCS[DOCS.index("| squares |") : DOCS.index("What stands on a border")]
    for sign in (*SQUARES, *(part for name in BORDERS for part in name)):
        told = "blank" if sign == " " else f"`{sign}`" if sign != "|" else "`\\|`"
        assert told in table, sign
