"""Files that once broke a reader, found by scripts/fuzz: each is read, or refused in one line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts" / "fuzzing"))

from readers import TARGETS, feed

FOUND = sorted((Path(__file__).parent / "found").glob("*"))


@pytest.mark.parametrize("name", list(TARGETS))
def test_what_a_reader_begins_with_is_read(name: str, tmp_path: Path) -> None:
    target = TARGETS[name]
    seeds = target.seeds()
    for seed in seeds:
        feed(name, seed, tmp_path)
    good = tmp_path / f"good{target.suffix}"
    good.write_bytes(seeds[0])
    if name not in (
        "scene",
        "lesson",
        "game",
        "layout",
    ):  # these name other files, which are not beside them here
        assert target.read(good) is not None


def test_what_broke_a_reader_breaks_it_no_more(tmp_path: Path) -> None:
    for path in FOUND:
        feed(path.name.split("-")[0], path.read_bytes(), tmp_path)
