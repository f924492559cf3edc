"""``sandbox status``: what fighters are, whom they are engaged with, what they may do, and what can become of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.markup import escape
from rich.table import Table

from sandbox.cli.output import console, print_json, warn, working
from sandbox.errors import UserError

if TYPE_CHECKING:
    from sandbox.moves.engagement import Engaged
    from sandbox.moves.odds_tree import Tree
    from sandbox.moves.status import Status


@click.command(
    "status",
    epilog="\b\nExamples:\n  sandbox status scenes/gantry.yaml"
    "\n  sandbox status scenes/gantry.yaml --fighter juno --becomes pinned",
)
@click.argument("scene", type=click.Path(path_type=Path))
@click.option("--fighter", metavar="ID", help="Only this fighter, and why it may not do the rest.")
@click.option("--becomes", metavar="STATUS", help="What can happen when it gets this status where it is.")
@click.option("--falls", is_flag=True, help="What can happen when it loses its footing where it is.")
@click.option("--rules", metavar="PACK", help="A pack id or file instead of the scene's own.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of tables.")
def command(
    scene: Path, fighter: str | None, becomes: str | None, falls: bool, rules: str | None, as_json: bool
) -> None:
    """What fighters are, whom they are engaged with, what they may do.

    With --becomes or --falls: everything that can come of it, with chances.
    """
    if fighter is None and (becomes is not None or falls):
        raise UserError("--becomes and --falls are about one fighter; name it with --fighter ID")
    if becomes is not None and falls:
        raise UserError("--becomes and --falls are two questions; ask one")
    with working("reading the scene"):
        from sandbox import load  # noqa: PLC0415 - geometry and physics are slow to import

        field = load(scene, rules=rules)
    with working("looking at the fighters"):
        names = [one.id for one in field.fighters] if fighter is None else [fighter]
        found = [field.status(name) for name in names]
        tree = None
        if fighter is not None and (becomes is not None or falls):
            tree = field.falls(fighter) if becomes is None else field.becomes(fighter, becomes)
    warn(field.warnings)
    if as_json:
        print_json(_json(field.pack.id, found, tree))
    elif fighter is None:
        console().print(_table(field.pack.id, found))
    else:
        _show(found[0], tree)


def _json(rules: str, found: list[Status], tree: Tree | None) -> dict[str, object]:
    whole: dict[str, object] = {"rules": rules, "fighters": [one.to_json() for one in found]}
    return whole if tree is None else {**whole, "outcomes": tree.to_json()}


def _table(rules: str, found: list[Status]) -> Table:
    table = Table(title=escape(f"statuses ({rules})"), title_justify="left", title_style="bold")
    for name in ("fighter", "status", "engaged with", "may"):
        table.add_column(name)
    for one in found:
        engaged = ", ".join(_engaged(e) for e in (*one.engaged, *one.choices)) or "nobody"
        table.add_row(
            escape(one.fighter), escape(one.words), escape(engaged), escape(", ".join(one.may) or "-")
        )
    return table


def _engaged(one: Engaged) -> str:
    how = "" if one.how == "contact" else f" ({one.how})"
    choice = ", if it chooses" if one.chosen else ""
    return f"{one.enemy}{how}{choice}"


def _show(one: Status, tree: Tree | None) -> None:
    from sandbox.cli.tables import ruling_line  # noqa: PLC0415
    from sandbox.moves.odds_words import tell_odds  # noqa: PLC0415

    out = console()
    engaged = ", ".join(_engaged(e) for e in (*one.engaged, *one.choices)) or "nobody"
    out.print(escape(f"{one.fighter}: {one.words}; engaged with {engaged}."))
    for change in one.changes:
        out.print(escape(f"{change.text[:1].upper()}{change.text[1:]}."))
    if tree is not None:
        for line in tell_odds(tree):
            out.print(escape(line))
        return
    out.print(escape(f"May: {', '.join(one.may) or 'nothing'}."))
    for ruling in one.may_not:
        out.print(escape(f"May not: {ruling_line(ruling)}"))
