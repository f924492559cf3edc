"""``sandbox rules``: what packs there are, and what one says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click
from rich.markup import escape
from rich.table import Table

from sandbox.cli.output import console, print_json, working

if TYPE_CHECKING:
    from sandbox.rules import Pack, Rule


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
    with working("reading the rules"):
        from sandbox.rules import load_pack, pack_names  # noqa: PLC0415 - packs are not needed for --help

        packs = [load_pack(name) for name in ([pack] if pack else pack_names())]
    if pack is None:
        _list_packs(packs, as_json)
        return
    chosen = packs[0]
    if rule is not None:
        rules = [chosen.rule(rule)]
    elif only_open:
        rules = list(chosen.open_settings())
    else:
        rules = [chosen.rule(rule_id) for rule_id in chosen.rule_ids]
    if as_json:
        print_json({"pack": chosen.id, "name": chosen.name, "rules": [_rule_json(r) for r in rules]})
    elif rule is not None:
        _show_one(chosen, rules[0])
    else:
        _show_all(chosen, rules)


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


def _show_all(pack: Pack, rules: Sequence[Rule]) -> None:
    table = Table(title=escape(f"{pack.id}: {pack.name}"), title_justify="left", title_style="bold")
    table.add_column("rule", no_wrap=True)
    table.add_column("value", max_width=18)
    table.add_column("what it says", ratio=1)
    for rule in rules:
        says = f"{escape(rule.text)} [dim]({escape(rule.source)})[/dim]"
        readings = " or ".join(_value(reading.value, rule.unit) for reading in rule.setting)
        if readings:
            says += f"\n[italic]or: {escape(readings)}[/italic]"
        table.add_row(escape(rule.id), escape(_value(rule.value, rule.unit)), says)
    console().print(table)


def _show_one(pack: Pack, rule: Rule) -> None:
    out = console()
    value = f" = {_value(rule.value, rule.unit)}" if rule.value is not None else ""
    out.print(f"[bold]{escape(rule.id)}[/bold]{escape(value)}  ({escape(pack.id)}; {escape(rule.source)})")
    out.print(escape(rule.text))
    for reading in rule.setting:
        out.print(escape(f"  or {_value(reading.value, rule.unit)}: {reading.changes}"))


def _value(value: Any, unit: str) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return f"{value:g} {unit}".rstrip()
    return str(value)


def _rule_json(rule: Rule) -> dict[str, Any]:
    return {
        "rule": rule.id,
        "value": rule.value,
        "unit": rule.unit,
        "text": rule.text,
        "source": rule.source,
        "setting": [{"value": reading.value, "changes": reading.changes} for reading in rule.setting],
    }
