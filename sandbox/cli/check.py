"""``sandbox check``: does a build play, and does it print?"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.markup import escape

from sandbox.cli.output import console, print_json, working
from sandbox.cli.params import BASE, HEIGHT
from sandbox.errors import UserError
from sandbox.files.shipped import missing, no_file

if TYPE_CHECKING:
    from sandbox.check.model import Report
    from sandbox.check.settings import Settings
    from sandbox.check.subject import Subject

FOUND = 1
"""exit status where something was found at or above --fail-on."""


@click.command(
    "check",
    epilog="\b\nExamples:\n  sandbox check models/tower.glb"
    "\n  sandbox check models/tower.glb --base 25 --base 32 --rules necromunda-2023 --html out/tower.html"
    "\n  sandbox check tower-v2.stl --against tower-v1.stl --fail-on error"
    "\n  sandbox check models/*.stl --jobs 2 --html out/catalogue.html",
)
@click.argument(
    "models", metavar="MODEL... | SCENE", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@click.option(
    "--base", "bases", type=BASE, multiple=True, help="A base that has to play, mm; may be repeated."
)
@click.option("--rules", "packs", metavar="PACK", multiple=True, help="A pack id or file; may be repeated.")
@click.option("--height", type=HEIGHT, help="Height of a model, inches.")
@click.option(
    "--against", type=click.Path(path_type=Path), help="An older version: what was cured, what is new."
)
@click.option("--html", type=click.Path(path_type=Path), help="Write one page with pictures.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of tables.")
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning"]),
    help="End with status 1 where something this grave was found.",
)
@click.option("--all", "show_all", is_flag=True, help="Show information too, not only errors and warnings.")
@click.option(
    "--jobs", type=click.IntRange(1, 256), default=1, show_default=True, help="Builds checked side by side."
)
@click.option("--dask", "cluster", metavar="ADDRESS", help="Check on a Dask cluster, like tcp://host:8786.")
@click.option("--fresh", is_flag=True, help="Of several builds, check again those checked before.")
def command(
    models: tuple[Path, ...],
    bases: tuple[tuple[float, float], ...],
    packs: tuple[str, ...],
    height: float | None,
    against: Path | None,
    html: Path | None,
    as_json: bool,
    fail_on: str | None,
    show_all: bool,
    jobs: int,
    cluster: str | None,
    fresh: bool,
) -> int:
    """Whether a build plays and prints: findings, numbers of each floor, and which scale would cure most.

    A MODEL is set on a table and read as its file has it; NAME.check.yaml beside it says for which bases and packs it
    is meant, and which findings are accepted. Without that, the usual bases and all packs are tried. Several MODELs
    are a catalogue: --html writes one page that sorts them by what is wrong, and what was checked before is kept.
    """
    if against is not None and len(models) > 1:
        raise UserError("--against compares one model with its older version; give one MODEL")
    if against is not None and cluster is not None:
        raise UserError("--against compares on this machine; leave --dask out")
    if len(models) > 1 or cluster is not None:
        return _catalogue(
            models, bases, packs, height, html, as_json, fail_on, show_all, jobs, cluster, fresh
        )
    (model,) = models
    _is_file(model)
    with working(f"checking {model.name}") as tell:
        report, subject = _one(model, bases, packs, height, against, tell)
    if html is not None:
        with working("drawing the page"):
            from sandbox.check.page import write_page  # noqa: PLC0415

            write_page(report, subject, html)
    if as_json:
        print_json(report.to_json())
    else:
        _show([report], show_all)
        if html is not None:
            console().print(escape(f"page: {html}"), soft_wrap=True)
    from sandbox.check.finding import Severity  # noqa: PLC0415

    return FOUND if fail_on is not None and report.fails(Severity(fail_on)) else 0


def _catalogue(
    models: tuple[Path, ...],
    bases: tuple[tuple[float, float], ...],
    packs: tuple[str, ...],
    height: float | None,
    html: Path | None,
    as_json: bool,
    fail_on: str | None,
    show_all: bool,
    jobs: int,
    cluster: str | None,
    fresh: bool,
) -> int:
    from sandbox.check.finding import Severity  # noqa: PLC0415
    from sandbox.check.settings import Settings, check_packs  # noqa: PLC0415
    from sandbox.cli.catalogue import check_catalogue, show_catalogue  # noqa: PLC0415

    check_packs(packs)
    for model in models:
        if not (model.exists() or model.is_symlink()):
            raise UserError(missing(model), file=model)

    def told(model: Path) -> Settings:
        _is_file(model)
        return _told(model, bases, packs, height)

    usual = Settings().with_bases(bases).with_packs(packs)
    entries = check_catalogue(models, told, usual, jobs=jobs, cluster=cluster, fresh=fresh)
    if html is not None:
        from sandbox.catalogue.page import write_catalogue  # noqa: PLC0415

        write_catalogue(entries, html)
    if as_json:
        print_json({"reports": [entry.report.to_json() for entry in entries]})
    else:
        if show_all:
            _show([entry.report for entry in entries], show_all)
        show_catalogue(entries)
        if html is not None:
            console().print(escape(f"page: {html}"), soft_wrap=True)
    failed = fail_on is not None and any(entry.report.fails(Severity(fail_on)) for entry in entries)
    return FOUND if failed else 0


def _one(
    model: Path,
    bases: tuple[tuple[float, float], ...],
    packs: tuple[str, ...],
    height: float | None,
    against: Path | None,
    tell: Callable[[str], None],
) -> tuple[Report, Subject | None]:
    from sandbox.check.check import check, compare  # noqa: PLC0415 - geometry and physics are slow to import

    report, subject = check(model, _told(model, bases, packs, height), tell)
    if against is not None:
        _is_file(against)
        tell(f"the older {against.name}")
        older, read = check(against, _told(model, bases, packs, height), tell)
        if read is None:
            raise UserError("cannot be read, so there is nothing to compare with", file=against)
        report = compare(report, older)
    return report, subject


def _told(
    model: Path, bases: tuple[tuple[float, float], ...], packs: tuple[str, ...], height: float | None
) -> Settings:
    """What the file beside the model says, and over it what the call says."""
    from dataclasses import replace  # noqa: PLC0415

    from sandbox.check.settings import check_packs  # noqa: PLC0415
    from sandbox.check.subject import settings_for  # noqa: PLC0415

    check_packs(packs)
    told = settings_for(model).with_bases(bases).with_packs(packs)
    return told if height is None else replace(told, height=height)


def _is_file(model: Path) -> None:
    if not model.is_file():
        raise UserError(no_file(model), file=model)


def _show(reports: list[Report], show_all: bool) -> None:
    from sandbox.check.table import show  # noqa: PLC0415

    out = console()
    for index, report in enumerate(reports):
        if index:
            out.print()
        show(out, report, show_all=show_all)
