"""The parts of the window that need no display: the eye, orders and dice, building, saving, the worker's answers."""

from __future__ import annotations

import dataclasses
import re
import time
from pathlib import Path

import numpy as np
import pytest

from sandbox.errors import UserError
from sandbox.scene import Piece, Scene, Shape, load_scene, open_scene
from sandbox.terrain.build import build_terrain
from sandbox.view.camera import Camera
from sandbox.view.clips import clip
from sandbox.view.model import StageInput
from sandbox.view.window import building, open_window, resting, saving
from sandbox.view.window.orbit import Orbit
from sandbox.view.window.referee import Referee
from sandbox.view.window.state import after
from sandbox.view.window.talk import OverlayKind, Question, Rules, Stepped
from sandbox.view.window.work import Worker
from tests.view.boards import terrain

SIZE = (800, 600)

SCENE = """# A small board.
name: Yard
board: {size: [12, 12]}
terrain:
  # Two steps up.
  - id: block          # the big one
    box: [4, 4, 3]
    at: [6, 9]
  - {id: crate, box: [1.5, 1.5, 1.5], at: [3, 3]}   # beside the way

  # stands alone
  - {id: post, cylinder: [0.3, 2.0], at: [9, 3]}

# Who is here.
fighters:
  - {id: kal, side: red, at: [6, 5], facing: 90, profile: {M: 5, I: 4}}   # ours
  - {id: rax, side: blue, at: [10, 10]}
"""


@pytest.fixture
def yard(tmp_path: Path) -> Path:
    path = tmp_path / "yard.yaml"
    path.write_text(SCENE)
    return path


# -- the eye ---------------------------------------------------------------------------------------------------


def test_a_ray_through_a_pixel_meets_what_is_seen_there() -> None:
    orbit = Orbit(Camera((6.0, 6.0, 0.0), 30.0), SIZE)
    for point in ((3.0, 4.0, 0.0), (8.0, 9.0, 2.0)):
        seen = orbit.camera.project(np.array([point]), SIZE)[0]
        met = orbit.on_plane((seen[0], seen[1]), point[2])
        assert met is not None
        assert np.allclose(met, point, atol=1e-6)


def test_zooming_keeps_the_point_under_the_mouse() -> None:
    orbit = Orbit(Camera((6.0, 6.0, 0.0), 30.0), SIZE)
    point = np.array([3.0, 8.0, 1.0])
    before = orbit.camera.project(point[None], SIZE)[0]
    orbit.zoom(4, point)
    after = orbit.camera.project(point[None], SIZE)[0]
    assert orbit.camera.distance < 20
    assert np.allclose(before[:2], after[:2], atol=1e-6)


def test_panning_takes_the_board_along_with_the_mouse() -> None:
    orbit = Orbit(Camera((6.0, 6.0, 0.0), 30.0, elevation=90.0), SIZE)
    before = orbit.camera.project(np.array([[6.0, 6.0, 0.0]]), SIZE)[0]
    orbit.pan(40, -25)
    after = orbit.camera.project(np.array([[6.0, 6.0, 0.0]]), SIZE)[0]
    assert np.allclose(after[:2] - before[:2], (40, 25), atol=1e-6)


def test_gliding_ends_where_it_was_sent_and_takes_the_short_way_round() -> None:
    orbit = Orbit(dataclasses.replace(Camera((0.0, 0.0, 0.0), 10.0), azimuth=170.0), SIZE)
    to = dataclasses.replace(Camera((4.0, 0.0, 0.0), 20.0), azimuth=-170.0)
    orbit.glide(to)
    orbit.step(0.1)
    assert 170 < orbit.camera.azimuth < 190
    while orbit.step(0.1):
        pass
    assert orbit.camera.target == to.target and orbit.camera.distance == 20.0


# -- orders ----------------------------------------------------------------------------------------------------


