"""The examples of docs/outcomes.md run as written, and say what their comments say."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "outcomes.md").read_text(encoding="utf-8")


def test_the_python_example_says_what_its_comments_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict[str, Any] = {}
    said = []
    for line in block.splitlines():
        code, _, comment = line.partition("#")
        code = code.strip()
        if not code:
            continue
        if code.startswith("import") or re.match(r"\w+ = ", code):
            exec(code, names)
        else:
            said.append((repr(eval(code, names)), comment.strip()))
    checked = [(value, comment) for value, comment in said if comment[:1] in "'(" or comment[:1].isdigit()]
    assert len(checked) == 7
    for value, comment in checked:
        assert comment.startswith(value), (value, comment)


def test_every_rule_that_the_page_names_is_a_rule() -> None:
    from sandbox.moves.odds_tree import Tree
    from sandbox.rules import load_pack
    from sandbox.rules.schema import StatusRow

    pack = load_pack("blightmeer").rule_ids + load_pack().rule_ids
    names = {n.partition(":")[0] for n in re.findall(r"`([a-z_]+(?:\.[a-z]+)?(?:: [a-z-]+)?)`", PAGE)}
    ours = {*StatusRow.model_fields, *Tree.__dataclass_fields__}
    for name in sorted(names):
        if "_" in name or name.startswith("table."):
            assert name in pack or name in ours or name == "may_not" or name.startswith("status."), name
