"""``sandbox doctor``: what this machine has, what is missing, what to do."""

from __future__ import annotations

import click
from rich.markup import escape
from rich.table import Table

from sandbox.cli.output import console, print_json, working

_MARK = {"good": "[green]good[/]", "less": "[yellow]less[/]", "missing": "[red]missing[/]"}


@click.command("doctor", epilog="\b\nExamples:\n  sandbox doctor\n  sandbox doctor --json")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of text.")
@click.pass_context
def command(context: click.Context, as_json: bool) -> None:
    """What this machine has of all that is used, what is missing, and what to do about it.

    Status 1 where something is missing.
    """
    from sandbox.help.doctor import State, examine, to_json  # noqa: PLC0415 - only where it is asked for

    with working("looking around", ground=False):
        found = examine()
    if as_json:
        print_json(to_json(found))
    else:
        table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
        for check in found:
            words = escape(check.found) + (f"\n[bold]{escape(check.advice)}[/]" if check.advice else "")
            table.add_row(escape(check.name), _MARK[check.state.value], words)
        console().print(table)
        bad = [check for check in found if check.state is State.MISSING]
        console().print("Something is missing." if bad else "All that is needed is there.")
    if any(check.state is State.MISSING for check in found):
        context.exit(1)
