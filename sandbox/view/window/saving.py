"""A scene that was changed in the window, written back into its file: only what changed, comments and order kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from ruamel.yaml.comments import CommentedMap, CommentedSeq

from sandbox.errors import UserError
from sandbox.files import YamlDocument, save_yaml, write_atomic
from sandbox.scene import Anchor, Fighter, Piece, Scene, Shape, load_scene
from sandbox.terrain.build import stand_piece
from sandbox.units import MM_PER_INCH

One = TypeVar("One", Piece, Fighter)
Values = dict[str, Any]
Defaults = dict[str, Any]

PIECE_DEFAULTS: Defaults = {"turn": 0, "tilt": [0, 0], "kind": "auto", "scale": 1}
FIGHTER_DEFAULTS: Defaults = {"facing": 0, "base": 32, "side": "", "status": "standing"}


def save(scene: Scene, original: Scene, path: Path | None = None) -> Scene:
    """Write `scene` into its file, or into another; `original`: the scene as that file was read.

    Returns the scene as read again. UserError where it cannot be written, where somebody else changed the file, or
    where a model that lies alone has no file to go to.
    """
    document = scene.document
    if document is None:
        if path is None:
            raise UserError("a model alone has no scene file; name one to save to", file=scene.path)
        document = _new(scene, path)
        _list(document.data, "terrain", [_piece_entry(p, scene, path) for p in scene.terrain])
        _list(document.data, "fighters", [_fighter_entry(f) for f in scene.fighters])
        save_yaml(document, path, force=True)
        return load_scene(path)
    before = document.text
    _update(
        document.data,
        "terrain",
        scene.terrain,
        original.terrain,
        _piece_values,
        PIECE_DEFAULTS,
        lambda p: _piece_entry(p, scene, path or document.path),
    )
    _update(
        document.data, "fighters", scene.fighters, original.fighters, _fighter_values, FIGHTER_DEFAULTS,
        _fighter_entry,
    )  # fmt: skip
    if scene.name != original.name:
        document.data["name"] = scene.name
    target = document.path if path is None else path
    save_yaml(document, target)
    try:
        return load_scene(target)
    except UserError:
        # What cannot be read again must not stay: the old text comes back.
        with suppress(UserError):
            write_atomic(target, before.encode("utf-8"))
        raise


def _new(scene: Scene, path: Path) -> YamlDocument:
    data = CommentedMap()
    data["name"] = scene.name
    data["rules"] = scene.rules
    if scene.board.size is not None:
        data["board"] = _map({"size": _flow([_number(v) for v in scene.board.size])})
    return YamlDocument(path=path, data=data, plain={}, text="")


# -- entries ---------------------------------------------------------------------------------------------------


def _piece_values(piece: Piece) -> Values:
    x, y, z = (_number(v) for v in piece.at)
    return {
        "id": piece.id,
        "at": [x, y] if z == 0 else [x, y, z],
        "turn": _number(piece.turn),
        "tilt": [_number(v) for v in piece.tilt],
        "kind": str(piece.kind),
        "scale": _number(piece.scale),
    }


def _fighter_values(fighter: Fighter) -> Values:
    at = [_number(v) for v in fighter.at]
    long, short = (_number(v) for v in fighter.base)
    values: Values = {
        "id": fighter.id,
        "side": fighter.side,
        "at": at if fighter.z is None else [*at, _number(fighter.z)],
        "facing": _number(fighter.facing),
        "base": long if long == short else [long, short],
        "status": fighter.status,
    }
    if fighter.height is not None:
        values["height"] = _number(fighter.height)
    return values


def _piece_entry(piece: Piece, scene: Scene, path: Path) -> CommentedMap:
    entry: Values = {"id": piece.id}
    if piece.shape is Shape.MODEL:
        entry["model"] = _model_name(piece, scene, path)
        if piece.units is not None:
            entry["units"] = str(piece.units)
        if piece.up is not None:
            entry["up"] = str(piece.up)
    else:
        entry[piece.shape.value] = [_number(v) for v in piece.sizes]
    values = _piece_values(piece)
    if piece.anchor is Anchor.CORNER:
        # A scene file says where the middle of the box goes.
        vertices = stand_piece(piece).vertices
        middle = (vertices[:, :2].min(axis=0) + vertices[:, :2].max(axis=0)) / 2 / MM_PER_INCH
        values["at"] = [
            _number(piece.at[0] + float(middle[0])),
            _number(piece.at[1] + float(middle[1])),
            *values["at"][2:],
        ]
    entry |= {key: value for key, value in values.items() if value != PIECE_DEFAULTS.get(key, ())}
    if piece.parts:
        entry["parts"] = {pattern: str(kind) for pattern, kind in piece.parts}
    return _map(entry)


def _model_name(piece: Piece, scene: Scene, path: Path) -> str:
    """A model's path as the new file has to write it."""
    if piece.model_name.startswith("package:") or piece.model is None:
        return piece.model_name
    if path.parent.resolve() == scene.path.parent.resolve() and piece.model_name:
        return piece.model_name
    model = piece.model.resolve()
    for up, folder in enumerate((path.parent.resolve(), *path.parent.resolve().parents)):
        if model.is_relative_to(folder):
            return "../" * up + model.relative_to(folder).as_posix()
    return str(model)


