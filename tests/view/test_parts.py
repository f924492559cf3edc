"""The drawing's arithmetic: cameras, reach surfaces, creases, ways in words, label places."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox.kinds import Kind
from sandbox.moves.answers import LegKind
from sandbox.view import figures, ink, palette, reach, relief, way
from sandbox.view.camera import Camera
from sandbox.view.drape import Ground
from sandbox.view.meshes import face_normals
from sandbox.view.model import CheckMark, FighterMark, LegMark, Way
from sandbox.view.words import in_millimetres
from tests.view.boards import disc, terrain

SIZE = (900, 600)


def corners(blocks: list) -> tuple[np.ndarray, np.ndarray]:
    board = terrain(blocks)
    triangles = board.vertices[board.faces] / 25.4
    return triangles, face_normals(triangles)


@settings(max_examples=60, deadline=None)
@given(
    azimuth=st.floats(-180, 180),
    elevation=st.floats(5, 90),
    angle=st.floats(8, 60),
    seed=st.integers(0, 10**6),
)
def test_framing_holds_all_points_and_wastes_no_room(
    azimuth: float, elevation: float, angle: float, seed: int
) -> None:
    points = np.random.default_rng(seed).uniform(-10, 30, (40, 3))
    camera = Camera((0, 0, 0), 10, azimuth, elevation, angle).framing(points, SIZE, margin=0.05)
    seen = camera.project(points, SIZE)
    assert (seen[:, 2] > 0).all()
    inner = (0.05 - 1e-6) * np.array(SIZE)
    assert (seen[:, :2] > inner).all() and (seen[:, :2] < np.array(SIZE) - inner).all()
    span = np.ptp(seen[:, :2], axis=0) / np.array(SIZE)
    assert span.max() == pytest.approx(0.9, abs=1e-4)


def test_the_target_is_the_middle_of_the_picture() -> None:
    camera = Camera((3.0, 4.0, 5.0), 20.0)
    column, row, far = camera.project(np.array([[3.0, 4.0, 5.0]]), SIZE)[0]
    assert (column, row, far) == pytest.approx((450, 300, 20))
    east = camera.project(np.array([[4.0, 4.0, 5.0]]), SIZE)[0]
    up = camera.project(np.array([[3.0, 4.0, 6.0]]), SIZE)[0]
    assert east[0] > column and up[1] < row


def test_band_widths_are_round_and_at_most_six() -> None:
    for allowance in np.arange(0.5, 40, 0.25):
        count, width = reach.band_count(allowance), reach.band_width(allowance)
        assert 1 <= count <= 6
        assert (count - 1) * width < allowance <= count * width + 1e-9
    assert reach.band_width(5.0) == 1.0
    assert reach.band_width(10.0) == 2.0


def test_band_colours_fall_in_lightness() -> None:
    weights = np.array([0.2126, 0.7152, 0.0722])
    for count in range(2, 7):
        light = [float((np.array(colour) / 255.0) ** 2.2 @ weights) for colour in palette.bands(count)]
        assert len(light) == count
        assert all(a > b + 0.02 for a, b in pairwise(light))


def covered(layer: reach.Layer, x: float, y: float) -> bool:
    """Whether a layer's surface is over a place and inside its border."""
    triangles = layer.points[layer.faces]
    a, b, c = (triangles[:, k, :2] - (x, y) for k in range(3))
    signs = np.stack([a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0], b[:, 0] * c[:, 1] - b[:, 1] * c[:, 0],
                      c[:, 0] * a[:, 1] - c[:, 1] * a[:, 0]])  # fmt: skip
    hit = (signs >= -1e-12).all(axis=0)
    return bool(hit.any()) and bool(layer.values[layer.faces[hit][0], 2].max() > 0)


def test_a_disc_is_one_area_without_holes_that_ends_at_its_border() -> None:
    spots = disc((5.0, 5.0), 3.0)
    (layer,) = reach.layers(spots)
    rng = np.random.default_rng(4)
    turn, share = rng.uniform(0, 2 * np.pi, 300), np.sqrt(rng.uniform(0, 1, 300))
    for t, r in zip(turn, share * 2.95, strict=True):
        assert covered(layer, 5 + r * np.cos(t), 5 + r * np.sin(t))
    for t in turn:
        assert not covered(layer, 5 + 3.2 * np.cos(t), 5 + 3.2 * np.sin(t))


