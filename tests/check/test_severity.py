"""Severity is honest: declared bases, usual bases, accepted findings; ids, comparison, scales."""

from __future__ import annotations

from pathlib import Path

import pytest
from quality.shapes import box, stl

from sandbox.check.check import check, compare
from sandbox.check.finding import Severity
from sandbox.check.settings import USUAL_BASES, Accepted, Settings, beside, settings_of_model
from sandbox.errors import UserError

from .builds import checked, grave, walls


def test_what_stops_a_declared_base_is_an_error(tmp_path: Path) -> None:
    assert grave(checked(tmp_path, walls(27.0), bases=[28.5]))["door"].severity is Severity.ERROR
    assert not grave(checked(tmp_path, walls(27.0), bases=[25.0]))


def test_usual_bases_warn_up_to_32_and_inform_above(tmp_path: Path) -> None:
    report = checked(tmp_path, walls(30.0), bases=[b.short for b in USUAL_BASES], declared=False)
    door = next(f for f in report.findings if f.kind.value == "door")
    assert {c.base: c.severity for c in door.cases} == {
        "32": Severity.WARNING,
        "40": Severity.INFO,
        "50": Severity.INFO,
    }
    assert door.severity is Severity.WARNING


def test_a_build_with_nothing_to_say(tmp_path: Path) -> None:
    report = checked(tmp_path, [box(0, 0, 0, 60, 60, 2.0)])
    assert report.findings == ()


def test_an_id_names_kind_and_place_and_accepts_with_a_reason(tmp_path: Path) -> None:
    model = tmp_path / "hut.stl"
    triangles = walls(27.0)
    import numpy as np

    model.write_bytes(stl(np.concatenate(triangles)))
    beside(model).write_text("bases: [32]\npacks: [necromunda-2023]\n")
    report, _ = check(model, settings_of_model(model))
    door = next(f for f in report.findings if f.kind.value == "door")
    assert door.id.startswith("width@50,")
    assert door.severity is Severity.ERROR
    beside(model).write_text(
        f"bases: [32]\npacks: [necromunda-2023]\naccept:\n  - {{id: '{door.id}', reason: a cat flap}}\n"
    )
    again, _ = check(model, settings_of_model(model))
    known = next(f for f in again.findings if f.kind.value == "door")
    assert (known.severity, known.accepted) == (Severity.INFO, "a cat flap")
    assert not again.fails(Severity.WARNING)
    by_old_name = Settings(accept=(Accepted(door.id.replace("width", "door"), "as it was called"),))
    assert by_old_name.accepted(door) is not None
    assert Settings(accept=(Accepted("door", "all of them"),)).accepted(door) is not None
    assert Settings(accept=(Accepted("ledge", "others"),)).accepted(door) is None
    assert Settings(accept=(Accepted("width@50,9,0", "near"),)).accepted(door) is not None
    assert Settings(accept=(Accepted("width@50,19,0", "too far"),)).accepted(door) is None


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ("bases: [32]\nbases2: [1]\n", 2, "bases2"),
        ("bases: [2]\n", 1, "bases"),
        ("bases: 32\n", 1, "[25, 32, [60, 35]]"),
        ("bases: [32, [60]]\n", 1, "[60] should be"),
        ("bases: [32]\npacks: [chess]\n", 2, "chess"),
        ("accept:\n  - {id: nonsense, reason: x}\n", 2, "nonsense"),
    ],
)
def test_mistakes_in_the_file_beside_name_their_line(tmp_path: Path, text: str, line: int, part: str) -> None:
    model = tmp_path / "hut.stl"
    beside(model).write_text(text)
    with pytest.raises(UserError) as told:
        settings_of_model(model)
    assert told.value.line == line
    assert part in str(told.value)


def test_a_scene_says_what_its_check_is_for(tmp_path: Path) -> None:
    scene = tmp_path / "yard.yaml"
    scene.write_text(
        "board: {size: [10, 10]}\nterrain:\n  - {box: [3, 3, 4.7], at: [5, 5]}\ncheck: {bases: [25]}\n"
    )
    from sandbox.check.subject import settings_for

    told = settings_for(scene)
    assert [(b.name, b.declared) for b in told.bases] == [("25", True)]
    report, _ = check(scene, told)
    assert set(grave(report)) == {"climb"}
    scene.write_text("board: {size: [10, 10]}\ncheck: {basis: [25]}\n")
    with pytest.raises(UserError, match="basis"):
        settings_for(scene)


def test_a_file_that_cannot_be_read_is_a_finding(tmp_path: Path) -> None:
    model = tmp_path / "cut.stl"
    model.write_bytes(b"\0" * 80 + (1000).to_bytes(4, "little"))
    report, subject = check(model, Settings())
    assert subject is None
    assert [(f.kind.value, f.severity) for f in report.findings] == [("broken-file", Severity.ERROR)]


def test_against_an_older_version(tmp_path: Path) -> None:
    old = checked(tmp_path, [*walls(27.0), box(200, 0, 0, 270, 70, 12.9)])
    new = compare(checked(tmp_path, [*walls(34.0), box(200, 0, 0, 270, 70, 12.9)], turn=0.5), old)
    assert new.comparison is not None
    assert "width" in {i.split("@")[0] for i in new.comparison.cured}
    assert "step" in {i.split("@")[0] for i in new.comparison.unchanged}
    assert not any(i.startswith("width") for i in new.comparison.new)


def test_the_scale_that_cures_most(tmp_path: Path) -> None:
    report = checked(tmp_path, walls(29.5))
    rows = {row.scale: row for row in report.scales}
    assert rows[1.0].errors == 1 and rows[1.05].errors == 1
    assert rows[1.1].errors == 0 and rows[1.1].cured == 1


def test_shrinking_cures_nothing_by_making_it_too_small_to_speak_of(tmp_path: Path) -> None:
    """At 0.9 the ledge is below the share of a base from which it counts as meant for it: still no room."""
    ledge = [box(0, 0, 0, 100, 80, 40), box(0, 20, 39.5, 100, 80, 90)]
    rows = {row.scale: row for row in checked(tmp_path, ledge).scales}
    assert (rows[1.0].errors, rows[0.9].errors) == (1, 1)


def test_json_holds_every_finding_whole(tmp_path: Path) -> None:
    report = checked(tmp_path, [*walls(27.0), box(200, 0, 0, 270, 70, 40)])
    told = report.to_json()
    door = next(f for f in told["findings"] if f["kind"] == "door")
    assert door["measured"] == pytest.approx(27.0, abs=0.05)
    assert (door["limit"], door["unit"], door["bases"]) == (32.0, "mm", ["32"])
    assert "5.0 mm wider" in door["cure"]
    assert told["counts"]["error"] == 1
    assert (door["at_unit"], door["place"]) == ("mm", ", ".join(f"{v:.1f}" for v in door["at"]) + " mm")
    deck = next(f for f in told["floors"] if f["height_mm"] == 40.0)
    assert deck["reach"][0]["reach"] == "walked"
    assert {"base", "pack", "reach", "cost", "ways_up"} <= set(deck["reach"][0])
