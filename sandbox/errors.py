"""Mistakes that a user can make, each told in one line: what, where, and what to do."""

from __future__ import annotations

from pathlib import Path


class UserError(Exception):
    """A wrong input or call; the command line prints it as one line and ends with status 2."""

    def __init__(self, message: str, *, file: str | Path | None = None, line: int | None = None) -> None:
        """message: one sentence; file and line (from 1): where, when known."""
        self.message = " ".join(message.split())
        self.file = None if file is None else str(file)
        self.line = line
        super().__init__(str(self))

    def __str__(self) -> str:
        """One line: ``file:line: message``."""
        where = self.file or ""
        if self.file and self.line is not None:
            where += f":{self.line}"
        return f"{where}: {self.message}" if where else self.message
