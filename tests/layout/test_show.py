"""Pictures of layouts, and the command line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from sandbox.cli import main
from sandbox.layout.show import draw_level, show_layout
from sandbox.scene import load_scene
from sandbox.view import palette

from .drawn import HALVES, ROOM, text, write

MARKS = {"main": "R....B\n" * 6}
ZONES = 'zones: {"R": red, "B": blue}\npoints: {"1": safe}'
SIZE = (900, 700)


def near(picture: Image.Image, colour: tuple[int, int, int], within: float = 40.0) -> float:
    """Share of a picture's pixels that have about this colour."""
    pixels = np.asarray(picture.convert("RGB"), dtype=float)
    return float((np.linalg.norm(pixels - np.array(colour), axis=2) < within).mean())


def test_a_level_is_cut_open_and_its_zones_are_tinted(tmp_path: Path) -> None:
    scene = load_scene(write(tmp_path, text({"main": HALVES.replace("X", "D")}, more=ZONES, marks=MARKS)))
    with_zones = draw_level(scene, 0, None, None, SIZE)
    assert with_zones.size == SIZE
    plain = load_scene(write(tmp_path, text({"main": HALVES.replace("X", "D")})))
    without = draw_level(plain, 0, None, None, SIZE)
    assert near(with_zones, (204, 150, 135)) > near(without, (204, 150, 135)) + 0.01
    assert near(without, palette.CUT) > 0.005
    solid = load_scene(write(tmp_path, text({"main": ROOM.replace("|. . . . . .|", "|# # # # # #|", 3)})))
    assert near(draw_level(solid, 0, None, None, SIZE), palette.CUT) > 2 * near(without, palette.CUT)


def test_a_picture_of_each_level_and_of_the_whole(tmp_path: Path) -> None:
    content = text({"low": ROOM, "high": ROOM.replace("|. . . . . .|", "|.       . .|", 2)}, more=ZONES)
    made = show_layout(write(tmp_path, content), tmp_path / "out", size=SIZE, plain=True)
    assert [path.name for path in made] == ["1-low.png", "2-high.png", "exploded.png"]
    pictures = [Image.open(path).convert("RGB") for path in made]
    assert all(picture.size == SIZE for picture in pictures)
    assert all(np.asarray(picture).std() > 15 for picture in pictures)
    assert np.abs(np.asarray(pictures[0], float) - np.asarray(pictures[1], float)).mean() > 1.0


def test_check_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, text({"main": HALVES.replace("X", "|")}, more=ZONES, marks=MARKS))
    assert main(["layout", "check", str(path), "--base", "32", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["counts"]["error"] == 1
    assert told["findings"][0]["kind"] == "zones-apart"
    assert {row["doors"] for row in told["distances"]} == {"open", "drawn", "shut"}
    assert main(["layout", "check", str(path), "--base", "32", "--fail-on", "error"]) == 1
    said = capsys.readouterr().out
    assert "1 error" in said
    assert "no way" in said
    assert main(["layout", "check", str(path), "--base", "nix"]) == 2


def test_show_and_write_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, text({"main": HALVES.replace("X", "D")}, more=ZONES, marks=MARKS))
    arguments = [
        "layout",
        "show",
        str(path),
        "--out",
        str(tmp_path / "pictures"),
        "--size",
        "800x600",
        "--json",
    ]
    assert main(arguments) == 0
    made = json.loads(capsys.readouterr().out)["pictures"]
    assert [Path(name).name for name in made] == ["1-main.png"]
    assert Image.open(made[0]).size == (800, 600)
    assert main(["layout", "write", str(path), "--as", "tiles"]) == 0
    assert "main-1-1:" in capsys.readouterr().out


def test_a_scene_without_a_layout(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, "name: Bare\n")
    for command in (
        ["check"],
        ["write"],
        ["show", "--out", str(tmp_path)],
        ["show", "--plain", "--out", str(tmp_path)],
    ):
        assert main(["layout", *command[:1], str(path), *command[1:]]) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert "layout" in said


@pytest.mark.parametrize("name", ["check", "show", "write"])
def test_help_has_an_example_with_options_that_exist(capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert main(["layout", name, "--help"]) == 0
    told = capsys.readouterr().out
    example = told[told.index("Example:") :]
    assert f"sandbox layout {name} scenes/" in example
    options = told[: told.index("Example:")]
    assert all(word in options for word in example.split() if word.startswith("--"))
