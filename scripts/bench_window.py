"""What the window costs: a frame beside its drawing, turning a board, and a click until the reach is drawn.

    .venv/bin/python scripts/bench_window.py              # on a board of 600,000 triangles that is made for it
    .venv/bin/python scripts/bench_window.py SCENE        # on the display that is there, else on one without a screen

Three kinds of run. The first draws in a thread of its own, so that what is counted in the other one is Panda3D's App and
Cull stages and the window's own work, and no drawing. The second is the window as it is: frames while the board turns,
the longest stall between two frames whatever the worker does. The third, on boards of three sizes, is the time from a
click to a new reach, and what it goes to. Processor times do not count what else runs on the machine; times on the clock
do, so its load is told beside them.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median_high
from typing import Any

from panda3d import core

from sandbox.view.window.talk import ReachAnswer
from sandbox.view.window.virtual import virtual_display

sys.path.insert(0, str(Path(__file__).parent / "benchmarks"))

TURNS = 6.0
"""seconds that the board is turned."""
CLICKS = 5
REST = 2.0
"""seconds between two clicks."""


class Bench:
    """One window and its figures, milliseconds."""

    def __init__(self, scene: Path) -> None:
        from sandbox.view.window.app import App  # noqa: PLC0415 - after Panda3D has been told how to draw

        self.app = App(scene)
        # Nobody holds the mouse here.
        self.app.screen.pointer = lambda: None  # type: ignore[method-assign]
        self.own: dict[str, list[float]] = {}
        self.ready = (0.0, 0.0)
        """longest turn while the board went to the graphics card: on the clock, and this thread's processor time."""
        self.slowest = self.busiest = 0.0

    def timed(self, holder: object, name: str, kind: str) -> None:
        """Count the processor time of a method's calls."""
        inner: Callable[..., Any] = getattr(holder, name)

        def outer(*args: Any, **more: Any) -> Any:
            begun = time.thread_time()
            answer = inner(*args, **more)
            self.own.setdefault(kind, []).append((time.thread_time() - begun) * 1000)
            return answer

        setattr(holder, name, outer)

    def frame(self) -> None:
        """One turn of the loop; the longest is remembered, by the clock and by this thread's processor time."""
        begun, own = time.monotonic(), time.thread_time()
        self.app.frame()
        self.slowest = max(self.slowest, (time.monotonic() - begun) * 1000)
        self.busiest = max(self.busiest, (time.thread_time() - own) * 1000)

    def run(self, until: Callable[[], object]) -> None:
        begun = time.monotonic()
        while not until():
            self.frame()
            if time.monotonic() - begun > 600:
                raise SystemExit("waited in vain")

    def rest(self, seconds: float) -> None:
        begun = time.monotonic()
        self.run(lambda: time.monotonic() - begun > seconds)

    def turning(self) -> tuple[float, float, float]:
        """Frames a second while the board turns, and processor time of a frame: of the thread, of all threads."""
        frames, begun = self.app.frames, time.monotonic()
        own, every = time.thread_time(), time.process_time()
        while time.monotonic() - begun < TURNS:
            self.app.orbit.turn(3, 0)
            self.frame()
        count = self.app.frames - frames
        took = time.monotonic() - begun
        return (
            count / took,
            (time.thread_time() - own) / count * 1000,
            (time.process_time() - every) / count * 1000,
        )

    def open(self) -> int:
        """Wait for the board; its triangles."""
        self.run(lambda: self.app.session.board is not None)
        self.slowest = self.busiest = 0.0
        while self.app.stage is None:
            # the turn that shows the board draws all of it
            self.ready = (self.slowest, self.busiest)
            self.frame()
        self.rest(2.0)
        board = self.app.session.board
        assert board is not None and board.prepared is not None
        return sum(len(piece.faces) for piece in board.prepared.pieces)


def stages(scene: Path) -> dict[str, Any]:
    """App and Cull: what the thread does that does not draw."""
    core.load_prc_file_data("", "threading-model /Draw")
    bench = Bench(scene)
    triangles = bench.open()
    app = bench.app
    engine = app.screen.base.graphicsEngine
    renders: list[float] = []

    class Engine:
        """The engine with its frames timed."""

        def __getattr__(self, name: str) -> Any:
            return getattr(engine, name)

        def render_frame(self) -> None:
            begun = time.thread_time()
            engine.render_frame()
            renders.append((time.thread_time() - begun) * 1000)

        renderFrame = render_frame

    app.screen.base.graphicsEngine = Engine()
    bench.timed(app.screen, "step", "step")
    bench.timed(app, "_words", "labels")
    bench.timed(app.panels, "draw", "panels")
    _, own, _ = bench.turning()
    app.close()
    return {
        "triangles": triangles,
        "App and Cull": median_high(bench.own["step"]),
        "of it Cull": median_high(renders),
        "of it panels": median_high(bench.own["panels"]),
        "beside them: labels": median_high(bench.own["labels"]),
        "the whole frame without drawing": own,
    }


