"""Reading in a process of its own, the limits, and the meshes that are kept on disk."""

from __future__ import annotations

import json
import os
import struct
import threading
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

from sandbox.errors import UserError
from sandbox.kinds import Kind
from sandbox.scene.model import Anchor, Piece
from sandbox.terrain import reading, store
from sandbox.terrain.build import build_terrain
from sandbox.terrain.standing import Standing, pack, unpack

from .shapes import box, obj, piece, saved, scene, stl

CUBE = box((0, 0, 0), (10, 20, 30))


@pytest.fixture(autouse=True)
def empty_shelves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing from other tests in memory, and a cache of one's own."""
    monkeypatch.setenv("SANDBOX_CACHE", str(tmp_path / "cache"))
    reading._shelf.clear()
    reading._coming.clear()


def refused(model: Path) -> str:
    """The one line with which a model is refused; it names the file."""
    with pytest.raises(UserError) as caught:
        reading.stand_piece(piece(model))
    assert caught.value.file == str(model)
    assert "\n" not in str(caught.value)
    return caught.value.message


# -- a process of its own ----------------------------------------------------------------------------------------------


_WICKED = """
import ctypes, os, sys, time
sys.path[:] = sys.argv[1:]
def wicked(data, file):
    exec(data)
from sandbox.terrain import load, worker
load.READERS['.stl'] = wicked
worker.main()
"""


@pytest.fixture(scope="module")
def process() -> Iterator[reading._Process]:
    """One for all tests: whoever is told that it crashed starts it again for the next model."""
    one = reading._Process()
    yield one
    one.end()


@pytest.fixture
def hostile(monkeypatch: pytest.MonkeyPatch, process: reading._Process) -> None:
    """A reading process whose reader of STL files does what the file says."""
    monkeypatch.setattr(reading, "_CODE", _WICKED)
    monkeypatch.setattr(reading, "_PROCESS", process)


@pytest.mark.parametrize(
    ("does", "settings", "told"),
    [
        ("ctypes.string_at(0)", {}, "crash (SIGSEGV)"),
        ("os.abort()", {}, "crash (SIGABRT)"),
        ("os._exit(7)", {}, "crash (status 7)"),
        ("while True: pass", {"SANDBOX_MAX_SECONDS": "0.5"}, "set SANDBOX_MAX_SECONDS=1"),
        ("time.sleep(100)", {"SANDBOX_MAX_SECONDS": "0.5"}, "took longer than 0.5 s"),
        ("b'x' * 900_000_000", {"SANDBOX_MAX_MEMORY_MB": "300"}, "set SANDBOX_MAX_MEMORY_MB=600"),
        ("[bytes(999) for _ in range(1_000_000)]", {"SANDBOX_MAX_MEMORY_MB": "300"}, "more than the 300 MB"),
        ("os.kill(os.getpid(), 9)", {}, "of memory that reading a model may take"),
        ("wicked(data, file)", {}, "RecursionError"),
        ("raise KeyError('odd')", {}, "could not be read (KeyError 'odd')"),
    ],
)
def test_whatever_a_reader_does_is_one_line(
    tmp_path: Path,
    hostile: None,
    monkeypatch: pytest.MonkeyPatch,
    does: str,
    settings: dict[str, str],
    told: str,
) -> None:
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    assert told in refused(saved(tmp_path, "a.stl", does.encode()))
    # and the next model is read as if nothing had been
    other = piece(saved(tmp_path, "b.obj", obj({"a": CUBE})))
    assert len(reading.stand_piece(other).faces) == 12


def test_what_a_reader_prints_disturbs_nobody(tmp_path: Path, hostile: None) -> None:
    does = b"os.system('echo junk'); print('junk', flush=True); raise ValueError('quiet')"
    assert "quiet" in refused(saved(tmp_path, "a.stl", does))


