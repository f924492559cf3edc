"""What is compiled ahead is what questions need: nothing is compiled for the smallest ground alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import sandbox
from sandbox.ground import ahead
from sandbox.ground.kernels import (
    links_leap,
    links_over,
    links_slots,
    search_arrive,
    search_field,
    search_relaxed,
    search_spread,
)

LATE: dict[str, Any] = {
    "climbs": links_over.cross_lips,
    "leaps": links_leap.leap_lips,
    "slots": links_slots.slots_beside,
    "search": search_spread.spread,
    "its beginning": search_spread.begin,
    "arrivals": search_arrive.arrive,
    "corners": search_field.onto_corners,
    "prices": search_field.survey_prices,
    "floors of places": search_field.hosts,
    "keeping clear of models": search_field.keep_out,
    "borders": search_field.near_borders,
    "lines along borders": search_field.onto_borders,
    "refusals": search_relaxed.relax,
}
SCENE = """
name: A bit of everything
board: {size: [24, 24]}
terrain:
  - {id: block, box: [4, 4, 2], at: [12, 12]}
  - {id: second, box: [4, 3, 2], at: [12, 17]}
areas:
  - {kind: difficult, polygon: [[14, 2], [18, 2], [18, 8], [14, 8]]}
fighters:
  - {id: kal, side: red, at: [12, 8], profile: {M: 5, I: 4}}
  - {id: rax, side: blue, at: [14, 6], profile: {M: 5, I: 4}}
"""


@pytest.fixture
def asked(tmp_path: Path) -> dict[str, list[Any]]:
    """By kernel, what it was compiled for by questions."""
    (tmp_path / "scene.yaml").write_text(SCENE)
    moves = sandbox.load(tmp_path / "scene.yaml").moves("kal")
    assert len(moves.spots)
    assert not moves.to(12, 18.5).legal
    return {name: list(kernel.signatures) for name, kernel in LATE.items()}


def test_ahead_compiles_what_questions_need_and_nothing_else(asked: dict[str, list[Any]]) -> None:
    assert all(asked.values()), [name for name, compiled in asked.items() if not compiled]
    ahead.compile_late()
    assert {name: list(kernel.signatures) for name, kernel in LATE.items()} == asked
