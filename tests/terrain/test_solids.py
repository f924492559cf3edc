"""Law 2, Solids: each clause on the smallest mesh that shows it."""

from __future__ import annotations

import numpy as np
import pytest

from sandbox.terrain import repair as repair_room
from sandbox.terrain.boxes import holding, overlapping
from sandbox.terrain.repair import Solids

from .shapes import Triangles, box, quad, sheet_area, solids, turned_over, volume


def test_loose_triangles_weld_to_one_solid_that_looks_outward() -> None:
    made = solids(box((0, 0, 0), (10, 20, 30)))
    assert made.closed.tolist() == [True]
    assert len(made.vertices) == 8
    assert volume(made) == pytest.approx(6000)
    assert made.notes == made.warnings == ()


@pytest.mark.parametrize(("apart", "closed"), [(0.004, True), (0.05, False)])
def test_corners_weld_within_rounding_and_no_farther(apart: float, closed: bool) -> None:
    top = box((0, 0, 0), (20, 20, 20))[2:4] + np.array((apart, 0, 0))
    made = solids(np.concatenate((box((0, 0, 0), (20, 20, 20), without=("top",)), top)))
    assert made.closed.all() == closed


def test_collapsed_triangles_go() -> None:
    needle = np.array([[[0, 0, 0], [5, 0, 0], [0, 0, 0]]], dtype=np.float64)
    line = np.array([[[0, 0, 40], [5, 0, 40], [10, 0, 40]]], dtype=np.float64)
    made = solids(np.concatenate((box((0, 0, 0), (20, 20, 20)), needle, line)))
    assert len(made.faces) == 12
    assert made.closed.tolist() == [True]


def test_faces_repeated_the_same_way_round_drop_to_one() -> None:
    cube = box((0, 0, 0), (20, 20, 20))
    made = solids(np.concatenate((cube, cube[2:4], cube[2:3, (1, 2, 0)])))
    assert len(made.faces) == 12
    assert made.closed.tolist() == [True]


def test_a_whole_shell_repeated_is_one_shell() -> None:
    cube = box((0, 0, 0), (20, 20, 20))
    made = solids(np.concatenate((cube, cube)))
    assert made.closed.tolist() == [True]
    assert volume(made) == pytest.approx(8000)


def test_opposite_faces_between_solids_drop_out() -> None:
    made = solids(np.concatenate((box((0, 0, 0), (20, 20, 20)), box((0, 0, 20), (20, 20, 50)))))
    assert len(made.faces) == 20
    assert made.closed.all()
    assert volume(made) == pytest.approx(20_000)


def test_opposite_faces_on_their_own_stay_a_sheet_once() -> None:
    plate = quad((0, 0, 5), (40, 0, 5), (40, 40, 5), (0, 40, 5))
    made = solids(np.concatenate((plate, turned_over(plate))))
    assert made.closed.tolist() == [False]
    assert sheet_area(made) == pytest.approx(1600)


def test_a_plate_drawn_twice_with_other_diagonals_is_a_sheet() -> None:
    one = quad((0, 0, 5), (40, 0, 5), (40, 40, 5), (0, 40, 5))
    other = quad((40, 0, 5), (0, 0, 5), (0, 40, 5), (40, 40, 5))
    assert not solids(np.concatenate((one, other))).closed.any()


def _tower() -> Triangles:
    """A square tube, 40 mm outside, 10 mm walls, 60 mm high, its rings cut at 30 mm."""
    rings = []
    for low, high in ((0, 30), (30, 60)):
        rings.append(box((0, 0, low), (40, 40, high), without=("top", "bottom")))
        rings.append(turned_over(box((10, 10, low), (30, 30, high), without=("top", "bottom"))))
    for z, over in ((60, False), (0, True)):
        outer = [(0, 0, z), (40, 0, z), (40, 40, z), (0, 40, z)]
        inner = [(10, 10, z), (30, 10, z), (30, 30, z), (10, 30, z)]
        for k in range(4):
            strip = quad(outer[k], outer[(k + 1) % 4], inner[(k + 1) % 4], inner[k])
            rings.append(turned_over(strip) if over else strip)
    return np.concatenate(rings)