def test_costs_between_spots_are_right() -> None:
    (layer,) = reach.layers(disc((5.0, 5.0), 3.0))
    inside = layer.values[:, 2] > 0
    exact = np.hypot(*(layer.points[inside, :2] - 5.0).T)
    error = np.abs(layer.values[inside, 0] - exact)
    assert error[exact > 0.4].max() < 0.06
    assert error.max() < 0.2


def test_a_row_of_spots_on_a_ledge_is_an_unbroken_strip() -> None:
    x = np.arange(0, 4.01, 0.25)
    spots = np.column_stack([x, 0 * x, 0 * x + 3, x, 0 * x + 1])
    (layer,) = reach.layers(spots)
    assert all(covered(layer, place, 0.0) for place in np.arange(0.0, 4.0, 0.05))
    assert not covered(layer, 2.0, 0.2)


def test_levels_over_each_other_are_layers_of_their_own() -> None:
    spots = np.concatenate([disc((5, 5), 2), disc((5, 5), 2, z=3.0), disc((9.5, 5), 2)])
    found = reach.layers(spots)
    assert sorted(round(float(np.median(layer.points[:, 2]))) for layer in found) == [0, 0, 3]
    assert sorted(int(k) for layer in found for k in layer.spots) == list(range(len(spots)))


def test_a_ramp_that_leads_over_itself_is_covered_all_along() -> None:
    # Round a corner and up: the deck lies over the ground that the ramp comes from.
    x, y = (grid.ravel() for grid in np.meshgrid(np.arange(0, 8.01, 0.2), np.arange(0, 2.01, 0.2)))
    ground = np.column_stack([x, y, 0 * x, x, 0 * x + 1])
    up = np.linspace(0, np.pi, 40)
    ring = [np.column_stack([8 + (1 + r) * np.sin(up), 3 - (1 + r) * np.cos(up), 3 * up / np.pi,
                             8 + 3 * up, 1 + 0 * up]) for r in np.arange(0, 2.01, 0.2)]  # fmt: skip
    back = np.column_stack([x, y + 4, 0 * x + 3, 25 - x, 0 * x + 1])
    over = np.column_stack([x, y + 2, 0 * x + 3, 25 - x, 0 * x + 1])
    under = np.column_stack([x, y, 0 * x + 3, 25 - x, 0 * x + 1])
    spots = np.concatenate([ground, *ring, back, over, under])
    found = reach.layers(spots)
    for place in spots[::7]:
        near = [la for la in found if np.abs(la.points[la.values[:, 2] > 0, 2] - place[2]).min() < 0.3]
        assert any(covered(la, place[0], place[1]) for la in near), place


def test_no_spots_no_layers() -> None:
    assert reach.layers(np.empty((0, 5))) == []


def test_tags_count_the_inches_where_they_are_visible() -> None:
    spots = np.concatenate([disc((5, 5), 4), disc((12, 5), 1, z=2.0, cost=1.5, success=0.33)])
    surfaces = reach.layers(spots)
    tags = reach.tags(spots, surfaces, 1.0, np.ones(len(spots), dtype=np.bool_))
    inches = {tag.text: tag.at for tag in tags if not tag.test and tag.at[2] == 0}
    assert set(inches) == {'1"', '2"', '3"', '4"'}
    for text, place in inches.items():
        assert np.hypot(place[0] - 5, place[1] - 5) == pytest.approx(float(text[:-1]), abs=0.2)
    assert [tag.text for tag in tags if tag.test] == ["33 %"]
    assert reach.tags(spots, surfaces, 1.0, np.zeros(len(spots), dtype=np.bool_)) == []


def test_creases_are_the_sharp_edges() -> None:
    board = terrain([("deck", Kind.STRUCTURE, (2, 2, 0), (6, 6, 2))])
    vertices = board.vertices / 25.4
    faces = board.faces[12:]
    found = relief.creases(vertices, faces, face_normals(vertices[faces]))
    assert len(found) == 12
    assert {
        round(float(v)) for v in np.linalg.norm(vertices[found[:, 0]] - vertices[found[:, 1]], axis=1)
    } == {2, 4}


