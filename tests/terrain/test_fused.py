"""Pieces that touch are not fused, whatever their turn; pieces that go into each other by more than placing by hand are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sandbox

TURNS = [0.0, 7.0, 11.9, 30.0, 45.0, 61.3, 90.0]


def crate_is_free(folder: Path, turn: float, gap: float, off: tuple[float, float]) -> bool:
    """Whether a crate of 1.5 x 1.5 x 1 inches, `gap` away from a wall, stands free; the whole turned about (12, 12)."""
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))

    def at(x: float, y: float) -> list[float]:
        return [float(12 + off[0] + c * x - s * y), float(12 + off[1] + s * x + c * y)]

    path = folder / "touching.yaml"
    path.write_text(
        f"board: {{size: [24, 24]}}\nterrain:\n"
        f"  - {{id: crate, box: [1.5, 1.5, 1], at: {at(0, 0)}, turn: {turn}}}\n"
        f"  - {{id: wall, box: [6, 1, 4], at: {at(0.3, 1.25 + gap)}, turn: {turn}}}\n"
    )
    field = sandbox.load(path)
    return next(part.free_standing for part in field.terrain.parts if part.piece == "crate")


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("off", [(0.0, 0.0), (0.337, -0.211)])
@pytest.mark.parametrize(
    ("gap", "free"),
    [(0.01, True), (0.001, True), (0.0, True), (-0.001, True), (-0.015, True), (-0.03, False), (-0.3, False)],
)
def test_a_crate_against_a_wall(
    turn: float, off: tuple[float, float], gap: float, free: bool, tmp_path: Path
) -> None:
    assert crate_is_free(tmp_path, turn, gap, off) is free
