"""Pictures drawn off screen: what must be where, with some tolerance; no display is needed."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from panda3d import core
from PIL import Image

from sandbox.errors import UserError
from sandbox.kinds import Kind
from sandbox.moves.answers import LegKind
from sandbox.view import draw, offscreen, palette, relief
from sandbox.view.camera import Camera
from sandbox.view.compose import _is_hidden, aimed, turned
from sandbox.view.model import AreaMark, CheckMark, FighterMark, LegMark, Reach, RulingMark, StageInput, Way
from sandbox.view.prepared import prepare
from sandbox.view.stage import Stage, between, kept
from tests.view.boards import disc, terrain

SIZE = (800, 640)
ABOVE = dataclasses.replace(Camera((6.0, 6.0, 0.0), 60.0), azimuth=-90.0, elevation=90.0, view_angle=14.0)
"""straight down on the middle of a 12" board, north up."""

KAL = FighterMark("kal", (6.0, 3.0, 0.0), (32.0, 32.0), 1.4, "red", 90.0, active=True)


def seen(given: StageInput, camera: Camera = ABOVE, **more: object) -> offscreen.Shot:
    """The board alone, without words and legend."""
    stage = Stage(prepare(given.terrain, given.part_kinds))
    stage.show(given, pixel=camera.pixel(SIZE))
    return offscreen.shoot(stage, camera, SIZE)


def at(shot: offscreen.Shot, point: tuple[float, float, float], camera: Camera = ABOVE) -> np.ndarray:
    """Mean colour of the 3 x 3 pixels around a point of the board."""
    column, row, _ = camera.project(np.array([point]), SIZE)[0]
    patch = shot.picture[int(row) - 1 : int(row) + 2, int(column) - 1 : int(column) + 2]
    return patch.reshape(-1, 3).mean(axis=0)


def hue_is(colour: np.ndarray, wanted: tuple[int, int, int], slack: float = 0.12) -> bool:
    """Same colour up to brightness: compared as shares of red, green and blue."""
    want = np.array(wanted, dtype=np.float64)
    return bool(np.abs(colour / colour.sum() - want / want.sum()).max() < slack / 3)


@pytest.fixture(autouse=True)
def no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)


def test_kinds_have_their_colours_and_the_table_is_the_table() -> None:
    board = terrain(
        [
            ("crate", Kind.OBSTACLE, (2, 2, 0), (4, 4, 1)),
            ("deck", Kind.STRUCTURE, (7, 7, 0), (11, 11, 3)),
            ("mud", Kind.DIFFICULT, (2, 7, 0), (5, 10, 0.2)),
        ]
    )
    shot = seen(StageInput(board))
    assert hue_is(at(shot, (3, 3, 1)), palette.KINDS[Kind.OBSTACLE])
    assert hue_is(at(shot, (9, 9, 3)), palette.KINDS[Kind.STRUCTURE])
    assert hue_is(at(shot, (3.4, 8.4, 0.2)), palette.KINDS[Kind.DIFFICULT])
    assert hue_is(at(shot, (6.5, 1.5, 0)), palette.TABLE)
    assert not hue_is(at(shot, (3, 3, 1)), palette.KINDS[Kind.DIFFICULT], 0.05)
    outside = at(shot, (13.5, 6, 0))
    assert np.abs(outside - palette.PAPER).max() < 3


def test_shadows_fall_away_from_the_sun_and_can_be_turned_off() -> None:
    board = terrain([("tower", Kind.STRUCTURE, (5, 5, 0), (7, 7, 4))])
    stage = Stage(prepare(board, StageInput(board).part_kinds))
    lit = np.array(relief.SUN[:2]) / np.linalg.norm(relief.SUN[:2]) * 2.4
    shaded, sunny = (6.0 - lit[0], 6.0 - lit[1], 0.0), (6.0 + lit[0], 6.0 + lit[1], 0.0)
    with_shadows = offscreen.shoot(stage, ABOVE, SIZE)
    assert at(with_shadows, sunny).mean() > at(with_shadows, shaded).mean() + 25
    stage.scenery.set_shadows(False)
    without = offscreen.shoot(stage, ABOVE, SIZE)
    assert at(without, shaded).mean() > at(with_shadows, shaded).mean() + 15


def test_parts_may_count_as_another_kind_than_they_were_declared() -> None:
    board = terrain([("crate", Kind.AUTO, (4, 4, 0), (8, 8, 1))])
    shot = seen(StageInput(board, kinds=(Kind.OPEN, Kind.OBSTACLE)))
    assert hue_is(at(shot, (6.4, 6.4, 1)), palette.KINDS[Kind.OBSTACLE])