def test_the_process_is_started_once_and_ends_with_us(tmp_path: Path) -> None:
    reading._PROCESS.end()
    large = np.ones(90_000_000)  # what the starting process holds is not what reading took
    for k in range(3):
        reading.stand_piece(piece(saved(tmp_path, f"{k}.stl", stl(CUBE * (k + 1)))))
        if k == 0:
            first = reading._PROCESS._running
            del large
    running = reading._PROCESS._running
    assert running is first and running is not None and running.poll() is None
    assert running.stdin is not None
    running.stdin.close()
    assert running.wait(10) == 0
    # one that has ended is replaced
    reading.stand_piece(piece(saved(tmp_path, "more.stl", stl(CUBE * 7))))
    assert reading._PROCESS._running is not running


def test_without_a_process_models_are_read_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "_PROCESS", reading._Process())
    monkeypatch.setattr(reading.sys, "executable", str(tmp_path / "gone"))
    assert len(reading.stand_piece(piece(saved(tmp_path, "a.stl", stl(CUBE)))).faces) == 12
    assert "no STL" in refused(saved(tmp_path, "b.stl", b"words"))


def test_models_begun_ahead_are_waited_for_and_their_faults_are_told(tmp_path: Path) -> None:
    good, bad = saved(tmp_path, "a.stl", stl(CUBE)), saved(tmp_path, "b.stl", b"words")
    reading.begin([piece(good), piece(bad), piece(tmp_path / "gone.stl")])
    assert len(reading.stand_piece(piece(good)).faces) == 12
    assert "no STL" in refused(bad)
    assert "No such file" in refused(tmp_path / "gone.stl")
    assert not reading._coming


def test_several_threads_ask_at_once(tmp_path: Path) -> None:
    models = [saved(tmp_path, f"{k}.stl", stl(CUBE + k)) for k in range(6)]
    found: list[int] = []

    def ask(model: Path) -> None:
        found.append(len(reading.stand_piece(piece(model)).faces))

    threads = [threading.Thread(target=ask, args=(model,)) for model in models * 3]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [12] * 18


# -- limits ------------------------------------------------------------------------------------------------------------


def _glb(tree: dict[str, object]) -> bytes:
    return json.dumps({"asset": {"version": "2.0"}, **tree}).encode()


def _zip(text: bytes) -> bytes:
    held = BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("3D/3dmodel.model", text)
    return held.getvalue()


_DIAMONDS = [{"children": [2 * k + 2, 2 * k + 3]} for k in range(40) for _ in range(2)]
"""every node has both nodes of the next layer below it: 2^40 ways down."""
_ENTITIES = b"<!DOCTYPE m [<!ENTITY a 'aaaaaaaaaa'>" + b"".join(
    f"<!ENTITY {chr(98 + k)} '{f'&{chr(97 + k)};' * 10}'>".encode() for k in range(12)
)


@pytest.mark.parametrize(
    ("name", "data", "settings", "told"),
    [
        ("a.stl", stl(CUBE), {"FILE_MB": "0.0001"}, "set SANDBOX_MAX_FILE_MB=1"),
        ("a.stl", stl(CUBE), {"TRIANGLES": "11"}, "has 12 triangles, more than the 11 that are read"),
        ("a.obj", obj({"a": CUBE}), {"TRIANGLES": "11"}, "set SANDBOX_MAX_TRIANGLES=12"),
        ("a.obj", obj({"a": CUBE, "b": CUBE}), {"PARTS": "1"}, "set SANDBOX_MAX_PARTS=2"),
        (
            "a.stl",
            stl(np.concatenate([CUBE + 40 * k for k in range(9)])),
            {"PARTS": "5"},
            "is in 9 separate parts",
        ),
        ("a.stl", b"\0" * 80 + (60_000_000).to_bytes(4, "little"), {}, "promises 60000000 facets and 0"),
        (
            "a.ply",
            b"ply\nformat ascii 1.0\nelement vertex 9\nelement face 999999999\nend_header\n",
            {},
            "cut short",
        ),
        ("a.off", b"OFF\n99999999999 99999999999 0\n0 0 0\n", {}, "cut short"),
        (
            "a.gltf",
            _glb({"nodes": [*_DIAMONDS[:-2], {}, {}], "scenes": [{"nodes": [0]}]}),
            {"PARTS": "5000"},
            "more than the 5,000 parts",
        ),
        (
            "a.gltf",
            _glb({"nodes": [{"children": [k + 1]} for k in range(9000)], "scenes": [{"nodes": [0]}]}),
            {},
            "500 deep",
        ),
        (
            "a.gltf",
            _glb(
                {
                    "nodes": [{"mesh": 0}],
                    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
                    "accessors": [{"componentType": 5126, "type": "VEC3", "count": 250_000_000}],
                }
            ),
            {},
            "claims 250000000",
        ),
        ("a.glb", b"glTF" + struct.pack("<II", 2, 3_000_000_000), {}, "3000000000 bytes promised"),
        ("a.3mf", _zip(b"<model>" + b" " * 30_000_000 + b"</model>"), {"FILE_MB": "20"}, "unpacks to 30 MB"),
        ("a.3mf", _zip(_ENTITIES + b"]><model>&m;</model>"), {}, "no valid XML"),
        ("a.stl", stl(CUBE), {"TRIANGLES": "many"}, "SANDBOX_MAX_TRIANGLES is 'many'"),
    ],
)
def test_each_limit_is_told_with_the_setting_that_raises_it(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    data: bytes,
    settings: dict[str, str],
    told: str,
) -> None:
    model = saved(tmp_path, name, data)
    for setting, value in settings.items():
        monkeypatch.setenv("SANDBOX_MAX_" + setting, value)
    with pytest.raises(UserError) as caught:
        reading.stand_piece(piece(model))
    assert told in str(caught.value)


