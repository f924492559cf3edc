"""Builds with planted faults: a few seeds every day, more with --full. The figures come from scripts/check-quality."""

from __future__ import annotations

import numpy as np
import pytest
from quality.builds import build
from quality.score import Score, score


def test_builds_repeat_by_seed() -> None:
    one, other = build(5), build(5)
    assert np.array_equal(one.triangles, other.triangles)
    assert [f.kinds for f in one.faults] == [f.kinds for f in other.faults]


@pytest.mark.parametrize("first", [1000])
def test_planted_faults_are_found_and_nothing_else(full: bool, first: int) -> None:
    total = Score()
    for seed in range(first, first + (120 if full else 6)):
        total.add(score(seed))
    assert total.recall >= 0.98, total.missed
    assert total.precision >= 0.95, total.wrong