def test_creases_are_darker_than_the_faces_beside_them() -> None:
    board = terrain([("deck", Kind.STRUCTURE, (3, 3, 0), (9, 9, 2))])
    shot = seen(StageInput(board))
    face = at(shot, (6.3, 8.5, 2)).mean()
    column, row, _ = ABOVE.project(np.array([(6.3, 9.0, 2.0)]), SIZE)[0]
    edge = shot.picture[int(row) - 3 : int(row) + 4, int(column)].mean(axis=1).min()
    assert edge < face - 40


def test_under_a_roof_it_is_darker() -> None:
    board = terrain([("roof", Kind.STRUCTURE, (4, 4, 2.8), (9, 9, 3))])
    low = Camera((6.0, 6.0, 1.0), 45.0, azimuth=-90.0, elevation=18.0, view_angle=16.0)
    shot = seen(StageInput(board), low)
    assert at(shot, (6.5, 6.5, 0), low).mean() < at(shot, (6.5, 1.5, 0), low).mean() - 25


def test_a_level_cut_takes_the_roof_away() -> None:
    board = terrain([("roof", Kind.IMPASSABLE, (3, 3, 2.8), (9, 9, 3))])
    whole = at(seen(StageInput(board)), (6.4, 6.4, 0))
    cut = dataclasses.replace(ABOVE, cut=2.0)
    opened = at(seen(StageInput(board), cut), (6.4, 6.4, 0))
    assert hue_is(opened, palette.TABLE)
    assert opened.mean() > whole.mean() + 40


def test_a_cut_solid_shows_its_section_and_only_there() -> None:
    board = terrain(
        [("tower", Kind.STRUCTURE, (2, 2, 0), (5, 5, 4)), ("crate", Kind.OBSTACLE, (7, 7, 0), (9, 9, 1))]
    )
    eye = dataclasses.replace(Camera((6.0, 6.0, 1.0), 45.0, view_angle=24.0), elevation=50.0, cut=2.0)
    shot = seen(StageInput(board), eye)
    section = at(shot, (3.4, 3.4, 2.0), eye)
    assert section.max() < 160 and np.ptp(section) < 25
    assert hue_is(at(shot, (8.2, 8.2, 1.0), eye), palette.KINDS[Kind.OBSTACLE])
    side = at(shot, (3.5, 2.0, 0.8), eye)
    assert side[2] >= side[0]
    # Seen from below the cut there is nothing to close.
    low = dataclasses.replace(eye, target=(6.0, 6.0, 0.5), distance=12.0, elevation=3.0)
    assert hue_is(at(seen(StageInput(board), low), (6.0, 1.0, 0.0), low), palette.TABLE, 0.1)


def test_fighters_above_a_cut_are_gone_and_those_below_are_whole() -> None:
    board = terrain([("deck", Kind.STRUCTURE, (6, 6, 2.8), (11, 11, 3))])
    low = FighterMark("low", (3.0, 3.0, 0.0), (32.0, 32.0), 1.4, "blue")
    high = FighterMark("high", (8.5, 8.5, 3.0), (32.0, 32.0), 1.4, "red")
    given = StageInput(board, fighters=(low, high))
    eye = dataclasses.replace(ABOVE, cut=1.0)
    shot = seen(given, eye)
    head = at(shot, (3.0, 3.0, 1.4), eye)
    assert head[2] > head[0] + 40
    assert hue_is(at(shot, (8.5, 8.5, 0.0), eye), palette.TABLE)
    whole = at(seen(given), (8.5, 8.5, 4.4))
    assert whole[0] > whole[2] + 40


def test_bases_have_their_exact_outline() -> None:
    oval = FighterMark("ox", (6.0, 6.0, 0.0), (90.0, 52.0), 0.4, "blue", 0.0)
    shot = seen(StageInput(terrain([]), fighters=(oval,)))
    for x, y in ((90 / 2 - 2, 0), (-90 / 2 + 2, 0), (0, 52 / 2 - 2), (0, -52 / 2 + 2)):
        place = (6 + x / 25.4, 6 + y / 25.4, 0.126)
        colour = at(shot, place)
        assert colour[2] > colour[0] + 30, place
    for x, y in ((90 / 2 + 4, 6), (0, 52 / 2 + 4), (-90 / 2 - 4, 0)):
        place = (6 + x / 25.4, 6 + y / 25.4, 0.0)
        assert abs(at(shot, place)[2] - at(shot, place)[0]) < 30, place


