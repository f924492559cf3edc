"""The browser test runs where SANDBOX_BROWSER names a Chromium."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests in a browser are for machines that have one."""
    if os.environ.get("SANDBOX_BROWSER"):
        return
    browsing = [item for item in items if item.get_closest_marker("browser") is not None]
    if browsing:
        items[:] = [item for item in items if item not in browsing]
        config.hook.pytest_deselected(items=browsing)


def pytest_configure(config: pytest.Config) -> None:
    """The marker of tests in a browser."""
    config.addinivalue_line("markers", "browser: runs only where SANDBOX_BROWSER names a Chromium")
