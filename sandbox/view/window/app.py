"""The window put together: mouse and keys in, the session asked, the stage and the panels drawn."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from sandbox.errors import UserError
from sandbox.units import inches
from sandbox.view import ink
from sandbox.view.camera import Camera
from sandbox.view.model import FighterMark, Reach
from sandbox.view.stage import Stage
from sandbox.view.window import building, labels, panels, style
from sandbox.view.window.commands import Commands
from sandbox.view.window.extras import Extras
from sandbox.view.window.hands import Hands
from sandbox.view.window.lesson import LessonPanel
from sandbox.view.window.orbit import Orbit
from sandbox.view.window.player import Player
from sandbox.view.window.screen import Screen
from sandbox.view.window.session import Session
from sandbox.view.window.state import Changed, Mode, Playing
from sandbox.view.window.talk import Board

TURN = 0.012
"""seconds of a frame that showing changes may take; the rest of them waits for the next frame."""
PAUSE, IDLE = 0.01, 0.03
"""seconds between two frames while the board stays as it is, and while nothing happens at all."""
PATIENCE = 1.0
"""seconds that a finer picture waits for a reach that is being worked out."""


class App(Commands):
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
        self.millimetres = False
        self.xray = False
        self.shadows = True
        self.ghosts = True
        self.cut: float | None = None
        self.snap = 0.25
        self.snap_turn = 15.0
        self.add_at: tuple[float, float, float] = (0.0, 0.0, 0.0)
        self.lesson: LessonPanel | None = None
        """a lesson that is taken in this window."""
        self.panels = panels.Panels(self)
        if not self.screen.shaded:
            # The panels are drawn by shaders.
            self.panels.shown, self.panels.under = False, 0.0
            self.backend.hide()
        self.orbit = Orbit(Camera((12.0, 12.0, 0.0), 60.0), self.view_size)
        self.stage: Stage | None = None
        self.extras: Extras | None = None
        self.players: list[Player] = []
        self.closed = False
        self.frames = 0
        self.longest = 0.0
        """longest time that a frame took outside of drawing, seconds."""
        self._placed: list[ink.Placed] = []
        self._words_stale = True
        self._words_eye: Camera | None = None
        self._tick = time.monotonic()
        self._active = time.monotonic()
        self._digest = self._coming_digest = ""
        self._coming: Stage | None = None
        """the stage of the present board, while it is being made ready."""
        self._handed: list[Any] = []
        """its nodes that were handed to the card, hidden so that each is drawn by itself."""
        self._framed = False
        self._drawn_at = 1.0
        self.hands = Hands(self)
        self.screen.base.accept("imgui-new-frame", self.draw_panels)

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
        if session.tick():
            self._active = now
        if self.lesson is not None:
            self.lesson.follow()
        self.orbit.size = self.view_size
        if session.changed:
            self._active = now
            self._update()
        self._play(seconds)
        self.hands.step()
        if self.orbit.step(seconds):
            self._active = now
        camera = replace(self.orbit.camera, cut=self.cut)
        self._words(camera)
        moving = self.orbit.moving or self.hands.busy or bool(self.players)
        if not moving and not 0.7 < self._pixel() / self._drawn_at < 1.4:
            # Rings and lines keep their width in the picture, however near the eye is.
            self._drawn_at = self._pixel()
            session.changed |= Changed.FIGHTERS | Changed.WAY | Changed.TAPE
        awaiting = 0 < session.worker.busy("reach") < PATIENCE
        drawn = self.screen.draw(camera, self.view_box, moving=moving, awaiting=awaiting)
        self.frames += 1
        self.longest = max(self.longest, time.monotonic() - now)
        quiet = not (drawn or moving or self.backend.io.want_text_input)
        quiet = quiet and time.monotonic() - max(self._active, self.hands.active) > 0.5
        self.screen.step(quiet=quiet)
        if self.screen.base.win.is_closed():
            self.closed = True
        if not (drawn or moving):
            # the processor is the worker's meanwhile; its answer ends the wait
            session.worker.wait(IDLE if quiet or awaiting else PAUSE)

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

    @property
    def scale(self) -> float:
        """Size of type and panels."""
        return self.fonts.scale

    @scale.setter
    def scale(self, value: float) -> None:
        self.fonts.scale = value
        self._words_stale = True

    def held(self, name: str) -> bool:
        """Whether a modifier key (shift, control) is held down."""
        return self.hands.held(name)

    # -- from the session to the stage -------------------------------------------------------------------------

    def _update(self) -> None:
        session, board = self.session, self.session.board
        if board is None:
            return
        changed, session.changed = session.changed, Changed.NOTHING
        begun = time.monotonic()
        if self._raise_stage(board):
            session.changed |= changed
            return
        if self._coming is not None:
            if not self._grown(self._coming):
                # the old board stays until the new one is all there
                session.changed |= changed
                return
            changed |= self._new_stage(self._coming)
        elif self.stage is not None:
            for flag, show in self._parts():
                if changed & flag:
                    show()
                    # what it brings along comes in the same turn
                    changed = (changed & ~flag) | session.changed
                    session.changed = Changed.NOTHING
                    if time.monotonic() - begun > TURN:
                        break
            else:
                changed = Changed.NOTHING
        # What there was no time for comes with the next frame.
        session.changed |= changed
        self._words_stale = True
        self.screen.touch(terrain=False)

    def _parts(self) -> tuple[tuple[Changed, Callable[[], None]], ...]:
        """What shows each part of the board anew, in the order in which they depend on each other."""
        return (
            (Changed.FIGHTERS, self._show_fighters),
            (Changed.REACH, self._show_reach),
            (Changed.WAY, self._show_way),
            (Changed.OVERLAY, self._show_overlay),
            (Changed.TAPE, self._show_tape),
            (Changed.LIGHT, self._show_light),
        )

    def _show_fighters(self) -> None:
        session, board = self.session, self.session.board
        assert self.stage is not None and board is not None
        if self.players:
            return
        if not (session.waiting or self.hands.busy) and self.stage.scenery.settle():
            # what it was dragged to cannot be
            self.screen.touch()
        marks = tuple(replace(f, active=f.name == session.fighter) for f in board.fighters)
        self.stage.set_fighters(marks, pixel=self._pixel())
        self.stage.set_patches(board.patches)
        assert self.extras is not None
        self.extras.set_items(board.items)
        session.changed |= Changed.OVERLAY

    def _show_reach(self) -> None:
        assert self.stage is not None
        answer = self.session.reach if self.session.overlay_kind is None else None
        self.stage.xray = self.xray
        if answer is None:
            self.stage.set_reach(None)
        else:
            self.stage.set_reach(Reach(answer.spots, answer.allowance), list(answer.layers))
        self._show_plan()

    def _show_overlay(self) -> None:
        session, board = self.session, self.session.board
        assert self.extras is not None and board is not None
        self.extras.set_overlay(session.overlay)
        self.extras.set_zones(board.fighters, self.side() if session.zones else None, board.keep)
        self._show_chosen()

    def _show_tape(self) -> None:
        assert self.extras is not None
        self.extras.set_tape(self.session.tape, self.session.tape_points, self._pixel())

    def _show_light(self) -> None:
        assert self.stage is not None
        if self.session.sky is not None:
            self.stage.scenery.set_sky(self.session.sky)
            self.screen.touch()

    def _pixel(self) -> float:
        """Inches that one pixel covers."""
        return self.orbit.camera.pixel(self.view_size)

    def _raise_stage(self, board: Board) -> bool:
        """Begin the stage of other terrain than what is shown; whether that was done."""
        if board.prepared is None or board.digest == self._coming_digest:
            return False
        self._coming, self._coming_digest, self._handed = None, board.digest, []
        if board.digest != self._digest:
            shaded = self.screen.shaded
            self._coming = Stage(board.prepared, shaded=shaded, at_once=not shaded)
        return True

    def _grown(self, stage: Stage) -> bool:
        """Whether all of a stage is at the card; else some more of it goes there with this frame."""
        added = stage.scenery.grow()
        for node in self._handed:
            node.hide() if added else node.show()
        self._handed += added
        if added:
            self.screen.warm(stage)
        return not added

    def _new_stage(self, stage: Stage) -> Changed:
        """Show a stage that is ready."""
        if self.stage is not None:
            self.stage.root.remove_node()
        self.stage, self._coming = stage, None
        self.extras = Extras(stage)
        self._digest = self._coming_digest
        self.stage.set_cut(self.cut, relight=False)
        if self.cut is not None:
            self.session.relight(self.cut)
        if self.xray:
            self.stage.scenery.see_through(True)
        self.stage.scenery.set_shadows(self.shadows)
        self.screen.set_stage(self.stage)
        if not self._framed:
            self._framed = True
            self.orbit.size = self.view_size
            self.orbit.jump(self.whole())
        return Changed.ALL & ~Changed.LIGHT

    def side(self) -> str | None:
        """The chosen fighter's side."""
        mark = self.mark(self.session.fighter)
        return None if mark is None else mark.side

    def mark(self, name: str | None) -> FighterMark | None:
        """The fighter of a name as it stands on the board."""
        board = self.session.board
        return None if board is None else next((f for f in board.fighters if f.name == name), None)

    def _show_way(self) -> None:
        assert self.stage is not None and self.extras is not None
        session, board = self.session, self.session.board
        answer = session.hover
        mark = self.mark(session.fighter)
        aim = None if mark is None or session.aim is None else self.extras.ghost_at(mark, session.aim)
        route = [] if mark is None or not session.route else [mark.at, *session.route]
        self.extras.set_aim(aim, route, self._pixel())
        if answer is None or board is None:
            self.stage.set_way(None)
            self.extras.set_proof(())
            return
        mark = self.mark(answer.question.fighter)
        if mark is not None and answer.question.at is not None:
            mark = replace(mark, at=answer.question.at)
        self.stage.set_way(
            answer.way, mark, pixel=self._pixel(), others=board.fighters, told=list(answer.stretches)
        )
        rays = tuple(ray for leg in answer.move.legs for ray in leg.rays) if session.proof else ()
        self.extras.set_proof(rays)

    def _show_plan(self) -> None:
        assert self.extras is not None
        planned = []
        for answer in self.session.plan:
            mark = self.mark(answer.question.fighter)
            if mark is not None:
                planned.append((answer.stretches, self.extras.ghost_at(mark, answer.move.to)))
        self.extras.set_plan(planned, self._pixel())

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
            self.players = []
            return
        if not self.players:
            self.players = self._cast(session.playing)
        assert self.stage is not None and self.extras is not None
        over, hulls = True, False
        carried = session.playing.played.carried
        for player in self.players:
            matrix, done = player.step(seconds)
            over = over and done
            # a vehicle takes its hull along
            hull = self.stage.scenery.piece(player.acts.who)
            hulls = hulls or hull is not None
            goes = [self.stage.fighter(player.acts.who), hull]
            goes += [self.extras.item(one) for one, who in carried.items() if who == player.acts.who]
            for node in goes:
                if node is not None:
                    node.set_mat(matrix)
        self._active = time.monotonic()
        self.screen.touch(terrain=hulls)
        if over:
            # The nodes stay where they are until the worker has answered with the new board.
            self.players = []
            session.played()

    def _cast(self, playing: Playing) -> list[Player]:
        """Everybody who moves; who carries somebody comes before whom it carries."""
        found: dict[str, Player] = {}
        for acts in sorted(playing.played.acts, key=lambda one: one.rides is not None):
            mark = self.mark(acts.who)
            if mark is not None:
                found[acts.who] = Player(playing, acts, mark, found.get(acts.rides or ""))
        return list(found.values())

    # -- words -------------------------------------------------------------------------------------------------

    def _words(self, camera: Camera) -> None:
        """Place the labels anew where something changed; the panels' turn draws them."""
        if self.stage is None or not (self._words_stale or camera != self._words_eye):
            return
        self._words_stale, self._words_eye = False, camera
        self._placed = labels.gather(
            self.session,
            self.stage,
            camera,
            self.view_size,
            self.scale,
            millimetres=self.millimetres,
            under=self.panels.under,
        )

    def draw_panels(self) -> None:
        """Called between two frames, when ImGui takes things to draw."""
        box = self.view_box
        if self.stage is not None:
            labels.draw(self._placed, self.fonts, (box[0], box[1]), box)
            if self.lesson is not None:
                self.lesson.draw_marks()
        self.panels.draw()


def _box(points: Any, turn: float) -> Any:
    """(8, 3) corners of the box around (n, 3) points that is turned by `turn` degrees, a little wider than they are."""
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    spin = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    own = points @ spin
    low, high = own.min(axis=0) - 0.04, own.max(axis=0) + 0.04
    ring = [(low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1])]
    return np.array([(x, y, z) for z in (low[2], high[2]) for x, y in ring]) @ spin.T
