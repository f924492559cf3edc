"""Help is quick, complete, and has an example that can be copied."""

from __future__ import annotations

import subprocess
import sys

import click
import pytest

from sandbox.cli import COMMANDS, main, program


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert main([name, "--help"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "Example" in out
    assert f"\n    sandbox {name} " in out


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_name_options_that_exist(name: str) -> None:
    command = program.get_command(click.Context(program), name)
    assert command is not None
    options = {text for param in command.params for text in param.opts}
    for word in (command.epilog or "").split():
        if word.startswith("--"):
            assert word in options


def test_the_first_help_lists_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    out = capsys.readouterr().out
    for name in COMMANDS:
        assert f"\n  {name} " in out


def test_help_imports_no_geometry() -> None:
    code = "import sys; from sandbox.cli import main; main(['--help']); main(['moves', '--help'])\n"
    code += (
        "print(sorted({'numpy', 'numba', 'pybullet', 'panda3d', 'trimesh', 'pydantic'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("sandbox ")


@pytest.mark.parametrize("argv", ["rules necromunda-2023", "rules necromunda-2023 --json"])
def test_a_reader_that_stops_reading_is_no_failure(argv: str) -> None:
    call = "import sys; from sandbox.cli import main; sys.exit(main())"
    with subprocess.Popen(
        [sys.executable, "-c", call, *argv.split()], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdout is not None
        running.stdout.close()
        assert running.wait(timeout=60) == 0
        assert running.stderr is not None
        assert running.stderr.read() == b""
