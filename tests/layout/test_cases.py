"""Worked cases on ductways, walls, ceilings, doors, corridors and ladders, on layouts written as text."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import pytest

from .drawn import HALVES, MM, ROOM, SQUARE, fighters, load, middle, text

R32 = 16 * MM


BLIGHTMEER = "blightmeer"


def kal(
    x: float, y: float, z: float = 0.0, base: float = 32, more: str = "", pack: str = "necromunda-2023"
) -> str:
    """A fighter with M 5 and I 4; of Blightmeer with M 9, whose moves are single ones."""
    profile = "{M: 9}" if pack == BLIGHTMEER else "{M: 5, I: 4}"
    return f"id: kal, side: red, base: {base}, at: [{x:.4f}, {y:.4f}, {z:.4f}], profile: {profile}{more}"


def longest(pack: str) -> str:
    """The action that goes farthest."""
    return "move" if pack == BLIGHTMEER else "double-move"


def with_x(sign: str) -> str:
    """Two rooms with this in the wall between them."""
    return HALVES.replace("X", sign)


def beside(gap: float, thick: float = 10.0) -> tuple[float, float]:
    """West of the wall between the rooms, in the middle of its door, `gap` inches from the wall."""
    return 3 * SQUARE - thick * MM / 2 - R32 - gap, middle(0, 2)[1]


# -- walls and ceilings (case 4, and what zone_mortalis says) --------------------------------------------------


def test_walls_are_neither_climbed_nor_walked_on(tmp_path: Path) -> None:
    x, y = beside(0.05)
    field = load(tmp_path, text({"main": with_x("|")}, scene=fighters(kal(x, y))))
    over = field.moves("kal", "double-move").to(3 * SQUARE + 1.2, y, 0)
    assert not over.legal
    assert over.cost is None
    top = field.moves("kal", "double-move").to(3 * SQUARE, y, 60 * MM)
    assert not top.legal
    assert field.scene.board.zone_mortalis
    assert field.scene.board.ceiling == pytest.approx(60 * MM)


def test_on_an_open_board_the_same_wall_is_climbed(tmp_path: Path) -> None:
    """Case 4: 60 mm high and thick enough for the base; with the flag off and a ceiling of 6 inches it is a structure."""
    content = text(
        {"main": with_x("T")},
        legend='legend:\n  borders: {"T": {kind: wall, thick: 40, high: 60}}',
        heights={"main": 6.0},
        scene="board: {zone_mortalis: false}\n"
        + fighters(kal(3 * SQUARE - 20 * MM - R32 - 0.02, middle(0, 2)[1])),
    )
    field = load(tmp_path, content)
    up = field.moves("kal", "double-move").to(3 * SQUARE, middle(0, 2)[1], 60 * MM)
    assert up.legal
    assert [leg.kind.value for leg in up.legs if leg.up > 0] == ["climb"]
    assert up.cost == pytest.approx(4.72 + R32 + 0.02 + 20 * MM, abs=0.06)
    mortal = load(tmp_path, content.replace("zone_mortalis: false", "zone_mortalis: true"))
    assert not mortal.moves("kal", "double-move").to(3 * SQUARE, middle(0, 2)[1], 60 * MM).legal


@pytest.mark.parametrize("pack", ["necromunda-2023", "necromunda-2017", "blightmeer"])
@pytest.mark.parametrize(("height", "stands"), [(1.35, False), (1.45, True)])
def test_ceilings_want_headroom(tmp_path: Path, height: float, stands: bool, pack: str) -> None:
    """Case 22: a model is 1.4 inches tall."""
    field = load(tmp_path, text({"main": ROOM}, heights={"main": height}, rules=pack))
    found = field.stand(*middle(2, 2), 0)
    assert found.stands is stands
    if not stands:
        assert found.rulings[0].rule == "headroom"


def test_a_section_with_a_higher_ceiling(tmp_path: Path) -> None:
    content = text({"main": ROOM}, heights={"main": 1.2}).replace(
        "      height: 1.2\n", "      height: 1.2\n      ceilings: [{squares: [0, 0, 2, 5], height: 4}]\n"
    )
    field = load(tmp_path, content)
    assert field.scene.board.ceiling == pytest.approx(4.0)
    assert field.stand(*middle(1, 2), 0).stands
    low = field.stand(*middle(4, 2), 0)
    assert not low.stands
    assert low.rulings[0].rule == "headroom"


# -- doors (19, 20) --------------------------------------------------------------------------------------------


def door(width: float, state: str = "open") -> str:
    """A legend with a door of that opening."""
    return f'legend:\n  borders: {{"Q": {{kind: door, state: {state}, opening: {width}}}}}'


@pytest.mark.parametrize(
    ("width", "base", "passes", "pack"),
    [
        (30, 25, True, "necromunda-2023"),
        (30, 28.5, True, "necromunda-2023"),
        (30, 32, False, "necromunda-2023"),
        (30, 40, False, "necromunda-2023"),
        (30, 50, False, "necromunda-2023"),
        (24, 50, False, "necromunda-2023"),
        (30, 25, True, "necromunda-2017"),
        (30, 32, False, "necromunda-2017"),  # for walking
        (30, 25, True, "blightmeer"),
        (30, 32, False, "blightmeer"),
        (24, 50, False, "blightmeer"),
    ],
)
def test_doors_let_through_what_fits(
    tmp_path: Path, width: float, base: float, passes: bool, pack: str
) -> None:
    """Cases 19 and 20."""
    x, y = 3 * SQUARE - 2.0, middle(0, 2)[1]
    scene = fighters(kal(x, y, base=base, pack=pack))
    field = load(tmp_path, text({"main": with_x("Q")}, legend=door(width), scene=scene, rules=pack))
    through = field.moves("kal", "move").to(3 * SQUARE + 2.0, y, 0)
    assert through.legal is passes
    if passes:
        assert through.cost == pytest.approx(4.0, abs=0.05)
    else:
        assert through.rulings


@pytest.mark.parametrize("base", [32, 40, 50])
def test_in_2017_narrow_doors_are_crawled_through(tmp_path: Path, base: float) -> None:
    """At least half the base: 30 mm is, half a millimetre less than half is not, nor is 24 mm for a base of 50."""
    gap = base / 2 * MM + 5 * MM + 0.3
    x, y = 3 * SQUARE - gap, middle(0, 2)[1]
    for width, crawls in ((30, True), (base / 2 - (1.0 if base == 50 else 0.5), False)):
        scene = fighters(kal(x, y, base=base))
        field = load(
            tmp_path, text({"main": with_x("Q")}, legend=door(width), scene=scene, rules="necromunda-2017")
        )
        through = field.moves("kal", "crawl-through").to(3 * SQUARE + gap + 0.2, y, 0)
        assert through.legal is crawls, (width, through.rulings)


@pytest.mark.parametrize(("state", "operates"), [("closed", True), ("open", True), ("locked", False)])
def test_doors_are_operated_and_locked_ones_are_not(tmp_path: Path, state: str, operates: bool) -> None:
    x, y = beside(0.3)
    field = load(tmp_path, text({"main": with_x("Q")}, legend=door(40, state), scene=fighters(kal(x, y))))
    through = field.moves("kal", "move").to(3 * SQUARE + 1.2, y, 0)
    assert through.legal is (state == "open")
    if operates:
        assert field.moves("kal", "operate-door", target="main door C3e").to(x, y, 0).legal
    else:
        with pytest.raises(Exception, match="no door"):
            field.moves("kal", "operate-door", target="main door C3e")


# -- corridors (21) --------------------------------------------------------------------------------------------

BEND = """
    + + + + + + +
     # # # # # #
    + + + + + + +
     # # # # # #
    + + + + + + +
     # # # # # #
    + +-+-+-+-+ +
     # . . . .|#
    + +-+-+-+ + +
     # # # #|.|#
    + + + + + + +
     # # # #|.|#
    + + + + + + +