def test_a_limit_that_was_raised_lets_the_model_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = saved(tmp_path, "a.stl", stl(CUBE))
    monkeypatch.setenv("SANDBOX_MAX_TRIANGLES", "11")
    refused(model)
    monkeypatch.setenv("SANDBOX_MAX_TRIANGLES", "12")
    assert len(reading.stand_piece(piece(model)).faces) == 12


def test_a_board_has_the_limit_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = saved(tmp_path, "a.stl", stl(CUBE))
    monkeypatch.setenv("SANDBOX_MAX_TRIANGLES", "30")
    board = scene(*(piece(model, f"p{k}", at=(4.0 * k + 4, 9.0, 0.0)) for k in range(3)))
    with pytest.raises(UserError, match=r"with this piece the board has 36 triangles.*TRIANGLES=36"):
        build_terrain(board)


def test_pipes_and_devices_are_no_models(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.stl")
    assert "no ordinary file" in refused(tmp_path / "a.stl")
    (tmp_path / "b.stl").symlink_to("/dev/zero")
    assert "no ordinary file" in refused(tmp_path / "b.stl")


# -- kept on disk ------------------------------------------------------------------------------------------------------


def kept(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "cache").glob("*"))


def again(one: Piece, monkeypatch: pytest.MonkeyPatch) -> Standing | None:
    """The piece as a new process would find it, without reading the model; None where it would have to."""
    reading._shelf.clear()

    def nobody(*_: object) -> Standing:
        raise LookupError

    with monkeypatch.context() as patched:
        patched.setattr(reading._PROCESS, "read", nobody)
        try:
            return reading.stand_piece(one)
        except LookupError:
            return None


def same(one: Standing, other: Standing) -> bool:
    arrays = ("vertices", "faces", "shell", "part", "closed")
    rest = ("names", "kinds", "widths", "notes", "beside")
    return all(np.array_equal(getattr(one, a), getattr(other, a)) for a in arrays) and all(
        getattr(one, r) == getattr(other, r) for r in rest
    )


def test_a_mesh_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = saved(tmp_path, "a.obj", obj({"wall": CUBE, "ladder": CUBE + 50}))
    one = piece(model, parts=(("ladder", Kind.LADDER),))
    first = reading.stand_piece(one)
    assert first.kinds == (Kind.AUTO, Kind.LADDER)
    found = again(one, monkeypatch)
    assert found is not None and same(first, found)
    # under another name, elsewhere on the board and turned it is the same mesh
    copy = saved(tmp_path, "copy.obj", model.read_bytes())
    assert (
        again(piece(copy, "other", at=(3, 3, 1), turn=33, parts=(("ladder", Kind.LADDER),)), monkeypatch)
        is not None
    )
    # and everything that matters makes it another one
    for changed in (
        piece(model),
        piece(model, scale=2.0),
        piece(model, anchor=Anchor.CORNER),
        piece(model, tilt=(1, 0)),
    ):
        assert again(changed, monkeypatch) is None
    model.write_bytes(model.read_bytes() + b"v 1 1 1\n")
    assert again(one, monkeypatch) is None


