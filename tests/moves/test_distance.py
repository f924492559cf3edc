"""Distance between bases: exact for circles, right for ovals, stopped by solids, not by what is measured through."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import sandbox
from sandbox.moves.distance import Base, gaps, plan_gap

R = 16 / 25.4


def test_circles() -> None:
    a, b = Base((0, 0, 0), R, R), Base((3, 4, 0), R, R)
    assert plan_gap(a, b) == pytest.approx(5 - 2 * R)
    assert gaps(np.array([[0.0, 0.0, 1.0]]), a, b)[0] == pytest.approx(math.hypot(5 - 2 * R, 1))
    assert gaps(np.array([[3.0, 4.0, 1.0]]), a, b)[0] == pytest.approx(1.0)


@pytest.mark.parametrize("turn", [0.0, 30.0, 90.0])
def test_ovals(turn: float) -> None:
    long, short = 30 / 25.4, 17.5 / 25.4
    a = math.radians(turn)
    along = (5 * math.cos(a), 5 * math.sin(a), 0.0)
    across = (-5 * math.sin(a), 5 * math.cos(a), 0.0)
    oval = Base((0, 0, 0), long, short, turn)
    assert plan_gap(oval, Base(along, R, R)) == pytest.approx(5 - long - R, abs=0.002)
    assert plan_gap(oval, Base(across, R, R)) == pytest.approx(5 - short - R, abs=0.002)
    assert plan_gap(oval, Base((0.5 * along[0], 0.5 * along[1], 0.0), long, short, turn)) > 0


WALLED = """
name: Walled
board: {size: [24, 24]}
terrain:
  - {id: screen, box: [0.3, HALF, HEIGHT], at: [12, AT]}
fighters:
  - {id: kal, side: red, at: [11.0, 12]}
  - {id: rax, side: blue, at: [13.0, 12]}
"""


@pytest.mark.parametrize(
    ("half", "height", "at", "clear"),
    [
        (6.0, 3.0, 12.0, False),  # a long wall between them
        (6.0, 1.0, 12.0, True),  # a free-standing barricade never stops measuring
        (3.0, 3.0, 13.4, True),  # a wall beside the straight line leaves a clear line past its end
    ],
)
def test_what_stops_measuring(tmp_path: Path, half: float, height: float, at: float, clear: bool) -> None:
    text = WALLED.replace("HALF", str(half)).replace("HEIGHT", str(height)).replace("AT", str(at))
    file = tmp_path / "walled.yaml"
    file.write_text(text, encoding="utf-8")
    field = sandbox.load(file)
    apart = field.measuring.distance(field.fighter("kal").base, field.fighter("rax").base, 1.5)
    if clear:
        assert 2 - 2 * R - 1e-6 <= apart < 1.0
    else:
        assert apart == math.inf
