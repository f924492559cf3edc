"""The window put together: mouse and keys in, the session asked, the stage and the panels drawn."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from panda3d import core

from sandbox.errors import UserError
from sandbox.units import inches
from sandbox.view import ink
from sandbox.view.camera import Camera
from sandbox.view.compose import board_points
from sandbox.view.model import FighterMark, Reach
from sandbox.view.stage import Stage
from sandbox.view.window import building, labels, panels, style
from sandbox.view.window.extras import Extras
from sandbox.view.window.orbit import Orbit
from sandbox.view.window.player import Player
from sandbox.view.window.screen import Screen
from sandbox.view.window.session import Changed, Mode, Session
from sandbox.view.window.talk import Picked

CLICK = 4.0
"""pixels that a mouse may move during a click."""
KEYS = (
    "f", "t", "h", "x", "p", "b", "m", "z", "y", "s", "d", "q", "e", "escape", "delete", "page_up", "page_down",
    "[", "]", "enter", "arrow_left", "arrow_right", "arrow_up", "arrow_down",
)  # fmt: skip
SLAB = 0.45
"""inches below a floor at which a step of the level cut goes through."""
IDLE = 0.03
"""seconds to sleep between frames while nothing happens."""


class App:
    """One window on one board."""

    def __init__(self, path: Path, rules: str | None = None, *, size: tuple[int, int] = (1440, 900)) -> None:
        """Open the window and ask for the board. UserError where there is no display."""
        self.screen = Screen(f"sandbox: {path.name}", size)
        import p3dimgui  # noqa: PLC0415 - wants an open window

        self.session = Session(path, rules)
        self.backend: Any = p3dimgui.ImGuiBackend(style="light")
        self.backend.io.set_ini_filename("")
        self.fonts = style.Fonts(15.0)
        style.apply()
        self.scale = 1.0
        """size of type and panels."""
        self.millimetres = False
        self.xray = False
        self.ghosts = True
        self.cut: float | None = None
        self.snap = 0.25
        self.snap_turn = 15.0
        self.add_at: tuple[float, float, float] = (0.0, 0.0, 0.0)
        self.panels = panels.Panels(self)
        self.orbit = Orbit(Camera((12.0, 12.0, 0.0), 60.0), self.view_size)
        self.stage: Stage | None = None
        self.extras: Extras | None = None
        self.player: Player | None = None
        self.closed = False
        self.frames = 0
        self.longest = 0.0
        """longest time that a frame took outside of drawing, seconds."""
        self._placed: list[ink.Placed] = []
        self._words_stale = True
        self._words_eye: Camera | None = None
        self._pressed: dict[str, tuple[float, float]] = {}
        self._last: tuple[float, float] | None = None
        self._dragged = False
        self._drag: tuple[str, np.ndarray[Any, Any], float] | None = None
        self._drag_shift = np.zeros(3)
        self._zoom_at: np.ndarray[Any, Any] | None = None
        self._events: list[tuple[str, bool]] = []
        self._tick = time.monotonic()
        self._active = time.monotonic()
        self._digest = ""
        self._framed = False
        self._accept()

    # -- the loop ----------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Until the window is closed. UserError where there is no board to show."""
        try:
            while not self.closed:
                self.frame()
                if self.session.board is None and self.session.error:
                    raise UserError(self.session.error)
        finally:
            self.close()

    def frame(self) -> None:
        """One turn of the loop."""
        now = time.monotonic()
        seconds, self._tick = min(now - self._tick, 0.1), now
        session = self.session
        session.tick()
        self.orbit.size = self.view_size
        if session.changed:
            self._active = now
            self._update()
        self._play(seconds)
        self._input()
        if self.orbit.step(seconds):
            self._active = now
        camera = replace(self.orbit.camera, cut=self.cut)
        self._words(camera)
        moving = self.orbit.moving or bool(self._pressed) or self.player is not None
        drawn = self.screen.draw(camera, self.view_box, moving=moving)
        self.frames += 1
        self.longest = max(self.longest, time.monotonic() - now)
        self.screen.step()
        if self.screen.base.win.is_closed():
            self.closed = True
        if not drawn and time.monotonic() - self._active > 0.5:
            time.sleep(IDLE)

    def close(self) -> None:
        """Close the window and end the worker."""
        self.session.close()
        self.screen.close()

    @property
    def view_box(self) -> ink.Box:
        """Left, top, right, bottom of the board's picture in the window, pixels."""
        width, height = self.screen.size
        left, right = self.panels.widths
        return (left, 0.0, max(width - right, left + 64.0), float(height))

    @property
    def view_size(self) -> tuple[int, int]:
        """Width and height of the board's picture."""
        left, top, right, bottom = self.view_box
        return int(right - left), int(bottom - top)

    # -- from the session to the stage -------------------------------------------------------------------------

    def _update(self) -> None:
        session, board = self.session, self.session.board
        if board is None:
            return
        changed, session.changed = session.changed, Changed.NOTHING
        if board.prepared is not None and board.digest != self._digest:
            changed |= self._new_stage()
        stage, extras = self.stage, self.extras
        if stage is None or extras is None:
            return
        pixel = self.orbit.camera.pixel(self.view_size)
        if changed & Changed.FIGHTERS and self.player is None:
            marks = tuple(replace(f, active=f.name == session.fighter) for f in board.fighters)
            stage.set_fighters(marks, pixel=pixel)
            stage.set_patches(board.patches)
            changed |= Changed.OVERLAY
        if changed & Changed.REACH:
            answer = session.reach if session.overlay_kind is None else None
            stage.xray = self.xray
            if answer is None:
                stage.set_reach(None)
            else:
                stage.set_reach(Reach(answer.spots, answer.allowance), list(answer.layers))
            self._show_plan(pixel)
        if changed & Changed.WAY:
            self._show_way(pixel)
        if changed & Changed.OVERLAY:
            extras.set_overlay(session.overlay)
            side = self._side()
            extras.set_zones(board.fighters, side if session.zones else None, board.keep)
            self._show_chosen()
        if changed & Changed.TAPE:
            extras.set_tape(session.tape, session.tape_points, pixel)
        if changed & Changed.LIGHT and session.sky is not None:
            stage.scenery.set_sky(session.sky)
        self._words_stale = True
        self.screen.touch()

    def _new_stage(self) -> Changed:
        board = self.session.board
        assert board is not None and board.prepared is not None
        if self.stage is not None:
            self.stage.root.remove_node()
        self.stage = Stage(board.prepared, shaded=self.screen.shaded)
        self.extras = Extras(self.stage)
        self._digest = board.digest
        self.stage.set_cut(self.cut, relight=False)
        if self.cut is not None:
            self.session.relight(self.cut)
        if self.xray:
            self.stage.scenery.see_through(True)
        self.screen.set_stage(self.stage)
        if not self._framed:
            self._framed = True
            self.orbit.size = self.view_size
            self.orbit.jump(self._whole())
        return Changed.ALL & ~Changed.LIGHT

    def _side(self) -> str | None:
        mark = self.mark(self.session.fighter)
        return None if mark is None else mark.side

    def mark(self, name: str | None) -> FighterMark | None:
        """The fighter of a name as it stands on the board."""
        board = self.session.board
        return None if board is None else next((f for f in board.fighters if f.name == name), None)

    def _show_way(self, pixel: float) -> None:
        assert self.stage is not None and self.extras is not None
        session, board = self.session, self.session.board
        answer = session.hover
        if answer is None or board is None:
            self.stage.set_way(None)
            self.extras.set_proof(())
            return
        mark = self.mark(answer.question.fighter)
        if mark is not None and answer.question.at is not None:
            mark = replace(mark, at=answer.question.at)
        self.stage.set_way(answer.way, mark, pixel=pixel, others=board.fighters, told=list(answer.stretches))
        rays = tuple(ray for leg in answer.move.legs for ray in leg.rays) if session.proof else ()
        self.extras.set_proof(rays)

    def _show_plan(self, pixel: float) -> None:
        assert self.extras is not None
        planned = []
        for answer in self.session.plan:
            mark = self.mark(answer.question.fighter)
            if mark is not None:
                planned.append((answer.stretches, self.extras.ghost_at(mark, answer.move.to)))
        self.extras.set_plan(planned, pixel)

    def _show_chosen(self) -> None:
        assert self.extras is not None
        session, box = self.session, None
        if session.mode is Mode.BUILD and session.piece is not None and session.scene is not None:
            mark, piece = self.mark(session.piece), building.piece(session.scene, session.piece)
            rows = None if self.stage is None else self.stage.scenery.rows(session.piece)
            if mark is not None:
                half = inches(max(mark.base_mm)) / 2
                ends = np.array([[-half, -half, 0.0], [half, half, mark.height]]) + np.asarray(mark.at)
                box = _box(ends, 0.0)
            elif rows is not None and piece is not None:
                box = _box(rows.corners["pos"].astype(np.float64), piece.turn)
        self.extras.set_chosen(box)

    # -- playing -----------------------------------------------------------------------------------------------

    def _play(self, seconds: float) -> None:
        session = self.session
        if session.playing is None:
            self.player = None
            return
        if self.player is None:
            mark = self.mark(session.playing.fighter)
            if mark is None:
                session.played()
                return
            self.player = Player(session.playing, mark)
        assert self.stage is not None
        matrix, over = self.player.step(seconds)
        node = self.stage.fighter(session.playing.fighter)
        if node is not None:
            node.set_mat(matrix)
        self._active = time.monotonic()
        self.screen.touch()
        if over:
            # The node stays where it is until the worker has answered with the new board.
            self.player = None
            session.played()

    # -- words -------------------------------------------------------------------------------------------------

    def _words(self, camera: Camera) -> None:
        """Place the labels anew where something changed; the panels' turn draws them."""
        if self.stage is None or not (self._words_stale or camera != self._words_eye):
            return
        self._words_stale, self._words_eye = False, camera
        self._placed = labels.gather(
            self.session, self.stage, camera, self.view_size, self.scale, millimetres=self.millimetres
        )

    def draw_panels(self) -> None:
        """Called between two frames, when ImGui takes things to draw."""
        box = self.view_box
        if self.stage is not None:
            labels.draw(self._placed, self.fonts, (box[0], box[1]), box)
        self.panels.draw()

    # -- mouse and keys ----------------------------------------------------------------------------------------

    def _accept(self) -> None:
        base = self.screen.base
        for holder in (base.mouseWatcherNode, base.buttonThrowers[0].node()):
            # Names of keys stay plain; what else is held down is asked for when it matters.
            holder.set_modifier_buttons(core.ModifierButtons())
        base.accept("imgui-new-frame", self.draw_panels)
        for name in ("mouse1", "mouse2", "mouse3"):
            base.accept(name, self._events.append, [(name, True)])
            base.accept(f"{name}-up", self._events.append, [(name, False)])
        for name in ("wheel_up", "wheel_down", *KEYS):
            base.accept(name, self._events.append, [(name, True)])

    def held(self, name: str) -> bool:
        """Whether a modifier key (shift, control) is held down."""
        watcher = self.screen.base.mouseWatcherNode
        return bool(watcher.is_button_down(core.ButtonRegistry.ptr().get_button(name)))

    def _input(self) -> None:
        at = self.screen.pointer()
        box = self.view_box
        inside = at is not None and box[0] <= at[0] < box[2] and box[1] <= at[1] < box[3]
        free = inside and not self.backend.io.want_capture_mouse
        view = None if at is None else (at[0] - box[0], at[1] - box[1])
        events, self._events[:] = list(self._events), []
        if events or at != self._last:
            self._active = time.monotonic()
        for name, down in events:
            if name.startswith("mouse"):
                self._button(name, down, view, free)
            elif name.startswith("wheel"):
                if free and view is not None:
                    self._wheel(1.0 if name == "wheel_up" else -1.0, view)
            elif not self.backend.io.want_text_input:
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
            self.session.pin()

    def _moved(self, view: tuple[float, float], free: bool) -> None:
        if not self._pressed or self._last is None:
            return
        box = self.view_box
        before = (self._last[0] - box[0], self._last[1] - box[1])
        across, down = view[0] - before[0], view[1] - before[1]
        if not self._dragged and np.hypot(view[0] - self._press_at[0], view[1] - self._press_at[1]) > CLICK:
            self._dragged = True
        if not self._dragged:
            return
        if self._drag is not None:
            self._pull(view)
        elif "mouse2" in self._pressed or self.held("shift"):
            self.orbit.pan(across, -down)
        else:
            self.orbit.turn(across, down)

    def _wheel(self, notches: float, view: tuple[float, float]) -> None:
        if self.held("shift") and self.session.board is not None:
            self.step_level(notches > 0)
            return
        at = self._under(view)
        self.orbit.zoom(notches, at)

    def _under(self, view: tuple[float, float]) -> np.ndarray[Any, Any] | None:
        """The point under the mouse: what was picked last if the mouse still points at it, else on the table."""
        picked = self.session.picked.at
        if picked is not None:
            pixel = labels.pixel(self.orbit.camera, picked, self.view_size)
            if np.hypot(pixel[0] - view[0], pixel[1] - view[1]) < 12:
                return np.asarray(picked)
        return self.orbit.on_plane(view, 0.0)

    def _key(self, name: str) -> None:
        session = self.session
        control = self.held("control")
        if control:
            actions = {"z": session.undo, "y": session.redo, "s": session.save, "d": self.duplicate}
            if name in actions:
                actions[name]()
            return
        actions = {
            "f": self.frame_chosen,
            "t": self.view_above,
            "h": self.view_whole,
            "x": self.toggle_xray,
            "p": self.toggle_proof,
            "b": lambda: self.set_mode(Mode.PLAY if session.mode is Mode.BUILD else Mode.BUILD),
            "m": lambda: self.set_mode(Mode.PLAY if session.mode is Mode.TAPE else Mode.TAPE),
            "[": lambda: self.step_level(False),
            "]": lambda: self.step_level(True),
            "enter": self.confirm,
            "escape": self.back,
            "delete": self.delete,
            "q": lambda: self.turn_chosen(1),
            "e": lambda: self.turn_chosen(-1),
            "page_up": lambda: self.nudge(0, 0, 1),
            "page_down": lambda: self.nudge(0, 0, -1),
            "arrow_left": lambda: self.nudge(-1, 0, 0),
            "arrow_right": lambda: self.nudge(1, 0, 0),
            "arrow_up": lambda: self.nudge(0, 1, 0),
            "arrow_down": lambda: self.nudge(0, -1, 0),
        }
        if name in actions:
            actions[name]()

    def confirm(self) -> None:
        """Enter: order what is shown, roll, go on."""
        session = self.session
        if session.order is None:
            session.go()
        elif session.order.waiting is not None:
            session.roll()
        else:
            session.finish_order()

    def back(self) -> None:
        """Escape: one step back out of whatever is going on."""
        session = self.session
        if session.order is not None:
            session.cancel_order()
        elif session.mode is Mode.TAPE:
            session.drop_tape()
            self.set_mode(Mode.PLAY)
        elif session.plan:
            session.drop_plan()
        elif session.pinned:
            session.pinned = False
        elif session.mode is Mode.BUILD:
            session.piece = None
            session.changed |= Changed.OVERLAY
        else:
            session.select(None)

    # -- picking -----------------------------------------------------------------------------------------------

    def _hover(self, view: tuple[float, float] | None) -> None:
        """Ask what is under the mouse, one question at a time."""
        session = self.session
        if session.board is None or self.orbit.moving:
            return
        if view is None:
            if not self._pressed and self._hover_at is not None:
                self._hover_at = None
                session.point_at(None)
            return
        if view == self._hover_at and self._hover_cut == self.cut and self._hover_eye == self.orbit.camera:
            return
        if session.worker.busy("eye:pick"):
            return
        self._hover_at, self._hover_cut, self._hover_eye = view, self.cut, self.orbit.camera
        start, direction = self.orbit.ray(view)
        session.worker.ask(
            "eye:pick", "eye.pick", start, direction, self.cut, then=self._picked, failed=session._fault
        )

    _hover_at: tuple[float, float] | None = None
    _hover_cut: float | None = None
    _hover_eye: Camera | None = None

    def _picked(self, picked: Picked) -> None:
        session = self.session
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
        board = self.session.board
        if board is None:
            return None
        start, direction = (np.asarray(value) for value in self.orbit.ray(view))
        best: tuple[float, str] | None = None
        for fighter in board.fighters:
            if self.cut is not None and fighter.at[2] > self.cut:
                continue
            far = _meets(start, direction, fighter)
            if far is not None and (best is None or far < best[0]):
                best = (far, fighter.name)
        if best is None:
            return None
        picked = self.session.picked.at
        if picked is not None and float(np.linalg.norm(np.asarray(picked) - start)) < best[0] - 3.0:
            # Behind a wall; close ones still count, because bodies shine through.
            return best[1] if self.ghosts else None
        return best[1]

    def _click(self, view: tuple[float, float]) -> None:
        session = self.session
        who = self.fighter_under(view)
        if session.mode is Mode.TAPE:
            mark = self.mark(who)
            at = mark.at if mark is not None else session.picked.at
            if at is not None:
                session.measure_at(at)
            return
        if session.mode is Mode.BUILD:
            self.choose_piece(who or session.picked.piece or None)
            return
        if session.order is not None or session.playing is not None:
            return
        if who is not None and who != session.fighter:
            info = session.info()
            enemy = self.mark(who)
            if info is not None and info.needs_target and enemy is not None and enemy.side != self._side():
                session.aim_at(who)
            else:
                session.select(who)
            return
        if session.hover is not None and session.hover.move.legal:
            if self.held("shift"):
                session.plan_on()
            else:
                session.go()
        elif session.fighter is not None and who is None and session.picked.at is None:
            session.select(None)

    # -- building ----------------------------------------------------------------------------------------------

    def choose_piece(self, name: str | None) -> None:
        """Choose a piece or fighter to build with."""
        if name in ("board", "ceiling"):
            name = None
        self.session.piece = name
        if self.mark(name) is not None:
            self.session.select(name)
        self.session.changed |= Changed.OVERLAY

    def _grab(self, view: tuple[float, float]) -> None:
        """Begin to drag what is under the mouse, while building."""
        session = self.session
        if session.mode is not Mode.BUILD or session.board is None or session.waiting:
            return
        who = self.fighter_under(view)
        name = who or (session.picked.piece if session.picked.at is not None else "")
        if not name or name in ("board", "ceiling"):
            return
        mark = self.mark(name)
        at = np.asarray(mark.at if mark is not None else session.picked.at)
        start = self.orbit.on_plane(view, float(at[2]))
        if start is None:
            return
        if name != session.piece:
            self.choose_piece(name)
        self._drag = (name, start, float(at[2]))
        self._drag_shift = np.zeros(3)

    def _pull(self, view: tuple[float, float]) -> None:
        assert self._drag is not None and self.stage is not None
        name, start, height = self._drag
        now = self.orbit.on_plane(view, height)
        if now is None or np.linalg.norm(now - start) > 100:
            return
        shift = now - start
        origin = self._origin(name)
        step = 0.0 if self.held("control") else self.snap
        self._drag_shift = np.array(
            [
                building.snapped(origin[0] + float(shift[0]), step) - origin[0],
                building.snapped(origin[1] + float(shift[1]), step) - origin[1],
                0.0,
            ]
        )
        node = self.stage.fighter(name) or self.stage.scenery.piece(name)
        if node is not None:
            node.set_pos(*(float(v) for v in self._drag_shift))
            self.screen.touch()

    def _origin(self, name: str) -> tuple[float, float]:
        scene = self.session.scene
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
            self.shift(name, dx, dy, 0.0)

    def shift(self, name: str, dx: float, dy: float, dz: float) -> None:
        """Move a piece or fighter by inches."""
        scene = self.session.scene
        if scene is None:
            return
        piece, fighter = building.piece(scene, name), building.fighter(scene, name)
        if piece is not None:
            x, y, z = piece.at
            at = (round(x + dx, 4), round(y + dy, 4), round(max(z + dz, -20.0), 4))
            self.session.edit(
                building.change_piece(scene, name, at=at), f"{name} moved to {at[0]:g}, {at[1]:g}"
            )
        elif fighter is not None:
            plan = (round(fighter.at[0] + dx, 4), round(fighter.at[1] + dy, 4))
            z_now = fighter.z
            z_new = None if z_now is None or (dz == 0 and dx * dx + dy * dy > 0) else round(z_now + dz, 4)
            scene = building.change_fighter(scene, name, at=plan, z=z_new)
            self.session.edit(scene, f"{name} put at {plan[0]:g}, {plan[1]:g}")

    def nudge(self, x: int, y: int, z: int) -> None:
        """Move what is chosen by one snap step."""
        if self.session.mode is Mode.BUILD and self.session.piece:
            step = self.snap or 0.05
            self.shift(self.session.piece, x * step, y * step, z * step)

    def turn_chosen(self, steps: int) -> None:
        """Turn what is chosen."""
        session = self.session
        if session.mode is not Mode.BUILD or session.piece is None or session.scene is None:
            return
        by = steps * (1.0 if self.held("shift") else self.snap_turn)
        piece, fighter = (
            building.piece(session.scene, session.piece),
            building.fighter(session.scene, session.piece),
        )
        if piece is not None:
            turn = round((piece.turn + by) % 360, 3)
            scene = building.change_piece(session.scene, piece.id, turn=turn)
            session.edit(scene, f"{piece.id} turned to {turn:g} degrees")
        elif fighter is not None:
            facing = round((fighter.facing + by) % 360, 3)
            scene = building.change_fighter(session.scene, fighter.id, facing=facing)
            session.edit(scene, f"{fighter.id} faces {facing:g} degrees")

    def duplicate(self) -> None:
        """A copy of what is chosen, beside it."""
        session = self.session
        if session.mode is Mode.BUILD and session.piece and session.scene is not None:
            scene, fresh = building.duplicate(session.scene, session.piece)
            session.edit(scene, f"{fresh} added")
            session.piece = fresh

    def delete(self) -> None:
        """Take what is chosen off the board."""
        session = self.session
        if session.mode is Mode.BUILD and session.piece and session.scene is not None:
            scene = building.remove(session.scene, session.piece)
            session.edit(scene, f"{session.piece} taken away")
            session.piece = None
            session.changed |= Changed.OVERLAY

    # -- views -------------------------------------------------------------------------------------------------

    def set_mode(self, mode: Mode) -> None:
        """What the mouse does from now on."""
        session = self.session
        if session.mode is Mode.TAPE and mode is not Mode.TAPE:
            session.drop_tape()
        session.mode = mode
        session.point_at(None)
        session.changed |= Changed.OVERLAY

    def _whole(self) -> Camera:
        assert self.stage is not None
        start = replace(self.orbit.camera, azimuth=-68.0, elevation=46.0)
        return start.framing(board_points(self.stage), self.view_size)

    def view_whole(self) -> None:
        """The whole board from the usual side."""
        if self.stage is not None:
            self.orbit.glide(self._whole())

    def view_above(self) -> None:
        """From straight above."""
        self.orbit.glide(self.orbit.above())

    def frame_chosen(self) -> None:
        """Come near what is chosen: the fighter with its reach, or the piece."""
        session = self.session
        if self.stage is None:
            return
        points = None
        rows = self.stage.scenery.rows(session.piece) if session.piece else None
        mark = self.mark(session.fighter)
        if session.mode is Mode.BUILD and rows is not None:
            points = np.array([rows.low, rows.high])
        elif session.reach is not None and len(session.reach.spots):
            points = session.reach.spots[:, :3]
            points = np.concatenate([points, points + np.array([0.0, 0.0, 1.4])])
        elif mark is not None:
            points = np.array([mark.at]) + np.array([[-3.0, -3.0, 0.0], [3.0, 3.0, 2.0]])
        if points is None or len(points) < 2:
            self.view_whole()
            return
        self.orbit.glide(self.orbit.camera.framing(points, self.view_size, margin=0.1))

    def set_cut(self, height: float | None) -> None:
        """Cut away everything above a height, inches; None shows all."""
        if height == self.cut:
            return
        self.cut = height
        self.orbit.cut(height)
        if self.stage is not None:
            self.stage.set_cut(height, relight=False)
            self.session.relight(height)
        self.screen.touch()

    def step_level(self, up: bool) -> None:
        """The level cut one floor up or down."""
        board = self.session.board
        if board is None or self.stage is None:
            return
        # Each floor with what stands on it: cut below the slab of the next one.
        stops = [round(level - SLAB, 2) for level in board.levels if level > 2 * SLAB]
        if not stops:
            return
        now = self.cut if self.cut is not None else 1e9
        if up:
            higher = [stop for stop in stops if stop > now + 0.01]
            self.set_cut(higher[0] if higher else None)
        else:
            lower = [stop for stop in stops if stop < now - 0.01]
            if lower:
                self.set_cut(lower[-1])

    def toggle_xray(self) -> None:
        """See through the terrain, or not."""
        self.xray = not self.xray
        if self.stage is not None:
            self.stage.scenery.see_through(self.xray)
        self.session.changed |= Changed.REACH

    def toggle_proof(self) -> None:
        """Show the rays that confirm a way, or not."""
        self.session.proof = not self.session.proof
        self.session.changed |= Changed.WAY

    def picture(self, path: Path) -> None:
        """Write what the window shows as PNG."""
        try:
            self.screen.save_shot(path)
            self.session.say(f"picture: {path}")
        except UserError as wrong:
            self.session.say(str(wrong), bad=True)


def _box(points: Any, turn: float) -> Any:
    """(8, 3) corners of the box around (n, 3) points that is turned by `turn` degrees, a little wider than they are."""
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    spin = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    own = points @ spin
    low, high = own.min(axis=0) - 0.04, own.max(axis=0) + 0.04
    ring = [(low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1])]
    return np.array([(x, y, z) for z in (low[2], high[2]) for x, y in ring]) @ spin.T


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
