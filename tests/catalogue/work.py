"""Work that tests put in the place of a real check; processes import it by name."""

from __future__ import annotations

import os
import time
from pathlib import Path

from sandbox.catalogue.job import Job, Parcel, report_text
from sandbox.check.model import Report

SIZE = (1.0, 2.0, 3.0)


def reported(name: str) -> str:
    return report_text(Report(name, SIZE, 7, (), (), ()))


def quick(job: Job) -> str:
    """Done at once, with a line in a log beside the build."""
    with (job.path.parent / "log").open("a", encoding="utf-8") as log:
        log.write(f"{job.path.name}\n")
    return reported(job.path.name)


def deadly(job: Job) -> str:
    """A build called ``deadly`` ends its process."""
    if "deadly" in job.path.name:
        os._exit(9)
    return quick(job)


def slow(parcel: Parcel) -> str:
    """A little while, in a process whose number is written down first."""
    time.sleep(0.25)
    folder = Path(parcel.files[0][1].decode("utf-8").splitlines()[1])
    (folder / f"{parcel.name}.{os.getpid()}.done").touch()
    return reported(parcel.name)
