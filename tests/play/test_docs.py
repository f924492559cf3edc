"""The page on playing: its Python runs as written, its lines can be typed, its links lead somewhere."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from play.games import DECK, table
from sandbox.errors import UserError
from sandbox.play import parse

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "playing.md").read_text(encoding="utf-8")


def test_the_python_of_the_page_runs_as_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    code = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert code is not None
    names: dict[str, object] = {}
    told = 0
    for line in code[1].splitlines():
        text, _, comment = line.partition("  # ")
        if comment:
            told += 1
            assert repr(eval(text, names)) == comment.split(":")[0].strip(), line
        else:
            exec(text, names)
    assert told == 4


def test_the_lines_of_the_page_can_be_typed(tmp_path: Path) -> None:
    text = DECK.replace("id: juno", "id: rig").replace("id: crate", "id: hut")
    board = table(
        tmp_path, text.replace("id: casket", "id: gold").replace("rules: %s", "rules: necromunda-2017")
    )
    state = board.begin()
    rows = re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE)
    lines = [line for row in rows for line in re.findall(r"`([^`]+)`", row)]
    known = {"undo", "redo", "log 40", "open", "who", "save FILE", "picture FILE.png"}
    assert known < set(lines)
    for line in lines:
        if line in known:
            continue
        typed = (
            line.replace("crate", "hut")
            .replace("rat ", "kal ")
            .replace("plate", "deck")
            .replace("skill.lie-low", "fall_status")
        )
        try:
            assert parse(board, state, typed)["do"]
        except UserError as error:
            raise AssertionError(f"{line}: {error}") from None


def test_links_lead_somewhere() -> None:
    for link in re.findall(r"\]\(([^)]+)\)", PAGE):
        assert os.path.exists(ROOT / "docs" / link), link
