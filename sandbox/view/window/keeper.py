"""The worker's part of playing: orders worked out by `sandbox.play`, in a game that is kept or on the board as it is.

Every die is seen before it counts: an order is worked out anew with each result that is known, until none is wanted.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol, cast

import numpy as np

from sandbox.errors import UserError
from sandbox.moves.battlefield import Battlefield
from sandbox.moves.placed import Placed
from sandbox.play import Game, Order, Table, parse, platforms, told
from sandbox.play.acting import asked_on
from sandbox.play.desk import completions_of
from sandbox.play.dice import Seeded, Shown, Wanted
from sandbox.play.events import Event, asked_words, of_throw, passes
from sandbox.play.game import kept_somewhere
from sandbox.play.loose import Outcome, carried_out
from sandbox.play.orders import brief
from sandbox.play.state import State, place
from sandbox.play.step import refused
from sandbox.play.text import sentence
from sandbox.play.turns import phased
from sandbox.play.words import say
from sandbox.view.window.talk import (
    Acts,
    Board,
    Die,
    GameView,
    ItemMark,
    Needs,
    Played,
    Point,
    Stepped,
)

_NEAR = 0.05
"""inches from a place below which it is reached."""
_MOST = 6
"""outcomes of one roll that are told."""


class Boards(Protocol):
    """Who makes boards out of battlefields: the referee."""

    @property
    def field(self) -> Battlefield:
        """The present battlefield."""
        ...

    def adopt(self, field: Battlefield, serial: int, others: Sequence[Placed] = ()) -> Board:
        """Make a battlefield the present one; others: who is terrain to everybody else."""
        ...


class Keeper:
    """Orders, and the game that they belong to where there is one."""

    def __init__(self, boards: Boards) -> None:
        """boards: where battlefields come from and go to."""
        self._boards = boards
        self.game: Game | None = None
        self._log: list[tuple[str, ...]] = []
        self._dice = Seeded()

    # -- games -------------------------------------------------------------------------------------------------

    def begin(self, path: Path | None, strict: bool, declare: bool | None, serial: int) -> Board:
        """A new game on the present board, kept in a file (None: one in the user's own folder for games).

        UserError where the file is there already or cannot be written.
        """
        table = Table(self._boards.field)
        if not table.scene.fighters:
            raise UserError("a game needs fighters: add some while building, and save the scene")
        game = Game(table, table.begin(strict=strict, declare=declare))
        kept = path if path is not None else kept_somewhere(table.scene.path)
        if os.path.lexists(kept):
            raise UserError("is there already; open it to go on with it, or name another file", file=kept)
        game.save(kept)
        return self._sit(game, serial)

    def open(self, path: Path, serial: int) -> Board:
        """Go on with a game where it was. UserError where the file is none."""
        return self._sit(Game.opened(path), serial)

    def _sit(self, game: Game, serial: int) -> Board:
        self.game = game
        self._log = [_told(game.table, entry.events) for entry in game.past]
        return self._board(serial)

    def leave(self) -> None:
        """Nobody plays a game any more; its file stays."""
        self.game = None

    def _board(self, serial: int) -> Board:
        game = self.game
        assert game is not None
        table, state = game.table, game.state
        hulls = [
            table.field(state, who).fighter(who)
            for who, model in state["models"].items()
            if not model["out"] and who in state["pieces"] and table.is_vehicle(who)
        ]
        board = self._boards.adopt(table.field(state), serial, hulls)
        return replace(board, game=_view(game, self._log), items=_items(game))

    def field_for(self, who: str) -> Battlefield:
        """The battlefield that a model is asked about."""
        if self.game is None:
            return self._boards.field
        return asked_on(self.game.table, self.game.state, who)

    def words(self, before: str) -> list[tuple[str, str]]:
        """Words that may come next in a line that is being typed, each with what it means."""
        table = Table(self._boards.field) if self.game is None else self.game.table
        state = table.begin() if self.game is None else self.game.state
        return completions_of(table, state, before)

    # -- orders ------------------------------------------------------------------------------------------------

    def order(self, what: dict[str, Any] | str, faces: tuple[int, ...], roll: bool, serial: int) -> Played:
        """What comes of an order with the results that lie on the table; roll: one more is rolled.

        UserError where it cannot be, or the dice cannot show what was typed.
        """
        game = self.game
        table = Table(self._boards.field) if game is None else game.table
        state = table.begin(strict=False, declare=False) if game is None else game.state
        order = parse(table, state, what) if isinstance(what, str) else cast(Order, what)
        shown = Shown(faces, self._dice if roll else None)
        outcome: Outcome | None = None
        try:
            if game is None:
                outcome = carried_out(table, order, shown)
                events: Sequence[Event] = outcome.events
            else:
                events = game.order(order, shown)
        except Wanted as wanted:
            return replace(_so_far(order, shown), needs=_needs(table, wanted))
        answer = _so_far(order, shown)
        words = _told(table, events)
        if refused(list(events)):
            return replace(answer, refused=words)
        if outcome is not None:
            after = {**state["models"], **outcome.models}
            stepped = Stepped(
                {who: dict(model) for who, model in outcome.models.items()},
                {name: place(item["at"]) for name, item in outcome.items.items()},
                outcome.pieces,
            )
            answer = replace(answer, stepped=stepped)
        else:
            assert game is not None
            after = game.state["models"]
            self._log.append(words)
            answer = replace(answer, board=self._board(serial))
        aboard = _aboard(table, state, after)
        acts = _acts(table, events, state, after, aboard)
        carried = _carried(state, aboard, {one.who for one in acts})
        return replace(answer, words=words, acts=acts, carried=carried, reached=_reached(order, after))

    def undo(self, serial: int) -> Board:
        """Take the last order of the game back. UserError where there is none."""
        return self._again(serial, lambda game: game.undo())

    def redo(self, serial: int) -> Board:
        """Do again what was taken back, with the same dice. UserError where there is nothing."""
        return self._again(serial, lambda game: game.redo())

    def _again(self, serial: int, does: Callable[[Game], list[Event]]) -> Board:
        assert self.game is not None
        self._log.append(_told(self.game.table, does(self.game)))
        return self._board(serial)


def _told(table: Table, events: Sequence[Event]) -> tuple[str, ...]:
    """What happened, line by line."""
    return tuple(told(one, table.names, rules=False) for one in events)


def _so_far(order: Order, shown: Shown) -> Played:
    dice = tuple(
        Die(of_throw(throw, face, passes(throw, face))["text"], face, passes(throw, face))
        for throw, face in shown.seen
    )
    return Played(dict(order), brief(order), tuple(face for _, face in shown.seen), dice)


def _needs(table: Table, wanted: Wanted) -> Needs:
    """The roll that an order waits for, and what it decides."""
    throw, tree = wanted.throw, wanted.tree
    words = say("lines", "says", who=table.names.of(throw.who), text=asked_words(throw))
    branches = () if tree is None else tree.branches
    checked = any(b.passed is not None for b in branches)
    return Needs(
        words,
        min(wanted.faces),
        max(wanted.faces),
        float(sum(b.chance for b in branches if b.passed)) if checked else None,
        () if tree is None else tuple(one.text for one in tree.happens),
        tuple(
            (float(b.chance), ", ".join(one.text for one in b.tree.happens) + (" ..." if b.tree.throw else ""))
            for b in branches
            if b.passed is not True and b.tree.happens
        )[:_MOST],
    )  # fmt: skip


def _reached(order: Order, after: Any) -> bool:
    """Whether who acted is where it was sent."""
    who, to = order.get("who"), order.get("to")
    return who is None or to is None or math.dist(after[who]["at"][:2], to[:2]) < _NEAR


def _aboard(table: Table, before: State, after: Any) -> dict[str, tuple[list[str], list[str]]]:
    """By vehicle that has driven: the models and the things that were on it."""
    return {
        who: platforms.aboard(table, before, who)
        for who in before["pieces"]
        if who in after and after[who]["at"] != before["models"][who]["at"]
    }


def _carried(
    before: State, aboard: dict[str, tuple[list[str], list[str]]], acting: set[str]
) -> dict[str, str]:
    """Things that go where somebody goes: what lies on a vehicle, and what is held."""
    held = {name: who for who, model in before["models"].items() for name in model["holds"] if who in acting}
    return {name: hull for hull, (_, loads) in aboard.items() for name in loads if hull in acting} | held


def _acts(
    table: Table,
    events: Sequence[Event],
    before: State,
    after: Any,
    aboard: dict[str, tuple[list[str], list[str]]],
) -> tuple[Acts, ...]:
    """How everybody whose place has changed is seen to get there."""
    found: list[Acts] = []
    rides = {name: hull for hull, (mounted, _) in aboard.items() for name in mounted}
    for who, model in before["models"].items():
        own = [one for one in events if one.get("who") == who]
        path = next((one["path"] for one in own if "path" in one), None)
        falls = tuple(
            (_point(one["start"]), _point(one["at"]))
            for one in own
            if one["what"] == "fall" and "start" in one and "at" in one
        )
        end = after[who]["at"]
        if path is None and (falls or end != model["at"]):
            path = [model["at"], list(falls[0][0]) if falls else end]
        if path or falls:
            line = np.asarray(path or [model["at"]], dtype=np.float64)
            turns = table.is_vehicle(who) and any("path" in one for one in own)
            found.append(Acts(who, line, falls, turns, rides.get(who)))
    # Who acts is seen first.
    first = events[0].get("who") if events else None
    return tuple(sorted(found, key=lambda one: one.who != first))


def _point(at: Sequence[float]) -> Point:
    x, y, z = at
    return float(x), float(y), float(z)


def _items(game: Game) -> tuple[ItemMark, ...]:
    holders = {name: who for who, model in game.state["models"].items() for name in model["holds"]}
    heavy = {item.id: item.heavy for item in game.table.scene.items}
    return tuple(
        ItemMark(name, place(item["at"]), heavy.get(name, False), holders.get(name, ""))
        for name, item in game.state["items"].items()
    )


def _view(game: Game, log: list[tuple[str, ...]]) -> GameView:
    table, state = game.table, game.state
    actions = 0 if phased(table) else table.pack.movement.actions_per_activation
    return GameView(
        path=str(game.path or ""),
        turn=state["turn"],
        active=state["active"],
        left=max(0, actions - state["spent"]) if state["active"] else actions,
        actions=actions if state["strict"] else 0,
        declare=state["declare"],
        activated=tuple(state["activated"]),
        out=tuple(who for who, model in state["models"].items() if model["out"]),
        open=tuple(
            (one["id"], sentence(one["what"], one["who"], one["text"], table.names)) for one in state["open"]
        ),
        log=tuple(log[-80:]),
        undo=bool(game.past),
        redo=bool(game.future),
        statuses=tuple(table.pack.file.statuses),
        vehicles=tuple(one.id for one in table.scene.fighters if table.is_vehicle(one.id)),
        missing=tuple(piece.id for piece in table.scene.terrain if piece.id not in state["pieces"]),
    )
