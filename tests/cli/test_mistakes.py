"""What is wrong with the input or the call ends in one line on standard error, status 2 and no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox.cli import main

FIGHTER = "fighters:\n- {id: kal, side: red, at: [4, 4], profile: {M: 5, I: 4}}\n"


def one_line(capsys: pytest.CaptureFixture[str], *argv: object) -> str:
    """The one line that a wrong call ends in."""
    status = main([str(a) for a in argv])
    out, err = capsys.readouterr()
    assert status == 2, err
    assert out == ""
    assert err.endswith("\n")
    assert err.count("\n") == 1, err
    assert "Traceback" not in err
    return err


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("terrian: []\n" + FIGHTER, 1, "unknown key 'terrian'; did you mean 'terrain'?"),
        ("terrain:\n- id: a\n  model: nothing-here.stl\n" + FIGHTER, 3, "nothing-here.stl"),
        ("name: x\nrules: necromunda-2032\n" + FIGHTER, 2, "unknown pack 'necromunda-2032'"),
        (FIGHTER + "- {id: kal, at: [9, 9]}\n", 3, "the id 'kal' is used twice"),
        ("terrain:\n- box: [1, 1, .nan]\n" + FIGHTER, 2, "finite number"),
        ("terrain:\n- box: [1, 1, 1]\n  at: [1.0e+12, 3]\n" + FIGHTER, 3, "less than or equal to 1000"),
        ("board: {size: [1e99, 48]}\n" + FIGHTER, 1, "absurd"),
        ("name: !!python/object/apply:os.getcwd []\n" + FIGHTER, 1, "tag"),
        ("terrain: [\n", 2, "not valid YAML"),
        ("just some words\n", 1, "no `key: value` lines"),
        ("", None, "empty"),
        (FIGHTER.replace("M: 5", "M: 5, Q: 1"), 2, "'Q'"),
        (
            "areas:\n- {kind: difficult, polygon: [[1, 1], [2, 2]]}\n" + FIGHTER,
            2,
            "at least 3 values are wanted",
        ),
        (FIGHTER.replace("side: red", "skills: [climber]"), 2, "'climber'"),
        (FIGHTER.replace("side: red", "status: sitting"), 2, "'sitting'"),
    ],
)
def test_a_wrong_scene_names_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, line: int | None, said: str
) -> None:
    scene = tmp_path / "scene.yaml"
    scene.write_text(text)
    told = one_line(capsys, "moves", scene, "--fighter", "kal")
    assert said in told
    where = f"{scene}:{line}: " if line else f"{scene}: "
    assert told.startswith(f"sandbox: {where}")


@pytest.mark.parametrize("command", [["stand", "--at", "1,1"], ["view", "--image", "x.png"]])
def test_every_command_reads_scenes_the_same_way(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("scene.yaml").write_text("terrian: []\n")
    told = one_line(capsys, command[0], "scene.yaml", *command[1:])
    assert told.startswith("sandbox: scene.yaml:1: unknown key")
    assert not Path("x.png").exists()


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["moev"], "did you mean 'moves'?"),
        (["moves"], "Missing argument 'SCENE'"),
        (["moves", "x.yaml"], "Missing option '--fighter'"),
        (["moves", "x.yaml", "--fihgter", "kal"], "No such option"),
        (["moves", "none.yaml", "--fighter", "kal"], "none.yaml: no such file"),
        (["moves", "x.yaml", "--fighter", "kal", "--to", "1"], "X,Y or X,Y,Z"),
        (["moves", "x.yaml", "--fighter", "kal", "--to", "nan,1"], "X,Y or X,Y,Z"),
        (["moves", "x.yaml", "--fighter", "kal", "--to", "1e9,1"], "X,Y or X,Y,Z"),
        (["moves", "x.yaml", "--fighter", "kal", "--image", "x.jpg"], "a picture is a .png file"),
        (["stand", "x.stl", "--at", "1,1", "--base", "0"], "a diameter in mm"),
        (["stand", "x.stl", "--at", "1,1", "--base", "60x35x2"], "a diameter in mm"),
        (["stand", "x.stl", "--at", "1,1", "--height", "-1"], "--height"),
        (["stand", "none.stl", "--at", "1,1"], "none.stl: no such file"),
        (["stand", "words.txt", "--at", "1,1"], "neither a scene nor a model"),
        (["stand", "x.stl", "--at", "1,1", "--height", "nan"], "inches (0.05 to 50)"),
        (["stand", "x.stl", "--at", "1,1", "--facing", "nan"], "degrees from east"),
        (["moves", "x.yaml", "--fighter", "kal", "--facing", "inf"], "degrees from east"),
        (["view", "x.yaml"], "x.yaml: no such file"),
        (["view", "x.yaml", "--image", "x.png", "--size", "9x9"], "a size in pixels"),
        (["rules", "nope"], "unknown pack 'nope'"),
        (["rules", "necromunda-2023", "climb_kost"], "did you mean 'climb_cost'?"),
    ],
)
def test_a_wrong_call_is_one_line(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    argv: list[str],
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("words.txt").write_text("hello")
    assert said in one_line(capsys, *argv)


def test_an_unknown_fighter_and_an_unknown_pack(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scene = tmp_path / "scene.yaml"
    scene.write_text(FIGHTER)
    assert "no fighter 'rax'; fighters: kal" in one_line(capsys, "moves", scene, "--fighter", "rax")
    told = one_line(capsys, "moves", scene, "--fighter", "kal", "--rules", "nope")
    assert "unknown pack 'nope'" in told


def test_a_model_that_is_none_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = tmp_path / "broken.stl"
    model.write_text("this is no mesh at all")
    assert "broken.stl" in one_line(capsys, "stand", model, "--at", "1,1")
    scene = tmp_path / "scene.yaml"
    scene.write_text("terrain:\n- {model: broken.stl}\n" + FIGHTER)
    assert "broken.stl" in one_line(capsys, "moves", scene, "--fighter", "kal")


def test_a_whole_process_ends_with_status_2_and_no_traceback(tmp_path: Path) -> None:
    scene = tmp_path / "scene.yaml"
    scene.write_text("terrian: []\n")
    call = "import sys; from sandbox.cli import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", call, "moves", str(scene), "--fighter", "kal", "--json"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "COLUMNS": "40"},
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "did you mean 'terrain'?" in done.stderr


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (["--camera", "foo"], "whole, reach, way, top"),
        (["--image", "no/such/folder/x.png"], "no such folder"),
    ],
)
@pytest.mark.parametrize("command", [["moves", "--fighter", "kal"], ["view"]])
def test_a_picture_that_cannot_be_is_refused_before_anything_is_read(
    command: list[str], options: list[str], word: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    argv = [command[0], str(tmp_path / "nothing-here.yaml"), *command[1:], *options]
    assert main(argv) == 2
    error = capsys.readouterr().err
    assert word in error
    assert "nothing-here" not in error


def test_a_target_that_an_action_has_no_use_for_is_a_mistake(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scene = tmp_path / "scene.yaml"
    scene.write_text(
        "name: S\nfighters:\n  - {id: kal, side: red, at: [4, 4]}\n  - {id: rax, side: blue, at: [9, 9]}\n"
    )
    assert main(["moves", str(scene), "--fighter", "kal", "--target", "rax"]) == 2
    assert "aimed at nobody" in capsys.readouterr().err
