"""A hand on the real window: real mouse and key events through the X server."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from Xlib import XK, X, display
from Xlib.ext import xtest

from sandbox.view.window.app import App
from sandbox.view.window.labels import pixel

PAUSE = 0.02
"""seconds between two frames while nothing but time has to pass."""
FEW = 4
"""frames after which what was pressed or moved has been noticed."""
LONG = 240.0
"""seconds after which something that should happen is given up (a first run compiles)."""


class Hand:
    """Moves the mouse over a window and presses keys, letting the window run meanwhile."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.display = display.Display()

    def wait(self, until: Callable[[], Any], what: str) -> None:
        """Let the window run until something is so."""
        begun = time.monotonic()
        while not until():
            self.app.frame()
            time.sleep(PAUSE)  # the worker has use for the processor
            if self.app.session.error:
                raise AssertionError(self.app.session.error)
            if time.monotonic() - begun > LONG:
                raise AssertionError(f"waited in vain for {what}")

    def rest(self, seconds: float) -> None:
        """Let the window run for a while, a few frames at least."""
        begun, frames = time.monotonic(), 0
        while time.monotonic() - begun < seconds or frames < FEW:
            self.app.frame()
            frames += 1
            if frames > FEW:
                time.sleep(PAUSE)

    def settle(self) -> None:
        """Until nothing is being worked out and the board has been drawn finely."""
        self.rest(0.3)
        self.wait(lambda: not self.app.session.waiting and not self.app.session.worker.busy(), "the worker")
        self.rest(0.5)

    def place(self, point: tuple[float, float, float]) -> tuple[float, float]:
        """Pixel of the window where a point of the board is seen."""
        x, y = pixel(self.app.orbit.camera, point, self.app.view_size)
        left, top, _, _ = self.app.view_box
        return x + left, y + top

    def to(self, at: tuple[float, float]) -> None:
        """Move the mouse to a pixel of the window."""
        origin = self.app.screen.base.win.get_properties().get_origin()
        xtest.fake_input(self.display, X.MotionNotify, x=round(at[0] + origin.x), y=round(at[1] + origin.y))
        self.display.sync()
        self.rest(0.05)

    def press(self, *, down: bool, button: int = 1) -> None:
        """Press or let go of a mouse button."""
        xtest.fake_input(self.display, X.ButtonPress if down else X.ButtonRelease, button)
        self.display.sync()
        self.rest(0.05)

    def click(self, at: tuple[float, float], button: int = 1) -> None:
        """Click on a pixel of the window."""
        self.to(at)
        self.press(down=True, button=button)
        self.press(down=False, button=button)

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Drag with the left button."""
        self.to(start)
        self.rest(0.3)
        self.press(down=True)
        for share in (0.15, 0.4, 0.7, 1.0):
            x, y = (a + (b - a) * share for a, b in zip(start, end, strict=True))
            self.to((x, y))
        self.press(down=False)

    def key(self, name: str, *, control: bool = False) -> None:
        """Press a key; control: with the control key held down."""
        # Nobody else gives the window the keyboard where there is no window manager.
        self.display.set_input_focus(self._window(), X.RevertToParent, X.CurrentTime)
        self.display.sync()
        self.rest(0.05)
        codes = [
            self.display.keysym_to_keycode(XK.string_to_keysym(k))
            for k in (["Control_L"] if control else []) + [name]
        ]
        for code in codes:
            xtest.fake_input(self.display, X.KeyPress, code)
        self.display.sync()
        self.rest(0.08)
        for code in reversed(codes):
            xtest.fake_input(self.display, X.KeyRelease, code)
        self.display.sync()
        self.rest(0.05)

    def _window(self) -> Any:
        handle = self.app.screen.base.win.get_window_handle().get_int_handle()
        return self.display.create_resource_object("window", handle)

    def shot(self, path: Path) -> None:
        """Write what the window shows."""
        self.app.screen.save_shot(path)