def window(scene: Path) -> dict[str, Any]:
    """The window as it is."""
    bench = Bench(scene)
    bench.open()
    app, session = bench.app, bench.app.session
    rate, own, every = bench.turning()
    for holder, name, kind in (
        (session, "tick", "taking answers"),
        (app, "_update", "changing the board"),
        (app.hands, "step", "mouse and keys"),
        (app, "_words", "placing labels"),
        (app.panels, "draw", "panels"),
    ):
        bench.timed(holder, name, kind)
    assert session.board is not None
    session.select(session.board.fighters[0].name)
    bench.run(lambda: session.reach is not None)
    reach = session.reach
    assert reach is not None
    bench.slowest = 0.0
    for spot in reach.spots[:: max(1, len(reach.spots) // 8)]:
        session.point_at((float(spot[0]), float(spot[1]), float(spot[2])))
        bench.rest(0.3)
    app.set_cut(2.5)
    bench.rest(1.0)
    app.close()
    return {
        "renderer": app.screen.renderer,
        "frames a second": rate,
        "a frame, this thread": own,
        "a frame, all threads": every,
        "longest turn while a board is made ready": bench.ready[0],
        "of it this thread": bench.ready[1],
        "longest turn of the loop, drawing included": bench.slowest,
        "longest work of this thread": {kind: max(found) for kind, found in sorted(bench.own.items())},
    }


def clicks(scene: Path) -> dict[str, Any]:
    """What a click costs until the reach is drawn, its ground being known: the median of a few."""
    bench = Bench(scene)
    triangles = bench.open()
    app, session = bench.app, bench.app.session
    assert session.board is not None
    fighter = session.board.fighters[0].name
    session.select(fighter)
    bench.run(lambda: session.reach is not None)
    taken: list[float] = []
    answered = session._reached

    def reached(answer: ReachAnswer) -> None:
        taken.append(time.monotonic())
        answered(answer)

    session._reached = reached  # type: ignore[method-assign]
    found: list[dict[str, float]] = []
    for _ in range(CLICKS):
        # Away and back, so that nothing but its ground is known: that is what a click costs.
        session.select(None)
        for away in (0.25, -0.25):
            app.shift(fighter, away, 0.0, 0.0)
            bench.run(lambda: not session.waiting)
        bench.rest(REST)
        bench.slowest, frames = 0.0, app.screen.boards
        begun, own, every = time.monotonic(), time.thread_time(), time.process_time()
        session.select(fighter)
        bench.run(lambda: session.reach is not None and not session.changed)
        reach = session.reach
        assert reach is not None
        found.append(
            {
                "click to reach": (time.monotonic() - begun) * 1000,
                "worker": reach.seconds * 1000,
                "worker, its processor time": reach.processor * 1000,
                "hand-over and waiting for the loop": (taken[-1] - begun - reach.seconds) * 1000,
                "from the answer until it is drawn": (time.monotonic() - taken[-1]) * 1000,
                "processor time of the drawing thread": (time.thread_time() - own) * 1000,
                "processor time of all that draws": (time.process_time() - every) * 1000,
                "boards drawn": app.screen.boards - frames,
                "longest turn of the loop": bench.slowest,
            }
        )
    app.close()
    return {"triangles": triangles, **{key: median_high([one[key] for one in found]) for key in found[0]}}


def rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: rounded(inner) for key, inner in value.items()}
    return round(value, 1) if isinstance(value, float) else value


PARTS = {"stages": stages, "window": window, "clicks": clicks}


def main() -> None:
    """Both runs, each in a process of its own: Panda3D opens one window a process."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("scene", nargs="?", type=Path)
    parser.add_argument("--part", choices=PARTS, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.part is not None:
        found = PARTS[given.part](given.scene)
        print(json.dumps(rounded(found), indent=1))
        return
    if not os.environ.get("DISPLAY") and sys.platform.startswith("linux"):
        with virtual_display() as display:
            again = [sys.executable, __file__, *sys.argv[1:]]
            done = subprocess.run(again, env={**os.environ, "DISPLAY": display}, check=False)
        sys.exit(done.returncode)
    with tempfile.TemporaryDirectory() as folder:
        if given.scene is None:
            import boards  # noqa: PLC0415 - beside this script

            scenes = [boards.make(size, Path(folder)).scene for size in boards.SIZES]
        else:
            scenes = [given.scene]
        load = os.getloadavg()[0]
        print(f"{os.cpu_count()} cores, load {load:.1f} at the start (0: nothing else runs)")
        runs = [("stages", scenes[-1]), ("window", scenes[-1]), *(("clicks", scene) for scene in scenes)]
        for part, scene in runs:
            subprocess.run([sys.executable, __file__, str(scene), "--part", part], check=True)


if __name__ == "__main__":
    main()
