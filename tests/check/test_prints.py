"""Print findings, each on the smallest build that has it, and on the same build without it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from quality.shapes import box, pillar, spike, turned

from .builds import checked, grave

PLATE = box(0, 0, 0, 80, 80, 4)


@pytest.mark.parametrize("turn", [0.0, 33.0])
def test_thin_walls(tmp_path: Path, turn: float) -> None:
    def wall(thick: float) -> list[np.ndarray]:
        return [PLATE, box(10, 40 - thick / 2, 3.5, 70, 40 + thick / 2, 25)]

    found = grave(checked(tmp_path, wall(0.9), turn=turn))
    assert found["thin-wall"].measured == pytest.approx(0.9, abs=0.02)
    assert "thin-wall" not in grave(checked(tmp_path, wall(1.25), turn=turn))


def test_a_wedge_is_no_thin_wall_and_glued_plates_are_one(tmp_path: Path) -> None:
    from quality.shapes import prism

    wedge = prism([(0.0, 0.0), (50.0, 0.0), (50.0, 60.0), (0.0, 60.0)], 0.0, [0.0, 6.0, 6.0, 0.0])
    assert "thin-wall" not in grave(checked(tmp_path, [wedge]))
    glued = [box(0, 0, 0, 60, 60, 0.8), box(0, 0, 0.8, 60, 60, 3.0)]
    assert "thin-wall" not in grave(checked(tmp_path, glued))


def test_open_repeated_and_inside_out(tmp_path: Path) -> None:
    assert set(grave(checked(tmp_path, [PLATE[1:]]))) == {"open-shell"}
    assert set(grave(checked(tmp_path, [PLATE, PLATE[:2]]))) == {"repeated-faces"}
    assert set(grave(checked(tmp_path, [PLATE[:, ::-1]]))) == {"inside-out"}
    hollow = [PLATE, box(10, 10, 1, 70, 70, 3)[:, ::-1]]  # a cavity is meant to be turned inward
    assert "inside-out" not in grave(checked(tmp_path, hollow, wall=0.5))


def test_self_intersection_is_told_apart_from_solids_that_overlap(tmp_path: Path) -> None:
    assert "self-intersection" in grave(checked(tmp_path, [spike(0, 0, 30, 30, 14, (30.4, 15, 7))]))
    assert "self-intersection" not in grave(checked(tmp_path, [spike(0, 0, 30, 30, 14, (15, 15, 3))]))
    assert "self-intersection" not in grave(checked(tmp_path, [PLATE, box(20, 20, 2, 50, 50, 20)]))


def test_floating_bits_and_feet(tmp_path: Path) -> None:
    assert "floating" in grave(checked(tmp_path, [PLATE, box(1, 1, 4.3, 8, 8, 9)]))
    assert "floating" not in grave(checked(tmp_path, [PLATE, box(1, 1, 4.0, 8, 8, 9)]))
    post = box(0, 0, 0, 12, 12, 40)
    assert "topples" in grave(checked(tmp_path, [post, box(6, 0, 40, 60, 12, 52)]))
    assert "topples" not in grave(checked(tmp_path, [post, box(0, 0, 40, 20, 12, 52)]))
    ball = pillar(0, 0, 12, -12, 12)
    lying = ball[..., [2, 1, 0]] * np.array([1.0, 1.0, -1.0])
    assert "flat-bottom" in grave(
        checked(tmp_path, [turned(lying, 7.0, (0, 0), (0, 0)) + np.array([0, 0, 12.0])])
    )


def test_bed_units_scale_and_triangles(tmp_path: Path) -> None:
    assert set(grave(checked(tmp_path, [box(0, 0, 0, 200.4, 100, 5)], bed=(200.0, 200.0, 200.0)))) == {"bed"}
    assert not grave(checked(tmp_path, [box(0, 0, 0, 199.4, 100, 5)], bed=(200.0, 200.0, 200.0)))
    assert set(grave(checked(tmp_path, [PLATE], triangles=11))) == {"triangles"}
    small = checked(tmp_path, [PLATE / 25.4])
    assert "units" in grave(small)
    assert not small.floors and small.notes  # how it plays is not looked at
    assert set(grave(checked(tmp_path, [box(0, 0, 0, 297, 297, 5)]))) == {"scale"}
    measured = checked(tmp_path, [box(0, 0, 0, 289, 289, 5)])
    assert not grave(measured)
    assert "scale" in {f.kind.value for f in measured.findings}
