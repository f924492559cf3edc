"""What a frame of the window costs the thread that draws, beside the drawing itself, while the worker is busy.

    .venv/bin/python scripts/bench_window.py SCENE        # on the display that is there, else on one without a screen

Processor time of the drawing thread, so that other work on the machine does not count: the longest of each kind of turn.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from sandbox.view.window.app import App
from sandbox.view.window.virtual import virtual_display


def measured(app: App) -> dict[str, Any]:
    """Figures of one window, milliseconds."""
    own: dict[str, float] = {}

    def timed(holder: object, name: str, kind: str) -> None:
        inner: Callable[..., Any] = getattr(holder, name)

        def outer(*args: Any, **more: Any) -> Any:
            begun = time.thread_time()
            answer = inner(*args, **more)
            own[kind] = max(own.get(kind, 0.0), (time.thread_time() - begun) * 1000)
            return answer

        setattr(holder, name, outer)

    timed(app.session, "tick", "taking answers")
    timed(app, "_update", "changing the board")
    timed(app.hands, "step", "mouse and keys")
    timed(app, "_words", "placing labels")
    timed(app.panels, "draw", "panels")

    def run(until: Callable[[], object]) -> None:
        begun = time.monotonic()
        while not until():
            app.frame()
            if time.monotonic() - begun > 600:
                raise SystemExit("waited in vain")

    def rest(seconds: float) -> None:
        begun = time.monotonic()
        run(lambda: time.monotonic() - begun > seconds)

    run(lambda: app.stage is not None)
    rest(2.0)
    board = app.session.board
    assert board is not None and board.prepared is not None
    triangles = sum(len(piece.faces) for piece in board.prepared.pieces)
    frames, begun = app.frames, time.process_time()
    started = time.monotonic()
    while time.monotonic() - started < 4.0:
        app.orbit.turn(3, 0)
        app.frame()
    turning = (time.process_time() - begun) / (app.frames - frames) * 1000
    app.session.select(board.fighters[0].name)
    run(lambda: app.session.reach is not None)
    reach = app.session.reach
    assert reach is not None
    for spot in reach.spots[:: max(1, len(reach.spots) // 8)]:
        app.session.point_at((float(spot[0]), float(spot[1]), float(spot[2])))
        rest(0.3)
    app.set_cut(2.5)
    rest(1.0)
    return {
        "scene": board.scene.name,
        "triangles": triangles,
        "renderer": app.screen.renderer,
        "turning, all threads": turning,
        "first reach": reach.seconds * 1000,
        **{kind: own[kind] for kind in sorted(own)},
    }


def main() -> None:
    """One scene."""
    scene = Path(sys.argv[1])
    if not os.environ.get("DISPLAY") and sys.platform.startswith("linux"):
        with virtual_display() as display:
            again = [sys.executable, __file__, str(scene)]
            sys.exit(subprocess.run(again, env={**os.environ, "DISPLAY": display}, check=False).returncode)
    app = App(scene)
    # Nobody holds the mouse here.
    app.screen.pointer = lambda: None  # type: ignore[method-assign]
    app.orbit.jump(replace(app.orbit.camera))
    found = measured(app)
    app.close()
    print(json.dumps({k: round(v, 1) if isinstance(v, float) else v for k, v in found.items()}, indent=1))


if __name__ == "__main__":
    main()
