"""The worked cases are all there, under every pack that has what they are about, each at three angles."""

from __future__ import annotations

import importlib

import pytest

from .board import ANGLES
from .table import BLIGHT, CASES, LAST, NOT_IN_BLIGHTMEER, PACKS, case

SHOWN_IN = (
    "cases.test_heights",
    "cases.test_gaps",
    "cases.test_room",
    "cases.test_ground",
    "falling.test_cases",
    "status.test_engagement",
)


def test_every_worked_case_is_shown_under_every_pack() -> None:
    for module in SHOWN_IN:
        importlib.import_module(module)
    for number in range(1, LAST + 1):
        wanted = set(PACKS) - ({BLIGHT} if number in NOT_IN_BLIGHTMEER else set())
        assert CASES.get(number) == wanted, f"case {number}"
    assert set(CASES) == set(range(1, LAST + 1))
    assert len(set(ANGLES)) == 3


def test_a_case_at_one_angle_is_refused() -> None:
    known = {number: set(packs) for number, packs in CASES.items()}
    with pytest.raises(TypeError, match="one angle"):

        @case(1, PACKS)
        def test_of_nothing(plain: object) -> None:
            raise AssertionError(plain)

    assert known == CASES
