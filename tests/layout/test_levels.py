"""Stairs and ladders on boards of two levels: what is beside them, and where they lead."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sandbox.layout.board import open_board
from sandbox.layout.regions import in_squares
from sandbox.layout.symmetry import is_turned
from sandbox.layout.ways import ways_of
from sandbox.scene import load_scene

from .drawn import ROOM, SQUARE, text, write
from .test_check import check, kinds, moves, one

ZONES = 'zones: {"R": red, "B": blue}\npoints: {"1": relay}'
BESIDE_STAIRS = {
    "main": """
        +-+-+-+-+-+-+
        |. . . . . .|
        + + + + + + +
        |. . . . . .|
        + + + + + + +
        |.|^ . . . .|
        + + + + + + +
        |.|^ . . . .|
        + + + + + + +
        |.|^ . . . .|
        + + + + + + +
        |. . . . . .|
        +-+-+-+-+-+-+
    """,
    "upper": """
        +-+-+-+-+-+-+
        |. . . . . .|
        + + + + + + +
        |. . . . . .|
        + + + + + + +
        |.          |
        + + + + + + +
        |.          |
        + + + + + + +
        |.          |
        + + + + + + +
        |. . . . . .|
        +-+-+-+-+-+-+
    """,
}
"""Floor one square wide beside the hole that stairs come up through leads to the southern end of the upper level."""
MIDDLE = """
    ......
    ......
    ..RR..
    ..BB..
    ......
    ......
"""


@pytest.mark.parametrize(("tile", "base"), [(289.0, 25.0), (289.0, 32.0), (292.3, 32.0), (292.3, 40.0)])
def test_floor_beside_stairs_is_walked_on_and_stairs_are_entered_from_the_side(
    tmp_path: Path, tile: float, base: float
) -> None:
    board = open_board(write(tmp_path, text(BESIDE_STAIRS, more=ZONES, marks={"main": MIDDLE}, tile=tile)))
    ways = ways_of(board, (base, base))
    start = np.flatnonzero(in_squares(ways, board.zones["blue"]) & ways.stands)
    end = np.flatnonzero(in_squares(ways, [(1, 5, 0)]) & ways.stands)
    found = ways.search(start, links=False)
    # in squares: south-west to the first step, north up the stairs, over to the floor beside the hole, south, and east
    turns = np.array(
        [(2.3, 2.0), (2.0, 1.4), (1.45, 1.7), (1.1, 3.4), (0.85, 3.4), (0.75, 1.25), (1.05, 1.0), (5.0, 0.85)]
    )
    drawn = np.hypot(*np.diff(turns, axis=0).T).sum() * tile / 6 / 25.4
    assert found.cost[end].min() == pytest.approx(drawn, rel=0.05)


def test_two_ladders_side_by_side_both_lead_up(tmp_path: Path) -> None:
    main = ROOM.replace("|. . . . . .|", "|. . n n . .|", 1)
    upper = ROOM.replace("|. . . . . .|", "|. . x x . .|", 1)
    report = check(tmp_path, text({"main": main, "upper": upper}, more=ZONES, marks={"main": MIDDLE}))
    assert kinds(report, "error") == set()
    ladders = [(way.start, way.up > 0) for way in report.levels if way.kind == "ladder"]
    assert {start for start, up in ladders if up} == {"main C6", "main D6"}
    assert len(ladders) == 4


def test_a_ladder_at_a_lip_leads_to_the_floor_beside_it(tmp_path: Path) -> None:
    main = ROOM.replace("|. . . . . .|", "|. . . s . .|", 1)
    upper = ROOM.replace("|. . . . . .|", "|. . . x . .|", 1)
    rows = upper.splitlines()
    for k in range(4, len(rows), 2):
        rows[k] = rows[k].replace("|. . . . . .|", "|           |")
    marks = {"main": MIDDLE, "upper": "1.....\n" + "......\n" * 5}
    board = text({"main": main, "upper": "\n".join(rows)}, more=ZONES, marks=marks)
    report = check(tmp_path, board)
    assert kinds(report, "error", "trap", "check-only") == set()
    assert report.bases[0].reached == report.bases[0].squares
    found = moves(report, "red", "relay", "open")
    assert found is not None
    assert found[0] < 4.0 * SQUARE + 4.0


def test_a_wide_base_climbs_a_ladder_in_a_corner(tmp_path: Path) -> None:
    # the middle of the square is nearer to the wall beside it than half the base
    main = ROOM.replace("|. . . . . .|", "|n . . . . .|", 1)
    upper = ROOM.replace("|. . . . . .|", "|x . . . . .|", 1)
    legend = 'legend:\n  squares: {"x": {kind: hatch, size: [41], state: open}}'
    marks = {"main": MIDDLE, "upper": "......\n" * 5 + ".....1\n"}
    board = text({"main": main, "upper": upper}, more=ZONES, marks=marks, legend=legend)
    report = check(tmp_path, board, 40.0)
    assert kinds(report, "error") == set()
    assert moves(report, "red", "relay", "open") is not None


TURNED = ROOM.replace("|. . . . . .|", "|. c .D. . .|", 1)
TURNED = "|. . .D. c .|".join(TURNED.rsplit("|. . . . . .|", 1))
SIDES = "RR....\nR.....\n1.....\n.....1\n.....B\n....BB\n"


def turned(folder: Path, drawn: str, marks: str) -> bool:
    """Whether a board of one level is the same for both sides."""
    legend = 'legend:\n  squares: {"c": {kind: crate, size: [28, 28, 28]}}'
    board = text({"main": drawn}, more=ZONES, marks={"main": marks}, legend=legend)
    scene = load_scene(write(folder, board))
    assert scene.layout is not None
    return is_turned(scene.layout.layout)


def test_both_sides_of_a_turned_board_are_alike(tmp_path: Path) -> None:
    assert turned(tmp_path, TURNED, SIDES)
    assert not turned(tmp_path, TURNED.replace("c", ".", 1), SIDES)
    assert not turned(tmp_path, TURNED.replace("D", "d", 1), SIDES)
    assert not turned(tmp_path, TURNED, SIDES.replace("B", "R"))
    assert not turned(tmp_path, TURNED, SIDES.replace("1.....", "......"))
    assert not turned(tmp_path, TURNED, SIDES.replace("RR", "R."))


def test_a_point_at_one_side_is_unfair_unless_the_other_side_has_its_own(tmp_path: Path) -> None:
    alone = SIDES.replace("1.....\n.....1", "1.....\n......")
    near = alone.replace("1.....", "......").replace("R.....", "R1....")
    assert one(check(tmp_path, text({"main": ROOM}, more=ZONES, marks={"main": near})), "unfair")
    each = near.replace(".....B", "....1B").replace('"1"', '"2"')
    both = text({"main": ROOM}, more=ZONES, marks={"main": each})
    assert "unfair" not in kinds(check(tmp_path, both))


def test_a_ladder_under_a_locked_hatch_says_so(tmp_path: Path) -> None:
    main = ROOM.replace("|. . . . . .|", "|. . n . . .|", 1)
    upper = ROOM.replace("|. . . . . .|", "|. . l . . .|", 1)
    legend = 'legend:\n  squares: {"l": {kind: hatch, state: locked}}'
    board = text({"main": main, "upper": upper}, more=ZONES, marks={"main": MIDDLE}, legend=legend)
    found = one(check(tmp_path, board), "ladder-blind")
    assert found.text == "main C6: the ladder leads nowhere: the hatch above it is locked."
    assert found.cure == "Unlock it."
