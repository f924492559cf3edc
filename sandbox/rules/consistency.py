"""Whether the names that a pack file uses are names that it states: each mistake with its place in the
file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pydantic import ValidationError

from sandbox.files.mistakes import Loc, path_text, suggestion
from sandbox.kinds import Kind
from sandbox.rules.constants import Constants, entry, names
from sandbox.rules.schema import ActionRow, Change, Entry, PackFile
from sandbox.rules.statements import RuleName

Problem = tuple[Loc, str]


def problems(pack: PackFile) -> Iterator[Problem]:
    """Every place that names something which is not there, as (keys from the top, what is wrong)."""
    missing_kinds = [kind.value for kind in Kind if kind not in pack.kinds]
    if missing_kinds:
        yield ("kinds",), f"kinds: missing {', '.join(missing_kinds)}"
    missing_rules = [rule.value for rule in RuleName if rule not in pack.rules]
    if missing_rules:
        yield ("rules",), f"rules: missing {', '.join(missing_rules)}"
    yield from _constants(pack)
    for key, check in pack.checks.items():
        yield from _unknown(("checks", key, "stat"), [check.stat], pack.profile.stats)
    yield from _unknown(("default_status",), [pack.default_status], pack.statuses)
    for key, status in pack.statuses.items():
        yield from _unknown(("statuses", key, "recovers_as"), status.recovers_as, pack.statuses)
    yield from _actions(pack)
    for section in ("tags", "skills", "gear"):
        entries: dict[str, Entry] = getattr(pack, section)
        for key, item in entries.items():
            yield from _entry(pack, (section, key), item)
    if pack.tables.mishap:
        wounded = pack.tables.mishap.wounds_left
        yield from _unknown(("tables", "mishap", "wounds_left"), [wounded], pack.statuses)
        for at, row in enumerate(pack.tables.mishap.rows):
            yield from _unknown(("tables", "mishap", "rows", at, "status"), [row.status], pack.statuses)
    for key, fighter in pack.fighters.items():
        yield from _unknown(("fighters", key, "stats"), fighter.stats, pack.profile.stats)
    for name in set(names()) & set(pack.rules):
        yield ("rules", name), f"rules: {name!r} is the name of a constant; choose another"


def _constants(pack: PackFile) -> Iterator[Problem]:
    for name in names():
        constant = entry(pack.constants, name)
        places: list[tuple[Loc, object]] = [(("constants", name, "value"), constant.value)]
        places += [
            (("constants", name, "setting", at, "value"), alternative.value)
            for at, alternative in enumerate(constant.setting)
        ]
        for loc, value in places:
            if name.endswith("_check"):
                yield from _unknown(loc, [str(value)], [*pack.checks, "none"])
            elif name == "fall_status":
                yield from _unknown(loc, [str(value)], pack.statuses)
            elif name == "push_status":
                yield from _unknown(loc, [str(value)], [*pack.statuses, "none"])


def _actions(pack: PackFile) -> Iterator[Problem]:
    for key, action in pack.actions.items():
        at: Loc = ("actions", key)
        yield from _unknown((*at, "statuses"), action.statuses, pack.statuses)
        yield from _unknown((*at, "needs_status"), action.needs_status, pack.statuses)
        yield from _unknown((*at, "not_while"), action.not_while, pack.statuses)
        yield from _unknown((*at, "needs"), action.needs, [*pack.skills, *pack.gear])
        yield from _unknown((*at, "tags_barred"), action.tags_barred, pack.tags)
        yield from _unknown((*at, "check"), [action.check], pack.checks)
        yield from _unknown((*at, "ends_as"), [action.ends_as], pack.statuses)


def _entry(pack: PackFile, at: Loc, item: Entry) -> Iterator[Problem]:
    overlays = [key for key, status in pack.statuses.items() if status.overlay]
    yield from _unknown((*at, "gives_status"), item.gives_status, overlays)
    for index, change in enumerate(item.changes):
        if not _known_path(pack, change.change):
            allowed = "a constant, profile.CHARACTERISTIC or action.ACTION.FIELD"
            yield (
                (*at, "changes", index, "change"),
                f"{change.change!r} is not known; a change names {allowed}",
            )
        elif change.set is not None:
            yield from _settable(pack, (*at, "changes", index, "set"), change)
    for index, granted in enumerate(item.procedures):
        here: Loc = (*at, "procedures", index)
        yield from _unknown((*here, "check"), [granted.check], pack.checks)
        yield from _unknown((*here, "actions"), granted.actions, pack.actions)


def _settable(pack: PackFile, loc: Loc, change: Change) -> Iterator[Problem]:
    """Whether what a change sets is something that its constant or field can be."""
    place = path_text(loc)
    match change.change.split("."):
        case [name]:
            constant = entry(pack.constants, name)
            try:
                type(constant).model_validate({**constant.model_dump(), "value": change.set})
            except ValidationError as error:
                yield loc, f"{place}: {change.set!r} cannot be {name}; {_reason(error)}"
            if name.endswith("_check"):
                yield from _unknown(loc, [str(change.set)], [*pack.checks, "none"])
            elif name == "fall_status":
                yield from _unknown(loc, [str(change.set)], pack.statuses)
        case ["profile", stat] if isinstance(change.set, str | bool | tuple):
            yield loc, f"{place}: {change.set!r} cannot be {stat}; a number is wanted"
        case ["action", action, field]:
            row = pack.actions[action].model_dump()
            try:
                ActionRow.model_validate({**row, field: change.set})
            except ValidationError as error:
                yield loc, f"{place}: {change.set!r} cannot be {field}; {_reason(error)}"


def _reason(error: ValidationError) -> str:
    return error.errors()[0]["msg"].replace("Input should", "it should").replace("Value error, ", "")


def _known_path(pack: PackFile, path: str) -> bool:
    match path.split("."):
        case [constant]:
            return constant in Constants.model_fields
        case ["profile", stat]:
            return stat in pack.profile.stats
        case ["action", action, field]:
            return action in pack.actions and field in ActionRow.model_fields
    return False


def _unknown(loc: Loc, given: Iterable[str | None], known: Iterable[str]) -> Iterator[Problem]:
    allowed = list(known)
    for name in given:
        if name is not None and name not in allowed:
            place = path_text(loc)
            yield loc, f"{place}: {name!r} is not known; {suggestion(name, allowed)}"
