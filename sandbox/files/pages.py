"""Writing a page of HTML, or another file that a command makes, with the folder that it goes to."""

from __future__ import annotations

from pathlib import Path

from sandbox.errors import UserError
from sandbox.files.atomic import write_atomic

_SUFFIXES = (".html", ".htm")


def page_path(path: Path) -> Path:
    """The path, where it is one of a page; UserError else."""
    if path.suffix.lower() not in _SUFFIXES:
        raise UserError("a page is a .html file", file=path)
    return path


def write_page_text(path: Path, text: str) -> None:
    """Write a page whole or not at all. UserError where that cannot be.

    Names of files that are no text (they may come from any file system) are written with escapes.
    """
    write_made(page_path(path), text.encode("utf-8", "backslashreplace"), "page")


def write_made(path: Path, content: bytes, what: str) -> None:
    """Write a file whole or not at all, its folder too where that is missing; what: the file in a word, for the
    UserError where that cannot be."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"the {what} cannot be written: {error.strerror or error}", file=path) from error
    write_atomic(path, content)
