"""``sandbox rules``: what packs there are, and what one says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click
from rich.markup import escape
from rich.table import Table

from sandbox.cli.output import console, print_json, working
from sandbox.moves.words import source_words

if TYPE_CHECKING:
    from sandbox.rules import Pack, Rule
    from sandbox.rules.show import Section

SAYS = "what it says"
"""the column that holds sentences."""


@click.command(
    "rules",
    epilog="\b\nExamples:\n  sandbox rules necromunda-2023\n  sandbox rules necromunda-2023 climb_cost",
)
@click.argument("pack", required=False)
@click.argument("rule", required=False)
@click.option("--open", "only_open", is_flag=True, help="Only open settings: what a group has to agree on.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of tables.")
def command(pack: str | None, rule: str | None, only_open: bool, as_json: bool) -> None:
    """What a rule pack says, its constants and its open settings.

    PACK is a pack's id or the path of a pack file; without it, all packs are listed. RULE picks one rule by
    its id.
    """
    with working("reading the rules", ground=False):
        from sandbox.rules import load_pack, pack_names, show  # noqa: PLC0415 - not needed for --help

        packs = [load_pack(name) for name in ([pack] if pack else pack_names())]
    if pack is None:
        _list_packs(packs, as_json)
        return
    chosen = packs[0]
    if rule is not None:
        found = chosen.rule(rule)
        if as_json:
            print_json({"pack": chosen.id, **_rule_json(found)})
        else:
            _show_one(chosen, found)
    elif as_json:
        print_json(show.as_json(chosen))
    else:
        sections = (show.open_settings_section(chosen),) if only_open else show.sections(chosen)
        out = console()
        out.print(f"[bold]{escape(chosen.name)}[/bold] ({escape(chosen.id)})")
        for section in sections:
            if section.rows:
                out.print(_section_table(section))


def _list_packs(packs: Sequence[Pack], as_json: bool) -> None:
    rows = [(p.id, p.name, len(p.rule_ids), len(p.open_settings())) for p in packs]
    if as_json:
        keys = ("id", "name", "rules", "open_settings")
        print_json({"packs": [dict(zip(keys, row, strict=True)) for row in rows]})
        return
    table = Table()
    for heading in ("pack", "name", "rules", "open settings"):
        table.add_column(heading)
    for row in rows:
        table.add_row(*(escape(str(cell)) for cell in row))
    console().print(table)


def _section_table(section: Section) -> Table:
    """A section as a table; where a text comes from and its other readings stand under the text."""
    under = [name for name in ("source", "other readings") if name in section.columns]
    says = section.columns.index(SAYS) if SAYS in section.columns else None
    shown = [c for c in section.columns if says is None or c not in under]
    table = Table(
        title=escape(section.title), title_justify="left", title_style="bold", expand=says is not None
    )
    for index, name in enumerate(shown):
        table.add_column(
            name, no_wrap=index == 0, ratio=3 if name == SAYS else 1 if index else None, overflow="fold"
        )
    for row in section.rows:
        cells = dict(zip(section.columns, row, strict=True))
        text = {name: escape(cells[name]) for name in shown}
        if says is not None:
            notes = [f"[dim]({escape(source_words(cells['source']))})[/dim]"] if cells.get("source") else []
            if cells.get("other readings"):
                notes.append(f"[italic]or: {escape(cells['other readings'])}[/italic]")
            text[SAYS] = " ".join([text[SAYS], *notes])
        table.add_row(*text.values())
    return table


def _show_one(pack: Pack, rule: Rule) -> None:
    out = console()
    value = f" = {_value(rule.value, rule.unit)}" if rule.value is not None else ""
    out.print(
        f"[bold]{escape(rule.id)}[/bold]{escape(value)}  ({escape(pack.id)}; {escape(source_words(rule.source))})"
    )
    out.print(escape(rule.text))
    for reading in rule.setting:
        out.print(escape(f"  or {_value(reading.value, rule.unit)}: {reading.changes}"))


def _value(value: Any, unit: str) -> str:
    """A value as it is written in a pack, with its unit."""
    from sandbox.rules.values import value_text  # noqa: PLC0415

    return value if isinstance(value, str) else value_text(value, unit)


def _rule_json(rule: Rule) -> dict[str, Any]:
    return {
        "rule": rule.id,
        "value": rule.value,
        "unit": rule.unit,
        "text": rule.text,
        "source": rule.source,
        "setting": [{"value": reading.value, "changes": reading.changes} for reading in rule.setting],
    }
