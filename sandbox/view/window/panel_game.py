"""The panel of a game: beginning and opening one, whose turn it is, what is open, orders by hand and as a line."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from imgui_bundle import imgui

from sandbox.view import palette
from sandbox.view.window import widgets

if TYPE_CHECKING:
    from sandbox.view.window.app import App
    from sandbox.view.window.talk import GameView

PUSHES = ("knockback", "drag", "hurl")
NEAR = 4.0
"""inches around a fighter in which things are offered to it; whether it reaches them the rules say."""
MOST = 6
"""words that are offered while a line is typed."""


class GamePanel:
    """Playing a game that is kept."""

    def __init__(self, app: App) -> None:
        """app: what it reads and steers."""
        self.app = app
        self.path = ""
        self._strict = True
        self._first = True
        self._line = ""
        self._offered: tuple[str, list[tuple[str, str]]] = ("", [])
        self._status = ""
        self._push = {"how": PUSHES[0], "by": "", "strength": 3, "inches": 0.0}
        self._facing = 90.0

    # -- at the top --------------------------------------------------------------------------------------------

    def left(self) -> None:
        """The game and its turn, or how to begin one."""
        game = self.app.session.game
        if game is None:
            self._begin()
        else:
            self._turn(game)
            self._open(game)

    def _begin(self) -> None:
        session = self.app.session
        board = session.board
        if board is None or not board.fighters or not imgui.collapsing_header("Play a game"):
            return
        _, self._strict = widgets.check("activations and actions are counted", self._strict)
        _, self._first = widgets.check("declared before it is measured", self._first)
        widgets.tip("where the rules say so; without it distances may be measured freely, for practice")
        imgui.set_next_item_width(-1)
        _, self.path = imgui.input_text_with_hint("##game", "file; empty: a new one", self.path)
        file = Path(self.path).expanduser() if self.path.strip() else None
        if widgets.button("Begin", on=True):
            session.begin_game(file, strict=self._strict, declare=None if self._first else False)
        imgui.same_line()
        if widgets.button("Open", enabled=file is not None) and file is not None:
            session.open_game(file)
        widgets.tip("go on with a game of the window or of `sandbox play`")

    def _turn(self, game: GameView) -> None:
        session, fonts = self.app.session, self.app.fonts
        widgets.heading(f"GAME: turn {game.turn}", fonts)
        if game.actions:
            count = f"{game.left} of {game.actions} actions left"
            nobody = "Nobody is activated." if session.order is None else "An order is being resolved."
            told = f"{game.active}: {count}" if game.active else nobody
            widgets.text(told, palette.INK if game.active else palette.FAINT_INK)
        if game.actions:
            if widgets.button("End activation", enabled=game.active is not None):
                session.give({"do": "end"})
            imgui.same_line(0, 4)
        if widgets.button("End turn"):
            session.give({"do": "turn"})
        changed, on = widgets.check("declare first", game.declare)
        widgets.tip("off: distances may be measured before an action is declared, for practice")
        if changed:
            session.give({"do": "declare", "on": on})
        imgui.same_line()
        if widgets.button("Leave the game"):
            session.leave_game()
        widgets.tip(f"kept in {game.path}")

    def _open(self, game: GameView) -> None:
        """What the players have to say something about."""
        session, fonts = self.app.session, self.app.fonts
        if not game.open:
            return
        widgets.heading("WHAT CAME OF IT?", fonts)
        for number, text in game.open:
            widgets.text(text)
            for label, more in RESOLVED:
                if widgets.button(f"{label}##{number}"):
                    session.give({"do": "resolve", "event": number, **more})
                imgui.same_line(0, 4)
            imgui.new_line()
            imgui.set_next_item_width(-1)
            if imgui.begin_combo(f"##resolved{number}", "a status"):
                for status in game.statuses:
                    if imgui.selectable(status, False)[0]:
                        session.give({"do": "resolve", "event": number, "status": status})
                imgui.end_combo()

    # -- for the chosen fighter --------------------------------------------------------------------------------

    def orders(self) -> None:
        """What players do by hand, and the line on which everything can be typed."""
        session = self.app.session
        game, who = session.game, session.fighter
        assert game is not None
        self._typed_line()
        if who is not None and imgui.collapsing_header(f"By hand: {who}"):
            self._status_of(game, who)
            self._things(who)
            self._pushed(who)
            widgets.field(90)
            _, self._facing = imgui.input_float("##facing", self._facing, 15.0, 45.0, "%.0f")
            imgui.same_line(0, 4)
            if widgets.button("Face"):
                session.give({"do": "face", "who": who, "facing": self._facing})
            widgets.tip("degrees from east")
            if who in game.vehicles:
                imgui.same_line(0, 4)
                if widgets.button("Shoved by 1"):
                    session.give({"do": "shove", "who": who, "inches": 1.0, "facing": self._facing})
                widgets.tip("a collision moves it an inch that way")
        self._terrain(game)

    def _status_of(self, game: GameView, who: str) -> None:
        session = self.app.session
        widgets.field(130)
        if imgui.begin_combo("##status", self._status or "status"):
            for status in game.statuses:
                if imgui.selectable(status, status == self._status)[0]:
                    self._status = status
            imgui.end_combo()
        imgui.same_line(0, 4)
        if widgets.button("Give", enabled=bool(self._status)):
            session.give({"do": "status", "who": who, "status": self._status})
        widgets.tip("next to a lip it may fall")
        if widgets.button("Recovers"):
            session.give({"do": "recover", "who": who})
        imgui.same_line(0, 4)
        if widgets.button("Out"):
            session.give({"do": "out", "who": who})

    def _things(self, who: str) -> None:
        session, mark = self.app.session, self.app.mark(who)
        items = () if session.board is None else session.board.items
        for item in items:
            if item.holder == who and widgets.button(f"Drop {item.name}"):
                session.give({"do": "drop", "who": who, "item": item.name})
            near = mark is not None and math.dist(mark.at, item.at) < NEAR
            if near and not item.holder and widgets.button(f"Take {item.name}"):
                session.give({"do": "take", "who": who, "item": item.name})

    def _pushed(self, who: str) -> None:
        session, board = self.app.session, self.app.session.board
        push: dict[str, Any] = self._push
        others = [f.name for f in board.fighters if f.name != who] if board is not None else []
        for key, values in (("how", PUSHES), ("by", tuple(others))):
            widgets.field(84)
            if imgui.begin_combo(f"##{key}", push[key] or key):
                for value in values:
                    if imgui.selectable(value, value == push[key])[0]:
                        push[key] = value
                imgui.end_combo()
            imgui.same_line(0, 4)
        if widgets.button("Push", enabled=push["by"] in others):
            order = {"do": "push", "who": who, "how": push["how"], "by": push["by"]}
            if push["inches"] > 0:
                order["inches"] = float(push["inches"])
            else:
                order["strength"] = int(push["strength"])
            session.give(order)
        widgets.tip(f"{who} is moved against its will, once the attack has been resolved")
        widgets.field(92)
        _, push["strength"] = imgui.input_int("strength", push["strength"])
        widgets.field(92)
        _, push["inches"] = imgui.input_float("inches, if known", push["inches"], 0.5, 1.0, "%.1f")

    def _terrain(self, game: GameView) -> None:
        """Pieces that are taken off and put back."""
        session = self.app.session
        if not imgui.collapsing_header("Terrain"):
            return
        picked = session.picked.piece
        pieces = [piece.id for piece in session.board.scene.terrain] if session.board is not None else []
        imgui.set_next_item_width(-1)
        if imgui.begin_combo("##off", f"take off the board ({picked})" if picked else "take off the board"):
            for piece in pieces:
                if imgui.selectable(piece, piece == picked)[0]:
                    session.give({"do": "remove", "piece": piece})
            imgui.end_combo()
        for piece in game.missing:
            if widgets.button(f"put {piece} back"):
                session.give({"do": "restore", "piece": piece})

    # -- a line ------------------------------------------------------------------------------------------------

    def _typed_line(self) -> None:
        """Any order as a line, as in `sandbox play`."""
        session = self.app.session
        imgui.set_next_item_width(-1)
        flags = imgui.InputTextFlags_.enter_returns_true
        sent, self._line = imgui.input_text_with_hint(
            "##line", "an order, such as: kal is pinned", self._line, flags
        )
        if sent and self._line.strip():
            if session.give(self._line.strip()):
                self._line = ""
            imgui.set_keyboard_focus_here(-1)
        if self._offered[0] != self._line:
            self._offered = (self._line, [])
            session.worker.ask("words", "keeper.words", self._line, then=self._offer, failed=lambda _: None)
        if self._line and self._offered[1]:
            for word, meta in self._offered[1][:MOST]:
                if imgui.selectable(f"{word}   {meta}##offer", False)[0]:
                    kept, blank, _ = self._line.rpartition(" ")
                    self._line = f"{kept}{blank}{word} "

    def _offer(self, words: list[tuple[str, str]]) -> None:
        self._offered = (self._offered[0], words)


RESOLVED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("nothing", {}),
    ("1 Wound", {"wounds": 1}),
    ("out", {"out": True}),
)
"""what is said of an open event most of the time."""