def test_the_reach_is_an_area_in_bands_up_to_its_border() -> None:
    spots = disc((6.0, 6.0), 4.0)
    shot = seen(StageInput(terrain([]), reach=Reach(spots, 4.0)))
    bands = palette.bands(4)
    # Off the inch lines; between the spots as well as on them.
    for distance, band in ((0.6, 0), (1.45, 1), (2.55, 2), (3.5, 3)):
        for turn in np.radians([7, 100, 190, 281]):
            place = (6 + distance * np.cos(turn), 6 + distance * np.sin(turn), 0.0)
            assert hue_is(at(shot, place), bands[band], 0.2), (distance, turn)
    for turn in np.radians(np.arange(0, 360, 15) + 2):
        outside = (6 + 4.25 * np.cos(turn), 6 + 4.25 * np.sin(turn), 0.0)
        assert hue_is(at(shot, outside), palette.TABLE, 0.1)


def test_places_that_need_a_test_are_striped() -> None:
    spots = np.concatenate([disc((3.5, 6.0), 2.0), disc((8.5, 6.0), 2.0, success=0.5)])
    shot = seen(StageInput(terrain([]), reach=Reach(spots, 2.0)))

    def stripes(x: float) -> int:
        pixels = ABOVE.project(np.array([(x + 0.02 * k, 7.0, 0.0) for k in range(-30, 31)]), SIZE)
        row = [shot.picture[int(r), int(c)].astype(int) for c, r, _ in pixels]
        pink = [colour[0] - colour[1] > 60 and colour[2] - colour[1] > 20 for colour in row]
        return sum(a != b for a, b in pairwise(pink))

    assert stripes(3.5) == 0
    assert stripes(8.5) >= 4


def test_the_reach_lies_on_every_level() -> None:
    board = terrain([("deck", Kind.STRUCTURE, (5, 5, 2.7), (11, 11, 3))])
    spots = np.concatenate([disc((3.0, 3.0), 2.0), disc((8.0, 8.0), 2.0, z=3.0, cost=2.0)])
    shot = seen(StageInput(board, reach=Reach(spots, 4.0)))
    assert hue_is(at(shot, (3.5, 3.2, 0)), palette.bands(4)[0], 0.2)
    assert hue_is(at(shot, (8.5, 8.2, 3)), palette.bands(4)[2], 0.2)


def straight(kind: LegKind, start: tuple[float, ...], end: tuple[float, ...], **more: object) -> LegMark:
    path = np.array([start, end], dtype=np.float64)
    length = float(np.linalg.norm(path[1] - path[0]))
    return LegMark(kind, path, length, length, **more)  # type: ignore[arg-type]


def test_the_way_is_coloured_by_kind_and_red_where_refused() -> None:
    legs = (
        straight(LegKind.WALK, (2, 3, 0), (5, 3, 0)),
        straight(LegKind.LEAP, (5, 3, 0), (9, 3, 0), checks=(CheckMark("Initiative 4+", 0.5),)),
    )
    kal = dataclasses.replace(KAL, at=(2.0, 3.0, 0.0))
    shown = StageInput(terrain([]), fighters=(kal,), way=Way(legs, (9, 3, 0), True, 7.0, 0.5))
    shot = seen(shown)
    walk, leap = at(shot, (3.6, 3.0, 0.18)), at(shot, (7.0, 3.0, 1.4))
    assert walk.min() > 215
    assert hue_is(leap, palette.LEGS[LegKind.LEAP], 0.2)
    refused = Way(legs, (9, 3, 0), False, 7.0, None, (RulingMark("gap", "the gap is too wide"),))
    shot = seen(dataclasses.replace(shown, way=refused))
    assert hue_is(at(shot, (3.6, 3.0, 0.18)), palette.REFUSED, 0.2)


def test_a_way_behind_a_wall_shows_faintly() -> None:
    board = terrain([("wall", Kind.WALL, (2, 4, 0), (10, 4.4, 4))])
    eye = Camera((6.0, 6.0, 1.0), 45.0, azimuth=-90.0, elevation=20.0, view_angle=16.0)
    leg = straight(LegKind.CLIMB, (6.0, 5.2, 0.0), (6.0, 5.2, 2.0))
    way = Way((leg,), (6, 5.2, 2), True, 4.0, 1.0)
    without, with_way = (seen(StageInput(board, way=w), eye) for w in (None, way))
    before, after = (at(s, (6.0, 5.2, 1.0), eye) for s in (without, with_way))
    assert after[0] - after[2] > before[0] - before[2] + 20
    assert not hue_is(after, palette.LEGS[LegKind.CLIMB], 0.1)


