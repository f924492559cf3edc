"""``sandbox layout``: boards of levels, checked, shown, and written the other way."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.markup import escape
from rich.table import Table

from sandbox.cli.newboard import new
from sandbox.cli.output import console, print_json, working
from sandbox.cli.params import BASE, SIZE
from sandbox.cli.sheet import sheet

if TYPE_CHECKING:
    from sandbox.layout.findings import Distance, Report

FOUND = 1
"""exit status where something was found at or above --fail-on."""
SEVERITIES = ("error", "warning")


@click.group(
    "layout",
    epilog="\b\nExamples:\n  sandbox layout check scenes/sump-crossing.yaml\n  sandbox layout write scenes/cell-block.yaml",
)
def command() -> None:
    """Zone Mortalis layouts: boards written as text, on one or more levels."""


command.add_command(new)
command.add_command(sheet)


@command.command(
    "check", epilog="\b\nExample:\n  sandbox layout check scenes/sump-crossing.yaml --base 32 --fail-on error"
)
@click.argument("scene", metavar="SCENE|LAYOUT", type=click.Path(path_type=Path))
@click.option(
    "--base",
    "bases",
    type=BASE,
    multiple=True,
    help="A base that has to play, in mm; may be given several times. Distances are for the first.",
)
@click.option("--rules", metavar="PACK", help="A pack id or file instead of the scene's own.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of tables.")
@click.option(
    "--fail-on", type=click.Choice(SEVERITIES), help="Exit with status 1 where something this bad was found."
)
@click.option("--all", "everything", is_flag=True, help="Information too, not only errors and warnings.")
def check(
    scene: Path,
    bases: tuple[tuple[float, float], ...],
    rules: str | None,
    as_json: bool,
    fail_on: str | None,
    everything: bool,
) -> None:
    """What a layout is like to play on: is it joined, how far is it, what does a closed door do.

    Without --base the usual bases are tried, and only 32 mm counts as declared.
    """
    with working("checking the layout"):
        from sandbox.check.finding import Severity  # noqa: PLC0415 - geometry and physics are slow to import
        from sandbox.layout.check import check_layout  # noqa: PLC0415

        report = check_layout(scene, bases, rules=rules)
    if as_json:
        print_json(report.to_json())
    else:
        _print(report, everything)
    if fail_on is not None and report.fails(Severity(fail_on)):
        raise click.exceptions.Exit(FOUND)


@command.command(
    "show", epilog="\b\nExample:\n  sandbox layout show scenes/sump-crossing.yaml --out out/sump"
)
@click.argument("scene", metavar="SCENE|LAYOUT", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="Folder for the pictures: one of each level, and one of the whole.",
)
@click.option("--size", type=SIZE, default="1600x1000", show_default=True, help="The pictures' size.")
@click.option("--rules", metavar="PACK", help="A pack id or file instead of the scene's own.")
@click.option("--plain", is_flag=True, help="Without ways and distances, which take seconds to work out.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object that names the pictures.")
def show(
    scene: Path, out: Path, size: tuple[int, int], rules: str | None, plain: bool, as_json: bool
) -> None:
    """Pictures of a layout: each level cut open, with names and distances, and the whole, exploded."""
    with working("drawing the layout"):
        from sandbox.layout.show import show_layout  # noqa: PLC0415

        pictures = show_layout(scene, out, size=size, rules=rules, plain=plain)
    if as_json:
        print_json({"pictures": [str(path) for path in pictures]})
        return
    for path in pictures:
        console().print(escape(f"picture: {path}"), soft_wrap=True)


@command.command("write", epilog="\b\nExample:\n  sandbox layout write scenes/sump-crossing.yaml --as tiles")
@click.argument("scene", metavar="SCENE|LAYOUT", type=click.Path(path_type=Path))
@click.option(
    "--as",
    "form",
    type=click.Choice(("map", "tiles", "scene")),
    default="map",
    show_default=True,
    help="Character maps, a list of tiles, or the pieces of a scene.",
)
@click.option("--out", type=click.Path(path_type=Path), help="Write this file instead of the screen.")
def write(scene: Path, form: str, out: Path | None) -> None:
    """The same layout written another way; nothing is lost on the way there or back."""
    from sandbox.files.pages import write_made  # noqa: PLC0415
    from sandbox.layout.convert import rewritten  # noqa: PLC0415

    text = rewritten(scene, form, out)
    if out is None:
        click.echo(text, nl=False)
    else:
        write_made(out, text.encode("utf-8"), "layout")


def _print(report: Report, everything: bool) -> None:
    out = console()
    counts = {severity: 0 for severity in ("error", "warning", "info")}
    for finding in report.findings:
        counts[finding.severity.value] += 1
    told = ", ".join(
        f"{count} {name}{'s' if count != 1 and name != 'info' else ''}" for name, count in counts.items()
    )
    out.print(f"[bold]{escape(report.subject)}[/bold] ({escape(report.rules)}): {told}")
    shown = [f for f in report.findings if everything or f.severity.value != "info"]
    if shown:
        table = Table(title="Findings", title_justify="left", title_style="bold")
        for heading in ("#", "severity", "place", "what", "cure"):
            table.add_column(heading, overflow="fold")
        for finding in shown:
            bases = " ".join(case.base for case in finding.cases if case.base is not None)
            table.add_row(
                str(finding.number),
                finding.severity.value,
                escape(finding.place),
                escape(finding.text) + (f" [dim](bases {escape(bases)})[/dim]" if bases else ""),
                escape(finding.cure),
            )
        out.print(table)
    if len(shown) < len(report.findings):
        out.print(f"[dim]{len(report.findings) - len(shown)} more for information: --all shows them[/dim]")
    if report.distances:
        out.print(_distances(report))
    if report.levels:
        out.print(_levels(report))
    _rest(report)


def _distances(report: Report) -> Table:
    title = f"Distances for a base of {report.bases[0].base} mm, in Moves of {report.move:g} in"
    table = Table(title=title, title_justify="left", title_style="bold")
    for heading in ("from", "to", "doors as drawn", "all open", "all shut"):
        table.add_column(heading)
    rows: dict[tuple[str, str], dict[str, list[Distance]]] = {}
    for row in report.distances:
        rows.setdefault((row.start, row.target), {}).setdefault(row.doors, []).append(row)
    for (start, target), by_doors in rows.items():
        table.add_row(
            escape(start),
            escape(target),
            *(
                " / ".join(_one(row) for row in by_doors.get(doors, []))
                for doors in ("drawn", "open", "shut")
            ),
        )
    return table


def _one(row: Distance) -> str:
    if row.moves is None or row.inches is None:
        return "no way"
    chance = f" at {100 * row.chance:.0f} %" if row.chance is not None and row.chance < 0.9995 else ""
    return f'{row.moves:.1f} ({row.inches:.1f}"){chance}'


def _levels(report: Report) -> Table:
    table = Table(title="Ways between levels", title_justify="left", title_style="bold")
    for heading in ("way", "from", "to", "height", "price", "chance"):
        table.add_column(heading)
    for way in report.levels:
        chance = "certain" if way.chance > 0.9995 else f"{100 * way.chance:.0f} %"
        table.add_row(
            way.kind, escape(way.start), escape(way.end), f'{way.up:+.2f}"', f'{way.cost:.2f}"', chance
        )
    return table


def _rest(report: Report) -> None:
    out = console()
    if report.sights:
        longest = "; ".join(
            f'{a} to {b} {line.length:.1f}"' for line in report.sights for a, b in [line.squares]
        )
        out.print(escape(f"Longest lines of sight, doors open: {longest}."))
    bases = "; ".join(f"{base.base} mm {base.reached} of {base.squares}" for base in report.bases)
    out.print(escape(f"Squares reached of those that hold the base: {bases}."))
