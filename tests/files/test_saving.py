"""Saving: killed at any moment, at the same time as another process, on a full disk, where nothing may be written."""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from sandbox.cli import main
from sandbox.errors import UserError
from sandbox.files import read_yaml, save_yaml, write_atomic
from sandbox.view.compose import write

# forks from a small process: one child after another saves without end and is killed at a moment of its own
KILLED = """
import os, random, signal, sys, time
from pathlib import Path
from sandbox.files import read_yaml, save_yaml
path, tries = Path(sys.argv[1]), int(sys.argv[2])
random.seed(4)
for n in range(tries):
    child = os.fork()
    if child == 0:
        k = 0
        document = read_yaml(path)
        while True:
            k += 1
            document.data["name"] = f"saved {n} {k} " + "x" * (k * 977 % 20000)
            save_yaml(document)
    time.sleep(random.uniform(0.0, 0.05))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    document = read_yaml(path)
    assert document.data["kept"] == list(range(20)), n
print("whole", document.data["name"][:7])
"""


def test_a_scene_survives_being_killed_while_it_is_saved(tmp_path: Path) -> None:
    path = tmp_path / "scene.yaml"
    path.write_text("# a comment that stays\nname: first\nkept: [" + ", ".join(map(str, range(20))) + "]\n")
    seen = subprocess.run(
        [sys.executable, "-c", KILLED, str(path), "100"], capture_output=True, text=True, check=False
    )
    assert seen.returncode == 0, seen.stderr[-2000:]
    assert "whole saved" in seen.stdout
    assert "# a comment that stays" in path.read_text()
    # what the killed ones left half-written goes with a later save
    for left in tmp_path.glob(".*.tmp"):
        os.utime(left, (0, 0))
    save_yaml(read_yaml(path))
    assert [p.name for p in tmp_path.iterdir()] == ["scene.yaml"]


def _count_up(path: str, times: int, done: multiprocessing.Queue[int]) -> None:
    saved = 0
    while saved < times:
        document = read_yaml(path)
        document.data["count"] = int(document.data["count"]) + 1
        try:
            save_yaml(document)
        except UserError as error:
            assert "changed on disk" in str(error)
            continue
        saved += 1
    done.put(saved)


def test_two_processes_that_save_one_file_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "shared.yaml"
    path.write_text("count: 0\n")
    context = multiprocessing.get_context("fork")
    done = context.Queue()
    workers = [context.Process(target=_count_up, args=(str(path), 60, done)) for _ in range(2)]
    for worker in workers:
        worker.start()
    assert sum(done.get(timeout=120) for _ in workers) == 120
    for worker in workers:
        worker.join(timeout=30)
    assert path.read_text() == "count: 120\n"
    assert [p.name for p in tmp_path.iterdir()] == ["shared.yaml"]


def _on_a_full_disk(path: Path) -> str:
    """What a child says that may write no more than a kilobyte."""
    read, put = os.pipe()
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        try:
            write_atomic(path, b"n" * 100_000)
            said = "written"
        except UserError as error:
            said = str(error)
        except BaseException as error:
            said = f"fault {error!r}"
        os.write(put, said.encode())
        os._exit(0)
    os.close(put)
    with os.fdopen(read) as stream:
        said = stream.read()
    os.waitpid(child, 0)
    return said


def test_a_full_disk_leaves_the_old_file_and_one_line(tmp_path: Path) -> None:
    path = tmp_path / "scene.yaml"
    path.write_text("old")
    said = _on_a_full_disk(path)
    assert "cannot be written" in said
    assert "\n" not in said
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["scene.yaml"]


def _barred(tmp_path: Path) -> list[Path]:
    """Paths that nobody writes to, whoever they are: below a file, and in a folder that the system keeps."""
    blocked = tmp_path / "file"
    blocked.write_text("")
    kept = [Path("/proc/sandbox.png")] if Path("/proc").is_dir() else []
    return [blocked / "below.png", *kept]


def test_where_nothing_may_be_written_one_line_says_so(tmp_path: Path) -> None:
    picture = Image.fromarray(np.zeros((4, 4, 3), np.uint8))
    for path in _barred(tmp_path):
        with pytest.raises(UserError) as told:
            write(picture, path)
        assert "\n" not in str(told.value)
        assert str(path) in str(told.value)


def test_a_command_that_cannot_write_ends_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in _barred(tmp_path):
        assert main(["schema", "layout", "--out", str(path)]) == 2
        assert capsys.readouterr().err.count("\n") == 1
