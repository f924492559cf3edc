"""Pack files on disk: where they are, what they extend, and one line that says what is wrong with them."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from sandbox.errors import UserError
from sandbox.files import YamlDocument, read_yaml
from sandbox.files.mistakes import pick_mistake, suggestion
from sandbox.rules import consistency, constants
from sandbox.rules.schema import PackFile

PACKS = Path(__file__).parent / "packs"
LONGEST_CHAIN = 8
"""packs that may extend one another."""


def pack_names() -> tuple[str, ...]:
    """Ids of the built-in packs."""
    return tuple(sorted(path.stem for path in PACKS.glob("*.yaml")))


def find_pack(name: str, relative_to: Path | None = None) -> Path:
    """The file of a built-in pack's id, or of a path; UserError, listing the packs, where it is neither."""
    if name in pack_names():
        return PACKS / f"{name}.yaml"
    if "/" in name or "\\" in name or name.endswith((".yaml", ".yml")):
        path = Path(name)
        if relative_to is not None and not path.is_absolute():
            path = relative_to / path
        if path.is_file():
            return path.resolve()
        raise UserError(f"no pack file {name!r}; the built-in packs are {', '.join(pack_names())}")
    raise UserError(f"unknown pack {name!r}; {suggestion(name, pack_names())}")


def read_pack(path: Path) -> PackFile:
    """The checked contents of a pack file, with what it extends filled in. Built-in packs are read once."""
    if path.parent == PACKS:
        return _read_built_in(path)[1]
    return _read(path, ())[1]


@cache
def _read_built_in(path: Path) -> tuple[dict[Any, Any], PackFile]:
    return _read(path, ())


def _read(path: Path, chain: tuple[Path, ...]) -> tuple[dict[Any, Any], PackFile]:
    """The whole contents as plain values, and checked."""
    document = read_yaml(path)
    plain = document.plain
    base = plain.get("extends")
    if base is not None:
        plain = _merge(_base(document, base, (*chain, path)), _override(document))
    return plain, _check(document, plain)


def _base(document: YamlDocument, name: object, chain: tuple[Path, ...]) -> dict[Any, Any]:
    if not isinstance(name, str):
        document.fail(f"extends: {name!r} should be the id or the path of a pack", ("extends",))
    try:
        path = find_pack(name, document.path.parent)
    except UserError as error:
        document.fail(f"extends: {error.message}", ("extends",))
    if path in chain:
        document.fail(f"extends: {name} comes back to this file", ("extends",))
    if len(chain) >= LONGEST_CHAIN:
        document.fail(f"extends: more than {LONGEST_CHAIN} packs extend one another", ("extends",))
    if path.parent == PACKS and path not in chain:
        return _read_built_in(path)[0]
    return _read(path, chain)[0]


def _override(document: YamlDocument) -> dict[Any, Any]:
    """A pack's own lines, ready to be laid over what it extends.

    A constant may be given as a bare value; one that changes the value without naming a source counts as
    the pack's own.
    """
    plain = copy.deepcopy(document.plain)
    given = plain.get("constants")
    if isinstance(given, dict):
        for key, value in given.items():
            stated = value if isinstance(value, dict) else {"value": value}
            if "value" in stated:
                stated.setdefault("source", f"house rule of {plain.get('pack', document.path.stem)}")
            given[key] = stated
    return plain


def _merge(base: dict[Any, Any], over: dict[Any, Any]) -> dict[Any, Any]:
    """`over` laid on `base`: mappings key by key, everything else whole; an empty value takes an entry
    away."""
    merged = dict(base)
    for key, value in over.items():
        old = merged.get(key)
        if value is None:
            merged.pop(key, None)
        elif isinstance(value, dict) and isinstance(old, dict):
            merged[key] = _merge(old, value)
        else:
            merged[key] = copy.deepcopy(value)
    return merged


def _check(document: YamlDocument, plain: dict[Any, Any]) -> PackFile:
    try:
        pack = PackFile.model_validate(plain)
    except ValidationError as error:
        mistake = pick_mistake(error, PackFile, document.line_of)
        raise document.error(mistake.text, mistake.loc) from None
    for loc, text in consistency.problems(pack):
        document.fail(text, loc)
    return pack


def with_values(file: PackFile, path: Path, settings: Mapping[str, Any]) -> PackFile:
    """The pack with other values of constants; text (from a command line) is read as a number or a switch.

    UserError where a constant is not known, or a value does not fit.
    """
    plain = file.model_dump(mode="json", by_alias=True)
    for key, value in settings.items():
        if key not in constants.Constants.model_fields:
            raise UserError(f"{file.pack}: no setting {key!r}; {suggestion(key, constants.names())}")
        plain["constants"][key]["value"] = _scalar(value)
    try:
        changed = PackFile.model_validate(plain)
    except ValidationError as error:
        mistake = pick_mistake(error, PackFile, lambda loc: 0)
        raise UserError(f"{file.pack}: setting {mistake.text.removeprefix('constants.')}") from None
    for _, text in consistency.problems(changed):
        raise UserError(f"{file.pack}: setting {text.removeprefix('constants.')}")
    return changed


def _scalar(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    word = value.strip()
    if word in ("true", "false"):
        return word == "true"
    for number in (int, float):
        try:
            return number(word)
        except ValueError:
            continue
    return word
