"""Meshes that were read and repaired once, kept on disk by content: reading the same file again is reading arrays.

Nothing depends on it. What is broken, cut short or of another version is passed over; where nothing can be written,
nothing is kept. SANDBOX_CACHE names another folder, or `off`; SANDBOX_CACHE_MB says how large it may grow (1000).
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import zlib
from functools import lru_cache
from pathlib import Path

SUFFIX = ".mesh"
USUAL_MB = 1000.0
_OFF = ("off", "0", "none", "no")
_FILL = 0.8
"""share of its size to which a full store is thinned, what was used longest ago first."""
_CHECK = 4


def folder() -> Path | None:
    """Where meshes are kept; None where they are not."""
    named = os.environ.get("SANDBOX_CACHE", "").strip()
    if named.lower() in _OFF:
        return None
    if named:
        return Path(named)
    from platformdirs import user_cache_path  # noqa: PLC0415 - only where nothing else is named

    return user_cache_path("sandbox", appauthor=False) / "meshes"


def get(key: str) -> bytearray | None:
    """The block that is kept under a key, or None."""
    place = folder()
    if place is None:
        return None
    path = place / (key + SUFFIX)
    try:
        with path.open("rb", buffering=0) as stream:
            size = os.fstat(stream.fileno()).st_size
            block = bytearray(size)
            if stream.readinto(block) != size or size < _CHECK:
                return None
        check = int.from_bytes(block[-_CHECK:], "little")
        del block[-_CHECK:]
        if zlib.crc32(block) != check:
            path.unlink(missing_ok=True)
            return None
        os.utime(path)
    except OSError:
        return None
    return block


def put(key: str, block: bytes | bytearray) -> None:
    """Keep a block under a key: written aside and put in its place, so that nobody reads half of it."""
    place = folder()
    if place is None or len(block) > _FILL * _room():
        return
    try:
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, name = tempfile.mkstemp(suffix=".tmp", dir=place)
    except OSError:
        return
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(block)
            stream.write(zlib.crc32(block).to_bytes(_CHECK, "little"))
        os.replace(name, place / (key + SUFFIX))
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(name)
        return
    _thin(place)


def _room() -> float:
    """Bytes that the store may hold."""
    try:
        megabytes = float(os.environ.get("SANDBOX_CACHE_MB", "") or USUAL_MB)
    except ValueError:
        megabytes = USUAL_MB
    return megabytes * 1e6


def _thin(place: Path) -> None:
    """Take out what was used longest ago where the store has grown too large; and what was left half written."""
    held: list[tuple[float, int, str]] = []
    try:
        with os.scandir(place) as entries:
            for entry in entries:
                if entry.name.endswith((SUFFIX, ".tmp")) and entry.is_file(follow_symlinks=False):
                    stat = entry.stat()
                    held.append((stat.st_mtime, stat.st_size, entry.path))
    except OSError:
        return
    total = sum(size for _, size, _ in held)
    room = _room()
    if total <= room:
        return
    for _, size, path in sorted(held):
        if total <= _FILL * room:
            break
        with contextlib.suppress(OSError):
            os.unlink(path)
        total -= size


@lru_cache(maxsize=1)
def version() -> str:
    """A hash of the code that reads and repairs: what other code has made is not used."""
    here = Path(__file__).parent
    mixed = hashlib.blake2b(digest_size=8)
    extra = [here.parent / "units.py", here.parent / "kinds.py", here.parent / "scene" / "model.py"]
    for path in (*sorted(here.rglob("*.py")), *extra):
        with contextlib.suppress(OSError):
            mixed.update(path.name.encode())
            mixed.update(path.read_bytes())
    return mixed.hexdigest()
