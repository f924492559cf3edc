"""Law 13's sizes: parts as clusters of touching shells, their smaller plan dimension, free-standing or fused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import shapely
import trimesh

from sandbox.kinds import Kind
from sandbox.scene.model import Mark, Shape
from sandbox.terrain.build import build_terrain
from sandbox.terrain.model import Part

from .shapes import Triangles, box, obj, piece, saved, scene, shape, stl


def parts(path: Path, **rest: object) -> list[Part]:
    """Parts of one model on the board, without the board."""
    return list(build_terrain(scene(piece(path, **rest))).parts[1:])


def extruded(polygon: shapely.Polygon, height: float = 20.0) -> Triangles:
    """A plan polygon as a solid."""
    mesh = trimesh.creation.extrude_polygon(polygon, height, engine="earcut")
    return np.asarray(mesh.triangles)


@pytest.mark.parametrize(("gap", "count"), [(-5.0, 1), (0.0, 1), (0.04, 1), (0.07, 2)])
def test_shells_of_one_node_that_touch_are_one_part(tmp_path: Path, gap: float, count: int) -> None:
    mesh = np.concatenate((box((0, 0, 0), (30, 30, 30)), box((30 + gap, 5, 5), (60, 25, 25))))
    assert len(parts(saved(tmp_path, "a.stl", stl(mesh)))) == count


@pytest.mark.parametrize(("gap", "count"), [(0.04, 1), (0.07, 2)])
def test_touching_is_measured_between_faces_edges_and_corners_alike(
    tmp_path: Path, gap: float, count: int
) -> None:
    ball = trimesh.creation.icosphere(3, 20.0)
    spike = ball.vertices[np.argmax(ball.vertices[:, 2])]
    plate = box((-30, -30, spike[2] + gap), (35, 30, spike[2] + 10))
    crossed = np.concatenate((box((-60, 40, 0), (60, 50, 10)), box((-5, 30, 10 + gap), (5, 60, 20))))
    for number, mesh in enumerate((np.concatenate((np.asarray(ball.triangles), plate)), crossed)):
        path = saved(tmp_path, f"{number}.obj", obj({"x": mesh}))
        assert len(parts(path)) == count


def test_a_shell_buried_in_a_solid_belongs_to_it(tmp_path: Path) -> None:
    mesh = np.concatenate((box((0, 0, 0), (40, 40, 40)), box((10, 10, 10), (30, 30, 30))))
    assert len(parts(saved(tmp_path, "a.stl", stl(mesh)))) == 1


def test_nodes_are_parts_even_where_they_touch(tmp_path: Path) -> None:
    path = saved(
        tmp_path, "a.obj", obj({"wall": box((0, 0, 0), (60, 10, 60)), "crate": box((0, 10, 0), (20, 30, 20))})
    )
    found = parts(path)
    assert [part.name for part in found] == ["wall", "crate"]
    assert [part.free_standing for part in found] == [True, True]


def test_many_shells_along_a_line_are_one_part(tmp_path: Path) -> None:
    mesh = np.concatenate([box((k * 4, 0, 0), (k * 4 + 4.03, 4, 4)) for k in range(200)])
    assert len(parts(saved(tmp_path, "a.stl", stl(mesh)))) == 1


@pytest.mark.parametrize("turn", [0.0, 33.0])
@pytest.mark.parametrize(
    ("outline", "width"),
    [
        (shapely.box(0, 0, 80, 40), 40.0),
        (shapely.box(0, 0, 200, 25.4), 25.4),
        (shapely.Point(0, 0).buffer(25.4, quad_segs=64), 50.8),
        (shapely.union_all([shapely.box(0, 0, 120, 20), shapely.box(0, 0, 20, 90)]), 20 * (4 - 2 * 2**0.5)),
        (shapely.Point(0, 0).buffer(60, quad_segs=64) - shapely.Point(0, 0).buffer(45, quad_segs=64), 15.0),
        (shapely.LineString([(0, 0), (60, 0), (90, 40), (90, 90)]).buffer(12, cap_style="flat"), None),
        (shapely.Polygon([(0, 0), (60, 0), (0, 60)]), 60 * (2 - 2**0.5)),
    ],
    ids=["block", "pipeline", "drum", "corner of barricades", "ring of sandbags", "curved pipe", "wedge"],
)
def test_the_smaller_plan_dimension_is_the_widest_circle(
    tmp_path: Path, outline: shapely.Polygon, width: float | None, turn: float
) -> None:
    if width is None:
        width = 2 * shapely.maximum_inscribed_circle(outline, tolerance=0.005).length
    (part,) = parts(saved(tmp_path, "a.obj", obj({"x": extruded(outline)})), turn=turn)
    assert part.width_mm == pytest.approx(width, abs=0.05)


def test_the_outline_is_that_of_all_shells_together(tmp_path: Path) -> None:
    """Two crates side by side are as wide as both; a slanted roof overhangs its wall."""
    crates = np.concatenate((box((0, 0, 0), (20, 40, 20)), box((20, 0, 0), (40, 40, 25))))
    (part,) = parts(saved(tmp_path, "a.stl", stl(crates)))
    assert part.width_mm == pytest.approx(40, abs=0.05)
    cap = np.concatenate((box((0, 0, 0), (100, 5, 40)), box((-10, -15, 40), (110, 20, 44))))
    (part,) = parts(saved(tmp_path, "b.stl", stl(cap)))
    assert part.width_mm == pytest.approx(35, abs=0.05)


def test_an_upright_sheet_has_no_width_and_a_lying_one_has(tmp_path: Path) -> None:
    fence = box((0, 0, 0), (100, 5, 40))[4:6]
    (part,) = parts(saved(tmp_path, "a.stl", stl(fence)))
    assert part.width_mm == 0
    rug = box((0, 0, 0), (100, 50, 40))[:2]  # drawn from below
    (part,) = parts(saved(tmp_path, "b.stl", stl(rug)))
    assert part.width_mm == pytest.approx(50, abs=0.05)


def test_large_parts_are_measured_to_a_pixel(tmp_path: Path) -> None:
    hall = shapely.box(0, 0, 500, 400) - shapely.box(20, 20, 480, 380)
    (part,) = parts(saved(tmp_path, "a.obj", obj({"x": extruded(hall)})))
    assert part.width_mm == pytest.approx(20 * (4 - 2 * 2**0.5), abs=0.05)
    (part,) = parts(saved(tmp_path, "b.stl", stl(box((0, 0, 0), (500, 400, 30)))))
    assert part.width_mm == pytest.approx(400, abs=4)


def _free(*pieces: object) -> dict[str, bool]:
    terrain = build_terrain(scene(*pieces))  # type: ignore[arg-type]
    return {part.piece: part.free_standing for part in terrain.parts}


def test_what_rests_on_something_or_touches_it_stands_free() -> None:
    hall = shape(Shape.BOX, (6, 6, 3), "hall")
    on_top = shape(Shape.BOX, (1, 1, 1), "crate", at=(10, 10, 3))
    beside = shape(Shape.BOX, (1, 1, 1), "bin", at=(13.5, 10, 0))
    assert _free(hall, on_top, beside) == {"board": False, "hall": True, "crate": True, "bin": True}


@pytest.mark.parametrize(("depth", "free"), [(0.01, True), (0.05, False), (0.5, False)])
def test_pieces_that_go_into_a_larger_one_are_fused_beyond_the_leeway_of_placing(
    depth: float, free: bool
) -> None:
    hall = shape(Shape.BOX, (6, 6, 3), "hall")
    for at in ((10.0, 10.0, 3 - depth), (13.5 - depth, 10.2, 0.1)):
        assert _free(hall, shape(Shape.BOX, (1, 1, 1), "crate", at=at))["crate"] == free


def test_what_is_wholly_inside_a_larger_solid_is_fused() -> None:
    found = _free(shape(Shape.BOX, (6, 6, 3), "hall"), shape(Shape.BOX, (1, 1, 1), "core", at=(10, 10, 1)))
    assert found["core"] is False
    assert found["hall"] is True


def test_a_piece_sunk_into_the_table_still_stands_free() -> None:
    assert _free(shape(Shape.BOX, (1, 1, 1), "crate", at=(10, 10, -0.2)))["crate"]


def test_nodes_of_one_model_are_fused_where_they_interpenetrate(tmp_path: Path) -> None:
    mesh = {
        "wall": box((0, 0, 0), (60, 10, 60)),
        "stub": box((20, 9, 0), (30, 30, 20)),
        "bin": box((40, 10, 0), (50, 30, 20)),
    }
    found = {part.name: part.free_standing for part in parts(saved(tmp_path, "a.obj", obj(mesh)))}
    assert found == {"wall": True, "stub": False, "bin": True}


def test_groups_of_one_surface_are_fused(tmp_path: Path) -> None:
    cube = box((0, 0, 0), (40, 40, 40))
    found = parts(
        saved(tmp_path, "a.obj", obj({"top": cube[2:4], "rest": np.concatenate((cube[:2], cube[4:]))}, "g"))
    )
    assert [(part.name, part.free_standing) for part in found] == [("top", False), ("rest", True)]
    assert build_terrain(scene(piece(tmp_path / "a.obj"))).shell_closed.all()


def test_marked_faces_are_a_part_fused_to_the_rest(tmp_path: Path) -> None:
    mesh = np.concatenate((box((0, 0, 0), (100, 10, 80)), box((40, -4, 0), (60, 2, 70))))
    path = saved(tmp_path, "a.stl", stl(mesh))
    mark = Mark(Kind.LADDER, (1.5, -0.2, 0.0), (2.4, 0.1, 3.0))
    found = {part.kind: part for part in parts(path, marks=(mark,))}
    assert set(found) == {Kind.AUTO, Kind.LADDER}
    assert found[Kind.LADDER].height_mm == pytest.approx(70)
    assert not found[Kind.LADDER].free_standing
