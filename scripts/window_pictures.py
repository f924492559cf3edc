"""The pictures of the window in docs/: shown on a display without a screen, steered through the window's own parts.

.venv/bin/python scripts/window_pictures.py            # writes docs/pictures/window-*.png
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from sandbox.view.window.app import App
from sandbox.view.window.state import Mode
from sandbox.view.window.talk import OverlayKind
from sandbox.view.window.virtual import virtual_display

ROOT = Path(__file__).parents[1]
OUT = ROOT / "docs" / "pictures"
SIZE = (1360, 850)


class Show:
    """One window on one scene, and what it is made to show."""

    def __init__(self, app: App) -> None:
        self.app = app

    def run(self, until: Callable[[], object], limit: float = 300.0) -> None:
        begun = time.monotonic()
        while not until():
            self.app.frame()
            if time.monotonic() - begun > limit:
                raise SystemExit("waited in vain")

    def rest(self, seconds: float = 0.8) -> None:
        begun = time.monotonic()
        self.run(lambda: time.monotonic() - begun > seconds)

    def ask(self, fighter: str, action: str) -> None:
        session = self.app.session
        session.select(fighter)
        session.choose(action)
        self.run(lambda: session.reach is not None)

    def point(self, at: tuple[float, float, float]) -> None:
        session = self.app.session
        session.hover = None
        session.point_at(at)
        self.run(lambda: session.hover is not None)
        session.pinned = True

    def whole(self) -> None:
        """The whole board, as large as the window has room for."""
        self.app.view_whole()
        self.run(lambda: not self.app.orbit.moving)

    def shoot(self, name: str) -> None:
        self.app.session.notices.clear()
        self.rest()
        self.app.screen.save_shot(OUT / f"window-{name}.png")
        print(f"docs/pictures/window-{name}.png")


def opened(scene: str) -> tuple[App, Show]:
    """A window on a copy of a shipped scene, so that nothing is written into the project."""
    home = Path(tempfile.mkdtemp())
    for folder in ("scenes", "models"):
        shutil.copytree(ROOT / folder, home / folder)
    os.chdir(home)  # so that no path of this machine is in a picture
    app = App(Path("scenes") / scene, size=SIZE)
    # Nobody holds the mouse here.
    app.screen.pointer = lambda: None  # type: ignore[method-assign]
    show = Show(app)
    show.run(lambda: app.stage is not None)
    show.rest()
    return app, show


def gantry() -> None:
    app, show = opened("gantry.yaml")
    session = app.session
    show.ask("kal", "double-move")
    app.orbit.jump(
        replace(app.orbit.camera, target=(11.5, 12.6, 1.2), distance=38.0, azimuth=-72.0, elevation=38.0)
    )
    show.point((16.2, 13.8, 3.0))
    show.shoot("way")
    session.pinned = False
    show.ask("kal", "move")
    show.point((16.2, 13.8, 3.0))
    show.shoot("refused")
    session.pinned = False
    session.select(None)
    show.whole()
    session.lay(OverlayKind.CLEARANCE)
    show.run(lambda: session.overlay is not None)
    show.shoot("overlay")
    session.lay(None)
    app.set_mode(Mode.BUILD)
    app.choose_piece("container")
    app.orbit.jump(replace(app.orbit.camera, target=(15.0, 9.5, 1.0), distance=34.0))
    show.shoot("build")
    app.close()


def proof() -> None:
    app, show = opened("gantry.yaml")
    app.toggle_proof()
    show.ask("kal", "double-move")
    app.orbit.jump(
        replace(app.orbit.camera, target=(13.6, 13.0, 2.6), distance=17.0, azimuth=-72.0, elevation=30.0)
    )
    show.point((16.5, 13.7, 3.0))
    show.shoot("proof")
    app.close()


def levels() -> None:
    app, show = opened("gantry.yaml")
    app.step_level(False)
    while app.cut is not None and app.cut > 3.0:
        app.step_level(False)
    show.whole()
    show.rest(2.0)
    show.shoot("level")
    app.set_cut(None)
    app.toggle_xray()
    show.ask("juno", "move")
    app.frame_chosen()
    show.run(lambda: not app.orbit.moving)
    show.shoot("xray")
    app.close()


def game() -> None:
    app, show = opened("gantry.yaml")
    session = app.session

    def done() -> None:
        show.run(lambda: session.order is None and session.playing is None and not session.waiting)

    session.begin_game(Path("friday.game"), declare=False)
    show.run(lambda: session.game is not None)
    show.ask("vey", "move")
    session.go_to((12.6, 20.5, 0.0))
    done()
    session.give({"do": "end"})
    done()
    show.ask("kal", "double-move")
    app.orbit.jump(
        replace(app.orbit.camera, target=(12.0, 12.6, 1.2), distance=42.0, azimuth=-72.0, elevation=38.0)
    )
    show.point((16.5, 13.7, 3.0))
    session.go()
    show.run(lambda: session.order is not None and session.order.waiting is not None)
    session.roll(2)
    show.run(lambda: session.order is not None and session.order.over)
    show.shoot("roll")
    session.finish_order()
    done()
    show.shoot("game")
    app.close()


PARTS = {"gantry": gantry, "levels": levels, "proof": proof, "game": game}


def main() -> None:
    """Each part in a process of its own: Panda3D opens one window a process."""
    if len(sys.argv) > 1:
        PARTS[sys.argv[1]]()
        return
    OUT.mkdir(parents=True, exist_ok=True)
    with virtual_display() as display:
        for part in PARTS:
            subprocess.run(
                [sys.executable, __file__, part], env={**os.environ, "DISPLAY": display}, check=True
            )


if __name__ == "__main__":
    main()