def test_what_happened_stands_in_the_scene_afterwards(referee: Referee) -> None:
    board = referee.show(dataclasses.replace(referee.field.scene, document=None), Rules(), 3)
    lies = {"at": [3.6, 0.0, 0.0], "facing": 90.0, "statuses": ["prone-pinned"], "out": False}
    scene = after(board.scene, Stepped({"kal": lies}, {}, {}))
    kal = building.fighter(scene, "kal")
    assert kal is not None and kal.at == (3.6, 0.0) and kal.status == "prone-pinned"
    gone = Stepped({"kal": {**lies, "out": True}}, {}, {})
    assert building.fighter(after(board.scene, gone), "kal") is None


# -- building and saving ---------------------------------------------------------------------------------------


def test_only_what_changed_is_written_and_comments_stay(yard: Path) -> None:
    scene = load_scene(yard)
    changed = building.change_piece(scene, "crate", at=(4.0, 3.5, 0.0), turn=15.0)
    changed = building.change_fighter(changed, "kal", at=(6.25, 5.0), z=0.0)
    saved = saving.save(changed, scene)
    text = yard.read_text()
    expected = SCENE.replace("at: [3, 3]}", "at: [4, 3.5], turn: 15}").replace(
        "at: [6, 5], facing", "at: [6.25, 5, 0], facing"
    )
    # A line that has grown takes room from the blanks before its comment.
    assert re.sub(r" +#", " #", text) == re.sub(r" +#", " #", expected)
    assert building.piece(saved, "crate") is not None


def test_added_and_removed_entries_leave_the_comments_around_them(yard: Path) -> None:
    scene = load_scene(yard)
    changed, fresh = building.duplicate(scene, "post")
    changed = building.remove(changed, "crate")
    saved = saving.save(changed, scene)
    text = yard.read_text()
    assert "crate" not in text and fresh == "post-2"
    assert [p.id for p in saved.terrain] == ["block", "post", "post-2"]
    for comment in (
        "# A small board.",
        "# Two steps up.",
        "# the big one",
        "# stands alone",
        "# Who is here.",
    ):
        assert comment in text
    lines = text.splitlines()
    # What stands before the fighters still does, and the copy is in the list above it.
    assert lines.index("# Who is here.") == lines.index("fighters:") - 1
    assert next(i for i, line in enumerate(lines) if "post-2" in line) < lines.index("# Who is here.")


def test_a_file_that_somebody_else_changed_is_not_overwritten(yard: Path) -> None:
    scene = load_scene(yard)
    yard.write_text(SCENE + "\n# more\n")
    with pytest.raises(UserError, match="changed on disk"):
        saving.save(building.change_piece(scene, "crate", turn=5.0), scene)
    assert yard.read_text().endswith("# more\n")


def test_a_model_alone_becomes_a_scene_where_it_lay(tmp_path: Path) -> None:
    model = Path(__file__).parents[2] / "models" / "crate.stl"
    scene = open_scene(model)
    with pytest.raises(UserError, match="name one"):
        saving.save(scene, scene)
    saved = saving.save(scene, scene, tmp_path / "crate.yaml")
    before, after = build_terrain(scene), build_terrain(saved)
    own = [terrain.vertices[terrain.faces[terrain.face_part == 1]] for terrain in (before, after)]
    assert np.allclose(own[0], own[1], atol=0.02)


def test_ids_of_copies_are_free() -> None:
    scene = Scene("x", Path("x.yaml"), terrain=(Piece("a-2", Shape.BOX), Piece("a", Shape.BOX)))
    assert building.free_id(scene, "a") == "a-3"
    assert building.free_id(scene, "b") == "b"


@pytest.mark.parametrize(
    ("value", "step", "wanted"), [(1.13, 0.25, 1.25), (1.12, 0.25, 1.0), (1.13, 0.0, 1.13)]
)
def test_snapping(value: float, step: float, wanted: float) -> None:
    assert building.snapped(value, step) == wanted


def test_a_piece_comes_to_rest_on_what_is_under_it(yard: Path) -> None:
    scene = load_scene(yard)
    over = building.change_piece(scene, "crate", at=(6.0, 9.0, 4.5))
    assert resting.height(over, build_terrain(over), "crate") == pytest.approx(3.0, abs=0.002)
    beside = building.change_piece(scene, "crate", at=(3.0, 3.0, 2.0))
    assert resting.height(beside, build_terrain(beside), "crate") == pytest.approx(0.0, abs=0.002)
    # Half over the edge it rests on the edge.
    edge = building.change_piece(scene, "crate", at=(6.0, 7.0, 3.6))
    assert resting.height(edge, build_terrain(edge), "crate") == pytest.approx(3.0, abs=0.002)


