"""A bundle taken apart, whoever it came from: nothing leaves its folder, nothing is larger than it says."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import stat
import tempfile
import zipfile
import zlib
from pathlib import Path
from typing import Any

from sandbox.errors import UserError
from sandbox.export.bundle import FORMAT, MANIFEST
from sandbox.files.atomic import umask
from sandbox.files.limits import PREFIX, setting
from sandbox.files.paths import PACKAGE_PREFIX
from sandbox.files.shipped import no_file, shipped_folder
from sandbox.scene import load_scene
from sandbox.terrain.limits import limits

LONGEST_NAME = 200
MANIFEST_LIMIT = 1024 * 1024
"""bytes."""
CHUNK = 1 << 20
ENDINGS = frozenset(
    [
        ".yaml",
        ".yml",
        ".stl",
        ".obj",
        ".mtl",
        ".glb",
        ".gltf",
        ".bin",
        ".ply",
        ".3mf",
        ".off",
        ".png",
        ".jpg",
        ".jpeg",
        ".webp",
        ".ktx2",
    ]
)
"""what a scene is made of; nothing else is taken out of a bundle."""
_WINDOWS = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")
"""names that are devices on Windows."""


def unbundle(path: Path, folder: Path) -> Path:
    """Take a bundle apart into a new folder, whole or not at all; the path of its scene.

    Refused, with a UserError: what is no bundle, what is not listed in it or differs from the list, names that lead
    out of the folder, links, encrypted or unknown kinds of files, more than is read. The folder must not exist, or be
    empty.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UserError("is there already, and not an empty folder; choose another", file=folder)
    if not path.is_file():
        raise UserError(no_file(path), file=path)
    parent = folder.resolve().parent
    try:
        parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=parent))
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror}", file=folder) from None
    try:
        with zipfile.ZipFile(path) as archive:
            scene = _unpack(archive, path, work)
        _check_scene(work, scene, path)
        os.chmod(work, 0o777 & ~umask())
        if folder.exists():
            folder.rmdir()
        os.replace(work, folder)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise UserError(f"is no bundle that can be read: {error}", file=path) from None
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror}", file=folder) from None
    finally:
        with contextlib.suppress(OSError):
            shutil.rmtree(work)
    return folder / scene


def _check_scene(work: Path, scene: str, path: Path) -> None:
    """UserError where the scene cannot be read, or names a model that lies outside the bundle."""
    try:
        found = load_scene(work / scene)
    except UserError as error:
        raise UserError(f"holds a scene that cannot be read: {error.message}", file=path) from None
    # tiles of the library that comes with the product are found there
    inside = (work.resolve(), shipped_folder().resolve() / "models")
    for piece in found.terrain:
        if piece.model is None or piece.model_name.startswith(PACKAGE_PREFIX):
            continue
        if not any(piece.model.resolve().is_relative_to(folder) for folder in inside):
            raise UserError(f"names {piece.model_name!r}, which lies outside of it", file=path)


def _unpack(archive: zipfile.ZipFile, path: Path, work: Path) -> str:
    entries = archive.infolist()
    most = int(setting("FILES", 2_000))
    if len(entries) > most:
        told = f"holds {len(entries)} files, at most {most} are taken out; {PREFIX}FILES={len(entries)} lets it in"
        raise UserError(told, file=path)
    manifest = _manifest(archive, path)
    listed: dict[str, Any] = manifest["files"]
    there = [entry.filename for entry in entries if entry.filename != MANIFEST]
    if len({name.lower() for name in there}) != len(there):
        raise UserError("holds two files of one name", file=path)
    if set(there) != set(listed):
        odd = sorted(set(there) ^ set(listed))[0]
        raise UserError(f"does not hold what it lists ({odd[:80]!r})", file=path)
    left = limits().file_bytes
    for entry in entries:
        if entry.filename == MANIFEST:
            continue
        _check_entry(entry, path)
        told = listed[entry.filename]
        size, digest = told.get("bytes"), told.get("sha256")
        if not isinstance(size, int) or not 0 <= size <= left or entry.file_size != size:
            raise UserError(f"{entry.filename!r} is larger than may be read, or than it says", file=path)
        left -= size
        target = work.joinpath(*entry.filename.split("/"))
        if not target.resolve().is_relative_to(work.resolve()):
            raise UserError(f"{entry.filename!r} leads out of its folder", file=path)
        target.parent.mkdir(parents=True, exist_ok=True)
        if _copy(archive, entry, target, size, path) != digest:
            raise UserError(
                f"{entry.filename!r} is not what the bundle lists; it was damaged or changed", file=path
            )
    scene: str = manifest["scene"]
    return scene


def _manifest(archive: zipfile.ZipFile, path: Path) -> dict[str, Any]:
    try:
        entry = archive.getinfo(MANIFEST)
    except KeyError:
        raise UserError(f"is no bundle: there is no {MANIFEST} in it", file=path) from None
    with archive.open(entry) as stream:
        raw = stream.read(MANIFEST_LIMIT + 1)
    try:
        manifest = json.loads(raw) if len(raw) <= MANIFEST_LIMIT else None
    except (ValueError, RecursionError):
        manifest = None
    files = manifest.get("files") if isinstance(manifest, dict) else None
    if (
        not isinstance(manifest, dict)
        or not isinstance(files, dict)
        or not all(isinstance(told, dict) for told in files.values())
        or not isinstance(manifest.get("scene"), str)
        or manifest["scene"] not in files
        or "/" in manifest["scene"]
    ):
        raise UserError(f"is no bundle: its {MANIFEST} cannot be read", file=path)
    if manifest.get("format") != FORMAT:
        raise UserError(
            f"is a bundle of another version ({str(manifest.get('format'))[:20]}); this one reads {FORMAT}",
            file=path,
        )
    return manifest


def _check_entry(entry: zipfile.ZipInfo, path: Path) -> None:
    name = entry.filename
    parts = name.split("/")
    kind = stat.S_IFMT(entry.external_attr >> 16)
    wrong = (
        "is a folder or a link"
        if entry.is_dir() or kind not in (0, stat.S_IFREG)
        else "is encrypted"
        if entry.flag_bits & 0x1
        else "has a name that is not allowed"
        if len(name) > LONGEST_NAME
        or re.search(r'[\\:*?"<>|\x00-\x1f\x7f]', name)
        or any(
            part in ("", ".", "..") or part.endswith((".", " ")) or _WINDOWS.fullmatch(part) for part in parts
        )
        else "is no file that a scene is made of"
        if Path(name).suffix.lower() not in ENDINGS
        else None
    )
    if wrong is not None:
        raise UserError(f"{name[:80]!r} {wrong}; nothing was taken out", file=path)


def _copy(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, target: Path, size: int, path: Path) -> str:
    """Write one file, never more than it says; its SHA-256."""
    digest, written = hashlib.sha256(), 0
    with archive.open(entry) as stream, target.open("xb") as out:
        while chunk := stream.read(CHUNK):
            written += len(chunk)
            if written > size:
                raise UserError(f"{entry.filename!r} is larger than it says", file=path)
            digest.update(chunk)
            out.write(chunk)
    return digest.hexdigest()
