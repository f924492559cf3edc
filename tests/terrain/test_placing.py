"""Where a model lands on the board: units, the up axis, scale, place, turn, tilt; the board and its ceiling."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sandbox.kinds import Kind
from sandbox.scene.model import Anchor, BoardGround, Shape, Unit, UpAxis
from sandbox.terrain.build import build_terrain
from sandbox.terrain.model import Part, Terrain

from .shapes import box, obj, piece, saved, scene, shape, stl


def part_of(terrain: Terrain, piece_id: str = "it") -> Part:
    found = [part for part in terrain.parts if part.piece == piece_id]
    assert len(found) == 1
    return found[0]


def extent(terrain: Terrain, piece_id: str = "it") -> np.ndarray:
    """Lowest and highest corner of a piece, (2, 3) inches."""
    numbers = [k for k, part in enumerate(terrain.parts) if part.piece == piece_id]
    corners = terrain.vertices[terrain.faces[np.isin(terrain.face_part, numbers)]].reshape(-1, 3)
    return np.array([corners.min(axis=0), corners.max(axis=0)]) / 25.4


@pytest.fixture
def brick(tmp_path: Path) -> Path:
    """A block of 10 x 20 x 40 file units, off its origin."""
    return saved(tmp_path, "brick.stl", stl(box((5, 5, 7), (15, 25, 47))))


def test_a_model_stands_with_the_middle_of_its_box_at_its_place(brick: Path) -> None:
    found = extent(build_terrain(scene(piece(brick, at=(12, 10, 0)))))
    size = np.array((10, 20, 40)) / 25.4
    assert found[0] == pytest.approx([12 - size[0] / 2, 10 - size[1] / 2, 0], abs=1e-6)
    assert found[1] == pytest.approx([12 + size[0] / 2, 10 + size[1] / 2, size[2]], abs=1e-6)


@pytest.mark.parametrize(
    ("unit", "factor"), [(Unit.MM, 1), (Unit.CM, 10), (Unit.INCH, 25.4), (Unit.METRE, 1000), (None, 1)]
)
def test_units(brick: Path, unit: Unit | None, factor: float) -> None:
    found = part_of(build_terrain(scene(piece(brick, units=unit, scale=0.01))))
    assert found.height_mm == pytest.approx(40 * factor * 0.01)


def test_y_up_turns_about_x(brick: Path) -> None:
    terrain = build_terrain(scene(piece(brick, up=UpAxis.Y)))
    assert (extent(terrain)[1] - extent(terrain)[0]) * 25.4 == pytest.approx([10, 40, 20])


def test_y_up_keeps_left_and_right(tmp_path: Path) -> None:
    # a wedge of blocks: long leg along x, short along file z; up is file y
    mesh = np.concatenate(
        (box((0, 0, 0), (40, 10, 10)), box((0, 10, 0), (10, 20, 10)), box((0, 0, 10), (10, 10, 20)))
    )
    terrain = build_terrain(scene(piece(saved(tmp_path, "l.stl", stl(mesh)), up=UpAxis.Y)))
    top = terrain.vertices[terrain.vertices[:, 2] > 15]
    low = extent(terrain)[0] * 25.4
    # file z looks south, so the short leg (file z 10 to 20) lies south of the tall block
    assert top[:, 1].min() - low[1] == pytest.approx(10)
    assert top[:, 0].min() - low[0] == pytest.approx(0)


@pytest.mark.parametrize("turn", [0, 30, 90, 180, 270, -90, 450, 77.7])
def test_turning_goes_counter_clockwise_about_the_place(turn: float) -> None:
    terrain = build_terrain(scene(shape(Shape.RAMP, (4, 2, 1), turn=turn, at=(20, 20, 0))))
    ridge = terrain.vertices[np.abs(terrain.vertices[:, 2] - 25.4) < 1e-9].mean(axis=0) / 25.4
    angle = np.radians(turn)
    assert ridge == pytest.approx([20 + 2 * np.cos(angle), 20 + 2 * np.sin(angle), 1])


def test_quarter_turns_are_exact() -> None:
    terrain = build_terrain(scene(shape(Shape.BOX, (4, 2, 1), turn=90, at=(20, 20, 0))))
    assert part_of(terrain).bounds_mm == pytest.approx(
        (19 * 25.4, 18 * 25.4, 21 * 25.4, 22 * 25.4), abs=1e-10
    )


def test_the_bottom_goes_to_the_height_of_the_place(brick: Path) -> None:
    assert part_of(build_terrain(scene(piece(brick, at=(12, 10, 3))))).low_mm == pytest.approx(76.2)


def test_tilting_leans_a_plank_and_keeps_its_lowest_point_down() -> None:
    terrain = build_terrain(scene(shape(Shape.BOX, (4, 1, 0.5), tilt=(0, -30), at=(20, 20, 1))))
    found = extent(terrain)
    # about y by -30 degrees: the east end rises
    assert found[0, 2] == pytest.approx(1)
    assert found[1, 2] - 1 == pytest.approx(4 * 0.5 + 0.5 * np.cos(np.pi / 6))
    high = terrain.vertices[np.argmax(terrain.vertices[:, 2])] / 25.4
    assert high[0] > 20
    assert found.mean(axis=0)[:2] == pytest.approx([20, 20])


def test_tilting_about_x_raises_the_north() -> None:
    terrain = build_terrain(scene(shape(Shape.BOX, (1, 4, 0.5), tilt=(30, 0), at=(20, 20, 0))))
    assert terrain.vertices[np.argmax(terrain.vertices[:, 2])][1] / 25.4 > 20


def test_a_model_alone_lies_with_its_corner_at_the_place(brick: Path) -> None:
    terrain = build_terrain(scene(piece(brick, at=(0, 0, 0), anchor=Anchor.CORNER), size=None))
    assert extent(terrain)[0] == pytest.approx([0, 0, 0], abs=1e-9)
    assert terrain.size_mm == pytest.approx((25.4, 25.4))


def test_gltf_stands_upright_in_metres_by_itself(tmp_path: Path) -> None:
    import trimesh

    mesh = trimesh.creation.box((0.01, 0.04, 0.02))
    terrain = build_terrain(scene(piece(saved(tmp_path, "b.glb", mesh.export(file_type="glb")))))
    assert (extent(terrain)[1] - extent(terrain)[0]) * 25.4 == pytest.approx([10, 20, 40], abs=1e-4)


@pytest.mark.parametrize(
    ("kind", "sizes", "volume"),
    [
        (Shape.BOX, (2, 3, 1), 6.0),
        (Shape.CYLINDER, (1, 2), 2 * np.pi),
        (Shape.RAMP, (3, 2, 1), 3.0),
        (Shape.STAIRS, (3, 2, 3, 6), 3 * 2 * 3 * 7 / 12),
        (Shape.STAIRS, (3, 2, 3, 1), 18.0),
    ],
)
def test_shapes_are_solid_and_fill_their_sizes(kind: Shape, sizes: tuple[float, ...], volume: float) -> None:
    terrain = build_terrain(scene(shape(kind, sizes), ground=BoardGround.PIT))
    assert terrain.shell_closed.tolist() == [True]
    corners = terrain.vertices[terrain.faces] / 25.4
    filled = np.einsum("ij,ij->", corners[:, 0] - 10, np.cross(corners[:, 1] - 10, corners[:, 2] - 10)) / 6
    assert filled == pytest.approx(volume, rel=0.003)
    found = extent(terrain)
    assert found[0, 2] == pytest.approx(0)
    assert found.mean(axis=0)[:2] == pytest.approx([10, 10])


def test_stairs_have_equal_treads() -> None:
    terrain = build_terrain(scene(shape(Shape.STAIRS, (3, 2, 3, 6)), ground=BoardGround.PIT))
    corners = terrain.vertices[terrain.faces] / 25.4
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    flat = (normal[:, 2] > 1e-9) & (np.abs(normal[:, :2]).max(axis=1) < 1e-9)
    heights = np.round(corners[flat][:, 0, 2], 6)
    assert sorted(set(heights)) == pytest.approx([0.5, 1, 1.5, 2, 2.5, 3])
    for step, height in enumerate(sorted(set(heights))):
        x = corners[flat][heights == height][:, :, 0]
        assert (x.min(), x.max()) == pytest.approx((8.5 + step / 2, 9 + step / 2))


def test_the_board_is_part_0_with_its_top_at_0() -> None:
    terrain = build_terrain(scene(size=(36, 24)))
    board = terrain.parts[0]
    assert (board.piece, board.kind, board.high_mm, board.low_mm) == ("board", Kind.OPEN, 0, -25)
    assert board.bounds_mm == pytest.approx((0, 0, 36 * 25.4, 24 * 25.4))
    assert board.width_mm == pytest.approx(24 * 25.4)
    assert not board.free_standing
    assert terrain.size_mm == pytest.approx((36 * 25.4, 24 * 25.4))
    assert terrain.shell_closed.tolist() == [True]


def test_difficult_ground_and_the_pit() -> None:
    assert build_terrain(scene(ground=BoardGround.DIFFICULT)).parts[0].kind is Kind.DIFFICULT
    pit = build_terrain(scene(ground=BoardGround.PIT))
    assert pit.parts == ()
    assert len(pit.faces) == 0


def test_the_ceiling_is_an_impassable_slab() -> None:
    terrain = build_terrain(scene(shape(Shape.BOX, (1, 1, 1)), ceiling=5.0))
    ceiling = part_of(terrain, "ceiling")
    assert ceiling.kind is Kind.IMPASSABLE
    assert (ceiling.low_mm, ceiling.high_mm) == pytest.approx((127, 152))
    assert terrain.shell_closed.tolist() == [True, True, True]
    assert part_of(terrain).free_standing


def test_arrays_have_the_shapes_and_dtypes_of_the_model(brick: Path) -> None:
    terrain = build_terrain(scene(piece(brick), shape(Shape.BOX, (1, 1, 1), "b", at=(30, 30, 0))))
    assert terrain.vertices.dtype == np.float64
    for array in (terrain.faces, terrain.face_shell, terrain.face_part):
        assert array.dtype == np.int32
        assert array.flags.c_contiguous
    assert len(terrain.face_shell) == len(terrain.face_part) == len(terrain.faces)
    assert terrain.face_part.max() + 1 == len(terrain.parts)
    assert terrain.face_shell.max() + 1 == len(terrain.shell_closed)


def test_the_digest_tells_what_changed(brick: Path) -> None:
    one = build_terrain(scene(piece(brick))).digest
    assert build_terrain(scene(piece(brick))).digest == one
    assert build_terrain(scene(piece(brick, turn=1))).digest != one
    assert build_terrain(scene(piece(brick, kind=Kind.WALL))).digest != one


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    path = saved(tmp_path, "a.stl", stl(box((0, 0, 0), (10, 10, 10))))
    assert part_of(build_terrain(scene(piece(path)))).height_mm == pytest.approx(10)
    saved(
        tmp_path, "a.stl", stl(np.concatenate((box((0, 0, 0), (10, 10, 10)), box((0, 0, 10), (10, 10, 25)))))
    )
    assert part_of(build_terrain(scene(piece(path)))).height_mm == pytest.approx(25)


@pytest.mark.parametrize(
    ("size", "unit", "guess"),
    [
        (0.05, Unit.MM, "units: m would make it 1.97 in"),
        (60, Unit.CM, None),
        (60, Unit.INCH, None),
        (60, Unit.METRE, "units: mm would make it 2.36 in"),
        (3, Unit.MM, "units: cm would make it 1.18 in or units: in would make it 3 in"),
    ],
)
def test_sizes_that_no_terrain_has_are_warned_of_with_a_guess(
    tmp_path: Path, size: float, unit: Unit, guess: str | None
) -> None:
    path = saved(tmp_path, "a.obj", obj({"a": box((0, 0, 0), (size, size, size / 2))}))
    terrain = build_terrain(scene(piece(path, units=unit, at=(2000, 2000, 0)), size=(4000, 4000)))
    texts = [note.text for note in terrain.notes if note.warning]
    assert len(texts) == (guess is not None)
    assert all(guess in text for text in texts if guess)


def test_a_piece_over_the_edge_is_warned_of(brick: Path) -> None:
    terrain = build_terrain(scene(piece(brick, at=(0.1, 5, 0))))
    assert any(note.warning and "over the edge" in note.text for note in terrain.notes)
    assert not any("over the edge" in note.text for note in build_terrain(scene(piece(brick))).notes)
