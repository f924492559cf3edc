"""Files that ship with the product: scenes and models, beside the package or, when installed, inside it."""

from __future__ import annotations

from pathlib import Path

import sandbox
from sandbox.errors import UserError


def shipped(name: str) -> Path:
    """The path of a shipped file such as ``scenes/gantry.yaml``. Raises UserError where it is missing."""
    package = Path(sandbox.__file__).parent
    for root in (package / "data", package.parent):
        if (root / name).is_file():
            return root / name
    raise UserError(f"{name} is missing from this installation; install sandbox again")


def missing(path: Path) -> str:
    """What is said of a file that is not there; of one that ships with the product, where it lies."""
    said = "no such file"
    parts = path.parts[-2:]
    if len(parts) < 2 or parts[0] not in ("scenes", "models"):
        return said
    try:
        return f"{said} here; the one that comes with sandbox is {shipped('/'.join(parts))}"
    except UserError:
        return said
