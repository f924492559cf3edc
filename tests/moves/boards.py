"""Small boards for the tests of moves: a scene as text, loaded under a pack."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import sandbox

R32 = 16 / 25.4


def load(folder: Path, text: str, rules: str | None = None, size: float = 24) -> Any:
    """The battlefield of a scene that begins after its name and board."""
    head = "" if "board:" in text else f"board: {{size: [{size}, {size}]}}\n"
    file = folder / "board.yaml"
    file.write_text(f"name: Board\n{head}{text}", encoding="utf-8")
    return sandbox.load(file, rules=rules)
