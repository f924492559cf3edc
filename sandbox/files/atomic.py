"""Writing a file whole or not at all: a new file beside it, flushed to the disk, then put in its place."""

from __future__ import annotations

import contextlib
import glob
import os
import stat
import tempfile
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from filelock import FileLock, Timeout

from sandbox.errors import UserError

_STALE_S = 60.0
"""seconds after which a half-written file belongs to nobody any more."""
_PATIENCE_S = 10.0
"""seconds to wait for another process that saves the same file."""


@contextlib.contextmanager
def alone(path: str | Path) -> Iterator[None]:
    """Keep other processes from saving the file at `path` meanwhile; UserError where one does not let go of it.

    Nothing is left beside the file: the lock lies in the folder for temporary files.
    """
    name = sha256(str(Path(path).resolve()).encode()).hexdigest()[:24]
    lock = FileLock(Path(tempfile.gettempdir()) / f"sandbox-{name}.lock", timeout=_PATIENCE_S)
    try:
        lock.acquire()
    except Timeout:
        raise UserError("is being saved by another process; try again", file=path) from None
    except OSError as error:
        raise UserError(f"cannot be locked for saving: {error.strerror}", file=path) from None
    try:
        yield
    finally:
        lock.release()


def write_atomic(path: str | Path, content: bytes) -> None:
    """Replace the file at `path` by `content`; at any moment it holds the old content or the new.

    A symbolic link is followed and stays one; an old file's permissions are kept. Raises UserError where it
    cannot be written, with the old file untouched.
    """
    target = Path(path)
    try:
        real = target.resolve()
        mode = stat.S_IMODE(real.stat().st_mode) if real.exists() else 0o666 & ~umask()
        handle, name = tempfile.mkstemp(prefix=f".{real.name}.", suffix=".tmp", dir=real.parent)
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror}", file=target) from None
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(name, mode)
        os.replace(name, real)
        _sync_folder(real.parent)
        _sweep(real)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(name)
        if isinstance(error, OSError):
            raise UserError(f"cannot be written: {error.strerror}", file=target) from None
        raise


def _sweep(real: Path) -> None:
    """Remove what saving left behind where it was killed before."""
    with contextlib.suppress(OSError):
        for left in real.parent.glob(f".{glob.escape(real.name)}.*.tmp"):
            if time.time() - left.stat().st_mtime > _STALE_S:
                left.unlink(missing_ok=True)


def umask() -> int:
    """The permissions that new files and folders go without, as the process has it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _sync_folder(folder: Path) -> None:
    """Make the rename last through a power cut, where the system can do that for folders."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
