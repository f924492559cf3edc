"""What `sandbox rules` prints: a pack as sections of rows, as JSON, and against another pack. Drawing is
the caller's."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sandbox.kinds import Kind
from sandbox.rules import constants
from sandbox.rules.pack import Pack, Rule
from sandbox.rules.schema import Change, Entry
from sandbox.rules.values import value_text


@dataclass(frozen=True)
class Section:
    """One table."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Difference:
    """One rule that two packs see differently."""

    rule: str
    ours: Rule | None
    theirs: Rule | None


def sections(pack: Pack) -> tuple[Section, ...]:
    """Everything that a pack says, section by section."""
    return (
        *constant_sections(pack),
        kinds_section(pack),
        actions_section(pack),
        statuses_section(pack),
        checks_section(pack),
        *table_sections(pack),
        *(entries_section(pack, name) for name in ("tags", "skills", "gear")),
        profile_section(pack),
        statements_section(pack),
    )


def constant_sections(pack: Pack) -> Iterable[Section]:
    """The constants, one section for each group."""
    for group in constants.GROUPS:
        title = (group.__doc__ or group.__name__).split("\n")[0].rstrip(".")
        rows = tuple(_constant_row(pack.rule(name)) for name in group.model_fields)
        yield Section(title, ("rule", "value", "what it says", "source", "other readings"), rows)


def _constant_row(rule: Rule) -> tuple[str, ...]:
    others = ", ".join(value_text(reading.value, rule.unit) for reading in rule.setting)
    return rule.id, value_text(rule.value, rule.unit), rule.text, rule.source, others


def open_settings_section(pack: Pack) -> Section:
    """What a group has to agree on: one row for each other reading."""
    rows = [
        (rule.id, value_text(rule.value, rule.unit), value_text(reading.value, rule.unit), reading.changes)
        for rule in pack.open_settings()
        for reading in rule.setting
    ]
    return Section("Open settings", ("rule", "value", "or", "what would change"), tuple(rows))


def kinds_section(pack: Pack) -> Section:
    """What may be done with each kind of terrain."""
    rows = []
    for kind in Kind:
        row = pack.kind(kind)
        may = ", ".join(allow.value for allow in row.may) or "nothing"
        rows.append((kind.value, may, row.ground.value, row.obstacle_when.value, row.text, row.source))
    columns = ("kind", "may be used to", "ground", "obstacle", "what it says", "source")
    return Section("Kinds of terrain", columns, tuple(rows))


def actions_section(pack: Pack) -> Section:
    """The actions."""
    rows = []
    for key, row in pack.file.actions.items():
        who = ", ".join([*row.statuses, *(f"while {s}" for s in row.needs_status)])
        rows.append((key, row.cost.value, ", then ".join(row.moves), who, row.text, row.source))
    columns = ("action", "cost", "inches", "for models that are", "what it says", "source")
    return Section("Actions", columns, tuple(rows))


def statuses_section(pack: Pack) -> Section:
    """The statuses."""
    rows = tuple(
        (
            key,
            "on top of another" if row.overlay else row.posture.value,
            ", ".join(row.aliases),
            row.text,
            row.source,
        )
        for key, row in pack.file.statuses.items()
    )
    return Section("Statuses", ("status", "posture", "also written", "what it says", "source"), rows)


def checks_section(pack: Pack) -> Section:
    """The checks."""
    rows = tuple(
        (key, row.dice, f"{row.stat} or more", row.text, row.source) for key, row in pack.file.checks.items()
    )
    return Section("Checks", ("check", "dice", "passes on", "what it says", "source"), rows)


def table_sections(pack: Pack) -> Iterable[Section]:
    """The tables that the pack has."""
    tables = pack.file.tables
    if tables.falling:
        rows = [
            (f"{row.from_height} in and more", f"S{row.S} AP{row.AP or '-'} D{row.D}")
            for row in tables.falling.rows
        ]
        yield Section(f"Falling ({tables.falling.source})", ("fall", "hit"), tuple(rows))
    if tables.mishap:
        results = [(f"{row.from_total} and more", row.result) for row in tables.mishap.rows]
        yield Section(f"Mishaps ({tables.mishap.source})", ("total", "result"), tuple(results))
    if tables.wounds:
        wounds = tables.wounds
        against = ("twice", "above", "equal", "below", "half")
        needs = tuple((f"S {name} T", f"{getattr(wounds, name)}+") for name in against)
        yield Section(f"Wounds ({wounds.source})", ("strength", "needs"), needs)


def entries_section(pack: Pack, name: str) -> Section:
    """The entries of `tags`, `skills` or `gear`."""
    entries: dict[str, Entry] = getattr(pack.file, name)
    rows = tuple((key, _effects(item), item.text, item.source) for key, item in entries.items())
    return Section(name.capitalize(), ("name", "changes", "what it says", "source"), rows)


def _effects(item: Entry) -> str:
    told = [_change_text(change) for change in item.changes]
    told += [f"no {allow.value}" for allow in item.forbid]
    told += [f"{ground.value} ground costs nothing extra" for ground in item.ignores]
    told += [granted.name.value.replace("-", " ") for granted in item.procedures if granted.name != "event"]
    told += [f"is {status}" for status in item.gives_status]
    return "; ".join(told)


def _change_text(change: Change) -> str:
    if change.set is not None:
        new = change.set
        return f"{change.change} = {', '.join(new) if isinstance(new, tuple) else value_text(new)}"
    if change.add is not None:
        return f"{change.change} + {value_text(change.add)}"
    if change.multiply is not None:
        return f"{change.change} x {change.multiply:g}"
    return f"{change.change} at most {value_text(change.cap)}"


def profile_section(pack: Pack) -> Section:
    """What a model has where a scene says nothing, and typical fighters."""
    stats = tuple(pack.file.profile.stats)
    default = tuple(value_text(pack.file.profile.stats[stat]) for stat in stats)
    rows = [("where nothing is stated", *default, pack.file.profile.source)]
    for key, fighter in pack.file.fighters.items():
        rows.append((key, *(value_text(fighter.stats.get(stat)) for stat in stats), fighter.source))
    return Section("Characteristics", ("model", *stats, "source"), tuple(rows))


def statements_section(pack: Pack) -> Section:
    """Rules without a number."""
    rows = tuple((key, rule.text, rule.source) for key, rule in pack.file.rules.items())
    return Section("Statements", ("rule", "what it says", "source"), rows)


def as_json(pack: Pack) -> dict[str, Any]:
    """The whole pack as plain values, constants and readings included."""
    plain = pack.file.model_dump(mode="json", exclude_none=True)
    for name, constant in plain["constants"].items():
        constant["text"] = pack.rule(name).text
    plain["open_settings"] = [rule.id for rule in pack.open_settings()]
    plain["changed"] = dict(pack.changed)
    return plain


def differences(ours: Pack, theirs: Pack) -> tuple[Difference, ...]:
    """Constants with other values, and rules that only one of the two has."""
    found = []
    for rule_id in dict.fromkeys((*ours.rule_ids, *theirs.rule_ids)):
        mine = ours.rule(rule_id) if rule_id in ours.rule_ids else None
        other = theirs.rule(rule_id) if rule_id in theirs.rule_ids else None
        if mine is None or other is None or mine.value != other.value:
            found.append(Difference(rule_id, mine, other))
    return tuple(found)
