"""A game that is played: its orders one after the other, taken back and done again, kept in a file from the first.

The file is a journal: a first line says what is played, every order adds a line with its dice, what happened and the
state after it, flushed to the disk before the players are told. A line that was not finished is dropped, so a game that was
killed at any moment goes on from its last order.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from pydantic import TypeAdapter, ValidationError

from sandbox.errors import UserError
from sandbox.files.limits import GAME, game_bytes, larger
from sandbox.files.pages import write_made
from sandbox.play.dice import Dice, Recorded, Scripted, Then, Wanted
from sandbox.play.events import Event, event
from sandbox.play.orders import Order, brief
from sandbox.play.state import FORMAT, State, canonical, same
from sandbox.play.step import refused, step
from sandbox.play.table import Table
from sandbox.play.words import say
from sandbox.rules import pack_names

MAGIC = "sandbox game"
_FAR = 1e4
"""inches; no place lies farther out."""


@dataclass(frozen=True)
class Entry:
    """One order that was carried out."""

    order: Order
    rolled: tuple[int, ...]
    """what the dice showed, in order."""
    events: tuple[Event, ...]
    before: State
    after: State


class Game:
    """One game at one table."""

    def __init__(self, table: Table, start: State | None = None, *, path: Path | None = None) -> None:
        """path: the file that the game is kept in from now on (a new one); None: only in memory until it is saved."""
        self.table = table
        self.start = table.begin() if start is None else start
        self.past: list[Entry] = []
        self.future: list[Entry] = []
        self.log: list[Event] = []
        """everything that was told, what was undone too."""
        self.path: Path | None = None
        self._size = 0
        self._lines: list[bytes] = [_line(_header(table, self.start))]
        self._kept: dict[str, tuple[int, ...]] = {}
        if path is not None:
            self.save(path)

    @property
    def state(self) -> State:
        """As it is now."""
        return self.past[-1].after if self.past else self.start

    # -- playing -----------------------------------------------------------------------------------------------

    def order(self, order: Order, dice: Dice) -> list[Event]:
        """Carry out an order; what happened. A refused one changes nothing and is not kept.

        The same order given again in the same state, after it was taken back or broken off, gets the dice that it had.
        UserError: the order cannot be, or the file cannot be written: then it has not happened.
        """
        before = self.state
        key = f"{canonical(before)}{canonical(order)}"
        kept = self._kept.get(key, ())
        recorded = Recorded(Then(kept, dice) if kept else dice)
        try:
            after, told = step(self.table, before, order, recorded)
        except Wanted:
            raise  # the order is given again with all its results
        except BaseException:
            if recorded.rolled:
                self._kept[key] = tuple(recorded.rolled)
            raise
        if refused(told):
            return told
        if kept:
            told.insert(0, self._says("dice", "", say("game", "same-dice", dice=_numbers(kept))))
        entry = Entry(order, tuple(recorded.rolled), tuple(told), before, after)
        self._keep(
            {
                "order": order,
                "rolled": list(entry.rolled),
                "events": told,
                "state": cast(dict[str, Any], after),
            }
        )
        self.past.append(entry)
        self.future.clear()
        self.log += told
        return told

    def undo(self) -> list[Event]:
        """Take the last order back; its dice stay as they fell. UserError where there is none."""
        if not self.past:
            raise UserError("there is nothing to take back")
        entry = self.past[-1]
        self._keep({"undo": True})
        self.past.pop()
        self.future.append(entry)
        self._kept[f"{canonical(entry.before)}{canonical(entry.order)}"] = entry.rolled
        told = [self._says("undone", "", _history("undone", entry))]
        self.log += told
        return told

    def redo(self) -> list[Event]:
        """Do again what was taken back, with the same dice. UserError where there is nothing."""
        if not self.future:
            raise UserError("there is nothing to do again")
        entry = self.future[-1]
        self._keep({"redo": True})
        self.future.pop()
        self.past.append(entry)
        told = [self._says("redone", "", _history("redone", entry)), *entry.events]
        self.log += told
        return told

    def _says(self, what: str, who: str, text: str) -> Event:
        return event(self.table.pack, what, who, text, "players")

    def replayed(self) -> State:
        """The state that all orders lead to again, with the dice that they had. UserError where one leads elsewhere."""
        now = self.start
        for number, entry in enumerate(self.past, 1):
            now, _ = step(self.table, now, entry.order, Scripted(entry.rolled))
            if not same(now, entry.after):
                raise UserError(
                    f"order {number} ({brief(entry.order)}) leads to another state now: the scene, the rules or the "
                    "program have changed since it was played"
                )
        return now

    # -- the file ----------------------------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        """Keep the game in a file from now on, written whole or not at all, its folder too where that is missing.

        UserError where it cannot be.
        """
        self._lines[0] = _line(_header(self.table, self.start, path))
        content = b"".join(self._lines)
        write_made(path, content, "game")
        self.path, self._size = path, len(content)

    def _keep(self, content: dict[str, Any]) -> None:
        """Add a line to the file before it is told."""
        line = _line(content)
        if self.path is not None:
            _append(self.path, line, self._size)
            self._size += len(line)
        self._lines.append(line)

    @classmethod
    def opened(cls, path: Path) -> Game:
        """Go on with a game on the scene that its file names. UserError where it is none, or that has changed."""
        scene, pack, settings = scene_of(path)
        return cls.resume(Table.load(scene, pack, settings=settings), path)

    @classmethod
    def resume(cls, table: Table, path: Path) -> Game:
        """Go on with a game that was kept in a file. UserError where it is none, or another scene's."""
        lines, size, torn = _read(path)
        header = lines[0]
        _fits(table, header, _shaped(header["start"], path), path)
        start = _state(table, header["start"], path)
        game = cls(table, start)
        for content in lines[1:]:
            game._take(content, path)
        game._lines = [_line(one) for one in lines]
        game.path, game._size = path, size
        if torn:
            game.save(path)
        return game

    def _take(self, content: dict[str, Any], path: Path) -> None:
        if "undo" in content and self.past:
            entry = self.past.pop()
            self.future.append(entry)
            self._kept[f"{canonical(entry.before)}{canonical(entry.order)}"] = entry.rolled
        elif "redo" in content and self.future:
            self.past.append(self.future.pop())
        elif "order" in content:
            entry = Entry(
                cast(Order, content["order"]), tuple(content["rolled"]), tuple(content["events"]), self.state,
                _state(self.table, content["state"], path),
            )  # fmt: skip
            self.past.append(entry)
            self.future.clear()
            self.log += list(entry.events)
        else:
            raise UserError(
                "is no game that can be read: a line is neither an order nor one taken back", file=path
            )


