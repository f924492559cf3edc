"""Pieces as they stand: from memory, from the cache, or read in a process of its own.

A model file comes from anywhere, and what reads it is large. In a process of its own a crash, an endless loop or a
hunger for memory is one line of refusal, and the window goes on drawing.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import json
import os
import pickle
import signal
import stat
import subprocess
import sys
import threading
from collections import OrderedDict
from collections.abc import Iterable
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

from sandbox.errors import UserError
from sandbox.files.limits import PREFIX
from sandbox.scene import Scene, open_scene
from sandbox.scene.model import Piece, Shape
from sandbox.terrain import store
from sandbox.terrain.limits import Limits, limits, too_large
from sandbox.terrain.standing import Standing, unpack

_KEPT = 64
_START_S = 600.0
"""how long the process may take to start: the first one ever compiles."""
_LENGTH = 8
_LETTER = 1
_READY, _TAKEN, _MESH, _REFUSED = b"R", b"T", b"M", b"E"
_CODE = "import sys; sys.path[:] = sys.argv[1:]; from sandbox.terrain.worker import main; main()"

_lock = threading.Lock()
_shelf: OrderedDict[str, Standing] = OrderedDict()
_digests: dict[tuple[str, int, int], str] = {}
_coming: dict[str, Future[Standing]] = {}


def stand_piece(piece: Piece) -> Standing:
    """A piece repaired, with its kinds and sizes, unturned over the origin.

    UserError that names the model file where it cannot be read.
    """
    key, digest = _key(piece)
    with _lock:
        waiting = _coming.pop(key, None)
    return waiting.result() if waiting is not None else _stand(piece, key, digest)


def begin(pieces: Iterable[Piece]) -> None:
    """Have models read in the background that are neither in memory nor in the cache; `stand_piece` waits for them."""
    wanted: dict[str, tuple[Piece, str]] = {}
    for piece in pieces:
        if piece.shape is not Shape.MODEL:
            continue
        with contextlib.suppress(UserError):  # it will be told when somebody asks for the piece
            key, digest = _key(piece)
            if key not in wanted and key not in _coming and _known(piece, key) is None:
                wanted[key] = (piece, digest)
    if not wanted:
        return
    futures: dict[str, Future[Standing]] = {key: Future() for key in wanted}
    with _lock:
        _coming.update(futures)

    def read() -> None:
        for key, (piece, digest) in wanted.items():
            try:
                futures[key].set_result(_stand(piece, key, digest))
            except BaseException as error:
                futures[key].set_exception(error)

    threading.Thread(target=read, name="reading", daemon=True).start()


def begin_scene(path: str | Path) -> Scene | None:
    """`begin` for a scene file, or a model that lies alone, and that scene; None where it is wrong.

    What is wrong with it is told by whoever opens it.
    """
    scene = None
    with contextlib.suppress(UserError):
        scene = open_scene(path)
        begin(scene.terrain)
    return scene


def _stand(piece: Piece, key: str, digest: str) -> Standing:
    held = _known(piece, key)
    if held is not None:
        return held
    if piece.shape is not Shape.MODEL:
        from sandbox.terrain.making import own_shape, stand_model  # noqa: PLC0415 - slow to import

        return _shelved(key, stand_model(piece, own_shape(piece)))
    block = _PROCESS.read(piece, digest)
    if isinstance(block, bytearray):
        store.put(key, block)
        return _shelved(key, unpack(block))
    return _shelved(key, block)


def _known(piece: Piece, key: str) -> Standing | None:
    """A piece from memory or from the cache, where the files that its model refers to are still the same."""
    with _lock:
        held = _shelf.get(key)
        if held is not None:
            _shelf.move_to_end(key)
    if held is None and piece.shape is Shape.MODEL:
        block = store.get(key)
        if block is not None:
            with contextlib.suppress(ValueError, KeyError, TypeError):
                held = unpack(block)
    if held is None or not _same(piece, held):
        return None
    return _shelved(key, held)


def _shelved(key: str, standing: Standing) -> Standing:
    with _lock:
        _shelf[key] = standing
        _shelf.move_to_end(key)
        while len(_shelf) > _KEPT:
            _shelf.popitem(last=False)
    return standing


def _same(piece: Piece, held: Standing) -> bool:
    """Whether the files beside the model are those that it was read with."""
    try:
        return all(_digest(piece.model.parent / name) == digest for name, digest in held.beside)  # type: ignore[union-attr]
    except (OSError, UserError):
        return False


def _key(piece: Piece) -> tuple[str, str]:
    """What a piece is kept under, and the hash of its model's content (empty for shapes)."""
    digest = ""
    source: tuple[object, ...] = (piece.shape, piece.sizes)
    if piece.shape is Shape.MODEL:
        assert piece.model is not None
        try:
            digest = _digest(piece.model)
        except OSError as error:
            raise UserError(f"cannot be read: {error.strerror or error}", file=piece.model) from error
        source = (digest, piece.model.suffix.lower(), piece.units, piece.up, piece.scale, limits())
    told = repr((source, piece.tilt, piece.anchor, piece.kind, piece.parts, piece.marks, store.version()))
    return hashlib.blake2b(told.encode(), digest_size=20).hexdigest(), digest


def _digest(file: Path) -> str:
    """Hash of a file's content; from memory where its size and time are the same. OSError, UserError."""
    held = file.stat()
    if not stat.S_ISREG(held.st_mode):
        raise UserError("is no ordinary file; a model is wanted", file=file)
    if held.st_size > limits().file_bytes:
        raise UserError(too_large(held.st_size, limits().file_bytes), file=file)
    known = (str(file.absolute()), held.st_mtime_ns, held.st_size)
    if known not in _digests:
        with file.open("rb") as stream:
            _digests[known] = hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=20)).hexdigest()
    return _digests[known]


