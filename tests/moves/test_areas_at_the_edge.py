"""Agreed ground that reaches over the board's edge is paid for along the edge as well."""

from __future__ import annotations

from pathlib import Path

import pytest

import sandbox

SCENE = """
board: {{size: [15, 10]}}
areas: [{{kind: {kind}, polygon: [[6, -2], [7.2, -2], [7.2, 5], [6, 5]]}}]
fighters: [{{id: k, at: [5.2, 1.4], profile: {{M: 6, I: 4}}}}]
"""


@pytest.mark.parametrize(("kind", "chance"), [("dangerous", 0.5), ("difficult", 1.0)])
def test_nobody_slips_by_along_the_edge(kind: str, chance: float, tmp_path: Path) -> None:
    path = tmp_path / "strip.yaml"
    path.write_text(SCENE.format(kind=kind))
    move = sandbox.load(path).moves("k", "move").to(7.9, 1.4)
    assert move.legal
    assert move.cost == pytest.approx(2.7 + 1.2, abs=0.02)
    assert move.success == pytest.approx(chance)