"""


@pytest.mark.parametrize(
    ("clear", "passes", "pack"),
    [
        (33.0, True, "necromunda-2023"),
        (31.0, False, "necromunda-2023"),
        (33.0, True, "necromunda-2017"),
        (31.0, False, "necromunda-2017"),
        (33.0, True, "blightmeer"),
        (31.0, False, "blightmeer"),
    ],
)
def test_a_corridor_with_a_right_angle(tmp_path: Path, clear: float, passes: bool, pack: str) -> None:
    """Case 21."""
    thick = 289 / 6 - clear
    legend = f'legend:\n  borders: {{"-|": {{kind: wall, thick: {thick:.4f}}}}}'
    x, y = middle(2, 2)
    field = load(
        tmp_path, text({"main": BEND}, legend=legend, scene=fighters(kal(x, y, pack=pack)), rules=pack)
    )
    around = field.moves("kal", longest(pack)).to(*middle(4, 0), 0)
    assert around.legal is passes
    if passes:
        assert 4 * SQUARE - 1.2 < around.cost < 4 * SQUARE
    else:
        assert around.rulings


# -- ductways (24, 25) -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("pack", ["necromunda-2023", "necromunda-2017"])
@pytest.mark.parametrize(("thick", "fits"), [(50.0, True), (54.0, False)])
def test_ductways_lead_through_two_inches_of_wall(
    tmp_path: Path, thick: float, fits: bool, pack: str
) -> None:
    """Case 25."""
    legend = f'legend:\n  borders: {{"Q": {{kind: duct, thick: {thick}}}}}'
    x, y = beside(0.4, thick)
    scene = fighters(kal(x, y))
    field = load(tmp_path, text({"main": with_x("Q")}, legend=legend, scene=scene, rules=pack))
    there = (6 * SQUARE - x, y, 0)
    assert not field.moves("kal", "move").to(*there).legal
    through = field.moves("kal", "crawl-through", target="main duct C3e").to(*there)
    assert through.legal is fits
    if fits:
        assert [leg.kind.value for leg in through.legs] == ["ductway"]
    else:
        assert through.rulings[0].rule == "ductway_length"


def test_a_ductway_through_a_filled_square(tmp_path: Path) -> None:
    drawn = HALVES.replace("|. . .|. . .|", "|. . # . . .|").replace("|. . .X. . .|", "|. . = . . .|")
    x, y = 2 * SQUARE - R32 - 0.3, middle(0, 2)[1]
    field = load(tmp_path, text({"main": drawn}, scene=fighters(kal(x, y))))
    through = field.moves("kal", "crawl-through").to(3 * SQUARE + R32 + 0.3, y, 0)
    assert through.legal
    assert field.scene.ductways[0].id == "main duct C3"


@pytest.mark.parametrize(("pack", "allowed"), [("necromunda-2023", True), ("necromunda-2017", False)])
def test_an_enemy_near_the_far_mouth(tmp_path: Path, pack: str, allowed: bool) -> None:
    """Case 24: 0.9 inches from the mouth, a free place on its other side that keeps an inch from it."""
    x, y = beside(0.4)
    mouth = 3 * SQUARE + 5 * MM
    down = ((R32 + 0.9) ** 2 - R32**2) ** 0.5
    enemy = f"id: rax, side: blue, at: [{mouth + R32 + 0.01:.4f}, {y - down:.4f}, 0]"
    field = load(tmp_path, text({"main": with_x("%")}, scene=fighters(kal(x, y), enemy), rules=pack))
    beyond = (mouth + R32 + 0.05, y + 1.05, 0)
    through = field.moves("kal", "crawl-through").to(*beyond)
    assert through.legal is allowed, through.rulings


# -- no measuring and no engagement through walls and floors (27) ----------------------------------------------


def _apart(field: Any) -> float:
    first, second = field.fighters
    return float(field.measuring.distance(first.base, second.base))


@pytest.mark.parametrize(("between", "open_"), [("|", False), ("D", False), ("d", True), (" ", True)])
def test_measuring_stops_at_walls_and_closed_doors(tmp_path: Path, between: str, open_: bool) -> None:
    x, y = beside(0.1)
    enemy = f"id: rax, side: blue, at: [{6 * SQUARE - x:.4f}, {y:.4f}, 0]"
    field = load(tmp_path, text({"main": with_x(between)}, scene=fighters(kal(x, y), enemy)))
    straight = 2 * (3 * SQUARE - x) - 2 * R32
    apart = _apart(field)
    assert (apart == pytest.approx(straight, abs=0.01)) is open_
    assert apart >= straight - 0.01


@pytest.mark.parametrize("pack", ["necromunda-2023", "necromunda-2017"])
def test_nothing_is_measured_through_a_deck(tmp_path: Path, pack: str) -> None:
    """Case 27: 0.95 inches from base to base straight above, 4 mm of floor between."""
    x, y = middle(2, 2)
    upper = 0.95
    scene = fighters(
        kal(x, y, more=", height: 0.7"), f"id: rax, side: blue, height: 0.7, at: [{x}, {y}, {upper}]"
    )
    field = load(
        tmp_path,
        text(
            {"low": ROOM, "high": ROOM},
            heights={"low": upper - 4 * MM, "high": 2.0},
            scene=scene,
            rules=pack,
        ),
    )
    assert field.fighter("rax").at[2] == pytest.approx(upper, abs=1e-6)
    assert _apart(field) > 1.0
    assert not field.warnings
    away = field.moves("kal", "move").to(x + 1.5, y, 0)
    assert away.legal


# -- ladders, hatches, stairs, shafts (31, falls) --------------------------------------------------------------

LOW = ROOM.replace("|. . . . . .|", "|. n . . . .|", 1).replace("+ + + + + + +", "+ + + + + + +")
HIGH = ROOM.replace("|. . . . . .|", "|. x . . . .|", 1)


@pytest.mark.parametrize(
    ("hole", "pack"),
    [
        (25, "necromunda-2023"),
        (35, "necromunda-2023"),
        (25, "necromunda-2017"),
        (25, "blightmeer"),
    ],
)
def test_a_ladder_through_a_hatch(tmp_path: Path, hole: float, pack: str) -> None:
    """Case 31: a base of 32 mm passes by the ladder, at an inch an inch, whatever the hole."""
    legend = f'legend:\n  squares: {{"x": {{kind: hatch, size: [{hole}]}}}}'
    x, y = middle(1, 4)
    scene = fighters(kal(x, y, pack=pack))
    field = load(tmp_path, text({"low": LOW, "high": HIGH}, legend=legend, scene=scene, rules=pack))
    up = 64 * MM
    climb = field.moves("kal", longest(pack)).to(*middle(3, 4), up)
    assert climb.legal
    assert climb.success == 1.0
    ladder = next(leg for leg in climb.legs if leg.kind.value == "ladder")
    assert ladder.up == pytest.approx(up, abs=0.01)
    assert ladder.cost < up + 3.0


def test_a_closed_hatch_lets_nobody_up(tmp_path: Path) -> None:
    x, y = middle(1, 4)
    content = text({"low": LOW, "high": HIGH.replace("x", "X")}, scene=fighters(kal(x, y)))
    field = load(tmp_path, content)
    up = field.moves("kal", "double-move").to(*middle(3, 4), 64 * MM)
    assert not up.legal
    assert field.stand(*middle(1, 5), 64 * MM).stands


STAIRS_LOW = ROOM.replace("|. . . . . .|", "|. > > > . .|", 1)
STAIRS_HIGH = ROOM.replace("|. . . . . .|", "|.       . .|", 1)


def test_stairs_lead_up_at_no_price_and_are_not_ended_on(tmp_path: Path) -> None:
    """Case 17."""
    x, y = middle(0, 5)
    field = load(tmp_path, text({"low": STAIRS_LOW, "high": STAIRS_HIGH}, scene=fighters(kal(x, y, more=""))))
    up = field.moves("kal", "double-move").to(*middle(4, 5), 64 * MM)
    assert up.legal
    assert {leg.kind.value for leg in up.legs} == {"walk"}
    assert up.cost == pytest.approx(4 * SQUARE, abs=0.06)
    assert not field.moves("kal", "double-move").to(*middle(2, 5)).legal


def test_falls_down_a_shaft(tmp_path: Path) -> None:
    """Through two levels: 5.04 inches, a hit of S5."""
    hole = ROOM.replace("|. . . . . .|", "|. .     . .|", 3)
    field = load(tmp_path, text({"low": ROOM, "mid": hole, "top": hole}))
    fall = field.fall(2 * SQUARE - 0.1, middle(0, 4)[1], 2 * 64 * MM)
    assert fall.height == pytest.approx(2 * 64 * MM, abs=0.02)
    assert fall.hit is not None
    assert fall.hit.strength == 5
    assert fall.landing is not None
    assert fall.landing[2] == pytest.approx(0.0, abs=1e-6)


def test_an_enemy_on_a_gantry_blocks_it(tmp_path: Path) -> None:
    """Case 18: a walkway one square wide over a hall; a friend may be passed, an enemy not."""
    high = textwrap.dedent(ROOM)
    rows = ["|. .     . .|", "|. : : : : .|", "|. .     . .|"]
    lines = high.strip().splitlines()
    for place, row in zip((3, 5, 7), rows, strict=True):
        lines[place] = row
    drawn = "\n".join(lines)
    drawn = drawn.replace("|. . . . . .|", "|. .     . .|")
    x, y = middle(1, 3)
    up = 64 * MM
    for side, passes in (("red", True), ("blue", False)):
        other = f"id: rax, side: {side}, at: [{3 * SQUARE}, {y}, {up}]"
        field = load(tmp_path, text({"low": ROOM, "high": drawn}, scene=fighters(kal(x, y, up), other)))
        over = field.moves("kal", "double-move").to(*middle(4, 3), up)
        assert over.legal is passes, (side, over.rulings)
