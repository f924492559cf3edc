"""What the layout check finds on boards where the answer is plain."""

from __future__ import annotations

from pathlib import Path

import pytest

import sandbox
from sandbox.check.finding import Finding
from sandbox.layout.check import check_layout
from sandbox.layout.findings import Report

from .drawn import HALVES, MM, ROOM, SQUARE, text, write

ZONES = 'zones: {"R": red, "B": blue}\npoints: {"1": vault}'
ENDS = """
    R....B
    R....B
    R....B
    R....B
    R....B
    R....B
"""


def check(folder: Path, content: str, *bases: float) -> Report:
    """The report; 32 mm where no base is named."""
    return check_layout(write(folder, content), [(b, b) for b in bases or (32.0,)])


def halves(sign: str, **more: object) -> str:
    """Two rooms with a zone in each, and this between them."""
    marks = {"main": ENDS}
    return text({"main": HALVES.replace("X", sign)}, more=ZONES, marks=marks, **more)  # type: ignore[arg-type]


def kinds(report: Report, *severities: str) -> set[str]:
    """Kinds of what was found."""
    return {f.kind.value for f in report.findings if not severities or f.severity.value in severities}


def one(report: Report, kind: str) -> Finding:
    """The only finding of a kind."""
    found = [f for f in report.findings if f.kind.value == kind]
    assert len(found) == 1, [f.id for f in report.findings]
    return found[0]


def moves(report: Report, start: str, target: str, doors: str) -> tuple[float, float] | None:
    """Inches and Moves of the shortest way."""
    row = next(
        d
        for d in report.distances
        if (d.start, d.target, d.doors, d.way) == (start, target, doors, "shortest")
    )
    return None if row.inches is None or row.moves is None else (row.inches, row.moves)


def test_an_open_board_has_nothing_wrong(tmp_path: Path) -> None:
    report = check(tmp_path, text({"main": ROOM}, more=ZONES, marks={"main": ENDS}))
    assert kinds(report, "error", "warning") == set()
    found = moves(report, "red", "blue", "drawn")
    assert found is not None
    # from the rim of one zone's squares to the rim of the other's
    assert found[0] == pytest.approx(4 * SQUARE, abs=0.15)
    assert found[1] == pytest.approx(found[0] / 5.0, abs=1e-6)


def test_rooms_without_a_way_between_them(tmp_path: Path) -> None:
    report = check(tmp_path, halves("|"))
    assert one(report, "zones-apart").severity.value == "error"
    assert moves(report, "red", "blue", "open") is None
    assert report.fails(one(report, "zones-apart").severity)


def test_a_closed_door_costs_an_action_and_shut_it_parts_the_board(tmp_path: Path) -> None:
    report = check(tmp_path, halves("D"))
    open_, drawn = moves(report, "red", "blue", "open"), moves(report, "red", "blue", "drawn")
    assert open_ is not None and drawn is not None
    assert moves(report, "red", "blue", "shut") is None
    assert drawn[0] == pytest.approx(open_[0] + 5.0, abs=0.1)
    assert drawn[1] > open_[1] + 0.99
    key = one(report, "key-door")
    assert key.severity.value == "warning"
    assert key.place == "main door C3e"
    assert key.text == "main door C3e: closed, it cuts off blue and red from each other."
    assert kinds(report, "error") == set()


def test_a_locked_door_is_a_wall_with_a_reason(tmp_path: Path) -> None:
    report = check(tmp_path, halves("L").replace('"B": blue', '"B": spare').replace("B\n", ".\n"))
    found = one(report, "locked-away")
    assert found.severity.value == "info"
    assert found.measured == 18.0


def test_a_ductway_joins_for_those_who_crawl(tmp_path: Path) -> None:
    report = check(tmp_path, halves("%"))
    assert kinds(report, "error") == set()
    shut = moves(report, "red", "blue", "shut")
    assert shut is not None
    # a double action, which begins with an activation: up to the mouth in one, through in the next
    assert shut[1] > 4.0
    alone = check(tmp_path, halves("%").replace('"B": blue', '"B": spare').replace("B\n", ".\n"))
    assert one(alone, "duct-only").measured == 18.0


