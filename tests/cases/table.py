"""The worked cases as a table: which case is tried under which pack. A test that shows one says so with `case`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import pytest

N23, N17, BLIGHT = "necromunda-2023", "necromunda-2017", "blightmeer"
NECROMUNDA = (N23, N17)
PACKS = (N23, N17, BLIGHT)

LAST = 32
"""cases are numbered from 1 to this."""
NOT_IN_BLIGHTMEER = (4, 24, 25, 29)
"""cases about what Blightmeer does not have."""

CASES: dict[int, set[str]] = {}
"""packs that each case has been shown for, by its number; filled when the tests are read."""

Test = TypeVar("Test", bound=Callable[..., None])


def case(number: int, rows: Iterable[Any], names: str = "rules") -> Callable[[Test], Test]:
    """Mark a test as showing a worked case.

    rows: the packs it is tried under, or one tuple for each try, a pack first; names: what the columns are called,
    ``rules`` first. The test takes a `board`, which is at another angle in each of its runs.
    """
    tries = list(rows)
    CASES.setdefault(number, set()).update(one if isinstance(one, str) else one[0] for one in tries)

    def mark(test: Test) -> Test:
        if "board" not in inspect.signature(test).parameters:
            raise TypeError(f"{test.__name__} shows case {number} at one angle only")
        return pytest.mark.parametrize(names, tries)(test)

    return mark
