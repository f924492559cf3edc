"""Several builds in one call of ``sandbox check``: a progress bar, a table of all, and one page."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from sandbox.cli.output import console, quiet
from sandbox.errors import UserError

if TYPE_CHECKING:
    from sandbox.catalogue.run import Entry
    from sandbox.check.settings import Settings


def check_catalogue(
    models: Sequence[Path],
    told: Callable[[Path], Settings],
    usual: Settings,
    *,
    jobs: int,
    cluster: str | None,
    fresh: bool,
) -> tuple[Entry, ...]:
    """Check builds side by side; what is none that can be read has a row of its own. told: the settings of each;
    usual: what the call says of all.
    """
    from sandbox.catalogue.cluster import check_address  # noqa: PLC0415
    from sandbox.catalogue.job import Job, job_of, not_a_build  # noqa: PLC0415 - geometry and physics are slow to import
    from sandbox.catalogue.run import Entry, check_all  # noqa: PLC0415

    twice = next((m for k, m in enumerate(models) if m.resolve() in [o.resolve() for o in models[:k]]), None)
    if twice is not None:
        raise UserError("is named twice; give each build once", file=twice)
    if cluster is not None:
        check_address(cluster)
    work: list[Job] = []
    wrong: dict[Path, Entry] = {}
    for model in models:
        try:
            work.append(job_of(model, told(model)))
        except UserError as error:
            wrong[model] = Entry(model, not_a_build(model, usual, error), False)
    with quiet() as terminal:
        screen = Console(file=terminal or io.StringIO(), quiet=terminal is None or not terminal.isatty())
        bar = Progress(
            TextColumn("checking"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[last]}"),
            console=screen,
            transient=True,
        )
        with bar:
            task = bar.add_task("", total=len(work), last="")

            def done(entry: Entry, count: int, of: int) -> None:
                bar.update(task, completed=count, total=of, last=escape(entry.path.name))

            checked = check_all(work, processes=jobs, cluster=cluster, fresh=fresh, told=done)
    found = {entry.path: entry for entry in checked} | wrong
    return tuple(found[model] for model in models)


def show_catalogue(entries: Sequence[Entry]) -> None:
    """One row for each build, worst first."""
    from sandbox.catalogue.page import ordered  # noqa: PLC0415
    from sandbox.check.finding import Severity  # noqa: PLC0415

    table = Table(title=f"{len(entries)} builds, worst first", title_justify="left", title_style="bold")
    for heading in ("build", "errors", "warnings", "what is wrong"):
        table.add_column(
            heading, overflow="fold", justify="right" if heading in ("errors", "warnings") else "left"
        )
    for entry in ordered(entries):
        report = entry.report
        wrong = dict.fromkeys(f.kind.value for f in report.findings if f.severity is not Severity.INFO)
        counts = (str(report.count(Severity.ERROR) or ""), str(report.count(Severity.WARNING) or ""))
        table.add_row(escape(str(entry.path)), *counts, escape(", ".join(wrong)))
    out = console()
    out.print(table)
    kept = sum(entry.kept for entry in entries)
    if kept:
        out.print(
            f"{kept} of {len(entries)} were checked before and not again; --fresh looks again.", style="dim"
        )
