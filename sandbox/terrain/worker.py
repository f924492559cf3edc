"""The reading process: takes pieces from its standard input, gives back blocks of bytes or one line of refusal.

Each answer is a letter, a length and that many bytes: READY once, then for every piece TAKEN and MESH or REFUSED.
It ends when its input ends, when nobody asked for a while, and after work that took much memory.
"""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import select
import signal
import sys
from pathlib import Path
from typing import BinaryIO

from sandbox.errors import UserError
from sandbox.scene.model import Piece, Shape
from sandbox.terrain.limits import limits
from sandbox.terrain.making import OwnModel, own_model, own_shape, stand_model
from sandbox.terrain.standing import Standing, pack

READY, TAKEN, MESH, REFUSED, MEMORY = b"R", b"T", b"M", b"E", b"X"
_IDLE_S = 60.0
_RETIRE_BYTES = 600_000_000
"""after an answer that took more than this, a fresh process takes less."""
_KEPT_BYTES = 100_000_000
_LENGTH = 8


def main() -> None:
    """Answer until the input ends."""
    # what libraries print must not get between the answers
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with contextlib.suppress(ValueError, AttributeError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("500")
    stand_model(piece := Piece("box", Shape.BOX, sizes=(1.0, 1.0, 1.0)), own_shape(piece))  # kernels come in
    _say(answers, READY)
    questions = os.fdopen(os.dup(0), "rb", buffering=0)
    kept = _Kept()
    while _asked(questions):
        length = questions.read(_LENGTH)
        if len(length) < _LENGTH:
            return
        request = _exactly(questions, int.from_bytes(length, "little"))
        _say(answers, TAKEN)
        _answer(answers, kept, *pickle.loads(request))
        if _peak_bytes() > _RETIRE_BYTES:
            return


class _Kept:
    """The model that was read last, for pieces that differ only in kinds."""

    def __init__(self) -> None:
        self._key: object = None
        self._own: OwnModel | None = None

    def get(self, piece: Piece, digest: str) -> OwnModel:
        """The repaired model of a piece."""
        assert piece.model is not None
        key = (piece.model, digest, piece.units, piece.up, piece.scale)
        if self._own is not None and key == self._key and not self._own.beside:
            return self._own
        self._own = None
        own = own_model(piece.model, piece.units, piece.up, piece.scale)
        if own.solids.vertices.nbytes + own.solids.faces.nbytes < _KEPT_BYTES:
            self._key, self._own = key, own
        return own


def _answer(answers: BinaryIO, kept: _Kept, piece: Piece, digest: str, settings: dict[str, str]) -> None:
    for name in [name for name in os.environ if name.startswith("SANDBOX_")]:
        del os.environ[name]
    os.environ.update(settings)
    try:
        allowed = limits()
        _bound(allowed.memory_bytes)
        assert piece.model is not None
        _last_resort(allowed.seconds_for(piece.model.stat().st_size) + 10)
        standing: Standing = stand_model(piece, kept.get(piece, digest))
        block = pack(standing)
    except UserError as error:
        _say(answers, REFUSED, json.dumps([error.message, error.line]).encode())
    except MemoryError:
        _say(answers, MEMORY)
    except Exception as error:
        what = f"{type(error).__name__} {error}".strip()
        text = f"could not be read ({what}); export it again"
        _say(answers, REFUSED, json.dumps([text, None]).encode())
    else:
        answers.write(MESH + sum(map(len, block)).to_bytes(_LENGTH, "little"))
        for part in block:
            answers.write(part)
        answers.flush()
    _last_resort(0)


def _say(answers: BinaryIO, letter: bytes, text: bytes = b"") -> None:
    answers.write(letter + len(text).to_bytes(_LENGTH, "little") + text)
    answers.flush()


def _exactly(stream: BinaryIO, size: int) -> bytes:
    held = b""
    while len(held) < size:
        more = stream.read(size - len(held))
        if not more:
            raise SystemExit
        held += more
    return held


def _asked(questions: BinaryIO) -> bool:
    """Wait for a question; False where none came for a while."""
    if sys.platform == "win32":  # select knows sockets only
        return True
    return bool(select.select([questions], [], [], _IDLE_S)[0])


def _bound(memory: int) -> None:
    """Let the process take no more than so many bytes on top of what it has, where the system can see to that."""
    with contextlib.suppress(ImportError, OSError, ValueError, IndexError):
        import resource  # noqa: PLC0415 - not on Windows

        pages = int(Path("/proc/self/statm").read_text().split()[0])
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        wanted = pages * resource.getpagesize() + memory
        resource.setrlimit(
            resource.RLIMIT_AS, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard)
        )


def _last_resort(seconds: float) -> None:
    """End this process after so many seconds even if whoever asked is gone; 0: do not."""
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _peak_bytes() -> int:
    """The most memory that this process has held."""
    with contextlib.suppress(OSError, StopIteration):
        # what getrusage tells on Linux counts the memory of whoever started this process too
        lines = Path("/proc/self/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("VmHWM:")).split()[1]) * 1024
    with contextlib.suppress(ImportError):
        import resource  # noqa: PLC0415 - not on Windows

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024
    return 0
