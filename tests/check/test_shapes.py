"""Ovals, sculpted ground, ways around, ornaments: what a width alone does not decide."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import shapely
from quality.shapes import Triangles, box, prism

from sandbox.check.plan import widest_oval

from .builds import checked, grave

OVAL = (60.0, 35.0)


def _ledge(deep: float, long: float = 100.0) -> list[Triangles]:
    return [box(0, 0, 0, long, deep + 60, 40), box(0, deep, 39.5, long, deep + 60, 90)]


def _turned(shape: shapely.Polygon, degrees: float) -> shapely.Polygon:
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return shapely.transform(shape, lambda points: points @ np.array([[c, s], [-s, c]]) + (7.0, -3.0))


@pytest.mark.parametrize("turn", [0.0, 31.0, 90.0])
@pytest.mark.parametrize(
    ("size", "held"),
    [
        ((100.0, 34.0), 34.0),  # as deep as the shelf, and it is long enough
        ((50.0, 100.0), 50.0),
        ((60.0, 60.0), 60.0 * 35.0 / math.hypot(30.0, 17.5) / math.sqrt(2.0)),  # across the corners
    ],
)
def test_the_largest_oval_that_fits(turn: float, size: tuple[float, float], held: float) -> None:
    most, at = widest_oval(_turned(shapely.box(0, 0, *size), turn), 60.0, 35.0)
    assert most == pytest.approx(held, abs=0.03)
    assert most <= held + 0.03
    assert _turned(shapely.box(0, 0, *size), turn).contains(shapely.Point(at))


@pytest.mark.parametrize("turn", [0.0, 25.0])
def test_an_oval_wants_depth_and_length(tmp_path: Path, turn: float) -> None:
    assert not grave(checked(tmp_path, _ledge(36.0), bases=[OVAL], turn=turn))
    shallow = grave(checked(tmp_path, _ledge(34.6), bases=[OVAL], turn=turn))["ledge"]
    assert shallow.measured == pytest.approx(34.6, abs=0.15)
    assert "deep: too shallow for a 60x35 mm base" in shallow.text
    short = grave(checked(tmp_path, _ledge(36.0, 55.0), bases=[OVAL], turn=turn))["ledge"]
    assert short.text.startswith("this floor holds an oval of 5")
    assert short.limit == 35.0


def test_an_oval_gets_up_where_it_turns_to_fit(tmp_path: Path) -> None:
    """A shelf along y, too narrow for the long axis to the east."""
    report = checked(tmp_path, [box(0, 0, 0, 40, 120, 60)], bases=[OVAL])
    deck = next(floor for floor in report.floors if floor.height == pytest.approx(60.0))
    assert [row.reach.value for row in deck.reach] == ["walked"]


def test_a_small_top_of_a_gentle_hill_is_no_ledge(tmp_path: Path) -> None:
    """The slopes around it join: what a base stands on is not only what is level."""
    slopes = []
    for angle in (0, 90, 180, 270):
        c, s = round(math.cos(math.radians(angle))), round(math.sin(math.radians(angle)))
        ring = [(-12.0, -12.0), (12.0, -12.0), (60.0, -60.0), (-60.0, -60.0)]
        ring = [(c * x - s * y, s * x + c * y) for x, y in ring]
        slopes.append(prism(ring[::-1], 0.0, [2.0, 2.0, 14.0, 14.0]))
    hill = [*slopes, box(-12, -12, 0, 12, 12, 14.0)]
    assert "ledge" not in grave(checked(tmp_path, hill))
    assert "ledge" in grave(
        checked(tmp_path, [box(-12, -30, 0, 12, 30, 16.0), box(-60, -60, 0, 60, 60, 1.0)])
    )


def test_a_gap_beside_open_table_is_no_door(tmp_path: Path) -> None:
    """Two blocks too close together for a 50 mm base, which goes around them: not along the rim of what is looked at."""
    blocks = [box(0, 0, 0, 70, 71, 43), box(95.8, 0, 0, 165.8, 71, 43)]
    assert "door" not in grave(checked(tmp_path, blocks, bases=[50.0], packs=["blightmeer"]))


def test_narrow_ways_say_what_each_base_needs(tmp_path: Path) -> None:
    treads = [box(14 * k, 0, 0, 14 * k + 14.2, 10.0, 9.0 * (k + 1)) for k in range(4)]
    found = grave(checked(tmp_path, [*treads, box(56, 0, 0, 126, 70, 45)], bases=[25.0, 32.0]))["walkway"]
    assert "25 and 32 mm bases need 12.5 and 16.0 mm" in found.text


def test_steps_of_an_ornament_are_no_stair(tmp_path: Path) -> None:
    cap = [box(-20 + 3 * k, 0, 60 + 4 * k, 20 - 3 * k, 12, 65 + 4 * k) for k in range(4)]
    kinds = {f.kind.value for f in checked(tmp_path, [box(-20, 0, 0, 20, 12, 60), *cap]).findings}
    assert not {"walkway", "tread", "steps"} & kinds


def test_a_model_in_the_wrong_unit_says_which_would_fit(tmp_path: Path) -> None:
    found = checked(tmp_path, [box(0, 0, 0, 6.0, 6.0, 3.0)])
    assert [f.kind.value for f in found.findings] == ["units"]
    assert found.findings[0].cure == "`units: in` would make it 6 in or `units: cm` would make it 2.36 in"
    high = checked(tmp_path, [box(0, 0, 0, 300.0, 300.0, 800.0)])
    assert [f.kind.value for f in high.findings] == ["units"]


def test_feather_edges_on_the_bed_are_no_thin_walls(tmp_path: Path) -> None:
    wedge = prism([(0.0, 0.0), (80.0, 0.0), (80.0, 40.0), (0.0, 40.0)], 0.0, [0.01, 2.4, 2.4, 0.01])
    assert "thin-wall" not in grave(checked(tmp_path, [wedge]))
    roof = [box(0, 0, 0, 5, 40, 20), box(75, 0, 0, 80, 40, 20), box(0, 0, 19.5, 80, 40, 20.4)]
    assert "thin-wall" in grave(checked(tmp_path, roof))


def test_a_knob_is_no_ledge_for_anybody(tmp_path: Path) -> None:
    knob = [box(0, 0, 0, 100, 100, 30), box(40, 40, 29.5, 60, 60, 38)]
    assert not grave(checked(tmp_path, knob))
    shelf = [box(0, 0, 0, 100, 100, 30), box(20, 40, 29.5, 80, 60, 38)]
    assert "ledge" in grave(checked(tmp_path, shelf))


def test_floors_one_above_another_make_no_step(tmp_path: Path) -> None:
    """25 mm apart, just below Blightmeer's free step, and walls between them and the table."""
    shell = [box(0, 0, 0, 90, 5, 60), box(0, 85, 0, 90, 90, 60), box(0, 4.5, 0, 5, 85.5, 60)]
    shell += [
        box(85, 4.5, 0, 90, 85.5, 60),
        box(4.5, 4.5, 0, 85.5, 85.5, 5),
        box(4.5, 4.5, 27, 85.5, 85.5, 30),
    ]
    assert "near-step" not in grave(checked(tmp_path, shell, packs=["blightmeer"]))
    assert "near-step" in grave(checked(tmp_path, [box(0, 0, 0, 90, 90, 25.0)], packs=["blightmeer"]))


