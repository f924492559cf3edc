"""What all tests share: the everyday run samples, ``--full`` runs everything."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile(
    "everyday", max_examples=20, deadline=None, derandomize=True, suppress_health_check=_SLOW
)
settings.register_profile("full", max_examples=300, deadline=None, suppress_health_check=_SLOW)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="run everything, nothing sampled")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "full: runs only with --full, because it takes long")
    settings.load_profile("full" if config.getoption("--full") else "everyday")
    os.environ.setdefault("NUMBA_NUM_THREADS", "1")  # several test processes share the cores
    # meshes that were read once are kept beside pytest's own cache, not in the user's
    os.environ["SANDBOX_CACHE"] = str(config.rootpath / ".pytest_cache" / "meshes")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--full"):
        return
    chosen = [item for item in items if item.get_closest_marker("full") is None]
    left_out = [item for item in items if item.get_closest_marker("full") is not None]
    items[:] = chosen
    if left_out:
        config.hook.pytest_deselected(items=left_out)


@pytest.fixture(scope="session")
def full(pytestconfig: pytest.Config) -> bool:
    """Whether to try everything; else a test that would take long samples."""
    return bool(pytestconfig.getoption("--full"))
