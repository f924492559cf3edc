"""The board fixture: an empty board at each of three angles."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from .board import ANGLES, Board

SAMPLED = ("test_2017.py", "test_blightmeer.py")
"""files whose cases are tried at one angle every day, a different one for each case, and at all with ``--full``."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave all angles but one of the sampled files to the full run."""
    for item in items:
        if item.path.name not in SAMPLED or item.path.parent != Path(__file__).parent:
            continue
        call = getattr(item, "callspec", None)
        angle = None if call is None else call.params.get("board")
        if angle is None:
            continue
        case = item.nodeid.replace(f"{angle:g}deg", "")
        if ANGLES.index(angle) != zlib.crc32(case.encode()) % len(ANGLES):
            item.add_marker("full")


@pytest.fixture(params=ANGLES, ids=lambda a: f"{a:g}deg")
def board(request: pytest.FixtureRequest, tmp_path: Path) -> Board:
    """An empty open board whose contents will be turned."""
    return Board(tmp_path, angle=float(request.param))
