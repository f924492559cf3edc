"""A thousand legs, half of them within a millimetre of contact: both engines say what fine stepping says."""

from __future__ import annotations

import os
from collections import Counter

import numpy as np
import pytest
from thousand import ALLOWED, CLOSE_CALL, Kind, Leg, Upright, draw, drawn, least_gap

from sandbox.physics.world import SETTING, Engine, engines, open_world

LEGS = 1000
BATCH = 100
SAMPLED = 9
"""of how many legs the everyday run takes one: an odd number, so that both halves are in it."""
DEPTH_MM = 0.04


@pytest.mark.parametrize("first", range(0, LEGS, BATCH))
def test_both_engines_say_what_stepping_says(first: int, full: bool) -> None:
    board = drawn(first, BATCH, 1 if full else SAMPLED)
    named = os.environ.get(SETTING)
    for engine in [Engine(named)] if named else engines():
        world = open_world(board.terrain(), engine)
        wrong = []
        for number, (leg, place) in enumerate(zip(board.legs, board.boards, strict=True)):
            if abs(leg.gap + ALLOWED) < CLOSE_CALL:
                continue
            proof = leg.prove(world, place)
            told = f"{engine} {number} {leg.kind}: gap {leg.gap:.3f}, {proof.refusal}, {proof.depth * 25.4:.3f} deep"
            if proof.confirmed is not leg.confirmed:
                wrong.append(told)
            elif leg.confirmed and abs(proof.depth * 25.4 - max(0.0, -leg.gap)) > DEPTH_MM:
                wrong.append(told + " (its depth is wrong)")
        world.close()
        assert wrong == []


def test_the_legs_are_what_they_should_be() -> None:
    legs = [draw(seed) for seed in range(100)]
    near = sum(abs(leg.gap) <= 1.02 for leg in legs)
    assert near >= 50
    assert sum(abs(leg.gap + ALLOWED) < CLOSE_CALL for leg in legs) <= 1
    for kind in Kind:
        told = Counter(leg.confirmed for leg in legs if leg.kind is kind)
        assert min(told[True], told[False]) >= 4


def test_the_judge_itself() -> None:
    post = Upright(np.array([[10.0, -1], [12, -1], [12, 1], [10, 1]]), 0.0, 50.0)

    def gap(
        x: float, y: float, z: float, half: tuple[float, float] = (5.0, 5.0), facing: float = 0.0
    ) -> float:
        return least_gap(Leg(Kind.LANDING, half, facing, np.array([[x, y, z]])), post)

    assert gap(0, 0, 0) == pytest.approx(5)
    assert gap(6, 0, 0) == pytest.approx(-1)
    assert gap(11, 7, 0) == pytest.approx(1)
    assert gap(6, -4, 0) == pytest.approx(0, abs=1e-4)  # a corner, 3 and 4 away
    assert gap(6, 0, 49.5) == pytest.approx(-0.25)
    assert gap(2, 0, 53.75) == pytest.approx(5)  # 3 beside it and 4 above
    assert gap(0, 0, 0, (8, 4)) == pytest.approx(2)
    assert gap(0, 0, 0, (8, 4), 90.0) == pytest.approx(6)
    way = Leg(Kind.AIR, (5.0, 5.0), 0.0, np.array([[0.0, 30.0, 0.0], [0.0, -30.0, 0.0]]))
    assert least_gap(way, post) == pytest.approx(5, abs=1e-3)
