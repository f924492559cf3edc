"""What is tried on the spot and laid over the board: other rules, another base, overlays, the tape, light.

Lengths are in inches, angles in degrees.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sandbox.moves.answers import Point
from sandbox.scene import Scene
from sandbox.view.relief import Sky
from sandbox.view.window.state import Changed
from sandbox.view.window.talk import Board, Overlay, OverlayKind, Question, ReachAnswer, Rules, Tape
from sandbox.view.window.work import Worker


class Trials:
    """The part of a session that asks "what if"; the rest is `Session`."""

    worker: Worker
    board: Board | None
    scene: Scene | None
    rules: Rules
    changed: Changed
    fighter: str | None
    action: str
    reach: ReachAnswer | None
    what_if: dict[str, dict[str, Any]]
    overlay_kind: OverlayKind | None
    overlay: Overlay | None
    tape_points: list[Point]
    tape: Tape | None
    sky: Sky | None
    _before: ReachAnswer | None
    _before_what: str

    def show(self, scene: Scene, *, reload: bool = False) -> None:
        """Make a scene the present one."""
        raise NotImplementedError

    def fault(self, why: str) -> None:
        """Something could not be answered."""
        raise NotImplementedError

    # -- rules on the spot -------------------------------------------------------------------------------------

    def try_rules(self, pack: str | None) -> None:
        """Look at the board under another pack; None: the scene's own."""
        self._compare(f"under {pack or 'the scene rules'}")
        self.rules = Rules(pack)
        if self.scene is not None:
            self.show(self.scene)

    def try_setting(self, rule: str, value: Any) -> None:
        """Another reading of an open setting."""
        self._compare(f"with {rule} = {value}")
        settings = {**dict(self.rules.settings), rule: value}
        self.rules = replace(self.rules, settings=tuple(settings.items()))
        if self.scene is not None:
            self.show(self.scene)

    def drop_settings(self) -> None:
        """All settings as the pack says."""
        self._compare("as the pack says")
        self.rules = replace(self.rules, settings=())
        if self.scene is not None:
            self.show(self.scene)

    def try_body(self, **values: Any) -> None:
        """Another base, height or status for the chosen fighter, without changing the scene."""
        if self.fighter is None or self.scene is None:
            return
        told = ", ".join(f"{key} {value}" for key, value in values.items())
        self._compare(f"with {told}")
        self.what_if.setdefault(self.fighter, {}).update(values)
        self.show(self.scene)

    def drop_body(self) -> None:
        """The chosen fighter as the scene has it."""
        if self.fighter in self.what_if and self.scene is not None:
            self._compare("as in the scene")
            self.what_if.pop(self.fighter)
            self.show(self.scene)

    def _compare(self, what: str) -> None:
        self._before, self._before_what = self.reach, what

    # -- overlays, tape, light ---------------------------------------------------------------------------------

    def lay(self, kind: OverlayKind | None) -> None:
        """Lay something over the board, or take it away."""
        self.overlay_kind, self.overlay = kind, None
        self.changed |= Changed.OVERLAY | Changed.REACH
        if kind is not None:
            self._ask_overlay()

    def _ask_overlay(self) -> None:
        if self.board is None or self.overlay_kind is None:
            return
        question = Question(self.board.serial, self.fighter or "", self.action)
        self.worker.ask("overlay", "overlay", self.overlay_kind, question, then=self._laid, failed=self.fault)

    def _laid(self, overlay: Overlay) -> None:
        if overlay.kind == self.overlay_kind:
            self.overlay = overlay
            self.changed |= Changed.OVERLAY

    def measure_at(self, at: Point) -> None:
        """Put down one end of the tape, or the other."""
        if len(self.tape_points) != 1:
            self.tape_points, self.tape = [at], None
        else:
            self.tape_points.append(at)
            self.measure_to(at)
        self.changed |= Changed.TAPE

    def measure_to(self, at: Point) -> None:
        """The tape follows the mouse."""
        if not self.tape_points or self.worker.busy("tape"):
            return
        start = self.tape_points[0]
        end = self.tape_points[1] if len(self.tape_points) > 1 else at
        self.worker.ask("tape", "measure", start, end, then=self._measured, failed=self.fault)

    def _measured(self, tape: Tape) -> None:
        self.tape = tape
        self.changed |= Changed.TAPE

    def drop_tape(self) -> None:
        """Put the tape away."""
        self.tape_points, self.tape = [], None
        self.changed |= Changed.TAPE

    def relight(self, cut: float | None) -> None:
        """Ask for the light under a level cut."""
        self.worker.ask("light", "light", cut, then=self._lit, failed=self.fault)

    def _lit(self, sky: Sky) -> None:
        self.sky = sky
        self.changed |= Changed.LIGHT
