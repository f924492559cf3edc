"""The board fixture: an empty board at each of three angles."""

from __future__ import annotations

from pathlib import Path

import pytest

from .board import ANGLES, Board


@pytest.fixture(params=ANGLES, ids=lambda a: f"{a:g}deg")
def board(request: pytest.FixtureRequest, tmp_path: Path) -> Board:
    """An empty open board whose contents will be turned."""
    return Board(tmp_path, angle=float(request.param))
