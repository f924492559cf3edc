"""Builds checked by processes of this machine. One that ends its process is told as such, and no other is lost."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING

from sandbox.catalogue.job import Job, check_file, lost, report_of, report_text

if TYPE_CHECKING:
    from sandbox.check.model import Report

Work = Callable[[Job], str]
"""checks a build and gives its report as JSON; the one that tests put in the place of the real one."""
AHEAD = 2
"""builds that wait for each process, so that none stands idle."""


def check_job(job: Job) -> str:
    """The work of one process."""
    return report_text(check_file(job.path, job.settings))


def check_here(jobs: Sequence[Job], processes: int, work: Work = check_job) -> Iterator[tuple[Job, Report]]:
    """Reports as they come. processes: how many work side by side; 1: this one does it itself."""
    if processes <= 1:
        for job in jobs:
            yield job, report_of(work(job))
        return
    waiting = list(reversed(jobs))
    doubtful: list[Job] = []
    while waiting:
        pool = _pool(min(processes, len(waiting)))
        running: dict[Future[str], Job] = {}
        try:
            while waiting or running:
                while waiting and len(running) < processes * AHEAD:
                    job = waiting.pop()
                    running[pool.submit(work, job)] = job
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    answer = future.result()
                    yield running.pop(future), report_of(answer)
        except BrokenProcessPool:
            doubtful += running.values()
        finally:
            _end(pool)
    # whoever was in work when a process ended is looked at alone, so that only the one that ends it is told
    alone: ProcessPoolExecutor | None = None
    try:
        for job in doubtful:
            alone = alone or _pool(1)
            try:
                yield job, report_of(alone.submit(work, job).result())
            except BrokenProcessPool:
                _end(alone)
                alone = None
                yield job, lost(job)
    finally:
        if alone is not None:
            _end(alone)


def _pool(processes: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(
        processes, mp_context=multiprocessing.get_context("spawn"), initializer=_quiet, initargs=()
    )


def _end(pool: ProcessPoolExecutor) -> None:
    """End the processes, at once where something is left to do: nobody waits for it."""
    children = list((pool._processes or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for child in children:
        with contextlib.suppress(Exception):
            child.terminate()
    for child in children:
        with contextlib.suppress(Exception):
            child.join(5.0)


def _quiet() -> None:
    """Libraries in C print greetings; and an interrupt is the first process's own."""
    with contextlib.suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    if not os.environ.get("SANDBOX_TRACE"):
        sink = os.open(os.devnull, os.O_WRONLY)
        for stream in (1, 2):
            with contextlib.suppress(OSError):
                os.dup2(sink, stream)
