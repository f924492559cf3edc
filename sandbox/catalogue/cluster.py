"""Builds checked by a Dask cluster: each travels with its content, so that workers share no disk with this machine.

A worker that stops loses nothing: the scheduler still has what it was given, and gives it to another.
"""

from __future__ import annotations

import contextlib
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from sandbox.catalogue.job import Job, Parcel, check_parcel, lost, parcel_of, program, report_of
from sandbox.errors import UserError

if TYPE_CHECKING:
    from sandbox.check.model import Report

Work = Callable[[Parcel], str]
RETRIES = 2
"""how often a build is given to another worker after an error that is not its own."""
AHEAD = 3
"""builds that are on their way for each worker."""
ANSWER_S = 15.0
"""how long a scheduler and a first worker are waited for, seconds."""


def check_address(address: str) -> None:
    """UserError for what is no address of a scheduler."""
    if not re.fullmatch(r"(tcp|tls|ws|wss|ucx)://\S+:\d{1,5}", address):
        raise UserError(f"--dask: {address!r} should be an address like tcp://192.168.0.10:8786")


def check_there(jobs: Sequence[Job], address: str, work: Work = check_parcel) -> Iterator[tuple[Job, Report]]:
    """Reports as they come. UserError where nobody answers, or where workers have another version of the program."""
    check_address(address)
    try:
        import distributed as dask  # noqa: PLC0415
        from distributed.scheduler import KilledWorker  # noqa: PLC0415
    except ImportError:
        raise UserError("--dask needs the package `distributed`; install sandbox[cluster]") from None
    library: Any = dask
    try:
        client = library.Client(address, timeout=ANSWER_S, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        what = " ".join(str(error).split())[:120] or type(error).__name__
        raise UserError(f"--dask: no scheduler answers at {address} ({what})") from None
    with contextlib.closing(client), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # parcels are larger than what Dask usually sends
        workers = _workers(client)
        left = iter(jobs)
        sent: dict[Any, Job] = {}
        ready = library.as_completed(loop=client.loop)

        def send() -> None:
            for job in left:
                future = client.submit(work, parcel_of(job), key=job.key, pure=False, retries=RETRIES)
                sent[future.key] = job
                ready.add(future)
                return

        for _ in range(max(AHEAD * workers, 1)):
            send()
        for future in ready:
            job = sent.pop(future.key)
            try:
                report = report_of(future.result())
            except KilledWorker:
                report = lost(job)
            except Exception as error:
                what = " ".join(f"{type(error).__name__}: {error}".split())[:200]
                raise UserError(f"--dask: the cluster gave up on {job.path.name} ({what})") from None
            future.release()
            yield job, report
            send()


def _workers(client: Any) -> int:
    """How many there are; all have the same program as this machine."""
    try:
        client.wait_for_workers(1, timeout=ANSWER_S)
    except TimeoutError:
        raise UserError("--dask: the scheduler has no workers") from None
    try:
        found: dict[str, str] = client.run(program)
    except Exception as error:
        what = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise UserError(
            f"--dask: a worker cannot run sandbox ({what}); install the same version there"
        ) from None
    for worker, version in found.items():
        if version != program():
            raise UserError(
                f"--dask: the worker {worker} has another version of sandbox; install the same one there"
            )
    return len(found)
