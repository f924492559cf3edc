"""Tiny boards for statuses, turned to three angles."""

from __future__ import annotations

from pathlib import Path

import pytest
from cases.board import ANGLES, Board, one_angle_a_day


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sample the angles."""
    one_angle_a_day(items, Path(__file__).parent, "board")


@pytest.fixture(params=ANGLES, ids=lambda a: f"{a:g}deg")
def board(request: pytest.FixtureRequest, tmp_path: Path) -> Board:
    """An empty open board whose contents will be turned."""
    return Board(tmp_path, angle=float(request.param))


@pytest.fixture
def plain(tmp_path: Path) -> Board:
    """An empty open board at one odd angle."""
    return Board(tmp_path, angle=17.0)
