"""Paths that a file names: relative to that file, or inside an installed package that is never imported."""

from __future__ import annotations

import importlib.util
import re
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path, PurePosixPath

from sandbox.errors import UserError
from sandbox.files.shipped import lies_at

PACKAGE_PREFIX = "package:"
_HINTS = {
    "pybullet_data": "it comes with pybullet, which can be installed on Linux x86-64 with Python 3.11 only: use that, "
    "or another model; everything else works without it",
}
"""what to do about packages that cannot be had everywhere."""


def resolve_path(text: str, *, base: str | Path, line: int | None = None) -> Path:
    """Where the path `text`, written in the file `base`, leads.

    Ordinary paths are relative to the folder of `base`; ``package:NAME/PATH`` is a file inside the installed
    package NAME, found without importing it and never outside it. Raises UserError for network addresses, for
    ``..`` or an absolute path behind ``package:``, and for a package that is not installed. Whether the file
    exists is not asked.
    """
    if "\0" in text or "\n" in text or not text.strip():
        raise UserError("a path must be one line of text", file=base, line=line)
    if text.startswith(PACKAGE_PREFIX):
        return _package_path(text, base, line)
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]+:", text):  # two letters at least: C: is a drive
        message = (
            f"{text!r} is an address; write a path, or package:NAME/PATH for a file of an installed package"
        )
        raise UserError(message, file=base, line=line)
    return Path(base).parent / text


def existing_file(text: str, *, base: str | Path, line: int | None = None, what: str = "file") -> Path:
    """`resolve_path`, and a UserError at `line` of `base` unless an ordinary file is there."""
    path = resolve_path(text, base=base, line=line)
    try:
        found = path.is_file()
    except OSError as error:
        raise UserError(
            f"the {what} {text!r} cannot be reached: {error.strerror}", file=base, line=line
        ) from None
    if not found:
        reason = "is a folder" if path.is_dir() else "does not exist"
        at = lies_at(path)
        hint = "" if at is None else f"; the one that comes with sandbox is {at}"
        raise UserError(f"the {what} {text!r} {reason} (looked at {path}){hint}", file=base, line=line)
    return path


def _package_path(text: str, base: str | Path, line: int | None) -> Path:
    name, _, inner = text[len(PACKAGE_PREFIX) :].partition("/")
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) or not inner:
        message = f"{text!r} should read package:NAME/PATH, NAME being an installed package's top-level name"
        raise UserError(message, file=base, line=line)
    parts = PurePosixPath(inner).parts
    if ".." in parts or inner.startswith("/") or "\\" in inner or ":" in inner:
        message = f"{text!r} must stay inside its package: no '..', no backslash, no absolute path"
        raise UserError(message, file=base, line=line)
    folders = _package_folders(name)
    if not folders:
        hint = _HINTS.get(name, f"install it into the environment of sandbox, {sys.prefix}")
        raise UserError(f"the package {name!r} of {text!r} is not installed; {hint}", file=base, line=line)
    for folder in folders:
        path = folder.joinpath(*parts)
        if path.exists():
            if not path.resolve().is_relative_to(folder.resolve()):
                raise UserError(f"{text!r} leads out of its package", file=base, line=line)
            return path
    return folders[0].joinpath(*parts)


def _package_folders(name: str) -> list[Path]:
    """Folders of a top-level package; finding the spec of a top-level name runs none of its code."""
    try:
        spec = sys.modules[name].__spec__ if name in sys.modules else importlib.util.find_spec(name)
    except (ImportError, AttributeError, ValueError):
        spec = None
    if not isinstance(spec, ModuleSpec):
        return []
    return [Path(folder) for folder in spec.submodule_search_locations or ()]
