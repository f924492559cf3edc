"""The board fixture: an empty board under a pack, at each of three angles."""

from __future__ import annotations

from pathlib import Path

import pytest

from .board import ANGLES, Board, one_angle_a_day
from .table import N23


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sample the angles."""
    one_angle_a_day(items, Path(__file__).parent, "angle")


@pytest.fixture(params=ANGLES, ids=lambda a: f"{a:g}deg")
def angle(request: pytest.FixtureRequest) -> float:
    """How far the contents of a board are turned, degrees."""
    return float(request.param)


@pytest.fixture
def rules() -> str:
    """The pack, where a test names none."""
    return N23


@pytest.fixture
def board(angle: float, rules: str, tmp_path: Path) -> Board:
    """An empty open board whose contents will be turned."""
    return Board(tmp_path, angle=angle, rules=rules)
