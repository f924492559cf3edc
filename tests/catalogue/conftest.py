"""Builds for catalogues are made by the modules of scripts/quality; work that stands in for a check by `work`."""

from __future__ import annotations

import sys
from pathlib import Path

for folder in (Path(__file__).parents[2] / "scripts", Path(__file__).parents[1]):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