class _NoProcess(Exception):
    """No reading process can be had here."""


class _Process:
    """The reading process: started when it is first needed, and again after it ended."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: subprocess.Popen[bytes] | None = None
        self._owner = 0

    def read(self, piece: Piece, digest: str) -> bytearray | Standing:
        """The block of a piece; the piece itself where no process can be had."""
        assert piece.model is not None
        allowed = limits()
        sent = replace(piece, model=piece.model.absolute())
        settings = {name: value for name, value in os.environ.items() if name.startswith("SANDBOX_")}
        request = pickle.dumps((sent, digest, settings))
        with self._lock:
            try:
                running = self._taken(request)
            except _NoProcess:
                return _unguarded(piece)
            return self._answer(running, piece.model, allowed)

    def end(self) -> None:
        """Let the process go."""
        if self._running is None:
            return
        running, self._running = self._running, None
        if self._owner != os.getpid():
            return
        running.kill()
        for stream in (running.stdin, running.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        running.wait()

    def _taken(self, request: bytes) -> subprocess.Popen[bytes]:
        """A process that has taken the request; an idle one may have ended in the meantime."""
        for _ in range(2):
            running = self._started()
            assert running.stdin is not None
            try:
                running.stdin.write(len(request).to_bytes(_LENGTH, "little") + request)
                running.stdin.flush()
                if _heard(running)[0] == _TAKEN:
                    return running
            except (OSError, EOFError):
                pass
            self.end()
        raise _NoProcess

    def _started(self) -> subprocess.Popen[bytes]:
        if self._running is not None and self._owner == os.getpid() and self._running.poll() is None:
            return self._running
        self.end()
        if not sys.executable or getattr(sys, "frozen", False):
            raise _NoProcess
        # one thread does, and leaves more of the address space
        single = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
        try:
            running = subprocess.Popen(
                [sys.executable, "-P", "-c", _CODE, *sys.path],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, **single},
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as error:
            raise _NoProcess from error
        self._running, self._owner = running, os.getpid()
        with _Clock(running, _START_S):
            try:
                if _heard(running)[0] == _READY:
                    return running
            except (OSError, EOFError):
                pass
        self.end()
        raise _NoProcess

    def _answer(self, running: subprocess.Popen[bytes], file: Path, allowed: Limits) -> bytearray:
        seconds = allowed.seconds_for(file.stat().st_size)
        try:
            with _Clock(running, seconds) as clock:
                letter, text = _heard(running)
        except (OSError, EOFError):
            code = running.wait() if running.poll() is None else running.returncode
            self.end()
            raise UserError(_why(code, clock.rang, seconds, allowed), file=file) from None
        except BaseException:
            self.end()  # interrupted: what it goes on to say belongs to nobody
            raise
        if letter == _MESH:
            return text
        if letter == _REFUSED:
            message, line = json.loads(text)
            raise UserError(str(message), file=file, line=line)
        self.end()
        raise UserError(_hungry(allowed), file=file)


class _Clock:
    """Kills a process that takes too long, so that whoever reads from it comes to an end."""

    def __init__(self, process: subprocess.Popen[bytes], seconds: float) -> None:
        self._process = process
        self._timer = threading.Timer(seconds, self._ring)
        self._timer.daemon = True
        self.rang = False

    def __enter__(self) -> _Clock:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()

    def _ring(self) -> None:
        self.rang = True
        self._process.kill()


def _heard(running: subprocess.Popen[bytes]) -> tuple[bytes, bytearray]:
    """The next answer: its letter and its bytes. EOFError where the process ended."""
    assert running.stdout is not None
    head = running.stdout.read(_LETTER + _LENGTH)
    if len(head) < _LETTER + _LENGTH:
        raise EOFError
    text = bytearray(int.from_bytes(head[_LETTER:], "little"))
    view, at = memoryview(text), 0
    while at < len(text):
        more = running.stdout.readinto(view[at:])  # type: ignore[attr-defined]
        if not more:
            raise EOFError
        at += more
    return head[:_LETTER], text


def _why(code: int | None, timed_out: bool, seconds: float, allowed: Limits) -> str:
    """What a process that ended in the middle of its work ended of."""
    if timed_out or code == -getattr(signal, "SIGALRM", 14):
        return (
            f"took longer than {seconds:.3g} s to read, so it was given up; make it coarser, "
            f"or set {PREFIX}SECONDS={2 * seconds:.3g}"
        )
    if code == -getattr(signal, "SIGKILL", 9):
        return _hungry(allowed)
    how = f"status {code}"
    if code is not None and code < 0:
        with contextlib.suppress(ValueError):
            how = signal.Signals(-code).name
    return f"made its reader crash ({how}), so the file is broken; export it again"


def _hungry(allowed: Limits) -> str:
    megabytes = allowed.memory_bytes // 1_000_000
    return (
        f"needs more than the {megabytes:,} MB of memory that reading a model may take; make it coarser, "
        f"or set {PREFIX}MEMORY_MB={2 * megabytes}"
    )


def _unguarded(piece: Piece) -> Standing:
    """A piece read in this process, where no other can be started."""
    from sandbox.terrain.making import own_model, stand_model  # noqa: PLC0415 - slow to import

    assert piece.model is not None
    return stand_model(piece, own_model(piece.model, piece.units, piece.up, piece.scale))


_PROCESS = _Process()
atexit.register(_PROCESS.end)
