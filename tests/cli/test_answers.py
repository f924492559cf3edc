"""Answers on the command line: one JSON object with the keys of the Python API, or a table; pictures."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import sandbox
from sandbox.cli import main

BLOCK = """\
name: Block
board: {size: [24, 24]}
terrain:
  - {id: block, box: [4, 4, 3], at: [12, 11]}
fighters:
  - {id: kal, side: red, at: [12, 8.37], profile: {M: 5, I: 4}}
"""
"""The example of the contract: a 32 mm base that touches a 3" block."""


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("answers") / "block.yaml"
    path.write_text(BLOCK)
    return path


def answer(capsys: pytest.CaptureFixture[str], *argv: object) -> dict[str, Any]:
    assert main([str(a) for a in argv]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    found = json.loads(out)
    assert isinstance(found, dict)
    return found


def test_the_way_to_one_place_as_json(scene: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = answer(capsys, "moves", scene, "--fighter", "kal", "--to", "12,9.68,3", "--json")
    assert list(told) == [
        *("scene", "rules", "fighter", "action", "allowance", "to", "legal", "cost", "success", "legs"),
        *("checks", "rulings"),
    ]
    assert (told["scene"], told["rules"], told["fighter"]) == ("Block", "necromunda-2023", "kal")
    assert (told["action"], told["allowance"], told["legal"], told["success"]) == ("move", 5.0, False, None)
    assert told["to"] == pytest.approx([12.0, 9.68, 3.0])
    assert told["cost"] == pytest.approx(7.31, abs=0.02)
    (leg,) = told["legs"]
    assert list(leg) == ["kind", "start", "end", "length", "cost", "checks"]
    assert leg["kind"] == "climb"
    assert leg["length"] == pytest.approx(4.31, abs=0.02)
    assert told["checks"] == []
    first = told["rulings"][0]
    assert list(first) == ["rule", "text", "measured", "limit", "source", "setting"]
    assert (first["rule"], first["text"]) == ("allowance", "needs 7.31 in, has 5.00 in")
    assert (first["limit"], first["source"], first["setting"]) == (5.0, "002, Moving Models", None)


def test_all_places_as_json(scene: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = answer(capsys, "moves", scene, "--fighter", "kal", "--json")
    assert told["allowance"] == 5.0
    spots = told["spots"]
    assert len(spots) > 100
    assert set(spots[0]) == {"x", "y", "z", "cost", "success"}
    assert all(0.0 <= spot["cost"] <= 5.002 and spot["success"] == 1.0 for spot in spots)
    assert {round(spot["z"], 3) for spot in spots} == {0.0}


def test_python_and_the_command_line_agree(scene: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = answer(capsys, "moves", scene, "--fighter", "kal", "--to", "12,5", "--json")
    move = sandbox.load(scene).moves("kal", "move").to(12, 5)
    assert told == json.loads(json.dumps(move.to_json()))
    assert move.legal
    assert move.cost == pytest.approx(3.37, abs=0.001)


def test_a_double_move_reaches_the_top(scene: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["moves", scene, "--fighter", "kal", "--action", "double-move", "--to", "12,9.68,3"]
    assert answer(capsys, *call, "--json")["legal"]


def test_tables_for_people(scene: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["moves", str(scene), "--fighter", "kal", "--action", "double-move"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "kal: double-move" in out
    assert '0.00"' in out
    assert '3.00"' in out
    assert main(["moves", str(scene), "--fighter", "kal", "--to", "12,9.68,3"]) == 0
    out = capsys.readouterr().out
    assert "climb" in out
    assert "7.31" in out
    assert "allowance" in out


def test_standing(scene: Path, capsys: pytest.CaptureFixture[str]) -> None:
    on_top = answer(capsys, "stand", scene, "--at", "12,11,3", "--base", "32", "--json")
    assert (on_top["stands"], on_top["z"], on_top["support"]) == (True, 3.0, 1.0)
    at_the_lip = answer(capsys, "stand", scene, "--at", "12,9.1,3", "--json")
    assert not at_the_lip["stands"]
    assert at_the_lip["rulings"]
    oval = answer(capsys, "stand", scene, "--at", "12,10,3", "--base", "60x35", "--facing", "0", "--json")
    turned = answer(capsys, "stand", scene, "--at", "12,10,3", "--base", "60x35", "--facing", "90", "--json")
    assert (oval["stands"], turned["stands"]) == (True, False)
    assert main(["stand", str(scene), "--at", "12,9.1,3"]) == 0
    assert "does not stand" in capsys.readouterr().out


def test_rules_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    packs = answer(capsys, "rules", "--json")["packs"]
    assert "necromunda-2023" in [pack["id"] for pack in packs]
    told = answer(capsys, "rules", "necromunda-2023", "climb_cost", "--json")
    assert (told["rule"], told["value"]) == ("climb_cost", 2.0)
    assert told["setting"]
    whole = answer(capsys, "rules", "necromunda-2023", "--json")
    assert "climb_cost" in whole["open_settings"]


def test_rules_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "necromunda-2023", "--open"]) == 0
    assert "climb_cost" in capsys.readouterr().out
    assert main(["rules", "necromunda-2023"]) == 0
    out = capsys.readouterr().out
    for word in ("climb_cost", "ladder", "charge", "standing", "clamber"):
        assert word in out


def test_pictures_without_a_display(scene: Path, tmp_path: Path) -> None:
    call = "import sys; from sandbox.cli import main; sys.exit(main(sys.argv[1:10]) or main(sys.argv[10:]))"
    size = ["--size", "640x400"]
    way, view = (tmp_path / "new folder" / name for name in ("way.png", "view.png"))
    argv = ["moves", str(scene), "--fighter", "kal", "--to", "12,5", *size, f"--image={way}"]
    argv += ["view", str(scene), "--image", str(view), *size]
    env = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    done = subprocess.run(
        [sys.executable, "-c", call, *argv], capture_output=True, text=True, check=False, env=env
    )
    assert done.returncode == 0, done.stderr
    for picture in (way, view):
        with Image.open(picture) as image:
            assert image.size == (640, 400)
            colours = image.convert("RGB").getcolors(640 * 400)
        assert colours is not None
        assert len(colours) > 50


def test_json_is_alone_on_standard_output_of_a_whole_process(scene: Path) -> None:
    call = "import sys; from sandbox.cli import main; sys.exit(main())"
    argv = ["moves", str(scene), "--fighter", "kal", "--to", "12,5", "--json"]
    done = subprocess.run([sys.executable, "-c", call, *argv], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["legal"]
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""


def test_an_action_that_is_not_allowed_is_an_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    prone = tmp_path / "prone.yaml"
    prone.write_text(BLOCK.replace("side: red", "side: red, status: prone-pinned"))
    told = answer(capsys, "moves", prone, "--fighter", "kal", "--to", "12,5", "--json")
    assert not told["legal"]
    assert told["rulings"]


def test_a_fighter_in_a_wall_is_a_warning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stuck = tmp_path / "stuck.yaml"
    stuck.write_text(BLOCK.replace("at: [12, 8.37]", "at: [12, 8.8, 0]"))
    assert main(["moves", str(stuck), "--fighter", "kal", "--json"]) == 0
    out, err = capsys.readouterr()
    assert err.startswith("warning: kal ")
    assert json.loads(out)["rulings"]


def test_no_reach_is_said_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scene = tmp_path / "far.yaml"
    scene.write_text(
        "board: {size: [24, 24]}\nfighters:\n- {id: kal, side: red, at: [2, 2], profile: {M: 5, I: 4}}\n"
        "- {id: rax, side: blue, at: [20, 20], profile: {M: 5, I: 4}}\n"
    )
    assert main(["moves", str(scene), "--fighter", "kal", "--action", "charge", "--target", "rax"]) == 0
    assert "no place in base contact with rax" in " ".join(capsys.readouterr().out.split())


def test_a_fighter_in_an_obstacle_or_on_another_floor_is_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scene = tmp_path / "odd.yaml"
    scene.write_text(
        "board: {size: [24, 24]}\nterrain:\n- {id: crate, box: [1.5, 1.5, 1], at: [3, 3]}\n"
        "- {id: block, box: [4, 4, 3], at: [12, 12]}\n"
        "fighters:\n- {id: kal, side: red, at: [4, 3], profile: {M: 5, I: 4}}\n"
        "- {id: juno, side: red, at: [12, 12, 0], profile: {M: 5, I: 4}}\n"
    )
    assert main(["stand", str(scene), "--at", "20,20"]) == 0
    told = capsys.readouterr().err
    assert "kal stands inside crate" in told
    assert "juno stands at 3.00 in" in told


def test_the_top_of_a_ceiling_is_no_floor(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scene = tmp_path / "low.yaml"
    scene.write_text("board: {size: [12, 12], ceiling: 2.5}\n")
    assert main(["stand", str(scene), "--at", "6,6", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["stands"] and answer["z"] == 0.0