def scene_of(path: Path) -> tuple[Path, str, dict[str, Any]]:
    """Which scene a game file was played on, under which rules and settings. UserError where it is no game."""
    header = _read(path)[0][0]
    scene = Path(str(header["scene"]))
    return (path.parent / scene), str(header["rules"]), dict(header.get("settings", {}))


def kept_somewhere(scene: Path) -> Path:
    """A new file in the user's own folder for games; the folder is made when a game is kept there."""
    from platformdirs import user_state_path  # noqa: PLC0415

    folder = user_state_path("sandbox", appauthor=False) / "games"
    return folder / f"{scene.stem}-{time.strftime('%Y%m%d-%H%M%S')}.game"


def is_game(path: Path) -> bool:
    """Whether a file is a game, by its first bytes."""
    try:
        with path.open("rb") as stream:
            return stream.read(2 * len(MAGIC) + 10).startswith(f'{{"{MAGIC}"'.encode())
    except OSError:
        return False


def _header(table: Table, start: State, path: Path | None = None) -> dict[str, Any]:
    """The first line; the scene is named as seen from the file's own folder, so that both can be moved together."""
    scene = table.scene.path.absolute()
    if path is not None:
        with contextlib.suppress(ValueError):  # on another drive
            scene = Path(os.path.relpath(scene, path.absolute().parent))
    return {
        MAGIC: FORMAT,
        "scene": scene.as_posix(),
        "rules": table.pack.id if table.pack.id in pack_names() else str(table.pack.path),
        "settings": dict(table.pack.changed),
        "name": table.scene.name,
        "terrain": table.first.terrain.digest,
        "start": cast(dict[str, Any], start),
    }