def test_between_a_wall_and_an_obstacle_nobody_is_stopped(tmp_path: Path) -> None:
    """Obstacles are crossed: the strip beside one is no narrow way."""
    wall, crate = box(0, 0, 0, 160, 8, 60), box(60, 24, 0, 100, 64, 20)
    assert not {"walkway", "door"} & set(grave(checked(tmp_path, [wall, crate], bases=[40.0])))


def test_the_last_tread_of_a_stair_by_itself_is_a_tread(tmp_path: Path) -> None:
    stair = [box(15 * k, 0, 0, 15 * k + 15.2, 60, 10.0 * (k + 1)) for k in range(7)]
    assert not grave(checked(tmp_path, stair))
    shelf = [*stair[:6], box(90, 0, 0, 115, 60, 70.0), box(115, 0, 0, 165, 60, 120.0)]
    assert "ledge" in grave(checked(tmp_path, shelf))


@pytest.mark.parametrize("turn", [0.0, 20.0])
def test_a_stair_between_walls_is_as_wide_as_a_door(tmp_path: Path, turn: float) -> None:
    def flight(wide: float, walls: bool) -> list[Triangles]:
        treads = [box(14 * k, 0, 0, 14 * k + 14.2, wide, 10.0 * (k + 1)) for k in range(5)]
        deck = box(70, -30, 0, 140, wide + 30, 60)
        sides = [box(0, -5, 0, 70.2, 0.2, 110), box(0, wide - 0.2, 0, 70.2, wide + 5, 110)]
        return [*treads, deck, *(sides if walls else [])]

    door = grave(checked(tmp_path, flight(29.0, True), turn=turn))["door"]
    assert door.measured == pytest.approx(28.6, abs=0.1)
    assert "door" not in grave(checked(tmp_path, flight(34.0, True), turn=turn))
    assert not grave(
        checked(tmp_path, flight(29.0, False), turn=turn)
    )  # its sides are lips: half a base is enough


@pytest.mark.parametrize("turn", [0.0, 22.5])
def test_the_cheapest_way_shows_no_grid(tmp_path: Path, turn: float) -> None:
    """Over a plinth half an inch high to a block in its middle: from its rim to the wall, up, and over the lip."""
    plinth, block = box(0, 0, 0, 300, 300, 12.0), box(120, 120, 11.5, 180, 180, 60)
    report = checked(tmp_path, [plinth, block], turn=turn)
    top = next(floor for floor in report.floors if floor.height == pytest.approx(60.0))
    exact = (120.0 - 16.0 + 2 * 48.0 + 32.0) / 25.4
    # right to a cell of ground, where the way begins; the eight neighbours of its grid would add 0.3 at an odd angle
    assert top.reach[0].cost == pytest.approx(exact, abs=0.12)
