"""Settings of what is underfoot do what they say: difficult ground by any part of the base, obstacles to stand on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import sandbox
from sandbox.rules import constants

from .boards import R32, load


def _with(folder: Path, text: str, settings: dict[str, object]) -> sandbox.Battlefield:
    load(folder, text)
    return sandbox.load(folder / "board.yaml", settings=settings)


STRIP = """
{what}
fighters:
  - {{id: kal, side: red, at: [4, 12], facing: 0, base: {base}, profile: {{M: 14, I: 4}}}}
"""
AREA = "areas: [{kind: difficult, polygon: [[8, 0], [10, 0], [10, 24], [8, 24]]}]"
SLAB = "terrain: [{id: mire, box: [2, 24, 0.1], at: [9, 12], kind: difficult}]"


@pytest.mark.parametrize("what", [AREA, SLAB], ids=["area", "piece"])
@pytest.mark.parametrize(("base", "reach"), [(32, R32), ("[60, 35]", 30 / 25.4)], ids=["round", "oval"])
def test_difficult_ground_counts_under_any_part_of_the_base(
    what: str, base: object, reach: float, tmp_path: Path
) -> None:
    text = STRIP.format(what=what, base=base)
    by_centre = load(tmp_path, text).moves("kal", "move").to(13, 12)
    by_any_part = _with(tmp_path, text, {"difficult_by_centre": False}).moves("kal", "move").to(13, 12)
    assert by_centre.cost == pytest.approx(9 + 2, abs=0.03)
    assert by_any_part.cost == pytest.approx(9 + 2 + 2 * reach, abs=0.03)
    beside = (
        _with(tmp_path, text, {"difficult_by_centre": False}).moves("kal", "move").to(8 - reach - 0.02, 12)
    )
    assert beside.cost == pytest.approx(4 - reach - 0.02, abs=0.01)


CRATES = """
terrain:
  - {{id: crate, box: [{wide}, 1.6, 1], at: [8, 12]}}
fighters:
  - {{id: kal, side: red, at: [4, 12], base: 25, profile: {{M: 9, I: 4}}}}
"""


@pytest.mark.parametrize(("wide", "stands"), [(1.2, True), (0.9, False)])
def test_obstacles_that_hold_a_base_may_be_stood_on(wide: float, stands: bool, tmp_path: Path) -> None:
    text = CRATES.format(wide=wide)
    refused = load(tmp_path, text).moves("kal", "move").to(8, 12, 1)
    assert refused.rulings[0].rule == "obstacle_stand"
    move = _with(tmp_path, text, {"obstacle_stand": True}).moves("kal", "move").to(8, 12, 1)
    assert move.legal is stands


def test_every_constant_of_a_pack_is_asked_for() -> None:
    """A setting that nothing reads would be a promise that is not kept."""
    root = Path(sandbox.__file__).parent
    code = "\n".join(
        path.read_text(encoding="utf-8")
        for path in sorted(root.rglob("*.py"))
        if path.name not in ("constants.py", "schema.py") or path.parent.name != "rules"
    )
    told_only = {"dangerous_vehicle_fail"}  # players apply it: it is told as an event
    unread = {name for name in constants.names() if not re.search(rf"\.{name}\b|\"{name}\"", code)}
    assert unread <= told_only
