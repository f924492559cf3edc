"""Mouse and keys: what is under the mouse, clicks, drags, the wheel, and what each key does."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np
from panda3d import core

from sandbox.kinds import DOORS
from sandbox.rules.words import Target
from sandbox.units import inches
from sandbox.view.camera import Camera
from sandbox.view.labels import pixel as pixel_of
from sandbox.view.model import FighterMark
from sandbox.view.window import building
from sandbox.view.window.state import Changed, Mode
from sandbox.view.window.talk import Picked

if TYPE_CHECKING:
    from sandbox.view.window.app import App

FINGER = 18.0
"""pixels around a thing in which a click means it."""
CLICK = 4.0
"""pixels that a mouse may move during a click."""
KEYS = (
    "f", "t", "h", "x", "p", "b", "m", "z", "y", "s", "d", "q", "e", "escape", "delete", "page_up", "page_down",
    "[", "]", "enter", "arrow_left", "arrow_right", "arrow_up", "arrow_down",
)  # fmt: skip


class Hands:
    """The user's hands on one window."""

    def __init__(self, app: App) -> None:
        """app: what they steer."""
        self.app = app
        self.active = time.monotonic()
        """when something was last done."""
        self._pressed: dict[str, tuple[float, float]] = {}
        self._press_at = (0.0, 0.0)
        self._last: tuple[float, float] | None = None
        self._dragged = False
        self._drag: tuple[str, np.ndarray[Any, Any], float] | None = None
        self._drag_shift = np.zeros(3)
        self._events: list[tuple[str, bool]] = []
        self._hover_at: tuple[float, float] | None = None
        self._hover_cut: float | None = None
        self._hover_eye: Camera | None = None
        self._accept()

    @property
    def busy(self) -> bool:
        """Whether a button is held down."""
        return bool(self._pressed)

    # -- mouse and keys ----------------------------------------------------------------------------------------

    def _accept(self) -> None:
        base = self.app.screen.base
        for holder in (base.mouseWatcherNode, base.buttonThrowers[0].node()):
            # Names of keys stay plain; what else is held down is asked for when it matters.
            holder.set_modifier_buttons(core.ModifierButtons())
        base.accept("imgui-new-frame", self.app.draw_panels)
        for name in ("mouse1", "mouse2", "mouse3"):
            base.accept(name, self._events.append, [(name, True)])
            base.accept(f"{name}-up", self._events.append, [(name, False)])
        for name in ("wheel_up", "wheel_down", *KEYS):
            base.accept(name, self._events.append, [(name, True)])

    def held(self, name: str) -> bool:
        """Whether a modifier key (shift, control) is held down."""
        watcher = self.app.screen.base.mouseWatcherNode
        return bool(watcher.is_button_down(core.ButtonRegistry.ptr().get_button(name)))

    def step(self) -> None:
        """Take what happened since the last frame."""
        at = self.app.screen.pointer()
        box = self.app.view_box
        inside = at is not None and box[0] <= at[0] < box[2] and box[1] <= at[1] < box[3]
        free = inside and not self.app.backend.io.want_capture_mouse
        view = None if at is None else (at[0] - box[0], at[1] - box[1])
        events, self._events[:] = list(self._events), []
        if events or at != self._last:
            self.active = time.monotonic()
        for name, down in events:
            if name.startswith("mouse"):
                self._button(name, down, view, free)
            elif name.startswith("wheel"):
                if free and view is not None:
                    self._wheel(1.0 if name == "wheel_up" else -1.0, view)
            elif not self.app.backend.io.want_text_input:
                self._key(name)
        if view is not None and at != self._last:
            self._moved(view, free)
        self._last = at
        self._hover(view if free and not self._pressed else None)

    def _button(self, name: str, down: bool, view: tuple[float, float] | None, free: bool) -> None:
        if down:
            if free and view is not None:
                self._pressed[name] = view
                self._dragged = False
                self._press_at = view
                if name == "mouse1":
                    self._grab(view)
            return
        if name not in self._pressed:
            return
        del self._pressed[name]
        if self._drag is not None and name == "mouse1":
            self._release()
        elif not self._dragged and name == "mouse1" and view is not None:
            self._click(view)
        elif not self._dragged and name == "mouse3":
            self.app.session.pin()

    def _moved(self, view: tuple[float, float], free: bool) -> None:
        if not self._pressed or self._last is None:
            return
        box = self.app.view_box
        before = (self._last[0] - box[0], self._last[1] - box[1])
        across, down = view[0] - before[0], view[1] - before[1]
        if not self._dragged and np.hypot(view[0] - self._press_at[0], view[1] - self._press_at[1]) > CLICK:
            self._dragged = True
        if not self._dragged:
            return
        if self._drag is not None:
            self._pull(view)
        elif "mouse2" in self._pressed or self.held("shift"):
            self.app.orbit.pan(across, -down)
        else:
            self.app.orbit.turn(across, down)

    def _wheel(self, notches: float, view: tuple[float, float]) -> None:
        if self.held("shift") and self.app.session.board is not None:
            self.app.step_level(notches > 0)
            return
        at = self._under(view)
        self.app.orbit.zoom(notches, at)

    def _under(self, view: tuple[float, float]) -> np.ndarray[Any, Any] | None:
        """The point under the mouse: what was picked last if the mouse still points at it, else on the table."""
        picked = self.app.session.picked.at
        if picked is not None:
            pixel = pixel_of(self.app.orbit.camera, picked, self.app.view_size)
            if np.hypot(pixel[0] - view[0], pixel[1] - view[1]) < 12:
                return np.asarray(picked)
        return self.app.orbit.on_plane(view, 0.0)

    def _key(self, name: str) -> None:
        session = self.app.session
        control = self.held("control")
        if control:
            actions = {"z": session.undo, "y": session.redo, "s": session.save, "d": self.app.duplicate}
            if name in actions:
                actions[name]()
            return
        actions = {
            "f": self.app.frame_chosen,
            "t": self.app.view_above,
            "h": self.app.view_whole,
            "x": self.app.toggle_xray,
            "p": self.app.toggle_proof,
            "b": lambda: self.app.set_mode(Mode.PLAY if session.mode is Mode.BUILD else Mode.BUILD),
            "m": lambda: self.app.set_mode(Mode.PLAY if session.mode is Mode.TAPE else Mode.TAPE),
            "[": lambda: self.app.step_level(False),
            "]": lambda: self.app.step_level(True),
            "enter": self.app.confirm,
            "escape": self.app.back,
            "delete": self.app.delete,
            "q": lambda: self.app.turn_chosen(1),
            "e": lambda: self.app.turn_chosen(-1),
            "page_up": lambda: self.app.nudge(0, 0, 1),
            "page_down": lambda: self.app.nudge(0, 0, -1),
            "arrow_left": lambda: self.app.nudge(-1, 0, 0),
            "arrow_right": lambda: self.app.nudge(1, 0, 0),
            "arrow_up": lambda: self.app.nudge(0, 1, 0),
            "arrow_down": lambda: self.app.nudge(0, -1, 0),
        }
        if name in actions:
            actions[name]()

    # -- picking -----------------------------------------------------------------------------------------------

    def _hover(self, view: tuple[float, float] | None) -> None:
        """Ask what is under the mouse, one question at a time."""
        session = self.app.session
        if session.board is None or self.app.orbit.moving:
            return
        if view is None:
            if not self._pressed and self._hover_at is not None:
                self._hover_at = None
                session.point_at(None)
            return
        if (
            view == self._hover_at
            and self._hover_cut == self.app.cut
            and self._hover_eye == self.app.orbit.camera
        ):
            return
        if session.worker.busy("eye:pick"):
            return
        self._hover_at, self._hover_cut, self._hover_eye = view, self.app.cut, self.app.orbit.camera
        start, direction = self.app.orbit.ray(view)
        session.worker.ask(
            "eye:pick", "eye.pick", start, direction, self.app.cut, then=self._picked, failed=session.fault
        )

    def _picked(self, picked: Picked) -> None:
        session = self.app.session
        session.picked = picked
        if session.mode is Mode.TAPE:
            if len(session.tape_points) == 1 and picked.at is not None:
                session.measure_to(picked.at)
            return
        if session.mode is Mode.BUILD:
            return
        session.point_at(picked.at)

    def fighter_under(self, view: tuple[float, float]) -> str | None:
        """The fighter whose upright body the line of sight meets first."""
        board = self.app.session.board
        if board is None:
            return None
        start, direction = (np.asarray(value) for value in self.app.orbit.ray(view))
        best: tuple[float, str] | None = None
        for fighter in board.fighters:
            if self.app.cut is not None and fighter.at[2] > self.app.cut:
                continue
            far = _meets(start, direction, fighter)
            if far is not None and (best is None or far < best[0]):
                best = (far, fighter.name)
        if best is None:
            return None
        picked = self.app.session.picked.at
        if picked is not None and float(np.linalg.norm(np.asarray(picked) - start)) < best[0] - 3.0:
            # Behind a wall; close ones still count, because bodies shine through.
            return best[1] if self.app.ghosts else None
        return best[1]

    def _click(self, view: tuple[float, float]) -> None:
        session = self.app.session
        who = self.fighter_under(view)
        if session.mode is Mode.TAPE:
            mark = self.app.mark(who)
            at = mark.at if mark is not None else session.picked.at
            if at is not None:
                session.measure_at(at)
            return
        if session.mode is Mode.BUILD:
            self.app.choose_piece(who or session.picked.piece or None)
            return
        if session.order is not None or session.playing is not None:
            return
        if self._aimed(view, who):
            return
        info = session.info()
        if who is not None and who == session.target and info is not None and info.target is Target.ENEMY:
            # clicked once more: into contact with it, wherever that is best
            session.do_here()
            return
        if who is not None and who != session.fighter:
            session.select(who)
            return
        if info is not None and info.drives and session.picked.at is not None:
            session.route.append(session.picked.at)
            session.changed |= Changed.WAY
        elif session.hover is not None and session.hover.move.legal:
            if self.held("shift"):
                session.plan_on()
            else:
                session.go()
        elif session.aim is not None:
            session.go_to(session.aim)
        elif session.fighter is not None and who is None and session.picked.at is None:
            session.select(None)

    def _aimed(self, view: tuple[float, float], who: str | None) -> bool:
        """Whether the click aims the chosen action at something."""
        session = self.app.session
        info, enemy = session.info(), self.app.mark(who)
        if info is None or not info.needs_target or session.fighter is None:
            return False
        found: str | None = None
        other = enemy is not None and who != session.fighter
        match info.target:
            case Target.ENEMY if enemy is not None and other and enemy.side != self.app.side():
                found = who
            case Target.MODEL if other:
                found = who
            case Target.ITEM:
                found = self.item_under(view) or (who if other else None)
            case Target.DOOR if session.board is not None:
                kind = session.board.piece_kinds.get(session.picked.piece)
                found = session.picked.piece if kind in DOORS else None
        if found is None or found == session.target:
            return False
        session.aim_at(found)
        return True

    def item_under(self, view: tuple[float, float]) -> str | None:
        """The thing that is seen nearest to a pixel, within a finger's breadth."""
        board = self.app.session.board
        found = [] if board is None else [item for item in board.items if not item.holder]
        if not found:
            return None
        pixels = [pixel_of(self.app.orbit.camera, item.at, self.app.view_size) for item in found]
        apart = [float(np.hypot(x - view[0], y - view[1])) for x, y in pixels]
        nearest = int(np.argmin(apart))
        return found[nearest].name if apart[nearest] < FINGER else None

    def _grab(self, view: tuple[float, float]) -> None:
        """Begin to drag what is under the mouse, while building."""
        session = self.app.session
        if session.mode is not Mode.BUILD or session.board is None or session.waiting:
            return
        who = self.fighter_under(view)
        name = who or (session.picked.piece if session.picked.at is not None else "")
        if not name or name in ("board", "ceiling"):
            return
        mark = self.app.mark(name)
        at = np.asarray(mark.at if mark is not None else session.picked.at)
        start = self.app.orbit.on_plane(view, float(at[2]))
        if start is None:
            return
        if name != session.piece:
            self.app.choose_piece(name)
        self._drag = (name, start, float(at[2]))
        self._drag_shift = np.zeros(3)

    def _pull(self, view: tuple[float, float]) -> None:
        assert self._drag is not None and self.app.stage is not None
        name, start, height = self._drag
        now = self.app.orbit.on_plane(view, height)
        if now is None or np.linalg.norm(now - start) > 100:
            return
        shift = now - start
        origin = self._origin(name)
        step = 0.0 if self.held("control") else self.app.snap
        self._drag_shift = np.array(
            [
                building.snapped(origin[0] + float(shift[0]), step) - origin[0],
                building.snapped(origin[1] + float(shift[1]), step) - origin[1],
                0.0,
            ]
        )
        who = self.app.stage.fighter(name)
        node = who or self.app.stage.scenery.piece(name)
        if node is not None:
            node.set_pos(*(float(v) for v in self._drag_shift))
            self.app.screen.touch(terrain=who is None)

    def _origin(self, name: str) -> tuple[float, float]:
        scene = self.app.session.scene
        assert scene is not None
        piece, fighter = building.piece(scene, name), building.fighter(scene, name)
        if piece is not None:
            return piece.at[0], piece.at[1]
        return fighter.at if fighter is not None else (0.0, 0.0)

    def _release(self) -> None:
        assert self._drag is not None
        name, _, _ = self._drag
        self._drag = None
        dx, dy, _ = (float(v) for v in self._drag_shift)
        if abs(dx) + abs(dy) > 1e-6:
            self.app.shift(name, dx, dy, 0.0)


def _meets(start: Any, direction: Any, fighter: FighterMark) -> float | None:
    """How far along a ray it meets a fighter's upright cylinder, inches; None where it misses."""
    radius = inches(max(fighter.base_mm)) / 2
    x, y = start[0] - fighter.at[0], start[1] - fighter.at[1]
    a = direction[0] ** 2 + direction[1] ** 2
    b = 2 * (x * direction[0] + y * direction[1])
    c = x * x + y * y - radius * radius
    low, high = fighter.at[2], fighter.at[2] + fighter.height
    found: list[float] = []
    root = b * b - 4 * a * c
    if a > 1e-12 and root >= 0:
        for sign in (-1.0, 1.0):
            t = (-b + sign * np.sqrt(root)) / (2 * a)
            if t > 0 and low <= start[2] + t * direction[2] <= high:
                found.append(float(t))
    for z in (low + 0.13, high):
        if abs(direction[2]) > 1e-9:
            t = (z - start[2]) / direction[2]
            px, py = x + t * direction[0], y + t * direction[1]
            if t > 0 and px * px + py * py <= radius * radius:
                found.append(float(t))
    return min(found, default=None)
