"""Whether kernels are compiled already, and compiling some ahead in a process of its own."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import sandbox

AHEAD = "sandbox.ground.ahead"


def compiled() -> bool:
    """Whether compiled kernels of an earlier run lie where they are kept."""
    return any(next(folder.glob("**/*.nbi"), None) is not None for folder in _folders())


def _folders() -> list[Path]:
    """Where kernels are kept: a folder that was named, beside the code, or the user's own where that is read-only."""
    named = os.environ.get("NUMBA_CACHE_DIR")
    if named:
        return [Path(named)]
    kernels = kernel_folders()
    if all(os.access(folder, os.W_OK) for folder in kernels):
        return [folder / "__pycache__" for folder in kernels]
    return [Path.home() / ".cache" / "numba"]


def kernel_folders() -> list[Path]:
    """The folders of the package that hold kernels."""
    return list(Path(sandbox.__file__).parent.glob("*/kernels"))


@cache
def compile_ahead() -> None:
    """Where nothing is compiled yet and there is more than one core: start a process that compiles what is needed last.

    Once; it is left to itself, and nothing hangs on whether it can run.
    """
    if compiled() or (os.cpu_count() or 1) < 2:
        return
    with contextlib.suppress(OSError):
        subprocess.Popen(
            [sys.executable, "-m", AHEAD],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