def test_gentle_edges_are_no_creases_and_open_ones_are() -> None:
    tilt = np.radians(20)
    vertices = np.array([[0, 0, 0], [0, 1, 0], [-1, 0, 0], [np.cos(tilt), 0, np.sin(tilt)]], dtype=np.float64)
    faces = np.array([[0, 1, 2], [0, 3, 1]], dtype=np.int32)
    found = {
        tuple(sorted(map(int, pair)))
        for pair in relief.creases(vertices, faces, face_normals(vertices[faces]))
    }
    assert (0, 1) not in found
    assert len(found) == 4
    assert len(relief.creases(vertices, faces, face_normals(vertices[faces]), degrees=15)) == 5


def test_sky_and_sun_reach_the_open_and_not_the_covered() -> None:
    triangles, _ = corners([("roof", Kind.STRUCTURE, (3, 3, 2.5), (9, 9, 3))])
    light = relief.sky(triangles, np.array([0, 0, -0.3]), np.array([12.0, 12.0, 4.0]))
    open_sky, covered_sky, top = light.at(np.array([[1.0, 1.0, 0.1], [6.0, 6.0, 0.1], [6.0, 6.0, 3.1]]))
    assert open_sky[0] > 0.85 and open_sky[1] > 0.95
    assert covered_sky[0] < 0.6 and covered_sky[1] < 0.05
    assert top[0] > 0.95 and top[1] > 0.95
    opened = relief.sky(triangles, np.array([0, 0, -0.3]), np.array([12.0, 12.0, 4.0]), cut=2.0)
    assert opened.at(np.array([[6.0, 6.0, 0.1]]))[0].min() > 0.9


def test_ways_are_told_with_their_prices() -> None:
    def leg(kind: LegKind, start: tuple, end: tuple, cost: float, **more: object) -> LegMark:
        path = np.array([start, end], dtype=np.float64)
        return LegMark(kind, path, float(np.abs(path[1] - path[0]).sum()), cost, **more)  # type: ignore[arg-type]

    legs = (
        leg(LegKind.WALK, (0, 0, 0), (2, 0, 0), 2.0),
        leg(LegKind.WALK, (2, 0, 0), (2, 1, 0), 2.0),
        leg(LegKind.CLIMB, (2, 1, 0), (2, 1, 3), 6.0, height=3.0),
        leg(LegKind.LEAP, (2, 1, 3), (4, 1, 3), 2.0, checks=(CheckMark("Initiative 4+", 0.5),)),
    )
    told = way.stretches(Way(legs, (4, 1, 3), True, 12.0, 0.5))
    assert [one.words for one in told] == [
        ('walk 3.00", costs 4.00"',),
        ('climb 3.00" up, costs 6.00"',),
        ('leap 2.00"', "Initiative 4+: 50 %"),
    ]


def test_prices_in_words_add_up_to_the_hundredth() -> None:
    assert way.price(LegKind.WALK, 0.81, 0.81) == 'walk 0.81"'
    assert way.price(LegKind.LADDER, 4.15, 4.15, 3.0) == 'ladder 3.00" up, costs 4.15"'
    assert way.price(LegKind.CLIMB, 2.89, 5.3, -2.4) == 'climb 2.40" down, costs 5.30"'
    assert way.price(LegKind.JUMP_DOWN, 3.63, 0.63, -3.0) == 'jump-down 3.00", costs 0.63"'
    assert way.price(LegKind.CROSS, 3.97, 4.97) == 'cross 3.97", costs 4.97"'


def test_a_vehicle_is_a_hull_on_its_base_as_high_as_it_is() -> None:
    rig = FighterMark("rig", (3.0, 4.0, 1.0), (60.0, 35.0), 1.6, facing=90.0, vehicle=True)
    hull = figures.figure(rig).body.corners.reshape(-1, 3)
    assert hull[:, 2].max() == pytest.approx(1.0 + 1.6)
    along, across = hull[:, 1] - 4.0, hull[:, 0] - 3.0
    inside = (along / (30.0 / 25.4)) ** 2 + (across / (17.5 / 25.4)) ** 2
    assert inside.max() == pytest.approx(1.0), "its corners touch the oval, none sticks out"
    leg = LegMark(LegKind.WALK, np.array([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]]), 2.0, 2.0, driven=True)
    assert way.stretches(Way((leg,), (2.0, 0.0, 0.0), True))[0].words == ('drive 2.00"',)


