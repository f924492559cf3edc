"""Who starts too near to an enemy may move away, as long as the distance never shrinks."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import numpy as np
import pytest

from .boards import R32, load

NEAR = """
terrain: WALLS
fighters:
  - {id: kal, side: red, at: [12, 12]}
  - {id: rax, side: blue, at: [AT, 12], status: pinned}
"""
FAR_SIDE = 12 - 2 * R32 - 0.6


def _text(walls: str, at: float = FAR_SIDE) -> str:
    return NEAR.replace("WALLS", walls).replace("AT", f"{at:.4f}")


def test_away_is_open_and_nearer_is_not(tmp_path: Path) -> None:
    moves = load(tmp_path, _text("[]")).moves("kal")
    away = moves.to(12.2, 12)  # still within an inch, farther than before
    assert away.legal
    assert moves.to(15, 12).legal
    nearer = moves.to(11.9, 12)
    assert not nearer.legal
    assert nearer.rulings[0].rule == "keep_distance"


def test_a_detour_may_not_come_nearer_again(tmp_path: Path) -> None:
    """A long wall beside the mover: round its end, back in on its other side, the distance would shrink again."""
    walls = "[{id: w, box: [3, 0.2, 3], at: [12.5, 12.9], kind: impassable}]"
    field = load(tmp_path, _text(walls, 12 - 2 * R32 - 0.3))
    moves = field.moves("kal")
    behind = (11.6, 13.7)
    move = moves.to(*behind)
    rax = field.fighter("rax").base
    apart = math.hypot(behind[0] - rax.at[0], behind[1] - rax.at[1]) - 2 * R32
    assert 0.3 < apart < 1.0  # farther than at the start, still too near
    if move.legal:
        _never_shrinks(np.concatenate([np.array(leg.path) for leg in move.legs]), rax.at)
    else:
        assert "nearer again" in move.rulings[0].text
    for spot in moves.spots[::13]:
        legal = moves.to(float(spot["x"]), float(spot["y"]), float(spot["z"]))
        assert legal.legal
        _never_shrinks(np.concatenate([np.array(leg.path) for leg in legal.legs]), rax.at)


def _never_shrinks(path: np.ndarray, enemy: tuple[float, float, float]) -> None:
    dense = np.concatenate([np.linspace(a, b, 40) for a, b in itertools.pairwise(path)])
    apart = np.minimum(np.hypot(dense[:, 0] - enemy[0], dense[:, 1] - enemy[1]) - 2 * R32, 1.0)
    assert (np.maximum.accumulate(apart) - apart).max() < 0.03


@pytest.mark.parametrize("action", ["move", "double-move"])
def test_open_ground_beside_an_enemy_loses_nothing(tmp_path: Path, action: str) -> None:
    """Round the enemy at the start's own distance and on: as cheap as an arc and its tangent."""
    field = load(tmp_path, _text("[]"))
    move = field.moves("kal", action).to(FAR_SIDE - 2.6, 12)
    if action == "double-move":
        assert move.legal
    radius = 2 * R32 + 0.6
    tangent = math.sqrt(2.6**2 - radius**2)
    exact = radius * (math.pi - math.acos(radius / 2.6)) + tangent
    assert move.cost == pytest.approx(exact, abs=0.06)
