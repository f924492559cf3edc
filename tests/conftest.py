"""What all tests share: the everyday run samples, ``--full`` runs everything."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
from collections.abc import Iterator
from importlib.util import find_spec

import pytest
from hypothesis import HealthCheck, settings

from sandbox.help.compiled import compiled

_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile(
    "everyday", max_examples=20, deadline=None, derandomize=True, suppress_health_check=_SLOW
)
settings.register_profile("full", max_examples=300, deadline=None, suppress_health_check=_SLOW)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="run everything, nothing sampled")
    parser.addoption(
        "--engine",
        choices=("pybullet", "panda"),
        help="run everything on this engine alone (without it: on the one that is preferred, and tests of the "
        "engines on both)",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "full: runs only with --full, because it takes long")
    settings.load_profile("full" if config.getoption("--full") else "everyday")
    os.environ.setdefault("NUMBA_NUM_THREADS", "1")  # several test processes share the cores
    if config.getoption("--engine"):
        os.environ["SANDBOX_ENGINE"] = {"panda": "panda3d"}.get(name := config.getoption("--engine"), name)
    config.addinivalue_line(
        "markers", "pybullet: needs what pybullet brings; left out where it is not installed"
    )
    config.addinivalue_line("markers", "browser: runs only where SANDBOX_BROWSER names a Chromium")
    # meshes that were read once are kept beside pytest's own cache, not in the user's
    os.environ["SANDBOX_CACHE"] = str(config.rootpath / ".pytest_cache" / "meshes")


def pytest_sessionstart() -> None:
    """Where nothing is compiled yet, the second test process begins with what the first one needs last."""
    if os.environ.get("PYTEST_XDIST_WORKER") != "gw1" or compiled():
        return
    from sandbox.ground import ahead

    ahead.compile_late()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    without = set()
    if not config.getoption("--full"):
        without.add("full")
    if find_spec("pybullet") is None:
        without.add("pybullet")
    if not os.environ.get("SANDBOX_BROWSER"):
        without.add("browser")
    chosen = [item for item in items if not any(item.get_closest_marker(name) for name in without)]
    left_out = [item for item in items if any(item.get_closest_marker(name) for name in without)]
    items[:] = chosen
    if left_out:
        config.hook.pytest_deselected(items=left_out)


@pytest.fixture(scope="module", autouse=True)
def _give_back() -> Iterator[None]:
    """Give memory that is free again back to the system after each file of tests, where the system's malloc does not."""
    yield
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)


@pytest.fixture(scope="session")
def full(pytestconfig: pytest.Config) -> bool:
    """Whether to try everything; else a test that would take long samples."""
    return bool(pytestconfig.getoption("--full"))