def test_a_floor_drawn_on_both_sides_across_a_tower_stays_and_the_tower_stays_solid() -> None:
    floor = quad((10, 10, 30), (30, 10, 30), (30, 30, 30), (10, 30, 30))
    made = solids(np.concatenate((_tower(), floor, turned_over(floor))))
    assert sorted(made.closed.tolist()) == [False, True]
    assert sheet_area(made) == pytest.approx(400)
    assert volume(made) == pytest.approx((1600 - 400) * 60)


def test_a_floor_drawn_on_one_side_across_a_tower_does_the_same() -> None:
    floor = quad((10, 10, 30), (30, 10, 30), (30, 30, 30), (10, 30, 30))
    for side in (floor, turned_over(floor)):
        made = solids(np.concatenate((_tower(), side)))
        assert sorted(made.closed.tolist()) == [False, True]
        assert volume(made) == pytest.approx((1600 - 400) * 60)


@pytest.mark.parametrize("twice", [False, True])
def test_a_fin_leaves_its_block_solid(twice: bool) -> None:
    fin = quad((0, 0, 20), (20, 0, 20), (20, 0, 50), (0, 0, 50))
    fins = [fin, turned_over(fin)] if twice else [fin]
    made = solids(np.concatenate((box((0, 0, 0), (20, 20, 20)), *fins)))
    assert made.closed.tolist() == [True, False]
    assert volume(made) == pytest.approx(8000)
    assert sheet_area(made) == pytest.approx(600)


def test_a_face_with_a_flipped_copy_of_itself_still_closes_its_block() -> None:
    cube = box((0, 0, 0), (20, 20, 20))
    made = solids(np.concatenate((cube, turned_over(cube[:2]))))
    assert made.closed.tolist() == [True]
    assert volume(made) == pytest.approx(8000)


def test_solids_that_share_an_edge_come_apart() -> None:
    made = solids(np.concatenate((box((0, 0, 0), (10, 10, 10)), box((10, 10, 0), (20, 20, 10)))))
    assert made.closed.tolist() == [True, True]
    assert volume(made, 0) == volume(made, 1) == pytest.approx(1000)


def test_blocks_that_touch_over_faces_cut_differently_leave_no_sheet() -> None:
    low = box((0, 0, 0), (20, 20, 20))
    made = solids(np.concatenate((low, box((0, 0, 20), (20, 20, 40), flip=("bottom",)))))
    assert made.closed.all()
    assert volume(made) == pytest.approx(16_000)


def test_overlapping_blocks_both_stay_whole() -> None:
    made = solids(np.concatenate((box((0, 0, 0), (20, 20, 20)), box((5, 5, 10), (15, 15, 40)))))
    assert made.closed.tolist() == [True, True]
    assert volume(made) == pytest.approx(8000 + 3000)


def _with_hole(width: float) -> Triangles:
    """A 40 mm cube whose top has a square hole, `width` from corner to corner."""
    half = width / 2 / np.sqrt(2)
    outer = [(0, 0, 40), (40, 0, 40), (40, 40, 40), (0, 40, 40)]
    inner = [
        (20 - half, 20 - half, 40),
        (20 + half, 20 - half, 40),
        (20 + half, 20 + half, 40),
        (20 - half, 20 + half, 40),
    ]
    strips = [quad(outer[k], outer[(k + 1) % 4], inner[(k + 1) % 4], inner[k]) for k in range(4)]
    return np.concatenate((box((0, 0, 0), (40, 40, 40), without=("top",)), *strips))


