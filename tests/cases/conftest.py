"""The board fixture: an empty board under a pack, at each of three angles."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from .board import ANGLES, Board
from .table import N23


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave all angles but one to the full run, except for the default pack: every day a case is tried at one angle,
    not the same for all."""
    for item in items:
        call = getattr(item, "callspec", None)
        if item.path.parent != Path(__file__).parent or call is None or "angle" not in call.params:
            continue
        angle = call.params["angle"]
        case = item.nodeid.replace(f"{angle:g}deg", "")
        sampled = call.params.get("rules", N23) != N23
        if sampled and ANGLES.index(angle) != zlib.crc32(case.encode()) % len(ANGLES):
            item.add_marker("full")


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
