from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from sandbox.rules import Pack, load_pack

PackMaker = Callable[[str], Pack]


@pytest.fixture
def necro23() -> Pack:
    return load_pack("necromunda-2023")


@pytest.fixture
def necro17() -> Pack:
    return load_pack("necromunda-2017")


@pytest.fixture
def blightmeer() -> Pack:
    return load_pack("blightmeer")


@pytest.fixture
def house(tmp_path: Path) -> PackMaker:
    """Loads a pack file of the given lines, written after a heading that extends necromunda-2023."""

    def load(lines: str, name: str = "house.yaml") -> Pack:
        path = tmp_path / name
        path.write_text(
            "pack: house\nname: House\nabout: Ours.\nextends: necromunda-2023\n" + lines, encoding="utf-8"
        )
        return load_pack(str(path))

    return load
