"""What the README shows can be typed: its commands parse and name files that exist, its scene loads."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from sandbox.cli import COMMANDS, program
from sandbox.scene import load_scene

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CALLS = [line.split("#")[0].strip() for line in README.splitlines() if line.startswith("sandbox ")]


def test_the_readme_shows_every_command() -> None:
    assert {call.split()[1] for call in CALLS} == set(COMMANDS)


@pytest.mark.parametrize("call", CALLS)
def test_a_command_of_the_readme_parses(call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    _, name, *args = shlex.split(call)
    command = program.get_command(click.Context(program), name)
    assert command is not None
    context = command.make_context(name, args)
    scene = context.params.get("scene")
    assert scene is None or scene.is_file()
    fighter = context.params.get("fighter")
    if scene is not None and fighter is not None:
        load_scene(scene).fighter(fighter)


def test_the_scene_of_the_readme_loads(tmp_path: Path) -> None:
    found = re.search(r"```yaml\n(.*?)```", README, re.DOTALL)
    assert found is not None
    (tmp_path / "models").symlink_to(ROOT / "models")
    (tmp_path / "scenes").mkdir()
    path = tmp_path / "scenes" / "crates.yaml"
    path.write_text(found[1])
    assert [piece.id for piece in load_scene(path).terrain] == ["tower", "crate"]


def test_the_scripts_of_the_readme_are_there() -> None:
    for name in re.findall(r"^(scripts/\w+)", README, re.MULTILINE):
        assert (ROOT / name).stat().st_mode & 0o100