def test_agreed_ground_is_tinted_only_inside_its_polygon_and_heights() -> None:
    board = terrain([("deck", Kind.STRUCTURE, (2, 2, 0), (6, 6, 2))])
    area = AreaMark(Kind.DANGEROUS, ((4, 4), (9, 4), (9, 9), (4, 9)), (0.0, 1.0))
    shot = seen(StageInput(board, areas=(area,)))
    assert hue_is(at(shot, (7.5, 7.5, 0)), palette.KINDS[Kind.DANGEROUS])
    assert hue_is(at(shot, (5, 5, 2)), palette.KINDS[Kind.STRUCTURE])
    assert hue_is(at(shot, (9.5, 7.5, 0)), palette.TABLE)


def full() -> StageInput:
    board = terrain([("deck", Kind.STRUCTURE, (5, 6, 0), (9, 10, 3))])
    leg = straight(LegKind.WALK, (6, 3, 0), (3, 5, 0))
    return StageInput(
        board,
        fighters=(KAL, FighterMark("rax", (7.0, 8.0, 3.0), (40.0, 40.0), 1.4, "blue")),
        reach=Reach(disc((6.0, 3.0), 2.5), 5.0),
        way=Way((leg,), (3, 5, 0), True, 3.6, 1.0),
    )


def test_pictures_repeat_exactly_within_a_process_and_leave_nothing_behind() -> None:
    drawn, held = [], []
    for _ in range(3):
        drawn.append(np.asarray(draw(full(), size=SIZE)))
        held.append(core.RenderState.get_num_states())  # each may hold textures
    assert drawn[0].shape == (SIZE[1], SIZE[0], 3)
    assert np.array_equal(drawn[0], drawn[1])
    assert held[2] - held[1] < 20  # one stage has more than twice as many


def test_a_picture_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "picture.png"
    draw(full(), path, size=(700, 400))
    with Image.open(path) as picture:
        assert picture.size == (700, 400)
        assert picture.format == "PNG"
    assert [p.name for p in path.parent.iterdir()] == ["picture.png"]
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    with pytest.raises(UserError, match="cannot be written"):
        draw(full(), blocked / "picture.png", size=(700, 400))


@pytest.mark.parametrize("size", [(0, 100), (100000, 100), (64, 20)])
def test_impossible_sizes_are_one_line(size: tuple[int, int]) -> None:
    with pytest.raises(UserError, match="not possible"):
        draw(full(), size=size)


def test_unknown_cameras_name_what_is_allowed() -> None:
    with pytest.raises(UserError, match="whole, reach, way, top, level:Z"):
        draw(full(), size=SIZE, camera="sideways")


@pytest.mark.parametrize("camera", [None, "whole", "reach", "way", "top", "level:2.5"])
def test_presets_keep_their_subject_in_the_picture(camera: str | None) -> None:
    given = full()
    stage = Stage(prepare(given.terrain, given.part_kinds))
    eye = aimed(given, stage, camera, SIZE)
    wanted = [np.array(KAL.at), np.array([3.0, 5.0, 0.0])]
    if camera not in (None, "way"):
        wanted.append(given.reach.spots[:, :3])  # type: ignore[union-attr]
    if camera == "whole":
        wanted.append(np.array([[0, 0, 0], [12, 0, 0], [12, 12, 0], [0, 12, 0], [9, 10, 3]]))
    seen_at = eye.project(np.concatenate([np.atleast_2d(w) for w in wanted]), SIZE)
    assert (seen_at[:, 0] > 0).all() and (seen_at[:, 0] < SIZE[0]).all()
    assert (seen_at[:, 1] > 0).all() and (seen_at[:, 1] < SIZE[1]).all()
    # As large as can be: the subject touches the inner frame on two opposite sides.
    assert eye.cut == (2.5 if camera == "level:2.5" else None)


def test_a_way_behind_a_building_is_seen_from_another_side() -> None:
    board = terrain([("hall", Kind.STRUCTURE, (2, 5, 0), (10, 7, 4))])
    for y, same in ((2.0, True), (8.0, False)):
        way = Way((straight(LegKind.WALK, (4, y, 0), (8, y, 0)),), (8, y, 0), True, 4.0, 1.0)
        given = StageInput(board, fighters=(dataclasses.replace(KAL, at=(4.0, y, 0.0)),), way=way)
        stage = Stage(prepare(given.terrain, given.part_kinds))
        usual = aimed(given, stage, "way", SIZE)
        eye = turned(given, stage, usual, SIZE, offscreen.pipe())
        assert (eye.azimuth == usual.azimuth) is same