def test_ductways_that_are_too_long_or_have_no_room(tmp_path: Path) -> None:
    legend = 'legend:\n  borders: {"Q": {kind: duct, thick: 54}}'
    found = one(check(tmp_path, halves("Q", legend=legend)), "duct-long")
    assert found.severity.value == "error"
    assert found.measured == pytest.approx(54 * MM)
    assert found.limit == 2.0
    assert "3.2 mm thinner" in found.cure
    blind = ROOM.replace("|. . . . . .|", "|. .%# # . .|", 1)
    assert one(check(tmp_path, text({"main": blind}, more=ZONES, marks={"main": ENDS})), "duct-blind")


def test_a_closed_hatch_is_a_door_that_matters(tmp_path: Path) -> None:
    """Under a floor thicker than a hand, too: what lies in a floor is no door in a wall."""
    marks = {"low": ENDS.replace("B", "."), "high": "......\n...B..\n" + "......\n" * 4}
    content = text({"low": TOWER_LOW, "high": TOWER_HIGH}, more=ZONES, marks=marks)
    report = check(tmp_path, content.replace("- name: high\n", "- name: high\n      deck: 14\n"))
    key = one(report, "key-door")
    assert key.place == "high hatch B6"
    assert "cuts off red from blue" in key.text
    assert moves(report, "red", "blue", "shut") is None


def test_barricades_under_low_ceilings(tmp_path: Path) -> None:
    """As they come they are crossed under 60 mm; an inch of them is too much, and that is said."""
    fine = check(tmp_path, halves("b"))
    assert "no-crossing" not in kinds(fine)
    assert kinds(fine, "error") == set()
    legend = 'legend:\n  borders: {"X": {kind: barricade, high: 25.4}}'
    high = check(tmp_path, halves("X", legend=legend))
    found = one(high, "no-crossing")
    assert (found.place, found.unit.value) == ("C3e", "mm")
    assert found.measured == pytest.approx(60.0 - 25.4)
    assert "zones-apart" in kinds(high)


def test_doors_too_narrow_for_a_wider_base(tmp_path: Path) -> None:
    report = check(tmp_path, halves("d"), 32.0, 40.0)
    found = one(report, "narrow-door")
    assert found.severity.value == "warning"
    assert found.measured == pytest.approx(36.2, abs=0.05)
    assert found.limit == 40.0
    assert found.cure.startswith("Make the opening 3.8 mm wider")
    assert {case.base for case in one(report, "zones-apart").cases} == {"40"}
    usual = check_layout(write(tmp_path, halves("d")))
    assert one(usual, "narrow-door").severity.value == "info"
    assert "error" not in {f.severity.value for f in usual.findings}


TOWER_LOW = ROOM.replace("|. . . . . .|", "|. n . . . .|", 1)
TOWER_HIGH = """
    + + + + + + +
     . x . . .
    + + + + + + +
     . . . . .
    + + + + + + +

    + + + + + + +

    + + + + + + +

    + + + + + + +

    + + + + + + +
"""


def test_levels_and_ladders(tmp_path: Path) -> None:
    marks = {"low": ENDS}
    content = text({"low": TOWER_LOW, "high": TOWER_HIGH}, more=ZONES, marks=marks)
    report = check(tmp_path, content)
    assert kinds(report, "error") == set()
    assert one(report, "one-way-up").place == "high"
    up = [way for way in report.levels if way.kind == "ladder" and way.up > 0]
    assert len(up) == 1
    assert up[0].up == pytest.approx(64 * MM, abs=0.01)
    assert up[0].start == "low B6"
    assert any(way.kind == "jump-down" for way in report.levels)
    lip = one(report, "lip")
    assert lip.measured == pytest.approx(64 * MM, abs=0.01)


def test_a_ladder_under_a_closed_floor(tmp_path: Path) -> None:
    content = text({"low": TOWER_LOW, "high": TOWER_HIGH.replace("x", ".")}, more=ZONES, marks={"low": ENDS})
    report = check(tmp_path, content)
    found = one(report, "ladder-blind")
    assert found.severity.value == "error"
    assert found.cure == "Put a hatch above it."
    cut = one(report, "cut-off")
    assert cut.measured == 10.0