@pytest.mark.parametrize(("width", "capped"), [(6.0, True), (10.0, True), (10.2, False)])
def test_holes_up_to_10_mm_are_capped_with_a_note(width: float, capped: bool) -> None:
    made = solids(_with_hole(width))
    assert made.closed.tolist() == [capped]
    assert any("capped" in note for note in made.notes) == capped
    if capped:
        assert volume(made) == pytest.approx(64_000)


def test_the_rim_of_a_small_plate_is_no_hole() -> None:
    made = solids(np.array([[[0, 0, 0], [5, 0, 0], [0, 5, 0]]], dtype=np.float64))
    assert made.closed.tolist() == [False]
    assert len(made.faces) == 1


def test_small_holes_that_meet_in_a_corner_are_capped() -> None:
    grid = [
        quad((x, y, 20), (x + 5, y, 20), (x + 5, y + 5, 20), (x, y + 5, 20))
        for x in range(0, 20, 5)
        for y in range(0, 20, 5)
    ]
    rest = [side for k, side in enumerate(grid) if k not in (5, 10)]
    made = solids(np.concatenate(rest))
    assert any("2 holes" in note for note in made.notes)
    assert sheet_area(made) == pytest.approx(400)


def test_an_open_box_is_a_sheet_and_warned_of() -> None:
    made = solids(box((0, 0, 0), (40, 40, 40), without=("bottom",)))
    assert made.closed.tolist() == [False]
    assert any("not closed" in text for text in made.warnings)


def test_a_block_inside_out_is_turned_with_a_note() -> None:
    made = solids(turned_over(box((0, 0, 0), (20, 20, 20))))
    assert volume(made) == pytest.approx(8000)
    assert any("inside out" in note for note in made.notes)


def test_faces_that_disagree_are_turned() -> None:
    cube = box((0, 0, 0), (20, 20, 20))
    cube[[1, 4, 7]] = turned_over(cube[[1, 4, 7]])
    made = solids(cube)
    assert made.closed.tolist() == [True]
    assert volume(made) == pytest.approx(8000)


@pytest.mark.parametrize("all_inverted", [False, True])
def test_an_inverted_shell_inside_another_is_a_cavity(all_inverted: bool) -> None:
    mesh = np.concatenate((box((0, 0, 0), (40, 40, 40)), turned_over(box((10, 10, 10), (30, 30, 30)))))
    made = solids(turned_over(mesh) if all_inverted else mesh)
    assert made.closed.tolist() == [True, True]
    assert made.cavity.tolist() == [False, True]
    assert volume(made) == pytest.approx(64_000 - 8000)


def test_a_shell_inside_another_that_is_not_inverted_is_solid() -> None:
    made = solids(np.concatenate((box((0, 0, 0), (40, 40, 40)), box((10, 10, 10), (30, 30, 30)))))
    assert made.cavity.tolist() == [False, False]
    assert volume(made) == pytest.approx(64_000 + 8000)


def test_an_inverted_shell_beside_another_is_turned() -> None:
    made = solids(
        np.concatenate((box((0, 0, 0), (40, 40, 40)), turned_over(box((50, 10, 10), (70, 30, 30)))))
    )
    assert made.cavity.tolist() == [False, False]
    assert volume(made) == pytest.approx(64_000 + 8000)


def test_a_band_with_a_half_twist_is_a_sheet() -> None:
    turn = np.linspace(0, 2 * np.pi, 41)[:-1]

    def edge(angle: float, side: float) -> tuple[float, float, float]:
        r = 60 + side * np.cos(angle / 2)
        return (r * np.cos(angle), r * np.sin(angle), side * np.sin(angle / 2))

    strips = []
    for k, a in enumerate(turn):
        last = k + 1 == len(turn)
        b = 0.0 if last else turn[k + 1]
        swap = -1.0 if last else 1.0
        strips.append(quad(edge(a, -8), edge(b, -8 * swap), edge(b, 8 * swap), edge(a, 8)))
    made = solids(np.concatenate(strips))
    assert made.closed.tolist() == [False]


