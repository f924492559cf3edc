"""A catalogue from beginning to end: what was checked before is taken from there, the rest is checked and kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox.catalogue.cluster import check_there
from sandbox.catalogue.job import Job, keep, kept
from sandbox.catalogue.local import check_here

if TYPE_CHECKING:
    from sandbox.check.model import Report

Told = Callable[["Entry", int, int], None]
"""hears of each build that is done, how many are, and of how many."""


@dataclass(frozen=True)
class Entry:
    """One build of a catalogue."""

    path: Path
    report: Report
    kept: bool
    """it was checked before, and the report was taken from there."""


def check_all(
    jobs: Sequence[Job],
    *,
    processes: int = 1,
    cluster: str | None = None,
    fresh: bool = False,
    told: Told = lambda entry, done, of: None,
) -> tuple[Entry, ...]:
    """Check every build once, in the order given; what is alike is checked once.

    processes: of this machine. cluster: address of a Dask scheduler that does the work instead. fresh: look at
    everything again. Each report is kept as soon as it is there: who stops a run goes on where it was.
    """
    found: dict[str, Entry] = {}
    done = 0
    alike: dict[str, list[Job]] = {}
    for job in jobs:
        alike.setdefault(job.key, []).append(job)

    def add(job: Job, report: Report, *, was_kept: bool) -> None:
        nonlocal done
        for one in alike[job.key]:
            entry = Entry(one.path, replace(report, subject=one.path.name), was_kept)
            found[str(one.path)] = entry
            done += 1
            told(entry, done, len(jobs))

    left: list[Job] = []
    for same in alike.values():
        report = None if fresh else kept(same[0])
        if report is None:
            left.append(same[0])
        else:
            add(same[0], report, was_kept=True)
    if left:
        for job, report in (
            check_there(left, cluster) if cluster else check_here(left, min(processes, len(left)))
        ):
            keep(job, report)
            add(job, report, was_kept=False)
    return tuple(found[str(job.path)] for job in jobs)