def test_the_hole_of_a_ladder(tmp_path: Path) -> None:
    legend = 'legend:\n  squares: {"x": {kind: hatch, size: [25]}}'
    content = text({"low": TOWER_LOW, "high": TOWER_HIGH}, legend=legend, more=ZONES, marks={"low": ENDS})
    found = one(check(tmp_path, content), "ladder-hole")
    assert found.severity.value == "warning"
    assert (found.measured, found.limit) == (25.0, 32.0)
    assert found.cure == "Make the hole 7.0 mm wider."


def test_stairs_under_a_closed_floor(tmp_path: Path) -> None:
    low = ROOM.replace("|. . . . . .|", "|. > > > . .|", 1)
    good = ROOM.replace("|. . . . . .|", "|.       . .|", 1)
    marks = {"low": ENDS}
    fine = check(tmp_path, text({"low": low, "high": good}, more=ZONES, marks=marks))
    assert "stairs-blind" not in kinds(fine)
    stairs = next(way for way in fine.levels if way.kind == "stairs")
    assert stairs.cost == pytest.approx(3 * SQUARE, abs=0.01)
    bad = check(tmp_path, text({"low": low, "high": ROOM}, more=ZONES, marks=marks))
    found = one(bad, "stairs-blind")
    assert found.severity.value == "error"
    assert "the floor above" in found.text


def test_dead_ends_and_single_entrances(tmp_path: Path) -> None:
    drawn = """
        +-+-+-+-+-+-+
        |. . .|. .|.|
        + + + + + + +
        |. . .d. .|.|
        + + + +-+-+ +
        |. . . . . .|
        + + + +-+-+-+
        |. . . . . .|
        + + + + + + +
        |. . . . . .|
        + + + + + + +
        |. . . . . .|
        +-+-+-+-+-+-+
    """
    marks = {"main": ENDS.replace("B", ".").replace("....", "...B", 0)}
    content = text({"main": drawn}, more='zones: {"R": red}', marks={"main": marks["main"]})
    report = check(tmp_path, content)
    entrance = one(report, "one-entrance")
    assert entrance.measured == 4.0
    assert "C5e" in entrance.text
    dead = one(report, "dead-end")
    # along the corridor from D4 and up to F6
    assert dead.measured == 5.0
    assert "D4" in dead.text or "C4" in dead.text


def test_one_fighter_in_a_corridor(tmp_path: Path) -> None:
    drawn = """
        +-+-+-+-+-+-+
        |. .|# #|. .|
        + + + + + + +
        |. .|# #|. .|
        + + +-+-+ + +
        |. . . . . .|
        + + +-+-+ + +
        |. .|# #|. .|
        + + + + + + +
        |. .|# #|. .|
        + + + + + + +
        |. .|# #|. .|
        +-+-+-+-+-+-+
    """
    report = check(tmp_path, text({"main": drawn}, more=ZONES, marks={"main": ENDS}))
    held = [f for f in report.findings if f.id.startswith("choke-held:")]
    assert held
    assert held[0].severity.value == "warning"
    assert "it cuts off blue and red from each other" in held[0].text
    assert any(f.id.startswith("choke:") for f in report.findings)


def test_fairness(tmp_path: Path) -> None:
    marks = ENDS.replace("R....B\n    R....B\n    R....B", "R1...B\n    R....B\n    R....B", 1)
    fair = ENDS.replace("R....B", "R.11.B", 1)
    report = check(tmp_path, text({"main": ROOM}, more=ZONES, marks={"main": marks}))
    found = one(report, "unfair")
    assert "red is there" in found.text
    assert found.measured is not None and found.measured > 5.0
    assert "unfair" not in kinds(check(tmp_path, text({"main": ROOM}, more=ZONES, marks={"main": fair})))


def test_sight_stops_at_walls_and_passes_open_doors(tmp_path: Path) -> None:
    longest = {sign: check(tmp_path, halves(sign)).sights[0].length for sign in ("|", "d")}
    assert longest["|"] == pytest.approx((2**2 + 5**2) ** 0.5 * SQUARE, abs=0.05)
    assert longest["d"] > longest["|"]
    whole = check(tmp_path, text({"main": ROOM}, more=ZONES, marks={"main": ENDS})).sights[0].length
    assert whole == pytest.approx(50**0.5 * SQUARE, abs=0.05)