def test_a_climb_is_drawn_up_and_then_over() -> None:
    path = np.array([[1.0, 1.0, 0.0], [2.0, 1.0, 3.0]])
    up = way.drawn(LegMark(LegKind.CLIMB, path, 4.0, 7.0))
    assert np.allclose(up[1] - (0, 0, way.LIFT), [1, 1, 3])
    down = way.drawn(LegMark(LegKind.CLIMB, path[::-1], 4.0, 7.0))
    assert np.allclose(down[1] - (0, 0, way.LIFT), [1, 1, 3])


def test_legs_on_foot_are_laid_over_steps() -> None:
    triangles, normals = corners([("step", Kind.STRUCTURE, (4, 0, 0), (8, 12, 0.5))])
    ground = Ground(triangles, normals)
    leg = LegMark(LegKind.WALK, np.array([[2.0, 6.0, 0.0], [6.0, 6.0, 0.5]]), 4.0, 4.0)
    path = way.drawn(leg, ground)
    for x, z in ((2.5, 0.0), (3.8, 0.0), (4.2, 0.5), (5.5, 0.5)):
        assert np.interp(x, path[:, 0], path[:, 2]) == pytest.approx(z + way.LIFT, abs=0.02), x


def test_floor_heights_are_those_of_the_faces() -> None:
    ground = Ground(*corners([("deck", Kind.STRUCTURE, (2, 2, 2.5), (6, 6, 3))]))
    assert ground.floor(4, 4, None) == pytest.approx(3.0)
    assert ground.floor(4, 4, 0.2) == pytest.approx(0.0)
    assert ground.floor(9, 9, None) == pytest.approx(0.0)


def test_patches_keep_to_their_polygon() -> None:
    ground = Ground(*corners([]))
    polygon = ((1.0, 1.0), (5.0, 1.0), (5.0, 3.0), (3.0, 2.0), (1.0, 3.0))
    found = ground.patch(polygon, (-0.01, 0.1))
    first, second = found[:, 1] - found[:, 0], found[:, 2] - found[:, 0]
    area = np.abs(first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]).sum() / 2
    assert area == pytest.approx(6.0, abs=1e-6)


def test_labels_keep_off_each_other_and_inside_the_frame() -> None:
    rng = np.random.default_rng(1)
    labels = [ink.Label((float(x), float(y)), (f"leg {k}", "more"), size=15) for k, (x, y) in
              enumerate(rng.uniform(100, 500, (10, 2)))]  # fmt: skip
    placed = ink.place(labels, (0, 0, 600, 600))
    assert len(placed) == 10
    for k, one in enumerate(placed):
        assert one.box[0] >= 0 and one.box[1] >= 0 and one.box[2] <= 600 and one.box[3] <= 600
        for other in placed[k + 1 :]:
            apart = (one.box[2] <= other.box[0] or other.box[2] <= one.box[0]
                     or one.box[3] <= other.box[1] or other.box[3] <= one.box[1])  # fmt: skip
            assert apart


def test_labels_that_may_be_left_out_are_where_there_is_no_room() -> None:
    labels = [
        ink.Label((50.0, 50.0), ("the first",), gap=0),
        ink.Label((52.0, 50.0), ("9",), gap=0, must=False),
    ]
    assert [one.label.lines for one in ink.place(labels, (0, 0, 100, 100))] == [("the first",)]


def test_long_texts_are_broken_between_words() -> None:
    lines = ink.wrapped("the deck juts out farther than may be climbed", 16, 120)
    assert " ".join(lines) == "the deck juts out farther than may be climbed"
    assert len(lines) > 2
    assert all(ink.text_size(line, 16)[0] <= 120 for line in lines)


def test_sides_have_different_colours() -> None:
    found = palette.side_colours(["red", "house", "blue", "gang", "red"])
    assert len(set(found.values())) == 4
    assert found["red"] == palette.SIDES["red"]


@pytest.mark.parametrize(
    ("inches", "millimetres"),
    [
        ('2. ladder 3.00" up, costs 4.80"', "2. ladder 76 mm up, costs 122 mm"),
        ('1 - 2"', "25 - 51 mm"),
        ("needs 9.24 in, has 5.00 in", "needs 235 mm, has 127 mm"),
        ("Initiative 4+: 50 %", "Initiative 4+: 50 %"),
        ("stands in 3 inns", "stands in 3 inns"),
    ],
)
def test_distances_are_read_in_millimetres(inches: str, millimetres: str) -> None:
    assert in_millimetres(inches) == millimetres