def test_other_code_makes_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = piece(saved(tmp_path, "a.stl", stl(CUBE)))
    reading.stand_piece(one)
    monkeypatch.setattr(store, "version", lambda: "another")
    assert again(one, monkeypatch) is None


@pytest.mark.parametrize("harm", ["cut", "flipped", "empty", "words", "gone"])
def test_what_is_broken_on_disk_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, harm: str
) -> None:
    one = piece(saved(tmp_path, "a.stl", stl(CUBE)))
    first = reading.stand_piece(one)
    (path,) = kept(tmp_path)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(
        {"cut": data[:-40], "flipped": data, "empty": b"", "words": b"words" * 99}.get(harm, b"")
    )
    if harm == "gone":
        path.unlink()
    assert again(one, monkeypatch) is None
    reading._shelf.clear()
    assert same(first, reading.stand_piece(one))
    assert again(one, monkeypatch) is not None


def test_a_block_that_was_tampered_with_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a right checksum too: the header is read with care, and nothing in it can be executed."""
    one = piece(saved(tmp_path, "a.stl", stl(CUBE)))
    reading.stand_piece(one)
    key = kept(tmp_path)[0].stem
    block = store.get(key)
    assert block is not None
    for old, new in ((b'"faces": [12', b'"faces": [92'), (b'"widths"', b'"wodths"'), (b'"auto"', b'"eval"')):
        assert old in block
        store.put(key, block.replace(old, new))
        assert again(one, monkeypatch) is None


def test_the_store_stays_within_its_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDBOX_CACHE_MB", "0.01")
    for k in range(8):
        store.put(f"{k}", b"x" * 2000)
        os.utime(tmp_path / "cache" / f"{k}.mesh", (k, k))
        assert store.get("0") is not None  # and that makes it the one used last
    assert sum(path.stat().st_size for path in kept(tmp_path)) <= 10_000
    assert store.get("7") is not None
    assert store.get("1") is None
    store.put("large", b"x" * 9000)  # would push everything else out
    assert store.get("large") is None


@pytest.mark.parametrize("named", ["off", "/proc/nowhere", "file"])
def test_without_a_place_to_keep_meshes_they_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    place = str(saved(tmp_path, "taken", b"")) if named == "file" else named
    monkeypatch.setenv("SANDBOX_CACHE", place)
    one = piece(saved(tmp_path, "a.stl", stl(CUBE)))
    assert len(reading.stand_piece(one).faces) == 12
    assert again(one, monkeypatch) is None


def test_files_beside_a_model_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 0, -1]], dtype="<f4")
    saved(tmp_path, "a b.bin", corners.tobytes())
    tree = {
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "buffers": [{"uri": "a%20b.bin", "byteLength": 36}],
    }
    one = piece(saved(tmp_path, "a.gltf", _glb(tree)))
    first = reading.stand_piece(one)
    assert again(one, monkeypatch) is not None
    saved(tmp_path, "a b.bin", (corners * 3).tobytes())
    assert again(one, monkeypatch) is None
    reading._shelf.clear()
    assert np.ptp(reading.stand_piece(one).vertices) == pytest.approx(3 * np.ptp(first.vertices))


def test_a_block_is_what_was_packed(tmp_path: Path) -> None:
    whole = reading.stand_piece(piece(saved(tmp_path, "a.obj", obj({"a": CUBE, "b\u00e9": CUBE + 90}))))
    block = bytearray(b"".join(pack(whole)))
    assert same(unpack(block), whole)
    for wrong in (block[1:], block[:-1], block + b"\0"):
        with pytest.raises((ValueError, KeyError, TypeError)):
            unpack(wrong)