def _fighter_entry(fighter: Fighter) -> CommentedMap:
    values = _fighter_values(fighter)
    entry = {key: value for key, value in values.items() if value != FIGHTER_DEFAULTS.get(key, ())}
    if fighter.profile:
        entry["profile"] = {key: _number(value) for key, value in fighter.profile.items()}
    for key in ("skills", "gear", "tags"):
        if getattr(fighter, key):
            entry[key] = list(getattr(fighter, key))
    return _map(entry)


# -- the tree --------------------------------------------------------------------------------------------------


def _update(
    data: CommentedMap,
    key: str,
    now: Sequence[One],
    before: Sequence[One],
    values: Callable[[One], Values],
    defaults: Defaults,
    entry: Callable[[One], CommentedMap],
) -> None:
    """Change, remove and append entries of the list `key` so that it says what `now` holds."""
    kept = {one.loc: one for one in now if one.loc}
    held = data.get(key)
    for one in sorted((b for b in before if b.loc and b.loc[0] == key), key=lambda b: -int(b.loc[1])):
        index = int(one.loc[1])
        if one.loc not in kept:
            _remove(held, index)
            continue
        changed, old = values(kept[one.loc]), values(one)
        for name, value in changed.items():
            if value != old.get(name) and not (name not in held[index] and value == defaults.get(name, ())):
                _set(held[index], name, value)
    fresh = [entry(one) for one in now if not one.loc]
    if held is None:
        _list(data, key, fresh)
    else:
        for one_entry in fresh:
            _append(held, one_entry)


def _set(entry: CommentedMap, name: str, value: Any) -> None:
    old = entry.get(name)
    if isinstance(value, list):
        if isinstance(old, CommentedSeq) and len(old) == len(value):
            for index, item in enumerate(value):
                if old[index] != item:
                    old[index] = item
            return
        entry[name] = _flow(value)
    else:
        entry[name] = value


def _append(held: CommentedSeq, entry: CommentedMap) -> None:
    """Add an entry; what is written after the list stays after it."""
    after = _cut_trailing(held, len(held) - 1) if len(held) else ""
    held.append(entry)
    if after:
        _add_trailing(held, len(held) - 1, after)


def _remove(held: CommentedSeq, index: int) -> None:
    """Take an entry out; comments that stand before the next one stay."""
    after = _cut_trailing(held, index)
    del held[index]
    if after and index > 0:
        _add_trailing(held, index - 1, after)


def _slot(held: CommentedSeq, index: int) -> tuple[dict[Any, Any], Any, int] | None:
    """Where ruamel keeps what follows an entry: the table of comments, its key, and the place in the row."""
    item = held[index]
    if isinstance(item, CommentedMap) and not item.fa.flow_style() and len(item):
        return item.ca.items, list(item)[-1], 2
    return held.ca.items, index, 0


def _cut_trailing(held: CommentedSeq, index: int) -> str:
    """Take away the lines that follow an entry (not what stands on its own line) and return them."""
    slot = _slot(held, index)
    if slot is None:
        return ""
    table, key, place = slot
    row = table.get(key)
    token = row[place] if row and len(row) > place else None
    if token is None:
        return ""
    own, mark, rest = token.value.partition("\n")
    if not rest:
        return ""
    token.value = own + mark
    return str(rest)


def _add_trailing(held: CommentedSeq, index: int, text: str) -> None:
    from ruamel.yaml.error import CommentMark  # noqa: PLC0415 - needed here only
    from ruamel.yaml.tokens import CommentToken  # noqa: PLC0415

    slot = _slot(held, index)
    if slot is None:
        return
    table, key, place = slot
    row = table.setdefault(key, [None, None] if place == 0 else [None, None, None, None])
    if row[place] is None:
        row[place] = CommentToken("\n" + text, CommentMark(0), None)
    else:
        token = row[place]
        token.value = token.value.rstrip("\n") + "\n" + text


def _list(data: CommentedMap, key: str, entries: list[CommentedMap]) -> None:
    if entries:
        data[key] = CommentedSeq(entries)


def _map(values: Values) -> CommentedMap:
    """A mapping on one line."""
    answer = CommentedMap()
    for key, value in values.items():
        if isinstance(value, list):
            answer[key] = _flow(value)
        elif isinstance(value, dict) and not isinstance(value, CommentedMap):
            answer[key] = _map(value)
        else:
            answer[key] = value
    answer.fa.set_flow_style()
    return answer


def _flow(values: list[Any]) -> CommentedSeq:
    answer = CommentedSeq(values)
    answer.fa.set_flow_style()
    return answer


def _number(value: float) -> float | int:
    """A number as people write it: to a thousandth, whole ones without a point."""
    rounded = round(float(value), 3)
    return int(rounded) if rounded == int(rounded) else rounded