def test_groups_that_cut_one_block_close_it_together() -> None:
    cube = box((0, 0, 0), (40, 40, 40))
    made = solids(cube[2:4], np.concatenate((cube[:2], cube[4:])))
    assert made.closed.tolist() == [True]
    assert sorted(set(made.node.tolist())) == [0, 1]
    assert (made.node == 0).sum() == 2


def test_blocks_of_two_nodes_that_touch_stay_two_blocks() -> None:
    made = solids(box((0, 0, 0), (20, 20, 20)), box((0, 0, 20), (20, 20, 40)))
    assert made.closed.tolist() == [True, True]
    assert len(made.faces) == 24


def test_shells_stand_in_the_order_of_the_file() -> None:
    made = solids(
        np.concatenate((box((90, 0, 0), (99, 9, 9)), box((0, 0, 0), (9, 9, 9)), box((50, 0, 0), (59, 9, 9))))
    )
    lows = [made.vertices[made.faces[made.shell == k]][:, :, 0].min() for k in range(3)]
    assert lows == [90, 0, 50]


def _nested(count: int) -> list[np.ndarray]:
    """Boxes in boxes, every second one the other way round, in a random order; beside them boxes inside out."""
    boxes = [box((k, k, k), (100 - k, 100 - k, 100 - k)) for k in range(count)]
    turned = [turned_over(one) if k % 2 else one for k, one in enumerate(boxes)]
    beside = [turned_over(box((200 + 9 * k, 0, 0), (205 + 9 * k, 5, 5))) for k in range(count)]
    order = np.random.default_rng(3).permutation(2 * count)
    return [[*turned, *beside][k] for k in order]


@pytest.mark.parametrize("few", [0, 2_000_000])
def test_cavities_are_found_whatever_way_points_are_told(monkeypatch: pytest.MonkeyPatch, few: int) -> None:
    """Solid angles for small shells, a grid for large ones: both tell inside from outside."""
    monkeypatch.setattr(repair_room, "_FEW", few)
    made = solids(np.concatenate(_nested(12)))
    assert made.closed.all()
    assert len(made.closed) == 24
    assert made.cavity.sum() == 6
    alternating = sum((-1) ** k * (100 - 2 * k) ** 3 for k in range(12))
    assert volume(made) == pytest.approx(alternating + 12 * 125)


@pytest.mark.parametrize("few", [0, 2_000_000])
def test_sheets_between_solids_go_and_others_stay(monkeypatch: pytest.MonkeyPatch, few: int) -> None:
    monkeypatch.setattr(repair_room, "_FEW", few)
    block = box((0, 0, 0), (30, 30, 30))
    plate = quad((12, 12, 15), (18, 12, 15), (18, 18, 15), (12, 18, 15))
    both = np.concatenate([plate, turned_over(plate)])
    assert sheet_area(solids(np.concatenate([block, both]))) == 0
    assert sheet_area(solids(np.concatenate([block, both + 40]))) == pytest.approx(36)


def test_many_loose_shells_take_no_longer_each() -> None:
    """Thousands of boxes inside out, spread along any axis: no pair of them is looked at."""
    for axis in range(3):
        step = np.zeros(3)
        step[axis] = 12.0
        made = solids(
            np.concatenate([turned_over(box((0, 0, 0), (9, 9, 9)) + step * k) for k in range(3000)])
        )
        assert volume(made) == pytest.approx(3000 * 729)
        assert len(holding(*(made_boxes(made) * 2))[1]) == 3000
        assert len(overlapping(*made_boxes(made), 0.0)) == 0


def made_boxes(made: Solids) -> tuple[np.ndarray, np.ndarray]:
    """(s, 3) lowest and highest corners of each shell."""
    corners = made.vertices[made.faces].reshape(-1, 9 * int((made.shell == 0).sum()) // 3, 3)
    return corners.min(axis=1), corners.max(axis=1)
