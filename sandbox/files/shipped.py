"""Files that ship with the product: scenes and models, beside the package or, when installed, inside it."""

from __future__ import annotations

from pathlib import Path

import sandbox
from sandbox.errors import UserError

_FOLDERS = ("scenes", "models")
_KNOWN = "scenes/gantry.yaml"
"""a file by which the folder of all of them is known."""


def shipped(name: str) -> Path:
    """The path of a shipped file such as ``scenes/gantry.yaml``. Raises UserError where it is missing."""
    package = Path(sandbox.__file__).parent
    for root in (package / "data", package.parent):
        if (root / name).is_file():
            return root / name
    raise UserError(f"{name} is missing from this installation; install sandbox again")


def shipped_folder() -> Path:
    """The folder that holds the shipped ``scenes`` and ``models``. Raises UserError where they are missing."""
    return shipped(_KNOWN).parent.parent


def missing(path: Path) -> str:
    """What is said of a file that is not there; of one that ships with the product, where it lies."""
    at = lies_at(path)
    return "no such file" if at is None else f"no such file here; the one that comes with sandbox is {at}"


def no_file(path: Path) -> str:
    """What is said where a file is wanted and a folder or nothing is."""
    return "this is a folder; a file is wanted" if path.is_dir() else missing(path)


def lies_at(path: Path) -> Path | None:
    """Where the shipped file lies that a path such as ``../models/tower.glb`` seems to name; None where it is none."""
    parts = path.parts
    begins = max((k for k, part in enumerate(parts) if part in _FOLDERS), default=None)
    if begins is None:
        return None
    try:
        return shipped("/".join(parts[begins:]))
    except UserError:
        return None