def test_ids_are_stable_and_json_is_plain(tmp_path: Path) -> None:
    first, second = (check(tmp_path, halves("D")) for _ in range(2))
    assert [f.id for f in first.findings] == [f.id for f in second.findings]
    assert len({f.id for f in first.findings}) == len(first.findings)
    told = first.to_json()
    assert set(told) == {
        "subject", "rules", "move", "bases", "counts", "findings", "distances", "levels", "sights", "seconds"
    }  # fmt: skip
    assert [f["number"] for f in told["findings"]] == list(range(1, len(first.findings) + 1))
    wanted = {"id", "severity", "at", "measured", "limit", "rule", "cure", "cases", "text", "unit", "kind"}
    assert wanted <= set(told["findings"][0])


def test_a_hole_that_one_gets_into_and_not_out_of(tmp_path: Path) -> None:
    low = """
        +-+-+-+-+-+-+
        |. . . . . .|
        + +-+-+-+-+ +
        |.|. . . .|.|
        + + + + + + +
        |.|. . . .|.|
        + + + + + + +
        |.|. . . .|.|
        + + + + + + +
        |.|. . . .|.|
        + +-+-+-+-+ +
        |n . . . . .|
        +-+-+-+-+-+-+
    """
    lines = [line.strip() for line in ROOM.strip().splitlines()]
    lines[5], lines[7] = "|. .     . .|", "|. .     . .|"
    lines[11] = "|x . . . . .|"
    high = "\n".join(lines)
    marks = {"high": ENDS.replace("B", ".")}
    report = check(tmp_path, text({"low": low, "high": high}, more='zones: {"R": red}', marks=marks))
    trap = one(report, "trap")
    assert trap.severity.value == "warning"
    assert set(trap.squares) >= {"low C3", "low C4", "low D3"}
    assert one(report, "check-only").severity.value == "warning"


def test_openings_of_meshes_that_meet_walls(tmp_path: Path) -> None:
    tiles = "{tile: printed-hall, at: [0, 0]}, {tile: solid, at: [1, 0]}"
    content = f"layout:\n  tiles: [2, 1]\n  levels:\n    - name: a\n      tiles: [{tiles}]\n"
    report = check(tmp_path, content)
    found = [f for f in report.findings if f.kind.value == "opening-blocked"]
    assert {f.place for f in found} == {"F3e", "F4e"}
    assert all("a filled square" in f.text for f in found)
    fine = check(tmp_path, content.replace("tile: solid", "tile: hall"))
    assert "opening-blocked" not in kinds(fine)
    assert len([f for f in fine.findings if f.severity.value == "error"]) == 0
    # the mesh is walked through like the tile that is drawn: both halls are one region
    assert fine.bases[0].reached == fine.bases[0].squares


@pytest.mark.parametrize(("sign", "more"), [("d", 0.0), (" ", 0.0)])
def test_distances_are_those_of_moves(tmp_path: Path, sign: str, more: float) -> None:
    """A fighter where the way begins, asked for the way to where it ends."""
    report = check(tmp_path, halves(sign))
    row = next(d for d in report.distances if (d.start, d.doors) == ("red", "open"))
    assert row.inches is not None
    start, end = row.path[0], row.path[-1]
    more_scene = f"fighters:\n  - {{id: kal, at: [{start[0]}, {start[1]}, 0], profile: {{M: 6}}}}\n"
    field = sandbox.load(write(tmp_path, halves(sign, scene=more_scene)))
    there = field.moves("kal", "double-move").to(end[0], end[1], 0)
    assert there.cost == pytest.approx(row.inches, abs=0.05)


@pytest.mark.parametrize("rules", ["necromunda-2017", "blightmeer"])
def test_other_packs(tmp_path: Path, rules: str) -> None:
    report = check_layout(write(tmp_path, halves("%")), [(32.0, 32.0)], rules=rules)
    assert report.rules == rules
    crawls = rules == "necromunda-2017"
    assert ("zones-apart" in kinds(report)) is not crawls
