"""What the window knows and wants, without any graphics: the scene, who is asked about, orders, history, the worker.

Whoever draws reads its fields and takes `changed`, the parts that have to be drawn again.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np

from sandbox.moves.answers import Point
from sandbox.scene import Scene
from sandbox.view.camera import Camera
from sandbox.view.relief import Sky
from sandbox.view.window import building
from sandbox.view.window.ordering import Ordering
from sandbox.view.window.orders import Order
from sandbox.view.window.state import (
    Changed,
    Difference,
    Mode,
    Notice,
    Playing,
    Step,
    difference,
)
from sandbox.view.window.talk import (
    ActionInfo,
    Board,
    Overlay,
    OverlayKind,
    Picked,
    Question,
    ReachAnswer,
    Rules,
    Tape,
    WayAnswer,
)
from sandbox.view.window.work import Worker

DESK = "sandbox.view.window.referee:Referee"
SAME = 0.04
"""inches: a hover this near to the last one asks nothing new."""
WATCH = 0.5
"""seconds between two looks at the model files."""


class Session(Ordering):
    """One board in one window."""

    def __init__(self, path: Path, rules: str | None = None) -> None:
        """Starts the worker and asks for the board."""
        self.path = path
        self.rules = Rules(rules)
        self.worker = Worker(DESK, self._restarted)
        self.board: Board | None = None
        self.scene: Scene | None = None
        """as it is now, with everything that was done in the window."""
        self.changed = Changed.NOTHING
        self.error = ""
        """why there is no board at all."""
        self.mode = Mode.PLAY
        self.fighter: str | None = None
        self.piece: str | None = None
        """chosen while building: a piece or a fighter."""
        self.action = "move"
        self.target: str | None = None
        self.reach: ReachAnswer | None = None
        self.hover: WayAnswer | None = None
        self.pinned = False
        """the way shown stays, whatever the mouse does."""
        self.plan: list[WayAnswer] = []
        self.queue: list[dict[str, Any]] = []
        self.order: Order | None = None
        self.playing: Playing | None = None
        self.past: list[Step] = []
        self.future: list[Step] = []
        self.log: list[tuple[str, ...]] = []
        self.refused: tuple[str, ...] = ()
        """why the last order could not be."""
        self.aim: Point | None = None
        """where the mouse points while nothing may be measured."""
        self.route: list[Point] = []
        """places that a vehicle is to drive to, one after the other."""
        self.overlay_kind: OverlayKind | None = None
        self.overlay: Overlay | None = None
        self.zones = False
        """show the distance that enemies keep away."""
        self.proof = False
        self.tape_points: list[Point] = []
        self.tape: Tape | None = None
        self.sky: Sky | None = None
        self.what_if: dict[str, dict[str, Any]] = {}
        self.difference: Difference | None = None
        self.notices: list[Notice] = []
        self.saved_scene: Scene | None = None
        self.picked: Picked = Picked(None)
        self._serial = 0
        self._sent = 0
        self._before: ReachAnswer | None = None
        self._before_what = ""
        self._wanted: tuple[Question, Point] | None = None
        self._asked: tuple[Question, Point] | None = None
        self._watched: dict[str, float] = {}
        self._looked = 0.0
        self._scene_time: float | None = None
        self._stale_file = False
        self.load()

    # -- the board ---------------------------------------------------------------------------------------------

    def load(self) -> None:
        """Read the file anew; what was not saved is gone."""
        self._serial += 1
        self._scene_time = _mtime(self.path)
        self._stale_file = False
        self.worker.ask(
            "board", "load", self.path, self.rules, self._serial, then=self._loaded, failed=self._not_loaded
        )

    def _restarted(self) -> None:
        """A worker that knows nothing: the game goes on from its last order, a scene as it is on the board."""
        scene = self.scene
        if self.board is None or scene is None:
            return
        self.order, self.playing, self.queue = None, None, []
        if self.game is not None:
            self.open_game(Path(self.game.path))
            return
        self.worker.ask("again", "load", self.path, self.rules, 0, then=lambda _: None, failed=self.fault)
        self.show(scene)

    def _not_loaded(self, why: str) -> None:
        if self.board is None:
            self.error = why
        self.say(why, bad=True)

    def _loaded(self, board: Board) -> None:
        self.scene = self.saved_scene = board.scene
        self.path = board.scene.path
        self._scene_time = _mtime(self.path)
        self.past.clear()
        self.future.clear()
        self.log.clear()
        self.what_if.clear()
        self._take(board)
        for warning in board.warnings[:6]:
            self.say(warning)

    def _take(self, board: Board) -> None:
        self.error = ""
        self.board = board
        self.changed |= Changed.FIGHTERS
        if board.prepared is not None:
            self.changed |= Changed.ALL
            self.overlay = None
        self._watched = dict(board.models)
        if board.prepared is not None:
            for topic, what in (("eye:ready", "eye.ready"), ("ready", "ready")):
                self.worker.ask(topic, what, then=lambda _: None, failed=lambda _: None)
        names = {f.name for f in board.fighters}
        if self.fighter not in names:
            self.fighter = None
        if self.target not in names:
            self.target = None
        self.hover = None
        self.changed |= Changed.WAY
        self._keep_to_what_is_allowed()
        self._ask_reach()
        if self.overlay_kind is not None:
            self._ask_overlay()

    def _keep_to_what_is_allowed(self) -> None:
        """A fighter that may not do what was chosen any more is asked about something that it may."""
        found = self.info()
        if self.fighter is not None and (found is None or not found.allowed):
            self.action = next((i.id for i in self.infos() if i.allowed), "move")
            self.target = None
        self.route = []

    def show(self, scene: Scene, *, reload: bool = False) -> None:
        """Make `scene` the present one and let the worker work it out."""
        self.scene = scene
        self._serial += 1
        self._wanted = self._asked = None
        self.worker.forget("way")
        self.worker.ask(
            "board",
            "reload" if reload else "show",
            self.shown(),
            self.rules,
            self._serial,
            then=self._take,
            failed=self._refused_scene,
        )

    def _refused_scene(self, why: str) -> None:
        """A change that cannot be: it is taken back."""
        self.say(why, bad=True)
        if self.past and self.scene is self.past[-1].after:
            step = self.past.pop()
            self.show(step.before)

    def shown(self) -> Scene:
        """The scene under what is being tried on the spot."""
        assert self.scene is not None
        scene = self.scene
        for name, values in self.what_if.items():
            if building.fighter(scene, name) is not None:
                scene = building.change_fighter(scene, name, **values)
        return scene

    @property
    def waiting(self) -> bool:
        """Whether a newer board than the one shown is being worked out."""
        return self.board is None or self.board.serial != self._serial

    @property
    def unsaved(self) -> bool:
        """Whether the scene differs from its file."""
        return self.scene is not None and self.scene is not self.saved_scene

    # -- who is asked about ------------------------------------------------------------------------------------

    def question(self) -> Question | None:
        """Whose moves are on the board now."""
        if self.fighter is None or self.board is None:
            return None
        at = self.plan[-1].move.to if self.plan else None
        return Question(self.board.serial, self.fighter, self.action, self.target, at)

    def infos(self) -> tuple[ActionInfo, ...]:
        """The chosen fighter's actions."""
        if self.board is None or self.fighter is None:
            return ()
        return self.board.actions.get(self.fighter, ())

    def info(self, action: str | None = None) -> ActionInfo | None:
        """One action of the chosen fighter."""
        return next((i for i in self.infos() if i.id == (action or self.action)), None)

    def select(self, fighter: str | None) -> None:
        """Ask about a fighter, or about nobody."""
        if fighter == self.fighter:
            return
        self.fighter, self.target, self.plan, self.route = fighter, None, [], []
        self.aim, self.refused = None, ()
        self.difference = None
        self._keep_to_what_is_allowed()
        self.changed |= Changed.FIGHTERS | Changed.REACH | Changed.WAY
        self.reach = self.hover = None
        self._ask_reach()
        if self.overlay_kind is not None:
            self._ask_overlay()

    def choose(self, action: str) -> None:
        """Another action for the same fighter."""
        self.action, self.target, self.plan, self.difference = action, None, [], None
        self.route, self.aim, self.refused = [], None, ()
        self._again()

    def aim_at(self, target: str | None) -> None:
        """The enemy that an action is aimed at."""
        self.target = target
        self._again()

    def _again(self) -> None:
        self.reach = self.hover = None
        self.pinned = False
        self.changed |= Changed.REACH | Changed.WAY
        self._ask_reach()

    def needs_target(self) -> bool:
        """Whether the chosen action waits for an enemy to be clicked."""
        found = self.info()
        return bool(found and found.needs_target and self.target is None)

    @property
    def asks(self) -> bool:
        """Whether the chosen action has a reach that may be shown."""
        found = self.info()
        return self.measures and found is not None and not found.drives

    def _ask_reach(self) -> None:
        self.worker.forget("reach")
        question = self.question()
        if question is None or self.needs_target() or not self.asks:
            self.reach = None
            self.changed |= Changed.REACH
            return
        self.worker.ask("reach", "reach", question, then=self._reached, failed=self.fault)

    def _reached(self, answer: ReachAnswer) -> None:
        if answer.question != self.question():
            return
        self.reach = answer
        if self._before is not None:
            self.difference = difference(self._before, answer, self._before_what)
            self._before = None
        self.changed |= Changed.REACH

    def fault(self, why: str) -> None:
        """Something could not be answered."""
        self.say(why, bad=True)

    # -- hovering ----------------------------------------------------------------------------------------------

    def point_at(self, at: Point | None) -> None:
        """The mouse is over a place of the board (or over none): ask for the way there, one question at a time."""
        if self.pinned or self.order is not None or self.playing is not None:
            return
        question = self.question()
        blind = not self.asks
        aim = at if blind and question is not None and not self.needs_target() else None
        if aim != self.aim:
            self.aim = aim
            self.changed |= Changed.WAY
        if blind:
            at = None
        if at is None or question is None or self.needs_target() or self.waiting:
            self._wanted = None
            if self.hover is not None:
                self.hover = None
                self.changed |= Changed.WAY
            return
        self._wanted = (question, at)
        self._ask_way()

    def _ask_way(self) -> None:
        if self._wanted is None or self.worker.busy("way"):
            return
        if self._asked is not None and self._asked[0] == self._wanted[0]:
            apart = np.linalg.norm(np.subtract(self._asked[1], self._wanted[1]))
            if apart < SAME and self.hover is not None:
                return
        self._asked = self._wanted
        question, at = self._wanted
        self.worker.ask("way", "way", question, at, None, then=self._found, failed=self.fault)

    def _found(self, answer: WayAnswer) -> None:
        if answer.question != self.question() or self._wanted is None or self.playing or self.order:
            return
        self.hover = answer
        self.changed |= Changed.WAY
        self._ask_way()

    def pin(self) -> None:
        """Keep the way that is shown, or let it go."""
        self.pinned = not self.pinned and self.hover is not None

    # -- planning ----------------------------------------------------------------------------------------------

    def plan_on(self) -> None:
        """Add the way that is shown to the plan, and ask on from its end."""
        if self.hover is None or not self.hover.move.legal:
            return
        self.plan.append(self.hover)
        self.pinned = False
        self._again()

    def drop_plan(self) -> None:
        """Forget the plan."""
        if self.plan:
            self.plan = []
            self._again()

    # -- building ----------------------------------------------------------------------------------------------

    def drop_piece(self, name: str) -> None:
        """Let a piece down (or up) to where it rests."""
        if self.scene is None or self.waiting:
            return

        def then(z: float) -> None:
            own = None if self.scene is None else building.piece(self.scene, name)
            if own is not None and self.scene is not None and abs(own.at[2] - z) > 1e-4:
                at = (own.at[0], own.at[1], z)
                self.edit(building.change_piece(self.scene, name, at=at), f"{name} rests at {z:g} in")

        self.worker.ask("rest", "rest", name, then=then, failed=self.fault)

    # -- files -------------------------------------------------------------------------------------------------

    def save(self, path: Path | None = None, *, force: bool = False) -> None:
        """Write the scene back with its comments, or to another file."""
        if self.scene is None:
            return
        wanted = self.scene

        def then(answer: tuple[Scene, str]) -> None:
            scene, where = answer
            self.path = Path(where)
            self._scene_time = _mtime(self.path)
            self.say(f"saved to {where}")
            if self.scene is wanted:
                # Read again: new entries have their places in the file now.
                self.saved_scene = scene
                self.past.clear()
                self.future.clear()
                self.show(scene)

        self.worker.ask("save", "save", wanted, path, then=then, failed=self.fault)

    def record(self, what: str, path: Path, size: tuple[int, int], camera: Camera) -> None:
        """Let the worker draw a ``picture`` or a ``clip`` of what is shown, with legend and labels."""
        question = self.question() if self.asks else None
        at = None
        if self.hover is not None and question is not None:
            question, at = self.hover.question, self.hover.move.to
        self.say(f"drawing the {what} ...")
        self.worker.ask(
            what, what, path, size, camera, question, at,
            then=lambda where: self.say(f"{what}: {where}"), failed=self.fault,
        )  # fmt: skip

    def watch(self) -> None:
        """Notice models (and the scene file) that changed on disk, and read them again."""
        now = time.monotonic()
        if now - self._looked < WATCH or self.board is None or self.scene is None or self.game is not None:
            return
        self._looked = now
        for model, known in self._watched.items():
            seen = _mtime(Path(model))
            if seen is not None and seen != known and time.time() - seen > 0.3:
                self.say(f"{Path(model).name} has changed: read again")
                self._watched[model] = seen
                self.show(self.scene, reload=True)
        seen = _mtime(self.path)
        if seen is not None and self._scene_time is not None and seen != self._scene_time:
            self._scene_time = seen
            self._stale_file = True

    @property
    def stale_file(self) -> bool:
        """Whether somebody else changed the scene file."""
        return self._stale_file

    def say(self, text: str, *, bad: bool = False) -> None:
        """Tell something for a while."""
        self.notices = [n for n in self.notices if n.text != text][-5:]
        self.notices.append(Notice(text, bad))

    def tick(self) -> bool:
        """What has to be done every frame; whether an answer has come."""
        came = self.worker.poll()
        self._ask_way()
        self.watch()
        now = time.monotonic()
        self.notices = [n for n in self.notices if now - n.since < (12.0 if n.bad else 7.0)]
        return came

    def close(self) -> None:
        """End the worker."""
        self.worker.close()


def _mtime(path: Path) -> float | None:
    try:
        return path.stat().st_mtime
    except OSError:
        return None


def _point(values: Any) -> Point:
    return float(values[0]), float(values[1]), float(values[2])
