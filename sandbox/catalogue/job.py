"""One build to be checked: what it is known by, how it travels, and the work itself."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandbox import __version__
from sandbox.catalogue.plain import from_plain, to_plain
from sandbox.errors import UserError
from sandbox.scene.load import MODEL_SUFFIXES
from sandbox.terrain import store

if TYPE_CHECKING:
    from sandbox.check.model import Report
    from sandbox.check.settings import Settings

_ROOMS = ("check", "files", "ground", "moves", "physics", "rules", "scene", "terrain")
"""what a check's answer depends on."""


@dataclass(frozen=True)
class Job:
    """One build, and what its check is told."""

    path: Path
    settings: Settings
    key: str
    """hash of the file's content and of those beside it, of the settings, the packs, and the program."""


@dataclass(frozen=True)
class Parcel:
    """A build as it travels to another machine."""

    name: str
    """of the file that is checked."""
    files: tuple[tuple[str, bytes], ...]
    settings: str
    """JSON."""


def job_of(path: Path, settings: Settings) -> Job:
    """A build by its content. UserError where it cannot be read."""
    mixed = hashlib.sha256()
    for text in (__version__, program(), json.dumps(to_plain(settings), sort_keys=True)):
        mixed.update(text.encode("utf-8") + b"\0")
    for name, content in contents(path):
        mixed.update(f"{name if name != path.name else path.suffix.lower()}\0{len(content)}\0".encode())
        mixed.update(content)
    for pack in settings.packs:
        file = Path(pack)
        if file.is_file():
            mixed.update(file.read_bytes())
    return Job(path, settings, f"check-{mixed.hexdigest()[:40]}")


def contents(path: Path) -> list[tuple[str, bytes]]:
    """Names and contents of a build's file, and of those that it is read with; a scene comes as a bundle.

    UserError where one of them cannot be read.
    """
    if path.suffix.lower() not in MODEL_SUFFIXES:
        from sandbox.export.bundle import bundle  # noqa: PLC0415

        with tempfile.TemporaryDirectory() as folder:
            return [("scene.zip", bundle(path, Path(folder) / "scene.zip").path.read_bytes())]
    try:
        found = [(path.name, path.read_bytes())]
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", file=path) from None
    if path.suffix.lower() == ".gltf":
        from sandbox.terrain.load import load_model  # noqa: PLC0415

        try:
            beside = load_model(path).beside
        except UserError:
            beside = ()  # the check says what is wrong with it
        found += [(name, (path.parent / name).read_bytes()) for name, _ in beside]
    return found


def parcel_of(job: Job) -> Parcel:
    """A build to be sent. UserError for packs that are files: the other machine has none of them."""
    for pack in job.settings.packs:
        if Path(pack).suffix:
            raise UserError(
                f"the pack file {pack!r} is not sent to a cluster; check it on this machine, without --dask"
            )
    return Parcel(job.path.name, tuple(contents(job.path)), json.dumps(to_plain(job.settings)))


def check_parcel(parcel: Parcel) -> str:
    """Check what was sent, in a folder of its own; the report as JSON."""
    from sandbox.check.settings import Settings  # noqa: PLC0415
    from sandbox.export.unbundle import unbundle  # noqa: PLC0415
    from sandbox.scene.model import Mark  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for other, content in parcel.files:
            target = folder / other
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        path = folder / parcel.name
        if parcel.files[0][0] == "scene.zip":
            path = unbundle(folder / "scene.zip", folder / "scene")
        settings = from_plain(Settings, json.loads(parcel.settings), {"marks": tuple[Mark, ...]})
        return report_text(replace(check_file(path, settings), subject=parcel.name))


def check_file(path: Path, settings: Settings) -> Report:
    """The report on a build; whatever goes wrong with it is one, too."""
    from sandbox.check.check import check, unreadable  # noqa: PLC0415 - geometry and physics are slow to import

    try:
        return check(path, settings)[0]
    except UserError as error:
        return unreadable(path, settings, error)
    except Exception as error:
        what = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        return unreadable(path, settings, UserError(f"the check of this file failed ({what})", file=path))


def not_a_build(path: Path, settings: Settings, error: UserError) -> Report:
    """The report on what is named among builds and is none that can be read: a folder, a link that leads nowhere.

    settings: what the call says of all builds.
    """
    from sandbox.check.check import unreadable  # noqa: PLC0415

    if error.file is not None and Path(error.file) != path:  # what is beside it
        error = UserError(str(error).replace(error.file, Path(error.file).name, 1))
    return unreadable(path, settings, error)


def lost(job: Job) -> Report:
    """The report on a build whose check ended its process."""
    from sandbox.check.check import unreadable  # noqa: PLC0415

    return unreadable(
        job.path,
        job.settings,
        UserError("the check of this file ended its process; it may want more memory", file=job.path),
    )


def report_text(report: Report) -> str:
    """A report as JSON from which it can be made again."""
    return json.dumps(to_plain(report), ensure_ascii=False)


def report_of(text: str | bytes | bytearray) -> Report:
    """The report again. ValueError, TypeError or KeyError where the text is none."""
    from sandbox.check.model import FindingKind, Report  # noqa: PLC0415

    plain: Any = json.loads(text)
    return from_plain(Report, plain, {"kind": FindingKind})


def kept(job: Job) -> Report | None:
    """The report that was kept for a build's content; None where there is none."""
    block = store.get(job.key)
    if block is None:
        return None
    try:
        return replace(report_of(block), subject=job.path.name)
    except (ValueError, TypeError, KeyError, StopIteration):
        return None


def keep(job: Job, report: Report) -> None:
    """Keep a report for the next time."""
    store.put(job.key, report_text(report).encode("utf-8"))


@lru_cache(maxsize=1)
def program() -> str:
    """A hash of everything that decides what a check says: what another version said is not used."""
    here = Path(__file__).parent.parent
    mixed = hashlib.sha256()
    paths: Sequence[Path] = [here / "units.py", here / "kinds.py"]
    for room in _ROOMS:
        paths = [*paths, *sorted(p for p in (here / room).rglob("*") if p.suffix in (".py", ".yaml"))]
    for path in paths:
        mixed.update(str(path.relative_to(here)).encode("utf-8"))
        mixed.update(path.read_bytes())
    return mixed.hexdigest()
