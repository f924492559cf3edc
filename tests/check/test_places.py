"""One finding for each place, under one id, whatever bases and packs are asked; and entries that accept it stay good."""

from __future__ import annotations

from pathlib import Path

import pytest
from quality.shapes import box

from sandbox.check.finding import Severity
from sandbox.check.model import FindingKind, Report
from sandbox.check.settings import Accepted

from .builds import checked, grave, walls

GANTRY = [box(0, 0, 0, 60, 60, 50), box(60, 20, 46, 160, 44, 50), box(160, 0, 0, 220, 60, 50)]
"""two blocks and a way of 24 mm between them"""
TERRACE = [box(0, 0, 0, 120, 110, 40), box(24, 50, 39.5, 120, 110, 95)]
"""a floor that is 50 mm deep before a wall and 24 mm beside it"""


def _widths(report: Report) -> list[tuple[str, str, Severity]]:
    return [(f.id, f.kind.value, f.severity) for f in report.findings if f.id.startswith("width@")]


def test_one_narrow_way_is_told_once_under_one_id(tmp_path: Path) -> None:
    one = _widths(checked(tmp_path, GANTRY, bases=[25.0]))
    assert [(kind, severity) for _, kind, severity in one] == [("ledge", Severity.ERROR)]
    for bases in ([32.0, 25.0], [50.0, 25.0]):
        told = _widths(checked(tmp_path, GANTRY, bases=bases))
        assert [name for name, _, _ in told] == [one[0][0]]
        assert told[0][1] == ("walkway" if 50.0 in bases else "ledge")
    both = next(f for f in checked(tmp_path, GANTRY, bases=[32.0, 50.0]).findings if f.id == one[0][0])
    assert "32 mm base cannot stand" in both.text and "50 mm base needs 25.0 mm" in both.text


def test_an_accepted_place_stays_accepted_when_a_base_is_added(tmp_path: Path) -> None:
    (known,) = _widths(checked(tmp_path, GANTRY, bases=[25.0]))
    entry = (Accepted(known[0], "a plank"),)
    report = checked(
        tmp_path, GANTRY, bases=[25.0, 40.0, 50.0], packs=["necromunda-2017", "blightmeer"], accept=entry
    )
    assert [severity for _, _, severity in _widths(report)] == [Severity.INFO]
    assert all(row.errors == 0 for row in report.scales if row.scale == 1.0)
    assert not report.stale


def test_entries_that_accept_nothing_are_named(tmp_path: Path) -> None:
    entries = (Accepted("width@500,0,0", "long gone"), Accepted("rail", "none"))
    report = checked(tmp_path, [box(0, 0, 0, 60, 60, 2.0)], accept=entries)
    assert report.stale == ("width@500,0,0", "rail")
    assert report.to_json()["stale"] == ["width@500,0,0", "rail"]


def test_a_shallow_part_of_a_floor_is_an_error_where_its_base_is_declared(tmp_path: Path) -> None:
    assert grave(checked(tmp_path, TERRACE, bases=[25.0]))["ledge"].severity is Severity.ERROR
    assert (
        grave(checked(tmp_path, TERRACE, bases=[25.0], declared=False))["ledge"].severity is Severity.WARNING
    )


def test_what_is_crawled_through_is_no_error(tmp_path: Path) -> None:
    report = checked(tmp_path, walls(29.0), packs=["necromunda-2023", "necromunda-2017"])
    door = grave(report)["door"]
    assert {case.pack: (case.severity, case.effect) for case in door.cases} == {
        "necromunda-2023": (Severity.ERROR, "does not get through"),
        "necromunda-2017": (Severity.WARNING, "crawls through"),
    }
    from sandbox.check.table import who

    assert who(door) == [
        "error: 32 mm; necromunda-2023; does not get through",
        "warning: 32 mm; necromunda-2017; crawls through",
    ]


def test_a_long_corridor_is_as_narrow_as_a_door(tmp_path: Path) -> None:
    rooms = [box(x, y, 0, x + 90, y + 6, 60) for x in (0, 240) for y in (0, 86)]
    rooms += [box(x, 5.5, 0, x + 6, 86.5, 60) for x in (0, 324)]
    rooms += [box(x, y, 0, x + 6, y + 25.5, 60) for x in (84, 240) for y in (5.5, 61)]
    rooms += [box(89.5, y, 0, 240.5, y + 6, 60) for y in (25, 61)]
    found = grave(checked(tmp_path, rooms))
    assert set(found) == {"door"}
    assert found["door"].measured == pytest.approx(30.0, abs=0.02)
    assert found["door"].at[0] == pytest.approx(215.0, abs=5.0)


def test_an_open_shell_is_told_and_nothing_about_its_inside(tmp_path: Path) -> None:
    cube = box(0, 0, 0, 60, 60, 60)
    for rows in (slice(0, -1), slice(1, None)):
        assert set(grave(checked(tmp_path, [cube[rows]]))) == {"open-shell"}


def test_heights_are_measured_to_a_hundredth(tmp_path: Path) -> None:
    gate = [box(0, 0, 0, 60, 8, 60), box(100, 0, 0, 160, 8, 60), box(58, 0.3, 30.0, 102, 7.7, 58)]
    wings = [box(0, 7.5, 0, 8, 120, 60), box(152, 7.5, 0, 160, 120, 60), box(0, 120, 0, 160, 128, 60)]
    found = grave(checked(tmp_path, [*gate, *wings]))["headroom"]
    assert found.measured == pytest.approx(30.0, abs=0.01)


@pytest.mark.parametrize(
    ("size", "kind", "first"),
    [
        ((28.9, 28.9, 0.5), "warning", "`units: cm`"),
        ((11.4, 11.4, 0.2), "warning", "`units: in`"),
        ((10.0, 10.0, 15.0), "warning", "`units: cm`"),
        ((0.289, 0.289, 0.005), "error", "`units: m`"),
        ((289_000.0, 289_000.0, 5_000.0), "error", "`scale: 0.001`"),
        ((30.0, 30.0, 20.0), "info", "`units: cm`"),
    ],
)
def test_the_likelier_unit_is_offered_first(
    tmp_path: Path, size: tuple[float, float, float], kind: str, first: str
) -> None:
    report = checked(tmp_path, [box(0, 0, 0, *size)], bases=[25.0])
    units = next(f for f in report.findings if f.kind is FindingKind.UNITS)
    assert (units.severity.value, units.cure.split(" would")[0]) == (kind, first)