def test_a_distance_to_keep_is_drawn_around_whom_it_is_kept_from() -> None:
    rax = FighterMark("rax", (8.0, 3.0, 0.0), (25.4, 25.4), 1.4, "blue")
    far = FighterMark("far", (2.0, 9.0, 0.0), (25.4, 25.4), 1.4, "blue")
    ruling = RulingMark("keep_distance", "too near", where=rax.at, keep=1.0)
    way = Way((), (6.4, 3.0, 0.0), False, rulings=(ruling,))
    mover = dataclasses.replace(KAL, at=way.end, base_mm=(25.4, 25.4))
    assert kept(way, (KAL, rax, far)) == [(rax, 1.0)]
    line = between(mover, rax)
    assert np.allclose(line[:, 0], [6.9, 7.5], atol=2e-3) and np.allclose(line[:, 1], 3.0, atol=2e-2)
    shot = seen(StageInput(terrain([]), fighters=(mover, rax, far), way=way))
    # The line is thinner than the patch that is looked at.
    ring = at(shot, (8.0, 4.52, 0.0))
    assert ring[0] - ring[1] > 40 and ring[0] - ring[2] > 40
    assert hue_is(at(shot, (2.0, 10.52, 0.0)), palette.TABLE)


def test_fighters_are_hidden_only_by_what_stands_before_them() -> None:
    board = terrain([("hall", Kind.STRUCTURE, (2, 5, 0), (10, 6, 4))])
    fighters = (
        dataclasses.replace(KAL, at=(6.0, 3.0, 0.0)),
        FighterMark("rax", (6.0, 7.0, 0.0), (32.0, 32.0), 1.4, "blue"),
    )
    for elevation in (30.0, 46.0, 80.0):
        eye = Camera((6.0, 6.0, 0.0), 30.0, elevation=elevation)
        shot = seen(StageInput(board, fighters=fighters), eye)
        hidden = [_is_hidden(fighter, eye, SIZE, shot) for fighter in fighters]
        assert hidden == [False, elevation < 70.0], elevation


def test_without_opengl_the_plain_renderer_draws_and_says_so() -> None:
    plain = offscreen.software()
    assert plain is not None and not plain.shaded and plain.note
    given = full()
    from sandbox.view.compose import draw as compose

    picture = np.asarray(compose(given, size=SIZE, using=plain)).astype(int)
    stage = Stage(prepare(given.terrain, given.part_kinds), shaded=False)
    eye = aimed(given, stage, None, (SIZE[0] - 256, SIZE[1]))
    place = eye.project(np.array([[6.0, 1.6, 0.0]]), (SIZE[0] - 256, SIZE[1]))[0]
    assert hue_is(picture[int(place[1]), int(place[0])].astype(float), palette.bands(5)[1], 0.3)


def test_no_display_and_a_busy_process_are_no_hindrance(tmp_path: Path) -> None:
    """A fresh process without DISPLAY draws from a thread, and again from its main thread."""
    code = (
        "import threading, pathlib\n"
        "from tests.view.test_pictures import full\n"
        "from sandbox.view import draw\n"
        "t = threading.Thread(target=lambda: draw(full(), 'one.png', size=(640, 400)))\n"
        "t.start(); t.join()\n"
        "draw(full(), 'two.png', size=(640, 400))\n"
    )
    environment = {key: value for key, value in os.environ.items() if key != "DISPLAY"}
    root = Path(__file__).parents[2]
    environment["PYTHONPATH"] = str(root)
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    one, two = (np.asarray(Image.open(tmp_path / name)) for name in ("one.png", "two.png"))
    assert np.array_equal(one, two)


def test_big_meshes_go_in_fast() -> None:
    """600,000 triangles as a scene graph: seconds would mean that they are written one by one."""
    side = 550
    x, y = np.meshgrid(np.arange(side) / side * 40, np.arange(side) / side * 40)
    corners = np.stack([x, y, 0.2 * np.sin(x) + 0.2], axis=-1)
    a, b, c, d = corners[:-1, :-1], corners[:-1, 1:], corners[1:, 1:], corners[1:, :-1]
    triangles = np.concatenate(
        [np.stack([a, b, c], 2).reshape(-1, 3, 3), np.stack([a, c, d], 2).reshape(-1, 3, 3)]
    )
    from sandbox.view import meshes

    started = time.process_time()
    node = meshes.solid(meshes.flat(triangles), (200, 200, 200))
    assert node.get_geom(0).get_primitive(0).get_num_primitives() == len(triangles)
    assert time.process_time() - started < 5.0
