"""What this machine has of all that the sandbox uses, what is missing, and what to do about it."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sandbox.errors import UserError
from sandbox.help.compiled import kernel_folders

_LOOK_S = 60
"""seconds that drawing one picture may take before it counts as not working."""
_LEAST_FREE_MB = 200

_DRAW = """
from sandbox.view import offscreen
pipe = offscreen.pipe()
print("shaded" if pipe.shaded else "plain")
print(pipe.handle.get_interface_name())
print(pipe.note)
"""


class State(StrEnum):
    """How it stands with one thing."""

    GOOD = "good"
    LESS = "less"
    """it works, but not with all there could be."""
    MISSING = "missing"
    """something cannot be done."""


@dataclass(frozen=True)
class Check:
    """One thing that was looked at."""

    name: str
    state: State
    found: str
    """what is there."""
    advice: str = ""
    """what to do; empty where nothing needs doing."""

    def to_json(self) -> dict[str, str]:
        """Keys name, state, found, advice."""
        return {"name": self.name, "state": self.state.value, "found": self.found, "advice": self.advice}


def examine() -> tuple[Check, ...]:
    """Look at everything; nothing is changed, a picture is drawn in a process of its own."""
    return tuple(_safely(name, look) for name, look in _LOOKS.items())


def _safely(name: str, look: Callable[[], Check]) -> Check:
    try:
        return look()
    except Exception as error:
        words = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        return Check(name, State.MISSING, words, "install the sandbox again")


def _python() -> Check:
    found = f"{platform.python_implementation()} {platform.python_version()} on {platform.system()} {platform.machine()}"
    if not (3, 11) <= sys.version_info[:2] <= (3, 13):
        return Check("python", State.MISSING, found, "use Python 3.11, 3.12 or 3.13")
    return Check("python", State.GOOD, found)


def _packages() -> Check:
    wanted = importlib.metadata.requires("sandbox") or []
    lost, there = [], []
    for line in wanted:
        name = re.split(r"[\s;<>=!~\[(]", line, maxsplit=1)[0]
        if "extra ==" in line or name == "pybullet":
            continue  # extras are not needed, and the engines have a line of their own
        try:
            there.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            lost.append(name)
    if lost:
        return Check("packages", State.MISSING, f"without {', '.join(lost)}", f"pip install {' '.join(lost)}")
    return Check("packages", State.GOOD, ", ".join(there))


def _engines() -> Check:
    from sandbox.physics import Engine, chosen_engine, engines  # noqa: PLC0415 - may be what is broken

    found = engines()
    if not found:
        return Check("physics", State.MISSING, "no engine", "pip install panda3d")
    words = f"{chosen_engine()} is used; installed: {', '.join(found)}"
    if Engine.PYBULLET in found:
        return Check("physics", State.GOOD, words)
    return Check(
        "physics",
        State.GOOD,
        f"{words} (pybullet has wheels for Linux on x86-64 and Python 3.11 only; answers are the same)",
    )


def _kernels() -> Check:
    kernels = kernel_folders()
    built = sum(1 for folder in kernels for _ in folder.glob("__pycache__/*.nbc"))
    own = os.environ.get("NUMBA_CACHE_DIR")
    if own:
        return Check("compiled parts", State.GOOD, f"kept in {own} (NUMBA_CACHE_DIR)")
    if built:
        return Check("compiled parts", State.GOOD, f"{built} ready")
    caches = [folder for folder in kernels if not os.access(folder, os.W_OK)]
    if caches:
        return Check(
            "compiled parts",
            State.LESS,
            f"none ready, and {caches[0]} cannot be written to",
            "set NUMBA_CACHE_DIR to a folder that can be written to; else every start compiles for a minute or two",
        )
    return Check(
        "compiled parts",
        State.LESS,
        "none ready yet",
        "the first question compiles for a minute or two, once",
    )


def _graphics() -> Check:
    try:
        seen = subprocess.run(
            [sys.executable, "-c", _DRAW], capture_output=True, text=True, timeout=_LOOK_S, check=False
        )
    except subprocess.TimeoutExpired:
        return Check(
            "pictures", State.MISSING, f"nothing drawn within {_LOOK_S} s", "renew the graphics driver"
        )
    lines = seen.stdout.split("\n")
    if seen.returncode != 0 or len(lines) < 2:
        last = (seen.stderr.strip().splitlines() or ["the drawing process ended"])[-1]
        return Check(
            "pictures", State.MISSING, last[:200], "install Mesa (on Debian: libegl1 libgl1-mesa-dri)"
        )
    if lines[0] == "plain":
        return Check(
            "pictures", State.LESS, f"{lines[1]}: {lines[2]}", "install an OpenGL driver for soft shade"
        )
    return Check("pictures", State.GOOD, f"drawn through {lines[1]}")


def _window() -> Check:
    if sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    ):
        return Check(
            "window",
            State.LESS,
            "no display here",
            "pictures (--image) work; for the window start it on a desktop",
        )
    try:
        found = importlib.metadata.version("panda3d-imgui")
    except importlib.metadata.PackageNotFoundError:
        return Check("window", State.MISSING, "panels are not installed", "pip install panda3d-imgui")
    return Check("window", State.GOOD, f"panels by panda3d-imgui {found}")


def _files() -> Check:
    from sandbox.files.shipped import shipped_folder  # noqa: PLC0415

    try:
        return Check("scenes and models", State.GOOD, str(shipped_folder()))
    except UserError as error:
        return Check("scenes and models", State.MISSING, str(error), "install the sandbox again")


def _store() -> Check:
    from sandbox.terrain.store import folder  # noqa: PLC0415

    place = folder()
    if place is None:
        return Check("kept meshes", State.LESS, "not kept", "unset SANDBOX_CACHE to keep what was read")
    there = next((p for p in (place, *place.parents) if p.exists()), place)
    if not os.access(there, os.W_OK):
        return Check(
            "kept meshes", State.LESS, f"{there} cannot be written to", "models are read anew at every start"
        )
    size = sum(p.stat().st_size for p in place.glob("**/*") if p.is_file()) / 1e6 if place.exists() else 0.0
    return Check("kept meshes", State.GOOD, f"{size:.0f} MB in {place}")


def _disk() -> Check:
    import shutil  # noqa: PLC0415

    place = tempfile.gettempdir()
    free = shutil.disk_usage(place).free / 1e6
    if free < _LEAST_FREE_MB:
        return Check(
            "free disk", State.LESS, f"{free:.0f} MB in {place}", "make room: files are written there first"
        )
    return Check("free disk", State.GOOD, f"{free / 1000:.1f} GB in {place}")


_LOOKS: dict[str, Callable[[], Check]] = {
    "python": _python,
    "packages": _packages,
    "physics": _engines,
    "compiled parts": _kernels,
    "pictures": _graphics,
    "window": _window,
    "scenes and models": _files,
    "kept meshes": _store,
    "free disk": _disk,
}


def to_json(found: tuple[Check, ...]) -> dict[str, Any]:
    """Keys version, good (nothing is missing) and checks."""
    return {
        "version": importlib.metadata.version("sandbox"),
        "good": all(check.state is not State.MISSING for check in found),
        "checks": [check.to_json() for check in found],
    }