# -- the worker ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def referee(tmp_path_factory: pytest.TempPathFactory) -> Referee:
    path = tmp_path_factory.mktemp("yard") / "yard.yaml"
    path.write_text(SCENE)
    desk = Referee()
    desk.load(path, Rules(), 1)
    return desk


def test_the_board_names_who_and_what_there_is(referee: Referee, tmp_path: Path) -> None:
    path = tmp_path / "yard.yaml"
    path.write_text(SCENE)
    board = Referee().load(path, Rules(), 7)
    assert board.serial == 7
    assert [f.name for f in board.fighters] == ["kal", "rax"]
    assert board.prepared is not None and board.prepared.corners is None
    assert {a.id for a in board.actions["kal"] if a.allowed} >= {"move", "double-move", "charge"}
    assert 3.0 in board.levels


def test_a_moved_fighter_keeps_the_ground_and_sends_no_terrain(referee: Referee) -> None:
    field = referee.field
    scene = dataclasses.replace(field.scene, document=None)
    board = referee.show(building.change_fighter(scene, "kal", at=(5.0, 5.0)), Rules(), 2)
    assert board.prepared is None
    assert referee.field.ground is field.ground
    assert board.fighters[0].at[:2] == (5.0, 5.0)
    referee.show(scene, Rules(), 3)


def test_ways_come_with_sentences_and_refusals_with_falls(referee: Referee) -> None:
    question = Question(3, "kal", "move")
    answer = referee.way(question, (8.0, 4.0, 0.0), None)
    assert answer.move.legal and answer.told and answer.stretches
    on_top = referee.way(Question(3, "kal", "double-move"), (6.0, 7.1, 3.0), None)
    assert not on_top.move.legal and on_top.move.rulings


def test_a_planned_second_move_starts_where_the_first_ends(referee: Referee) -> None:
    first = referee.way(Question(3, "kal", "move"), (2.0, 6.0, 0.0), None)
    second = referee.way(Question(3, "kal", "move", at=first.move.to), (1.0, 9.0, 0.0), None)
    assert second.move.legal
    assert second.move.legs[0].start[:2] == pytest.approx((2.0, 6.0))


@pytest.mark.parametrize("kind", list(OverlayKind))
def test_overlays_say_something(referee: Referee, kind: OverlayKind) -> None:
    overlay = referee.overlay(kind, Question(3, "kal", "move"))
    assert overlay.kind is kind
    assert overlay.legend or overlay.note
    if kind is OverlayKind.STAND:
        layers = overlay.sheets[0].layers
        # Nobody stands on the post, somebody does on the block.
        middle = np.concatenate([one.points[one.values[:, 2] > 0] for one in layers])
        assert not (np.hypot(middle[:, 0] - 9, middle[:, 1] - 3) < 0.5).any()
        assert (np.abs(middle[:, 2] - 3.0) < 0.2).any()
    if kind is OverlayKind.LIPS:
        assert any("3.00" in text for _, text in overlay.labels)


def test_the_tape_knows_what_is_between(referee: Referee) -> None:
    through = referee.measure((6.0, 5.0, 0.0), (6.0, 11.5, 0.0))
    assert not through.clear and through.straight == pytest.approx(6.5)
    beside = referee.measure((2.0, 6.0, 0.0), (1.0, 11.0, 0.0))
    assert beside.clear


def test_what_the_mouse_points_at_is_found_and_a_cut_takes_it_away(referee: Referee) -> None:
    top = referee.eye.pick((6.0, 9.0, 20.0), (0.0, 0.0, -1.0), None)
    assert top.piece == "block" and top.at is not None and top.at[2] == pytest.approx(3.0, abs=0.001)
    table = referee.eye.pick((3.0, 6.0, 20.0), (0.0, 0.0, -1.0), 2.0)
    assert table.piece == "board"
    assert referee.eye.pick((6.0, 5.0, 20.0), (0.0, 0.0, 1.0), 2.0).at is None