def _fits(table: Table, header: dict[str, Any], start: State, path: Path) -> None:
    if header.get(MAGIC) != FORMAT:
        raise UserError(f"is a game of format {header.get(MAGIC)}; this is format {FORMAT}", file=path)
    if set(start["models"]) != {f.id for f in table.scene.fighters}:
        raise UserError(f"was played with other fighters than {table.scene.path.name} has", file=path)
    if start["rules"] != table.pack.id:
        raise UserError(f"was played under {start['rules']}, not {table.pack.id}", file=path)
    if header.get("terrain") != table.first.terrain.digest:
        raise UserError(f"was played on other terrain than {table.scene.path.name} has now", file=path)


_SHAPE = TypeAdapter(State)


def _shaped(content: dict[str, Any], path: Path) -> State:
    """A state out of a file, whatever it names. UserError where it is none."""
    try:
        return _SHAPE.validate_python(content)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UserError(f"holds a state that cannot be: {where}: {first['msg'].lower()}", file=path) from None


def _state(table: Table, content: dict[str, Any], path: Path) -> State:
    """A state out of a file. UserError where it is none, or names what the scene has not."""
    state = _shaped(content, path)
    for name in state["models"]:
        table.fighter(name)
    for name in state["items"]:
        table.item(name)
    for name in state["pieces"]:
        table.piece(name)
    places = (*state["models"].values(), *state["items"].values(), *state["pieces"].values())
    if any(len(one["at"]) != 3 or not all(abs(v) < _FAR for v in one["at"]) for one in places):
        raise UserError("holds a place that cannot be", file=path)
    return state


def _read(path: Path) -> tuple[list[dict[str, Any]], int, bool]:
    """All whole lines of a game file, their bytes, and whether a torn one lies behind them."""
    try:
        if (held := path.stat().st_size) > (most := game_bytes()):
            raise UserError(larger(held, most, GAME), file=path)
        content = path.read_bytes()
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", file=path) from None
    lines: list[dict[str, Any]] = []
    size = 0
    for raw in content.splitlines(keepends=True):
        if not raw.endswith(b"\n"):
            break
        try:
            found = json.loads(raw, parse_constant=_no_number)
        except (ValueError, RecursionError):
            break
        if not isinstance(found, dict) or not _whole(found, first=not lines):
            break
        lines.append(found)
        size += len(raw)
    if not lines:
        raise UserError("is no game of sandbox play", file=path)
    return lines, size, size < len(content)


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is no number")


def _whole(found: dict[str, Any], *, first: bool) -> bool:
    if first:
        return MAGIC in found and isinstance(found.get("start"), dict) and "models" in found["start"]
    if "order" in found:
        kinds = (("order", dict), ("rolled", list), ("events", list), ("state", dict))
        return all(isinstance(found.get(key), kind) for key, kind in kinds)
    return "undo" in found or "redo" in found


def _append(path: Path, line: bytes, size: int) -> None:
    """Add a line and have it on the disk. UserError where it cannot be, with the file as it was."""
    try:
        with path.open("r+b") as stream:
            if os.fstat(stream.fileno()).st_size != size:
                raise UserError("was changed by something else; save the game under another name", file=path)
            stream.seek(size)
            try:
                stream.write(line)
                stream.flush()
                os.fsync(stream.fileno())
            except OSError:
                stream.truncate(size)
                raise
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror}", file=path) from None


def _line(content: dict[str, Any]) -> bytes:
    return (json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n").encode()


def _numbers(values: Sequence[int]) -> str:
    return ", ".join(str(v) for v in values)


def _history(name: str, entry: Entry) -> str:
    name = f"{name}-dice" if entry.rolled else name
    return say("game", name, order=brief(entry.order), dice=_numbers(entry.rolled))
