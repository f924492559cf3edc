"""Orders in the window: given, rolled for, shown, taken back; in a game and on a board where everybody moves as they like."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sandbox.moves.answers import Point
from sandbox.scene import Scene
from sandbox.view.window.orders import Order, act
from sandbox.view.window.state import Changed, Mode, Playing, Step, after
from sandbox.view.window.talk import ActionInfo, Board, FallPath, GameView, Played, WayAnswer
from sandbox.view.window.trials import Trials


class Ordering(Trials):
    """The part of a session that plays; the rest is `Session`."""

    path: Path
    saved_scene: Scene | None
    mode: Mode
    target: str | None
    hover: WayAnswer | None
    pinned: bool
    plan: list[WayAnswer]
    queue: list[dict[str, Any]]
    order: Order | None
    playing: Playing | None
    past: list[Step]
    future: list[Step]
    log: list[tuple[str, ...]]
    refused: tuple[str, ...]
    aim: Point | None
    route: list[Point]
    _serial: int
    _wanted: Any

    @property
    def waiting(self) -> bool:
        """Whether a newer board than the one shown is being worked out."""
        raise NotImplementedError

    @property
    def unsaved(self) -> bool:
        """Whether the scene differs from its file."""
        raise NotImplementedError

    def say(self, text: str, *, bad: bool = False) -> None:
        """Tell something for a while."""
        raise NotImplementedError

    def info(self, action: str | None = None) -> ActionInfo | None:
        """One action of the chosen fighter."""
        raise NotImplementedError

    def load(self) -> None:
        """Read the file anew."""
        raise NotImplementedError

    def _take(self, board: Board) -> None:
        raise NotImplementedError

    # -- games -------------------------------------------------------------------------------------------------

    @property
    def game(self) -> GameView | None:
        """The game that is played; None: everybody moves as they like."""
        return None if self.board is None else self.board.game

    @property
    def measures(self) -> bool:
        """Whether distances may be told before an action is declared."""
        return self.game is None or not self.game.declare

    @property
    def told(self) -> list[tuple[str, ...]]:
        """What has happened, an order each, in lines."""
        return self.log if self.game is None else list(self.game.log)

    def begin_game(self, path: Path | None, *, strict: bool = True, declare: bool | None = None) -> None:
        """Begin a game on this board, kept in a file (None: one in the user's own folder)."""
        if self.unsaved or self.scene is None:
            self.say("save the scene first: a game is kept together with it", bad=True)
            return
        if self.what_if:
            self.what_if.clear()
            self.show(self.scene)
        self._sit("keeper.begin", path, strict, declare)

    def open_game(self, path: Path) -> None:
        """Go on with a game that is kept in a file."""
        self._sit("keeper.open", path)

    def _sit(self, name: str, *args: Any) -> None:
        self.worker.ask("game", name, *args, self._serial + 1, then=self._sat, failed=self.fault)

    def _sat(self, board: Board) -> None:
        self.past.clear()
        self.future.clear()
        self.drop_tape()
        self.lay(None)
        self.mode = Mode.PLAY
        self._stands(board)
        if board.game is not None:
            self.path, self.saved_scene = board.scene.path, self.scene
            self.say(f"the game is kept in {board.game.path}")

    def leave_game(self) -> None:
        """The scene again as its file has it; the game stays in its own."""
        if self.order is None and self.playing is None:
            self.load()

    # -- giving an order ---------------------------------------------------------------------------------------

    def go(self) -> bool:
        """Order what is shown (after what was planned); whether there was anything to order."""
        found = [(one.question, one.move.to) for one in self.plan]
        if self.hover is not None and self.hover.move.legal:
            found.append((self.hover.question, self.hover.move.to))
        orders = [act(q.fighter, q.action, to, q.target) for q, to in found]
        if self.route and self.fighter is not None:
            orders = [{"do": "drive", "who": self.fighter, "path": [[p[0], p[1]] for p in self.route]}]
        if not orders or not self.give(orders[0]):
            return False
        self.plan, self.queue, self.route = [], orders[1:], []
        return True

    def go_to(self, at: Point) -> None:
        """Declare the chosen action towards a place: how far it is nobody knows before."""
        if self.fighter is not None:
            self.give(act(self.fighter, self.action, at, self.target))

    def do_here(self) -> None:
        """Take the chosen action where the fighter is."""
        if self.fighter is not None:
            self.give(act(self.fighter, self.action, None, self.target))

    def give(self, what: dict[str, Any] | str) -> bool:
        """Give an order, also one that was typed as a line; whether it was taken."""
        busy = self.order is not None or self.playing is not None or self.worker.busy("order")
        if self.waiting or busy or self.scene is None:
            return False
        self.order, self.refused = Order(what), ()
        self.pinned = False
        self.hover, self._wanted, self.aim = None, None, None
        self.changed |= Changed.WAY
        self._ask_order(())
        return True

    def _ask_order(self, faces: tuple[int, ...], *, roll: bool = False) -> None:
        order = self.order
        assert order is not None
        what = order.what if order.played is None else order.played.order
        self.worker.ask(
            "order", "keeper.order", what, faces, roll, self._serial + 1,
            then=self._answered, failed=self._not_ordered,
        )  # fmt: skip

    def _answered(self, played: Played) -> None:
        order = self.order
        if order is None:
            return
        order.played = played
        if played.refused:
            self.order, self.queue, self.refused = None, [], played.refused
            self.say(played.refused[0], bad=True)
        elif played.needs is None and not played.faces:
            self.finish_order()

    def _not_ordered(self, why: str) -> None:
        """An order that cannot be, or a result that the dice cannot show."""
        if self.order is not None and self.order.played is None:
            self.order, self.queue = None, []
        self.fault(why)

    def roll(self, typed: int | None = None) -> None:
        """Roll (or take) the next die of the order."""
        if self.order is None or self.order.played is None or self.order.waiting is None:
            return
        if not self.worker.busy("order"):
            faces = self.order.played.faces
            self._ask_order(faces if typed is None else (*faces, typed), roll=typed is None)

    def cancel_order(self) -> None:
        """Take an order back before any die is on the table; what was declared unmeasured stands."""
        if self.order is not None and not self.order.rolled and not self.order.over and self.measures:
            self.order, self.queue = None, []
            self.worker.forget("order")
            self.changed |= Changed.WAY

    # -- what comes of it --------------------------------------------------------------------------------------

    def finish_order(self) -> None:
        """All dice are on the table: what comes of it is shown, then it stands."""
        if self.order is None or not self.order.over or self.board is None:
            return
        played = self.order.played
        assert played is not None
        self.order = None
        if not played.reached:
            self.queue = []
        self.playing = Playing(played)
        self.changed |= Changed.WAY
        if played.acts:
            self._ask_fall()
        else:
            self.played()

    def _ask_fall(self) -> None:
        """The next fall of what is being played, one after the other."""
        playing, board = self.playing, self.board
        wanted = None if playing is None else playing.next_fall()
        if playing is None or board is None or wanted is None:
            return
        who, start, end = wanted
        mark = next((f for f in board.fighters if f.name == who), None)
        if mark is None:
            playing.falls.setdefault(who, []).append(None)
            self._ask_fall()
            return

        def then(path: FallPath) -> None:
            if self.playing is playing:
                playing.falls.setdefault(who, []).append(path)
                self._ask_fall()

        def failed(why: str) -> None:
            self.say(why, bad=True)
            if self.playing is playing:
                self.played()

        self.worker.ask(
            "eye:fall", "eye.fall", start, end, mark.base_mm, mark.height, then=then, failed=failed
        )

    def played(self) -> None:
        """The outcome has been shown: now it stands."""
        if self.playing is None or self.scene is None:
            return
        played, self.playing = self.playing.played, None
        for acts in played.acts:
            self.what_if.pop(acts.who, None)
        if played.board is not None:
            self._stands(played.board)
        elif played.stepped is not None:
            self.do(
                Step(self.scene, after(self.scene, played.stepped), played.words, dice=bool(played.faces))
            )
        if self.queue:
            wanted = self.queue.pop(0)
            self.order = Order(wanted)
            self._ask_order(())

    def _stands(self, board: Board) -> None:
        """A board of a game is the present one."""
        self._serial = board.serial
        self.scene = board.scene
        self._wanted = None
        if board.game is not None and board.game.declare:
            # Nothing that was measured before stays to be seen.
            self.plan = []
            self.drop_tape()
            self.lay(None)
            self.mode = Mode.PLAY
        self._take(board)

    # -- history -----------------------------------------------------------------------------------------------

    def do(self, step: Step) -> None:
        """A change of the scene that can be undone."""
        self.past.append(step)
        self.future.clear()
        self.log.append(step.words)
        self.show(step.after)

    def edit(self, scene: Scene, words: str) -> None:
        """A change by building."""
        if self.scene is not None and scene is not self.scene and self.game is None:
            self.do(Step(self.scene, scene, (words,)))

    def undo(self) -> None:
        """Take the last change back."""
        if self._game_again("keeper.undo") or not self.past:
            return
        step = self.past.pop()
        self.future.append(step)
        self.log.append((f"undone: {step.words[0]}",))
        if step.dice:
            self.say("undone; the dice stay as they fell and count again when it is done again")
        self.show(step.before)

    def redo(self) -> None:
        """Do again what was taken back, with the same dice."""
        if self._game_again("keeper.redo") or not self.future:
            return
        step = self.future.pop()
        self.past.append(step)
        self.log.append((f"done again: {step.words[0]}", *step.words[1:]))
        self.show(step.after)

    def _game_again(self, name: str) -> bool:
        """Whether history is a game's, or cannot be touched now."""
        if self.order is not None or self.playing is not None:
            return True
        self.plan, self.route = [], []
        if self.game is None:
            return False
        self.worker.ask("order", name, self._serial + 1, then=self._stands, failed=self.fault)
        return True