def test_a_fall_ends_where_the_rules_say(referee: Referee) -> None:
    path = referee.eye.fall((6.0, 6.9, 3.0), (6.0, 5.5, 0.0), (32.0, 32.0), 1.4)
    assert np.allclose(path.poses[0, :3], (6.0, 6.9, 3.0), atol=0.2)
    assert np.allclose(path.poses[-1, :3], (6.0, 5.5, 0.0), atol=1e-6)
    assert np.allclose(np.linalg.norm(path.poses[:, 3:], axis=1), 1.0)
    assert 0.3 < path.seconds < 4.0


def test_a_worker_answers_the_newest_question_and_says_what_is_wrong(tmp_path: Path) -> None:
    restarts: list[int] = []
    worker = Worker("tests.view.desk:Desk", lambda: restarts.append(1))
    got: list[object] = []
    wrong: list[str] = []
    try:
        worker.ask("slow", "slow", 0.5, then=got.append, failed=wrong.append)
        for number in range(20):
            worker.ask("count", "double", number, then=got.append, failed=wrong.append)
        worker.ask("eye:quick", "double", 50, then=got.append, failed=wrong.append)
        worker.ask("bad", "refuse", then=got.append, failed=wrong.append)
        begun = time.monotonic()
        while len(got) + len(wrong) < 4 and time.monotonic() - begun < 60:
            worker.poll()
            time.sleep(0.005)
        # The quick one did not wait for the slow one; of the twenty only the last was answered.
        assert got == [100, "slept", 38]
        assert wrong == ["not like this"]
        worker.ask("end", "die", then=got.append, failed=wrong.append)
        begun = time.monotonic()
        while len(wrong) < 2 and time.monotonic() - begun < 60:
            worker.poll()
            time.sleep(0.005)
        assert "started again" in wrong[1] and restarts == [1]
        worker.ask("count", "double", 4, then=got.append, failed=wrong.append)
        while got[-1] != 8 and time.monotonic() - begun < 60:
            worker.poll()
            time.sleep(0.005)
        assert got[-1] == 8
    finally:
        worker.close()


def test_a_worker_that_cannot_even_start_is_given_up() -> None:
    worker = Worker("tests.view.desk:Missing")
    wrong: list[str] = []
    try:
        worker.ask("first", "double", 1, then=wrong.append, failed=wrong.append)
        begun = time.monotonic()
        while not any("doctor" in one for one in wrong) and time.monotonic() - begun < 60:
            worker.wait(0.1)
            worker.poll()
            if wrong and "doctor" not in wrong[-1]:
                worker.ask("again", "double", 1, then=wrong.append, failed=wrong.append)
        assert "doctor" in wrong[-1]
        worker.ask("later", "double", 1, then=wrong.append, failed=wrong.append)
        worker.poll()
        assert wrong[-1] == wrong[-2]
    finally:
        worker.close()


# -- without a display -----------------------------------------------------------------------------------------


def test_without_a_display_one_line_says_what_to_do(yard: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(UserError, match="--image"):
        open_window(yard)


def test_a_clip_turns_once(tmp_path: Path) -> None:
    from PIL import Image

    given = StageInput(terrain([]))
    clip(given, tmp_path / "turn.gif", size=(160, 120), seconds=1.0)
    with Image.open(tmp_path / "turn.gif") as image:
        assert image.n_frames == 12
        assert image.size == (160, 120)
    with pytest.raises(UserError, match="GIF"):
        clip(given, tmp_path / "turn.avi")


def test_a_clip_as_mp4_is_as_long_as_it_should_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import imageio_ffmpeg

    given = StageInput(terrain([]))
    clip(given, tmp_path / "turn.mp4", size=(161, 120), seconds=0.5)
    frames, seconds = imageio_ffmpeg.count_frames_and_secs(str(tmp_path / "turn.mp4"))
    assert frames == 12 and seconds == pytest.approx(0.5, abs=0.01)
    monkeypatch.setattr("sandbox.view.clips.find_spec", lambda name: None)
    with pytest.raises(UserError, match=r"sandbox\[clips\]"):
        clip(given, tmp_path / "other.mp4")
