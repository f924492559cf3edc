"""What the window can be told to do: modes, views, levels, and changes while building."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sandbox.errors import UserError
from sandbox.view.compose import board_points
from sandbox.view.window import building
from sandbox.view.window.state import Changed, Mode

if TYPE_CHECKING:
    from collections.abc import Callable

    from sandbox.view.camera import Camera
    from sandbox.view.model import FighterMark
    from sandbox.view.stage import Stage
    from sandbox.view.window.orbit import Orbit
    from sandbox.view.window.panels import Panels
    from sandbox.view.window.screen import Screen
    from sandbox.view.window.session import Session

SLAB = 0.45
"""inches below a floor at which a step of the level cut goes through."""


class Commands:
    """Everything that a key or a button can start; the window itself is `App`."""

    session: Session
    screen: Screen
    orbit: Orbit
    stage: Stage | None
    panels: Panels
    cut: float | None
    xray: bool
    shadows: bool
    snap: float
    snap_turn: float
    mark: Callable[[str | None], FighterMark | None]

    @property
    def view_size(self) -> tuple[int, int]:
        """Width and height of the board's picture."""
        raise NotImplementedError

    def held(self, name: str) -> bool:
        """Whether a modifier key is held down."""
        raise NotImplementedError

    def confirm(self) -> None:
        """Enter: order what is shown, roll, go on."""
        session = self.session
        if session.order is None:
            session.go()
        elif session.order.over:
            session.finish_order()
        else:
            session.roll()

    def back(self) -> None:
        """Escape: one step back out of whatever is going on."""
        session = self.session
        if session.order is not None:
            session.cancel_order()
        elif session.route:
            session.route.pop()
            session.changed |= Changed.WAY
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

    # -- building ----------------------------------------------------------------------------------------------

    def choose_piece(self, name: str | None) -> None:
        """Choose a piece or fighter to build with."""
        if name in ("board", "ceiling"):
            name = None
        self.session.piece = name
        if self.mark(name) is not None:
            self.session.select(name)
        self.session.changed |= Changed.OVERLAY

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
        if mode is Mode.BUILD and session.game is not None:
            session.say("a game is played here: leave it to build, or change terrain by an order", bad=True)
            return
        if mode is Mode.TAPE and not session.measures:
            session.say("nothing is measured before an action is declared", bad=True)
            return
        if session.mode is Mode.TAPE and mode is not Mode.TAPE:
            session.drop_tape()
        session.mode = mode
        session.point_at(None)
        session.changed |= Changed.OVERLAY

    def whole(self) -> Camera:
        """The camera that shows the whole board."""
        assert self.stage is not None
        start = replace(self.orbit.camera, azimuth=-68.0, elevation=46.0)
        return self._aimed_at(start, board_points(self.stage), margin=0.02)

    def _aimed_at(self, start: Camera, points: NDArray[np.float64], margin: float) -> Camera:
        """A camera moved so that it shows (n, 3) points, inches, above what covers the lower edge of the picture."""
        width, height = self.view_size
        under = min(self.panels.under, 0.4 * height)
        free = height - under
        camera = start.framing(points, (width, round(free)), margin)
        camera = replace(camera, distance=camera.distance * height / free)
        down = camera.axes[1] * camera.pixel((width, height)) * under / 2
        x, y, z = (float(value) for value in np.asarray(camera.target) - down)
        return replace(camera, target=(x, y, z))

    def view_whole(self) -> None:
        """The whole board from the usual side."""
        if self.stage is not None:
            self.orbit.glide(self.whole())

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
        self.orbit.glide(self._aimed_at(self.orbit.camera, points, margin=0.1))

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

    def toggle_shadows(self) -> None:
        """Shadows, or light everywhere."""
        self.shadows = not self.shadows
        if self.stage is not None:
            self.stage.scenery.set_shadows(self.shadows)
        self.screen.touch()

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
