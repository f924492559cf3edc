"""What commands print: one JSON object, or tables for people; progress and warnings go to standard error."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TextIO

import click
from rich.console import Console

from sandbox.help.compiled import compile_ahead, compiled

SLOW = 1.0
"""seconds after which work shows that it goes on."""


class _Screen(Console):
    def on_broken_pipe(self) -> None:
        """Leave it to `main`, which ends quietly; rich would end with status 1."""
        raise BrokenPipeError


def console() -> Console:
    """Where tables for people go; as wide as the terminal, 100 columns in a pipe."""
    return _Screen(width=None if sys.stdout.isatty() else 100, highlight=False, soft_wrap=False)


def print_json(answer: dict[str, Any]) -> None:
    """One JSON object on standard output."""
    click.echo(json.dumps(answer, ensure_ascii=False, allow_nan=False))


def warn(lines: Iterable[str]) -> None:
    """Warnings, one a line, on standard error."""
    for line in lines:
        click.echo(f"warning: {' '.join(line.split())}", err=True)


@contextlib.contextmanager
def working(what: str, *, ground: bool = True) -> Iterator[Callable[[str], None]]:
    """Run some work: a sign of life on a terminal after a second, and no chatter from libraries.

    ground: whether it asks about ground, which compiles where that was never asked. Yields what takes the name of the
    part that is being worked on, which is shown beside it.

    Libraries in C print greetings straight to the process's output, which is the answer's alone. SANDBOX_TRACE=1
    lets them through.
    """
    with _library_chatter_dropped() as terminal:
        err = Console(file=terminal) if terminal is not None else None
        note = "" if not ground or compiled() else " (the first run compiles; later ones need not)"
        if note:
            compile_ahead()
        status = err.status(f"{what} ...{note}") if err is not None and err.is_terminal else None
        timer = threading.Timer(SLOW, status.start) if status is not None else None
        if timer is not None:
            timer.daemon = True
            timer.start()

        def tell(part: str) -> None:
            if status is not None:
                status.update(f"{what}: {part} ...{note}")

        try:
            yield tell
        finally:
            if timer is not None and status is not None:
                timer.cancel()
                timer.join()
                status.stop()


@contextlib.contextmanager
def quiet() -> Iterator[TextIO | None]:
    """Run some work that shows itself how far it is: without chatter from libraries; yields the real standard error."""
    with _library_chatter_dropped() as terminal:
        yield terminal


@contextlib.contextmanager
def _library_chatter_dropped() -> Iterator[TextIO | None]:
    """Point the process's own standard output and error at nothing; yields the real error, None where none is."""
    if os.environ.get("SANDBOX_TRACE"):
        yield sys.stderr
        return
    sys.stdout.flush()
    sys.stderr.flush()
    kept: dict[int, int] = {}
    with contextlib.suppress(OSError):  # started without standard streams
        kept[1] = os.dup(1)
        kept[2] = os.dup(2)
    sink = os.open(os.devnull, os.O_WRONLY)
    try:
        for stream in kept:
            os.dup2(sink, stream)
        if 2 in kept:
            with os.fdopen(os.dup(kept[2]), "w", encoding=sys.stderr.encoding or "utf-8") as terminal:
                yield terminal
        else:
            yield None
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        for stream, real in kept.items():
            os.dup2(real, stream)
            os.close(real)
        os.close(sink)
