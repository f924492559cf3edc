"""Writing a file whole or not at all: a new file beside it, flushed to the disk, then put in its place."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from pathlib import Path

from sandbox.errors import UserError


def write_atomic(path: str | Path, content: bytes) -> None:
    """Replace the file at `path` by `content`; at any moment it holds the old content or the new.

    A symbolic link is followed and stays one; an old file's permissions are kept. Raises UserError where it
    cannot be written, with the old file untouched.
    """
    target = Path(path)
    try:
        real = target.resolve()
        mode = stat.S_IMODE(real.stat().st_mode) if real.exists() else 0o666 & ~_umask()
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
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(name)
        if isinstance(error, OSError):
            raise UserError(f"cannot be written: {error.strerror}", file=target) from None
        raise


def _umask() -> int:
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
